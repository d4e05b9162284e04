"""Sparse weights: made dense once, at conversion."""

from tosa_converter.formats.tflite.sparse import densify as dense_array
from tosa_converter.ir import Value
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite


def sparse_constant(match: Match) -> Value:
    """A constant with sparsity metadata."""
    type = match.op.result.type
    if type.dtype.bits % 8:
        raise Decline(f"a sparse constant of type {type.dtype.value}")
    stored = match.op.attributes["values"]
    if stored.size % type.dtype.numpy.itemsize:
        raise Decline(f"{stored.size} bytes of {type.dtype.value} elements")
    dense = dense_array(stored.view(type.dtype.numpy), type.static, match.op.attributes["sparsity"], match.op.location)
    dtype = SIGNLESS.get(type.dtype, type.dtype)
    return match.builder.const(dense.view(dtype.numpy), dtype)


def densify(match: Match) -> Value:
    """DENSIFY: its operand is dense by now."""
    return match["input"]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.pseudo_sparse_const", "", sparse_constant),
    Rewrite("tfl.densify", "fp32 fp16 i8", densify),
)
