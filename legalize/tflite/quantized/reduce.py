"""MEAN, SUM, REDUCE_PROD, REDUCE_MAX and REDUCE_MIN on elements of 8 or 16 bits (reduce.cc, reference/reduce.h)."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.constant_operands import constant_ints
from tosa_converter.legalize.limits import I32, normalized_axis
from tosa_converter.legalize.ops.reduce import merge_axes
from tosa_converter.legalize.quant.elements import (
    INT8_MIN,
    OutputQuant,
    Quantized,
    as_reference,
    eight_bit,
    operand,
    output_quant,
    sixteen_bit,
    stored_elements,
    subtract_zero_point,
    swap_signedness,
    to_result_type,
    without_scales,
)
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, clamp_for_rescale, requantize_to, requantize_to_i32
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.rewriting.expr import Expr, clamp, const, floor, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import conv2d, reduce, rescale
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K

MOST_PRODUCTS = 1 << 12
UNSIGNED_MAGNITUDE = 383  # of a stored value of uint8 less its zero point of -128 to 255
_FAR = float(1 << 20)  # beyond every result's range
OVERFLOW_OF_PRODUCTS = "products beyond 32 bits overflow in LiteRT (undefined in C) and are unpredictable here"


# ** MEAN and SUM **


# QuantizedMeanOrSum divides the multiplier, not the sum, by the number of elements, and cuts the quotient off: for 3
# elements on one scale, m = 2**30 with a shift of 1 is first shifted left by 1, so m = 2**31 // 3 = 715827882, shift 0.
def mean(match: Match) -> Expr:
    """Lowers MEAN to RESCALE, REDUCE_SUM, and a RESCALE that also divides by the number of elements.

    A mean of no elements is declined.
    """
    x, output = operand(match, "input"), output_quant(match)
    axes, count = _axes_and_count(match, x.value)
    if not count:
        raise Decline(f"expected at least 1 element to take the mean of, found {x.value.type}")
    total = _sum(match, x, axes, count)
    m, shift = (int(part[0]) for part in _scale_ratio(x, output))
    # The kernel shifts the multiplier left before it divides it by the count, so that few bits are lost: 9 elements are
    # 4 bits, and m * 2**3 // 9 has a shift that is 3 less. It shifts by at most 32 bits, and only as far as the
    # resulting shift is at least -31.
    left = min(count.bit_length() - 1, 32, 31 + shift)
    multiplier = Multiplier(np.array([(m << left) // count]), np.array([shift - left]))
    y = requantize_to(
        match, total, multiplier, output.zero_point, peak=WIDTHS[output.dtype].magnitude * count, dtype=output.dtype
    )
    return to_result_type(match, drop_axes(match, y, axes))


def _sum(match: Match, x: Quantized, axes: Sequence[int], count: int) -> Expr:
    """Returns the sum of stored value - zero point over axes in i32; the axes keep size 1.

    In compact numerics `count` elements of int8 are summed by a DEPTHWISE_CONV2D with weights of 1, for which hardware
    has units, if a kernel may be so large.
    """
    is_int8 = x.value.dtype is DType.I8
    if match.options.numerics != "compact" or not is_int8 or not 1 < count <= LEVEL_8K.MAX_KERNEL:
        return reduce_axes(ops.REDUCE_SUM, subtract_zero_point(x), axes)
    joined = merge_axes(x.value, axes)
    image = joined.reshape((1, *joined.shape))
    weight = const(np.ones((1, count, joined.shape[2], 1), np.int8), DType.I8)
    bias = const([0], DType.I32)
    total = conv2d(image, weight, bias, pad=(0, 0, 0, 0), input_zp=x.zero_point, depthwise=True)
    return total.reshape([1 if axis in axes else size for axis, size in enumerate(x.value.shape)])


def sum_(match: Match) -> Expr:
    """Lowers SUM: uint8 rounds as LiteRT's reference kernel, int8 and int16 as its optimized one.

    The optimized kernel computes in floats. Targets without floats and compact numerics round the exact integer sum
    instead.
    """
    output, target = output_quant(match), match.options.target
    if output.unsigned:
        return _sum_of_unsigned(match)
    note_disagreement(match)
    floats = target is None or "PRO-FP" in target.profiles
    return _sum_by_floats(match) if floats and match.options.numerics != "compact" else _sum_to_nearest(match)


def _sum_to_nearest(match: Match) -> Expr:
    """Lowers SUM to RESCALE, REDUCE_SUM and RESCALE, which rounds the exact sum once.

    A note tells that LiteRT rounds ties in another way.
    """
    x, output = operand(match, "input"), output_quant(match)
    axes, count = _axes_and_count(match, x.value, WIDTHS[x.value.dtype].magnitude)
    match.note("ties are rounded up, LiteRT rounds them away from 0: this operator may differ by 1 step")
    multiplier = _scale_ratio(x, output)
    total = _sum(match, x, axes, count)
    total = clamp_for_rescale(total, multiplier.tosa_shift, WIDTHS[output.dtype].magnitude * count)
    y = rescale(total, output.dtype, multiplier.m, multiplier.tosa_shift, output_zp=output.zero_point)
    return drop_axes(match, y, axes)


def _sum_by_floats(match: Match) -> Expr:
    """Lowers SUM as round(sum * scale + bias), ties away from 0, in the kernel's floats (internal/optimized/reduce.h).

    The sum is of stored values; the zero point is part of `bias`. The fraction is compared with 1/2, because adding 0.5
    to the largest float below 0.5 would give 1.
    """
    x, output = operand(match, "input"), output_quant(match)
    axes, count = _axes_and_count(match, x.value, WIDTHS[x.value.dtype].magnitude)
    # The elements 3 and 4 with a zero point of 1, on equal scales: the sum 7 and the bias -1 * 1 * 2 make 5. A sum of
    # stored values is exact in fp32 up to 2**24; beyond it the kernel's own conversion rounds in the same way.
    scale = np.float32(x.scale / output.scale)
    bias = np.float32(-x.zero_point) * scale * np.float32(count)
    total = reduce_axes(ops.REDUCE_SUM, subtract_zero_point(x._replace(zero_point=0)), axes)
    real = total.cast(DType.FP32) * float(scale) + float(bias)
    magnitude = clamp(abs(real), 0.0, _FAR)
    whole = floor(magnitude)
    round_up = magnitude - whole >= 0.5
    steps = whole.cast(DType.I32) + round_up.cast(DType.I8).cast(DType.I32)
    steps = where(real < 0.0, 0 - steps, steps)
    y = clamp(steps + output.zero_point, *output.dtype.limits)
    return drop_axes(match, y.cast(output.dtype), axes)


def _sum_of_unsigned(match: Match) -> Expr:
    """Lowers SUM of uint8 as LiteRT's reference kernel rounds it: the zero point is added behind the RESCALE.

    The result is 0 to 255 in i32; the CAST to i8 keeps the bits of uint8.
    """
    x = match["input"]
    axes, count = _axes_and_count(match, x, UNSIGNED_MAGNITUDE)
    scale, output_scale = (np.float64(np.float32(q.scale[0])) for q in (match.quant("input"), match.result_quant))
    stored = rescale(swap_signedness(x), DType.I32, *TIMES_ONE, input_zp=INT8_MIN)
    total = reduce_axes(ops.REDUCE_SUM, stored, axes)
    centered = total - match.quant("input").zero_point[0] * count
    multiplier = quantize_multiplier(scale / output_scale)
    y = requantize_to_i32(match, centered, multiplier, peak=UNSIGNED_MAGNITUDE * count)
    y = clamp(y + match.result_quant.zero_point[0], 0, 255)
    return drop_axes(match, y.cast(DType.I8), axes)


def _scale_ratio(x: Quantized, output: OutputQuant) -> Multiplier:
    """Returns input scale / output scale as a fixed-point multiplier."""
    return quantize_multiplier(np.float64(x.scale) / np.float64(output.scale))


def _axes_and_count(match: Match, x: Expr, magnitude: int = 0) -> tuple[list[int], int]:
    """Returns a reduction's axes and how many elements each result combines.

    Raises:
        Decline: a sum of elements of this magnitude doesn't fit 32 bits.
    """
    axes = axes_of(match, x)
    count = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
    if magnitude * count > I32.max:
        raise Decline(f"expected a sum that fits 32 bits, found {count} elements")
    return axes, count


# ** REDUCE_PROD **


def reduce_prod(match: Match) -> Expr:
    """Lowers REDUCE_PROD in the elements' order: each product is scaled by a multiplier of 15 bits before the next.

    The second factor of each MUL includes the multiplier, so MUL's shift also scales. For a constant input whose
    reduced axes all have size 1, the elements are returned unchanged, as LiteRT folds it by another kernel. More
    products than MOST_PRODUCTS and scales that the kernel refuses are declined; a note tells if products may overflow.
    """
    x, output = operand(match, "input"), output_quant(match)
    axes = axes_of(match, x.value)
    joined = merge_axes(subtract_zero_point(x), axes)
    outer, count, inner = joined.shape
    if count == 1 and match.source("input").constant is not None:
        return to_result_type(match, drop_axes(match, x.value, axes))
    if count == 1:
        note_disagreement(match)
    if count > MOST_PRODUCTS:
        raise Decline(f"expected at most {MOST_PRODUCTS} products, each an operator of its own, found {count}")
    real = np.float64(x.scale) / np.float64(output.scale) ** (1 / count)
    m, shift = (int(part[0]) for part in quantize_multiplier(real))
    m = min((m + (1 << 15)) >> 16, 0x7FFF)
    if not -31 <= shift < 8:
        raise Decline(f"expected a multiplier that LiteRT's kernel accepts, found {real:.3g}")
    low, high = x.value.dtype.limits
    if _may_overflow(low - x.zero_point, high - x.zero_point, count, m, 15 - shift, output.zero_point):
        match.note(OVERFLOW_OF_PRODUCTS)
    # 6 and 5 on a scale of 0.5, to a scale of 0.25: the multiplier 0.5 / 0.25 ** (1 / 2) = 1 is m = 2**14 and shift 1.
    # The first product is (6 * 5 * 2**14) >> 14 = 30, and once more times 2**14 >> 14 it stays 30, which stands for
    # 7.5. Factors are below 2**8 * 2**15 on 8 bits, and at most 2**30 on 16.
    factors = joined * m
    product = joined.slice((0, 0, 0), (outer, 1, inner))
    for i in range(1, count):
        product = product.times(factors.slice((0, i, 0), (outer, 1, inner)), 15 - shift)
    product = product.times(m, 15 - shift)
    y = clamp(product + output.zero_point, *output.dtype.limits)
    return _in_result_shape(match, y.cast(output.dtype), axes)


def _may_overflow(low: int, high: int, count: int, m: int, shift: int, zero_point: int) -> bool:
    """Returns whether REDUCE_PROD of factors in [low, high] can leave 32 bits, with the zero point of its result.

    A product is multiplied by m, shifted right and rounded before the next factor. Of five factors in [0, 255], with
    m = 2**14 and a shift of 16, the largest are 255, 16256, 1036320, 66065400 and 4211669250, which is above 2**31.
    """
    least, most = low, high
    for factors in [(low, high)] * (count - 1) + [(1, 1)]:
        ends = [(end * factor * m + (1 << shift - 1)) >> shift for end in (least, most) for factor in factors]
        least, most = min(ends), max(ends)
        if least < I32.min or most > I32.max:
            return True
    return least + zero_point < I32.min or most + zero_point > I32.max


def plain_prod(match: Match) -> Expr:
    """Lowers REDUCE_PROD of integers without scales, element by element; products wrap to the operand's bits.

    More products than MOST_PRODUCTS are declined, since each is an operator.
    """
    x = match["input"]
    axes = axes_of(match, x)
    joined = merge_axes(x, axes)
    outer, count, inner = joined.shape
    if count > MOST_PRODUCTS:
        raise Decline(f"expected at most {MOST_PRODUCTS} products, each an operator of its own, found {count}")
    product = joined.slice((0, 0, 0), (outer, 1, inner))
    for i in range(1, count):
        product = (product * joined.slice((0, i, 0), (outer, 1, inner))).cast(x.dtype)
    return _in_result_shape(match, product, axes)


def _in_result_shape(match: Match, y: Expr, axes: Sequence[int]) -> Expr:
    """Returns y, reduced over axes that had been merged into one, in the shape of the operator's result."""
    shape = [1 if axis in axes else size for axis, size in enumerate(match["input"].shape)]
    return drop_axes(match, y.reshape(shape), axes)


