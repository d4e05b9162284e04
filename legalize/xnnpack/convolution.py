"""Conv2d, DepthwiseConv2d and ConvTranspose2d of every type: one function each, and a row for each scheme."""

from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.windows import convolved_groups
from tosa_converter.legalize.quant.elements import eight_bit
from tosa_converter.legalize.quant.scheme import Kind, Roles, Scheme, rows
from tosa_converter.legalize.xnnpack.dynamic import XNNPACK_DYNAMIC, from_rows
from tosa_converter.legalize.xnnpack.schemes import PAIRS, XNNPACK_8, XNNPACK_FLOAT
from tosa_converter.legalize.xnnpack.windows import check_shapes, forward_window, transposed_window
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule

CONV_2D = Roles("input1")
DEPTHWISE = Roles("input1", axis=3)


def conv_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's Conv2d; `scheme` has the arithmetic: floats, int8, or inputs quantized at run time."""
    window = forward_window(match, match.type("input1"))
    step = scheme.convolution(match, CONV_2D, window)
    groups = check_shapes(match, step.operands, window.kernel)
    return step.finish(*convolved_groups(step.operands, step.window, groups))


def depthwise_conv_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's DepthwiseConv2d; `scheme` has the arithmetic of floats or of int8."""
    window = forward_window(match, match.type("input1"))
    step = scheme.convolution(match, DEPTHWISE, window)
    check_shapes(match, step.operands, window.kernel, by_channel=True)
    return step.finish(windows.depthwise_convolution(step.operands, step.window))


def conv_transpose_2d(match: Match, scheme: Scheme) -> Expr:
    """Lowers XNNPACK's ConvTranspose2d; `scheme` has the arithmetic: floats, int8, or run-time quantization."""
    window = transposed_window(match, match.type("input1"))
    step = scheme.transposed(match, CONV_2D, window)
    groups = check_shapes(match, step.operands, window.kernel)
    return step.finish(windows.transposed_convolution(step.operands, step.window, groups))


OF = ("input1", "filter")
FLOATS = Kind(XNNPACK_FLOAT, PAIRS)
INT8 = Kind(XNNPACK_8, "i8*i8 ui8*ui8", (eight_bit("input1"),))
ROWS = Kind(XNNPACK_DYNAMIC, "i8*i8", (from_rows,))
RULES: tuple[Rule, ...] = (
    *rows("xnn.conv_2d", conv_2d, OF, float=FLOATS, dynamic=ROWS, int8=INT8),
    *rows("xnn.depthwise_conv_2d", depthwise_conv_2d, OF, float=FLOATS, int8=INT8),
    *rows("xnn.conv_transpose_2d", conv_transpose_2d, OF, float=FLOATS, dynamic=ROWS, int8=INT8),
)
