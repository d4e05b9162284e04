"""SORT of StableHLO, whose order is what a graph of one comparison says."""

from typing import NamedTuple

from tosa_converter.dtypes import SIGNLESS
from tosa_converter.ir import CONSTANTS, Op
from tosa_converter.legalize.checks import MOVED, STORED
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.ops.order import sort_together
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import StablehloComparisonDirection as Direction
from tosa_converter.schemas.tflite import StablehloComparisonType as ComparisonType
from tosa_converter.schemas.tflite import StablehloSortOptions

ASCENDING = ("tfl.less", Direction.STABLEHLO_COMPARISON_DIRECTION_LT)
DESCENDING = ("tfl.greater", Direction.STABLEHLO_COMPARISON_DIRECTION_GT)


class Order(NamedTuple):
    """The operand that decides, and whether its smallest element comes first."""

    key: int
    ascending: bool


def sort(match: Match) -> list[Expr]:
    """Builds SORT along one dimension; equal elements stay in order, and NaN counts as the last infinity."""
    order = _order(match)
    operands = [_operand(match, i) for i in range(len(match.op.inputs))]
    shape = operands[0].shape
    if any(x.shape != shape for x in operands) or 0 in shape:
        raise Decline("operands of different shapes, or without elements")
    axis = normalized_axis(match.attributes(StablehloSortOptions).dimension, len(shape))
    unsigned = match.source(order.key).type.dtype.value.startswith("ui")
    return sort_together(
        operands, order.key, axis, ascending=order.ascending, unsigned=unsigned, unrolled=match.options.flatten
    )


def _operand(match: Match, index: int) -> Expr:
    source = match.source(index).type.dtype
    if source.value not in f"{STORED} {MOVED}".split():
        raise Decline(f"operand {index} is of type {source.value}")
    result = match.op.results[index].type.dtype if index < len(match.op.results) else source
    if SIGNLESS.get(result, result) is not SIGNLESS.get(source, source):
        raise Decline(f"result {index} is of type {result.value}, not {source.value}")
    return match[index]


def _order(match: Match) -> Order:
    """Returns the order of the comparator, whose arguments are two elements of each operand in turn.

    Raises:
        Decline: the comparator isn't one strict comparison of two elements of one operand.
    """
    (graph,) = match.op.regions or (None,)
    if graph is None:
        raise Decline("the file has one graph, and no comparator")
    operators = [op for op in graph.ops if op.name not in CONSTANTS]
    is_comparison = len(operators) == 1 and graph.outputs == list(operators[0].results)
    if not is_comparison or len(graph.inputs) != 2 * len(match.op.inputs):
        names = ", ".join(op.name for op in operators[:3])
        raise Decline(f"a comparator of {len(operators)} operators ({names}), not one comparison of its arguments")
    comparison = operators[0]
    direction = comparison.attributes.get("comparison_direction", comparison.name)
    if direction not in (*ASCENDING, *DESCENDING):
        raise Decline(f"a comparator that is no strict order: {getattr(direction, 'name', direction)}")
    _require_plain_order(comparison)
    if not {*comparison.operands} <= {*graph.inputs}:
        raise Decline("a comparator of something else than its arguments")
    first, second = (graph.inputs.index(value) for value in comparison.operands)
    if first ^ 1 != second:
        raise Decline(f"a comparator of its arguments {first} and {second}, which aren't two elements of one operand")
    return Order(first // 2, (direction in ASCENDING) == (first < second))


def _require_plain_order(comparison: Op) -> None:
    comparison_type = comparison.attributes.get("compare_type")
    total_order = ComparisonType.STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER
    if comparison_type is total_order and comparison.operands[0].type.dtype.is_float:
        raise Decline(
            "a total order of floats, which goes by the sign bits of zeros and NaN: nothing in TOSA reads them"
        )


RULES: tuple[Rule, ...] = (Rule("tfl.stablehlo_sort", STORED, sort),)
