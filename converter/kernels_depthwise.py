"""DEPTHWISE_CONV2D (2.3.5): the sums over all kernel positions by einsum, along rows of many positions and channels.

numpy's einsum adds each product to its sum at once, without writing it down in between, and keeps a row of sums in the
cache while it goes through the kernel positions. Integers are computed in floats that hold all sums exactly.

A stride splits the input's columns into phases, so that what a kernel position reads is contiguous in its phase.
"""

import math
from dataclasses import dataclass

import numpy as np

from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.kernels_base import Mode, Run
from tosa_converter.kernels_conv import Convolution, Weights, Windowed, fold_bias, long_row, precise
from tosa_converter.kernels_gemm import EXACT_FP32
from tosa_converter.kernels_windows import Geometry, Slab

_MADE = 1 << 15  # elements of the output at a time, so that a slab and its block stay in the second-level cache
_SUMMED = 3 << 9  # elements of a row of sums: as many weights per kernel position stay in the first-level cache


def depthwise_conv2d(op: Op, mode: Mode) -> Run:
    """2.3.5."""
    if mode.precise and op.result.type.dtype.is_float:
        return precise(op, mode, op.operands[1].type.static[:2])
    weight = mode.constant(op.operands[1])
    if weight is not None and weight.shape[2] == 1:
        return _of_one_channel(op, mode, weight)
    return DepthwiseConvolution(op, mode)


def _of_one_channel(op: Op, mode: Mode, weight: Array) -> Run:
    """With one channel in, every output channel reads the same: an ordinary convolution."""
    kernel_y, kernel_x, _, multiplier = weight.shape
    turned = Value(TensorType(op.operands[1].type.dtype, (multiplier, kernel_y, kernel_x, 1)))
    mode.folded[turned] = weight.transpose(3, 0, 1, 2)
    x, _, *others = op.operands
    twin = Op("tosa.conv2d", [x, turned, *others], [op.result.type], op.attributes, location=op.location)
    return Convolution(twin, mode)


@dataclass(frozen=True, slots=True)
class _Taps:
    """Kernel positions that read the same phase of the columns, at equal distances."""

    columns: slice  # of the kernel
    phase: int
    start: int  # where in the phase the first of them reads
    step: int

    @classmethod
    def of(cls, geometry: Geometry) -> "list[_Taps]":
        """All columns of the kernel."""
        kernel, stride, dilation = geometry.kernel[1], geometry.stride[1], geometry.dilation[1]
        every = stride // math.gcd(stride, dilation)
        found = []
        for first in range(min(every, kernel)):
            start, phase = divmod(first * dilation, stride)
            found.append(cls(slice(first, kernel, every), phase, start, every * dilation // stride))
        return found


class DepthwiseConvolution(Windowed[list[Array]]):
    """DEPTHWISE_CONV2D bound to one operator."""

    def __init__(self, op: Op, mode: Mode) -> None:
        weight = op.operands[1].type.static
        geometry = Geometry.of(op, weight[:2])
        width, channels = op.result.type.static[2:]
        self.multiplier = weight[3]
        self.taps = _Taps.of(geometry)
        self.positions = _positions(width, channels)
        super().__init__(op, mode, geometry, geometry.slabs(max(1, _MADE // (width * channels)), geometry.stride[1]))

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Weights[list[Array]]:
        if self.source.is_float:
            work = self.mode.work(self.source)
            return Weights(self._rows(weight.astype(work)), self._long_row(bias.astype(work)), 0.0, True)
        zero = int(input_zp[0])
        wide = weight.astype(np.int64) - int(weight_zp[0])
        taps = wide.reshape(-1, self.shape[3])
        peak = float(np.abs(taps).sum(axis=0).max()) * (1 << (self.source.bits - 1))
        folded, safe = fold_bias(self.op, bias, zero * taps.sum(axis=0), peak)
        work = np.dtype(np.float32 if peak <= EXACT_FP32 else np.float64)
        return Weights(self._rows(wide.astype(work)), self._long_row(folded), zero, safe)

    def _long_row(self, vector: Array) -> Array:
        return long_row(vector, self.shape[3], self.shape[2])

    def _rows(self, weight: Array) -> list[Array]:
        """Per phase, the weights of its kernel positions, [KH, KW, E], repeated over the positions of a row of sums."""
        flat = np.tile(weight.reshape(*weight.shape[:2], -1), self.positions)
        return [np.ascontiguousarray(flat[:, taps.columns]) for taps in self.taps]

    def _sums(self, x: Array, slab: Slab, weights: Weights[list[Array]]) -> Array:
        padded = slab.of(x, weights.fill, weights.values[0].dtype)
        if self.multiplier > 1:
            padded = np.repeat(padded, self.multiplier, axis=3)
        first, *others = zip(self.taps, weights.values, strict=True)
        total = self._summed(padded, slab.rows, *first)
        for taps, rows in others:
            total += self._summed(padded, slab.rows, taps, rows)
        return total

    def _summed(self, padded: Array, rows: slice, taps: _Taps, weights: Array) -> Array:
        """The sums over the kernel positions of one phase, [rows, segments of a row, E]."""
        kernel_y, kernel_x, size = weights.shape
        height, segments = rows.stop - rows.start, self.geometry.output[1] // self.positions
        phase, row, column, element = padded.strides
        shape = height, segments, kernel_y, kernel_x, size
        down, right = row * self.geometry.stride[0], column * self.positions
        strides = down, right, row * self.geometry.dilation[0], column * taps.step, element
        start = phase * taps.phase + column * taps.start
        windows: Array = np.ndarray(shape, padded.dtype, padded, start, strides)
        return np.einsum("hsyxe,yxe->hse", windows, weights, out=np.empty((height, segments, size), padded.dtype))


def _positions(width: int, channels: int) -> int:
    """How many positions of a row of the output to sum at once: a divisor of all."""
    fitting = [n for n in range(1, width + 1) if width % n == 0 and n * channels <= _SUMMED]
    best = max(fitting, default=1)
    return best if best * channels * 4 >= _SUMMED else width
