"""TABLEs of 256 entries: what the kernels compute for each value of one 8-bit operand, and where C leaves it open.

An entry is computed as the reference kernel computes it, in float32 or in fixed point. A function here takes the
quantization of the operand and of the result; entries are in the order of stored values of -128 to 127.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import INT8_MAX, INT8_MIN, VALUES, Affine, OutputQuant
from tosa_converter.legalize.quant.fixed_point import inverse_square_root
from tosa_converter.legalize.quant.libm import F32, ULPS, RealFunction
from tosa_converter.legalize.quant.multipliers import (
    Multiplier,
    clip_integers,
    divide_by_pot,
    multiply,
    multiply_each,
    quantize_multiplier,
    round_away,
    undefined_mask,
)
from tosa_converter.rewriting.reasons import Decline

INT_RANGE = 2.0**31  # beyond it, C's conversion from float to int is undefined


class TableEntries(NamedTuple):
    """A TABLE's 256 results in int64 before they saturate, and a mask of those that C or libm leaves undefined."""

    stored: Array
    undefined: Array

    def clip(self, low: int, high: int) -> "TableEntries":
        """Returns a TABLE's entries clamped to the range of a fused activation."""
        return self._replace(stored=clip_integers(self.stored, low, high))


ByteTable: TypeAlias = Callable[[Affine, OutputQuant], TableEntries]


def centered_values(x: Affine) -> Array:
    """Returns all stored values of int8, less the zero point."""
    return np.asarray(VALUES - x.zero_point)


# ** real functions (LUTPopulate, common.h) **


def table_of_function(function: RealFunction) -> ByteTable:
    """Returns the function that computes an int8 TABLE's 256 entries of a float32 function from the quantizations.

    It marks results that the last bits of libm's function or an overflow decide.
    """

    def table(x: Affine, output: OutputQuant) -> TableEntries:
        """Returns the entries of `function`, marked where they are undefined or depend on the C library.

        An entry is marked if function results 4 ulps lower or higher change it, or if it leaves int32.
        """
        low, middle, high = (_real_entries(x, output, function, ulps) for ulps in (-ULPS, 0, ULPS))
        return TableEntries(_saturate8(middle), (_saturate8(low) != _saturate8(high)) | ~(np.abs(middle) < INT_RANGE))

    return table


