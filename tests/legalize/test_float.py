"""Float elementwise operators, activations, pooling, reductions, casts and resizing equal LiteRT's kernels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.legalizing import Const, check, compare, executed, legalized, reference_model, single
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import parse
from tosa_converter.ir import Array, Model
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tflite import ActivationFunctionType, BuiltinOperator, Padding, TensorType

# Functions and reciprocals: a few units in the last place.
FEW_ULPS = 1e-6
# Sums of both signs may cancel, so that the order of addition shows.
CANCELLED = 1e-5

ACTIVATIONS = list(ActivationFunctionType)
KINDS = {
    "float32": TensorType.FLOAT32,
    "int32": TensorType.INT32,
    "int64": TensorType.INT64,
    "int8": TensorType.INT8,
    "uint8": TensorType.UINT8,
    "int16": TensorType.INT16,
    "bool": TensorType.BOOL,
}
BROADCASTS = [
    ((3, 4), (3, 4)),
    ((2, 3, 4), (4,)),
    ((2, 3, 4), (3, 1)),
    ((4,), (2, 3, 4)),
    ((), (2, 3)),
    ((2, 3), ()),
    ((1, 2, 3, 4), (1, 2, 3, 1)),
    ((2, 1, 3, 1), (1, 4, 1, 2)),
    ((), ()),
]


def draw_elements(random: np.random.Generator, kind: str, *shape: int) -> Array:
    """Returns elements of a type: small integers, bools, normal floats."""
    if kind == "float32":
        return np.asarray(random.normal(size=shape), np.float32)
    if kind == "bool":
        return np.asarray(random.random(shape) > 0.5)
    return np.asarray(random.integers(0 if kind == "uint8" else -100, 100, shape)).astype(kind)


def names(model: Model) -> set[str]:
    return {op.name.removeprefix("tosa.") for op in model.main.ops}


# ** elementwise **


@pytest.mark.parametrize("shapes", BROADCASTS)
@pytest.mark.parametrize("constant", [False, True])
def test_float_arithmetic_equals_litert(shapes: tuple[tuple[int, ...], ...], constant: bool) -> None:
    random = np.random.default_rng(len(shapes[0]))
    a, b = (draw_elements(random, "float32", *shape) for shape in shapes)
    operands = [a, Const(b) if constant else b]
    activation = ACTIVATIONS[(len(shapes[0]) + constant) % len(ACTIVATIONS)]
    for builtin in (BuiltinOperator.ADD, BuiltinOperator.SUB, BuiltinOperator.MUL):
        check(builtin, operands, by_reference_model=constant, fused_activation_function=activation)
    check(BuiltinOperator.DIV, operands, tolerance=FEW_ULPS, fused_activation_function=activation)
    for builtin in (BuiltinOperator.MAXIMUM, BuiltinOperator.MINIMUM, BuiltinOperator.SQUARED_DIFFERENCE):
        check(builtin, operands)


@pytest.mark.parametrize("shapes", BROADCASTS)
@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_integer_arithmetic_equals_litert(shapes: tuple[tuple[int, ...], ...], kind: str) -> None:
    random = np.random.default_rng(len(shapes[0]))
    a, b = (draw_elements(random, kind, *shape) for shape in shapes)
    b = np.asarray(np.where(b == 0, 3, b), kind)
    for builtin in (BuiltinOperator.ADD, BuiltinOperator.SUB, BuiltinOperator.MUL):
        check(builtin, [a, b], [kind])
        check(builtin, [a, Const(b)], [kind])
    for builtin in (BuiltinOperator.MAXIMUM, BuiltinOperator.MINIMUM):
        check(builtin, [a, b], [kind])


@pytest.mark.parametrize("activation", ACTIVATIONS[:4])
def test_integer_division_equals_litert(activation: ActivationFunctionType) -> None:
    a = np.arange(-12, 13, dtype=np.int32)
    for divisor in (-5, -1, 1, 3):
        b = np.array([divisor], np.int32)
        check(BuiltinOperator.DIV, [a, b], ["int32"], by_reference_model=True, fused_activation_function=activation)
        check(BuiltinOperator.FLOOR_DIV, [a, b], ["int32"], by_reference_model=True)


@pytest.mark.parametrize("shapes", BROADCASTS)
@pytest.mark.parametrize("kind", ["float32", "int32", "int64"])
def test_comparisons_equal_litert(shapes: tuple[tuple[int, ...], ...], kind: str) -> None:
    random = np.random.default_rng(len(shapes[0]))
    a, b = (np.asarray(random.integers(-2, 3, shape)).astype(kind) for shape in shapes)
    for builtin in (
        BuiltinOperator.GREATER,
        BuiltinOperator.GREATER_EQUAL,
        BuiltinOperator.LESS,
        BuiltinOperator.LESS_EQUAL,
        BuiltinOperator.EQUAL,
        BuiltinOperator.NOT_EQUAL,
    ):
        check(builtin, [a, b], ["bool"])


def test_logic_equals_litert() -> None:
    a, b = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    for builtin in (
        BuiltinOperator.LOGICAL_AND,
        BuiltinOperator.LOGICAL_OR,
        BuiltinOperator.EQUAL,
        BuiltinOperator.NOT_EQUAL,
    ):
        check(builtin, [a, b], ["bool"], by_reference_model=True)
    check(BuiltinOperator.LOGICAL_NOT, [a], ["bool"])


def test_nan_is_not_equal_and_loses_to_a_constant() -> None:
    x = np.array([np.nan, 1.0, -1.0], np.float32)
    zero = Const(np.zeros(1, np.float32))
    check(BuiltinOperator.NOT_EQUAL, [x, x.copy()], ["bool"])
    for builtin in (BuiltinOperator.MAXIMUM, BuiltinOperator.MINIMUM):
        check(builtin, [x, zero], by_reference_model=True)


@pytest.mark.parametrize(
    "builtin",
    [
        BuiltinOperator.ABS,
        BuiltinOperator.COS,
        BuiltinOperator.EXP,
        BuiltinOperator.FLOOR,
        BuiltinOperator.HARD_SWISH,
        BuiltinOperator.LOGISTIC,
        BuiltinOperator.LOG_SOFTMAX,
        BuiltinOperator.NEG,
        BuiltinOperator.RELU,
        BuiltinOperator.RELU6,
        BuiltinOperator.RELU_0_TO_1,
        BuiltinOperator.RELU_N1_TO_1,
        BuiltinOperator.SIN,
        BuiltinOperator.SQUARE,
        BuiltinOperator.TANH,
    ],
)
def test_functions_equal_litert(builtin: BuiltinOperator) -> None:
    x = np.concatenate([np.linspace(-9, 9, 33), [0.0, -0.0, 20.0]]).astype(np.float32).reshape(4, 9)
    check(builtin, [x], tolerance=FEW_ULPS, by_reference_model=True)


def test_ceil_equals_numpy() -> None:
    """numpy judges: LiteRT has no reference kernel of CEIL."""
    x = np.array([-1.5, -0.2, 0.0, 0.2, 2.0, 1e30, np.inf], np.float32)
    data, arrays = single(BuiltinOperator.CEIL, [x])
    compare(executed(legalized(data), arrays), [np.ceil(x)], 0)


@pytest.mark.parametrize("builtin", [BuiltinOperator.LOG, BuiltinOperator.RSQRT, BuiltinOperator.SQRT])
def test_functions_at_the_borders_of_their_domain_equal_litert(builtin: BuiltinOperator) -> None:
    """sqrt(0) is 0 and sqrt(inf) is inf, also through a reciprocal."""
    for values in ([0.25, 1e-30, 7.0, 1e30], [0.0, np.inf], [-1.0, np.nan]):
        check(builtin, [np.array(values, np.float32)], tolerance=FEW_ULPS, by_reference_model=True)


@pytest.mark.parametrize("alpha", [0.2, 1.0, 0.0, -0.3, 1.5])
def test_leaky_relu_equals_litert(alpha: float) -> None:
    check(BuiltinOperator.LEAKY_RELU, [draw_elements(np.random.default_rng(0), "float32", 3, 5)], alpha=alpha)


@pytest.mark.parametrize("shape", [(5,), (1, 1, 5), (1, 3, 5), (3, 1)])
def test_prelu_equals_litert(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    x = draw_elements(random, "float32", 2, 3, 5)
    for alpha in (np.full(shape, 0.25, np.float32), draw_elements(random, "float32", *shape)):
        check(BuiltinOperator.PRELU, [x, Const(alpha)])
        check(BuiltinOperator.PRELU, [x, alpha])


@pytest.mark.parametrize(
    ("slopes", "operator"),
    [
        ([0.25, 1.0, -0.5, -3.0], "maximum"),
        ([1.0, 1.5, 1e30, 2.0], "minimum"),
        ([0.25, 1.5, -1.0, 1.0], "select"),
        ([0.25, 0.0, 0.5, 1.0], "select"),
    ],
)
def test_a_slope_on_one_side_of_1_takes_one_operator_less(slopes: list[float], operator: str) -> None:
    """The ends of the range are covered: infinities, overflow, subnormals, NaN."""
    ends = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 3e38, -3e38, 1e-45, -1e-45, 5.0, -5.0], np.float32)
    x, alpha = np.repeat(ends[:, None], len(slopes), 1), np.array(slopes, np.float32)
    model = check(BuiltinOperator.PRELU, [x, Const(alpha)], by_reference_model=True)
    assert names(model) & {"maximum", "minimum", "select"} == {operator}


@pytest.mark.parametrize("beta", [1.0, 0.5, 2.0])
@pytest.mark.parametrize("shape", [(7,), (2, 9), (2, 3, 4), (1, 2, 2, 5)])
def test_softmax_equals_litert(beta: float, shape: tuple[int, ...]) -> None:
    x = draw_elements(np.random.default_rng(0), "float32", *shape) * 5
    check(BuiltinOperator.SOFTMAX, [x], tolerance=FEW_ULPS, by_reference_model=beta == 1, beta=beta)


# ** pooling and reductions **


@pytest.mark.parametrize("seed", range(16))
def test_pooling_equals_litert(seed: int) -> None:
    random = np.random.default_rng(seed)
    (filter_height, filter_width), (stride_h, stride_w) = random.integers(1, 5, (2, 2)).tolist()
    x = draw_elements(random, "float32", 2, *random.integers(5, 11, 2), 3)
    options: dict[str, Any] = {
        "padding": Padding(seed % 2),
        "stride_h": stride_h,
        "stride_w": stride_w,
        "filter_height": filter_height,
        "filter_width": filter_width,
        "fused_activation_function": ACTIVATIONS[seed % len(ACTIVATIONS)],
    }
    check(BuiltinOperator.MAX_POOL_2D, [x], by_reference_model=seed < 4, **options)
    check(BuiltinOperator.AVERAGE_POOL_2D, [x], tolerance=FEW_ULPS, by_reference_model=seed < 4, **options)


AXES = [[0], [-1], [0, 1], [1, 2], [-1, -2], [0, 2], [1, 3], [0, -1], [1, 1], [0, 1, 2, 3], [1, 3, 2], []]


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4, 5), (6,), (2, 2, 1, 2, 3)])
@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("keep_dims", [False, True])
def test_reductions_equal_litert(shape: tuple[int, ...], axes: list[int], keep_dims: bool) -> None:
    if any(not -len(shape) <= axis < len(shape) for axis in axes):
        pytest.skip("the tensor has no such axis")
    random = np.random.default_rng(0)
    x, axis = draw_elements(random, "float32", *shape), Const(np.array(axes, np.int32))
    for builtin in (BuiltinOperator.MEAN, BuiltinOperator.SUM, BuiltinOperator.REDUCE_PROD):
        check(builtin, [x, axis], tolerance=CANCELLED, keep_dims=keep_dims)
    for builtin in (BuiltinOperator.REDUCE_MAX, BuiltinOperator.REDUCE_MIN):
        check(builtin, [x, axis], keep_dims=keep_dims)
        check(builtin, [draw_elements(random, "int32", *shape), axis], ["int32"], keep_dims=keep_dims)
    for builtin in (BuiltinOperator.MEAN, BuiltinOperator.SUM):
        check(builtin, [draw_elements(random, "int32", *shape), axis], ["int32"], keep_dims=keep_dims)
    for builtin in (BuiltinOperator.REDUCE_ANY, BuiltinOperator.REDUCE_ALL):
        check(builtin, [draw_elements(random, "bool", *shape), axis], ["bool"], keep_dims=keep_dims)


@pytest.mark.parametrize("builtin", [BuiltinOperator.SUM, BuiltinOperator.REDUCE_MAX, BuiltinOperator.REDUCE_PROD])
def test_a_single_axis_is_reduced_without_a_transpose(builtin: BuiltinOperator) -> None:
    x = draw_elements(np.random.default_rng(0), "float32", 1, 2, 3, 4)
    model = check(builtin, [x, Const(np.array([0, 2], np.int32))], tolerance=CANCELLED, keep_dims=True)
    assert [op.name.partition("_")[0] for op in model.main.ops] == ["tosa.reduce"]


def test_mean_is_bit_equal_in_the_reference_model() -> None:
    """The kernel adds in order and divides, as AVG_POOL2D does; a product with 1/n differs."""
    x = draw_elements(np.random.default_rng(0), "float32", 2, 7, 7, 5)
    for axes in ([1, 2], [3], [0, 2]):
        data, arrays = single(BuiltinOperator.MEAN, [x, Const(np.array(axes, np.int32))])
        compare(reference_model(legalized(data), arrays), run_litert(data, arrays), 0)


@pytest.mark.parametrize("shape", [(3, 64), (2, 3, 16), (5, 1)])
def test_a_mean_over_a_power_of_two_is_bit_equal_without_a_window(shape: tuple[int, ...]) -> None:
    """A product with 2**-n rounds as a division by 2**n, also among subnormals."""
    random = np.random.default_rng(0)
    for scale in (1.0, 1e-41):
        x = (draw_elements(random, "float32", *shape) * np.float32(scale)).astype(np.float32)
        data, arrays = single(BuiltinOperator.MEAN, [x, Const(np.array([-1], np.int32))], keep_dims=True)
        model, expected = legalized(data), run_litert(data, arrays)
        assert names(model) <= {"reduce_sum", "mul", "const"}
        compare(reference_model(model, arrays), expected, 0)
        compare(executed(model, arrays), expected, CANCELLED)


def test_compact_mean_is_a_sum_and_a_product() -> None:
    x = draw_elements(np.random.default_rng(0), "float32", 2, 3, 5)
    data, arrays = single(BuiltinOperator.MEAN, [x, Const(np.array([1], np.int32))])
    model = legalized(data, Options(numerics="compact"))
    assert {"reduce_sum", "mul"} <= names(model)
    compare(executed(model, arrays), run_litert(data, arrays), FEW_ULPS)


def test_a_mean_over_more_than_a_window_equals_litert() -> None:
    x = np.random.default_rng(0).random((1, 9000, 2), np.float32)
    check(BuiltinOperator.MEAN, [x, Const(np.array([1], np.int32))], tolerance=CANCELLED)


# ** CAST **

BORDERS = [
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.7,
    -2.7,
    0.0,
    -0.0,
    127.5,
    254.9,
    300.0,
    -300.0,
    32768.0,
    1e10,
    -1e10,
    np.inf,
    -np.inf,
]


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_cast_equals_litert(source: str, target: str) -> None:
    x = np.array(BORDERS, np.float32) if source == "float32" else draw_elements(np.random.default_rng(0), source, 20)
    if source == "float32" and target == "int64":
        x = x[np.abs(x) < 2**31]  # beyond, 32 bits can't follow
    check(
        BuiltinOperator.CAST,
        [x],
        [target],
        by_reference_model=True,
        in_data_type=KINDS[source],
        out_data_type=KINDS[target],
    )


# ** resizing **


def resized(builtin: BuiltinOperator, x: Array, size: tuple[int, int], tolerance: float, **options: Any) -> Model:
    return check(builtin, [x, Const(np.array(size, np.int32))], [str(x.dtype)], tolerance=tolerance, **options)


MODES = [{}, {"align_corners": True}, {"half_pixel_centers": True}]
SIZES = [((3, 4), (6, 8)), ((5, 7), (5, 7)), ((13, 9), (31, 5)), ((6, 8), (3, 2)), ((4, 1), (1, 9)), ((1, 1), (3, 4))]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sizes", [*SIZES, ((39, 17), (63, 40))])
def test_resize_nearest_neighbor_equals_litert(mode: dict[str, bool], sizes: tuple[tuple[int, int], ...]) -> None:
    random = np.random.default_rng(0)
    small = max(sizes[1]) < 32
    for kind in ("float32", "int8", "uint8", "int16") if small else ("float32",):
        x = draw_elements(random, kind, 2, *sizes[0], 3)
        resized(BuiltinOperator.RESIZE_NEAREST_NEIGHBOR, x, sizes[1], 0, by_reference_model=small, **mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sizes", [*SIZES, ((39, 17), (63, 40)), ((8, 2), (4096, 2))])
def test_resize_bilinear_equals_litert(mode: dict[str, bool], sizes: tuple[tuple[int, int], ...]) -> None:
    x = draw_elements(np.random.default_rng(0), "float32", 2, *sizes[0], 3)
    small = max(sizes[1]) < 32
    resized(BuiltinOperator.RESIZE_BILINEAR, x, sizes[1], 5e-6, by_reference_model=small, **mode)


def test_bilinear_places_that_float32_rounds_are_gathered() -> None:
    """At a width of 900, the kernel's positions are 3e-5 of a pixel off the exact ones of RESIZE."""
    x = draw_elements(np.random.default_rng(0), "float32", 1, 1, 700, 1)
    assert "gather" in names(resized(BuiltinOperator.RESIZE_BILINEAR, x, (1, 900), 0))
    data, _ = single(BuiltinOperator.RESIZE_BILINEAR, [x, Const(np.array([1, 900], np.int32))])
    report = Report()
    assert "resize" in names(legalized(data, Options(numerics="compact"), report))
    assert "pixels away" in report.notes[0].text


