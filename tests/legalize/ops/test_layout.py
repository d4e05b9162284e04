"""Movement to constant and run-time places equals numpy."""

import itertools
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops import dynamic_layout, layout
from tosa_converter.rewriting.reasons import Decline

RNG = np.random.default_rng(24)
Mode: TypeAlias = Literal["reflect", "symmetric"]
VALUE = np.array([7], np.float32)


def numbered(*shape: int) -> Array:
    return np.arange(np.prod(shape)).reshape(shape).astype(np.float32)


def ints(*numbers: int) -> Array:
    return np.array(numbers, np.int32)


def same(result: Sequence[Array], *expected: Array) -> None:
    for array, want in zip(result, expected, strict=True):
        assert array.dtype == want.dtype
        np.testing.assert_array_equal(array, want)


# ** parts **


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_every_range_equals_numpy(axis: int) -> None:
    """The ranges begin and end within seven elements, with steps up to 4 in both directions."""
    shape = [2, 2, 2]
    shape[axis] = 7
    x = numbered(*shape)
    for step in (1, 2, 3, 4, -1, -2, -3):
        bounds = itertools.combinations(range(-1, 8), 2)
        ranges = [range(a, b, step) if step > 0 else range(b, a, step) for a, b in bounds]
        ranges = [places for places in ranges if len(places) and min(places) >= 0 and max(places) < 7]
        results = evaluate(lambda x, ranges=ranges: [layout.take_range(x, axis, places) for places in ranges], x)
        same(results, *(np.take(x, places, axis) for places in ranges))


def test_parts_equal_numpy() -> None:
    x = numbered(2, 6)
    same(evaluate(lambda x: layout.split(x, 1, [2, 1, 3]), x), *np.split(x, [2, 3], 1))
    same(evaluate(lambda x: layout.split(x, 1, [2, 1]), x), x[:, :2], x[:, 2:3])
    for sizes in ([3, 4], [7, -1]):
        with pytest.raises(Decline, match=r"expected piece sizes that add up to axis 1"):
            evaluate(lambda x, sizes=sizes: layout.split(x, 1, sizes), x)


def test_joined_parts_equal_numpy() -> None:
    x, y = numbered(2, 3), numbered(2, 1)
    same(evaluate(lambda x, y: layout.join([x, y, x], 1), x, y), np.concatenate([x, y, x], 1))
    for other in (numbered(3, 1), numbered(2), numbered(2, 1, 1)):
        with pytest.raises(Decline, match="expected parts that differ along axis 1 only"):
            evaluate(lambda x, y: layout.join([x, y], 1), x, other)


def test_broadcast_equals_numpy() -> None:
    x = numbered(3, 1)
    same(evaluate(lambda x: layout.broadcast_to(x, (2, 3, 4)), x), np.broadcast_to(x, (2, 3, 4)))
    for shape in ((3,), (2, 4, 4), (-1, 3, 1)):
        with pytest.raises(Decline, match="expected an operand that broadcasts to"):
            evaluate(lambda x, shape=shape: layout.broadcast_to(x, shape), x)


# ** padding **


@pytest.mark.parametrize("pairs", [((1, 2), (0, 0)), ((0, 1), (2, 0)), ((0, 0), (0, 0))])
def test_padding_equals_numpy(pairs: Sequence[tuple[int, int]]) -> None:
    """The fill is a number or a run-time value of one element."""
    x = numbered(2, 3)
    expected = np.pad(x, pairs, constant_values=7)
    same(evaluate(lambda x: layout.pad_with(x, pairs, 7), x), expected)
    same(evaluate(lambda x, v: layout.pad_with(x, pairs, v), x, VALUE), expected)


@pytest.mark.parametrize("low", [(0, 0, 0), (2, -1, 0), (-2, 0, 1)])
@pytest.mark.parametrize("high", [(0, 0, 0), (-1, 1, -2)])
@pytest.mark.parametrize("gaps", [(0, 0, 0), (1, 0, 0), (2, 1, 3)])
def test_padding_between_elements_equals_numpy(low: Sequence[int], high: Sequence[int], gaps: Sequence[int]) -> None:
    x = numbered(4, 3, 5)
    wide = np.full([(n - 1) * (gap + 1) + 1 for n, gap in zip(x.shape, gaps, strict=True)], 7, np.float32)
    wide[tuple(slice(None, None, gap + 1) for gap in gaps)] = x
    cropped = wide[tuple(slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(low, high, wide.shape, strict=True))]
    expected = np.pad(cropped, [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], constant_values=7)
    same(evaluate(lambda x: layout.pad_with_gaps(x, 7, low, high, gaps), x), expected)
    same(evaluate(lambda x, v: layout.pad_with_gaps(x, v, low, high, gaps), x, VALUE), expected)


def test_padding_that_leaves_nothing_is_declined() -> None:
    with pytest.raises(Decline, match="expected cropping that leaves elements of"):
        evaluate(lambda x: layout.pad_with_gaps(x, 0, [-1], [-2], [0]), numbered(3))


@pytest.mark.parametrize(("offset", "mode"), [(1, "reflect"), (0, "symmetric")])
def test_mirrored_ends_equal_numpy(offset: int, mode: Mode) -> None:
    x, pairs = numbered(4, 3), ((3, 1), (0, 2))
    same(evaluate(lambda x: layout.mirror_pad(x, pairs, offset), x), np.pad(x, pairs, mode=mode))
    with pytest.raises(Decline, match="expected mirrored padding of at most the 3 elements along axis 1"):
        evaluate(lambda x: layout.mirror_pad(x, ((0, 0), (4 - offset, 0)), offset), x)


