"""What bytes stand for: their scales and zero points, which may be any as long as the bytes stay the same."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Quant, TensorType, Value
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.rewriting.match import Match

BYTES = (DType.I8, DType.UI8)


def label(zero_point: int, scale: float = 1.0) -> Quant:
    """One scale and zero point."""
    return Quant((scale,), (zero_point,))


SOFTMAX = label(-128, 1 / 256)  # of the results of SOFTMAX


def read(b: XnnBuilder, x: Value, zero_point: int, scale: float = 1.0) -> Value:
    """Bytes with another label."""
    if x.constant is not None:
        return b.with_quant(x.constant, x.type._replace(quant=label(zero_point, scale)))
    (old_scale, *_), (old_zero_point, *_), *_ = x.type.quant or label(0)
    if old_zero_point != zero_point:
        difference = old_zero_point - zero_point
        level = int(np.clip(difference, *DType.I8.limits))
        x = _with(b, "add", x, level, label(level - difference, old_scale), label(zero_point, old_scale))
    if old_scale != scale:
        x = _with(b, "multiply", x, 1, label(0, float(np.float32(scale / old_scale))), label(zero_point, scale))
    return x


def _with(b: XnnBuilder, name: str, x: Value, level: int, quant: Quant, result: Quant) -> Value:
    """The result of a node of bytes and a constant of one element."""
    shape, dtype = (1,) * x.type.rank, x.type.dtype
    constant = b.with_quant(np.full(shape, level, dtype.numpy), TensorType(dtype, shape, quant))
    return labelled(b.op(name, [x, constant]), result)


def labelled(y: Value, quant: Quant) -> Value:
    """A result with its label."""
    y.type = y.type._replace(quant=quant)
    return y


def as_result(m: Match, y: Value, quant: Quant) -> Value:
    """Returns bytes with a label in the label of a match's result."""
    own = m.op.result.type.quant
    y = labelled(y, quant)
    return y if own is None else read(xnn_builder(), y, own.zero_point[0], own.scale[0])