def test_doubling_is_one_resize() -> None:
    x = draw_elements(np.random.default_rng(0), "float32", 1, 8, 8, 2)
    for builtin in (BuiltinOperator.RESIZE_BILINEAR, BuiltinOperator.RESIZE_NEAREST_NEIGHBOR):
        for mode in ({}, {"half_pixel_centers": True}):
            assert names(resized(builtin, x, (16, 16), 1e-6, **mode)) == {"const_shape", "resize"}


# ** refusals **


def test_operators_that_need_a_constant_name_the_operand() -> None:
    x = np.ones((2, 3), np.float32)
    data, _ = single(BuiltinOperator.SUM, [x, np.array([0], np.int32)])
    with pytest.raises(UnsupportedError, match=r"operand 1 \('t1'\) must be constant"):
        legalized(data)


def test_axes_out_of_range_are_refused() -> None:
    data, _ = single(BuiltinOperator.SUM, [np.ones((2, 3), np.float32), Const(np.array([2], np.int32))])
    with pytest.raises(UnsupportedError, match=r"expected an axis in \[-2, 2\), found 2"):
        legalized(data)


def test_integers_without_scales_that_litert_does_not_add_are_refused() -> None:
    x = np.ones(3, np.int8)
    data, _ = single(BuiltinOperator.ADD, [x, x], ["int8"])
    with pytest.raises(UnsupportedError, match=r"operand 0: expected fp32 .*found i8"):
        legalized(data)


