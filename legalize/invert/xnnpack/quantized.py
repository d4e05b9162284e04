"""Rules of quantized nodes: what they become in TOSA with XNNPACK's numerics.

The pass "byte-scales" has given all bytes scales and zero points before. A rule computes the bytes of its node, and
`reinterpret_as_result` takes them to the scale of the operator's result. No node is proposed and lowered: the nodes
that reinterpret its operands would come out as operators that the graph doesn't have.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, TensorType, Value
from tosa_converter.ir.edit import clone_op
from tosa_converter.legalize.invert.tflite.integers import RescaleParameters, rescale_parameters
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import (
    BYTES,
    ScaledBytes,
    byte_quant,
    constant_as_scaled_bytes,
    reinterpret,
    reinterpret_as_result,
    scaled_bytes_of_rescale,
    set_quant,
)
from tosa_converter.legalize.invert.xnnpack.lookups import quotient, softmax_of_bytes, table
from tosa_converter.legalize.invert.xnnpack.windows import (
    CONVOLUTIONS,
    convolution,
    convolution_fields,
    merge_group_convolutions,
)
from tosa_converter.legalize.quant.xnnpack_rounding import CONVERT_BITS, SUM_BITS, UNIT_BITS
from tosa_converter.legalize.xnnpack.checks import CONVERT_RATIOS, SUM_RATIOS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import Operand, Pattern, pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

SMALLEST, LARGEST = float(np.finfo(np.float32).smallest_normal), 256.0  # factors are less than the largest
SMALLEST_PRODUCT = 2.0**-16  # factor of Multiply
MAX_AVERAGED = 1 << 12  # bytes in a window

# ** rounding **


def rounded_to_bytes(real: Operand) -> Pattern:
    """Returns the TOSA pattern of XNNPACK's rounding of floats to int8: RESCALE(CAST(real))."""
    return pattern(ops.RESCALE, pattern(ops.CAST, real))


def scaled_sums(sums: Operand) -> Pattern:
    """Returns the TOSA pattern of integer sums that are multiplied by float factors and rounded to int8."""
    return rounded_to_bytes(pattern(ops.MUL, pattern(ops.CAST, sums), "factors"))


def _rescale_to_bytes(m: Match, *, signed: bool = True) -> RescaleParameters:
    """Returns the constants of a RESCALE to 8 bits; declines one that rounds twice.

    With `signed`, unsigned integers and an input zero point are declined too.
    """
    scale = rescale_parameters(m)
    m.require(m.op.result.type.dtype in BYTES, f"expected a result of bytes, found {m.op.result.type}")
    m.require(not scale.double_round, "expected RESCALE that rounds once, found DOUBLE_ROUND")
    m.require(not signed or not any(scale.unsigned), "expected RESCALE of signed integers, found unsigned ones")
    m.require(not signed or scale.input_zp == 0, f"expected the input zero point 0, found {scale.input_zp}")
    return scale


def _zero_point_of_unit_rescale(m: Match) -> int:
    """Returns the zero point that the matched RESCALE adds; its multiplier must stand for 1 (2**shift).

    Raises:
        Decline: it multiplies, or rounds twice.
    """
    scale = _rescale_to_bytes(m)
    is_one = (scale.multiplier == 1 << scale.shift.astype(np.int64)).all()
    m.require(is_one, "expected RESCALE by 1: its multiplier is not 2^shift")
    return scale.output_zp


def _factors(m: Match) -> Array:
    """Returns the fp32 factors, one or one per channel, that multiply sums; XNNPACK must accept them as scales.

    Raises:
        Decline: there are factors along another dimension, or XNNPACK has no such scales.
    """
    factors = m.constant("factors")
    m.require(factors.shape[-1:] == (factors.size,), "expected factors of channels, found {factors}")
    fits = ((factors >= SMALLEST) & (factors < LARGEST)).all()
    m.require(fits, "expected factors in [2^-126, 2^8), found {factors}")
    return factors.reshape(-1)


def _with_scales(b: XnnBuilder, array: Array, scales: Array, axis: int) -> Value:
    """Returns an XNNPACK constant of int8 or i32 with a scale for each index along an axis, and zero points of 0."""
    dtype = DType.I8 if array.dtype == np.int8 else DType.I32
    quant = Quant(tuple(map(float, scales)), (0,) * scales.size, axis)
    return b.with_quant(np.ascontiguousarray(array), TensorType(dtype, array.shape, quant))


