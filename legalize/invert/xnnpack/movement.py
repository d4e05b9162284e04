"""Operators that move elements as they are, floats or bytes with a scale and a zero point."""

from typing import Any

import numpy as np

from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition

MAX_PIECES = 64  # that an axis is cut into


@condition("bytes have a scale and a zero point")
def has_quant(match: Match) -> str | None:
    """Returns the reason to decline an int8 result without a scale, which no operator around it states; or None."""
    value = match.op.results[0]
    if value.type.dtype.is_float or value.type.quant is not None:
        return None
    return f"expected a scale of {value.name!r}, found none: no RESCALE that XNNPACK has computes or reads the bytes"


def identity(match: Match) -> Value:
    """Replaces TOSA's IDENTITY by its operand, without an XNNPACK node."""
    return match.value(0)


def reshape(match: Match) -> Value:
    """Converts TOSA's RESHAPE to XNNPACK's StaticReshape."""
    return xnn_builder().reshape(match.value(0), match.op.results[0].type.static)


def transpose(match: Match) -> Value:
    """Converts TOSA's TRANSPOSE to XNNPACK's StaticTranspose."""
    return xnn_builder().transpose(match.value(0), match.op.attributes["perms"])


def slice_(match: Match) -> Value:
    """Converts TOSA's SLICE to XNNPACK's StaticSlice."""
    return xnn_builder().slice(match.value(0), match.constant(1).tolist(), match.constant(2).tolist())


def concat(match: Match) -> Value:
    """Converts TOSA's CONCAT to XNNPACK's Concatenate2 to 5; constant operands get the result's quantization."""
    b, quant = xnn_builder(), match.op.results[0].type.quant
    parts = [match.value(i) for i in range(len(match.op.inputs))]
    if quant is not None:
        parts = [
            part if part.constant is None else b.with_quant(part.constant, part.type._replace(quant=quant))
            for part in parts
        ]
    return b.concat(parts, match.op.attributes["axis"])


def pad(match: Match) -> Value:
    """Converts TOSA's PAD to XNNPACK's StaticConstantPad, whose padding value is a real number also for int8."""
    padding, fill = match.constant(1).reshape(-1, 2), float(match.constant(2).reshape(-1)[0])
    type = match.op.results[0].type
    if type.quant is not None:
        fill = float(np.float32(fill - type.quant.zero_point[0]) * np.float32(type.quant.scale[0]))
    before, after = (tuple(padding[:, i].tolist()) for i in (0, 1))
    fields: dict[str, Any] = {"pre_paddings": before, "post_paddings": after, "padding_value": fill}
    return xnn_builder().op("static_constant_pad", [match.value(0)], type.static, **fields)


def tile(match: Match) -> Value:
    """Converts TOSA's TILE to XNNPACK's Concatenate of copies; more than MAX_PIECES copies are declined.

    Floats repeated along axes of size 1 are multiplied by ones instead, which broadcasts them.
    """
    b, x, counts = xnn_builder(), match.value(0), match.constant(1).tolist()
    if x.type.dtype.is_float and all(n == 1 or count == 1 for n, count in zip(x.type.static, counts, strict=True)):
        return b.mul(x, b.const(np.ones(counts, x.type.dtype.numpy), x.type.dtype))
    for axis, count in enumerate(counts):
        if count > MAX_PIECES:
            raise Decline(f"expected at most {MAX_PIECES} copies along axis {axis}, found {count}")
        x = b.concat([x] * count, axis)
    return x


def take_elements(b: XnnBuilder, x: Value, axis: int, indices: Array) -> Value:
    """Returns the elements at constant indices along an axis, as StaticSlices joined by Concatenate (XNNPACK).

    Floats of which each is repeated equally often are multiplied by ones instead, which broadcasts them.

    Raises:
        Decline: there are too many slices.
    """
    size, times = x.type.static[axis], len(indices) // max(x.type.static[axis], 1)
    repeats = len(indices) == size * times and np.array_equal(indices, np.arange(len(indices)) // max(times, 1))
    if repeats and times and x.type.dtype.is_float:
        return x if times == 1 else b.repeat(x, axis, times)
    cuts = np.flatnonzero(np.diff(indices) != 1) + 1
    if len(cuts) >= MAX_PIECES:
        raise Decline(f"expected at most {MAX_PIECES} slices along axis {axis}, found {len(cuts) + 1}")
    return b.concat([b.part(x, axis, int(run[0]), len(run)) for run in np.split(indices, cuts)], axis)


def reverse(match: Match) -> Value:
    """Converts TOSA's REVERSE to XNNPACK's StaticSlices of one element, joined in reverse order."""
    axis = match.op.attributes["axis"]
    return take_elements(xnn_builder(), match.value(0), axis, np.arange(match.value(0).type.static[axis])[::-1])


def gather(match: Match) -> Value:
    """Converts TOSA's GATHER at constant indices, equal in all batches, to XNNPACK's StaticSlices and Concatenate."""
    return take_elements(xnn_builder(), match.value(0), 1, _shared_indices(match))


def scatter(match: Match) -> Value:
    """Converts TOSA's SCATTER at constant indices, equal in all batches, to slices of the old and the new rows."""
    b, rows = xnn_builder(), match.value(0).type.static[1]
    # Row i of the result is row i of the old rows, or, if SCATTER writes there, row `rows` + j of both joined.
    order, indices = np.arange(rows), _shared_indices(match)
    order[indices] = rows + np.arange(len(indices))
    return take_elements(b, b.concat([match.value(0), match.value(2)], 1), 1, order)


def _shared_indices(match: Match) -> Array:
    """Returns the constant indices of TOSA's GATHER or SCATTER, which must be equal in all batches: [indices].

    Raises:
        Decline: they differ between batches.
    """
    indices = match.constant(1)
    if (indices != indices[:1]).any():
        raise Decline("expected equal indices in all batches")
    return np.asarray(indices[0])


MOVED = f"{FLOATS} i8"
RULES: tuple[Rule, ...] = (
    Rule("tosa.scatter", FLOATS, scatter),
    *(
        Rule(f"tosa.{build.__name__.rstrip('_')}", MOVED, build, (has_quant,))
        for build in (identity, reshape, transpose, slice_, concat, pad, tile, reverse, gather)
    ),
)
