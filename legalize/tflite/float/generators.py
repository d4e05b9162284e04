"""RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL: numbers of Philox 4x32 (random_ops.cc, philox_random.h).

A block of four words of 32 bits comes of a key, which is `seed`, and of a number of 128 bits: its upper half is
`seed2`, its lower half the counter, which goes on from run to run. Of seeds LiteRT keeps 32 bits (TfLiteRandomParams).
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.activation import FLOAT_MAX
from tosa_converter.legalize.operands import affordable, constant_int, constant_ints
from tosa_converter.legalize.tflite.float.segments import running_sums
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import RandomOptions

ROUNDS = 10
FACTORS = np.array([[0xD2511F53, 0xCD9E8D57]])  # of words 0 and 2; both are odd
STEPS = np.array([0x9E3779B9, 0xBB67AE85])  # of the key's words from round to round
TOP, WORD, HALF = 1 << 31, 0xFFFFFFFF, 0xFFFF
LEAST = 1e-7  # of what a logarithm is taken
SKIPPED = 2 * 256  # blocks that MULTINOMIAL skips for a number


def random_uniform(match: Match) -> list[Value]:
    """RANDOM_UNIFORM: 23 bits of a word as a number from 0 to 1."""
    shape, builder = _shape(match), match.builder
    even, odd, counter = _drawn(match, math.prod(shape), -(-math.prod(shape) // 4))
    numbers = _interleaved(builder, _fraction(builder, even), _fraction(builder, odd), shape)
    return [numbers, counter]


def random_standard_normal(match: Match) -> list[Value]:
    """RANDOM_STANDARD_NORMAL: two of two words by Box and Muller (random_distributions_utils.h)."""
    shape, builder = _shape(match), match.builder
    even, odd, counter = _drawn(match, math.prod(shape), -(-math.prod(shape) // 4))
    uniform = _fraction(builder, even)
    logarithm = builder.unary(ops.LOG, builder.maximum(uniform, builder.scalar(LEAST, uniform)))
    square = builder.mul(logarithm, builder.scalar(-2, uniform))
    radius = builder.unary(ops.RECIPROCAL, builder.unary(ops.RSQRT, square))
    angle = _angle(builder, odd)
    first, second = (builder.mul(builder.unary(row, angle), radius) for row in (ops.SIN, ops.COS))
    return [_interleaved(builder, first, second, shape), counter]


def multinomial(match: Match) -> list[Value]:
    """MULTINOMIAL: of each row of logits, how many sums of probabilities a random number of two words is not below.

    LiteRT has the sums in fp64, so where a number comes close to one the next class may be drawn.
    """
    builder, logits = match.builder, match["logits"]
    batch, classes = logits.type.static
    samples = constant_int(match, "num_samples")
    count = batch * max(samples, 0)
    even, odd, counter = _drawn(match, count, -(-count // 2), batch * (-(-samples // 4) * 4) * SKIPPED)
    match.note(
        "sums of probabilities are of fp32, LiteRT's of fp64: a number close to one may draw the class next to it"
    )
    sums = builder.reshape(_sums(builder, logits), (batch, 1, classes))
    top = builder.binary(ops.LOGICAL_LEFT_SHIFT, _low(builder, even, 0xFFFFF), builder.scalar(4, even))
    low = builder.binary(ops.LOGICAL_RIGHT_SHIFT, odd, builder.scalar(28, odd))
    bits = builder.cast(builder.binary(ops.BITWISE_OR, top, low), DType.FP32)
    numbers = builder.mul(bits, builder.scalar(2.0**-24, bits))
    numbers = builder.reshape(_first(builder, numbers, count), (batch, samples, 1))
    found = builder.mul(numbers, builder.part(sums, 2, classes - 1, 1))
    passed = builder.cast(builder.binary(ops.GREATER_EQUAL, found, sums), DType.I32)
    return [builder.reshape(builder.reduce(ops.REDUCE_SUM, passed, 2), (batch, samples)), counter]


def _sums(builder: Builder, logits: Value) -> Value:
    """The running sums of exp(x - max) of each row; infinities and NaN count as nothing."""
    most = builder.scalar(FLOAT_MAX, logits)
    finite = builder.binary(ops.GREATER_EQUAL, most, builder.unary(ops.ABS, logits))
    known = builder.select(finite, logits, builder.scalar(-FLOAT_MAX, logits))
    largest = builder.reduce(ops.REDUCE_MAX, known, 1, nan_mode="PROPAGATE")
    powers = builder.unary(ops.EXP, builder.sub(known, largest))
    return running_sums(builder, builder.select(finite, powers, builder.scalar(0, powers)), 1)


def _shape(match: Match) -> list[int]:
    shape = constant_ints(match, "shape")
    if min(shape, default=1) < 1:
        raise Decline(f"random numbers of shape {shape}")
    return shape


# ** words **


def _drawn(match: Match, count: int, blocks: int, skipped: int | None = None) -> tuple[Value, Value, Value]:
    """Words 0 and 2 of so many blocks [blocks,2], words 1 and 3, and the counter after them, or after `skipped`.

    Raises:
        Decline: too many numbers or none; both seeds are 0.
    """
    options, builder = match.attributes(RandomOptions), match.builder
    seed, seed2 = (int(np.int64(seed).astype(np.int32)) for seed in (options.seed, options.seed2))
    if not seed and not seed2:
        raise Decline("seeds of 0 and 0: LiteRT draws other numbers each time that it loads the model")
    if not affordable([count])[0]:
        raise Decline("no random numbers at all")
    steps = np.append(np.arange(blocks), blocks if skipped is None else skipped)
    low, high = _advanced(builder, match[len(match.op.inputs) - 1], steps.reshape(-1, 1))
    counter = builder.concat([builder.part(word, 0, blocks, 1) for word in (low, high)], 0)
    low, high = (builder.part(word, 0, 0, blocks) for word in (low, high))
    even, odd = _philox(builder, low, high, seed, seed2)
    return even, odd, builder.reshape(counter, (2,))


def _advanced(builder: Builder, counter: Value, steps: Array) -> tuple[Value, Value]:
    """Both words [N,1] of a counter [2] plus each of the steps [N,1], in halves: TOSA's sums must not overflow."""
    low, high = (builder.reshape(builder.part(counter, 0, i, 1), (1, 1)) for i in range(2))
    first = builder.add(_low(builder, low, HALF), _const(builder, steps & HALF))
    second = builder.add(_plus(builder, _high(builder, low), steps >> 16 & HALF), _high(builder, first))
    carry = _plus(builder, _high(builder, second), steps >> 32)
    return _joined(builder, second, first), builder.add(high, carry)


