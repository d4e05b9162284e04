"""Reads the windows of convolutions and poolings (2.3)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tosa_converter.ir import Array


def read_windows(
    x: Array,
    kernel: Sequence[int],
    pad: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    data: Array | None = None,
) -> Iterator[tuple[Any, Array, Array]]:
    """Yields every position of the kernel: its index, the elements that it reads, and which of them aren't padding.

    Args:
        x: [N, ..., C]; padding reads zeros.
        kernel: the size of the kernel per spatial axis.
        pad: the padding before and after every spatial axis.
        stride: the distance between windows per spatial axis.
        dilation: the distance between the elements of a window; 1 for operators without dilation.
        data: a mask of the spatial positions of `x` that hold data, all by default; the zeros between the elements of a
            transposed convolution don't.

    Yields:
        The position in the kernel; the elements that it reads, [N, output positions..., C]; and whether these are
            data, [output positions..., 1].
    """
    pairs = list(zip(pad[::2], pad[1::2], strict=True))
    padded = np.pad(x, [(0, 0), *pairs, (0, 0)])
    inside = np.pad(np.ones(x.shape[1:-1], bool) if data is None else data, pairs)[..., None]
    # 7 positions with padding, a kernel of 3 with dilation 2 and a stride of 2: the kernel spans 5 positions, so there
    # are (7 - 1 - 4) // 2 + 1 = 2 windows, from 0 and 2 on.
    sizes = padded.shape[1:-1]
    output = [(n - 1 - (k - 1) * d) // s + 1 for n, k, s, d in zip(sizes, kernel, stride, dilation, strict=True)]
    for index in np.ndindex(*kernel):
        starts = [k * d for k, d in zip(index, dilation, strict=True)]
        read = tuple(slice(a, a + (n - 1) * s + 1, s) for a, n, s in zip(starts, output, stride, strict=True))
        yield index, padded[:, *read], inside[read]
