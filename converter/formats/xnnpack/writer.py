"""The XNNGraph writer: an `xnn.*` graph in PyTorch's schema where that has all of it, else in ExecuTorch's XN01."""

import struct
from typing import Any

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.elements import pack
from tosa_converter.formats.xnnpack.values import DATATYPES, PYTORCH, STORED_ZEROS
from tosa_converter.ir import Array, Model, Op, Quant, TensorType, Value
from tosa_converter.schemas import xnn_ops, xnnpack
from tosa_converter.schemas.opsets import XNN_CONSTANT

_DATATYPES = {stored: datatype for datatype, stored in DATATYPES.items()}
_PYTORCH_TYPES = {DATATYPES[datatype].dtype for datatype in PYTORCH}
ALIGNMENT = 16  # of the graph's end and of constants behind the header


def write_xnnpack(model: Model) -> list[flatbuffer.Bytes]:
    """Returns an XNNPACK model as the pieces of a file; values are numbered in order of appearance.

    A graph of float additions and constants alone is written in PyTorch's schema, any other one as XN01: a header, the
    graph, then the constants.

    Raises:
        UnsupportedError: several graphs; an operator or element type that the schema doesn't have.
    """
    if len(model.graphs) > 1:
        raise UnsupportedError(f"an XNNGraph is one graph, this model has {len(model.graphs)}: `--signature` takes one")
    if all(_is_in_pytorch_schema(op) for op in model.main.ops):
        writer = _Writer(model)
        return flatbuffer.write(writer.root_table(constant_buffer=tuple(map(_buffer_table, writer.constants))), b"")
    writer = _Writer(model)
    # Index 0 means no constant, so it has an empty entry and no bytes.
    entries, pieces, end = [xnnpack.ConstantDataOffset()], list[flatbuffer.Bytes](), 0
    for raw in writer.constants[1:]:
        entries.append(xnnpack.ConstantDataOffset(offset=end, size=raw.size))
        pieces += [raw.data, bytes(-raw.size % ALIGNMENT)]
        end += raw.size + -raw.size % ALIGNMENT
    graph = flatbuffer.write(writer.root_table(constant_data=tuple(entries)), xnnpack.IDENTIFIERS[-1])
    length = struct.calcsize(xnnpack.HEADER)
    # The header has 30 bytes, so the graph starts at 32; one of 100 bytes ends at 132, constants lie from 144 on.
    start, size = length + -length % ALIGNMENT, sum(map(len, graph))
    behind = start + size + -size % ALIGNMENT
    header = struct.pack(xnnpack.HEADER, xnnpack.HEADER_IDENTIFIER, length, start, size, behind, end)
    return [header.ljust(start, b"\0"), *graph, bytes(behind - start - size), *pieces]


def _is_in_pytorch_schema(op: Op) -> bool:
    """Returns whether PyTorch's XNNGraph schema has an operator: a constant, or a float ADD without bounds."""
    types = {value.type.dtype for value in (*op.operands, *op.results)}
    bounded = "output_min" in op.attributes
    return op.name in (XNN_CONSTANT, "xnn.add") and types <= _PYTORCH_TYPES and not bounded


def _buffer_table(raw: Array) -> xnnpack.Buffer:
    """Returns the flatbuffer table of a constant's bytes; without storage if there are none."""
    return xnnpack.Buffer(storage=raw) if raw.size else xnnpack.Buffer()


