"""Operands whose results lie next to a tie of the requantization, searched for by an operator's own scales.

For elementwise operators, many values are drawn and the nearest ones are taken. For convolutions, layers, pools and
means, the search first looks for sums whose product with the multiplier has a fraction next to one half, and then for
inputs that give these sums. Both follow the source: real = scale * (stored - zero point), and the multiplier is the
operand's scale times the weight's, divided by the result's.

Example: int8 AVERAGE_POOL_2D of 2x2 on one scale has the multiplier 1/4. The sum 6 gives 1.5, a tie, and the inputs
(3, 1, 2, 0) give that sum. A kernel that rounds ties up returns 2, one that rounds them to even also 2, one that
truncates 1; for the sum 10 they return 3, 2 and 2.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.ir import Array, Op, Value
from tosa_converter.proof.media import integer_range, quantization_of, real_range
from tosa_converter.schemas.tflite import Padding

# In 8 bytes each, 2**20 draws are 8 MB for each operand, and 2**21 sums 16 MB for each array of the search.
DRAWS = 1 << 20  # values that are looked at for one operator
SUMS = 1 << 21  # and sums of one
ELEMENTS = 32  # results of a linear operator that are aimed at in one run
_TRIES = 16
_TARGETS = 1 << 12
_CLOSEST = 4
_FAR = np.inf

Function = Callable[..., Array]  # of reals in fp64
Stored = dict[Value, Array]  # values of operands, in the shapes that were asked for

FUNCTIONS: Mapping[str, Function] = {
    "tfl.add": np.add,
    "tfl.sub": np.subtract,
    "tfl.mul": np.multiply,
    "tfl.div": np.divide,
    "tfl.squared_difference": lambda x, y: np.square(x - y),
    "tfl.maximum": np.maximum,
    "tfl.minimum": np.minimum,
    "tfl.prelu": lambda x, slope: np.where(x < 0, x * slope, x),
    **dict.fromkeys(("tfl.quantize", "tfl.relu", "tfl.relu6", "tfl.neg", "tfl.abs"), lambda x: x),
}


class Sum(NamedTuple):
    """One result of a linear operator as an integer sum: bias + weights . (operand[places] - zero point).

    Times its multiplier, plus the result's zero point, it is the result.
    """

    places: Array  # flat, in the operand
    weights: Array
    bias: int = 0


class Window(NamedTuple):
    """The results that read the same elements of an operand, one for each channel."""

    multipliers: Array
    sum: Callable[[int], Sum]  # by channel


class Targets(NamedTuple):
    """Integer sums that a multiplier takes next to a rounding tie; `multiplier` is the index of each one's.

    Those that a wrong multiplier would move most come first.
    """

    multiplier: Array
    sums: Array
    near: Array  # the rank of their distances from a tie, of which equal ones have the same

    def draw(self, rng: np.random.Generator) -> int:
        """Returns the index of a random target, near ties more often: kernels that round twice have several kinds.

        `near` ranks the targets by their distance from a tie. Ranks from 0 to m are drawn by the logarithm of rank + 1:
        2**(3 * u) - 1 for m = 7 and u uniform in [0, 1) is 0 in a third of all cases, 1 or 2 in another one and 3 to 6
        in the rest. The last rank is never drawn.
        """
        rank = int((1.0 + self.near.max()) ** rng.random()) - 1
        return int(rng.choice(np.flatnonzero(self.near == rank)))


class Ties:
    """Searches values of an operator's operands whose results lie next to rounding ties.

    Args:
        op: of a source, one of `LOOKED_AT`.
        free: the operands that may have any value, with their shapes.
    """

    def __init__(self, op: Op, free: Mapping[Value, tuple[int, ...]]) -> None:
        """Prepares a search for operands that make rounding ties; `free` has those to choose, with their shapes."""
        self._op, self._free = op, free
        self._targets: dict[bytes, Targets] = {}  # by multipliers

    def values(self, number: int, rng: np.random.Generator) -> Stored:
        """Returns values of free operands that make results rounding ties, different ones for each `number`.

        Elementwise operators get the random values whose results are nearest to ties. For others, some windows of a
        random operand get elements whose sum is next to a tie. Returns {} where ties can't be searched for, as of
        unquantized results.
        """
        op, x = self._op, self._op.operands[0]
        if not _is_quantized(op.results[0]):
            return {}
        if op.name in FUNCTIONS:
            return _draw_near_ties(op, self._free, rng)
        if x not in self._free or not _is_quantized(x):
            return {}
        low, high = integer_range(x.type)
        values = rng.integers(low, high, self._free[x], endpoint=True)
        windows = list(_WINDOWS[op.name](op, self._free[x], rng))
        for i, window in enumerate(windows):
            solution = self._solve(window, number * len(windows) + i, rng)
            if solution is not None:
                places, elements = solution
                values.reshape(-1)[places] = elements
        return {x: values}

    def _solve(self, window: Window, number: int, rng: np.random.Generator) -> tuple[Array, Array] | None:
        """Returns places of the operand and elements that make one result of a window a tie, or None if it fails.

        It aims at sums that are next to a tie. An even number tries these targets in order, beginning with number / 2;
        an odd one tries random targets.
        """
        # Windows with the same multipliers share their targets; `which` is the index of each channel's multiplier.
        multipliers, which = np.unique(window.multipliers, return_inverse=True)
        key = multipliers.tobytes()
        if key not in self._targets:
            sums = [window.sum(channel) for channel in range(len(which))]
            reach = np.array([_sum_range(channel_sum, self._op.operands[0]) for channel_sum in sums])
            bounds = [(reach[which == i, 0].min(), reach[which == i, 1].max()) for i in range(len(multipliers))]
            self._targets[key] = _targets(multipliers, bounds, self._op.results[0])
        targets = self._targets[key]
        count = len(targets.sums)
        for k in range(_TRIES if count else 0):
            i = targets.draw(rng) if number % 2 else (number // 2 + k) % count
            channel = rng.choice(np.flatnonzero(which == targets.multiplier[i]))
            channel_sum = window.sum(int(channel))
            elements = _elements_of_sum(channel_sum, int(targets.sums[i]), self._op.operands[0], rng)
            if elements is not None:
                return channel_sum.places, elements
        return None


def _is_quantized(value: Value) -> bool:
    """Returns whether a value is integers with one finite scale above 0."""
    quant = value.type.quant
    return quant is not None and quant.per_tensor and 0 < quant.scale[0] < math.inf and value.type.dtype.is_integer


# ** Element by element **


def _draw_near_ties(op: Op, free: Mapping[Value, tuple[int, ...]], rng: np.random.Generator) -> Stored:
    """Returns operands of an elementwise operator whose results are nearest to ties among many random ones.

    Operands in `free` are drawn. Returns {} if one of these is broadcast, if another operand isn't constant, or if
    integers have no scale.
    """
    operands = [value for value in op.operands if value is not None]
    shapes = [free.get(value, value.constant.shape if value.constant is not None else None) for value in operands]
    if None in shapes or not all(_is_quantized(value) or value.type.dtype.is_float for value in operands):
        return {}
    shape = np.broadcast_shapes(*filter(None, shapes))
    asked = {value: free[value] for value in operands if value in free}
    if any(sizes != shape for sizes in asked.values()):  # one that is broadcast has one value for many results
        return {}
    # Were distances from a tie uniform in [0, 0.5], the least of n draws would be 0.5 / (n + 1) in the mean: 3e-5 steps
    # for 2**14 draws. Results of 64 elements have 2**20 / 64 = 2**14 draws for each, those of 112x112x64 only 4.
    count = max(_CLOSEST, min(1 << 14, DRAWS // max(1, int(np.prod(shape)))))
    drawn = {value: _draw_operand(value, op.results[0], (count, *shape), rng) for value in asked}
    reals = [_dequantize(value, drawn.get(value, value.constant)) for value in operands]
    with np.errstate(all="ignore"):
        distance = _distance_from_tie(FUNCTIONS[op.name](*reals), op.results[0])
    closest = np.argpartition(distance, _CLOSEST - 1, axis=0)[:_CLOSEST]
    best = np.take_along_axis(closest, rng.integers(0, _CLOSEST, (1, *shape)), 0)
    return {value: np.take_along_axis(array, best, 0)[0] for value, array in drawn.items()}


def _draw_operand(value: Value, result: Value, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Returns random values of an elementwise operator's operand: floats next to ties of the result, or integers.

    Ties are in steps of the result's scale. Integers of more than 16 bits are drawn from the range that the result can
    represent, narrower ones from their type's.
    """
    if not value.type.dtype.is_float:
        low, high = integer_range(value.type)
        if value.type.dtype.bits > 16:
            reached = np.clip(_unrounded_levels(value, np.array(real_range(result))), low, high)
            low, high = (int(end) for end in reached)
        return rng.integers(low, high, shape, endpoint=True)
    scale, zero = quantization_of(result)
    low, high = integer_range(result.type)
    # For int8 these are the ties from -128.5 to 127.5: at both ends, one neighbour of the tie saturates. A draw is then
    # the tie itself, or the float just below or above it.
    steps = rng.integers(low - 1, high, shape, endpoint=True) + 0.5 - zero
    ties = (steps * scale).astype(np.float32)
    return np.nextafter(ties, ties + rng.integers(-1, 1, shape, endpoint=True).astype(np.float32))


