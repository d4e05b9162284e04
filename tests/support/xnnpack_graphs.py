"""XNNGraphs: one built with the official flatbuffers builder, and what models/xnnpack doesn't have."""

import struct

import flatbuffers
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.xnnpack.values import split_header
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import executorch, xnnpack

FP32, QINT8, QINT32 = 1, 3, 4
HEADS = ((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 6), (4,), (3, 5))  # query, key, value, scale, mask


def attention(dtype: DType = DType.FP32) -> Model:
    """ScaledDotProductAttention, which ExecuTorch doesn't run."""
    inputs = [Value(TensorType(dtype, shape), f"v{i}") for i, shape in enumerate(HEADS)]
    made = TensorType(dtype, (1, 2, 3, 6))
    op = Op("xnn.scaled_dot_product_attention", inputs, [made], {"flags": 0}, result_names=["v5"])
    return Model({"main": Graph("main", inputs, op.results, [op])}, opset="xnn")


def official_graph(
    *,
    datatype: int = FP32,
    storage: bytes | None = None,
    constant_index: int = 1,
    output: int = 2,
    node_type: int = 1,
    columns: int = 3,
) -> bytes:
    """v2 = v0 [2, columns] + v1 [3], v1 constant; built slot by slot, with nothing of ours."""
    b = flatbuffers.Builder(256)
    storage = np.array([10, 20, 30], np.float32).tobytes() if storage is None else storage

    def vector(values: list[int]) -> int:
        b.StartVector(4, len(values), 4)
        for value in reversed(values):
            b.PrependUint32(value)
        return int(b.EndVector())

    def offsets(items: list[int]) -> int:
        b.StartVector(4, len(items), 4)
        for item in reversed(items):
            b.PrependUOffsetTRelative(item)
        return int(b.EndVector())

    def value(id: int, dims: list[int], buffer: int, external: int, flags: int) -> int:
        shape = vector(dims)
        b.StartObject(7)
        b.PrependInt16Slot(0, datatype, 0)
        b.PrependUint32Slot(1, len(dims), 0)
        b.PrependUOffsetTRelativeSlot(2, shape, 0)
        b.PrependUint32Slot(3, buffer, 0)
        b.PrependUint32Slot(4, external, 0)
        b.PrependUint32Slot(5, flags, 0)
        b.PrependUint32Slot(6, id, 0)
        tensor = b.EndObject()
        b.StartObject(2)
        b.PrependUint8Slot(0, 1, 0)
        b.PrependUOffsetTRelativeSlot(1, tensor, 0)
        return int(b.EndObject())

    values = offsets(
        [
            value(2, [2, 3], 0, 1, 2),  # the output comes first: values may stand in any order
            value(0, [2, columns], 0, 0, 1),
            value(1, [3], constant_index, 0xFFFFFFFF, 0),
        ]
    )
    b.StartObject(4)
    b.PrependUint32Slot(1, 1, 0)
    b.PrependUint32Slot(2, output, 0)
    add = b.EndObject()
    b.StartObject(3)
    b.PrependUint8Slot(0, node_type, 0)
    b.PrependUOffsetTRelativeSlot(1, add, 0)
    b.PrependUint32Slot(2, 7, 0)
    nodes = offsets([b.EndObject()])
    data = b.CreateByteVector(storage)
    b.StartObject(1)
    empty = b.EndObject()
    b.StartObject(1)
    b.PrependUOffsetTRelativeSlot(0, data, 0)
    buffers = offsets([empty, b.EndObject()])
    version = b.CreateString("ae108ef49aa5623b896fc93d4298c49d1750d9ba")
    inputs, outputs = vector([0]), vector([2])
    b.StartObject(8)
    for slot, offset in enumerate([version, nodes, values]):
        b.PrependUOffsetTRelativeSlot(slot, offset, 0)
    b.PrependUint32Slot(3, 2, 0)
    for slot, offset in ((4, inputs), (5, outputs), (6, buffers)):
        b.PrependUOffsetTRelativeSlot(slot, offset, 0)
    b.Finish(b.EndObject())
    return bytes(b.Output())


def tables(data: bytes) -> tuple[xnnpack.XNNGraph, bytes]:
    """An XN01 graph behind a header as tables, and its constants."""
    inside, behind = split_header(data)
    return flatbuffer.read(xnnpack.XNNGraph, inside, b"XN01"), bytes(behind or b"")


def wrapped(root: xnnpack.XNNGraph, constants: bytes) -> bytes:
    """The file of tables and constants."""
    graph = b"".join(map(bytes, flatbuffer.write(root, b"XN01")))
    return struct.pack("<4x4sHIIIQxx", b"XH00", 30, 32, len(graph), 32 + len(graph), len(constants)) + graph + constants


def program(root: executorch.Program, segments: bytes, base: int = 0) -> bytes:
    """A program with its header, which takes 24 bytes behind the identifier, and segments behind it."""
    written = b"".join(map(bytes, flatbuffer.write(root, executorch.IDENTIFIER)))
    size = len(written) + 24
    header = struct.pack("<4sIQQ", b"eh00", 24, size, base or size)
    return (
        (24 + int.from_bytes(written[:4], "little")).to_bytes(4, "little") + b"ET12" + header + written[8:] + segments
    )


def parts(data: bytes) -> tuple[executorch.Program, bytes]:
    """The tables of a program, and its segments."""
    base = int.from_bytes(data[24:32], "little")
    return flatbuffer.read(executorch.Program, data, executorch.IDENTIFIER), data[base:]
