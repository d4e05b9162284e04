"""The TOSA flatbuffer writer: one region per graph, attributes by the operator's row."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tosa_converter import flatbuffer
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import CONSTANTS, Array, DType, Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import tosa
from tosa_converter.schemas.tosa_ops import BY_OPCODE, Attr, OpDef
from tosa_converter.schemas.tosa_target import ENUMERATIONS, VERSION
from tosa_converter.tosa_data import element, pack

DTYPES: dict[DType, tosa.DType] = {
    DType.BOOL: tosa.DType.BOOL,
    DType.I4: tosa.DType.INT4,
    DType.I8: tosa.DType.INT8,
    DType.I16: tosa.DType.INT16,
    DType.I32: tosa.DType.INT32,
    DType.I48: tosa.DType.INT48,
    DType.FP8E4M3: tosa.DType.FP8E4M3,
    DType.FP8E5M2: tosa.DType.FP8E5M2,
    DType.FP16: tosa.DType.FP16,
    DType.BF16: tosa.DType.BF16,
    DType.FP32: tosa.DType.FP32,
    DType.SHAPE: tosa.DType.SHAPE,
}
# The attributes that a row names and the flatbuffer keeps elsewhere: in the tensor or in the operator's lists.
ELSEWHERE = {"values", "var_shape", "initial_value", "name", "type"}


def attribute_table(row: OpDef) -> type[tosa.Attribute]:
    """The flatbuffer table that holds an operator's attributes."""
    return tosa.Attribute_MEMBERS[tosa.Op[row.name] - 1]


def write_tosa(model: Model) -> list[flatbuffer.Bytes]:
    """Encode a TOSA model as the pieces of a `.tosa` file.

    Every tensor gets a name of its own: the value's where it has one that is still free, else one made from it.

    Raises:
        UnsupportedError: an operator is not a TOSA operator, or a type has no place in the schema.
        FormatError: the file would exceed 2 GB.
    """
    regions: list[tosa.TosaRegion] = []
    for graph in model.graphs.values():
        _Region(graph, graph.name, regions)
    major, minor, patch = VERSION
    root = tosa.TosaGraph(
        version=tosa.Version(_major=major, _minor=minor, _patch=patch, _draft=False),
        regions=tuple(sorted(regions, key=lambda region: 0 if region.name == model.main.name else 1)),
    )
    return flatbuffer.write(root, tosa.IDENTIFIER)


