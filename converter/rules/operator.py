"""The checks of one TOSA operator: arguments and types by its record, shapes by its rule, level and target."""

from collections.abc import Hashable, Iterator, Mapping
from math import prod
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Shape, TensorType, Value
from tosa_converter.rules.attributes import check_attributes, check_scalar
from tosa_converter.rules.conditions import EMPTY, RANK_LIMIT, UNKNOWN_DIMENSIONS, Check, Problem
from tosa_converter.rules.inference import SHAPE_RULES, Forms, check_elements, expected_shapes, form
from tosa_converter.rules.shapes import shape_operators
from tosa_converter.rules.shapes.control import check_cond_if_outputs
from tosa_converter.rules.target import Target, dynamic_operands, open_positions
from tosa_converter.rules.types import fitting_combinations, selection, type_problem
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import Level

# (2**28 - 1) elements of at most 8 bytes are below 2**31, the smallest limit (MAX_LOG2_SIZE = 31 of level 8K).
_SMALL = 1 << 28


class Known(NamedTuple):
    """What a graph's operators so far tell of the next ones: the types of declared variables, and computed shapes.

    `shapes` has the elements of values that shape operators compute from constants and sizes of tensors.
    """

    variables: dict[str, TensorType]
    shapes: dict[Value, list[int]]


def operator_problems(
    op: Op, level: Level | None, target: Target | None, declared: Known, legal: Forms[bool]
) -> list[Problem]:
    """Returns all problems of one operator, without those of its regions; adds variables and shapes to `declared`.

    `legal` has the forms (types, shapes, attributes) of operators that passed before: their shapes and types aren't
    checked again. The form of an operator without problems is added. If attributes are invalid, shapes and types
    aren't checked.
    """
    row = op.row
    if row is None:
        return [Problem("structure", op.name, _location_of(op), "the operator must be one of TOSA", op.name)]
    location = _location_of(op)
    variables, shapes = declared
    c = Check(
        row,
        op.inputs,
        op.attributes,
        level=level,
        location=location,
        regions=op.regions,
        variables=variables,
        shapes=shapes,
    )
    key = _form_of(op)
    is_legal = legal.find(key)
    if not is_legal:
        for value in op.results:
            check_limits(c, value)
    if check_attributes(c):
        if is_legal:
            check_elements(c)
        else:
            _check_shapes(c, op, expected_shapes(c))
            _check_types(c, op)
        if row in _EXTRA and (row.control or len(op.results) == len(row.outputs)):
            _EXTRA[row](c, op, variables)
    for position in open_positions(op, row):
        if row.input(position).fixed:
            c.problem(
                "operand", f"{row.input(position).name} must be a compile-time constant", repr(op.inputs[position])
            )
    _check_target(c, op, target)
    if row in ops.SHAPE_OPERATORS and not c.problems:
        elements = shape_operators.result_elements(c)
        if elements is not None:
            shapes[op.result] = elements
    if not is_legal and not c.problems:
        legal.store(key, True)
    return c.problems


def _form_of(op: Op) -> Hashable:
    """Returns a key that operators with equal types and attributes share; unique for control flow and variables."""
    return object() if op.row.control else form(op.row, op.inputs, op.attributes, *[value.type for value in op.results])


def check_run(op: Op, values: Mapping[int, Array]) -> None:
    """Raises VerifyError if operands that are known only at run time meet an ERROR_IF of their operator.

    Args:
        op: one whose other conditions hold; its REQUIREs are left to its kernel.
        values: by the positions of the operands.

    Raises:
        VerifyError: a condition holds, so that the graph is in error (clause 1.10.1) on these inputs.
    """
    inputs = list(op.inputs)
    for position, array in values.items():
        value = op.inputs[position]
        assert value is not None
        inputs[position] = Op(ops.CONST, (), [value.type], {"values": array}).result
    c = Check(op.row, inputs, op.attributes, location=_location_of(op))
    _check_shapes(c, op, expected_shapes(c))
    c.problems = [problem for problem in c.problems if problem.kind != "require"]
    c.raise_problems()


def _location_of(op: Op) -> str:
    """Returns an operator's location, or else the name of its first result, or ""."""
    return op.location or (op.results[0].name if op.results else "")


