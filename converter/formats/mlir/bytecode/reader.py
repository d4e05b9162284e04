"""The reader of MLIR bytecode: a module of the TOSA dialect, as `tosa-opt --emit-bytecode` writes it."""

from typing import NamedTuple

from tosa_converter.errors import FormatError, shortened
from tosa_converter.formats.mlir.attributes import Attribute
from tosa_converter.formats.mlir.bytecode import builtin_attributes, builtin_types
from tosa_converter.formats.mlir.bytecode.cursor import Bytecode, Cursor, count_varints
from tosa_converter.formats.mlir.bytecode.entries import Dialect, Entries
from tosa_converter.formats.mlir.bytecode.operations import Block, Operation, Operations
from tosa_converter.formats.mlir.bytecode.tables import Tables, require_magic
from tosa_converter.formats.mlir.operators import Module, type_list
from tosa_converter.formats.mlir.types import FunctionType
from tosa_converter.formats.storage import Bytes
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.mlir_bytecode import (
    BUILTIN,
    FUNCTION,
    MODULE,
    QUANT,
    RETURN,
    STRUCTURE,
    VISIBILITY,
    YIELD,
    Property,
    layouts_of,
)
from tosa_converter.schemas.tosa_ops import BY_OPCODE

_DIALECTS = {
    BUILTIN: Dialect(builtin_attributes.read_attribute, builtin_types.read_type),
    QUANT: Dialect(None, builtin_types.read_quantized_type),
}


def read_bytecode(data: Bytes, *, file: str = "") -> Model:
    """Decodes MLIR bytecode of the TOSA dialect into the model that `read_mlir` makes of the same module's text.

    Inputs without a `tosa.tensor_name` are called arg0, arg1, as `tosa-opt` prints them. Elements of constants are
    views of the file's bytes. The order of values' uses and the versions of dialects are passed over.

    Raises:
        FormatError: malformed bytes, with the place of the byte.
        UnsupportedError: operators, types or nesting beyond TOSA 1.0 and this reader.
    """
    source = Bytecode(data)
    try:
        require_magic(source)
        return _Reader(source).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Scope(NamedTuple):
    """The values of a region by their numbers, and its graph; values around it aren't visible."""

    values: dict[int, Value]
    graph: Graph


