"""FullyConnected and BatchMatrixMultiply of every type, attention and softmax of floats."""

from functools import partial

from tosa_converter.legalize.ops import softmax as softmaxes
from tosa_converter.legalize.ops.matrix import batched_product, dense, float_product, swap_last_axes
from tosa_converter.legalize.quant.elements import eight_bit
from tosa_converter.legalize.quant.scheme import OperandKeys, Scheme, TypedScheme, scheme_rules
from tosa_converter.legalize.xnnpack.checks import (
    FLOATS,
    require_broadcast,
    require_product,
    require_rank,
)
from tosa_converter.legalize.xnnpack.dynamic import XNNPACK_DYNAMIC, blockwise_layer, from_rows
from tosa_converter.legalize.xnnpack.schemes import PAIRS, XNNPACK_8, XNNPACK_FLOAT
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas import xnnpack

LAYER = OperandKeys("input1")


def fully_connected(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's FullyConnected, x @ weight.T + bias, by the arithmetic of `scheme`, for x of any rank.

    Weights with a scale for each block of inputs, which only a run-time quantized input has, take `blockwise_layer`.
    """
    quant = match.source("filter").type.quant
    if scheme is XNNPACK_DYNAMIC and quant is not None and quant.block:
        y = blockwise_layer(match, LAYER)
    else:
        plan = scheme.layer(match, LAYER)
        y = plan.convert_sums(dense(plan.operands))
    return y.reshape((*match.type("input1").static[:-1], y.shape[-1]))


def batch_matrix_multiply(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's BatchMatrixMultiply by the arithmetic of `scheme`; the batches broadcast."""
    plan = scheme.product(match, partial(_oriented_matrices, match))
    return plan.convert_sums(
        batched_product(plan.left, plan.right, left_zp=plan.left_zp, right_zp=plan.right_zp, dtype=plan.dtype)
    )


def _oriented_matrices(match: Match, left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Returns BatchMatrixMultiply's operands as [..., rows, depth] and [..., depth, columns].

    The node's flags say which operands to transpose.
    """
    flags = match.op.attributes["flags"]
    for x in (left, right):
        match.require(x.rank >= 2, f"expected a matrix, found {x.type}")
    left = swap_last_axes(left) if flags & xnnpack.FLAG_TRANSPOSE_A else left
    right = swap_last_axes(right) if flags & xnnpack.FLAG_TRANSPOSE_B else right
    require_product(left, right)
    return left, right


@condition("the right side is one matrix, which no flag turns")
def _one_matrix(match: Match) -> str | None:
    """Returns the reason to decline weights that are transposed or several matrices; None for a single matrix.

    XNNPACK would read a scale for each column of each matrix.
    """
    left, right, flags = match.type("input1"), match.type("input2"), match.op.attributes["flags"]
    batches = (1,) * (left.rank - 2)
    if flags or left.rank < 2 or right.shape[:-1] != (*batches, left.shape[-1]):
        return f"expected {left} by one matrix without flags, found {right} with flags {flags}"
    return None


def softmax(match: Match) -> Expr:
    """Lowers XNNPACK's Softmax: exp(x) / sum(exp(x)) along the last axis."""
    match.require(match["input"].rank, "expected a tensor with dimensions, found one without dimensions")
    return softmaxes.softmax(match["input"])


def scaled_dot_product_attention(match: Match) -> Expr:
    """Lowers XNNPACK's ScaledDotProductAttention: softmax((query * scale) @ key^T + mask) @ value for each head."""
    query, key, value, scale, mask = (match[name] for name in ("query", "key", "value", "scale", "mask"))
    for x in (query, key, value):
        require_rank(x.type, 4)
    require_broadcast(query, scale)
    scores = _matrix_product(query * scale, swap_last_axes(key))
    require_broadcast(scores, mask)
    return _matrix_product(softmaxes.softmax(scores + mask), value)


def _matrix_product(left: Expr, right: Expr) -> Expr:
    """Returns the matrix product of two matrices, or of batches; declines shapes that don't fit."""
    require_product(left, right)
    return float_product(left, right)


RULES: tuple[Rule, ...] = (
    *scheme_rules(
        "xnn.fully_connected",
        fully_connected,
        ("input1", "filter"),
        float=TypedScheme(XNNPACK_FLOAT, PAIRS),
        dynamic=TypedScheme(XNNPACK_DYNAMIC, "i8*i8 i8*i4", (from_rows,)),
        int8=TypedScheme(XNNPACK_8, "i8*i8 ui8*ui8", (eight_bit("input1"),)),
    ),
    *scheme_rules(
        "xnn.batch_matrix_multiply", batch_matrix_multiply, ("input1",), float=TypedScheme(XNNPACK_FLOAT, FLOATS)
    ),
    *scheme_rules(
        "xnn.batch_matrix_multiply",
        batch_matrix_multiply,
        ("input1", "input2"),
        dynamic=TypedScheme(XNNPACK_DYNAMIC, "i8*i8", (from_rows, _one_matrix)),
    ),
    Rule("xnn.softmax", FLOATS, softmax),
    Rule("xnn.scaled_dot_product_attention", FLOATS, scaled_dot_product_attention),
)
