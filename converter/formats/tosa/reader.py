"""The TOSA flatbuffer reader: files of TOSA 1.0 and 1.1, and of later minor versions with the same operators."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.borders import attach_borders, split_borders
from tosa_converter.formats.elements import unpack
from tosa_converter.formats.later import KNOWN, refused_operator, refused_type
from tosa_converter.formats.ranks import UNRANKED, rank_tensors
from tosa_converter.formats.tosa.regions import called_regions, order_regions, regions_of
from tosa_converter.formats.tosa.writer import DTYPES
from tosa_converter.ir import Array, Graph, Model, Op, Signature, TensorType, Value, unique_names
from tosa_converter.rules.target import version_text
from tosa_converter.schemas import tosa
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import BY_OPCODE, Attr, Kind, OpDef
from tosa_converter.schemas.tosa_target import DRAFT, ENUMERATIONS, LEVEL_NONE, VERSION

_FROM_DTYPES = {value: key for key, value in DTYPES.items()}
_ENUMERANTS = {kind: {v: k for k, v in values.items()} for kind, values in ENUMERATIONS.items()}
_EMPTY = np.zeros(0, np.uint8)
MAX_RANK = LEVEL_NONE.MAX_RANK
# Control flow may use a region several times, and each use counts for all that walk or run the graph. Measured in
# bytes: those of the constants, and ITEM for each tensor and operator.
ITEM = 256
EXPANSION, FREE_EXPANSION = 4, 1 << 22


def read_tosa(data: flatbuffer.Bytes, *, file: str = "") -> Model:
    """Reads a `.tosa` file; constants are views of `data`.

    The first region is the main graph, as for the reference model and tosa-opt; others that no control flow names are
    further graphs. Operators that use one region share its Graph. If a value is an output several times, all but the
    first of these outputs get an IDENTITY, so that each output has a name of its own.

    Raises:
        FormatError: malformed bytes, a reference to a tensor that isn't there, a region that contains itself, an
            unreadable version.
        UnsupportedError: operators, types or required features that aren't built, by name; regions used so often that
            the graph is far larger than the file.
    """
    try:
        return _Reader(flatbuffer.read(tosa.TosaGraph, data, tosa.IDENTIFIER, file=file), data).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Reader:
    """Builds graphs from regions; regions that control flow names become graphs of its operators."""

    def __init__(self, root: tosa.TosaGraph, data: flatbuffer.Bytes) -> None:
        """Prepares to read a TOSA file: checks its version, required features and regions; `data` are its bytes."""
        self.data = _DataSection(data)
        version = root.version or tosa.Version()
        if version._major != VERSION[0]:
            raise FormatError(
                f"expected TOSA version {VERSION[0]}.x, found {version._major}.{version._minor}.{version._patch}"
            )
        _refuse_features(root.compatibility)
        self.version = version
        self.regions = {region.name: region for region in root.regions}
        if not root.regions:
            raise FormatError("expected at least one region, found none", path="TosaGraph.regions")
        if len(self.regions) != len(root.regions):
            raise FormatError("two regions have the same name", path="TosaGraph.regions")
        for region in root.regions:
            if len(region.blocks) != 1:
                raise FormatError(f"expected one block, found {len(region.blocks)}", path=region.name)

    def model(self, file: str) -> Model:
        """Returns the model of the file; its graphs are the first region, and each region that no control flow uses.

        The other regions become graphs of the COND_IF and WHILE_LOOP operators that use them. Raises an error before
        anything is decoded if control flow uses regions so often that they take too much memory.
        """
        named = {name: called_regions(region) for name, region in self.regions.items()}
        inner = {name for names in named.values() for name in names}
        order = order_regions(named)
        entries = [name for i, name in enumerate(self.regions) if i == 0 or name not in inner]
        self._bound_uses(entries, order, named)
        decoded: dict[str, Graph] = {}
        records: dict[str, str] = {}
        for name in order:
            block = _Block(name, self.regions[name].blocks[0], decoded, self.data)
            decoded[name], records[name] = block.graph, block.record
        graphs = {name: decoded[name] for name in entries}
        for graph in graphs.values():
            _name_each_output(graph)
        signatures = {name: Signature.of(graph) for name, graph in graphs.items()}
        model = Model(graphs, signatures, source=file)
        for name, graph in graphs.items():
            if records[name]:
                attach_borders(model, graph, records[name])
        model.notes += [(file, note) for note in _version_notes(self.version)]
        return model

    def _bound_uses(self, entries: list[str], inside_out: list[str], named: dict[str, list[str]]) -> None:
        """Raises UnsupportedError if control flow uses regions so often that the graph is far larger than the file.

        `inside_out` has each region behind those that it uses, so sizes can be summed in that order.
        """
        own_sizes = {name: _memory_of_block(region.blocks[0]) for name, region in self.regions.items()}
        total_sizes: dict[str, int] = {}
        # Regions that each use the one before twice double: 300 of them would be 2**300 bytes. The limit below is under
        # 2**41 for a file of 4 GB, so the cap changes no verdict and keeps the numbers short.
        for name in inside_out:
            total_sizes[name] = min(own_sizes[name] + sum(total_sizes[inner] for inner in named[name]), 1 << 62)
        expanded, stored = sum(total_sizes[name] for name in entries), sum(own_sizes.values())
        # 1 MB of constants and tensors may become 4 * 1 + 4 = 8 MB.
        if expanded > EXPANSION * stored + FREE_EXPANSION:
            raise UnsupportedError(
                "regions are used again and again: with all of their uses the graph is "
                f"{expanded / stored:.3g} times what the file has"
            )


def _version_notes(version: tosa.Version) -> list[str]:
    """Returns a note if a file's version is later than the draft of 1.1 that is built here; [] for any other."""
    numbers = version._major, version._minor, version._patch
    if numbers < DRAFT or (numbers == DRAFT and version._draft):
        return []
    text, draft = version_text(numbers), version_text(DRAFT)
    return [f"the file is of TOSA {text}: it is read as the draft of {draft} of August 2026, the latest one known here"]


