"""CONV2D and CONV3D (2.3.3, 2.3.4) as matrix products over gathered windows; 1x1 windows are gathered for free.

The input's zero point never touches the input: padding holds it, and what it contributes, zero point times the sum of
an output channel's weights, is taken from the bias.
"""

from dataclasses import dataclass
from operator import mul
from typing import Any

import numpy as np

from tosa_converter.ir import Array, DType, Op
from tosa_converter.kernels_base import Blocks, Index, Mode, Run, assembled, prepared, require
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
    input: tuple[int, ...]
    output: tuple[int, ...]

    @classmethod
    def of(cls, op: Op, kernel: tuple[int, ...]) -> "Geometry":
        """From the attributes of a convolution and the types of its input and output."""
        pad = op.attributes["pad"]
        return cls(
            tuple(zip(pad[::2], pad[1::2], strict=True)),
            tuple(op.attributes["stride"]),
            tuple(op.attributes["dilation"]),
            kernel,
            op.operands[0].type.static[1:-1],
            op.result.type.static[1:-1],
        )

    @property
    def pointwise(self) -> bool:
        """Whether each output position reads the input position of the same index only."""
        return all(k == s == 1 for k, s in zip(self.kernel, self.stride, strict=True)) and self.input == self.output

    def padded(self, x: Array, fill: Any) -> Array:
        """The input with its padding, contiguous."""
        if not any(map(any, self.pad)):
            return np.ascontiguousarray(x)
        sizes = [a + n + b for n, (a, b) in zip(self.input, self.pad, strict=True)]
        out = np.empty((len(x), *sizes, x.shape[-1]), x.dtype)
        out.fill(fill)
        out[(slice(None), *(slice(a, a + n) for n, (a, _) in zip(self.input, self.pad, strict=True)))] = x
        return out

    def windows(self, padded: Array) -> Array:
        """A view [N, output..., kernel..., C] of a padded input."""
        first, *steps, last = padded.strides
        strides = (first, *map(mul, steps, self.stride), *map(mul, steps, self.dilation), last)
        return np.ndarray((len(padded), *self.output, *self.kernel, padded.shape[-1]), padded.dtype, padded, 0, strides)

    def taps(self) -> "list[tuple[Any, Index, Index]]":
        """For every kernel position: its index, and the output and input positions where it meets real data."""
        found = []
        for tap in np.ndindex(*self.kernel):
            pairs = [self._meeting(axis, k) for axis, k in enumerate(tap)]
            found.append((tap, tuple(a for a, _ in pairs), tuple(b for _, b in pairs)))
        return found

    def _meeting(self, axis: int, k: int) -> tuple[slice, slice]:
        stride, start = self.stride[axis], k * self.dilation[axis] - self.pad[axis][0]
        first = max(0, -(start // stride))
        last = min(self.output[axis], (self.input[axis] - 1 - start) // stride + 1)
        if last <= first:
            return slice(0, 0), slice(0, 0)
        return slice(first, last), slice(start + first * stride, start + (last - 1) * stride + 1, stride)


@dataclass(frozen=True, slots=True)
class _Weights:
    factor: Factor
    bias: Array  # one row of the output: repeated over its last spatial axis, so that sums run over long rows
    fill: float  # what padding holds: the input's zero point
    safe: bool  # whether no accumulator can leave its type


def convolution(op: Op, mode: Mode) -> Run:
    """2.3.3 and 2.3.4."""
    if mode.precise and op.result.type.dtype.is_float:
        return precise(op, mode, op.operands[1].type.static[1:-1])
    return Convolution(op, mode)


class Convolution:
    """CONV2D and CONV3D bound to one operator."""

    def __init__(self, op: Op, mode: Mode) -> None:
        self.op = op
        self.mode = mode
        self.source = op.operands[0].type.dtype
        self.out = mode.numpy(op.result.type.dtype)
        self.shape = op.result.type.static
        weight = op.operands[1].type.static
        self.geometry = Geometry.of(op, weight[1:-1])
        self.pointwise = self.geometry.pointwise
        self.depth = int(np.prod(weight[1:]))
        row = int(np.prod(self.shape[2:-1]))
        step = max(1, min(_GATHERED // (row * self.depth), _MADE // (row * self.shape[-1])))
        count = self.shape[1]
        self.rows = [slice(start, min(start + step, count)) for start in range(0, count, step)]
        self.single = self.shape[0] == len(self.rows) == 1
        self.weights = prepared(op, mode, (1, 2, 3, 4), self._weights)

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> _Weights:
        channels, width = self.shape[-1], self.shape[-2]
        if self.source.is_float:
            work = self.mode.work(self.source)
            factor = Factor.floats(weight.reshape(channels, -1).astype(work).T)
            return _Weights(factor, long_row(bias.astype(work), channels, width), 0.0, True)
        zero = int(input_zp[0])
        matrix = (weight.astype(np.int32) - int(weight_zp[0])).reshape(channels, -1).T
        factor = Factor.integers(matrix, 1 << (self.source.bits - 1))
        folded, safe = fold_bias(self.op, bias, zero * matrix.sum(axis=0, dtype=np.int64), factor.peak)
        return _Weights(factor, long_row(folded, channels, width), zero, safe)

    def __call__(self, *inputs: Array) -> Array:
        """The whole output."""
        return assembled(self.blocks(*inputs), self.single, self.shape, self.out)

    def blocks(self, *inputs: Array) -> Blocks:
        """A few rows of the output at a time."""
        weights = self.weights(inputs)
        # Floats are widened once, integers where they are gathered: those cost less to move when narrow.
        x = inputs[0].astype(weights.factor.work, copy=False) if self.source.is_float else inputs[0]
        padded = self.geometry.padded(x, weights.fill)
        windows = padded if self.pointwise else self.geometry.windows(padded)
        for n in range(len(padded)):
            for rows in self.rows:
                gathered = windows[n, rows].astype(weights.factor.work, order="C", copy=False).reshape(-1, self.depth)
                block = self._finish(weights.factor.product(gathered), weights)
                yield (slice(n, n + 1), rows), block.reshape(1, -1, *self.shape[2:])

    def _finish(self, product: Array, weights: _Weights) -> Array:
        """Add the bias and convert to the type of the output."""
        product = product.reshape(-1, len(weights.bias))
        if self.source.is_float:
            product += weights.bias
            return product.astype(self.out, copy=False)
        return integers(self.op, self.mode, product, weights.bias, self.out, weights.safe)


def long_row(vector: Array, channels: int, width: int) -> Array:
    """A vector over the channels, or of one element, repeated over `width` positions."""
    return np.tile(np.broadcast_to(vector, channels), width)


def fold_bias(op: Op, bias: Array, contribution: Array, peak: float) -> tuple[Array, bool]:
    """The bias less the zero point's contribution, and whether sums of magnitude `peak` stay in the accumulator."""
    wide = bias.astype(np.int64)
    folded = wide - contribution
    safe = peak + float(np.abs(folded).max()) + float(np.abs(wide).max()) <= ACCUMULATORS[op.result.type.dtype][1]
    return folded.astype(op.result.type.dtype.numpy) if safe else folded, safe


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
    channels = weight.shape[-2] * weight.shape[-1] if depthwise else len(weight)
    total = np.zeros((len(x), *geometry.output, channels))
    for tap, to, source in geometry.taps():
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
