"""What compares with constants and chooses: ONE_HOT, MATRIX_DIAG, MATRIX_SET_DIAG, BUCKETIZE."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.operands import affordable, size_along
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops


def one_hot(match: Match) -> Value:
    """ONE_HOT: EQUAL of the indices and the places along a new dimension, then SELECT."""
    indices, builder = match["indices"], match.builder
    shape, axis = indices.type.static, match.attributes(tflite.OneHotOptions).axis
    axis = len(shape) if axis == -1 else axis
    depth = size_along(match, "depth", len(shape) + 1, axis)
    values = match["on_value"], match["off_value"]
    if not 0 <= axis <= len(shape) or depth < 0 or any(value.type.elements != 1 for value in values):
        raise Decline(f"a depth of {depth} along axis {axis} of indices {indices.type}")
    places = builder.const(np.arange(*affordable([depth])).reshape(-1, *(1,) * (len(shape) - axis)), DType.I32)
    column = builder.reshape(indices, (*shape[:axis], 1, *shape[axis:]))
    on, off = (builder.reshape(value, ()) for value in values)
    return builder.select(builder.binary(ops.EQUAL, column, places), on, off)


def matrix_diag(match: Match) -> Value:
    """MATRIX_DIAG: the last dimension on the diagonal of matrices of zeros."""
    x = match["diagonal"]
    if not x.type.rank:
        raise Decline("a diagonal without dimensions")
    size = x.type.static[-1]
    column = match.builder.reshape(x, (*x.type.static, 1))
    return match.builder.select(_diagonal(match.builder, size, size), column, match.builder.scalar(0, column))


def matrix_set_diag(match: Match) -> Value:
    """MATRIX_SET_DIAG: along the shorter side of the matrices the diagonal's elements lie in order."""
    x, diagonal = match["input"], match["diagonal"]
    *outer, rows, columns = x.type.static if x.type.rank > 1 else (0, 0)
    least = min(rows, columns)
    if not least or diagonal.type.shape != (*outer, least):
        raise Decline(f"a diagonal {diagonal.type} for {x.type}")
    spread = match.builder.reshape(diagonal, (*outer, *((rows, 1) if rows == least else (1, columns))))
    return match.builder.select(_diagonal(match.builder, rows, columns), spread, x)


def _diagonal(builder: Builder, rows: int, columns: int) -> Value:
    affordable((rows, columns))
    return builder.const(np.eye(rows, columns, dtype=bool), DType.BOOL)


def bucketize(match: Match) -> Value:
    """BUCKETIZE: how many boundaries are not above the element; integers compare as float32, NaN is above all.

    upper_bound of bucketize.cc: the boundaries ascend.
    """
    x, builder = match["input"], match.builder
    bounds = np.array(match.attributes(tflite.BucketizeOptions).boundaries, np.float32)
    if not bounds.size or not (bounds[1:] >= bounds[:-1]).all():
        raise Decline("no boundaries, or ones that don't ascend, which LiteRT refuses")
    column = builder.reshape(builder.cast(x, DType.FP32), (x.type.elements, 1))
    above = builder.binary(ops.GREATER, builder.const(bounds.reshape(1, -1), DType.FP32), column)
    counts = builder.select(above, *(builder.const([[value]], DType.I32) for value in (0, 1)))
    return builder.reshape(builder.reduce(ops.REDUCE_SUM, counts, 1), x.type.static)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.one_hot", "fp32 ui8 i8 i32 i64 bool", one_hot, of=("on_value",)),
    Rewrite("tfl.matrix_diag", "fp32 ui8 i8 i16 i32 i64", matrix_diag),
    Rewrite("tfl.matrix_set_diag", "fp32 ui8 i8 i16 i32 i64", matrix_set_diag),
    Rewrite("tfl.bucketize", "fp32 i32 i64", bucketize),
)
