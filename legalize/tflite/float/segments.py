"""Running sums along an axis and reductions of segments, of floats and integers."""

import numpy as np

from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.constant_operands import constant_int, held_in_32_bits, result_size
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.ops import reduce
from tosa_converter.legalize.ops.reduce import Reduction
from tosa_converter.rewriting.bounds import bound_of
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tflite


def cumsum(match: Match) -> Expr:
    """Lowers CUMSUM: running sums along an axis, optionally exclusive or from the end.

    64-bit sums are computed in 32 bits, with a note.
    """
    x = match["input"]
    axis = normalized_axis(constant_int(match, "axis"), x.rank)
    options = match.attributes(tflite.CumsumOptions)
    sums = reduce.cumulative_sum(x, axis, exclusive=options.exclusive, reverse=options.reverse)
    return held_in_32_bits(match, sums)


def segment_sum(match: Match) -> Expr:
    """Lowers SEGMENT_SUM: adds the rows of equal ids, which rise from 0 by steps of 0 or 1.

    For run-time ids, the user must state how many segments there are at most.

    Raises:
        Decline: the ids aren't constant, and no bound is stated.
    """
    ids = match["segment_ids"].constant
    if ids is None:
        return _reduce_segments(match, reduce.FP32_SUM, bound_of(match, "the number of segments"))
    if not ids.size or ids[0] != 0 or not np.isin(np.diff(ids), (0, 1)).all():
        raise Decline(f"expected segment ids that begin with 0 and grow by 0 or 1, found {ids.tolist()[:8]}")
    return _reduce_segments(match, reduce.FP32_SUM, int(ids[-1]) + 1)


def _lower_unsorted_segments(reduction: Reduction) -> Build:
    """Returns the lowering of an UNSORTED_SEGMENT operator by `reduction`, such as a sum.

    It combines the rows of each segment id; the ids are in any order, and num_segments is the number of result rows.
    """

    def build(match: Match) -> Expr:
        """Reduces the rows of each segment id, by the closure's `reduction`, to one row of the result."""
        rank = match["input"].rank - match["segment_ids"].rank + 1
        count = result_size(match, "num_segments", rank, axis=0)
        return _reduce_segments(match, reduction, count)

    return build


def _reduce_segments(match: Match, reduction: Reduction, count: int) -> Expr:
    """Returns the reduction of the rows of each id in [0, count), after checking that the ids fit the operand.

    Ids that only a run knows aren't compared with `count`.
    """
    x, ids = match["input"], match["segment_ids"]
    if ids.shape != x.shape[: ids.rank] or count < 1 or not x.size:
        raise Decline(f"expected a segment id for each row of {x.type}, found {ids.type} for {count} segments")
    if ids.constant is not None and ids.constant.size and ids.constant.max() >= count:
        raise Decline(f"expected segments below {count}, found {ids.constant.max()}")
    return reduce.reduce_segments(x, ids, count, reduction)


TYPES = f"{FLOATS} i32"
RULES: tuple[Rule, ...] = (
    Rule("tfl.cumsum", f"{TYPES} i64", cumsum, (no_narrow_integers,)),
    Rule("tfl.segment_sum", TYPES, segment_sum, (no_narrow_integers,)),
    Rule("tfl.unsorted_segment_sum", TYPES, _lower_unsorted_segments(reduce.FP32_SUM), (no_narrow_integers,)),
    Rule("tfl.unsorted_segment_prod", TYPES, _lower_unsorted_segments(reduce.PRODUCT), (no_narrow_integers,)),
    Rule("tfl.unsorted_segment_max", TYPES, _lower_unsorted_segments(reduce.FINITE_MAXIMUM), (no_narrow_integers,)),
    Rule("tfl.unsorted_segment_min", TYPES, _lower_unsorted_segments(reduce.FINITE_MINIMUM), (no_narrow_integers,)),
)
