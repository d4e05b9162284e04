"""MediaPipe's Convolution2DTransposeBias (mediapipe/util/tflite/operations/transpose_conv_bias.cc)."""

import tosa_converter as tc
from tosa_converter.legalize.custom.options import read_integers
from tosa_converter.legalize.ops.windows import Operands, Window, transposed_convolution

SAME, VALID = 1, 2  # TfLitePadding


def convolution_2d_transpose_bias(match: tc.Match) -> tc.Expr:
    """Lowers MediaPipe's transposed convolution of images [N,H,W,I], a weight [O,KH,KW,I] and a bias [O].

    With SAME padding the result has stride * H rows: of the kernel - stride rows beyond these, half are cut off in
    front and the rest behind; columns likewise.
    """
    padding, stride_w, stride_h = read_integers(match, 3)
    if padding not in (SAME, VALID) or min(stride_w, stride_h) < 1:
        raise tc.Decline(
            f"expected padding 1 (SAME) or 2 (VALID) and strides of 1 or more, "
            f"found padding {padding} and strides {stride_h} and {stride_w}"
        )
    x, weight, bias = match[0], match[1], match[2]
    for operand in (x, weight):
        if operand.rank != 4:
            raise tc.Decline(f"expected a tensor of rank 4, found {operand.type}")
    if x.shape[3] != weight.shape[3] or bias.size not in (1, weight.shape[0]):
        raise tc.Decline(f"expected a weight and bias that fit {x.type}, found {weight.type} and {bias.type}")
    kernel, stride, out_pad = weight.shape[1:3], (stride_h, stride_w), (0, 0, 0, 0)
    if padding == SAME:
        (top, bottom), (left, right) = map(_same_edges, kernel, stride)
        out_pad = top, bottom, left, right
    operands = Operands(x, weight.cast(x.dtype), bias.cast(x.dtype).reshape((bias.size,)))
    return transposed_convolution(operands, Window(kernel, stride, pad=out_pad))


def _same_edges(kernel: int, stride: int) -> tuple[int, int]:
    """Returns the padding of a transposed convolution's result before and after, for SAME; negative cuts it.

    A kernel of 4 with a stride of 2 makes 2 rows too many: -1 and -1. One of 1 with a stride of 2 lacks one: 0 and 1.
    """
    before = max(kernel - stride, 0) // 2
    return -before, stride - kernel + before


@tc.condition("operands and results are floats")
def require_floats(match: tc.Match) -> str | None:
    """Declines operators with integers among their operands or results, such as quantized weights."""
    values = (*match.op.operands, *match.op.results)
    integers = [value for value in values if value.type.dtype.is_integer]
    return f"expected floats, found {integers[0].name!r} of type {integers[0].type.dtype.value}" if integers else None


RULES: tuple[tc.Rule, ...] = (
    tc.Rule("custom.Convolution2DTransposeBias", "fp32 fp16 bf16", convolution_2d_transpose_bias, (require_floats,)),
)