# ** REDUCE_MAX and REDUCE_MIN **


def reduce_max(match: Match) -> Expr:
    """Lowers REDUCE_MAX of quantized elements: the largest stored value, since both scales are equal."""
    return _reduce_stored_values(match, ops.REDUCE_MAX)


def reduce_min(match: Match) -> Expr:
    """Lowers REDUCE_MIN of quantized elements: the smallest stored value, since both scales are equal."""
    return _reduce_stored_values(match, ops.REDUCE_MIN)


def _reduce_stored_values(match: Match, row: OpDef) -> Expr:
    """Returns REDUCE_MAX or REDUCE_MIN of the stored values, by TOSA's operator `row`."""
    x = stored_elements(match, 0)
    axes = axes_of(match, x)
    return to_result_type(match, drop_axes(match, reduce_axes(row, x, axes, nan_mode="PROPAGATE"), axes))


# ** axes **


def axes_of(match: Match, x: Expr) -> list[int]:
    """Returns the axes that operand 1 of a reduction names, ascending and without repetition."""
    return sorted({normalized_axis(axis, x.rank) for axis in constant_ints(match, 1)})


def reduce_axes(row: OpDef, x: Expr, axes: Sequence[int], **attributes: str) -> Expr:
    """Reduces x by TOSA's operator `row` along one axis after the other; reduced axes keep size 1."""
    for axis in axes:
        if x.shape[axis] > 1:
            x = reduce(row, x, axis, **attributes)
    return x


