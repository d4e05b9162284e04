"""Indices into a file's own tables: the last one is read, the next one is refused by name."""

from collections.abc import Callable
from typing import Any

import pytest
from support.xnnpack_cases import cases
from support.xnnpack_graphs import official_graph, parts, program

from tosa_converter.errors import FormatError
from tosa_converter.formats import flatbuffer, parse
from tosa_converter.schemas import tflite, tosa, xnnpack

Change = Callable[[Any, int], object]


def refusal(data: bytes) -> str:
    """Returns the message of the refusal, empty if the file is read."""
    try:
        parse(data)
    except FormatError as error:
        return str(error)
    return ""


# ** TFLite **


def relu() -> tflite.Model:
    """Returns a model of one RELU with a signature, whose buffers and codes are all used."""
    tensors = tuple(tflite.Tensor(shape=(2,), name=name, buffer=1) for name in "xy")
    operator = tflite.Operator(inputs=(0,), outputs=(1,))
    graph = tflite.SubGraph(tensors=tensors, inputs=(0,), outputs=(1,), operators=(operator,), name="g")
    maps = [(tflite.TensorMap(name=name, tensor_index=i),) for i, name in enumerate(("in", "out"))]
    signature = tflite.SignatureDef(signature_key="s", inputs=maps[0], outputs=maps[1])
    return tflite.Model(
        version=3,
        operator_codes=(tflite.OperatorCode(deprecated_builtin_code=19, builtin_code=tflite.BuiltinOperator.RELU),),
        subgraphs=(graph,),
        buffers=(tflite.Buffer(), tflite.Buffer()),
        signature_defs=(signature,),
    )


def graph_of(root: tflite.Model) -> tflite.SubGraph:
    return root.subgraphs[0]


def constant(root: tflite.Model, index: int) -> None:
    """Turns the only input into a constant in a buffer."""
    graph_of(root).inputs, graph_of(root).tensors[0].buffer = (), index


TFLITE: dict[str, tuple[Change, int, str]] = {  # the number of items, and the error for the next index
    "inputs": (lambda r, i: setattr(graph_of(r), "inputs", (0, i)), 2, "no tensor 2, there are 2"),
    "outputs": (lambda r, i: setattr(graph_of(r), "outputs", (i,)), 2, "no tensor 2, there are 2"),
    "operands": (lambda r, i: setattr(graph_of(r).operators[0], "inputs", (i,)), 2, "no tensor 2, there are 2"),
    "results": (lambda r, i: setattr(graph_of(r).operators[0], "outputs", (i,)), 2, "no tensor 2, there are 2"),
    "codes": (lambda r, i: setattr(graph_of(r).operators[0], "opcode_index", i), 1, "no operator code 1"),
    "buffers": (constant, 2, "no buffer 2"),
    "graphs": (lambda r, i: setattr(r.signature_defs[0], "subgraph_index", i), 1, "no subgraph 1"),
    "signature": (lambda r, i: setattr(r.signature_defs[0].outputs[0], "tensor_index", i), 2, "tensor 2 is neither"),
}


@pytest.mark.parametrize("name", TFLITE)
def test_indices_in_tflite_are_read_up_to_the_last(name: str) -> None:
    change, count, message = TFLITE[name]
    for index in (count - 1, count):
        root = relu()
        change(root, index)
        words = refusal(b"".join(map(bytes, flatbuffer.write(root, b"TFL3"))))
        assert (message in words) == (index == count), words


@pytest.mark.parametrize("name", ["inputs", "outputs", "results"])
def test_no_tensor_is_numbered_below_0(name: str) -> None:
    root = relu()
    TFLITE[name][0](root, -1)
    assert "no tensor -1, there are 2" in refusal(b"".join(map(bytes, flatbuffer.write(root, b"TFL3"))))


# ** TOSA **


