"""Comparisons with constants that choose: ONE_HOT, MATRIX_DIAG, MATRIX_SET_DIAG, BUCKETIZE."""

import numpy as np

from tosa_converter.legalize.constant_operands import result_size
from tosa_converter.legalize.ops import index, order
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite


def one_hot(match: Match) -> Expr:
    """Lowers ONE_HOT: a new axis of `depth` elements, on_value at the index and off_value elsewhere.

    The axis -1 is the last one of the result.
    """
    indices, on, off = match["indices"], match["on_value"], match["off_value"]
    axis = match.attributes(tflite.OneHotOptions).axis
    axis = indices.rank if axis == -1 else axis
    depth = result_size(match, "depth", indices.rank + 1, axis)
    if not 0 <= axis <= indices.rank or depth < 0 or on.size != 1 or off.size != 1:
        raise Decline(
            f"expected an axis in [-1, {indices.rank}], a depth of at least 0 and single on and off values, "
            f"found axis {axis}, depth {depth}, {on.type} and {off.type}"
        )
    return index.one_hot(indices, depth, axis, on, off)


def matrix_diag(match: Match) -> Expr:
    """Lowers MATRIX_DIAG: makes square matrices of zeros with the operand's vectors on the diagonal."""
    diagonal = match["diagonal"]
    if not diagonal.rank:
        raise Decline("expected a diagonal of rank 1 or more, found a scalar")
    return index.diagonal_matrix(diagonal)


def matrix_set_diag(match: Match) -> Expr:
    """Lowers MATRIX_SET_DIAG: replaces the diagonals of matrices [..., rows, columns]."""
    x, diagonal = match["input"], match["diagonal"]
    *outer, rows, columns = x.shape if x.rank > 1 else (0, 0)
    length = min(rows, columns)
    if not length or diagonal.shape != (*outer, length):
        raise Decline(f"expected a diagonal that fits {x.type}, found {diagonal.type}")
    return index.with_diagonal(x, diagonal)


def bucketize(match: Match) -> Expr:
    """Lowers BUCKETIZE: counts the ascending boundaries that each element reaches (bucketize.cc)."""
    boundaries = np.array(match.attributes(tflite.BucketizeOptions).boundaries, np.float32)
    if not boundaries.size or not (boundaries[1:] >= boundaries[:-1]).all():
        raise Decline("expected ascending boundaries, found none or unsorted ones, which LiteRT refuses")
    return order.count_boundaries(match["input"], boundaries)


RULES: tuple[Rule, ...] = (
    Rule("tfl.one_hot", "fp32 ui8 i8 i32 i64 bool", one_hot, of=("on_value",)),
    Rule("tfl.matrix_diag", "fp32 ui8 i8 i16 i32 i64", matrix_diag),
    Rule("tfl.matrix_set_diag", "fp32 ui8 i8 i16 i32 i64", matrix_set_diag),
    Rule("tfl.bucketize", "fp32 i32 i64", bucketize),
)
