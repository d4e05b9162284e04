"""Convolutions of every type: one function for an operator, and a row for each scheme."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import no_narrow_integers
from tosa_converter.legalize.constant_operands import result_sizes
from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.windows import Operands, Window, convolved_groups, depthwise_convolution
from tosa_converter.legalize.quant.elements import as_reference, eight_bit, same_type, sixteen_bit, target_avoids
from tosa_converter.legalize.quant.floats import FLOAT, bias_or_zero
from tosa_converter.legalize.quant.hybrid import HYBRID
from tosa_converter.legalize.quant.layer_operands import weights_fit
from tosa_converter.legalize.quant.litert_8 import LITERT_8
from tosa_converter.legalize.quant.litert_16 import LITERT_16
from tosa_converter.legalize.quant.phases import join_phases, phase_sums, transposed_axes
from tosa_converter.legalize.quant.scheme import ConvolutionPlan, OperandKeys, Scheme, TypedScheme, scheme_rules
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.legalize.tflite.windows import (
    padding_1d,
    transposed_window,
    window,
)
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import Conv3DOptions

CONV_2D = OperandKeys()
DEPTHWISE = OperandKeys(axis=3)
TRANSPOSED = OperandKeys(weight="weights")

# ** images **


def conv_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers CONV_2D; `scheme` prepares the operands and finishes the sums, for floats or quantized ones.

    A weight [O,KH,KW,I/groups] has fewer input channels than the image if there are several groups.
    """
    plan = scheme.convolution(match, CONV_2D, window(match, "filter"))
    groups = plan.operands.x.shape[3] // plan.operands.weight.shape[3]
    return plan.convert_sums(*convolved_groups(plan.operands, plan.window, groups))


