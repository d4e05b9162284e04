"""Reductions of StableHLO, whose bodies are graphs of one operator, and TFLite's REDUCE_WINDOW."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.ir import CONSTANTS
from tosa_converter.legalize.checks import NUMBERS
from tosa_converter.legalize.constant_operands import constant_ints, held_in_32_bits
from tosa_converter.legalize.ops import reduce as reductions
from tosa_converter.legalize.ops.layout import pad_with_gaps
from tosa_converter.legalize.ops.reduce import Reduction
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ReduceWindowFunction

# Reductions by the operators that a body may have.
BODIES: dict[str, Reduction] = {
    "tfl.stablehlo_add": reductions.SUM,
    "tfl.add": reductions.SUM,
    "tfl.stablehlo_multiply": reductions.PRODUCT,
    "tfl.mul": reductions.PRODUCT,
    "tfl.stablehlo_maximum": reductions.MAXIMUM,
    "tfl.maximum": reductions.MAXIMUM,
    "tfl.stablehlo_minimum": reductions.MINIMUM,
    "tfl.minimum": reductions.MINIMUM,
    "tfl.stablehlo_and": reductions.ALL,
    "tfl.logical_and": reductions.ALL,
    "tfl.stablehlo_or": reductions.ANY,
    "tfl.logical_or": reductions.ANY,
}
WINDOW_FUNCTIONS: dict[ReduceWindowFunction, Reduction] = {
    ReduceWindowFunction.ADD: reductions.SUM,
    ReduceWindowFunction.MUL: reductions.PRODUCT,
    ReduceWindowFunction.MINIMUM: reductions.MINIMUM,
    ReduceWindowFunction.MAXIMUM: reductions.MAXIMUM,
    ReduceWindowFunction.ALL: reductions.ALL,
    ReduceWindowFunction.ANY: reductions.ANY,
}


def reduction_of_body(match: Match) -> Reduction:
    """Returns the reduction, such as a sum, that the operator's body computes: a graph of one operator.

    Raises:
        Decline: the body isn't one operator of its two arguments, or no reduction.
    """
    (graph,) = match.op.regions or (None,)
    if graph is None:
        raise Decline("expected a reduction with a body, found no graph for it in the file")
    operators = [op for op in graph.ops if op.name not in CONSTANTS]
    names = ", ".join([op.name for op in operators[:3]])
    if len(operators) != 1 or operators[0].name not in BODIES:
        raise Decline(
            f"expected a body of one ADD, MUL, MAXIMUM, MINIMUM, AND or OR, found {len(operators)} operators ({names})"
        )
    op = operators[0]
    if {*op.inputs} != {*graph.inputs} or len(graph.inputs) != 2 or graph.outputs != list(op.results):
        raise Decline(f"expected {names} to combine the two arguments of the body, found other operands or results")
    return BODIES[op.name]


def _combine_with_start(match: Match, reduction: Reduction, start: Expr, x: Expr) -> Expr:
    """Returns the reduced elements x combined with the start value, unless that changes nothing (the identity)."""
    element = start.constant
    if element is not None and element.reshape(-1)[0] == reduction.identity(x.dtype):
        return held_in_32_bits(match, x)
    return held_in_32_bits(match, reduction.combine(x, start.reshape((1,) * x.rank)))


def _require_suitable_type(reduction: Reduction, x: Expr) -> None:
    """Declines reductions by AND and OR of numbers, and other reductions of booleans."""
    if (reduction in (reductions.ALL, reductions.ANY)) != (x.dtype is DType.BOOL):
        raise Decline(f"expected bool elements for AND and OR, numbers for other reductions, found {x.dtype.value}")


def reduce(match: Match) -> Expr:
    """Lowers StableHLO's REDUCE of one operand, combined with a start value."""
    if len(match.op.inputs) != 2:
        raise Decline(f"expected one operand with one start value, found {len(match.op.inputs)} inputs")
    x, start, reduction = match[0], match[1], reduction_of_body(match)
    axes = sorted({*match.attributes(tflite.StablehloReduceOptions).dimensions})
    if not all(0 <= axis < x.rank for axis in axes) or start.size != 1:
        raise Decline(f"expected axes in [0, {x.rank}) and a start value of one element, found {axes} and {start.type}")
    _require_suitable_type(reduction, x)
    reduced = x
    for axis in axes:
        reduced = reduction.along(reduced, axis)
    y = _combine_with_start(match, reduction, start, reduced)
    return y.reshape(reductions.reduced_shape(x.shape, axes, keep=False))


def stablehlo_reduce_window(match: Match) -> Expr:
    """Lowers StableHLO's REDUCE_WINDOW: pads with the start value, which then counts once more.

    So does LiteRT's kernel (PadCropReduceWindow).
    """
    x, options = match["input"], match.attributes(tflite.StablehloReduceWindowOptions)
    ones = (1,) * x.rank
    windows = (options.window_dimensions, options.window_strides or ones, options.window_dilations or ones)
    # An ADD from the start value 5 over [1, 2] padded by one at both ends, in windows of 2, reduces [5, 1, 2, 5] to
    # [6, 3, 7] and adds 5 once more: [11, 8, 12].
    factors, padding = options.base_dilations or ones, options.padding or (0,) * 2 * x.rank
    if len(factors) != x.rank or len(padding) != 2 * x.rank or min(factors, default=1) < 1:
        raise Decline(
            f"expected {2 * x.rank} paddings and {x.rank} base dilations of at least 1, "
            f"found {list(padding)} and {list(factors)}"
        )
    _require_single_start(match)
    x = pad_with_gaps(x, match["init_value"], padding[::2], padding[1::2], [factor - 1 for factor in factors])
    return _reduce_windows(match, reduction_of_body(match), x, windows)


def reduce_window(match: Match) -> Expr:
    """Lowers TFLite's REDUCE_WINDOW, which has no padding and whose function is an option."""
    function = match.attributes(tflite.ReduceWindowOptions).reduce_function
    if function not in WINDOW_FUNCTIONS:
        raise Decline("expected a reduce_function, found none")
    _require_single_start(match)
    windows = tuple(constant_ints(match, key) for key in (2, 3, 4))
    return _reduce_windows(match, WINDOW_FUNCTIONS[function], match["input"], windows)


def _require_single_start(match: Match) -> None:
    """Declines a reduction whose start value has several elements."""
    if match["init_value"].size != 1:
        raise Decline(f"expected a start value of one element, found {match['init_value'].type}")


def _reduce_windows(match: Match, reduction: Reduction, x: Expr, windows: Sequence[Sequence[int]]) -> Expr:
    """Returns the reductions of the windows of x, each combined with the start value.

    `windows` are their sizes, strides and dilations along each axis.
    """
    if {*map(len, windows)} != {x.rank} or any(number < 1 for numbers in windows for number in numbers):
        raise Decline(f"expected {x.rank} window sizes, strides and dilations of at least 1, found {windows}")
    _require_suitable_type(reduction, x)
    sizes, strides, dilations = windows
    y = reductions.reduce_window(x, reduction, sizes, strides, dilations)
    return _combine_with_start(match, reduction, match["init_value"], y)


REDUCED = f"{NUMBERS} bool"
RULES: tuple[Rule, ...] = (
    Rule("tfl.stablehlo_reduce", REDUCED, reduce),
    Rule("tfl.stablehlo_reduce_window", REDUCED, stablehlo_reduce_window),
    Rule("tfl.reduce_window", REDUCED, reduce_window),
)
