"""The SPIR-V reader: graph modules of SPV_ARM_graph with the instruction set TOSA.001000.1 become TOSA graphs.

Constants become operators, and an output that is an input, a constant or another output's value gets an IDENTITY, so
that it has a name of its own. Tensors of rank 0 come back with shape [1], as the module has them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.borders import MARK, attach_borders
from tosa_converter.formats.spirv.constants import constants_beside
from tosa_converter.formats.spirv.globals import (
    DEFINITIONS,
    ConstantSource,
    Globals,
    GraphConstant,
    GraphType,
    Scalar,
    StructType,
    Tensor,
    Variable,
    Void,
    short_list,
)
from tosa_converter.formats.spirv.words import Decoded, Words, error, instructions, module_words
from tosa_converter.formats.spirv.writer import attribute_dtype
from tosa_converter.formats.storage import Bytes
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas import spirv, tosa_ops
from tosa_converter.schemas.spirv import INSTRUCTIONS, Instruction
from tosa_converter.schemas.tosa_ops import Attr, Kind, OpDef, Operand
from tosa_converter.schemas.tosa_target import ENUMERATIONS

_ENUMERANTS = {kind: {number: name for name, number in names.items()} for kind, names in ENUMERATIONS.items()}
_NOTHING = frozenset({spirv.CAPABILITY, spirv.EXTENSION, spirv.MEMORY_MODEL, spirv.DECORATE, spirv.UNDEF, *spirv.DEBUG})


def read_spirv(data: Bytes, *, file: str = "", constants: ConstantSource | None = None) -> Model:
    """Reads a graph module of either byte order; every graph of it becomes a graph of the model.

    Args:
        data: the bytes of the module.
        file: its name, for messages, and to find `<stem>.constants.npz` beside it.
        constants: gives the elements of graph constants instead.

    Raises:
        FormatError: malformed words, with the place; or graph constants whose elements are missing.
        UnsupportedError: what TOSA.001000.1 doesn't have: shaders, other instruction sets, tensors without a shape.
    """
    try:
        return _Reader(module_words(data), constants or constants_beside(file)).model(file)
    except FormatError as wrong:
        wrong.file = wrong.file or file
        raise


class _Reader:
    """Reads the instructions of a module in order."""

    def __init__(self, words: Words, constants: ConstantSource) -> None:
        """Prepares to read a SPIR-V module's words; `constants` returns the elements of its graph constants.

        The tables hold what earlier instructions have stated, by id.
        """
        self.words = words
        self.constants = constants
        self.globals = Globals(words.size)
        self.names: dict[int, str] = {}
        self.strings: dict[int, str] = {}
        self.sets: dict[int, str] = {}  # of instructions: TOSA's, and those of debug information
        self.entries: dict[int, tuple[str, list[int]]] = {}  # names of graphs, and ids of their inputs and outputs
        self.graphs: dict[str, Graph] = {}
        self.open: _GraphReader | None = None  # the graph that is being read
        self.borders = ""  # the record of the source's input and output types

    def model(self, file: str) -> Model:
        """Reads all instructions of the module in order, and returns its graphs as a model.

        A record of the source's input and output types is for a single graph, so it is ignored if there are several.
        """
        for instruction in instructions(self.words):
            if instruction.row in _NOTHING:
                continue
            if instruction.row in DEFINITIONS:
                self.globals.define(instruction)
            elif instruction.row in MODULE_LEVEL:
                MODULE_LEVEL[instruction.row](self, instruction)
            elif self.open is None:
                raise error(instruction.offset, instruction.row, "expected it within a graph")
            else:
                GRAPH_LEVEL[instruction.row](self.open, instruction)
        if self.open is not None:
            raise FormatError(f"expected {spirv.GRAPH_END.name}, found the end of the file", offset=4 * self.words.size)
        if not self.graphs:
            raise FormatError("expected a graph, found none")
        signatures = {name: Signature.of(graph) for name, graph in self.graphs.items()}
        model = Model(self.graphs, signatures, source=file)
        if self.borders and len(self.graphs) == 1:
            attach_borders(model, model.main, self.borders)
        return model

    def name(self, instruction: Decoded) -> None:
        """Handles OpName: keeps the name of an id."""
        self.names[int(instruction.operands[0])] = str(instruction.operands[1])

    def string(self, instruction: Decoded) -> None:
        """Handles OpString: keeps a location text, or the record of the source's input and output types."""
        text = str(instruction.operands[0])
        if text.startswith(MARK):
            self.borders = text
        self.strings[instruction.result] = text

    def import_set(self, instruction: Decoded) -> None:
        """Handles OpExtInstImport: keeps the set's id; refuses sets other than TOSA and non-semantic ones."""
        name = str(instruction.operands[0])
        if name != spirv.INSTRUCTION_SET and not name.startswith("NonSemantic."):
            raise UnsupportedError(
                f"word {instruction.offset}: instruction set {name!r}, expected {spirv.INSTRUCTION_SET!r}"
            )
        self.sets[instruction.result] = name

    def entry_point(self, instruction: Decoded) -> None:
        """Handles OpGraphEntryPointARM: keeps a graph's name and the ids of its interface variables."""
        graph, name, *interface = instruction.operands
        self.entries[int(graph)] = (str(name), [int(id) for id in interface])

    def graph(self, instruction: Decoded) -> None:
        """Handles OpGraphARM: begins a graph."""
        if self.open is not None:
            raise error(instruction.offset, instruction.row, "a graph within a graph")
        self.open = _GraphReader(self, instruction)

    def graph_end(self, instruction: Decoded) -> None:
        """Handles OpGraphEndARM: finishes the open graph, whose name must be new."""
        if self.open is None:
            raise error(instruction.offset, instruction.row, "no graph is open")
        graph = self.open.finish(instruction)
        if graph.name in self.graphs:
            raise error(instruction.offset, instruction.row, f"two graphs are called {graph.name!r}")
        self.graphs[graph.name] = graph
        self.open = None