# ** conversions **


@rule(rounded_to_bytes(pattern(ops.CLAMP, "real", name="clamped")), "fp32", of=("real",))
def clamp_to_bytes(m: Match) -> Value:
    """RESCALE(CAST(CLAMP(real))) -> RESCALE(CAST(real)), both TOSA's, if the CLAMP's range contains that of int8.

    RESCALE saturates to int8 anyway, so the CLAMP changes nothing.
    """
    zero_point, bounds = _zero_point_of_unit_rescale(m), m.producer("clamped").attributes
    low, high = (limit - zero_point for limit in DType.I8.limits)
    least, most = bounds["min_val"], bounds["max_val"]
    m.require(least <= low and most >= high, f"expected CLAMP to [{low}, {high}] or more, found [{least}, {most}]")
    b, (_, *constants) = xnn_builder(), m.op.inputs
    cast = b.emit(ops.CAST, m.source("real"), dtype=DType.I32)
    rescale = clone_op(m.op, [cast, *constants])
    b.graph.ops.append(rescale)
    return rescale.result


@rule(rounded_to_bytes("real"), "fp32", of=("real",))
def convert_to_bytes(m: Match) -> Value:
    """RESCALE(CAST(real)) of TOSA -> XNNPACK's Convert.

    The RESCALE only adds the zero point to rounded floats: that is Convert from floats to int8.
    """
    quant = byte_quant(_zero_point_of_unit_rescale(m))
    return reinterpret_as_result(m, xnn_builder().op("convert", [m.source("real")], dtype=DType.I8), quant)


@rule(pattern(ops.RESCALE, "x"), "i8 ui8", of=("x",))
def requantize(m: Match) -> Value:
    """RESCALE(x) of 8 bits to 8 bits -> XNNPACK's Convert, of x with the scale `factor` to a result with the scale 1.

    Convert has factors of whole 256ths only, and none between int8 and uint8: there two Converts, to fp32 and back,
    have the factor 1.
    """
    scale = _rescale_to_bytes(m, signed=False)
    b, x, dtype = xnn_builder(), m.source("x"), m.op.result.type.dtype
    m.require(scale.multiplier.size == 1, f"expected one multiplier, found {scale.multiplier.size}")
    is_unsigned = tuple(value.type.dtype is DType.UI8 for value in (x, m.op.result))
    m.require(
        is_unsigned == scale.unsigned, "expected unsigned bytes only where RESCALE reads an input or writes an output"
    )
    factor = float(scale.multiplier.reshape(-1)[0]) * 2.0 ** -float(scale.shift.reshape(-1)[0])
    fits = (factor * 2**CONVERT_BITS) % 1 == 0 and factor in CONVERT_RATIOS
    m.require(fits, f"expected a factor in {CONVERT_RATIOS} of whole 256ths, found {factor:.9g}")
    if dtype is x.type.dtype:
        y = b.op("convert", [reinterpret(b, x, scale.input_zp, factor)])
    else:
        m.require(factor == 1, f"expected the factor 1 where the sign changes, found {factor:.9g}")
        real = b.op("convert", [reinterpret(b, x, scale.input_zp)], dtype=DType.FP32)
        y = b.op("convert", [real], dtype=dtype)
    return reinterpret_as_result(m, y, byte_quant(scale.output_zp))


# ** layers **


def quantized_convolution(m: Match) -> Value:
    """RESCALE(CAST(MUL(CAST(CONV2D(...)), factors))) -> XNNPACK's convolution with `factors` as scales of the weights.

    The sums may be a SLICE of the convolution's, or the CONCAT of those of groups.
    """
    b, factors, core = xnn_builder(), _factors(m), m.producer("convolution")
    core = merge_group_convolutions(core) if core.row is ops.CONCAT else core
    result_quant = byte_quant(_zero_point_of_unit_rescale(m))
    image, *constants = core.operands
    m.require(image.type.dtype is DType.I8, f"expected an image of bytes, found {image.type}")
    is_constant = all(operand.constant is not None for operand in constants)
    m.require(is_constant, "expected constant weights, bias and zero points")
    weight, bias, zero_point, weight_zero_point = (np.asarray(operand.constant) for operand in constants)
    m.require(not weight_zero_point.any(), f"expected the zero point 0 of weights, found {weight_zero_point}")
    channels = core.result.type.static[3]
    scales = np.broadcast_to(factors, (channels,))
    axis = 3 if core.row is ops.DEPTHWISE_CONV2D else 0
    bias_or_none = _with_scales(b, np.broadcast_to(bias, (channels,)), scales, 0) if bias.any() else None
    x = reinterpret(b, image, int(zero_point.reshape(-1)[0]))
    y = set_quant(convolution(b, core, x, _with_scales(b, weight, scales, axis), bias_or_none), result_quant)
    if "start" in m.bindings:
        y = b.slice(y, m.integers("start"), m.op.result.type.static)
    return reinterpret_as_result(m, y, result_quant)


