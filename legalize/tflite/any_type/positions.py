"""Where elements are: ARG_MAX, ARG_MIN, WHERE, UNIQUE."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS
from tosa_converter.legalize.operands import affordable, constant_int, held_in_32_bits, narrowed, normalized_axis
from tosa_converter.legalize.tflite.float.segments import running_sums
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.bounds import bound_of
from tosa_converter.rewriting.expr import Expr, const, emit
from tosa_converter.rewriting.operators import gather, reduce, reduce_min, scatter
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops


def arg_max(match: Match) -> Expr:
    """ARG_MAX: the first of the largest; a NaN is passed over."""
    return _first(match, least=False)


def arg_min(match: Match) -> Expr:
    """ARG_MIN: the first of the least."""
    return _first(match, least=True)


def _first(match: Match, *, least: bool) -> Expr:
    """ARGMAX, of the elements in opposite order for the least; TOSA has none on i32 and bool."""
    axis = normalized_axis(constant_int(match, "dim"), match["input"].rank)
    return first(match, match["input"], axis, least=least)


def first(match: Match, x: Expr, axis: int, *, least: bool) -> Expr:
    """The place of the largest or least element along an axis, which is left out."""
    if x.dtype is DType.BOOL:
        x = x.cast(DType.I8)
    if x.dtype is DType.I32:
        return held_in_32_bits(match, _first_equal(x, axis, least=least))
    if x.dtype is DType.I8:  # flipping bits reverses an order, the top one makes uint8 int8
        flipped = (-128 if match.source(0).type.dtype is DType.UI8 else 0) ^ (-1 if least else 0)
        x = x ^ flipped if flipped else x
    elif least:
        x = -x
    return held_in_32_bits(match, emit(ops.ARGMAX, x, axis=axis, nan_mode="IGNORE"))


def _first_equal(x: Expr, axis: int, *, least: bool) -> Expr:
    """The least position whose element is the extreme one."""
    size = x.shape[axis]
    extreme = reduce(ops.REDUCE_MIN if least else ops.REDUCE_MAX, x, axis, nan_mode="PROPAGATE")
    shape = [size if i == axis else 1 for i in range(x.rank)]
    positions = const(np.arange(size).reshape(affordable(shape)), DType.I32)
    found = expr.where(x == extreme, positions, size)
    first = reduce_min(found, axis, nan_mode="PROPAGATE")
    return first.reshape([n for i, n in enumerate(x.shape) if i != axis])


def where(match: Match) -> Expr:
    """WHERE: the coordinates of what isn't 0; at run time as many rows as the user states.

    Raises:
        Decline: the condition isn't constant, and no bound is stated.
    """
    condition = match.source("condition").constant
    condition = match["condition"].constant if condition is None else condition
    if condition is not None:
        return const(np.argwhere(condition), DType.I32)
    rows, x = bound_of(match, "the number of true elements"), match["condition"]
    if not x.rank:
        raise Decline(f"coordinates in {x.type}")
    if x.dtype is not DType.BOOL:
        wide = x.cast(DType.I32) if x.dtype.is_integer else x
        x = ~(wide == 0)
    shape = affordable(x.shape)
    places = const(np.indices(shape).reshape(len(shape), -1).T[None], DType.I32)
    return held_in_32_bits(match, chosen_rows(places, x.reshape((x.size,)), rows))


def chosen_rows(values: Expr, chosen: Expr, rows: int) -> Expr:
    """The first `rows` of those rows of `values` [1,W,C] that `chosen` [W] has, then zeros: [rows, C].

    SCATTER wants every index once, so what isn't taken goes to places of its own behind the rows: with W = 3, rows = 1
    and chosen = [no, yes, yes], the indices are [1 + 0, 0, 1 + 2].
    """
    _, count, width = values.shape
    numbers = running_sums(chosen.cast(DType.I32), 0)
    inside = numbers < rows + 1
    taken = chosen & inside
    behind = const(np.arange(count) + rows, DType.I32)
    index = expr.where(taken, numbers - 1, behind)
    zeros = const(np.zeros(affordable((1, rows + count, width))), values.dtype)
    scattered = scatter(zeros, index.reshape((1, count)), values)
    return scattered.slice((0, 0, 0), (1, rows, width)).reshape((rows, width))


# ** UNIQUE **


def unique(match: Match) -> list[Expr]:
    """UNIQUE: the elements in the order in which they appear, and where each of all is among them.

    Raises:
        Decline: they aren't constant, and no bound is stated.
    """
    return _unique_constant(match) if match["input"].constant is not None else _unique_at_run_time(match)


def _unique_constant(match: Match) -> list[Expr]:
    elements = match.constant("input").reshape(-1)
    if elements.dtype.kind == "f" and np.isnan(elements).any():
        raise Decline("NaN, which LiteRT's map takes for equal to anything")
    values, first, inverse = np.unique(elements, return_index=True, return_inverse=True)
    order = np.argsort(first)
    numbers = np.argsort(order)[inverse]
    source = match.source("input").type.dtype
    dtype = SIGNLESS.get(source, source)
    shown = values[order]
    stored = narrowed(shown) if source is DType.I64 else shown.view(dtype.numpy)
    return [const(stored, dtype), const(numbers, DType.I32)]


def _unique_at_run_time(match: Match) -> list[Expr]:
    """Each element finds the first one that it is equal to; those that find themselves are the result."""
    rows, x = bound_of(match, "the number of different elements"), match["input"]
    count = x.size
    affordable((count, count))
    compared = x if x.dtype in (DType.FP32, DType.I32) else x.cast(DType.I32)
    equal = compared.reshape((count, 1)) == compared.reshape((1, count))
    first = emit(ops.ARGMAX, equal.cast(DType.I8), axis=1)  # of several, the first
    themselves = first == const(np.arange(count), DType.I32)
    numbers = running_sums(themselves.cast(DType.I32), 0)
    numbers = (numbers - 1).reshape((1, count, 1))
    inverse = gather(numbers, first.reshape((1, count)))
    values = chosen_rows(x.reshape((1, count, 1)), themselves, rows)
    return [held_in_32_bits(match, values.reshape((rows,))), inverse.reshape((count,))]


TYPES = f"{FLOATS} i32 i8 ui8 bool"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.arg_max", TYPES, arg_max),
    Rewrite("tfl.arg_min", TYPES, arg_min),
    Rewrite("tfl.unique", "fp32 ui8 i8 i16 i32 i64", unique),
    Rewrite("tfl.where", "bool fp32 i32 i64 i8 ui8 ui32", where),
)
