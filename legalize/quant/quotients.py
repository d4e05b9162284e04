"""DIV's quotients as DivElementwise (reference/div.h) computes them: tables that are worked out at conversion.

The kernel divides by a reciprocal in fixed point. With y > 0, x and y less their zero points:
    inverse  = 2**floor(log2 y) / y in Q0.31                     y = 3: 2/3, 1431655765
    normal   = x << n, n the number of its leading sign bits     x = 6: n = 28, 3/4 in Q0.31
    quotient = normal * inverse / 2**31, ties up                 1/2, 1073741824 or 2**30
    result   = quotient * m / 2**31 * 2**(shift - floor(log2 y) - n), the last factor with ties away from zero
which for m = 2**30 and shift = 1, a multiplier of 1, is 2**29 * 2**(1 - 1 - 28) = 2.
C defines the last shift for 0 to 31 bits to the right only.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import INT8_MIN, VALUES, Affine, OutputQuant
from tosa_converter.legalize.quant.fixed_point import reciprocal
from tosa_converter.legalize.quant.multipliers import Multiplier, divide_by_pot, high_mul, quantize_multiplier


class QuotientTable(NamedTuple):
    """The results for all pairs of 8-bit elements [256,256], and whether C leaves each undefined."""

    results: Array  # int8, with the bits of the result's type
    undefined: Array


def quotient_multiplier(x: Affine, y: Affine, output: OutputQuant) -> Multiplier:
    """Returns the multiplier by which DIV scales the quotient of two stored values, less zero points, to its result."""
    return quantize_multiplier(x.scale / (y.scale * output.scale))


def quotient_table(x: Affine, y: Affine, output: OutputQuant, low: int, high: int) -> QuotientTable:
    """Returns LiteRT's int8 results of DIV for all pairs of stored values [256,256], clamped to [low, high].

    A division by 0 gives 0; `undefined` marks the pairs whose division is undefined in C.
    """
    multiplier = quotient_multiplier(x, y, output)
    dividend, divisor = np.meshgrid(VALUES - x.zero_point, VALUES - y.zero_point, indexing="ij")
    undefined = undefined_quotients(multiplier, dividend, divisor)
    dividend, divisor = np.where(divisor < 0, -dividend, dividend), np.abs(divisor)
    inverse, _ = reciprocal(np.maximum(divisor, 1), 31)
    quotient = high_mul(dividend << _leading_sign_bits(dividend), inverse)
    shift = _last_shift(multiplier, dividend, divisor)
    scaled = divide_by_pot(high_mul(quotient, multiplier.m[0]) << np.clip(shift, 0, 31), np.clip(-shift, 0, 62))
    results = np.clip(np.where(divisor == 0, 0, scaled) + output.zero_point, low, high).astype(np.int8)
    # For uint8 the top bit is flipped.
    return QuotientTable(results ^ np.int8(INT8_MIN if output.unsigned else 0), undefined)


def undefined_quotients(multiplier: Multiplier, x: Array, y: Array) -> Array:
    """Returns a mask of the pairs of x and y, stored values less zero points, whose DIV in LiteRT is undefined in C.

    These are shifts to the left, and shifts by more than 31 bits to the right.
    """
    shift = _last_shift(multiplier, np.where(y < 0, -x, x), np.abs(y))
    return np.asarray((y != 0) & ((shift > 0) | (shift < -31)))


def reciprocal_mantissas(largest: int) -> Array:
    """Returns the mantissas 2**floor(log2 y) / y in Q0.31 for y of 0 to `largest`; that of 0 is never used."""
    mantissas, _ = reciprocal(np.maximum(np.arange(largest + 1), 1), 31)
    return mantissas


def _leading_sign_bits(x: Array) -> Array:
    """Returns how many bits behind the sign of int32 equal it (CountLeadingSignBits): 28 for 6, 31 for 0 and -1."""
    return np.asarray(30 - np.floor(np.log2(np.maximum(np.where(x < 0, ~x, x), 0.5))).astype(np.int64))


def _last_shift(multiplier: Multiplier, x: Array, y: Array) -> Array:
    """Returns the left shift in the last step of DIV's kernel, for y >= 0; it is negative for a right shift."""
    return np.asarray(multiplier.shift - np.floor(np.log2(np.maximum(y, 1))).astype(np.int64) - _leading_sign_bits(x))