def _append_averages(
    b: XnnBuilder, x: Value, kernel: tuple[int, int], stride: tuple[int, int], scales: Array, zero_point: int
) -> Value:
    """Appends an average pool as DepthwiseConv2d with weights of 1: sums over windows, times `scales`.

    `scales` has one number, or one for each channel.
    """
    n, *sizes, channels = x.type.static
    ones = np.ones((1, *kernel, channels), np.int8)
    weight = _with_scales(b, ones, np.broadcast_to(scales, (channels,)), 3)
    fields = convolution_fields(kernel, stride, (1, 1), (0, 0, 0, 0), (channels, 1, 1))
    height, width = ((size - k) // step + 1 for size, k, step in zip(sizes, kernel, stride, strict=True))
    y = b.op("depthwise_conv_2d", [x, weight, None], (n, height, width, channels), **fields)
    return set_quant(y, byte_quant(zero_point))


@rule(scaled_sums(pattern((ops.REDUCE_SUM, ops.RESHAPE), name="sums")), "fp32", of=("factors",))
def quantized_mean(m: Match) -> Value:
    """RESCALE(CAST(MUL(CAST(REDUCE_SUM(x)), factors))) -> DepthwiseConv2d of ones with `factors` as their scales."""
    b, factors, core = xnn_builder(), _factors(m), m.producer("sums")
    zero_point, axes = _zero_point_of_unit_rescale(m), set()
    if core.row is ops.RESHAPE:
        core = core.operands[0].producer or core
    while core.row is ops.REDUCE_SUM:
        axes.add(core.attributes["axis"])
        core = core.operands[0].producer or core
    term = scaled_bytes_of_rescale(b, core.results[0])
    if term is None or term.factor != 1 or term.value.type.rank != 4 or not axes or not axes <= {1, 2}:
        raise Decline("expected sums of bytes over the height or width of images")
    _, height, width, channels = term.value.type.static
    m.require(factors.size in (1, channels), f"expected 1 or {channels} factors, found {factors.size}")
    kernel = height if 1 in axes else 1, width if 2 in axes else 1
    y = _append_averages(b, reinterpret(b, term.value, term.zero_point), kernel, (1, 1), factors, zero_point)
    return reinterpret_as_result(m, b.reshape(y, m.op.result.type.static), byte_quant(zero_point))


@rule(pattern(ops.AVG_POOL2D, "x", "x_zp", "y_zp"), "i8", of=("x",))
def average_of_bytes(m: Match) -> Value:
    """TOSA's AVG_POOL2D(x) of int8, which rounds ties away from 0 -> XNNPACK's DepthwiseConv2d of ones."""
    # XNNPACK rounds ties to even; a factor that is 2**-20 larger takes ties to the side away from 0. Sums of an even
    # number n of bytes take no other average s / n past a tie k + 1/2: that is |2 * s - n * (2 * k + 1)| / (2 * n)
    # away, at least 1 / n, and moves by less than 255 * 2**-20, which is less than 1 / n up to n = 2**12.
    # Example: sums 6 and 7 of 4 bytes are 1.5 and 1.75, times 1 + 2**-20 1.5000014 and 1.7500017: both round to 2.
    # An odd number n has no ties, and its averages are at least 1 / (2 * n) away: so far up to n = 2**11, above it the
    # factor must be 1. 4095 bytes with the average 254.49988 would come out as 255.
    b, x, kernel = xnn_builder(), m.source("x"), m.op.attributes["kernel"]
    count = math.prod(kernel)
    m.require(not any(m.op.attributes["pad"]), "expected no padding: windows at the border have other divisors")
    m.require(count <= MAX_AVERAGED, f"expected windows of at most {MAX_AVERAGED} elements, found {count}")
    (input_zp, *_), (output_zp, *_) = m.integers("x_zp"), m.integers("y_zp")
    # An odd number has no ties, so equal zero points may be any: x's own needs no node that reinterprets x.
    if count % 2 and input_zp == output_zp and x.type.quant is not None:
        input_zp = output_zp = x.type.quant.zero_point[0]
    nudge = 0.0 if count % 2 and count > MAX_AVERAGED // 2 else 2.0**-20
    scale = np.full(1, (1 + nudge) / count, np.float32)
    y = _append_averages(b, reinterpret(b, x, input_zp), kernel, m.op.attributes["stride"], scale, output_zp)
    return reinterpret_as_result(m, y, byte_quant(output_zp))


# ** arithmetic **


@rule(scaled_sums(pattern(ops.MUL, "first", "second")), "fp32", of=("factors",))
def quantized_product(m: Match) -> Value:
    """RESCALE(CAST(MUL(CAST(MUL(first, second)), factor))) -> XNNPACK's Multiply, with `factor` as a scale.

    XNNPACK multiplies by the product of the operands' scales / the result's scale. One operand gets the factor as its
    scale, the other operand and the result get the scale 1.
    """
    b, factors = xnn_builder(), _factors(m)
    quant = byte_quant(_zero_point_of_unit_rescale(m))
    terms = _bytes_without_factor(m, b, "first", "second")
    fits = factors.size == 1 and factors[0] >= SMALLEST_PRODUCT
    m.require(fits, "expected one factor in [2^-16, 2^8), found {factors}")
    # A constant gets the factor, if there is one, because another scale of a constant takes no node.
    x, y = sorted(terms, key=lambda term: term.value.constant is None)
    operands = [reinterpret(b, x.value, x.zero_point, float(factors[0])), reinterpret(b, y.value, y.zero_point)]
    return reinterpret_as_result(m, b.op("multiply", operands), quant)


@rule(
    rounded_to_bytes(
        pattern(
            ops.SELECT,
            pattern(ops.GREATER, "zero", "wide"),
            pattern(ops.MUL, pattern(ops.CAST, pattern(ops.MUL, "wide", "slopes")), "below_zero"),
            pattern(ops.MUL, pattern(ops.CAST, "wide"), "above_zero"),
        )
    ),
    "i32",
    of=("wide",),
)
def quantized_prelu(m: Match) -> Value:
    """RESCALE(CAST(SELECT(GREATER(0, x), MUL(CAST(MUL(x, slopes)), factor), MUL(CAST(x), factor)))) -> PReLU.

    The factor above 0 becomes the scale of x; the slopes' scale is the quotient of both factors.
    """
    b, quant = xnn_builder(), byte_quant(_zero_point_of_unit_rescale(m))
    below, above = m.constant("below_zero"), m.constant("above_zero")
    m.require(not m.constant("zero").any(), "expected a choice by 0, found {zero}")
    m.require(below.size == above.size == 1, "expected one factor on each side of 0")
    below_zero, above_zero = float(below.reshape(-1)[0]), float(above.reshape(-1)[0])
    fits = min(below_zero, above_zero) >= SMALLEST and max(below_zero, above_zero) < LARGEST
    m.require(fits, f"expected factors in [2^-126, 2^8), found {below_zero:.3g} and {above_zero:.3g}")
    scale = _slope_scale(below_zero, above_zero)
    x, slope = _bytes_without_factor(m, b, "wide", "slopes")
    operands = [
        reinterpret(b, x.value, x.zero_point, above_zero),
        reinterpret(b, slope.value, slope.zero_point, scale),
    ]
    return reinterpret_as_result(m, b.op("prelu", operands), quant)


def _slope_scale(below_zero: float, above_zero: float) -> float:
    """Returns the scale of PReLU's slopes: the float32 whose product with the factor above 0 rounds to the one below 0.

    Raises:
        Decline: there is none.
    """
    # The quotient and the product are each rounded by half a unit in the last place, so only the quotient's neighbours
    # are tried. Example: 0.1 below 0 and 0.7 above have the quotient 0.14285715, and 0.7 * 0.14285715 rounds to 0.1.
    near = np.float32(below_zero / above_zero)
    for scale in (near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf))):
        if np.float32(above_zero) * scale == below_zero:
            return float(scale)
    raise Decline(f"expected a float whose product with {above_zero:.9g} is {below_zero:.9g}, found none")


