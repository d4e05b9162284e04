"""fp32 arithmetic in fp16 and bf16: the narrowed operators, the places of CASTs, and the report."""

from collections import Counter

import numpy as np
import pytest
from support.expressions import apply
from support.sketch import Sketch
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.operators import matmul, reduce
from tosa_converter.rewriting.passes.low_precision_floats import LARGEST, TYPES, LowPrecisionFloats
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import verify
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BuiltinOperator as B

FP32 = DType.FP32
HALVES = pytest.mark.parametrize("dtype", TYPES.values())
F32 = np.float32


def narrowed(graph: Graph, dtype: DType) -> list[Op]:
    """Returns the operators of the legal result, without constants."""
    model = LowPrecisionFloats(dtype).run(Model({"main": graph}), Options(), Report())
    verify(model)
    return [op for op in model.main.ops if op.row not in (ops.CONST, ops.CONST_SHAPE)]


def types(operators: list[Op]) -> list[tuple[str, DType]]:
    return [(op.name.removeprefix("tosa."), op.result.type.dtype) for op in operators]


def sketched(*shape: int) -> tuple[Sketch, Builder, Value]:
    sketch = Sketch(x=(FP32, shape))
    return sketch, sketch.builder, sketch.graph.inputs[0]


@HALVES
def test_casts_stand_at_the_border_once(dtype: DType) -> None:
    sketch, build, x = sketched(2, 3)
    graph = sketch.done(build.add(build.emit(ops.EXP, x), x))
    assert types(narrowed(graph, dtype)) == [("cast", dtype), ("exp", dtype), ("add", dtype), ("cast", FP32)]


@HALVES
def test_sums_stay_in_fp32(dtype: DType) -> None:
    sketch, build, x = sketched(1, 3, 3)
    graph = sketch.done(apply(build, reduce, ops.REDUCE_SUM, apply(build, matmul, x, x, dtype=FP32), 1))
    assert types(narrowed(graph, dtype)) == [("cast", dtype), ("matmul", FP32), ("reduce_sum", FP32)]


@HALVES
def test_operators_with_integer_results_stay_in_fp32(dtype: DType) -> None:
    sketch, build, x = sketched(2, 3)
    build.location = "border"
    integers = build.cast(build.emit(ops.FLOOR, x), DType.I32)
    build.location = "behind"
    graph = sketch.done(build.add(integers, integers), build.emit(ops.EXP, x))
    type_of = dict(types(narrowed(graph, dtype)))
    assert type_of["floor"] is FP32
    assert type_of["exp"] is dtype


@HALVES
def test_operators_without_the_type_stay_in_fp32(dtype: DType) -> None:
    sketch, build, x = sketched(1, 4, 4)
    real = build.emit(ops.EXP, x)
    transform = Op(ops.RFFT2D, (real,), [real.type._replace(shape=(1, 4, 3))] * 2, {"local_bound": False})
    sketch.graph.ops.append(transform)
    graph = sketch.done(*transform.results)
    assert [op.name for op in narrowed(graph, dtype)] == ["tosa.cast", "tosa.exp", "tosa.cast", "tosa.rfft2d"]


@HALVES
def test_finite_constants_stay_finite(dtype: DType) -> None:
    sketch, build, x = sketched(3)
    values = np.array([-3e38, 0.1, -np.inf], F32)
    graph = sketch.done(build.add(x, build.const(values, FP32)))
    op = next(op for op in narrowed(graph, dtype) if op.row is ops.ADD)
    constant = op.operands[1].constant
    assert constant is not None
    want = np.array([max(-3e38, -LARGEST[dtype]), 0.1, -np.inf])
    np.testing.assert_array_equal(constant.astype(np.float64), want.astype(dtype.numpy).astype(np.float64))


def network(x: Array) -> bytes:
    """Returns CONV_2D with RELU6, then MEAN."""
    weight = np.random.default_rng(0).standard_normal((4, 3, 3, 2)).astype(F32)
    tensors = [
        Tensor(x.shape, name="x"), Tensor(weight.shape, data=weight), Tensor((4,), data=np.ones(4, F32)),
        Tensor((1, 6, 6, 4)), Tensor((2,), "int32", np.array([1, 2], np.int32)), Tensor((1, 4), name="y"),
    ]  # fmt: skip
    window = {"stride_h": 1, "stride_w": 1, "fused_activation_function": 3}
    return build(tensors, [Operator(B.CONV_2D, [0, 1, 2], [3], window), Operator(B.MEAN, [3, 4], [5])], [0], [5])


@pytest.mark.parametrize(("name", "bound"), [("fp16", 2e-3), ("bf16", 2e-2)])
def test_a_model_keeps_its_borders_and_reports_the_difference(name: str, bound: float) -> None:
    x = np.random.default_rng(1).standard_normal((1, 6, 6, 2)).astype(F32)
    exact, model = tc.convert(network(x)), tc.convert(network(x), float_type=name)
    (output,), (want,) = tc.run(model, {"x": x}).values(), tc.run(exact, {"x": x}).values()
    assert output.dtype == F32
    moved = np.abs(output - want).max()
    assert 0 < moved < bound * np.abs(want).max()
    (note,) = model.report.notes
    assert note.location == "output 'y'"
    assert note.text.startswith("up to ")
    assert {value.type.dtype for value in (*model.main.inputs, *model.main.outputs)} == {FP32}
    assert [model.main.inputs[0].name, model.main.outputs[0].name] == ["x", "y"]
    names = Counter(value.name for op in model.main.ops for value in op.results if value.name)
    assert max(names.values()) == 1
    assert not exact.report.notes


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(UsageError, match="expected one of fp16, bf16, found 'fp8'"):
        tc.convert(network(np.zeros((1, 6, 6, 2), F32)), float_type="fp8")


def broad(size: int) -> bytes:
    """Returns a file of a few hundred bytes whose run takes gigabytes and minutes."""
    tensors = [Tensor((1, size), name="x"), Tensor((1, size), name="y")]
    return build(tensors, [Operator(B.EXP, [0], [1])], [0], [1])


@pytest.mark.parametrize("name", ["fp16", "bf16"])
def test_a_model_that_would_run_long_is_not_measured(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(tc.execute.plan, "run", lambda *_, **__: pytest.fail("it was run"))
    monkeypatch.setattr("tosa_converter.memory.available_memory", lambda: 16 << 30)
    content = broad(1 << 28)
    assert len(content) < 1000
    for settings, words in (({}, "an estimated"), ({"limit": 1e9}, "MB of memory")):
        (note,) = tc.convert(content, float_type=name, **settings).report.notes  # type: ignore[arg-type]
        assert note.text.startswith("the difference from fp32 is not measured: comparing it with fp32")
        assert words in note.text


def test_the_limit_decides_whether_the_difference_is_measured() -> None:
    content = broad(1 << 16)
    (measured,) = tc.convert(content, float_type="bf16").report.notes
    (left_out,) = tc.convert(content, float_type="bf16", limit=1e-4).report.notes
    assert measured.text.startswith("up to ")
    assert "the limit of 0.0001 s" in left_out.text


def test_a_model_without_fp32_is_refused_and_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tc.execute.plan, "run", lambda *_, **__: pytest.fail("it was run"))
    tensors = [Tensor((1, 1 << 28), "int32", name="x"), Tensor((1, 1 << 28), "int32", name="y")]
    content = build(tensors, [Operator(B.ADD, [0, 0], [1], {})], [0], [1])
    with pytest.raises(UsageError, match="float: no operator of the model computes in fp32: leave out bf16"):
        tc.convert(content, float_type="bf16")
