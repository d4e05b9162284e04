"""CONV2D and CONV3D (2.3.3, 2.3.4) as matrix products over gathered windows; 1x1 windows are gathered for free.

The input's zero point never touches the input: padding holds it, and what it contributes, zero point times the sum of
an output channel's weights, is taken from the bias.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from math import prod
from operator import mul
from typing import Any, Generic, Self, TypeVar

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import ADD_FITS, require
from tosa_converter.execute.fast.base import (
    Blocks,
    BlockwiseKernel,
    PlanContext,
    assemble_blocks,
    compute_dtype,
    prepare_once,
)
from tosa_converter.execute.fast.gemm import RightMatrix
from tosa_converter.execute.fast.windows import InputTile, WindowGeometry
from tosa_converter.ir import Array, Op

_WINDOW_ELEMENTS = 1 << 18  # elements of gathered windows at a time: 1 MB of fp32
_OUTPUT_ELEMENTS = 1 << 16  # elements of the output at a time
_LONGER = 3  # gather along the output's rows where they are at least so many times as long as a window's
_WORTH_ADDING = 1 << 16  # elements of all windows from which on separate products for the kernel's rows are faster
ACCUMULATORS = {DType.I32: (-(2.0**31), 2.0**31 - 1), DType.I48: (-(2.0**47), 2.0**47 - 1)}
Prepared = TypeVar("Prepared")


@dataclass(frozen=True, slots=True)
class Weights(Generic[Prepared]):
    """The weights, bias and zero points of a convolution in the form that its kernel takes.

    Attributes:
        values: the weights, in the kernel's own form.
        bias: the bias repeated over one row of the output, so that additions run over long rows.
        fill: the value of padding, the input's zero point.
        never_overflows: whether no accumulator can leave its type.
        peak: a bound of the sum of the magnitudes of an output's products, if `never_overflows`.
    """

    values: Prepared
    bias: Array
    fill: float
    never_overflows: bool
    peak: float = 2.0**31


class ConvolutionKernel(BlockwiseKernel, Generic[Prepared]):
    """A kernel of a convolution bound to its operator: sums products block by block, and adds the bias.

    A block is some rows of one image's output; a tile is the padded input that a block reads. Subclasses define the
    form of the weights and how to sum.
    """

    def __init__(self, op: Op, plan_context: PlanContext, geometry: WindowGeometry, tiles: list[InputTile]) -> None:
        """Prepares what the kernels of all convolutions share; each of `tiles` gives a block of the output.

        If weights, bias and zero points are constant, their form for the kernel (`_weights`) is computed only once.
        """
        self.op = op
        self.plan_context = plan_context
        self.source = op.operands[0].type.dtype
        self.out = op.result.type.dtype.numpy
        self.shape = op.result.type.static
        self.geometry = geometry
        self.tiles = tiles
        self.is_one_block = self.shape[0] == len(tiles) == 1  # one image from one tile
        self.weights = prepare_once(op, plan_context, (1, 2, 3, 4), self._weights)
        self.rescaler: Callable[[Array], Array] | None = None  # a RESCALE that adds the bias itself

    def bias_and_peak(self) -> tuple[Array, float] | None:
        """Returns (bias by channel, bound of the sums without it), which fusing with a RESCALE needs.

        None for floats, if a sum might overflow, or if weights, bias or zero points aren't constant.
        """
        if self.source.is_float or any(self.plan_context.constant(value) is None for value in self.op.operands[1:]):
            return None
        weights = self.weights(())
        return (weights.bias[: self.shape[-1]].astype(np.float64), weights.peak) if weights.never_overflows else None

    def with_rescaler(self, rescaler: Callable[[Array], Array]) -> Self:
        """Returns a copy of the kernel with a RESCALE: `rescaler` adds the bias to the sums and makes them int8."""
        fused = copy(self)
        fused.rescaler, fused.out = rescaler, np.dtype(np.int8)
        return fused

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Weights[Prepared]:
        """Returns weight, bias and zero points in the form that this kernel computes with; subclasses define it."""
        raise NotImplementedError

    def _sum_products(self, x: Array, tile: InputTile, weights: Weights[Prepared], out: Array | None = None) -> Array:
        """Returns the sums of products, without bias, for a tile of image `x`, in `out` or a new array.

        Each subclass has its own.
        """
        raise NotImplementedError

    def __call__(self, *inputs: Array) -> Array:
        """Computes the whole output of a convolution, tile by tile.

        Floats that need no conversion are summed in the output itself. Other blocks are computed, converted and copied
        to it.
        """
        if self.is_one_block:
            return self._block(inputs[0][0], self.tiles[0], self.weights(inputs))  # one image, one tile
        if not self.source.is_float or self.out != compute_dtype(self.source):
            return assemble_blocks(self.blocks(*inputs), is_one_block=False, shape=self.shape, dtype=self.out)
        out, weights = np.empty(self.shape, self.out), self.weights(inputs)
        for x, image in zip(inputs[0], out, strict=True):
            for tile in self.tiles:
                block = image[tile.output_rows]
                self._sum_products(x, tile, weights, block)
                rows = block.reshape(-1, len(weights.bias))
                rows += weights.bias
        return out

    def blocks(self, *inputs: Array) -> Blocks:
        """Yields the output in blocks of a few rows of one image, each with its index."""
        weights = self.weights(inputs)
        for n, x in enumerate(inputs[0]):
            for tile in self.tiles:
                yield (slice(n, n + 1), tile.output_rows), self._block(x, tile, weights)

    def _block(self, x: Array, tile: InputTile, weights: Weights[Prepared]) -> Array:
        """Returns a block of the output of image `x`, with bias, as [1, rows, ...]."""
        return self._add_bias(self._sum_products(x, tile, weights), weights).reshape(1, -1, *self.shape[2:])

    def _add_bias(self, sums: Array, weights: Weights[Prepared]) -> Array:
        """Adds the bias to sums and converts them to the output's type; a fused RESCALE does both itself."""
        if self.rescaler is not None:
            return self.rescaler(sums)
        sums = sums.reshape(-1, len(weights.bias))
        if self.source.is_float:
            sums += weights.bias
            return sums.astype(self.out, copy=False)
        return add_integer_bias(self.op, self.plan_context, sums, weights.bias, self.out, weights.never_overflows)


