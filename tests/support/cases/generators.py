"""Cases of random generators over several runs, in which their counters advance."""

from typing import Any

import numpy as np

from support.cases.case import Case, Drawing, Row, Rows, ints
from support.cases.draw import Draw
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B

RUNS = 3


def seeds(d: Draw) -> dict[str, Any]:
    """Draws two seeds, some of 64 bits; the first one is 0 in some cases."""
    seed, seed2 = (d.among(d.whole(1, 99), d.whole(-(2**31), 2**31 - 1), d.whole(-(2**62), 2**62)) for _ in range(2))
    return {"seed": d.among(seed, seed, 0), "seed2": seed2}


def filled(builtin: B) -> Drawing:
    """Returns a function that draws random numbers of a constant shape."""

    def draw(d: Draw) -> Case:
        return Case(builtin, [d.ints(d.shape(1, 4))], [d.result("fp32")], seeds(d), further=[[]] * (RUNS - 1))

    return draw


def multinomial(d: Draw) -> Case:
    """Draws logits for 32-bit or 64-bit indices; some are infinite, and a row may have no finite one."""
    shape = d.whole(1, 4), d.whole(1, 9)

    def logits() -> Any:
        array = d.values(shape)
        return np.where(d.rng.integers(0, 10, shape) == 0, np.float32(d.among(np.inf, -np.inf, np.nan)), array)

    fed = d.either(d.of(logits()))
    further = [[logits()] if fed.fed else [] for _ in range(RUNS - 1)]
    return Case(
        B.MULTINOMIAL, [fed, d.ints(d.whole(1, 9))], [d.result(d.among("i32", "i64"))], seeds(d), further=further
    )


SEEDS = {"seed": 3, "seed2": 5}
ROWS: Rows = {
    **{
        builtin: Row(filled(builtin), [Case(builtin, (ints(2, 3),), (Tensor((2, 3)),), SEEDS)])
        for builtin in (B.RANDOM_UNIFORM, B.RANDOM_STANDARD_NORMAL)
    },
    B.MULTINOMIAL: Row(
        multinomial,
        [Case(B.MULTINOMIAL, (Tensor((2, 4)), ints(3, shape=())), (Tensor((2, 3), "int64"),), SEEDS)],
    ),
}
