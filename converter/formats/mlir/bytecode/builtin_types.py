"""Types of MLIR's builtin and quant dialects in bytecode, each behind a code."""

from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.formats.mlir.bytecode.cursor import Cursor
from tosa_converter.formats.mlir.bytecode.entries import Entries, OtherType, Type
from tosa_converter.formats.mlir.types import ELEMENT_TYPES, MAX_RANK, FunctionType
from tosa_converter.ir import TensorType, plain_type
from tosa_converter.schemas.mlir_bytecode import QuantCode, TypeCode

UNKNOWN_SIZE = -(1 << 63)  # of a dimension
_MAX_SIZE = 10**18  # of a dimension, as MLIR text may have
_SIGNS = ("", "s", "u")  # in front of an integer's width


def read_type(entries: Entries, cursor: Cursor) -> Type:
    """Reads a type of the builtin dialect behind its code."""
    code = cursor.varint()
    dtype = _PLAIN.get(code)
    if dtype is not None:
        return dtype
    read = _TYPES.get(code)
    if read is not None:
        return read(entries, cursor)
    entries.pass_over(cursor)
    return OtherType(_OTHERS.get(code) or _name(code))


def _name(code: int) -> str:
    """Returns how messages call a type of the builtin dialect by its code."""
    try:
        return f"type {TypeCode(code).name.lower()!r}"
    except ValueError:
        return f"a builtin type of code {code}"


def _read_integer(_entries: Entries, cursor: Cursor) -> Type:
    """Reads an integer type: its width, and in the two lowest bits whether it has a sign."""
    value = cursor.varint()
    # 0x82 is 32 << 2 | 2: 32 bits without a sign.
    width, sign = value >> 2, value & 3
    spelling = f"{_SIGNS[sign]}i{width}" if sign < len(_SIGNS) else f"i{width}"
    return ELEMENT_TYPES.get(spelling) or OtherType(f"element type {spelling!r}")


def _read_complex(entries: Entries, cursor: Cursor) -> Type:
    """Reads a complex type by the type of its parts."""
    part = entries.type(cursor)
    return _COMPLEX.get(part, OtherType("a complex type")) if isinstance(part, DType) else OtherType("a complex type")


def _read_function(entries: Entries, cursor: Cursor) -> Type:
    """Reads a function's type: the types of its arguments, and those of its results."""
    sides = [[entries.type(cursor) for _ in range(cursor.count("types"))] for _ in range(2)]
    for side in sides:
        for type in side:
            if not isinstance(type, TensorType):
                return type if isinstance(type, OtherType) else OtherType("a function of other values than tensors")
    inputs, outputs = ([type for type in side if isinstance(type, TensorType)] for side in sides)
    return FunctionType(inputs, outputs)


def _read_tensor(entries: Entries, cursor: Cursor) -> Type:
    """Reads a tensor's type: its sizes, and the type of its elements."""
    at = cursor.at
    rank = cursor.count("dimensions")
    if rank > MAX_RANK:
        raise cursor.source.wrong(at, f"at most {MAX_RANK} dimensions", str(rank))
    sizes = [_read_size(cursor) for _ in range(rank)]
    element = entries.type(cursor)
    if isinstance(element, DType):
        return plain_type(element, tuple(sizes))
    return element if isinstance(element, OtherType) else OtherType("a tensor of tensors")


def _read_encoded_tensor(entries: Entries, cursor: Cursor) -> Type:
    """Reads the type of a tensor with an encoding, which TOSA doesn't have."""
    entries.pass_over(cursor)
    return OtherType("a tensor with an encoding")


def _read_size(cursor: Cursor) -> int | None:
    """Reads the size of a dimension; None if it is unknown."""
    at = cursor.at
    size = cursor.signed_varint()
    if size == UNKNOWN_SIZE:
        return None
    if not 0 <= size < _MAX_SIZE:
        raise cursor.source.wrong(at, "a size from 0 to below 10^18", str(size))
    return size


def read_quantized_type(entries: Entries, cursor: Cursor) -> Type:
    """Reads a type of the quant dialect, which counts as the type that it stores; its parameters are passed over."""
    at = cursor.at
    code = cursor.varint()
    if code not in _UNIFORM:
        entries.pass_over(cursor)
        return OtherType(f"a quantized type of code {code}")
    signed = cursor.varint() & 1
    stored = entries.type(cursor)
    entries.pass_over(cursor)
    if not (isinstance(stored, DType) and signed):
        return OtherType("a quantized type without a sign")
    entries.quantized = entries.quantized or entries.source.place(at)
    return stored


_PLAIN: dict[int, DType] = {
    TypeCode.INDEX: DType.SHAPE,
    TypeCode.BF16: DType.BF16,
    TypeCode.F16: DType.FP16,
    TypeCode.F32: DType.FP32,
    TypeCode.F64: DType.FP64,
    TypeCode.F8E4M3FN: DType.FP8E4M3,
    TypeCode.F8E5M2: DType.FP8E5M2,
}
_COMPLEX = {DType.FP32: DType.COMPLEX64, DType.FP64: DType.COMPLEX128}
_TYPES: dict[int, Callable[[Entries, Cursor], Type]] = {
    TypeCode.INTEGER: _read_integer,
    TypeCode.COMPLEX: _read_complex,
    TypeCode.FUNCTION: _read_function,
    TypeCode.TENSOR: _read_tensor,
    TypeCode.TENSOR_WITH_ENCODING: _read_encoded_tensor,
}
_OTHERS: dict[int, str] = {
    TypeCode.UNRANKED_TENSOR: "an unranked tensor",
    TypeCode.VECTOR: "a vector",
    TypeCode.MEMREF: "a memref",
}
_UNIFORM = (QuantCode.UNIFORM, QuantCode.UNIFORM_PER_AXIS, QuantCode.UNIFORM_PER_BLOCK)
