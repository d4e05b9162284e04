"""The shape rule of every operator, with its ERROR_IF and LEVEL_CHECK conditions, and type inference on top.

A rule returns the shapes that the specification demands, so it serves the builder, which has no results yet, and the
verifier, which compares them with the results that the graph states.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeVar

from tosa_converter.dtypes import DType
from tosa_converter.errors import VerifyError
from tosa_converter.ir import Graph, Shape, TensorType, Value, plain_type
from tosa_converter.rules.conditions import UNKNOWN_DIMENSIONS, Check, Problem, Shapes, StopCheckError
from tosa_converter.rules.shapes import control, elementwise, layout, shape_operators, windows
from tosa_converter.rules.shapes.elementwise import broadcast, reduce, same
from tosa_converter.rules.types import DTypes, fitting_combinations, oldest_version, selection, type_problem
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import MAX_RANK, OpDef, Operand
from tosa_converter.schemas.tosa_target import VERSION

T = TypeVar("T")

SAME_OUTPUT = "shape of the output != shape of the input"
FFT_OUTPUT = "output shape != [N,H,W]"
MATMUL_T_OUTPUT = "output shape != [N,H,W]"
RFFT_OUTPUT = "output shape != [N,H,W/2 + 1]"


class ShapeRule(NamedTuple):
    """How the result shapes of an operator follow from its operands, and which conditions other shapes violate.

    `shapes` takes the Check and each operand's shape, and returns a shape for each result (None for an unknown
    dimension), or None if only a run knows them. `mismatch` is the condition that another shape violates: one text, or
    one for each dimension; `rank` and `size` are those for another rank or number of elements, where the specification
    has them. `elements` checks the elements of the constant operands `factors`, which don't affect shapes.
    """

    shapes: Callable[..., Shapes | None]
    mismatch: str | tuple[str, ...]
    rank: str = ""
    size: str = ""
    factors: tuple[int, ...] = ()
    elements: Callable[[Check], None] | None = None


_SAME = ShapeRule(same, SAME_OUTPUT)
_BROADCAST = ShapeRule(broadcast, elementwise.BROADCAST_OUTPUT)
_REDUCE = ShapeRule(reduce, elementwise.REDUCE_OUTPUT)

_OWN_RULES: dict[OpDef, ShapeRule] = {
    # 2.3 Tensor operators
    ops.ARGMAX: ShapeRule(windows.argmax, "flatten(left_shape, right_shape) != shape"),
    ops.AVG_POOL2D: ShapeRule(windows.pool2d, windows.POOL_OUTPUT),
    ops.CONV2D: ShapeRule(windows.conv2d, windows.CONV_OUTPUT),
    ops.CONV3D: ShapeRule(windows.conv3d, windows.CONV3D_OUTPUT),
    ops.DEPTHWISE_CONV2D: ShapeRule(windows.depthwise_conv2d, windows.DEPTHWISE_OUTPUT),
    ops.FFT2D: ShapeRule(windows.fft2d, FFT_OUTPUT),
    ops.MATMUL: ShapeRule(windows.matmul, "output shape != [N,H,W]"),
    ops.MAX_POOL2D: ShapeRule(windows.pool2d, windows.POOL_OUTPUT),
    ops.RFFT2D: ShapeRule(windows.rfft2d, RFFT_OUTPUT),
    ops.TRANSPOSE_CONV2D: ShapeRule(windows.transpose_conv2d, windows.TRANSPOSE_CONV_OUTPUT),
    # 2.4 to 2.8 Elementwise operators with conditions of their own
    ops.CLAMP: ShapeRule(elementwise.clamp, SAME_OUTPUT),
    ops.MUL: ShapeRule(elementwise.mul, elementwise.BROADCAST_OUTPUT),
    ops.TABLE: ShapeRule(elementwise.table, SAME_OUTPUT),
    ops.NEGATE: ShapeRule(elementwise.negate, SAME_OUTPUT),
    ops.SELECT: ShapeRule(elementwise.select, elementwise.SELECT_OUTPUT),
    # 2.9 Reduction operators
    ops.REDUCE_ALL: _REDUCE,
    ops.REDUCE_ANY: _REDUCE,
    ops.REDUCE_MAX: _REDUCE,
    ops.REDUCE_MIN: _REDUCE,
    ops.REDUCE_PRODUCT: _REDUCE,
    ops.REDUCE_SUM: _REDUCE,
    # 2.10 Data layout
    ops.CONCAT: ShapeRule(layout.concat, layout.CONCAT_OUTPUT),
    ops.PAD: ShapeRule(layout.pad, layout.PAD_OUTPUT, rank="rank(shape) != rank(shape1)"),
    ops.RESHAPE: ShapeRule(layout.reshape, layout.RESHAPE_OUTPUT, size=layout.SAME_SIZE),
    ops.REVERSE: ShapeRule(layout.reverse, SAME_OUTPUT),
    ops.SLICE: ShapeRule(layout.slice_, layout.SLICE_OUTPUT, layout.SAME_RANK),
    ops.TILE: ShapeRule(layout.tile, layout.TILE_OUTPUT, layout.SAME_RANK),
    ops.TRANSPOSE: ShapeRule(layout.transpose, layout.TRANSPOSE_OUTPUT, layout.SAME_RANK, layout.SAME_SIZE),
    # 2.11 Scatter/gather operators
    ops.GATHER: ShapeRule(layout.gather, "output shape != [N,W,C]"),
    ops.SCATTER: ShapeRule(layout.scatter, "values_out shape != [N,K,C]"),
    # 2.12 Image operators, 2.13 Type conversion
    ops.RESIZE: ShapeRule(windows.resize, windows.RESIZE_OUTPUT),
    ops.RESCALE: ShapeRule(elementwise.rescale, SAME_OUTPUT, factors=(1, 2), elements=elementwise.scale),
    # 2.14 Data nodes
    ops.CONST: ShapeRule(layout.const, "shape of the output != shape of values"),
    ops.IDENTITY: _SAME,
    # 2.15 Custom operators, 2.16 Control flow operators, 2.17 Variable operators, 2.18 Shape operators
    ops.CUSTOM: ShapeRule(control.unknown, ""),
    ops.COND_IF: ShapeRule(control.cond_if, control.COND_IF_OUTPUT),
    ops.WHILE_LOOP: ShapeRule(control.while_loop, control.WHILE_LOOP_OUTPUT),
    ops.VARIABLE: ShapeRule(control.variable, ""),
    ops.VARIABLE_WRITE: ShapeRule(control.variable_write, ""),
    ops.VARIABLE_READ: ShapeRule(control.variable_read, control.VARIABLE_OUTPUT),
    ops.CONST_SHAPE: ShapeRule(layout.const, "shape of the output != shape of values"),
    # Operators of 1.1
    ops.DIM: ShapeRule(shape_operators.dim, shape_operators.LENGTH_OUTPUT),
    ops.CONCAT_SHAPE: ShapeRule(shape_operators.concat_shape, shape_operators.CONCAT_OUTPUT),
    ops.SLICE_SHAPE: ShapeRule(shape_operators.slice_shape, shape_operators.LENGTH_OUTPUT),
    ops.ASSERT_EQUAL_SHAPE: ShapeRule(shape_operators.assert_equal_shape, ""),
    **dict.fromkeys(shape_operators.ELEMENTWISE, ShapeRule(shape_operators.elementwise, shape_operators.LENGTH_OUTPUT)),
    ops.MAX_POOL2D_ADAPTIVE: ShapeRule(windows.adaptive_pool2d, windows.POOL_OUTPUT),
    ops.AVG_POOL2D_ADAPTIVE: ShapeRule(windows.adaptive_pool2d, windows.POOL_OUTPUT),
    ops.ROW_GATHER: ShapeRule(layout.row_gather, "output shape != [N,W*row_count,C]"),
    ops.MATMUL_T: ShapeRule(windows.matmul_t, MATMUL_T_OUTPUT),
}

# All operators, in the order of the specification. Elementwise ones without a rule of their own broadcast operands.
SHAPE_RULES = {
    row: _OWN_RULES.get(row) or (_BROADCAST if row.elementwise > 1 else _SAME)
    for row in ops.OPERATORS
    if row in _OWN_RULES or row.elementwise
}


class Forms(dict[Hashable, T]):
    """A cache of check results by operator form (see `form`), without forms that can't be hashed (lists, arrays)."""

    def find(self, key: Hashable) -> T | None:
        """Returns the check result that the cache has for a key; None if it has none or the key can't be hashed."""
        try:
            return self.get(key)
        except TypeError:
            return None

    def store(self, key: Hashable, entry: T) -> T:
        """Stores a result for a form, unless the key can't be hashed; returns the result."""
        with suppress(TypeError):
            self[key] = entry
        return entry


