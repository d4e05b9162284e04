"""Padding and joining."""

from differential.case import Case, Draw, Operand
from tosa_converter.schemas.tflite import BuiltinOperator as B


def _padding(d: Draw, rank: int) -> Operand:
    return d.ints([[d.whole(0, 2), d.whole(0, 2)] for _ in range(rank)], d.among("i32", "i64"))


def pad(d: Draw) -> Case:
    """By the zero point."""
    x = d.tensor(d.shape())
    return Case(B.PAD, [x, _padding(d, len(x.tensor.shape))], [d.result(**d.same(x))], version=3)


def padv2(d: Draw) -> Case:
    """By a constant."""
    x = d.tensor(d.shape())
    value = d.fed((1,), **d.same(x)).constant
    return Case(B.PADV2, [x, _padding(d, len(x.tensor.shape)), value], [d.result(**d.same(x))], version=3)


def concatenation(d: Draw) -> Case:
    """Of one to four, on one scale or, where LiteRT takes it, several."""
    shape = d.shape()
    axis = d.whole(0, len(shape) - 1)
    first = d.tensor(shape)
    parts = [first]
    for _ in range(d.whole(0, 3)):
        size = (*shape[:axis], d.whole(1, 4), *shape[axis + 1 :])
        free = d.type in ("ui8", "i16") and d.coin()
        parts.append(d.either(d.tensor(size) if free else d.fed(size, **d.same(first))))
    options = {"axis": axis - (len(shape) if d.coin() else 0)}
    return Case(B.CONCATENATION, parts, [d.result(**d.same(first))], options, version=4)


DRAWS = {B.PAD: pad, B.PADV2: padv2, B.CONCATENATION: concatenation}
