"""Cases of operators that read and write by index, sort, or compare elements with positions."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from support.cases.case import IMAGE, NUMBERS, Case, Row, Rows, fixed, ints, tensor
from support.cases.draw import NAMES, Draw
from support.cases.movement import axis_of, moved
from support.cases.sketch import Layer, Refused, Sketch
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType


def _indices(d: Draw, array: Array, *types: str) -> Tensor:
    """Draws indices of one of the types, in some cases constant."""
    type = d.among(*types)
    return d.either(d.of(array.astype(NAMES[type]), type))


def _gather(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5))
    shape = x.shape
    axis = axis_of(d, shape)
    batch = d.whole(0, axis % len(shape))
    taken = (*shape[:batch], *(d.whole(1, 4) for _ in range(d.whole(0, min(2, 6 - len(shape))))))
    indices = d.rng.integers(0, shape[axis], taken)
    options = {"axis": axis, "batch_dims": batch - len(taken) if batch < len(taken) and d.coin() else batch}
    return Case(B.GATHER, [x, _indices(d, indices, "i32", "i64", "i16")], [y], options)


def _named(d: Draw, sizes: Sequence[int], count: Sequence[int]) -> Array:
    """Draws vectors of indices [*count, len(sizes)]."""
    return np.stack([d.rng.integers(0, size, tuple(count)) for size in sizes], -1)


def _gather_nd(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5))
    sizes = x.shape[: d.whole(1, len(x.shape))]
    count = d.shape(0, 2, 5)
    return Case(B.GATHER_ND, [x, _indices(d, _named(d, sizes, count), "i32", "i64", "i16")], [y])


def _scatter_nd(d: Draw) -> Case:
    shape, count = d.shape(1, 4, 5), d.shape(0, 2, 5)
    depth = d.whole(1, len(shape))
    updates, y = moved(d, (*count, *shape[depth:]))
    return Case(
        B.SCATTER_ND, [_indices(d, _named(d, shape[:depth], count), "i32"), d.either(updates), d.ints(shape)], [y]
    )


def _sparse_to_dense(d: Draw) -> Case:
    shape, count = d.shape(1, 4, 5), d.whole(1, 6)
    indices = _named(d, shape, (count,))
    if len(shape) == 1 and d.coin():
        indices = indices[:, 0] if d.coin() else indices[0, 0]
    quant = d.quant()
    values = d.either(d.fed(() if d.coin() else (max(1, indices.size // len(shape)),), **quant))
    operands = [_indices(d, indices, "i32", "i64"), d.ints(shape, d.among("i32", "i64")), values]
    return Case(B.SPARSE_TO_DENSE, [*operands, d.either(d.fed((), **quant))], [d.result(**quant)])


def _dynamic_update_slice(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5))
    size = [n if d.whole(0, 2) == 0 else d.whole(1, n) for n in x.shape]
    start = np.array([d.whole(-2, n + 1) for n in x.shape])
    operands = [d.either(x), d.either(d.fed(size, **d.same(x))), _indices(d, start, "i32", "i64")]
    return Case(B.DYNAMIC_UPDATE_SLICE, operands, [y])


def _reverse_sequence(d: Draw) -> Case:
    x, y = moved(d, d.shape(2, 5))
    along, batch = map(int, d.rng.permutation(len(x.shape))[:2])
    lengths = d.rng.integers(0, x.shape[along] + 1, x.shape[batch])
    return Case(
        B.REVERSE_SEQUENCE, [x, _indices(d, lengths, "i32", "i64")], [y], {"seq_dim": along, "batch_dim": batch}
    )


def _one_hot(d: Draw) -> Case:
    shape, depth, quant = d.shape(0, 4), d.whole(1, 6), d.quant()
    indices = _indices(d, d.rng.integers(-1, depth + 1, shape), "i32", "i64")
    values = [d.either(d.fed(d.among((), (1,)), **quant)) for _ in range(2)]
    return Case(B.ONE_HOT, [indices, d.ints(depth), *values], [d.result(**quant)], {"axis": d.whole(-1, len(shape))})


def _matrix_diag(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 4))
    return Case(B.MATRIX_DIAG, [x], [y])


def _matrix_set_diag(d: Draw) -> Case:
    x, y = moved(d, d.shape(2, 5))
    *outer, rows, columns = x.shape
    return Case(B.MATRIX_SET_DIAG, [x, d.either(d.fed((*outer, min(rows, columns)), **d.same(x)))], [y])


def _bucketize(d: Draw) -> Case:
    x = d.tensor(d.shape(0, 5))
    assert x.array is not None
    drawn = d.values((d.whole(1, 6),), "fp32")
    bounds = np.append(drawn, x.array.reshape(-1)[: d.whole(0, 3)].astype(np.float32))
    return Case(B.BUCKETIZE, [x], [d.result("i32")], {"boundaries": tuple(np.sort(bounds).tolist())})


def _topk(d: Draw) -> Case:
    long = d.whole(0, 4) == 0  # where only a few are searched for
    shape = (d.whole(1, 2), d.whole(800, 1200)) if long else d.shape(1, 4, 12)
    x, y = moved(d, shape)
    type = d.among("i32", "i16")
    count = d.ints(d.whole(1, 3 if long else shape[-1]), type)
    return Case(B.TOPK_V2, [x, count], [y, d.result(d.among("i32", "i16"))], version=2)


def _unique(d: Draw) -> Case:
    quant, dtype = d.quant(), d.among("i32", "i64")
    array = d.rng.choice(d.values((4,)), d.whole(1, 12))
    options = {"idx_out_type": TensorType.INT32 if dtype == "i32" else TensorType.INT64}
    return Case(B.UNIQUE, [d.of(array, **quant).constant], [d.result(**quant), d.result(dtype)], options)


# ** layers of networks **


def gather_layer(s: Sketch, x: int) -> None:
    """Adds GATHER by constant indices, some of rank 0."""
    shape = s.shape(x)
    axis = s.whole(0, len(shape) - 1)
    if axis < s.free:
        raise Refused
    indices = s.rng.integers(0, shape[axis], s.among((), (3,), (2, 2)))
    y = s.tensor((*shape[:axis], *indices.shape, *shape[axis + 1 :]), **s.like(x))
    s.emit(B.GATHER, [x, s.constant(indices)], y, axis=axis)


def of_each(make: Callable[[Tensor], Case], dtypes: Sequence[str] = NUMBERS) -> list[Case]:
    """Returns a case of three elements of each type."""
    return [make(tensor(dtype, (3,))) for dtype in dtypes]


def shaped(x: Tensor, *shape: int) -> Tensor:
    """Returns the tensor in another shape."""
    return replace(x, shape=shape)


INDICES, PLACES = tensor("int32"), ints(0, 1, 3, 1, shape=(2, 2))
ROWS: Rows = {
    B.GATHER: Row(
        _gather,
        of_each(lambda x: Case(B.GATHER, (shaped(x, *IMAGE), ints(1, 0)), (shaped(x, *IMAGE),), {"axis": 2})),
        layers=[Layer(gather_layer)],
    ),
    B.GATHER_ND: Row(
        _gather_nd,
        of_each(
            lambda x: Case(B.GATHER_ND, (shaped(x, 4, 4, 2), ints(0, 1, 3, 1, shape=(2, 2))), (shaped(x, *IMAGE),))
        ),
    ),
    B.SCATTER_ND: Row(
        _scatter_nd,
        [
            Case(B.SCATTER_ND, (indices, tensor(dtype, (3,)), ints(5)), (tensor(dtype),))
            for dtype in NUMBERS
            for indices in (ints(1, 3, 1, shape=(3, 1)), tensor("int32", (3, 1)))
        ],
    ),
    B.SPARSE_TO_DENSE: Row(
        _sparse_to_dense,
        of_each(
            lambda x: Case(
                B.SPARSE_TO_DENSE,
                (ints(0, 1, 1, 1, 1, 1, shape=(3, 2)), ints(2, 3), x, shaped(x)),
                (shaped(x, *IMAGE),),
            )
        ),
    ),
    B.DYNAMIC_UPDATE_SLICE: Row(
        _dynamic_update_slice,
        of_each(
            lambda x: Case(
                B.DYNAMIC_UPDATE_SLICE,
                (shaped(x, *IMAGE), shaped(x, 1, 2, 3, 2), ints(0, 1, 9, 0)),
                (shaped(x, *IMAGE),),
            )
        ),
    ),
    B.REVERSE_SEQUENCE: Row(
        _reverse_sequence,
        [
            Case(B.REVERSE_SEQUENCE, (tensor(t), ints(2, 0, 4, 1)), (tensor(t),), {"seq_dim": 2, "batch_dim": 1})
            for t in ("float32", "int32")
        ],
    ),
    B.ONE_HOT: Row(
        _one_hot,
        of_each(
            lambda x: Case(
                B.ONE_HOT, (INDICES, ints(3, shape=()), shaped(x), shaped(x)), (shaped(x, *IMAGE),), {"axis": -1}
            )
        ),
    ),
    B.MATRIX_DIAG: Row(_matrix_diag, of_each(lambda x: Case(B.MATRIX_DIAG, (x,), (shaped(x, *IMAGE),)))),
    B.MATRIX_SET_DIAG: Row(
        _matrix_set_diag, of_each(lambda x: Case(B.MATRIX_SET_DIAG, (shaped(x, 3, 4), x), (shaped(x, *IMAGE),)))
    ),
    B.BUCKETIZE: Row(_bucketize, fixed(B.BUCKETIZE, ("float32", "int32"), result="int32", boundaries=(0.5, 2.0))),
    B.TOPK_V2: Row(
        _topk,
        of_each(lambda x: Case(B.TOPK_V2, (shaped(x, *IMAGE), ints(1, shape=())), (shaped(x, *IMAGE), INDICES))),
    ),
    B.UNIQUE: Row(
        _unique,
        of_each(
            lambda x: Case(
                B.UNIQUE,
                (replace(x, data=np.ones(3, x.dtype)),),
                (shaped(x, *IMAGE), INDICES),
                {"idx_out_type": TensorType.INT32},
            )
        ),
    ),
}
