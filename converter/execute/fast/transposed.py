"""TRANSPOSE_CONV2D (2.3.10): one matrix product per kernel position, added into place."""

from dataclasses import dataclass

import numpy as np

from tosa_converter.execute.definition.base import Run
from tosa_converter.execute.fast.base import Facts, prepared, work_type
from tosa_converter.execute.fast.convolution import ACCUMULATORS, integers, long_row
from tosa_converter.execute.fast.gemm import EXACT_FP32, magnitude
from tosa_converter.ir import Array, Op


@dataclass(frozen=True, slots=True)
class _Weights:
    matrices: list[Array]  # [IC, OC] per kernel position, in a type that the sums over all of them are exact in
    bias: Array  # one row of the output
    zero: int
    safe: bool


def transpose_conv2d(op: Op, facts: Facts) -> Run:
    """Returns a function that computes TRANSPOSE_CONV2D (2.3.10)."""
    source, out = op.operands[0].type.dtype, op.result.type.dtype.numpy
    shape = op.result.type.static

    def long(vector: Array) -> Array:
        return long_row(vector, shape[3], shape[2])

    def floats(weight: Array, bias: Array, *_zero_points: Array) -> _Weights:
        work = work_type(source)
        return _Weights(_matrices(weight.astype(work)), long(bias.astype(work)), 0, True)

    def whole(weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        zero = int(input_zp[0])
        wide = weight.astype(np.int64) - int(weight_zp[0])
        peak = magnitude(source.bits, zero)
        # No partial sum exceeds the magnitudes of all products of an output channel: of int8 with 8 channels, a 3x3
        # kernel and zero points of 0 72 * 128 * 128 = 1179648. fp32 holds all integers up to 2**24.
        reach = int(np.abs(wide).sum(axis=(1, 2, 3)).max()) * peak
        work = np.dtype(np.float32 if reach <= EXACT_FP32 else np.float64)
        safe = reach + float(np.abs(bias.astype(np.int64)).max()) <= ACCUMULATORS[op.result.type.dtype][1]
        return _Weights(_matrices(wide.astype(work)), long(bias), zero, safe)

    weights = prepared(op, facts, (1, 2, 3, 4), floats if source.is_float else whole)

    def run(*inputs: Array) -> Array:
        operands = weights(inputs)
        total = _scattered(op, inputs[0], operands).reshape(-1, operands.bias.size)
        if source.is_float:
            total += operands.bias
            return total.astype(out, copy=False).reshape(shape)
        return integers(op, facts, total, operands.bias, out, operands.safe).reshape(shape)

    return run


def _matrices(weight: Array) -> list[Array]:
    """Returns weights [OC, KH, KW, IC] as a matrix [IC, OC] per kernel position."""
    return [weight[:, ky, kx].T for ky, kx in np.ndindex(weight.shape[1:3])]


def _scattered(op: Op, x: Array, weights: _Weights) -> Array:
    """Returns the sums of products on the output's grid.

    The grid is taken apart into phases by stride, in each of which the positions that one kernel position adds to
    lie side by side.
    """
    channels, kernel_y, kernel_x, _ = op.operands[1].type.static
    (stride_y, stride_x), (top, bottom, left, right) = op.attributes["stride"], op.attributes["out_pad"]
    count, height, width, depth = x.shape
    values = x.reshape(-1, depth).astype(weights.matrices[0].dtype)
    if weights.zero:
        values -= weights.zero
    above, before = max(top, 0), max(left, 0)
    rows = (height - 1) * stride_y + kernel_y + above + max(bottom, 0)
    columns = (width - 1) * stride_x + kernel_x + before + max(right, 0)
    grid = np.zeros((stride_y, stride_x, count, -(-rows // stride_y), -(-columns // stride_x), channels), values.dtype)
    for (ky, kx), matrix in zip(np.ndindex(kernel_y, kernel_x), weights.matrices, strict=True):
        (y, phase_y), (x0, phase_x) = divmod(above + ky, stride_y), divmod(before + kx, stride_x)
        part = grid[phase_y, phase_x, :, y : y + height, x0 : x0 + width]
        part += (values @ matrix).reshape(part.shape)
    whole = grid.transpose(2, 3, 0, 4, 1, 5).reshape(
        count, grid.shape[3] * stride_y, grid.shape[4] * stride_x, channels
    )
    # Negative padding is cut off.
    return whole[:, max(-top, 0) : rows - max(-bottom, 0), max(-left, 0) : columns - max(-right, 0)]
