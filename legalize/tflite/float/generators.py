"""RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL: numbers of Philox (random_ops.cc, philox_random.h).

The key is `seed`; the upper half of a block number is `seed2`, its lower half a counter that continues from run to
run. LiteRT stores 32 bits of each seed (TfLiteRandomParams).
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.constant_operands import constant_int, constant_ints
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.elementwise import FLOAT_MAX
from tosa_converter.legalize.ops.random_numbers import advance_counter, box_muller, philox, uniform, uniform_of_pair
from tosa_converter.legalize.ops.reduce import cumulative_sum
from tosa_converter.rewriting.expr import Expr, exp, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, reduce_max, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import RandomOptions

SKIPPED_BLOCKS = 2 * 256  # by which MULTINOMIAL advances the counter for each number
FP32_SUMS = "sums of probabilities are of fp32, LiteRT's of fp64: a number close to one may draw the class next to it"


def random_uniform(match: Match) -> list[Expr]:
    """Lowers RANDOM_UNIFORM: turns 23 bits of each random word into a number in [0, 1) (Uint32ToFloat)."""
    shape = _constant_shape(match)
    even, odd, counter = _draw_words(match, math.prod(shape), -(-math.prod(shape) // 4))
    return [_interleave(uniform(even), uniform(odd), shape), counter]


def random_standard_normal(match: Match) -> list[Expr]:
    """Lowers RANDOM_STANDARD_NORMAL: turns two random words into two numbers (random_distributions_utils.h)."""
    shape = _constant_shape(match)
    even, odd, counter = _draw_words(match, math.prod(shape), -(-math.prod(shape) // 4))
    return [_interleave(*box_muller(even, odd), shape), counter]


def multinomial(match: Match) -> list[Expr]:
    """Lowers MULTINOMIAL: the class drawn is the number of running sums of probabilities that a random number reaches.

    A note says that LiteRT has the sums in fp64: where a number comes close to a sum, the next class may be drawn.
    Returns the classes and the next run's counter.
    """
    logits = match["logits"]
    batch, classes = logits.shape
    samples = constant_int(match, "num_samples")
    count = batch * samples
    # Two words make one number, so a block has two. The kernel advances its counter as if the samples
    # of each row were a multiple of 4.
    advance = batch * (-(-samples // 4) * 4) * SKIPPED_BLOCKS
    even, odd, counter = _draw_words(match, count, -(-count // 2), advance)
    match.note(FP32_SUMS)
    sums = _probability_sums(logits).reshape((batch, 1, classes))
    numbers = _first_elements(uniform_of_pair(even, odd), count).reshape((batch, samples, 1))
    # Probabilities 0.2, 0.3 and 0.5 have the running sums 0.2, 0.5 and 1. A number of 0.3 reaches one sum, so class 1
    # is drawn. A number is below 1, so the last sum, which is the total, is never reached but by rounding.
    reached = numbers * sums.part(2, classes - 1, 1) >= sums
    return [reduce_sum(reached.cast(DType.I32), 2).reshape((batch, samples)), counter]


def _probability_sums(logits: Expr) -> Expr:
    """Returns the running sums of exp(x - max) of each row, for MULTINOMIAL; infinities and NaN have probability 0."""
    is_finite = abs(logits) <= FLOAT_MAX
    finite = where(is_finite, logits, -FLOAT_MAX)
    powers = exp(finite - reduce_max(finite, 1))
    return cumulative_sum(where(is_finite, powers, 0), 1)


def _constant_shape(match: Match) -> list[int]:
    """Returns the constant shape of a generator's result, or declines an empty one."""
    shape = constant_ints(match, "shape")
    if min(shape, default=1) < 1:
        raise Decline(f"expected a shape without empty dimensions, found {shape}")
    return shape


def _draw_words(match: Match, count: int, blocks: int, advance: int | None = None) -> tuple[Expr, Expr, Expr]:
    """Draws random words of 32 bits in blocks of four (Philox).

    Returns words 0 and 2 of each block, words 1 and 3, and the next counter. The words are [blocks,2] each. They come
    in two parts because some distributions make a number of two adjacent words.

    Args:
        match: the operator.
        count: how many numbers are drawn; it is only checked.
        blocks: how many blocks of four words they take.
        advance: by how many blocks the counter advances; as many as are drawn by default.

    Raises:
        Decline: too many numbers or none; both seeds are 0.
    """
    options = match.attributes(RandomOptions)
    seed, seed2 = (int(np.int64(seed).astype(np.int32)) for seed in (options.seed, options.seed2))
    if not seed and not seed2:
        raise Decline("expected a seed other than 0: with 0, LiteRT draws new numbers whenever it loads the model")
    if count < 1:
        raise Decline(f"expected 1 or more random numbers, found {count}")
    affordable([count])
    # Ten numbers take three blocks of four words: blocks counter + 0, 1 and 2. The last step gives the next run's
    # counter.
    steps = np.append(np.arange(blocks), blocks if advance is None else advance)
    words = advance_counter(match[len(match.op.inputs) - 1], steps.reshape(-1, 1))
    counter = concat([word.part(0, blocks, 1) for word in words], 0)
    low, high = (word.part(0, 0, blocks) for word in words)
    return *philox(low, high, seed, seed2), counter.reshape((2,))


def _interleave(even: Expr, odd: Expr, shape: list[int]) -> Expr:
    """Returns numbers in the order of the words that they were made from, as many as `shape` has.

    `even` are made from words 0 and 2 of each block, `odd` from words 1 and 3, both [blocks,2]; the last block may have
    more numbers than needed.
    """
    numbers = concat([x.reshape((*x.shape, 1)) for x in (even, odd)], 2)
    return _first_elements(numbers, math.prod(shape)).reshape(shape)


def _first_elements(x: Expr, count: int) -> Expr:
    """Returns the first `count` elements of x, flattened."""
    return x.reshape((x.size,)).part(0, 0, count)


RULES: tuple[Rule, ...] = (
    Rule("tfl.multinomial", "fp32", multinomial),
    Rule("tfl.random_standard_normal", "i32", random_standard_normal),
    Rule("tfl.random_uniform", "i32", random_uniform),
)
