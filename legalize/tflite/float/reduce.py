"""Reductions of floats, i32 and bool."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import NUMBERS, no_narrow_integers
from tosa_converter.legalize.operands import constant_ints, held_in_32_bits, joined_axes, narrowed, normalized_axis
from tosa_converter.rewriting.expr import Expr, const, intdiv
from tosa_converter.rewriting.operators import avg_pool2d, concat, reduce, reduce_product, reduce_sum
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K


def reduced_axes(match: Match, x: Expr) -> list[int]:
    """The axes of operand 1, each once, in order."""
    return sorted({normalized_axis(axis, x.rank) for axis in constant_ints(match, 1)}) if x.rank else []


def reduced_shape(match: Match, x: Expr, axes: list[int]) -> tuple[int, ...]:
    """The result's shape, by `keep_dims`."""
    if match.attributes(tflite.ReducerOptions).keep_dims:
        return tuple(1 if axis in axes else size for axis, size in enumerate(x.shape))
    return tuple(size for axis, size in enumerate(x.shape) if axis not in axes)


def sum_(match: Match) -> Expr:
    """SUM."""
    return held_in_32_bits(match, _reduced(match, ops.REDUCE_SUM))


def _reduced(match: Match, row: OpDef, **attributes: str) -> Expr:
    """All axes at once, so that elements are taken in the kernel's order; a single one where it is."""
    y = x = match[0]
    axes = reduced_axes(match, x)
    if 0 in x.type.shape:
        value = _of_nothing(row, x.dtype)
        return const(np.full(reduced_shape(match, x, axes), value, x.dtype.numpy), x.dtype)
    long = [axis for axis in axes if x.shape[axis] != 1]
    if long:
        joined, axis = (x, long[0]) if len(long) == 1 else (joined_axes(x, axes), 1)
        sums = row is ops.REDUCE_SUM
        y = summed(joined, axis) if sums else reduce(row, joined, axis, **attributes)
    return y.reshape(reduced_shape(match, x, axes))


def _of_nothing(row: OpDef, dtype: DType) -> float:
    """What the kernel begins with, and returns where there is no element to reduce (reduce.cc)."""
    if row in (ops.REDUCE_MAX, ops.REDUCE_MIN):
        limits = np.iinfo(np.int32) if dtype is DType.I32 else np.finfo(np.float32)
        return float(limits.min if row is ops.REDUCE_MAX else limits.max)
    return row in (ops.REDUCE_PRODUCT, ops.REDUCE_ALL)


def summed(x: Expr, axis: int, scale: float = 1) -> Expr:
    """REDUCE_SUM, scaled; of 16-bit floats in fp32, as they hold neither long sums nor their digits."""
    half = x.dtype in (DType.FP16, DType.BF16)
    total = reduce_sum(x.cast(DType.FP32) if half else x, axis)
    total = total * scale if scale != 1 else total
    return total.cast(x.dtype)


def _reduction(row: OpDef, **attributes: str) -> Build:
    def reduction(match: Match) -> Expr:
        return _reduced(match, row, **attributes)

    return reduction


def mean(match: Match) -> Expr:
    """MEAN: AVG_POOL2D divides by the count as the kernel does; more than a window takes is summed and scaled.

    So is one axis of 2**n elements, beside axes of 1, that is none of a window: times 2**-n is rounded as the quotient
    is.
    """
    x = match["input"]
    axes = reduced_axes(match, x)
    if 0 in x.type.shape:
        if x.dtype is DType.I32:
            raise Decline(f"the mean of no integers, of {x.type}")
        return const(np.full(reduced_shape(match, x, axes), np.nan), x.dtype)
    joined = joined_axes(x, axes)
    outer, count, inner = joined.shape
    whole = axes == [1, 2] and x.rank == 4
    long = [axis for axis in axes if x.shape[axis] != 1] or axes
    if x.dtype is DType.I32:
        total = reduce_sum(joined, 1)
        y = held_in_32_bits(match, intdiv(total, count))
    elif len(long) == 1 and count.bit_count() == 1 and not whole and x.shape != (outer, count, 1, inner):
        y = summed(x, long[0], 1 / count)
    elif count > LEVEL_8K.MAX_KERNEL or match.options.numerics == "compact":
        y = summed(joined, 1, 1 / count)
    else:
        image = x if whole else joined.reshape((outer, count, 1, inner))
        kernel = x.shape[1:3] if whole else (count, 1)
        y = avg_pool2d(image, kernel=kernel, stride=(1, 1), pad=(0, 0, 0, 0))
    return y.reshape(reduced_shape(match, x, axes))


def reduce_prod(match: Match) -> Expr:
    """REDUCE_PROD; integers of 64 bits that are constant (sizes of shapes) must fit."""
    x = match["input"]
    if x.dtype is not DType.I32 or 0 in x.type.shape:
        return _reduced(match, ops.REDUCE_PRODUCT)
    axes = reduced_axes(match, x)
    if match.source("input").type.dtype is DType.I64 and x.constant is not None:
        keep = match.attributes(tflite.ReducerOptions).keep_dims
        exact = np.asarray(x.constant.astype(object).prod(axis=tuple(axes), keepdims=keep))
        return const(narrowed(exact), DType.I32)
    made = product(joined_axes(x, axes))
    return held_in_32_bits(match, made.reshape(reduced_shape(match, x, axes)))


def product(x: Expr) -> Expr:
    """The product along the middle one of three axes; TOSA reduces floats only, i32 by halves, which wrap alike."""
    if x.dtype is not DType.I32:
        return reduce_product(x, 1) if x.shape[1] > 1 else x
    outer, size, inner = x.shape
    while size > 1:
        half = size // 2
        first, second = (x.slice((0, i * half, 0), (outer, half, inner)) for i in range(2))
        folded = first * second
        rest = [x.slice((0, size - 1, 0), (outer, 1, inner))] if size % 2 else []
        x, size = concat([folded, *rest], 1), half + len(rest)
    return x


REDUCTIONS: dict[str, tuple[str, Build]] = {
    "sum": (NUMBERS, sum_),
    # A NaN never compares as better, so the kernels pass it over.
    "reduce_max": (NUMBERS, _reduction(ops.REDUCE_MAX, nan_mode="IGNORE")),
    "reduce_min": (NUMBERS, _reduction(ops.REDUCE_MIN, nan_mode="IGNORE")),
    "reduce_all": ("bool", _reduction(ops.REDUCE_ALL)),
    "reduce_any": ("bool", _reduction(ops.REDUCE_ANY)),
    "reduce_prod": (NUMBERS, reduce_prod),
    "mean": (NUMBERS, mean),
}

REWRITES: tuple[Rewrite, ...] = tuple(
    Rewrite(f"tfl.{name}", types, build, (no_narrow_integers,)) for name, (types, build) in REDUCTIONS.items()
)
