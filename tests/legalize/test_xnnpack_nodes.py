"""Conversions of XNNGraphs equal the real XNNPACK, run by ExecuTorch (models/make_xnnpack.py)."""

import json

import numpy as np
import pytest
from support.commands import MODELS
from support.xnnpack_cases import FOLDER, GROUPS, PROGRAMS, XnnpackCase, cases, every_case
from support.xnnpack_graphs import attention

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import engine_named
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import encode, parse
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.schemas import aten_ops, xnn_ops, xnnpack

# Of the largest element: fp32 by `verify`'s rule; XNNPACK has no product of fp16 that isn't rounded to it, TOSA's sums
# are in fp32. Inputs quantized at run time have exact sums, which XNNPACK scales with one rounding less.
TOLERANCES = {"fp32": 1e-5, "fp16": 2e-3, "qint8": 0.0, "quint8": 0.0} | dict.fromkeys(PROGRAMS, 1e-5)
AT_RUN_TIME = 4e-6
UNJUDGED = {"scaled_dot_product_attention"}  # ExecuTorch 1.5 doesn't run it: other nodes judge it below


def arguments(model: Model, case: XnnpackCase) -> dict[str, Array]:
    """Returns inputs by name; integers in TOSA's types."""
    tosa_types = {np.dtype(np.uint8): np.int8, np.dtype(np.int64): np.int32}
    pairs = zip(model.main.inputs, case.inputs, strict=True)
    return {value.name: x.astype(tosa_types.get(x.dtype, x.dtype)) for value, x in pairs}


def outputs(model: Model, case: XnnpackCase, **options: str) -> list[Array]:
    """Returns the outputs of a conversion, in order."""
    return list(tc.run(tc.convert(model, **options), arguments(model, case)).values())  # type: ignore[arg-type]


def distance(expected: Array, output: Array) -> float:
    """Returns the largest difference, for floats as a part of the largest element."""
    assert expected.shape == output.shape
    if expected.dtype.kind != "f":
        return float(np.count_nonzero(expected.astype(output.dtype) != output))
    finite = np.isfinite(expected)
    assert np.array_equal(expected[~finite], output[~finite], equal_nan=True)
    a, b = expected[finite].astype(np.float64), output[finite].astype(np.float64)
    return float(np.abs(a - b).max(initial=0) / np.abs(a).max(initial=1e-30))


def tolerance(case: XnnpackCase, model: Model) -> float:
    """Returns the tolerance of a case's outputs."""
    if any(x.dtype == np.float16 for x in case.outputs):
        return TOLERANCES["fp16"]
    dynamic = any(value.type.quant and value.type.quant.rows for op in model.main for value in op.results)
    return AT_RUN_TIME if dynamic else TOLERANCES[case.group]


@pytest.mark.parametrize("case", list(every_case()), ids=lambda c: c.label)
def test_a_conversion_equals_xnnpack(case: XnnpackCase) -> None:
    model = parse(case.data)
    for expected, output in zip(case.outputs, outputs(model, case), strict=True):
        assert distance(expected, output) <= tolerance(case, model)


@pytest.mark.parametrize("case", list(every_case()), ids=lambda c: c.label)
def test_a_graph_written_as_tflite_equals_litert(case: XnnpackCase) -> None:
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    model = parse(case.data)
    back = parse(b"".join(map(bytes, encode(tc.to_tflite(tc.convert(model)), ".tflite"))))
    pairs = zip(back.main.inputs, arguments(model, case).values(), strict=True)
    feed = {value.name: in_type_of(value, array) for value, array in pairs}
    outputs_by_name = engine_named("litert").run(back, feed)
    for expected, array in zip(case.outputs, outputs_by_name.values(), strict=True):
        assert distance(expected, array) <= tolerance(case, model)


def in_type_of(value: Value, array: Array) -> Array:
    """Returns TOSA's integers in the type of the source, which the written file has again: the same bits, or 64."""
    dtype = value.type.dtype.numpy
    return array.view(dtype) if array.dtype.itemsize == dtype.itemsize else array.astype(dtype)


