"""Types and constants of a SPIR-V module: every operand is checked, and nothing is allocated on mere claims."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.elements import EXPANSION, SPLATS
from tosa_converter.formats.spirv.words import Decoded, error
from tosa_converter.formats.spirv.writer import ELEMENTS
from tosa_converter.ir import Array, TensorType
from tosa_converter.schemas import spirv
from tosa_converter.schemas.spirv import Instruction
from tosa_converter.schemas.tosa_target import LEVEL_NONE

MAX_ELEMENTS = 1 << 40  # of a tensor
TEXT = 1 << 26  # characters of all uses of names and places, besides as many
MAX_RANK = LEVEL_NONE.MAX_RANK
LONGEST_LIST = 2 * MAX_RANK  # elements of an attribute or a shape: the longest one is PAD's

# Gives the elements of the graph constant of that number; raises FormatError if they aren't of that type.
ConstantSource: TypeAlias = Callable[[int, TensorType], Array]

_INTEGERS = {8: DType.I8, 16: DType.I16, 32: DType.I32, 64: DType.I48}
FLOATS: dict[tuple[int | str, ...], DType] = {
    operands: dtype for dtype, (row, operands, _) in ELEMENTS.items() if row is spirv.TYPE_FLOAT
}


class ArrayType(NamedTuple):
    """An OpTypeArray of integers, as the shape of a tensor type has it."""

    length: int


class StructType(NamedTuple):
    """An OpTypeStruct of tensors."""

    members: tuple[TensorType, ...]


class PointerType(NamedTuple):
    """An OpTypePointer to a tensor."""

    pointee: TensorType


class GraphType(NamedTuple):
    """An OpTypeGraphARM: the types of a graph's inputs and outputs."""

    inputs: tuple[TensorType, ...]
    outputs: tuple[TensorType, ...]


class GraphConstant(NamedTuple):
    """An OpGraphConstantARM, whose elements stay outside of the module."""

    type: TensorType
    number: int


class Scalar(NamedTuple):
    """A constant number, by its bits."""

    dtype: DType
    bits: int

    @property
    def value(self) -> Any:
        """The constant as a Python number."""
        width = self.dtype.numpy.itemsize
        # -1 of 8 bits is 0x000000ff in our modules, 0xffffffff where a tool extends the sign: both end in ff.
        raw = np.array([self.bits & ((1 << 8 * width) - 1)], f"u{width}")
        return raw.view(self.dtype.numpy)[0].item()


class Numbers(NamedTuple):
    """A constant array of integers, such as a shape."""

    values: tuple[int, ...]


class Tensor(NamedTuple):
    """A constant tensor."""

    type: TensorType
    values: Array


class Void(NamedTuple):
    """OpTypeVoid: what debug instructions make."""


class Variable(NamedTuple):
    """An OpVariable of the interface."""

    type: TensorType


Global: TypeAlias = (
    DType
    | TensorType
    | ArrayType
    | StructType
    | PointerType
    | GraphType
    | GraphConstant
    | Scalar
    | Numbers
    | Tensor
    | Void
    | Variable
)


