"""The shape rule of every operator, with its ERROR_IF and LEVEL_CHECK conditions, and type inference on top.

A rule returns the shapes that the specification demands, so it serves the builder, which has no results yet, and the
verifier, which compares them with the results that the graph states.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tosa_converter import rules_control, rules_elementwise, rules_layout, rules_window
from tosa_converter.check import Check, Problem, Shapes, StopCheckError
from tosa_converter.errors import VerifyError
from tosa_converter.ir import DType, Graph, Shape, TensorType, Value
from tosa_converter.rules_elementwise import broadcast, reduce, same
from tosa_converter.schemas import tosa_ops as rows
from tosa_converter.schemas.tosa_ops import MAX_RANK, OpDef, Operand
from tosa_converter.type_table import DTypes, fitting, selection, type_problem

SAME_OUTPUT = "shape of the output != shape of the input"
FFT_OUTPUT = "output shape != [N,H,W]"
RFFT_OUTPUT = "output shape != [N,H,W/2 + 1]"


class Rule(NamedTuple):
    """A shape rule.

    `shapes` takes the Check and the shape of each operand, and returns a shape per result, None in it for a dimension
    and None instead of it for results that only the execution knows. `mismatch` is the condition that a result of
    another shape violates: one text, or one per dimension; `rank` and `size` are those that one of another rank or
    number of elements violates, where the specification has them apart.
    """

    shapes: Callable[..., Shapes | None]
    mismatch: str | tuple[str, ...]
    rank: str = ""
    size: str = ""


_SAME = Rule(same, SAME_OUTPUT)
_BROADCAST = Rule(broadcast, rules_elementwise.BROADCAST_OUTPUT)
_REDUCE = Rule(reduce, rules_elementwise.REDUCE_OUTPUT)

RULES: dict[OpDef, Rule] = {
    # 2.3 Tensor operators
    rows.ARGMAX: Rule(rules_window.argmax, "flatten(left_shape, right_shape) != shape"),
    rows.AVG_POOL2D: Rule(rules_window.pool2d, rules_window.POOL_OUTPUT),
    rows.CONV2D: Rule(rules_window.conv2d, rules_window.CONV_OUTPUT),
    rows.CONV3D: Rule(rules_window.conv3d, rules_window.CONV3D_OUTPUT),
    rows.DEPTHWISE_CONV2D: Rule(rules_window.depthwise_conv2d, rules_window.DEPTHWISE_OUTPUT),
    rows.FFT2D: Rule(rules_window.fft2d, FFT_OUTPUT),
    rows.MATMUL: Rule(rules_window.matmul, "output shape != [N,H,W]"),
    rows.MAX_POOL2D: Rule(rules_window.pool2d, rules_window.POOL_OUTPUT),
    rows.RFFT2D: Rule(rules_window.rfft2d, RFFT_OUTPUT),
    rows.TRANSPOSE_CONV2D: Rule(rules_window.transpose_conv2d, rules_window.TRANSPOSE_CONV_OUTPUT),
    # 2.4 Activation functions
    rows.CLAMP: Rule(rules_elementwise.clamp, SAME_OUTPUT),
    rows.ERF: _SAME,
    rows.SIGMOID: _SAME,
    rows.TANH: _SAME,
    # 2.5 Elementwise binary operators
    rows.ADD: _BROADCAST,
    rows.ARITHMETIC_RIGHT_SHIFT: _BROADCAST,
    rows.BITWISE_AND: _BROADCAST,
    rows.BITWISE_OR: _BROADCAST,
    rows.BITWISE_XOR: _BROADCAST,
    rows.INTDIV: _BROADCAST,
    rows.LOGICAL_AND: _BROADCAST,
    rows.LOGICAL_LEFT_SHIFT: _BROADCAST,
    rows.LOGICAL_RIGHT_SHIFT: _BROADCAST,
    rows.LOGICAL_OR: _BROADCAST,
    rows.LOGICAL_XOR: _BROADCAST,
    rows.MAXIMUM: _BROADCAST,
    rows.MINIMUM: _BROADCAST,
    rows.MUL: Rule(rules_elementwise.mul, rules_elementwise.BROADCAST_OUTPUT),
    rows.POW: _BROADCAST,
    rows.SUB: _BROADCAST,
    rows.TABLE: Rule(rules_elementwise.table, SAME_OUTPUT),
    # 2.6 Elementwise unary operators
    rows.ABS: _SAME,
    rows.BITWISE_NOT: _SAME,
    rows.CEIL: _SAME,
    rows.CLZ: _SAME,
    rows.COS: _SAME,
    rows.EXP: _SAME,
    rows.FLOOR: _SAME,
    rows.LOG: _SAME,
    rows.LOGICAL_NOT: _SAME,
    rows.NEGATE: Rule(rules_elementwise.negate, SAME_OUTPUT),
    rows.RECIPROCAL: _SAME,
    rows.RSQRT: _SAME,
    rows.SIN: _SAME,
    # 2.7 Elementwise ternary operators, 2.8 Comparison operators
    rows.SELECT: Rule(rules_elementwise.select, rules_elementwise.SELECT_OUTPUT),
    rows.EQUAL: _BROADCAST,
    rows.GREATER: _BROADCAST,
    rows.GREATER_EQUAL: _BROADCAST,
    # 2.9 Reduction operators
    rows.REDUCE_ALL: _REDUCE,
    rows.REDUCE_ANY: _REDUCE,
    rows.REDUCE_MAX: _REDUCE,
    rows.REDUCE_MIN: _REDUCE,
    rows.REDUCE_PRODUCT: _REDUCE,
    rows.REDUCE_SUM: _REDUCE,
    # 2.10 Data layout
    rows.CONCAT: Rule(rules_layout.concat, rules_layout.CONCAT_OUTPUT),
    rows.PAD: Rule(rules_layout.pad, rules_layout.PAD_OUTPUT, rank="rank(shape) != rank(shape1)"),
    rows.RESHAPE: Rule(rules_layout.reshape, rules_layout.RESHAPE_OUTPUT, size=rules_layout.SAME_SIZE),
    rows.REVERSE: Rule(rules_layout.reverse, SAME_OUTPUT),
    rows.SLICE: Rule(rules_layout.slice_, rules_layout.SLICE_OUTPUT, rules_layout.SAME_RANK),
    rows.TILE: Rule(rules_layout.tile, rules_layout.TILE_OUTPUT, rules_layout.SAME_RANK),
    rows.TRANSPOSE: Rule(
        rules_layout.transpose, rules_layout.TRANSPOSE_OUTPUT, rules_layout.SAME_RANK, rules_layout.SAME_SIZE
    ),
    # 2.11 Scatter/gather operators
    rows.GATHER: Rule(rules_layout.gather, "output shape != [N,W,C]"),
    rows.SCATTER: Rule(rules_layout.scatter, "values_out shape != [N,K,C]"),
    # 2.12 Image operators, 2.13 Type conversion
    rows.RESIZE: Rule(rules_window.resize, rules_window.RESIZE_OUTPUT),
    rows.CAST: _SAME,
    rows.RESCALE: Rule(rules_elementwise.rescale, SAME_OUTPUT),
    # 2.14 Data nodes
    rows.CONST: Rule(rules_layout.const, "shape of the output != shape of values"),
    rows.IDENTITY: _SAME,
    # 2.15 Custom operators, 2.16 Control flow operators, 2.17 Variable operators, 2.18 Shape operators
    rows.CUSTOM: Rule(rules_control.unknown, ""),
    rows.COND_IF: Rule(rules_control.cond_if, rules_control.COND_IF_OUTPUT),
    rows.WHILE_LOOP: Rule(rules_control.while_loop, rules_control.WHILE_LOOP_OUTPUT),
    rows.VARIABLE: Rule(rules_control.variable, ""),
    rows.VARIABLE_WRITE: Rule(rules_control.variable_write, ""),
    rows.VARIABLE_READ: Rule(rules_control.variable_read, rules_control.VARIABLE_OUTPUT),
    rows.CONST_SHAPE: Rule(rules_layout.const, "shape of the output != shape of values"),
}


class _Arity(NamedTuple):
    """What `operand_shapes` needs of a row: the smallest number of operands, and each one's rank and fixed shape."""

    least: int
    most: int | None
    operands: tuple[tuple[Operand, int, int], ...]