def check_limits(c: Check, value: Value) -> None:
    """Adds problems for a tensor that is too large, empty, of unknown shape or of too high a rank (clause 1.11.1).

    A tensor of fewer than `_SMALL` elements is within every level's size.
    """
    shape = value.type.shape
    is_small = None not in shape and 0 < prod(shape) < _SMALL and min(shape, default=1) > 0  # type: ignore[arg-type, type-var, operator]
    if is_small and (c.level is None or len(shape) <= c.level.MAX_RANK):
        return
    for kind, condition, finding in limit_problems(value, c.level):
        c.problem(kind, condition, finding)


def limit_problems(value: Value, level: Level | None) -> Iterator[tuple[str, str, str]]:
    """Yields (kind, condition, finding) for a tensor that is too large, empty, of unknown shape or too high a rank.

    A level of None sets no limits of size and rank.
    """
    shape, dtype = value.type.shape, value.type.dtype
    size = 1
    for dimension in shape:
        if dimension is None:
            yield "operand", f"{UNKNOWN_DIMENSIONS} must be known", repr(value)
            return
        size *= dimension
        if dimension < 1 and dtype is not DType.SHAPE:
            yield "error", EMPTY, repr(value)
            return
    if level is None:
        return
    if len(shape) > level.MAX_RANK:
        yield "level", RANK_LIMIT, f"{value!r}, MAX_RANK = {level.MAX_RANK}"
    if size >= _SMALL and size * max(1, dtype.bits // 8) >= 1 << level.MAX_LOG2_SIZE:
        yield "level", "size in bytes < (1 << MAX_LOG2_SIZE)", f"{value!r}, MAX_LOG2_SIZE = {level.MAX_LOG2_SIZE}"


def _check_shapes(c: Check, op: Op, expected: tuple[Shape, ...] | None) -> None:
    """Adds problems if the results' shapes differ from the expected ones; None for `expected` checks nothing."""
    if expected is None:
        return
    if len(expected) != len(op.results):
        c.problem("operand", f"the operator must have {len(expected)} outputs", str(len(op.results)))
        return
    for index, (shape, value) in enumerate(zip(expected, op.results, strict=True)):
        if shape != value.type.shape:
            _check_result_shape(c, index, shape, value.type.shape)


def _check_result_shape(c: Check, index: int, expected: Shape, shape: Shape) -> None:
    """Adds a problem for each condition that result `index`, of another shape than expected, violates.

    It is a REQUIRE for VARIABLE_READ, an ERROR_IF for all others. Conditions with a problem already are skipped.
    """
    conditions = _violated_conditions(c, index, expected, shape)
    kind = "require" if c.row is ops.VARIABLE_READ else "error"
    violated = {problem.condition for problem in c.problems}
    for condition in conditions:
        if condition not in violated:
            c.problem(kind, condition, f"{_shape_text(shape)}, expected {_shape_text(expected)}")


def _violated_conditions(c: Check, index: int, expected: Shape, shape: Shape) -> list[str]:
    """Returns the conditions of the specification that result `index`, of another shape than expected, violates.

    The operator's `ShapeRule` has one for each dimension or one for all (`mismatch`), one for the rank, and one for the
    number of elements (`size`).
    """
    rule = SHAPE_RULES[c.row]
    if len(expected) == len(shape):
        # An unknown dimension of a result is a problem of its own.
        wrong = [i for i, (n, m) in enumerate(zip(expected, shape, strict=True)) if None not in (n, m) and n != m]
        conditions = [rule.mismatch] if isinstance(rule.mismatch, str) else [rule.mismatch[i] for i in wrong]
        conditions = conditions if wrong else []
    else:
        output = c.row.output(index).name
        mismatch = rule.mismatch if isinstance(rule.mismatch, str) else f"rank of {output} must be {len(expected)}"
        conditions = [rule.rank or mismatch]
    sizes = {prod(s) for s in (expected, shape) if None not in s}  # type: ignore[arg-type]
    if rule.size and len(sizes) > 1:
        conditions.append(rule.size)
    return conditions


def _check_types(c: Check, op: Op) -> None:
    """Adds a problem unless a row of the operator's type table has the element types of operands and results."""
    inputs = tuple([None if value is None else value.type.dtype for value in op.inputs])
    outputs = tuple([value.type.dtype for value in op.results])
    selected = selection(c.row, c.attributes)
    if not fitting_combinations(c.row, inputs, selected, outputs):
        c.problem("type", *type_problem(c.row, inputs, selected, outputs))


def _check_target(c: Check, op: Op, target: Target | None) -> None:
    """Adds problems for what the target lacks; without a target, for operands that must be constant and aren't."""
    if target is not None:
        for lacking in target.lacks(op):
            c.problem("target", f"needs {lacking}", f"target {target}")
        return
    for name in dynamic_operands(op, c.row):
        c.problem("operand", f"{name} must be a compile-time constant, unless the target has EXT-DYNAMIC", "")


def _check_clamp(c: Check, op: Op, variables: dict[str, TensorType]) -> None:  # noqa: ARG001  # one signature for all
    """Adds problems if CLAMP's min_val and max_val aren't values of its element type."""
    for name in ("min_val", "max_val"):
        check_scalar(c, name, op.result.type.dtype)


def _check_const(c: Check, op: Op, variables: dict[str, TensorType]) -> None:  # noqa: ARG001
    """Adds a problem if a constant's array doesn't have the numpy type of its element type."""
    dtype, values = op.result.type.dtype, c.attributes["values"]
    if values.dtype != dtype.numpy:
        c.problem("type", f"values must be held as {dtype.numpy}", str(values.dtype))


def _check_variable(c: Check, op: Op, variables: dict[str, TensorType]) -> None:  # noqa: ARG001
    """Adds a VARIABLE's type to `variables`, and checks its initial value and size."""
    name, dtype, initial = c.attributes["name"], c.attributes["type"], c.attributes.get("initial_value")
    c.require(
        initial is None or initial.dtype == dtype.numpy, "var_t == in_t", var_t=dtype.value, initial_value=initial
    )
    type = TensorType(dtype, tuple(c.attributes["var_shape"]))
    variables.setdefault(name, type)  # one that exists stays as it is
    check_limits(c, Value(type, name))


def _check_variable_read(c: Check, op: Op, variables: dict[str, TensorType]) -> None:
    """Adds a problem if a VARIABLE_READ has another element type than the variable's declaration, if there is one."""
    declared = variables.get(c.attributes["name"])
    if declared is not None:
        out_t = op.result.type.dtype
        same = declared.dtype is out_t
        c.require(same, "is_same<variable_tensor.type,out_t>()", declared=declared.dtype.value, out_t=out_t.value)


def _check_lists(c: Check, op: Op, variables: dict[str, TensorType]) -> None:  # noqa: ARG001
    """Adds problems for the operand and result lists of CUSTOM, COND_IF and WHILE_LOOP: lengths and element types."""
    inputs = op.operands[1:] if c.row is ops.COND_IF else op.operands
    if c.row is ops.CUSTOM:
        c.level_check(len(inputs), "MAX_TENSOR_LIST_SIZE", "tensor_list_shape(input_list)")
    c.level_check(len(op.results), "MAX_TENSOR_LIST_SIZE", "tensor_list_shape(output_list)")
    if c.row is ops.COND_IF:
        check_cond_if_outputs(c, op.results)
    for region in op.regions:
        _check_same_types(c, f"input_list and inputs of {region.name}", inputs, region.inputs)
    for region in op.regions[1:] if c.row is ops.WHILE_LOOP else op.regions:
        _check_same_types(c, f"output_list and outputs of {region.name}", op.results, region.outputs)


def _check_same_types(c: Check, lists: str, outer: "tuple[Value, ...]", inner: "list[Value]") -> None:
    """Adds a problem for each pair of values in two lists whose element types differ; `lists` names both.

    Values beyond the end of the shorter list aren't compared.
    """
    for first, second in zip(outer, inner, strict=False):
        if first.type.dtype is not second.type.dtype:
            c.problem("type", f"types must agree between {lists}", f"{first!r} and {second!r}")


# What the rows and shape rules of some operators leave open.
_EXTRA = {
    ops.CLAMP: _check_clamp,
    ops.CONST: _check_const,
    ops.CONST_SHAPE: _check_const,
    ops.CUSTOM: _check_lists,
    ops.COND_IF: _check_lists,
    ops.WHILE_LOOP: _check_lists,
    ops.VARIABLE: _check_variable,
    ops.VARIABLE_READ: _check_variable_read,
}


def _shape_text(shape: Shape) -> str:
    """Returns a shape as text, with ? for unknown dimensions: [1,?,3]."""
    return "[" + ",".join("?" if size is None else str(size) for size in shape) + "]"
