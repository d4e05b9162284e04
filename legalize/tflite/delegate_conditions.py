"""What LiteRT's XNNPACK delegate asks of an operator before it takes it (xnnpack_delegate.cc).

Each condition declines with what it expected and found. LiteRT then runs the operator with kernels of its own, and so
do the rules that follow. In parentheses: the delegate's function.
"""

import math

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.limits import I32
from tosa_converter.legalize.quant.elements import BOUNDS, affine, output_quant
from tosa_converter.legalize.quant.xnnpack_rounding import F32, product_scale
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.legalize.tflite.quantized.reduce import axes_of
from tosa_converter.legalize.tflite.windows import Windowed, transposed_size
from tosa_converter.legalize.xnnpack.checks import ScaleRange
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.rule import Check, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding


@condition("numerics are xnnpack")
def xnnpack_numerics(match: Match) -> str | None:
    """Declines the delegate's rules unless the user chose the numerics xnnpack."""
    numerics = match.options.numerics
    return None if numerics == "xnnpack" else f"expected the numerics xnnpack, found {numerics}"


# ** operands **


def constant(*keys: str) -> Check:
    """Returns a check that operands are constant, as the delegate requires (CheckTensorStaticAllocation).

    Sparse constants and absent operands pass.
    """

    def reason(match: Match) -> str | None:
        """Returns what is wrong with the first operand of `keys` that isn't constant, or None; sparse ones pass."""
        for value in (match.source(key) for key in keys if match.has(key)):
            sparse = value.producer is not None and value.producer.name == "tfl.densify"
            if value.constant is None and not sparse:
                return f"expected {value.name!r} to be constant, found a computed tensor"
        return None

    return Check(f"constant in the file: {', '.join(keys)}", reason)


def present(key: Key) -> Check:
    """Returns a check that declines operators without the optional operand `key`."""
    return Check(f"{key} is present", lambda match: None if match.has(key) else f"expected a {key}, found none")


@condition("operand and result are images in the file")
def images(match: Match) -> str | None:
    """Declines operands and results that aren't of rank 4 in the file, as the delegate does (CheckTensorShape)."""
    for value in (match.source("input"), match.op.results[0]):
        if value.type.rank != 4:
            return f"expected {value.name!r} to have 4 dimensions in the file, found {value.type}"
    return None


@condition("channels divide into groups")
def whole_groups(match: Match) -> str | None:
    """Declines convolutions whose image's channels aren't a multiple of the channels that a filter reads."""
    channels, depth = match["input"].type.static[3], match.source("filter").type.static[3]
    if match.op.name == "tfl.depthwise_conv_2d":
        depth = 1
    if depth and channels and channels % depth == 0:
        return None
    return f"expected a multiple of {max(depth, 1)} channels, found {channels}"


# ** quantization of weights **


def scales_along(key: Key, axis: int) -> Check:
    """Returns a check that declines weights with scales along another axis, or with zero points.

    One scale for all weights passes, and so do zero points of uint8 (CheckTensorFloat32OrQCInt8Type).
    """
    return Check(
        f"{key} has one scale or scales along axis {axis}", lambda match: _scales_reason(match.source(key), axis)
    )


@condition("y has one scale or scales along its columns")
def scales_along_columns(match: Match) -> str | None:
    """Declines BATCH_MATMUL if its right operand has scales along another axis than its columns, or zero points."""
    y = match.source("y")
    columns = y.type.rank - (2 if match.attributes(tflite.BatchMatMulOptions).adj_y else 1)
    return _scales_reason(y, columns)


def _scales_reason(weight: Value, axis: int) -> str | None:
    """Returns why XNNPACK's delegate declines the scales or zero points of weights; None if it takes them."""
    dtype, _, quant = weight.type
    if quant is None:
        return f"expected {weight.name!r} to be quantized, found {weight.type}"
    if quant.axis not in (axis, None):
        return f"expected {weight.name!r} to have scales along axis {axis}, found axis {quant.axis}"
    if any(quant.zero_point) and dtype is not DType.UI8:
        return f"expected {weight.name!r} to have zero points of 0, found {weight.type}"
    return None


@condition("the right side has a zero point of 0")
def no_right_zero_point(match: Match) -> str | None:
    """Declines BATCH_MATMUL if the zero point of its right operand isn't 0."""
    zero_point = affine(match, "y").zero_point
    return f"expected a right side with a zero point of 0, found {zero_point}" if zero_point else None


PER_BYTE = {DType.I4: 2, DType.I2: 4}  # elements in a byte


