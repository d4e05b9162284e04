"""What the windows of 2.3's operators read."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tosa_converter.ir import Array


def windows(
    x: Array,
    kernel: Sequence[int],
    pad: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    data: Array | None = None,
) -> Iterator[tuple[Any, Array, Array]]:
    """Yields every position of the kernel: its index, what it reads at every output position, and where that is data.

    Args:
        x: [N, ..., C]; padding reads zeros.
        kernel: its size, and below the attributes of those names.
        pad: before and after every spatial axis.
        stride: one per spatial axis, like dilation.
        dilation: 1 where an operator has none.
        data: which elements of the spatial axes of `x` count as data, all if not given.
    """
    pairs = list(zip(pad[::2], pad[1::2], strict=True))
    padded = np.pad(x, [(0, 0), *pairs, (0, 0)])
    inside = np.pad(np.ones(x.shape[1:-1], bool) if data is None else data, pairs)[..., None]
    sizes = padded.shape[1:-1]
    output = [(n - 1 - (k - 1) * d) // s + 1 for n, k, s, d in zip(sizes, kernel, stride, dilation, strict=True)]
    for index in np.ndindex(*kernel):
        starts = [k * d for k, d in zip(index, dilation, strict=True)]
        read = tuple(slice(a, a + (n - 1) * s + 1, s) for a, n, s in zip(starts, output, stride, strict=True))
        yield index, padded[:, *read], inside[read]
