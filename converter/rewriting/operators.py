"""TOSA's operators on whole tensors as functions of expressions: reductions, movement, products, windows, RESCALE."""

from collections.abc import Sequence
from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr, emit
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

# ** constants **


def empty(shape: Sequence[int], dtype: DType) -> Expr:
    """Returns a value without elements: always a constant, which folds away with the arithmetic that reads it."""
    return Expr(current().empty(shape, dtype))


def interned(array: Array, dtype: DType) -> Expr:
    """Returns the one constant of an array that somebody keeps for good, as a cache does."""
    return Expr(current().lasting(array, dtype))


def separate(x: Expr) -> Expr:
    """Returns a tensor of its own with the same elements: IDENTITY."""
    return Expr(current().apart(x.value))


# ** movement **


def concat(parts: Sequence[Expr], axis: int) -> Expr:
    """Returns the parts one behind the other along an axis: CONCAT."""
    return Expr(current().concat([part.value for part in parts], axis))


def gather(values: Expr, indices: Expr) -> Expr:
    """Returns rows by index: GATHER; values [N, K, C] and indices [N, W] of i32 give [N, W, C]."""
    return Expr(current().gather(values.value, indices.value))


def scatter(values: Expr, indices: Expr, rows: Expr) -> Expr:
    """Returns values [N, K, C] with rows [N, W, C] in place of those at indices [N, W] of i32: SCATTER."""
    return Expr(current().scatter(values.value, indices.value, rows.value))


def table(x: Expr, entries: Array) -> Expr:
    """Returns the entries at the elements: TABLE; 256 of i8, or 513 of i16 that are interpolated into i32."""
    return Expr(current().table(x.value, entries))


# ** reductions: the dimension is kept with size 1 **


def reduce(row: OpDef, x: Expr, axis: int, **attributes: Any) -> Expr:
    """Returns any reduction along an axis.

    Raises:
        UnsupportedError: the largest or least of nothing.
    """
    return Expr(current().reduce(row, x.value, axis, **attributes))


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
    """Returns whether one of the booleans along an axis holds: REDUCE_ANY."""
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

    Of several multipliers and shifts, one is for each index of the last dimension.
    """
    scaled = current().rescale(
        x.value,
        dtype,
        multiplier,
        shift,
        input_zp=input_zp,
        output_zp=output_zp,
        rounding_mode=rounding_mode,
        input_unsigned=input_unsigned,
        output_unsigned=output_unsigned,
    )
    return Expr(scaled)


# ** products and windows **


def matmul(a: Expr, b: Expr, *, a_zp: int = 0, b_zp: int = 0, dtype: DType | None = None) -> Expr:
    """Returns the matrix product of a [N, H, C] and b [N, C, W]: MATMUL."""
    return Expr(current().matmul(a.value, b.value, a_zp=a_zp, b_zp=b_zp, dtype=dtype))


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
    """Returns CONV2D (weight OHWI) or DEPTHWISE_CONV2D (weight HWCM) of what the windows reach."""
    convolved = current().conv2d(
        x.value,
        weight.value,
        bias.value,
        pad=pad,
        stride=stride,
        dilation=dilation,
        input_zp=input_zp,
        weight_zp=weight_zp,
        depthwise=depthwise,
    )
    return Expr(convolved)


def conv3d(
    x: Expr, weight: Expr, bias: Expr, *, pad: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> Expr:
    """Returns CONV3D (weight ODHWI) of what the windows reach."""
    return Expr(current().conv3d(x.value, weight.value, bias.value, pad=pad, stride=stride, dilation=dilation))


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
    """Returns TRANSPOSE_CONV2D (weight OHWI)."""
    convolved = current().transpose_conv2d(
        x.value, weight.value, bias.value, out_pad=out_pad, stride=stride, input_zp=input_zp, weight_zp=weight_zp
    )
    return Expr(convolved)


def avg_pool2d(x: Expr, *, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int], zp: int = 0) -> Expr:
    """Returns AVG_POOL2D with one zero point for input and output."""
    return Expr(current().avg_pool2d(x.value, kernel=kernel, stride=stride, pad=pad, zp=zp))


def max_pool2d(
    x: Expr, *, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int], nan_mode: str = "PROPAGATE"
) -> Expr:
    """Returns MAX_POOL2D."""
    return Expr(current().max_pool2d(x.value, kernel=kernel, stride=stride, pad=pad, nan_mode=nan_mode))


def resize(x: Expr, *, mode: str, scale: Sequence[int], offset: Sequence[int], border: Sequence[int]) -> Expr:
    """Returns RESIZE; integer BILINEAR gives i32 (i48 for i16)."""
    return Expr(current().resize(x.value, mode=mode, scale=scale, offset=offset, border=border))


# ** transforms **


def rfft2d(x: Expr, *, local_bound: bool = False) -> tuple[Expr, Expr]:
    """Returns the real and imaginary parts [N,H,W/2+1] of the Fourier transform of real images [N,H,W]: RFFT2D."""
    builder, attributes = current(), {"local_bound": local_bound}
    types = infer_types(ops.RFFT2D, (x.value,), attributes)
    op = Op(ops.RFFT2D, (x.value,), types, attributes, location=builder.location)
    builder.graph.ops.append(op)
    real, imag = map(Expr, op.results)
    return real, imag
