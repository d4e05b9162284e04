"""Conv2d, DepthwiseConv2d and ConvTranspose2d of every type: one function each, and a row for each scheme."""

from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.windows import convolved_groups
from tosa_converter.legalize.quant.elements import eight_bit
from tosa_converter.legalize.quant.scheme import OperandKeys, Scheme, TypedScheme, scheme_rules
from tosa_converter.legalize.xnnpack.dynamic import XNNPACK_DYNAMIC, from_rows
from tosa_converter.legalize.xnnpack.schemes import PAIRS, XNNPACK_8, XNNPACK_FLOAT
from tosa_converter.legalize.xnnpack.windows import check_shapes, forward_window, transposed_window
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule

CONV_2D = OperandKeys("input1")
DEPTHWISE = OperandKeys("input1", axis=3)


def conv_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's Conv2d; `scheme` has the arithmetic: floats, int8, or inputs quantized at run time."""
    window = forward_window(match, match.type("input1"))
    plan = scheme.convolution(match, CONV_2D, window)
    groups = check_shapes(match, plan.operands, window.kernel)
    return plan.convert_sums(*convolved_groups(plan.operands, plan.window, groups))


def depthwise_conv_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's DepthwiseConv2d; `scheme` has the arithmetic of floats or of int8."""
    window = forward_window(match, match.type("input1"))
    plan = scheme.convolution(match, DEPTHWISE, window)
    check_shapes(match, plan.operands, window.kernel, by_channel=True)
    return plan.convert_sums(windows.depthwise_convolution(plan.operands, plan.window))


def conv_transpose_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's ConvTranspose2d; `scheme` has the arithmetic: floats, int8, or run-time quantization."""
    window = transposed_window(match, match.type("input1"))
    plan = scheme.transposed(match, CONV_2D, window)
    groups = check_shapes(match, plan.operands, window.kernel)
    return plan.convert_sums(windows.transposed_convolution(plan.operands, plan.window, groups))


OF = ("input1", "filter")
FLOATS = TypedScheme(XNNPACK_FLOAT, PAIRS)
INT8 = TypedScheme(XNNPACK_8, "i8*i8 ui8*ui8", (eight_bit("input1"),))
ROWS = TypedScheme(XNNPACK_DYNAMIC, "i8*i8", (from_rows,))
RULES: tuple[Rule, ...] = (
    *scheme_rules("xnn.conv_2d", conv_2d, OF, float=FLOATS, dynamic=ROWS, int8=INT8),
    *scheme_rules("xnn.depthwise_conv_2d", depthwise_conv_2d, OF, float=FLOATS, int8=INT8),
    *scheme_rules("xnn.conv_transpose_2d", conv_transpose_2d, OF, float=FLOATS, dynamic=ROWS, int8=INT8),
)