def drop_axes(match: Match, x: Expr, axes: Sequence[int]) -> Expr:
    """Returns x without the reduced dimensions, unless the option keep_dims keeps them."""
    if match.attributes(tflite.ReducerOptions).keep_dims:
        return x
    return x.reshape([size for axis, size in enumerate(x.shape) if axis not in axes])


BYTE = (eight_bit(0), as_reference)
WORD = (sixteen_bit(0), as_reference)
STORED_BYTE = (eight_bit(0, plain=True), same_quantization)
STORED_WORD = (sixteen_bit(0, plain=True), same_quantization)
RULES: tuple[Rule, ...] = (
    Rule("tfl.mean", BYTES, mean, BYTE),
    Rule("tfl.mean", "i16", mean, WORD, label="mean_i16"),
    Rule("tfl.sum", BYTES, sum_, BYTE),
    Rule("tfl.sum", "i16", sum_, WORD, label="sum_i16"),
    Rule("tfl.reduce_prod", "i8", reduce_prod, BYTE),
    Rule("tfl.reduce_prod", "i8 ui8 i16", plain_prod, (without_scales,)),
    Rule("tfl.reduce_prod", "i16", reduce_prod, WORD, label="reduce_prod_i16"),
    Rule("tfl.reduce_max", BYTES, reduce_max, STORED_BYTE),
    Rule("tfl.reduce_max", "i16", reduce_max, STORED_WORD, label="reduce_max_i16"),
    Rule("tfl.reduce_min", BYTES, reduce_min, STORED_BYTE),
    Rule("tfl.reduce_min", "i16", reduce_min, STORED_WORD, label="reduce_min_i16"),
)
