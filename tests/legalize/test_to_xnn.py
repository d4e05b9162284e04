"""XNNGraph written from TOSA: graphs come back as their original nodes, and equal XNNPACK."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike
from support.commands import FLOAT, INT8, MODELS, command
from support.expressions import apply
from support.kernel_cases import COMBINATIONS_1_0, cases_of, graph_of
from support.xnnpack_cases import FOLDER, XnnpackCase, cases
from support.xnnpack_table import nodes
from support.xnnpack_writing import agree, bytes_of, compare, computed, graph_input

import tosa_converter as tc
from tosa_converter.conversion import count_ops
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Model, Op, TensorType, Value
from tosa_converter.ir.edit import copy_model
from tosa_converter.legalize.invert.equal_elements import element_runs
from tosa_converter.legalize.invert.xnnpack.dynamic import unpadded_image
from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES
from tosa_converter.legalize.invert.xnnpack.windows import merge_group_convolutions
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, clamp, where
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.operators import avg_pool2d, gather, reduce, rescale, resize, scatter, transpose_conv2d
from tosa_converter.rewriting.pipeline import apply_passes, legalization_pass
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rewriting.report import Options
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnn_ops
from tosa_converter.schemas.tosa_ops import OpDef

# Of the largest element: fp32 by `verify`'s rule, fp16 as tests/legalize/test_xnnpack_nodes.py has it.
TOLERANCES = {"fp32": 1e-5, "fp16": 2e-3, "networks": 1e-5, "qint8": 0.0, "written": 1e-5}
# Operators that no node computes after their conversion to TOSA, and the reason.
REFUSED = {
    "bytes with another sign": "to_quint8 specials_to_quint8",
}


def constant(elements: ArrayLike, dtype: DType) -> Value:
    values = np.asarray(elements).astype(dtype.numpy)
    return Op(ops.CONST, (), [TensorType(dtype, values.shape)], {"values": values}).result


def refused(case: XnnpackCase) -> bool:
    kinds = [why for why, names in REFUSED.items() if case.file.partition(".")[0] in names.split()]
    return bool(kinds)


def every_case() -> list[XnnpackCase]:
    return [case for group in ("fp32", "fp16", "qint8", "networks") for case in cases(group).values()]


@pytest.mark.parametrize("dtypes", [("i8", "i32"), ("i16", "i48"), ("fp16", "fp16"), ("fp32", "fp32")], ids=str)
def test_groups_become_one_convolution_with_types_of_their_own(dtypes: tuple[str, str]) -> None:
    dtype, sums = map(DType, dtypes)
    weights = np.arange(12).reshape(2, 2, 1, 1, 3)
    image = Value(TensorType(dtype, (1, 2, 2, 6)), "x")
    parts = []
    for group in range(2):
        begin, size = (constant([0, 0, 0, 3 * group], DType.SHAPE), constant([1, 2, 2, 3], DType.SHAPE))
        part = Op(ops.SLICE, [image, begin, size], [TensorType(dtype, (1, 2, 2, 3))]).result
        kernel = constant(weights[group], DType.I8 if dtype.is_integer else dtype)
        zeros = [constant([0], x.type.dtype) for x in (part, kernel)]
        operands = [part, kernel, constant([100 + group] * 2, sums), *zeros]
        parts.append(Op(ops.CONV2D, operands, [TensorType(sums, (1, 2, 2, 2))], {"pad": (0,) * 4}).result)
    joined = Op(ops.CONCAT, parts, [TensorType(sums, (1, 2, 2, 4))], {"axis": 3})
    core = merge_group_convolutions(joined)
    x, weight, bias, *zero_points = core.operands
    assert (core.row, x, core.result.type) == (ops.CONV2D, image, joined.result.type)
    assert [value.type.dtype for value in (weight, bias, *zero_points)] == [
        value.type.dtype
        for value in parts[0].producer.operands[1:]  # type: ignore[union-attr]
    ]
    np.testing.assert_array_equal(np.asarray(weight.constant), weights.reshape(4, 1, 1, 3))
    np.testing.assert_array_equal(np.asarray(bias.constant), [100, 100, 101, 101])


@pytest.mark.parametrize("case", [c for c in every_case() if not refused(c)], ids=lambda c: c.label)
def test_graphs_from_xnnpack_come_back(case: XnnpackCase) -> None:
    graph = tc.to_xnn(tc.convert(tc.load(case.data)))
    for expected, output in zip(case.outputs, computed(graph, case.inputs), strict=True):
        agree(expected, output, TOLERANCES[case.group])


@pytest.mark.parametrize("case", [c for c in every_case() if refused(c)], ids=lambda c: c.label)
def test_operators_without_a_node_are_refused(case: XnnpackCase) -> None:
    with pytest.raises(UnsupportedError):
        tc.to_xnn(tc.convert(tc.load(case.data)))


def test_the_page_lists_the_operators_of_every_node() -> None:
    page = (MODELS.parent / "docs/results/xnnpack-out.md").read_text().splitlines()
    table = list(nodes())
    assert page[page.index(table[0]) :][: len(table)] == table
    empty = [line.split(" | ")[0] for line in table if line.endswith(" |  |  |")]
    assert empty == ["| ScaledDotProductAttention"]


@pytest.mark.parametrize("case", ["linear", "linear_blocks", "transposed_dynamic", "prelu", "div", "max_pool_dilated"])
@pytest.mark.parametrize("extreme", [0.0, -1.0, np.inf, np.nan])
def test_extreme_constants_are_refused_or_written(case: str, extreme: float) -> None:
    """Each constant is replaced in turn."""
    source = cases("fp32" if "linear" in case or "dynamic" in case else "qint8")[case + ".xnn"]
    tosa = tc.convert(tc.load(source.data))
    for op in [
        op for op in tosa.main if op.name == "tosa.const" and op.results[0].type.dtype in (DType.FP32, DType.I8)
    ]:
        elements = op.attributes["values"]
        if elements.dtype == np.float32 or np.isfinite(extreme):
            op.attributes["values"] = np.full_like(elements, extreme)
            with contextlib.suppress(UnsupportedError, tc.VerifyError):
                tc.to_xnn(tosa)
        op.attributes["values"] = elements


# ** XNNPACK's own results **


@pytest.mark.parametrize("case", cases("written").values(), ids=lambda c: c.file)
def test_a_written_graph_equals_its_tosa_in_xnnpack(case: XnnpackCase) -> None:
    """The outputs are those of the file, of the TOSA that it was written from, and of the graph that is written now."""
    with np.load(FOLDER / "written.npz") as arrays:
        tosa = tc.load(arrays[case.file.replace(".xnn", ".tosa")].tobytes())
    feed = {value.name: array for value, array in zip(tosa.main.inputs, case.inputs, strict=True)}
    outputs = list(tc.run(tosa, feed).values())
    for model in (tc.to_xnn(tosa), tc.load(case.data)):
        outputs += computed(model, case.inputs)
    for expected, output in zip(case.outputs * 3, outputs, strict=True):
        agree(expected, output, TOLERANCES["written"])


@pytest.mark.parametrize("name", ["digits_float32", "small/detector.float16", "small/torch_convnext_small.float32"])
def test_models_have_few_nodes(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    tosa = tc.convert(source)
    graph = tc.to_xnn(tosa)
    assert count_ops(graph).total() <= 1.12 * count_ops(source).total()
    feed = tc.random_inputs(tosa, seed=0)
    expected, outputs = tc.run(tosa, feed).values(), computed(graph, tuple(feed.values()))
    for x, y in zip(expected, outputs, strict=True):
        agree(x, y, 1e-6)


@pytest.mark.parametrize("name", ["digits_int8", "small/detector.uint8_io", "small/torch_mobilenet_v2_small.int8"])
def test_integers_of_tflite_stay_equal(name: str) -> None:
    tosa = tc.convert(MODELS / f"{name}.tflite", numerics="xnnpack")
    feed = tc.random_inputs(tosa, seed=0)
    outputs = computed(tc.to_xnn(tosa), tuple(feed.values()))
    for x, y in zip(tc.run(tosa, feed).values(), outputs, strict=True):
        np.testing.assert_array_equal(x, y)


# ** what TOSA alone has **

WRITTEN = [(row, types) for row, types in COMBINATIONS_1_0 if {"fp32", "fp16", "i8"} & set(types.split())]
IDS = [f"{row.name}-{types.replace(' ', '-')}" for row, types in WRITTEN]


@pytest.mark.parametrize(("row", "types"), WRITTEN, ids=IDS)
def test_every_operator_is_refused_or_equal(row: OpDef, types: str) -> None:
    """NaN is left out, as XNNPACK's nodes treat it in different ways."""
    for case in cases_of(row, types):
        graph, _, feed = graph_of(row, case)
        try:
            written = tc.to_xnn(Model({"main": graph}))
        except UnsupportedError:
            continue
        for expected, output in zip(Executable(graph).run(feed).values(), computed(written, tuple(feed)), strict=True):
            number = ~(np.isnan(expected.astype(np.float64)) | np.isnan(output.astype(np.float64)))
            finite = number & np.isfinite(expected.astype(np.float64))
            assert (expected[number & ~finite] == output[number & ~finite]).all()
            agree(np.where(finite, expected, 0), np.where(finite, output, 0), 2**-6 if "fp16" in types else 1e-5)


