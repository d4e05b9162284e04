"""DEPTHWISE_CONV2D (2.3.5): the sums over all kernel positions by einsum, along rows of many positions and channels.

numpy's einsum adds each product to its sum at once, without writing it down in between, and keeps a row of sums in the
cache while it goes through the kernel positions. Integers are computed in floats that hold all sums exactly.

A stride splits the input's columns into phases, so that what a kernel position reads is contiguous in its phase.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.fast.base import PlanContext, compute_dtype
from tosa_converter.execute.fast.convolution import (
    ConvolutionKernel,
    Weights,
    choose_convolution_kernel,
    fold_bias,
    repeat_over_positions,
)
from tosa_converter.execute.fast.gemm import EXACT_FP32
from tosa_converter.execute.fast.windows import InputTile, WindowGeometry
from tosa_converter.ir import Array, Op

_OUTPUT_ELEMENTS = 1 << 16  # elements of the output at a time: a tile and its block stay in the second-level cache
_ROW_OF_SUMS = 3 << 9  # elements of a row of sums: as many weights per kernel position stay in the first-level cache
_OUTPUT_FIRST = 3, 0, 1, 2  # the axes of weights [KH, KW, 1, M] in the order of CONV2D's, [OC, KH, KW, IC]


def depthwise_conv2d(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a kernel that computes DEPTHWISE_CONV2D (2.3.5); with one input channel, CONV2D's kernel does."""
    if op.operands[1].type.static[2] == 1:  # every output channel reads the same: an ordinary convolution
        return choose_convolution_kernel(op, plan_context, _OUTPUT_FIRST)
    return DepthwiseConvolution(op, plan_context)


