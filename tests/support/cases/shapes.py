"""Cases of shapes as values, constants that depend on them, and sparse constants."""

import numpy as np

from support.cases.case import FEW, FLOAT, Case, Row, Rows, fixed, ints, tensor
from support.cases.draw import NAMES, Draw
from support.sparse import LAYOUTS, encode, sparse_array
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType


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


def _densify(d: Draw) -> Case:
    shape, layout = d.among(*LAYOUTS)
    values, sparsity = encode(sparse_array(d.whole(0, 99), NAMES[d.type], shape), layout)
    quant = d.quant()
    operand = Tensor(shape, NAMES[d.type], raw=values, sparsity=sparsity, **quant)
    return Case(B.DENSIFY, [operand], [d.result(**quant)])


def _shape(d: Draw) -> Case:
    type = d.among("i32", "i64")
    options = {"out_type": TensorType.INT32 if type == "i32" else TensorType.INT64}
    return Case(B.SHAPE, [d.tensor(d.shape(1, 6))], [d.result(type)], options)


def _rank(d: Draw) -> Case:
    return Case(B.RANK, [d.tensor(d.shape(0, 6))], [d.result("i32")])


SPARSE = Tensor((2, 2), "float32", np.ones((2, 2), np.float32))
ROWS: Rows = {
    B.DENSIFY: Row(_densify, [Case(B.DENSIFY, (SPARSE,), (tensor("float32", (2, 2)),))]),
    B.SHAPE: Row(_shape, fixed(B.SHAPE, FEW, result="int32", out_type=TensorType.INT32)),
    B.RANK: Row(_rank, fixed(B.RANK, FLOAT, result="int32")),
    B.ZEROS_LIKE: Row(_zeros_like, fixed(B.ZEROS_LIKE, ("float32", "int32"))),
    B.FILL: Row(
        _fill, [Case(B.FILL, (ints(2, 3), Tensor((), "float32", np.float32(1))), (tensor("float32", (2, 3)),))]
    ),
    B.RANGE: Row(_range, [Case(B.RANGE, [ints(n, shape=()) for n in (0, 5, 1)], (tensor("int32", (5,)),))]),
    B.BROADCAST_ARGS: Row(
        _broadcast_args, [Case(B.BROADCAST_ARGS, (ints(2, 1, 3), ints(4, 1)), (tensor("int32", (3,)),))]
    ),
}
