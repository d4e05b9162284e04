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
    """How SORT orders: by which operand, and whether its smallest element comes first."""

    key: int
    ascending: bool


def sort(match: Match) -> list[Expr]:
    """Lowers StableHLO's SORT along one dimension; equal elements keep their order, NaN counts as the last infinity."""
    order = _comparator_order(match)
    operands = [_sorted_operand(match, i) for i in range(len(match.op.inputs))]
    shape = operands[0].shape
    if any(x.shape != shape for x in operands) or 0 in shape:
        raise Decline("expected operands of one shape with elements, found different shapes or no elements")
    axis = normalized_axis(match.attributes(StablehloSortOptions).dimension, len(shape))
    unsigned = match.source(order.key).type.dtype.value.startswith("ui")
    return sort_together(
        operands, order.key, axis, ascending=order.ascending, unsigned=unsigned, unrolled=match.options.flatten
    )


def _sorted_operand(match: Match, index: int) -> Expr:
    """Returns operand `index` of SORT, if TOSA can move elements of its type.

    Raises:
        Decline: it is of another type, or its result is of another type than the operand.
    """
    source = match.source(index).type.dtype
    if source.value not in f"{STORED} {MOVED}".split():  # lists of types, separated by spaces
        raise Decline(f"expected operand {index} to be of a type that TOSA can move, found {source.value}")
    result = match.op.results[index].type.dtype if index < len(match.op.results) else source
    if SIGNLESS.get(result, result) is not SIGNLESS.get(source, source):
        raise Decline(f"expected result {index} to be of {source.value}, found {result.value}")
    return match[index]


def _comparator_order(match: Match) -> Order:
    """Returns by which operand SORT's comparator sorts, and whether ascending.

    Raises:
        Decline: the comparator isn't one strict comparison of two elements of one operand.
    """
    (graph,) = match.op.regions or (None,)
    if graph is None:
        raise Decline("expected a comparator, found no graph for it in the file")
    operators = [op for op in graph.ops if op.name not in CONSTANTS]
    is_comparison = len(operators) == 1 and graph.outputs == list(operators[0].results)
    if not is_comparison or len(graph.inputs) != 2 * len(match.op.inputs):
        names = ", ".join(op.name for op in operators[:3])
        raise Decline(
            f"expected a comparator of one comparison of its arguments, found {len(operators)} operators ({names})"
        )
    comparison = operators[0]
    direction = comparison.attributes.get("comparison_direction", comparison.name)
    if direction not in (*ASCENDING, *DESCENDING):
        raise Decline(f"expected the comparison LESS or GREATER, found {getattr(direction, 'name', direction)}")
    _require_plain_order(comparison)
    if not {*comparison.operands} <= {*graph.inputs}:
        raise Decline("expected a comparison of the comparator's arguments, found other operands")
    # Arguments 2 * i and 2 * i + 1 are elements of operand i, the earlier one first. LESS of arguments 2 and 3 sorts by
    # operand 1 ascending; LESS of 3 and 2, or GREATER of 2 and 3, descending.
    first, second = (graph.inputs.index(value) for value in comparison.operands)
    if first ^ 1 != second:
        raise Decline(f"expected a comparison of two elements of one operand, found arguments {first} and {second}")
    return Order(first // 2, (direction in ASCENDING) == (first < second))


def _require_plain_order(comparison: Op) -> None:
    """Declines a total order of floats, which distinguishes zeros and NaN by their sign bits."""
    comparison_type = comparison.attributes.get("compare_type")
    total_order = ComparisonType.STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER
    if comparison_type is total_order and comparison.operands[0].type.dtype.is_float:
        raise Decline(
            "expected a partial order of floats, found a total order: TOSA can't read the sign bits of zeros and NaN"
        )


RULES: tuple[Rule, ...] = (Rule("tfl.stablehlo_sort", STORED, sort),)
