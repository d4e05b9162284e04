"""AVG_POOL2D, MAX_POOL2D and their adaptive forms: one axis after the other, by a shifted view per kernel position."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import ADD_FITS, Kernel, require
from tosa_converter.execute.definition.scaling import reciprocal_scale
from tosa_converter.execute.fast.base import (
    LEAST_I32,
    MOST_I32,
    BindKernel,
    Index,
    PlanContext,
    compute_dtype,
    prepare_once,
)
from tosa_converter.execute.fast.rescale import GuardedRescaler
from tosa_converter.execute.fast.rescale_proof import Scaling, prove_multiply_add_rescaler
from tosa_converter.ir import Array, Op
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef


class _PoolingAxis(NamedTuple):
    """How AVG_POOL2D or MAX_POOL2D combines elements along one axis of an NHWC array, which depends on shapes only.

    Attributes:
        axis: the axis.
        padded: the shape with padding; empty without padding.
        inner: where the array stands in the padded one.
        taps: what every position of the kernel reads; empty if one window covers the axis.
    """

    axis: int
    padded: tuple[int, ...]
    inner: Index
    taps: list[Index]


_FindPoolingAxes: TypeAlias = Callable[[tuple[int, ...]], list[_PoolingAxis]]


def _bind_pooling_axes(op: Op) -> _FindPoolingAxes:
    """Returns a function from an input shape to the steps of pooling along height and width; it caches results."""
    return cache(partial(_find_pooling_axes, op))


def _find_pooling_axes(op: Op, dims: tuple[int, ...]) -> list[_PoolingAxis]:
    """Returns how to pool an array of this shape along height, then width; an axis that stays as it is, is left out."""
    shape = list(dims)
    pad, kernels, strides = (op.attributes[key] for key in ("pad", "kernel", "stride"))
    pooling_axes = []
    for axis, kernel, stride in zip((1, 2), kernels, strides, strict=True):
        before, after = pad[2 * axis - 2 : 2 * axis]
        leading_axes = (slice(None),) * axis
        inner = (*leading_axes, slice(before, before + shape[axis]))
        shape[axis] += before + after
        padded = tuple(shape) if before or after else ()
        shape[axis] = count = (shape[axis] - kernel) // stride + 1
        # 7 rows, a kernel of 3 and a stride of 2 give (7 - 3) // 2 + 1 = 3 windows. Tap 1 reads row 1 of each window,
        # rows 1, 3 and 5 of the input: slice(1, 6, 2).
        taps = [(*leading_axes, slice(k, k + (count - 1) * stride + 1, stride)) for k in range(kernel)]
        # idiv_check of the specification wants (size - kernel) to be a multiple of the stride, so a single window
        # always covers the whole padded axis: one reduction along it replaces the taps.
        if kernel > 1 or stride > 1 or padded:
            pooling_axes.append(_PoolingAxis(axis, padded, inner, taps=taps if count > 1 else []))
    return pooling_axes


def _pool(x: Array, find_axes: _FindPoolingAxes, combine: np.ufunc, fill: Any) -> Array:
    """Combines the elements of each window by a numpy function, axis by axis; padding holds `fill`.

    `find_axes` returns what to do along each axis: the shape with padding, where x stands in it, and an index for each
    kernel position (`taps`), or none if one window covers the axis.
    """
    for axis, padded, inner, taps in find_axes(x.shape):
        if padded:
            whole = np.empty(padded, x.dtype)
            whole.fill(fill)
            whole[inner] = x
            x = whole
        if not taps:
            x = combine.reduce(x, axis=axis, dtype=x.dtype, keepdims=True)
            continue
        first, *rest = [x[tap] for tap in taps]
        x = combine(first, rest[0]) if rest else first
        for tap in rest[1:]:
            combine(x, tap, out=x)
    return x


def max_pool2d(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes MAX_POOL2D (2.3.8): the maximum of each window."""
    dtype = op.result.type.dtype
    work, out = compute_dtype(dtype), dtype.numpy
    ignore = dtype.is_float and op.attributes.get("nan_mode") == "IGNORE"
    # Padding must never win. fmax drops NaN, so with IGNORE a window of NaN and padding stays NaN; padded with
    # -infinity it would become -infinity.
    fill: Any = np.iinfo(out).min if not dtype.is_float else np.nan if ignore else -np.inf
    combine, find_axes = np.fmax if ignore else np.maximum, _bind_pooling_axes(op)
    return lambda x: _pool(x.astype(work, copy=False), find_axes, combine, fill).astype(out, copy=False)


