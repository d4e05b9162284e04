"""Rules of integers that floats hold: TOSA's arithmetic on them becomes XNNPACK's on floats."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, Value
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import (
    ScaledBytes,
    byte_quant,
    reinterpret,
    reinterpret_as_result,
    scaled_bytes_of_rescale,
)
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

EXACT = 1 << 24  # magnitudes of integers up to it are floats


class Integers(NamedTuple):
    """Integers held in an fp32 tensor, and a bound of their magnitudes."""

    value: Value
    peak: float


@rule(pattern(ops.CAST, "x"), "fp32", of=("x",))
def cast_to_bytes(m: Match) -> Value:
    """CAST(x) from floats to int8 -> XNNPACK's Convert.

    The result's bytes are first those of scale 1 and zero point 0, then reinterpreted with the result's quantization.
    """
    m.require(m.op.result.type.dtype is DType.I8, f"expected CAST to bytes, found {m.op.result.type}")
    return reinterpret_as_result(m, xnn_builder().op("convert", [m.source("x")], dtype=DType.I8), byte_quant(0))


@rule(pattern(ops.CAST, "x"), "i8 i32", of=("x",))
def integers_as_floats(m: Match) -> Value:
    """CAST(integers) to floats -> the integer arithmetic in front of it, computed by XNNPACK on floats.

    XNNPACK has no i32 arithmetic; fp32 is exact up to 2**24, and larger sums or products are declined.
    """
    m.require(m.op.result.type.dtype is DType.FP32, f"expected CAST to fp32, found {m.op.result.type}")
    b, x = xnn_builder(), m.source("x")
    return (_convert_bytes(b, x, 0) if x.type.dtype is DType.I8 else _convert_integers(b, x, {})).value


def _convert_bytes(b: XnnBuilder, x: Value, zero_point: int) -> Integers:
    """Appends XNNPACK's Convert of int8 elements to fp32, which subtracts the zero point.

    Returns the integers, held in fp32, with the largest magnitude that they can have.
    """
    low, high = DType.I8.limits
    value = b.op("convert", [reinterpret(b, x, zero_point)], dtype=DType.FP32)
    return Integers(value, max(high - zero_point, zero_point - low))


def _convert_integers(b: XnnBuilder, x: Value, computed: dict[Value, Integers]) -> Integers:
    """Returns a TOSA value of i32 as integers held in fp32, by XNNPACK nodes; `computed` has those converted before.

    Raises:
        Decline: floats don't hold all integers that they are computed from, or XNNPACK lacks the arithmetic.
    """
    # A sum or product is exact if the bound of its magnitude is at most 2**24, up to which fp32 holds every integer.
    # Example: bytes less a zero point are at most 255, so a sum of 258 products is at most 258 * 255**2 = 16776450,
    # which is below 2**24 = 16777216; a sum of 259 products may not be.
    if x not in computed:
        computed[x] = integers = _compute_in_floats(b, x, computed)
        if integers.peak > EXACT:
            raise Decline(f"expected integers up to 2^24, which floats hold, found them up to {integers.peak:.0f}")
    return computed[x]


def _compute_in_floats(b: XnnBuilder, x: Value, computed: dict[Value, Integers]) -> Integers:
    """Appends the XNNPACK node on floats for the operator that computes an i32 TOSA value.

    Returns its integers, held in fp32, with the largest magnitude that they can have (`peak`). `computed` has the
    results for values that were converted before.

    Raises:
        Decline: a value that isn't computed, or arithmetic that XNNPACK lacks.
    """
    if x.constant is not None:
        real = b.const(x.constant.astype(np.float32), DType.FP32)
        return Integers(real, float(np.abs(x.constant.astype(np.int64)).max(initial=0)))
    op = x.producer
    if op is None or x.type.dtype is not DType.I32:
        raise Decline(f"expected integers of 32 bits that operators compute, found {x.name!r} of {x.type}")
    if op.row in (ops.RESCALE, ops.CAST):
        return _widen_bytes(b, op)
    if op.row not in _PEAKS and op.row not in _UNARY:
        raise Decline(f"expected arithmetic that XNNPACK has for floats, found {op.name}")
    if op.row is ops.MUL and (op.operands[2].constant is None or op.operands[2].constant.any()):
        raise Decline("expected MUL without a shift")
    operands = [_convert_integers(b, value, computed) for value in op.operands[: 2 if op.row in _PEAKS else 1]]
    peaks = [operand.peak for operand in operands]
    peak = _PEAKS[op.row](*peaks) if op.row in _PEAKS else peaks[0]
    if op.row is ops.REDUCE_SUM:
        peak *= op.operands[0].type.static[op.attributes["axis"]]
    constants = op.operands[len(operands) :]
    return Integers(b.emit(op.row, *(operand.value for operand in operands), *constants, **op.attributes), peak)


def _widen_bytes(b: XnnBuilder, op: Op) -> Integers:
    """Returns the i32 result of CAST or RESCALE from int8 as integers held in fp32.

    These are bytes less a zero point; other results are declined.
    """
    term = ScaledBytes(op.operands[0], 0, 1) if op.row is ops.CAST else scaled_bytes_of_rescale(b, op.result)
    if term is None or term.factor != 1 or op.operands[0].type.dtype is not DType.I8:
        raise Decline(f"expected bytes less a zero point, found {op.name} of {op.operands[0].type}")
    return _convert_bytes(b, term.value, term.zero_point)


# By arithmetic operator, the largest magnitude that its result can have, from those of its operands.
_PEAKS: dict[object, Callable[[float, float], float]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a + b,
    ops.MUL: lambda a, b: a * b,
    ops.MAXIMUM: max,
    ops.MINIMUM: max,
}
# Operators of one operand, which keep its magnitudes; REDUCE_SUM multiplies them by the size of its axis.
_UNARY = frozenset({ops.RESHAPE, ops.TRANSPOSE, ops.SLICE, ops.REDUCE_SUM, ops.REDUCE_MAX, ops.REDUCE_MIN})

INTEGERS = (cast_to_bytes, integers_as_floats)
