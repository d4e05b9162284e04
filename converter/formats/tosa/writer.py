"""The TOSA flatbuffer writer: one region per graph, attributes by the operator's row."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.borders import encode_borders
from tosa_converter.formats.elements import pack, round_element
from tosa_converter.formats.later import refused_operator, refused_type
from tosa_converter.formats.shared import SharedArrays
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value, unique_names
from tosa_converter.rules.target import required_version
from tosa_converter.schemas import tosa
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.tosa_ops import (
    CONSTANTS,
    VARIABLE,
    VARIABLE_READ,
    VARIABLE_WRITE,
    Attr,
    Kind,
    OpDef,
)
from tosa_converter.schemas.tosa_target import ENUMERATIONS, VERSION

DTYPES: dict[DType, tosa.DType] = {
    DType.BOOL: tosa.DType.BOOL,
    DType.I4: tosa.DType.INT4,
    DType.I8: tosa.DType.INT8,
    DType.I16: tosa.DType.INT16,
    DType.I32: tosa.DType.INT32,
    DType.I48: tosa.DType.INT48,
    DType.I64: tosa.DType.INT64,
    DType.FP8E4M3: tosa.DType.FP8E4M3,
    DType.FP8E5M2: tosa.DType.FP8E5M2,
    DType.FP16: tosa.DType.FP16,
    DType.BF16: tosa.DType.BF16,
    DType.FP32: tosa.DType.FP32,
    DType.SHAPE: tosa.DType.SHAPE,
}
VARIABLES = frozenset({VARIABLE, VARIABLE_READ, VARIABLE_WRITE})

# Of the first public release of the serialization library. Its tools warn of a file without a version, refuse one from
# a later release than theirs, and read the modifier without asking whether there is one.
SOFTWARE_VERSION = tosa.SoftwareVersion(_major=2026, _minor=2, _micro=0, _modifier="")

TABLES = 1 << 26  # bytes that tables take beside the constants, generously: half a million operators
DATA_ALIGNMENT = 64  # of constants behind the flatbuffer, so that any element type can be read in place
EMPTY = np.zeros(0, np.uint8)  # the data of what isn't constant, which the official serializer writes too


def write_tosa(model: Model) -> list[flatbuffer.Bytes]:
    """Returns a legal TOSA model as the pieces of a `.tosa` file.

    Every tensor gets a name of its own: the value's where it has one that is still free, else one made from it. The
    elements of a model beyond 2 GB lie behind the flatbuffer, as the schema has it for such models.

    Raises:
        UnsupportedError: an operator is not a TOSA operator, a type has no place in the schema, or the tables alone
            would exceed 2 GB.
    """
    if _constant_bytes(model) <= flatbuffer.MAX_SIZE - TABLES:
        return flatbuffer.write(_encode_graph(model, None), tosa.IDENTIFIER)
    # The tables' size doesn't depend on the offsets in them, so the first of two passes finds where the data begins.
    tables = flatbuffer.write(_encode_graph(model, _DataSection(DATA_ALIGNMENT)), tosa.IDENTIFIER)
    size = sum(memoryview(piece).nbytes for piece in tables)
    section = _DataSection(size + -size % DATA_ALIGNMENT)
    tables = flatbuffer.write(_encode_graph(model, section), tosa.IDENTIFIER)
    return [*tables, bytes(section.begin - size), *section.pieces]


class _DataSection:
    """The elements of constants behind the flatbuffer of a file, with their offsets from the file's begin."""

    def __init__(self, begin: int) -> None:
        """Starts an empty section of constants behind the flatbuffer, at byte `begin` of the file.

        `shared` finds equal constants, which are stored once.
        """
        self.begin = self.end = begin
        self.pieces: list[flatbuffer.Bytes] = []
        self.shared = SharedArrays()

    def place(self, data: Array) -> int:
        """Returns the offset of an array's bytes, which are appended unless equal ones are there already."""
        content = np.ascontiguousarray(data).reshape(-1).view(np.uint8)

        def add() -> int:
            """Appends the array's bytes and padding to the section, and returns where they begin in the file."""
            offset, padding = self.end, -content.size % DATA_ALIGNMENT
            self.pieces += [content.data, bytes(padding)]
            self.end += content.size + padding
            return offset

        return self.shared.number(content, add)


def _constant_bytes(model: Model) -> int:
    """Returns the size of all constants and initial values in bytes, each array once."""
    graphs = [graph for graph, _ in _name_regions(model)]
    values = [op.attributes.get("values", op.attributes.get("initial_value")) for graph in graphs for op in graph.ops]
    arrays = {id(array): array for array in values if isinstance(array, np.ndarray)}
    return sum(array.nbytes for array in arrays.values())