def _bytes_without_factor(m: Match, b: XnnBuilder, *names: str) -> list[ScaledBytes]:
    """Returns the named operands as ScaledBytes with the factor 1: int8 tensors less a zero point.

    Raises:
        Decline: an operand isn't that.
    """
    terms = [
        scaled_bytes_of_rescale(b, m.source(name)) or constant_as_scaled_bytes(b, m.source(name), 1, 1)
        for name in names
    ]
    plain = [term for term in terms if term is not None and term.factor == 1]
    m.require(len(plain) == len(names), "expected operands that are bytes less a zero point")
    return plain


@rule(pattern(ops.RESCALE, pattern((ops.ADD, ops.SUB), "first", "second", name="sum")), "i32", of=("sum",))
def quantized_sum(m: Match) -> Value:
    """RESCALE(ADD|SUB(first, second)) of bytes times integer multipliers -> XNNPACK's Add or Subtract.

    TOSA computes (a * m + b * n) >> shift. XNNPACK computes m, n and the shift from the scales, so the operands get the
    scales m / 2**shift and n / 2**shift, and the result gets the scale 1.
    """
    b, scale = xnn_builder(), _rescale_to_bytes(m)
    only_shifts = scale.multiplier.tolist() == [1 << UNIT_BITS]
    m.require(only_shifts, f"expected RESCALE by the multiplier 2^{UNIT_BITS}, which only shifts")
    shift = int(scale.shift.reshape(-1)[0]) - UNIT_BITS
    first, second = _summands(m, b)
    largest = max(first.factor, second.factor)
    m.require(largest >> SUM_BITS == 1, f"expected a multiplier in [2^{SUM_BITS}, 2^{SUM_BITS + 1}), found {largest}")
    ratios = [term.factor * 2.0**-shift for term in (first, second)]
    fits = all(ratio in SUM_RATIOS for ratio in ratios)
    m.require(fits, f"expected input/output scale ratios in {SUM_RATIOS}, found {ratios[0]:.3g} and {ratios[1]:.3g}")
    operands = [
        reinterpret(b, term.value, term.zero_point, ratio) for term, ratio in zip((first, second), ratios, strict=True)
    ]
    name = "add" if m.producer("sum").row is ops.ADD else "subtract"
    return reinterpret_as_result(m, b.op(name, operands), byte_quant(scale.output_zp))


