"""Cases of Fourier transforms and of operators on their complex results. LiteRT transforms powers of two only."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from support.cases.case import Drawing, Network, Row, Rows
from support.cases.draw import Draw
from support.tflite_models import Operator, Tensor, build
from tosa_converter.schemas.tflite import BuiltinOperator as B

PARTS = (B.REAL, B.IMAG)


def _operand(values: Any) -> Tensor:
    array = np.array(values, np.int32)
    return Tensor(array.shape, "int32", array)


def _move(d: Draw, builtin: B, shape: tuple[int, ...]) -> tuple[list[Tensor], dict[str, Any]]:
    """Draws the further operands and the options of an operator that moves a spectrum of this shape."""
    rank = len(shape)
    begin = [d.whole(0, size - 1) for size in shape]
    size = [d.whole(1, n - start) for n, start in zip(shape, begin, strict=True)]
    moves: dict[B, tuple[list[Any], dict[str, Any]]] = {
        B.RESHAPE: ([[-1, shape[-1]]], {}),
        B.SQUEEZE: ([], {}),
        B.EXPAND_DIMS: ([[d.whole(-rank - 1, rank)]], {}),
        B.TRANSPOSE: ([d.rng.permutation(rank)], {}),
        B.SLICE: ([begin, size], {}),
        B.STRIDED_SLICE: ([begin, list(shape), [1] * rank], {"shrink_axis_mask": 1}),
        B.BROADCAST_TO: ([[2, *shape]], {}),
    }
    constants, options = moves[builtin]
    return [_operand(values) for values in constants], options


MOVES = (B.RESHAPE, B.SQUEEZE, B.EXPAND_DIMS, B.TRANSPOSE, B.SLICE, B.STRIDED_SLICE, B.BROADCAST_TO)


class Spectra:
    """A model under construction: frames of any length, their transforms, and the operators that follow."""

    def __init__(self, d: Draw, rank: int = 2) -> None:
        self.lengths = d.among(1, 1, 2, 4, 8), d.among(2, 4, 8, 16, 32)
        sizes = [max(1, n + d.among(0, 0, d.whole(-2, 2))) for n in self.lengths]
        self.shape = (*d.shape(0, rank, 4), *sizes)
        self.tensors = [Tensor(self.shape), _operand(self.lengths)]
        self.operators: list[Operator] = []

    @property
    def transform_shape(self) -> tuple[int, ...]:
        """Returns the shape of the transform."""
        return (*self.shape[:-2], self.lengths[0], self.lengths[1] // 2 + 1)

    def add(self, builtin: B, *inputs: int, dtype: str = "complex64", **options: Any) -> int:
        """Adds one operator; returns the index of its result."""
        self.tensors.append(Tensor((), dtype))
        self.operators.append(Operator(builtin, inputs, [len(self.tensors) - 1], options))
        return len(self.tensors) - 1

    def transform(self) -> int:
        """Adds RFFT2D."""
        return self.add(B.RFFT2D, 0, 1)

    def move(self, d: Draw, builtin: B, at: int) -> int:
        """Adds an operator that moves the spectrum."""
        more, options = _move(d, builtin, self.transform_shape)
        first = len(self.tensors)
        self.tensors += more
        return self.add(builtin, at, *range(first, first + len(more)), **options)

    def network(self, d: Draw, at: int, *finish: B) -> Network:
        """Returns the model with each of the last operators on one result."""
        outputs = [self.add(builtin, at, dtype="float32") for builtin in finish]
        return Network(build(self.tensors, self.operators, [0], outputs), [d.values(self.shape, "fp32")])


def finished(*finish: B) -> Drawing:
    """Returns a function that draws a transform, in some cases moved, with each of the last operators behind it."""

    def draw(d: Draw) -> Network:
        model = Spectra(d)
        at = model.transform()
        return model.network(d, model.move(d, d.among(*MOVES), at) if d.coin() else at, *finish)

    return draw


def moved(builtin: B) -> Mapping[str, Drawing]:
    """Returns, by type, functions that draw a transform and an operator that moves it."""

    def draw(d: Draw) -> Network:
        model = Spectra(d, rank=1 if builtin is B.BROADCAST_TO else 2)
        return model.network(d, model.move(d, builtin, model.transform()), *PARTS)

    return {"complex64": draw}


def mul(d: Draw) -> Network:
    """Draws the product of a transform with itself."""
    model = Spectra(d)
    first = model.transform()
    return model.network(d, model.add(B.MUL, first, model.transform()), *PARTS)


def cast(d: Draw) -> Network:
    """Draws a transform that is cast to floats and back to complex numbers."""
    model = Spectra(d)
    real = model.add(B.CAST, model.transform(), dtype="float32")
    if d.coin():
        return model.network(d, model.add(B.CAST, real), *PARTS)
    return model.network(d, real, B.ABS)


# ** fixed models **

FRAMES, LENGTHS, SPECTRUM = Tensor((1, 2, 4)), _operand([2, 4]), Tensor((1, 2, 3), "complex64")
TRANSFORM = Operator(B.RFFT2D, [0, 1], [2])


def fixed_move(builtin: B, operands: Sequence[Tensor], options: dict[str, Any]) -> bytes:
    """Returns a transform, an operator that moves or multiplies it, and both parts of the result."""
    at = 3 + len(operands)
    moved = Operator(builtin, range(2, at), [at], options)
    parts = [Operator(B.REAL, [at], [at + 1]), Operator(B.IMAG, [at], [at + 2])]
    results = [Tensor((), "complex64"), Tensor(()), Tensor(())]
    tensors = [FRAMES, LENGTHS, SPECTRUM, *operands, *results]
    return build(tensors, [TRANSFORM, moved, *parts], [0], [at + 1, at + 2])


def spectrum(number: int, builtin: B, *operands: Tensor, **options: Any) -> Mapping[str, Callable[[], bytes]]:
    """Returns the fixed model of an operator on complex numbers, by the name of its text."""
    return {f"spectra.{number}": partial(fixed_move, builtin, operands, options)}


def fixed_finish(*finish: B, dtypes: Sequence[str] = ("float32",)) -> bytes:
    """Returns a transform with operators of one operand in a row."""
    operators = [Operator(builtin, [2 + i], [3 + i]) for i, builtin in enumerate(finish)]
    tensors = [FRAMES, LENGTHS, SPECTRUM, *(Tensor((), dtype) for dtype in dtypes)]
    return build(tensors, [TRANSFORM, *operators], [0], [len(tensors) - 1])


TWICE_CAST = partial(fixed_finish, B.CAST, B.CAST, B.REAL, dtypes=("float32", "complex64", "float32"))
CASTS = {"spectra.9": partial(fixed_finish, B.CAST), "spectra.10": TWICE_CAST}
FACTOR = Tensor((), "complex64", np.array(2 + 1j, np.complex64))
ROWS: Rows = {
    B.RFFT2D: Row(finished(*PARTS)),
    B.REAL: Row(finished(B.REAL)),
    B.IMAG: Row(finished(B.IMAG)),
    B.COMPLEX_ABS: Row(finished(B.COMPLEX_ABS), networks={"spectra.8": partial(fixed_finish, B.COMPLEX_ABS)}),
}
