"""Data nodes (2.14) and shape operators (2.18)."""

from tosa_converter.execute.definition.base import Call
from tosa_converter.ir import Array


def const(call: Call) -> Array:
    """Computes CONST and CONST_SHAPE (2.14.1, 2.18.1): the elements of the attribute `values`."""
    values: Array = call["values"]
    return values


def identity(_call: Call, x: Array) -> Array:
    """Computes IDENTITY (2.14.2): returns the operand itself."""
    return x
