"""How XNNPACK rounds 8-bit results, on numpy arrays and on expressions.

Elements and zero points are those of int8: a uint8 element is the int8 one plus 128. XNNPACK rounds in three ways:

| kernels | result |
| --- | --- |
| convolutions, layers, products | `round(float32(sum) * scale) + zero_point` |
| sums of two tensors, Convert between scales | `((whole multipliers times elements) + half >> shift) + zero_point` |
| its reference kernels: means, functions, Maximum, Div | `round(real / scale + zero_point)` |

`round` takes ties to the even integer, as TOSA's CAST does; results outside int8 saturate. With a sum of 5, a scale of
0.5 and a zero point of 1, the first row gives round(2.5) + 1 = 3 and the third one round(2.5 + 1) = 4.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import Affine, OutputQuant, Quantized
from tosa_converter.legalize.quant.requantize import TIMES_ONE, clamp_to_range
from tosa_converter.rewriting.expr import Expr, clamp, const, minimum
from tosa_converter.rewriting.operators import rescale

F32 = np.float32
INT8_MIN, INT8_MAX = DType.I8.limits
RESCALE_LIMIT = 1 << 29  # RESCALE by TIMES_ONE, whose shift is 30, takes magnitudes below 2**(30 - 1)
FAR = 1024.0  # beyond every result: an element less a zero point is at most 255
SUM_BITS = 20  # the larger multiplier of a sum is in [2**20, 2**21]
UNIT_BITS = 30  # a RESCALE by 2**30 with a shift of 30 more divides by a power of two
CONVERT_BITS = 8  # multipliers of Convert and LeakyReLU are whole 256ths


# ** numbers **


def quantized_levels(reals: ArrayLike, output: OutputQuant) -> Array:
    """Quantizes numbers to int8 elements, saturated, as XNNPACK's reference kernels round them; NaN becomes 0."""
    return _quantize_steps(np.asarray(reals, F32) * (F32(1) / output.scale), output, nan=0)


def quantized_level(value: float, output: OutputQuant) -> int:
    """Quantizes a bound or padding value to an int8 element, saturated; NaN becomes the smallest (xnn_qs8_quantize)."""
    return int(_quantize_steps(np.asarray(F32(value) / output.scale), output, nan=INT8_MIN))


def _quantize_steps(steps: Array, output: OutputQuant, nan: int) -> Array:
    """Returns round(steps + zero point) as int8 elements, saturated; NaN becomes `nan`."""
    # float32 rounds the sum, so it matters that the zero point is that of the stored type. For 61.500008 steps and the
    # zero point 109 of uint8, the sum is 170.5, which rounds to 170. In int8 the zero point is -19: the sum 42.500008
    # would round to 43, which is 171 in uint8.
    offset = 128 * output.unsigned
    low, high = INT8_MIN + offset, INT8_MAX + offset
    levels = np.nan_to_num(np.rint(steps + F32(output.zero_point + offset)), nan=nan, posinf=high, neginf=low)
    return np.asarray(np.clip(levels, low, high) - offset, np.int8)


def product_scale(*scales: np.float32, over: np.float32) -> Array:
    """Returns the product of scales divided by `over`, each step rounded to float32, as a vector of one."""
    return np.atleast_1d(np.asarray(math.prod(scales[1:], start=scales[0]) / over, F32))


# ** sums in i32 to int8 by a float **


def scale_integers(x: Expr, scale: float | np.float32) -> Expr:
    """Returns integers times a real scale, in fp32."""
    return x.cast(DType.FP32) * float(scale)


def to_int8(real: Expr, zero_point: int) -> Expr:
    """Returns `round(real) + zero_point` in int8, saturated, for magnitudes below 2**29."""
    return rescale(real.cast(DType.I32), DType.I8, *TIMES_ONE, output_zp=zero_point)


def requantize_by_float(sums: Expr, scale: Array, zero_point: int, peak: int) -> Expr:
    """Returns `round(float32(sum) * scale) + zero_point` in int8, saturated (xnn_qs8_requantize_fp32).

    Args:
        sums: in i32.
        scale: of rank 1 in float32, one or one for each index of the last dimension.
        zero_point: of the result.
        peak: the largest magnitude of a sum.
    """
    # RESCALE takes magnitudes below 2**29. Where peak * scale may be larger, reals are clamped first: beyond 1024 all
    # saturate. A 3 by 3 window over 512 channels sums 4,608 products of at most 255 * 255: no clamp for a scale of 1.
    real = sums.cast(DType.FP32) * const(scale.reshape((1,) * (sums.rank - 1) + (-1,)), DType.FP32)
    if peak * float(scale.max()) >= RESCALE_LIMIT:
        real = clamp(real, -FAR, FAR)
    return to_int8(real, zero_point)


# ** reals to int8 **


def saturate_to_int8(real: Expr, zero_point: int) -> Expr:
    """Returns `round(real) + zero_point` in int8 for any float: reals are clamped before they are rounded."""
    low, high = (float(limit - zero_point) for limit in DType.I8.limits)
    return to_int8(clamp(real, low, high, nan_mode="IGNORE"), zero_point)


