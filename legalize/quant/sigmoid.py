"""LOGISTIC and TANH of all int16 values, as the kernels interpolate them in a table of their own.

The table has sigmoid(i / 24) in Q0.16 for i of 0 to 255 (sigmoid_table_uint16, common.h), so it ends at 10.6. The
kernels bring a value to steps of 1 / (24 * 512), which is 2**17 for 10.7, look up the entry below and interpolate. A
negative value has one less the result of its magnitude.
"""

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import Affine
from tosa_converter.legalize.quant.multipliers import INT32_MAX, exact_log2
from tosa_converter.legalize.quant.tables import INT16_MAX, VALUES
from tosa_converter.rewriting.reasons import Decline


def sigmoid_results(x: Affine) -> Array:
    """Returns LOGISTIC's results for all int16 values in order (Logistic, integer_ops/logistic.h)."""
    # 512 = 2**9 steps between entries add 9 bits of fraction to the table's Q0.16. A shift by 10 bits rounds Q0.25 to
    # Q0.15. For negative x, sigmoid(x) = 1 - sigmoid(-x), and 1 is 2**25; one less rounds ties down.
    value = _on_table_scale(x.scale, (0,))
    result = _interpolate(np.abs(value), 9, INT16_MAX << 10)
    return np.asarray(np.where(value >= 0, result + (1 << 9), (1 << 25) - result + (1 << 9) - 1) >> 10)


def tanh_results(x: Affine) -> Array:
    """Returns TANH's results for all int16 values in order (Tanh, integer_ops/tanh.h)."""
    # tanh(x) = 2 * (sigmoid(2 * x) - 1/2). With 256 steps between entries instead of 512, the table is read at 2 * x
    # and gives Q0.24, in which 1/2 is 2**23. Shifted by 8 bits instead of 9, it is doubled and in Q0.15.
    value = _on_table_scale(x.scale, (0, 1))
    result = _interpolate(np.abs(value), 8, 0xFFFF << 8) - (1 << 23)
    return np.asarray(np.where(value >= 0, result + (1 << 7), -result + (1 << 7) - 1) >> 8)


def _on_table_scale(scale: np.float32, exact: tuple[int, ...]) -> Array:
    """Returns all int16 values times 3 * 4096 * scale (SigmoidPrepare, TanhPrepare).

    A real of 1 is 24 entries of the table with 512 steps each. For a scale of 2**(n - 12) with n in `exact`, the factor
    is 3 << n. Otherwise it is an integer of 15 bits times a power of two: for the scale 0.001, 12.288 becomes 25165 *
    2**-11.

    Raises:
        Decline: the factor doesn't fit 32 bits.
    """
    power = exact_log2(scale)
    if power is not None and power + 12 in exact:
        return np.asarray(VALUES * (3 << (power + 12)))
    factor, shift = float(scale) * 4096.0 * 3.0, 0
    while factor <= INT16_MAX / 2 and shift <= 30:
        factor, shift = factor * 2, shift + 1
    if factor > INT32_MAX:
        raise Decline(f"expected a scale that fits the kernel's 32 bits, found {scale:.3g}")
    return np.asarray((VALUES * int(factor) + ((1 << shift) >> 1)) >> shift)


def _interpolate(x: Array, bits: int, limit: int) -> Array:
    """Interpolates the sigmoid table at x / 2**bits; the result has `bits` more bits of fraction than the table.

    Beyond the last entry the result is `limit`.
    """
    table = _sigmoid_table()
    index = np.minimum(x >> bits, 254)
    inside = (table[index] << bits) + (x & ((1 << bits) - 1)) * (table[index + 1] - table[index])
    return np.where(x >> bits >= 255, limit, inside)


def _sigmoid_table() -> Array:
    """Returns LiteRT's table of sigmoid(i / 24) in Q0.16 for i of 0 to 255.

    The kernel interpolates linearly. Each entry is corrected by half of the error in the middle between it and the next
    one.
    """
    i = np.arange(513) / 2
    real = (1 << 16) / (1 + np.exp(-i / 24))
    entry, middle, following = real[:-1:2], real[1::2], real[2::2]
    table: Array = np.floor(entry - ((entry + following) / 2 - middle) / 2 + 0.5).astype(np.int64)
    table[-1] = 0xFFFF
    return table
