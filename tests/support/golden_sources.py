"""Every model that goldens and the manifest of conversions are made of, by a name that lasts."""

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from support.cases.case import Case, ints
from support.cases.table import ROWS, bases, customs, stablehlo_cases
from support.quantized_models import origin
from support.tflite_models import Operator, Subgraph, Tensor, build, diagonal
from support.xnnpack_cases import GROUPS, PROGRAMS
from support.xnnpack_cases import cases as xnnpack_cases
from support.xnnpack_graphs import attention
from tosa_converter.formats import encode as encode_model
from tosa_converter.formats import parse
from tosa_converter.ir import Graph, Model, Value
from tosa_converter.legalize.pipelines import DELEGATED, PIPELINES
from tosa_converter.rewriting.rewrite import Options, Report
from tosa_converter.rewriting.sweep import rebuilt
from tosa_converter.schemas.tfl_ops import COUNTING
from tosa_converter.schemas.tflite import BuiltinOperator as B


def apart(t: Tensor, place: int) -> Tensor:
    """The elements of every activation stand for other numbers."""
    return replace(t, scale=(0.05, 0.03, 0.1)[place], zero_point=(-3, 5, 7)[place] + origin(t.dtype))


def alike(t: Tensor, _place: int) -> Tensor:
    """All activations have one zero point, which isn't 0."""
    return replace(t, zero_point=-3 + origin(t.dtype))


def requantized(case: Case, change: Callable[[Tensor, int], Tensor]) -> Case:
    """The case with other scales and zero points where an operator leaves them open."""

    def changed(t: Tensor, place: int) -> Tensor:
        return change(t, place) if t.data is None and t.scale == 0.05 else t

    operands = tuple(None if t is None else changed(t, min(place, 1)) for place, t in enumerate(case.operands))
    return replace(case, operands=operands, results=tuple(changed(t, 2) for t in case.results))


def custom() -> bytes:
    weight, bias = np.ones((3, 2, 2, 2), np.float32), np.ones(3, np.float32)
    tensors = [Tensor((1, 4, 4, 2)), Tensor(weight.shape, data=weight), Tensor((3,), data=bias), Tensor((1, 8, 8, 3))]
    code, options = "Convolution2DTransposeBias", struct.pack("<3i", 1, 2, 2)
    return build(tensors, [Operator(B.CUSTOM, [0, 1, 2], [3], custom_code=code, custom_options=options)], [0], [3])


def island() -> bytes:
    """A float operator between DEQUANTIZE and QUANTIZE."""
    x, y = (Tensor((2, 3), "int8", scale=0.05, zero_point=zero) for zero in (-3, 7))
    operators = [Operator(B.DEQUANTIZE, [0], [1]), Operator(B.SIN, [1], [2]), Operator(B.QUANTIZE, [2], [3])]
    return build([x, Tensor((2, 3)), Tensor((2, 3)), y], operators, [0], [3])


def sparse(*, densified: bool) -> bytes:
    """A sparse constant through DENSIFY or as it is."""
    tensors = [Tensor((2, 2), data=np.array([1, 2], np.float32), sparsity=diagonal(2)), Tensor((2, 2))]
    return build(tensors, [Operator(B.DENSIFY, [0], [1])] * densified, [], [int(densified)])


def spectra() -> Iterator[bytes]:
    """A transform, moved and taken apart: complex tensors lie between operators alone."""
    x, length, made = Tensor((1, 2, 4)), Tensor((2,), "int32", np.array([2, 4])), Tensor((1, 2, 3), "complex64")
    transform = Operator(B.RFFT2D, [0, 1], [2])
    for builtin, operands, options in MOVES:
        moves = Operator(builtin, [2, *range(3, 3 + len(operands))], [3 + len(operands)], options)
        tensors = [x, length, made, *operands, replace(made, shape=()), Tensor(()), Tensor(())]
        at = len(tensors) - 3
        finish = [Operator(B.REAL, [at], [at + 1]), Operator(B.IMAG, [at], [at + 2])]
        yield build(tensors, [transform, moves, *finish], [0], [at + 1, at + 2])
    yield build([x, length, made, Tensor(())], [transform, Operator(B.COMPLEX_ABS, [2], [3])], [0], [3])
    real = [transform, Operator(B.CAST, [2], [3])]
    yield build([x, length, made, Tensor(())], real, [0], [3])
    again = [Operator(B.CAST, [3], [4]), Operator(B.REAL, [4], [5])]
    yield build([x, length, made, Tensor(()), replace(made, shape=()), Tensor(())], [*real, *again], [0], [5])