@dataclass(frozen=True, slots=True)
class _Taps:
    """Columns of the kernel that read the same phase: input columns with the same remainder modulo the stride.

    Attributes:
        columns: the columns of the kernel.
        phase: the phase: input columns whose number has this remainder, divided by the stride.
        start: the position in the phase that the first column of the kernel reads.
        step: the distance in the phase between two columns of the kernel.
        positions: how many positions of an output row are summed at once, a divisor of all.
    """

    columns: slice
    phase: int
    start: int
    step: int
    positions: int

    @classmethod
    def of(cls, geometry: WindowGeometry, channels: int) -> "list[_Taps]":
        """Returns all columns of the kernel, grouped by the phase (input columns modulo the stride) that they read.

        The number of `channels` decides how many positions of an output row are summed at once.
        """
        # A kernel of 3 columns with stride 2 and dilation 1: the period is 2, so columns 0 and 2 read the even input
        # columns, phase 0, one after the other, and column 1 reads the odd ones, phase 1.
        kernel, stride, dilation = geometry.kernel[1], geometry.stride[1], geometry.dilation[1]
        period = stride // math.gcd(stride, dilation)
        taps = []
        for first in range(min(period, kernel)):
            # Stride 2, dilation 3: kernel column 1 reads input column 3, which is position 1 of phase 1. The period is
            # 2, and kernel column 3 reads column 9, position 4 of phase 1: a step of 2 * 3 / 2 = 3 positions.
            start, phase = divmod(first * dilation, stride)
            columns = slice(first, kernel, period)
            # For a single kernel column a whole output row at once is fastest: then einsum has no loop over segments.
            positions = (
                _positions_at_once(geometry.output[1], channels) if first + period < kernel else geometry.output[1]
            )
            taps.append(cls(columns, phase, start, step=period * dilation // stride, positions=positions))
        return taps


class _PhaseWeights(NamedTuple):
    """The weights of kernel columns that read one phase (input columns modulo the stride), and strides to read it."""

    weights: Array  # [KH, KW, E], repeated over the positions of a row of sums
    phase: int
    start: int  # of the first column, and all below, in bytes
    shape: tuple[int, ...]  # rows of sums beside each other, KH, KW, E
    strides: tuple[int, ...]

    def sums(self, padded: Array, height: int, out: Array | None = None) -> Array:
        """Returns the sums of products over these kernel columns, [height, OW * C], in `out` or a new array."""
        start = self.phase * padded.strides[0] + self.start
        windows: Array = np.ndarray((height, *self.shape), padded.dtype, padded, start, self.strides)
        shape = height, self.shape[0], self.shape[3]
        sums = np.empty(shape, padded.dtype) if out is None else out.reshape(shape)
        # h: output row; s: segment of a row; y, x: kernel; e: neighbouring positions with all channels. The windows are
        # a view of the tile, and only `e`, the longest loop, runs over memory without gaps.
        np.einsum("hsyxe,yxe->hse", windows, self.weights, out=sums)
        return sums.reshape(height, -1)


class DepthwiseConvolution(ConvolutionKernel[list[_PhaseWeights]]):
    """Computes DEPTHWISE_CONV2D with several input channels: each has a kernel of its own, so sums run by einsum."""

    def __init__(self, op: Op, plan_context: PlanContext) -> None:
        """Prepares DEPTHWISE_CONV2D: chooses how many output rows a block has.

        Height and width of a small image one column wide are swapped, because sums run along rows.
        """
        weight = op.operands[1].type.static
        geometry = WindowGeometry.of(op, weight[:2])
        _, height, width, channels = op.result.type.static
        self.swaps_axes = geometry.input[1] == width == 1 and height * channels <= _OUTPUT_ELEMENTS
        if self.swaps_axes:
            geometry = geometry.swap_axes()
        self.multiplier = weight[3]
        self.taps = _Taps.of(geometry, channels)
        step = max(1, _OUTPUT_ELEMENTS // (geometry.output[1] * channels))
        tiles = geometry.tiles(step, phases=geometry.stride[1])
        if self.swaps_axes:  # the only tile has one row, which gives all rows of the result
            tiles = [replace(tile, output_rows=slice(0, height)) for tile in tiles]
        super().__init__(op, plan_context, geometry, tiles)

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Weights[list[_PhaseWeights]]:
        """Returns the weights by phase (input columns modulo the stride), and the bias less the zero point's effect."""
        if self.source.is_float:
            work = compute_dtype(self.source)
            parts = self._weights_by_phase(weight.astype(work))
            return Weights(parts, self._repeat_over_row(bias.astype(work)), fill=0.0, never_overflows=True)
        zero = int(input_zp[0])
        wide = weight.astype(np.int64) - int(weight_zp[0])
        taps = wide.reshape(-1, self.shape[3])
        # 9 weights of 127 times int8 inputs of -128: at most 9 * 127 * 128 = 146304, far below fp32's exact 2**24. Zero
        # points aren't subtracted from the input; their contribution is in the bias.
        peak = float(np.abs(taps).sum(axis=0).max()) * (1 << (self.source.bits - 1))
        folded, never_overflows = fold_bias(self.op, bias, zero * taps.sum(axis=0), peak)
        work = np.dtype(np.float32 if peak <= EXACT_FP32 else np.float64)
        return Weights(
            self._weights_by_phase(wide.astype(work)), self._repeat_over_row(folded), zero, never_overflows, peak
        )

    def _repeat_over_row(self, vector: Array) -> Array:
        """Returns a vector over the output channels, repeated over a row of the output: long rows are faster."""
        return repeat_over_positions(vector, self.shape[3], self.geometry.output[1])

    def _weights_by_phase(self, weight: Array) -> list[_PhaseWeights]:
        """Returns the weights by phase (input columns modulo the stride), with the strides at which a tile is read."""
        if self.swaps_axes:
            weight = weight.swapaxes(0, 1)
        flat = weight.reshape(*weight.shape[:2], -1)
        (stride, _), (dilation, _) = self.geometry.stride, self.geometry.dilation
        item, column = flat.itemsize, flat.itemsize * flat.shape[2]
        row, parts = column * self.tiles[0].shape[2], []
        for taps in self.taps:
            rows = np.tile(flat[:, taps.columns], taps.positions)
            shape = (self.geometry.output[1] // taps.positions, *rows.shape)
            # For kernel column k, output column o reads input column o * stride + k * dilation, which is at o + start
            # in its phase: neighbouring outputs read neighbours. So `positions` columns with all channels are one axis
            # without gaps, E. The axes are those of `_PhaseWeights.shape`, behind the output rows.
            strides = (row * stride, column * taps.positions, row * dilation, column * taps.step, item)
            parts.append(_PhaseWeights(rows, taps.phase, column * taps.start, shape, strides))
        return parts

    def _sum_products(
        self, x: Array, tile: InputTile, weights: Weights[list[_PhaseWeights]], out: Array | None = None
    ) -> Array:
        """Returns DEPTHWISE_CONV2D's sums of products, without bias, for one block of one image.

        The sums over each phase of the input's columns are added up, in `out` or a new array.
        """
        if self.swaps_axes:
            x = x.swapaxes(0, 1)
        first, *rest = weights.values
        padded = tile.extract(x, weights.fill, first.weights.dtype)
        if self.multiplier > 1:
            # Output channel c * M + m reads input channel c: with M = 2 the channels a, b become a, a, b, b.
            padded = np.repeat(padded, self.multiplier, axis=3)
        # With swapped axes the tile has one row, while `output_rows` are the rows of the column.
        height = min(tile.output_rows.stop - tile.output_rows.start, self.geometry.output[0])
        total = first.sums(padded, height, out)
        for part in rest:
            total += part.sums(padded, height)
        return total


def _positions_at_once(width: int, channels: int) -> int:
    """Returns how many positions of a row to sum at once: a divisor of `width` whose sums fit the cache, or all."""
    # 112 positions of 32 channels: 32 * 32 = 1024 sums would fit 1536, but 32 doesn't divide 112; 28 * 32 = 896 does. A
    # prime width such as 113 of 64 channels leaves 1 position, below a quarter of 1536 / 64: the row stays whole.
    fitting = [n for n in range(1, width + 1) if width % n == 0 and n * channels <= _ROW_OF_SUMS]
    best = max(fitting, default=1)
    return best if best * channels * 4 >= _ROW_OF_SUMS else width
