"""SOFTMAX on 8-bit elements, in the fixed-point arithmetic of the reference kernel (reference/softmax.h).

exp() depends on the distance from the row's maximum alone, so a GATHER of 256 words replaces it; the reciprocal of the
sum is three Newton steps on one number a row.
"""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.tflite.quantized.arithmetic import high_mul, quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import (
    INT8_MIN,
    TIMES_ONE,
    eight_bit,
    operand,
    reference_or_compact,
    to_result_type,
)
from tosa_converter.legalize.tflite.quantized.fixed_point import SLOPE, START, exp_on_negative_values
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

SCALED_DIFF_BITS = 5
SUM_BITS = 12
# From so many columns on, a row of equal elements makes the kernel abort.
ROW_LIMIT = 512


def softmax(match: Match) -> Value:
    """SOFTMAX over the last dimension; exp in Q0.31, the sum in Q12.19, its reciprocal in Q0.31."""
    build = match.builder
    x = operand(match, "input")
    shape = x.value.type.static
    last = len(shape) - 1
    largest = build.reduce(ops.REDUCE_MAX, x.value, last, nan_mode="PROPAGATE") if shape[last] > 1 else x.value
    below = build.sub(build.cast(largest, DType.I32), build.cast(x.value, DType.I32))
    values = exponentials(np.float64(match.attributes(tflite.SoftmaxOptions).beta), np.float64(x.scale))
    table = build.const(values.reshape(1, -1, 1), DType.I32)
    exp = build.reshape(build.gather(table, build.reshape(below, (1, below.type.elements))), shape)
    terms = build.arithmetic_right_shift(exp, build.scalar(SUM_BITS, exp), round=True)
    total = build.reduce(ops.REDUCE_SUM, terms, last) if shape[last] > 1 else terms
    headroom = build.unary(ops.CLZ, total)
    inverse = _reciprocal(match, total, headroom)
    shift = build.sub(build.scalar(SUM_BITS + 31 - 8, headroom), headroom)
    if shape[last] >= ROW_LIMIT:
        shift = build.minimum(shift, build.scalar(31, shift))
    if not _one_is_exact(values):
        inverse = build.minimum(inverse, build.scalar((1 << 30) - 1, inverse))
    y = build.arithmetic_right_shift(build.mul(exp, inverse, 30), shift, round=True)
    return to_result_type(match, build.rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MIN))


def exponentials(beta: np.float64, scale: np.float64) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """exp(-distance * scale * beta) in Q0.31 for 0 to 255 (PreprocessSoftmaxScaling, CalculateInputRadius)."""
    real = min(float(beta * scale) * (1 << (31 - SCALED_DIFF_BITS)), 2.0**31 - 1)
    if not real > 1:
        raise Decline(f"scale times beta of {beta * scale:.3g}, which the kernel refuses")
    m, shift = (int(part[0]) for part in quantize_multiplier(real))
    radius = ((1 << SCALED_DIFF_BITS) - 1) * (1 << (31 - SCALED_DIFF_BITS)) // (1 << shift)
    distance = np.arange(256)
    kept = distance <= radius
    scaled = high_mul(-np.where(kept, distance, 0) << shift, m)
    return np.where(kept, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0)


def _one_is_exact(values: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> bool:
    """Whether a reciprocal of 1, where the kernel's saturates just below, leaves every result of a shift the same."""
    shifts = np.arange(SUM_BITS + 31 - 8 - 12, 32)
    above = values[values > 1 << 30, None]
    return not (above % (1 << shifts) == 1 << (shifts - 1)).any()


def _reciprocal(match: Match, total: Value, headroom: Value) -> Value:
    """GetReciprocal before its last doubling: 1 / normalized sum by Newton's method on half of it, in Q1.30."""
    build = match.builder
    half = build.binary(ops.LOGICAL_LEFT_SHIFT, total, build.sub(headroom, build.scalar(1, headroom)))
    x = build.add(build.mul(half, build.scalar(SLOPE, half), 31), build.scalar(START, half))
    for _ in range(3):
        error = build.sub(build.scalar(1 << 29, half), build.mul(half, x, 31))
        change = build.binary(ops.LOGICAL_LEFT_SHIFT, build.mul(x, error, 31), build.scalar(2, half))
        x = build.add(x, change)
    return x


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.softmax", BYTES, softmax, (eight_bit(0), reference_or_compact)),)
