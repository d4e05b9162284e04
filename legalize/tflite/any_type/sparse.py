"""Sparse weights: made dense once, at conversion."""

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.sparse import densify as dense_array
from tosa_converter.formats.tflite.sparse import stored_elements
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.rewrite import Match, Rewrite, narrowed_constant


def sparse_constant(match: Match) -> Expr:
    """A constant with sparsity metadata."""
    type, place = match.op.result.type, match.op.location
    stored = stored_elements(match.op.attributes["values"], type.dtype)
    part = type.dtype.bits < 8 and type.dtype is not DType.BOOL
    spare = 8 // type.dtype.bits if part else 1
    dense = dense_array(stored, type.static, match.op.attributes["sparsity"], place, spare)
    if part:
        return const(dense, DType.I8)
    return Expr(narrowed_constant(match.op.result, dense, current()))


def densify(match: Match) -> Expr:
    """DENSIFY: its operand is dense by now."""
    return match["input"]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.pseudo_sparse_const", "", sparse_constant),
    Rewrite("tfl.densify", "fp32 fp16 i8", densify),
)
