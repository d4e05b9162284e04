"""The SPIR-V writer: a TOSA graph as a graph module of SPV_ARM_graph and the instruction set TOSA.001000.1.

The layout is: interface variables in descriptor set 0, inputs first and outputs behind them; constants of a few
elements inline; larger ones as graph constants, numbered from 0, whose elements stay outside of the module. Types and
constants are kept once. Tensors of rank 0, which SPIR-V doesn't have, become tensors of shape [1].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.elements import round_element
from tosa_converter.formats.spirv.words import Words, encode
from tosa_converter.ir import CONSTANTS, Array, Graph, Op, TensorType, Value, name_with_location
from tosa_converter.rules.target import required_version, version_text
from tosa_converter.schemas import spirv
from tosa_converter.schemas.spirv import Instruction
from tosa_converter.schemas.tosa_ops import IDENTITY, Attr, Kind
from tosa_converter.schemas.tosa_target import ENUMERATIONS, VERSION

INLINE_ELEMENTS = 16  # constants of up to as many elements go into the module
GENERATOR = 0  # no registered tool
# A character takes 4 bytes of UTF-8 at most, a word: 32,768 words, and an instruction has up to 65,535.
DEBUG_TEXT = 1 << 15  # characters, which always fit into an instruction; debuggers don't need more

# Element types as the mapping of the instruction set has them, with the capability each needs; i4 has no place in
# it and is widened.
_INT8 = (spirv.TYPE_INT, (8, 0), "Int8")
_INT32 = (spirv.TYPE_INT, (32, 0), "")
_FPENCODING = spirv.ENUMERATIONS["FPEncoding"]
ELEMENTS: dict[DType, tuple[Instruction, tuple[int, ...], str]] = {
    DType.BOOL: (spirv.TYPE_BOOL, (), ""),
    DType.I8: _INT8,
    DType.I4: _INT8,
    DType.I16: (spirv.TYPE_INT, (16, 0), "Int16"),
    DType.I32: _INT32,
    DType.SHAPE: _INT32,
    DType.I48: (spirv.TYPE_INT, (64, 0), "Int64"),
    DType.FP16: (spirv.TYPE_FLOAT, (16,), "Float16"),
    DType.FP32: (spirv.TYPE_FLOAT, (32,), ""),
    DType.BF16: (spirv.TYPE_FLOAT, (16, _FPENCODING["BFloat16KHR"]), "BFloat16TypeKHR"),
    DType.FP8E4M3: (spirv.TYPE_FLOAT, (8, _FPENCODING["Float8E4M3EXT"]), "Float8EXT"),
    DType.FP8E5M2: (spirv.TYPE_FLOAT, (8, _FPENCODING["Float8E5M2EXT"]), "Float8EXT"),
}


@dataclass(frozen=True, slots=True)
class Module:
    """A graph module: its words, and beside them the elements of the graph constants by their number."""

    words: Words
    entry_point: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    constants: tuple[Value, ...]


def module_type(type: TensorType) -> TensorType:
    """Returns the type that a tensor has in a SPIR-V module: i4 as i8, shapes as i32, rank 0 as [1]."""
    dtype = {DType.I4: DType.I8, DType.SHAPE: DType.I32}.get(type.dtype, type.dtype)
    return TensorType(dtype, type.static or (1,))


def write_spirv(
    graph: Graph,
    *,
    debug: bool = False,
    called: Mapping[Value, str] = MappingProxyType({}),
    borders: str = "",
    first_binding: int = 0,
) -> Module:
    """Encodes a TOSA graph as a SPIR-V graph module.

    Args:
        graph: tosa.* operators with static shapes.
        debug: also write the names of all values and where each operator comes from.
        called: names for values in place of their own.
        borders: the record of the source's input and output types, which becomes a string of the module.
        first_binding: the binding of the first input; those of further inputs and of outputs follow.

    Raises:
        UnsupportedError: operators that have no instruction (control flow, variables, custom operators), unknown
            dimensions, or operands that must be constants and aren't; all of them with their places.
    """
    problems = refusals(graph)
    if problems:
        later = required_version(graph.walk()) > VERSION
        hint = "next: leave 1.1 out of --target: SPIR-V has no instruction set of TOSA 1.1 yet"
        raise UnsupportedError(*problems, *([hint] if later else []))
    return _Writer(graph, debug, called).module(borders, first_binding)


def refusals(graph: Graph) -> list[str]:
    """Returns the reasons why a TOSA graph can't be a SPIR-V module, each with its place; empty if it can."""
    problems = [text for value in graph.inputs for text in _value_problems(f"input {value.name!r}", value)]
    for index, op in enumerate(graph.ops):
        if op.name in CONSTANTS:
            continue
        place = f"{graph.name}: operator {index} {name_with_location(op.name, op.location)}"
        if (op.row is None or op.row.spirv is None) and op.row is not IDENTITY:
            later = f", an operator of TOSA {version_text(op.row.since)}" if op.row and op.row.since > VERSION else ""
            problems.append(f"{place}: {spirv.INSTRUCTION_SET} has no instruction for it{later}")
            continue
        version = required_version([op])
        if version > VERSION:
            problems.append(
                f"{place}: {spirv.INSTRUCTION_SET} doesn't have these types, of TOSA {version_text(version)}"
            )
            continue
        problems += [f"{place}: {text}" for text in _operand_problems(op)]
    return problems


