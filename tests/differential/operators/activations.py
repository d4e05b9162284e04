"""Activations, and normalizations along the last dimension."""

from typing import Any

from differential.case import Case, Draw
from differential.operators import Drawing
from differential.operators.elementwise import of_scale, unary
from tosa_converter.schemas.tflite import BuiltinOperator as B


def with_options(builtin: B, **options: Any) -> Drawing:
    """One operand and options, each among some values."""

    def draw(d: Draw) -> Case:
        drawn = {name: d.among(*among) for name, among in options.items()}
        return Case(builtin, [d.tensor(d.shape(0, 5))], [d.result(**d.quant())], drawn)

    return draw


def rows(builtin: B, **quants: dict[str, Any]) -> Drawing:
    """Over the last dimension; quantized results have the parameters that the kernel demands."""

    def draw(d: Draw) -> Case:
        shape = (*d.shape(0, 3), d.whole(1, 20))
        return Case(builtin, [d.tensor(shape)], [d.result(**quants.get(d.type, {}))])

    return draw


def softmax(d: Draw) -> Case:
    """Of 8 bits to 16 now and then."""
    shape = (*d.shape(0, 3), d.whole(1, d.among(20, 600)))
    made = EIGHT if d.coin() else {"i8": of_scale(1 / 65536, -32768), "ui8": of_scale(1 / 65536, -32768)}
    to = "i16" if made is not EIGHT and d.type in made else ""
    quant = of_scale(1 / 32768, 0) if d.type == "i16" else made.get(d.type, {})
    return Case(B.SOFTMAX, [d.tensor(shape)], [d.result(to, **quant)], {"beta": d.among(1.0, 1.0, 0.5, 2.5)})


def gelu(d: Draw) -> Case:
    """Of large negative numbers alone only what a sum with 1 leaves is known, so there is always a 1."""
    quant = d.anywhere(d.quant())
    x = d.values(d.shape(1, 5))
    if not d.quantized:
        x.flat[0] = 1
    return Case(B.GELU, [d.of(x, **quant)], [d.result(**d.quant())], {"approximate": d.coin()})


def prelu(d: Draw) -> Case:
    """The slope is for the channels, all dimensions but the first, or one for all; constant or not."""
    shape = d.shape(2, 4)
    slopes = d.among(shape[-1:], shape[1:], (1,), (1,) * (len(shape) - 2) + shape[-1:])
    x, alpha = d.fed(shape, **d.anywhere(d.quant())), d.either(d.tensor(slopes, d.types[-1]))
    return Case(B.PRELU, [x, alpha], [d.result(**d.anywhere(d.quant()))])


def local_response(d: Draw) -> Case:
    """Windows of channels, wider than the image has now and then."""
    shape = (d.whole(1, 5), d.whole(1, 5), d.whole(1, 5), d.whole(1, 12))
    options = {
        "radius": d.whole(0, 15 if d.coin() else 4),
        "bias": d.among(1.0, 2.0, 0.5),
        "alpha": d.among(1.0, 0.1, 1e-4),
        "beta": d.among(0.5, 0.75, 1.0, 2.0),
    }
    return Case(B.LOCAL_RESPONSE_NORMALIZATION, [d.fed(shape)], [d.result()], options)


EIGHT: Any = {"i8": of_scale(1 / 256, -128), "ui8": of_scale(1 / 256, 0)}
DRAWS = {
    B.LOGISTIC: unary(B.LOGISTIC, **EIGHT, i16=of_scale(1 / 32768, 0)),
    B.TANH: unary(B.TANH, i8=of_scale(1 / 128, 0), ui8=of_scale(1 / 128, 128), i16=of_scale(1 / 32768, 0)),
    B.RELU: unary(B.RELU),
    B.RELU6: unary(B.RELU6),
    B.RELU_N1_TO_1: unary(B.RELU_N1_TO_1),
    B.RELU_0_TO_1: unary(B.RELU_0_TO_1),
    B.HARD_SWISH: unary(B.HARD_SWISH),
    B.ELU: unary(B.ELU),
    B.LEAKY_RELU: with_options(B.LEAKY_RELU, alpha=(0.0, 0.01, 0.3, 1.0, 1.5, -0.5)),
    B.GELU: gelu,
    B.PRELU: prelu,
    B.L2_NORMALIZATION: rows(B.L2_NORMALIZATION, i8=of_scale(1 / 128, 0), ui8=of_scale(1 / 128, 128)),
    B.LOCAL_RESPONSE_NORMALIZATION: local_response,
    B.SOFTMAX: softmax,
    B.LOG_SOFTMAX: rows(B.LOG_SOFTMAX, i8=of_scale(1 / 16, 127), ui8=of_scale(1 / 16, 255)),
}
