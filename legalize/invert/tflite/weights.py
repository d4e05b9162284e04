"""Stored weights in TFLite: a constant with its quantization, and DEQUANTIZE."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, TensorType, Value
from tosa_converter.legalize.invert.expansions import Expansions, evaluate
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.opsets import TFL_CONSTANT

BITS = {4: DType.I4, 6: DType.I2}  # by how far the unpacking shifts right


class Scaling(NamedTuple):
    """A CAST of integers to fp32 and what is behind it: the scales and zero points, which broadcast to them."""

    stored: Value
    scale: Array
    zero_point: Array


def as_dequantize(value: Value, chain: Sequence[Op]) -> Op | None:
    """Returns the DEQUANTIZE that replaces the operators `chain`, which expand stored weights to `value`; or None.

    If the last one is CAST from fp16, its constant is in fp16; otherwise it has the integers that the chain unpacks,
    scales and shifts by zero points. None: the operators compute something else, or use scales that TFLite doesn't
    have.
    """
    last, location = chain[-1], chain[-1].location
    if last.row is ops.CAST and last.operands[0].type.dtype is DType.FP16 and value.type.dtype is DType.FP32:
        return _dequantize(last.operands[0].constant, TensorType(DType.FP16, value.type.shape), value, location)
    scaling = find_scaling(value)
    if scaling is None:
        return None
    quant = quantization(scaling)
    if quant is None or value.type.dtype is not DType.FP32:
        return None
    unpacking = [op for op in chain if op.result.type.dtype is DType.I8]
    elements = evaluate(scaling.stored, unpacking) if unpacking else scaling.stored.constant
    return _dequantize(elements, TensorType(_stored_type(unpacking), value.type.shape, quant), value, location)


def _stored_type(unpacking: Sequence[Op]) -> DType:
    """Returns the type of the packed integers that operators unpack, by how far they shift right: I4 or I2.

    I8 stands for integers that no operator unpacks.
    """
    shifts = [op.operands[1].constant for op in unpacking if op.row is ops.ARITHMETIC_RIGHT_SHIFT]
    return BITS.get(int(shifts[0].reshape(-1)[0]), DType.I8) if shifts and shifts[0] is not None else DType.I8


def _dequantize(elements: Array | None, type: TensorType, value: Value, location: str) -> Op | None:
    """Returns the DEQUANTIZE of a constant of this type, whose result has the shape of `value`.

    None if `elements` is None, which stands for operands that aren't constant.
    """
    if elements is None:
        return None
    stored = Op(TFL_CONSTANT, (), [type], {"values": elements}, location=location).result
    return Op("tfl.dequantize", [stored], [TensorType(DType.FP32, value.type.shape)], {}, location=location)


def find_scaling(value: Value) -> Scaling | None:
    """Returns the integers, scales and zero points of `(CAST(integers) - zero points) * scales`, or None."""
    product = value.producer
    if product is None or product.row is not ops.MUL:
        return None
    real, scale = product.operands[0], product.operands[1].constant
    difference = real.producer
    zero_point = np.zeros((1,) * value.type.rank, np.float32)
    if difference is not None and difference.row is ops.SUB and difference.operands[1].constant is not None:
        real, zero_point = difference.operands[0], difference.operands[1].constant
    cast = real.producer
    if scale is None or cast is None or cast.row is not ops.CAST or cast.operands[0].type.dtype is not DType.I8:
        return None
    return Scaling(cast.operands[0], scale, zero_point)


def quantization(scaling: Scaling) -> Quant | None:
    """Returns scales and zero points as a quantization with one scale or one along an axis; None for others."""
    shape = np.broadcast_shapes(scaling.scale.shape, scaling.zero_point.shape)
    long = [axis for axis, size in enumerate(shape) if size != 1]
    zero_points = np.broadcast_to(scaling.zero_point, shape).reshape(-1)
    scales = np.broadcast_to(scaling.scale, shape).reshape(-1)
    whole = (zero_points == np.rint(zero_points)) & (np.abs(zero_points) <= 128)
    if len(long) > 1 or not whole.all() or not (scales > 0).all():
        return None
    return Quant(tuple(scales.tolist()), tuple(int(zero) for zero in zero_points), long[0] if long else None)


def reshape_weights(x: Value, shape: tuple[int, ...]) -> tuple[Array, TensorType] | None:
    """Returns the constant and its type for DEQUANTIZE of weights in another shape.

    None unless x is the result of DEQUANTIZE of a constant, and its axis of scales stays one.

    Example: weights [64, 1, 1, 96] with a scale for each of the 64 as [64, 96].
    """
    op = x.producer
    stored = op.operands[0] if op is not None and op.name == "tfl.dequantize" else None
    if stored is None or stored.constant is None:
        return None
    quant = stored.type.quant
    if quant is not None and quant.axis is not None:
        before = stored.type.static
        # The axis of the new shape that has the same size and as many elements in front of it.
        fronts = [int(np.prod(shape[:axis])) for axis in range(len(shape))]
        front, size = int(np.prod(before[: quant.axis])), before[quant.axis]
        axes = [axis for axis, length in enumerate(shape) if length == size and fronts[axis] == front]
        if not axes:
            return None
        quant = quant._replace(axis=axes[0])
    return stored.constant.reshape(shape), TensorType(stored.type.dtype, shape, quant)


EXPANSIONS = Expansions(as_dequantize)
