"""The writer of MLIR bytecode: graphs of TOSA as `tosa-opt --emit-bytecode --emit-bytecode-version=4` writes them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.borders import encode_borders
from tosa_converter.formats.mlir.bytecode.emitter import Part, number_with_flag, numbers, section, varint
from tosa_converter.formats.mlir.bytecode.numbering import Numbering
from tosa_converter.formats.mlir.operators import NAME
from tosa_converter.formats.mlir.writer import BORDERS, constant_type, variable_symbols
from tosa_converter.formats.storage import Bytes
from tosa_converter.formats.tosa.writer import VARIABLES, variable_declaration
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rules.types import ACCUMULATORS
from tosa_converter.schemas.mlir_bytecode import (
    FUNCTION,
    MAGIC,
    MODULE,
    RETURN,
    YIELD,
    Has,
    Section,
    Version,
    mlir_name,
)
from tosa_converter.schemas.tosa_ops import CONST_SHAPE, TRANSPOSE, VARIABLE, Attr, Kind

PRODUCER = b"tosa-converter"
# From version 5 on, properties are listed without names, as the definition of each operator has them at the time of the
# tool: IREE 3.13 can't read those of `tosa.variable` that tosa-opt 2026.8 writes. Up to 4 they have names.
VERSION = Version.PROPERTIES - 1


def encode_bytecode(model: Model, *, debug: bool = False) -> Iterator[Bytes]:
    """Yields the pieces of a TOSA model as MLIR bytecode: a module with a function for each graph.

    Elements of constants are pieces of their arrays' memory. With `debug`, locations keep the names of all values.
    """
    writer = _Writer(model, debug)
    operations = Part(number_with_flag(1, False))
    operations.add_part(writer.module())
    tables = writer.tables
    offsets, attributes = tables.attribute_sections()
    sections = [
        section(Section.DIALECT, tables.dialect_section()),
        section(Section.ATTR_TYPE_OFFSET, offsets),
        section(Section.ATTR_TYPE, attributes),
        section(Section.IR, operations),
        section(Section.STRING, tables.string_section()),
    ]
    yield MAGIC + varint(VERSION) + PRODUCER + b"\0"
    for part in sections:
        for content in part.all_contents():
            if isinstance(content, bytes):
                yield content
            else:
                yield from content.pieces()


class _Values:
    """The numbers of the values of a function: regions within continue behind those of the region around them."""

    def __init__(self) -> None:
        """Begins with no values."""
        self.numbers: dict[Value, int] = {}

    def number_region(self, graph: Graph, begin: int) -> int:
        """Numbers the values of a region from `begin` on, and returns how many it has.

        Those of regions within aren't counted.
        """
        values = [*graph.inputs, *(value for op in graph.ops if op.row is not VARIABLE for value in op.results)]
        self.numbers.update({value: begin + i for i, value in enumerate(values)})
        return len(values)


class _Writer:
    """Writes the operations of one model, and collects the tables that they refer to."""

    def __init__(self, model: Model, names: bool) -> None:
        """Prepares to write a model; `names` keeps the names of all values."""
        self.model = model
        self.names = names
        self.tables = Numbering()
        self.variables = variable_symbols(model)
        self.called: Mapping[Value, str] = {}  # inputs and outputs of the graph that is being written

    # ** the module **

    def module(self) -> Part:
        """Returns the module: an operation with a region of variables and functions."""
        items = [self._variable(symbol, op) for symbol, op in self.variables.values()]
        items += [self._function(graph) for graph in self.model.graphs.values()]
        return self._isolated_operation(MODULE, {}, _region([], items, 0))

    def _isolated_operation(self, name: str, attributes: Mapping[str, int], region: Part) -> Part:
        """Returns an operation with a region that sees no values around it: a module or a function."""
        part = self._begin(name, attributes, Has.REGIONS)
        part.add(number_with_flag(1, True))
        part.add_part(section(Section.IR, region))
        return part

    def _begin(self, name: str, attributes: Mapping[str, int], parts: int, location: int | None = None) -> Part:
        """Returns the begin of an operation: its name, parts, location and attributes.

        `attributes` are their numbers by name; `parts` are the bits of what follows. The location is unknown if None.
        """
        tables = self.tables
        part = Part(varint(tables.op_name(name)) + bytes([parts | Has.ATTRIBUTES * bool(attributes)]))
        part.add(varint(tables.location("") if location is None else location))
        if attributes:
            part.add(varint(tables.dictionary(attributes)))
        return part

    def _variable(self, symbol: str, op: Op) -> Part:
        """Returns the operation that declares a variable in the module."""
        type, initial = variable_declaration(op)
        shape = np.array(type.static, np.int64)
        attributes = {
            "sym_name": self.tables.string_attribute(symbol),
            "type": self.tables.type_attribute(type.dtype),
            "var_shape": self.tables.elements(shape, TensorType(DType.SHAPE, (type.rank,))),
        }
        if initial is not None:
            attributes["initial_value"] = self.tables.elements(initial, type)
        return self._begin(VARIABLE.opcode, attributes, 0)

    # ** functions **

    def _function(self, graph: Graph) -> Part:
        """Returns a graph as a function, with the names that callers know its inputs and outputs by."""
        tables = self.tables
        self.called = self.model.caller_names(graph)
        sides = [[value.type for value in side] for side in (graph.inputs, graph.outputs)]
        attributes = {
            "function_type": tables.type_of_function(*sides),
            "sym_name": tables.string_attribute(graph.name),
        }
        for key, side in (("arg_attrs", graph.inputs), ("res_attrs", graph.outputs)):
            if side:
                attributes[key] = tables.array([tables.dictionary({NAME: self._label(value)}) for value in side])
        borders = encode_borders(self.model, graph, self.called)
        if borders:
            attributes[BORDERS] = tables.string_attribute(borders)
        region = self._graph_region(graph, _Values(), 0, RETURN, located=False)
        return self._isolated_operation(FUNCTION, attributes, region)

    def _label(self, value: Value) -> int:
        """Returns the number of the name by which callers know an input or output, as an attribute."""
        return self.tables.string_attribute(self.called.get(value, value.name))

    def _graph_region(self, graph: Graph, values: _Values, begin: int, end: str, *, located: bool = True) -> Part:
        """Returns a graph as a region, whose values are numbered from `begin` on, up to the operation `end`.

        With `located`, the locations of arguments keep their names where these are kept.
        """
        count = values.number_region(graph, begin)
        arguments = []
        for value in graph.inputs:
            location = self.tables.location("", [value.name] if self.names and located else [])
            arguments.append(number_with_flag(self.tables.tensor(value.type), True) + varint(location))
        items = [self._operator(op, values, begin + count) for op in graph.ops if op.row is not VARIABLE]
        last = self._begin(end, {}, Has.OPERANDS * bool(graph.outputs))
        if graph.outputs:
            last.add(numbers(values.numbers[value] for value in graph.outputs))
        return _region(arguments, [*items, last], count)

    # ** operators **

    def _operator(self, op: Op, values: _Values, begin: int) -> Part:
        """Returns an operator; values of its regions are numbered from `begin` on."""
        row = op.row
        assert row is not None, "the format holds TOSA only"
        tables = self.tables
        names = [self.called.get(value, value.name) for value in op.results] if self.names else []
        parts = Has.RESULTS * bool(op.results) | Has.OPERANDS * bool(op.operands) | Has.REGIONS * bool(op.regions)
        attributes = {
            mlir_name(row, attr.name): number
            for attr in row.attributes
            if (number := self._attribute(attr, op)) is not None
        }
        location = tables.location(op.location, names)
        part = self._begin(row.opcode, attributes, parts, location)
        if op.results:
            part.add(numbers(tables.tensor(value.type) for value in op.results))
        if op.operands:
            part.add(numbers(values.numbers[value] for value in op.operands))
        if op.regions:
            part.add(number_with_flag(len(op.regions), False))
            for region in op.regions:
                part.add_part(self._graph_region(region, values, begin, YIELD))
        return part

    def _attribute(self, attr: Attr, op: Op) -> int | None:
        """Returns the number of an operator's attribute, by the kind that its record gives it; None without one."""
        tables, value = self.tables, op.attributes.get(attr.name)
        if attr.kind is Kind.GRAPH or value is None:
            return None
        if op.row in VARIABLES:
            return tables.string_attribute(self.variables[str(value)][0])
        if attr.kind is Kind.ENUMERANT:
            if attr.of == "acc_type":
                return tables.type_attribute(ACCUMULATORS[value])
            return tables.text_attribute("tosa", f"#tosa.{attr.of}<{value}>")
        if isinstance(value, np.ndarray):
            type = TensorType(DType.SHAPE, value.shape) if op.row is CONST_SHAPE else constant_type(op, value)
            return tables.elements(value, type)
        if attr.is_list:
            return tables.integers(value, DType.I32 if op.row is TRANSPOSE else DType.I64)
        return self._scalar(attr, value, op)

    def _scalar(self, attr: Attr, value: Any, op: Op) -> int:
        """Returns the number of an attribute that is a number, a boolean or a string."""
        if attr.kind in (Kind.STR, Kind.BYTES):
            return self.tables.string_attribute(value)
        if attr.kind is Kind.ELEMENT:
            return self.tables.number(value, op.operands[0].type.dtype)
        return self.tables.number(value, DType.BOOL if attr.kind is Kind.BOOL else DType.I32)


def _region(arguments: Sequence[bytes], operations: Sequence[Part], values: int) -> Part:
    """Returns a region of one block with so many values."""
    part = Part(varint(1) + varint(values) + number_with_flag(len(operations), bool(arguments)))
    if arguments:
        part.add(varint(len(arguments)) + b"".join(arguments) + b"\0")  # 0: uses in their natural order
    for operation in operations:
        part.add_part(operation)
    return part