def control() -> Iterator[bytes]:
    """Graphs that a run chooses between, or goes through again."""
    x, yes, number = Tensor((2, 3)), Tensor((), "bool"), Tensor((), "int32")
    twice = Subgraph([x, x], [Operator(B.ADD, [0, 0], [1])], [0], [1])
    negative = Subgraph([x, x], [Operator(B.NEG, [0], [1])], [0], [1])
    branches = {"then_subgraph_index": 1, "else_subgraph_index": 2}
    yield build([yes, x, x], [Operator(B.IF, [0, 1], [2], branches)], [0, 1], [2], [twice, negative])
    many = {"branch_subgraph_indices": (1, 2, 3)}
    graphs = [twice, negative, Subgraph([x], [], [0], [0])]
    yield build([number, x, x], [Operator(B.STABLEHLO_CASE, [0, 1], [2], many)], [0, 1], [2], graphs)
    limit, one = replace(number, data=np.int32(4)), replace(number, data=np.int32(1))
    test = Subgraph([number, x, limit, yes], [Operator(B.LESS, [0, 2], [3])], [0, 1], [3])
    counting = [Operator(B.ADD, [0, 2], [3]), Operator(B.ADD, [1, 1], [4])]
    step = Subgraph([number, x, one, number, x], counting, [0, 1], [3, 4])
    rounds = {"cond_subgraph_index": 1, "body_subgraph_index": 2}
    for builtin in (B.WHILE, B.STABLEHLO_WHILE):
        yield build([number, x, number, x], [Operator(builtin, [0, 1], [2, 3], rounds)], [0, 1], [3], [test, step])


def xnnpack() -> Iterator[tuple[str, bytes]]:
    """A graph for every node kind, by its file; those of several nodes end with the one that counts."""
    for group in GROUPS[: -len(PROGRAMS)]:
        for case in xnnpack_cases(group).values():
            if case.file != "attention_of_parts.xnn":
                yield case.label, case.data
    yield "attention", b"".join(map(bytes, encode_model(attention(), ".xnn")))


def kernels() -> Iterator[tuple[str, Model]]:
    """Every portable kernel of models/xnnpack where it is first, in a graph of its own, by its name."""
    seen = set()
    for case in (case for group in KERNELS for case in xnnpack_cases(group).values()):
        for op in parse(case.data).main:
            folded = op.operands and all(value.constant is not None for value in op.operands)
            if op.name.startswith("aten.") and op.name not in seen and not folded:
                seen.add(op.name)
                moved = {value: Value(value.type, f"x{i}") for i, value in enumerate(op.operands)}
                moved |= {value: value for value in op.operands if value.constant is not None}
                alone = rebuilt(op, [None if value is None else moved[value] for value in op.inputs])
                constants = [value.producer for value in moved.values() if value.producer is not None]
                inputs = [value for value in moved.values() if value.producer is None]
                outputs = [value for value in alone.results if 0 not in value.type.shape]
                yield op.name, Model({"main": Graph("main", inputs, outputs, [*constants, alone])})


def variable() -> bytes:
    """One that is added to in every run."""
    handle, x = Tensor((), "resource"), Tensor((2, 3))
    name = {"shared_name": "sum"}
    adding = [
        Operator(B.CALL_ONCE, [], [], {"init_subgraph_index": 1}),
        Operator(B.VAR_HANDLE, [], [1], name),
        Operator(B.READ_VARIABLE, [1], [2]),
        Operator(B.ADD, [2, 0], [3]),
        Operator(B.ASSIGN_VARIABLE, [1, 3], []),
    ]
    begin = [Operator(B.VAR_HANDLE, [], [0], name), Operator(B.ASSIGN_VARIABLE, [0, 1], [])]
    initial = Subgraph([handle, replace(x, data=np.ones((2, 3)))], begin, [], [])
    return build([x, handle, x, x], adding, [0], [3], [initial])