@dataclass(frozen=True, slots=True)
class _PointwiseWindows:
    """Multiplies 1x1 windows by weights: the input is the matrix of windows already, so nothing is copied."""

    window_size: int  # elements of a window

    @property
    def elements_per_position(self) -> int:
        """The number of elements to copy for each position of the output."""
        return self.window_size

    def multiply_windows(self, padded: Array, _rows: slice, right: RightMatrix, out: Array | None) -> Array:
        """Returns products of a tile's windows and the weights, [positions, OC], in `out` if given.

        `padded` is the tile, `right` the matrix of weights. A 1x1 kernel's windows are the tile itself.
        """
        return right.multiply(padded.reshape(-1, self.window_size), out)


@dataclass(frozen=True, slots=True)
class _Im2colWindows(_PointwiseWindows):
    """Multiplies windows by weights after im2col, which copies them into a matrix, one window after the other."""

    geometry: WindowGeometry

    def multiply_windows(self, padded: Array, rows: slice, right: RightMatrix, out: Array | None) -> Array:
        """Returns products of a tile's windows and the weights, [positions, OC], in `out` if given.

        `padded` is the tile, `rows` its output rows, and `right` the matrix of weights.
        """
        return right.multiply(self._im2col(padded, (rows.stop - rows.start, *self.geometry.output[1:])), out)

    def _im2col(self, padded: Array, positions: tuple[int, ...]) -> Array:
        """Copies a padded tile's windows into a matrix, [output positions, row by row; elements of a window]."""
        return np.ascontiguousarray(self._windows(padded, positions, self.geometry.kernel)).reshape(
            -1, self.window_size
        )

    def _windows(self, padded: Array, positions: tuple[int, ...], kernel: tuple[int, ...]) -> Array:
        """Returns the windows of a padded tile as a view without copies, [positions..., kernel..., C]."""
        _, *steps, last = padded.strides
        strides = (*map(mul, steps, self.geometry.stride), *map(mul, steps, self.geometry.dilation), last)
        # A tile of fp32 with 9 columns of 16 channels has strides of 9 * 16 * 4 = 576 bytes a row, 64 a column and 4 a
        # channel. With stride 2 and dilation 1 its windows have strides of 1152 and 128, and inside of 576, 64 and 4.
        windows: Array = np.ndarray((*positions, *kernel, padded.shape[-1]), padded.dtype, padded, 0, strides)
        return windows


