"""Random numbers: blocks of Philox 4x32 with 10 rounds, and the distributions that are computed from their words.

The generator is that of J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. A block of four
words of 32 bits is a function of a key of 64 bits and of a block number of 128 bits.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.rewriting.expr import (
    Expr,
    const,
    cos,
    log,
    logical_right_shift,
    maximum,
    sin,
    where,
)

ROUNDS = 10
FACTORS = np.array([[0xD2511F53, 0xCD9E8D57]])  # of words 0 and 2; both are odd
KEY_STEPS = np.array([0x9E3779B9, 0xBB67AE85])  # added to the key's words from round to round
TOP_BIT, WORD, LOW_HALF = 1 << 31, 0xFFFFFFFF, 0xFFFF
LEAST_UNIFORM = 1e-7  # the smallest argument of the logarithm in `box_muller`


def philox(low: Expr, high: Expr, key: int, upper: int) -> tuple[Expr, Expr]:
    """Returns the random words of N Philox blocks: words 0 and 2, then words 1 and 3, both [N,2].

    Args:
        low: the lowest words [N,1] of the block numbers.
        high: the words [N,1] above them.
        key: 64 bits.
        upper: the upper 64 bits of the block numbers.
    """
    # `x` holds words 0 and 2 of a block, `odd` words 1 and 3. A round multiplies words 0 and 2 by odd factors. The next
    # words 0 and 2 are the upper halves of the products, xor words 1 and 3 and the key; the next words 1 and 3 are the
    # lower halves. TOSA's MUL is signed, so `x` has the top bit of its words flipped, as have both halves of
    # `_flipped_product`. In `upper_half ^ odd` the flips cancel, so the key's top bit is flipped; `odd` isn't flipped
    # yet in the first round, and the key neither.
    keys, uppers = (np.array([word & WORD, word >> 32 & WORD]) for word in (key, upper))
    is_first = const([[True, False]], DType.BOOL)
    x = where(is_first, _flip_top_bit(low), _words(uppers[:1].reshape(1, 1) ^ TOP_BIT))
    odd = where(is_first, _words(uppers[1:].reshape(1, 1)), high)
    for i in range(ROUNDS):
        round_key = keys + i * KEY_STEPS ^ (TOP_BIT if i else 0)
        upper_half, lower_half = _flipped_product(x, FACTORS)
        x = (upper_half ^ odd).reverse(1) ^ _words(round_key.reshape(1, 2))
        odd = lower_half
    return _flip_top_bit(x), _flip_top_bit(odd.reverse(1))


def _flipped_product(x: Expr, factors: Array) -> tuple[Expr, Expr]:
    """Returns the upper and lower halves of word * factor, 64 bits, for words stored as x = word - 2**31 in i32.

    The halves are stored likewise: with their top bit flipped. The factors are constant and odd.
    """
    # The word is w = x + 2**31, so w * f = x * f + 2**31 * f. Both factors f have their top bit set: as signed integers
    # they are s = f - 2**32, and x * f = x * s + x * 2**32.
    # Upper half, less 2**31: round(x * s / 2**32) + x + (f >> 1) - 2**31. Rounding up from a half on is right, because
    # f is odd and 2**31 * f adds a half. Example: w = 1, f = 2**32 - 1: x = 1 - 2**31, s = -1, x * s / 2**32 is
    # 0.4999..., rounded 0, and 0 + x + (2**31 - 1) - 2**31 = -2**31, the word 0.
    # Lower half: modulo 2**32, w * f is x * f + 2**31, so the lower half of x * f is the flipped one. MUL of i32 must
    # not overflow, so x and s are multiplied in halves of 16 bits. `middle` is at most 0xFFFF * 12897 + 2**15 * 29353 +
    # 2**15 = 1.81e9 in magnitude, with the factor 0xCD9E8D57: below 2**31.
    signed = _signed(factors)
    upper = x.times(_words(signed), shift=32) + x
    upper = upper + _words((factors >> 1) - TOP_BIT)
    signed_low = (signed + 0x8000 & LOW_HALF) - 0x8000
    low_factor = _words(signed_low)
    x_low = x & LOW_HALF
    low_product = x_low * low_factor
    high_product = (x >> 16) * low_factor
    middle = x_low * _words(signed - signed_low >> 16) + high_product
    middle = middle + (low_product >> 16)
    return upper, _join_halves(middle, low_product)


def advance_counter(counter: Expr, steps: Array) -> tuple[Expr, Expr]:
    """Returns the low and the high word [N,1] of a 64-bit counter [2] plus each of the steps [N,1].

    Sums are of halves of 16 bits, so that none overflows: 0xFFFF + 0xFFFF = 0x1FFFE has a carry of 1.
    """
    low, high = (counter.part(0, i, 1).reshape((1, 1)) for i in range(2))
    first = (low & LOW_HALF) + _words(steps & LOW_HALF)
    second = _plus(_high_half(low), steps >> 16 & LOW_HALF) + _high_half(first)
    carry = _plus(_high_half(second), steps >> 32)
    return _join_halves(second, first), high + carry


def _plus(x: Expr, words: Array) -> Expr:
    """Returns x plus constant words, or x itself if they are all 0."""
    return x + _words(words) if words.any() else x


# ** words **


def _signed(words: Array) -> Array:
    """Returns 32-bit words as the signed integers of the same bits (two's complement)."""
    return (words & WORD ^ TOP_BIT) - TOP_BIT


def _words(words: Array) -> Expr:
    """Returns a constant i32 tensor with the bits of 32-bit words."""
    return const(_signed(words), DType.I32)


def _high_half(x: Expr) -> Expr:
    """Returns the upper 16 bits of 32-bit words in i32, as 0 to 65535."""
    return logical_right_shift(x, 16)


def _join_halves(high: Expr, low: Expr) -> Expr:
    """Returns words from the lower 16 bits of `high` and of `low`."""
    return high << 16 | (low & LOW_HALF)


def _flip_top_bit(x: Expr) -> Expr:
    """Returns words with their top bit flipped, which subtracts 2**31 modulo 2**32."""
    return x ^ -TOP_BIT


# ** distributions **


def uniform(words: Expr) -> Expr:
    """Returns uniform numbers in [0, 1) from the lower 23 bits of words."""
    return (words & 0x7FFFFF).cast(DType.FP32) * 2.0**-23


def uniform_of_pair(low: Expr, high: Expr) -> Expr:
    """Returns uniform numbers in [0, 1) of 24 bits from pairs of words, the upper bits of TensorFlow's 52.

    TensorFlow's mantissa is the lower 20 bits of `low`, then the 32 bits of `high`; of these, the upper four are used.
    """
    bits = (low & 0xFFFFF) << 4 | logical_right_shift(high, 28)
    return bits.cast(DType.FP32) * 2.0**-24


def box_muller(radius_words: Expr, angle_words: Expr) -> tuple[Expr, Expr]:
    """Returns two normally distributed numbers for each pair of words (Box and Muller)."""
    square = log(maximum(uniform(radius_words), LEAST_UNIFORM)) * -2  # finite: no logarithm of 0
    radius, angle = sqrt(square), uniform_angle(angle_words)
    return sin(angle) * radius, cos(angle) * radius


def uniform_angle(words: Expr) -> Expr:
    """Returns uniform angles in [0, 2 * pi) from the lower 23 bits of words.

    They are those of fp64 rounded to fp32, except for one unit in the last place in 1 of 800 words.
    """
    # `coarse` is 2 * pi cut to 13 bits: its product with the upper 11 of the 23 bits is exact in fp32. The other two
    # products are rounded, but at most 2**-11 of the angle. The word 0x7FFFFF has high = 0x7FF000 and low = 0xFFF.
    high, low = ((words & mask).cast(DType.FP32) for mask in (0x7FF000, 0xFFF))
    turn = 2 * math.pi
    coarse = round(turn * 2**10) / 2**10  # 13 bits
    low_angle, remainder, high_angle = (
        x * (factor * 2.0**-23) for x, factor in ((low, turn), (high, turn - coarse), (high, coarse))
    )
    return high_angle + (remainder + low_angle)
