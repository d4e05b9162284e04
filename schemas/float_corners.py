"""Where float results differ from LiteRT's reference kernels on purpose: infinities and NaN, by operator.

Each row would cost an operator per use; what costs none is done as LiteRT does it.
"""

from typing import NamedTuple


class Corner(NamedTuple):
    """What is given, and both results."""

    operators: str
    given: str
    litert: str
    tosa: str


LARGEST = "3.4028235e38"

CORNERS = (
    Corner(
        "add sub mul div conv_2d depthwise_conv_2d fully_connected",
        "a result that overflows, x / 0",
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
        "batch_matmul conv_2d depthwise_conv_2d embedding_lookup fully_connected with integer weights",
        "NaN or an infinity in a row that is quantized at run time",
        "numbers; ±inf",
        "NaN in the whole row",
    ),
)
