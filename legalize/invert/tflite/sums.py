"""Integer sums of products that no quantized TFLite operator computes: exact in fp32, by digits that 24 bits hold."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite import windows
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, storage_type
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.invert.tflite.integers import clip, shift_down
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops

EXACT = 1 << 24  # the integers up to here are floats
Product = Callable[[Value, Value], Value]


class Digit(NamedTuple):
    """One digit of a tensor of integers, held in fp32: the integers are the sum of value * factor over all digits.

    No element of `value` is larger than `peak` in magnitude.
    """

    value: Value
    factor: int
    peak: int


def split_into_digits(b: TflBuilder, x: Value, zero_point: int, base: int = 0) -> list[Digit]:
    """Returns x less its zero point as fp32 digits, highest first, whose products fp32 can sum up exactly.

    int16 has two digits of base 256, other types have one; with a `base` there are two of that base.
    """
    low, high = x.type.dtype.limits
    real = b.cast(x, DType.FP32)
    real = _subtract(b, real, zero_point)
    base = base or (256 if x.type.dtype is DType.I16 else 0)
    peak = max(high - zero_point, zero_point - low)
    if not base:
        return [Digit(real, 1, peak)]
    upper = b.op("floor", [b.mul(real, b.scalar_like(1 / base, real))])
    return [
        Digit(upper, base, peak // base + 1),
        Digit(b.sub(real, b.mul(upper, b.scalar_like(base, real))), 1, base - 1),
    ]


def _subtract(b: TflBuilder, x: Value, zero_point: int) -> Value:
    """Returns x, in fp32, less its zero point: x itself for 0, a constant, or the result of an appended SUB."""
    if not zero_point:
        return x
    if x.constant is not None:
        return b.const(x.constant - np.float32(zero_point), DType.FP32)
    return b.sub(x, b.scalar_like(zero_point, x))


class ProductSum(NamedTuple):
    """The sizes of a convolution or matrix product, whose sums `product` appends for two fp32 operands.

    * `kernel` are the kernel's spatial sizes, which begin at dimension `kernel_axis` of the right operand.
    * `channel_axes` are the dimensions of the summed channels in both operands; None if channels aren't summed.
    """

    kernel: tuple[int, ...]
    kernel_axis: int
    channel_axes: tuple[int, int] | None
    channels: int
    product: Product

    @property
    def taps(self) -> int:
        """The number of kernel elements: of products that a result sums up for each input channel."""
        return int(np.prod(self.kernel))


def sum_products(
    b: TflBuilder, lefts: Sequence[Digit], rights: Sequence[Digit], sizes: ProductSum, dtype: DType
) -> Value:
    """Appends a sum of integer products to TFLite's graph, as exact fp32 sums of products of the operands' digits.

    `sizes.product` appends each partial sum, of so few terms that fp32 (24 bits) holds it; `dtype` is the total's.
    """
    total: Value | None = None
    for left in lefts:
        for right in rights:
            for pair in _exact_pairs(b, left, right, sizes):
                term = b.cast(sizes.product(*pair), dtype)
                factor = left.factor * right.factor
                term = b.mul(term, b.scalar_like(factor, term)) if factor != 1 else term
                total = term if total is None else b.add(total, term)
    assert total is not None
    return total


def _exact_pairs(b: TflBuilder, left: Digit, right: Digit, sizes: ProductSum) -> Iterator[tuple[Value, Value]]:
    """Yields pairs of operands whose sums of products fit 24 bits: some of the channels, or some kernel elements.

    Example: products of 8 bits are at most 255 * 128, of which 514 sum up to less than 2**24. So a kernel of 3x3 takes
    57 channels at a time.
    """
    taps = min(sizes.taps, EXACT // (left.peak * right.peak))
    most = max(EXACT // (sizes.taps * left.peak * right.peak), 1)
    for begin in range(0, sizes.channels, most) if sizes.channel_axes else (0,):
        x, weight = _cut_channels(b, left, right, sizes, begin, min(most, sizes.channels - begin))
        for tap in range(0, sizes.taps, taps):
            yield x, weight if taps == sizes.taps else _mask_weights(b, weight, sizes, tap, taps)


def _mask_weights(b: TflBuilder, weight: Value, sizes: ProductSum, begin: int, count: int) -> Value:
    """Appends weights in which all but `count` kernel elements from `begin` on are 0, for sums that fp32 holds."""
    shape = [1] * weight.type.rank
    shape[sizes.kernel_axis : sizes.kernel_axis + len(sizes.kernel)] = sizes.kernel
    mask = np.zeros(sizes.taps, np.float32)
    mask[begin : begin + count] = 1
    if weight.constant is not None:
        return b.const(weight.constant * mask.reshape(shape), DType.FP32)
    return b.mul(weight, b.const(mask.reshape(shape), DType.FP32))


def _cut_channels(
    b: TflBuilder, left: Digit, right: Digit, sizes: ProductSum, begin: int, count: int
) -> tuple[Value, Value]:
    """Returns both operands sliced to `count` channels from `begin` on; unchanged if these are all."""
    if sizes.channel_axes is None or count == sizes.channels:
        return left.value, right.value
    return _slice_axis(b, left.value, sizes.channel_axes[0], begin, count), _slice_axis(
        b, right.value, sizes.channel_axes[1], begin, count
    )


def _slice_axis(b: TflBuilder, x: Value, axis: int, begin: int, count: int) -> Value:
    """Appends SLICE of `count` elements from `begin` on along one axis."""
    start, size = [0] * x.type.rank, list(x.type.static)
    start[axis], size[axis] = begin, count
    return b.slice(x, start, size)


def _zero_points(match: Match, first: int) -> tuple[int, int]:
    """Returns the constant zero points of the operands `first` and `first + 1`."""
    left, right = (int(match.constant(i).reshape(-1)[0]) for i in (first, first + 1))
    return left, right


def _operand_digits(match: Match, first: int, taps: int) -> tuple[list[Digit], list[Digit]]:
    """Returns the fp32 digits of the left and of the right factor of a TOSA product of integers.

    The right factor has digits of base 16 if the products of a single channel (`taps` of them) could exceed 24 bits.
    `first` is the position of the left zero point among the operands; the right one follows.
    """
    b, (left_zp, right_zp) = tfl_builder(), _zero_points(match, first)
    lefts, rights = split_into_digits(b, match.value(0), left_zp), split_into_digits(b, match.value(1), right_zp)
    if taps * max(part.peak for part in lefts) * rights[0].peak > EXACT:
        rights = split_into_digits(b, match.value(1), right_zp, base=16)
    return lefts, rights


def _add_bias(match: Match, sums: Value) -> Value:
    """Appends ADD of a TOSA convolution's bias to its sums, unless all of the bias is 0."""
    b, bias = tfl_builder(), match.value(2)
    if bias.constant is not None and not bias.constant.any():
        return sums
    return b.add(sums, b.cast(bias, sums.type.dtype))


