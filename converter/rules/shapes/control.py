"""Rules of custom operators (2.15), control flow (2.16) and variables (2.17)."""

from collections.abc import Sequence
from math import prod

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Shape, Value
from tosa_converter.rules.conditions import Check, Shapes, Sizes

COND_IF_OUTPUT = "tensor_list_shape(output_list) != tosa_output_shape(then_graph)"
WHILE_LOOP_OUTPUT = "tensor_list_shape(input_list) != tensor_list_shape(output_list)"


def unknown(c: Check, *_inputs: Sizes) -> None:
    """Returns None for CUSTOM, whose result shapes only its implementation knows."""


def cond_if(c: Check, condition: Sizes, *inputs: Sizes) -> Shapes:
    """Checks COND_IF and returns its result shapes: those of the then_graph, whose inputs must match."""
    _check_list_size(c, inputs)
    c.error_if(prod(condition) != 1, "tensor_size(shape) != 1", shape=condition)
    then_graph, else_graph = _require_graphs(c, 2)
    _check_inputs(c, inputs, then_graph, "then_graph")
    _check_inputs(c, inputs, else_graph, "else_graph")
    return _shapes(then_graph.outputs)


def check_cond_if_outputs(c: Check, results: Sequence[Value]) -> None:
    """Adds a problem unless COND_IF's results have the shapes of else_graph's outputs.

    Those of then_graph need no check: `cond_if` returns them as the result shapes.
    """
    if len(c.regions) == 2:
        _check_outputs(
            c, _shapes(results), c.regions[1], "tensor_list_shape(output_list) != tosa_output_shape(else_graph)"
        )


def while_loop(c: Check, *inputs: Sizes) -> Shapes:
    """Checks WHILE_LOOP and returns its result shapes, which are its inputs'; the condition must return one bool."""
    _check_list_size(c, inputs)
    cond_graph, body_graph = _require_graphs(c, 2)
    _check_inputs(c, inputs, cond_graph, "cond_graph")
    _check_inputs(c, inputs, body_graph, "body_graph")
    _check_outputs(c, inputs, body_graph, "tensor_list_shape(input_list) != tosa_output_shape(body_graph)")
    results = [value.type for value in cond_graph.outputs]
    single = len(results) == 1 and all(size == 1 for size in results[0].shape)
    c.error_if(not single, "tensor_size(tosa_output_shape(cond_graph)) != 1", outputs=tuple(map(str, results)))
    boolean = all(result.dtype is DType.BOOL for result in results)
    c.error_if(not boolean, "tosa_output_type(cond_graph) != bool_t", outputs=tuple(map(str, results)))
    return inputs


def variable(c: Check) -> Shapes:
    """Checks VARIABLE, whose initial value must have its shape; returns () as it has no results."""
    shape, initial = c.attribute("var_shape"), c.attributes.get("initial_value")
    if initial is not None:
        c.require(tuple(initial.shape) == tuple(shape), "var_shape == shape", var_shape=shape, shape=initial.shape)
    return ()


def variable_write(c: Check, shape: Sizes) -> Shapes:
    """Checks VARIABLE_WRITE against the variable's declaration; returns () as it has no results.

    Nothing is checked where the declarations aren't known.
    """
    if c.variables is None:
        return ()
    name, dtype = c.attribute("name"), c.dtype(0)
    if name not in c.variables:
        c.stop("require", "variable_tensor.seen", f"no declaration of {name!r} before it")
    declared = c.variables[name]
    c.require(declared.shape == shape, "variable_tensor.shape == shape", declared=declared.shape, shape=shape)
    c.require(
        declared.dtype is dtype,
        "is_same<variable_tensor.type,in_t>()",
        declared=declared.dtype.value,
        in_t=dtype.value,
    )
    return ()


def variable_read(c: Check) -> Shapes | None:
    """Returns the result shape of VARIABLE_READ, the declared one; None without a declaration in this graph."""
    declared = None if c.variables is None else c.variables.get(c.attribute("name"))
    return None if declared is None else (declared.shape,)


VARIABLE_OUTPUT = "variable_tensor.shape == shape"


def _check_list_size(c: Check, inputs: Sequence[Sizes]) -> None:
    """Adds a problem if an operator has more inputs than the level's MAX_TENSOR_LIST_SIZE."""
    c.level_check(len(inputs), "MAX_TENSOR_LIST_SIZE", "tensor_list_shape(input_list)")


def _require_graphs(c: Check, count: int) -> Sequence[Graph]:
    """Returns the operator's graphs; ends the check unless there are `count`."""
    if len(c.regions) != count:
        c.stop("operand", f"the operator must have {count} graphs", str(len(c.regions)))
    return c.regions


def _shapes(values: Sequence[Value]) -> tuple[Shape, ...]:
    """Returns the shapes of several values, in order."""
    return tuple(value.type.shape for value in values)


def _check_inputs(c: Check, inputs: Sequence[Shape], graph: Graph, name: str) -> None:
    """Adds a problem unless the operator's inputs have the shapes of a graph's inputs; `name` is the graph's role."""
    expected = _shapes(graph.inputs)
    c.error_if(
        tuple(inputs) != expected,
        f"tensor_list_shape(input_list) != tosa_input_shape({name})",
        input_list=tuple(inputs),
        graph=expected,
    )


def _check_outputs(c: Check, outputs: Sequence[Shape], graph: Graph, condition: str) -> None:
    """Adds a problem, with the text `condition`, unless a graph's outputs have these shapes."""
    actual = _shapes(graph.outputs)
    c.error_if(tuple(outputs) != actual, condition, expected=tuple(outputs), graph=actual)
