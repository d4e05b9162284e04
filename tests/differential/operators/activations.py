"""Operators of one operand, and of one dimension's elements."""

from typing import Any

import numpy as np

from differential.case import LIMITS, Case, Draw
from differential.operators import Drawing
from tosa_converter.schemas.tflite import BuiltinOperator as B

FIXED = {"i8": (1 / 256, -128), "ui8": (1 / 256, 0), "i16": (1 / 32768, 0)}  # of what lies between 0 and 1


def unary(builtin: B, *, positive: bool = False, fixed: bool = False, **options: Any) -> Drawing:
    """One operand; `positive` ones only, a result of the `fixed` quantization."""

    def draw(d: Draw) -> Case:
        x = d.tensor(d.shape(1, 5))
        if positive and x.array is not None:
            zero = x.tensor.zero_point if d.quantized else 0
            x = x._replace(array=np.clip(x.array, zero, None) if d.quantized else np.abs(x.array) + x.array.dtype.type(1e-3))
        scale, zero_point = FIXED.get(d.type, (0, 0))
        quant = {"scale": scale, "zero_point": zero_point} if fixed and d.quantized else d.quant()
        return Case(builtin, [x], [d.result(**quant)], {name: make(d) for name, make in options.items()})

    return draw


def scaled(builtin: B, **options: Any) -> Drawing:
    """One operand of a few units, between which functions bend, and a result on a like scale."""

    def draw(d: Draw) -> Case:
        span = max(map(abs, LIMITS.get(d.type, (1, 1))))
        quant = {"scale": d.scale(0.5 / span, 16 / span), "zero_point": d.zero_point()} if d.quantized else {}
        case = unary(builtin, **options)(d)
        x = d.fed(case.operands[0].tensor.shape, **quant)  # type: ignore[union-attr]
        result = {"scale": d.scale(0.5 / span, 8 / span), "zero_point": d.zero_point()} if d.quantized else {}
        fixed = builtin in (B.LOGISTIC, B.TANH, B.SOFTMAX) and d.quantized
        return case._replace(operands=[x], results=case.results if fixed else [d.result(**result)])

    return draw


def _alpha(d: Draw) -> float:
    return float(d.rng.uniform(-0.5, 1.5))


DRAWS = {
    **{b: scaled(b) for b in (B.EXP, B.RELU, B.RELU6, B.RELU_N1_TO_1, B.RELU_0_TO_1, B.ABS, B.NEG)},
    **{b: scaled(b, fixed=True) for b in (B.LOGISTIC, B.TANH)},
    **{b: unary(b, positive=True) for b in (B.SQRT, B.RSQRT, B.LOG)},
    B.GELU: scaled(B.GELU, approximate=Draw.coin),
    B.LEAKY_RELU: scaled(B.LEAKY_RELU, alpha=_alpha),
    B.SOFTMAX: scaled(B.SOFTMAX, fixed=True, beta=lambda d: d.among(1.0, 0.5, 2.0)),
}