def has_state(case: Case) -> bool:
    """Whether an operator changes variable tensors or counts."""
    counting = f"tfl.{case.builtin.name.lower()}" in COUNTING
    return counting or any(operand is not None and operand.variable for operand in case.operands)


MOVES: tuple[tuple[B, list[Tensor], dict[str, Any]], ...] = (
    (B.RESHAPE, [ints(2, 3)], {}),
    (B.SQUEEZE, [], {}),
    (B.EXPAND_DIMS, [ints(0, shape=())], {}),
    (B.TRANSPOSE, [ints(0, 2, 1)], {}),
    (B.SLICE, [ints(0, 0, 1), ints(1, 2, 2)], {}),
    (B.STRIDED_SLICE, [ints(0, 0, 0), ints(1, 2, 3), ints(1, 1, 1)], {"shrink_axis_mask": 1}),
    (B.BROADCAST_TO, [ints(2, 2, 3)], {}),
    (B.MUL, [Tensor((), "complex64", np.array(2 + 1j, np.complex64))], {}),
)


KERNELS = ("kernels", "further_kernels")
DELEGATES = frozenset().union(*(family.roots for family in DELEGATED))


class Source(NamedTuple):
    """A model by name, with the numerics that it is converted to; `make` may refuse it with a ConverterError."""

    name: str
    make: Callable[[], bytes | Model]
    numerics: str = "reference"


@cache
def sources() -> dict[str, Source]:
    """Returns all of them by name; of several that show the same rewrite, the one that shows most comes first."""
    return {source.name: source for source in _sources()}


def _sources() -> Iterator[Source]:
    yield from _numbered("spectra", spectra())
    yield Source("variable", variable)
    rows = xnnpack_cases("fp32")["rows.xnn"].data
    yield Source("rows", lambda: rows)
    stateful = [case for case in bases() if has_state(case)]
    yield from _cases("state", stateful)
    yield from _numbered("control", control())
    yield Source("custom", custom)
    yield Source("island", island)
    yield Source("sparse.constant", partial(sparse, densified=False))
    yield Source("sparse.densify", partial(sparse, densified=True))
    for name, data in (*xnnpack(), *kernels()):
        yield Source(name, lambda data=data: data)  # type: ignore[misc]
    shown = [case for row in ROWS.values() for case in row.shown]
    stateless = [case for case in (*shown, *bases(), *customs()) if not has_state(case)]
    for name, change in (("apart", apart), ("alike", alike), ("same", lambda t, _place: t)):
        yield from _cases(name, [requantized(case, change) for case in stateless])
    yield from _cases("stablehlo", [case for case in stablehlo_cases() if not has_state(case)])


def _numbered(name: str, models: Iterator[bytes]) -> Iterator[Source]:
    for i, data in enumerate(models):
        yield Source(f"{name}.{i}", lambda data=data: data)  # type: ignore[misc]


def _cases(prefix: str, cases: list[Case]) -> Iterator[Source]:
    """Yields single operators by builtin, element type and number, in every numerics that has a form of its own."""
    counts: Counter[str] = Counter()
    for case in cases:
        builtin = case.custom_code or case.builtin.name
        dtypes = [operand.dtype for operand in (*case.operands, *case.results) if operand is not None]
        stem = f"{prefix}.{builtin}.{dtypes[0] if dtypes else 'none'}"
        name = f"{stem}.{counts[stem]}"
        counts[stem] += 1
        yield Source(name, partial(shaped, case))
        if f"tfl.{case.builtin.name.lower()}" in DELEGATES:
            yield Source(f"{name}.xnnpack", partial(shaped, case), "xnnpack")


def shaped(case: Case) -> bytes:
    """Returns the file with the shapes that the results have."""
    graph = parse(case.file())
    step = PIPELINES[graph.opset][0]
    converted = step.run(graph, Options(), Report())
    results = zip(case.results, converted.main.outputs, strict=True)
    return replace(case, results=tuple(replace(t, shape=value.type.static) for t, value in results)).file()