class _Writer:
    """Collects the values and nodes of a graph; `constants` are bytes by index, and index 0 means none."""

    def __init__(self, model: Model) -> None:
        """Encodes a model's main graph as the tables of an XNNGraph: values, inputs first, then nodes."""
        graph = model.main
        self.version = str(model.metadata.get("version", ""))
        self.ids: dict[Value, int] = {}
        self.values: list[xnnpack.XValue] = []
        self.constants = [np.zeros(0, np.uint8)]  # index 0 means none
        inputs, outputs = set(graph.inputs), set(graph.outputs)
        self.flags = {
            value: xnnpack.FLAG_EXTERNAL_INPUT * (value in inputs) | xnnpack.FLAG_EXTERNAL_OUTPUT * (value in outputs)
            for value in inputs | outputs
        }
        # External ids: inputs first, then outputs.
        self.externs = {value: i for i, value in enumerate([*graph.inputs, *graph.outputs])}
        self.input_ids = tuple(map(self.value_id, graph.inputs))
        self.nodes = tuple(self.node_table(op) for op in graph.ops if not op.declares)
        self.output_ids = tuple(map(self.value_id, graph.outputs))

    def root_table(
        self,
        constant_buffer: tuple[xnnpack.Buffer, ...] = (),
        constant_data: tuple[xnnpack.ConstantDataOffset, ...] = (),
    ) -> xnnpack.XNNGraph:
        """Returns the table of the XNNGraph; constants are in its buffers, or behind it as `constant_data` says."""
        return xnnpack.XNNGraph(
            version=self.version,
            xnodes=self.nodes,
            xvalues=tuple(self.values),
            num_externs=len(self.externs),
            input_ids=self.input_ids,
            output_ids=self.output_ids,
            constant_buffer=constant_buffer,
            mem_buffer_sizes=tuple(raw.size for raw in self.constants) if constant_buffer else (),
            constant_data=constant_data,
        )

    def value_id(self, value: Value) -> int:
        """Returns the id of a value, which is added when it is first asked for."""
        id = self.ids.get(value)
        if id is None:
            id = self.ids[value] = len(self.values)
            self.values.append(xnnpack.XValue(xvalue=self.value_table(value, id)))
        return id

    def value_table(self, value: Value, id: int) -> xnnpack.XValueUnion:
        """Returns the XNNGraph table of a value: datatype, dimensions, flags, constant and quantization."""
        type = value.type
        params = None if type.quant is None else self.params_table(type.quant)
        datatype = _DATATYPES.get((type.dtype, None if params is None else params.__class__))  # type: ignore[call-overload]
        if datatype is None:
            raise UnsupportedError(f"XNNGraph has no element type {type}")
        tensor = xnnpack.XNNTensorValue(
            datatype=datatype,
            num_dims=type.rank,
            dims=type.static,
            constant_buffer_idx=0
            if value.constant is None
            else self.add_constant(_constant_bytes(value.constant, type)),
            external_id=self.externs.get(value, xnnpack.INVALID_VALUE_ID),
            flags=self.flags.get(value, 0),
            id_out=id,
        )
        if params is None:
            return tensor
        return xnnpack.XNNQuantizedTensorValue(tensor_value=tensor, quant_params=params)

    def params_table(self, quant: Quant) -> xnnpack.XNNQuantParams:
        """Returns the table of quantization parameters; scales of channels or groups become a constant."""
        if quant.rows:
            return xnnpack.PerTokenDynamicQuant(num_nonbatch_dims=quant.rows)
        if quant.axis is None:
            return xnnpack.PerTensorQuant(scale=quant.scale[0], zero_point=quant.zero_point[0])
        dtype = ml_dtypes.bfloat16 if quant.block else np.float32
        index = self.add_constant(np.array(quant.scale, dtype).view(np.uint8))
        channels: dict[str, Any] = {"channel_dim": quant.axis, "scale_buffer_idx": index}
        channels["num_scales"] = len(quant.scale)
        if quant.block:
            return xnnpack.PerChannelGroupQuant(group_size=quant.block, **channels)
        return xnnpack.PerChannelQuant(**channels)

    def add_constant(self, raw: Array) -> int:
        """Keeps the bytes of a constant, and returns their index."""
        self.constants.append(raw)
        return len(self.constants) - 1

    def node_table(self, op: Op) -> xnnpack.XNode:
        """Returns the XNNGraph table of an operator; raises UnsupportedError if the schema has no such node."""
        row = xnn_ops.BY_OPCODE.get(op.name)
        if row is None:
            raise UnsupportedError(f"{op.location}: {op.name} is not a node of XNNGraph")
        ids = {name + "_id": xnnpack.INVALID_VALUE_ID for name in _unused_operands(row)}
        for name, value in zip(row.operands.split(), op.inputs, strict=True):
            ids[name.rstrip("?") + "_id"] = xnnpack.INVALID_VALUE_ID if value is None else self.value_id(value)
        ids |= {name + "_id": self.value_id(value) for name, value in zip(row.results.split(), op.results, strict=True)}
        fields = {name: value for name, value in op.attributes.items() if name not in ("output_min", "output_max")}
        bounds = {name: value for name, value in op.attributes.items() if name not in fields}
        limits = xnnpack.OutputMinMax(**bounds) if bounds else None
        return xnnpack.XNode(xnode=row.table(**ids, **fields), output_min_max=limits)


def _unused_operands(row: xnn_ops.XnnOp) -> list[str]:
    """Returns operands of a node's table that its operator lacks, as concatenations of few values do."""
    fields = [name.removesuffix("_id") for name in row.table().fields() if name.endswith("_id")]
    used = row.operands.replace("?", "").split() + row.results.split()
    return [name for name in fields if name not in used]


def _constant_bytes(elements: Array, type: TensorType) -> Array:
    """Returns the bytes of a constant as XNNPACK stores them; 4-bit elements have 8 added."""
    raw = pack(elements, type.dtype)
    return raw ^ np.uint8(STORED_ZEROS) if type.dtype is DType.I4 else raw