@dataclass(frozen=True, slots=True)
class _TransposedIm2col(_Im2colWindows):
    """Multiplies windows copied along the output's rows: faster where these are much longer than a window's."""

    def _im2col(self, padded: Array, positions: tuple[int, ...]) -> Array:
        """Copies a padded tile's windows into a matrix, [positions, elements of a window], which is stored by columns.

        So copying runs along rows of the output: one element of each window after the other.
        """
        axes = len(self.geometry.kernel)
        windows = self._windows(padded, positions, self.geometry.kernel)
        transposed = windows.transpose(*range(axes, 2 * axes + 1), *range(axes))
        return np.ascontiguousarray(transposed).reshape(self.window_size, -1).T


@dataclass(frozen=True, slots=True)
class _Im2colByKernelRow(_Im2colWindows):
    """Multiplies windows row by row of the kernel: copies windows one row high, and sums the products."""

    @property
    def elements_per_position(self) -> int:
        """The number of elements to copy for each position of the output: one row of a window."""
        return self.window_size // self.geometry.kernel[0]

    def multiply_windows(self, padded: Array, rows: slice, right: RightMatrix, out: Array | None) -> Array:
        """Returns products of a tile's windows and the weights, [positions, OC], in `out` if given.

        Copies only windows one kernel row high, multiplies them by each row of the kernel, and adds up the products. A
        matrix that is exact only in several parts takes copies of whole windows, as `_Im2colWindows` makes them.
        """
        if len(right.parts) > 1:
            return _Im2colWindows.multiply_windows(self, padded, rows, right, out)
        kernel_y, kernel_x = self.geometry.kernel
        width = self.geometry.output[1]
        windows = self._windows(padded, (padded.shape[1], width), (1, kernel_x))
        left = np.ascontiguousarray(windows).reshape(padded.shape[1] * width, -1)
        # Stride 1: kernel row ky of output row y reads tile row y + ky * dilation, so the same rows of `left` serve
        # every ky. For a width of 112 and dilation 1 those of ky = 2 begin at 2 * 112 = 224.
        count, step = (rows.stop - rows.start) * width, self.geometry.dilation[0] * width
        matrix = right.parts[0][1]
        matrices = matrix.reshape(kernel_y, -1, matrix.shape[-1])
        total: Array = left[:count].dot(matrices[0], out)
        product = np.empty_like(total)
        for ky in range(1, kernel_y):
            np.dot(left[ky * step : ky * step + count], matrices[ky], out=product)
            total += product
        return total


