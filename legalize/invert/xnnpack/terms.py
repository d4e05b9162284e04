"""Integers as bytes less a zero point, times a whole number."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.tflite.integers import scale_from
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder
from tosa_converter.schemas import tosa_ops as ops


class Term(NamedTuple):
    """Bytes less a zero point, times a whole number."""

    value: Value
    zero_point: int
    factor: int


def term_of(b: XnnBuilder, value: Value) -> Term | None:
    """Returns the bytes that RESCALE makes integers of, in the integers' shape."""
    op = value.producer
    if op is not None and op.row is ops.RESHAPE:
        term = term_of(b, op.operands[0])
        return None if term is None else term._replace(value=b.reshape(term.value, value.type.static))
    scale = scale_from(op) if op is not None and op.row is ops.RESCALE else None
    if op is None or scale is None or op.operands[0].type.dtype is not DType.I8 or scale.multiplier.size > 1:
        return None
    if scale.output_zp or any(scale.unsigned):
        return None
    factor = int(scale.multiplier.reshape(-1)[0]) / (1 << int(scale.shift.reshape(-1)[0]))
    return None if factor % 1 or factor < 1 else Term(op.operands[0], scale.input_zp, int(factor))


def constant_term(b: XnnBuilder, value: Value, least: int, most: int) -> Term | None:
    """Returns a constant as bytes times a number in a range."""
    array = value.constant
    if array is None or not array.any():
        return None
    wide = array.astype(np.int64)
    common = int(np.gcd.reduce(wide.reshape(-1)))
    for factor in (common // part for part in range(1, 256) if common % part == 0):
        levels = wide // factor
        zero_point = int(np.clip(-128 - levels.min(), -128, 127))
        if least <= factor <= most and levels.min() + zero_point >= -128 and levels.max() + zero_point <= 127:
            return Term(b.const((levels + zero_point).astype(np.int8), DType.I8), zero_point, factor)
    return None
