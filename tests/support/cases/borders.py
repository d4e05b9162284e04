"""Cases of QUANTIZE and DEQUANTIZE."""

import numpy as np

from support.cases.case import Case, Row, Rows, fixed, tensor
from support.cases.draw import NAMES, Draw
from support.cases.sketch import Layer, Sketch
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B

RESULTS = {
    "fp32": ("i8", "ui8", "i16"),
    "i32": ("i8", "i16"),
    "i16": ("i8", "i16", "i32"),
    "i8": ("i8", "ui8", "i16"),
    "ui8": ("i8", "ui8", "i16"),
}


def quantize(d: Draw) -> Case:
    """Draws QUANTIZE to every type that the kernel takes; some floats are ties between two steps."""
    type, shape = d.among(*RESULTS[d.type]), d.shape(1, 5)
    scale = d.scale(0.00005, 0.001) if type == "i16" else d.scale()
    to = {"scale": scale, "zero_point": 0 if type == "i32" else d.zero_point(type)}
    if d.type == "fp32":
        floats = (d.values(shape).astype(np.float64) / 3 * 200).round() * (d.among(0.5, 1.0) * np.float64(scale))
        x = d.of(np.where(d.rng.integers(0, 2, shape) == 0, floats, d.values(shape)).astype(np.float32))
    elif d.type == "i32":
        x = d.of(d.rng.integers(-100_000, 100_000, shape).astype(NAMES["i32"]), scale=d.scale(), zero_point=0)
    else:
        x = d.tensor(shape)
    return Case(B.QUANTIZE, [x], [d.result(type, **to)])


def dequantize(d: Draw) -> Case:
    """Draws DEQUANTIZE to float32; types without TOSA arithmetic are constants."""
    x = d.tensor(d.shape(1, 5))
    return Case(B.DEQUANTIZE, [x.constant if d.type in ("i4", "i2") else x], [d.result("fp32")], version=3)


# ** layers of networks **


def requantize_layer(s: Sketch, x: int) -> None:
    """Adds QUANTIZE to another scale."""
    s.emit(B.QUANTIZE, [x], s.tensor(s.shape(x), **s.quant()))


def float_island_layer(s: Sketch, x: int) -> None:
    """Adds DEQUANTIZE and QUANTIZE."""
    y = s.tensor(s.shape(x), "float32")
    s.emit(B.DEQUANTIZE, [x], y)
    s.emit(B.QUANTIZE, [y], s.tensor(s.shape(x), **s.quant()))


PAIRS = (
    ("float32", "int8"), ("int8", "uint8"), ("uint8", "int8"), ("int8", "int8"), ("float32", "int16"),
    ("int16", "int8"), ("int16", "int16"), ("int8", "int16"),
)  # fmt: skip
QUANTIZED_NETWORKS = ("int8", "uint8")
ROWS: Rows = {
    B.QUANTIZE: Row(
        quantize,
        [Case(B.QUANTIZE, (tensor(source),), (tensor(target, scale=0.1),)) for source, target in PAIRS],
        [
            Case(B.QUANTIZE, (Tensor((2, 3), "int32", scale=0.001),), (tensor("int8", (2, 3)),)),
            Case(
                B.QUANTIZE,
                (tensor("uint8", scale=0.02, zero_point=131),),
                (tensor("int8", scale=0.02, zero_point=3),),
            ),
        ],
        [Layer(requantize_layer, QUANTIZED_NETWORKS)],
    ),
    B.DEQUANTIZE: Row(
        dequantize,
        fixed(B.DEQUANTIZE, ("int8", "uint8", "int16", "float16"), result="float32"),
        layers=[Layer(float_island_layer, QUANTIZED_NETWORKS)],
    ),
}
