"""Bytes with scales and zero points, which may be any as long as the bytes stay the same; integers made of bytes."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, TensorType, Value
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.rewriting.match import Match
from tosa_converter.schemas import tosa_ops as ops

BYTES = (DType.I8, DType.UI8)
MAX_PARTS = 255  # of the common divisor of a constant's elements


def byte_quant(zero_point: int, scale: float = 1.0) -> Quant:
    """Returns the quantization of an 8-bit tensor with one zero point and scale."""
    return Quant((scale,), (zero_point,))


SOFTMAX_QUANT = byte_quant(-128, 1 / 256)  # of the results of SOFTMAX


def set_quant(y: Value, quant: Quant) -> Value:
    """Sets the scale and zero point of a value, and returns the value."""
    y.type = y.type._replace(quant=quant)
    return y


def reinterpret(b: XnnBuilder, x: Value, zero_point: int, scale: float = 1.0) -> Value:
    """Returns an XNNPACK tensor with the same bytes, but another scale and zero point: other real numbers.

    Add of a constant changes the zero point, because it adds the number by which the zero points differ. Multiply by
    the byte 1 changes the scale, because that byte stands for the quotient of the scales.
    """
    if x.constant is not None:
        return b.with_quant(x.constant, x.type._replace(quant=byte_quant(zero_point, scale)))
    (old_scale, *_), (old_zero_point, *_), *_ = x.type.quant or byte_quant(0)
    if old_zero_point != zero_point:
        difference = old_zero_point - zero_point
        level = int(np.clip(difference, *DType.I8.limits))
        operand = byte_quant(level - difference, old_scale)
        x = _combine(b, "add", x, level, operand, byte_quant(zero_point, old_scale))
    if old_scale != scale:
        factor = byte_quant(0, float(np.float32(scale / old_scale)))
        x = _combine(b, "multiply", x, 1, factor, byte_quant(zero_point, scale))
    return x


def _combine(b: XnnBuilder, name: str, x: Value, level: int, quant: Quant, result_quant: Quant) -> Value:
    """Appends Add or Multiply (`name`) of x and a constant byte, and returns its result.

    The byte is `level`, with the quantization `quant`; the result has `result_quant`.
    """
    type = TensorType(x.type.dtype, (1,) * x.type.rank, quant)
    constant = b.with_quant(np.full(type.static, level, type.dtype.numpy), type)
    return set_quant(b.op(name, [x, constant]), result_quant)


def reinterpret_as_result(m: Match, y: Value, quant: Quant) -> Value:
    """Returns y in XNNPACK's graph with `quant`, then with the same bytes read with the match's result quantization.

    A result without quantization leaves y with `quant`.
    """
    y, target = set_quant(y, quant), m.op.result.type.quant
    return y if target is None else reinterpret(xnn_builder(), y, target.zero_point[0], target.scale[0])


# ** integers **


class ScaledBytes(NamedTuple):
    """Integers as (value - zero_point) * factor, where `value` is an int8 tensor."""

    value: Value
    zero_point: int
    factor: int


def scaled_bytes_of_rescale(b: XnnBuilder, integers: Value) -> ScaledBytes | None:
    """Returns the int8 tensor that a RESCALE widens to these i32, with its zero point and integer factor; or None.

    A RESHAPE may stand behind the RESCALE.
    """
    op = integers.producer
    if op is not None and op.row is ops.RESHAPE:
        term = scaled_bytes_of_rescale(b, op.operands[0])
        return None if term is None else term._replace(value=b.reshape(term.value, integers.type.static))
    scale = rescale_parameters_of(op) if op is not None and op.row is ops.RESCALE else None
    if op is None or scale is None or op.operands[0].type.dtype is not DType.I8 or scale.multiplier.size > 1:
        return None
    factor = int(scale.multiplier.reshape(-1)[0]) / (1 << int(scale.shift.reshape(-1)[0]))
    if scale.output_zp or any(scale.unsigned) or factor % 1 or factor < 1:
        return None
    return ScaledBytes(op.operands[0], scale.input_zp, int(factor))


def constant_as_scaled_bytes(b: XnnBuilder, integers: Value, least: int, most: int) -> ScaledBytes | None:
    """Returns constant integers as bytes less a zero point, times a factor in [least, most]; or None."""
    # The factor divides all elements, so it is their greatest common divisor divided by a whole number `part`. Bytes
    # less the zero point are then multiples of `part`. They are at most 255, so `part` is 1 to 255.
    # Example: 300 and -200 are 3 and -2 times 100, 6 and -4 times 50, and so on up to 150 and -100 times 2, which are
    # the bytes 122 and -128 less the zero point -28.
    if integers.constant is None or not integers.constant.any():
        return None
    elements: Array = integers.constant.astype(np.int64)
    divisor = int(np.gcd.reduce(elements.reshape(-1)))
    low, high = DType.I8.limits
    for factor in (divisor // part for part in range(1, MAX_PARTS + 1) if divisor % part == 0):
        levels = elements // factor
        zero_point = int(np.clip(low - levels.min(), low, high))
        if least <= factor <= most and levels.min() + zero_point >= low and levels.max() + zero_point <= high:
            return ScaledBytes(b.const((levels + zero_point).astype(np.int8), DType.I8), zero_point, factor)
    return None