def _dequantize(value: Value, stored: Array | None) -> Array:
    """Returns stored elements dequantized to fp64."""
    assert stored is not None
    scale, zero = quantization_of(value)
    return (stored.astype(np.float64) - zero) * scale


def _unrounded_levels(value: Value, reals: Array) -> Array:
    """Returns real numbers in steps of a value's scale, plus its zero point, before they are rounded."""
    scale, zero = quantization_of(value)
    return np.asarray(reals / scale + zero)


def _distance_from_tie(reals: Array, result: Value) -> Array:
    """Returns the distance of reals from a rounding tie, in steps of the result's scale; infinite outside its range."""
    scale, zero = quantization_of(result)
    levels = reals / scale
    low, high = (limit - zero for limit in integer_range(result.type))
    # The ties half a step outside the range count too: one of their neighbours saturates.
    return np.where((levels > low - 1) & (levels < high + 1), np.abs(levels - np.floor(levels) - 0.5), _FAR)


# ** Sums **


def _sum_range(channel_sum: Sum, x: Value) -> tuple[int, int]:
    """Returns the least and the greatest number that an integer sum can have.

    Each term is weight * (element - zero point), least and greatest at an end of the element's range, whatever the
    weight's sign. The weights (2, -3) with int8 elements and zero point 0 reach from 2 * -128 - 3 * 127 = -637 to
    2 * 127 + 3 * 128 = 638.
    """
    ends = channel_sum.weights[:, None] * (np.array(integer_range(x.type)) - quantization_of(x)[1])
    return channel_sum.bias + int(ends.min(1).sum()), channel_sum.bias + int(ends.max(1).sum())


