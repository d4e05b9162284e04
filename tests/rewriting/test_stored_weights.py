"""The passes of stored weights: packing, what is narrowed, where expansions stand, and layouts in front of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.legalize.invert.expansions import expansions
from tosa_converter.rewriting.builder import SHARED_CONSTANT, Builder
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, conv2d, gather, rfft2d
from tosa_converter.rewriting.passes.stored_weights import (
    StoredWeights,
    keeps_narrow_weights,
    narrow_bits,
    narrow_forms,
    pack,
    sink_expansions,
)
from tosa_converter.rewriting.passes.weight_layout import WEIGHT_LAYOUT
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import verify
from tosa_converter.rules.target import Target


def levels(low: int, high: int, *shape: int) -> Array:
    """Random integers from `low` to `high`, both of which occur."""
    values = np.random.default_rng(len(shape)).integers(low, high, shape, endpoint=True).astype(np.int8)
    values.reshape(-1)[:2] = low, high
    return values


def image(*shape: int, dtype: DType = DType.FP32) -> Value:
    return Value(TensorType(dtype, shape), "x")


def unpacked(packed: Array, bits: int) -> Array:
    """Packed integers, field by field, by Python's integers."""
    fields = range(0, 8, bits)
    half = 1 << bits - 1
    rows = [
        [((byte >> at) + half & 2 * half - 1) - half for at in fields for byte in row] for row in packed[:, 0].tolist()
    ]
    return np.array(rows)


