"""Quotients of bytes, which TOSA looks up by both operands: Div, whose scales and zero points the results show."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.xnnpack.alike import bare
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.labels import as_result, label, labelled, read
from tosa_converter.legalize.quant.elements import VALUES, OutputQuant
from tosa_converter.legalize.quant.xnnpack_rounding import quantized_levels
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

PAIRS = 1 << 16
F32 = np.float32


class Division(NamedTuple):
    """Zero points of dividend, divisor and quotient, and the scale of the dividend where both others' are 1."""

    zero_points: tuple[int, int, int]
    scale: float

    def results(self) -> Array:
        """What XNNPACK computes of all pairs."""
        top, bottom = ((VALUES - zero_point).astype(F32) for zero_point in self.zero_points[:2])
        with np.errstate(all="ignore"):
            quotients = (top * F32(self.scale))[:, None] / bottom
            return quantized_levels(quotients, OutputQuant(F32(1), self.zero_points[2], unsigned=False))


@rule(pattern(ops.RESHAPE, pattern(ops.GATHER, "table", "index")), "i8", of=("table",))
def quotient(m: Match) -> Value:
    """RESHAPE(GATHER(table of all pairs, index)) -> Div."""
    b, table = xnn_builder(), m.constant("table")
    m.require(table.size == PAIRS, f"expected the results of all {PAIRS} pairs of bytes, found {table.size}")
    operands = _operands(b, m.source("index"))
    division = division_of(table.reshape(256, 256))
    if division is None:
        raise Decline("Div has no scales with these results")
    scales = division.scale, 1.0
    x, y = (read(b, *operand) for operand in zip(operands, division.zero_points[:2], scales, strict=True))
    result = label(division.zero_points[2])
    return as_result(m, b.reshape(labelled(b.op("div", [x, y]), result), m.op.result.type.static), result)


def _operands(b: XnnBuilder, index: Value) -> list[Value]:
    """Returns the bytes of which one times 256 and the other, from -128 on, are an index.

    Raises:
        Decline: it is computed otherwise.
    """
    moved = bare(index).producer
    total = bare(moved.operands[0]).producer if moved is not None and moved.row is ops.ADD else None
    if moved is None or total is None or total.row is not ops.ADD or not _is(moved.operands[1], 128 * 257):
        raise Decline("its index is not of pairs of bytes")
    return [_operand(b, x, factor) for x, factor in zip(total.operands, (256, 1), strict=True)]


def _operand(b: XnnBuilder, side: Value, factor: int) -> Value:
    """Returns the bytes that are a side of the index, times a factor.

    Raises:
        Decline: it isn't computed from bytes.
    """
    if side.constant is not None:
        levels = (side.constant // factor).astype(np.int8)
        if np.array_equal(levels.astype(np.int32) * factor, side.constant):
            return b.const(levels, DType.I8)
        raise Decline("a side of its index is a constant that is not of bytes")
    producer = bare(side).producer
    if producer is not None and factor > 1:
        scaled = producer.row is ops.MUL and _is(producer.operands[1], factor)
        producer = bare(producer.operands[0]).producer if scaled else None
    if producer is None or producer.row is not ops.CAST or producer.operands[0].type.dtype is not DType.I8:
        raise Decline("a side of its index is not computed from bytes")
    return b.reshape(producer.operands[0], side.type.static)


def _is(x: Value, number: int) -> bool:
    return x.constant is not None and bool((x.constant == number).all())


def division_of(table: Array) -> Division | None:
    """The zero points and scale with which Div has these results."""
    low, high = DType.I8.limits
    table = table.astype(np.int64)
    for row in np.flatnonzero((np.sort(table, 1)[:, 1:-1] == np.sort(table, 1)[:, 128:129]).all(1)):
        for column in np.flatnonzero(np.isin(np.delete(table, row, 0), (low, high)).all(0)):
            division = _scaled(table, int(VALUES[row]), int(VALUES[column]), int(np.median(table[row])))
            if division is not None and np.array_equal(division.results(), table):
                return division
    return None


def _scaled(table: Array, top: int, bottom: int, middle: int) -> Division | None:
    """The scale in the middle of those with which no quotient inside the range is rounded otherwise."""
    low, high = DType.I8.limits
    steps, by = (VALUES - top).astype(np.float64)[:, None], (VALUES - bottom).astype(np.float64)[None]
    inside = (table > low) & (table < high) & (steps != 0) & (by != 0)
    if not inside.any():
        return None
    share = (np.broadcast_to(by, table.shape) / np.where(steps == 0, 1, steps))[inside]
    ends = np.sort(np.stack([(table[inside] - middle + half) * share for half in (-0.5, 0.5)]), 0)
    scale = float(F32((ends[0].max() + ends[1].min()) / 2))
    return Division((top, bottom, middle), scale) if 0 < scale < np.inf else None
