"""Functions that emit TOSA's operators on whole tensors: reductions, movement, products, windows, RESCALE."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, Op
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr, const, emit
from tosa_converter.rules.inference import infer_types
from tosa_converter.rules.types import accumulator
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

# ** constants **


def empty(shape: Sequence[int], dtype: DType) -> Expr:
    """Returns a tensor without elements, always a constant, which folds away with the arithmetic that reads it."""
    return Expr(current().empty(shape, dtype))


def interned_constant(array: Array, dtype: DType) -> Expr:
    """Returns an interned constant: every call with the same array object, which must live on, shares one operator."""
    return Expr(current().interned_const(array, dtype))


def copy_tensor(x: Expr) -> Expr:
    """Returns a separate tensor with the same elements: IDENTITY."""
    return Expr(current().copy_tensor(x.value))


def _dims(numbers: Sequence[int]) -> Expr:
    """Returns a CONST_SHAPE with these numbers, as RESIZE takes its scale, offset and border."""
    return Expr(current().shape(numbers))


def _zero_point(number: int, dtype: DType) -> Expr:
    """Returns a zero-point operand: a constant of shape [1]."""
    return Expr(current().zero_point(number, dtype))


# ** movement **


def concat(parts: Sequence[Expr], axis: int) -> Expr:
    """Returns the parts joined along an axis: CONCAT."""
    return Expr(current().concat([part.value for part in parts], axis))


def gather(values: Expr, indices: Expr) -> Expr:
    """Returns the rows [N, W, C] of values [N, K, C] at the indices [N, W] of i32: GATHER."""
    return emit(ops.GATHER, values, indices)


def row_gather(values: Expr, indices: Expr) -> Expr:
    """Returns the rows [N, W, C] of values [N, K, C] at the indices [N, W]: ROW_GATHER of TOSA 1.1, a row each."""
    return emit(ops.ROW_GATHER, values, indices, const([1], DType.I32))


def scatter(values: Expr, indices: Expr, rows: Expr) -> Expr:
    """Returns values [N, K, C] with rows [N, W, C] in place of those at indices [N, W] of i32: SCATTER."""
    return emit(ops.SCATTER, values, indices, rows)


def table(x: Expr, entries: Array) -> Expr:
    """Returns the entry of a table for every element: TABLE; 256 entries of i8, or 513 of i16, interpolated in i32."""
    return emit(ops.TABLE, x, const(entries, x.dtype))


# ** reductions: the dimension is kept with size 1 **


def reduce(row: OpDef, x: Expr, axis: int, **attributes: Any) -> Expr:
    """Returns the result of any reduction along an axis, which keeps size 1.

    Raises:
        UnsupportedError: the axis has no elements, and the reduction is REDUCE_MAX or REDUCE_MIN.
    """
    if x.shape[axis] == 0 and row in (ops.REDUCE_MAX, ops.REDUCE_MIN):
        raise UnsupportedError(f"expected at least one element along axis {axis} for {row.opcode}, found {x.type}")
    return emit(row, x, axis=axis, **attributes)


def reduce_sum(x: Expr, axis: int) -> Expr:
    """Returns the sum along an axis: REDUCE_SUM."""
    return reduce(ops.REDUCE_SUM, x, axis)


def reduce_product(x: Expr, axis: int) -> Expr:
    """Returns the product along an axis: REDUCE_PRODUCT."""
    return reduce(ops.REDUCE_PRODUCT, x, axis)


def reduce_max(x: Expr, axis: int, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns the largest element along an axis: REDUCE_MAX."""
    return reduce(ops.REDUCE_MAX, x, axis, nan_mode=nan_mode)


