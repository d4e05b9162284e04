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
    """An OpTypeGraphARM."""

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
        self.definitions: dict[int, Global] = {}
        self.budget = EXPANSION * words
        self.splats = SPLATS + EXPANSION * words
        self.text = TEXT + EXPANSION * words

    def define(self, at: Decoded) -> None:
        """Adds a type, a constant or a variable.

        Raises:
            FormatError: an id made twice, or an operand that isn't what the instruction needs.
            UnsupportedError: types that the mapping of the instruction set doesn't have.
        """
        if at.result in self.definitions:
            raise error(at.offset, at.row, f"id {at.result} is made twice")
        self.definitions[at.result] = DEFINITIONS[at.row](self, at)

    def get(self, at: Decoded, id: object, *kinds: type, expected: str) -> Any:
        """Returns the definition of an id, which must be of one of these kinds."""
        definition = self.definitions.get(id) if isinstance(id, int) else None
        if not isinstance(definition, kinds):
            raise error(at.offset, at.row, f"expected {expected}, found id {id}, {_describe(definition)}")
        return definition

    def number(self, at: Decoded, id: object, expected: str) -> int:
        """Returns the value of an integer constant."""
        scalar: Scalar = self.get(at, id, Scalar, expected=expected)
        if not scalar.dtype.is_integer:
            raise error(at.offset, at.row, f"expected {expected}, found a constant of {scalar.dtype.value}")
        return scalar.bits & 0xFFFFFFFF

    def tensor(self, at: Decoded, id: int) -> TensorType:
        """Returns the tensor type of an id."""
        tensor_type: TensorType = self.get(at, id, TensorType, expected="a tensor type")
        return tensor_type

    # ** types **

    def bool_type(self, _at: Decoded) -> Global:
        """OpTypeBool."""
        return DType.BOOL

    def int_type(self, at: Decoded) -> Global:
        """OpTypeInt: the sign is the operator's business."""
        width = at.operands[0]
        if width not in _INTEGERS:
            raise error(at.offset, at.row, f"expected a width of 8, 16, 32 or 64, found {width}")
        return _INTEGERS[width]

    def float_type(self, at: Decoded) -> Global:
        """OpTypeFloat with its encoding."""
        dtype = FLOATS.get(tuple(at.operands))
        if dtype is None:
            raise UnsupportedError(f"word {at.offset}: {spirv.INSTRUCTION_SET} has no OpTypeFloat {at.operands}")
        return dtype

    def array_type(self, at: Decoded) -> Global:
        """OpTypeArray of 32-bit integers."""
        element = self.get(at, at.operands[0], DType, expected="an element type")
        if element is not DType.I32:
            raise error(at.offset, at.row, f"expected 32-bit integers, found {element.value}")
        return ArrayType(self.number(at, at.operands[1], "a length"))

    def tensor_type(self, at: Decoded) -> Global:
        """OpTypeTensorARM with rank and shape."""
        if len(at.operands) != 3:
            raise UnsupportedError(f"word {at.offset}: a tensor type without a shape")
        element: DType = self.get(at, at.operands[0], DType, expected="an element type")
        rank = self.number(at, at.operands[1], "a rank")
        shape = self.get(at, at.operands[2], Numbers, expected="a constant array of dimensions").values
        if len(shape) != rank:
            raise error(at.offset, at.row, f"expected {rank} dimensions, found {shape}")
        type = TensorType(element, shape)
        if rank > MAX_RANK:
            raise error(at.offset, at.row, f"a tensor of {rank} dimensions, no level allows more than {MAX_RANK}")
        if not shape or min(shape) < 1 or type.elements > MAX_ELEMENTS:
            raise error(at.offset, at.row, f"expected 1 to {MAX_ELEMENTS} elements, found shape {list(shape)}")
        return type

    def struct_type(self, at: Decoded) -> Global:
        """OpTypeStruct of tensors."""
        return StructType(tuple(self.get(at, id, TensorType, expected="a tensor type") for id in at.operands))

    def pointer_type(self, at: Decoded) -> Global:
        """OpTypePointer to a tensor."""
        storage = spirv.ENUMERATIONS["StorageClass"]["UniformConstant"]
        if at.operands[0] != storage:
            raise error(at.offset, at.row, f"expected storage class {storage}, found {at.operands[0]}")
        return PointerType(self.get(at, at.operands[1], TensorType, expected="a tensor type"))

    def graph_type(self, at: Decoded) -> Global:
        """OpTypeGraphARM."""
        count = int(at.operands[0])
        types = tuple(self.get(at, id, TensorType, expected="a tensor type") for id in at.operands[1:])
        if count > len(types):
            raise error(at.offset, at.row, f"expected at most {len(types)} inputs, found {count}")
        return GraphType(types[:count], types[count:])

    def void_type(self, _at: Decoded) -> Global:
        """OpTypeVoid."""
        return Void()

    # ** constants **

    def constant_true(self, at: Decoded) -> Global:
        """OpConstantTrue."""
        return self._boolean(at, 1)

    def constant_false(self, at: Decoded) -> Global:
        """OpConstantFalse."""
        return self._boolean(at, 0)

    def _boolean(self, at: Decoded, bits: int) -> Global:
        """Returns a boolean constant of a boolean type."""
        if self.get(at, at.type, DType, expected="a boolean type") is not DType.BOOL:
            raise error(at.offset, at.row, "expected a boolean type")
        return Scalar(DType.BOOL, bits)

    def constant(self, at: Decoded) -> Global:
        """OpConstant: one word, two of them for 64 bits."""
        dtype: DType = self.get(at, at.type, DType, expected="a type of numbers")
        need = 2 if dtype is DType.I48 else 1
        if dtype is DType.BOOL or len(at.operands) != need:
            raise error(at.offset, at.row, f"expected {need} words of {dtype.value}, found {len(at.operands)}")
        return Scalar(dtype, sum(int(word) << 32 * i for i, word in enumerate(at.operands)))

    def constant_null(self, at: Decoded) -> Global:
        """OpConstantNull."""
        type = self.get(at, at.type, DType, TensorType, ArrayType, expected="a type of numbers")
        if isinstance(type, DType):
            return Scalar(type, 0)
        if isinstance(type, ArrayType):
            self.spend(at, type.length)
            return Numbers((0,) * type.length)
        return Tensor(type, np.broadcast_to(np.zeros((), type.dtype.numpy), type.static))

    def composite(self, at: Decoded) -> Global:
        """OpConstantComposite: of numbers where it has one dimension, else of tensors of one dimension less."""
        type = self.get(at, at.type, TensorType, ArrayType, expected="a tensor or array type")
        length = type.length if isinstance(type, ArrayType) else type.static[0]
        if len(at.operands) != length:
            raise error(at.offset, at.row, f"expected {length} constituents, found {len(at.operands)}")
        if isinstance(type, ArrayType):
            return Numbers(tuple(self.number(at, id, "an integer constant") for id in at.operands))
        self.spend(at, type.elements)
        if type.rank > 1:
            return Tensor(type, np.stack([self._part(at, id, type) for id in at.operands]))
        return Tensor(type, self._vector(at, type))

    def _vector(self, at: Decoded, type: TensorType) -> Array:
        """Returns the elements of a tensor of one dimension from scalar constants."""
        scalars: list[Scalar] = [self.get(at, id, Scalar, expected="a constant number") for id in at.operands]
        if any(scalar.dtype is not type.dtype for scalar in scalars):
            raise error(at.offset, at.row, f"expected constants of {type.dtype.value}")
        width = type.dtype.numpy.itemsize
        mask = (1 << 8 * width) - 1
        return np.array([scalar.bits & mask for scalar in scalars], f"u{width}").view(type.dtype.numpy)

    def replicated_composite(self, at: Decoded) -> Global:
        """OpConstantCompositeReplicateEXT: one constituent for all."""
        type = self.get(at, at.type, TensorType, ArrayType, expected="a tensor or array type")
        if isinstance(type, ArrayType):
            self.spend(at, type.length)
            return Numbers((self.number(at, at.operands[0], "an integer constant"),) * type.length)
        if type.rank > 1:
            return Tensor(type, np.broadcast_to(self._part(at, at.operands[0], type), type.static))
        scalar: Scalar = self.get(at, at.operands[0], Scalar, expected="a constant number")
        if scalar.dtype is not type.dtype:
            raise error(at.offset, at.row, f"expected a constant of {type.dtype.value}, found {scalar.dtype.value}")
        return Tensor(type, np.broadcast_to(np.array(scalar.value, type.dtype.numpy), type.static))

    def _part(self, at: Decoded, id: object, whole: TensorType) -> Array:
        """Returns the elements of a constituent, whose type must be that of a row of the whole."""
        expected = TensorType(whole.dtype, whole.static[1:])
        part: Tensor = self.get(at, id, Tensor, expected=f"a constant {expected}")
        if part.type != expected:
            raise error(at.offset, at.row, f"expected a constant {expected}, found {part.type}")
        return part.values

    def spend(self, at: Decoded, items: int) -> None:
        """Counts elements, inputs and outputs that an instruction builds from ids, and refuses too many."""
        self.budget -= items
        if self.budget < 0:
            raise error(at.offset, at.row, f"constants and graphs have more elements than {EXPANSION} times the words")

    def spend_text(self, at: Decoded, text: str) -> str:
        """Counts the characters of a used name or location, and refuses too many."""
        self.text -= len(text)
        if self.text < 0:
            raise error(at.offset, at.row, "names are shared so often that the file describes too much text")
        return text

    def spend_splat(self, at: Decoded, values: Array) -> None:
        """Counts a constant of one repeated element, which takes no memory until it is copied, and refuses too many."""
        if 0 in values.strides:
            self.splats -= values.nbytes
        if self.splats < 0:
            raise error(at.offset, at.row, f"constants that repeat one element, of more than {SPLATS} bytes")

    def graph_constant(self, at: Decoded) -> Global:
        """OpGraphConstantARM."""
        return GraphConstant(self.tensor(at, at.type), int(at.operands[0]))

    def variable(self, at: Decoded) -> Global:
        """OpVariable of the interface."""
        pointer: PointerType = self.get(at, at.type, PointerType, expected="a pointer to a tensor")
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
    """Returns the definition of an id in words, for messages."""
    if definition is None:
        return "which nothing before it makes"
    if isinstance(definition, Tensor):
        return f"a constant {definition.type}"
    return str(definition)


def short_list(tensor: Tensor) -> list[int] | None:
    """Returns the elements of a short list of 32-bit integers; None for any other tensor."""
    if tensor.type.dtype is not DType.I32 or tensor.values.ndim != 1 or tensor.values.size > LONGEST_LIST:
        return None
    return [int(value) for value in tensor.values]
