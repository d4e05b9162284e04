"""What compares with constants and chooses: ONE_HOT, MATRIX_DIAG, MATRIX_SET_DIAG, BUCKETIZE."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.operands import affordable, size_along
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.operators import reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite


def one_hot(match: Match) -> Expr:
    """ONE_HOT: EQUAL of the indices and the places along a new dimension, then SELECT."""
    indices = match["indices"]
    shape, axis = indices.shape, match.attributes(tflite.OneHotOptions).axis
    axis = len(shape) if axis == -1 else axis
    depth = size_along(match, "depth", len(shape) + 1, axis)
    values = match["on_value"], match["off_value"]
    if not 0 <= axis <= len(shape) or depth < 0 or any(value.size != 1 for value in values):
        raise Decline(f"a depth of {depth} along axis {axis} of indices {indices.type}")
    places = const(np.arange(*affordable([depth])).reshape(-1, *(1,) * (len(shape) - axis)), DType.I32)
    column = indices.reshape((*shape[:axis], 1, *shape[axis:]))
    on, off = (value.reshape(()) for value in values)
    return where(column == places, on, off)


def matrix_diag(match: Match) -> Expr:
    """MATRIX_DIAG: the last dimension on the diagonal of matrices of zeros."""
    x = match["diagonal"]
    if not x.rank:
        raise Decline("a diagonal without dimensions")
    size = x.shape[-1]
    column = x.reshape((*x.shape, 1))
    return where(_diagonal(size, size), column, 0)


def matrix_set_diag(match: Match) -> Expr:
    """MATRIX_SET_DIAG: along the shorter side of the matrices the diagonal's elements lie in order."""
    x, diagonal = match["input"], match["diagonal"]
    *outer, rows, columns = x.shape if x.rank > 1 else (0, 0)
    least = min(rows, columns)
    if not least or diagonal.type.shape != (*outer, least):
        raise Decline(f"a diagonal {diagonal.type} for {x.type}")
    spread = diagonal.reshape((*outer, *((rows, 1) if rows == least else (1, columns))))
    return where(_diagonal(rows, columns), spread, x)


def _diagonal(rows: int, columns: int) -> Expr:
    affordable((rows, columns))
    return const(np.eye(rows, columns, dtype=bool), DType.BOOL)


def bucketize(match: Match) -> Expr:
    """BUCKETIZE: how many boundaries are not above the element; integers compare as float32, NaN is above all.

    upper_bound of bucketize.cc: the boundaries ascend.
    """
    x = match["input"]
    bounds = np.array(match.attributes(tflite.BucketizeOptions).boundaries, np.float32)
    if not bounds.size or not (bounds[1:] >= bounds[:-1]).all():
        raise Decline("no boundaries, or ones that don't ascend, which LiteRT refuses")
    column = x.cast(DType.FP32).reshape((x.size, 1))
    above = const(bounds.reshape(1, -1), DType.FP32) > column
    counts = where(above, *(const([[value]], DType.I32) for value in (0, 1)))
    return reduce_sum(counts, 1).reshape(x.shape)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.one_hot", "fp32 ui8 i8 i32 i64 bool", one_hot, of=("on_value",)),
    Rewrite("tfl.matrix_diag", "fp32 ui8 i8 i16 i32 i64", matrix_diag),
    Rewrite("tfl.matrix_set_diag", "fp32 ui8 i8 i16 i32 i64", matrix_set_diag),
    Rewrite("tfl.bucketize", "fp32 i32 i64", bucketize),
)
