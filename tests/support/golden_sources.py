"""The models of the goldens and of the manifest of conversions, each under a permanent name."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from support.cases.case import Case
from support.cases.table import ROWS, bases, customs, stablehlo_cases
from support.commands import MODELS
from support.flex import flex_and_builtin
from support.passes import legalized
from support.quantized_models import origin
from support.tflite_models import Operator, Subgraph, Tensor, build, diagonal
from support.xnnpack_cases import GROUPS, PROGRAMS
from support.xnnpack_cases import cases as xnnpack_cases
from support.xnnpack_graphs import attention
from tosa_converter.formats import encode as encode_model
from tosa_converter.formats import parse
from tosa_converter.ir import Graph, Model, Value
from tosa_converter.ir.edit import clone_op
from tosa_converter.legalize.custom.tensorflow import MEANINGS
from tosa_converter.legalize.rule_modules import DELEGATED
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tfl_ops import COUNTING
from tosa_converter.schemas.tflite import BuiltinOperator as B


def different_quantization(t: Tensor, place: int) -> Tensor:
    """Returns a tensor with the quantization of its place: operands and result differ."""
    return replace(t, scale=(0.05, 0.03, 0.1)[place], zero_point=(-3, 5, 7)[place] + origin(t.dtype))


def same_zero_point(t: Tensor, _place: int) -> Tensor:
    """Returns a tensor with one nonzero zero point, whatever its place."""
    return replace(t, zero_point=-3 + origin(t.dtype))


def requantized(case: Case, change: Callable[[Tensor, int], Tensor]) -> Case:
    """Returns the case with other scales and zero points where the operator leaves them open."""

    def changed(t: Tensor, place: int) -> Tensor:
        return change(t, place) if t.data is None and t.scale == 0.05 else t

    operands = tuple(None if t is None else changed(t, min(place, 1)) for place, t in enumerate(case.operands))
    return replace(case, operands=operands, results=tuple(changed(t, 2) for t in case.results))


def island() -> bytes:
    """Returns a float operator between DEQUANTIZE and QUANTIZE."""
    x, y = (Tensor((2, 3), "int8", scale=0.05, zero_point=zero) for zero in (-3, 7))
    operators = [Operator(B.DEQUANTIZE, [0], [1]), Operator(B.SIN, [1], [2]), Operator(B.QUANTIZE, [2], [3])]
    return build([x, Tensor((2, 3)), Tensor((2, 3)), y], operators, [0], [3])


def integer_islands() -> Iterator[tuple[str, bytes]]:
    """Yields floats in front of QUANTIZE whose results are known: rows of a table, and integers."""
    y = Tensor((2, 3), "int8", scale=0.5, zero_point=-3)
    table = Tensor((4, 3), data=np.arange(12, dtype=np.float32).reshape(4, 3) / 4)
    lookup = [Operator(B.EMBEDDING_LOOKUP, [0, 1], [2]), Operator(B.QUANTIZE, [2], [3])]
    yield "quantized_rows", build([Tensor((2,), "int32"), table, Tensor((2, 3)), y], lookup, [0], [3])
    cast = [Operator(B.CAST, [0], [1]), Operator(B.QUANTIZE, [1], [2])]
    yield "quantized_integers", build([Tensor((2, 3), "int32"), Tensor((2, 3)), y], cast, [0], [2])


def byte_island() -> bytes:
    """Returns integer operators on one 8-bit value: a SiLU of two operators."""
    x, y = (Tensor((2, 3), "int8", scale=0.05, zero_point=zero) for zero in (-3, 7))
    gate = Tensor((2, 3), "int8", scale=1 / 256, zero_point=-128)
    return build([x, gate, y], [Operator(B.LOGISTIC, [0], [1]), Operator(B.MUL, [0, 1], [2])], [0], [2])


def float_patterns() -> Iterator[tuple[str, bytes]]:
    """Yields models of several float operators that one rule replaces, by the rule's name."""
    x, y, mask = Tensor((2, 3)), Tensor((2, 3)), Tensor((2, 3), "bool")
    low, high, zero, slope = (Tensor((1,), data=np.array([n], np.float32)) for n in (-1.5, 2, 0, 0.1))
    clip = [Operator(B.MAXIMUM, [0, 2], [1]), Operator(B.MINIMUM, [1, 3], [4])]
    yield "bounds", build([x, y, low, high, y], clip, [0], [4])
    for name, comparison, choices in (("greater", B.GREATER, [0, 4]), ("less", B.LESS, [4, 0])):
        scaled = [Operator(B.MUL, [0, 3], [4]), Operator(comparison, [0, 2], [1])]
        select = Operator(B.SELECT_V2, [1, *choices], [5])
        yield f"leaky_relu_by_{name}", build([x, mask, zero, slope, y, y], [*scaled, select], [0], [5])
    yield (
        "quotient_by_root",
        build([x, x, y, y], [Operator(B.SQRT, [1], [2]), Operator(B.DIV, [0, 2], [3])], [0, 1], [3]),
    )


