"""TRANSPOSE_CONV2D (2.3.10): one matrix product, whose columns are added into place per kernel position."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.ir import Array, Op
from tosa_converter.kernels_base import Mode, Run, prepared
from tosa_converter.kernels_conv import ACCUMULATORS, integers
from tosa_converter.kernels_gemm import Factor, magnitude


@dataclass(frozen=True, slots=True)
class _Weights:
    factor: Factor  # [IC, KH*KW*OC]
    bias: Array
    zero: int
    work: "np.dtype[Any]"  # what the sums over kernel positions are exact in
    safe: bool
    poison: Array  # what products outside of the input add per output channel: NaN where a weight isn't finite


def transpose_conv2d(op: Op, mode: Mode) -> Run:
    """2.3.10."""
    source, out = op.operands[0].type.dtype, mode.numpy(op.result.type.dtype)

    def floats(weight: Array, bias: Array, *_zero_points: Array) -> _Weights:
        work = mode.work(source)
        poison = (weight * 0).sum(axis=(1, 2, 3)) if mode.extra_multiplies else np.zeros(len(weight))
        wide = weight.astype(work)
        return _Weights(Factor.floats(_columns(wide)), bias.astype(work), 0, work, True, poison)

    def whole(weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        zero = int(input_zp[0])
        wide = weight.astype(np.int64) - int(weight_zp[0])
        peak = magnitude(source.bits, zero)
        reach = int(np.abs(wide).sum(axis=(1, 2, 3)).max()) * peak
        work = np.dtype(np.float32 if reach <= 1 << 24 else np.float64)
        safe = reach + float(np.abs(bias.astype(np.int64)).max()) <= ACCUMULATORS[op.result.type.dtype][1]
        return _Weights(Factor.integers(_columns(wide), peak), bias, zero, work, safe, np.zeros(0))

    weights = prepared(op, mode, (1, 2, 3, 4), floats if source.is_float else whole)

    def run(*inputs: Array) -> Array:
        made = weights(inputs)
        total = _scattered(op, inputs[0], made)
        if source.is_float:
            total += made.bias
            if mode.extra_multiplies:
                total += made.poison
            return total.astype(out, copy=False)
        return integers(op, mode, total, made.bias, out, made.safe)

    return run


def _columns(weight: Array) -> Array:
    """[OC, KH, KW, IC] to [IC, KH*KW*OC]."""
    return weight.transpose(3, 1, 2, 0).reshape(weight.shape[3], -1)


def _scattered(op: Op, x: Array, weights: _Weights) -> Array:
    channels, kernel_y, kernel_x, _ = op.operands[1].type.static
    (stride_y, stride_x), (top, bottom, left, right) = op.attributes["stride"], op.attributes["out_pad"]
    count, height, width, depth = x.shape
    left_side = x.reshape(-1, depth).astype(weights.factor.work)
    if weights.zero:
        left_side -= weights.zero
    products = weights.factor.product(left_side).reshape(count, height, width, kernel_y, kernel_x, channels)
    # A canvas with room for the positive padding; negative padding is cut off it.
    above, before = max(top, 0), max(left, 0)
    rows = (height - 1) * stride_y + kernel_y + above + max(bottom, 0)
    columns = (width - 1) * stride_x + kernel_x + before + max(right, 0)
    canvas = np.zeros((count, rows, columns, channels), weights.work)
    for ky, kx in np.ndindex(kernel_y, kernel_x):
        y, x0 = above + ky, before + kx
        place = canvas[
            :, y : y + (height - 1) * stride_y + 1 : stride_y, x0 : x0 + (width - 1) * stride_x + 1 : stride_x
        ]
        place += products[:, :, :, ky, kx]
    return canvas[:, max(-top, 0) : rows - max(-bottom, 0), max(-left, 0) : columns - max(-right, 0)]