def depthwise_conv_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers DEPTHWISE_CONV_2D; `scheme` prepares the operands and finishes the sums.

    In a weight [1,KH,KW,C*M], the M filters of each channel are adjacent.
    """
    plan = scheme.convolution(match, DEPTHWISE, window(match, "filter"))
    return plan.convert_sums(depthwise_convolution(plan.operands, plan.window))


def transpose_conv(match: Match, scheme: Scheme) -> Expr:
    """Lowers TRANSPOSE_CONV, whose result size is an operand; `scheme` prepares operands and finishes sums.

    Targets without TRANSPOSE_CONV2D get CONV2Ds if possible.
    """
    plan = scheme.transposed(match, TRANSPOSED, transposed_window(match, "weights"))
    by_phases = _convolve_by_phases(match, plan)
    return (
        plan.convert_sums(windows.transposed_convolution(plan.operands, plan.window))
        if by_phases is None
        else by_phases
    )


def _convolve_by_phases(match: Match, plan: ConvolutionPlan) -> Expr | None:
    """Returns a transposed convolution as one CONV2D for each phase (output position modulo stride), or None.

    It is for targets without TRANSPOSE_CONV2D. None for others, for floats, and if no weight reaches a phase. An int16
    bias that is known only at run time isn't supported: `convert_sums` adds it to sums of all channels, not of phases.
    """
    x, bias = plan.operands.x, match.source("bias") if match.has("bias") else None
    bias_at_run_time = x.dtype is DType.I16 and bias is not None and bias.constant is None
    if not target_avoids(match, "TRANSPOSE_CONV2D") or not x.dtype.is_integer or bias_at_run_time:
        return None
    axes = transposed_axes(x, plan.window)
    sums = phase_sums(plan.operands, *axes)
    return None if sums is None else join_phases([plan.convert_sums(acc) for acc in sums], *axes)


# ** volumes **


def conv_3d(match: Match) -> Expr:
    """Lowers CONV_3D: a weight [KD,KH,KW,I,O]; there are no groups."""
    x, weight = match["input"], match["filter"]
    *kernel, depth, _ = weight.shape
    if x.shape[4] != depth:
        raise Decline(f"expected a weight with the channels of {x.type}, found {depth}")
    span = _volume_window(match, x.shape[1:4], tuple(kernel))
    operands = Operands(x, weight.transpose((4, 0, 1, 2, 3)), bias_or_zero(match, "bias", x))
    return fused_activation(match, windows.convolution(operands, span))


def conv_3d_transpose(match: Match) -> Expr:
    """Lowers CONV_3D_TRANSPOSE with a weight [KD,KH,KW,O,I]; an operand gives the result's shape.

    A CONV_3D of the result must have the input's size; what it would pad is cut off the result.
    """
    x, weight = match["input"], match["filter"]
    size, (*kernel, _, depth) = result_sizes(match, "output_shape"), weight.shape
    if len(size) != 5 or size[0] != x.shape[0] or depth != x.shape[4]:
        raise Decline(f"expected an output shape that fits {x.type} and {weight.type}, found {size}")
    sizes = tuple(size[1:4])
    forward = _volume_window(match, sizes, tuple(kernel))
    if forward.window_counts(sizes) != list(x.shape[1:4]):
        raise Decline(f"expected an output shape that fits {x.type} and {weight.type}, found {size}")
    operands = Operands(x, weight.transpose((3, 0, 1, 2, 4)), bias_or_zero(match, "bias", x))
    backward = forward._replace(pad=tuple(-amount for amount in forward.pad))
    return fused_activation(match, windows.transposed_convolution_3d(operands, backward, sizes))


def _volume_window(match: Match, sizes: tuple[int, ...], kernel: tuple[int, ...]) -> Window:
    """Returns the window of a 3-D convolution: kernel, stride, dilation and padding (ComputePadding3DValues)."""
    options = match.attributes(Conv3DOptions)
    stride = options.stride_d, options.stride_h, options.stride_w
    dilation = options.dilation_d_factor, options.dilation_h_factor, options.dilation_w_factor
    pairs = [padding_1d(options.padding, *axis) for axis in zip(sizes, kernel, stride, dilation, strict=True)]
    return Window(kernel, stride, dilation, tuple(amount for pair in pairs for amount in pair))


FLOATING = TypedScheme(FLOAT, "fp32*fp32 fp16*fp16 bf16*bf16", (no_narrow_integers,))
EIGHT_BIT = (eight_bit(0), same_type, weights_fit, as_reference)
SIXTEEN_BIT = (sixteen_bit(0), same_type, weights_fit, as_reference)
RULES: tuple[Rule, ...] = (
    *scheme_rules(
        "tfl.conv_2d",
        conv_2d,
        ("input", "filter"),
        int8=TypedScheme(LITERT_8, "i8*i8 i8*i4 ui8*ui8", EIGHT_BIT),
        int16=TypedScheme(LITERT_16, "i16*i8 i16*i4", SIXTEEN_BIT),
        hybrid=TypedScheme(HYBRID, "fp32*i8 fp32*i4 fp32*ui8", (as_reference,)),
        float=FLOATING,
    ),
    *scheme_rules(
        "tfl.depthwise_conv_2d",
        depthwise_conv_2d,
        ("input", "filter"),
        int8=TypedScheme(LITERT_8, "i8*i8 i8*i4 ui8*ui8", EIGHT_BIT),
        int16=TypedScheme(LITERT_16, "i16*i8", SIXTEEN_BIT),
        hybrid=TypedScheme(HYBRID, "fp32*i8", (as_reference,)),
        float=FLOATING,
    ),
    *scheme_rules(
        "tfl.transpose_conv",
        transpose_conv,
        ("input", "weights"),
        int8=TypedScheme(LITERT_8, "i8*i8 ui8*ui8", (eight_bit("input"), weights_fit, as_reference)),
        int16=TypedScheme(LITERT_16, "i16*i8", (sixteen_bit("input"), weights_fit, as_reference)),
        hybrid=TypedScheme(HYBRID, "fp32*i8", (as_reference,)),
        float=FLOATING,
    ),
    Rule("tfl.conv_3d", "fp32", conv_3d),
    Rule("tfl.conv_3d_transpose", "fp32", conv_3d_transpose, of=("input",)),
)
