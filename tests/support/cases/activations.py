"""Cases of activations, and of normalizations along the last dimension."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from support.cases.case import FEW, FLOAT, MANY, WIDE, Case, Drawing, Row, Rows, fixed, tensor
from support.cases.draw import WORDS, Draw
from support.cases.elementwise import of_scale, unary, unary_layer, unary_row
from support.cases.sketch import DTYPES, Layer, Sketch
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B

# Option values.
ALPHAS: dict[str, Any] = {"alpha": (0.0, 0.01, 0.3, 1.0, 1.5, -0.5)}
BETAS: dict[str, Any] = {"beta": (1.0, 1.0, 0.5, 2.5)}
APPROXIMATE: dict[str, Any] = {"approximate": (False, True)}


def with_options(builtin: B, **choices: Sequence[Any]) -> Drawing:
    """Draws one operand, and one of several values for each option."""

    def draw(d: Draw) -> Case:
        drawn = d.options(**choices)
        return Case(builtin, [d.tensor(d.shape(0, 5))], [d.result(**d.quant())], drawn)

    return draw


def rows(builtin: B, results: Mapping[str, dict[str, Any]]) -> Drawing:
    """Draws an operator over the last dimension; quantized results have the parameters that the kernel demands."""

    def draw(d: Draw) -> Case:
        shape = (*d.shape(0, 3), d.whole(1, 20))
        return Case(builtin, [d.tensor(shape)], [d.result(**results.get(d.type, {}))])

    return draw


def softmax(d: Draw) -> Case:
    """Draws SOFTMAX; some cases go from 8 bits to 16."""
    shape = (*d.shape(0, 3), d.whole(1, d.among(20, 600)))
    wide = not d.coin() and d.type in ("i8", "ui8")
    to, quant = ("i16", of_scale(1 / 65536, -32768)) if wide else ("", SIGMOID.get(d.type, {}))
    return Case(B.SOFTMAX, [d.tensor(shape)], [d.result(to, **quant)], d.options(**BETAS))


def gelu(d: Draw) -> Case:
    """Draws GELU with a 1 among the elements: for large negative numbers alone, only their sum with 1 is accurate."""
    quant = d.anywhere(d.quant())
    x = d.values(d.shape(1, 5))
    if not d.quantized:
        x.flat[0] = 1
    return Case(B.GELU, [d.of(x, **quant)], [d.result(**d.quant())], d.options(**APPROXIMATE))


def prelu(d: Draw) -> Case:
    """Draws PRELU: the slope covers all dimensions but the first, or has one element; it may be constant."""
    shape = d.shape(2, 4)
    slopes = d.among(shape[-1:], shape[1:], (1,), (1,) * (len(shape) - 2) + shape[-1:])
    x, alpha = d.fed(shape, **d.anywhere(d.quant())), d.either(d.tensor(slopes, d.types[-1]))
    return Case(B.PRELU, [x, alpha], [d.result(**d.anywhere(d.quant()))])


def local_response(d: Draw) -> Case:
    """Draws windows of channels, some of them wider than the image."""
    shape = (d.whole(1, 5), d.whole(1, 5), d.whole(1, 5), d.whole(1, 12))
    options = {
        "radius": d.whole(0, 15 if d.coin() else 4),
        "bias": d.among(1.0, 2.0, 0.5),
        "alpha": d.among(1.0, 0.1, 1e-4),
        "beta": d.among(0.5, 0.75, 1.0, 2.0),
    }
    return Case(B.LOCAL_RESPONSE_NORMALIZATION, [d.fed(shape)], [d.result()], options)


# ** layers of networks **


def prelu_layer(s: Sketch, x: int) -> None:
    """Adds PRELU with a slope per channel."""
    sizes = (1,) * (len(s.shape(x)) - 2) + s.shape(x)[-1:]
    if s.dtype == "float32":
        alpha = s.constant(s.rng.standard_normal(sizes), "float32")
    else:
        stored = s.rng.integers(0, 256, sizes).astype(np.uint8).view(s.dtype)
        alpha = s.constant(stored, s.dtype, **s.quant())
    s.emit(B.PRELU, [x, alpha], s.tensor(s.shape(x), **s.quant()))


def softmax_layer(s: Sketch, x: int) -> None:
    """Adds SOFTMAX over the last dimension."""
    s.emit(B.SOFTMAX, [x], s.tensor(s.shape(x), **SIGMOID.get(WORDS[s.dtype], {})), **s.options(**BETAS))


SIGMOID = {"i8": of_scale(1 / 256, -128), "ui8": of_scale(1 / 256, 0), "i16": of_scale(1 / 32768, 0)}
UNIT = {"i8": of_scale(1 / 128, 0), "ui8": of_scale(1 / 128, 128)}
LOGARITHM = {"i8": of_scale(1 / 16, 127), "ui8": of_scale(1 / 16, 255)}
SLOPES = Tensor((1, 1, 2), "int8", np.array([[[64, -32]]], np.int8), scale=0.01)
STATED_SLOPES = (
    Tensor((1, 1, 2), "float32", np.array([[[0.25, 0.125]]], np.float32)),
    Tensor((1, 1, 2), "int8", np.array([[[64, 32]]], np.int8), scale=1 / 256),
)
NORM: dict[str, Any] = {"radius": 2, "bias": 1.0, "alpha": 0.1, "beta": 0.5}
ROWS: Rows = {
    B.LOGISTIC: unary_row(B.LOGISTIC, MANY, results=SIGMOID, layered=DTYPES),
    B.TANH: Row(
        unary(B.TANH, results={**UNIT, "i16": SIGMOID["i16"]}),
        [*fixed(B.TANH, FEW), *fixed(B.TANH, MANY, results=SIGMOID)],
        layers=[Layer(unary_layer(B.TANH, UNIT))],
    ),
    B.RELU: unary_row(B.RELU, MANY, layered=DTYPES),
    B.RELU6: unary_row(B.RELU6, MANY, layered=DTYPES),
    B.RELU_N1_TO_1: unary_row(B.RELU_N1_TO_1, FEW, layered=DTYPES),
    B.RELU_0_TO_1: unary_row(B.RELU_0_TO_1, FEW),
    B.HARD_SWISH: unary_row(B.HARD_SWISH, FEW, layered=DTYPES),
    B.ELU: unary_row(B.ELU, FEW),
    B.LEAKY_RELU: Row(
        with_options(B.LEAKY_RELU, **ALPHAS),
        fixed(B.LEAKY_RELU, MANY),
        fixed(B.LEAKY_RELU, FEW, alpha=0.25),
        [Layer(unary_layer(B.LEAKY_RELU, **ALPHAS))],
    ),
    B.GELU: Row(
        gelu,
        fixed(B.GELU, WIDE),
        layers=[Layer(unary_layer(B.GELU, **APPROXIMATE), ("int8", "uint8"))],
    ),
    B.PRELU: Row(
        prelu,
        [
            *(Case(B.PRELU, (tensor(dtype), tensor(dtype, (1, 1, 2))), (tensor(dtype),)) for dtype in FEW),
            Case(B.PRELU, (tensor("int16"), SLOPES), (tensor("int16"),)),
        ],
        [Case(B.PRELU, (tensor(alpha.dtype), alpha), (tensor(alpha.dtype),)) for alpha in STATED_SLOPES],
        [Layer(prelu_layer)],
    ),
    B.L2_NORMALIZATION: Row(rows(B.L2_NORMALIZATION, UNIT), fixed(B.L2_NORMALIZATION, FEW, results=UNIT)),
    B.LOCAL_RESPONSE_NORMALIZATION: Row(local_response, fixed(B.LOCAL_RESPONSE_NORMALIZATION, FLOAT, **NORM)),
    B.SOFTMAX: Row(softmax, fixed(B.SOFTMAX, MANY, results=SIGMOID, beta=1.0), layers=[Layer(softmax_layer)]),
    B.LOG_SOFTMAX: Row(
        rows(B.LOG_SOFTMAX, LOGARITHM),
        fixed(B.LOG_SOFTMAX, MANY[:3], results=LOGARITHM),
        layers=[Layer(unary_layer(B.LOG_SOFTMAX), FLOAT)],
    ),
}
