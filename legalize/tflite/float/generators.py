"""RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL: numbers of Philox 4x32 (random_ops.cc, philox_random.h).

A block of four words of 32 bits comes of a key, which is `seed`, and of a number of 128 bits: its upper half is
`seed2`, its lower half the counter, which goes on from run to run. Of seeds LiteRT keeps 32 bits (TfLiteRandomParams).
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.operands import affordable, constant_int, constant_ints
from tosa_converter.legalize.ops.elementwise import FLOAT_MAX, sqrt
from tosa_converter.legalize.tflite.float.segments import running_sums
from tosa_converter.rewriting.expr import (
    Expr,
    const,
    elementwise,
    exp,
    log,
    logical_right_shift,
    maximum,
    scalar,
    where,
)
from tosa_converter.rewriting.operators import concat, reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import RandomOptions

ROUNDS = 10
FACTORS = np.array([[0xD2511F53, 0xCD9E8D57]])  # of words 0 and 2; both are odd
STEPS = np.array([0x9E3779B9, 0xBB67AE85])  # of the key's words from round to round
TOP, WORD, HALF = 1 << 31, 0xFFFFFFFF, 0xFFFF
LEAST = 1e-7  # of what a logarithm is taken
SKIPPED = 2 * 256  # blocks that MULTINOMIAL skips for a number


def random_uniform(match: Match) -> list[Expr]:
    """RANDOM_UNIFORM: 23 bits of a word as a number from 0 to 1."""
    shape = _shape(match)
    even, odd, counter = _drawn(match, math.prod(shape), -(-math.prod(shape) // 4))
    numbers = _interleaved(_fraction(even), _fraction(odd), shape)
    return [numbers, counter]


def random_standard_normal(match: Match) -> list[Expr]:
    """RANDOM_STANDARD_NORMAL: two of two words by Box and Muller (random_distributions_utils.h)."""
    shape = _shape(match)
    even, odd, counter = _drawn(match, math.prod(shape), -(-math.prod(shape) // 4))
    uniform = _fraction(even)
    logarithm = log(maximum(uniform, LEAST))
    square = logarithm * -2
    radius = sqrt(square)
    angle = _angle(odd)
    first, second = (elementwise(row, angle) * radius for row in (ops.SIN, ops.COS))
    return [_interleaved(first, second, shape), counter]


def multinomial(match: Match) -> list[Expr]:
    """MULTINOMIAL: of each row of logits, how many sums of probabilities a random number of two words is not below.

    LiteRT has the sums in fp64, so where a number comes close to one the next class may be drawn.
    """
    logits = match["logits"]
    batch, classes = logits.shape
    samples = constant_int(match, "num_samples")
    count = batch * max(samples, 0)
    even, odd, counter = _drawn(match, count, -(-count // 2), batch * (-(-samples // 4) * 4) * SKIPPED)
    match.note(
        "sums of probabilities are of fp32, LiteRT's of fp64: a number close to one may draw the class next to it"
    )
    sums = _sums(logits).reshape((batch, 1, classes))
    top = _low(even, 1048575) << 4
    low = logical_right_shift(odd, 28)
    bits = (top | low).cast(DType.FP32)
    numbers = bits * 2.0 ** (-24)
    numbers = _first(numbers, count).reshape((batch, samples, 1))
    found = numbers * sums.part(2, classes - 1, 1)
    passed = (found >= sums).cast(DType.I32)
    return [reduce_sum(passed, 2).reshape((batch, samples)), counter]


def _sums(logits: Expr) -> Expr:
    """The running sums of exp(x - max) of each row; infinities and NaN count as nothing."""
    most = scalar(FLOAT_MAX, logits)
    finite = most >= abs(logits)
    known = where(finite, logits, -FLOAT_MAX)
    largest = reduce_max(known, 1, nan_mode="PROPAGATE")
    powers = exp(known - largest)
    return running_sums(where(finite, powers, 0), 1)


def _shape(match: Match) -> list[int]:
    shape = constant_ints(match, "shape")
    if min(shape, default=1) < 1:
        raise Decline(f"random numbers of shape {shape}")
    return shape


# ** words **


def _drawn(match: Match, count: int, blocks: int, skipped: int | None = None) -> tuple[Expr, Expr, Expr]:
    """Words 0 and 2 of so many blocks [blocks,2], words 1 and 3, and the counter after them, or after `skipped`.

    Raises:
        Decline: too many numbers or none; both seeds are 0.
    """
    options = match.attributes(RandomOptions)
    seed, seed2 = (int(np.int64(seed).astype(np.int32)) for seed in (options.seed, options.seed2))
    if not seed and not seed2:
        raise Decline("seeds of 0 and 0: LiteRT draws other numbers each time that it loads the model")
    if not affordable([count])[0]:
        raise Decline("no random numbers at all")
    steps = np.append(np.arange(blocks), blocks if skipped is None else skipped)
    low, high = _advanced(match[len(match.op.inputs) - 1], steps.reshape(-1, 1))
    counter = concat([word.part(0, blocks, 1) for word in (low, high)], 0)
    low, high = (word.part(0, 0, blocks) for word in (low, high))
    even, odd = _philox(low, high, seed, seed2)
    return even, odd, counter.reshape((2,))


def _advanced(counter: Expr, steps: Array) -> tuple[Expr, Expr]:
    """Both words [N,1] of a counter [2] plus each of the steps [N,1], in halves: TOSA's sums must not overflow."""
    low, high = (counter.part(0, i, 1).reshape((1, 1)) for i in range(2))
    first = _low(low, HALF) + _const(steps & HALF)
    second = _plus(_high(low), steps >> 16 & HALF) + _high(first)
    carry = _plus(_high(second), steps >> 32)
    return _joined(second, first), high + carry


