"""Quotients of bytes, which TOSA looks up by both operands: Div, whose scales and zero points the results show."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.quant.elements import VALUES, OutputQuant
from tosa_converter.legalize.quant.xnnpack_rounding import quantized_levels
from tosa_converter.legalize.tosa_to_xnn.alike import bare
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.labels import label, labelled, read
from tosa_converter.schemas import tosa_ops as ops

PAIRS = 1 << 16
F32 = np.float32


class Guess(NamedTuple):
    """Zero points of dividend, divisor and quotient, and the scale of the dividend where both others' are 1."""

    zero_points: tuple[int, int, int]
    scale: float

    def results(self) -> Array:
        """What XNNPACK computes of all pairs."""
        top, bottom = ((VALUES - zero_point).astype(F32) for zero_point in self.zero_points[:2])
        with np.errstate(all="ignore"):
            quotients = (top * F32(self.scale))[:, None] / bottom
            return quantized_levels(quotients, OutputQuant(F32(1), self.zero_points[2], unsigned=False))


def quotient(b: XnnBuilder, op: Op) -> Value | None:
    """Div in the place of a GATHER from the results of all pairs, and of what brings it to its shape."""
    gather = op.operands[0].producer
    table = gather.operands[0].constant if gather is not None and gather.row is ops.GATHER else None
    if gather is None or table is None or table.size != PAIRS or op.results[0].type.dtype is not DType.I8:
        return None
    operands, guess = _operands(b, gather.operands[1]), guessed(table.reshape(256, 256))
    if operands is None or guess is None:
        return None
    scales = guess.scale, 1.0
    given = [read(b, x, zp, scale) for x, zp, scale in zip(operands, guess.zero_points, scales, strict=False)]
    y = labelled(b.op("div", given), label(guess.zero_points[2]))
    return b.reshape(y, op.results[0].type.static)


def _operands(b: XnnBuilder, index: Value) -> list[Value] | None:
    """The bytes of which one times 256 and the other, from -128 on, are an index."""
    moved = bare(index).producer
    if moved is None or moved.row is not ops.ADD or not _is(moved.operands[1], 128 * 257):
        return None
    total = bare(moved.operands[0]).producer
    if total is None or total.row is not ops.ADD:
        return None
    found = [_operand(b, x, factor) for x, factor in zip(total.operands, (256, 1), strict=True)]
    known = [x for x in found if x is not None]
    return known if len(known) == 2 else None


def _operand(b: XnnBuilder, side: Value, factor: int) -> Value | None:
    """The bytes that are a side of the index, times a factor."""
    if side.constant is not None:
        levels = (side.constant // factor).astype(np.int8)
        return b.const(levels, DType.I8) if np.array_equal(levels.astype(np.int32) * factor, side.constant) else None
    made = bare(side).producer
    if made is not None and factor > 1:
        made = bare(made.operands[0]).producer if made.row is ops.MUL and _is(made.operands[1], factor) else None
    is_byte = made is not None and made.row is ops.CAST and made.operands[0].type.dtype is DType.I8
    return b.reshape(made.operands[0], side.type.static) if made is not None and is_byte else None


def _is(x: Value, number: int) -> bool:
    return x.constant is not None and bool((x.constant == number).all())


def guessed(table: Array) -> Guess | None:
    """The zero points and scale with which Div has these results."""
    low, high = DType.I8.limits
    table = table.astype(np.int64)
    for row in np.flatnonzero((np.sort(table, 1)[:, 1:-1] == np.sort(table, 1)[:, 128:129]).all(1)):
        for column in np.flatnonzero(np.isin(np.delete(table, row, 0), (low, high)).all(0)):
            guess = _scaled(table, int(VALUES[row]), int(VALUES[column]), int(np.median(table[row])))
            if guess is not None and np.array_equal(guess.results(), table):
                return guess
    return None


def _scaled(table: Array, top: int, bottom: int, middle: int) -> Guess | None:
    """The scale in the middle of those with which no quotient inside the range is rounded otherwise."""
    low, high = DType.I8.limits
    steps, by = (VALUES - top).astype(np.float64)[:, None], (VALUES - bottom).astype(np.float64)[None]
    inside = (table > low) & (table < high) & (steps != 0) & (by != 0)
    if not inside.any():
        return None
    share = (np.broadcast_to(by, table.shape) / np.where(steps == 0, 1, steps))[inside]
    ends = np.sort(np.stack([(table[inside] - middle + half) * share for half in (-0.5, 0.5)]), 0)
    scale = float(F32((ends[0].max() + ends[1].min()) / 2))
    return Guess((top, bottom, middle), scale) if 0 < scale < np.inf else None
