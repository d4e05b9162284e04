"""What several families of rewrites need: checks, sizes, axes, TFLite's padding, fused activations."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.builder import Builder
from tosa_converter.ir import Array, DType, Value
from tosa_converter.rewrite import Decline, Match
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding

FLOAT_MAX = float(np.finfo(np.float32).max)
MOST_ELEMENTS = 1 << 24  # of a constant that a rewrite makes up: a few bytes of a file must not ask for gigabytes

# Bounds that the kernels clamp to (CalculateActivationRange in kernel_util.h); None is the type's own bound.
ACTIVATION_RANGES: dict[ActivationFunctionType, tuple[int, int | None]] = {
    ActivationFunctionType.RELU: (0, None),
    ActivationFunctionType.RELU_N1_TO_1: (-1, 1),
    ActivationFunctionType.RELU6: (0, 6),
}


# ** checks: the reason against a rewrite, or None **


def is_quantized(value: Value) -> bool:
    """Whether the elements stand for reals: narrow integers with a scale."""
    return value.type.quant is not None and value.type.dtype.is_integer and value.type.dtype.bits <= 16


def not_quantized(match: Match) -> str | None:
    """Against operators with a quantized operand or result."""
    for value in (*match.op.operands, *match.op.results):
        if is_quantized(value):
            return f"{value.name!r} is quantized ({value.type})"
    return None


def no_narrow_integers(match: Match) -> str | None:
    """Against all integers but i32 and i64: quantized ones, and those that TOSA's arithmetic doesn't take."""
    for value in (*match.op.operands, *match.op.results):
        dtype = value.type.dtype
        if dtype.is_integer and dtype not in (DType.I32, DType.I64):
            return f"{value.name!r} is of type {dtype.value}"
    return None


def same_quantization(match: Match) -> str | None:
    """Against operands and results that don't share one quantization: the elements would have to be rescaled."""
    values = (*match.op.operands, *match.op.results)
    quants = {value.type.quant for value in values if is_quantized(value)}
    return "the operands and results differ in quantization" if len(quants) > 1 else None


# ** sizes **


def affordable(sizes: Sequence[int]) -> list[int]:
    """The shape of a constant that a rewrite may make.

    Raises:
        Decline: it is too large, or no shape at all.
    """
    if min(sizes, default=0) < 0 or math.prod(sizes) > MOST_ELEMENTS:
        raise Decline(f"a constant of shape {list(sizes)}")
    return list(sizes)


# ** 64-bit integers, which TOSA holds in 32 bits **

I32 = np.iinfo(np.int32)


def narrowed(values: Array) -> Array:
    """Exact integers in i32.

    Raises:
        Decline: one doesn't fit.
    """
    wrong = values[(values < I32.min) | (values > I32.max)]
    if wrong.size:
        raise Decline(f"the constant {wrong[0]} does not fit 32 bits")
    return values.astype(np.int32)


def held_in_32_bits(match: Match, y: Value) -> Value:
    """A result whose 64 bits are 32 now, which the user is told once."""
    if match.op.results[0].type.dtype is DType.I64 and y.constant is None:
        match.note_once("64-bit integers are computed in 32 bits from here on; results beyond are unpredictable")
    return y


# ** axes **


def normalized_axis(axis: int, rank: int) -> int:
    """An axis counted from the front.

    Raises:
        Decline: it is out of range.
    """
    if not -rank <= axis < rank:
        raise Decline(f"axis {axis} of a tensor of rank {rank}")
    return axis % rank


def constant_int(match: Match, index: int) -> int:
    """The one element of a constant operand.

    Raises:
        Decline: it isn't constant, or has more elements.
    """
    values = match.constant(index)
    if values.size != 1:
        raise Decline(f"operand {index} must have one element, found shape {list(values.shape)}")
    return int(values.reshape(-1)[0])


def constant_ints(match: Match, index: int) -> list[int]:
    """The elements of a constant operand as integers.

    Raises:
        Decline: it isn't constant.
    """
    return [int(value) for value in match.constant(index).reshape(-1)]


def joined_axes(builder: Builder, x: Value, axes: Sequence[int]) -> Value:
    """`x` as [outer, joined, inner], where `joined` runs over `axes` in the order of the elements.

    Only axes that other dimensions separate need a TRANSPOSE.
    """
    shape = x.type.static
    joined = sorted(axis for axis in axes if shape[axis] != 1)
    first, last = (joined[0], joined[-1] + 1) if joined else (0, 0)
    size = math.prod(shape[axis] for axis in joined)
    if math.prod(shape[first:last]) == size:
        return builder.reshape(x, (math.prod(shape[:first]), size, math.prod(shape[last:])))
    kept = [axis for axis in range(len(shape)) if axis not in joined]
    return builder.reshape(builder.transpose(x, kept + joined), (math.prod(shape[axis] for axis in kept), size, 1))


# ** windows **


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


# ** activations **


def fused_activation(match: Match, x: Value) -> Value:
    """The fused activation of float and i32 operators: TANH and SIGN_BIT do nothing, as in the kernels.

    The kernels' min(max(x, low), high) keeps a NaN, so the CLAMP propagates it.
    """
    kind = match.fused_activation_function
    if kind in (ActivationFunctionType.TANH, ActivationFunctionType.SIGN_BIT):
        match.note(f"the fused activation {kind.name} is ignored, as LiteRT's kernels do")
    if kind not in ACTIVATION_RANGES:
        return x
    low, high = ACTIVATION_RANGES[kind]
    if x.type.dtype is DType.I32:
        x = match.builder.maximum(x, match.builder.scalar(low, x))
        return x if high is None else match.builder.minimum(x, match.builder.scalar(high, x))
    return match.builder.clamp(x, float(low), FLOAT_MAX if high is None else float(high))
