"""Where elements are: ARG_MAX, ARG_MIN, WHERE, UNIQUE."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import FLOATS
from tosa_converter.legalize.operands import affordable, constant_int, held_in_32_bits, narrowed, normalized_axis
from tosa_converter.legalize.tflite.float.segments import running_sums
from tosa_converter.rewriting.bounds import bound_of
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
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
    """WHERE: the coordinates of what isn't 0; at run time as many rows as the user states.

    Raises:
        Decline: the condition isn't constant, and no bound is stated.
    """
    condition = match.source("condition").constant
    condition = match["condition"].constant if condition is None else condition
    if condition is not None:
        return match.builder.const(np.argwhere(condition), DType.I32)
    rows, build, x = bound_of(match, "the number of true elements"), match.builder, match["condition"]
    if not x.type.rank:
        raise Decline(f"coordinates in {x.type}")
    if x.type.dtype is not DType.BOOL:
        wide = build.cast(x, DType.I32) if x.type.dtype.is_integer else x
        x = build.unary(ops.LOGICAL_NOT, build.binary(ops.EQUAL, wide, build.scalar(0, wide)))
    shape = affordable(x.type.static)
    places = build.const(np.indices(shape).reshape(len(shape), -1).T[None], DType.I32)
    return held_in_32_bits(match, chosen_rows(build, places, build.reshape(x, (x.type.elements,)), rows))


def chosen_rows(builder: Builder, values: Value, chosen: Value, rows: int) -> Value:
    """The first `rows` of those rows of `values` [1,W,C] that `chosen` [W] has, then zeros: [rows, C].

    SCATTER wants every index once, so what isn't taken goes to places of its own behind the rows: with W = 3, rows = 1
    and chosen = [no, yes, yes], the indices are [1 + 0, 0, 1 + 2].
    """
    _, count, width = values.type.static
    numbers = running_sums(builder, builder.cast(chosen, DType.I32), 0)
    inside = builder.binary(ops.GREATER, builder.scalar(rows + 1, numbers), numbers)
    taken = builder.binary(ops.LOGICAL_AND, chosen, inside)
    behind = builder.const(np.arange(count) + rows, DType.I32)
    index = builder.select(taken, builder.sub(numbers, builder.scalar(1, numbers)), behind)
    zeros = builder.const(np.zeros(affordable((1, rows + count, width))), values.type.dtype)
    scattered = builder.scatter(zeros, builder.reshape(index, (1, count)), values)
    return builder.reshape(builder.slice(scattered, (0, 0, 0), (1, rows, width)), (rows, width))


# ** UNIQUE **


def unique(match: Match) -> list[Value]:
    """UNIQUE: the elements in the order in which they appear, and where each of all is among them.

    Raises:
        Decline: they aren't constant, and no bound is stated.
    """
    return _unique_constant(match) if match["input"].constant is not None else _unique_at_run_time(match)


def _unique_constant(match: Match) -> list[Value]:
    elements, builder = match.constant("input").reshape(-1), match.builder
    if elements.dtype.kind == "f" and np.isnan(elements).any():
        raise Decline("NaN, which LiteRT's map takes for equal to anything")
    values, first, inverse = np.unique(elements, return_index=True, return_inverse=True)
    order = np.argsort(first)
    numbers = np.argsort(order)[inverse]
    source = match.source("input").type.dtype
    dtype = SIGNLESS.get(source, source)
    shown = values[order]
    stored = narrowed(shown) if source is DType.I64 else shown.view(dtype.numpy)
    return [builder.const(stored, dtype), builder.const(numbers, DType.I32)]


def _unique_at_run_time(match: Match) -> list[Value]:
    """Each element finds the first one that it is equal to; those that find themselves are the result."""
    rows, build, x = bound_of(match, "the number of different elements"), match.builder, match["input"]
    count = x.type.elements
    affordable((count, count))
    compared = x if x.type.dtype in (DType.FP32, DType.I32) else build.cast(x, DType.I32)
    equal = build.binary(ops.EQUAL, build.reshape(compared, (count, 1)), build.reshape(compared, (1, count)))
    first = build.emit(ops.ARGMAX, build.cast(equal, DType.I8), axis=1)  # of several, the first
    themselves = build.binary(ops.EQUAL, first, build.const(np.arange(count), DType.I32))
    numbers = running_sums(build, build.cast(themselves, DType.I32), 0)
    numbers = build.reshape(build.sub(numbers, build.scalar(1, numbers)), (1, count, 1))
    inverse = build.gather(numbers, build.reshape(first, (1, count)))
    values = chosen_rows(build, build.reshape(x, (1, count, 1)), themselves, rows)
    return [held_in_32_bits(match, build.reshape(values, (rows,))), build.reshape(inverse, (count,))]


TYPES = f"{FLOATS} i32 i8 ui8 bool"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.arg_max", TYPES, arg_max),
    Rewrite("tfl.arg_min", TYPES, arg_min),
    Rewrite("tfl.unique", "fp32 ui8 i8 i16 i32 i64", unique),
    Rewrite("tfl.where", "bool fp32 i32 i64 i8 ui8 ui32", where),
)