def _plus(x: Expr, words: Array) -> Expr:
    return x + _const(words) if words.any() else x


def _philox(low: Expr, high: Expr, seed: int, seed2: int) -> tuple[Expr, Expr]:
    """Words 0 and 2, and 1 and 3, [N,2] of the blocks of these numbers [N,1].

    Words 0 and 2 are held less 2**31, that is with their top bits flipped. The upper half of such a word's product with
    an odd factor is then the rounded one of their signed values, and a sum that can't overflow; the lower half has its
    top bit flipped too, which the next round's key undoes.
    """
    key, upper = (np.array([word & WORD, word >> 32 & WORD]) for word in (seed, seed2))
    first = const([[True, False]], DType.BOOL)
    x = where(first, _flipped(low), _const(upper[:1].reshape(1, 1) ^ TOP))
    other = where(first, _const(upper[1:].reshape(1, 1)), high)
    factors = FACTORS
    for i in range(ROUNDS):
        added = key + i * STEPS ^ (TOP if i else 0)
        upper_half, lower_half = _product(x, factors)
        mixed = (upper_half ^ other).reverse(1)
        x = mixed ^ _const(added.reshape(1, 2))
        other = lower_half
    return _flipped(x), _flipped(other.reverse(1))


def _product(x: Expr, factors: Array) -> tuple[Expr, Expr]:
    """Both halves of the products of words with their top bits flipped, flipped too."""
    signed = _signed(factors)
    high = x.times(_const(signed), shift=32) + x
    high = high + _const((factors >> 1) - TOP)
    small = (signed + 0x8000 & HALF) - 0x8000
    rest = _const(small)
    low = _low(x, HALF)
    last = low * rest
    upper = (x >> 16) * rest
    middle = low * _const(signed - small >> 16) + upper
    middle = middle + (last >> 16)
    return high, _joined(middle, last)


def _signed(words: Array) -> Array:
    """Words of 32 bits as the signed integers of the same bits."""
    return (words & WORD ^ TOP) - TOP


def _const(words: Array) -> Expr:
    return const(_signed(words), DType.I32)


def _low(x: Expr, mask: int) -> Expr:
    return x & mask


def _high(x: Expr) -> Expr:
    return logical_right_shift(x, 16)


def _joined(high: Expr, low: Expr) -> Expr:
    """A word of the lower bits of both."""
    shifted = high << 16
    return shifted | _low(low, HALF)


def _flipped(x: Expr) -> Expr:
    return x ^ -TOP


# ** numbers **


def _fraction(words: Expr) -> Expr:
    """The lower 23 bits as a number from 0 to 1 (Uint32ToFloat)."""
    bits = _low(words, 8388607).cast(DType.FP32)
    return bits * 2.0 ** (-23)


def _angle(words: Expr) -> Expr:
    """That fraction of a turn, as LiteRT rounds it from fp64 but for a unit in the last place of 1 word in 800.

    The 11 upper bits times the 13 bits of `coarse` are exact in 24; what is rounded besides is 2**-11 of it or less.
    """
    high, low = (_low(words, mask).cast(DType.FP32) for mask in (8384512, 4095))
    turn = 2 * math.pi
    coarse = round(turn * 2**10) / 2**10  # 13 bits
    parts = [(low, turn), (high, turn - coarse), (high, coarse)]
    small, rest, first = (x * (factor * 2.0 ** (-23)) for x, factor in parts)
    return first + (rest + small)


def _interleaved(even: Expr, odd: Expr, shape: list[int]) -> Expr:
    """Those of words 0 and 2, and of 1 and 3, in turn, as many as there is room for."""
    turns = concat([x.reshape((*x.shape, 1)) for x in (even, odd)], 2)
    return _first(turns, math.prod(shape)).reshape(shape)


def _first(x: Expr, count: int) -> Expr:
    return x.reshape((x.size,)).part(0, 0, count)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.multinomial", "fp32", multinomial),
    Rewrite("tfl.random_standard_normal", "i32", random_standard_normal),
    Rewrite("tfl.random_uniform", "i32", random_uniform),
)
