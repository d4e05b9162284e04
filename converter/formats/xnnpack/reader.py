"""The XNNGraph reader (the fb_xnnpack schema): a graph becomes `xnn.*` operators one to one."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.elements import shaped
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas import xnn_ops, xnnpack
from tosa_converter.schemas.xnnpack import XNNDatatype

DTYPES = {
    XNNDatatype.xnn_datatype_fp32: DType.FP32,
    XNNDatatype.xnn_datatype_fp16: DType.FP16,
}
MAX_RANK = 6  # XNN_MAX_TENSOR_DIMS


def looks_like_xnnpack(data: flatbuffer.Bytes) -> bool:
    """Whether the bytes may be a graph of this schema, which has no identifier: the root has a sane vtable."""
    try:
        flatbuffer.Reader(data).root_slots()
    except FormatError:
        return False
    return True


def read_xnnpack(data: flatbuffer.Bytes, *, file: str = "") -> Model:
    """Decode an XNNGraph; values are called v0, v1, ... after their ids.

    Inputs and outputs come in the order of `input_ids` and `output_ids`. A constant may have more bytes than its shape
    needs (it was cut from a larger storage), never fewer.

    Raises:
        FormatError: malformed bytes, ids that point nowhere, a value used before it is made.
        UnsupportedError: quantized values, whose parameters this schema has no place for, and node types it doesn't
            know, all of them.
    """
    try:
        return _Reader(flatbuffer.read(xnnpack.XNNGraph, data, xnnpack.IDENTIFIER, file=file)).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Reader:
    def __init__(self, root: xnnpack.XNNGraph) -> None:
        self.root = root
        self.graph = Graph("main")
        self.made: dict[int, Value] = {}
        if not root.xvalues:
            raise FormatError("expected at least one value, found none", path="XNNGraph.xvalues")
        self.tensors: dict[int, xnnpack.XNNTensorValue] = {}
        for i, entry in enumerate(root.xvalues):
            self._declare(entry, f"XNNGraph.xvalues[{i}]")
        self._refuse()

    def model(self, file: str) -> Model:
        for id in self.root.input_ids:
            self.graph.inputs.append(self._make(id, Value(self._type(id), f"v{id}"), "XNNGraph.input_ids"))
        for i, node in enumerate(self.root.xnodes):
            self._node(node, i)
        self.graph.outputs = [self._use(id, "XNNGraph.output_ids") for id in self.root.output_ids]
        signature = Signature("main", {v.name: v for v in self.graph.inputs}, {v.name: v for v in self.graph.outputs})
        return Model({"main": self.graph}, {"main": signature}, {"version": self.root.version}, file, empty="xnn")

    def _declare(self, entry: xnnpack.XValue, place: str) -> None:
        tensor = entry.xvalue
        if not isinstance(tensor, xnnpack.XNNTensorValue):
            raise FormatError(f"expected XNNTensorValue, found {tensor!r}", path=place)
        if tensor.id_out in self.tensors:
            raise FormatError(f"two values have id {tensor.id_out}", path=place)
        if tensor.num_dims > MAX_RANK or len(tensor.dims) != tensor.num_dims:
            raise FormatError(
                f"num_dims {tensor.num_dims} and {len(tensor.dims)} dims (at most {MAX_RANK})", path=place
            )
        self.tensors[tensor.id_out] = tensor

    def _refuse(self) -> None:
        """What this schema can't say or this reader doesn't know, all at once."""
        problems = [
            f"value {id}: {tensor.datatype.name} without quantization parameters"
            for id, tensor in self.tensors.items()
            if tensor.datatype in (XNNDatatype.xnn_datatype_qint8, XNNDatatype.xnn_datatype_qint32)
        ]
        problems += [
            f"node {i}: a node type this schema doesn't have ({node.xnode!r})"
            for i, node in enumerate(self.root.xnodes)
            if type(node.xnode) not in xnn_ops.BY_TABLE
        ]
        if problems:
            raise UnsupportedError(*problems)

    def _tensor(self, id: int, place: str) -> xnnpack.XNNTensorValue:
        if id not in self.tensors:
            raise FormatError(f"no value has id {id}", path=place)
        return self.tensors[id]

    def _type(self, id: int) -> TensorType:
        tensor = self._tensor(id, "XNNGraph")
        if tensor.datatype not in DTYPES:
            raise FormatError(f"value {id} has datatype {tensor.datatype.name}", path="XNNGraph.xvalues")
        return TensorType(DTYPES[tensor.datatype], tuple(tensor.dims))

    def _make(self, id: int, value: Value, place: str) -> Value:
        if id in self.made:
            raise FormatError(f"value {id} is made twice", path=place)
        self.made[id] = value
        return value

    def _use(self, id: int, place: str) -> Value:
        found = self.made.get(id)
        if found is not None:
            return found
        tensor = self._tensor(id, place)
        if tensor.constant_buffer_idx == 0:
            raise FormatError(f"value {id} is used before a node makes it", path=place)
        return self._constant(id, tensor, place)

    def _constant(self, id: int, tensor: xnnpack.XNNTensorValue, place: str) -> Value:
        type = self._type(id)
        buffers = self.root.constant_buffer
        if tensor.constant_buffer_idx >= len(buffers):
            raise FormatError(f"no constant buffer {tensor.constant_buffer_idx}, there are {len(buffers)}", path=place)
        storage = buffers[tensor.constant_buffer_idx].storage
        raw = np.zeros(0, np.uint8) if storage is None else storage
        need = type.elements * type.dtype.numpy.itemsize
        if raw.size < need:
            raise FormatError(f"expected {need} bytes for constant {type}, found {raw.size}", path=place)
        values = shaped(raw[:need].view(type.dtype.numpy), type.static)
        op = Op("xnn.const", (), [type], {"values": values}, location=f"value {id}", result_names=[f"v{id}"])
        self.graph.ops.append(op)
        return self._make(id, op.result, place)

    def _node(self, node: xnnpack.XNode, index: int) -> None:
        table = node.xnode
        assert table is not None  # _refuse has seen to it
        row = xnn_ops.BY_TABLE[type(table)]
        fields = dict(table.fields())
        place = f"XNNGraph.xnodes[{index}]"
        inputs = [self._use(fields.pop(name), place) for name in row.operands]
        ids = [fields.pop(name) for name in row.results]
        op = Op(
            row.opcode,
            inputs,
            [self._type(id) for id in ids],
            fields,
            location=f"main:{index} {type(table).__name__} handle {node.debug_handle}",
            result_names=[f"v{id}" for id in ids],
        )
        self.graph.ops.append(op)
        for id, value in zip(ids, op.results, strict=True):
            self._make(id, value, place)
