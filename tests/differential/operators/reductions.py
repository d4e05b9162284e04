"""Reductions."""

from typing import Any

import numpy as np

from differential.case import Case, Draw
from differential.operators import Drawing
from tosa_converter.schemas.tflite import BuiltinOperator as B


def axes(d: Draw, rank: int) -> list[int]:
    """Some axes, counted from either end, in any order."""
    chosen = d.rng.permutation(rank)[: d.whole(1, rank)]
    return [int(axis) - rank * d.coin() for axis in chosen]


def reduction(builtin: B, *, rescaled: bool = False) -> Drawing:
    """Over some axes, kept or not; `rescaled` if the result may be quantized otherwise."""

    def draw(d: Draw) -> Case:
        shape = d.shape(1, 5)
        quant = d.quant()
        made: dict[str, Any] = d.quant() if rescaled else quant
        operands = [d.fed(shape, **quant), d.ints(axes(d, len(shape)))]
        return Case(builtin, operands, [d.result(**made)], {"keep_dims": d.coin()})

    return draw


DRAWS = {
    B.MEAN: reduction(B.MEAN, rescaled=True),
    B.SUM: reduction(B.SUM, rescaled=True),
    B.REDUCE_MAX: reduction(B.REDUCE_MAX),
    B.REDUCE_MIN: reduction(B.REDUCE_MIN),
    B.REDUCE_PROD: reduction(B.REDUCE_PROD),
    B.REDUCE_ALL: reduction(B.REDUCE_ALL),
    B.REDUCE_ANY: reduction(B.REDUCE_ANY),
}
