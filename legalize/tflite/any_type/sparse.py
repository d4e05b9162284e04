"""Sparse weights, made dense at conversion."""

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.sparse import densify as dense_array
from tosa_converter.formats.tflite.sparse import stored_elements
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match, narrow_constant
from tosa_converter.rewriting.rule import Result, Rule
from tosa_converter.schemas.opsets import SPARSE_CONSTANT


def sparse_constant(match: Match) -> Result:
    """Lowers a sparse constant to a dense one, by its sparsity metadata; elements of 2 and 4 bits become i8."""
    type, location = match.op.result.type, match.op.location
    stored = stored_elements(match.op.attributes["values"], type.dtype)
    is_packed = type.dtype.bits < 8 and type.dtype is not DType.BOOL
    elements_per_byte = 8 // type.dtype.bits if is_packed else 1
    # The last byte of packed elements may hold some that don't belong to the constant.
    dense = dense_array(stored, type.static, match.op.attributes["sparsity"], location, elements_per_byte)
    if is_packed:
        return const(dense, DType.I8)
    return narrow_constant(match.op.result, dense, current())


def densify(match: Match) -> Expr:
    """Lowers DENSIFY to its operand, a sparse constant that was made dense when it was lowered."""
    return match["input"]


RULES: tuple[Rule, ...] = (
    Rule(SPARSE_CONSTANT, "", sparse_constant),
    Rule("tfl.densify", "fp32 fp16 i8", densify),
)