def _plus(builder: Builder, x: Value, words: Array) -> Value:
    return builder.add(x, _const(builder, words)) if words.any() else x


def _philox(builder: Builder, low: Value, high: Value, seed: int, seed2: int) -> tuple[Value, Value]:
    """Words 0 and 2, and 1 and 3, [N,2] of the blocks of these numbers [N,1].

    Words 0 and 2 are held less 2**31, that is with their top bits flipped. The upper half of such a word's product with
    an odd factor is then the rounded one of their signed values, and a sum that can't overflow; the lower half has its
    top bit flipped too, which the next round's key undoes.
    """
    key, upper = (np.array([word & WORD, word >> 32 & WORD]) for word in (seed, seed2))
    first = builder.const([[True, False]], DType.BOOL)
    x = builder.select(first, _flipped(builder, low), _const(builder, upper[:1].reshape(1, 1) ^ TOP))
    other = builder.select(first, _const(builder, upper[1:].reshape(1, 1)), high)
    factors = FACTORS
    for i in range(ROUNDS):
        added = key + i * STEPS ^ (TOP if i else 0)
        upper_half, lower_half = _product(builder, x, factors)
        mixed = builder.reverse(builder.binary(ops.BITWISE_XOR, upper_half, other), 1)
        x = builder.binary(ops.BITWISE_XOR, mixed, _const(builder, added.reshape(1, 2)))
        other = lower_half
    return _flipped(builder, x), _flipped(builder, builder.reverse(other, 1))


