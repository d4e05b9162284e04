"""Reductions."""

import math
from typing import Any

import numpy as np

from differential.case import QUANTIZED, Case, Draw
from differential.operators import Drawing
from differential.operators.elementwise import often_equal
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType


def axes(d: Draw, rank: int) -> list[int]:
    """Some axes, counted from either end, in any order."""
    chosen = d.rng.permutation(rank)[: d.whole(1, rank)]
    return [int(axis) - rank * d.coin() for axis in chosen]


MOST_FACTORS = 12


def factors(d: Draw, shape: tuple[int, ...]) -> Array:
    """Elements of which the type holds products of so many; i32 may wrap."""
    x = d.values(shape)
    if d.type in ("fp16", "bf16"):
        x = np.copysign(np.clip(np.abs(x), 0.5, 1.5), x)
    if d.type == "i64":
        x = np.clip(x, -3, 3)
    return np.asarray(x, d.values(()).dtype)


def reduce_prod(d: Draw) -> Case:
    """Over few elements; the scales leave products of i8 within 32 bits, beyond which the kernel's wrap."""
    shape = d.shape(1, 4, 4)
    chosen = axes(d, len(shape))
    while math.prod(shape[axis] for axis in chosen) > MOST_FACTORS:
        chosen.pop()
    quant = {} if d.type == "ui8" else d.perhaps("i8", "i16")
    made: dict[str, Any] = {}
    if quant:
        count, largest = math.prod(shape[axis] for axis in chosen), 1 << 15 if d.type == "i16" else 255
        most = (2**31 / largest) ** (1 / count) / largest
        real = d.scale(min(0.05, most) / 50, min(0.05, most))
        made = {"scale": np.float32((float(quant["scale"]) / float(real)) ** count), "zero_point": d.zero_point()}
    operands = [d.either(d.of(factors(d, shape), **quant)), d.ints(chosen)]
    return Case(B.REDUCE_PROD, operands, [d.result(**made)], {"keep_dims": d.coin()})


def reduction(builtin: B, *, rescaled: bool = False) -> Drawing:
    """Over some axes, kept or not; `rescaled` if the result may be quantized otherwise."""

    def draw(d: Draw) -> Case:
        shape = d.shape(1, 5)
        quant = d.quant() if rescaled else d.perhaps(*QUANTIZED)
        made: dict[str, Any] = d.quant() if rescaled else quant
        operands = [d.either(d.fed(shape, **quant)), d.ints(axes(d, len(shape)))]
        return Case(builtin, operands, [d.result(**made)], {"keep_dims": d.coin()})

    return draw


def cumsum(d: Draw) -> Case:
    """Along one axis, from either end, with or without the element itself."""
    shape = d.shape(1, 5)
    axis = d.whole(-len(shape), len(shape) - 1)
    options = {"exclusive": d.coin(), "reverse": d.coin()}
    return Case(B.CUMSUM, [d.either(d.fed(shape)), d.ints(np.full(d.among((), (1,)), axis))], [d.result()], options)


def segment_sum(d: Draw) -> Case:
    """Sorted constant ids."""
    shape = d.shape(1, 4)
    steps = d.rng.integers(0, 2, shape[0])
    steps[0] = 0
    return Case(B.SEGMENT_SUM, [d.either(d.fed(shape)), d.ints(np.cumsum(steps))], [d.result()])


def unsorted(builtin: B) -> Drawing:
    """Ids for one or more leading dimensions, constant or not, now and then none's.

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
    """Along one axis from either end; few values, so that the first of several counts."""

    def draw(d: Draw) -> Case:
        shape, quant = d.shape(1, 5), d.quant()
        axis = d.ints(d.whole(-len(shape), len(shape) - 1), d.among("i32", "i64"))
        to = d.among("i32", "i64")
        options = {"output_type": TensorType.INT64 if to == "i64" else TensorType.INT32}
        x = often_equal(d, d.values(shape), 0)
        return Case(builtin, [d.either(d.of(x, **quant)), axis], [d.result(to)], options)

    return draw


SEGMENTS = (B.UNSORTED_SEGMENT_SUM, B.UNSORTED_SEGMENT_PROD, B.UNSORTED_SEGMENT_MAX, B.UNSORTED_SEGMENT_MIN)
DRAWS = {
    B.CUMSUM: cumsum,
    B.SEGMENT_SUM: segment_sum,
    **{builtin: unsorted(builtin) for builtin in SEGMENTS},
    B.ARG_MAX: arg(B.ARG_MAX),
    B.ARG_MIN: arg(B.ARG_MIN),
    B.MEAN: reduction(B.MEAN, rescaled=True),
    B.SUM: reduction(B.SUM, rescaled=True),
    B.REDUCE_MAX: reduction(B.REDUCE_MAX),
    B.REDUCE_MIN: reduction(B.REDUCE_MIN),
    B.REDUCE_PROD: reduce_prod,
    B.REDUCE_ALL: reduction(B.REDUCE_ALL),
    B.REDUCE_ANY: reduction(B.REDUCE_ANY),
}
