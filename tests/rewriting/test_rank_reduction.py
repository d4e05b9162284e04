"""More than six dimensions between operators: neighbours become one, as level 8K has no more."""

from collections.abc import Callable

import numpy as np
import pytest
from support.expressions import apply
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, Graph, TensorType, Value
from tosa_converter.ir.edit import live_ops
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import reduce
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BuiltinOperator as B

WIDE = (2, 3, 1, 2, 2, 3, 2, 2)
Build = Callable[[Builder, Value], Value]
SHORT = (1, 3, 1, 1, 2, 3, 1, 1)
WEIGHTS = np.arange(18, dtype=np.int32).reshape(SHORT)

CASES: dict[str, tuple[Build, Callable[[Array], Array], int]] = {
    "transpose": (
        lambda b, x: b.transpose(x, (4, 5, 0, 2, 1, 7, 6, 3)), lambda x: x.transpose(4, 5, 0, 2, 1, 7, 6, 3), 3
    ),
    "transpose of what stays together": (
        lambda b, x: b.transpose(x, (3, 4, 5, 6, 7, 2, 0, 1)), lambda x: x.transpose(3, 4, 5, 6, 7, 2, 0, 1), 3
    ),
    "slice": (
        lambda b, x: b.slice(x, (0, 1, 0, 0, 0, 2, 0, 0), (2, 2, 1, 2, 2, 1, 2, 2)),
        lambda x: x[:, 1:, :, :, :, 2:], 3,
    ),
    "pad": (
        lambda b, x: b.pad(x, [(0, 0), (1, 0), *[(0, 0)] * 4, (2, 1), (0, 0)], 7),
        lambda x: np.pad(x, [(0, 0), (1, 0), *[(0, 0)] * 4, (2, 1), (0, 0)], constant_values=7), 3,
    ),
    "tile": (
        lambda b, x: b.tile(x, (1, 2, 1, 1, 3, 1, 1, 1)), lambda x: np.tile(x, (1, 2, 1, 1, 3, 1, 1, 1)), 3
    ),
    "reverse": (lambda b, x: apply(b, Expr.reverse, x, 5), lambda x: np.flip(x, 5), 3),
    "concat": (lambda b, x: b.concat([x, x], 4), lambda x: np.concatenate([x, x], 4), 4),
    "sum": (lambda b, x: apply(b, reduce, ops.REDUCE_SUM, x, 4), lambda x: x.sum(4, keepdims=True), 3),
    "broadcast": (lambda b, x: b.add(x, b.const(WEIGHTS, DType.I32)), lambda x: x + WEIGHTS, 3),
    "product": (lambda b, x: b.mul(x, b.const(WEIGHTS, DType.I32)), lambda x: x * WEIGHTS, 3),
    "position": (
        lambda b, x: b.emit(ops.ARGMAX, b.cast(x, DType.FP32), axis=1, nan_mode="PROPAGATE"), lambda x: x.argmax(1), 5,
    ),
    "one after the other": (
        lambda b, x: apply(b, Expr.__neg__, b.transpose(apply(b, Expr.reverse, x, 7), (1, 0, 2, 3, 4, 5, 6, 7))),
        lambda x: -np.flip(x, 7).transpose(1, 0, 2, 3, 4, 5, 6, 7), 7,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_dimensions_are_merged(name: str) -> None:
    build_it, expected, most = CASES[name]
    x = np.arange(np.prod(WIDE), dtype=np.int32).reshape(24, 12)
    value = Value(TensorType(DType.I32, x.shape), "x")
    builder = Builder(Graph("main", [value]))
    made = build_it(builder, builder.reshape(value, WIDE))
    model = builder.model(y=builder.reshape(made, (made.type.elements,)))
    model.main.ops = live_ops(model.main)
    assert sum(op.row not in (ops.CONST, ops.CONST_SHAPE) for op in model.main.ops) <= most
    assert all(value.type.rank <= 6 for op in model.main.ops for value in op.results)
    assert np.array_equal(tc.run(model, {"x": x})["y"], expected(x.reshape(WIDE)).reshape(-1))


def _tensor(*shape: int) -> Tensor:
    return Tensor(shape, "float32")


def test_a_model_with_eight_dimensions_inside() -> None:
    x = np.arange(np.prod(WIDE), dtype=np.float32).reshape(24, 12)
    new, multiples = (Tensor((8,), "int32", np.array(v, np.int32)) for v in (WIDE, (1, 1, 2, 1, 1, 1, 2, 1)))
    flat = Tensor((1,), "int32", np.array([-1], np.int32))
    tensors = [_tensor(24, 12), new, _tensor(*WIDE), multiples, _tensor(), flat, _tensor()]
    steps = [Operator(B.RESHAPE, [0, 1], [2]), Operator(B.TILE, [2, 3], [4]), Operator(B.RESHAPE, [4, 5], [6])]
    data = build(tensors, steps, [0], [6])
    (want,) = run_litert(data, [x])
    assert np.array_equal(next(iter(tc.run(tc.convert(tc.load(data)), {"t0": x}).values())), want)


def test_an_output_of_seven_dimensions_is_beyond_the_level() -> None:
    new = Tensor((7,), "int32", np.array([2, 1, 1, 1, 1, 1, 2], np.int32))
    data = build([_tensor(2, 2), new, _tensor(2, 1, 1, 1, 1, 1, 2)], [Operator(B.RESHAPE, [0, 1], [2])], [0], [2])
    with pytest.raises(UnsupportedError, match="MAX_RANK = 6"):
        tc.convert(tc.load(data))
