"""Single operators with one or two faults in types, shapes, numbers or quantization: what LiteRT says and what we say.

`python -m longer.malformed_models FIRST LAST` tries the seeds from FIRST to before LAST in LiteRT's reference kernels
(allocation and one run, in a process of its own) and in our import and conversion, and prints every disagreement.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from support.commands import ROOT
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.engines.process import Worker
from tosa_converter.errors import ConverterError, FormatError
from tosa_converter.formats import parse
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding, TensorType

DTYPES = ("float32", "float16", "int32", "uint8", "int64", "bool", "int16", "int8")
IMAGE = (1, 4, 4, 2)


@dataclass(frozen=True)
class Case:
    """One operator; operands that have data are constants, the others graph inputs, None is an absent one."""

    builtin: B
    operands: tuple[Tensor | None, ...]
    results: tuple[Tensor, ...]
    options: dict[str, Any] = field(default_factory=dict)


def _tensor(dtype: str, shape: tuple[int, ...] = IMAGE, scale: float = 0.05, zero_point: int = 0) -> Tensor:
    quantized = dtype in ("int8", "uint8", "int16")
    return Tensor(shape, dtype, scale=scale if quantized else None, zero_point=zero_point if quantized else 0)


def _ints(*values: int, shape: tuple[int, ...] | None = None, dtype: str = "int32") -> Tensor:
    array = np.array(values, dtype)
    return Tensor(array.shape if shape is None else shape, dtype, array if shape is None else array.reshape(shape))


WINDOW = {"stride_h": 1, "stride_w": 1, "padding": Padding.SAME}
POOL = {**WINDOW, "filter_height": 2, "filter_width": 2}
FLOATS, FEW, MANY = ("float32",), ("float32", "int8"), ("float32", "int8", "uint8", "int16")
FIXED = {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)}


def bases() -> Iterator[Case]:
    """Models that LiteRT runs, several per operator."""
    yield from _elementwise()
    yield from _windows()
    yield from _layout()
    yield from _rest()


def _elementwise() -> Iterator[Case]:
    dtypes: tuple[str, ...]
    for builtin, dtypes in (
        (B.RELU, MANY), (B.RELU6, MANY), (B.RELU_N1_TO_1, FEW), (B.RELU_0_TO_1, FEW), (B.LEAKY_RELU, MANY),
        (B.ELU, FEW), (B.GELU, FEW), (B.HARD_SWISH, FEW), (B.EXP, FEW), (B.NEG, ("float32", "int32", "int64")),
        (B.ABS, ("float32", "int8", "int32")), (B.RSQRT, FEW), (B.SQRT, FLOATS), (B.LOG, FEW), (B.SIN, FLOATS),
        (B.COS, FLOATS), (B.FLOOR, FLOATS), (B.CEIL, FLOATS), (B.SQUARE, FLOATS), (B.LOGICAL_NOT, ("bool",)),
        (B.ZEROS_LIKE, ("float32", "int32")), (B.CAST, ("float32", "int32")), (B.SHAPE, ("float32", "int8")),
        (B.RANK, ("float32",)), (B.TANH, FEW),
    ):  # fmt: skip
        for dtype in dtypes:
            made = _tensor("int32" if builtin in (B.SHAPE, B.RANK) else dtype)
            yield Case(
                builtin, (_tensor(dtype),), (made,), {"out_type": TensorType.INT32} if builtin is B.SHAPE else {}
            )
    for builtin in (B.LOGISTIC, B.TANH, B.SOFTMAX, B.LOG_SOFTMAX):
        for dtype in MANY:
            fixed = (
                {"int8": (1 / 16, 127), "uint8": (1 / 16, 255)}.get(dtype)
                if builtin is B.LOG_SOFTMAX
                else FIXED.get(dtype)
            )
            if fixed is None and dtype != "float32":
                continue
            made = replace(_tensor(dtype), scale=fixed[0], zero_point=fixed[1]) if fixed else _tensor(dtype)
            yield Case(builtin, (_tensor(dtype),), (made,), {"beta": 1.0} if builtin is B.SOFTMAX else {})
    for builtin, dtypes in (
        (B.ADD, (*MANY, "int32", "int64")), (B.SUB, ("float32", "int8", "int32")), (B.MUL, (*MANY, "int32", "int64")),
        (B.DIV, ("float32", "int32", "int8")), (B.FLOOR_DIV, ("float32", "int32")), (B.MAXIMUM, MANY),
        (B.MINIMUM, FEW), (B.SQUARED_DIFFERENCE, FEW), (B.PRELU, FEW),
    ):  # fmt: skip
        for dtype in dtypes:
            rhs = _tensor(dtype) if builtin is not B.PRELU else replace(_tensor(dtype, (1, 1, 2)))
            yield Case(builtin, (_tensor(dtype), rhs), (_tensor(dtype),))
    for builtin in (B.EQUAL, B.NOT_EQUAL, B.GREATER, B.GREATER_EQUAL, B.LESS, B.LESS_EQUAL):
        for dtype in ("float32", "int8", "int32"):
            yield Case(builtin, (_tensor(dtype), _tensor(dtype)), (_tensor("bool"),))
    for builtin in (B.LOGICAL_AND, B.LOGICAL_OR):
        yield Case(builtin, (_tensor("bool"), _tensor("bool")), (_tensor("bool"),))
    for builtin in (B.SELECT, B.SELECT_V2):
        for dtype in FEW:
            yield Case(builtin, (_tensor("bool"), _tensor(dtype), _tensor(dtype)), (_tensor(dtype),))


def _weights(shape: tuple[int, ...], dtype: str, count: int) -> tuple[Tensor, Tensor]:
    """A weight and a bias as the kernels want them for activations of `dtype`."""
    rng = np.random.default_rng(len(shape) * 7 + count)
    if dtype == "float32":
        return (
            Tensor(shape, dtype, rng.standard_normal(shape).astype(dtype)),
            Tensor((count,), dtype, np.ones(count, dtype)),
        )
    kind = "int8" if dtype == "int16" else dtype
    weight = Tensor(shape, kind, rng.integers(0, 100, shape).astype(kind), scale=0.02)
    wide = "int64" if dtype == "int16" else "int32"
    return weight, Tensor((count,), wide, np.ones(count, wide), scale=0.05 * 0.02)


def _windows() -> Iterator[Case]:
    for dtype in MANY:
        x = _tensor(dtype)
        conv = {**WINDOW, "dilation_h_factor": 1, "dilation_w_factor": 1}
        yield Case(B.CONV_2D, (x, *_weights((3, 2, 2, 2), dtype, 3)), (_tensor(dtype),), conv)
        yield Case(
            B.DEPTHWISE_CONV_2D,
            (x, *_weights((1, 2, 2, 4), dtype, 4)),
            (_tensor(dtype),),
            {**conv, "depth_multiplier": 2},
        )
        weight, bias = _weights((3, 2, 2, 2), dtype, 3)
        yield Case(
            B.TRANSPOSE_CONV,
            (_ints(1, 8, 8, 3), weight, x, bias),
            (_tensor(dtype),),
            {**WINDOW, "stride_h": 2, "stride_w": 2},
        )
        yield Case(B.FULLY_CONNECTED, (_tensor(dtype, (2, 8)), *_weights((3, 8), dtype, 3)), (_tensor(dtype, (2, 3)),))
        yield Case(B.AVERAGE_POOL_2D, (x,), (_tensor(dtype),), POOL)
        yield Case(B.MAX_POOL_2D, (x,), (_tensor(dtype),), POOL)
    for dtype in FEW:
        yield Case(B.RESIZE_BILINEAR, (_tensor(dtype), _ints(8, 8)), (_tensor(dtype),))
        yield Case(B.RESIZE_NEAREST_NEIGHBOR, (_tensor(dtype), _ints(8, 8)), (_tensor(dtype),))
        lhs, rhs = _tensor(dtype, (1, 3, 4)), _tensor(dtype, (1, 4, 5))
        yield Case(B.BATCH_MATMUL, (lhs, rhs), (_tensor(dtype, (1, 3, 5)),))


def _layout() -> Iterator[Case]:
    for dtype in ("float32", "int8", "int32"):
        x, y = _tensor(dtype), _tensor(dtype)
        yield Case(B.RESHAPE, (x, _ints(1, 32)), (y,), {"new_shape": (1, 32)})
        yield Case(B.SQUEEZE, (x,), (y,), {"squeeze_dims": (0,)})
        yield Case(B.EXPAND_DIMS, (x, _ints(1, shape=(1,))), (y,))
        yield Case(B.TRANSPOSE, (x, _ints(0, 2, 1, 3)), (y,))
        yield Case(B.DEPTH_TO_SPACE, (_tensor(dtype, (1, 2, 2, 4)),), (y,), {"block_size": 2})
        yield Case(B.SPACE_TO_DEPTH, (x,), (y,), {"block_size": 2})
        yield Case(B.PAD, (x, _ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2))), (y,))
        pad = replace(_tensor(dtype, ()), data=np.zeros((), dtype))
        yield Case(B.PADV2, (x, _ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2)), pad), (y,))
        yield Case(B.TILE, (x, _ints(1, 2, 1, 1)), (y,))
        yield Case(B.BROADCAST_TO, (_tensor(dtype, (1, 4, 1, 2)), _ints(1, 4, 4, 2)), (y,))
        yield Case(B.REVERSE_V2, (x, _ints(1)), (y,))
        yield Case(B.CONCATENATION, (x, _tensor(dtype)), (y,), {"axis": 3})
        yield Case(B.PACK, (x, _tensor(dtype)), (y,), {"axis": 0, "values_count": 2})
        yield Case(B.SPLIT, (_ints(3, shape=()), x), (y, _tensor(dtype)), {"num_splits": 2})
        yield Case(B.SPLIT_V, (x, _ints(1, 3), _ints(1, shape=())), (y, _tensor(dtype)), {"num_splits": 2})
        yield Case(B.UNPACK, (x,), (y, _tensor(dtype)), {"axis": 3, "num": 2})
        yield Case(B.SLICE, (x, _ints(0, 1, 0, 0), _ints(1, 2, -1, 2)), (Tensor((1, 2, 4, 2), dtype, scale=y.scale),))
        yield Case(B.STRIDED_SLICE, (x, _ints(0, 0, 0, 0), _ints(1, 4, 4, 2), _ints(1, 2, 1, 1)), (y,))
        yield Case(B.GATHER, (x, _ints(1, 0)), (y,), {"axis": 2})


def _rest() -> Iterator[Case]:
    for builtin in (B.MEAN, B.SUM, B.REDUCE_MAX, B.REDUCE_MIN, B.REDUCE_PROD):
        for dtype in FEW if builtin is not B.REDUCE_PROD else FLOATS:
            yield Case(builtin, (_tensor(dtype), _ints(1, 2)), (_tensor(dtype),), {"keep_dims": True})
    for builtin in (B.REDUCE_ANY, B.REDUCE_ALL):
        yield Case(builtin, (_tensor("bool"), _ints(1, 2)), (_tensor("bool"),), {"keep_dims": True})
    for source, target in (("float32", "int8"), ("int8", "uint8"), ("uint8", "int8"), ("int8", "int8")):
        yield Case(B.QUANTIZE, (_tensor(source),), (_tensor(target, scale=0.1),))
    for dtype in ("int8", "uint8", "int16", "float16"):
        yield Case(B.DEQUANTIZE, (_tensor(dtype),), (_tensor("float32"),))
    yield Case(B.FILL, (_ints(2, 3), Tensor((), "float32", np.float32(1))), (_tensor("float32", (2, 3)),))
    yield Case(B.RANGE, tuple(_ints(n, shape=()) for n in (0, 5, 1)), (_tensor("int32", (5,)),))
    yield Case(B.DENSIFY, (Tensor((2, 2), "float32", np.ones((2, 2), np.float32)),), (_tensor("float32", (2, 2)),))


@cache
def _all_bases() -> tuple[Case, ...]:
    return tuple(bases())


# ** faults **


def faulty(seed: int) -> tuple[Case, str]:
    """A base with one fault, every fourth with two, and what was done."""
    rng = np.random.default_rng(seed)
    cases = _all_bases()
    case = cases[int(rng.integers(len(cases)))]
    done = []
    for _ in range(1 + (seed % 4 == 0)):
        fault = FAULTS[int(rng.integers(len(FAULTS)))]
        case, what = fault(case, rng)
        done.append(what)
    return case, f"{case.builtin.name}: {', '.join(done)}"


def _changed(case: Case, rng: np.random.Generator, **changes: Any) -> tuple[Case, int]:
    """One tensor of the case with other fields; constants are cast to their type and shape."""
    places = [i for i, tensor in enumerate((*case.operands, *case.results)) if tensor is not None]
    index = places[int(rng.integers(len(places)))] if places else -1
    if index < 0:
        return case, index
    tensors = [*case.operands, *case.results]
    tensor = tensors[index]
    assert tensor is not None
    new = {key: change(tensor) for key, change in changes.items()}
    tensors[index] = changed = replace(tensor, **new)
    if changed.data is not None:
        count = int(np.prod(changed.shape))
        changed.data = np.resize(np.asarray(tensor.data), count).astype(changed.dtype).reshape(changed.shape)
    cut = len(case.operands)
    return replace(case, operands=tuple(tensors[:cut]), results=tuple(tensors[cut:])), index  # type: ignore[arg-type]


def _dtype(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    dtype = DTYPES[int(rng.integers(len(DTYPES)))]
    quantized = dtype in ("int8", "uint8", "int16") and bool(rng.integers(4))
    case, index = _changed(case, rng, dtype=lambda _: dtype, scale=lambda t: (t.scale or 0.05) if quantized else None)
    return case, f"tensor {index} is {dtype}{' quantized' if quantized else ''}"


def _quantization(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    scale = (None, 0.05, 0.07, 1 / 256, 1 / 128, 1 / 32768)[int(rng.integers(6))]
    zero_point = int(rng.integers(-3, 4))
    case, index = _changed(case, rng, scale=lambda _: scale, zero_point=lambda _: zero_point)
    return case, f"tensor {index} has scale {scale} and zero point {zero_point}"


def _shape(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    kind, place = int(rng.integers(3)), int(rng.integers(4))

    def other(tensor: Tensor) -> tuple[int, ...]:
        shape = tuple(tensor.shape)
        at = min(place, len(shape))
        if kind == 0:
            return shape[:at] + shape[at + 1 :]
        return (*shape[:at], 1, *shape[at:]) if kind == 1 else (*shape[:at], 3, *shape[at + 1 :])

    case, index = _changed(case, rng, shape=other)
    tensors = (*case.operands, *case.results)
    return case, f"tensor {index} has shape {tensors[index].shape if tensors else ()}"  # type: ignore[union-attr]


def _operands(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    count, kind = len(case.operands), int(rng.integers(3))
    at = int(rng.integers(max(count, 1)))
    if kind == 0:
        return replace(case, operands=case.operands[:at] + case.operands[at + 1 :]), f"operand {at} left out"
    if kind == 1 and count:
        return replace(case, operands=(*case.operands, case.operands[at])), f"operand {at} once more"
    return replace(case, operands=(*case.operands[:at], None, *case.operands[at + 1 :])), f"operand {at} absent"


def _results(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    if rng.integers(2) and len(case.results) > 1:
        return replace(case, results=case.results[:-1]), "a result left out"
    return replace(case, results=(*case.results, case.results[0])), "a result more"


def _constant(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    index = int(rng.integers(len(case.operands))) if case.operands else 0
    tensor = case.operands[index] if case.operands else None
    if tensor is None:
        return case, "nothing"
    data = np.ones(tensor.shape, tensor.dtype) if tensor.data is None else None
    other = (*case.operands[:index], replace(tensor, data=data), *case.operands[index + 1 :])
    return replace(case, operands=other), f"operand {index} {'no ' if data is None else ''}constant"


# Kernels that don't compare these types and read or write the bytes of one as another's, past the end if it is wider.
UNDEFINED = frozenset(
    {
        B.RESHAPE,
        B.MUL,
        B.PRELU,
        B.SOFTMAX,
        B.MEAN,
        B.SUM,
        B.REDUCE_MAX,
        B.REDUCE_MIN,
        B.REDUCE_PROD,
        B.SQUEEZE,
        B.REDUCE_ANY,
        B.REDUCE_ALL,
    }
)
# BUILTIN_REF of LiteRT 2.3.0 doesn't have them; BROADCAST_TO starts with version 2.
OPTIMIZED = frozenset({B.ELU, B.CEIL, B.BROADCAST_TO})
FAULTS = (_dtype, _dtype, _quantization, _quantization, _shape, _shape, _operands, _results, _constant)


# ** verdicts **


def encode(case: Case) -> tuple[bytes, list[Array]]:
    """The file, and arrays of ones for its inputs."""
    tensors: list[Tensor] = []
    places, fed = [], []
    for tensor in case.operands:
        places.append(-1 if tensor is None else len(tensors))
        if tensor is not None:
            fed += [] if tensor.data is not None else [len(tensors)]
            tensors.append(tensor)
    made = list(range(len(tensors), len(tensors) + len(case.results)))
    data = build(
        [*tensors, *case.results],
        [Operator(case.builtin, places, made, case.options, version=1 + (case.builtin is B.BROADCAST_TO))],
        fed,
        made,
    )
    return data, [np.ones(tensors[i].shape, tensors[i].dtype) for i in fed]


class Verdicts(NamedTuple):
    """What LiteRT says: runs, refuses or crashes; what we do: converts, notes, refuses (3), unsupported (4), fails."""

    litert: str
    ours: str
    words: str

    @property
    def agree(self) -> bool:
        """What runs is not refused; what doesn't isn't converted without a note."""
        if self.ours == "fails":
            return False
        return self.ours != "refuses" if self.litert == "runs" else self.ours != "converts" or self.litert == "crashes"


def judge() -> Worker:
    """A process that says what LiteRT makes of a model, and survives saying no."""
    worker = Worker("litert", "LiteRT", "verify", lambda _folder: {"PYTHONPATH": str(ROOT / "tests")})
    worker.command = [sys.executable, "-m", "longer.malformed_models", "serve"]
    return worker


def _serve() -> int:
    from ai_edge_litert import interpreter as litert

    from tosa_converter.engines.process import Answer, serve
    from tosa_converter.engines.workers.litert import _run

    def answer(data: bytes, resolver: str, arrays: list[Any]) -> Answer:
        try:
            kind = getattr(litert.OpResolverType, resolver)
            _run(litert.Interpreter(model_content=data, experimental_op_resolver_type=kind), arrays, [])
        except (RuntimeError, ValueError) as error:
            return str(error), None
        return "", None

    return serve(answer)


def verdicts(worker: Worker, case: Case) -> Verdicts:
    """Both engines on one case."""
    data, arrays = encode(case)
    ours, words = "converts", ""
    try:
        model = parse(data)
        tc.convert(model)
        ours = "notes" if model.notes else ours
    except FormatError as error:
        ours, words = "refuses", str(error)
    except ConverterError as error:
        ours, words = "unsupported", str(error)
    except Exception as error:  # any other is our mistake, to be listed with the rest
        ours, words = "fails", repr(error)
    try:
        resolver = "BUILTIN_WITHOUT_DEFAULT_DELEGATES" if case.builtin in OPTIMIZED else "BUILTIN_REF"
        said = worker.ask("a model", data, resolver, arrays)
        litert = "refuses" if said else "runs"
    except ConverterError as error:
        litert, said = "crashes", str(error)
    return Verdicts(litert, ours, f"{words} | {said}".replace("\n", " "))


def main(first: str, last: str) -> int:
    """Print what disagrees, and how often each pair of verdicts came."""
    worker = judge()
    counts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for seed in range(int(first), int(last)):
        case, done = faulty(seed)
        found = verdicts(worker, case)
        counts[found[:2]] += 1
        if not found.agree and not (case.builtin in UNDEFINED and found[:2] == ("runs", "refuses")):
            wrong += 1
            print(f"{seed} {done}: LiteRT {found.litert}, we {found.ours}: {found.words[:300]}")
    for pair, count in counts.most_common():
        print(f"{count:6d} LiteRT {pair[0]}, we {pair[1]}")
    print(f"{wrong} of {int(last) - int(first)} disagree")
    worker.close()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(_serve() if sys.argv[1:] == ["serve"] else main(*sys.argv[1:]))
