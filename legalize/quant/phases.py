"""A transposed convolution of integers as CONV2Ds, for targets without TRANSPOSE_CONV2D.

Rows and columns of the result that lie a stride apart see the same taps of the kernel: they are a phase. With a stride
of 2 and a kernel of 3 the results 0, 2, 4 ... see the taps 0 and 2, the results 1, 3, 5 ... only tap 1.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, conv2d


class OutputPhase(NamedTuple):
    """The results stride * i + phase along an axis of a transposed convolution, which sum the same kernel taps.

    Result stride * i + phase sums the products of tap first + stride * t with input i + last - t, for t in 0 ... taps -
    1.
    """

    first: int
    taps: int
    last: int


class TransposedAxis(NamedTuple):
    """One axis of a transposed convolution: sizes of image, kernel and result; `out_pad` are added before, or cut."""

    size: int
    kernel: int
    stride: int
    out_size: int
    out_pad: int

    @property
    def phases(self) -> list[OutputPhase]:
        """Returns the phases of this axis: which taps of the kernel the results of each sum, and at which inputs.

        Result i of a transposed convolution is of phase i % stride. Results that are a stride apart sum the same taps
        at neighbouring inputs, so a phase is an ordinary convolution.
        """
        offsets = (divmod(phase - self.out_pad, self.stride) for phase in range(self.stride))
        return [OutputPhase(first, -((first - self.kernel) // self.stride), last) for last, first in offsets]

    @property
    def results_per_phase(self) -> int:
        """Returns how many results the longest phase has; phase i holds the results i, i + stride, i + 2 * stride."""
        return -(-self.out_size // self.stride)

    def padding(self, first: int, last: int) -> tuple[int, int]:
        """Returns the padding before and behind the input, if the first window covers the inputs `first` to `last`.

        `first` may be below 0, and `last` beyond the input. There are `results_per_phase` windows, each one input
        further.
        """
        return -first, self.results_per_phase + last - self.size


def transposed_axes(x: Expr, window: Window) -> tuple[TransposedAxis, TransposedAxis]:
    """Returns the row axis and the column axis of a transposed convolution, with the size of its result along each.

    The paddings of the window are added to the result; negative ones cut elements off.
    """
    rows, columns = (
        TransposedAxis(
            size, kernel, stride, (size - 1) * stride + kernel + sum(window.pad[2 * i : 2 * i + 2]), window.pad[2 * i]
        )
        for i, (size, kernel, stride) in enumerate(zip(x.shape[1:3], window.kernel, window.stride, strict=True))
    )
    return rows, columns


def phase_sums(operands: Operands, rows: TransposedAxis, columns: TransposedAxis) -> list[Expr] | None:
    """Returns a transposed convolution's sums for each row phase, [N, rows, columns, stride * channels], or None.

    Each row phase is one CONV2D. It computes the phases of columns side by side in its channels, with a kernel as wide
    as all of their taps; taps that a phase lacks have the weights' zero point. Returns None if the weights aren't
    constant, the bias doesn't have one element or one per channel, a phase has no taps, or a padding would be below 0.
    """
    x, kernel, bias, x_zp, weight_zp = operands
    tapless = any(axis.stride > axis.kernel for axis in (rows, columns))
    if tapless or kernel.constant is None or bias.size not in (1, kernel.shape[0]):
        return None
    weight, column_phases = kernel.constant, columns.phases
    first, last = (
        min(column_phase.last - column_phase.taps + 1 for column_phase in column_phases),
        max(column_phase.last for column_phase in column_phases),
    )
    left_right = columns.padding(first, last)
    out, _, _, depth = weight.shape
    biases = _repeat_bias(bias, columns.stride)
    sums = []
    for row in rows.phases:
        pad = (*rows.padding(row.last - row.taps + 1, row.last), *left_right)
        if min(pad) < 0:
            return None
        part = np.full((columns.stride, out, row.taps, last - first + 1, depth), weight_zp, np.int8)
        taps = weight[:, row.first :: rows.stride][:, ::-1]
        for phase, column_phase in enumerate(column_phases):
            for tap in range(column_phase.taps):
                part[phase, :, :, column_phase.last - tap - first] = taps[
                    :, :, column_phase.first + tap * columns.stride
                ]
        value = const(part.reshape(-1, *part.shape[2:]), DType.I8)
        sums.append(conv2d(x, value, biases, pad=pad, input_zp=x_zp, weight_zp=weight_zp))
    return sums


def _repeat_bias(bias: Expr, times: int) -> Expr:
    """Returns the bias repeated for all column phases; a constant is tiled in numpy, because CONCAT takes no i48.

    A bias of one element broadcasts, and stays.
    """
    if bias.size == 1:
        return bias
    return concat([bias] * times, 0) if bias.constant is None else const(np.tile(bias.constant, times), bias.dtype)


def join_phases(phases: Sequence[Expr], rows: TransposedAxis, columns: TransposedAxis) -> Expr:
    """Returns the result image from its phases, cut to the output's size.

    Row stride * i + p of the image is row i of `phases[p]`. The channels of a phase are [stride, channels]: its column
    j holds the columns stride * j to stride * j + stride - 1 of the image.
    """
    n, height, width, channels = phases[0].shape
    channels //= columns.stride
    lines = [phase.reshape((n, height, 1, width * columns.stride * channels)) for phase in phases]
    image = concat(lines, 2).reshape((n, height * rows.stride, width * columns.stride, channels))
    return image.slice((0, 0, 0, 0), (n, rows.out_size, columns.out_size, channels))
