"""Joins every operator's definition to its record, and runs it."""

import numpy as np

from tosa_converter.execute.definition import (
    activation,
    binary,
    control,
    conversion,
    data,
    image,
    layout,
    scatter,
    shapes,
    tensor,
    ternary,
    unary,
    variables,
)
from tosa_converter.execute.definition.base import (
    Call,
    Definition,
    Kernel,
    elementwise,
    maximum,
    minimum,
    narrow,
    storage_dtype,
    widen,
)
from tosa_converter.execute.definition.reduction import reduce_sum, reduction
from tosa_converter.ir import Array, Op
from tosa_converter.rules.shapes.shape_operators import ELEMENTWISE
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

__all__ = ["CONTROL", "DEFINITIONS", "bind_definition"]

# Operators that are one numpy function of their operands; comparisons are false wherever an operand is NaN (2.8).
FUNCTIONS: dict[OpDef, np.ufunc] = {
    ops.TANH: np.tanh,
    ops.BITWISE_AND: np.bitwise_and,
    ops.BITWISE_OR: np.bitwise_or,
    ops.BITWISE_XOR: np.bitwise_xor,
    ops.LOGICAL_AND: np.logical_and,
    ops.LOGICAL_OR: np.logical_or,
    ops.LOGICAL_XOR: np.logical_xor,
    ops.BITWISE_NOT: np.bitwise_not,
    ops.CEIL: np.ceil,
    ops.COS: np.cos,
    ops.EXP: np.exp,
    ops.FLOOR: np.floor,
    ops.LOG: np.log,
    ops.LOGICAL_NOT: np.logical_not,
    ops.RECIPROCAL: np.reciprocal,
    ops.SIN: np.sin,
    ops.EQUAL: np.equal,
    ops.GREATER: np.greater,
    ops.GREATER_EQUAL: np.greater_equal,
}

# Reductions by one numpy function; the second one is for nan_mode IGNORE.
REDUCTIONS: dict[OpDef, tuple[np.ufunc, ...]] = {
    ops.REDUCE_ALL: (np.logical_and,),
    ops.REDUCE_ANY: (np.logical_or,),
    ops.REDUCE_MAX: (np.maximum, np.fmax),
    ops.REDUCE_MIN: (np.minimum, np.fmin),
    ops.REDUCE_PRODUCT: (np.multiply,),
}

DEFINITIONS: dict[OpDef, Definition] = {
    **{row: elementwise(function) for row, function in FUNCTIONS.items()},
    **{row: reduction(*functions) for row, functions in REDUCTIONS.items()},
    ops.ARGMAX: tensor.argmax,
    ops.AVG_POOL2D: tensor.avg_pool2d,
    ops.CONV2D: tensor.conv,
    ops.CONV3D: tensor.conv,
    ops.DEPTHWISE_CONV2D: tensor.depthwise_conv2d,
    ops.FFT2D: tensor.fft2d,
    ops.MATMUL: tensor.matmul,
    ops.MAX_POOL2D: tensor.max_pool2d,
    ops.RFFT2D: tensor.rfft2d,
    ops.TRANSPOSE_CONV2D: tensor.transpose_conv2d,
    ops.CLAMP: activation.clamp,
    ops.ERF: activation.erf,
    ops.SIGMOID: activation.sigmoid,
    ops.ADD: binary.add,
    ops.ARITHMETIC_RIGHT_SHIFT: binary.arithmetic_right_shift,
    ops.INTDIV: binary.intdiv,
    ops.LOGICAL_LEFT_SHIFT: binary.logical_left_shift,
    ops.LOGICAL_RIGHT_SHIFT: binary.logical_right_shift,
    ops.MAXIMUM: lambda call, a, b: maximum(call, widen(a), widen(b)),
    ops.MINIMUM: lambda call, a, b: minimum(call, widen(a), widen(b)),
    ops.MUL: binary.mul,
    ops.POW: binary.pow,
    ops.SUB: binary.sub,
    ops.TABLE: binary.table,
    ops.ABS: unary.abs,
    ops.CLZ: unary.clz,
    ops.NEGATE: unary.negate,
    ops.RSQRT: unary.rsqrt,
    ops.SELECT: ternary.select,
    ops.REDUCE_SUM: reduce_sum,
    ops.CONCAT: layout.concat,
    ops.PAD: layout.pad,
    ops.RESHAPE: layout.reshape,
    ops.REVERSE: layout.reverse,
    ops.SLICE: layout.slice_,
    ops.TILE: layout.tile,
    ops.TRANSPOSE: layout.transpose,
    ops.GATHER: scatter.gather,
    ops.SCATTER: scatter.scatter,
    ops.RESIZE: image.resize,
    ops.CAST: conversion.cast,
    ops.RESCALE: conversion.rescale,
    ops.CONST: data.const,
    ops.IDENTITY: data.identity,
    ops.CONST_SHAPE: data.const,
    ops.DIM: shapes.dim,
    ops.CONCAT_SHAPE: shapes.concat_shape,
    ops.SLICE_SHAPE: shapes.slice_shape,
    ops.ASSERT_EQUAL_SHAPE: shapes.assert_equal_shape,
    **dict.fromkeys(ELEMENTWISE, shapes.elementwise),
    ops.MAX_POOL2D_ADAPTIVE: tensor.max_pool2d_adaptive,
    ops.AVG_POOL2D_ADAPTIVE: tensor.avg_pool2d_adaptive,
    ops.ROW_GATHER: scatter.row_gather,
    ops.MATMUL_T: tensor.matmul_t,
}

# Definitions of the operators with the trait `control`.
CONTROL: dict[OpDef, control.Control] = {
    ops.CUSTOM: control.custom,
    ops.COND_IF: control.cond_if,
    ops.WHILE_LOOP: control.while_loop,
    ops.VARIABLE: variables.variable,
    ops.VARIABLE_WRITE: variables.variable_write,
    ops.VARIABLE_READ: variables.variable_read,
}


def bind_definition(op: Op, *, check: bool = True, precise: bool = False, computes_error_bound: bool = False) -> Kernel:
    """Returns an operator's definition as a function of its operands' arrays.

    Args:
        op: an operator with a definition.
        check: raise an error where a REQUIRE doesn't hold; without it, results are undefined there.
        precise: operands and results hold floats in fp64.
        computes_error_bound: compute output_bnd of clause 1.10.3.

    Returns:
        A function of the operands' arrays. It returns the result's array, or a tuple of arrays for several results.
    """
    definition, call = DEFINITIONS[op.row], Call(op, check, computes_error_bound)
    types = [storage_dtype(value.type.dtype, precise) for value in op.results]

    def compute(*operands: Array) -> Array | tuple[Array, ...]:
        """Computes the operator by its definition, and converts each result to its storage type."""
        results = definition(call, *operands)
        return tuple(map(narrow, results, types)) if isinstance(results, tuple) else narrow(results, types[0])

    return compute
