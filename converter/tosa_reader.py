"""The TOSA flatbuffer reader: any file of schema 1.0, and later minor versions that keep to 1.0's operators."""

from typing import Any

import numpy as np

from tosa_converter import flatbuffer
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array, DType, Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas import tosa
from tosa_converter.schemas.tosa_ops import BY_OPCODE, Attr, OpDef
from tosa_converter.schemas.tosa_target import ENUMERATIONS, VERSION
from tosa_converter.tosa_data import unpack
from tosa_converter.tosa_writer import DTYPES, ELSEWHERE, attribute_table

_FROM_DTYPES = {value: key for key, value in DTYPES.items()}
_ENUMERANTS = {kind: {v: k for k, v in values.items()} for kind, values in ENUMERATIONS.items()}
_EMPTY = np.zeros(0, np.uint8)
MAX_REGION_DEPTH = 256  # tosa_level_none's MAX_NESTING


def read_tosa(data: flatbuffer.Bytes, *, file: str = "") -> Model:
    """Decode a `.tosa` file; constants are views of `data`.

    Raises:
        FormatError: malformed bytes, a reference to a tensor that isn't there, an unreadable version.
        UnsupportedError: operators that TOSA 1.0 doesn't have, by name.
    """
    try:
        return _Reader(flatbuffer.read(tosa.TosaGraph, data, tosa.IDENTIFIER, file=file)).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Reader:
    """Builds graphs out of regions; regions named by control flow become regions of their operator."""

    def __init__(self, root: tosa.TosaGraph) -> None:
        version = root.version or tosa.Version()
        if version._major != VERSION[0]:
            raise FormatError(
                f"expected TOSA version {VERSION[0]}.x, found {version._major}.{version._minor}.{version._patch}"
            )
        self.regions = {region.name: region for region in root.regions}
        if not root.regions:
            raise FormatError("expected at least one region, found none", path="TosaGraph.regions")
        if len(self.regions) != len(root.regions):
            raise FormatError("two regions have the same name", path="TosaGraph.regions")

    def model(self, file: str) -> Model:
        inner = {name for region in self.regions.values() for name in _named_graphs(region)}
        graphs = {name: self.graph(name, 0) for name in self.regions if name not in inner}
        if not graphs:
            raise FormatError("every region is named by the control flow of another", path="TosaGraph.regions")
        signatures = {name: _signature(graph) for name, graph in graphs.items()}
        return Model(graphs, signatures, source=file)

    def graph(self, name: str, depth: int) -> Graph:
        region = self.regions.get(name)
        if region is None:
            raise FormatError(f"no region is called {name!r}", path="TosaGraph.regions")
        if depth > MAX_REGION_DEPTH:
            raise FormatError(f"control flow nests deeper than {MAX_REGION_DEPTH}", path=name)
        if len(region.blocks) != 1:
            raise FormatError(f"expected one block, found {len(region.blocks)}", path=name)
        return _Block(self, name, region.blocks[0], depth).graph


def _named_graphs(region: tosa.TosaRegion) -> list[str]:
    names: list[str] = []
    for block in region.blocks:
        for operator in block.operators:
            table = operator.attribute
            if isinstance(table, tosa.CondIfAttribute):
                names += [table.then_graph, table.else_graph]
            elif isinstance(table, tosa.WhileLoopAttribute):
                names += [table.cond_graph, table.body_graph]
    return names


def _signature(graph: Graph) -> Signature:
    return Signature(
        graph.name, {value.name: value for value in graph.inputs}, {value.name: value for value in graph.outputs}
    )