def reduce_min(x: Expr, axis: int, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns the smallest element along an axis: REDUCE_MIN."""
    return reduce(ops.REDUCE_MIN, x, axis, nan_mode=nan_mode)


def reduce_all(x: Expr, axis: int) -> Expr:
    """Returns whether all booleans along an axis hold: REDUCE_ALL."""
    return reduce(ops.REDUCE_ALL, x, axis)


def reduce_any(x: Expr, axis: int) -> Expr:
    """Returns whether any boolean along an axis holds: REDUCE_ANY."""
    return reduce(ops.REDUCE_ANY, x, axis)


def argmax(x: Expr, axis: int, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns the first index of the largest element along an axis, which is removed: ARGMAX."""
    return emit(ops.ARGMAX, x, axis=axis, nan_mode=nan_mode)


# ** quantization **


def rescale(
    x: Expr,
    dtype: DType,
    multiplier: Sequence[int] | Array,
    shift: Sequence[int] | Array,
    *,
    input_zp: int = 0,
    output_zp: int = 0,
    rounding_mode: str = "SINGLE_ROUND",
    input_unsigned: bool = False,
    output_unsigned: bool = False,
) -> Expr:
    """Returns `(x - input_zp) * multiplier / 2**shift + output_zp` in another type: RESCALE.

    Args:
        x: integers.
        dtype: the result's element type.
        multiplier: one multiplier, or one per index of the last dimension: 32 bits, or 16 bits if x is i48.
        shift: one shift per multiplier, in [2, 62].
        input_zp: the zero point of x; 0 to 255, or 65535, if x is unsigned.
        output_zp: the zero point of the result, likewise.
        rounding_mode: "SINGLE_ROUND", "DOUBLE_ROUND" or "INEXACT_ROUND".
        input_unsigned: x has the bits of unsigned integers.
        output_unsigned: the result has the bits of unsigned integers.
    """
    scale32 = x.dtype is not DType.I48
    return emit(
        ops.RESCALE,
        x,
        const(multiplier, DType.I32 if scale32 else DType.I16),
        const(shift, DType.I8),
        _zero_point(_signed_zero_point(input_zp, x.dtype), x.dtype),
        _zero_point(_signed_zero_point(output_zp, dtype), dtype),
        dtype=dtype,
        scale32=scale32,
        rounding_mode=rounding_mode,
        per_channel=len(multiplier) > 1,
        input_unsigned=input_unsigned,
        output_unsigned=output_unsigned,
    )


@lru_cache(1024)
def _signed_zero_point(zero_point: int, dtype: DType) -> int:
    """Returns the signed integer with the bits of an unsigned zero point, as TOSA stores it: 200 in i8 is -56."""
    # i8: (200 + 128) % 256 - 128 = 72 - 128 = -56, while -56 itself stays: (-56 + 128) % 256 - 128 = -56.
    half = 1 << dtype.numpy.itemsize * 8 - 1
    return (int(zero_point) + half) % (2 * half) - half


# ** products and windows **


def matmul(a: Expr, b: Expr, *, a_zp: int = 0, b_zp: int = 0, dtype: DType | None = None) -> Expr:
    """Returns the matrix product of a [N, H, C] and b [N, C, W]: MATMUL."""
    return emit(ops.MATMUL, a, b, _zero_point(a_zp, a.dtype), _zero_point(b_zp, b.dtype), dtype=dtype)


def matmul_t(a: Expr, b: Expr, *, a_zp: int = 0, b_zp: int = 0, dtype: DType | None = None) -> Expr:
    """Returns the product of a [N, H, C] and the transpose of b [N or 1, W, C]: MATMUL_T of TOSA 1.1."""
    return emit(ops.MATMUL_T, a, b, _zero_point(a_zp, a.dtype), _zero_point(b_zp, b.dtype), dtype=dtype)


def conv2d(
    x: Expr,
    weight: Expr,
    bias: Expr,
    *,
    pad: Sequence[int],
    stride: Sequence[int] = (1, 1),
    dilation: Sequence[int] = (1, 1),
    input_zp: int = 0,
    weight_zp: int = 0,
    depthwise: bool = False,
) -> Expr:
    """Returns CONV2D (weight OHWI) or DEPTHWISE_CONV2D (weight HWCM); input that no window reaches is cut off.

    Args:
        x: [N, H, W, C].
        weight: [O, H, W, I], or [H, W, C, M] for `depthwise`.
        bias: one element per output channel, or one; its element type is the result's.
        pad: top, bottom, left, right.
        stride: along height and width.
        dilation: along height and width.
        input_zp: the zero point of x.
        weight_zp: the zero point of the weight.
        depthwise: whether each input channel has outputs of its own.
    """
    sizes = weight.shape[:2] if depthwise else weight.shape[1:3]
    x, pad = _crop_to_windows(x, _window_extents(sizes, dilation), stride, pad)
    row = ops.DEPTHWISE_CONV2D if depthwise else ops.CONV2D
    spans = {"pad": pad, "stride": tuple(stride), "dilation": tuple(dilation)}
    return _convolution(row, (x, weight, bias), (input_zp, weight_zp), **spans)


def conv3d(
    x: Expr, weight: Expr, bias: Expr, *, pad: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> Expr:
    """Returns CONV3D (x NDHWC, weight ODHWI); input that no window reaches is cut off."""
    x, pad = _crop_to_windows(x, _window_extents(weight.shape[1:4], dilation), stride, pad)
    spans = {"pad": pad, "stride": tuple(stride), "dilation": tuple(dilation)}
    return _convolution(ops.CONV3D, (x, weight, bias), (0, 0), **spans)


def transpose_conv2d(
    x: Expr,
    weight: Expr,
    bias: Expr,
    *,
    out_pad: Sequence[int],
    stride: Sequence[int],
    input_zp: int = 0,
    weight_zp: int = 0,
) -> Expr:
    """Returns TRANSPOSE_CONV2D (x NHWC, weight OHWI); `out_pad` extends its output: top, bottom, left, right."""
    spans = {"out_pad": tuple(out_pad), "stride": tuple(stride)}
    return _convolution(ops.TRANSPOSE_CONV2D, (x, weight, bias), (input_zp, weight_zp), **spans)


def _convolution(row: OpDef, operands: tuple[Expr, Expr, Expr], zero_points: tuple[int, int], **spans: Any) -> Expr:
    """Emits any convolution, and returns the result.

    Args:
        row: the operator's record.
        operands: input, weight and bias.
        zero_points: those of input and weight.
        spans: the attributes along the spatial axes: padding, stride and dilation.
    """
    x, weight, bias = operands
    zeros = _zero_point(zero_points[0], x.dtype), _zero_point(zero_points[1], weight.dtype)
    acc_type = accumulator(row, x.dtype)
    return emit(row, *operands, *zeros, dtype=bias.dtype, **spans, acc_type=acc_type, local_bound=False)


def avg_pool2d(x: Expr, *, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int], zp: int = 0) -> Expr:
    """Returns AVG_POOL2D, with one zero point for input and output; input that no window reaches is cut off."""
    x, pad = _crop_to_windows(x, kernel, stride, pad)
    zero = _zero_point(zp, x.dtype)
    acc_type = accumulator(ops.AVG_POOL2D, x.dtype)
    return emit(ops.AVG_POOL2D, x, zero, zero, kernel=tuple(kernel), stride=tuple(stride), pad=pad, acc_type=acc_type)


def max_pool2d(
    x: Expr, *, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int], nan_mode: str = "PROPAGATE"
) -> Expr:
    """Returns MAX_POOL2D; input that no window reaches is cut off."""
    x, pad = _crop_to_windows(x, kernel, stride, pad)
    return emit(ops.MAX_POOL2D, x, kernel=tuple(kernel), stride=tuple(stride), pad=pad, nan_mode=nan_mode)