def _targets(multipliers: Array, bounds: Sequence[tuple[int, int]], result: Value) -> Targets:
    """Returns the integer sums, within bounds for each multiplier, whose products are nearest to a rounding tie.

    Only sums are tried that the result can hold: of int8 with zero point -128, 0 <= sum * multiplier <= 255.

    A multiplier that is wrong by a part e moves a product p by e * p, which changes the result if it is more than the
    distance from the tie. So targets are sorted by distance / (1 + |p|): 100.5 + 1e-9 shows an e of 1e-11, and 0.5 +
    1e-9 only one of 2e-9.
    """
    ends = np.array(integer_range(result.type)) - quantization_of(result)[1]
    count, rng = SUMS // len(multipliers), np.random.default_rng(0)
    candidates: list[tuple[Array, ...]] = []
    for i, (multiplier, (least, most)) in enumerate(zip(multipliers.tolist(), bounds, strict=True)):
        low, high = np.clip(ends / multiplier, least, most).astype(np.int64).tolist()
        sums = np.arange(low, high + 1) if high - low < count else rng.integers(low, high, count, endpoint=True)
        levels = sums * multiplier
        distance = np.abs(levels - np.floor(levels) - 0.5)
        some = min(_TARGETS, len(sums))
        nearest = np.argpartition(distance / (1 + np.abs(levels)), some - 1)[:some]
        candidates.append((distance[nearest], levels[nearest], np.full(some, i), sums[nearest]))
    distance, levels, index, sums = (np.concatenate(parts) for parts in zip(*candidates, strict=True))
    order = np.lexsort((rng.random(len(distance)), distance / (1 + np.abs(levels))))[:_TARGETS]
    # Equal distances differ in fp64 by rounding: of products up to 2**15 by some units of 2**-38 = 3.6e-12. With 9
    # decimals they have one rank.
    near = np.unique(np.round(distance[order], 9), return_inverse=True)[1]
    return Targets(index[order], sums[order], near)


