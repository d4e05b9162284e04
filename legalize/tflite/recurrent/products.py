"""Products of rows with the weights of gates side by side: float weights, or integer weights of a dynamic range.

Integer weights have one scale, and the kernels quantize each row at run time (MatrixBatchVectorMultiplyAccumulate
behind BatchQuantizeFloats, tensor_utils.h).
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.recurrent import Function
from tosa_converter.legalize.quant.elements import NARROW, as_reference
from tosa_converter.legalize.quant.hybrid import row_quantizer
from tosa_converter.legalize.quant.rows import quantize_asymmetric
from tosa_converter.legalize.quant.weights import real_weights, stored_weights, weight_scales
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, conv2d, matmul, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import condition

FLOAT_OR_HYBRID = "fp32*fp32 fp32*i8 fp32*ui8"  # types of the input and the weights


@condition("integer weights are computed as LiteRT's reference kernels do")
def reference_if_hybrid(match: Match) -> str | None:
    """Accepts every operator; with integer weights, notes that XNNPACK has no kernel for it."""
    hybrid = any(value.type.dtype in NARROW for value in match.op.operands)
    return as_reference(match) if hybrid else None


def product(match: Match, keys: Sequence[str]) -> Function:
    """Returns a function that multiplies rows [1,rows,depth] with weights side by side, the operands `keys`.

    A weight is [outputs,depth], or of rank 1 if its matrix is diagonal. Compact numerics dequantize integer weights;
    other numerics quantize the rows at run time.
    """
    diagonal = {key: match.source(key).type.rank == 1 for key in keys}
    if any(diagonal.values()):
        parts = [_diagonal_product(match, key) if diagonal[key] else product(match, [key]) for key in keys]
        return lambda x: concat([part(x) for part in parts], 2)
    if match.source(keys[0]).type.dtype is DType.FP32:
        weight = join_weight_columns([match[key] for key in keys])
    elif match.options.numerics == "compact":
        weight = join_weight_columns([real_weights(match, key, 0) for key in keys])
    else:
        return _hybrid_product(match, keys)
    return lambda x: matmul(x, weight)


def product_of_steps(match: Match, keys: Sequence[str], x: Expr) -> Expr:
    """Returns the products of all time steps' inputs x [time,batch,size] with the gates' weights `keys`, at once."""
    time, batch, size = x.shape
    y = product(match, keys)(x.reshape((1, time * batch, size)))
    return y.reshape((time, batch, y.shape[2]))


def weight_scale(match: Match, key: str) -> Array:
    """Returns the one scale of an operand of integer weights, as an array.

    Raises:
        Decline: each channel has its own, which the kernels ignore.
    """
    scale = weight_scales(match, key)
    if scale.size != 1:
        raise Decline(f"expected one scale of {match.source(key).name!r}, found a scale per channel")
    return scale


def join_weight_columns(weights: Sequence[Expr]) -> Expr:
    """Joins weights [outputs,depth] to one operand of MATMUL, [1,depth,all outputs]."""
    joined = concat(weights, 0).transpose((1, 0))
    return joined.reshape((1, *joined.shape))


def integer_product(match: Match, x: Expr, weight: Expr, zero_point: int) -> Expr:
    """Returns rows [1,rows,depth] of int8, less a zero point, times weights [1,depth,outputs], in i32.

    In compact numerics, constant weights make it a CONV2D: hardware compilers then need not transpose them in each run.
    """
    if match.options.numerics != "compact" or weight.constant is None:
        return matmul(x, weight, a_zp=zero_point)
    _, rows, depth = x.shape
    kernel = const(weight.constant[0].T.reshape(-1, 1, 1, depth), DType.I8)
    bias, image = const([0], DType.I32), x.reshape((1, rows, 1, depth))
    sums = conv2d(image, kernel, bias, pad=(0, 0, 0, 0), input_zp=zero_point)
    return sums.reshape((1, rows, sums.shape[3]))


def cell_vector(match: Match, key: str) -> Expr:
    """Returns an operand with one weight or bias for each cell as floats [1,1,cells]; integers are dequantized."""
    x = match[key]
    if x.dtype is not DType.FP32:
        x = stored_weights(match, key).cast(DType.FP32) * const(weight_scale(match, key), DType.FP32)
    return x.reshape((1, 1, x.size))


def _diagonal_product(match: Match, key: str) -> Function:
    """Returns a function that multiplies rows with a diagonal matrix, whose diagonal is the operand `key`."""
    weight = cell_vector(match, key)
    return lambda x: x * weight


def _hybrid_product(match: Match, keys: Sequence[str]) -> Function:
    """Returns a function that quantizes float rows to int8 at run time and multiplies them with integer weights `keys`.

    The operator's options say whether the rows get zero points. Then sum((x - zp) * w) is sum(x * w) - zp * sum(w),
    which needs the sums of the weights.
    """
    weight = join_weight_columns([stored_weights(match, key) for key in keys])
    gate_scales = [np.repeat(weight_scale(match, key), match.source(key).type.static[0]) for key in keys]
    scale = const(np.concatenate(gate_scales).reshape(1, 1, -1), DType.FP32)
    quantize = row_quantizer(match)
    weight_sums = reduce_sum(weight.cast(DType.I32), 1) if quantize is quantize_asymmetric else None

    def multiply(x: Expr) -> Expr:
        """Returns float rows x times the weights: int8 products less the zero points' part, times both scales."""
        rows = quantize(x)
        sums = matmul(rows.levels.cast(DType.I8), weight)
        if rows.zero_point is not None and weight_sums is not None:
            sums = sums - rows.zero_point.cast(DType.I32) * weight_sums
        return sums.cast(DType.FP32) * (rows.scale * scale)

    return multiply
