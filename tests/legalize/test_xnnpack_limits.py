"""Limits of what XNNGraph is written from, on both sides: scales, factors, sizes; and the searches of scales."""

import contextlib
from typing import Any

import numpy as np
import pytest
from support.expressions import apply
from support.kernel_cases import COMBINATIONS_1_0, cases_of, graph_of
from support.xnnpack_writing import compare, computed, graph_input

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.legalize.invert.equal_elements import have_equal_elements, skip_reshapes
from tosa_converter.legalize.invert.scale_intervals import middle_scale
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import ScaledBytes, byte_quant, constant_as_scaled_bytes
from tosa_converter.legalize.invert.xnnpack.dynamic import DynamicLayer, _are_scales
from tosa_converter.legalize.invert.xnnpack.lookups import ByteFunction, Division, find_division, find_function
from tosa_converter.legalize.invert.xnnpack.quantized import _slope_scale
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.operators import avg_pool2d, reduce, rescale, resize
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

I8, I32, FP32 = DType.I8, DType.I32, DType.FP32
SHIFTED = 1 << 30  # a multiplier that is 1 with a shift of 30


def refused(builder: Builder, output: Value) -> None:
    with pytest.raises(UnsupportedError):
        tc.to_xnn(builder.model(y=output))


def accepted(builder: Builder, output: Value, is_accepted: bool) -> list[str]:
    """Returns the nodes of an accepted graph, which compute the same; checks that another one is refused."""
    if is_accepted:
        return compare(builder, y=output)
    refused(builder, output)
    return []


def integers(x: Value, b: Builder, multiplier: int = SHIFTED, shift: int = 30, zero_point: int = 0) -> Value:
    return apply(b, rescale, x, I32, [multiplier], [shift], input_zp=zero_point)


def to_bytes(real: Value, b: Builder, zero_point: int = 0) -> Value:
    return apply(b, rescale, b.cast(real, I32), I8, [SHIFTED], [30], output_zp=zero_point)


# ** searches **


@pytest.mark.parametrize("scale", [0.003, 0.3, 1.0, 77.5])
def test_the_middle_scale_is_one_that_fits(scale: float) -> None:
    steps = np.array([-128.0, -3, 1, 60, 255])
    results = np.rint(steps * scale)
    middle = middle_scale(results - 0.5, results + 0.5, steps)
    assert middle is not None
    assert (np.abs(steps * middle - results) <= 0.5).all()


def test_the_middle_is_that_of_the_narrowest_bounds() -> None:
    assert middle_scale(np.array([2.5, -2.5]), np.array([3.5, -1.5]), np.array([10.0, -6.0])) == np.float32(0.3)
    assert middle_scale(np.array([-3.5]), np.array([-2.5]), np.array([10.0])) is None
    assert middle_scale(np.array([2.5]), np.array([np.inf]), np.array([10.0])) is None
    assert middle_scale(np.array([-0.5]), np.array([0.5]), np.array([10.0])) is None


@pytest.mark.parametrize(
    ("elements", "least", "most", "term"),
    [
        ([0, 255], 1, 1, (-128, 1)),
        ([0, 256], 1, 1, None),
        ([-255, 0], 1, 1, (127, 1)),
        ([0, 256], 1, 256, (-128, 256)),
        ([0, 256], 1, 255, (-128, 128)),
        ([0, 256], 257, 1 << 20, None),
        ([300, -200], 1, 1000, (-128 + 2, 100)),
        ([300, -200], 2, 2, (-28, 2)),
        ([300, -200], 1, 1, None),
        ([0, 0], 1, 1, None),
        ([7], 7, 7, (-128, 7)),
    ],
)
def test_constants_as_bytes(elements: list[int], least: int, most: int, term: tuple[int, int] | None) -> None:
    with XnnBuilder(Graph("main")) as b:
        value = Op(ops.CONST, (), [tc.TensorType(I32, (len(elements),))], {"values": np.array(elements)}).result
        byte_term = constant_as_scaled_bytes(b, value, least, most)
    assert (None if byte_term is None else byte_term[1:]) == term
    if byte_term is not None:
        levels = byte_term.value.constant
        assert levels is not None
        assert levels.dtype == np.int8
        np.testing.assert_array_equal((levels.astype(int) - byte_term.zero_point) * byte_term.factor, elements)