def test_every_node_is_judged() -> None:
    judged = {op.name for case in every_case() for op in parse(case.data).main}
    assert {row.opcode for row in xnn_ops.OPERATORS} == (judged & xnn_ops.BY_OPCODE.keys()) | {
        f"xnn.{name}" for name in UNJUDGED
    }
    # Programs that write state have ExecuTorch's outputs over several runs (test_program_states.py).
    stateful = {op.name for path in (MODELS / "programs").glob("*.pte") for op in tc.load(path).main}
    assert judged | stateful >= aten_ops.BY_OPCODE.keys()


def test_rows_quantized_at_run_time_equal_xnnpack_bit_for_bit() -> None:
    for group in ("fp32", "fp16"):
        case = cases(group)["rows.xnn"]
        (output,) = outputs(parse(case.data), case)
        assert np.array_equal(output, case.outputs[0])


def test_compact_numerics_are_off_by_one_at_ties_with_a_note() -> None:
    case = cases("qint8")["conv.xnn"]
    model = parse(case.data)
    converted = tc.convert(model, numerics="compact")
    assert [op.name for op in converted.main if "const" not in op.name] == ["tosa.conv2d", "tosa.rescale", "tosa.clamp"]
    assert "differ by 1 step" in converted.report.notes[0].text
    (output,) = tc.run(converted, arguments(model, case)).values()
    assert np.abs(output.astype(int) - case.outputs[0]).max() <= 1


def test_attention_equals_its_nodes() -> None:
    """ExecuTorch doesn't run ScaledDotProductAttention; XNNPACK computes it by other nodes here."""
    for group in ("fp32", "fp16"):
        case = cases(group)["attention_of_parts.xnn"]
        (output,) = outputs(attention(DType(group)), case)
        assert distance(case.outputs[0], output) <= TOLERANCES[group]


def test_dilated_windows_in_the_padding_are_refused() -> None:
    model = parse(cases("fp32")["max_pool_dilated.xnn"].data)
    model.main.inputs[0].type = model.main.inputs[0].type._replace(shape=(1, 9, 1, 3))
    window = {"pooling_width": 2, "dilation_width": 2, "padding_left": 1, "padding_right": 1}
    model.main.ops[-1].attributes.update(window)
    with pytest.raises(UnsupportedError, match="one that lies in the padding"):
        tc.convert(model)


def test_a_transposed_first_operand_equals_a_transpose() -> None:
    """ExecuTorch 1.5 refuses XNNPACK's flag for it."""
    case = cases("fp32")["matrices.xnn"]
    model = parse(case.data)
    x = model.main.inputs[0]
    x.type = x.type._replace(shape=(2, 4, 3))
    model.main.ops[-1].attributes["flags"] = xnnpack.FLAG_TRANSPOSE_A
    turned = case._replace(inputs=(case.inputs[0].transpose(0, 2, 1), case.inputs[1]))
    assert distance(case.outputs[0], outputs(model, turned)[0]) <= TOLERANCES["fp32"]


@pytest.mark.parametrize("file", ["transposed.xnn", "transposed_grouped.xnn", "transposed_dilated.xnn", "largest.xnn"])
def test_fp16_where_xnnpack_has_no_kernel_is_fp32_rounded(file: str) -> None:
    case = cases("fp32")[file]
    model = parse(case.data)
    for value in (*model.main.inputs, *(value for op in model.main for value in op.results)):
        if value.type.dtype is DType.FP32:
            value.type = value.type._replace(dtype=DType.FP16)
    for op in model.main:
        if "values" in op.attributes:
            op.attributes["values"] = op.attributes["values"].astype(np.float16)
    halves = case._replace(inputs=tuple(x.astype(np.float16) for x in case.inputs))
    results = outputs(model, halves)
    assert results[0].dtype == np.float16
    assert distance(case.outputs[0], results[0]) <= TOLERANCES["fp16"]


REFERENCE = ("conv", "fully_connected", "multiply", "prelu", "div", "to_qint8", "resize_7_0", "global_average")


@pytest.mark.parametrize("label", [*(f"qint8-{name}.xnn" for name in REFERENCE), "fp32-rows.xnn", "fp16-rows.xnn"])
def test_the_reference_model_equals_xnnpack(label: str) -> None:
    """Requantization through floats is exact in Arm's model too."""
    pytest.importorskip("tosa_reference_model", reason="tosa-tools is not installed")
    (case,) = [case for case in every_case() if case.label == label]
    model = parse(case.data)
    results = engine_named("tosa-reference-model").run(tc.convert(model), arguments(model, case))
    assert distance(case.outputs[0], next(iter(results.values()))) == 0