def _operand_problems(op: Op) -> list[str]:
    """Returns why a SPIR-V module can't hold an operator's operands and results, a text for each reason."""
    problems = [text for i, value in enumerate(op.results) for text in _value_problems(f"result {i}", value)]
    for operand, value in zip(op.row.inputs, op.inputs, strict=False):
        if value is None:
            problems.append(f"{operand.name} is absent")
        elif operand.ctc and value.constant is None:
            problems.append(f"{operand.name} must be a constant")
        elif value.constant is not None:
            problems += _value_problems(operand.name, value)
    return problems


def _value_problems(place: str, value: Value) -> list[str]:
    """Returns why a SPIR-V module can't hold a value's type: the element type, or unknown dimensions."""
    if value.type.dtype not in ELEMENTS:
        return [f"{place} is {value.type.dtype.value}, which {spirv.INSTRUCTION_SET} doesn't have"]
    if None in value.type.shape:
        return [f"{place} is {value.type}, expected known dimensions"]
    return []


class _Writer:
    """Writes one SPIR-V module section by section."""

    def __init__(self, graph: Graph, debug: bool, called: Mapping[Value, str]) -> None:
        """Starts a SPIR-V module with empty sections.

        `called` has names for values in place of their own, and `debug` keeps all names and locations. Id 1 is the TOSA
        instruction set.
        """
        self.graph = graph
        self.debug = debug
        self.called = called
        self.bound = 1  # the next id
        self.capabilities = dict.fromkeys(spirv.BASE_CAPABILITIES)
        self.imports: list[int] = []  # besides the instruction set's
        self.strings: list[int] = []
        self.names: list[int] = []
        self.decorations: list[int] = []
        self.globals: list[int] = []
        self.body: list[int] = []
        self.unique: dict[tuple[Instruction, tuple[int | str, ...]], int] = {}  # ids of types, constants and strings
        self.tensors: dict[tuple[DType, tuple[int, ...]], int] = {}
        self.values: dict[Value, int] = {}
        self.constants: list[Value] = []
        self.locations: list[tuple[int, str]] = []  # of each extended instruction
        self.tosa = self._new_id()

    def module(self, borders: str, first_binding: int) -> Module:
        """Encodes the graph and returns the module, whose inputs and outputs have bindings from `first_binding` on.

        `borders`, the record of the source's types, becomes an OpString.
        """
        graph = self.graph
        interface = [*graph.inputs, *graph.outputs]
        if borders:
            self._emit(self.strings, spirv.STRING, borders)
        variables = [self._add_interface_variable(value, i) for i, value in enumerate(interface, first_binding)]
        types = [self._value_type(value.type) for value in interface]
        graph_type = self._define_once(spirv.TYPE_GRAPH, len(graph.inputs), *types)
        body = self._emit(self.body, spirv.GRAPH, type=graph_type)
        for index, value in enumerate(graph.inputs):
            self.values[value] = self._emit(
                self.body, spirv.GRAPH_INPUT, self._int_constant(index), type=self._value_type(value.type)
            )
            self._add_debug_name(value)
        for op in graph.ops:
            self._add_operator(op)
        self._add_debug_locations(body)
        for index, value in enumerate(graph.outputs):
            self.body += encode(spirv.GRAPH_SET_OUTPUT, self._value_id(value), self._int_constant(index))
        self.body += encode(spirv.GRAPH_END)
        entry = encode(spirv.GRAPH_ENTRY_POINT, body, graph.name, *variables)
        return Module(
            self._module_words(entry), graph.name, tuple(graph.inputs), tuple(graph.outputs), tuple(self.constants)
        )

    def _module_words(self, entry: list[int]) -> Words:
        """Returns all words of the module: header, capabilities, extensions, and the sections in SPIR-V's order."""
        capability = spirv.ENUMERATIONS["Capability"]
        extensions = (spirv.CAPABILITY_EXTENSIONS.get(name) for name in self.capabilities)
        # The header is made last, since the sections ask for capabilities and ids; `bound` is the largest id plus 1.
        words = [spirv.MAGIC, spirv.VERSION, GENERATOR, self.bound, 0]
        for name in self.capabilities:
            words += encode(spirv.CAPABILITY, capability[name])
        debug = spirv.DEBUG_EXTENSION if self.imports else None
        for extension in filter(None, (*spirv.BASE_EXTENSIONS, *extensions, debug)):
            words += encode(spirv.EXTENSION, extension)
        words += encode(spirv.EXT_INST_IMPORT, self.tosa, spirv.INSTRUCTION_SET) + self.imports
        memory = spirv.ENUMERATIONS["MemoryModel"]["Vulkan"]
        words += encode(spirv.MEMORY_MODEL, spirv.ENUMERATIONS["AddressingModel"]["Logical"], memory)
        for section in (self.strings, self.names, self.decorations, self.globals, entry, self.body):
            words += section
        return np.array(words, "<u4")

    # ** ids **

    def _new_id(self) -> int:
        """Returns an id that the module doesn't use yet."""
        self.bound += 1
        return self.bound - 1

    def _emit(self, section: list[int], row: Instruction, *operands: int | str, type: int = 0) -> int:
        """Appends an instruction with a new result id to a section, and returns that id."""
        result = self._new_id()
        section += encode(row, type, result, *operands) if type else encode(row, result, *operands)
        return result

    def _define_once(self, row: Instruction, *operands: int | str, type: int = 0) -> int:
        """Returns the id of a type or constant, which is written when it is first asked for; equal ones share an id."""
        # Numbers are operands by their bits: 0.0 and -0.0 (0x80000000) are two constants, though they are equal.
        key = (row, (type, *operands))
        id = self.unique.get(key)
        if id is None:
            id = self.unique[key] = self._emit(self.globals, row, *operands, type=type)
        return id

    # ** types **

    def _element_type(self, dtype: DType) -> int:
        """Returns the id of an element type, and notes the capability that it needs."""
        row, operands, capability = ELEMENTS[dtype]
        if capability:
            self.capabilities.setdefault(capability)
        return self._define_once(row, *operands)

    def _value_type(self, type: TensorType) -> int:
        """Returns the id of a value's tensor type in the module, where rank 0 becomes shape [1]."""
        return self._tensor_type(type.dtype, type.static or (1,))

    def _tensor_type(self, dtype: DType, shape: tuple[int, ...]) -> int:
        """Returns the id of OpTypeTensorARM with this element type and shape."""
        id = self.tensors.get((dtype, shape))
        if id is None:
            rank = self._int_constant(len(shape))
            array = self._define_once(spirv.TYPE_ARRAY, self._element_type(DType.I32), rank)
            dims = self._define_once(spirv.CONSTANT_COMPOSITE, *map(self._int_constant, shape), type=array)
            id = self.tensors[dtype, shape] = self._define_once(
                spirv.TYPE_TENSOR, self._element_type(dtype), rank, dims
            )
        return id

    # ** constants **

    def _int_constant(self, value: int) -> int:
        """Returns the id of a 32-bit integer constant."""
        return self._define_once(spirv.CONSTANT, value & 0xFFFFFFFF, type=self._element_type(DType.I32))

    def _scalar_constant(self, value: Any, dtype: DType) -> int:
        """Returns the id of a constant number, rounded to an element type."""
        return self._scalar_constants(round_element(value, dtype), dtype)[0]

    def _scalar_constants(self, values: Array, dtype: DType) -> list[int]:
        """Returns the ids of constant numbers, one for each element, which are written by their bits."""
        type = self._element_type(dtype)
        if dtype is DType.BOOL:
            constants = (spirv.CONSTANT_FALSE, spirv.CONSTANT_TRUE)
            return [self._define_once(constants[int(value)], type=type) for value in values]
        if values.itemsize == 8:
            # -2 is fe ff ff ff ff ff ff ff in memory: words 0xfffffffe, 0xffffffff, as OpConstant has them.
            halves = values.view(np.uint32).reshape(-1, 2).tolist()
            return [self._define_once(spirv.CONSTANT, low, high, type=type) for low, high in halves]
        return [
            self._define_once(spirv.CONSTANT, bits, type=type) for bits in values.view(f"u{values.itemsize}").tolist()
        ]

    def _inline_constant(self, values: Array, dtype: DType) -> int:
        """Returns the id of a tensor constant in the module: OpConstantNull if all bits are 0, else a composite."""
        values = np.ascontiguousarray(values, _encoding_dtype(dtype)).reshape(values.shape or (1,))
        # -0.0 has its sign bit set, so it is no OpConstantNull.
        if not values.view(np.uint8).any():
            return self._define_once(spirv.CONSTANT_NULL, type=self._tensor_type(dtype, values.shape))
        return self._composite_constant(values, dtype)

    def _composite_constant(self, values: Array, dtype: DType) -> int:
        """Returns the id of a constant nested by dimension, rows within rows.

        Rows of zeros are written too: the ML emulation layer takes no OpConstantNull for them.
        """
        scalars = values.ndim == 1
        parts = (
            self._scalar_constants(values, dtype)
            if scalars
            else [self._composite_constant(row, dtype) for row in values]
        )
        return self._define_once(spirv.CONSTANT_COMPOSITE, *parts, type=self._tensor_type(dtype, values.shape))

    def _graph_constant(self, value: Value) -> int:
        """Returns the id of a graph constant, whose elements stay outside of the module."""
        number = len(self.constants)
        self.constants.append(value)
        return self._emit(self.globals, spirv.GRAPH_CONSTANT, number, type=self._value_type(value.type))

    def _constant_id(self, values: Array, value: Value) -> int:
        """Returns the id of a value's constant: inline if it is small or a shape, else a graph constant."""
        if value.type.dtype is DType.SHAPE:  # the shape of a tensor of rank 0 becomes that of [1]
            return self._inline_constant(values if values.size else np.ones(1, np.int64), DType.SHAPE)
        return (
            self._inline_constant(values, value.type.dtype)
            if values.size <= INLINE_ELEMENTS
            else self._graph_constant(value)
        )

    # ** the graph **

    def _add_interface_variable(self, value: Value, binding: int) -> int:
        """Adds the interface variable of an input or output, with its binding in descriptor set 0; returns its id."""
        pointer = self._define_once(
            spirv.TYPE_POINTER, spirv.ENUMERATIONS["StorageClass"]["UniformConstant"], self._value_type(value.type)
        )
        storage = spirv.ENUMERATIONS["StorageClass"]["UniformConstant"]
        variable = self._emit(self.globals, spirv.VARIABLE, storage, type=pointer)
        decoration = spirv.ENUMERATIONS["Decoration"]
        self.decorations += encode(spirv.DECORATE, variable, decoration["DescriptorSet"], 0)
        self.decorations += encode(spirv.DECORATE, variable, decoration["Binding"], binding)
        name = self.called.get(value, value.name)
        if name:
            self.names += encode(spirv.NAME, variable, name)
        return variable

    def _value_id(self, value: Value) -> int:
        """Returns the id of a value; a constant is written when it is first used."""
        id = self.values.get(value)
        if id is None:
            constant = value.constant
            if constant is None:
                raise UnsupportedError(f"{self.graph.name}: {value} is used before any operator makes it")
            id = self.values[value] = self._constant_id(constant, value)
            self._add_debug_name(value)
        return id

    def _add_debug_name(self, value: Value) -> None:
        """Adds OpName with a value's name, cut at DEBUG_TEXT characters, if debug information is asked for."""
        name = self.called.get(value, value.name)
        if self.debug and name:
            self.names += encode(spirv.NAME, self.values[value], name[:DEBUG_TEXT])

    def _add_debug_locations(self, graph: int) -> None:
        """Adds debug instructions with the operators' locations, if debug information is asked for.

        They stand before the first output, where SPIRV-Tools accept them.
        """
        if not self.debug or not self.locations:
            return
        debug = self._emit(self.imports, spirv.EXT_INST_IMPORT, spirv.DEBUG_SET)
        void = self._define_once(spirv.TYPE_VOID)
        named = self._emit(
            self.body, spirv.EXT_INST, debug, spirv.DEBUG_GRAPH, graph, self._string_id(self.graph.name), type=void
        )
        for instruction, location in self.locations:
            text = self._string_id(location)
            self._emit(self.body, spirv.EXT_INST, debug, spirv.DEBUG_OPERATION, named, text, instruction, type=void)

    def _string_id(self, text: str) -> int:
        """Returns the id of an OpString with a text, cut at DEBUG_TEXT characters; equal texts are written once."""
        text = text[:DEBUG_TEXT]
        key = (spirv.STRING, (text,))
        if key not in self.unique:
            self.unique[key] = self._emit(self.strings, spirv.STRING, text)
        return self.unique[key]

    def _add_operator(self, op: Op) -> None:
        """Adds the OpExtInst of an operator; constants are written when they are used, and IDENTITY needs none."""
        if op.name in CONSTANTS:
            return
        if op.row is IDENTITY:
            self.values[op.result] = self._value_id(op.operands[0])
            return
        number = op.row.spirv
        assert number is not None  # or `refusals` would have refused it
        operands = [self._attribute_id(attr, op) for attr in op.row.attributes] + [
            self._value_id(v) for v in op.operands
        ]
        types = [self._value_type(value.type) for value in op.results]
        type = types[0] if len(types) == 1 else self._define_once(spirv.TYPE_STRUCT, *types)
        result = self._emit(self.body, spirv.EXT_INST, self.tosa, number, *operands, type=type)
        if op.location:
            self.locations.append((result, op.location))
        for index, value in enumerate(op.results):
            self.values[value] = result
            if len(types) > 1:
                self.values[value] = self._emit(self.body, spirv.COMPOSITE_EXTRACT, result, index, type=types[index])
            self._add_debug_name(value)

    def _attribute_id(self, attr: Attr, op: Op) -> int:
        """Returns the id of the constant that holds an operator's attribute."""
        value = op.attribute(attr.name)
        if value is None:
            raise UnsupportedError(f"{self.graph.name}: {op.name}: {attr.name} is absent")
        if attr.kind is Kind.ENUMERANT:
            return self._int_constant(ENUMERATIONS[attr.of][value])
        if attr.is_list:
            return self._inline_constant(np.asarray(value, np.int32), DType.I32)
        return self._scalar_constant(value, attribute_dtype(attr, op.operands[0].type.dtype))


def attribute_dtype(attr: Attr, operand: DType) -> DType:
    """Returns the type in which SPIR-V states a scalar attribute: bool, i32, or the operand's element type."""
    return {Kind.BOOL: DType.BOOL, Kind.I32: DType.I32}.get(attr.kind, operand)


def _encoding_dtype(dtype: DType) -> "np.dtype[Any]":
    """Returns the numpy type in which a module's constants are encoded; shapes have 32 bits there."""
    return np.dtype(np.int32) if dtype is DType.SHAPE else dtype.numpy