def _window_counts(op: Op) -> Array:
    """Returns how many input positions, without padding, each window covers, [OH, OW, 1]: the divisors of averages."""
    _, height, width, _ = op.operands[0].type.static
    # 4x4 input, kernel 3x3, padding of 1 and stride 1: the window at the corner covers 4 elements, one at an edge 6,
    # and one inside 9. Summing ones with zeros as padding counts them.
    covered: Array = _pool(np.ones((1, height, width, 1), np.int64), _bind_pooling_axes(op), np.add, 0)[0]
    return covered


def avg_pool2d(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes AVG_POOL2D (2.3.2): each window's sum over its number of input positions."""
    dtype = op.result.type.dtype
    counts = _window_counts(op)
    if not dtype.is_float:
        return _bind_integer_average(op, plan_context, counts)
    work, out, find_axes = compute_dtype(dtype), dtype.numpy, _bind_pooling_axes(op)
    divisor = counts.astype(work)
    return lambda x, *_zero_points: (_pool(x.astype(work, copy=False), find_axes, np.add, 0) / divisor).astype(
        out, copy=False
    )


def _bind_integer_average(op: Op, plan_context: PlanContext, counts: Array) -> Kernel:
    """Returns a function for AVG_POOL2D of integers: (sum - count * zero point) / count, by apply_scale_32.

    `counts` has the number of input positions that each window covers.
    """
    dtype = op.result.type.dtype
    limits = np.iinfo(dtype.numpy)
    multiplier, shift = reciprocal_scale(counts)
    # No sum of int8 exceeds count * 128 in magnitude: 255 elements reach 32640, which int16 holds, and 256 reach 32768,
    # which takes int32. Taking away count * zero point at most doubles it.
    # `work` is the type to sum in, the narrowest of three that holds all sums.
    peak = int(counts.max()) << (dtype.bits - 1)
    work: Any = np.int16 if peak <= np.iinfo(np.int16).max else np.int32 if 2 * peak <= MOST_I32 else np.int64

    def bind_scaling(input_zp: Array, output_zp: Array) -> Callable[[Array], Array]:
        """Returns a function from window sums to averages in the result's type, for these zero points.

        For int8 whose windows all cover equally many elements, it is a multiply-add in fp64 if that is proved exact.
        """
        scaling = Scaling(multiplier, shift, int(output_zp[0]), limits.min, limits.max, double_round=False)
        zero = int(input_zp[0])
        if dtype is DType.I8 and counts.min() == counts.max() and work is not np.int64:
            # All windows cover n elements, so the zero point is a bias of -n * zero: -147 for 49 elements and 3.
            one_window = scaling._replace(multiplier=multiplier.reshape(-1)[:1], shift=shift.reshape(-1)[:1])
            rescaler = prove_multiply_add_rescaler(
                one_window, -zero * counts.reshape(-1)[:1].astype(np.float64), np.full(1, float(peak))
            )
            if rescaler is not None:
                return rescaler
        scale = GuardedRescaler.prepare(scaling, 2 * peak)
        zero_sums = (counts * zero).astype(np.int64 if work is np.int64 else np.int32)

        def average_sums(total: Array) -> Array:
            """Returns (sum - count * zero point) / count, rounded; with checks, differences must fit i32."""
            sums = total - zero_sums
            # For int16 and int32, `work` is chosen so that 2 * peak < 2**31: every difference fits i32.
            if plan_context.check and work is np.int64:
                fits = sums.min() >= LEAST_I32 and sums.max() <= MOST_I32
                require(op, ADD_FITS, fits)
            return scale(sums, dtype.numpy)

        return average_sums

    scaled, find_axes = prepare_once(op, plan_context, (1, 2), bind_scaling), _bind_pooling_axes(op)
    return lambda *inputs: scaled(inputs)(_pool(inputs[0].astype(work), find_axes, np.add, 0))


def adaptive_pool(row: OpDef) -> BindKernel:
    """Returns the plan (operator to kernel) of an adaptive pooling, as that of `row`, AVG_POOL2D or MAX_POOL2D."""
    bind = avg_pool2d if row is ops.AVG_POOL2D else max_pool2d

    def bind_adaptive(op: Op, plan_context: PlanContext) -> Kernel:
        """Returns a function that computes the pooling with the kernel, stride and padding of its last operands."""
        count = len(op.operands) - 3

        def bind_pooling(kernel: Array, stride: Array, pad: Array) -> Kernel:
            """Returns the kernel of the pooling that has these sizes as attributes."""
            sizes = {"kernel": kernel, "stride": stride, "pad": pad}
            attributes = {name: tuple(array.tolist()) for name, array in sizes.items()}
            pooling = Op(row, op.inputs[:count], [op.result.type], {**op.attributes, **attributes})
            return bind(pooling, plan_context)

        compute = prepare_once(op, plan_context, range(count, count + 3), bind_pooling)
        return lambda *inputs: compute(inputs)(*inputs[:count])

    return bind_adaptive
