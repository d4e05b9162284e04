"""Elementwise operators."""

from typing import Any

from differential.case import Case, Draw
from differential.operators import Drawing
from tosa_converter.schemas.tflite import ActivationFunctionType
from tosa_converter.schemas.tflite import BuiltinOperator as B

FUSED = tuple(ActivationFunctionType[name] for name in ("NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"))


def binary(builtin: B, *, fused: bool = False, result: str = "") -> Drawing:
    """Two operands that broadcast, one of them now and then a constant."""

    def draw(d: Draw) -> Case:
        shape = d.shape()
        a, b = d.tensor(shape), d.either(d.tensor(d.broadcast(shape)))
        operands = (a, b) if d.coin() else (b, a)
        options: dict[str, Any] = {"fused_activation_function": d.among(*FUSED)} if fused else {}
        return Case(builtin, operands, [d.result(result, **({} if result else d.quant()))], options)

    return draw


DRAWS = {
    B.ADD: binary(B.ADD, fused=True),
    B.SUB: binary(B.SUB, fused=True),
    B.MUL: binary(B.MUL, fused=True),
}
