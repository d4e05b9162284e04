"""Cases of reductions over axes and segments."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from support.cases.case import FEW, FLOAT, IMAGE, WIDE, Case, Drawing, Row, Rows, ints, tensor
from support.cases.draw import QUANTIZED, Draw
from support.cases.elementwise import often_equal
from support.cases.sketch import Append, Layer, Refused, Sketch
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType


def axes(d: Draw, rank: int) -> list[int]:
    """Draws some axes in any order, counted from either end."""
    chosen = d.rng.permutation(rank)[: d.whole(1, rank)]
    return [int(axis) - rank * d.coin() for axis in chosen]


MOST_FACTORS = 12


def factors(d: Draw, shape: tuple[int, ...]) -> Array:
    """Draws elements whose products of up to MOST_FACTORS fit the type; products of i32 may wrap."""
    x = d.values(shape)
    if d.type in ("fp16", "bf16"):
        x = np.copysign(np.clip(np.abs(x), 0.5, 1.5), x)
    if d.type == "i64":
        x = np.clip(x, -3, 3)
    return np.asarray(x, d.values(()).dtype)


def reduce_prod(d: Draw) -> Case:
    """Draws a product over few elements: products of i8 stay within 32 bits, beyond which the kernel wraps."""
    shape = d.shape(1, 4, 4)
    chosen = axes(d, len(shape))
    while math.prod(shape[axis] for axis in chosen) > MOST_FACTORS:
        chosen.pop()
    quant = {} if d.type == "ui8" else d.perhaps("i8", "i16")
    output_quant: dict[str, Any] = {}
    if quant:
        count, largest = math.prod(shape[axis] for axis in chosen), 1 << 15 if d.type == "i16" else 255
        most = (2**31 / largest) ** (1 / count) / largest
        real = d.scale(min(0.05, most) / 50, min(0.05, most))
        output_quant = {
            "scale": np.float32((float(quant["scale"]) / float(real)) ** count),
            "zero_point": d.zero_point(),
        }
    operands = [d.either(d.of(factors(d, shape), **quant)), d.ints(chosen)]
    return Case(B.REDUCE_PROD, operands, [d.result(**output_quant)], {"keep_dims": d.coin()})


def reduction(builtin: B, *, rescaled: bool = False) -> Drawing:
    """Returns a function that draws a reduction; `rescaled` results may have another quantization."""

    def draw(d: Draw) -> Case:
        shape = d.shape(1, 5)
        quant = d.quant() if rescaled else d.perhaps(*QUANTIZED)
        output_quant: dict[str, Any] = d.quant() if rescaled else quant
        operands = [d.either(d.fed(shape, **quant)), d.ints(axes(d, len(shape)))]
        return Case(builtin, operands, [d.result(**output_quant)], {"keep_dims": d.coin()})

    return draw


def cumsum(d: Draw) -> Case:
    """Draws sums along one axis, from either end, inclusive and exclusive."""
    shape = d.shape(1, 5)
    axis = d.whole(-len(shape), len(shape) - 1)
    options = {"exclusive": d.coin(), "reverse": d.coin()}
    return Case(B.CUMSUM, [d.either(d.fed(shape)), d.ints(np.full(d.among((), (1,)), axis))], [d.result()], options)


def segment_sum(d: Draw) -> Case:
    """Draws sorted constant ids."""
    shape = d.shape(1, 4)
    steps = d.rng.integers(0, 2, shape[0])
    steps[0] = 0
    return Case(B.SEGMENT_SUM, [d.either(d.fed(shape)), d.ints(np.cumsum(steps))], [d.result()])


def unsorted(builtin: B) -> Drawing:
    """Returns a function that draws ids for one or more leading dimensions; some ids belong to no segment.

    Empty segments have the least or largest number of the type, which LiteRT's float32 kernel can't judge for 16 bits.
    """

    def draw(d: Draw) -> Case:
        shape, count = d.shape(1, 4), d.whole(1, 5)
        leading = shape[: d.whole(1, len(shape))]
        if d.type in ("fp16", "bf16"):
            count = max(min(count, math.prod(leading)), -(-math.prod(leading) // MOST_FACTORS))
            chosen = d.rng.permutation(np.arange(math.prod(leading)) % count).reshape(leading)
        else:
            chosen = d.rng.integers(-1, count, leading)
        ids = d.of(chosen.astype(np.int32), "i32")
        x = d.of(factors(d, shape) if builtin is B.UNSORTED_SEGMENT_PROD else d.values(shape))
        operands = [d.either(x), ids.constant if d.coin() else ids, d.ints(count)]
        return Case(builtin, operands, [d.result()])

    return draw


def arg(builtin: B) -> Drawing:
    """Returns a function that draws an axis; elements have few values, so that the first of equal ones counts."""

    def draw(d: Draw) -> Case:
        shape, quant = d.shape(1, 5), d.quant()
        axis = d.ints(d.whole(-len(shape), len(shape) - 1), d.among("i32", "i64"))
        to = d.among("i32", "i64")
        options = {"output_type": TensorType.INT64 if to == "i64" else TensorType.INT32}
        x = often_equal(d, d.values(shape), 0)
        return Case(builtin, [d.either(d.of(x, **quant)), axis], [d.result(to)], options)

    return draw


# ** layers of networks **


def reduction_layer(builtin: B, *, same: bool = False) -> Append:
    """Returns a layer of a reduction over some axes, negative ones too."""

    def append(s: Sketch, x: int) -> None:
        shape = s.shape(x)
        axes = [i for i in range(s.free, len(shape)) if s.coin()]
        keep = s.coin()
        output_shape = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
        if not axes or not output_shape:
            raise Refused
        named = [i - len(shape) if s.coin() else i for i in axes]
        y = s.tensor(output_shape, **(s.like(x) if same else s.quant()))
        s.emit(builtin, [x, s.constant(named)], y, keep_dims=keep)

    return append


def segments(builtin: B, ids: Tensor, *count: Tensor) -> list[Case]:
    """Returns a case with rows of two elements in three segments."""
    return [
        Case(builtin, (tensor(dtype, (4, 2)), ids, *count), (tensor(dtype, (3, 2)),)) for dtype in ("float32", "int32")
    ]


def unsorted_row(builtin: B) -> Row:
    """Returns the row of a reduction over unsorted segments."""
    return Row(unsorted(builtin), segments(builtin, ints(0, 2, 1, 2), ints(3)))


def arg_row(builtin: B) -> Row:
    """Returns the row of ARG_MAX or ARG_MIN."""
    to = {"output_type": TensorType.INT32}
    dtypes = (*FEW, "int32", "bool")
    return Row(arg(builtin), [Case(builtin, (tensor(t), ints(-1)), (tensor("int32", IMAGE[:-1]),), to) for t in dtypes])


def spatial_reduction(builtin: B, dtypes: Sequence[str]) -> list[Case]:
    """Returns a case that reduces an image's height and width and keeps both dimensions."""
    return [Case(builtin, (tensor(t), ints(1, 2)), (tensor(t),), {"keep_dims": True}) for t in dtypes]