class _Reader:
    """Reads the module of one file."""

    def __init__(self, source: Bytecode) -> None:
        """Reads the tables of a file, and prepares to read its module."""
        self.source = source
        self.tables = Tables(source)
        self.entries = Entries(self.tables, _DIALECTS)
        self.module = Module(source)

    def model(self, file: str) -> Model:
        """Reads the operations, and returns the functions of the module as the graphs of a model."""
        self._read_items(Operations(self.tables).read())
        if not self.module.graphs:
            raise self.source.wrong(len(self.source.data), "a function with a body", "none in the module")
        return self.module.model(file, self.entries.quantized)

    def _read_items(self, operations: list[Operation]) -> None:
        """Reads the items of a module: functions, variables and modules within."""
        for operation in operations:
            name = operation.name.name
            if name == MODULE:
                for block in operation.regions:
                    self._read_items(block.operations)
            elif name == FUNCTION:
                self._read_function(operation)
            elif name == ops.VARIABLE.opcode:
                attributes = self._attributes(operation, layouts_of(ops.VARIABLE))
                values = self.module.properties.read_attributes(ops.VARIABLE, attributes, None, operation.at)
                self.module.add_variable(values, operation.at)
            elif name in BY_OPCODE:
                raise self.source.wrong(operation.at, "a module, a function or a variable", name)
            else:
                raise self._unknown_operator(operation)

    def _unknown_operator(self, operation: Operation) -> Exception:
        """Returns the error for an operator that TOSA 1.0 doesn't have."""
        return self.source.unsupported(f"{shortened(operation.name.name)} is not an operator of TOSA 1.0", operation.at)

    # ** attributes **

    def _attributes(self, operation: Operation, layouts: tuple[tuple[Property, ...], ...]) -> dict[str, Attribute]:
        """Returns the attributes of an operation by name, those that are properties and others.

        `layouts` are the properties that releases of MLIR list for it.
        """
        attributes: dict[str, Attribute] = {}
        if operation.attributes is not None:
            dictionary = self.entries.numbered_attribute(operation.attributes)
            if not isinstance(dictionary.value, dict):
                raise self.source.wrong(operation.at, f"{operation.name.name} with a dictionary of attributes")
            attributes |= dictionary.value
        if operation.properties is not None:
            attributes |= self._read_properties(operation, operation.properties, layouts)
        return attributes

    def _read_properties(
        self, operation: Operation, number: int, layouts: tuple[tuple[Property, ...], ...]
    ) -> dict[str, Attribute]:
        """Reads the properties of an operation by their number in the table of bytes.

        Raises UnsupportedError for one that TOSA 1.0 doesn't have.
        """
        spans = self.tables.properties
        if number >= len(spans):
            raise self.source.wrong(operation.at, f"one of {len(spans)} properties", f"number {number}")
        cursor = Cursor(self.source, *spans[number])
        attributes: dict[str, Attribute] = {}
        if not operation.name.registered:
            dictionary = self.entries.attribute(cursor).value
            attributes = dictionary if isinstance(dictionary, dict) else {}
        else:
            count = count_varints(cursor)
            properties = next((layout for layout in layouts if len(layout) == count), None)
            if properties is None:
                counts = " or ".join(str(len(layout)) for layout in layouts)
                raise self.source.wrong(cursor.at, f"{counts} properties of {operation.name.name}", str(count))
            for name, optional in properties:
                value = self.entries.optional_attribute(cursor) if optional else self.entries.attribute(cursor)
                if value is not None:
                    attributes[name] = value
            further = attributes.keys() - {row.name for row in layouts[0]} - {VISIBILITY}
            if further:
                raise self.source.unsupported(
                    f"{operation.name.name} with {', '.join(sorted(further))}: not part of TOSA 1.0", operation.at
                )
        cursor.require_end(f"the properties of {operation.name.name}")
        return attributes

    # ** functions **

    def _read_function(self, operation: Operation) -> None:
        """Reads a function into a graph; one without operations is only declared, and is passed over."""
        at = operation.at
        attributes = self._attributes(operation, (STRUCTURE[FUNCTION],))
        name, type = attributes.get("sym_name"), attributes.get("function_type")
        if (
            name is None
            or not isinstance(name.value, bytes)
            or type is None
            or not isinstance(type.value, FunctionType)
        ):
            raise self.source.wrong(at, "a function with sym_name and function_type of tensors")
        if len(operation.regions) != 1:
            raise self.source.wrong(at, "a function with one region", str(len(operation.regions)))
        text, block = self.source.decode_utf8(name.value, name.at), operation.regions[0]
        if block.operations:
            graph = self._read_region(block, RETURN, type.value.outputs, "arg")
            types = [value.type for value in graph.inputs]
            if types != type.value.inputs:
                raise self.source.wrong(type.at, f"arguments {type_list(type.value.inputs)}", type_list(types))
            names = [self.module.tensor_names(attributes.get(key)) for key in ("arg_attrs", "res_attrs")]
            self.module.add_graph(graph, text, at, *names)
        self.module.keep_border_record(text, attributes)

    def _read_region(self, block: Block, end: str, results: list[TensorType] | None = None, name: str = "") -> Graph:
        """Reads a region into a graph up to the operation `end`, which hands the results on.

        With `results`, its operands must have these types. `name` in front of a number is what arguments are called,
        "" where their locations say it.
        """
        scope = _Scope({}, Graph(""))
        for i, argument in enumerate(block.arguments):
            type = self.entries.numbered_tensor(argument.type, argument.type_at)
            value = Value(type, f"{name}{i}" if name else "")
            if argument.location is not None and not name:
                names = self.entries.numbered_location(argument.location, argument.type_at).names
                value.name = names[0] if names else ""
            scope.values[block.first_value + i] = value
            scope.graph.inputs.append(value)
        last = block.operations[-1] if block.operations else None
        if last is None or last.name.name != end:
            at = block.at if last is None else last.at
            raise self.source.wrong(at, f"{end} at the end of a region", "none" if last is None else last.name.name)
        for operation in block.operations[:-1]:
            self._read_operator(scope, operation)
        scope.graph.outputs = self._operands(scope, last)
        types = [value.type for value in scope.graph.outputs]
        if results is not None and types != results:
            raise self.source.wrong(last.at, f"results {type_list(results)}", type_list(types))
        return scope.graph

    # ** operators **

    def _operands(self, scope: _Scope, operation: Operation) -> list[Value]:
        """Returns the operands of an operation; raises FormatError for a value that its region doesn't make before."""
        values = []
        for at, number in operation.operands:
            value = scope.values.get(number)
            if value is None:
                expected = "a value that is made before it is used, in the same region"
                raise self.source.wrong(at, expected, f"number {number}")
            values.append(value)
        return values

    def _read_operator(self, scope: _Scope, operation: Operation) -> None:
        """Reads an operator with its regions, and adds it to the region's graph."""
        name, at = operation.name.name, operation.at
        row = BY_OPCODE.get(name)
        if row is None:
            raise self._unknown_operator(operation)
        if row is ops.VARIABLE:
            raise self.source.wrong(at, f"{name} in the module", "it in a function")
        values = self._operands(scope, operation)
        types = [self.entries.numbered_tensor(number, at) for at, number in operation.results]
        regions = [self._read_region(block, YIELD) for block in operation.regions]
        attributes = self._attributes(operation, layouts_of(row))
        op = self.module.build_operator(row, values, attributes, regions, types, at)
        self._set_location(op, operation)
        scope.values.update(enumerate(op.results, operation.first_result))
        scope.graph.ops.append(op)

    def _set_location(self, op: Op, operation: Operation) -> None:
        """Sets the location of an operator, and names its results as the location says."""
        location = self.entries.numbered_location(operation.location, operation.at)
        op.location = location.text
        for value, name in zip(op.results, location.names, strict=False):
            value.name = name
