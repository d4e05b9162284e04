"""Reductions of StableHLO, whose bodies are graphs of one operator, and TFLite's REDUCE_WINDOW."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import CONSTANTS
from tosa_converter.legalize.checks import NUMBERS
from tosa_converter.legalize.operands import constant_ints, held_in_32_bits
from tosa_converter.legalize.tflite.any_type.strided import Step, along
from tosa_converter.legalize.tflite.stablehlo.movement import padded_with
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, maximum, minimum
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import ReduceWindowFunction
from tosa_converter.schemas.tosa_ops import OpDef


class Reducer(NamedTuple):
    """What joins two elements: operators that a body may have, the one of TOSA for a whole axis, and for two values."""

    names: str
    row: OpDef
    join: Callable[[Expr, Expr], Expr]


REDUCERS = {
    "add": Reducer("stablehlo_add add", ops.REDUCE_SUM, lambda a, b: a + b),
    "mul": Reducer("stablehlo_multiply mul", ops.REDUCE_PRODUCT, lambda a, b: a * b),
    "max": Reducer("stablehlo_maximum maximum", ops.REDUCE_MAX, lambda a, b: maximum(a, b)),
    "min": Reducer("stablehlo_minimum minimum", ops.REDUCE_MIN, lambda a, b: minimum(a, b)),
    "all": Reducer("stablehlo_and logical_and", ops.REDUCE_ALL, lambda a, b: a & b),
    "any": Reducer("stablehlo_or logical_or", ops.REDUCE_ANY, lambda a, b: a | b),
}
_NAMES = {f"tfl.{name}": key for key, reducer in REDUCERS.items() for name in reducer.names.split()}


def body(match: Match, empty: str = "") -> str:
    """The reducer that the body of an operator is, `empty` if that has no operator.

    Raises:
        Decline: it is another one, or several.
    """
    (graph,) = match.op.regions or (None,)
    if graph is None:
        raise Decline("the file has one graph, and no body")
    done = [op for op in graph.ops if op.name not in CONSTANTS]
    if not done and empty and graph.outputs == graph.inputs[1:]:
        return empty
    names = ", ".join([op.name for op in done[:3]])
    if len(done) != 1 or done[0].name not in _NAMES:
        raise Decline(f"a body of {len(done)} operators ({names}): what it computes is no reduction of TOSA's")
    if {*done[0].inputs} != {*graph.inputs} or len(graph.inputs) != 2 or graph.outputs != list(done[0].results):
        raise Decline(f"{names} isn't between the two elements")
    return _NAMES[done[0].name]


def identity(combine: str, dtype: DType) -> float:
    """What leaves the other element as it is."""
    if combine in ("max", "min"):
        limits = np.iinfo(np.int32) if dtype is DType.I32 else None
        low, high = (-np.inf, np.inf) if limits is None else (limits.min, limits.max)
        return low if combine == "max" else high
    return float(combine in ("mul", "all"))


def reduced(combine: str, x: Expr, axis: int) -> Expr:
    """One axis, which stays with size 1; products of integers by halves, as TOSA has REDUCE_PRODUCT for floats."""
    row, size = REDUCERS[combine].row, x.shape[axis]
    if combine != "mul" or x.dtype is not DType.I32:
        return operators.reduce(row, x, axis, **{"nan_mode": "PROPAGATE"} if combine in ("max", "min") else {})
    while size > 1:
        half, rest = divmod(size, 2)
        parts = [along(x, axis, Step(size, at, at + n)) for at, n in ((0, half), (half, half), (2 * half, rest)) if n]
        x = concat([parts[0] * parts[1], *parts[2:]], axis)
        size = half + rest
    return x


def _with_start(match: Match, combine: str, start: Expr, x: Expr) -> Expr:
    known = start.constant
    if known is not None and known.reshape(-1)[0] == identity(combine, x.dtype):
        return held_in_32_bits(match, x)
    start = start.reshape((1,) * x.rank)
    return held_in_32_bits(match, REDUCERS[combine].join(x, start))


def reduce(match: Match) -> Expr:
    """REDUCE of one operand from a start value on."""
    if len(match.op.inputs) != 2:
        raise Decline(f"{len(match.op.inputs) // 2} operands at once")
    x, start, combine = match[0], match[1], body(match)
    axes = {*match.attributes(tflite.StablehloReduceOptions).dimensions}
    shape = x.shape
    if not all(0 <= axis < len(shape) for axis in axes) or start.size != 1:
        raise Decline(f"axes {sorted(axes)} of {x.type} from {start.type} on")
    _check_kind(combine, x)
    for axis in sorted(axes):
        x = reduced(combine, x, axis)
    y = _with_start(match, combine, start, x)
    return y.reshape([size for axis, size in enumerate(shape) if axis not in axes])


def _check_kind(combine: str, x: Expr) -> None:
    if (combine in ("all", "any")) != (x.dtype is DType.BOOL):
        raise Decline(f"{combine} of {x.dtype.value}")


class _Window(NamedTuple):
    size: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]


def stablehlo_reduce_window(match: Match) -> Expr:
    """REDUCE_WINDOW: padded and spread with the start value, which counts once more (PadCropReduceWindow)."""
    x, options = match["input"], match.attributes(tflite.StablehloReduceWindowOptions)
    rank = x.rank
    ones = (1,) * rank
    window = _Window(options.window_dimensions, options.window_strides or ones, options.window_dilations or ones)
    gaps, padding = options.base_dilations or ones, options.padding or (0,) * 2 * rank
    if len(gaps) != rank or len(padding) != 2 * rank or min(gaps, default=1) < 1:
        raise Decline(f"paddings {list(padding)} and dilations {list(gaps)} of {x.type}")
    if any(padding) or max(gaps, default=1) > 1:
        around = padding[::2], padding[1::2], [gap - 1 for gap in gaps]
        x = padded_with(x, match["init_value"], *around)
    return _windows(match, body(match), x, window)


def reduce_window(match: Match) -> Expr:
    """TFLite's REDUCE_WINDOW: no padding, and the function as an option."""
    function = match.attributes(tflite.ReduceWindowOptions).reduce_function
    if function == ReduceWindowFunction.UNSUPPORTED:
        raise Decline("no function is named")
    combine = {ReduceWindowFunction.MINIMUM: "min", ReduceWindowFunction.MAXIMUM: "max"}.get(
        function, function.name.lower()
    )
    return _windows(match, combine, match["input"], _Window(*(constant_ints(match, key) for key in (2, 3, 4))))


