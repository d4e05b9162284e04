"""Transforms and what is done with their complex results, which no model can give: LiteRT takes powers of two."""

from typing import Any

import numpy as np
from support.tflite_models import Operator, Tensor, build

from differential.case import Draw, Network
from differential.operators import Drawing
from tosa_converter.schemas.tflite import BuiltinOperator as B


def _moved(d: Draw, shape: tuple[int, ...]) -> tuple[B, list[Tensor], dict[str, Any]]:
    """An operator that moves a spectrum of that shape as exporters do, its other operands and its options."""
    rank = len(shape)
    begin = [d.whole(0, size - 1) for size in shape]
    size = [d.whole(1, n - start) for n, start in zip(shape, begin, strict=True)]
    kinds: list[tuple[B, list[Any], dict[str, Any]]] = [
        (B.RESHAPE, [[-1, shape[-1]]], {}),
        (B.SQUEEZE, [], {}),
        (B.EXPAND_DIMS, [[d.whole(-rank - 1, rank)]], {}),
        (B.TRANSPOSE, [d.rng.permutation(rank)], {}),
        (B.SLICE, [begin, size], {}),
        (B.STRIDED_SLICE, [begin, list(shape), [1] * rank], {"shrink_axis_mask": 1}),
    ]
    builtin, constants, options = d.among(*kinds)
    arrays = [np.array(values, np.int32) for values in constants]
    return builtin, [Tensor(array.shape, "int32", array) for array in arrays], options


def spectrum(*finish: B) -> Drawing:
    """RFFT2D of frames, cut or filled up, moved now and then, and each of the last operators on the result."""

    def draw(d: Draw) -> Network:
        lengths = np.array([d.among(1, 1, 2, 4, 8), d.among(2, 4, 8, 16, 32)], np.int32)
        shape = (*d.shape(0, 2, 4), *(max(1, int(n) + d.among(0, 0, d.whole(-2, 2))) for n in lengths))
        x = d.values(shape, "fp32")
        tensors = [Tensor(shape), Tensor((2,), "int32", lengths), Tensor((), "complex64")]
        operators, at = [Operator(B.RFFT2D, [0, 1], [2])], 2
        if d.coin():
            made = (*shape[:-2], int(lengths[0]), int(lengths[1]) // 2 + 1)
            builtin, more, options = _moved(d, made)
            operators.append(Operator(builtin, [at, *range(3, 3 + len(more))], [3 + len(more)], options))
            tensors += [*more, Tensor((), "complex64")]
            at = len(tensors) - 1
        outputs = []
        for builtin in finish:
            outputs.append(len(tensors))
            operators.append(Operator(builtin, [at], [len(tensors)]))
            tensors.append(Tensor(()))
        return Network(build(tensors, operators, [0], outputs), [x])

    return draw


DRAWS = {
    B.RFFT2D: spectrum(B.REAL, B.IMAG),
    B.REAL: spectrum(B.REAL),
    B.IMAG: spectrum(B.IMAG),
    B.COMPLEX_ABS: spectrum(B.COMPLEX_ABS),
}