def _encode_graph(model: Model, section: _DataSection | None) -> tosa.TosaGraph:
    """Returns the root table of a model's file; the elements of constants are put into `section` if there is one."""
    regions = _name_regions(model)
    names, variables = dict(regions), _find_variables([graph for graph, _ in regions])
    version = major, minor, patch = required_version(op for graph in names for op in graph.ops)
    return tosa.TosaGraph(
        # A version after 1.0 is a draft of the specification.
        version=tosa.Version(_major=major, _minor=minor, _patch=patch, _draft=version > VERSION),
        regions=tuple(
            _Region(graph, name, names, variables, model.caller_names(graph), section).table(model)
            for graph, name in regions
        ),
        software_version=SOFTWARE_VERSION,
    )


def _name_regions(model: Model) -> list[tuple[Graph, str]]:
    """Returns all graphs with unique names: the model's, and behind them each graph of control flow once."""
    graphs = list(model.graphs.values())
    seen = set(graphs)
    for graph in graphs:  # which grows meanwhile
        for op in graph.ops:
            if op.regions:
                graphs += [region for region in dict.fromkeys(op.regions) if region not in seen]
                seen.update(op.regions)
    inner = unique_names((graph.name or "region" for graph in graphs[len(model.graphs) :]), model.graphs)
    return list(zip(graphs, [*model.graphs, *inner], strict=True))


class _Variable(NamedTuple):
    """A variable of the model, as the regions of a TOSA file refer to it."""

    tensor: str  # the same in every block and no other tensor's: the reference model tells variables apart by it
    declaration: Op  # the first one, or where there is none the first use
    used: bool


def _find_variables(graphs: Sequence[Graph]) -> dict[str, _Variable]:
    """Returns the variables of all graphs by name.

    Each has its tensor's name, its declaration or first use, and whether any operator reads or writes it.
    """
    ops = [op for graph in graphs for op in graph.ops if op.row in VARIABLES]
    if not ops:
        return {}
    first: dict[str, Op] = {}
    for op in sorted(ops, key=lambda op: op.row is not VARIABLE):
        first.setdefault(str(op.attributes["name"]), op)
    used = {op.attributes["name"] for op in ops if op.row is not VARIABLE}
    interface_names = {value.name for graph in graphs for value in (*graph.inputs, *graph.outputs)}
    names = sorted(first)
    tensors = unique_names((name or "variable" for name in names), interface_names)
    return {name: _Variable(tensor, first[name], name in used) for name, tensor in zip(names, tensors, strict=True)}


# The fields of rows, which are plain tuples: there is one for every operator and tensor.
_OPERATOR = ("op", "attribute", "inputs", "outputs", "location")
_TENSOR = ("name", "shape", "type", "data", "variable", "variable_name")
_SHAPE = ("name", "rank", "data")


