"""Philox equals its definition on Python's integers, and the distributions equal numpy."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops.random_numbers import (
    advance_counter,
    box_muller,
    philox,
    uniform,
    uniform_angle,
    uniform_of_pair,
)

WORD = (1 << 32) - 1
EDGES = [0, 1, WORD, 0x7FFFFFFF, 0x80000000, 0x7FFFFF, 0x7FF000, 0xFFF, 0xFFFF, 0x10000]


def draw_words(count: int, seed: int = 0) -> Array:
    words = np.random.default_rng(seed).integers(0, 1 << 32, count, np.uint64).astype(np.uint32)
    words[: len(EDGES)] = EDGES
    return words.view(np.int32)


def define_block(number: int, key: int) -> list[int]:
    """Returns a block of Philox 4x32 with 10 rounds, as the paper defines it."""
    factors, key_steps = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)
    x = [number >> 32 * i & WORD for i in range(4)]
    for i in range(10):
        first, second = factors[0] * x[0], factors[1] * x[2]
        keys = [(key >> 32 * j & WORD) + i * key_steps[j] & WORD for j in range(2)]
        x = [second >> 32 ^ x[1] ^ keys[0], second & WORD, first >> 32 ^ x[3] ^ keys[1], first & WORD]
    return x


def test_the_definition_gives_the_published_blocks() -> None:
    """The blocks are the known answers of Random123."""
    assert define_block(0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert define_block((1 << 128) - 1, (1 << 64) - 1) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


@pytest.mark.parametrize(("key", "upper"), [(0, 0), ((1 << 64) - 1, (1 << 64) - 1), (0x80000000_7FFFFFFF, 1 << 63)])
def test_philox_equals_the_definition(key: int, upper: int) -> None:
    low, high = draw_words(40), draw_words(40, 1)[::-1]
    parts = evaluate(lambda low, high: philox(low, high, key, upper), low.reshape(-1, 1), high.reshape(-1, 1))
    even, odd = (part.view(np.uint32) for part in parts)
    blocks = [
        define_block(int(a) | int(b) << 32 | upper << 64, key)
        for a, b in zip(low.view(np.uint32), high.view(np.uint32), strict=True)
    ]
    np.testing.assert_array_equal(np.stack([even, odd], 2).reshape(-1, 4), np.array(blocks, np.uint32))


@pytest.mark.parametrize("counter", [0, WORD, WORD - 1, 1 << 63, (1 << 64) - 1, 0x0000FFFF_FFFF0000])
def test_the_counter_carries(counter: int) -> None:
    steps = np.array([0, 1, 0xFFFF, 0x10000, WORD, 1 << 32, (1 << 40) - 1])
    start = np.array([counter & WORD, counter >> 32], np.uint32).view(np.int32)
    low, high = (x.view(np.uint32) for x in evaluate(lambda x: advance_counter(x, steps.reshape(-1, 1)), start))
    sums = [counter + int(step) for step in steps]
    assert low.reshape(-1).tolist() == [total & WORD for total in sums]
    assert high.reshape(-1).tolist() == [total >> 32 & WORD for total in sums]


def test_uniform_numbers_equal_the_definition() -> None:
    words = draw_words(1000)
    bits = words.view(np.uint32).astype(np.float64)
    (y,) = evaluate(uniform, words)
    np.testing.assert_array_equal(y, bits % 2**23 / 2**23)
    (y,) = evaluate(uniform_of_pair, words, words[::-1].copy())
    np.testing.assert_array_equal(y, (bits % 2**20 * 16 + bits[::-1] // 2**28) / 2**24)


@pytest.mark.parametrize("seed", range(3))
def test_angles_are_those_of_fp64(seed: int) -> None:
    """At most 2 of 1,000 words differ, by a unit in the last place."""
    words = draw_words(50_000, seed)
    (angles,) = evaluate(uniform_angle, words)
    expected = (2 * np.pi * ((words.view(np.uint32) & 0x7FFFFF) / 2.0**23)).astype(np.float32)
    np.testing.assert_array_max_ulp(angles, expected, 1)
    assert np.mean(angles != expected) < 0.002


def test_normal_numbers_equal_the_definition() -> None:
    """The definition is in fp64; a word whose fraction is 0 counts as 1e-7."""
    words, angle_words = draw_words(1000), draw_words(1000, 1)
    first, second = evaluate(box_muller, words, angle_words)
    fraction, turn = ((x.view(np.uint32) & 0x7FFFFF) / 2.0**23 for x in (words, angle_words))
    radius = np.sqrt(-2 * np.log(np.maximum(fraction, np.float32(1e-7))))
    np.testing.assert_allclose(first, radius * np.sin(2 * np.pi * turn), atol=3e-6)
    np.testing.assert_allclose(second, radius * np.cos(2 * np.pi * turn), atol=3e-6)
