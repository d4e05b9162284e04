"""Where float results differ from LiteRT's reference kernels on purpose: infinities and NaN, by operator.

Each row would cost an operator per use; what costs none is done as LiteRT does it.
"""

from typing import NamedTuple


class Corner(NamedTuple):
    """One difference: the operators, their operands, and the results of LiteRT and of TOSA."""

    operators: str
    operands: str
    litert: str
    tosa: str


LARGEST = "3.4028235e38"

CORNERS = (
    Corner(
        "add add_n sub mul div conv_2d depthwise_conv_2d fully_connected transpose_conv",
        "a result that overflows, but of ADD with a mask of infinities or two of the lowest number; x / 0",
        f"±{LARGEST}",
        "±inf",
    ),
    Corner("complex_abs", "parts whose squares overflow or vanish", "the root of their sum", "inf or 0"),
    Corner("average_pool_2d max_pool_2d", "a window of infinities of one sign", f"±{LARGEST}", "±inf"),
    Corner("max_pool_2d", "a window of NaN alone", f"-{LARGEST}", "NaN"),
    Corner("reduce_max", "NaN alone; -inf alone", f"-{LARGEST}", "NaN; -inf"),
    Corner("reduce_min", "NaN alone; inf alone", LARGEST, "NaN; inf"),
    Corner("pow", "1 by NaN; ±1 by ±inf; -inf by a fraction", "1; 1; inf or 0", "NaN"),
    Corner("atan2", "an infinity by a number beyond 1e30", "that of the axis", "an angle beside it"),
    Corner("floor_div", "a number by an infinity", "0 or -1", "NaN"),
    Corner("floor_mod", "a quotient beyond 2**33", "the remainder", "a difference of roundings"),
    Corner("maximum minimum", "NaN in the first operand alone, the second not constant", "the second operand", "NaN"),
    Corner(
        "resize_bilinear",
        "an infinity or NaN among the four pixels that an element is made of",
        "NaN by a weight of 0 in some of them",
        "NaN by a weight of 0 in others",
    ),
    Corner("topk_v2", "NaN and -inf in one row", "-inf before NaN", "the first in the row before"),
    Corner(
        "batch_matmul conv_2d depthwise_conv_2d fully_connected transpose_conv",
        "integer weights, and NaN or an infinity in a row that is quantized at run time",
        "numbers; ±inf",
        "NaN in the whole row",
    ),
    Corner("arg_max arg_min", "NaN in a row", "depends on what lies before it", "the best of the others"),
    Corner("cast quantize", "NaN, an infinity, a number beyond the result's range", "undefined in C", "saturates"),
    Corner(
        "conv_3d conv_3d_transpose",
        "NaN or an infinity beside a window, in the same row of pixels",
        "the window's sum",
        "NaN, for the weights of other windows there are 0",
    ),
    Corner(
        "local_response_normalization",
        "NaN or an infinity in a channel",
        "NaN in those whose sums have it, and in all channels behind",
        "NaN in those whose sums have it",
    ),
    Corner("non_max_suppression_v4 non_max_suppression_v5", "scores or corners of NaN", "undefined order", "left out"),
    Corner("reduce_window", "NaN in a window of MAXIMUM or MINIMUM", "depends on what lies before it", "NaN"),
    Corner(
        "unsorted_segment_max unsorted_segment_min",
        "a segment of NaN alone, or of one infinity",
        f"∓{LARGEST}",
        "NaN; the infinity",
    ),
)