def test_unsigned_borders_come_back() -> None:
    b, x = graph_input(4, 64, dtype=DType.I8)
    signed = apply(b, rescale, x, DType.I8, [1 << 30], [30], input_zp=130, output_zp=2, input_unsigned=True)
    y = apply(
        b,
        rescale,
        apply(b, clamp, signed, -20, 90),
        DType.I8,
        [1 << 30],
        [30],
        input_zp=2,
        output_zp=131,
        output_unsigned=True,
    )
    model = b.model(y=y)
    graph = tc.to_xnn(model)
    assert [value.type.dtype for value in (*graph.main.inputs, *graph.main.outputs)] == [DType.UI8, DType.UI8]
    feed = tc.random_inputs(model, seed=3)
    np.testing.assert_array_equal(tc.run(model, feed)["y"], computed(graph, tuple(feed.values()))[0])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_reductions_have_these_nodes(axis: int) -> None:
    b, x = graph_input(3, 4, 5)
    rows = ops.REDUCE_SUM, ops.REDUCE_MAX, ops.REDUCE_MIN
    assert compare(b, **{row.name: apply(b, reduce, row, x, axis) for row in rows})


@pytest.mark.parametrize("out_pad", [(0, 0, 0, 0), (-1, 1, -1, 0), (2, 3, 1, 0), (-2, -1, 0, 4)])
def test_transposed_convolutions_with_any_padding_have_one_node(out_pad: tuple[int, int, int, int]) -> None:
    b, x = graph_input(1, 4, 5, 3)
    rng = np.random.default_rng(0)
    weight = b.const(rng.standard_normal((6, 3, 3, 3)), DType.FP32)
    bias = b.const(rng.standard_normal(6), DType.FP32)
    assert (
        compare(b, y=apply(b, transpose_conv2d, x, weight, bias, out_pad=out_pad, stride=(2, 3)))[0]
        == "conv_transpose_2d"
    )