def _window_extents(sizes: Sequence[int], dilation: Sequence[int]) -> list[int]:
    """Returns how many elements a window spans along each axis: 3 with dilation 2 span 5."""
    return [(size - 1) * step + 1 for size, step in zip(sizes, dilation, strict=True)]


def _crop_to_windows(
    x: Expr, window: Sequence[int], stride: Sequence[int], pad: Sequence[int]
) -> tuple[Expr, tuple[int, ...]]:
    """Returns images and their padding without the elements at the end that no window reaches.

    TOSA requires that the stride divides what is left of a padded axis behind the first window (idiv_check).

    Raises:
        UnsupportedError: the images are smaller than a window.
    """
    # 9 elements, windows of 2, stride 3: windows begin at 0, 3 and 6 and reach 8 elements; (9 - 2) % 3 = 1 is surplus.
    # It comes off the padding at the end first, then off the images.
    padding, sizes = list(pad), list(x.shape)
    for i, reach in enumerate(window):
        before, after = padding[2 * i : 2 * i + 2]
        surplus = (sizes[1 + i] + before + after - reach) % stride[i]
        padding[2 * i + 1] -= min(surplus, after)
        sizes[1 + i] -= surplus - min(surplus, after)
    if any(size < 1 for size in sizes[1 : 1 + len(window)]):
        raise UnsupportedError(f"a window of {list(window)} does not fit {x.type}")
    return x.slice((0,) * x.rank, sizes), tuple(padding)


def resize(x: Expr, *, mode: str, scale: Sequence[int], offset: Sequence[int], border: Sequence[int]) -> Expr:
    """Returns images in another size: RESIZE; for integers, BILINEAR returns sums that aren't divided by the scales.

    These sums are i32 for i8, and i48 for i16.

    Args:
        x: [N, H, W, C].
        mode: "NEAREST_NEIGHBOR" or "BILINEAR".
        scale: numerator and denominator along height, then along width.
        offset: where the first output lies, along height and width, in units of 1/numerator.
        border: how far outputs may lie beyond the last input, along height and width, in units of 1/numerator.
    """
    wide = {DType.I8: DType.I32, DType.I16: DType.I48}
    dtype = wide.get(x.dtype, x.dtype) if mode == "BILINEAR" else x.dtype
    return emit(ops.RESIZE, x, _dims(scale), _dims(offset), _dims(border), dtype=dtype, mode=mode)


# ** transforms **


def rfft2d(x: Expr, *, local_bound: bool = False) -> tuple[Expr, Expr]:
    """Returns the real and imaginary parts [N,H,W/2+1] of the Fourier transform of real images [N,H,W]: RFFT2D."""
    builder, attributes = current(), {"local_bound": local_bound}
    types = infer_types(ops.RFFT2D, (x.value,), attributes)
    op = Op(ops.RFFT2D, (x.value,), types, attributes, location=builder.location)
    builder.graph.ops.append(op)
    real, imag = map(Expr, op.results)
    return real, imag