_ARITIES = {
    row.name: _Arity(
        sum(not operand.variadic for operand in row.inputs),
        None if any(operand.variadic for operand in row.inputs) else len(row.inputs),
        tuple((operand, *operand.ranks) for operand in row.inputs),
    )
    for row in RULES
}


def operand_shapes(c: Check) -> list[tuple[int, ...]]:
    """The shapes of the operands, after arity, ranks and fixed shapes were checked.

    Raises:
        StopCheckError: one is not what the row says, so the rule can't be applied; the problem is in `c`.
    """
    arity = _ARITIES[c.row.name]
    count = len(c.inputs)
    if count < arity.least or (arity.most is not None and count > arity.most):
        expected = str(arity.least) if arity.most is not None else f"at least {arity.least}"
        c.stop("operand", f"the operator must have {expected} inputs", str(count))
    last = len(arity.operands) - 1
    shapes = []
    for index, value in enumerate(c.inputs):
        operand, low, high = arity.operands[min(index, last)]
        if value is None:
            c.stop("operand", f"{operand.name} must be present", "none")
        shape = value.type.shape
        if not low <= len(shape) <= high:
            _wrong_rank(c, operand, shape)
        if operand.shape is not None and shape != operand.shape:
            c.stop("operand", f"shape of {operand.name} must be {list(operand.shape)}", str(value.type))
        if None in shape:
            c.stop("operand", f"every dimension of {operand.name} must be known", str(value.type))
        shapes.append(shape)
    return shapes  # type: ignore[return-value]  # no None is left