def _windows(match: Match, combine: str, x: Expr, window: _Window) -> Expr:
    """Axis by axis: the elements at one place of all windows are a slice."""
    if {*map(len, window)} != {x.rank} or min(map(min, window), default=0) < 1:
        raise Decline(f"windows {window} on {x.type}")
    _check_kind(combine, x)
    if match["init_value"].size != 1:
        raise Decline(f"a start value of {match['init_value'].type}")
    for axis, (size, stride, dilation) in enumerate(zip(*window, strict=True)):
        x = _along(combine, x, axis, (size, stride, dilation))
    return _with_start(match, combine, match["init_value"], x)


def _along(combine: str, x: Expr, axis: int, window: tuple[int, int, int]) -> Expr:
    size, stride, dilation = window
    have = x.shape[axis]
    span = (size - 1) * dilation + 1
    if span > have:
        raise Decline(f"a window of {span} on {have} elements: the result is empty, which no tensor of TOSA is")
    if size == have:
        return reduced(combine, x, axis) if size > 1 else x
    reach = (have - span) // stride * stride + 1
    places = range(0, span, dilation)
    parts = [along(x, axis, Step(have, at, at + reach, stride)) for at in places]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [REDUCERS[combine].join(a, b) for a, b in pairs] + parts[len(parts) // 2 * 2 :]
    return parts[0]


REDUCED = f"{NUMBERS} bool"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.stablehlo_reduce", REDUCED, reduce),
    Rewrite("tfl.stablehlo_reduce_window", REDUCED, stablehlo_reduce_window),
    Rewrite("tfl.reduce_window", REDUCED, reduce_window),
)