def _product(builder: Builder, x: Value, factors: Array) -> tuple[Value, Value]:
    """Both halves of the products of words with their top bits flipped, flipped too."""
    signed = _signed(factors)
    high = builder.add(builder.mul(x, _const(builder, signed), shift=32), x)
    high = builder.add(high, _const(builder, (factors >> 1) - TOP))
    small = (signed + 0x8000 & HALF) - 0x8000
    rest = _const(builder, small)
    low = _low(builder, x, HALF)
    last = builder.mul(low, rest)
    upper = builder.mul(builder.arithmetic_right_shift(x, builder.scalar(16, x)), rest)
    middle = builder.add(builder.mul(low, _const(builder, signed - small >> 16)), upper)
    middle = builder.add(middle, builder.arithmetic_right_shift(last, builder.scalar(16, last)))
    return high, _joined(builder, middle, last)


def _signed(words: Array) -> Array:
    """Words of 32 bits as the signed integers of the same bits."""
    return (words & WORD ^ TOP) - TOP


def _const(builder: Builder, words: Array) -> Value:
    return builder.const(_signed(words), DType.I32)


def _low(builder: Builder, x: Value, mask: int) -> Value:
    return builder.binary(ops.BITWISE_AND, x, builder.scalar(mask, x))


def _high(builder: Builder, x: Value) -> Value:
    return builder.binary(ops.LOGICAL_RIGHT_SHIFT, x, builder.scalar(16, x))


def _joined(builder: Builder, high: Value, low: Value) -> Value:
    """A word of the lower bits of both."""
    shifted = builder.binary(ops.LOGICAL_LEFT_SHIFT, high, builder.scalar(16, high))
    return builder.binary(ops.BITWISE_OR, shifted, _low(builder, low, HALF))


def _flipped(builder: Builder, x: Value) -> Value:
    return builder.binary(ops.BITWISE_XOR, x, builder.scalar(-TOP, x))


# ** numbers **


def _fraction(builder: Builder, words: Value) -> Value:
    """The lower 23 bits as a number from 0 to 1 (Uint32ToFloat)."""
    bits = builder.cast(_low(builder, words, 0x7FFFFF), DType.FP32)
    return builder.mul(bits, builder.scalar(2.0**-23, bits))


def _angle(builder: Builder, words: Value) -> Value:
    """That fraction of a turn, as LiteRT rounds it from fp64 but for a unit in the last place of 1 word in 800.

    The 11 upper bits times the 13 bits of `coarse` are exact in 24; what is rounded besides is 2**-11 of it or less.
    """
    high, low = (builder.cast(_low(builder, words, mask), DType.FP32) for mask in (0x7FF000, 0xFFF))
    turn = 2 * math.pi
    coarse = round(turn * 2**10) / 2**10  # 13 bits
    parts = [(low, turn), (high, turn - coarse), (high, coarse)]
    small, rest, first = (builder.mul(x, builder.scalar(factor * 2.0**-23, x)) for x, factor in parts)
    return builder.add(first, builder.add(rest, small))


def _interleaved(builder: Builder, even: Value, odd: Value, shape: list[int]) -> Value:
    """Those of words 0 and 2, and of 1 and 3, in turn, as many as there is room for."""
    turns = builder.concat([builder.reshape(x, (*x.type.static, 1)) for x in (even, odd)], 2)
    return builder.reshape(_first(builder, turns, math.prod(shape)), shape)


def _first(builder: Builder, x: Value, count: int) -> Value:
    return builder.part(builder.reshape(x, (x.type.elements,)), 0, 0, count)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.multinomial", "fp32", multinomial),
    Rewrite("tfl.random_standard_normal", "i32", random_standard_normal),
    Rewrite("tfl.random_uniform", "i32", random_uniform),
)
