"""CONV2D and CONV3D (2.3.3, 2.3.4) as matrix products over gathered windows; 1x1 windows are gathered for free.

The input's zero point never touches the input: padding holds it, and what it contributes, zero point times the sum of
an output channel's weights, is taken from the bias.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.ir import Array, DType, Op
from tosa_converter.kernels_base import Blocks, Mode, Run, assembled, prepared, require
from tosa_converter.kernels_gemm import Factor

_GATHERED = 1 << 18  # elements of gathered windows at a time: 1 MB of fp32
_MADE = 1 << 16  # elements of the output at a time
ACCUMULATORS = {DType.I32: (-(2.0**31), 2.0**31 - 1), DType.I48: (-(2.0**47), 2.0**47 - 1)}


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where the windows of a convolution lie, per spatial axis."""

    pad: tuple[tuple[int, int], ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    kernel: tuple[int, ...]

    @classmethod
    def of(cls, op: Op, kernel: tuple[int, ...]) -> "Geometry":
        """From the attributes of a convolution."""
        pad = op.attributes["pad"]
        pairs = tuple(zip(pad[::2], pad[1::2], strict=True))
        return cls(pairs, tuple(op.attributes["stride"]), tuple(op.attributes["dilation"]), kernel)

    def output(self, spatial: tuple[int, ...]) -> tuple[int, ...]:
        """The spatial shape of the output."""
        return tuple(
            (size - 1 + sum(pad) - (k - 1) * d) // s + 1
            for size, pad, k, d, s in zip(spatial, self.pad, self.kernel, self.dilation, self.stride, strict=True)
        )

    def padded(self, x: Array, fill: Any, work: "np.dtype[Any]") -> Array:
        """The input in the work type with its padding."""
        if not any(map(any, self.pad)):
            return np.ascontiguousarray(x, work)
        pads = ((0, 0), *self.pad, (0, 0))
        out = np.full([a + n + b for n, (a, b) in zip(x.shape, pads, strict=True)], fill, work)
        out[tuple(slice(a, a + n) for n, (a, _) in zip(x.shape, pads, strict=True))] = x
        return out

    def windows(self, padded: Array, output: tuple[int, ...]) -> Array:
        """A view [N, output..., kernel..., C] of a padded input."""
        steps = padded.strides[1:-1]
        strides = (
            padded.strides[0],
            *(a * b for a, b in zip(steps, self.stride, strict=True)),
            *(a * b for a, b in zip(steps, self.dilation, strict=True)),
            padded.strides[-1],
        )
        shape = (len(padded), *output, *self.kernel, padded.shape[-1])
        return np.lib.stride_tricks.as_strided(padded, shape, strides, writeable=False)

    def taps(self, spatial: tuple[int, ...], output: tuple[int, ...]) -> "list[tuple[Any, Any, Any]]":
        """For every kernel position: its index, and the output and input positions where it meets real data."""
        found = []
        for tap in np.ndindex(*self.kernel):
            pairs = [self._meeting(axis, k, spatial[axis], output[axis]) for axis, k in enumerate(tap)]
            found.append((tap, tuple(a for a, _ in pairs), tuple(b for _, b in pairs)))
        return found

    def _meeting(self, axis: int, k: int, size: int, count: int) -> tuple[slice, slice]:
        stride, start = self.stride[axis], k * self.dilation[axis] - self.pad[axis][0]
        first = max(0, -(start // stride))
        last = min(count, (size - 1 - start) // stride + 1)
        if last <= first:
            return slice(0, 0), slice(0, 0)
        return slice(first, last), slice(start + first * stride, start + (last - 1) * stride + 1, stride)


@dataclass(frozen=True, slots=True)
class _Weights:
    factor: Factor
    bias: Array
    fill: float  # what padding holds: the input's zero point
    safe: bool  # whether no accumulator can leave its type


def convolution(op: Op, mode: Mode) -> Run:
    """2.3.3 and 2.3.4."""
    return precise(op, mode, op.operands[1].type.static[1:-1]) if mode.precise else Convolution(op, mode)


class Convolution:
    """CONV2D and CONV3D bound to one operator."""

    def __init__(self, op: Op, mode: Mode) -> None:
        self.op = op
        self.mode = mode
        self.source = op.operands[0].type.dtype
        self.out = mode.numpy(op.result.type.dtype)
        weight_type = op.operands[1].type
        self.geometry = Geometry.of(op, weight_type.static[1:-1])
        self.channels = weight_type.static[0]
        self.weights = prepared(op, mode, (1, 2, 3, 4), self._weights)

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        if self.source.is_float:
            work = self.mode.work(self.source)
            factor = Factor.floats(weight.reshape(self.channels, -1).astype(work).T)
            return _Weights(factor, bias.astype(work), 0.0, True)
        zero = int(input_zp[0])
        matrix = (weight.astype(np.int32) - int(weight_zp[0])).reshape(self.channels, -1).T
        factor = Factor.integers(matrix, 1 << (self.source.bits - 1))
        folded = bias.astype(np.int64) - zero * matrix.sum(axis=0, dtype=np.int64)
        reach = factor.peak + float(np.abs(folded).max()) + float(np.abs(bias.astype(np.int64)).max())
        safe = reach <= ACCUMULATORS[self.op.result.type.dtype][1]
        return _Weights(factor, folded.astype(self.out) if safe else folded, zero, safe)

    def __call__(self, *inputs: Array) -> Array:
        """The whole output."""
        shape = (len(inputs[0]), *self.geometry.output(inputs[0].shape[1:-1]), self.channels)
        return assembled(self.blocks(*inputs), shape, self.out)

    def blocks(self, *inputs: Array) -> Blocks:
        """A few rows of the output at a time."""
        weights = self.weights(inputs)
        x = inputs[0]
        output = self.geometry.output(x.shape[1:-1])
        padded = self.geometry.padded(x, weights.fill, weights.factor.work)
        windows = self.geometry.windows(padded, output)
        row = int(np.prod(windows.shape[2:]))
        step = max(1, min(_GATHERED // row, _MADE // (self.channels * int(np.prod(output[1:])))))
        for n in range(len(x)):
            for start in range(0, output[0], step):
                rows = slice(start, min(start + step, output[0]))
                gathered = windows[n, rows].reshape(-1, int(np.prod(windows.shape[1 + len(output) :])))
                block = self._finish(weights.factor.product(gathered), weights)
                yield (slice(n, n + 1), rows), block.reshape(1, rows.stop - start, *output[1:], self.channels)

    def _finish(self, product: Array, weights: _Weights) -> Array:
        """Add the bias and convert to the type of the output."""
        if self.source.is_float:
            product += weights.bias
            return product.astype(self.out, copy=False)
        return integers(self.op, self.mode, product, weights.bias, self.out, weights.safe)


def integers(op: Op, mode: Mode, product: Array, bias: Array, out: "np.dtype[Any]", safe: bool) -> Array:
    """Exact integers held in floats, plus the bias, in the type of the output."""
    if safe:
        block = product.astype(out)
        block += bias
        return block
    wide = product.astype(np.int64)
    wide += bias
    if mode.check:
        low, high = ACCUMULATORS[op.result.type.dtype]
        fits = wide.min() >= low and wide.max() <= high
        require(op, "c >= minimum_s<in_t>() && c <= maximum_s<in_t>() of apply_add_s", fits)
    return wide.astype(out)


def precise(op: Op, mode: Mode, kernel: tuple[int, ...]) -> Run:
    """A float convolution in fp64, depthwise or not."""
    geometry = Geometry.of(op, kernel)
    depthwise = op.name == "tosa.depthwise_conv2d"
    return lambda x, weight, bias, *_zero_points: _by_taps(mode, geometry, depthwise, x, weight) + bias


def _by_taps(mode: Mode, geometry: Geometry, depthwise: bool, x: Array, weight: Array) -> Array:
    """One kernel position at a time, where only real data meets weights."""
    output = geometry.output(x.shape[1:-1])
    channels = weight.shape[-2] * weight.shape[-1] if depthwise else len(weight)
    total = np.zeros((len(x), *output, channels))
    for tap, to, source in geometry.taps(x.shape[1:-1], output):
        values = x[(slice(None), *source)]
        if depthwise:
            products = (values[..., None] * weight[tap]).reshape(*values.shape[:-1], channels)
        else:
            products = values @ weight[(slice(None), *tap)].T
        total[(slice(None), *to)] += products
    if mode.extra_multiplies:
        poison = weight * 0  # what is not finite spoils the products with padding
        total += poison.sum(axis=(0, 1)).reshape(-1) if depthwise else poison.sum(axis=tuple(range(1, weight.ndim)))
    return total