@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
@pytest.mark.parametrize("zero_point", [-128, -100, -3, 0, 64, 127])
@pytest.mark.parametrize("scale", [0.01, 0.03, 0.0625, 0.2])
def test_functions_of_bytes_by_their_results(name: str, zero_point: int, scale: float) -> None:
    result = {"sigmoid": byte_quant(-128, 1 / 256), "tanh": byte_quant(0, 1 / 128)}[name]
    table = ByteFunction(name, byte_quant(zero_point, scale), result).results
    function = find_function(table)
    assert function is not None  # TANH of x has the results of SIGMOID of 2 * x
    np.testing.assert_array_equal(function.results, table)
    for place in (0, 100, 255):
        other = table.copy()
        other[place] ^= 1
        changed = find_function(other)
        assert changed is None or np.array_equal(changed.results, other)


@pytest.mark.parametrize("zero_points", [(0, 0, 0), (-128, 127, 3), (127, -60, -100), (5, -60, 127)])
@pytest.mark.parametrize("scale", [0.25, 1.0, 3.7, 100.0])
def test_divisions_by_their_results(zero_points: tuple[int, int, int], scale: float) -> None:
    table = Division(zero_points, scale).results.astype(np.int8)
    division = find_division(table)
    assert division is not None
    np.testing.assert_array_equal(division.results, table)
    x, y = np.argwhere((table > -100) & (table < 100))[7]
    other = table.copy()
    other[x, y] += 2
    assert find_division(other) is None


@pytest.mark.parametrize("zero_points", [(127, -128, -128), (-128, -128, 127), (-128, 0, 127)])
def test_saturated_quotients_have_no_scale(zero_points: tuple[int, int, int]) -> None:
    """All results are at the ends of the range, or all but those of one sign."""
    table = Division(zero_points, 500.0).results.astype(np.int8)
    division = find_division(table)
    assert division is None or np.array_equal(division.results, table)


@pytest.mark.parametrize(("under", "over"), [(0.1, 0.7), (1e-30, 3.0), (200.0, 0.001), (1.0, 1.0)])
def test_the_scale_of_a_slope_gives_the_factor_below_0(under: float, over: float) -> None:
    below, above = np.float32(under), np.float32(over)
    assert above * np.float32(_slope_scale(float(below), float(above))) == below


def test_a_factor_that_no_slope_gives_is_declined() -> None:
    """Of 2000 factors by 1 + 2**-23 some are no product of it."""
    over, missing = float(np.float32(1.7)), 0
    for i in range(2000):
        under = np.float32(1) + np.float32(i) * np.float32(2.0**-23)
        candidates = np.float32(under / over) + np.arange(-3, 4) * np.spacing(np.float32(under / over))
        exists = bool((np.float32(over) * candidates.astype(np.float32) == under).any())
        if exists:
            assert np.float32(over) * np.float32(_slope_scale(float(under), over)) == under
        else:
            missing += 1
            with pytest.raises(Decline, match="whose product"):
                _slope_scale(float(under), over)
    assert missing


def test_equal_elements_through_reshapes() -> None:
    """The same operators on the same input; another constant, axis or operand in between isn't the same."""

    def graph(shape: tuple[int, ...], number: float = 2.0, row: object = ops.EXP) -> tuple[Value, Value]:
        b, x = graph_input(2, 3, 4)
        y = b.reshape(x, shape)
        return x, b.reshape(b.add(b.emit(row, y), b.scalar(number, y)), (3, 8))  # type: ignore[arg-type]

    x, y = graph((2, 3, 4))
    for shape, number, row, equal in (
        ((6, 4), 2.0, ops.EXP, True),
        ((24,), 2.0, ops.EXP, True),
        ((6, 4), 3.0, ops.EXP, False),
        ((6, 4), 2.0, ops.LOG, False),
    ):
        other_x, other_y = graph(shape, number, row)
        assert skip_reshapes(other_y) is not other_y
        assert have_equal_elements(y, other_y, {x: other_x}) is equal