@pytest.mark.parametrize(("bits", "low", "high"), [(4, -8, 7), (2, -2, 1)])
@pytest.mark.parametrize("shape", [(8,), (3, 16), (5, 3), (2, 3, 4), (7, 1)])
def test_packed_rows(bits: int, low: int, high: int, shape: tuple[int, ...]) -> None:
    elements = levels(low, high, *shape)
    packed = pack(elements, bits)
    whole = elements.shape[-1] % (8 // bits) == 0
    assert packed.shape == (
        elements.size // shape[-1] if whole else 1,
        1,
        -(-(shape[-1] if whole else elements.size) * bits // 8),
    )
    assert unpacked(packed, bits).reshape(-1)[: elements.size].tolist() == elements.reshape(-1).tolist()


@pytest.mark.parametrize(
    ("values", "bits"),
    [((-8, 7), 4), ((-9, 7), 0), ((-8, 8), 0), ((-2, 1), 2), ((-3, 1), 4), ((-2, 2), 4), ((0, 0), 2)],
)
def test_bits_of_a_constant(values: Sequence[int], bits: int) -> None:
    with Builder(Graph("main")) as build:
        assert narrow_bits(build.const(np.array(values, np.int8), DType.I8)) == bits
        assert narrow_bits(build.const(np.array(values, np.int16), DType.I16)) == 0
        assert narrow_bits(build.const(np.zeros(0), DType.I8)) == 0


def convolution(weight: Array, *, zero_point: int = 0, dtype: DType = DType.I8) -> Model:
    """A CONV2D of one pixel by constant weights [outputs, 1, 1, depth]."""
    x = image(1, 2, 2, weight.shape[3], dtype=dtype)
    wide = DType.I32 if dtype is DType.I8 else DType.I48
    with Builder(Graph("main", [x])) as build:
        y = conv2d(Expr(x), const(weight, DType.I8), const([0], wide), pad=(0, 0, 0, 0), weight_zp=zero_point)
    return build.model(y=y)


def narrowed(model: Model, target: str = "") -> list[str]:
    """Narrows a model; the names of its operators, with the types of its large constants."""
    x = np.random.default_rng(3).integers(-100, 100, model.main.inputs[0].type.static)
    x = x.astype(model.main.inputs[0].type.dtype.numpy)
    before = [array.tobytes() for array in Executable(model).run([x]).values()]
    model = StoredWeights(narrow=True).run(model, Options(target=Target.parse(target) if target else None), Report())
    verify(model)
    assert [array.tobytes() for array in Executable(model).run([x]).values()] == before
    types = [str(op.result.type) for op in model.main.ops if op.name == "tosa.const" and op.result.type.elements > 64]
    return [*types, *(op.base_name for op in model.main.ops if op.inputs)]


SHIFTS = ["logical_left_shift", "arithmetic_right_shift", "reshape"]


def test_convolutions_of_bytes_read_i4() -> None:
    assert narrowed(convolution(levels(-7, 7, 40, 1, 1, 32))) == ["i4[40x1x1x32]", "conv2d"]
    # 40 * 16 = 640 bytes wouldn't be packed, and i4 takes no operators.
    assert narrowed(convolution(levels(-7, 7, 40, 1, 1, 16))) == ["i4[40x1x1x16]", "conv2d"]


@pytest.mark.parametrize(
    ("model", "target"),
    [
        (lambda: convolution(levels(-8, 7, 40, 1, 1, 32)), ""),  # int4_t ends at -7
        (lambda: convolution(levels(-7, 7, 40, 1, 1, 32), zero_point=5), ""),  # only i8 has one
        (lambda: convolution(levels(-7, 7, 40, 1, 1, 32)), "pro-int"),
        (lambda: convolution(levels(-7, 7, 40, 1, 1, 32)), "vulkan-ml"),
        (lambda: convolution(levels(-7, 7, 40, 1, 1, 32), dtype=DType.I16), ""),  # EXT-INT4 has i8 by i4 alone
    ],
)
def test_what_takes_no_i4_is_packed(model: Any, target: str) -> None:
    assert narrowed(model(), target) == ["i8[40x1x16]", *SHIFTS, "conv2d"]


def test_two_bits_are_four_to_a_byte() -> None:
    assert narrowed(convolution(levels(-2, 1, 40, 1, 1, 32))) == ["i8[40x1x8]", *SHIFTS, "conv2d"]
    # Rows of 33 aren't whole bytes, so all 1320 elements are one row; one of 1353, 41 rows, ends with a zero behind.
    assert narrowed(convolution(levels(-2, 1, 40, 1, 1, 33))) == ["i8[1x1x330]", *SHIFTS, "conv2d"]
    last, *rest = SHIFTS[2], *SHIFTS[:2]
    assert narrowed(convolution(levels(-2, 1, 41, 1, 1, 33))) == ["i8[1x1x339]", *rest, last, "slice", last, "conv2d"]


@pytest.mark.parametrize(("low", "high", "target"), [(-9, 7, ""), (-128, 127, ""), (-8, 7, "ethos-u55")])
def test_what_stays_a_byte(low: int, high: int, target: str) -> None:
    assert narrowed(convolution(levels(low, high, 40, 1, 1, 32)), target) == ["i8[40x1x1x32]", "conv2d"]


def test_small_constants_and_outputs_stay() -> None:
    x = image(SHARED_CONSTANT, dtype=DType.I8)
    with Builder(Graph("main", [x])) as build:
        y = Expr(x) ^ const(levels(-2, 1, SHARED_CONSTANT), DType.I8)
        table = const(levels(-2, 1, 2 * SHARED_CONSTANT), DType.I8)
    assert narrowed(build.model(y=y, table=table)) == ["i8[1024]", "i8[2048]", "bitwise_xor"]


def test_forms_of_targets() -> None:
    assert narrow_forms(None) == {"i4", "packed"}
    assert narrow_forms(Target.parse("pro-int")) == {"packed"}
    assert narrow_forms(Target.parse("pro-int,ext-int4")) == {"i4", "packed"}
    assert narrow_forms(Target.parse("ethos-u85")) == {"i4"}
    assert narrow_forms(Target.parse("vulkan-ml")) == narrow_forms(Target.parse("iree-cpu")) == {"packed"}


def weights_of(build: Builder, count: int, *shape: int) -> list[Expr]:
    """Several weights: constants of i8, cast and scaled."""
    build.stored_weights = True
    return [const(levels(-100, 100, *shape) + i, DType.I8).cast(DType.FP32) * (0.5 + i) for i in range(count)]


def test_expansions_stand_in_front_of_their_readers() -> None:
    x = image(40, 50)
    with Builder(Graph("main", [x])) as build:
        first, second = weights_of(build, 2, 40, 50)
        y = (Expr(x) + first) * 2.0 - second
    model = build.model(y=y)
    assert [op.base_name for op in model.main.ops if op.inputs] == ["cast", "mul", "cast", "mul", "add", "mul", "sub"]
    sink_expansions(model.main)
    verify(model)
    assert [op.base_name for op in model.main.ops if op.inputs] == ["cast", "mul", "add", "mul", "cast", "mul", "sub"]
    assert keeps_narrow_weights(model)


def test_reads_of_variables_stay_in_front_of_writes() -> None:
    source = tc.load("models/small/keywords.int8.tflite")
    model = tc.convert(source)
    before = [op for op in model.main.ops if op.name.startswith("tosa.variable")]
    sink_expansions(model.main)
    assert len(before) > 2
    assert [op for op in model.main.ops if op.name.startswith("tosa.variable")] == before


@pytest.mark.parametrize("step", [lambda x: x * 0.5, lambda x: x * x], ids=["chain", "squares"])
def test_long_expansions_take_no_longer_than_their_length(step: Any) -> None:
    """4000 operators on a constant: none is moved, and the way to TFLite leaves them as they are."""
    x = image(20, 20)
    with Builder(Graph("main", [x]), stored_weights=True) as build:
        weights = const(np.ones((20, 20)), DType.FP16).cast(DType.FP32)
        for _ in range(4000):
            weights = step(weights)
        y = Expr(x) + weights.transpose((1, 0))
    model = build.model(y=y)
    sink_expansions(model.main)
    model = WEIGHT_LAYOUT.run(model, Options(), Report())
    verify(model)
    assert [op.base_name for op in model.main.ops if op.inputs] == ["cast", *["mul"] * 4000, "transpose", "add"]
    assert not expansions(model.main)


def test_products_that_broadcast_are_no_weights() -> None:
    """A file of 16 KB could ask for any number of elements."""
    x = image(1, 4096)
    with Builder(Graph("main", [x]), stored_weights=True) as build:
        column, row = (const(np.ones(shape), DType.FP16).cast(DType.FP32) for shape in ((4096, 1), (1, 4096)))
        y = Expr(x) + (column * row).slice((0, 0), (1, 4096))
    model = build.model(y=y)
    assert [value.type.static for value in expansions(model.main)] == []
    assert "mul" in {op.base_name for op in tc.to_tflite(model).main.ops}


def test_operators_of_several_results_are_no_expansions() -> None:
    image_of_reals = image(1, 4, 4)
    with Builder(Graph("main", [image_of_reals])) as build:
        real, _ = rfft2d(Expr(image_of_reals))
    assert not expansions(build.model(y=real).main)


def moved(build: Builder, y: Expr, *inputs: Array) -> list[str]:
    """The operators of a model after the layout of weights was moved; its outputs don't change."""
    model = build.model(y=y)
    before = Executable(model).run(inputs)["y"]
    model = WEIGHT_LAYOUT.run(model, Options(), Report())
    verify(model)
    np.testing.assert_array_equal(Executable(model).run(inputs)["y"], before)
    return [op.base_name for op in model.main.ops if op.inputs]


def test_transposed_weights() -> None:
    x = image(50, 40)
    with Builder(Graph("main", [x])) as build:
        build.stored_weights = True
        scale = const(np.arange(1, 41).reshape(40, 1), DType.FP32)
        weights = (const(levels(-100, 100, 40, 50), DType.I8).cast(DType.FP32) - 3) * scale
        y = Expr(x) + weights.transpose((1, 0))
    assert moved(build, y, np.ones((50, 40), np.float32)) == ["cast", "sub", "mul", "add"]


def test_rows_of_weights() -> None:
    """GATHER reads the bytes, and the scales if each row has one; two tables aren't one."""
    indices = image(1, 3, dtype=DType.I32)
    rows = np.array([[4, 0, 39]], np.int32)
    for shape, gathers in (((1, 1, 1), 1), ((1, 40, 1), 2), ((1, 1, 50), 1)):
        with Builder(Graph("main", [indices])) as build:
            build.stored_weights = True
            scale = const(np.arange(1, np.prod(shape) + 1).reshape(shape), DType.FP32)
            table = const(levels(-100, 100, 1, 40, 50), DType.I8).cast(DType.FP32) * scale
            y = gather(table, Expr(indices))
        assert moved(build, y, rows) == [*["gather"] * gathers, "cast", "mul"] or gathers == 2
        assert sum(op.base_name == "gather" for op in build.graph.ops) == gathers


def test_what_has_another_reader_keeps_its_layout() -> None:
    x = image(50, 40)
    with Builder(Graph("main", [x])) as build:
        (weights,) = weights_of(build, 1, 40, 50)
        y = concat([Expr(x), weights.transpose((1, 0)), weights.reshape((50, 40))], 0)
    assert moved(build, y, np.ones((50, 40), np.float32)) == ["cast", "mul", "transpose", "reshape", "concat"]


def test_merged_dimensions_keep_their_reshape() -> None:
    x = image(2000)
    with Builder(Graph("main", [x])) as build:
        (weights,) = weights_of(build, 1, 40, 50)
        y = Expr(x) + weights.reshape((2000,))
    assert moved(build, y, np.ones(2000, np.float32)) == ["cast", "mul", "reshape", "add"]


def test_constants_fold_without_the_option() -> None:
    with Builder(Graph("main")):
        assert const(levels(-100, 100, 40, 50), DType.I8).cast(DType.FP32).constant is not None
    with Builder(Graph("main"), stored_weights=True):
        assert const(levels(-100, 100, 40, 50), DType.I8).cast(DType.FP32).constant is None
        assert const(np.ones((40, 50)), DType.FP16).cast(DType.FP32).constant is None
        assert const(levels(-100, 100, 40, 50), DType.I8).cast(DType.I32).constant is not None
        assert const(np.ones((40, 50)), DType.FP32).cast(DType.FP16).constant is not None
        assert const(levels(-100, 100, 16, 16), DType.I8).cast(DType.FP32).constant is not None  # 1 KB


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(tc.UsageError, match="--weights"):
        tc.convert("models/digits_int8.tflite", weights="narrow")
    with pytest.raises(tc.UsageError, match="--weights"):
        tc.convert(tc.convert("models/digits_int8.tflite"), weights="stored")
