"""Rules of quantized nodes: what they become in TOSA with XNNPACK's numerics.

The pass "byte-scales" has given all bytes scales and zero points before. A rule computes the bytes of its node, and
`as_result` takes them to the scale of the operator's result.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, TensorType, Value
from tosa_converter.ir.edit import clone_op
from tosa_converter.legalize.invert.tflite.integers import scale_of
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.groups import joined_groups
from tosa_converter.legalize.invert.xnnpack.labels import BYTES, as_result, label, labelled, read
from tosa_converter.legalize.invert.xnnpack.quotients import quotient
from tosa_converter.legalize.invert.xnnpack.softmax import softmax_of_bytes
from tosa_converter.legalize.invert.xnnpack.tables import table
from tosa_converter.legalize.invert.xnnpack.terms import Term, constant_term, term_of
from tosa_converter.legalize.invert.xnnpack.windows import CONVOLUTIONS, convolution, fields
from tosa_converter.legalize.quant.xnnpack_rounding import CONVERT_BITS, SUM_BITS, UNIT_BITS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import Operand, Pattern, pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

SMALLEST, LARGEST = float(np.finfo(np.float32).smallest_normal), 256.0  # factors are less
SMALLEST_PRODUCT = 2.0**-16  # factor of Multiply
RATIOS = 2.0**-10, 2.0**8  # of the scales of Add
# Times this, averages between two integers are nearer to the one away from 0; of so many bytes no other one gets there.
AWAY, MOST_AVERAGED = 1 + 2.0**-20, 1 << 12

# ** rounding **


def rounded(real: Operand) -> Pattern:
    """Returns the pattern of floats that are rounded to bytes."""
    return pattern(ops.RESCALE, pattern(ops.CAST, real))


def scaled(sums: Operand) -> Pattern:
    """Returns the pattern of integers that are multiplied by factors and rounded to bytes."""
    return rounded(pattern(ops.MUL, pattern(ops.CAST, sums), "factors"))


def _zero_point(m: Match) -> int:
    """Returns the zero point that a RESCALE adds to integers, which it leaves as they are otherwise.

    Raises:
        Decline: it does more than that.
    """
    scale = scale_of(m)
    m.require(m.op.result.type.dtype in BYTES, "its result is not of bytes")
    m.require(not scale.double_round and not any(scale.unsigned), "it rounds twice, or has no sign")
    m.require(scale.input_zp == 0, "its operand has a zero point")
    m.require((scale.multiplier == 1 << scale.shift.astype(np.int64)).all(), "it multiplies by something else than 1")
    return scale.output_zp


def _factors(m: Match) -> Array:
    """Returns the factors of sums, one or one for each channel.

    Raises:
        Decline: there are others, or XNNPACK has no such scales.
    """
    factors = m.constant("factors")
    m.require(factors.shape[-1:] == (factors.size,), "its factors are not of channels")
    m.require(((factors >= SMALLEST) & (factors < LARGEST)).all(), "XNNPACK has no such scales: {factors}")
    return factors.reshape(-1)


@rule(rounded(pattern(ops.CLAMP, "real", name="clamped")), "fp32", of=("real",))
def clamp_to_bytes(m: Match) -> Value:
    """RESCALE(CAST(CLAMP(real))) -> RESCALE(CAST(real)) where the bounds are those of bytes, or beyond."""
    zero_point, bounds = _zero_point(m), m.producer("clamped").attributes
    low, high = (limit - zero_point for limit in DType.I8.limits)
    m.require(bounds["min_val"] <= low and bounds["max_val"] >= high, "it clamps to fewer levels than bytes have")
    b, (_, *constants) = xnn_builder(), m.op.inputs
    cast = b.emit(ops.CAST, m.source("real"), dtype=DType.I32)
    rescale = clone_op(m.op, [cast, *constants])
    b.graph.ops.append(rescale)
    return rescale.result


@rule(rounded("real"), "fp32", of=("real",))
def convert_to_bytes(m: Match) -> Value:
    """RESCALE(CAST(real)) -> Convert."""
    zero_point = _zero_point(m)
    return as_result(m, xnn_builder().op("convert", [m.source("real")], dtype=DType.I8), label(zero_point))


@rule(pattern(ops.RESCALE, "x"), "i8 ui8", of=("x",))
def requantize(m: Match) -> Value:
    """RESCALE(x) -> Convert to another scale, of bytes with another sign by way of floats."""
    b, scale, x, dtype = xnn_builder(), scale_of(m), m.source("x"), m.op.result.type.dtype
    m.require(dtype in BYTES and scale.multiplier.size == 1, "its result is not of bytes, or it has several scales")
    m.require(not scale.double_round, "it rounds twice")
    signs = tuple(value.type.dtype is DType.UI8 for value in (x, m.op.result))
    m.require(signs == scale.unsigned, "no input or output of the graph has its bytes without sign")
    factor = float(scale.multiplier.reshape(-1)[0]) * 2.0 ** -float(scale.shift.reshape(-1)[0])
    whole = (factor * 2**CONVERT_BITS) % 1 == 0
    m.require(whole and 2.0**-8 <= factor <= 2.0**7, f"Convert does not multiply by {factor:.9g}")
    if dtype is x.type.dtype:
        return as_result(m, b.op("convert", [read(b, x, scale.input_zp, factor)]), label(scale.output_zp))
    m.require(factor == 1, "Convert does not change sign and scale")
    real = b.op("convert", [read(b, x, scale.input_zp)], dtype=DType.FP32)
    return as_result(m, b.op("convert", [real], dtype=dtype), label(scale.output_zp))


# ** layers **


def quantized_convolution(m: Match) -> Value:
    """RESCALE(CAST(MUL(CAST(CONV2D(...)), factors))) -> the convolution, whose weights the factors are scales of.

    The sums may be a SLICE of the convolution's, or the CONCAT of those of groups.
    """
    b, factors, core = xnn_builder(), _factors(m), m.producer("convolution")
    core = joined_groups(core) if core.row is ops.CONCAT else core
    zero_point = _zero_point(m)
    constants = [operand.constant for operand in core.operands[1:]]
    m.require(core.operands[0].type.dtype is DType.I8, "its image is not of bytes")
    m.require(all(elements is not None for elements in constants), "its weights and bias must be constant")
    weight, bias, zero, weight_zero = map(np.asarray, constants)
    m.require(not weight_zero.any(), "its weights have a zero point")
    channels = core.result.type.static[3]
    scales = np.broadcast_to(factors, (channels,))
    axis = 3 if core.row is ops.DEPTHWISE_CONV2D else 0
    added = _with_scales(b, np.broadcast_to(bias, (channels,)), scales, 0) if bias.any() else None
    x = read(b, core.operands[0], int(zero.reshape(-1)[0]))
    y = labelled(convolution(b, core, x, _with_scales(b, weight, scales, axis), added), label(zero_point))
    if "start" in m.bindings:
        y = b.slice(y, m.integers("start"), m.op.result.type.static)
    return as_result(m, y, label(zero_point))


@rule(scaled(pattern((ops.REDUCE_SUM, ops.RESHAPE), name="sums")), "fp32", of=("factors",))
def quantized_mean(m: Match) -> Value:
    """RESCALE(CAST(MUL(CAST(REDUCE_SUM(x)), factors))) -> DepthwiseConv2d of ones whose scales the factors are."""
    b, factors, core = xnn_builder(), _factors(m), m.producer("sums")
    zero_point, shape, axes = _zero_point(m), m.op.result.type.static, set()
    if core.row is ops.RESHAPE:
        core = core.operands[0].producer or core
    while core.row is ops.REDUCE_SUM:
        axes.add(core.attributes["axis"])
        core = core.operands[0].producer or core
    term = term_of(b, core.results[0])
    if term is None or term.factor != 1 or term.value.type.rank != 4 or not axes or not axes <= {1, 2}:
        raise Decline("no bytes of images are added up")
    n, height, width, channels = term.value.type.static
    m.require(factors.size in (1, channels), "its factors are not of channels")
    kernel = height if 1 in axes else 1, width if 2 in axes else 1
    ones = _with_scales(b, np.ones((1, *kernel, channels), np.int8), np.broadcast_to(factors, (channels,)), 3)
    means = n, height + 1 - kernel[0], width + 1 - kernel[1], channels
    spans = fields(kernel, (1, 1), (1, 1), (0, 0, 0, 0), (channels, 1, 1))
    y = b.op("depthwise_conv_2d", [read(b, term.value, term.zero_point), ones, None], means, **spans)
    return as_result(m, b.reshape(labelled(y, label(zero_point)), shape), label(zero_point))


@rule(pattern(ops.AVG_POOL2D, "x", "x_zp", "y_zp"), "i8", of=("x",))
def average_of_bytes(m: Match) -> Value:
    """AVG_POOL2D(x) to the nearest integer and away from 0 -> DepthwiseConv2d of ones."""
    b, x, kernel = xnn_builder(), m.source("x"), m.op.attributes["kernel"]
    channels, count = x.type.static[3], math.prod(kernel)
    m.require(not any(m.op.attributes["pad"]), "its windows have other numbers of elements at the border")
    m.require(count <= MOST_AVERAGED, f"its windows have more than {MOST_AVERAGED} elements")
    (input_zp, *_), (output_zp, *_) = m.integers("x_zp"), m.integers("y_zp")
    if count % 2 and input_zp == output_zp and x.type.quant is not None:  # never in the middle
        input_zp = output_zp = x.type.quant.zero_point[0]
    scales = np.full(channels, np.float32(AWAY / count), np.float32)
    ones = _with_scales(b, np.ones((1, *kernel, channels), np.int8), scales, 3)
    spans = fields(kernel, m.op.attributes["stride"], (1, 1), (0, 0, 0, 0), (channels, 1, 1))
    y = b.op("depthwise_conv_2d", [read(b, x, input_zp), ones, None], m.op.result.type.static, **spans)
    return as_result(m, y, label(output_zp))


def _with_scales(b: XnnBuilder, array: Array, scales: Array, axis: int) -> Value:
    """A constant with a scale for each channel."""
    dtype = DType.I8 if array.dtype == np.int8 else DType.I32
    quant = Quant(tuple(map(float, scales)), (0,) * scales.size, axis)
    return b.with_quant(np.ascontiguousarray(array), TensorType(dtype, array.shape, quant))


# ** arithmetic **


@rule(scaled(pattern(ops.MUL, "first", "second")), "fp32", of=("factors",))
def quantized_product(m: Match) -> Value:
    """RESCALE(CAST(MUL(CAST(MUL(first, second)), factor))) -> Multiply; one operand has the factor as its scale."""
    b, factors = xnn_builder(), _factors(m)
    zero_point = _zero_point(m)
    terms = _plain_terms(m, b, "first", "second")
    m.require(factors.size == 1 and factors[0] >= SMALLEST_PRODUCT, "Multiply has no such scale: {factors}")
    x, y = sorted(terms, key=lambda term: term.value.constant is None)
    operands = [read(b, x.value, x.zero_point, float(factors[0])), read(b, y.value, y.zero_point)]
    return as_result(m, b.op("multiply", operands), label(zero_point))


@rule(
    rounded(
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
    """RESCALE(CAST(SELECT(GREATER(0, x), MUL(CAST(MUL(x, slopes)), factor), MUL(CAST(x), factor)))) -> PReLU."""
    b, zero_point = xnn_builder(), _zero_point(m)
    below, above = m.constant("below_zero"), m.constant("above_zero")
    m.require(not m.constant("zero").any() and below.size == above.size == 1, "it chooses by another number than 0")
    under, over = float(below.reshape(-1)[0]), float(above.reshape(-1)[0])
    m.require(min(under, over) >= SMALLEST and max(under, over) < LARGEST, "XNNPACK has no such scales")
    near = np.float32(under / over)
    scales = (near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf)))
    scale = next((scale for scale in scales if np.float32(over) * scale == under), None)
    x, slope = _plain_terms(m, b, "wide", "slopes")
    if scale is None:
        raise Decline(f"no scale of slopes makes {under:.9g} of {over:.9g}")
    operands = [read(b, x.value, x.zero_point, over), read(b, slope.value, slope.zero_point, float(scale))]
    return as_result(m, b.op("prelu", operands), label(zero_point))


def _plain_terms(m: Match, b: XnnBuilder, *names: str) -> list[Term]:
    """Returns operands as bytes.

    Raises:
        Decline: one isn't that.
    """
    terms = [term_of(b, m.source(name)) or constant_term(b, m.source(name), 1, 1) for name in names]
    plain = [term for term in terms if term is not None and term.factor == 1]
    m.require(len(plain) == len(names), "its operands are not bytes less a zero point")
    return plain


@rule(pattern(ops.RESCALE, pattern((ops.ADD, ops.SUB), "first", "second", name="sum")), "i32", of=("sum",))
def quantized_sum(m: Match) -> Value:
    """RESCALE(ADD|SUB(first, second)) of bytes times whole multipliers -> Add or Subtract."""
    b, scale = xnn_builder(), scale_of(m)
    m.require(m.op.result.type.dtype in BYTES and not scale.double_round, "its result is not of bytes")
    m.require(not scale.input_zp and not any(scale.unsigned), "its operand has a zero point, or no sign")
    m.require(scale.multiplier.tolist() == [1 << UNIT_BITS], "it does not only shift")
    shift = int(scale.shift.reshape(-1)[0]) - UNIT_BITS
    first, second = _sum_terms(m, b)
    m.require(max(first.factor, second.factor) >> SUM_BITS == 1, "XNNPACK's multipliers have other digits")
    ratios = [term.factor * 2.0**-shift for term in (first, second)]
    fits = RATIOS[0] <= min(ratios) <= max(ratios) < RATIOS[1]
    m.require(fits, f"expected input/output scale ratios in [2^-10, 2^8), found {ratios[0]:.3g} and {ratios[1]:.3g}")
    operands = [
        read(b, term.value, term.zero_point, ratio) for term, ratio in zip((first, second), ratios, strict=True)
    ]
    name = "add" if m.producer("sum").row is ops.ADD else "subtract"
    return as_result(m, b.op(name, operands), label(scale.output_zp))


def _sum_terms(m: Match, b: XnnBuilder) -> tuple[Term, Term]:
    """Returns the operands of a sum as bytes times whole numbers; one of both has all digits of a multiplier.

    Raises:
        Decline: one isn't that.
    """
    sources = m.source("first"), m.source("second")
    first, second = (term_of(b, source) for source in sources)
    computed = first or second
    if computed is None:
        raise Decline("no operand is bytes times a whole number")
    least = 1 if computed.factor >> SUM_BITS else 1 << SUM_BITS
    first, second = (
        term or constant_term(b, source, least, (2 << SUM_BITS) - 1)
        for term, source in zip((first, second), sources, strict=True)
    )
    if first is None or second is None:
        raise Decline("an operand is not bytes times a whole number")
    return first, second


_CONVOLUTION = pattern((*CONVOLUTIONS, ops.CONCAT), name="convolution")
QUANTIZED = (
    softmax_of_bytes,
    requantize,
    clamp_to_bytes,
    quantized_sum,
    quantized_product,
    rule(scaled(_CONVOLUTION), "fp32", of=("factors",))(quantized_convolution),
    rule(scaled(pattern(ops.SLICE, _CONVOLUTION, "start")), "fp32", of=("factors",))(quantized_convolution)._replace(
        label="quantized_convolution_in_part"
    ),
    quantized_mean,
    quantized_prelu,
    convert_to_bytes,
    quotient,
    table,
    average_of_bytes,
)
