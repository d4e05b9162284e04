"""Matrix products, layers, attention and softmax of floats."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.matrices import matrices
from tosa_converter.legalize.tflite.float.activations import normalized
from tosa_converter.legalize.tflite.float.conv import dense
from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_broadcast, require_rank, require_sizes
from tosa_converter.legalize.xnnpack.conv import PAIRS, operands
from tosa_converter.legalize.xnnpack.windows import Operands
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack


def fully_connected(match: Match) -> Value:
    """FullyConnected as a CONV2D of 1 by 1."""
    it = operands(match)
    weight = weight_of(match, it)
    return bounded(match, in_shape(match, it.x, dense(match.builder, it.x, weight, it.bias)))


def weight_of(match: Match, it: Operands) -> Value:
    """The weight as [outputs,depth]; a flag says that the file has it the other way round.

    Raises:
        Decline: it doesn't fit the input, or the bias doesn't fit it.
    """
    require_rank(it.weight, 2)
    turned = match.op.attributes["flags"] & xnnpack.FLAG_TRANSPOSE_WEIGHTS
    weight = match.builder.transpose(it.weight, (1, 0)) if turned else it.weight
    require_sizes("depth", it.x.type.static[-1:], weight.type.static[1:])
    if it.bias.type.elements not in (1, weight.type.static[0]):
        raise Decline(f"a bias {it.bias.type} for {weight.type}")
    return weight


def in_shape(match: Match, x: Value, y: Value) -> Value:
    """The rows of a layer in the dimensions of its operand."""
    return match.builder.reshape(y, (*x.type.static[:-1], y.type.static[-1]))


def batch_matrix_multiply(match: Match) -> Value:
    """BatchMatrixMultiply; flags turn the operands."""
    left, right, flags = match["input1"], match["input2"], match.op.attributes["flags"]
    for x in (left, right):
        if x.type.rank < 2:
            raise Decline(f"{x.type} is no matrix")
    left = _turned(match.builder, left) if flags & xnnpack.FLAG_TRANSPOSE_A else left
    right = _turned(match.builder, right) if flags & xnnpack.FLAG_TRANSPOSE_B else right
    return product(match.builder, left, right)


def _turned(build: Builder, x: Value) -> Value:
    rank = x.type.rank
    return build.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def product(build: Builder, left: Value, right: Value) -> Value:
    """The matrix product of floats, whose sums are in fp32; batches broadcast.

    Raises:
        Decline: the operands' shapes don't fit.
    """
    require_sizes("depth", right.type.static[-2:-1], left.type.static[-1:])
    batches = [Value(x.type._replace(shape=x.type.shape[:-2])) for x in (left, right)]
    require_broadcast(*batches)
    pair = matrices(build, left, right)
    made = build.matmul(pair.left, pair.right, dtype=DType.FP32)
    return build.reshape(build.cast(made, left.type.dtype), pair.shape)


def softmax(match: Match) -> Value:
    """Softmax over the last axis."""
    if not match["input"].type.rank:
        raise Decline("a tensor without dimensions")
    return normalized(match.builder, match["input"])


def scaled_dot_product_attention(match: Match) -> Value:
    """ScaledDotProductAttention: softmax((query * scale) @ key^T + mask) @ value, of each head."""
    build = match.builder
    query, key, value, scale, mask = (match[name] for name in ("query", "key", "value", "scale", "mask"))
    for x in (query, key, value):
        require_rank(x, 4)
    require_broadcast(query, scale)
    scores = product(build, build.mul(query, scale), _turned(build, key))
    require_broadcast(scores, mask)
    return product(build, normalized(build, build.add(scores, mask)), value)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.fully_connected", PAIRS, fully_connected, of=("input1", "filter")),
    Rewrite("xnn.batch_matrix_multiply", FLOATS, batch_matrix_multiply),
    Rewrite("xnn.softmax", FLOATS, softmax),
    Rewrite("xnn.scaled_dot_product_attention", FLOATS, scaled_dot_product_attention),
)