class _GraphReader:
    """Builds one graph from the instructions between OpGraphARM and OpGraphEndARM."""

    def __init__(self, module: _Reader, instruction: Decoded) -> None:
        """Begins a graph at OpGraphARM: takes its type, name and inputs from earlier instructions of the module.

        The name is that of the graph's entry point, else that of its OpName, else a number.
        """
        self.module = module
        self.globals = module.globals
        self.type: GraphType = self.globals.get(instruction, instruction.type, GraphType, expected="a graph type")
        self.globals.spend(instruction, len(self.type.inputs) + len(self.type.outputs))
        name, interface = module.entries.get(
            instruction.result, (module.names.get(instruction.result, f"graph{len(module.graphs)}"), [])
        )
        self.graph = Graph(name)
        self.interface = self._interface_names(instruction, interface)
        self.graph.inputs = [
            Value(type, name or f"input_{i}")
            for i, (type, name) in enumerate(zip(self.type.inputs, self.interface, strict=False))
        ]
        self.values: dict[int, tuple[Value, ...]] = {}
        self.instructions: dict[int, Op] = {}  # operators by id, for debug information about them
        self.constants: dict[tuple[int, bool], Value] = {}
        self.outputs: dict[int, Value] = {}

    def _interface_names(self, instruction: Decoded, ids: list[int]) -> list[str]:
        """Returns the names of inputs and outputs, in order, from the entry point's variables.

        A name is empty if two inputs or two outputs share it or there are no variables; their types must be those of
        the graph.
        """
        types = (*self.type.inputs, *self.type.outputs)
        if not ids:
            return [""] * len(types)
        variables: list[Variable] = [
            self.globals.get(instruction, id, Variable, expected="an interface variable") for id in ids
        ]
        if [variable.type for variable in variables] != list(types):
            raise error(
                instruction.offset, instruction.row, "the entry point's variables don't have the types of the graph"
            )
        names = [self.globals.spend_text(instruction, self.module.names.get(id, "")) for id in ids]
        # Inputs a, b, a and output b: a would be the name of two inputs, so the names are "", b, "" and b. A decoder's
        # cache is called alike as an input and as an output.
        inputs, outputs = names[: len(self.type.inputs)], names[len(self.type.inputs) :]
        return [*_blank_duplicates(inputs), *_blank_duplicates(outputs)]

    def _bind(self, instruction: Decoded, *values: Value) -> None:
        """Binds the result id of an instruction to values; raises FormatError if the id is taken."""
        if instruction.result in self.values or instruction.result in self.globals.definitions:
            raise error(instruction.offset, instruction.row, f"id {instruction.result} is made twice")
        self.values[instruction.result] = values

    def _constant_index(self, instruction: Decoded, id: object, limit: int) -> int:
        """Returns the constant index that an id stands for; raises FormatError unless it is below `limit`."""
        index = self.globals.number(instruction, id, "a constant index")
        if index >= limit:
            raise error(instruction.offset, instruction.row, f"expected an index below {limit}, found {index}")
        return index

    def input(self, instruction: Decoded) -> None:
        """Handles OpGraphInputARM: binds its id to the input of the graph with that index."""
        if len(instruction.operands) > 1:
            raise UnsupportedError(f"word {instruction.offset}: {instruction.row.name} out of an array of tensors")
        value = self.graph.inputs[self._constant_index(instruction, instruction.operands[0], len(self.graph.inputs))]
        if self.globals.tensor(instruction, instruction.type) != value.type:
            raise error(instruction.offset, instruction.row, f"expected the graph type's {value.type}")
        self._bind(instruction, value)

    def set_output(self, instruction: Decoded) -> None:
        """Handles OpGraphSetOutputARM: keeps a value as the output of that index, once."""
        if len(instruction.operands) > 2:
            raise UnsupportedError(f"word {instruction.offset}: {instruction.row.name} into an array of tensors")
        index = self._constant_index(instruction, instruction.operands[1], len(self.type.outputs))
        value = self._find_operand(instruction, instruction.operands[0])
        if value.type != self.type.outputs[index]:
            raise error(instruction.offset, instruction.row, f"expected {self.type.outputs[index]}, found {value.type}")
        if index in self.outputs:
            raise error(instruction.offset, instruction.row, f"output {index} is set twice")
        self.outputs[index] = value

    def extract(self, instruction: Decoded) -> None:
        """Handles OpCompositeExtract: binds its id to one of an operator's several results."""
        composite, *indices = instruction.operands
        members = self.values.get(int(composite), ())
        if len(members) < 2 or len(indices) != 1 or int(indices[0]) >= len(members):
            raise error(
                instruction.offset,
                instruction.row,
                f"expected a tensor of several results, found id {composite} {indices}",
            )
        value = members[int(indices[0])]
        if self.globals.tensor(instruction, instruction.type) != value.type:
            raise error(instruction.offset, instruction.row, f"expected {value.type}")
        value.name = self.module.names.get(instruction.result, "")
        self._bind(instruction, value)

    def extended_instruction(self, instruction: Decoded) -> None:
        """Handles OpExtInst: a TOSA operator, or the debug information that gives one its location.

        Other debug information, and other non-semantic instruction sets, are ignored.
        """
        set, number, *operands = instruction.operands
        name = self.module.sets.get(int(set))
        if name is None:
            raise error(instruction.offset, instruction.row, f"expected an instruction set, found id {set}")
        if name == spirv.INSTRUCTION_SET:
            self._add_operator(instruction, int(number), [int(id) for id in operands])
            return
        self.globals.get(instruction, instruction.type, Void, expected="type void")
        if name == spirv.DEBUG_SET and number == spirv.DEBUG_OPERATION and len(operands) == 3:
            op = self.instructions.get(int(operands[2]))
            if op is not None:
                op.location = self.globals.spend_text(instruction, self.module.strings.get(int(operands[1]), ""))

    # ** operators **

    def _add_operator(self, instruction: Decoded, number: int, operands: list[int]) -> None:
        """Adds the TOSA operator of an extended instruction.

        `operands` are the ids of its attributes, then those of its inputs.
        """
        row = INSTRUCTIONS.get(number)
        if row is None:
            raise error(instruction.offset, instruction.row, f"{spirv.INSTRUCTION_SET} has no instruction {number}")
        split = len(row.attributes)
        least = split + len(row.inputs)
        if len(operands) < least or (len(operands) > least and row.most is not None):
            raise error(
                instruction.offset, instruction.row, f"{row.name}: expected {least} operands, found {len(operands)}"
            )
        inputs = [self._find_input(instruction, row, row.input(i), id) for i, id in enumerate(operands[split:])]
        attributes = {
            attr.name: self._decode_attribute(instruction, row, attr, id, inputs[0].type.dtype)
            for attr, id in zip(row.attributes, operands, strict=False)
        }
        types = self._result_types(instruction, row)
        op = Op(row, inputs, types, attributes)
        self.graph.ops.append(op)
        self.instructions[instruction.result] = op
        results = (
            self._scalar_argmax(op, types[0]) if row is tosa_ops.ARGMAX and inputs[0].type.rank == 1 else op.results
        )
        results[0].name = self.module.names.get(instruction.result, "")
        self._bind(instruction, *results)

    def _scalar_argmax(self, op: Op, type: TensorType) -> tuple[Value, ...]:
        """Returns the results of ARGMAX of one dimension, whose result has rank 0 in TOSA and shape [1] in a module.

        If the module states that shape, the result of the operator gets rank 0, and a RESHAPE to [1] is added behind
        it.
        """
        if type.shape != (1,):
            return op.results
        op.results = (Value(TensorType(type.dtype, ()), producer=op),)
        shape = Op(tosa_ops.CONST_SHAPE, (), [TensorType(DType.SHAPE, (1,))], {"values": np.ones(1, np.int64)})
        reshape = Op(tosa_ops.RESHAPE, [op.result, shape.result], [type])
        self.graph.ops += [shape, reshape]
        return reshape.results

    def _result_types(self, instruction: Decoded, row: OpDef) -> tuple[TensorType, ...]:
        """Returns the types of an operator's results: a tensor type, or the members of a struct."""
        if len(row.outputs) == 1:
            return (self.globals.tensor(instruction, instruction.type),)
        struct: StructType = self.globals.get(
            instruction, instruction.type, StructType, expected=f"a struct of {len(row.outputs)} tensors"
        )
        if len(struct.members) != len(row.outputs):
            raise error(
                instruction.offset,
                instruction.row,
                f"{row.name}: expected {len(row.outputs)} results, found {struct.members}",
            )
        return struct.members

    def _find_input(self, instruction: Decoded, row: OpDef, operand: Operand, id: int) -> Value:
        """Returns the value of an operator's operand by its id, which must be constant if TOSA demands it."""
        if operand.ctc and id in self.values:
            raise error(
                instruction.offset, instruction.row, f"{row.name}: {operand.name} must be a constant, found id {id}"
            )
        return self._find_operand(instruction, id, shape=operand.type == DType.SHAPE.value)

    def _find_operand(self, instruction: Decoded, id: object, *, shape: bool = False) -> Value:
        """Returns the value of an id; a constant becomes a CONST, or CONST_SHAPE if `shape`, at its first use."""
        values = self.values.get(id) if isinstance(id, int) else None
        if values is not None and len(values) == 1:
            return values[0]
        key = (int(id), shape)  # type: ignore[call-overload]  # ids are words
        if key not in self.constants:
            self.constants[key] = self._add_constant(instruction, key[0], shape)
        return self.constants[key]

    def _add_constant(self, instruction: Decoded, id: int, shape: bool) -> Value:
        """Adds a CONST, or a CONST_SHAPE if `shape`, for the constant of an id, and returns its result."""
        tensor = self._constant_tensor(instruction, id)
        type, values = tensor
        if shape:
            elements = short_list(tensor)
            if elements is None:
                raise error(instruction.offset, instruction.row, f"expected the elements of a shape, found {type}")
            type, values = TensorType(DType.SHAPE, type.shape), np.array(elements, np.int64)
        self.globals.spend_splat(instruction, values)
        op = Op(tosa_ops.CONST_SHAPE if shape else tosa_ops.CONST, (), [type], {"values": values})
        op.result.name = self.module.names.get(id, "")
        self.graph.ops.append(op)
        return op.result

    def _constant_tensor(self, instruction: Decoded, id: int) -> Tensor:
        """Returns the constant tensor of an id; elements of a graph constant come from outside of the module."""
        definition: Tensor | GraphConstant = self.globals.get(
            instruction, id, Tensor, GraphConstant, expected="a tensor"
        )
        if isinstance(definition, GraphConstant):
            return Tensor(definition.type, self.module.constants(definition.number, definition.type))
        return definition

    def _decode_attribute(self, instruction: Decoded, row: OpDef, attr: Attr, id: int, element: DType) -> Any:
        """Returns the value of an operator's attribute, which a module states as the `id` of a constant.

        `element` is the element type of the operator's first operand: some scalar attributes must have that type.
        """
        expected = f"{row.name}: {attr.name}, a constant of {attr.type}"
        if attr.kind is Kind.ENUMERANT:
            number, names = self.globals.number(instruction, id, expected), _ENUMERANTS[attr.of]
            if number not in names:
                accepted = ", ".join(f"{n} ({name})" for n, name in names.items())
                raise error(
                    instruction.offset, instruction.row, f"{row.name}: {attr.name}: expected {accepted}, found {number}"
                )
            return names[number]
        if attr.is_list:
            return self._decode_list(instruction, attr, id, expected)
        scalar: Scalar = self.globals.get(instruction, id, Scalar, expected=expected)
        if scalar.dtype is not attribute_dtype(attr, element):
            raise error(instruction.offset, instruction.row, f"expected {expected}, found {scalar.dtype.value}")
        return scalar.value

    def _decode_list(self, instruction: Decoded, attr: Attr, id: int, expected: str) -> tuple[int, ...]:
        """Returns an attribute that is a list of integers from the constant of an id."""
        tensor = self._constant_tensor(instruction, id)
        elements = short_list(tensor)
        if elements is None or attr.size not in (None, len(elements)):
            raise error(instruction.offset, instruction.row, f"expected {expected}, found {tensor.type}")
        return tuple(elements)

    # ** the end **

    def finish(self, instruction: Decoded) -> Graph:
        """Returns the graph at OpGraphEndARM, after a check that every output is set; sets the outputs' names.

        Each output needs a value of its own for its name. So one that is an input, a constant or an earlier output
        becomes the result of an IDENTITY.
        """
        names = self.interface[len(self.type.inputs) :]
        taken = set(self.graph.inputs)
        for index in range(len(self.type.outputs)):
            value = self.outputs.get(index)
            if value is None:
                raise error(
                    instruction.offset, instruction.row, f"output {index} of graph {self.graph.name!r} isn't set"
                )
            if value in taken or value.constant is not None:
                copy = Op(tosa_ops.IDENTITY, [value], [value.type])
                self.graph.ops.append(copy)
                value = copy.result
            taken.add(value)
            value.name = names[index] or value.name or f"output_{index}"
            self.graph.outputs.append(value)
        return self.graph


def _blank_duplicates(names: Sequence[str]) -> list[str]:
    """Returns names in order, with an empty text for each that occurs more than once."""
    times = Counter(names)
    return [name if times[name] == 1 else "" for name in names]


MODULE_LEVEL: dict[Instruction, Callable[[_Reader, Decoded], None]] = {
    spirv.NAME: _Reader.name,
    spirv.STRING: _Reader.string,
    spirv.EXT_INST_IMPORT: _Reader.import_set,
    spirv.GRAPH_ENTRY_POINT: _Reader.entry_point,
    spirv.GRAPH: _Reader.graph,
    spirv.GRAPH_END: _Reader.graph_end,
}
GRAPH_LEVEL: dict[Instruction, Callable[[_GraphReader, Decoded], None]] = {
    spirv.GRAPH_INPUT: _GraphReader.input,
    spirv.GRAPH_SET_OUTPUT: _GraphReader.set_output,
    spirv.COMPOSITE_EXTRACT: _GraphReader.extract,
    spirv.EXT_INST: _GraphReader.extended_instruction,
}