def _choose_strategy(geometry: WindowGeometry, weight: tuple[int, ...], shape: tuple[int, ...]) -> _PointwiseWindows:
    """Returns the fastest way to multiply windows by weights [OC, K..., IC], for an output of this shape.

    Windows of one position aren't copied. For other windows, it depends on their size whether copying them one by one,
    along output rows, or one kernel row at a time is fastest.
    """
    window_size, row_size = prod(weight[1:]), geometry.kernel[-1] * weight[-1]  # elements of a window and of its row
    if geometry.is_pointwise:
        return _PointwiseWindows(window_size)
    # A 3x3 kernel over RGB: a window's row has 3 * 3 = 9 elements, so copying along output rows of 27 or more pays.
    if shape[-2] >= _LONGER * row_size:
        return _TransposedIm2col(window_size, geometry)
    # _Im2colByKernelRow copies 96 elements a position for a 3x3 kernel of 32 channels, not 288, but adds OC sums twice.
    # That pays for OC up to 48, half of the 96, and where the windows are many.
    if len(geometry.kernel) == 2 and geometry.kernel[0] > 1 == geometry.stride[0] and 2 * shape[-1] <= row_size:
        strategy = _Im2colByKernelRow if prod(shape[1:-1]) * window_size >= _WORTH_ADDING else _Im2colWindows
        return strategy(window_size, geometry)
    return _Im2colWindows(window_size, geometry)


