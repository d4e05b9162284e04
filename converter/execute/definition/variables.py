"""Variable operators (2.17)."""

import numpy as np

from tosa_converter.execute.definition.base import require
from tosa_converter.execute.definition.control import Compile, Context, ControlRun, StorageDtype
from tosa_converter.ir import Array, Op


def variable(op: Op, _compile: Compile, storage_dtype: StorageDtype) -> ControlRun:
    """Returns a function that computes VARIABLE (2.17.1): declares a variable in the context unless it exists."""
    name, dtype = op.attributes["name"], storage_dtype(op.attributes["type"])
    initial = op.attributes.get("initial_value")
    declaration = tuple(op.attributes["var_shape"]), op.attributes["type"]

    def declare(context: Context) -> tuple[Array, ...]:
        """Declares the variable in the context, and initializes it, unless it is declared already."""
        require(op, "var_shape == shape", initial is None or initial.shape == declaration[0])
        is_new = name not in context.declared
        context.declared.setdefault(name, declaration)  # one that exists stays as it is
        if is_new and initial is not None and name not in context.variables:
            context.variables[name] = np.array(initial, dtype)
        return ()

    return declare


def variable_write(op: Op, _compile: Compile, _storage_dtype: StorageDtype) -> ControlRun:
    """Returns a function that computes VARIABLE_WRITE (2.17.2): stores a copy of the operand in the context."""
    name, operand_type = op.attributes["name"], op.operands[0].type

    def write(context: Context, value: Array) -> tuple[Array, ...]:
        """Stores a copy of the value in the context, after checks against the variable's declaration."""
        require(op, "variable_tensor", name in context.declared)
        shape, dtype = context.declared[name]
        require(op, "variable_tensor.shape == shape", shape == operand_type.shape)
        require(op, "is_same<variable_tensor.type,in_t>()", dtype is operand_type.dtype)
        context.variables[name] = value.copy()
        return ()

    return write


def variable_read(op: Op, _compile: Compile, storage_dtype: StorageDtype) -> ControlRun:
    """Returns a function that computes VARIABLE_READ (2.17.3): the variable's elements in the context."""
    name, expected = op.attributes["name"], op.result.type

    def read(context: Context) -> tuple[Array, ...]:
        """Returns a view of the variable's elements, after checks that it was written and has the result's type."""
        value = context.variables.get(name)
        require(op, "variable_tensor.is_written", value is not None)
        assert value is not None
        require(op, "variable_tensor.shape == shape", value.shape == expected.shape)
        require(op, "is_same<variable_tensor.type,out_t>()", value.dtype == storage_dtype(expected.dtype))
        return (value.view(),)

    return read
