"""TRANSPOSE_CONV2D as CONV2Ds: rows and columns of a result that see the same taps, a stride apart, are its phases."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, conv2d


class Phase(NamedTuple):
    """Result stride * i + phase sums tap first + stride * t of the kernel at place i + last - t, `taps` of them."""

    first: int
    taps: int
    last: int


class Axis(NamedTuple):
    """One axis of the image, its kernel and the result, before which so many are added, or cut off if negative."""

    size: int
    kernel: int
    stride: int
    out_size: int
    out_pad: int

    @property
    def phases(self) -> list[Phase]:
        """Of the results 0, 1 ... stride - 1."""
        away = (divmod(phase - self.out_pad, self.stride) for phase in range(self.stride))
        return [Phase(first, -((first - self.kernel) // self.stride), last) for last, first in away]

    @property
    def steps(self) -> int:
        """How many results a phase has, at most."""
        return -(-self.out_size // self.stride)

    def padding(self, first: int, last: int) -> tuple[int, int]:
        """Of windows that begin at places from `first` on, and end at `last`, of the first result."""
        return -first, self.steps + last - self.size


def phased(
    x: Expr, zero_point: int, weight: Array, weight_zp: int, bias: Expr, rows: Axis, columns: Axis
) -> list[Expr] | None:
    """The sums of each phase of rows, [N,rows,columns,phases * channels]; None if parts of the image aren't seen.

    `weight` is OHWI. The phases of columns are side by side, on a kernel that is as wide as all of their taps.
    """
    ups = columns.phases
    first, last = min(up.last - up.taps + 1 for up in ups), max(up.last for up in ups)
    left_right = columns.padding(first, last)
    out, _, _, depth = weight.shape
    times = columns.stride if bias.size > 1 else 1
    if bias.constant is None:
        biases = concat([bias] * times, 0)
    else:  # CONCAT takes no i48
        biases = const(np.tile(bias.constant, times), bias.dtype)
    sums = []
    for row in rows.phases:
        pad = (*rows.padding(row.last - row.taps + 1, row.last), *left_right)
        if min(pad) < 0:
            return None
        kernel = np.full((columns.stride, out, row.taps, last - first + 1, depth), weight_zp, np.int8)
        taps = weight[:, row.first :: rows.stride][:, ::-1]
        for phase, up in enumerate(ups):
            for tap in range(up.taps):
                kernel[phase, :, :, up.last - tap - first] = taps[:, :, up.first + tap * columns.stride]
        value = const(kernel.reshape(-1, *kernel.shape[2:]), DType.I8)
        sums.append(conv2d(x, value, biases, pad=pad, input_zp=zero_point, weight_zp=weight_zp))
    return sums


def joined(phases: Sequence[Expr], rows: Axis, columns: Axis) -> Expr:
    """The result of what became of the sums."""
    n, height, width, channels = phases[0].shape
    channels //= columns.stride
    lines = [phase.reshape((n, height, 1, width * columns.stride * channels)) for phase in phases]
    image = concat(lines, 2).reshape((n, height * rows.stride, width * columns.stride, channels))
    return image.slice((0, 0, 0, 0), (n, rows.out_size, columns.out_size, channels))