def _elements_of_sum(channel_sum: Sum, total: int, x: Value, rng: np.random.Generator) -> Array | None:
    """Returns operand elements with which a sum has this total, or None if the search ends without any.

    They are random, and then changed one by one, from the largest weight to the smallest. Each step takes what is left
    of the total to at most half a weight, unless the element's range ends before: weights (7, 2, 1) that lack 12 take
    round(12 / 7) = 2 steps of 7, -1 step of 2, and 0 of 1: 12 - 14 + 2 = 0. The search fails if something is left after
    the last weight.
    """
    (low, high), zero = integer_range(x.type), quantization_of(x)[1]
    weights = channel_sum.weights
    # Random fractions below 1 shuffle weights of equal magnitude only: -5 + 0.99 is still in front of -4 + 0.
    order = np.argsort(-np.abs(weights) + rng.random(len(weights)), kind="stable")
    values = rng.integers(low, high, len(weights), endpoint=True)
    rest = total - channel_sum.bias - int(weights @ (values - zero))
    for k in order[weights[order] != 0].tolist():
        weight, value = int(weights[k]), int(values[k])
        step = min(max(round(rest / weight), low - value), high - value)
        values[k] += step
        rest -= step * weight
        if not rest:
            return values
    return None


def _scale_ratio(op: Op) -> float:
    """Returns the first operand's scale divided by the result's."""
    return quantization_of(op.operands[0])[0] / quantization_of(op.results[0])[0]


def _constant_weights(op: Op) -> tuple[Array, Array, Array] | None:
    """Returns weights less zero points, biases and multipliers by channel.

    A multiplier turns an integer sum into steps of the result. Returns None if weights or bias aren't constant, or if
    the weights have scales by block or row.
    """
    weights, bias = op.operands[1], op.operands[2] if len(op.operands) > 2 else None
    quant, values = weights.type.quant, weights.constant
    added = None if bias is None else bias.constant
    if quant is None or values is None or quant.block or quant.rows or (bias is not None and added is None):
        return None
    axis = 3 if op.name == "tfl.depthwise_conv_2d" else 0
    shape = [1] * values.ndim
    shape[axis] = -1
    zeros = np.array(quant.zero_point, np.int64).reshape(shape if len(quant.zero_point) > 1 else [1] * values.ndim)
    channels = values.shape[axis]
    whole = np.zeros(channels, np.int64) if added is None else added.astype(np.int64)
    return values.astype(np.int64) - zeros, whole, np.broadcast_to(_scale_ratio(op) * np.array(quant.scale), channels)