def conv(match: Match) -> Value:
    """Replaces TOSA's convolution of integers by TFLite's float convolutions of their digits, which are exact."""
    b, op = tfl_builder(), match.op
    kernel, depthwise = windows.spatial_sizes(op), op.row is ops.DEPTHWISE_CONV2D
    lefts, rights = _operand_digits(match, first=3, taps=int(np.prod(kernel)))
    # Channels come last in both operands; a depthwise kernel begins with its spatial sizes and sums no channels.
    sizes = ProductSum(
        kernel,
        kernel_axis=0 if depthwise else 1,
        channel_axes=None if depthwise else (-1, -1),
        channels=1 if depthwise else op.operands[1].type.static[-1],
        product=lambda x, weight: windows.append_convolution(b, op, x, weight),
    )
    return _add_bias(match, sum_products(b, lefts, rights, sizes, storage_type(op.result.type.dtype)))


def matmul(match: Match) -> Value:
    """Replaces TOSA's MATMUL of integers by TFLite's float BATCH_MATMULs, one for each pair of the operands' digits.

    Digits are so few bits of an integer that their float products and sums are exact.
    """
    b = tfl_builder()
    lefts, rights = _operand_digits(match, first=2, taps=1)
    sizes = ProductSum(
        kernel=(),
        kernel_axis=0,
        channel_axes=(2, 1),  # [N, H, C] by [N, C, W]
        channels=match.value(0).type.static[2],
        product=lambda x, y: windows.append_matmul(b, x, y),
    )
    return sum_products(b, lefts, rights, sizes, storage_type(match.op.results[0].type.dtype))