def _real_entries(x: Affine, output: OutputQuant, function: RealFunction, ulps: int) -> Array:
    """Returns an int8 TABLE's entries before they are saturated: round(f(scale * x) * (1 / output scale)) + zero point.

    All is in float32, as in LUTPopulate; `ulps` moves f's results, to find entries that libm's last bits decide.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        result = function(x.scale * centered_values(x).astype(F32), ulps).astype(F32)
        return np.asarray(round_away(result * (F32(1) / output.scale)) + F32(output.zero_point))


def _saturate8(real: Array) -> Array:
    """Returns floats as integers within int8; NaN becomes 0."""
    return np.asarray(np.clip(np.nan_to_num(real), INT8_MIN, INT8_MAX), np.int64)


# ** integer functions **


def requantized_values(x: Affine, output: OutputQuant) -> TableEntries:
    """Returns the 256 entries of QUANTIZE, which moves an operand to the result's scale (Requantize, requantize.h).

    Its multiplier is computed in double.
    """
    return scaled_entries(
        centered_values(x), quantize_multiplier(np.float64(x.scale) / np.float64(output.scale)), output
    )


def activation_requantized_values(x: Affine, output: OutputQuant) -> TableEntries:
    """Returns the 256 entries that move an operand to the result's scale as LiteRT's RELU operators do.

    Their multiplier is computed in float32.
    """
    return scaled_entries(centered_values(x), quantize_multiplier(x.scale / output.scale), output)


def scaled_entries(values: Array, multiplier: Multiplier, output: OutputQuant) -> TableEntries:
    """Returns a TABLE's entries: integers (stored values less zero point) times a multiplier, plus a zero point.

    They are rounded as MultiplyByQuantizedMultiplier does; products that C leaves undefined are marked.
    """
    return TableEntries(multiply(values, multiplier) + output.zero_point, undefined_mask(values, multiplier))


def leaky_relu_table(alpha: float) -> ByteTable:
    """Returns a function that computes the 256 entries of LEAKY_RELU (QuantizeLeakyRelu, leaky_relu.h).

    For a negative alpha, the kernel multiplies by |alpha| and negates the product.
    """

    def table(x: Affine, output: OutputQuant) -> TableEntries:
        """Returns the entries: elements from 0 on are requantized, those below are multiplied by `alpha` too."""
        factor, values = x.scale * F32(alpha) / output.scale, centered_values(x)
        slope = quantize_multiplier(abs(factor))
        above = activation_requantized_values(x, output)
        below = multiply(values, slope) * int(np.sign(factor)) + output.zero_point
        stored = np.where(values >= 0, above.stored, below)
        return TableEntries(stored, np.where(values >= 0, above.undefined, undefined_mask(values, slope)))

    return table


def abs_table(x: Affine, output: OutputQuant) -> TableEntries:
    """Returns the 256 entries of ABS of 8 bits (AbsEvalQuantized, elementwise.cc)."""
    return scaled_entries(np.abs(centered_values(x)), quantize_multiplier(x.scale / output.scale), output)


def sqrt_table(x: Affine, output: OutputQuant) -> TableEntries:
    """Returns the 256 entries of SQRT (SqrtEvalQuantized, elementwise.cc).

    The kernel refuses negative elements; their entries are that of 0.
    """
    root = np.sqrt(x.scale * np.maximum(centered_values(x), 0).astype(F32)) / output.scale
    return TableEntries(np.trunc(np.minimum(root, INT_RANGE)).astype(np.int64) + output.zero_point, root >= INT_RANGE)


def rsqrt_table(x: Affine, output: OutputQuant) -> TableEntries:
    """Returns the 256 entries of RSQRT (RsqrtEvalQuantizedInt8, elementwise.cc).

    The largest result stands for 1 / 0; the kernel refuses negative elements.
    """
    values = centered_values(x)
    m, shift = inverse_square_root(np.maximum(values, 1))
    root = np.sqrt(np.float64(x.scale))
    to_result = quantize_multiplier(1 / (np.float64(F32(root) * output.scale)))
    # 1 times the multiplier is 1 / sqrt(value), here with 20 bits of fraction, the kernel's kShift. The multiplier to
    # the result takes them off.
    roots = multiply_each(1, m, shift + 20)
    stored, undefined = scaled_entries(roots, Multiplier(to_result.m, to_result.shift - 20), output)
    return TableEntries(np.where(values <= 0, INT8_MAX, stored), undefined & (values > 0))


def hard_swish_table(x: Affine, output: OutputQuant) -> TableEntries:
    """Returns the 256 entries of HARD_SWISH (hard_swish.h): x * (clamp(x / 3, -1, 1) / 2 + 1/2) on int16.

    Raises:
        Decline: the scales are beyond what the kernel's 16 bits take.
    """
    # x * (clamp(x / 3, -1, 1) / 2 + 1/2) on int16: x has 7 more bits (fine steps), the gate is in Q0.15, where 32768
    # stands for a real of 3. With a scale of 0.05, x = 40 (the real 2) is 5120 fine steps. The factor to the gate is
    # 0.05 / 128 * 32768 / 3 = 4.267 = 17476 * 2**(3 - 15). The kernel shifts left by 2 of the 3 bits, saturates,
    # multiplies (20480 * 17476 / 2**15 = 10923) and doubles: 21846 is 2/3. (21846 + 32768) >> 1 = 27307 is 0.8333 = (2
    # / 3) / 2 + 1/2.
    fine = F32(1 / 128) * x.scale
    out, out_shift = _multiplier16(fine / output.scale)
    slope, slope_shift = _multiplier16(fine / F32(3 / 32768))
    if out_shift > 0:
        raise Decline("expected an output scale that LiteRT's kernel accepts, found a finer one")
    if min(out_shift, slope_shift) < -15:
        raise Decline("expected scales whose ratio fits the kernel's 16 bits, found scales too far apart")
    values = centered_values(x) << 7
    linear = _rounded_high_product(values, out)
    gate = _rounded_high_product(_saturate16(values << max(slope_shift - 1, 0)), slope)
    gate = _saturate16(gate << 1) if slope_shift > 0 else divide_by_pot(gate, -slope_shift)
    gate = (gate + (1 << 15)) >> 1
    product = gate * linear
    stored = divide_by_pot(np.sign(product) * (np.abs(product) >> 15), -out_shift) + output.zero_point
    return TableEntries(stored, np.zeros(stored.shape, bool))


def _multiplier16(real_multiplier: np.float32) -> tuple[int, int]:
    """Returns a multiplier of 15 bits and its shift (DownScaleInt32ToInt16Multiplier, common.h)."""
    m, shift = (int(part[0]) for part in quantize_multiplier(np.float64(real_multiplier)))
    return min((m + (1 << 15)) >> 16, 32767), shift


def _rounded_high_product(a: Array, b: int) -> Array:
    """Returns a * b / 2**15 of int16, halves rounded up (SaturatingRoundingDoublingHighMul for b above -2**15)."""
    # gemmlowp adds a nudge and truncates, which together round halves up.
    product = a * b
    nudged = product + np.where(product >= 0, 1 << 14, 1 - (1 << 14))
    return np.asarray(np.sign(nudged) * (np.abs(nudged) >> 15))


def _saturate16(x: Array) -> Array:
    """Returns integers clamped to int16."""
    return np.clip(x, -32768, 32767)