def form(row: OpDef, inputs: Sequence[Value | None], attributes: Mapping[str, Any], *further: Hashable) -> Hashable:
    """Returns a key of all that an operator's shapes and conditions depend on, so that equal ones are checked once.

    It has the types, the operands whose elements a shape depends on, the attributes, and what the caller adds
    (`further`). What `check_elements` checks is left out.
    """
    types = [None if value is None else value.type for value in inputs]
    read = [inputs[i] for i in _read_positions(row, len(inputs))]
    return row, *further, *types, *read, *attributes, *attributes.values()


@lru_cache(1024)
def _read_positions(row: OpDef, count: int) -> tuple[int, ...]:
    """Returns the positions of the constant operands whose elements a shape rule may read.

    Other constant operands, such as RESCALE's multipliers and shifts (a rule's `factors`), have no effect on shapes.
    """
    factors = SHAPE_RULES[row].factors
    return tuple(i for i in range(count if row.inputs else 0) if row.input(i).ctc and i not in factors)


def operand_shapes(c: Check) -> list[tuple[int, ...]]:
    """Returns the shapes of the operands, after checks of their number, ranks and prescribed shapes.

    Raises:
        StopCheckError: one is not what the row says, so the rule can't be applied; the problem is in `c`.
    """
    row = c.row
    count = len(c.inputs)
    if count < row.least or (row.most is not None and count > row.most):
        expected = str(row.least) if row.most is not None else f"at least {row.least}"
        c.stop("operand", f"the operator must have {expected} inputs", str(count))
    if not count:
        return []
    shapes = []
    for value, operand in zip(c.inputs, chain(row.inputs, repeat(row.inputs[-1])), strict=False):  # a list comes last
        if value is None:
            c.stop("operand", f"{operand.name} must be present", "none")
        shape = value.type.shape
        low, high = operand.rank
        if not low <= len(shape) <= high:
            _report_rank(c, operand, shape)
        if operand.shape is not None and shape != operand.shape:
            c.stop("operand", f"shape of {operand.name} must be {list(operand.shape)}", str(value.type))
        if None in shape:
            c.stop("operand", f"{UNKNOWN_DIMENSIONS} of {operand.name} must be known", str(value.type))
        shapes.append(shape)
    return shapes  # type: ignore[return-value]  # no None is left


