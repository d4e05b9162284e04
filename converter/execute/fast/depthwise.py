"""DEPTHWISE_CONV2D (2.3.5): the sums over all kernel positions by einsum, along rows of many positions and channels.

numpy's einsum adds each product to its sum at once, without writing it down in between, and keeps a row of sums in the
cache while it goes through the kernel positions. Integers are computed in floats that hold all sums exactly.

A stride splits the input's columns into phases, so that what a kernel position reads is contiguous in its phase.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tosa_converter.execute.definition.base import Run
from tosa_converter.execute.fast.base import Facts, work_type
from tosa_converter.execute.fast.convolution import Weights, Windowed, bound, fold_bias, long_row
from tosa_converter.execute.fast.gemm import EXACT_FP32
from tosa_converter.execute.fast.windows import Geometry, Slab
from tosa_converter.ir import Array, Op

_MADE = 1 << 16  # elements of the output at a time, so that a slab and its block stay in the second-level cache
_SUMMED = 3 << 9  # elements of a row of sums: as many weights per kernel position stay in the first-level cache
_OUTPUT_FIRST = 3, 0, 1, 2  # the axes of weights [KH, KW, 1, M] in the order of CONV2D's, [OC, KH, KW, IC]


def depthwise_conv2d(op: Op, facts: Facts) -> Run:
    """Returns a function that computes DEPTHWISE_CONV2D (2.3.5)."""
    if op.operands[1].type.static[2] == 1:  # every output channel reads the same: an ordinary convolution
        return bound(op, facts, _OUTPUT_FIRST)
    return DepthwiseConvolution(op, facts)


@dataclass(frozen=True, slots=True)
class _Taps:
    """Kernel positions that read the same phase of the columns, at equal distances."""

    columns: slice  # of the kernel
    phase: int
    start: int  # where in the phase the first of them reads
    step: int
    positions: int  # of a row of the output to sum at once: a divisor of all

    @classmethod
    def of(cls, geometry: Geometry, channels: int) -> "list[_Taps]":
        """Returns the taps of all columns of the kernel."""
        kernel, stride, dilation = geometry.kernel[1], geometry.stride[1], geometry.dilation[1]
        period = stride // math.gcd(stride, dilation)
        taps = []
        for first in range(min(period, kernel)):
            start, phase = divmod(first * dilation, stride)
            columns = slice(first, kernel, period)
            # With one column there is no loop inside that over the segments, and einsum is best off without this one.
            positions = _positions(geometry.output[1], channels) if first + period < kernel else geometry.output[1]
            taps.append(cls(columns, phase, start, period * dilation // stride, positions))
        return taps


class _Part(NamedTuple):
    """The weights of kernel positions that read one phase, and where these are in a slab."""

    weights: Array  # [KH, KW, E], repeated over the positions of a row of sums
    phase: int
    start: int  # of the first column, and all below, in bytes
    shape: tuple[int, ...]  # rows of sums beside each other, KH, KW, E
    strides: tuple[int, ...]

    def sums(self, padded: Array, height: int, out: Array | None = None) -> Array:
        """Returns the sums over the kernel positions, [height, OW * C]."""
        start = self.phase * padded.strides[0] + self.start
        windows: Array = np.ndarray((height, *self.shape), padded.dtype, padded, start, self.strides)
        shape = height, self.shape[0], self.shape[3]
        sums = np.empty(shape, padded.dtype) if out is None else out.reshape(shape)
        np.einsum("hsyxe,yxe->hse", windows, self.weights, out=sums)
        return sums.reshape(height, -1)


class DepthwiseConvolution(Windowed[list[_Part]]):
    """DEPTHWISE_CONV2D bound to one operator."""

    def __init__(self, op: Op, facts: Facts) -> None:
        weight = op.operands[1].type.static
        geometry = Geometry.of(op, weight[:2])
        _, height, width, channels = op.result.type.static
        # One column is taken for one row: rows are what must be long.
        self.turned = geometry.input[1] == width == 1 and height * channels <= _MADE
        if self.turned:
            geometry = geometry.swapped()
        self.multiplier = weight[3]
        self.taps = _Taps.of(geometry, channels)
        step = max(1, _MADE // (geometry.output[1] * channels))
        slabs = geometry.slabs(step, geometry.stride[1])
        if self.turned:
            slabs = [replace(slab, rows=slice(0, height)) for slab in slabs]
        super().__init__(op, facts, geometry, slabs)

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Weights[list[_Part]]:
        """Returns the weights by taps, and the bias less the zero points' share."""
        if self.source.is_float:
            work = work_type(self.source)
            return Weights(self._parts(weight.astype(work)), self._long_row(bias.astype(work)), 0.0, True)
        zero = int(input_zp[0])
        wide = weight.astype(np.int64) - int(weight_zp[0])
        taps = wide.reshape(-1, self.shape[3])
        peak = float(np.abs(taps).sum(axis=0).max()) * (1 << (self.source.bits - 1))
        folded, safe = fold_bias(self.op, bias, zero * taps.sum(axis=0), peak)
        work = np.dtype(np.float32 if peak <= EXACT_FP32 else np.float64)
        return Weights(self._parts(wide.astype(work)), self._long_row(folded), zero, safe, peak)

    def _long_row(self, vector: Array) -> Array:
        """Returns a vector over the output channels, repeated over a row of the output."""
        return long_row(vector, self.shape[3], self.geometry.output[1])

    def _parts(self, weight: Array) -> list[_Part]:
        """Returns the weights of each group of taps, with the strides at which they read a slab."""
        if self.turned:
            weight = weight.swapaxes(0, 1)
        flat = weight.reshape(*weight.shape[:2], -1)
        (stride, _), (dilation, _) = self.geometry.stride, self.geometry.dilation
        item, column = flat.itemsize, flat.itemsize * flat.shape[2]
        row, parts = column * self.slabs[0].shape[2], []
        for taps in self.taps:
            rows = np.tile(flat[:, taps.columns], taps.positions)
            shape = (self.geometry.output[1] // taps.positions, *rows.shape)
            strides = (row * stride, column * taps.positions, row * dilation, column * taps.step, item)
            parts.append(_Part(rows, taps.phase, column * taps.start, shape, strides))
        return parts

    def _sums(self, x: Array, slab: Slab, weights: Weights[list[_Part]], out: Array | None = None) -> Array:
        """Returns the sums over all kernel positions for a block of the output of one image."""
        if self.turned:
            x = x.swapaxes(0, 1)
        first, *rest = weights.values
        padded = slab.of(x, weights.fill, first.weights.dtype)
        if self.multiplier > 1:
            padded = np.repeat(padded, self.multiplier, axis=3)
        height = min(slab.rows.stop - slab.rows.start, self.geometry.output[0])
        total = first.sums(padded, height, out)
        for part in rest:
            total += part.sums(padded, height)
        return total


def _positions(width: int, channels: int) -> int:
    """Returns how many positions of a row to sum at once: a divisor of `width` for which sums stay in the cache."""
    fitting = [n for n in range(1, width + 1) if width % n == 0 and n * channels <= _SUMMED]
    best = max(fitting, default=1)
    return best if best * channels * 4 >= _SUMMED else width
