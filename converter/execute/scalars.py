"""Runs chains of i32 operators on a single element with Python's integers: arrays take several times as long.

The reciprocal of a quantized softmax is such a chain. It runs only where REQUIREs aren't checked; i32 wraps around as
in the kernels on arrays.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Scalar: TypeAlias = Callable[[int, int], int]

_SHORTEST = 4  # members from which on moving between arrays and integers pays
_HALF, _MASK = 1 << 31, (1 << 32) - 1


def _wrap_to_int32(value: int) -> int:
    """Returns an integer wrapped around to int32: 2**31 becomes -2**31."""
    return ((value + _HALF) & _MASK) - _HALF


def _bind_multiply(shift: int) -> Scalar:
    """Returns a function that computes MUL of two i32 with this shift: (a * b + half) >> shift, wrapped to int32."""
    half = (1 << shift) >> 1
    return lambda a, b: _wrap_to_int32((a * b + half) >> shift)


_FUNCTIONS: dict[OpDef, Scalar] = {
    ops.ADD: lambda a, b: _wrap_to_int32(a + b),
    ops.SUB: lambda a, b: _wrap_to_int32(a - b),
    ops.LOGICAL_LEFT_SHIFT: lambda a, b: _wrap_to_int32(a << b) if 0 <= b < 32 else 0,
    ops.MAXIMUM: max,
    ops.MINIMUM: min,
}


def bind_scalar_chain(
    chain: Sequence[Op], operands: Sequence[Value], constant: Callable[[Value], Array | None]
) -> Callable[..., Array] | None:
    """Returns a function that computes a chain of i32 operators on single elements with Python's integers.

    None for a chain with other operators or types, or one too short to be faster so. `constant` returns the elements of
    a value that is known before a run.
    """
    functions = [function for op in chain if (function := _scalar_function(op, constant)) is not None]
    if not len(functions) == len(chain) >= _SHORTEST:
        return None
    registers = {value: i for i, value in enumerate(operands)}
    constants: list[int] = []
    for value in (value for op in chain for value in op.operands[:2]):
        elements = constant(value)
        if value not in registers and elements is not None:
            registers[value] = len(registers)
            constants.append(elements.item())
    # 2 operands and 1 constant take registers 0, 1 and 2; step i appends its result, which is register 3 + i.
    first_result = len(registers)
    registers |= {op.result: first_result + i for i, op in enumerate(chain)}
    sources = [(registers[op.operands[0]], registers[op.operands[1]]) for op in chain]
    steps = [(function, *pair) for function, pair in zip(functions, sources, strict=True)]
    shape = chain[-1].result.type.static

    def evaluate(*inputs: Array) -> Array:
        """Returns the chain's result, computed on Python integers; a step applies a function to two earlier values."""
        values = [*(x.item() for x in inputs), *constants]
        for function, a, b in steps:
            values.append(function(values[a], values[b]))
        return np.array(values[-1], np.int32).reshape(shape)

    return evaluate


def _scalar_function(op: Op, constant: Callable[[Value], Array | None]) -> Scalar | None:
    """Returns the function that computes an i32 operator of single elements on two Python integers; else None.

    `constant` returns the elements of a value that is known before a run.
    """
    values = (*op.operands[:2], op.result)
    if any(value.type.dtype is not DType.I32 or value.type.elements != 1 for value in values):
        return None
    if op.row is not ops.MUL:
        return _FUNCTIONS.get(op.row)
    shift = constant(op.operands[2])
    shift_bits = -1 if shift is None else int(shift.reshape(-1)[0])
    # For a shift of 63 the product (-2**31)**2 plus half, 2**62 + 2**62, leaves int64 and wraps around on arrays, which
    # Python's integers wouldn't. Every smaller shift stays below 2**63.
    return _bind_multiply(shift_bits) if 0 <= shift_bits < 63 else None