def _report_rank(c: Check, operand: Operand, shape: Shape) -> None:
    """Adds a problem for an operand of the wrong rank, and ends the check if the shape rule can't continue."""
    low, high = operand.rank
    ranks = str(low) if low == high else f"{low} to {'MAX_RANK' if high == MAX_RANK else high}"
    c.problem("operand", f"rank of {operand.name} must be {ranks}", f"rank {len(shape)}, shape {list(shape)}")
    # Shape rules of operators with an axis check the axis first, and end there for a scalar. Other rules would use
    # dimensions that don't exist.
    if "axis" not in c.attributes:
        raise StopCheckError


def expected_shapes(c: Check) -> Shapes | None:
    """Returns the shapes that an operator's results must have; None if only a run knows them, or the check ended early.

    Violated conditions are in `c.problems` afterwards.
    """
    try:
        shapes: Shapes | None = SHAPE_RULES[c.row].shapes(c, *operand_shapes(c))
    except StopCheckError:
        return None
    check_elements(c)
    return shapes


def check_elements(c: Check) -> None:
    """Checks the conditions on the elements of constant operands that don't affect shapes, such as RESCALE's shifts."""
    check = SHAPE_RULES[c.row].elements
    if check is not None:
        check(c)


def infer_shapes(
    row: OpDef,
    inputs: Sequence[Value | None],
    attributes: Mapping[str, Any],
    *,
    regions: Sequence[Graph] = (),
    variables: Mapping[str, TensorType] | None = None,
) -> tuple[Shape, ...]:
    """Returns the shapes of an operator's results.

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
    if c.problems:
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
    """Returns the types of an operator's results: shapes by its rule, element types by its type table.

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
    if row is ops.VARIABLE_READ and variables is not None:
        out_dtype = variables[attributes["name"]].dtype
    dtypes = _out_dtypes(row, inputs, attributes, out_dtype, regions)
    return tuple(map(plain_type, dtypes, shapes))


def _out_dtypes(
    row: OpDef,
    inputs: Sequence[Value | None],
    attributes: Mapping[str, Any],
    out_dtype: DType | None,
    regions: Sequence[Graph],
) -> Sequence[DType]:
    """Returns the element types of an operator's results; raises VerifyError unless exactly one choice fits.

    Where the operands leave a choice, `out_dtype` makes it.
    """
    if row is ops.COND_IF or row is ops.WHILE_LOOP:
        # The results are those of COND_IF's first branch, or of WHILE_LOOP's body, the second graph.
        return [value.type.dtype for value in regions[row is ops.WHILE_LOOP].outputs]
    dtypes: DTypes = tuple([None if value is None else value.type.dtype for value in inputs])
    selected = selection(row, attributes)
    outputs = (out_dtype,) * len(row.outputs)
    chosen = _result_types(row, dtypes, selected, outputs)
    if len(chosen) == 1:
        (result_dtypes,) = chosen
        return result_dtypes  # type: ignore[return-value]  # only control flow has results of any type
    condition, finding = type_problem(row, dtypes, selected, outputs)
    problem = Problem("type", row.opcode, "", condition, finding + (", which fits several" if chosen else ""))
    raise VerifyError([str(problem)], [problem.kind])


@cache
def _result_types(row: OpDef, dtypes: DTypes, selected: Any, outputs: DTypes) -> frozenset[DTypes]:
    """Returns all element types that the results may have, by the rows of the type table that fit the operands.

    `selected` is the value of the attribute that chooses among the rows, None without one. Rows that need a later
    version than others don't count beside them: ARGMAX has a result of i32, unless i64 is asked for.
    """
    lines = fitting_combinations(row, dtypes, selected, outputs)
    versions = [oldest_version(line.requirement) for line in lines]
    earliest = min(versions, default=VERSION)
    return frozenset(
        tuple(map(line.dtype, row.outputs))
        for line, version in zip(lines, versions, strict=True)
        if version == earliest
    )
