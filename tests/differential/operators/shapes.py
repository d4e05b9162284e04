"""Shapes as values, and constants made from them."""

import numpy as np

from differential.case import NAMES, Case, Draw
from differential.operators import Drawing
from tosa_converter.schemas.tflite import BuiltinOperator as B


def _zeros_like(d: Draw) -> Case:
    return Case(B.ZEROS_LIKE, [d.tensor(d.shape(0, 6))], [d.result(**d.quant())])


def _fill(d: Draw) -> Case:
    quant = d.quant()
    return Case(
        B.FILL, [d.ints(d.shape(1, 6), d.among("i32", "i64")), d.either(d.fed((), **quant))], [d.result(**quant)]
    )


def _range(d: Draw) -> Case:
    step = d.rng.uniform(0.1, 3) if d.type == "fp32" else d.whole(1, 5)
    start = d.rng.uniform(-9, 9) if d.type == "fp32" else d.whole(-9, 9)
    limit = start + step * d.whole(1, 20) + (d.whole(0, 2) if d.coin() else 0)
    ends = (start, limit, step) if d.coin() else (limit, start, -step)
    return Case(B.RANGE, [d.of(np.asarray(end, NAMES[d.type])).constant for end in ends], [d.result()])


def _broadcast_args(d: Draw) -> Case:
    wide = np.array(d.shape(1, 6))
    shapes = [np.where(d.rng.integers(0, 3, wide.size) == 0, 1, wide)[d.whole(0, wide.size - 1) :] for _ in range(2)]
    return Case(B.BROADCAST_ARGS, [d.either(d.of(shape.astype(NAMES[d.type]))) for shape in shapes], [d.result()])


DRAWS: dict[B, Drawing] = {
    B.ZEROS_LIKE: _zeros_like, B.FILL: _fill, B.RANGE: _range, B.BROADCAST_ARGS: _broadcast_args,
}  # fmt: skip
