"""Matrix products, layers, attention and softmax of floats."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.matrices import matrices
from tosa_converter.legalize.ops import softmax as softmaxes
from tosa_converter.legalize.tflite.float.conv import dense
from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_broadcast, require_rank, require_sizes
from tosa_converter.legalize.xnnpack.conv import PAIRS, operands
from tosa_converter.legalize.xnnpack.windows import Operands
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import matmul
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack


def fully_connected(match: Match) -> Expr:
    """FullyConnected as a CONV2D of 1 by 1."""
    it = operands(match)
    weight = weight_of(match, it)
    return bounded(match, in_shape(it.x, dense(it.x, weight, it.bias)))


def weight_of(match: Match, it: Operands) -> Expr:
    """The weight as [outputs,depth]; a flag says that the file has it the other way round.

    Raises:
        Decline: it doesn't fit the input, or the bias doesn't fit it.
    """
    require_rank(it.weight, 2)
    turned = match.op.attributes["flags"] & xnnpack.FLAG_TRANSPOSE_WEIGHTS
    weight = it.weight.transpose((1, 0)) if turned else it.weight
    require_sizes("depth", it.x.shape[-1:], weight.shape[1:])
    if it.bias.size not in (1, weight.shape[0]):
        raise Decline(f"a bias {it.bias.type} for {weight.type}")
    return weight


def in_shape(x: Expr, y: Expr) -> Expr:
    """The rows of a layer in the dimensions of its operand."""
    return y.reshape((*x.shape[:-1], y.shape[-1]))


def batch_matrix_multiply(match: Match) -> Expr:
    """BatchMatrixMultiply; flags turn the operands."""
    left, right, flags = match["input1"], match["input2"], match.op.attributes["flags"]
    for x in (left, right):
        if x.rank < 2:
            raise Decline(f"{x.type} is no matrix")
    left = _turned(left) if flags & xnnpack.FLAG_TRANSPOSE_A else left
    right = _turned(right) if flags & xnnpack.FLAG_TRANSPOSE_B else right
    return product(left, right)


def _turned(x: Expr) -> Expr:
    rank = x.rank
    return x.transpose((*range(rank - 2), rank - 1, rank - 2))


def product(left: Expr, right: Expr) -> Expr:
    """The matrix product of floats, whose sums are in fp32; batches broadcast.

    Raises:
        Decline: the operands' shapes don't fit.
    """
    require_sizes("depth", right.shape[-2:-1], left.shape[-1:])
    require_broadcast(*(Expr(Value(x.type._replace(shape=x.type.shape[:-2]))) for x in (left, right)))
    pair = matrices(left, right)
    made = matmul(pair.left, pair.right, dtype=DType.FP32)
    return made.cast(left.dtype).reshape(pair.shape)


def softmax(match: Match) -> Expr:
    """Softmax over the last axis."""
    if not match["input"].rank:
        raise Decline("a tensor without dimensions")
    return softmaxes.softmax(match["input"])


def scaled_dot_product_attention(match: Match) -> Expr:
    """ScaledDotProductAttention: softmax((query * scale) @ key^T + mask) @ value, of each head."""
    query, key, value, scale, mask = (match[name] for name in ("query", "key", "value", "scale", "mask"))
    for x in (query, key, value):
        require_rank(x, 4)
    require_broadcast(query, scale)
    scores = product(query * scale, _turned(key))
    require_broadcast(scores, mask)
    return product(softmaxes.softmax(scores + mask), value)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.fully_connected", PAIRS, fully_connected, of=("input1", "filter")),
    Rewrite("xnn.batch_matrix_multiply", FLOATS, batch_matrix_multiply),
    Rewrite("xnn.softmax", FLOATS, softmax),
    Rewrite("xnn.scaled_dot_product_attention", FLOATS, scaled_dot_product_attention),
)
