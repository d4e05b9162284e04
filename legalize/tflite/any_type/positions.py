"""Places of elements: ARG_MAX, ARG_MIN, WHERE, UNIQUE."""

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.legalize.checks import FLOATS
from tosa_converter.legalize.constant_operands import constant_int, held_in_32_bits
from tosa_converter.legalize.limits import narrowed, normalized_axis
from tosa_converter.legalize.ops import compact
from tosa_converter.legalize.ops.order import first_extreme
from tosa_converter.rewriting.bounds import bound_of
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule


def arg_max(match: Match) -> Expr:
    """Lowers ARG_MAX; of equal elements the first counts."""
    return _index_of_extreme(match, smallest=False)


def arg_min(match: Match) -> Expr:
    """Lowers ARG_MIN; of equal elements the first counts."""
    return _index_of_extreme(match, smallest=True)


def _index_of_extreme(match: Match, *, smallest: bool) -> Expr:
    """Returns ARG_MAX or ARG_MIN: the index of the first largest or smallest element along the operator's axis."""
    axis = normalized_axis(constant_int(match, "dim"), match["input"].rank)
    unsigned = match.source("input").type.dtype is DType.UI8
    return held_in_32_bits(match, first_extreme(match["input"], axis, smallest=smallest, unsigned=unsigned))


def where(match: Match) -> Expr:
    """Lowers WHERE: returns the coordinates of the elements that aren't 0.

    If the condition isn't constant, the user must state how many there are at most: the result needs a fixed shape.

    Raises:
        Decline: the condition isn't constant, and no bound is stated.
    """
    # The condition may be constant in the source, or once its operators are converted.
    condition = match.source("condition").constant
    condition = match["condition"].constant if condition is None else condition
    if condition is not None:
        return const(np.argwhere(condition), DType.I32)
    rows, x = bound_of(match, "the number of true elements"), match["condition"]
    if not x.rank:
        raise Decline(f"expected a condition of rank 1 or more, found {x.type}")
    return held_in_32_bits(match, compact.nonzero(x, rows))


def unique(match: Match) -> list[Expr]:
    """Lowers UNIQUE: returns the distinct elements in order of appearance, and for each element its index among them.

    Raises:
        Decline: the elements aren't constant, and no bound is stated.
    """
    if match["input"].constant is not None:
        return _unique_constant(match)
    values, inverse = compact.unique(match["input"], bound_of(match, "the number of different elements"))
    return [held_in_32_bits(match, values), inverse]


def _unique_constant(match: Match) -> list[Expr]:
    """Returns UNIQUE of a constant: the distinct elements in order of appearance, and each element's index in them."""
    elements = match.constant("input").reshape(-1)
    if elements.dtype.kind == "f" and np.isnan(elements).any():
        raise Decline("expected elements without NaN, found NaN: LiteRT takes it as equal to any element")
    # numpy sorts the values. For [7, 5, 7] they are [5, 7], first seen at [1, 0], with the numbers [1, 0, 1]. In order
    # of appearance the values are [7, 5], and the numbers [0, 1, 0].
    values, first, inverse = np.unique(elements, return_index=True, return_inverse=True)
    order = np.argsort(first)
    numbers = np.argsort(order)[inverse]
    source_dtype = match.source("input").type.dtype
    dtype = SIGNLESS.get(source_dtype, source_dtype)
    ordered = values[order]
    stored = narrowed(ordered) if source_dtype is DType.I64 else ordered.view(dtype.numpy)
    return [const(stored, dtype), const(numbers, DType.I32)]


TYPES = f"{FLOATS} i32 i8 ui8 bool"
RULES: tuple[Rule, ...] = (
    Rule("tfl.arg_max", TYPES, arg_max),
    Rule("tfl.arg_min", TYPES, arg_min),
    Rule("tfl.unique", "fp32 ui8 i8 i16 i32 i64", unique),
    Rule("tfl.where", "bool fp32 i32 i64 i8 ui8 ui32", where),
)
