"""TRANSPOSE_CONV2D (2.3.10): one matrix product per kernel position, added at that position's outputs."""

from dataclasses import dataclass

import numpy as np

from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.fast.base import PlanContext, compute_dtype, prepare_once
from tosa_converter.execute.fast.convolution import ACCUMULATORS, add_integer_bias, repeat_over_positions
from tosa_converter.execute.fast.gemm import EXACT_FP32, magnitude
from tosa_converter.ir import Array, Op


@dataclass(frozen=True, slots=True)
class _Weights:
    """The constant operands of TRANSPOSE_CONV2D, in the form that its kernel computes with."""

    matrices: list[Array]  # [IC, OC] per kernel position, in a type that the sums over all of them are exact in
    bias: Array  # one row of the output
    zero: int
    never_overflows: bool


def transpose_conv2d(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes TRANSPOSE_CONV2D (2.3.10) by one matrix product for each kernel position."""
    source, out = op.operands[0].type.dtype, op.result.type.dtype.numpy
    shape = op.result.type.static

    def repeat_over_row(vector: Array) -> Array:
        """Returns a vector over the output channels, repeated over a row of the output: long rows are faster."""
        return repeat_over_positions(vector, shape[3], shape[2])

    def prepare_floats(weight: Array, bias: Array, *_zero_points: Array) -> _Weights:
        """Returns float weights as a matrix for each kernel position, and the bias repeated over an output row."""
        work = compute_dtype(source)
        matrices = _split_by_position(weight.astype(work))
        return _Weights(matrices, repeat_over_row(bias.astype(work)), zero=0, never_overflows=True)

    def prepare_integers(weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        """Returns integer weights as a matrix for each kernel position, and the bias for a row of the output.

        The weights are less their zero point, in a float type in which all sums are exact.
        """
        zero = int(input_zp[0])
        wide = weight.astype(np.int64) - int(weight_zp[0])
        peak = magnitude(source.bits, zero)
        # No partial sum exceeds the magnitudes of all products of an output channel: of int8 with 8 channels, a 3x3
        # kernel and zero points of 0: 72 * 128 * 128 = 1179648. fp32 holds all integers up to 2**24.
        reach = int(np.abs(wide).sum(axis=(1, 2, 3)).max()) * peak
        work = np.dtype(np.float32 if reach <= EXACT_FP32 else np.float64)
        never_overflows = reach + float(np.abs(bias.astype(np.int64)).max()) <= ACCUMULATORS[op.result.type.dtype][1]
        return _Weights(_split_by_position(wide.astype(work)), repeat_over_row(bias), zero, never_overflows)

    weights = prepare_once(op, plan_context, (1, 2, 3, 4), prepare_floats if source.is_float else prepare_integers)

    def convolve(*inputs: Array) -> Array:
        """Computes TRANSPOSE_CONV2D: adds up the products of each kernel position at its outputs, and the bias."""
        operands = weights(inputs)
        total = _scatter_products(op, inputs[0], operands).reshape(-1, operands.bias.size)
        if source.is_float:
            total += operands.bias
            return total.astype(out, copy=False).reshape(shape)
        return add_integer_bias(op, plan_context, total, operands.bias, out, operands.never_overflows).reshape(shape)

    return convolve


def _split_by_position(weight: Array) -> list[Array]:
    """Returns weights [OC, KH, KW, IC] as KH * KW matrices [IC, OC], one for each kernel position."""
    return [weight[:, ky, kx].T for ky, kx in np.ndindex(weight.shape[1:3])]


def _scatter_products(op: Op, x: Array, weights: _Weights) -> Array:
    """Returns the sums of products, without bias, at all output positions, [N, OH, OW, OC].

    The output is split into phases by stride: the positions that one kernel position adds to are neighbours in a phase.
    """
    # With stride 2 and no padding, kernel position 1 adds input position i to output position 2 * i + 1: that is
    # position i of phase 1.
    channels, kernel_y, kernel_x, _ = op.operands[1].type.static
    (stride_y, stride_x), (top, bottom, left, right) = op.attributes["stride"], op.attributes["out_pad"]
    count, height, width, depth = x.shape
    values = x.reshape(-1, depth).astype(weights.matrices[0].dtype)
    if weights.zero:
        values -= weights.zero
    above, before = max(top, 0), max(left, 0)
    rows = (height - 1) * stride_y + kernel_y + above + max(bottom, 0)
    columns = (width - 1) * stride_x + kernel_x + before + max(right, 0)
    # 3 input rows, kernel 3 and stride 2 give (3 - 1) * 2 + 3 = 7 rows: phase 0 has rows 0, 2, 4, 6, phase 1 has 1, 3,
    # 5 and a fourth place, row 7, which is cut off at the end.
    grid = np.zeros((stride_y, stride_x, count, -(-rows // stride_y), -(-columns // stride_x), channels), values.dtype)
    for (ky, kx), matrix in zip(np.ndindex(kernel_y, kernel_x), weights.matrices, strict=True):
        # Padding 1 above, stride 2: kernel row 2 adds input row 0 to output row 3, which is position 1 of phase 1.
        (y, phase_y), (x0, phase_x) = divmod(above + ky, stride_y), divmod(before + kx, stride_x)
        part = grid[phase_y, phase_x, :, y : y + height, x0 : x0 + width]
        part += (values @ matrix).reshape(part.shape)
    # [phase y, phase x, N, y, x, C] to [N, y, phase y, x, phase x, C]: position y of a phase is row y * stride + phase.
    whole = grid.transpose(2, 3, 0, 4, 1, 5).reshape(
        count, grid.shape[3] * stride_y, grid.shape[4] * stride_x, channels
    )
    # Negative padding is cut off.
    return whole[:, max(-top, 0) : rows - max(-bottom, 0), max(-left, 0) : columns - max(-right, 0)]
