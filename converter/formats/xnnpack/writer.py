"""The XNNGraph writer: an `xnn.*` graph back into the fb_xnnpack schema."""

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.xnnpack.reader import DTYPES
from tosa_converter.ir import Model, Op, Value
from tosa_converter.schemas import xnn_ops, xnnpack

_DATATYPES = {dtype: datatype for datatype, dtype in DTYPES.items()}


def write_xnnpack(model: Model) -> list[flatbuffer.Bytes]:
    """Encode an XNNPACK model as the pieces of a file; values are numbered in order of appearance.

    Raises:
        UnsupportedError: an operator or element type that the schema doesn't have.
    """
    return flatbuffer.write(_Writer(model).root, xnnpack.IDENTIFIER)


class _Writer:
    def __init__(self, model: Model) -> None:
        graph = model.main
        self.ids: dict[Value, int] = {}
        self.values: list[xnnpack.XValue] = []
        self.buffers = [xnnpack.Buffer()]
        inputs, outputs = set(graph.inputs), set(graph.outputs)
        self.flags = {
            value: xnnpack.FLAG_EXTERNAL_INPUT * (value in inputs) | xnnpack.FLAG_EXTERNAL_OUTPUT * (value in outputs)
            for value in inputs | outputs
        }
        self.externs = {value: i for i, value in enumerate([*graph.inputs, *graph.outputs])}
        input_ids = tuple(map(self.id, graph.inputs))
        nodes = tuple(self.node(op) for op in graph.ops if op.name != "xnn.const")
        self.root = xnnpack.XNNGraph(
            version=str(model.metadata.get("version", "")),
            xnodes=nodes,
            xvalues=tuple(self.values),
            num_externs=len(self.externs),
            input_ids=input_ids,
            output_ids=tuple(map(self.id, graph.outputs)),
            constant_buffer=tuple(self.buffers),
            mem_buffer_sizes=tuple(0 if b.storage is None else b.storage.size for b in self.buffers),
        )

    def id(self, value: Value) -> int:
        found = self.ids.get(value)
        if found is None:
            found = self.ids[value] = len(self.values)
            self.values.append(xnnpack.XValue(xvalue=self.tensor(value, found)))
        return found

    def tensor(self, value: Value, id: int) -> xnnpack.XNNTensorValue:
        if value.type.dtype not in _DATATYPES:
            raise UnsupportedError(f"XNNGraph has no element type {value.type.dtype.value}")
        return xnnpack.XNNTensorValue(
            datatype=_DATATYPES[value.type.dtype],
            num_dims=value.type.rank,
            dims=value.type.static,
            constant_buffer_idx=self.buffer(value),
            external_id=self.externs.get(value, xnnpack.INVALID_VALUE_ID),
            flags=self.flags.get(value, 0),
            id_out=id,
        )

    def buffer(self, value: Value) -> int:
        if value.constant is None:
            return 0
        storage = np.ascontiguousarray(value.constant).reshape(-1).view(np.uint8)
        self.buffers.append(xnnpack.Buffer(storage=storage))
        return len(self.buffers) - 1

    def node(self, op: Op) -> xnnpack.XNode:
        row = xnn_ops.BY_OPCODE.get(op.name)
        if row is None:
            raise UnsupportedError(f"{op.location}: {op.name} is not a node of XNNGraph")
        ids = dict(zip(row.operands, map(self.id, op.operands), strict=True))
        ids |= dict(zip(row.results, map(self.id, op.results), strict=True))
        return xnnpack.XNode(xnode=row.table(**ids, **op.attributes))
