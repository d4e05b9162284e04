"""Inverse rules of TFLite operators that are several operators in TOSA, and whose scales don't matter."""

from collections.abc import Callable, Iterator
from typing import Any

from tosa_converter.ir import Value
from tosa_converter.legalize.invert.confirmation import TFLITE_LOWERING, InverseRule
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.schemas import tosa_ops as ops

SOFTMAX = pattern(
    ops.MUL, pattern(ops.EXP, pattern(ops.SUB, "x", pattern(ops.REDUCE_MAX, "x"))), pattern(ops.RECIPROCAL)
)
GELU = pattern(ops.MUL, pattern(ops.MUL, "x"), pattern(ops.ADD, pattern(ops.ERF, pattern(ops.MUL, "x"))))
APPROXIMATE_GELU = pattern(ops.MUL, pattern(ops.MUL, "x"), pattern(ops.ADD, pattern(ops.TANH)))
HARD_SWISH = pattern(ops.MUL, pattern(ops.MUL, "x", pattern(ops.CLAMP, pattern(ops.ADD, "x"))))
RESIZE = pattern(ops.RESIZE, "x", name="resized")
RESCALED_RESIZE = pattern(ops.RESCALE, RESIZE)
RESIZES = ("tfl.resize_bilinear", "tfl.resize_nearest_neighbor")


def propose_operator(name: str, **options: Any) -> Callable[[Match], Iterator[Value]]:
    """Returns a function that proposes the TFLite operator `name` of the matched operand x, with these options.

    The inverse rule takes the proposal if it lowers to the matched TOSA operators.
    """

    def propose(m: Match) -> Iterator[Value]:
        """Yields TFLite's operator `name` of the matched operand x, for the inverse rule to check."""
        yield tfl_builder().op(name, [m.source("x")], shape=m.op.result.type.static, **options)

    return propose


def propose_resizes(m: Match) -> Iterator[Value]:
    """Proposes RESIZE_BILINEAR or RESIZE_NEAREST_NEIGHBOR, with each of the options that LiteRT has.

    The inverse rule keeps the first that lowers to the matched TOSA operators; a constant operand is declined.
    """
    m.require(m.source("x").constant is None, "its operand is constant")
    b, type = tfl_builder(), m.op.result.type
    name = RESIZES[m.producer("resized").attributes["mode"] != "BILINEAR"].partition(".")[2]
    operands = [m.source("x"), b.ints(type.static[1:3])]
    for corners, centers in ((False, True), (True, False), (False, False)):
        options = {"align_corners": corners, "half_pixel_centers": centers}
        yield b.op(name, operands, type.dtype, type.static, **options)


_INVERSE_RULES = (
    InverseRule("softmax", SOFTMAX, "fp32", propose_operator("softmax", beta=1.0)),
    InverseRule("gelu", GELU, "fp32", propose_operator("gelu", approximate=False)),
    InverseRule("approximate_gelu", APPROXIMATE_GELU, "fp32", propose_operator("gelu", approximate=True)),
    InverseRule("hard_swish", HARD_SWISH, "fp32", propose_operator("hard_swish")),
    InverseRule("resize", RESIZE, "fp32 i8 i16", propose_resizes),
    InverseRule("resize_of_bytes", RESCALED_RESIZE, "i8 i16", propose_resizes),
    InverseRule("resize_of_16_bits", pattern(ops.RESCALE, RESCALED_RESIZE), "i16", propose_resizes),
)
COMPOSED = TFLITE_LOWERING.rules(__name__, _INVERSE_RULES)