def _summands(m: Match, b: XnnBuilder) -> tuple[ScaledBytes, ScaledBytes]:
    """Returns both operands of a sum as ScaledBytes: int8 tensors less a zero point, times an integer.

    A constant gets an integer of at most SUM_BITS + 1 bits, as XNNPACK's multipliers have.

    Raises:
        Decline: an operand isn't that, or both are constant.
    """
    sources = m.source("first"), m.source("second")
    terms = [scaled_bytes_of_rescale(b, source) for source in sources]
    factors = [term.factor for term in terms if term is not None]
    # One of both factors must be at least 2**SUM_BITS; if that of the other operand isn't, the constant's must be.
    least = 1 if factors and factors[0] >> SUM_BITS else 1 << SUM_BITS
    most = (2 << SUM_BITS) - 1
    first, second = (
        term or constant_as_scaled_bytes(b, source, least, most) for term, source in zip(terms, sources, strict=True)
    )
    if first is None or second is None or not factors:
        raise Decline("expected a sum of bytes less a zero point times whole numbers")
    return first, second


_CONVOLUTION = pattern((*CONVOLUTIONS, ops.CONCAT), name="convolution")
QUANTIZED = (
    softmax_of_bytes,
    requantize,
    clamp_to_bytes,
    quantized_sum,
    quantized_product,
    rule(scaled_sums(_CONVOLUTION), "fp32", of=("factors",))(quantized_convolution),
    rule(scaled_sums(pattern(ops.SLICE, _CONVOLUTION, "start")), "fp32", of=("factors",))(
        quantized_convolution
    )._replace(label="quantized_convolution_in_part"),
    quantized_mean,
    quantized_prelu,
    convert_to_bytes,
    quotient,
    table,
    average_of_bytes,
)