def _refuse_features(needed: tosa.SerializationCompatibility | None) -> None:
    """Raises UnsupportedError for features that a TOSA file requires; none of them is built."""
    bits = [bit for bit in range(1, 64) if needed is not None and needed.features >> bit & 1]
    names_by_bit = {feature.value: feature.name for feature in tosa.CompatibilityFeature}
    if bits:
        names = ", ".join(names_by_bit.get(bit, f"number {bit}") for bit in bits)
        raise UnsupportedError(f"the file requires features beyond {KNOWN}: {names}")


def _memory_of_block(block: tosa.TosaBasicBlock) -> int:
    """Returns about how many bytes a block takes in memory: its constants, and ITEM for each tensor and operator.

    Control flow may use one region many times, so the sum over all uses is limited before they are decoded.
    """
    items = sum(map(len, (block.tensors, block.shapes, block.operators, block.inputs, block.outputs)))
    return ITEM * (1 + items) + sum(tensor.data.nbytes for tensor in block.tensors if tensor.data is not None)


def _name_each_output(graph: Graph) -> None:
    """Gives each output of a graph a value of its own: an IDENTITY for each further time that one is listed."""
    taken = {value.name for value in [*graph.inputs, *(result for op in graph.ops for result in op.results)]}
    seen: set[Value] = set()
    for i, value in enumerate(graph.outputs):
        if value in seen:
            (name,) = unique_names([f"{value.name}_{i}"], taken)
            taken.add(name)
            graph.ops.append(Op(ops.IDENTITY, [value], [value.type], result_names=[name]))
            graph.outputs[i] = graph.ops[-1].result
        seen.add(value)