@pytest.mark.parametrize("out_pad", [*np.ndindex(3, 3, 1, 1), *np.ndindex(1, 1, 4, 4), (2, 3, 1, 4)], ids=str)
def test_transposed_convolutions_state_their_shapes(out_pad: tuple[int, int, int, int]) -> None:
    """XNNPACK's size is (size - 1) * stride + kernel + adjustment; the adjustment is below the stride of (2, 3)."""
    b, x = graph_input(1, 4, 5, 3)
    weight, bias = b.const(np.ones((6, 3, 2, 3)), DType.FP32), b.const(np.ones(6), DType.FP32)
    y = apply(b, transpose_conv2d, x, weight, bias, out_pad=out_pad, stride=(2, 3))
    (node,) = (op for op in tc.to_xnn(b.model(y=y)).main if op.name == "xnn.conv_transpose_2d")
    height, width = (4 - 1) * 2 + 3 + min(out_pad[1], 1), (5 - 1) * 3 + 2 + min(out_pad[3], 2)
    assert node.result.type.shape == (1, height, width, 6)


def test_movements_of_elements_have_these_nodes() -> None:
    b, x = graph_input(2, 3, 4)
    picked = apply(b, gather, x, b.const(np.array([[2, 0, 1, 1]] * 2), DType.I32))
    tiled = b.tile(b.reshape(x, (2, 3, 1, 4)), (1, 1, 5, 1))
    rows = b.slice(x, (0, 0, 0), (2, 2, 4))
    placed = apply(b, scatter, x, b.const(np.array([[2, 0]] * 2), DType.I32), rows)
    assert compare(
        b,
        placed=placed,
        picked=picked,
        tiled=tiled,
        turned=apply(b, Expr.reverse, x, 1),
        twice=b.tile(x, (1, 2, 3)),
        same=x,
    )