# ** means **


def is_tflite_average_pool(op: Op) -> bool:
    """Returns whether TFLite's AVERAGE_POOL_2D computes an AVG_POOL2D of TOSA: of i8 with zero points of 0.

    TOSA's reciprocal_scale is 2**-30 too large, which pushes every tie away from 0 and, for windows of less than 2**22
    elements, nothing else.
    """
    x, *zero_points = op.operands
    zeros = all(value.constant is not None and not value.constant.any() for value in zero_points)
    window = windows.window_of(op)
    small = window.kernel[0] * window.kernel[1] < 1 << 22
    return x.type.dtype is DType.I8 and zeros and small and windows.has_tflite_padding(x.type.static[1:-1], window)


def average_pool(match: Match) -> Value:
    """Replaces TOSA's integer AVG_POOL2D by sums of each window times reciprocal_scale of its size (TOSA 2.3.2, 4.2).

    TFLite's own operator is used if it rounds in the same way.
    """
    b, op, dtype = tfl_builder(), match.op, match.value(0).type.dtype
    input_zp, output_zp = _zero_points(match, 1)
    if is_tflite_average_pool(op):
        return windows.append_pool(b, "average_pool_2d", op, match.value(0))
    kernel, channels = windows.spatial_sizes(op), match.value(0).type.static[3]
    ones = Digit(b.const(np.ones((1, *kernel, channels), np.float32), DType.FP32), factor=1, peak=1)
    zeros = b.const(np.zeros(channels, np.float32), DType.FP32)

    def sum_windows(x: Value, weight: Value) -> Value:
        """Appends the sum of each window, a DEPTHWISE_CONV_2D by ones."""
        image, padding = windows.pad_image(b, x, window := windows.window_of(op))
        options = window.options | {"depth_multiplier": 1}
        shape = op.result.type.static
        return b.op("depthwise_conv_2d", [image, weight, zeros], shape=shape, padding=padding, **options)

    sizes = ProductSum(kernel, kernel_axis=1, channel_axes=None, channels=1, product=sum_windows)
    sums = sum_products(b, split_into_digits(b, match.value(0), input_zp), [ones], sizes, DType.I64)
    y = _divide(b, sums, windows.window_element_counts(op)[None, :, :, None])
    y = b.add(y, b.scalar_like(output_zp, y)) if output_zp else y
    return b.cast(clip(b, y, *dtype.limits), dtype)


def _divide(b: TflBuilder, sums: Value, count: Array) -> Value:
    """Appends sums divided by the windows' sizes, with TOSA's reciprocal_scale and the rounding of apply_scale_32.

    `count` are the sizes, [1, height, width, 1], of which padding has no part.
    """
    bits = np.ceil(np.log2(np.maximum(count, 1))).astype(np.int64)  # 32 - clz(count - 1)
    multiplier = ((np.int64(1) << 30) + 1 << bits) // count
    shift = 30 + bits
    if count.min() == count.max():  # one number instead of one for each window
        multiplier, shift = multiplier[:, :1, :1], shift[:, :1, :1]
    y = b.mul(sums, b.const(multiplier, DType.I64))
    y = b.add(y, b.const(np.int64(1) << (shift - 1), DType.I64))
    return shift_down(b, y, shift)


_PAIRS = "i8 i16"
RULES: tuple[Rule, ...] = (
    *(Rule(f"tosa.{name}", _PAIRS, conv) for name in ("conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")),
    Rule("tosa.matmul", _PAIRS, matmul),
    Rule("tosa.avg_pool2d", _PAIRS, average_pool),
)