def quantize_by_convert(real: Expr, output: OutputQuant) -> Expr:
    """Quantizes floats to int8 elements by the reciprocal of the scale (xnn_f32_qs8_vcvt).

    The reciprocal is of the floats' type. NaN gives the largest element: the kernels for x86 take a minimum with it.
    """
    inverse = float((F32(1) / output.scale).astype(real.dtype.numpy))
    steps = real.cast(DType.FP32) * inverse
    return saturate_to_int8(minimum(steps, INT8_MAX - output.zero_point, "IGNORE"), output.zero_point)


def quantize_by_reference(real: Expr, output: OutputQuant) -> Expr:
    """Quantizes floats to int8 elements as XNNPACK's reference kernels do: they add the zero point, then round."""
    steps = real.cast(DType.FP32) * float(F32(1) / output.scale)
    return round_with_zero_point(steps, stored_zero_point(output.zero_point, output.unsigned), unsigned=output.unsigned)


def stored_zero_point(zero_point: int, unsigned: bool) -> int:
    """Converts a zero point of int8 to that of the stored type, which for uint8 is 128 more."""
    return zero_point + 128 * unsigned


def round_with_zero_point(
    steps: Expr, zero_point: float, limits: tuple[int, int] = DType.I8.limits, *, unsigned: bool
) -> Expr:
    """Returns `round(steps + zero_point)` as int8 elements: the zero point is added first, and ties go to even.

    Args:
        steps: floats in units of the result's scale.
        zero_point: of the stored type, not necessarily whole.
        limits: the smallest and the largest result, in int8.
        unsigned: whether the stored type is uint8, so that the results are 128 less.
    """
    if zero_point:
        steps = steps + zero_point
    if not unsigned:
        return clamp_to_range(steps.cast(DType.I8), *limits)
    return clamp_to_range(to_int8(clamp(steps, 0.0, 255.0, nan_mode="IGNORE"), -128), *limits)


def reduced_zero_point(x: Affine, output: OutputQuant, count: int, scale: np.float32) -> float:
    """Returns the zero point to add to a mean or sum of stored elements, in steps of the result.

    It is the result's zero point less `count` times the operand's, because the elements still include theirs.

    Args:
        x: the quantization of the operand, which has the result's element type.
        output: the quantization of the result.
        count: the number of elements in a sum.
        scale: of a sum, in steps of the result.
    """
    # XNNPACK converts the sum as if it were quantized (reshape_reduce_nd): the operand's zero point takes
    # count * zero_point * scale off the result's, in float32, before the only rounding. With the zero points taken off
    # the elements first, a tie rounds the other way. Four int8 of zero point 5 with the sum 18, scales of 1 and a
    # result of zero point 1: 18/4 + (1 - 5) = 0.5, which rounds to 0; the centered mean is -0.5, which rounds to 0, and
    # then 1 is added.
    zero_point = stored_zero_point(output.zero_point, output.unsigned)
    return float(F32(zero_point) - F32(count * stored_zero_point(x.zero_point, output.unsigned)) * scale)


# ** whole multipliers **


class SumMultipliers(NamedTuple):
    """The multipliers of both operands of a sum, and how many bits their sum is shifted right."""

    first: int
    second: int
    shift: int


def sum_multipliers(ratios: Sequence[float]) -> SumMultipliers:
    """Returns integer multipliers of two input/output scale ratios (xnn_init_qs8_add_minmax_params)."""
    # A larger ratio in [2**n, 2**(n + 1)) has the shift 20 - n. Of the ratios 0.5 and 0.3, n is -1, so the shift is 21
    # and the multipliers are 2**20 and round(0.3 * 2**21) = 629146.
    shift = SUM_BITS - (int(np.frexp(max(ratios))[1]) - 1)
    first, second = (round(ratio * 2.0**shift) for ratio in ratios)
    return SumMultipliers(first, second, shift)


def multiply_centered(x: Quantized, multiplier: int) -> Expr:
    """Returns (element - zero point) * multiplier in i32, for multipliers of at most 2**21."""
    # RESCALE has shifts from 2 on; with shift 9 it takes magnitudes below 2**8, which elements less zero points have.
    # The multiplier is then at most 2**30, and a product below 2**29: the sum of two fits i32.
    return rescale(x.value, DType.I32, [multiplier << 9], [9], input_zp=x.zero_point)


def shift_to_int8(x: Expr, shift: int, zero_point: int = 0) -> Expr:
    """Returns `(x + 2**(shift - 1) >> shift) + zero_point` in int8, saturated: ties are rounded up."""
    # The factor 2**30 is taken back by 30 bits more of shift: RESCALE then divides by a power of two alone.
    return rescale(x, DType.I8, [1 << UNIT_BITS], [shift + UNIT_BITS], output_zp=zero_point)


def whole_256ths(ratio: Array | np.float32) -> Array:
    """Returns ratios of scales in 256ths, rounded to integers, as Convert and LeakyReLU use them."""
    return np.rint(ratio * F32(1 << CONVERT_BITS)).astype(np.int64)


def convert_scale(x: Quantized, output: OutputQuant) -> Expr:
    """Moves elements to another scale: `((x - zero_point) * m + 128 >> 8) + zero_point` (xnn_qs8_cvt).

    The multiplier m is the ratio of the scales in 256ths. The ratio is at most 2**7, so m << 15 is at most 2**30 and
    fits RESCALE.
    """
    multiplier = int(whole_256ths(x.scale / output.scale))
    m, shift = multiplier << 15, CONVERT_BITS + 15
    return rescale(x.value, DType.I8, [m], [shift], input_zp=x.zero_point, output_zp=output.zero_point)