class Globals:
    """The types, constants and variables of a module, by id."""

    def __init__(self, words: int) -> None:
        """Starts a module's table of types, constants and variables; none is defined yet.

        Budgets for elements, for constants that repeat one element, and for text grow with the module's words.
        """
        self.definitions: dict[int, Global] = {}
        self.budget = EXPANSION * words
        self.splats = SPLATS + EXPANSION * words
        self.text = TEXT + EXPANSION * words

    def define(self, instruction: Decoded) -> None:
        """Decodes an instruction that defines a type, constant or variable, and keeps the definition by its id.

        Raises:
            FormatError: an id made twice, or an operand that isn't what the instruction needs.
            UnsupportedError: types that the mapping of the instruction set doesn't have.
        """
        if instruction.result in self.definitions:
            raise error(instruction.offset, instruction.row, f"id {instruction.result} is made twice")
        self.definitions[instruction.result] = DEFINITIONS[instruction.row](self, instruction)

    def get(self, instruction: Decoded, id: object, *kinds: type, expected: str) -> Any:
        """Returns the definition of an id.

        Raises FormatError, with `expected` in words, if it is of none of these kinds.
        """
        definition = self.definitions.get(id) if isinstance(id, int) else None
        if not isinstance(definition, kinds):
            raise error(
                instruction.offset, instruction.row, f"expected {expected}, found id {id}, {_describe(definition)}"
            )
        return definition

    def number(self, instruction: Decoded, id: object, expected: str) -> int:
        """Returns the lower 32 bits of an integer constant by its id; raises FormatError if it is no such constant."""
        scalar: Scalar = self.get(instruction, id, Scalar, expected=expected)
        if not scalar.dtype.is_integer:
            raise error(
                instruction.offset, instruction.row, f"expected {expected}, found a constant of {scalar.dtype.value}"
            )
        return scalar.bits & 0xFFFFFFFF

    def tensor(self, instruction: Decoded, id: int) -> TensorType:
        """Returns the tensor type that an id defines; raises FormatError if it defines anything else."""
        tensor_type: TensorType = self.get(instruction, id, TensorType, expected="a tensor type")
        return tensor_type

    # ** types **

    def bool_type(self, _at: Decoded) -> Global:
        """Decodes OpTypeBool: the element type bool."""
        return DType.BOOL

    def int_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypeInt into a signed element type: in a graph module the operators decide about signs."""
        width = instruction.operands[0]
        if width not in _INTEGERS:
            raise error(instruction.offset, instruction.row, f"expected a width of 8, 16, 32 or 64, found {width}")
        return _INTEGERS[width]

    def float_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypeFloat, with its encoding if it has one, into an element type."""
        dtype = FLOATS.get(tuple(instruction.operands))
        if dtype is None:
            raise UnsupportedError(
                f"word {instruction.offset}: {spirv.INSTRUCTION_SET} has no OpTypeFloat {instruction.operands}"
            )
        return dtype

    def array_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypeArray of 32-bit integers, the type of shapes and lists."""
        element = self.get(instruction, instruction.operands[0], DType, expected="an element type")
        if element is not DType.I32:
            raise error(instruction.offset, instruction.row, f"expected 32-bit integers, found {element.value}")
        return ArrayType(self.number(instruction, instruction.operands[1], "a length"))

    def tensor_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypeTensorARM into a tensor type, after checks of rank, dimensions and size."""
        if len(instruction.operands) != 3:
            raise UnsupportedError(f"word {instruction.offset}: a tensor type without a shape")
        element: DType = self.get(instruction, instruction.operands[0], DType, expected="an element type")
        rank = self.number(instruction, instruction.operands[1], "a rank")
        shape = self.get(
            instruction, instruction.operands[2], Numbers, expected="a constant array of dimensions"
        ).values
        if len(shape) != rank:
            raise error(instruction.offset, instruction.row, f"expected {rank} dimensions, found {shape}")
        type = TensorType(element, shape)
        if rank > MAX_RANK:
            raise error(
                instruction.offset,
                instruction.row,
                f"a tensor of {rank} dimensions, no level allows more than {MAX_RANK}",
            )
        if not shape or min(shape) < 1 or type.elements > MAX_ELEMENTS:
            raise error(
                instruction.offset, instruction.row, f"expected 1 to {MAX_ELEMENTS} elements, found shape {list(shape)}"
            )
        return type

    def struct_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypeStruct of tensors, the type of operators with several results."""
        return StructType(
            tuple(self.get(instruction, id, TensorType, expected="a tensor type") for id in instruction.operands)
        )

    def pointer_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypePointer to a tensor, the type of an interface variable."""
        storage = spirv.ENUMERATIONS["StorageClass"]["UniformConstant"]
        if instruction.operands[0] != storage:
            raise error(
                instruction.offset,
                instruction.row,
                f"expected storage class {storage}, found {instruction.operands[0]}",
            )
        return PointerType(self.get(instruction, instruction.operands[1], TensorType, expected="a tensor type"))

    def graph_type(self, instruction: Decoded) -> Global:
        """Decodes OpTypeGraphARM: the types of a graph's inputs and outputs."""
        count = int(instruction.operands[0])
        types = tuple(
            self.get(instruction, id, TensorType, expected="a tensor type") for id in instruction.operands[1:]
        )
        if count > len(types):
            raise error(instruction.offset, instruction.row, f"expected at most {len(types)} inputs, found {count}")
        return GraphType(types[:count], types[count:])

    def void_type(self, _at: Decoded) -> Global:
        """Decodes OpTypeVoid, the type of debug instructions."""
        return Void()

    # ** constants **

    def constant_true(self, instruction: Decoded) -> Global:
        """Decodes OpConstantTrue."""
        return self._boolean_constant(instruction, 1)

    def constant_false(self, instruction: Decoded) -> Global:
        """Decodes OpConstantFalse."""
        return self._boolean_constant(instruction, 0)

    def _boolean_constant(self, instruction: Decoded, bits: int) -> Global:
        """Returns a boolean constant; raises FormatError if the instruction's type isn't boolean."""
        if self.get(instruction, instruction.type, DType, expected="a boolean type") is not DType.BOOL:
            raise error(instruction.offset, instruction.row, "expected a boolean type")
        return Scalar(DType.BOOL, bits)

    def constant(self, instruction: Decoded) -> Global:
        """Decodes OpConstant into a number by its bits: one word, or two for 64 bits, the lower one first."""
        dtype: DType = self.get(instruction, instruction.type, DType, expected="a type of numbers")
        need = 2 if dtype is DType.I48 else 1
        if dtype is DType.BOOL or len(instruction.operands) != need:
            raise error(
                instruction.offset,
                instruction.row,
                f"expected {need} words of {dtype.value}, found {len(instruction.operands)}",
            )
        # -2 of 64 bits is the words 0xfffffffe 0xffffffff; together 2**64 - 2, which `value` reads with its sign.
        return Scalar(dtype, sum(int(word) << 32 * i for i, word in enumerate(instruction.operands)))

    def constant_null(self, instruction: Decoded) -> Global:
        """Decodes OpConstantNull: zeros of a number, an array or a tensor, which take no memory."""
        type = self.get(instruction, instruction.type, DType, TensorType, ArrayType, expected="a type of numbers")
        if isinstance(type, DType):
            return Scalar(type, 0)
        if isinstance(type, ArrayType):
            self.spend(instruction, type.length)
            return Numbers((0,) * type.length)
        return Tensor(type, np.broadcast_to(np.zeros((), type.dtype.numpy), type.static))

    def composite(self, instruction: Decoded) -> Global:
        """Decodes OpConstantComposite: an array of integers, or a tensor.

        The constituents of a tensor of rank 1 are numbers; those of a higher rank are tensors of one dimension less.
        """
        type = self.get(instruction, instruction.type, TensorType, ArrayType, expected="a tensor or array type")
        length = type.length if isinstance(type, ArrayType) else type.static[0]
        if len(instruction.operands) != length:
            raise error(
                instruction.offset,
                instruction.row,
                f"expected {length} constituents, found {len(instruction.operands)}",
            )
        if isinstance(type, ArrayType):
            return Numbers(tuple(self.number(instruction, id, "an integer constant") for id in instruction.operands))
        self.spend(instruction, type.elements)
        if type.rank > 1:
            return Tensor(type, np.stack([self._constituent(instruction, id, type) for id in instruction.operands]))
        return Tensor(type, self._vector_elements(instruction, type))

    def _vector_elements(self, instruction: Decoded, type: TensorType) -> Array:
        """Returns the elements of OpConstantComposite of rank 1, from the ids of scalar constants."""
        scalars: list[Scalar] = [
            self.get(instruction, id, Scalar, expected="a constant number") for id in instruction.operands
        ]
        if any(scalar.dtype is not type.dtype for scalar in scalars):
            raise error(instruction.offset, instruction.row, f"expected constants of {type.dtype.value}")
        width = type.dtype.numpy.itemsize
        mask = (1 << 8 * width) - 1  # beyond the type's bits, a word may repeat the sign
        return np.array([scalar.bits & mask for scalar in scalars], f"u{width}").view(type.dtype.numpy)

    def replicated_composite(self, instruction: Decoded) -> Global:
        """Decodes OpConstantCompositeReplicateEXT: a tensor or array whose constituents are all the same one.

        The constituent of a tensor of rank 1 is a number; that of a higher rank is a tensor of one dimension less.
        """
        type = self.get(instruction, instruction.type, TensorType, ArrayType, expected="a tensor or array type")
        if isinstance(type, ArrayType):
            self.spend(instruction, type.length)
            return Numbers((self.number(instruction, instruction.operands[0], "an integer constant"),) * type.length)
        if type.rank > 1:
            return Tensor(
                type, np.broadcast_to(self._constituent(instruction, instruction.operands[0], type), type.static)
            )
        scalar: Scalar = self.get(instruction, instruction.operands[0], Scalar, expected="a constant number")
        if scalar.dtype is not type.dtype:
            raise error(
                instruction.offset,
                instruction.row,
                f"expected a constant of {type.dtype.value}, found {scalar.dtype.value}",
            )
        return Tensor(type, np.broadcast_to(np.array(scalar.value, type.dtype.numpy), type.static))

    def _constituent(self, instruction: Decoded, id: object, whole: TensorType) -> Array:
        """Returns the elements of a constituent, after a check that it has the type of a row of the tensor `whole`."""
        expected = TensorType(whole.dtype, whole.static[1:])
        part: Tensor = self.get(instruction, id, Tensor, expected=f"a constant {expected}")
        if part.type != expected:
            raise error(instruction.offset, instruction.row, f"expected a constant {expected}, found {part.type}")
        return part.values

    def spend(self, instruction: Decoded, items: int) -> None:
        """Deducts decoded elements, inputs or outputs from the budget; raises FormatError when it is used up."""
        self.budget -= items
        if self.budget < 0:
            raise error(
                instruction.offset,
                instruction.row,
                f"constants and graphs have more elements than {EXPANSION} times the words",
            )

    def spend_text(self, instruction: Decoded, text: str) -> str:
        """Returns a name or location after deducting its characters from the budget.

        Raises FormatError when that is used up.
        """
        self.text -= len(text)
        if self.text < 0:
            raise error(
                instruction.offset, instruction.row, "names are shared so often that the file describes too much text"
            )
        return text

    def spend_splat(self, instruction: Decoded, values: Array) -> None:
        """Deducts a constant that repeats one element from the budget; raises FormatError when it is used up.

        Such a constant takes no memory until it is copied.
        """
        # A broadcast array has a stride of 0 where it repeats: one byte as i8 [1024, 1024] counts as 1 MB.
        if 0 in values.strides:
            self.splats -= values.nbytes
        if self.splats < 0:
            raise error(
                instruction.offset, instruction.row, f"constants that repeat one element, of more than {SPLATS} bytes"
            )

    def graph_constant(self, instruction: Decoded) -> Global:
        """Decodes OpGraphConstantARM: type and number of a constant whose elements stay outside of the module."""
        return GraphConstant(self.tensor(instruction, instruction.type), int(instruction.operands[0]))

    def variable(self, instruction: Decoded) -> Global:
        """Decodes OpVariable of the interface: an input or output with its tensor type."""
        pointer: PointerType = self.get(instruction, instruction.type, PointerType, expected="a pointer to a tensor")
        return Variable(pointer.pointee)