def test_resizing_to_the_nearest_pixels_has_these_nodes() -> None:
    b, x = graph_input(1, 4, 5, 3)
    y = apply(b, resize, x, mode="NEAREST_NEIGHBOR", scale=(6, 1, 4, 1), offset=(-2, -1), border=(2, 1))
    assert compare(b, y=y)


def test_a_clamp_becomes_bounds_of_the_node() -> None:
    b, x = graph_input(2, 3)
    assert compare(b, y=apply(b, clamp, apply(b, clamp, b.add(x, x), -0.5, 2), 0, 3)) == ["add"]
    b, x = graph_input(2, 3)
    y = b.add(x, x)
    assert compare(b, y=y, z=apply(b, clamp, y, 0, 1)) == ["add", "clamp"]


@pytest.mark.parametrize(("kernel", "zero_point"), [((2, 2), 0), ((2, 2), -7), ((3, 1), 4), ((2, 3), 1)])
def test_averages_of_bytes_have_these_nodes(kernel: tuple[int, int], zero_point: int) -> None:
    """A quarter of all averages of four bytes are ties."""
    b, x = graph_input(1, 12, 12, 64, dtype=DType.I8)
    y = apply(b, avg_pool2d, x, kernel=kernel, stride=(1, 1), pad=(0, 0, 0, 0), zp=zero_point)
    assert "depthwise_conv_2d" in compare(b, y=y)


def test_tables_without_a_node_are_steps() -> None:
    b, x = graph_input(256, dtype=DType.I8)
    x = b.pad(x, [(0, 3)], 5)
    assert "fully_connected" in compare(
        b, y=apply(b, operators.table, x, np.random.default_rng(0).integers(-128, 128, 256))
    )
    b, x = graph_input(1, 300, 300, 1, dtype=DType.I8)
    with pytest.raises(UnsupportedError, match="TABLE"):
        tc.to_xnn(b.model(y=apply(b, operators.table, x, np.random.default_rng(0).integers(-128, 128, 256))))


@pytest.mark.parametrize("zero_point", [-128, 0, 77, 127])
def test_bytes_may_have_several_zero_points(zero_point: int) -> None:
    b, x = graph_input(4, 64, dtype=DType.I8)
    left, other = (
        b.cast(apply(b, rescale, x, DType.I32, [1 << 30], [30], input_zp=zp), DType.FP32) for zp in (3, zero_point)
    )
    y = apply(
        b, rescale, x, DType.I8, [200 << 15], [23], input_zp=zero_point, output_zp=-zero_point - (zero_point == -128)
    )
    assert compare(b, one=left, other=other, y=y)


# ** which nodes **


