"""Element types: one row each. What a format stores them as stands beside that format."""

from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np


class DType(Enum):
    """Element types, with the spelling of the specification."""

    BOOL = "bool"
    I2 = "i2"
    I4 = "i4"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I48 = "i48"
    I64 = "i64"
    UI4 = "ui4"
    UI8 = "ui8"
    UI16 = "ui16"
    UI32 = "ui32"
    UI64 = "ui64"
    FP8E4M3 = "fp8e4m3"
    FP8E5M2 = "fp8e5m2"
    FP16 = "fp16"
    BF16 = "bf16"
    FP32 = "fp32"
    FP64 = "fp64"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"
    SHAPE = "shape"
    STRING = "string"
    RESOURCE = "resource"
    VARIANT = "variant"

    __hash__ = object.__hash__  # members are singletons, and looked up often

    @cached_property
    def numpy(self) -> "np.dtype[Any]":
        """The numpy type that holds one element: i4 in int8, i48 and shape in int64.

        Raises:
            KeyError: strings, resources and variants have none.
        """
        name = _ROWS[self].numpy
        if name.startswith(_ML_DTYPES):
            import ml_dtypes

            return np.dtype(getattr(ml_dtypes, name))
        return np.dtype(name)

    @cached_property
    def bits(self) -> int:
        """Width of one element as stored in a file, in bits."""
        return _ROWS[self].bits

    @property
    def plain_name(self) -> str:
        """The type's name as numpy has it: int8 for i8, uint8 for ui8, float32 for fp32; its own where it has none.

        >>> DType.I8.plain_name, DType.UI4.plain_name, DType.BF16.plain_name
        ('int8', 'uint4', 'bfloat16')
        """
        if self.is_float:
            return _ROWS[self].numpy
        return self.value.replace("i", "int", 1) if self.is_integer else self.value

    @cached_property
    def limits(self) -> tuple[int, int]:
        """Smallest and largest value of a signed integer type."""
        half = 1 << (self.bits - 1)
        return -half, half - 1

    @cached_property
    def is_float(self) -> bool:
        """Whether this is a floating-point type, as the specification's is_floating_point<>; fp64 counts too."""
        return self in _ROWS and _ROWS[self].kind == "float"

    @cached_property
    def is_integer(self) -> bool:
        """Whether the type is an integer type, bool and shape left out."""
        return self in _ROWS and _ROWS[self].kind == "integer"


class _Row(NamedTuple):
    """The numpy type that holds an element type, its width in a file in bits, and whether it is integer or float."""

    numpy: str  # numpy's or ml_dtypes' name
    bits: int
    kind: str = ""  # integer, float, or neither


_ML_DTYPES = ("bfloat16", "float8")

_ROWS = {
    DType.BOOL: _Row("bool", 8),
    DType.I2: _Row("int8", 2, "integer"),
    DType.I4: _Row("int8", 4, "integer"),
    DType.I8: _Row("int8", 8, "integer"),
    DType.I16: _Row("int16", 16, "integer"),
    DType.I32: _Row("int32", 32, "integer"),
    DType.I48: _Row("int64", 48, "integer"),
    DType.I64: _Row("int64", 64, "integer"),
    DType.UI4: _Row("uint8", 4, "integer"),
    DType.UI8: _Row("uint8", 8, "integer"),
    DType.UI16: _Row("uint16", 16, "integer"),
    DType.UI32: _Row("uint32", 32, "integer"),
    DType.UI64: _Row("uint64", 64, "integer"),
    DType.FP8E4M3: _Row("float8_e4m3fn", 8, "float"),
    DType.FP8E5M2: _Row("float8_e5m2", 8, "float"),
    DType.FP16: _Row("float16", 16, "float"),
    DType.BF16: _Row("bfloat16", 16, "float"),
    DType.FP32: _Row("float32", 32, "float"),
    DType.FP64: _Row("float64", 64, "float"),
    DType.COMPLEX64: _Row("complex64", 64),
    DType.COMPLEX128: _Row("complex128", 128),
    DType.SHAPE: _Row("int64", 64),
}

# TOSA's integers are signless, and 64-bit ones become 32-bit ones.
SIGNLESS = {DType.UI8: DType.I8, DType.UI16: DType.I16, DType.UI32: DType.I32, DType.I64: DType.I32}