class _DataSection:
    """The bytes of a file, in which tensors may have elements behind the flatbuffer; its size bounds their sum."""

    def __init__(self, data: flatbuffer.Bytes) -> None:
        """Prepares to view the elements that lie behind the flatbuffer of a file."""
        self.data = data
        self.used = 0  # bytes of all tensors so far, which may share them

    def view(self, offset: int, size: int, place: str) -> Array:
        """Returns `size` bytes at an offset of the file.

        Raises FormatError where there are none, or if tensors share bytes so often that a small file describes too much
        data.
        """
        total = len(self.data)
        if offset + size > total:
            raise FormatError(f"expected elements within {total} bytes, found {offset} to {offset + size}", path=place)
        self.used += size
        if self.used > flatbuffer.EXPANSION * total:
            raise FormatError(f"tensors share {total} bytes so often that they describe too much data", path=place)
        return np.frombuffer(self.data, np.uint8, size, offset)


class _Block:
    """Builds one graph; its operators stand in the file's order, each behind those that compute its operands."""

    def __init__(
        self, region: str, block: tosa.TosaBasicBlock, decoded: Mapping[str, Graph], data: "_DataSection"
    ) -> None:
        """Builds the graph of a region's block: its variables, inputs, operators and outputs.

        `decoded` has the graphs of the regions that its control flow uses, and `data` the file's bytes.
        """
        self.region = region
        self.data = data
        self.decoded = decoded
        self.tensors = {tensor.name: tensor for tensor in block.tensors}
        self.shapes = {shape.name: shape for shape in block.shapes}
        self.values: dict[str, Value] = {}
        self.graph = Graph(region)
        self.record = ""  # of the source's input and output types
        self.places: dict[str, str] = {}  # location by the file's text: many operators may share a long one
        for tensor in block.tensors:
            if tensor.variable:
                self._add_variable(tensor)
        for name in block.inputs:
            if name in self.values:
                raise FormatError(f"input {name!r} is listed twice", path=region)
            self.values[name] = value = Value(self._tensor_type(name), name)
            self.graph.inputs.append(value)
        _refuse_later_operators(region, block)
        for index, operator in enumerate(block.operators):
            self.graph.ops.append(self._read_operator(operator, index))
        self.graph.outputs = [self._find_value(name, "outputs") for name in block.outputs]
        for value in self.graph.inputs:
            if value.type.shape == UNRANKED:
                raise UnsupportedError(f"{region}: no operator tells the rank of input {value.name!r}")

    def _tensor_type(self, name: str) -> TensorType:
        """Returns the type of the tensor or shape of that name; raises FormatError if there is none."""
        shape = self.shapes.get(name)
        if shape is not None:
            return TensorType(DType.SHAPE, (shape.rank,))
        tensor = self.tensors.get(name)
        if tensor is None:
            raise FormatError(f"no tensor is called {name!r}", path=self.region)
        if tensor.is_unranked:
            return TensorType(self._dtype(tensor), UNRANKED)
        return TensorType(self._dtype(tensor), tuple(None if size == -1 else size for size in tensor.shape))

    def _dtype(self, tensor: tosa.TosaTensor) -> DType:
        """Returns the element type of a tensor; raises an error for a type that isn't built."""
        if tensor.type not in _FROM_DTYPES:
            raise UnsupportedError(f"{self.region}: tensor {tensor.name!r}: {refused_type(tensor.type.name)}")
        if tensor.scale_type or tensor.block_shape:
            scale = refused_type(tensor.scale_type.name) if tensor.scale_type else "it has scales for blocks"
            raise UnsupportedError(f"{self.region}: tensor {tensor.name!r}: {scale}")
        if len(tensor.shape) > MAX_RANK:
            message = f"a shape of {len(tensor.shape)} dimensions, no level allows more than {MAX_RANK}"
            raise FormatError(message, path=f"{self.region}.{tensor.name}")
        return _FROM_DTYPES[tensor.type]

    def _find_value(self, name: str, place: str) -> Value:
        """Returns the value of the tensor of that name, which must be an input or computed before."""
        value = self.values.get(name)
        if value is None:
            raise FormatError(f"tensor {name!r} is used before any operator makes it", path=f"{self.region}.{place}")
        return value

    def _add_variable(self, tensor: tosa.TosaTensor) -> None:
        """Adds a VARIABLE operator for a tensor that the file marks as a variable, with its initial value or None."""
        dtype = self._dtype(tensor)
        if tensor.is_unranked:
            raise UnsupportedError(f"{self.region}: variable {tensor.name!r} is unranked")
        # An offset of 1 is the placeholder that writers set before they know the real one.
        stored = tensor.offset > 1 or (tensor.data is not None and tensor.data.size)
        initial = self._constant_elements(tensor) if stored else None
        name = tensor.variable_name or tensor.name
        attributes = {"name": name, "var_shape": tensor.shape, "type": dtype, "initial_value": initial}
        self.graph.ops.append(Op(ops.VARIABLE, (), (), attributes))

    def _constant_elements(self, tensor: tosa.TosaTensor) -> Array:
        """Returns the elements of a constant tensor, in the flatbuffer or at an offset in a file beyond 2 GB.

        Offsets 0 and 1 are placeholders, see `_add_variable`.
        """
        place = f"{self.region}.{tensor.name}"
        data = tensor.data
        if tensor.offset > 1:
            data = self.data.view(tensor.offset, tensor.size, place)
        if any(size < 0 for size in tensor.shape) or data is None:
            raise FormatError("a constant without data or shape", path=place)
        try:
            return unpack(data, self._dtype(tensor), tensor.shape)
        except FormatError as error:
            error.inside(f"{self.region}.{tensor.name}")
            raise

    def _read_operator(self, operator: tosa.TosaOperator, index: int) -> Op:
        """Returns an operator of the file as one of the graph, and binds its results to their names."""
        place = f"operators[{index}]"
        row = self._operator_row(operator)
        attributes = self._read_attributes(row, operator, place)
        inputs, outputs = list(operator.inputs), list(operator.outputs)
        # In the file, a variable's tensor is the last input that is read or the last output that is written.
        if row is ops.VARIABLE_READ:
            attributes["name"] = self._variable_name(inputs.pop(), place) if inputs else ""
        elif row is ops.VARIABLE_WRITE:
            attributes["name"] = self._variable_name(outputs.pop(), place) if outputs else ""
        elif row is ops.CONST or row is ops.CONST_SHAPE:
            attributes["values"] = self._constant_result(outputs, place)
        regions = self._region_graphs(operator)
        values = [self._find_value(name, place) for name in inputs]
        types = rank_tensors(row, values, [self._tensor_type(name) for name in outputs], attributes, regions)
        if types is None:
            raise UnsupportedError(
                f"{self.region}: {place}: {row.opcode} doesn't tell the rank of its unranked tensors"
            )
        op = Op(
            row,
            values,
            types,
            attributes,
            regions=regions,
            location=self._read_location(operator),
            result_names=outputs,
        )
        for name, value in zip(outputs, op.results, strict=True):
            if name in self.values:
                raise FormatError(f"tensor {name!r} is made twice", path=f"{self.region}.{place}")
            self.values[name] = value
        return op

    def _read_location(self, operator: tosa.TosaOperator) -> str:
        """Returns the text of an operator's location, without the record of the source's input and output types.

        The writer appends that record to one location; it is kept in `self.record`.
        """
        text = (operator.location.text or "") if operator.location else ""
        place = self.places.get(text)
        if place is None:
            place, record = split_borders(text)
            self.places[text], self.record = place, record or self.record
        return place

    def _operator_row(self, operator: tosa.TosaOperator) -> OpDef:
        """Returns the row of TOSA's operators that describes a file's operator.

        VARIABLE_READ and VARIABLE_WRITE may be written as IDENTITY; their attribute tables tell them apart.
        """
        if operator.op is tosa.Op.IDENTITY:
            for row in (ops.VARIABLE_READ, ops.VARIABLE_WRITE):
                if isinstance(operator.attribute, tosa.ATTRIBUTES[tosa.Op[row.name]]):
                    return row
        return BY_OPCODE[_opcode(operator)]

    def _variable_name(self, tensor_name: str, place: str) -> str:
        """Returns the name of the variable that the tensor of that name declares."""
        tensor = self.tensors.get(tensor_name)
        if tensor is None or not tensor.variable:
            raise FormatError(f"{tensor_name!r} is not a variable", path=f"{self.region}.{place}")
        return tensor.variable_name or tensor.name

    def _constant_result(self, outputs: list[str], place: str) -> Array:
        """Returns the elements of the tensor or shape that is the result of a CONST or CONST_SHAPE."""
        if len(outputs) != 1:
            raise FormatError(f"expected one output, found {len(outputs)}", path=f"{self.region}.{place}")
        shape = self.shapes.get(outputs[0])
        if shape is not None:
            data = shape.data if shape.data is not None else _EMPTY
            return unpack(data, DType.SHAPE, (shape.rank,))
        if outputs[0] not in self.tensors:
            raise FormatError(f"no tensor is called {outputs[0]!r}", path=f"{self.region}.{place}")
        return self._constant_elements(self.tensors[outputs[0]])

    def _region_graphs(self, operator: tosa.TosaOperator) -> list[Graph]:
        """Returns the graphs of a control flow operator's regions, which are decoded before."""
        return [self.decoded[name] for name in regions_of(operator)]

    def _read_attributes(self, row: OpDef, operator: tosa.TosaOperator, place: str) -> dict[str, Any]:
        """Returns the attributes of an operator by name, decoded from its flatbuffer table.

        Regions aren't among them, nor attributes that the file's tensors hold.
        """
        expected = tosa.ATTRIBUTES[tosa.Op[row.name]]
        table = operator.attribute if operator.attribute is not None else expected()
        if not isinstance(table, expected):
            raise FormatError(
                f"expected {expected.__name__}, found {type(table).__name__}", path=f"{self.region}.{place}.attribute"
            )
        try:
            return {
                attr.name: self._decode_attribute(attr, getattr(table, attr.name), operator)
                for attr in row.attributes
                if attr.kind is not Kind.GRAPH and attr.name not in tosa.IN_TENSORS
            }
        except FormatError as error:
            error.inside(f"{self.region}.{place}.attribute")
            raise

    def _decode_attribute(self, attr: Attr, value: Any, operator: tosa.TosaOperator) -> Any:
        """Returns the Python value of one attribute.

        Bytes of a scalar are decoded as the first operand's element type.
        """
        if attr.kind is Kind.ENUMERANT:
            return _decode_enumerant(attr, value)
        if attr.kind is Kind.STR:
            return value or ""
        if attr.kind is Kind.BYTES:
            return b"" if value is None else value.tobytes()
        if attr.kind is Kind.ELEMENT:
            dtype = self._tensor_type(operator.inputs[0]).dtype if operator.inputs else DType.FP32
            return unpack(value if value is not None else _EMPTY, dtype, (1,))[0].item()
        return value


def _decode_enumerant(attr: Attr, value: Any) -> Any:
    """Returns the name of an enumerant; the schema's 0 stands for the attribute's default, if it has one.

    An `acc_type` is stored as an element type, which has the same name.
    """
    number = int(value)
    name = value.name if attr.of == "acc_type" else _ENUMERANTS[attr.of].get(number, str(number))
    if name in ENUMERATIONS[attr.of]:
        return name
    if attr.default is not None and number == 0:
        return attr.default
    raise FormatError(f"{attr.name} is {name}, expected one of {', '.join(ENUMERATIONS[attr.of])}")


def _opcode(operator: tosa.TosaOperator) -> str:
    """Returns the opcode of an operator of the schema, such as `tosa.add`."""
    return f"tosa.{operator.op.name.lower()}"


def _refuse_later_operators(region: str, block: tosa.TosaBasicBlock) -> None:
    """Raises UnsupportedError if a region has operators that aren't built, and lists them with their state."""
    later = [
        f"{region}.operators[{i}]: {refused_operator(operator.op.name)}"
        for i, operator in enumerate(block.operators)
        if _opcode(operator) not in BY_OPCODE
    ]
    if later:
        raise UnsupportedError(*later)
