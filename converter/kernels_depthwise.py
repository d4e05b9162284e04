"""DEPTHWISE_CONV2D (2.3.5): one product and one sum per kernel position, over rows of all positions and channels.

A stride splits the input's columns into phases, so that what a kernel position reads is contiguous in its phase.
Sums of 8-bit products are first taken in 16 bits, over as many kernel positions as their weights allow.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.kernels_base import Blocks, Mode, Run, assembled, prepared
from tosa_converter.kernels_conv import Convolution, Geometry, fold_bias, integers, long_row, precise

_EXACT_FP32 = 1 << 24
_INT16 = (1 << 15) - 1
_MADE = 1 << 15  # elements of the output at a time, so that three operands stay in the second-level cache


@dataclass(frozen=True, slots=True)
class _Weights:
    rows: list[Array]  # per kernel position, one row of the output
    parts: list[slice]  # the kernel positions whose products may be summed in the rows' type
    bias: Array
    fill: float
    safe: bool


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


class DepthwiseConvolution:
    """DEPTHWISE_CONV2D bound to one operator."""

    def __init__(self, op: Op, mode: Mode) -> None:
        self.op = op
        self.mode = mode
        self.source = op.operands[0].type.dtype
        self.out = mode.numpy(op.result.type.dtype)
        self.shape = op.result.type.static
        weight = op.operands[1].type.static
        self.geometry = Geometry.of(op, weight[:2])
        self.multiplier = weight[3]
        _, height, width, channels = self.shape
        step = max(1, _MADE // (width * channels))
        self.rows = [slice(start, min(start + step, height)) for start in range(0, height, step)]
        self.single = self.shape[0] == len(self.rows) == 1
        self.places = self._places()
        self.weights = prepared(op, mode, (1, 2, 3, 4), self._weights)

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        if self.source.is_float:
            work = self.mode.work(self.source)
            rows = self._long_rows(weight.astype(work))
            return _Weights(rows, [slice(len(rows))], self._long_row(bias.astype(work)), 0.0, True)
        zero = int(input_zp[0])
        taps = (weight.astype(np.int64) - int(weight_zp[0])).reshape(-1, self.shape[3])
        magnitudes = np.abs(taps) << (self.source.bits - 1)
        folded, safe = fold_bias(self.op, bias, zero * taps.sum(axis=0), float(magnitudes.sum(axis=0).max()))
        work, parts = _exact_sums(magnitudes)
        return _Weights(self._long_rows(taps.astype(work)), parts, self._long_row(folded), zero, safe)

    def _long_row(self, vector: Array) -> Array:
        return long_row(vector, self.shape[3], self.shape[2])

    def _long_rows(self, taps: Array) -> list[Array]:
        return [self._long_row(tap) for tap in taps.reshape(-1, self.shape[3])]

    def __call__(self, *inputs: Array) -> Array:
        """The whole output."""
        return assembled(self.blocks(*inputs), self.single, self.shape, self.out)

    def blocks(self, *inputs: Array) -> Blocks:
        """A few rows of the output at a time."""
        weights = self.weights(inputs)
        padded = self.geometry.padded(inputs[0], weights.fill)
        if self.multiplier > 1:
            padded = np.repeat(padded, self.multiplier, axis=3)
        step, row = self.rows[0].stop, len(weights.bias)
        work = weights.rows[0].dtype
        buffers = np.empty((2, step, row), work)
        for n in range(len(padded)):
            taps = list(zip(self._taps(padded[n], work), weights.rows, strict=True))
            for rows in self.rows:
                block = self._block(taps, rows, buffers[:, : rows.stop - rows.start], weights)
                yield (slice(n, n + 1), rows), block.reshape(1, -1, *self.shape[2:])

    def _places(self) -> list[tuple[int, slice, slice]]:
        """For every kernel position: the phase of its columns, and the rows and elements that it reads there."""
        (stride_y, stride_x), (dilation_y, dilation_x) = self.geometry.stride, self.geometry.dilation
        _, height, width, channels = self.shape
        found = []
        for ky, kx in product(*map(range, self.geometry.kernel)):
            top, (skipped, phase) = ky * dilation_y, divmod(kx * dilation_x, stride_x)
            rows = slice(top, top + (height - 1) * stride_y + 1, stride_y)
            found.append((phase, rows, slice(skipped * channels, (skipped + width) * channels)))
        return found

    def _taps(self, padded: Array, work: "np.dtype[Any]") -> list[Array]:
        """What every kernel position reads, [OH, OW*C]."""
        stride = self.geometry.stride[1]
        phases = {
            phase: np.ascontiguousarray(padded[:, phase::stride], work).reshape(len(padded), -1)
            for phase in {phase for phase, _, _ in self.places}
        }
        return [phases[phase][rows, elements] for phase, rows, elements in self.places]

    def _block(self, taps: list[tuple[Array, Array]], rows: slice, buffers: Array, weights: _Weights) -> Array:
        first, *others = weights.parts
        block = self._finish(_sum(taps[first], rows, buffers), weights)
        for part in others:
            block += _sum(taps[part], rows, buffers)
        return block

    def _finish(self, total: Array, weights: _Weights) -> Array:
        if self.source.is_float:
            total += weights.bias
            return total.astype(self.out, copy=False)
        return integers(self.op, self.mode, total, weights.bias, self.out, weights.safe)


def _exact_sums(magnitudes: Array) -> "tuple[np.dtype[Any], list[slice]]":
    """The type to sum products in, and the kernel positions that it can sum at once; [KH*KW, C] bounds of products."""
    if magnitudes.max() > _INT16:
        exact = magnitudes.sum(axis=0).max() <= _EXACT_FP32
        return np.dtype(np.float32 if exact else np.float64), [slice(len(magnitudes))]
    starts = [0]
    total = np.zeros_like(magnitudes[0])
    for position, bounds in enumerate(magnitudes):
        total = total + bounds
        if total.max() > _INT16:
            starts.append(position)
            total = bounds
    return np.dtype(np.int16), [slice(a, b) for a, b in zip(starts, [*starts[1:], len(magnitudes)], strict=True)]


def _sum(taps: list[tuple[Array, Array]], rows: slice, buffers: Array) -> Array:
    """The sum of all products in the first of two buffers."""
    total: Array = buffers[0]
    products = buffers[1]
    (values, weights), *others = taps
    np.multiply(values[rows], weights, out=total)
    for values, weights in others:
        np.multiply(values[rows], weights, out=products)
        np.add(total, products, out=total)
    return total
