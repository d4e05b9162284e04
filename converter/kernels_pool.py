"""AVG_POOL2D and MAX_POOL2D (2.3.2, 2.3.8): separable, one shifted view per kernel position of an axis."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tosa_converter.ir import Array, DType, Op
from tosa_converter.kernels_base import Mode, Run, prepared
from tosa_converter.kernels_rescale import Scale
from tosa_converter.kernels_steps import Scaling, proven


def _pooled(x: Array, op: Op, combine: np.ufunc, fill: Any) -> Array:
    """Combine every window of an NHWC array; padding holds `fill`."""
    (top, bottom, left, right), kernel, stride = (op.attributes[key] for key in ("pad", "kernel", "stride"))
    for axis, before, after in ((1, top, bottom), (2, left, right)):
        x = _windows(x, axis, (before, after), kernel[axis - 1], stride[axis - 1], combine, fill)
    return x


def _windows(
    x: Array, axis: int, pad: tuple[int, int], kernel: int, stride: int, combine: np.ufunc, fill: Any
) -> Array:
    if any(pad):
        shape = list(x.shape)
        shape[axis] += sum(pad)
        padded = np.full(shape, fill, x.dtype)
        padded[(slice(None),) * axis + (slice(pad[0], pad[0] + x.shape[axis]),)] = x
        x = padded
    count = (x.shape[axis] - kernel) // stride + 1
    if count == 1:
        return np.asarray(combine.reduce(x, axis=axis, dtype=x.dtype, keepdims=True))
    taps = [x[(slice(None),) * axis + (slice(k, k + (count - 1) * stride + 1, stride),)] for k in range(kernel)]
    if kernel == 1:
        return taps[0]
    result: Array = combine(taps[0], taps[1])
    for tap in taps[2:]:
        combine(result, tap, out=result)
    return result


def max_pool2d(op: Op, mode: Mode) -> Run:
    """2.3.8."""
    dtype = op.result.type.dtype
    work, out = mode.work(dtype), mode.numpy(dtype)
    ignore = dtype.is_float and op.attributes.get("nan_mode") == "IGNORE"
    fill: Any = np.iinfo(out).min if not dtype.is_float else np.nan if ignore else -np.inf
    combine = np.fmax if ignore else np.maximum
    return lambda x: np.asarray(_pooled(x.astype(work, copy=False), op, combine, fill).astype(out, copy=False))


def _counts(op: Op) -> Array:
    """How many input positions each window covers, [OH, OW, 1]."""
    _, height, width, _ = op.operands[0].type.static
    covered: Array = _pooled(np.ones((1, height, width, 1), np.int64), op, np.add, 0)[0]
    return covered


def avg_pool2d(op: Op, mode: Mode) -> Run:
    """2.3.2."""
    dtype = op.result.type.dtype
    counts = _counts(op)
    if not dtype.is_float:
        return _integer_average(op, mode, counts)
    work, out = mode.work(dtype), mode.numpy(dtype)
    divisor = counts.astype(work)
    return lambda x, *_zero_points: (_pooled(x.astype(work, copy=False), op, np.add, 0) / divisor).astype(out)


def reciprocal_scale(counts: Array) -> tuple[Array, Array]:
    """The multiplier and shift of chapter 4.5.5 that divide by `counts`."""
    k = np.frexp((counts - 1).astype(np.float64))[1].astype(np.int64)
    return (((1 << 30) + 1) << k) // counts, 30 + k


def _integer_average(op: Op, mode: Mode, counts: Array) -> Run:
    dtype = op.result.type.dtype
    limits = np.iinfo(dtype.numpy)
    multiplier, shift = reciprocal_scale(counts)
    peak = int(counts.max()) << (dtype.bits - 1)
    work = np.int16 if peak <= np.iinfo(np.int16).max else np.int32

    def scaling(input_zp: Array, output_zp: Array) -> Callable[[Array], Array]:
        offset, zero = int(output_zp[0]), int(input_zp[0])
        if dtype is DType.I8 and counts.min() == counts.max():
            every = Scaling(multiplier.reshape(-1)[:1], shift.reshape(-1)[:1], offset, limits.min, limits.max, False)
            steps = proven(every, -zero * counts.reshape(-1)[:1].astype(np.float64), np.full(1, float(peak)))
            if steps is not None:
                return steps
        scale = Scale.prepare(multiplier, shift, peak=2 * peak, limits=(limits.min, limits.max), offset=offset)
        zeros = (counts * zero).astype(np.int32)
        return lambda total: scale(total - zeros, dtype.numpy)

    scaled = prepared(op, mode, (1, 2), scaling)
    return lambda *inputs: scaled(inputs)(_pooled(inputs[0].astype(work), op, np.add, 0))
