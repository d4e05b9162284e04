"""Where elements are: ARG_MAX, ARG_MIN, WHERE."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import FLOATS
from tosa_converter.legalize.operands import affordable, constant_int, held_in_32_bits, normalized_axis
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops


def arg_max(match: Match) -> Value:
    """ARG_MAX: the first of the largest; a NaN is passed over."""
    return _first(match, least=False)


def arg_min(match: Match) -> Value:
    """ARG_MIN: the first of the least."""
    return _first(match, least=True)


def _first(match: Match, *, least: bool) -> Value:
    """ARGMAX, of the elements in opposite order for the least; TOSA has none on i32 and bool."""
    axis = normalized_axis(constant_int(match, "dim"), match["input"].type.rank)
    return first(match, match["input"], axis, least=least)


def first(match: Match, x: Value, axis: int, *, least: bool) -> Value:
    """The place of the largest or least element along an axis, which is left out."""
    build = match.builder
    if x.type.dtype is DType.BOOL:
        x = build.cast(x, DType.I8)
    if x.type.dtype is DType.I32:
        return held_in_32_bits(match, _first_equal(match, x, axis, least=least))
    if x.type.dtype is DType.I8:  # flipping bits reverses an order, the top one makes uint8 int8
        flipped = (-128 if match.source(0).type.dtype is DType.UI8 else 0) ^ (-1 if least else 0)
        x = build.binary(ops.BITWISE_XOR, x, build.scalar(flipped, x)) if flipped else x
    elif least:
        x = build.negate(x)
    return held_in_32_bits(match, build.emit(ops.ARGMAX, x, axis=axis, nan_mode="IGNORE"))


def _first_equal(match: Match, x: Value, axis: int, *, least: bool) -> Value:
    """The least position whose element is the extreme one."""
    build, size = match.builder, x.type.static[axis]
    extreme = build.reduce(ops.REDUCE_MIN if least else ops.REDUCE_MAX, x, axis, nan_mode="PROPAGATE")
    shape = [size if i == axis else 1 for i in range(x.type.rank)]
    positions = build.const(np.arange(size).reshape(affordable(shape)), DType.I32)
    found = build.select(build.binary(ops.EQUAL, x, extreme), positions, build.scalar(size, positions))
    first = build.reduce(ops.REDUCE_MIN, found, axis, nan_mode="PROPAGATE")
    return build.reshape(first, [n for i, n in enumerate(x.type.static) if i != axis])


def where(match: Match) -> Value:
    """WHERE of a constant: the coordinates of what isn't 0.

    Raises:
        Decline: the condition isn't constant, and so the result's size is known at run time only.
    """
    condition = match.source("condition").constant
    condition = match["condition"].constant if condition is None else condition
    if condition is None:
        raise Decline("the number of true elements is a size of the result, and known at run time only")
    return match.builder.const(np.argwhere(condition), DType.I32)


TYPES = f"{FLOATS} i32 i8 ui8 bool"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.arg_max", TYPES, arg_max),
    Rewrite("tfl.arg_min", TYPES, arg_min),
    Rewrite("tfl.where", "bool fp32 i32 i64 i8 ui8 ui32", where),
)
