"""BATCH_MATMUL of float rows with int8 columns (EvalHybrid, batch_matmul.cc)."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.matrices import matrices, sides
from tosa_converter.legalize.quant.elements import as_reference
from tosa_converter.legalize.quant.rows import asymmetric, symmetric
from tosa_converter.legalize.quant.weights import compact_or, real, scales, stored
from tosa_converter.legalize.tflite.float import conv as floats
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import matmul, reduce_sum
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition
from tosa_converter.schemas.tflite import BatchMatMulOptions

BATCHES = "each row has its own scale; LiteRT's kernel takes other rows' where several dimensions count batches"


def batch_matmul(match: Match) -> Expr:
    """BATCH_MATMUL -> MATMUL on int8; each row of the left side has a scale of its own."""
    options = match.attributes(BatchMatMulOptions)
    left, right = sides(match, match["x"], stored(match, "y"))
    if sum(n > 1 for n in left.shape[:-2]) > 1:
        match.note(BATCHES)
    quantize = asymmetric if options.asymmetric_quantize_inputs else symmetric
    rows = quantize(left)
    pair = matrices(rows.levels.cast(DType.I8), right)
    sums = matmul(pair.left, pair.right).reshape(pair.shape)
    if rows.zero_point is not None:
        columns = reduce_sum(right.cast(DType.I32), right.rank - 2)
        sums = sums - rows.zero_point.cast(DType.I32) * columns
    scale = rows.scale * const(scales(match, "y"), DType.FP32)
    return sums.cast(DType.FP32) * scale


@condition("scales are those of columns")
def by_column(match: Match) -> str | None:
    """Against scales along another axis, which the kernel doesn't have."""
    axis, columns = match.quant("y").axis, _columns(match)
    return None if axis in (None, columns) else f"{match.source('y').name!r} has scales along axis {axis}"


def _columns(match: Match) -> int:
    return match.source("y").type.rank - (2 if match.attributes(BatchMatMulOptions).adj_y else 1)


def compact(match: Match) -> Expr:
    """The product of floats."""
    return floats.product(*sides(match, match["x"], real(match, "y", _columns(match))))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "tfl.batch_matmul",
        "fp32*i8",
        compact_or(batch_matmul, compact),
        (by_column, as_reference),
        of=("x", "y"),
    ),
)