def _to_columns(table: type[Table], fields: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Any:
    """Returns a vector of flatbuffer tables from rows of field values, encoded by columns, which is faster."""
    return flatbuffer.Columns(table, dict(zip(fields, zip(*rows, strict=True), strict=True))) if rows else ()


class _Region:
    """Collects the flatbuffer tables of one graph."""

    def __init__(
        self,
        graph: Graph,
        name: str,
        regions: Mapping[Graph, str],
        variables: dict[str, _Variable],
        called: Mapping[Value, str],
        section: _DataSection | None,
    ) -> None:
        """Prepares to serialize a graph as a region.

        `regions` has the names of all graphs, `variables` the variables of all by name, `called` names for inputs and
        outputs that differ from the values' own, and `section` takes the elements of constants if they don't fit into
        the flatbuffer.
        """
        self.graph = graph
        self.name = name
        self.regions = regions
        self.variables = variables
        self.called = called
        self.section = section
        self.names: dict[Value, str] = {}
        self.taken = {variable.tensor for variable in variables.values()}
        self.operators: list[tuple[Any, ...]] = []
        self.tensors: list[tuple[Any, ...]] = []
        self.shapes: list[tuple[Any, ...]] = []
        self.declared: dict[str, Op] = {}  # variables here
        self.listed: set[str] = set()
        self.locations: dict[str, tosa.OpLocation] = {}
        self.attributes: dict[tuple[Any, ...], tosa.Attribute] = {}

    def table(self, model: Model) -> tosa.TosaRegion:
        """Serializes the graph as a flatbuffer TosaRegion with one block.

        The graph of a function, unlike the body of a control flow operator, also records the source's types of its
        inputs and outputs.
        """
        graph = self.graph
        self._reserve_names([*graph.inputs, *graph.outputs])
        for value in graph.inputs:
            self._add_tensor(value, None)
        for op in graph.ops:
            self._add_operator(op)
        if graph in model.graphs.values():
            self._append_border_record(encode_borders(model, graph, self.names))
        block = tosa.TosaBasicBlock(
            name=self.name,
            operators=_to_columns(tosa.TosaOperator, _OPERATOR, self.operators),
            tensors=self._tensor_tables(),
            inputs=self._tensor_names(graph.inputs),
            outputs=self._tensor_names(graph.outputs),
            shapes=_to_columns(tosa.TosaShape, _SHAPE, self.shapes),
        )
        return tosa.TosaRegion(name=self.name, blocks=(block,))

    def _tensor_tables(self) -> Any:
        """Returns the vector of tensors; with a data section, elements become an offset in the file and a size."""
        if self.section is None:
            return _to_columns(tosa.TosaTensor, _TENSOR, self.tensors)
        tensors = [tosa.TosaTensor(**dict(zip(_TENSOR, row, strict=True))) for row in self.tensors]
        for tensor in tensors:
            if tensor.data is not None and tensor.data.size:
                tensor.offset, tensor.size, tensor.data = self.section.place(tensor.data), tensor.data.size, None
        return tuple(tensors)

    def _append_border_record(self, record: str) -> None:
        """Appends the record of the source's input and output types to the first operator's location text.

        A TOSA file has no other field for it. A graph without operators is written without the record.
        """
        if record and self.operators:
            *row, location = self.operators[0]
            text = location.text if location is not None else ""
            self.operators[0] = (*row, tosa.OpLocation(text=f"{text}{record}"))

    def _reserve_names(self, values: Iterable[Value]) -> None:
        """Gives inputs and outputs their tensor names before all other values, so that these can't take them."""
        for value in values:
            self._tensor_name(value)

    def _tensor_name(self, value: Value) -> str:
        """Returns the name of a value's tensor, which is chosen when it is first asked for."""
        name = self.names.get(value)
        if name is None:
            name = self.names[value] = self._unique_name(self.called.get(value, value.name))
        return name

    def _unique_name(self, preferred: str) -> str:
        """Returns a name that no tensor of the region has: the one asked for, or one made from it."""
        if preferred and preferred not in self.taken:
            self.taken.add(preferred)
            return preferred
        # Each round tries another name, so it ends after len(taken) rounds at most: "x" beside 4 others becomes x_6.
        name = preferred or f"t{len(self.taken)}"
        count = 0
        while name in self.taken:
            count += 1
            name = f"{preferred or 't'}_{len(self.taken) + count}"
        self.taken.add(name)
        return name

    def _tensor_names(self, values: Iterable[Value]) -> tuple[str, ...]:
        """Returns the tensor names of values that have been named before."""
        return tuple(map(self.names.__getitem__, values))

    def _add_tensor(self, value: Value, data: Array | None) -> str:
        """Adds the tensor of a value, with its elements if it is constant (`data`), and returns the tensor's name."""
        name, (dtype, shape, _) = self._tensor_name(value), value.type
        stored = EMPTY if data is None else pack(data, dtype)
        if dtype is DType.SHAPE:
            self.shapes.append((name, value.type.static[0], stored))
            return name
        dims = tuple([-1 if size is None else size for size in shape]) if None in shape else shape
        self.tensors.append((name, dims, _schema_dtype(value.type), stored, False, ""))
        return name

    def _add_operator(self, op: Op) -> None:
        """Adds the flatbuffer table of an operator, and the tensors of its results."""
        row = op.row
        if row is None:
            raise UnsupportedError(f"{op.location or self.name}: {refused_operator(op.name)}")
        if row in VARIABLES:
            self._add_variable_use(op)
            return
        names, data = self.names, op.attributes["values"] if row in CONSTANTS else None
        inputs = tuple([names[value] for value in op.inputs if value is not None])
        outputs = tuple([self._add_tensor(value, data) for value in op.results])
        table = _attribute_table(row)
        self.operators.append(
            (table.op, self._share_attributes(table, op), inputs, outputs, self._location_table(op.location))
        )

    def _location_table(self, text: str) -> tosa.OpLocation | None:
        """Returns the flatbuffer table of a location text, which operators with equal texts share.

        An empty text has none, so it returns None.
        """
        if not text:
            return None
        location = self.locations.get(text)
        if location is None:
            location = self.locations[text] = tosa.OpLocation(text=text)
        return location

    def _add_variable_use(self, op: Op) -> None:
        """Adds VARIABLE_READ or VARIABLE_WRITE as an IDENTITY on the variable's tensor; VARIABLE itself adds none.

        A block lists the tensors of the variables that it uses; an unused one is listed where it is declared.
        """
        name = str(op.attributes["name"])
        variable = self.variables[name]
        if op.row is VARIABLE:
            self.declared[name] = op
            if not variable.used:
                self._add_variable_tensor(name, op)
            return
        if name not in self.listed:
            self._add_variable_tensor(name, self.declared.get(name, variable.declaration))
        for value in op.results:
            self._add_tensor(value, None)
        reads = op.row is VARIABLE_READ
        attributes = tosa.ATTRIBUTES[tosa.Op[op.row.name]]()
        inputs = (variable.tensor,) if reads else self._tensor_names(op.operands)
        outputs = self._tensor_names(op.results) if reads else (variable.tensor,)
        location = self._location_table(op.location)
        self.operators.append((tosa.Op.IDENTITY, attributes, inputs, outputs, location))

    def _add_variable_tensor(self, name: str, op: Op) -> None:
        """Adds the tensor that declares a variable, with its initial value, to the block."""
        self.listed.add(name)
        type, initial = variable_declaration(op)
        tensor = self.variables[name].tensor
        data = EMPTY if initial is None else pack(initial, type.dtype)
        self.tensors.append((tensor, type.static, _schema_dtype(type), data, True, name or tensor))

    def _share_attributes(self, table: "_AttributeTable", op: Op) -> tosa.Attribute:
        """Returns the flatbuffer table of an operator's attributes.

        Equal ones share a table unless they hold elements.
        """
        if not table.shared:
            return self._build_attributes(table, op)
        # 1 and True are equal keys, but a field has values of one type. So are 0.0 and -0.0, but floats are elements,
        # whose tables aren't shared.
        key = table, *map(op.attributes.get, table.names), *op.regions
        try:
            attributes = self.attributes.get(key)
        except TypeError:  # lists don't hash
            return self._build_attributes(table, op)
        if attributes is None:
            attributes = self.attributes[key] = self._build_attributes(table, op)
        return attributes

    def _build_attributes(self, table: "_AttributeTable", op: Op) -> tosa.Attribute:
        """Returns a new flatbuffer table of an operator's attributes, with names for its regions."""
        attributes = op.attributes
        fields = {
            attr.name: _encode_attribute(attr, attributes[attr.name], op)
            for attr in table.plain
            if attr.name in attributes
        }
        return table.table_class(
            **fields, **dict(zip(table.graphs, map(self.regions.__getitem__, op.regions), strict=True))
        )


class _AttributeTable:
    """The fields of the flatbuffer table that holds an operator's attributes, and those that name regions."""

    def __init__(self, row: OpDef) -> None:
        """Finds the fields of the flatbuffer table that holds an operator's attributes.

        Attributes that tensors hold are left out. `graphs` are the names of fields that name regions, `plain` the other
        fields. Operators with equal attributes share a table if `shared`: if no field is an element or bytes.
        """
        self.op = tosa.Op[row.name]
        self.table_class = tosa.ATTRIBUTES[self.op]
        stored = [attr for attr in row.attributes if attr.name not in tosa.IN_TENSORS]
        self.graphs = [attr.name for attr in stored if attr.kind is Kind.GRAPH]
        self.plain = [attr for attr in stored if attr.kind is not Kind.GRAPH]
        self.names = [attr.name for attr in self.plain]
        self.shared = not any(attr.kind in (Kind.BYTES, Kind.ELEMENT) for attr in self.plain)


_attribute_table = cache(_AttributeTable)


def _schema_dtype(type: TensorType) -> tosa.DType:
    """Returns the element type of the TOSA schema; raises UnsupportedError if it has none."""
    dtype = DTYPES.get(type.dtype)
    if dtype is None:
        raise UnsupportedError(refused_type(type.dtype.value))
    return dtype


def _encode_attribute(attr: Attr, value: Any, op: Op) -> Any:
    """Returns the value of an operator's attribute in the form in which the flatbuffer holds it."""
    if attr.kind is Kind.ENUMERANT:
        return tosa.DType[value] if attr.of == "acc_type" else ENUMERATIONS[attr.of][value]
    if attr.kind is Kind.BYTES:
        return np.frombuffer(value, np.uint8)
    if attr.kind is Kind.ELEMENT:  # a scalar of the operator's element type, as bytes
        dtype = op.operands[0].type.dtype
        return pack(round_element(value, dtype), dtype)
    return value


def variable_declaration(op: Op) -> tuple[TensorType, Array | None]:
    """Returns the type and initial value of the variable that VARIABLE declares, or READ or WRITE uses.

    The initial value is None if VARIABLE states none, and for READ and WRITE, which don't know it.
    """
    if op.row is VARIABLE:
        type = TensorType(op.attributes["type"], tuple(op.attributes["var_shape"]))
        return type, op.attributes.get("initial_value")
    return (op.operands if op.row is VARIABLE_WRITE else op.results)[0].type, None
