"""Rules of operators of floats that are several operators in TOSA.

A pattern guesses the operator, which is taken if the conversion makes the same operators of it.
"""

from collections.abc import Iterator
from typing import Any

from tosa_converter.ir import Value
from tosa_converter.legalize.invert.confirmation import TFLITE
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

SOFTMAX = pattern(
    ops.MUL, pattern(ops.EXP, pattern(ops.SUB, "x", pattern(ops.REDUCE_MAX, "x"))), pattern(ops.RECIPROCAL)
)
GELU = pattern(ops.MUL, pattern(ops.MUL, "x"), pattern(ops.ADD, pattern(ops.ERF, pattern(ops.MUL, "x"))))
HARD_SWISH = pattern(ops.MUL, pattern(ops.MUL, "x", pattern(ops.CLAMP, pattern(ops.ADD, "x"))))


@rule(SOFTMAX, "fp32", of=("x",))
def softmax(m: Match) -> Value:
    """MUL(EXP(SUB(x, REDUCE_MAX(x))), RECIPROCAL(...)) -> SOFTMAX."""
    return _function(m, "softmax", beta=1.0)


@rule(GELU, "fp32", of=("x",))
def gelu(m: Match) -> Value:
    """MUL(MUL(x, 1/2), ADD(ERF(MUL(x, ...)), 1)) -> GELU."""
    return _function(m, "gelu", approximate=False)


@rule(pattern(ops.MUL, pattern(ops.MUL, "x"), pattern(ops.ADD, pattern(ops.TANH))), "fp32", of=("x",))
def approximate_gelu(m: Match) -> Value:
    """MUL(MUL(x, 1/2), ADD(TANH(...), 1)) -> GELU that is approximate."""
    return _function(m, "gelu", approximate=True)


@rule(HARD_SWISH, "fp32", of=("x",))
def hard_swish(m: Match) -> Value:
    """MUL(MUL(x, CLAMP(ADD(x, 3))), 1/6) -> HARD_SWISH."""
    return _function(m, "hard_swish")


def _function(m: Match, name: str, **options: Any) -> Value:
    shape = m.op.result.type.static
    x = m.source("x")
    return TFLITE.first_confirmed(m, [tfl_builder().op(name, [x], shape=shape, **options)], [x], name.upper())


@rule(pattern(ops.RESIZE, "image"), "fp32")
def resize(m: Match) -> Value:
    """RESIZE(image) -> RESIZE_BILINEAR or RESIZE_NEAREST_NEIGHBOR, with the options that give its scale and offset."""
    bilinear = m.op.attributes["mode"] == "BILINEAR"
    guesses = _resizes(m, "resize_bilinear" if bilinear else "resize_nearest_neighbor")
    return TFLITE.first_confirmed(m, guesses, [m.source("image")], "RESIZE")


def _resizes(m: Match, name: str) -> Iterator[Value]:
    b, shape = tfl_builder(), m.op.result.type.static
    operands = [m.source("image"), b.ints(shape[1:3])]
    for corners, centers in ((False, True), (True, False), (False, False)):
        yield b.op(name, operands, shape=shape, align_corners=corners, half_pixel_centers=centers)


COMPOSED = (softmax, gelu, approximate_gelu, hard_swish, resize)
