"""The largest elements: TOPK_V2."""

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.legalize.constant_operands import result_size
from tosa_converter.legalize.ops.order import top_k
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule


def topk(match: Match) -> list[Expr]:
    """Lowers TOPK_V2: returns the k largest elements along the last dimension, and their indices."""
    count = result_size(match, "k", match["input"].rank, -1)
    unsigned = match.source("input").type.dtype is DType.UI8
    values, indices = top_k(match["input"], count, unsigned=unsigned, unrolled=match.options.flatten)
    dtype = match.op.results[1].type.dtype
    return [values, indices.cast(SIGNLESS.get(dtype, dtype))]


RULES: tuple[Rule, ...] = (Rule("tfl.topk_v2", "fp32 ui8 i8 i16 i32 i64", topk),)