class _Block:
    """Builds one graph: operators in the file's order, which must make tensors before using them."""

    def __init__(self, reader: _Reader, region: str, block: tosa.TosaBasicBlock, depth: int) -> None:
        self.reader = reader
        self.region = region
        self.depth = depth
        self.tensors = {tensor.name: tensor for tensor in block.tensors}
        self.shapes = {shape.name: shape for shape in block.shapes}
        self.values: dict[str, Value] = {}
        self.graph = Graph(region)
        for tensor in block.tensors:
            if tensor.variable:
                self._declare(tensor)
        for name in block.inputs:
            self.values[name] = value = Value(self._type(name), name)
            self.graph.inputs.append(value)
        _refuse_later_operators(region, block)
        for index, operator in enumerate(block.operators):
            self.graph.ops.append(self._operator(operator, index))
        self.graph.outputs = [self._value(name, "outputs") for name in block.outputs]

    def _type(self, name: str) -> TensorType:
        shape = self.shapes.get(name)
        if shape is not None:
            return TensorType(DType.SHAPE, (shape.rank,))
        tensor = self.tensors.get(name)
        if tensor is None:
            raise FormatError(f"no tensor is called {name!r}", path=self.region)
        return TensorType(self._dtype(tensor), tuple(None if size == -1 else size for size in tensor.shape))

    def _dtype(self, tensor: tosa.TosaTensor) -> DType:
        if tensor.type not in _FROM_DTYPES or tensor.is_unranked:
            kind = "an unranked tensor" if tensor.is_unranked else f"type {tensor.type.name}"
            raise UnsupportedError(f"{self.region}: tensor {tensor.name!r}: {kind} is not part of TOSA 1.0")
        return _FROM_DTYPES[tensor.type]

    def _value(self, name: str, place: str) -> Value:
        value = self.values.get(name)
        if value is None:
            raise FormatError(f"tensor {name!r} is used before any operator makes it", path=f"{self.region}.{place}")
        return value

    def _declare(self, tensor: tosa.TosaTensor) -> None:
        dtype = self._dtype(tensor)
        initial = None if tensor.data is None or not tensor.data.size else self._data(tensor)
        name = tensor.variable_name or tensor.name
        attributes = {"name": name, "var_shape": tensor.shape, "type": dtype, "initial_value": initial}
        self.graph.ops.append(Op("tosa.variable", (), (), attributes))

    def _data(self, tensor: tosa.TosaTensor) -> Array:
        if any(size < 0 for size in tensor.shape) or tensor.data is None:
            raise FormatError("a constant without data or shape", path=f"{self.region}.{tensor.name}")
        try:
            return unpack(tensor.data, self._dtype(tensor), tensor.shape)
        except FormatError as error:
            error.inside(f"{self.region}.{tensor.name}")
            raise

    def _operator(self, operator: tosa.TosaOperator, index: int) -> Op:
        place = f"operators[{index}]"
        row = self._row(operator)
        attributes = self._attributes(row, operator, place)
        inputs, outputs = list(operator.inputs), list(operator.outputs)
        if row.name == "VARIABLE_READ":
            attributes["name"] = self._variable(inputs.pop(), place) if inputs else ""
        elif row.name == "VARIABLE_WRITE":
            attributes["name"] = self._variable(outputs.pop(), place) if outputs else ""
        elif row.name in ("CONST", "CONST_SHAPE"):
            attributes["values"] = self._constant(outputs, place)
        op = Op(
            row.opcode,
            [self._value(name, place) for name in inputs],
            [self._type(name) for name in outputs],
            attributes,
            regions=self._regions(operator),
            location=operator.location.text if operator.location else "",
            result_names=outputs,
        )
        for name, value in zip(outputs, op.results, strict=True):
            if name in self.values:
                raise FormatError(f"tensor {name!r} is made twice", path=f"{self.region}.{place}")
            self.values[name] = value
        return op

    def _row(self, operator: tosa.TosaOperator) -> OpDef:
        # Another serializer writes variable reads and writes as IDENTITY with the right attribute table.
        if operator.op is tosa.Op.IDENTITY and isinstance(operator.attribute, tosa.VariableReadAttribute):
            return BY_OPCODE["tosa.variable_read"]
        if operator.op is tosa.Op.IDENTITY and isinstance(operator.attribute, tosa.VariableWriteAttribute):
            return BY_OPCODE["tosa.variable_write"]
        return BY_OPCODE["tosa." + operator.op.name.lower()]

    def _variable(self, tensor_name: str, place: str) -> str:
        tensor = self.tensors.get(tensor_name)
        if tensor is None or not tensor.variable:
            raise FormatError(f"{tensor_name!r} is not a variable", path=f"{self.region}.{place}")
        return tensor.variable_name or tensor.name

    def _constant(self, outputs: list[str], place: str) -> Array:
        if len(outputs) != 1:
            raise FormatError(f"expected one output, found {len(outputs)}", path=f"{self.region}.{place}")
        shape = self.shapes.get(outputs[0])
        if shape is not None:
            data = shape.data if shape.data is not None else _EMPTY
            return unpack(data, DType.SHAPE, (shape.rank,))
        if outputs[0] not in self.tensors:
            raise FormatError(f"no tensor is called {outputs[0]!r}", path=f"{self.region}.{place}")
        return self._data(self.tensors[outputs[0]])

    def _regions(self, operator: tosa.TosaOperator) -> list[Graph]:
        region = tosa.TosaRegion(blocks=(tosa.TosaBasicBlock(operators=(operator,)),))
        return [self.reader.graph(name, self.depth + 1) for name in _named_graphs(region)]

    def _attributes(self, row: OpDef, operator: tosa.TosaOperator, place: str) -> dict[str, Any]:
        expected = attribute_table(row)
        table = operator.attribute if operator.attribute is not None else expected()
        if not isinstance(table, expected):
            raise FormatError(
                f"expected {expected.__name__}, found {type(table).__name__}", path=f"{self.region}.{place}.attribute"
            )
        try:
            return {
                attr.name: self._decode(attr, getattr(table, attr.name), operator)
                for attr in row.attributes
                if attr.kind != "graph" and attr.name not in ELSEWHERE
            }
        except FormatError as error:
            error.inside(f"{self.region}.{place}.attribute")
            raise

    def _decode(self, attr: Attr, value: Any, operator: tosa.TosaOperator) -> Any:
        if attr.kind == "acc_type":
            return _enumerant(attr, value.name)
        if attr.kind in _ENUMERANTS:
            return _enumerant(attr, _ENUMERANTS[attr.kind].get(int(value), str(int(value))))
        if attr.kind == "bytes":
            return b"" if value is None else value.tobytes()
        if attr.kind.endswith("_t"):
            dtype = self._type(operator.inputs[0]).dtype if operator.inputs else DType.FP32
            return unpack(value if value is not None else _EMPTY, dtype, (1,))[0].item()
        return value


def _enumerant(attr: Attr, name: str) -> str:
    """An enumerant by name; the schema's 0 is no enumerant, except where the specification states a default."""
    if name in ENUMERATIONS[attr.kind]:
        return name
    if attr.kind == "nan_mode" and name == "0":
        return "PROPAGATE"
    raise FormatError(f"{attr.name} is {name}, expected one of {', '.join(ENUMERATIONS[attr.kind])}")


def _refuse_later_operators(region: str, block: tosa.TosaBasicBlock) -> None:
    """TOSA 1.1 added operators; a graph that uses them can't be read as 1.0."""
    later = [
        f"{region}.operators[{i}]: {operator.op.name} is not an operator of TOSA 1.0"
        for i, operator in enumerate(block.operators)
        if "tosa." + operator.op.name.lower() not in BY_OPCODE
    ]
    if later:
        raise UnsupportedError(*later)
