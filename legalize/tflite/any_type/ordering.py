"""The largest elements: TOPK_V2."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.constant_operands import result_size
from tosa_converter.legalize.ops.order import top_k
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import SIGNLESS, Match, Rewrite


def topk(match: Match) -> list[Expr]:
    """Builds TOPK_V2 along the last dimension."""
    count = result_size(match, "k", match["input"].rank, -1)
    unsigned = match.source("input").type.dtype is DType.UI8
    values, places = top_k(match["input"], count, unsigned=unsigned, unrolled=match.options.flatten)
    dtype = match.op.results[1].type.dtype
    return [values, places.cast(SIGNLESS.get(dtype, dtype))]


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.topk_v2", "fp32 ui8 i8 i16 i32 i64", topk),)
