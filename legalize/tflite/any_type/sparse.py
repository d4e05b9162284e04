"""Sparse weights: made dense once, at conversion."""

from tosa_converter.dtypes import DType
from tosa_converter.formats.elements import unpack_parts
from tosa_converter.formats.tflite.reader import PARTS
from tosa_converter.formats.tflite.sparse import densify as dense_array
from tosa_converter.ir import Value
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite


def sparse_constant(match: Match) -> Value:
    """A constant with sparsity metadata."""
    type = match.op.result.type
    raw = match.op.attributes["values"]
    if type.dtype not in PARTS and raw.size % type.dtype.numpy.itemsize:
        raise Decline(f"{raw.size} bytes of {type.dtype.value} elements")
    stored = unpack_parts(raw, raw.size * 8 // type.dtype.bits, type.dtype) if type.dtype in PARTS else raw
    dense = dense_array(stored.view(type.dtype.numpy), type.static, match.op.attributes["sparsity"], match.op.location)
    dtype = DType.I8 if type.dtype in PARTS else SIGNLESS.get(type.dtype, type.dtype)
    return match.builder.const(dense.view(dtype.numpy), dtype)


def densify(match: Match) -> Value:
    """DENSIFY: its operand is dense by now."""
    return match["input"]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.pseudo_sparse_const", "", sparse_constant),
    Rewrite("tfl.densify", "fp32 fp16 i8", densify),
)
