"""Integer operands of LiteRT's convolutions and layers: weights, biases, scales, and bounds of the sums."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.windows import Operands
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    OutputQuant,
    Quantized,
    operand,
    output_quant,
    swap_signedness,
)
from tosa_converter.legalize.quant.multipliers import INT32_MIN
from tosa_converter.legalize.quant.scheme import OperandKeys
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import condition

UINT8_MAX = 255
ACCUMULATORS = {DType.I8: DType.I32, DType.I16: DType.I48}


@condition("weights are quantized with one zero point")
def weights_fit(match: Match) -> str | None:
    """Returns a reason to decline weights without a scale or with a zero point per channel, or None."""
    value = match.source(1)
    if value.type.quant is None:
        return f"expected {value.name!r} to have quantization parameters, found none"
    if len(set(value.type.quant.zero_point)) > 1:
        return f"expected {value.name!r} to have one zero point, found a zero point per channel"
    return None


class IntegerOperands(NamedTuple):
    """The operands of a convolution or layer in the source's layout, the input's scale, the result's quantization."""

    operands: Operands
    input_scale: np.float32
    output: OutputQuant

    @property
    def x(self) -> Quantized:
        """Returns the input with its scale and zero point."""
        return Quantized(self.operands.x, self.input_scale, self.operands.x_zp)


def integer_operands(match: Match, keys: OperandKeys, *, symmetric: bool) -> IntegerOperands:
    """Returns the operands of an integer layer, and their quantization: input in int8 or int16, weights in int8.

    The bias has the type of the sums. Zero points of `symmetric` weights are ignored, as LiteRT's kernels do.
    """
    x, output = operand(match, keys.x), output_quant(match)
    weight, weight_zp = integer_weights(match, keys.weight, symmetric=symmetric)
    bias = integer_bias(match, keys.bias, weight.shape[keys.axis], x.value.dtype)
    return IntegerOperands(Operands(x.value, weight, bias, x.zero_point, weight_zp), x.scale, output)


def integer_weights(match: Match, key: Key, *, symmetric: bool) -> tuple[Expr, int]:
    """Returns weights in int8 and their zero point: int4 and int2 are widened, uint8 is converted.

    A zero point of signed weights is ignored if they are `symmetric` or have several scales, with a note. A zero point
    outside of the type's range is declined.
    """
    dtype, zero_point = match.source(key).type.dtype, match.quant(key).zero_point[0]
    if zero_point and dtype is not DType.UI8 and (symmetric or not match.quant(key).per_tensor):
        match.note(f"the weights' zero point of {zero_point} is ignored, as in LiteRT's kernels")
        zero_point = 0
    least, most = (0, UINT8_MAX) if dtype is DType.UI8 else (INT8_MIN, INT8_MAX)
    if not least <= zero_point <= most:
        raise Decline(f"expected a zero point inside the range of its type, found {zero_point}")
    if dtype in (DType.I4, DType.I2):
        return const(match.constant(key).astype(np.int8), DType.I8), zero_point
    if dtype is DType.UI8:
        return swap_signedness(match[key]), zero_point - 128
    return match[key], zero_point


def integer_bias(match: Match, key: Key, channels: int, dtype: DType) -> Expr:
    """Returns an integer layer's bias: i32 for int8, a constant of i48 for int16; a single 0 if it is absent.

    A bias of int16 that isn't constant gives a 0 too, because it is added to the sums later.

    Raises:
        Decline: it is of another type, or beyond 48 bits.
    """
    if not match.has(key):
        return const([0], ACCUMULATORS[dtype])
    if dtype is DType.I16:
        return _wide_bias(match, key, channels)
    if match.source(key).type.dtype is not DType.I32:
        raise Decline(f"expected a bias of i32, found {match.source(key).type.dtype.value}")
    return match[key].reshape((channels,))


def _wide_bias(match: Match, key: Key, channels: int) -> Expr:
    """Returns the bias of int16 sums in i48; a single 0 if it isn't constant, because it is added later.

    A constant beyond 48 bits is declined.
    """
    constant = match.source(key).constant
    if constant is None:
        return const([0], DType.I48)
    if np.abs(constant).max(initial=0) > DType.I48.limits[1]:
        raise Decline("expected a bias of at most 48 bits, the width of TOSA's accumulator")
    return const(constant.reshape(channels), DType.I48)


def run_time_bias(match: Match, key: Key, channels: slice, count: int) -> Expr | None:
    """Returns the elements `channels` of a bias that isn't constant, in i32: [1,1,1,channels].

    `count` is how many elements the whole bias has. Returns None for an absent bias, and for a constant one, which is
    already part of the sums.
    """
    if not match.has(key) or match.source(key).constant is not None:
        return None
    bias = match[key].reshape((count,))
    start, stop, _ = channels.indices(count)
    return bias.slice((start,), (stop - start,)).reshape((1, 1, 1, stop - start))


def real_scales(match: Match, key: Key, input_scale: np.float32, output: OutputQuant) -> Array:
    """Returns input scale * weight scale / output scale in double, per tensor or channel."""
    weight = np.asarray(match.quant(key).scale, np.float32).astype(np.float64)
    return np.asarray(np.float64(input_scale) * weight / np.float64(output.scale))


# ** bounds **


def accumulator_range(x: Quantized, weight: Array, bias: Array) -> tuple[Array, Array]:
    """Returns the smallest and largest sum of each channel over all inputs, with the bias.

    `weight` is [channels, taps], less its zero point.
    """
    positive = np.maximum(weight, 0).sum(1, dtype=np.int32).astype(np.int64)
    negative = weight.sum(1, dtype=np.int32) - positive
    low, high = (limit - x.zero_point for limit in x.value.dtype.limits)
    return positive * low + negative * high + bias, positive * high + negative * low + bias


def bias_peak(bias: Expr) -> int:
    """Returns the largest magnitude of a constant bias, i32's if it isn't constant."""
    return -INT32_MIN if bias.constant is None else int(np.abs(bias.constant.astype(np.int64)).max())


def narrow_peak(operands: Operands, axis: int) -> int:
    """Returns an upper bound of the magnitude of an i32 sum of int8: |x - zp| is at most 255, |w - zp| 128 or 255.

    The weight's `axis` counts the sums; a constant bias is included.
    """
    taps = operands.weight.size // operands.weight.shape[axis]
    return min(taps * 255 * (255 if operands.weight_zp else 128) + bias_peak(operands.bias), -INT32_MIN)


def wide_peak(operands: Operands, axis: int) -> int:
    """Returns an upper bound of the magnitude of an int16 layer's i48 sums.

    The weight's dimension `axis` is that of the outputs. The bound includes the bias if that is constant.
    """
    weight, bias = operands.weight, operands.bias
    count = weight.size // max(weight.shape[axis], 1)
    if weight.constant is None:
        taps = 128 * count
    else:
        inner = tuple(i for i in range(weight.rank) if i != axis)
        positive = np.maximum(weight.constant, 0).sum(inner, dtype=np.int64)
        # |w| = 2 * max(w, 0) - w: an axis sum of weights -3 and 5 is 2 * 5 - 2 = 8.
        taps = int((2 * positive - weight.constant.sum(inner, dtype=np.int64)).max(initial=0))
    offset = 0 if bias.constant is None else int(np.abs(bias.constant).max(initial=0))
    return (taps + count * abs(operands.weight_zp)) * WIDTHS[DType.I16].magnitude + offset
