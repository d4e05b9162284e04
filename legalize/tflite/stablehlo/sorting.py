"""SORT of StableHLO, whose order is what a graph of one comparison says."""

from typing import NamedTuple

from tosa_converter.ir import CONSTANTS, Op
from tosa_converter.legalize.checks import MOVED, STORED
from tosa_converter.legalize.indexing import take
from tosa_converter.legalize.operands import normalized_axis
from tosa_converter.legalize.tflite.any_type.ordering import ordered, sorted_places
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas.tflite import StablehloComparisonDirection as Direction
from tosa_converter.schemas.tflite import StablehloComparisonType as Kind
from tosa_converter.schemas.tflite import StablehloSortOptions

RISING = ("tfl.less", Direction.STABLEHLO_COMPARISON_DIRECTION_LT)
FALLING = ("tfl.greater", Direction.STABLEHLO_COMPARISON_DIRECTION_GT)


class Order(NamedTuple):
    """The operand that decides, and whether its smallest element comes first."""

    key: int
    rising: bool


def sort(match: Match) -> list[Expr]:
    """SORT along one dimension; equal elements stay in order.

    NaN, which no comparison orders, comes last.
    """
    order = _order(match)
    operands = [_operand(match, i) for i in range(len(match.op.inputs))]
    shape = operands[0].shape
    if any(x.shape != shape for x in operands) or 0 in shape:
        raise Decline("operands of different shapes, or without elements")
    axis = normalized_axis(match.attributes(StablehloSortOptions).dimension, len(shape))
    perm = [*(i for i in range(len(shape)) if i != axis), axis]
    rows = [_rows(x, perm) for x in operands]
    dtype = match.source(order.key).type.dtype
    keys = ordered(rows[order.key], unsigned=dtype.value.startswith("ui"), rising=order.rising)
    places = sorted_places(match, keys)
    found = [take(x.reshape((*x.shape, 1)), places) for x in rows]
    moved = [x.reshape([shape[i] for i in perm]) for x in found]
    return [x.transpose([perm.index(i) for i in range(len(shape))]) for x in moved]


def _operand(match: Match, index: int) -> Expr:
    source = match.source(index).type.dtype
    if source.value not in f"{STORED} {MOVED}".split():
        raise Decline(f"operand {index} is of type {source.value}")
    made = match.op.results[index].type.dtype if index < len(match.op.results) else source
    if SIGNLESS.get(made, made) is not SIGNLESS.get(source, source):
        raise Decline(f"result {index} is of type {made.value}, not {source.value}")
    return match[index]


def _rows(x: Expr, perm: list[int]) -> Expr:
    turned = x.transpose(perm)
    size = turned.shape[-1]
    return turned.reshape((x.size // size, size))


def _order(match: Match) -> Order:
    """What the comparator says, whose arguments are two elements of each operand in turn.

    Raises:
        Decline: it isn't one strict comparison of two elements of one operand.
    """
    (graph,) = match.op.regions or (None,)
    if graph is None:
        raise Decline("the file has one graph, and no comparator")
    done = [op for op in graph.ops if op.name not in CONSTANTS]
    if len(done) != 1 or graph.outputs != list(done[0].results) or len(graph.inputs) != 2 * len(match.op.inputs):
        names = ", ".join(op.name for op in done[:3])
        raise Decline(f"a comparator of {len(done)} operators ({names}), not one comparison of its arguments")
    direction = done[0].attributes.get("comparison_direction", done[0].name)
    if direction not in (*RISING, *FALLING):
        raise Decline(f"a comparator that is no strict order: {getattr(direction, 'name', direction)}")
    _check_kind(done[0])
    if not {*done[0].operands} <= {*graph.inputs}:
        raise Decline("a comparator of something else than its arguments")
    first, second = (graph.inputs.index(value) for value in done[0].operands)
    if first ^ 1 != second:
        raise Decline(f"a comparator of its arguments {first} and {second}, which aren't two elements of one operand")
    return Order(first // 2, (direction in RISING) == (first < second))


def _check_kind(op: Op) -> None:
    kind = op.attributes.get("compare_type")
    if kind is Kind.STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER and op.operands[0].type.dtype.is_float:
        raise Decline(
            "a total order of floats, which goes by the sign bits of zeros and NaN: nothing in TOSA reads them"
        )


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.stablehlo_sort", STORED, sort),)
