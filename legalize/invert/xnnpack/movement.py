"""Operators that move elements as they are, floats or bytes of a known quantization."""

import numpy as np

from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition

MOST_PIECES = 64  # that an image is cut into


@condition("bytes have a scale and a zero point")
def quantized(match: Match) -> str | None:
    """Against bytes of which no operator says what they stand for."""
    value = match.op.results[0]
    if value.type.dtype.is_float or value.type.quant is not None:
        return None
    return f"{value.name!r} has no scale: what makes and reads it is none of XNNPACK's requantizations"


def identity(match: Match) -> Value:
    """IDENTITY: the operand itself."""
    return match.value(0)


def reshape(match: Match) -> Value:
    """RESHAPE: StaticReshape."""
    return xnn_builder().reshape(match.value(0), match.op.results[0].type.static)


def transpose(match: Match) -> Value:
    """TRANSPOSE: StaticTranspose."""
    return xnn_builder().transpose(match.value(0), match.op.attributes["perms"])


def slice_(match: Match) -> Value:
    """SLICE: StaticSlice."""
    return xnn_builder().slice(match.value(0), match.constant(1).tolist(), match.constant(2).tolist())


def concat(match: Match) -> Value:
    """CONCAT: Concatenate2 to 5."""
    b, type = xnn_builder(), match.op.results[0].type
    parts = [match.value(i) for i in range(len(match.op.inputs))]
    if type.quant is not None:
        parts = [
            part if part.constant is None else b.with_quant(part.constant, part.type._replace(quant=type.quant))
            for part in parts
        ]
    return b.concat(parts, match.op.attributes["axis"])


def pad(match: Match) -> Value:
    """PAD: StaticConstantPad, whose value is the number that a byte stands for."""
    padding, value = match.constant(1).reshape(-1, 2), float(match.constant(2).reshape(-1)[0])
    quant = match.op.results[0].type.quant
    if quant is not None:
        value = float(np.float32(value - quant.zero_point[0]) * np.float32(quant.scale[0]))
    before, after = (tuple(padding[:, i].tolist()) for i in (0, 1))
    shape = match.op.results[0].type.static
    return xnn_builder().op(
        "static_constant_pad", [match.value(0)], shape, pre_paddings=before, post_paddings=after, padding_value=value
    )


def tile(match: Match) -> Value:
    """TILE: Concatenate; of floats, times ones that what has size 1 broadcasts with."""
    b, x, counts = xnn_builder(), match.value(0), match.constant(1).tolist()
    if x.type.dtype.is_float and all(n == 1 or count == 1 for n, count in zip(x.type.static, counts, strict=True)):
        return b.mul(x, b.const(np.ones(counts, x.type.dtype.numpy), x.type.dtype))
    for axis, count in enumerate(counts):
        if count > MOST_PIECES:
            raise Decline(f"{count} copies along axis {axis}, of at most {MOST_PIECES}")
        x = b.concat([x] * count, axis)
    return x


def picked(b: XnnBuilder, x: Value, axis: int, places: Array) -> Value:
    """The elements along an axis at these places: slices, or each so many times.

    Raises:
        Decline: too many slices.
    """
    size, times = x.type.static[axis], len(places) // max(x.type.static[axis], 1)
    even = len(places) == size * times and np.array_equal(places, np.arange(len(places)) // max(times, 1))
    if even and times and x.type.dtype.is_float:
        return x if times == 1 else b.repeated(x, axis, times)
    cuts = np.flatnonzero(np.diff(places) != 1) + 1
    if len(cuts) >= MOST_PIECES:
        raise Decline(f"elements from {len(cuts) + 1} places, of at most {MOST_PIECES}")
    return b.concat([b.part(x, axis, int(run[0]), len(run)) for run in np.split(places, cuts)], axis)


def reverse(match: Match) -> Value:
    """REVERSE: the elements one by one."""
    axis = match.op.attributes["axis"]
    return picked(xnn_builder(), match.value(0), axis, np.arange(match.value(0).type.static[axis])[::-1])


def gather(match: Match) -> Value:
    """GATHER at places that are known, and the same in all batches."""
    return picked(xnn_builder(), match.value(0), 1, _places(match))


def scatter(match: Match) -> Value:
    """SCATTER to such places: of all rows behind each other, those that stay and those that are set."""
    b, rows = xnn_builder(), match.value(0).type.static[1]
    order, places = np.arange(rows), _places(match)
    order[places] = rows + np.arange(len(places))
    return picked(b, b.concat([match.value(0), match.value(2)], 1), 1, order)


def _places(match: Match) -> Array:
    indices = match.constant(1)
    if (indices != indices[:1]).any():
        raise Decline("other places in every batch")
    places: Array = indices[0]
    return places


MOVED = f"{FLOATS} i8"
RULES: tuple[Rule, ...] = (
    Rule("tosa.scatter", FLOATS, scatter),
    *(
        Rule(f"tosa.{build.__name__.rstrip('_')}", MOVED, build, (quantized,))
        for build in (identity, reshape, transpose, slice_, concat, pad, tile, reverse, gather)
    ),
)