def test_a_bound_beyond_fp16_is_infinite_in_every_format(tmp_path: Path) -> None:
    tensors = [Tensor((1, 4), "float16"), Tensor((1, 4), "float16")]
    model = tc.convert(parse(build(tensors, [Operator(BuiltinOperator.RELU, (0,), (1,))], (0,), (1,))))
    x = {"t0": np.array([[-1, 0, 65504, np.inf]], np.float16)}
    for ending in (".tosa", ".spv"):
        tc.save(model, tmp_path / f"relu{ending}")
        reread = tc.load(tmp_path / f"relu{ending}")
        assert tc.run(reread, {reread.main.inputs[0].name: x["t0"]})[reread.main.outputs[0].name].tolist() == [
            [0, 0, 65504, np.inf]
        ]
    tc.save(model, tmp_path / "relu.mlir")
    assert "max_val = 0x7C00 : f16" in (tmp_path / "relu.mlir").read_text()


LONG: dict[BuiltinOperator, tuple[dict[str, Any], tuple[int, ...], float]] = {
    BuiltinOperator.SOFTMAX: ({"beta": 1.0}, (), 1 / 70000),
    BuiltinOperator.LOG_SOFTMAX: ({}, (), -np.log(70000)),
    BuiltinOperator.MEAN: ({"keep_dims": True}, (1,), 10),
    BuiltinOperator.SUM: ({"keep_dims": True}, (1,), 0),
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("builtin", LONG)
def test_sums_beyond_16_bits_equal_litert(builtin: BuiltinOperator, dtype: str) -> None:
    options, axes, want = LONG[builtin]
    constant = [Tensor((len(axes),), "int32", np.array(axes, np.int32))] if axes else []
    places = range(1 + len(constant))
    tensors = [Tensor((1, 70000), dtype), *constant, Tensor((1,), dtype)]
    ours = tc.convert(build(tensors, [Operator(builtin, places, [len(places)], options)], (0,), [len(places)]))
    x = np.full((1, 70000), 10, ours.main.inputs[0].type.dtype.numpy)
    if builtin is BuiltinOperator.SUM:
        x[0, ::2] = -10
    for engine in ("executor", "tosa-reference-model"):
        (got,) = tc.run(ours, {"t0": x}, engine=engine).values()
        np.testing.assert_allclose(got.astype(np.float64), want, rtol=2**-8, atol=1e-7)


@pytest.mark.parametrize("scale", [1e-30, 1e-6, 1e-3, 0.1, 1.0, 10.0])
def test_elu_of_small_negatives_keeps_its_digits(scale: float) -> None:
    """exp(x) - 1 would lose them; `expm1` keeps each element within 3e-6 of itself."""
    x = -np.abs(np.random.default_rng(0).standard_normal(4000) * scale).astype(np.float32)
    data = build([Tensor(x.shape), Tensor(x.shape)], [Operator(BuiltinOperator.ELU, [0], [1])], [0], [1])
    (output,) = tc.run(tc.convert(data), {"t0": x}).values()
    np.testing.assert_allclose(output, np.expm1(x.astype(np.float64)), rtol=3e-6)
    assert tc.compare(data, tc.convert(data), inputs=[{"t0": x}])[0].verdict
