"""A source, and rules that give its conversion a known error."""

import numpy as np

import tosa_converter as tc
from support.tflite_models import Operator, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

SHAPE = (2, 3)


def model() -> bytes:
    """NEG, then ABS."""
    x, z, y = (Tensor(SHAPE, name=name) for name in "xzy")
    return build([x, z, y], [Operator(B.NEG, (0,), (1,)), Operator(B.ABS, (1,), (2,))], (0,), (2,))


def planted(error: Array) -> list[tc.Rule]:
    """Returns rules by which NEG is off by an array."""

    def wrong(match: tc.Match) -> tc.Expr:
        return (match[0] * np.float32(-1)) + error

    return [tc.Rule("tfl.neg", "fp32", wrong)]
