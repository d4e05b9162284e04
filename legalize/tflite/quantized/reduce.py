"""MEAN, SUM, REDUCE_MAX and REDUCE_MIN on 8-bit elements (reduce.cc, reference/reduce.h)."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.operands import I32, constant_ints, joined_axes, normalized_axis
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.legalize.tflite.quantized.arithmetic import Multiplier, quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import (
    INT8_MIN,
    LARGEST,
    TIMES_ONE,
    Operand,
    as_reference,
    eight_bit,
    operand,
    requantized,
    requantized_to_i32,
    stored,
    swap_signedness,
    target8,
    to_result_type,
    widened,
    without_scales,
)
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K


def mean(match: Match) -> Value:
    """MEAN -> RESCALE, REDUCE_SUM, RESCALE; 1/n goes into the multiplier as QuantizedMeanOrSum has it."""
    x = operand(match, "input").value
    return scaled_sum(match, int(np.prod([x.type.static[axis] for axis in axes_of(match, x)], dtype=np.int64)))


def scaled_sum(match: Match, divisor: int) -> Value:
    """The sum over the axes, divided by as much, on the result's scale."""
    x, to = operand(match, "input"), target8(match)
    axes = axes_of(match, x.value)
    count = int(np.prod([x.value.type.static[axis] for axis in axes], dtype=np.int64))
    if not count:
        raise Decline(f"{x.value.type} has no element")
    total = _sum(match, x, axes, count)
    m, shift = (int(part[0]) for part in quantize_multiplier(np.float64(x.scale) / np.float64(to.scale)))
    left = min(divisor.bit_length() - 1, 32, 31 + shift)
    multiplier = Multiplier(np.array([(m << left) // divisor]), np.array([shift - left]))
    y = requantized(match, total, multiplier, to.zero_point, peak=LARGEST[to.dtype] * count, dtype=to.dtype)
    return to_result_type(match, squeezed(match, y, axes))


def _sum(match: Match, x: Operand, axes: Sequence[int], count: int) -> Value:
    """The sum over axes of `count` elements, in i32, where they have size 1.

    In compact numerics it is a DEPTHWISE_CONV2D with weights of 1, for which hardware has units.
    """
    build, narrow = match.builder, x.value.type.dtype is DType.I8
    if match.options.numerics != "compact" or not narrow or not 1 < count <= LEVEL_8K.MAX_KERNEL:
        return reduced(match, ops.REDUCE_SUM, widened(build, x), axes)
    joined = joined_axes(build, x.value, axes)
    image = build.reshape(joined, (1, *joined.type.static))
    weight = build.const(np.ones((1, count, joined.type.static[2], 1), np.int8), DType.I8)
    bias = build.const([0], DType.I32)
    total = build.conv2d(image, weight, bias, pad=(0, 0, 0, 0), input_zp=x.zero_point, depthwise=True)
    return build.reshape(total, [1 if axis in axes else size for axis, size in enumerate(x.value.type.static)])


def sum_(match: Match) -> Value:
    """SUM of int8 or int16 -> RESCALE, REDUCE_SUM, RESCALE, as MEAN; it rounds as LiteRT's optimized kernel does."""
    note_disagreement(match)
    return scaled_sum(match, 1)


def sum_of_unsigned(match: Match) -> Value:
    """SUM of uint8 -> RESCALE, REDUCE_SUM, RESCALE and the zero point by hand, as LiteRT's reference kernel."""
    build, x = match.builder, match["input"]
    axes = axes_of(match, x)
    scale, made_scale = (np.float64(np.float32(q.scale[0])) for q in (match.quant("input"), match.result_quant))
    count = int(np.prod([x.type.static[axis] for axis in axes], dtype=np.int64))
    if 383 * count > I32.max:
        raise Decline(f"a sum of {count} elements, which 32 bits don't hold")
    whole = build.rescale(swap_signedness(build, x), DType.I32, *TIMES_ONE, input_zp=INT8_MIN)
    total = reduced(match, ops.REDUCE_SUM, whole, axes)
    centered = build.sub(total, build.scalar(match.quant("input").zero_point[0] * count, total))
    y = requantized_to_i32(match, centered, quantize_multiplier(scale / made_scale), peak=383 * count)
    y = build.clamp(build.add(y, build.scalar(match.result_quant.zero_point[0], y)), 0, 255)
    return squeezed(match, build.cast(y, DType.I8), axes)


def reduce_prod(match: Match) -> Value:
    """REDUCE_PROD, each product scaled by 16 bits of a multiplier before the next, in the elements' order.

    MUL multiplies and scales at once: the multiplier is in the second factor. Constants LiteRT folds by another kernel,
    for which axes of size 1 are none: the elements stay.
    """
    build = match.builder
    x, to = operand(match, "input"), target8(match)
    axes = axes_of(match, x.value)
    joined = joined_axes(build, widened(build, x), axes)
    outer, count, inner = joined.type.static
    if count == 1 and match.source("input").constant is not None:
        return to_result_type(match, squeezed(match, x.value, axes))
    if count > MOST_PRODUCTS:
        raise Decline(f"{count} products one after the other, each an operator of its own")
    real = np.float64(x.scale) / np.float64(to.scale) ** (1 / count)
    m, shift = (int(part[0]) for part in quantize_multiplier(real))
    m = min((m + (1 << 15)) >> 16, 0x7FFF)
    if not -31 <= shift < 8:
        raise Decline(f"a multiplier of {real:.3g}, which the kernel refuses")
    if LARGEST[to.dtype] * (LARGEST[to.dtype] * real) ** count >= 1 << 31:
        match.note(OVERFLOW_OF_PRODUCTS)
    factors = build.mul(joined, build.scalar(m, joined))
    product = build.slice(joined, (0, 0, 0), (outer, 1, inner))
    for i in range(1, count):
        product = build.mul(product, build.slice(factors, (0, i, 0), (outer, 1, inner)), 15 - shift)
    product = build.mul(product, build.scalar(m, product), 15 - shift)
    low, high = to.dtype.limits
    y = build.clamp(build.add(product, build.scalar(to.zero_point, product)), low, high)
    return _product(match, build.cast(y, to.dtype), axes)


def plain_prod(match: Match) -> Value:
    """REDUCE_PROD of numbers, one product after the other, of which the operand's bits are left."""
    build, x = match.builder, match["input"]
    axes = axes_of(match, x)
    joined = joined_axes(build, x, axes)
    outer, count, inner = joined.type.static
    if count > MOST_PRODUCTS:
        raise Decline(f"{count} products one after the other, each an operator of its own")
    product = build.slice(joined, (0, 0, 0), (outer, 1, inner))
    for i in range(1, count):
        product = build.cast(build.mul(product, build.slice(joined, (0, i, 0), (outer, 1, inner))), x.type.dtype)
    return _product(match, product, axes)


def _product(match: Match, y: Value, axes: Sequence[int]) -> Value:
    """The product in the result's shape, from joined axes."""
    shape = [1 if axis in axes else size for axis, size in enumerate(match["input"].type.static)]
    return squeezed(match, match.builder.reshape(y, shape), axes)


def reduce_max(match: Match) -> Value:
    """REDUCE_MAX of the stored values."""
    return _extreme(match, ops.REDUCE_MAX)


def reduce_min(match: Match) -> Value:
    """REDUCE_MIN of the stored values."""
    return _extreme(match, ops.REDUCE_MIN)


def _extreme(match: Match, row: OpDef) -> Value:
    x = stored(match, 0)
    axes = axes_of(match, x)
    return to_result_type(match, squeezed(match, reduced(match, row, x, axes, nan_mode="PROPAGATE"), axes))


def axes_of(match: Match, x: Value) -> list[int]:
    """The reduced axes of the operand in order."""
    return sorted({normalized_axis(axis, x.type.rank) for axis in constant_ints(match, 1)})


def reduced(match: Match, row: OpDef, x: Value, axes: Sequence[int], **attributes: str) -> Value:
    """One operator for each axis of more than one element; the dimensions stay."""
    for axis in axes:
        if x.type.static[axis] > 1:
            x = match.builder.reduce(row, x, axis, **attributes)
    return x


def squeezed(match: Match, x: Value, axes: Sequence[int]) -> Value:
    """Without the reduced dimensions, unless the options keep them."""
    if match.attributes(tflite.ReducerOptions).keep_dims:
        return x
    return match.builder.reshape(x, [size for axis, size in enumerate(x.type.static) if axis not in axes])


MOST_PRODUCTS = 1 << 12
OVERFLOW_OF_PRODUCTS = "products beyond 32 bits overflow in LiteRT (undefined in C) and are unpredictable here"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.mean", BYTES, mean, (eight_bit(0), as_reference)),
    Rewrite("tfl.sum", "i8", sum_, (eight_bit(0), as_reference)),
    Rewrite("tfl.sum", "ui8", sum_of_unsigned, (eight_bit(0), as_reference)),
    Rewrite("tfl.reduce_prod", "i8", reduce_prod, (eight_bit(0), as_reference)),
    Rewrite("tfl.reduce_prod", "i8 ui8 i16", plain_prod, (without_scales,)),
    Rewrite("tfl.reduce_max", BYTES, reduce_max, (eight_bit(0, plain=True), same_quantization)),
    Rewrite("tfl.reduce_min", BYTES, reduce_min, (eight_bit(0, plain=True), same_quantization)),
)