class _Region:
    """Collects the tables of one graph."""

    def __init__(self, graph: Graph, name: str, regions: list[tosa.TosaRegion]) -> None:
        self.name = name
        self.regions = regions
        self.names: dict[Value, str] = {}
        self.taken: set[str] = set()
        self.tensors: list[tosa.TosaTensor] = []
        self.shapes: list[tosa.TosaShape] = []
        self.variables: dict[str, str] = {}
        self.locations: dict[str, tosa.OpLocation] = {}
        self.attributes: dict[tuple[Any, ...], tosa.Attribute] = {}
        self._reserve([*graph.inputs, *graph.outputs])
        for value in graph.inputs:
            self._tensor(value, None)
        operators = [table for op in graph.ops if (table := self._operator(op)) is not None]
        block = tosa.TosaBasicBlock(
            name=name,
            operators=tuple(operators),
            tensors=tuple(self.tensors),
            inputs=self._names(graph.inputs),
            outputs=self._names(graph.outputs),
            shapes=tuple(self.shapes),
        )
        regions.append(tosa.TosaRegion(name=name, blocks=(block,)))

    def _reserve(self, values: Iterable[Value]) -> None:
        """Inputs and outputs choose their names first."""
        for value in values:
            self._name(value)

    def _name(self, value: Value) -> str:
        name = self.names.get(value)
        if name is None:
            name = self.names[value] = self._unique(value.name)
        return name

    def _unique(self, wish: str) -> str:
        name = wish or f"t{len(self.taken)}"
        count = 0
        while name in self.taken:
            count += 1
            name = f"{wish or 't'}_{len(self.taken) + count}"
        self.taken.add(name)
        return name

    def _names(self, values: Iterable[Value]) -> tuple[str, ...]:
        return tuple(map(self._name, values))

    def _tensor(self, value: Value, data: Array | None) -> None:
        self.tensors.append(
            tosa.TosaTensor(
                name=self._name(value),
                shape=value.type.static,
                type=_dtype(value.type),
                data=None if data is None else pack(data, value.type.dtype),
            )
        )

    def _operator(self, op: Op) -> tosa.TosaOperator | None:
        row = BY_OPCODE.get(op.name)
        if row is None:
            raise UnsupportedError(f"{op.location or self.name}: {op.name} is not an operator of TOSA 1.0")
        if op.name == "tosa.variable":
            self._variable(op)
            return None
        for value in op.results:
            self._result(op, value)
        return tosa.TosaOperator(
            op=tosa.Op[row.name],
            attribute=self._attributes(row, op),
            inputs=self._names(op.operands) if op.name != "tosa.variable_read" else (self._variable_name(op),),
            outputs=self._names(op.results) if op.name != "tosa.variable_write" else (self._variable_name(op),),
            location=self._location(op.location) if op.location else None,
        )

    def _location(self, text: str) -> tosa.OpLocation:
        """One table for all operators that come from one place."""
        found = self.locations.get(text)
        if found is None:
            found = self.locations[text] = tosa.OpLocation(text=text)
        return found

    def _result(self, op: Op, value: Value) -> None:
        if value.type.dtype is DType.SHAPE:
            shape = np.asarray(op.attributes["values"], np.int64)
            self.shapes.append(tosa.TosaShape(name=self._name(value), rank=shape.size, data=pack(shape, DType.SHAPE)))
        else:
            self._tensor(value, op.attributes["values"] if op.name in CONSTANTS else None)

    def _variable(self, op: Op) -> None:
        name = str(op.attributes["name"])
        self.variables[name] = self._unique(name)
        dtype: DType = op.attributes["type"]
        initial = op.attributes.get("initial_value")
        self.tensors.append(
            tosa.TosaTensor(
                name=self.variables[name],
                shape=tuple(op.attributes["var_shape"]),
                type=_dtype(TensorType(dtype, ())),
                data=None if initial is None else pack(initial, dtype),
                variable=True,
                variable_name=name,
            )
        )

    def _variable_name(self, op: Op) -> str:
        return self.variables.get(str(op.attributes["name"]), str(op.attributes["name"]))

    def _attributes(self, row: OpDef, op: Op) -> tosa.Attribute:
        fields: dict[str, Any] = {}
        for attr in row.attributes:
            if attr.kind == "graph":
                continue
            if attr.name not in ELSEWHERE and attr.name in op.attributes:
                fields[attr.name] = _encode(attr, op.attributes[attr.name], op)
        graphs = [attr.name for attr in row.attributes if attr.kind == "graph"]
        for name, region in zip(graphs, op.regions, strict=True):
            fields[name] = f"{self.name}_{len(self.regions)}_{name}"
            _Region(region, fields[name], self.regions)
        table = attribute_table(row)(**fields)
        try:
            return self.attributes.setdefault((row.name, *fields.items()), table)  # one table for equal ones
        except TypeError:  # arrays and lists don't hash
            return table


def _dtype(type: TensorType) -> tosa.DType:
    found = DTYPES.get(type.dtype)
    if found is None:
        raise UnsupportedError(f"TOSA 1.0 has no element type {type.dtype.value}")
    return found


def _encode(attr: Attr, value: Any, op: Op) -> Any:
    """An attribute's value as the flatbuffer holds it."""
    if attr.kind == "acc_type":
        return tosa.DType[value]
    if attr.kind in ENUMERATIONS:
        return ENUMERATIONS[attr.kind][value]
    if attr.kind == "bytes":
        return np.frombuffer(value, np.uint8)
    if attr.kind.endswith("_t"):  # a scalar of the operator's element type, as bytes
        dtype = op.operands[0].type.dtype
        return pack(element(value, dtype), dtype)
    return value