@pytest.mark.parametrize(("axis", "other", "equal"), [(1, 1, True), (1, 2, False)])
def test_reductions_of_equal_elements(axis: int, other: int, equal: bool) -> None:
    """REDUCE_SUM of [2,3,3] over one axis, against [1,2,3,3] over the same dimension or another one."""
    b, x = graph_input(2, 3, 3)
    y = apply(b, reduce, ops.REDUCE_SUM, x, axis)
    other_b, other_x = graph_input(2, 3, 3)
    other_y = apply(other_b, reduce, ops.REDUCE_SUM, other_b.reshape(other_x, (1, 2, 3, 3)), other + 1)
    assert have_equal_elements(y, other_y, {x: other_x}) is equal


# ** factors and scales **


@pytest.mark.parametrize(
    ("multiplier", "shift", "fits"),
    [
        (1 << 30, 30, True),
        (1 << 30, 38, True),  # 2**-8
        (1 << 30, 39, False),
        (1 << 30, 23, True),  # 2**7
        ((1 << 30) + (1 << 15), 23, False),  # 2**7 and 2**-8
        (3 << 22, 30, True),  # 3 / 256
        (3 << 21, 30, False),
    ],
)
def test_factors_of_convert(multiplier: int, shift: int, fits: bool) -> None:
    b, x = graph_input(64, dtype=I8)
    y = apply(b, rescale, x, I8, [multiplier], [shift], input_zp=3, output_zp=-4)
    assert bool(accepted(b, y, fits)) is fits


@pytest.mark.parametrize("axis", [0, 3])
@pytest.mark.parametrize(
    ("factor", "fits"),
    [(2.0**-126, True), (2.0**-127, False), (255.99, True), (256.0, False), (-1.0, False), (np.nan, False)],
)
def test_factors_of_sums(axis: int, factor: float, fits: bool) -> None:
    b, x = graph_input(1, 3, 3, 4, dtype=I8)
    weight = b.const(np.random.default_rng(1).integers(-9, 9, (5, 2, 2, 4)), I8)
    zero, none = b.const([0], I8), b.const([0], I32)
    window: dict[str, Any] = {"pad": (0, 0, 0, 0), "stride": (1, 1), "dilation": (1, 1)}
    sums = b.emit(ops.CONV2D, x, weight, none, zero, zero, acc_type="INT32", **window)
    factors = np.full((1, 1, 1, 5 if axis else 1), 0.01, np.float32)
    factors[..., -1] = factor
    y = to_bytes(b.mul(b.cast(sums, FP32), b.const(factors, FP32)), b, 7)
    assert ("conv_2d" in accepted(b, y, fits)) is fits


@pytest.mark.parametrize(("factor", "fits"), [(2.0**-16, True), (2.0**-16 * 0.999, False), (255.9, True), (256, False)])
def test_factors_of_products(factor: float, fits: bool) -> None:
    b, x = graph_input(2, 64, dtype=I8)
    product = b.mul(integers(x, b, zero_point=3), integers(x, b, zero_point=-5))
    real = b.cast(product, FP32)
    y = to_bytes(b.mul(real, b.scalar(factor, real)), b, -9)
    if fits:
        assert "multiply" in accepted(b, y, fits)
    else:
        b.graph.outputs = [y]
        assert "multiply" not in [op.name.removeprefix("xnn.") for op in quantized_only(b, y)]


def quantized_only(b: Builder, y: Value) -> list[Op]:
    """Returns the nodes of bytes that a graph is written with; none if it is refused."""
    try:
        graph = tc.to_xnn(b.model(y=y)).main
    except UnsupportedError:
        return []
    return [op for op in graph if op.results[0].type.dtype is I8]


