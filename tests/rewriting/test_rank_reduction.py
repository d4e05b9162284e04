"""Dimensions beyond the six of level 8K are merged with their neighbours by the pass, or refused after it."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from support.expressions import apply, build_model
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError, VerifyError
from tosa_converter.ir import Array, Border, Graph, Model, Signature, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import cond_if
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import reduce
from tosa_converter.rewriting.passes.rank_reduction import RankReduction
from tosa_converter.rewriting.passes.simplify import SIMPLIFY
from tosa_converter.rewriting.pipeline import Pass, run_pipeline
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import find_problems, verify
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


def reduced(model: Model) -> Model:
    """Returns the model after the pass, which makes it legal."""
    with pytest.raises(VerifyError, match="MAX_RANK = 6"):
        verify(model)
    after = RankReduction().run(model, Options(), Report())
    assert after is not model
    verify(after)
    return after


@pytest.mark.parametrize("name", CASES)
def test_dimensions_are_merged(name: str) -> None:
    build_it, expected, most = CASES[name]
    x = np.arange(np.prod(WIDE), dtype=np.int32).reshape(24, 12)
    value = Value(TensorType(DType.I32, x.shape), "x")
    builder = Builder(Graph("main", [value]))
    built = build_it(builder, builder.reshape(value, WIDE))
    model = reduced(builder.model(y=builder.reshape(built, (built.type.elements,))))
    assert sum(op.row not in (ops.CONST, ops.CONST_SHAPE) for op in model.main.ops) <= most
    assert all(value.type.rank <= 6 for op in model.main.ops for value in op.results)
    assert np.array_equal(tc.run(model, {"x": x})["y"], expected(x.reshape(WIDE)).reshape(-1))


def _tensor(*shape: int) -> Tensor:
    return Tensor(shape, "float32")


def test_a_model_with_eight_dimensions_inside_equals_litert() -> None:
    x = np.arange(np.prod(WIDE), dtype=np.float32).reshape(24, 12)
    new, multiples = (Tensor((8,), "int32", np.array(v, np.int32)) for v in (WIDE, (1, 1, 2, 1, 1, 1, 2, 1)))
    flat = Tensor((1,), "int32", np.array([-1], np.int32))
    tensors = [_tensor(24, 12), new, _tensor(*WIDE), multiples, _tensor(), flat, _tensor()]
    steps = [Operator(B.RESHAPE, [0, 1], [2]), Operator(B.TILE, [2, 3], [4]), Operator(B.RESHAPE, [4, 5], [6])]
    data = build(tensors, steps, [0], [6])
    (want,) = run_litert(data, [x])
    assert np.array_equal(next(iter(tc.run(tc.convert(tc.load(data)), {"t0": x}).values())), want)


def test_formulas_compute_the_same_on_merged_dimensions() -> None:
    """Factors broadcast along inner dimensions, and a TRANSPOSE moves two blocks."""
    x, y = np.arange(2**8, dtype=np.float32), np.arange(2**4, dtype=np.float32)

    def formula(a: Expr, b: Expr) -> Expr:
        product = a.reshape((2,) * 8) * b.reshape((1, 1, 2, 2, 2, 2, 1, 1)) + 1
        return product.transpose((4, 5, 6, 7, 0, 1, 2, 3)).reshape((2**8,))

    expected = x.reshape((2,) * 8) * y.reshape((1, 1, 2, 2, 2, 2, 1, 1)) + 1
    (got,) = tc.run(reduced(build_model(formula, x, y)), {"x0": x, "x1": y}).values()
    np.testing.assert_array_equal(got, expected.transpose(4, 5, 6, 7, 0, 1, 2, 3).ravel())


def test_graphs_of_control_flow_are_reduced() -> None:
    x = np.arange(np.prod(WIDE), dtype=np.float32).reshape(24, 12)

    def formula(a: Expr, condition: Expr) -> Sequence[Expr]:
        def turned() -> list[Expr]:
            return [a.reshape(WIDE).reverse(5).reshape((24, 12))]

        return cond_if(condition.reshape(()), turned, lambda: [a])

    model = reduced(build_model(formula, x, np.ones(1, np.bool_)))
    for condition, expected in ((True, np.flip(x.reshape(WIDE), 5).reshape(24, 12)), (False, x)):
        (got,) = tc.run(model, {"x0": x, "x1": np.array([condition])}).values()
        np.testing.assert_array_equal(got, expected)


def test_callers_names_and_borders_go_to_the_new_outputs() -> None:
    """One of two outputs becomes the input itself, and gets a tensor of its own."""
    value = Value(TensorType(DType.FP32, (24, 12)), "x")
    with Builder(Graph("main", [value])) as builder:
        wide = Expr(value).reshape(WIDE)
        model = builder.model(y=wide.reshape((24, 12)), z=wide.reverse(7).reshape((12, 24)))
    model.signatures = {"serve": Signature.of(model.main)}
    model.borders = {value: Border.of(value) for value in model.main.outputs}
    after = reduced(model)
    assert after.signatures["serve"].outputs == dict(zip("yz", after.main.outputs, strict=True))
    assert [after.borders[value].name for value in after.main.outputs] == ["y", "z"]
    assert [op.name for op in after.main if op.inputs] == [
        "tosa.reshape",
        "tosa.reverse",
        "tosa.reshape",
        "tosa.identity",
    ]
    assert [op.row for op in model.main if op.inputs][:2] == [ops.RESHAPE, ops.RESHAPE]  # which is left alone


def test_a_model_within_the_level_is_left_alone() -> None:
    value = Value(TensorType(DType.FP32, (1,) * 6), "x")
    with Builder(Graph("main", [value])) as builder:
        model = builder.model(y=Expr(value) + 1)
    assert RankReduction().run(model, Options(), Report()) is model


def test_dimensions_that_do_not_merge_are_beyond_the_level() -> None:
    new, perms = (Tensor((8,), "int32", np.array(v, np.int32)) for v in (WIDE, (7, 6, 5, 4, 3, 2, 1, 0)))
    tensors = [
        _tensor(24, 12),
        new,
        _tensor(*WIDE),
        perms,
        _tensor(),
        Tensor((1,), "int32", np.array([-1], np.int32)),
        _tensor(),
    ]
    steps = [Operator(B.RESHAPE, [0, 1], [2]), Operator(B.TRANSPOSE, [2, 3], [4]), Operator(B.RESHAPE, [4, 5], [6])]
    with pytest.raises(
        UnsupportedError,
        match=r"level 8K:\n.*\n.*TRANSPOSE 't4': LEVEL_CHECK.* MAX_RANK = 6",
    ):
        tc.convert(tc.load(build(tensors, steps, [0], [6])))


class Widen:
    """A pass that temporarily gives an input a seventh dimension, as a lowering may."""

    name = "widen"

    def run(self, _model: Model, _options: Options, _report: Report, /) -> Model:
        value = Value(TensorType(DType.FP32, (2, 3)), "x")
        with Builder(Graph("main", [value])) as builder:
            return builder.model(y=Expr(value).reshape((2, 1, 1, 1, 1, 1, 3)).reverse(6).reshape((2, 3)))


def test_ranks_above_the_level_are_legal_only_before_the_pass() -> None:
    report = Report()

    def run(*passes: Pass) -> Model:
        return run_pipeline(Model({"main": Graph("main")}), passes, Options(), report, find_problems)

    verify(run(Widen(), RankReduction(), RankReduction()))
    assert [name for name, *_ in report.passes] == ["widen", "rank-reduction"]  # the second had nothing to do
    verify(run(Widen(), SIMPLIFY, RankReduction(), SIMPLIFY))
    for passes in ([Widen()], [Widen(), SIMPLIFY], [RankReduction(), Widen()]):
        with pytest.raises(UnsupportedError, match="MAX_RANK = 6"):
            run(*passes)


def test_optimize_brings_a_graph_to_the_level() -> None:
    model = Widen().run(Model({}), Options(), Report())
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    optimized = tc.optimize(model, "rank-reduction,simplify")
    np.testing.assert_array_equal(tc.run(optimized, {"x": x})["y"], x[:, ::-1])
    with pytest.raises(VerifyError, match="MAX_RANK = 6"):
        tc.optimize(model, "simplify")


def test_an_output_of_seven_dimensions_is_beyond_the_level() -> None:
    new = Tensor((7,), "int32", np.array([2, 1, 1, 1, 1, 1, 2], np.int32))
    data = build([_tensor(2, 2), new, _tensor(2, 1, 1, 1, 1, 1, 2)], [Operator(B.RESHAPE, [0, 1], [2])], [0], [2])
    with pytest.raises(UnsupportedError, match="MAX_RANK = 6"):
        tc.convert(tc.load(data))