def test_written_graphs_compute_the_same() -> None:
    for case in every_case():
        model = parse(case.data)
        if any(op.name in aten_ops.BY_OPCODE for op in model.main):
            continue
        reread = parse(b"".join(map(bytes, encode(model, ".xnn"))))
        assert [(op.name, op.attributes.keys()) for op in reread.main] == [
            (op.name, op.attributes.keys()) for op in model.main
        ]
        assert [value.type for op in reread.main for value in op.results] == [
            value.type for op in model.main for value in op.results
        ]


def test_programs_with_kernels_are_refused_by_their_names() -> None:
    case = cases("networks")["layer_norm.pte"]
    with pytest.raises(UnsupportedError, match=r"aten::native_layer_none\.out.*\na kernel .* that isn't known"):
        tc.convert(parse(case.data.replace(b"aten::native_layer_norm", b"aten::native_layer_none")))
    first, second = (tc.convert(tc.load(case.data, delegate=i)) for i in range(2))
    assert [v.type.shape for v in (*first.main.inputs, *second.main.outputs)] == [(3, 16), (3, 4)]


def test_files_are_small_and_name_their_producer() -> None:
    sizes = [(FOLDER / f"{group}.npz").stat().st_size for group in GROUPS]
    assert max(sizes) < 200_000
    assert sum(sizes) < 1_000_000
    assert {"executorch", "torch", "torchao", "cpu", "vectors"} == json.loads(
        (FOLDER / "made_with.json").read_text()
    ).keys()


@pytest.mark.parametrize(
    ("ratio", "is_taken"), [(2.0**-8, True), (2.0**-8 * 0.999, False), (2.0**7, True), (2.0**7 * 1.001, False)]
)
def test_elements_go_to_scales_up_to_256_times_larger_or_128_times_smaller(ratio: float, is_taken: bool) -> None:
    """These are the limits of xnn_create_convert_nc_qs8."""
    types = [TensorType(DType.I8, (2, 3), Quant((scale,), (0,))) for scale in (ratio / 2, 0.5)]
    x = Value(types[0], "x")
    op = Op("xnn.convert", [x], [types[1]], {"flags": 0}, result_names=["y"])
    model = Model({"main": Graph("main", [x], op.results, [op])}, opset="xnn")
    if is_taken:
        stored = np.array([[-128, -3, -1], [0, 1, 127]], np.int8)
        (output,) = tc.run(tc.convert(model), {"x": stored}).values()
        np.testing.assert_array_equal(output, np.clip(np.floor(stored * ratio + 0.5), -128, 127))
    else:
        with pytest.raises(UnsupportedError, match="expected an input/output scale ratio in"):
            tc.convert(model)


def test_matrices_quantized_at_run_time_may_have_no_batch() -> None:
    case = cases("fp32")["matrices_dynamic.xnn"]
    model = parse(case.data)
    for value in (*model.main.inputs, *(value for op in model.main for value in op.results)):
        value.type = value.type._replace(shape=value.type.static[1:])
    for op in model.main:
        if "values" in op.attributes:
            op.attributes["values"] = op.attributes["values"][0]
            quant = op.result.type.quant
            assert quant is not None
            op.result.type = op.result.type._replace(quant=quant._replace(axis=1))
    (output,) = outputs(model, case._replace(inputs=(case.inputs[0][0],)))
    assert distance(case.outputs[0][0], output) <= AT_RUN_TIME


def test_windows_leave_out_surplus_rows_and_columns() -> None:
    """ArgMaxPooling2d gets an image with surplus rows and columns of larger elements."""
    case = cases("fp32")["largest.xnn"]
    model = parse(case.data)
    (x,) = case.inputs
    larger = np.pad(x, ((0, 0), (0, 2), (0, 1), (0, 0)), constant_values=100)
    model.main.inputs[0].type = model.main.inputs[0].type._replace(shape=larger.shape)
    results = outputs(model, case._replace(inputs=(larger,)))
    for ours, expected in zip(results, case.outputs, strict=True):
        np.testing.assert_array_equal(ours, expected)