def over_channels(x: Tensor) -> Case:
    """Returns REDUCE_PROD over the last dimension, which it drops."""
    return Case(B.REDUCE_PROD, (x, ints(3)), (replace(x, shape=IMAGE[:-1]),))


def reduction_row(builtin: B, *, rescaled: bool = False) -> Row:
    """Returns the row of a reduction that networks contain."""
    layer = Layer(reduction_layer(builtin, same=not rescaled))
    return Row(reduction(builtin, rescaled=rescaled), spatial_reduction(builtin, WIDE), layers=[layer])


ROWS: Rows = {
    B.CUMSUM: Row(
        cumsum,
        [Case(B.CUMSUM, (tensor(t), ints(1)), (tensor(t),), {"exclusive": True}) for t in ("float32", "int32")],
    ),
    B.SEGMENT_SUM: Row(segment_sum, segments(B.SEGMENT_SUM, ints(0, 0, 1, 2))),
    B.UNSORTED_SEGMENT_SUM: unsorted_row(B.UNSORTED_SEGMENT_SUM),
    B.UNSORTED_SEGMENT_PROD: unsorted_row(B.UNSORTED_SEGMENT_PROD),
    B.UNSORTED_SEGMENT_MAX: unsorted_row(B.UNSORTED_SEGMENT_MAX),
    B.UNSORTED_SEGMENT_MIN: unsorted_row(B.UNSORTED_SEGMENT_MIN),
    B.ARG_MAX: arg_row(B.ARG_MAX),
    B.ARG_MIN: arg_row(B.ARG_MIN),
    B.MEAN: reduction_row(B.MEAN, rescaled=True),
    B.SUM: reduction_row(B.SUM, rescaled=True),
    B.REDUCE_MAX: reduction_row(B.REDUCE_MAX),
    B.REDUCE_MIN: reduction_row(B.REDUCE_MIN),
    B.REDUCE_PROD: Row(
        reduce_prod,
        [
            *map(over_channels, (tensor("int8"), tensor("int16"))),
            *spatial_reduction(B.REDUCE_PROD, FLOAT),
            *(over_channels(Tensor(IMAGE, dtype)) for dtype in ("int8", "uint8", "int16")),
        ],
    ),
    B.REDUCE_ALL: Row(reduction(B.REDUCE_ALL), spatial_reduction(B.REDUCE_ALL, ("bool",))),
    B.REDUCE_ANY: Row(reduction(B.REDUCE_ANY), spatial_reduction(B.REDUCE_ANY, ("bool",))),
}
