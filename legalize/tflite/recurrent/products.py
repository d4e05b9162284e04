"""Products of rows with the weights of one gate or several side by side: of floats, or of integer weights.

Integer weights are those of a dynamic range: the rows are quantized as they come (MatrixBatchVectorMultiplyAccumulate
behind BatchQuantizeFloats, tensor_utils.h), each weight has one scale.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import NARROW, as_reference
from tosa_converter.legalize.quant.rows import asymmetric, symmetric
from tosa_converter.legalize.quant.weights import real, scales, stored
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, conv2d, matmul, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, condition
from tosa_converter.schemas.flat import Bool, Table

WEIGHED = "fp32*fp32 fp32*i8 fp32*ui8"  # types of the input and the weights
Product: TypeAlias = Callable[[Expr], Expr]  # [1,rows,depth] to [1,rows,outputs]


class Quantizing(Table):
    """What the options of every recurrent operator have."""

    asymmetric_quantize_inputs: Bool = False


@condition("integer weights are computed as LiteRT's reference kernels do")
def reproduced(match: Match) -> str | None:
    """Against nothing; see `as_reference`."""
    weighted = any(value.type.dtype in NARROW for value in match.op.operands)
    return as_reference(match) if weighted else None


def product(match: Match, keys: Sequence[str]) -> Product:
    """The product with weights [outputs,depth] beside each other; a vector stands for a diagonal matrix."""
    if any(match.source(key).type.rank == 1 for key in keys):
        parts = [_diagonal(match, key) if match.source(key).type.rank == 1 else product(match, [key]) for key in keys]
        return lambda x: concat([part(x) for part in parts], 2)
    if match.source(keys[0]).type.dtype is DType.FP32:
        weight = columns([match[key] for key in keys])
    elif match.options.numerics == "compact":
        weight = columns([real(match, key, 0) for key in keys])
    else:
        return _hybrid(match, keys)
    return lambda x: matmul(x, weight)


def one_scale(match: Match, key: str) -> Array:
    """The scale of integer weights.

    Raises:
        Decline: they have several, of which the kernels know nothing.
    """
    scale = scales(match, key)
    if scale.size != 1:
        raise Decline(f"{match.source(key).name!r} has a scale per channel")
    return scale


def by_step(match: Match, keys: Sequence[str], x: Expr) -> Expr:
    """The products of all steps [time,batch,size]."""
    time, batch, size = x.shape
    y = product(match, keys)(x.reshape((1, time * batch, size)))
    return y.reshape((time, batch, y.shape[2]))


def columns(weights: Sequence[Expr]) -> Expr:
    """Weights [outputs,depth] side by side as MATMUL has them: [1,depth,outputs]."""
    joined = concat(weights, 0).transpose((1, 0))
    return joined.reshape((1, *joined.shape))


def summed(match: Match, x: Expr, weight: Expr, zero_point: int) -> Expr:
    """Rows [1,rows,depth] of int8 times weights [1,depth,outputs], in i32.

    In compact numerics it is a CONV2D, for which hardware compilers need the weights not turned round in each run.
    """
    if match.options.numerics != "compact" or weight.constant is None:
        return matmul(x, weight, a_zp=zero_point)
    _, rows, depth = x.shape
    kernel = const(weight.constant[0].T.reshape(-1, 1, 1, depth), DType.I8)
    bias, image = const([0], DType.I32), x.reshape((1, rows, 1, depth))
    sums = conv2d(image, kernel, bias, pad=(0, 0, 0, 0), input_zp=zero_point)
    return sums.reshape((1, rows, sums.shape[3]))


def vector(match: Match, key: str) -> Expr:
    """Weights or biases of each cell as floats [1,1,cells]; integers are those of a dynamic range."""
    x = match[key]
    if x.dtype is not DType.FP32:
        x = stored(match, key).cast(DType.FP32) * const(one_scale(match, key), DType.FP32)
    return x.reshape((1, 1, x.size))


def _diagonal(match: Match, key: str) -> Product:
    weight = vector(match, key)
    return lambda x: x * weight


def _hybrid(match: Match, keys: Sequence[str]) -> Product:
    weight = columns([stored(match, key) for key in keys])
    each = [np.repeat(one_scale(match, key), match.source(key).type.static[0]) for key in keys]
    scale = const(np.concatenate(each).reshape(1, 1, -1), DType.FP32)
    wide = match.attributes(Quantizing).asymmetric_quantize_inputs
    total = reduce_sum(weight.cast(DType.I32), 1) if wide else None

    def multiply(x: Expr) -> Expr:
        rows = (asymmetric if wide else symmetric)(x)
        sums = matmul(rows.levels.cast(DType.I8), weight)
        if rows.zero_point is not None and total is not None:
            sums = sums - rows.zero_point.cast(DType.I32) * total
        return sums.cast(DType.FP32) * (rows.scale * scale)

    return multiply