def _layer_windows(op: Op, shape: tuple[int, ...], _: np.random.Generator) -> Iterator[Window]:
    """Yields rows of FULLY_CONNECTED's operand as windows, each with one sum for each output channel.

    It yields none if weights or bias aren't constant.
    """
    operands = _constant_weights(op)
    if operands is None:
        return
    weights, bias, multipliers = operands
    depth = weights.shape[1]
    for row in range(min(ELEMENTS, math.prod(shape) // depth)):
        places = np.arange(depth) + row * depth
        yield Window(multipliers, lambda c, places=places: Sum(places, weights[c], int(bias[c])))  # type: ignore[misc]


def _convolution_windows(op: Op, shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[Window]:
    """Yields windows of CONV_2D or DEPTHWISE_CONV_2D that don't overlap, so that each can be aimed at alone.

    It yields none for grouped convolutions, and where weights or bias aren't constant.
    """
    operands = _constant_weights(op)
    if operands is None or len(shape) != 4 or operands[0].ndim != 4:
        return
    weights, bias, multipliers = operands
    depth, is_depthwise = shape[3], op.name == "tfl.depthwise_conv_2d"
    if weights.shape[3] % depth if is_depthwise else weights.shape[3] != depth:  # or groups
        return

    def sum_of(part: _Part, c: int) -> Sum:
        """Returns the sum of output channel `c` over one window; `part` has the window's pixels and taps."""
        # Depthwise with 4 channels and 8 outputs has 2 outputs for each channel: output 5 reads channel 5 * 4 // 8 = 2.
        channels = np.array([c * depth // weights.shape[3]]) if is_depthwise else np.arange(depth)
        taken = (weights[0, :, :, c : c + 1] if is_depthwise else weights[c]).reshape(-1, len(channels))[part.taps]
        places = np.ravel_multi_index(tuple(part.pixels.T), shape[:3])[:, None] * depth + channels
        return Sum(places.reshape(-1), taken.reshape(-1), int(bias[c]))

    for part in _separate_windows(op, shape, weights.shape[1:3], rng):
        yield Window(multipliers, partial(sum_of, part))


def _pool_windows(op: Op, shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[Window]:
    """Yields windows of AVERAGE_POOL_2D in some channels; they don't overlap, so that each can be aimed at alone."""
    if len(shape) != 4:
        return
    parts = list(_separate_windows(op, shape, (op.attributes["filter_height"], op.attributes["filter_width"]), rng))
    for part in parts:
        for channel in rng.permutation(shape[3])[: max(1, ELEMENTS // len(parts))].tolist():
            places = np.ravel_multi_index(tuple(part.pixels.T), shape[:3]) * shape[3] + channel
            yield _mean_window(places, _scale_ratio(op))


def _reduction_windows(op: Op, shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[Window]:
    """Yields windows of MEAN or SUM, each with the operand's elements behind one result: at most ELEMENTS of them.

    It yields none if the axes aren't constant.
    """
    axes = op.operands[1].constant
    if axes is None or not shape:
        return
    gone = sorted({int(axis) % len(shape) for axis in axes.reshape(-1)})
    # Column i holds the elements of result i: [2, 3] reduced along axis 1 becomes [[0, 3], [1, 4], [2, 5]], and result
    # 0 is made of the elements 0, 1 and 2.
    places = np.moveaxis(np.arange(math.prod(shape)).reshape(shape), gone, range(len(gone)))
    places = places.reshape(math.prod(shape[axis] for axis in gone), -1)
    scale = _scale_ratio(op) * (1 if op.name == "tfl.mean" else len(places))
    for i in rng.permutation(places.shape[1])[:ELEMENTS].tolist():
        yield _mean_window(places[:, i], scale)


def _mean_window(places: Array, scale: float) -> Window:
    """Returns the window of one mean: the sum of the elements at `places`, with the multiplier scale / count."""
    ones = np.ones(len(places), np.int64)
    return Window(np.array([scale / len(places)]), lambda _: Sum(places, ones))


class _Part(NamedTuple):
    """The pixels [N, 3] of an image that a window covers, and which of its taps these are."""

    pixels: Array
    taps: Array


def _separate_windows(op: Op, shape: Sequence[int], kernel: Sequence[int], rng: np.random.Generator) -> Iterator[_Part]:
    """Yields windows of an image that don't overlap, drawn at random: at most ELEMENTS of them.

    Each has the pixels inside of the image and the taps of the kernel on them. A kernel far beyond the image has none.
    """
    dilation = [op.attributes.get(f"dilation_{axis}_factor", 1) for axis in "hw"]
    strides = [op.attributes[f"stride_{axis}"] for axis in "hw"]
    extents = [(size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True)]
    counts, pads = [], []
    for size, extent, stride in zip(shape[1:3], extents, strides, strict=True):
        same = op.attributes["padding"] == Padding.SAME
        # 5 pixels, kernel 3, stride 2: SAME gives ceil(5 / 2) = 3 windows, which need (3 - 1) * 2 + 3 = 7 pixels, so 2
        # are padding, 1 of them in front. Without padding there are (5 - 3) // 2 + 1 = 2 windows.
        counts.append(-(-size // stride) if same else (size - extent) // stride + 1)
        pads.append(max(0, (counts[-1] - 1) * stride + extent - size) // 2 if same else 0)
    # Only every ceil(3 / 2) = second one of these windows is taken: they begin 4 pixels apart, and each has 3.
    apart = [-(-extent // stride) for extent, stride in zip(extents, strides, strict=True)]
    starts = [int(rng.integers(min(step, max(1, count)))) for step, count in zip(apart, counts, strict=True)]
    lines = [range(start, count, step) for start, count, step in zip(starts, counts, apart, strict=True)]
    # A kernel of (2h - 1) x (2w - 1) has all of an h x w image in reach from every pixel. One beyond 4 * h * w elements
    # is mostly padding, and in a hostile file it may be larger than memory.
    if math.prod(kernel) > 4 * math.prod(shape[1:3]):
        return
    taps: Any = np.indices(kernel).reshape(2, -1).T * dilation
    sizes = (shape[0], *map(len, lines))
    total = math.prod(sizes)
    for i in rng.choice(total, min(ELEMENTS, total), replace=False):
        n, *at = (int(place) for place in np.unravel_index(i, sizes))
        pixels = np.array([line[k] for line, k in zip(lines, at, strict=True)]) * strides - pads + taps
        inside = ((pixels >= 0) & (pixels < shape[1:3])).all(axis=1)
        yield _Part(np.insert(pixels[inside], 0, n, axis=1), np.flatnonzero(inside))


_WINDOWS: Mapping[str, Callable[[Op, tuple[int, ...], np.random.Generator], Iterator[Window]]] = {
    "tfl.fully_connected": _layer_windows,
    "tfl.conv_2d": _convolution_windows,
    "tfl.depthwise_conv_2d": _convolution_windows,
    "tfl.average_pool_2d": _pool_windows,
    "tfl.mean": _reduction_windows,
    "tfl.sum": _reduction_windows,
}
LOOKED_AT = frozenset({*FUNCTIONS, *_WINDOWS})