# ** blocks **


@pytest.mark.parametrize("block", [1, 2, 3])
def test_depth_and_space_equal_tensorflows_definition(block: int) -> None:
    """TensorFlow defines channel (i * block + j) * C + c as pixel (i, j) of a block."""
    x = numbered(2, 3, 2, block * block * 2)
    expected = np.zeros((2, 3 * block, 2 * block, 2), np.float32)
    for i, j in np.ndindex(block, block):
        first = (i * block + j) * 2
        expected[:, i::block, j::block] = x[..., first : first + 2]
    same(evaluate(lambda x: layout.depth_to_space(x, block), x), expected)
    same(evaluate(lambda x: layout.space_to_depth(x, block), expected), x)


@pytest.mark.parametrize("blocks", [(2,), (2, 3), (1, 2)])
def test_batch_and_space_equal_tensorflows_definition(blocks: tuple[int, ...]) -> None:
    """Image (i * columns + j) * N + n takes pixels (i, j) of the blocks of image n."""
    image = [2 * blocks[0], *(3 * block for block in blocks[1:])]
    x = numbered(2, *image, 3)
    parts = [x[(slice(None), *(slice(i, None, b) for i, b in zip(place, blocks, strict=True)))]
             for place in np.ndindex(*blocks)]  # fmt: skip
    expected = np.concatenate(parts)
    same(evaluate(lambda x: layout.space_to_batch(x, blocks), x), expected)
    same(evaluate(lambda x: layout.batch_to_space(x, blocks), expected), x)


def test_blocks_that_do_not_divide_are_declined() -> None:
    for function, block in (
        (layout.depth_to_space, 2), (layout.space_to_depth, 2), (layout.space_to_batch, [2, 1]),
        (layout.batch_to_space, [1, 2]),
    ):  # fmt: skip
        with pytest.raises(Decline, match="divide into blocks"):
            evaluate(lambda x, f=function, b=block: f(x, b), numbered(1, 3, 3, 3))


# ** run-time amounts **


@pytest.mark.parametrize("before", [(0, 0), (1, 2), (2, 0), (9, -4)])
def test_padding_to_a_shape_equals_numpy(before: tuple[int, int]) -> None:
    """Amounts that would give another shape are clamped."""
    x, amounts = numbered(2, 3, 4), ints(before[0], 0, before[1], 0)
    pairs = [(0, 0), *((min(max(n, 0), 2), 2 - min(max(n, 0), 2)) for n in before)]
    result = evaluate(lambda x, a, v: dynamic_layout.pad_to(x, [5, 6], a, v, first=1), x, amounts, VALUE)
    same(result, np.pad(x, pairs, constant_values=7))


@pytest.mark.parametrize(("offset", "mode"), [(1, "reflect"), (0, "symmetric")])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_mirroring_to_a_shape_equals_numpy(offset: int, mode: Mode, before: int) -> None:
    x, amounts = numbered(3, 4), ints(before, 0, 3 - before, 0)
    clamped = max(before, 2 - (3 - offset)), 3 - before
    result = evaluate(lambda x, a: dynamic_layout.mirror_pad_to(x, (5, 7), a, offset), x, amounts)
    same(result, np.pad(x, ((clamped[0], 2 - clamped[0]), (clamped[1], 3 - clamped[1])), mode=mode))


def test_shapes_that_padding_can_not_give_are_declined() -> None:
    for shape, message in (
        ((2,), "expected a padded shape of at least"),
        ((9,), "expected mirrored padding of at most the 3"),
    ):
        with pytest.raises(Decline, match=message):
            evaluate(lambda x, a, s=shape: dynamic_layout.mirror_pad_to(x, s, a, 1), numbered(3), ints(0, 0))
    with pytest.raises(Decline, match="expected 2 amounts of padding"):
        evaluate(lambda x, a: dynamic_layout.pad_to(x, [4], a, 0), numbered(3), ints(0))


def test_slices_from_a_run_time_place_equal_numpy() -> None:
    x = numbered(2, 7)
    same(evaluate(lambda x, s: dynamic_layout.slice_from(x, 1, s, 3, 2), x, ints(2)), x[:, 2::2])
    same(evaluate(lambda x, s: dynamic_layout.slice_from(x, 1, s, 3, -2), x, ints(4)), x[:, 4::-2])


@pytest.mark.parametrize("sizes", [(2, 3, 4), (1, 3, 4), (3, 3, 4), (3, 3, 3), (1, 1, 3)])
def test_every_permutation_at_run_time_equals_numpy(sizes: tuple[int, ...]) -> None:
    """Sizes that differ determine the permutation; otherwise, elements are gathered."""
    x = numbered(*sizes)
    for perms in itertools.permutations(range(3)):
        expected = x.transpose(perms)
        for amounts in (ints(*perms), ints(*(axis - 3 for axis in perms))):
            result = evaluate(lambda x, p, e=expected: dynamic_layout.transpose_to(x, e.shape, p), x, amounts)
            same(result, expected)


def test_a_shape_that_no_permutation_gives_is_declined() -> None:
    with pytest.raises(Decline, match="expected a permutation of"):
        evaluate(lambda x, p: dynamic_layout.transpose_to(x, (2, 2), p), numbered(2, 3), ints(0, 1))
