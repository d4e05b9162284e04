"""BATCH_MATMUL of float rows with int8 columns (EvalHybrid, batch_matmul.cc)."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.matrices import matrices, sides
from tosa_converter.legalize.tflite.float import conv as floats
from tosa_converter.legalize.tflite.hybrid.rows import asymmetric, symmetric
from tosa_converter.legalize.tflite.hybrid.weights import compact_or, real, scales, stored
from tosa_converter.legalize.tflite.quantized.common import as_reference
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BatchMatMulOptions

BATCHES = "each row has its own scale; LiteRT's kernel takes other rows' where several dimensions count batches"


def batch_matmul(match: Match) -> Value:
    """BATCH_MATMUL -> MATMUL on int8; each row of the left side has a scale of its own."""
    build, options = match.builder, match.attributes(BatchMatMulOptions)
    left, right = sides(match, match["x"], stored(match, "y"))
    if sum(n > 1 for n in left.type.static[:-2]) > 1:
        match.note(BATCHES)
    quantize = asymmetric if options.asymmetric_quantize_inputs else symmetric
    rows = quantize(build, left)
    pair = matrices(build, build.cast(rows.levels, DType.I8), right)
    sums = build.reshape(build.matmul(pair.left, pair.right), pair.shape)
    if rows.zero_point is not None:
        columns = build.reduce(ops.REDUCE_SUM, build.cast(right, DType.I32), right.type.rank - 2)
        sums = build.sub(sums, build.mul(build.cast(rows.zero_point, DType.I32), columns))
    scale = build.mul(rows.scale, build.const(scales(match, "y"), DType.FP32))
    return build.mul(build.cast(sums, DType.FP32), scale)


@condition("scales are those of columns")
def by_column(match: Match) -> str | None:
    """Against scales along another axis, which the kernel doesn't have."""
    axis, columns = match.quant("y").axis, _columns(match)
    return None if axis in (None, columns) else f"{match.source('y').name!r} has scales along axis {axis}"


def _columns(match: Match) -> int:
    return match.source("y").type.rank - (2 if match.attributes(BatchMatMulOptions).adj_y else 1)


def compact(match: Match) -> Value:
    """The product of floats."""
    return floats.product(match, *sides(match, match["x"], real(match, "y", _columns(match))))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "tfl.batch_matmul",
        "fp32*i8",
        compact_or(batch_matmul, compact),
        (by_column, as_reference),
        of=("x", "y"),
    ),
)
