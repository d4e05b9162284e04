"""RESIZE (2.12.1): first along columns, then along rows, in blocks of output rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.fast.base import (
    BLOCK,
    Blocks,
    BlockwiseKernel,
    PlanContext,
    assemble_blocks,
    compute_dtype,
    prepare_once,
)
from tosa_converter.ir import Array, Op


@dataclass(frozen=True, slots=True)
class _Axis:
    """For each output position of an image axis, the two input positions that RESIZE interpolates, with weights.

    Attributes:
        first: the position before.
        second: the position after.
        weights: those of `first` and `second`: 1 - d and d, in units of 1/scale_n for integers.
        nearest: the position that NEAREST_NEIGHBOR reads.
    """

    first: Array
    second: Array
    weights: tuple[Array, Array]
    nearest: Array


def _resize_axis(
    size: int, scale_n: int, scale_d: int, offset: int, border: int, work: "np.dtype[Any]", repeats: int = 1
) -> _Axis:
    """Returns the two input positions, with weights, that RESIZE reads for each output position of an image axis.

    The scale is `scale_n / scale_d`, and `work` the type of the weights. Both weights of a position add up to 1 in a
    float type, to `scale_n` in an integer type. Each is repeated `repeats` times, once for each channel, as long rows
    are faster.
    """
    # 2 elements doubled by half pixels, scale 4/2, offset -1, border 1: 4 outputs stand at -1, 1, 3 and 5 quarters of
    # an input position. index is -1, 0, 0, 1, rest 3, 1, 3, 1; clipped to the image, the first reads 0 and 0.
    count = ((size - 1) * scale_n - offset + border) // scale_d + 1
    position = np.arange(count) * scale_d + offset
    index = position // scale_n
    rest = position - index * scale_n
    first, second = np.maximum(index, 0), np.minimum(index + 1, size - 1)
    nearest = np.where(2 * rest >= scale_n, second, first)
    weight, unit = rest.astype(work), work.type(scale_n)
    if work.kind == "f":
        weight, unit = weight / unit, work.type(1)
    return _Axis(first, second, (np.repeat(unit - weight, repeats), np.repeat(weight, repeats)), nearest)


class Resize(BlockwiseKernel):
    """A kernel that computes RESIZE (2.12.1), nearest neighbour or bilinear, in blocks of output rows."""

    def __init__(self, op: Op, plan_context: PlanContext) -> None:
        """Prepares RESIZE; positions and weights are computed once if scale, offset and border are constant."""
        dtype = op.operands[0].type.dtype
        self.bilinear = op.attributes["mode"] == "BILINEAR"
        self.out = op.result.type.dtype.numpy
        # `work` holds every sum and weight. No sum of BILINEAR exceeds 128 * 2048 * 2048 = 2**29 for i8, as scales are
        # at most 2048, so its i32 holds all; i16 has 2**37 in i48. NEAREST computes no sums, but its i8 can't hold
        # weights up to 2048.
        self.work = compute_dtype(op.result.type.dtype) if self.bilinear or dtype.is_float else np.dtype(np.int32)
        height, width, channels = op.operands[0].type.static[1:]

        def axes(scale: Array, offset: Array, border: Array) -> tuple[_Axis, _Axis]:
            """Returns the input positions and weights along height and along width."""
            weight_dtype = self.work if dtype is not DType.FP16 else np.dtype(np.float32)
            vertical = _resize_axis(height, int(scale[0]), int(scale[1]), int(offset[0]), int(border[0]), weight_dtype)
            # Repeated over the channels, so that a multiplication runs over a whole row.
            horizontal = _resize_axis(
                width, int(scale[2]), int(scale[3]), int(offset[1]), int(border[1]), weight_dtype, channels
            )
            return vertical, horizontal

        shape = op.result.type.shape  # unknown where the scale is not a constant
        self.is_one_block = shape[0] == 1 and None not in shape and op.result.type.elements <= BLOCK
        self.axes = prepare_once(op, plan_context, (1, 2, 3), axes)

    def __call__(self, *inputs: Array) -> Array:
        """Computes RESIZE's whole output, [N, OH, OW, C]."""
        vertical, horizontal = self.axes(inputs)
        x = inputs[0]
        shape = (len(x), len(vertical.first), len(horizontal.first), x.shape[3])
        if not self.bilinear:
            return np.asarray(x[:, vertical.nearest][:, :, horizontal.nearest])
        return assemble_blocks(self.blocks(*inputs), self.is_one_block, shape, self.out)

    def blocks(self, *inputs: Array) -> Blocks:
        """Yields RESIZE's output in blocks of rows of one image, each with its index in the output."""
        vertical, horizontal = self.axes(inputs)
        x = inputs[0]
        step = max(1, BLOCK // (len(horizontal.first) * x.shape[3]))
        for n in range(len(x)):
            for start in range(0, len(vertical.first), step):
                rows = slice(start, start + step)
                yield (slice(n, n + 1), rows), self._output_rows(x[n], vertical, horizontal, rows)[None]

    def _output_rows(self, x: Array, vertical: _Axis, horizontal: _Axis, rows: slice) -> Array:
        """Returns these rows of RESIZE's output for one image, [rows, OW, C]."""
        if not self.bilinear:
            return np.asarray(x[vertical.nearest[rows]][:, horizontal.nearest])
        mixed = self._interpolate(x, vertical, rows, axis_number=0)
        return self._interpolate(mixed, horizontal, slice(None), axis_number=1).astype(self.out, copy=False)

    def _interpolate(self, x: Array, axis: _Axis, positions: slice, *, axis_number: int) -> Array:
        """Returns the weighted sums of two neighbours along an axis: number 0 for the height, 1 for the width.

        `positions` selects output positions; along the width it must select all.
        """
        first, second = (x.take(index[positions], axis_number) for index in (axis.first, axis.second))
        first, second = first.astype(self.work, copy=False), second.astype(self.work, copy=False)
        # Weights along the width are repeated over the channels, [OW * C]; those along the height are for whole rows.
        for values, weights in zip((first, second), axis.weights, strict=True):
            rows = values.reshape(len(values), -1)
            rows *= weights if axis_number else weights[positions, None]
        first += second
        return first
