"""DEPTHWISE_CONV2D (2.3.5): one product and one sum per kernel position, over blocks that stay in cache."""

from dataclasses import dataclass

import numpy as np

from tosa_converter.ir import Array, Op
from tosa_converter.kernels_base import BLOCK, Blocks, Mode, Run, assembled, prepared
from tosa_converter.kernels_conv import ACCUMULATORS, Geometry, integers, precise

_EXACT_FP32 = 1 << 24


@dataclass(frozen=True, slots=True)
class _Weights:
    taps: Array  # [KH, KW, C, M] in the work type
    bias: Array
    fill: float
    safe: bool


def depthwise_conv2d(op: Op, mode: Mode) -> Run:
    """2.3.5."""
    return precise(op, mode, op.operands[1].type.static[:2]) if mode.precise else DepthwiseConvolution(op, mode)


class DepthwiseConvolution:
    """DEPTHWISE_CONV2D bound to one operator."""

    def __init__(self, op: Op, mode: Mode) -> None:
        self.op = op
        self.mode = mode
        self.source = op.operands[0].type.dtype
        self.out = mode.numpy(op.result.type.dtype)
        weight_type = op.operands[1].type
        self.geometry = Geometry.of(op, weight_type.static[:2])
        self.channels = weight_type.static[2] * weight_type.static[3]
        self.weights = prepared(op, mode, (1, 2, 3, 4), self._weights)

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        if self.source.is_float:
            work = self.mode.work(self.source)
            return _Weights(weight.astype(work), bias.astype(work), 0.0, True)
        zero = int(input_zp[0])
        taps = weight.astype(np.int64) - int(weight_zp[0])
        peak = int(np.abs(taps).sum(axis=(0, 1)).max()) << (self.source.bits - 1)
        folded = bias.astype(np.int64) - zero * taps.sum(axis=(0, 1)).reshape(-1)
        reach = peak + float(np.abs(folded).max()) + float(np.abs(bias.astype(np.int64)).max())
        safe = reach <= ACCUMULATORS[self.op.result.type.dtype][1]
        work = np.dtype(np.float32 if peak <= _EXACT_FP32 else np.float64)
        return _Weights(taps.astype(work), folded.astype(self.out) if safe else folded, zero, safe)

    def __call__(self, *inputs: Array) -> Array:
        """The whole output."""
        shape = (len(inputs[0]), *self.geometry.output(inputs[0].shape[1:-1]), self.channels)
        return assembled(self.blocks(*inputs), shape, self.out)

    def blocks(self, *inputs: Array) -> Blocks:
        """A few rows of the output at a time."""
        weights = self.weights(inputs)
        x = inputs[0]
        height, width = self.geometry.output(x.shape[1:-1])
        padded = self.geometry.padded(x, weights.fill, weights.taps.dtype)
        windows = self.geometry.windows(padded, (height, width))
        step = max(1, BLOCK // (width * self.channels))
        for n in range(len(x)):
            for start in range(0, height, step):
                rows = slice(start, min(start + step, height))
                block = self._sum(windows[n, rows], weights)
                yield (slice(n, n + 1), rows), block.reshape(1, rows.stop - start, width, self.channels)

    def _sum(self, windows: Array, weights: _Weights) -> Array:
        """Accumulate [rows, width, KH, KW, C] windows."""
        spread = windows[..., None]
        single = weights.taps.shape[3] == 1
        total: Array | None = None
        for ky, kx in np.ndindex(*self.geometry.kernel):
            values = windows[:, :, ky, kx] if single else spread[:, :, ky, kx]
            factors = weights.taps[ky, kx, :, 0] if single else weights.taps[ky, kx]
            if total is None:
                total = values * factors
                products = np.empty_like(total)
            else:
                total += np.multiply(values, factors, out=products)
        assert total is not None
        flat = total.reshape(*windows.shape[:2], self.channels)
        if self.source.is_float:
            flat += weights.bias
            return flat.astype(self.out, copy=False)
        return integers(self.op, self.mode, flat, weights.bias, self.out, weights.safe)
