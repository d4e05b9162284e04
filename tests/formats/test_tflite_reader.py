"""The TFLite reader puts exactly a file's contents into the graph."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.some import some
from support.tflite_models import Operator, Tensor, build

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.formats import flatbuffer, load, parse
from tosa_converter.formats.tflite.writer import write_tflite
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import BuiltinOperator


def model_of(tables: dict[str, Any], content: bytes = b"") -> bytes:
    """Returns a model of one RELU with replaced parts of its tables."""
    tensors = (
        tflite.Tensor(**{"shape": (2,), "name": "x", **tables.pop("x", {})}),
        tflite.Tensor(**{"shape": (2,), "name": "y", **tables.pop("y", {})}),
    )
    operator = tflite.Operator(**{"inputs": (0,), "outputs": (1,), **tables.pop("operator", {})})
    code = tflite.OperatorCode(**{"deprecated_builtin_code": 19, **tables.pop("code", {})})
    graph = tflite.SubGraph(tensors=tensors, inputs=(0,), outputs=(1,), operators=(operator,), name="g")
    root = tflite.Model(
        **{"version": 3, "operator_codes": (code,), "subgraphs": (graph,), "buffers": (tflite.Buffer(),), **tables}
    )
    return b"".join(map(bytes, flatbuffer.write(root, b"TFL3"))) + content


def relu_name(**code: int) -> str:
    return parse(model_of({"code": code})).main.ops[0].name


def test_builtin_codes_are_read_from_both_fields() -> None:
    assert relu_name() == "tfl.relu"
    assert relu_name(builtin_code=BuiltinOperator.RELU) == "tfl.relu"
    assert relu_name(deprecated_builtin_code=127, builtin_code=BuiltinOperator.RELU_0_TO_1) == "tfl.relu_0_to_1"
    with pytest.raises(
        FormatError, match=r"operator_codes\[0\].builtin_code at byte .*BuiltinOperator has no value 99999"
    ):
        parse(unknown_code(99999))
    with pytest.raises(FormatError, match="PLACEHOLDER_FOR_GREATER_OP_CODES is not the code of an operator"):
        relu_name(deprecated_builtin_code=127)


def unknown_code(code: int) -> bytes:
    """Returns a file with an extended builtin code that no enumeration has."""
    content = model_of({"code": {"builtin_code": BuiltinOperator.RELU, "deprecated_builtin_code": 0}})
    place = content.rindex(struct.pack("<i", int(BuiltinOperator.RELU)))
    return content[:place] + struct.pack("<i", code) + content[place + 4 :]


def test_operators_are_read_one_to_one_with_locations_and_attributes() -> None:
    tensors = [Tensor((1, 4, 4, 1), signature=(-1, 4, 4, 1)), Tensor((1, 2, 2, 1))]
    options = {"stride_w": 2, "stride_h": 2, "filter_width": 2, "filter_height": 2}
    model = parse(build(tensors, [Operator(BuiltinOperator.MAX_POOL_2D, (0,), (1,), options)], (0,), (1,)))
    (op,) = model.main.ops
    assert op.name == "tfl.max_pool_2d"
    assert op.location == "main:0 MAX_POOL_2D 't1'"
    assert op.attributes["filter_height"] == 2
    assert op.attributes["padding"] is tflite.Padding.SAME
    (x,) = model.main.inputs
    assert x.type.shape == (None, 4, 4, 1)
    assert model.default_shapes[x] == (1, 4, 4, 1)


def test_weights_are_views_of_the_mapped_file(tmp_path: Path) -> None:
    weights = np.arange(5000, dtype=np.float32)
    tensors = [Tensor((5000,)), Tensor((5000,), data=weights), Tensor((5000,))]
    (tmp_path / "m.tflite").write_bytes(build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0,), (2,)))
    model = load(tmp_path / "m.tflite")
    constant = some(model.main.ops[0].result.constant)
    assert np.array_equal(constant, weights)
    assert not constant.flags.owndata
    assert not constant.flags.writeable


def test_buffers_behind_the_flatbuffer_are_read() -> None:
    data = np.array([1.5, -2.5], np.float32)
    plain = len(model_of({"x": {"buffer": 1}, "buffers": (tflite.Buffer(), tflite.Buffer(offset=9999, size=8))}))
    buffers = (tflite.Buffer(), tflite.Buffer(offset=plain, size=8))
    operator = {"inputs": (0,), "outputs": (1,)}
    content = model_of({"x": {"buffer": 1}, "buffers": buffers, "operator": operator}, data.tobytes())
    graph = flatbuffer.read(tflite.Model, content, b"TFL3").subgraphs[0]
    assert graph.inputs == (0,)  # an input stays one, constant or not
    assert parse(content).main.inputs[0].name == "x"
    with pytest.raises(FormatError, match="buffer 1 takes bytes"):
        parse(constant_input(content, plain)[:-1])
    assert some(parse(constant_input(content, plain)).main.ops[0].result.constant).tolist() == [1.5, -2.5]


def constant_input(content: bytes, plain: int) -> bytes:
    """Returns the model with the tensor as a constant instead of an input."""
    root = flatbuffer.read(tflite.Model, content, b"TFL3")
    graph = root.subgraphs[0]
    graph.inputs = ()
    size = 0
    while True:  # the offset is part of the flatbuffer that it points behind
        root.buffers[1].offset = size
        encoded = b"".join(map(bytes, flatbuffer.write(root, b"TFL3")))
        if len(encoded) == size:
            return encoded + content[plain:]
        size = len(encoded)


def test_signatures_metadata_and_description_are_read() -> None:
    signature = tflite.SignatureDef(
        inputs=(tflite.TensorMap(name="in", tensor_index=0),),
        outputs=(tflite.TensorMap(name="out", tensor_index=1),),
        signature_key="serve",
    )
    blob = np.frombuffer(b"1.2.3", np.uint8)
    model = parse(
        model_of(
            {
                "signature_defs": (signature,),
                "metadata": (tflite.Metadata(name="min_runtime_version", buffer=1),),
                "buffers": (tflite.Buffer(), tflite.Buffer(data=blob)),
                "description": "a model",
            }
        )
    )
    assert {k: v.name for k, v in model.signatures["serve"].inputs.items()} == {"in": "x"}
    assert model.metadata["min_runtime_version"].tobytes() == b"1.2.3"
    assert model.metadata["description"] == "a model"


def test_quantization_is_read_per_tensor_and_per_axis() -> None:
    tensors = [
        Tensor((2, 3), "int8", scale=0.5, zero_point=7),
        Tensor((2, 3), "int8", np.zeros((2, 3)), scale=[0.5, 0.25], axis=0),
        Tensor((2, 3), "int8", scale=0.5),
    ]
    model = parse(build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0,), (2,)))
    assert some(model.main.inputs[0].type.quant).zero_point == (7,)
    quant = some(model.main.ops[0].result.type.quant)
    assert (quant.scale, quant.zero_point, quant.axis) == ((0.5, 0.25), (0, 0), 0)
    tensors[1] = Tensor((2, 3), "int8", np.zeros((2, 3)), scale=[0.5, 0.25, 0.125], axis=0)
    with pytest.raises(FormatError, match=r"3 scales along axis 0 of shape \[2, 3\]"):
        parse(build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0,), (2,)))


def test_int4_weights_are_two_to_a_byte_low_half_first() -> None:
    table = {"type": tflite.TensorType.INT4, "shape": (3,), "buffer": 1}
    root = flatbuffer.read(tflite.Model, model_of({}), b"TFL3")
    graph = root.subgraphs[0]
    graph.inputs = ()
    graph.tensors[0].__dict__.update(table)
    graph.operators, graph.outputs = (), (0,)
    root.buffers = (tflite.Buffer(), tflite.Buffer(data=np.array([0x8F, 0x07], np.uint8)))
    model = parse(b"".join(map(bytes, flatbuffer.write(root, b"TFL3"))))
    constant = model.main.ops[0].result
    assert constant.type.dtype is DType.I4
    assert some(constant.constant).tolist() == [-1, -8, 7]


@pytest.mark.parametrize(("dtype", "low", "high"), [("int2", -2, 1), ("int4", -8, 7)])
def test_small_integers_are_written_back_as_they_were(dtype: str, low: int, high: int) -> None:
    for count in range(1, 10):
        values = np.random.default_rng(count).integers(low, high + 1, count).astype(np.int8)
        data = build([Tensor((count,), dtype, values, scale=0.5)], [], (), (0,))
        model = parse(data)
        np.testing.assert_array_equal(some(model.main.ops[0].result.constant), values)
        reread = parse(b"".join(map(bytes, write_tflite(model))))
        np.testing.assert_array_equal(some(reread.main.ops[0].result.constant), values)


def test_custom_options_are_kept_as_bytes() -> None:
    flexbuffers = pytest.importorskip("flatbuffers.flexbuffers")
    builder = flexbuffers.Builder()
    with builder.Map():
        builder.Key("stride")
        builder.Int(2)
    options = bytes(builder.Finish())
    tensors = [Tensor((2,)), Tensor((2,))]
    operator = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Mystery", custom_options=options)
    (op,) = parse(build(tensors, [operator], (0,), (1,))).main.ops
    assert op.attributes["custom_code"] == "Mystery"
    from tosa_converter.formats.flexbuffer import decode

    assert decode(op.attributes["custom_options"]) == {"stride": 2}
    with pytest.raises(FormatError, match="flexbuffer"):
        decode(options[:-1] + b"\xff")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"operator": {"inputs": (7,)}}, r"operators\[0\]: no tensor 7, there are 2"),
        ({"operator": {"inputs": (-2,)}}, "no tensor -2"),
        ({"operator": {"outputs": (0,)}}, r"tensor 0 \('x'\) is made twice"),
        ({"operator": {"opcode_index": 3}}, "no operator code 3"),
        ({"operator": {"inputs": ()}}, "RELU 'y': expected 1 operands, found 0"),
        ({"operator": {"inputs": (1,)}}, r"fp32\[2\] is no input, has no data, and no operator before makes it"),
        ({"operator": {"builtin_options": tflite.Pool2DOptions()}}, None),
        ({"x": {"shape": (-7,)}}, r"a shape of \[-7\]"),
        ({"y": {"buffer": 9}, "operator": {"inputs": (1,), "outputs": (0,)}}, "made twice|no buffer 9"),
        ({"subgraphs": ()}, "expected at least one subgraph"),
    ],
)
def test_indices_that_point_nowhere_are_refused(change: dict[str, Any], message: str | None) -> None:
    content = model_of(change)
    if message is None:  # RELU has no options table of its own; a stray one is harmless
        assert parse(content).main.ops[0].name == "tfl.relu"
        return
    with pytest.raises(FormatError, match=message):
        parse(content, file="m.tflite")


def test_a_wrong_options_table_is_refused() -> None:
    tensors = [Tensor((2,)), Tensor((2,)), Tensor((2,))]
    content = build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0, 1), (2,))
    root = flatbuffer.read(tflite.Model, content, b"TFL3")
    root.subgraphs[0].operators[0].builtin_options = tflite.Pool2DOptions()
    with pytest.raises(FormatError, match="expected AddOptions, found Pool2DOptions"):
        parse(b"".join(map(bytes, flatbuffer.write(root, b"TFL3"))))


def test_a_file_of_more_than_two_gigabytes_is_read(tmp_path: Path) -> None:
    """The weights lie behind the flatbuffer, out of reach of its offsets; the file is sparse and takes no disk."""
    place = 2**31 + 2**29
    buffers = (tflite.Buffer(), tflite.Buffer(offset=place, size=8))
    root = flatbuffer.read(tflite.Model, model_of({"x": {"buffer": 1}, "buffers": buffers}), b"TFL3")
    root.subgraphs[0].inputs = ()
    path = tmp_path / "large.tflite"
    with path.open("wb") as file:
        file.writelines(flatbuffer.write(root, b"TFL3"))
        file.seek(place)
        file.write(np.array([1.5, -2.5], np.float32).tobytes())
    assert path.stat().st_size > 2**31
    assert some(load(path).main.ops[0].result.constant).tolist() == [1.5, -2.5]
