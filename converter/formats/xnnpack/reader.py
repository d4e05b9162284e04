"""The XNNGraph reader (PyTorch's schema and ExecuTorch's): a graph becomes `xnn.*` operators one to one."""

from collections.abc import Mapping
from itertools import pairwise

from tosa_converter.errors import FormatError, UnsupportedError, listed
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.xnnpack import values
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas import xnn_ops, xnnpack
from tosa_converter.schemas.opsets import XNN_CONSTANT
from tosa_converter.schemas.xnnpack import XNNDatatype

FLAGS = xnnpack.FLAG_EXTERNAL_INPUT | xnnpack.FLAG_EXTERNAL_OUTPUT


def looks_like_xnnpack(data: flatbuffer.Bytes) -> bool:
    """Returns whether bytes may be an XNNGraph: by identifier, or by a valid vtable in PyTorch's schema."""
    if bytes(data[4:8]) in (xnnpack.HEADER_IDENTIFIER, *xnnpack.IDENTIFIERS):
        return True
    try:
        reader = flatbuffer.Reader(data)
        reader.vtable(reader.root())
    except FormatError:
        return False
    return True


def read_xnnpack(
    data: flatbuffer.Bytes, *, file: str = "", named: Mapping[str, flatbuffer.Bytes] | None = None
) -> Model:
    """Reads an XNNGraph; values are called v0, v1, ... by their ids.

    Inputs and outputs come in the order of `input_ids` and `output_ids`, ExecuTorch's by ascending external ids of the
    values that are flagged. A constant may have more bytes than its shape needs (it was cut from a larger storage),
    never fewer.

    Args:
        data: the graph, with or without the header XH00.
        file: the name used in errors.
        named: constants of the program that the graph is from, by name.

    Raises:
        FormatError: malformed bytes, ids that point nowhere, a value used before it is made.
        UnsupportedError: quantized values without parameters, constants that lie elsewhere and nodes that the schema
            doesn't have, all of them.
    """
    try:
        inside, behind = values.split_header(data)
        identifier = bytes(inside[4:8])
        has_identifier = identifier in xnnpack.IDENTIFIERS
        if behind is not None and not has_identifier:
            raise FormatError(f"expected a graph of {xnnpack.IDENTIFIERS} behind the header, found {identifier!r}")
        root = flatbuffer.read(xnnpack.XNNGraph, inside, identifier if has_identifier else b"", file=file)
        return _Reader(root, values.Constants(root, behind, named), pytorch=not has_identifier).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Reader:
    """Builds the graph of an XNNGraph."""

    def __init__(self, root: xnnpack.XNNGraph, constants: values.Constants, *, pytorch: bool) -> None:
        """Collects the values of an XNNGraph by id, and checks them and the nodes, before its graph is built.

        With `pytorch`, the file has PyTorch's schema, which has fewer datatypes and nodes. Raises UnsupportedError with
        all that this reader doesn't know.
        """
        self.root = root
        self.constants = constants
        self.pytorch = pytorch
        self.graph = Graph("main")
        self.defined: dict[int, Value] = {}
        if not root.xvalues:
            raise FormatError("expected at least one value, found none", path="XNNGraph.xvalues")
        self.values: dict[int, xnnpack.XValueUnion | None] = {}
        self.tensors: dict[int, xnnpack.XNNTensorValue] = {}
        for i, entry in enumerate(root.xvalues):
            self._add_tensor(entry, f"XNNGraph.xvalues[{i}]")
        self._refuse_unsupported()
        constants.check()

    def model(self, file: str) -> Model:
        """Returns the model of the XNNGraph: its inputs, an operator for each node, its outputs."""
        inputs, outputs = self._input_and_output_ids()
        for id in inputs:
            self.graph.inputs.append(self._bind(id, Value(self._value_type(id), f"v{id}"), "XNNGraph.input_ids"))
        for i, node in enumerate(self.root.xnodes):
            self._add_node(node, i)
        self.graph.outputs = [self._find_value(id, "XNNGraph.output_ids") for id in outputs]
        signature = Signature("main", {v.name: v for v in self.graph.inputs}, {v.name: v for v in self.graph.outputs})
        return Model({"main": self.graph}, {"main": signature}, {"version": self.root.version}, file, opset="xnn")

    def _input_and_output_ids(self) -> tuple[list[int], list[int]]:
        """Returns the ids of the graph's inputs and outputs, in order.

        PyTorch's schema lists them. ExecuTorch's flags these values, and orders them by their external ids.

        Raises:
            FormatError: two values have the same external id.
        """
        if self.pytorch:
            return list(self.root.input_ids), list(self.root.output_ids)
        flagged = sorted((tensor.external_id, id) for id, tensor in self.tensors.items() if tensor.flags & FLAGS)
        for (first, _), (second, id) in pairwise(flagged):
            if first == second:
                raise FormatError(f"value {id} has the external id {second} of another", path="XNNGraph.xvalues")
        inputs, outputs = (
            [id for _, id in flagged if self.tensors[id].flags & flag]
            for flag in (xnnpack.FLAG_EXTERNAL_INPUT, xnnpack.FLAG_EXTERNAL_OUTPUT)
        )
        return inputs, outputs

    def _add_tensor(self, entry: xnnpack.XValue, place: str) -> None:
        """Keeps the table of a value by its id, after checks of its id, rank and flags."""
        tensor = values.tensor_of(entry.xvalue)
        if tensor is None:
            raise FormatError(f"expected a tensor, found {entry.xvalue!r}", path=place)
        if tensor.id_out in self.tensors:
            raise FormatError(f"two values have id {tensor.id_out}", path=place)
        if tensor.num_dims > xnnpack.MAX_RANK or len(tensor.dims) != tensor.num_dims:
            raise FormatError(
                f"num_dims {tensor.num_dims} and {len(tensor.dims)} dims (at most {xnnpack.MAX_RANK})", path=place
            )
        if tensor.flags & ~FLAGS:
            raise FormatError(f"value {tensor.id_out} has flags {tensor.flags}, which no value has", path=place)
        self.tensors[tensor.id_out] = tensor
        self.values[tensor.id_out] = entry.xvalue

    def _refuse_unsupported(self) -> None:
        """Raises UnsupportedError with all values and nodes of the XNNGraph that this reader doesn't know."""
        problems = [
            f"value {id}: {why}" for id, tensor in self.tensors.items() if (why := self._value_problem(id, tensor))
        ]
        problems += [
            f"node {i}: a node type this schema doesn't have ({node.xnode!r})"
            for i, node in enumerate(self.root.xnodes)
            if type(node.xnode) not in xnn_ops.BY_TABLE or (self.pytorch and not isinstance(node.xnode, xnnpack.XNNAdd))
        ]
        if problems:
            raise UnsupportedError(*listed(problems), places=problems)

    def _value_problem(self, id: int, tensor: xnnpack.XNNTensorValue) -> str:
        """Returns why a value of the XNNGraph isn't supported, or an empty text."""
        datatype, params = tensor.datatype, values.params_of(self.values[id])
        stored = values.DATATYPES.get(datatype)
        if tensor.dq_datatype != XNNDatatype.xnn_datatype_invalid:
            return f"dq_datatype {tensor.dq_datatype.name}, which ExecuTorch has given up for qdint8 values"
        if self.pytorch and stored is not None and datatype not in values.PYTORCH:
            return f"{xnnpack.PYTORCH_DATATYPES.get(datatype, datatype).name} without quantization parameters"
        if datatype in (XNNDatatype.xnn_datatype_qpint8, XNNDatatype.xnn_datatype_pfp32):
            return f"{datatype.name} is packed for one machine"
        if tensor.flags and isinstance(params, xnnpack.PerTokenDynamicQuant):
            return "quantized at run time, which an input or output can't be"
        return f"{datatype.name} without quantization parameters" if stored and stored.params and not params else ""

    def _find_tensor(self, id: int, place: str) -> xnnpack.XNNTensorValue:
        """Returns the table of a value by its id; raises FormatError if there is none."""
        if id not in self.tensors:
            raise FormatError(f"no value has id {id}", path=place)
        return self.tensors[id]

    def _value_type(self, id: int) -> TensorType:
        """Returns the type of an XNNGraph's value by its id, with its quantization."""
        tensor = self._find_tensor(id, "XNNGraph")
        return values.type_of(
            tensor, values.params_of(self.values[id]), self.constants, f"XNNGraph.xvalues: value {id}"
        )

    def _bind(self, id: int, value: Value, place: str) -> Value:
        """Binds a value's id to the value; raises FormatError if it is bound already."""
        if id in self.defined:
            raise FormatError(f"value {id} is made twice", path=place)
        self.defined[id] = value
        return value

    def _find_value(self, id: int, place: str) -> Value:
        """Returns the value of an id: computed before, or a constant that is added now."""
        value = self.defined.get(id)
        if value is not None:
            return value
        tensor = self._find_tensor(id, place)
        if tensor.constant_buffer_idx == 0:
            raise FormatError(f"value {id} is used before a node makes it", path=place)
        return self._add_constant(id, tensor, place)

    def _add_constant(self, id: int, tensor: xnnpack.XNNTensorValue, place: str) -> Value:
        """Adds an operator for a constant of the XNNGraph, and returns its result."""
        type = self._value_type(id)
        elements = values.elements_of(self.constants.bytes_of(tensor.constant_buffer_idx, place), type, place)
        op = Op(XNN_CONSTANT, (), [type], {"values": elements}, location=f"value {id}", result_names=[f"v{id}"])
        self.graph.ops.append(op)
        return self._bind(id, op.result, place)

    def _add_node(self, node: xnnpack.XNode, index: int) -> None:
        """Adds the operator of a node of the XNNGraph, with its operands, attributes and results."""
        table = node.xnode
        assert table is not None  # _refuse_unsupported has seen to it
        row, fields, place = xnn_ops.BY_TABLE[type(table)], table.fields(), f"XNNGraph.xnodes[{index}]"
        ids = [fields[name + "_id"] for name in row.results.split()]
        attributes = {name: value for name, value in fields.items() if not name.endswith("_id")}
        if node.output_min_max is not None:
            attributes |= node.output_min_max.fields()
        op = Op(
            row.opcode,
            [self._find_operand(fields, name, place) for name in row.operands.split()],
            [self._value_type(id) for id in ids],
            attributes,
            location=f"main:{index} {type(table).__name__} handle {node.debug_handle}",
            result_names=[f"v{id}" for id in ids],
        )
        self.graph.ops.append(op)
        for id, value in zip(ids, op.results, strict=True):
            self._bind(id, value, place)

    def _find_operand(self, fields: Mapping[str, int], name: str, place: str) -> Value | None:
        """Returns the value of a node's operand by its name, or None for an absent optional one."""
        id = fields[name.rstrip("?") + "_id"]
        return None if id == xnnpack.INVALID_VALUE_ID and name.endswith("?") else self._find_value(id, place)