@condition("rows of weights fill bytes; of i2 each has a scale")
def whole_bytes(match: Match) -> str | None:
    """Declines FULLY_CONNECTED with rows of 4 or 2 bits that end inside a byte, or rows of 2 bits on one scale."""
    weight = match.source("filter")
    (rows, depth), dtype = weight.type.static, weight.type.dtype
    per_byte = PER_BYTE.get(dtype, 1)
    if depth % per_byte:
        return f"expected rows of a multiple of {per_byte} weights, found {depth}"
    count = len(match.quant("filter").scale)
    if dtype is DType.I2 and count != rows:
        return f"expected {rows} scales for {rows} rows of i2, found {count}"
    return None


# ** activations and windows **


@condition("a fused activation is a range")
def range_activation(match: Match) -> str | None:
    """Declines fused activations that aren't a clamp to a range (ConvertActivationToOutputRange)."""
    kind = match.attributes(Fused).fused_activation_function
    if kind in BOUNDS or kind is ActivationFunctionType.NONE:
        return None
    return f"expected {', '.join(bound.name for bound in BOUNDS)} or no fused activation, found {kind.name}"


@condition("strides are inside the window")
def overlapping_windows(match: Match) -> str | None:
    """Declines pools whose strides exceed the window, so that they skip elements (CheckPoolingParams)."""
    pool, stride = match.attributes(tflite.Pool2DOptions), match.attributes(Windowed).stride
    kernel = [pool.filter_height, pool.filter_width]
    if any(step > size for step, size in zip(stride, kernel, strict=True)):
        return f"expected strides of at most the window {kernel}, found {list(stride)}"
    return None


@condition("a convolution of the result has the operand's size")
def consistent_sizes(match: Match) -> str | None:
    """Declines TRANSPOSE_CONV unless a convolution of its result has the input's size.

    The delegate declines others too (CalculateTransposeConvPaddings).
    """
    options = match.attributes(Windowed)
    same = options.padding == Padding.SAME
    kernel = match.source("weights").type.static[1:3]
    sizes = zip(transposed_size(match), kernel, options.stride, match["input"].shape[1:3], strict=True)
    for result, width, stride, size in sizes:
        if min(width, stride) < 1:
            return f"expected positive kernels and strides, found {width} and {stride}"
        expected = -(-result // stride) if same else (result - width) // stride + 1
        if size != expected:
            return f"expected {expected} elements for a result of {result}, found {size}"
        if same and width < stride:
            return f"expected kernels of at least the stride {stride}, found {width}"
    return None


# ** scales of operands and results **

PRODUCT_RATIOS = ScaleRange(-16, 8)


@condition(f"the ratio of the scales' product to the result's scale is in {PRODUCT_RATIOS}")
def product_ratio(match: Match) -> str | None:
    """Declines MUL if lhs_scale * rhs_scale / output_scale is out of range (CheckTensorsInputProductOutputScale)."""
    a, b = (affine(match, key).scale for key in ("lhs", "rhs"))
    (ratio,) = product_scale(a, b, over=output_quant(match).scale)
    if ratio in PRODUCT_RATIOS:
        return None
    return f"expected a product/output scale ratio in {PRODUCT_RATIOS}, found {ratio:.5g}"


# A slope is a whole number of 256ths in int16: from 1 to 2**15, for which the kernel holds its negative.
SMALLEST_SLOPE, LARGEST_SLOPE = 2.0**-8, 2.0**7


@condition("the scale ratio and its product with the slope fit 256ths of 16 bits")
def slopes_in_range(match: Match) -> str | None:
    """Declines LEAKY_RELU if input_scale / output_scale, or alpha times that, is out of range (VisitUnaryNode)."""
    positive = affine(match, "input").scale / output_quant(match).scale
    negative = float(F32(positive) * F32(match.attributes(tflite.LeakyReluOptions).alpha))
    if not SMALLEST_SLOPE <= positive <= LARGEST_SLOPE:
        return f"expected an input/output scale ratio in [2^-8, 2^7], found {positive:.5g}"
    if not (abs(negative) >= SMALLEST_SLOPE and SMALLEST_SLOPE - LARGEST_SLOPE <= negative <= LARGEST_SLOPE):
        return f"expected slope times scale ratio in [2^-8 - 2^7, -2^-8] or [2^-8, 2^7], found {negative:.5g}"
    return None


@condition("sums of 8-bit elements over one or more axes fit 32 bits")
def sums_fit(match: Match) -> str | None:
    """Declines reductions over no axis, over no element, or over so many that a sum may exceed 32 bits."""
    x = match["input"]
    axes = axes_of(match, x)
    count = math.prod(x.shape[axis] for axis in axes)
    if axes and 0 < 255 * count <= I32.max:
        return None
    return f"expected sums of 1 to {I32.max // 255} elements over 1 or more axes, found {count} over {len(axes)}"
