"""Control flow, variables and custom operators (2.15 to 2.17): the operators that see more than their operands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, DType, Graph, Op
from tosa_converter.kernels_base import Mode, place, require

Custom: TypeAlias = Callable[[Sequence[Array], bytes], Sequence[Array]]


@dataclass(slots=True)
class Context:
    """tosa_context_t: what lives on from one run to the next.

    `variables` holds every variable that has been written or initialized, `declared` the shape and type of every one
    that has been declared. `custom` maps (domain_name, operator_name)
    to what runs that CUSTOM operator: a function of its inputs and its implementation_attrs.
    """

    variables: dict[str, Array] = field(default_factory=dict)
    declared: dict[str, tuple[tuple[int, ...], DType]] = field(default_factory=dict)
    custom: dict[tuple[str, str], Custom] = field(default_factory=dict)


Subgraph: TypeAlias = Callable[[Context, Sequence[Array]], list[Array]]
Compile: TypeAlias = Callable[[Graph], Subgraph]
ControlRun: TypeAlias = Callable[..., tuple[Array, ...]]
ControlKernel: TypeAlias = Callable[[Op, Mode, Compile], ControlRun]


def _holds(condition: Array) -> bool:
    return bool(condition.reshape(-1)[0])


def cond_if(op: Op, _mode: Mode, compile: Compile) -> ControlRun:
    """2.16.1."""
    then, otherwise = map(compile, op.regions)

    def run(context: Context, condition: Array, *inputs: Array) -> tuple[Array, ...]:
        return tuple((then if _holds(condition) else otherwise)(context, inputs))

    return run


def while_loop(op: Op, _mode: Mode, compile: Compile) -> ControlRun:
    """2.16.2."""
    condition, body = map(compile, op.regions)

    def run(context: Context, *inputs: Array) -> tuple[Array, ...]:
        values: Sequence[Array] = inputs
        while _holds(condition(context, values)[0]):
            values = body(context, values)
        return tuple(values)

    return run


def variable(op: Op, mode: Mode, _compile: Compile) -> ControlRun:
    """2.17.1: type and initial value count where a context first declares the variable only."""
    name, dtype = op.attributes["name"], mode.numpy(op.attributes["type"])
    initial = op.attributes.get("initial_value")
    type = tuple(op.attributes["var_shape"]), op.attributes["type"]

    def run(context: Context) -> tuple[Array, ...]:
        first = name not in context.declared
        context.declared.setdefault(name, type)  # one that exists stays as it is
        if first and initial is not None and name not in context.variables:
            context.variables[name] = np.array(initial, dtype).reshape(op.attributes["var_shape"])
        return ()

    return run


def variable_write(op: Op, _mode: Mode, _compile: Compile) -> ControlRun:
    """2.17.2."""
    name, given = op.attributes["name"], op.operands[0].type

    def run(context: Context, value: Array) -> tuple[Array, ...]:
        require(op, "variable_tensor", name in context.declared)
        shape, dtype = context.declared[name]
        require(op, "variable_tensor.shape == shape", shape == given.shape)
        require(op, "is_same<variable_tensor.type,in_t>()", dtype is given.dtype)
        context.variables[name] = value.copy()
        return ()

    return run


def variable_read(op: Op, mode: Mode, _compile: Compile) -> ControlRun:
    """2.17.3."""
    name, expected = op.attributes["name"], op.result.type

    def run(context: Context) -> tuple[Array, ...]:
        value = context.variables.get(name)
        require(op, "variable_tensor.is_written", value is not None)
        assert value is not None
        require(op, "variable_tensor.shape == shape", value.shape == expected.shape)
        require(op, "is_same<variable_tensor.type,out_t>()", value.dtype == mode.numpy(expected.dtype))
        return (value,)

    return run


def custom(op: Op, _mode: Mode, _compile: Compile) -> ControlRun:
    """2.15.1."""
    key = (op.attributes["domain_name"], op.attributes["operator_name"])

    def run(context: Context, *inputs: Array) -> tuple[Array, ...]:
        function = context.custom.get(key)
        if function is None:
            known = ", ".join(f"{domain}:{name}" for domain, name in context.custom) or "none"
            raise UnsupportedError(f"{place(op)}: no implementation of {':'.join(key)}; the context has {known}")
        return tuple(function(inputs, op.attributes["implementation_attrs"]))

    return run
