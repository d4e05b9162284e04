"""Padding of windows as TFLite computes it."""

from collections.abc import Sequence

from tosa_converter.ir import Value
from tosa_converter.rewriting.rewrite import Decline, Match
from tosa_converter.schemas.tflite import Padding


def padding_1d(kind: Padding, size: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """Padding before and after along one axis; the odd element goes behind (ComputePaddingHeightWidth, padding.h).

    Raises:
        Decline: a stride, dilation or kernel that isn't positive.
    """
    if min(kernel, stride, dilation) < 1:
        raise Decline(f"kernel {kernel}, stride {stride} and dilation {dilation} must be positive")
    if kind == Padding.VALID:
        if size < (kernel - 1) * dilation + 1:
            raise Decline(f"a window of {kernel} on {size} elements: the result is empty, which no tensor of TOSA is")
        return 0, 0
    outputs = -(-size // stride)
    total = max((outputs - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def padding_2d(
    match: Match, x: Value, kernel: Sequence[int], dilation: Sequence[int] = (1, 1)
) -> tuple[int, int, int, int]:
    """top, bottom, left, right for a window of `kernel` = (height, width) over `x` in NHWC, by the options."""
    _, height, width, _ = x.type.static
    rows = padding_1d(match.padding, height, kernel[0], match.stride_h, dilation[0])
    columns = padding_1d(match.padding, width, kernel[1], match.stride_w, dilation[1])
    return *rows, *columns