DEFINITIONS: dict[Instruction, Callable[[Globals, Decoded], Global]] = {
    spirv.TYPE_VOID: Globals.void_type,
    spirv.TYPE_BOOL: Globals.bool_type,
    spirv.TYPE_INT: Globals.int_type,
    spirv.TYPE_FLOAT: Globals.float_type,
    spirv.TYPE_ARRAY: Globals.array_type,
    spirv.TYPE_TENSOR: Globals.tensor_type,
    spirv.TYPE_STRUCT: Globals.struct_type,
    spirv.TYPE_POINTER: Globals.pointer_type,
    spirv.TYPE_GRAPH: Globals.graph_type,
    spirv.CONSTANT_TRUE: Globals.constant_true,
    spirv.CONSTANT_FALSE: Globals.constant_false,
    spirv.CONSTANT: Globals.constant,
    spirv.CONSTANT_NULL: Globals.constant_null,
    spirv.CONSTANT_COMPOSITE: Globals.composite,
    spirv.CONSTANT_COMPOSITE_REPLICATE: Globals.replicated_composite,
    spirv.GRAPH_CONSTANT: Globals.graph_constant,
    spirv.VARIABLE: Globals.variable,
}


def _describe(definition: Global | None) -> str:
    """Returns the definition of an id in words, to end "found id 7, ..." in messages."""
    if definition is None:
        return "which nothing before it makes"
    if isinstance(definition, Tensor):
        return f"a constant {definition.type}"
    return str(definition)


def short_list(tensor: Tensor) -> list[int] | None:
    """Returns the elements of a constant of 32-bit integers of rank 1, at most LONGEST_LIST.

    It returns None for any other tensor.
    """
    if tensor.type.dtype is not DType.I32 or tensor.values.ndim != 1 or tensor.values.size > LONGEST_LIST:
        return None
    return [int(value) for value in tensor.values]