@pytest.mark.parametrize("row", ["VARIABLE_READ", "VARIABLE_WRITE"])
@pytest.mark.parametrize(("name", "declared"), [("v", True), ("x", False), ("w", False)])
def test_only_variables_are_read_and_written(row: str, name: str, declared: bool) -> None:
    """`x` is a tensor but no variable, `w` doesn't exist."""
    attribute = tosa.ATTRIBUTES[tosa.Op[row]]()
    tensors = [tosa.TosaTensor(name=text, shape=(2,), type=tosa.DType.INT8, variable=text == "v") for text in "vxy"]
    ends: dict[str, Any] = (
        {"inputs": (name,), "outputs": ("y",)} if row == "VARIABLE_READ" else {"inputs": ("x",), "outputs": (name,)}
    )
    operator = tosa.TosaOperator(op=tosa.Op[row], attribute=attribute, **ends)
    outputs = ("y",) if row == "VARIABLE_READ" else ("x",)
    block = tosa.TosaBasicBlock(
        name="main", tensors=tuple(tensors), operators=(operator,), inputs=("x",), outputs=outputs
    )
    root = tosa.TosaGraph(
        version=tosa.Version(_major=1, _minor=0, _patch=0, _draft=False),
        regions=(tosa.TosaRegion(name="main", blocks=(block,)),),
    )
    message = refusal(b"".join(map(bytes, flatbuffer.write(root, tosa.IDENTIFIER))))
    assert (f"{name!r} is not a variable" in message) == (not declared), message


# ** XNNGraph and programs **


@pytest.mark.parametrize("index", [0, 1, 2])
def test_constants_of_an_xnngraph_are_read_up_to_the_last(index: int) -> None:
    """Constant 0 stands for no data; a scale can't refer to it either."""
    messages = {0: "value 1 is used before a node makes it", 1: "", 2: "no constant buffer 2, there are 2"}
    assert refusal(official_graph(constant_index=index)).endswith(messages[index])
    root = flatbuffer.read(xnnpack.XNNGraph, official_graph(), b"")
    tensor = root.xvalues[2].xvalue
    assert isinstance(tensor, xnnpack.XNNTensorValue)
    tensor.datatype = xnnpack.XNNDatatype.xnn_datatype_qcint32
    quant = xnnpack.PerChannelQuant(channel_dim=0, num_scales=3, scale_buffer_idx=index, scale=())
    root.xvalues[2].xvalue = xnnpack.XNNQuantizedTensorValue(tensor_value=tensor, quant_params=quant)
    message = refusal(b"".join(map(bytes, flatbuffer.write(root, b"XN01"))))
    assert ("no constant buffer" in message) == (index == 2), message


@pytest.mark.parametrize("rank", [6, 7])
def test_a_value_has_up_to_6_dimensions(rank: int) -> None:
    root = flatbuffer.read(xnnpack.XNNGraph, official_graph(), b"")
    for value in root.xvalues:
        assert isinstance(value.xvalue, xnnpack.XNNTensorValue)
        value.xvalue.dims = (1,) * (rank - len(value.xvalue.dims)) + tuple(value.xvalue.dims)
        value.xvalue.num_dims = rank
    message = refusal(b"".join(map(bytes, flatbuffer.write(root, b""))))
    assert message == ("" if rank == 6 else "XNNGraph.xvalues[0]: num_dims 7 and 7 dims (at most 6)")
    first = root.xvalues[0].xvalue
    assert isinstance(first, xnnpack.XNNTensorValue)
    first.num_dims = rank - 1
    message = refusal(b"".join(map(bytes, flatbuffer.write(root, b""))))
    assert message == f"XNNGraph.xvalues[0]: num_dims {rank - 1} and {rank} dims (at most 6)"


@pytest.mark.parametrize("more", [-1, 0])
def test_segments_of_a_program_are_read_up_to_the_last(more: int) -> None:
    root, segments = parts(cases("networks")["mlp.pte"].data)
    count = len(root.segments)
    root.named_data[0].segment_index = count + more
    message = refusal(program(root, segments))
    assert (f"no segment {count}, there are {count}" in message) == (more == 0), message