@pytest.mark.parametrize(
    ("exponents", "nodes"),
    [
        ([2.0], ["square"]),
        ([2.0, 2.0, 2.0], ["square"]),
        ([0.5], ["square_root"]),
        ([-0.5], ["reciprocal_square_root"]),
        ([3.0], None),
        ([2.0, 2.0, 0.5], None),
        ([-2.0], None),
    ],
)
def test_powers_with_a_node_become_it(exponents: list[float], nodes: list[str] | None) -> None:
    b, x = graph_input(2, 3)
    y = b.emit(
        ops.POW, b.emit(ops.ABS, x), b.const([exponents] if len(exponents) > 1 else [[exponents[0]]], DType.FP32)
    )
    if nodes is None:
        with pytest.raises(UnsupportedError, match="expected the exponent 2, 1/2 or -1/2"):
            tc.to_xnn(b.model(y=y))
    else:
        assert compare(b, y=y) == ["abs", *nodes]


def test_float_operators_become_nodes_of_their_own() -> None:
    """The operators are a reciprocal, also of a root, and a product with itself, with one, and with a quotient of 1."""
    for row, node in (
        (ops.EXP, "exp"),
        (ops.FLOOR, "floor"),
        (ops.CEIL, "ceiling"),
        (ops.SIN, "sin"),
        (ops.COS, "cos"),
    ):
        b, x = graph_input(2, 3)
        assert compare(b, y=b.emit(row, x)) == [node]
    b, x = graph_input(2, 3)
    assert compare(b, y=b.mul(x, x)) == ["square"]
    b, x = graph_input(2, 3)
    assert compare(b, y=b.emit(ops.RECIPROCAL, b.emit(ops.EXP, x))) == ["exp", "div"]
    b, x = graph_input(2, 3)
    assert compare(b, y=b.emit(ops.RECIPROCAL, b.emit(ops.RSQRT, b.emit(ops.EXP, x)))) == ["exp", "square_root"]
    b, x = graph_input(2, 3)
    assert compare(b, y=b.mul(x, b.emit(ops.RECIPROCAL, b.emit(ops.EXP, x)))) == ["exp", "div"]


def value(*shape: int) -> Value:
    return Value(tc.TensorType(DType.FP32, shape))


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ((2, 3, 4), (2, 3, 4), [(24, 24)]),
        ((2, 3, 4), (1, 3, 4), [(2, 1), (12, 12)]),
        ((2, 3, 4), (2, 3, 1), [(6, 6), (4, 1)]),
        ((2, 1, 4), (2, 1, 4), [(8, 8)]),
        ((1, 1, 1), (1, 1, 1), []),
        ((2, 3, 4), (2, 1, 4), [(2, 2), (3, 1), (4, 4)]),
        ((2, 3, 4), (1, 1, 4), [(6, 1), (4, 4)]),
    ],
)
def test_which_elements_an_operator_reads(
    before: tuple[int, ...], after: tuple[int, ...], places: list[tuple[int, ...]]
) -> None:
    """Runs of dimensions that are reduced or broadcast alike are one; those of one element everywhere are none."""
    op = Op(ops.ABS, [value(*before)], [value(*after).type])
    assert element_runs(op) == places


@pytest.mark.parametrize(
    ("amounts", "number", "pads"),
    [
        ([0, 0, 1, 2, 3, 4, 0, 0], 0.0, (1, 2, 3, 4)),
        ([0, 0, 0, 0, 0, 0, 0, 0], 0.0, (0, 0, 0, 0)),
        ([1, 0, 1, 2, 3, 4, 0, 0], 0.0, None),
        ([0, 1, 1, 2, 3, 4, 0, 0], 0.0, None),
        ([0, 0, 1, 2, 3, 4, 1, 0], 0.0, None),
        ([0, 0, 1, 2, 3, 4, 0, 1], 0.0, None),
        ([0, 0, 1, 2, 3, 4, 0, 0], 0.5, None),
    ],
)
def test_padding_around_an_image_is_recognized(amounts: list[int], number: float, pads: tuple[int, ...] | None) -> None:
    """Only padding with zeros along height and width is removed; any other image stays."""
    b, x = graph_input(2, 5, 6, 3)
    padded = b.emit(ops.PAD, x, b.const(amounts, DType.SHAPE), b.const([number], DType.FP32))
    image, around = unpadded_image(padded)
    assert (image, around) == ((x, pads) if pads is not None else (padded, (0, 0, 0, 0)))
    assert unpadded_image(x) == (x, (0, 0, 0, 0))