@pytest.mark.parametrize(
    ("first", "second", "shift", "fits"),
    [
        (1 << 20, 1 << 20, 20, True),
        ((1 << 21) - 1, 1, 20, False),  # the smaller ratio is 2**-20
        ((1 << 21) - 1, 1 << 10, 20, True),  # 2**-10
        ((1 << 21) - 1, (1 << 10) - 1, 20, False),
        ((1 << 20) - 1, 1 << 10, 20, False),
        (1 << 21, 1 << 11, 20, False),
        ((1 << 21) - 1, 1 << 20, 13, True),  # less than 2**8
        (1 << 20, 1 << 20, 12, False),  # 2**8
    ],
)
def test_multipliers_of_sums(first: int, second: int, shift: int, fits: bool) -> None:
    b, x = graph_input(2, 64, dtype=I8)
    terms = (integers(x, b, multiplier << 9, 9, zero_point) for multiplier, zero_point in ((first, 3), (second, -5)))
    y = apply(b, rescale, b.add(*terms), I8, [SHIFTED], [30 + shift], output_zp=7)
    assert ("add" in accepted(b, y, fits)) is fits


@pytest.mark.parametrize("swapped", [False, True])
def test_a_sum_with_a_product_is_no_sum_of_bytes(swapped: bool) -> None:
    b, x = graph_input(2, 64, dtype=I8)
    term, wide = integers(x, b, 1 << 29, 9, 3), integers(x, b)
    operands = (b.mul(wide, wide), term) if swapped else (term, b.mul(wide, wide))
    refused(b, apply(b, rescale, b.add(*operands), I8, [SHIFTED], [50], output_zp=7))


def test_a_sum_of_constants_is_no_sum_of_bytes() -> None:
    b, _ = graph_input(2, 64, dtype=I8)
    numbers = [b.const(np.full((2, 64), n), I32) for n in (1 << 20, 3 << 19)]
    total = Op(ops.ADD, numbers, [numbers[0].type])
    b.graph.ops.append(total)
    y = apply(b, rescale, total.result, I8, [SHIFTED], [50], output_zp=7)
    refused(b, y)


# ** sizes **