def _wrong_rank(c: Check, operand: Operand, shape: Shape) -> None:
    low, high = operand.ranks
    ranks = str(low) if low == high else f"{low} to {'MAX_RANK' if high == MAX_RANK else high}"
    c.problem("operand", f"rank of {operand.name} must be {ranks}", f"rank {len(shape)}, shape {list(shape)}")
    if "axis" not in c.attributes:  # the rules of operators with an axis start with it, and a scalar has none
        raise StopCheckError


def expected_shapes(c: Check) -> Shapes | None:
    """Apply the rule of an operator; None where it can't tell, or where a condition stops it.

    Violated conditions are in `c.problems` afterwards.
    """
    try:
        return RULES[c.row].shapes(c, *operand_shapes(c))
    except StopCheckError:
        return None


def infer_shapes(
    row: OpDef,
    inputs: Sequence[Value | None],
    attributes: Mapping[str, Any],
    *,
    regions: Sequence[Graph] = (),
    variables: Mapping[str, TensorType] | None = None,
) -> tuple[Shape, ...]:
    """The shapes of an operator's results.

    Args:
        row: the operator.
        inputs: its operands in the row's order; a list of tensors takes what remains.
        attributes: by the row's names.
        regions: the graphs of COND_IF and WHILE_LOOP.
        variables: the declared variables, for VARIABLE_READ.

    Raises:
        VerifyError: an operand or attribute is not what the row says, an ERROR_IF holds, a REQUIRE can't be met, or the
            shapes of the results can't be inferred.
    """
    c = Check(row, inputs, attributes, regions=regions, variables=variables)
    shapes = expected_shapes(c)
    if shapes is None and not c.problems:
        c.problem("operand", "the shapes of the results must be stated: they can't be inferred", "")
    c.raise_problems()
    return shapes or ()


def infer_types(
    row: OpDef,
    inputs: Sequence[Value | None],
    attributes: Mapping[str, Any],
    out_dtype: DType | None = None,
    *,
    regions: Sequence[Graph] = (),
    variables: Mapping[str, TensorType] | None = None,
) -> tuple[TensorType, ...]:
    """The types of an operator's results: shapes by its rule, element types by its type table.

    Args:
        row: the operator.
        inputs: its operands in the row's order.
        attributes: by the row's names.
        out_dtype: the element type of the results, where the operands leave a choice (CAST, RESCALE, CONST ...).
        regions: the graphs of COND_IF and WHILE_LOOP.
        variables: the declared variables, for VARIABLE_READ.

    Raises:
        VerifyError: as for `infer_shapes`; or no row of the type table fits, or several do that differ in the results.
    """
    shapes = infer_shapes(row, inputs, attributes, regions=regions, variables=variables)
    if row is rows.VARIABLE_READ and variables is not None:
        out_dtype = variables[attributes["name"]].dtype
    dtypes = _out_dtypes(row, inputs, attributes, out_dtype, regions)
    return tuple(map(TensorType, dtypes, shapes))


def _out_dtypes(
    row: OpDef,
    inputs: Sequence[Value | None],
    attributes: Mapping[str, Any],
    out_dtype: DType | None,
    regions: Sequence[Graph],
) -> Sequence[DType]:
    if row is rows.COND_IF or row is rows.WHILE_LOOP:
        return [value.type.dtype for value in regions[row is rows.WHILE_LOOP].outputs]
    given: DTypes = tuple([None if value is None else value.type.dtype for value in inputs])
    selected = selection(row, attributes)
    outputs = (out_dtype,) * len(row.outputs)
    chosen = {tuple(map(line.dtype, row.outputs)) for line in fitting(row, given, selected, outputs)}
    if len(chosen) == 1:
        (dtypes,) = chosen
        return dtypes  # type: ignore[return-value]  # only control flow has results of any type
    condition, found = type_problem(row, given, selected, outputs)
    problem = Problem("type", row.opcode, "", condition, found + (", which fits several" if chosen else ""))
    raise VerifyError([str(problem)])