# ** what there is and what there isn't **


def test_every_operator_has_a_rule_or_is_refused() -> None:
    step = legalization_pass(PASSES)
    roots = {rule.root for rule in step.rules}
    missing = {row.opcode for row in ops.OPERATORS if row not in ops.CONSTANTS} - roots
    assert missing == {name for name in xnn_ops.REFUSALS if name.startswith("tosa.")}


def test_all_refusals_are_reported_at_once() -> None:
    b, x = graph_input(2, 3)
    chosen = apply(b, where, b.binary(ops.GREATER, x, b.scalar(0, x)), x, b.scalar(2, x))
    with pytest.raises(UnsupportedError, match="truth values") as refusal:
        tc.to_xnn(b.model(y=chosen, z=b.cast(x, DType.I32)))
    assert "3 operators" in str(refusal.value)


def test_several_graphs_and_results_without_dimensions_are_refused() -> None:
    b, x = graph_input(1, 1)
    two = tc.to_xnn(Model({name: b.model(y=b.add(x, x)).main for name in ("main", "other")}))
    with pytest.raises(UnsupportedError, match="one graph, this model has 2"):
        bytes_of(two)
    with pytest.raises(UnsupportedError, match="without dimensions"):
        tc.to_xnn(b.model(y=b.reshape(x, ())))


def test_a_softmax_of_bytes_is_noted() -> None:
    with np.load(FOLDER / "written.npz") as arrays:
        graph = tc.to_xnn(arrays["digits_int8.tosa"].tobytes())
    (note,) = graph.notes
    assert note[1] == "XNNPACK has no Softmax of bytes: it is computed in floats, and results may differ by 1 step"


def rules_tried(model: Model, *names: str) -> list[Attempts]:
    """Returns the rules that the named passes tried on a copy of a model."""
    trace: list[Attempts] = []
    apply_passes(copy_model(model), [step for step in PASSES if step.name in names], Options(trace=trace))
    return trace


def test_rules_of_several_operators_state_why_they_decline() -> None:
    b, x = graph_input(2, 3)
    shifted = b.binary(ops.SUB, x, apply(b, reduce, ops.REDUCE_MAX, x, 1))
    terms = b.emit(ops.EXP, shifted)
    total = b.emit(ops.RECIPROCAL, apply(b, reduce, ops.REDUCE_SUM, terms, 1))
    exact, other = (b.mul(terms, factor) for factor in (total, b.emit(ops.RECIPROCAL, shifted)))
    tried = rules_tried(b.model(exact=exact, other=other), "composed-nodes")
    accepted, declined = [attempt for attempt in tried if attempt.name == "tosa.mul"]
    assert accepted.accepted.endswith("guesses.softmax")
    reasons = {name.rpartition(".")[2]: reason for name, reason in declined.declined}
    assert reasons["softmax"] == "the conversion of softmax makes other operators"
    assert reasons["gelu"] == "expected MUL(x) as an operand, found the result of EXP"


def test_no_rule_of_several_operators_stands_in_two_passes() -> None:
    rules = [rule for step in PASSES if isinstance(step, InPlacePass) for rule in step.rules]
    assert len({(str(rule.pattern), rule.types) for rule in rules}) == len(rules)


def test_a_table_of_exponentials_that_litert_refuses_is_refused() -> None:
    """Its scale is too small for SOFTMAX of bytes."""
    tosa = tc.convert(MODELS / "digits_int8.tflite", numerics="xnnpack")
    gather = next(op for op in tosa.main if op.row is ops.GATHER and op.operands[0].type.dtype is DType.I32)
    table = gather.operands[0].producer
    assert table is not None
    table.attributes["values"] = np.full_like(table.attributes["values"], (1 << 31) - 1)
    with pytest.raises(UnsupportedError, match="RESCALE that isn't XNNPACK's"):
        tc.to_xnn(tosa)


