"""Control flow for rules: COND_IF and WHILE_LOOP, whose graphs Python functions build.

These functions may use values of the graph around them. Such values become operands of the operator, because a TOSA
graph of control flow sees only its own inputs (2.16).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from tosa_converter.ir import Graph, Op, Value
from tosa_converter.ir.edit import clone_ops, live_ops, place_constants
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K

MAX_NESTING = LEVEL_8K.MAX_NESTING  # levels of control flow
Make: TypeAlias = Callable[[Sequence[Expr]], Sequence[Expr]]


class _Region(NamedTuple):
    """A graph of control flow under construction; `captured` maps the outer values that it uses to its own values."""

    builder: Builder
    outputs: list[Value]
    captured: dict[Value, Value]

    @property
    def graph(self) -> Graph:
        """The graph under construction, which the region's builder fills."""
        return self.builder.graph


def cond_if(
    condition: Expr, then: Callable[[], Sequence[Expr]], otherwise: Callable[[], Sequence[Expr]]
) -> tuple[Expr, ...]:
    """Builds COND_IF (2.16.1) and returns its results.

    Args:
        condition: a bool of one element.
        then: returns the results if the condition holds.
        otherwise: returns as many results of the same types if it doesn't.
    """
    branches = [_build_region("then", [], lambda _: then()), _build_region("else", [], lambda _: otherwise())]
    outer_values = _captured_values(branches)
    scalar = condition.reshape(()).value  # MLIR's compilers expect rank 0
    return _emit(ops.COND_IF, (scalar, *outer_values), [_close_region(branch, outer_values) for branch in branches])


def while_loop(values: Sequence[Expr], condition: Callable[[Sequence[Expr]], Expr], body: Make) -> tuple[Expr, ...]:
    """Builds WHILE_LOOP (2.16.2) and returns its results.

    Args:
        values: the values before the first round.
        condition: returns a bool of one element from the present values: whether to run `body` again.
        body: returns the next values, of the same types, from the present ones.

    Returns:
        The values of the last round.
    """
    start = [expr.value for expr in values]
    test = _build_region("condition", start, lambda now: [condition(now).reshape(())])
    step = _build_region("body", start, body)
    outer_values = _captured_values([test, step])
    # A loop's outputs have the types of its inputs (2.16.2): an outer value goes through every round unchanged,
    # behind the values of the loop, and the cut to len(start) below takes it off the results.
    step.outputs.extend(outer_values)
    graphs = [_close_region(region, outer_values) for region in (test, step)]
    return _emit(ops.WHILE_LOOP, (*start, *outer_values), graphs)[: len(start)]


def _emit(row: OpDef, inputs: Sequence[Value], regions: Sequence[Graph]) -> tuple[Expr, ...]:
    """Appends an operator with graphs to the current builder, and returns its results."""
    builder = current()
    types = infer_types(row, inputs, {}, regions=regions)
    op = Op(row, inputs, types, regions=regions, location=builder.location)
    builder.graph.ops.append(op)
    return tuple(map(Expr, op.results))


def _build_region(name: str, values: Sequence[Value], make: Make) -> _Region:
    """Builds a control-flow graph by `make`, from inputs of the types and names of `values`.

    Returns it with its outputs, before outer values become inputs (`_close_region`).
    """
    outer = current()
    graph = Graph(name, [Value(value.type, value.name) for value in values])
    inner = Builder(graph, stored_weights=outer.stored_weights)
    inner.location, inner.depth = outer.location, outer.depth + 1
    with inner:
        outputs = [expr.value for expr in make([*map(Expr, inner.graph.inputs)])]
    # Dead operators are dropped first: values that only they read aren't captured.
    inner.graph.ops = live_ops(Graph(name, (), outputs, inner.graph.ops))
    return _Region(inner, outputs, {})


def _captured_values(regions: Sequence[_Region]) -> list[Value]:
    """Returns the outer values that control-flow graphs under construction use.

    Constants aren't among them, since each graph gets a copy.
    """
    used_outside: dict[Value, None] = {}
    for builder, outputs, _ in regions:
        graph = builder.graph
        own = {*graph.inputs, *(value for op in graph.ops for value in op.results)}
        used = [value for op in graph.ops for value in op.operands] + outputs
        used_outside.update((value, None) for value in used if value not in own and value.constant is None)
    return list(used_outside)


def _close_region(region: _Region, outer_values: Sequence[Value]) -> Graph:
    """Returns the finished graph: with inputs for outer values, and outputs that are separate tensors.

    `outer_values` are those that this graph or another one of the same operator reads, so that all have the same
    inputs.
    """
    graph, captured = region.graph, region.captured
    captured.update((value, Value(value.type, value.name)) for value in outer_values)
    graph.inputs += captured.values()
    for op in graph.ops:
        op.inputs = tuple([None if value is None else _own_value(region, value) for value in op.inputs])
    seen = set(graph.inputs)
    for value in region.outputs:
        inside = _own_value(region, value)
        if inside in seen or inside.constant is not None:
            inside = Op(ops.IDENTITY, [inside], [inside.type], location=region.builder.location).result
            assert inside.producer is not None
            graph.ops.append(inside.producer)
        seen.add(inside)
        graph.outputs.append(inside)
    graph.ops = place_constants(graph.outputs, graph.ops)
    return graph


def _own_value(region: _Region, value: Value) -> Value:
    """Returns the region's own value for an outer value, and its copy of a constant; other values as they are."""
    if value.constant is None:
        return region.captured.get(value, value)
    if value not in region.captured:
        assert value.producer is not None
        clone_ops([value.producer], region.captured)
    return region.captured[value]
