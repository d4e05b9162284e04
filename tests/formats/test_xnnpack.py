"""An XNNGraph of the official flatbuffers builder is read, converted, run and written back."""

from typing import Any

import numpy as np
import pytest
from support.xnnpack_graphs import QINT8, QINT32, official_graph

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import encode, flatbuffer, parse
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import xnnpack

X = np.arange(6, dtype=np.float32).reshape(2, 3)
SUM = X + np.array([10, 20, 30], np.float32)


def test_an_addition_with_broadcast_is_read_and_converted() -> None:
    model = parse(official_graph())
    assert model.opset == "xnn"
    assert [op.name for op in model.main.ops] == ["xnn.const", "xnn.add"]
    tosa = tc.convert(model)
    assert {op.name for op in tosa.main.ops} <= {"tosa.const", "tosa.const_shape", "tosa.reshape", "tosa.add"}
    assert np.array_equal(tc.run(tosa, {"v0": X})["v2"], SUM)


def test_the_reference_model_agrees() -> None:
    pytest.importorskip("tosa_reference_model", reason="tosa-tools is not installed")
    from tosa_converter.engines import engine_named

    outputs = engine_named("tosa-reference-model").run(tc.convert(parse(official_graph())), {"v0": X})
    assert np.array_equal(outputs["v2"], SUM)


def test_a_graph_is_written_as_it_was_read() -> None:
    model = parse(official_graph())
    reread = parse(b"".join(map(bytes, encode(model, ".xnn"))))
    assert [str(v.type) for v in reread.main.inputs] == [str(v.type) for v in model.main.inputs]
    assert [(op.name, [str(v.type) for v in op.operands]) for op in reread.main.ops] == [
        (op.name, [str(v.type) for v in op.operands]) for op in model.main.ops
    ]
    assert np.array_equal(tc.run(tc.convert(reread), {reread.main.inputs[0].name: X})["v2"], SUM)


def test_a_graph_without_nodes_is_written_if_it_has_a_value() -> None:
    x = Value(TensorType(DType.FP32, (2, 3)), "x")
    constant = Op("xnn.const", (), [x.type], {"values": X})
    for graph, inputs in (
        (Graph("main", [x], [x]), 1),
        (Graph("main", [], [constant.result], [constant]), 0),
    ):
        back = parse(b"".join(map(bytes, encode(Model({"main": graph}, opset="xnn"), ".xnn"))))
        assert (len(back.main.inputs), [str(value.type) for value in back.main.outputs]) == (inputs, ["fp32[2x3]"])
    with pytest.raises(UnsupportedError, match="expected at least one output for a"):
        encode(Model({"main": Graph("main", [], [])}, opset="xnn"), ".xnn")


def test_constants_may_be_cut_from_larger_storage_but_not_be_smaller() -> None:
    longer = np.array([10, 20, 30, 40], np.float32).tobytes()
    assert np.array_equal(tc.run(tc.convert(parse(official_graph(storage=longer))), {"v0": X})["v2"], SUM)
    with pytest.raises(FormatError, match=r"expected 12 bytes .* found 8"):
        parse(official_graph(storage=longer[:8]))


@pytest.mark.parametrize("datatype", [QINT8, QINT32])
def test_quantized_values_without_parameters_are_refused(datatype: int) -> None:
    with pytest.raises(UnsupportedError) as caught:
        parse(official_graph(datatype=datatype))
    assert str(caught.value).count("without quantization parameters") == 3  # all of them


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"constant_index": 0}, "value 1 is used before a node makes it"),
        ({"constant_index": 9}, "no constant buffer 9, there are 2"),
        ({"output": 5}, "no value has id 5"),
        ({"output": 0}, "value 0 is made twice"),
        ({"datatype": 0}, "datatype xnn_datatype_invalid"),
        ({"datatype": 99}, "XNNDatatype has no value 99"),
    ],
)
def test_ids_that_point_nowhere_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(official_graph(**change), file="g.xnn")


def test_an_unknown_node_type_is_refused_by_number() -> None:
    with pytest.raises(UnsupportedError, match=r"node 0: .*tag=48"):
        parse(official_graph(node_type=48))


def test_quantized_rows_keep_the_schemas_numbers() -> None:
    assert [member.value for member in xnnpack.XNNDatatype] == list(range(15))
    assert flatbuffer.read(xnnpack.XNNGraph, official_graph(), b"").num_externs == 2


def test_operands_that_do_not_broadcast_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"expected shapes that broadcast, found .*2x4"):
        tc.convert(parse(official_graph(columns=4)))