def test_integers_of_reference_numerics_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="--numerics xnnpack"):
        tc.to_xnn(tc.convert(INT8))


def test_a_source_has_to_be_converted_first() -> None:
    with pytest.raises(tc.UsageError, match="expected a model of TOSA operators"):
        tc.to_xnn(FLOAT)


def test_the_command_writes_xnngraph(tmp_path: Path) -> None:
    assert command(FLOAT, "-o", tmp_path / "m.xnn") == 0
    assert tc.load(tmp_path / "m.xnn").opset == "xnn"
    assert command(tmp_path / "m.xnn", "-o", tmp_path / "again.xnn") == 0
    assert (tmp_path / "again.xnn").read_bytes() == (tmp_path / "m.xnn").read_bytes()


def test_the_command_summarizes_the_written_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = MODELS / "small/keywords.float32.tflite"
    for name in ("m.xnn", "m.tflite"):
        assert command(model, "--state", "io", "-o", tmp_path / name) == 0
        written = tc.load(tmp_path / name)
        printed = capsys.readouterr().out
        assert f"operators  3 -> {count_ops(written).total()}\n" in printed
        with np.load(tmp_path / "m.state.npz") as begin:
            assert set(begin.files) == {value.name for value in written.main.inputs[1:]}
    assert command(model, "--state", "io", "-o", tmp_path / "m.xnn") == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert "state feed output v16 back into input v1, feed output v30 back into input v2 beside" in screen


def test_a_graph_of_additions_uses_pytorchs_schema() -> None:
    b, x = graph_input(2, 3)
    model = tc.to_xnn(b.model(y=b.add(x, b.add(x, x))))
    assert bytes_of(model)[4:8] not in (b"XH00", b"XN01")


@pytest.mark.parametrize("name", ["digits_int8", "small/detector.uint8_io", "small/torch_mobilenet_v2_small.int8"])
def test_borders_have_the_sources_scales(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    tosa = tc.convert(source, numerics="xnnpack")
    back = tc.load(bytes_of(tc.to_xnn(tosa)))
    for old, new in zip((source.main.inputs, source.main.outputs), (back.main.inputs, back.main.outputs), strict=True):
        assert [value.type[::2] for value in new] == [value.type[::2] for value in old]
    inputs = tc.random_inputs(tosa, seed=0)
    expected = list(tc.run(tosa, inputs).values())
    for x, y in zip(expected, computed(tc.load(bytes_of(tc.to_xnn(tosa))), tuple(inputs.values())), strict=True):
        np.testing.assert_array_equal(x.view(np.int8), y.view(np.int8))


@pytest.mark.parametrize("axes", [(1,), (2,), (1, 2), (2, 1)])
def test_means_of_bytes_are_windows_as_large_as_the_image(axes: tuple[int, ...]) -> None:
    b, x = graph_input(2, 4, 8, 64, dtype=DType.I8)
    total = apply(b, rescale, x, DType.I32, [1 << 30], [30], input_zp=3)
    for axis in axes:
        total = apply(b, reduce, ops.REDUCE_SUM, total, axis)
    real = b.cast(total, DType.FP32)
    steps = b.cast(b.mul(real, b.scalar(0.03125, real)), DType.I32)
    y = apply(b, rescale, steps, DType.I8, [1 << 30], [30], output_zp=-4)
    assert "depthwise_conv_2d" in compare(b, y=y)


def test_a_product_of_bytes_without_dimensions_is_floats() -> None:
    b, x = graph_input(dtype=DType.I8)
    wide = apply(b, rescale, x, DType.I32, [1 << 30], [30], input_zp=3)
    real = b.cast(b.mul(wide, wide), DType.FP32)
    steps = b.cast(b.mul(real, b.scalar(0.25, real)), DType.I32)
    y = apply(b, rescale, steps, DType.I8, [1 << 30], [30], output_zp=5)
    assert "convert" in compare(b, y=y)