def sparse(*, densified: bool) -> bytes:
    """Returns a sparse constant, through DENSIFY or read directly."""
    tensors = [Tensor((2, 2), data=np.array([1, 2], np.float32), sparsity=diagonal(2)), Tensor((2, 2))]
    return build(tensors, [Operator(B.DENSIFY, [0], [1])] * densified, [], [int(densified)])


def xnnpack() -> Iterator[tuple[str, bytes]]:
    """Yields a graph for every node kind, by its file; in a graph of several nodes, the last one counts."""
    for group in GROUPS[: -len(PROGRAMS)]:
        for case in xnnpack_cases(group).values():
            if case.file != "attention_of_parts.xnn":
                yield case.label, case.data
    yield "attention", b"".join(map(bytes, encode_model(attention(), ".xnn")))


def kernels() -> Iterator[tuple[str, Model]]:
    """Yields each portable kernel of models/xnnpack and a program with state, at its first use, by its name."""
    seen = set()
    programs = [case.data for group in KERNELS for case in xnnpack_cases(group).values()]
    for data in (*programs, (MODELS / "programs" / "cache.pte").read_bytes()):
        for op in parse(data).main:
            folded = op.operands and all(value.constant is not None for value in op.operands)
            if op.opset == "aten" and op.name not in seen and not folded:
                seen.add(op.name)
                moved = {value: Value(value.type, f"x{i}") for i, value in enumerate(op.operands)}
                moved |= {value: value for value in op.operands if value.constant is not None}
                alone = clone_op(op, [None if value is None else moved[value] for value in op.inputs])
                constants = [value.producer for value in moved.values() if value.producer is not None]
                inputs = [value for value in moved.values() if value.producer is None]
                outputs = [value for value in alone.results if 0 not in value.type.shape]
                yield op.name, Model({"main": Graph("main", inputs, outputs, [*constants, alone])}, opset="xnn")


def variable() -> bytes:
    """Returns a model with a variable that each run increases."""
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
    """Returns whether an operator changes variable tensors or a counter."""
    counting = f"tfl.{case.builtin.name.lower()}" in COUNTING
    return counting or any(operand is not None and operand.variable for operand in case.operands)


KERNELS = ("kernels", "further_kernels")
DELEGATES = frozenset().union(*(family.roots for family in DELEGATED))


class Source(NamedTuple):
    """A named model and the numerics of its conversion; `make` may raise a ConverterError."""

    name: str
    make: Callable[[], bytes | Model]
    numerics: str = "reference"


@cache
def sources() -> dict[str, Source]:
    """Returns all sources by name; of several that show the same rule, the most telling one comes first."""
    return {source.name: source for source in _sources()}


def _sources() -> Iterator[Source]:
    yield from (Source(name, make) for row in ROWS.values() for name, make in row.networks.items())
    yield Source("variable", variable)
    rows = xnnpack_cases("fp32")["rows.xnn"].data
    yield Source("rows", lambda: rows)
    stateful = [case for case in bases() if has_state(case)]
    yield from _cases("state", stateful)
    yield Source("island", island)
    yield Source("byte_island", byte_island)
    for name, content in (*integer_islands(), *float_patterns()):
        yield Source(name, lambda content=content: content)  # type: ignore[misc]
    yield Source("sparse.constant", partial(sparse, densified=False))
    yield Source("sparse.densify", partial(sparse, densified=True))
    yield Source("program state", (MODELS / "programs" / "counter.pte").read_bytes)
    for name, data in (*xnnpack(), *kernels()):
        yield Source(name, lambda data=data: data)  # type: ignore[misc]
    shown = [case for row in ROWS.values() for case in row.shown]
    stateless = [case for case in (*shown, *bases(), *customs()) if not has_state(case)]
    for name, change in (("apart", different_quantization), ("alike", same_zero_point), ("same", lambda t, _place: t)):
        yield from _cases(name, [requantized(case, change) for case in stateless])
    yield from _cases("flex", [flex_and_builtin(name)[0] for name in MEANINGS])
    yield from _cases("stablehlo", [case for case in stablehlo_cases() if not has_state(case)])


def _cases(prefix: str, cases: list[Case]) -> Iterator[Source]:
    """Yields single operators by builtin, element type and number, in every numerics with a form of its own."""
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
    """Returns the file with the shapes of the results."""
    graph = parse(case.file())
    converted = legalized(graph, Options(), Report())
    results = zip(case.results, converted.main.outputs, strict=True)
    return replace(case, results=tuple(replace(t, shape=value.type.static) for t, value in results)).file()