class Im2colConvolution(ConvolutionKernel[RightMatrix]):
    """Computes CONV2D or CONV3D as a matrix product; transposing its weights by `weight_axes` gives [OC, K..., IC]."""

    def __init__(self, op: Op, plan_context: PlanContext, weight_axes: Sequence[int] = ()) -> None:
        """Prepares CONV2D or CONV3D: chooses how to gather windows, and how many output rows a block has.

        `weight_axes` transposes the weights to [OC, K..., IC].
        """
        weight, shape = op.operands[1].type.static, op.result.type.static
        self.weight_axes = weight_axes or range(len(weight))
        weight = tuple([weight[axis] for axis in self.weight_axes])
        geometry = WindowGeometry.of(op, weight[1:-1])
        self.strategy = _choose_strategy(geometry, weight, shape)
        # 3x3 windows of 32 channels, output rows of 112 positions with 64 channels: 112 * 288 = 32256 elements are
        # gathered a row, 2**18 // 32256 = 8 rows; of the output 2**16 // (112 * 64) = 9 rows. A block has 8.
        row = prod(shape[2:-1])
        step = max(
            1,
            min(_WINDOW_ELEMENTS // (row * self.strategy.elements_per_position), _OUTPUT_ELEMENTS // (row * shape[-1])),
        )
        super().__init__(
            op,
            plan_context,
            geometry,
            geometry.pointwise_tiles(step) if geometry.is_pointwise else geometry.tiles(step),
        )

    def _weights(self, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Weights[RightMatrix]:
        """Returns the weights as a matrix, [elements of a window, OC], and the bias for a row of the output.

        What the input's zero point contributes to each sum is subtracted from the bias.
        """
        channels, width = self.shape[-1], self.shape[-2]
        weight = weight.transpose(self.weight_axes)
        if self.source.is_float:
            work = compute_dtype(self.source)
            right = RightMatrix.of_floats(weight.reshape(channels, -1).astype(work, copy=False).T)
            wide_bias = repeat_over_positions(bias.astype(work), channels, width)
            return Weights(right, wide_bias, fill=0.0, never_overflows=True)
        zero = int(input_zp[0])
        matrix = (weight.astype(np.int32) - int(weight_zp[0])).reshape(channels, -1).T
        right = RightMatrix.of_integers(matrix, 1 << (self.source.bits - 1))
        folded, never_overflows = fold_bias(self.op, bias, zero * matrix.sum(axis=0, dtype=np.int64), right.peak)
        return Weights(right, repeat_over_positions(folded, channels, width), zero, never_overflows, right.peak)

    def _sum_products(
        self, x: Array, tile: InputTile, weights: Weights[RightMatrix], out: Array | None = None
    ) -> Array:
        """Returns the sums of products, without bias, for one tile of image `x`; in `out` or a new array."""
        flat = None if out is None else out.reshape(-1, self.shape[-1])
        return self.strategy.multiply_windows(
            tile.extract(x, weights.fill, weights.values.compute_dtype), tile.output_rows, weights.values, flat
        )


class SingleProductConvolution(Im2colConvolution):
    """A small convolution whose windows are the input cut into equal parts: one matrix product computes it."""

    def __init__(self, op: Op, plan_context: PlanContext, weight_axes: Sequence[int] = ()) -> None:
        """Prepares a convolution that is one matrix product, so that its whole output is computed at once.

        `weight_axes` transposes the weights to [OC, KH, KW, IC].
        """
        super().__init__(op, plan_context, weight_axes)
        self.is_one_block = True

    def __call__(self, *inputs: Array) -> Array:
        """Computes a convolution whose windows are the input cut into equal parts, as one matrix product.

        Reshaped to a row for each window, the input is its left matrix.
        """
        weights = self.weights(inputs)
        left = inputs[0].reshape(-1, self.strategy.window_size).astype(weights.values.compute_dtype, copy=False)
        return self._add_bias(weights.values.multiply(left), weights).reshape(self.shape)


def choose_convolution_kernel(op: Op, plan_context: PlanContext, weight_axes: Sequence[int] = ()) -> Im2colConvolution:
    """Returns the kernel that computes CONV2D or CONV3D: a single matrix product if possible, else im2col by blocks.

    A single product is possible if the windows are the input cut into equal parts, and windows and output fit one
    block. Transposing the weights by `weight_axes` gives [OC, K..., IC]; without any, they have that order.
    """
    weight, shape = op.operands[1].type.static, op.result.type.static
    weight = tuple([weight[axis] for axis in weight_axes]) if weight_axes else weight
    positions = prod(shape[:-1])
    fits_block = positions * prod(weight[1:]) <= _WINDOW_ELEMENTS and positions * shape[-1] <= _OUTPUT_ELEMENTS
    single_product = fits_block and WindowGeometry.of(op, weight[1:-1]).windows_partition_input
    return (SingleProductConvolution if single_product else Im2colConvolution)(op, plan_context, weight_axes)


def repeat_over_positions(vector: Array, channels: int, width: int) -> Array:
    """Returns a vector over the channels, or of one element, repeated over `width` positions: long rows are faster."""
    return np.tile(np.broadcast_to(vector, channels), width)


def fold_bias(op: Op, bias: Array, contribution: Array, peak: float) -> tuple[Array, bool]:
    """Returns the bias less what the input's zero point contributes, and whether no sum can leave the accumulator.

    The bias has the accumulator's type if no sum can leave it, else int64.

    Args:
        op: the convolution.
        bias: [OC] or one element, integers.
        contribution: the zero point times the sum of each output channel's weights, [OC], int64.
        peak: a bound of the sum of the magnitudes of an output's products.
    """
    # A result is bias + sum((x - zp) * w) = folded + sum(x * w), of magnitude at most |folded| + peak; without its bias
    # it is at most |folded| + peak + |bias|. Of int8 with 1024 weights of 127 at most, zp = 0 and a bias of 10**6 that
    # is 1024 * 127 * 128 + 2 * 10**6 = 18646144, far below 2**31.
    wide = bias.astype(np.int64)
    folded = wide - contribution
    never_overflows = (
        peak + float(np.abs(folded).max()) + float(np.abs(wide).max()) <= ACCUMULATORS[op.result.type.dtype][1]
    )
    return folded.astype(op.result.type.dtype.numpy) if never_overflows else folded, never_overflows


def add_integer_bias(
    op: Op, plan_context: PlanContext, product: Array, bias: Array, out: "np.dtype[Any]", never_overflows: bool
) -> Array:
    """Adds the bias to integer sums that are stored as floats; returns them in the type of the output.

    Raises:
        UnpredictableError: a sum leaves the accumulator, and the run checks REQUIREs; not possible if
            `never_overflows`.
    """
    if never_overflows:
        # `never_overflows` bounds the sum with and without the bias, so neither the conversion nor the addition can
        # wrap around.
        block = product.astype(out)
        block += bias
        return block
    wide = product.astype(np.int64)
    wide += bias
    if plan_context.check:
        low, high = ACCUMULATORS[op.result.type.dtype]
        fits = wide.min() >= low and wide.max() <= high
        require(op, ADD_FITS, fits)
    return wide.astype(out)