@pytest.mark.parametrize(("count", "fits"), [(2047, True), (2048, True), (4095, True), (4096, True), (4097, False)])
@pytest.mark.parametrize("halves", [508, 509, 510])
def test_averages_at_ties(count: int, halves: int, fits: bool) -> None:
    """Averages just below 254, 254.5 and 255, which is a tie of an even number of bytes, come out as TOSA rounds."""
    b, x = graph_input(1, count, 1, 1, dtype=I8)
    y = apply(b, avg_pool2d, x, kernel=(count, 1), stride=(1, 1), pad=(0, 0, 0, 0), zp=-128)
    if not fits:
        refused(b, y)
        return
    total = halves * count // 2
    elements = np.full(count, total // count, np.int64)
    elements[: total - elements.sum()] += 1
    feed = (elements - 128).astype(np.int8).reshape(1, count, 1, 1)
    model = b.model(y=y)
    np.testing.assert_array_equal(tc.run(model, {"x": feed})["y"], computed(tc.to_xnn(model), (feed,))[0])


@pytest.mark.parametrize(("count", "fits"), [(64, True), (65, False)])
def test_pieces_of_an_axis(count: int, fits: bool) -> None:
    b, x = graph_input(2, 3)
    accepted(b, b.tile(x, (1, count)), fits)
    b, x = graph_input(1, count)
    accepted(b, apply(b, Expr.reverse, x, 1), fits)


@pytest.mark.parametrize(("count", "fits"), [(1 << 16, True), ((1 << 16) + 1, False)])
def test_elements_of_a_layer_of_steps(count: int, fits: bool) -> None:
    b, x = graph_input(count, dtype=I8)
    model = b.model(y=apply(b, operators.table, x, np.random.default_rng(0).integers(-128, 128, 256)))
    if fits:
        assert [op.name for op in tc.to_xnn(model).main].count("xnn.fully_connected") == 2
    else:
        with pytest.raises(UnsupportedError, match="too many elements for a layer of 255 steps"):
            tc.to_xnn(model)


@pytest.mark.parametrize(
    ("zero_point", "level", "depth", "fits"),
    [(-128, 127, 258, True), (-128, 127, 259, False), (0, -128, 1024, True), (0, -128, 1025, False)],
)
def test_integers_that_floats_hold(zero_point: int, level: int, depth: int, fits: bool) -> None:
    """Sums of squares of bytes less a zero point, up to 258 * 255**2 < 2**24 and 1024 * 128**2 = 2**24."""
    b, x = graph_input(2, depth, dtype=I8)
    wide = integers(x, b, zero_point=zero_point)
    y = b.cast(apply(b, reduce, ops.REDUCE_SUM, b.mul(wide, wide), 1), FP32)
    if not fits:
        refused(b, y)
        return
    model, feed = b.model(y=y), np.full((2, depth), level, np.int8)
    assert computed(tc.to_xnn(model), (feed,))[0].tolist() == [[depth * (level - zero_point) ** 2]] * 2


@pytest.mark.parametrize(
    ("low", "high", "depth", "fits"),
    [(-8, 7, 2, True), (-9, 7, 2, False), (-8, 8, 2, False), (-8, 7, 3, False), (0, 0, 2, True)],
)
def test_weights_of_4_bits(low: int, high: int, depth: int, fits: bool) -> None:
    weight = np.zeros((3, depth), np.int8)
    weight[0, :2] = low, high
    x = Value(tc.TensorType(FP32, (1, depth)))
    core = Op(ops.MATMUL, [x], [x.type], {})
    assert DynamicLayer(core, x, (1, depth), 1, weight, np.ones(3, np.float32)).fits_4_bits is fits


@pytest.mark.parametrize(
    ("scale", "accepted"),
    [
        (2.0**-126, True),  # the smallest normal number
        (2.0**-126 - 2.0**-149, False),
        (0.0, False),
        (-1.0, False),
        (2.0**127, True),
        (np.inf, False),
        (np.nan, False),
    ],
)
def test_scales_of_weights_are_normal_and_positive(scale: float, accepted: bool) -> None:
    """XNNPACK refuses a tensor unless every scale is greater than 0 and isnormal() in C."""
    assert _are_scales(np.array([scale], np.float32)) is accepted
    assert _are_scales(np.array([0.5, scale, 2], np.float32)) is accepted


def test_terms_are_bytes_less_a_zero_point() -> None:
    """RESCALE by whole numbers makes terms; by halves, or to another zero point, it makes none."""
    b, x = graph_input(4, 64, dtype=I8)
    halves = b.cast(integers(x, b, SHIFTED, 31), FP32)
    refused(b, halves)
    b, x = graph_input(4, 64, dtype=I8)
    shifted = apply(b, rescale, x, I32, [SHIFTED], [30], input_zp=1, output_zp=0)
    assert compare(b, y=b.cast(shifted, FP32))
    assert ScaledBytes(x, 1, 1).factor == 1


# ** which types and nodes **

ACCUMULATED = "fp16 fp16 fp16 fp16, fp16 fp16 fp16 fp32, fp32 fp32 fp32 fp32"
# The operators that are written in some of the cases of tests/support/kernel_cases.py, and their types.
WRITTEN = {
    ACCUMULATED: "CONV2D DEPTHWISE_CONV2D TRANSPOSE_CONV2D",
    "i8 i32, fp16 fp16, fp16 fp32, fp32 fp32": "AVG_POOL2D",
    "fp16 fp16, fp16 fp32, fp32 fp32": "MATMUL",
    "i8, fp16, fp32": "MAX_POOL2D CLAMP REDUCE_MAX CONCAT PAD RESHAPE REVERSE SLICE TILE TRANSPOSE IDENTITY",
    "fp16 fp16, fp32 fp32": "MUL NEGATE REDUCE_SUM",
    "i8 i8 i8": "TABLE",
    "fp16 fp16 fp16, fp32 fp32 fp32": "RESIZE",
    "i8 fp32, fp16 fp32, fp32 i8, fp32 fp16": "CAST",
    "fp16, fp32": "REDUCE_MIN SIGMOID TANH ADD MAXIMUM MINIMUM SUB ABS CEIL COS EXP FLOOR LOG RECIPROCAL RSQRT SIN",
}


def is_written(row: OpDef, types: str) -> bool:
    for case in cases_of(row, types):
        with contextlib.suppress(UnsupportedError):
            tc.to_xnn(Model({"main": graph_of(row, case)[0]}))
            return True
    return False


def test_the_types_of_operators_that_are_written() -> None:
    expected = {
        (name, types) for listed, names in WRITTEN.items() for types in listed.split(", ") for name in names.split()
    }
    candidates = [(row, types) for row, types in COMBINATIONS_1_0 if {"fp32", "fp16", "i8"} & set(types.split())]
    assert {(row.name, types) for row, types in candidates if is_written(row, types)} == expected


@pytest.mark.parametrize(
    ("scale", "offset", "border", "size", "flags"),
    [
        ((4, 2, 4, 2), (-1, -1), (1, 1), (8, 10), 0),  # centers of pixels aligned
        ((14, 6, 18, 8), (0, 0), (0, 0), (8, 10), tc.schemas.xnnpack.FLAG_ALIGN_CORNERS),
        ((2, 1, 2, 1), (0, 0), (1, 1), (8, 10), tc.schemas.xnnpack.FLAG_TENSORFLOW_LEGACY_MODE),
        ((4, 2, 4, 2), (1, 1), (-1, -1), (6, 8), None),
    ],
)
def test_flags_of_images_that_grow(
    scale: tuple[int, ...], offset: tuple[int, int], border: tuple[int, int], size: tuple[int, int], flags: int | None
) -> None:
    b, x = graph_input(1, 4, 5, 3)
    y = apply(b, resize, x, mode="BILINEAR", scale=scale, offset=offset, border=border)
    assert y.type.static[1:3] == size
    if flags is None:
        refused(b, y)
        return
    assert compare(b, y=y) == ["static_resize_bilinear_2d"]
    (node,) = [op for op in tc.to_xnn(b.model(y=y)).main if op.name != "xnn.const"]
    assert node.attributes["flags"] == flags


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("near", [0.0, 1e-3])
def test_a_guess_is_taken_only_if_it_is_the_same(alpha: float, near: float) -> None:
    """LeakyReLU by MAXIMUM or MINIMUM of x and x * slope; another number in its place is no LeakyReLU."""
    b, x = graph_input(2, 3)
    product = b.mul(x, b.scalar(alpha, x))
    y = b.maximum(b.add(x, b.scalar(near, x)) if near else x, product)
    nodes = compare(b, y=y)
    assert ("leaky_relu" in nodes) is (not near and alpha <= 1)


def test_slopes_of_channels_are_a_prelu() -> None:
    b, x = graph_input(2, 3)
    assert compare(b, y=b.maximum(x, b.mul(x, b.const([[0.1, 0.2, 0.3]], FP32)))) == ["prelu"]


@pytest.mark.parametrize(("low", "high", "nodes"), [(-1.0, 2.0, ["add"]), (-np.inf, 2.0, ["add"])])
def test_bounds_join_the_node_in_front(low: float, high: float, nodes: list[str]) -> None:
    b, x = graph_input(2, 3)
    assert compare(b, y=apply(b, clamp, b.add(x, x), low, high)) == nodes


def test_bounds_of_a_value_that_others_read_stay() -> None:
    b, x = graph_input(2, 3)
    y = b.add(x, x)
    assert compare(b, y=apply(b, clamp, y, 0.0, 1.0), z=b.reshape(y, (6,))) == ["add", "clamp", "static_reshape"]


@pytest.mark.parametrize(("size", "joins"), [(5, True), (1, False)])
def test_a_constant_for_each_channel_is_a_bias(size: int, joins: bool) -> None:
    b, x = graph_input(1, 4, 3)
    weight = b.const(np.random.default_rng(0).standard_normal((1, 3, 5)), FP32)
    zero = b.const([0.0], FP32)
    y = b.add(b.emit(ops.MATMUL, x, weight, zero, zero), b.const(np.full((1, 1, size), 0.5), FP32))
    assert ("add" not in compare(b, y=y)) is joins
