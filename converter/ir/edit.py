"""The graph editor: clones, cuts, replaces and compares operators and values.

A map from old values to new ones goes through these functions as `values`: clones read the new ones, and the map gets
their results.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.ir.graph import CONSTANTS, Graph, Op, Value, unique_names
from tosa_converter.ir.model import Model, borders_of_moved
from tosa_converter.ir.types import Array, TensorType
from tosa_converter.schemas.tosa_ops import RESHAPE

# ** clone **


def clone_op(op: Op, inputs: Sequence[Value | None], regions: Sequence[Graph] | None = None) -> Op:
    """Returns a copy of an operator that reads other operands, with the same attributes and new result values.

    Args:
        op: the operator, which stays as it is.
        inputs: the operands of the clone, None where one is absent.
        regions: the clone's graphs; by default those of `op`, shared.
    """
    clone = Op(
        op.row or op.name,
        inputs,
        [value.type for value in op.results],
        op.attributes,
        regions=op.regions if regions is None else regions,
        location=op.location,
        result_names=[value.name for value in op.results],
    )
    for old, new in zip(op.results, clone.results, strict=True):
        new.origin = old.origin
    return clone


def clone_ops(ops: Iterable[Op], values: MutableMapping[Value, Value]) -> list[Op]:
    """Returns clones of operators in order, connected as the originals are; their regions are shared.

    Args:
        ops: every value that one of them reads is in `values`, or a result of one before.
        values: new values by old ones; it gets the results of the clones.

    Example:
        >>> import tosa_converter as tc
        >>> from tosa_converter.ir.edit import clone_ops
        >>> x = tc.Value(tc.TensorType(tc.DType.FP32, (2,)), "x")
        >>> with tc.Builder(tc.Graph("main", [x])) as build:
        ...     y = abs(-tc.Expr(x))
        >>> other = tc.Value(x.type, "other")
        >>> values = {x: other} | {op.result: op.result for op in build.model(y=y).main if not op.inputs}
        >>> clones = clone_ops([op for op in build.graph if op.inputs], values)
        >>> [op.name for op in clones], clones[0].inputs[0] is other, values[y.value] is clones[1].result
        (['tosa.negate', 'tosa.abs'], True, True)
    """
    clones = []
    for op in ops:
        clone = clone_op(op, [None if value is None else values[value] for value in op.inputs])
        values.update(zip(op.results, clone.results, strict=True))
        clones.append(clone)
    return clones


def clone_graph(graph: Graph, values: MutableMapping[Value, Value]) -> Graph:
    """Returns a copy of a graph with new values and operators, including the graphs of its operators.

    Args:
        graph: stays as it is.
        values: new values by old ones; it gets those of this graph.
    """
    values.update((value, Value(value.type, value.name)) for value in graph.inputs)
    clone = Graph(graph.name, [values[value] for value in graph.inputs])
    for op in graph.ops:
        regions = [clone_graph(region, values) for region in op.regions]
        clone.ops.append(clone_op(op, [None if value is None else values[value] for value in op.inputs], regions))
        values.update(zip(op.results, clone.ops[-1].results, strict=True))
    clone.outputs = [values[value] for value in graph.outputs]
    return clone


def copy_model(model: Model) -> Model:
    """Returns a copy of a model with new values, operators and graphs; constants' elements are shared."""
    values: dict[Value, Value] = {}
    copy = model.with_graphs({name: clone_graph(graph, values) for name, graph in model.graphs.items()}, values)
    copy.notes += model.notes
    pairs = [
        pair
        for name, graph in model.graphs.items()
        for pair in zip(graph.walk(), copy.graphs[name].walk(), strict=True)
    ]
    copy.extras = extras_of_clones(model, {**values, **dict(pairs)})
    return copy


def extras_of_clones(model: Model, clones: Mapping[Any, Any]) -> dict[Op | Value, Any]:
    """Returns a model's extras (what only a writer of its format needs) by the clones of its values and operators."""
    return {clones.get(key, key): extra for key, extra in model.extras.items()}


# ** cut **


def cut_out(
    name: str,
    ops: Sequence[Op],
    inputs: Iterable[Value],
    outputs: Iterable[Value],
    types: Mapping[Value, TensorType] = MappingProxyType({}),
) -> tuple[Graph, dict[Value, Value]]:
    """Clones some operators of a graph as a new graph; returns it, and its values by those of the source.

    Args:
        name: of the new graph.
        ops: operators in order, with the constants that they read.
        inputs: the other values that they read, which become the graph's inputs.
        outputs: values of the operators or inputs, which become its outputs.
        types: of inputs that get another type.

    Returns:
        The graph, whose operators are in the order of `ops`, and its values by those of the source.
    """
    values = {value: Value(types.get(value, value.type), value.name) for value in inputs}
    graph = Graph(name, values.values())
    graph.ops = clone_ops(ops, values)
    graph.outputs = [values[value] for value in outputs]
    return graph, values


class Cut(NamedTuple):
    """A graph cut at some values: operators read stand-ins, new inputs, in place of these values, which become outputs.

    `stand_ins` has the name of the input that stands for each value, `computed` the name of the output that has it.
    """

    graph: Graph
    stand_ins: dict[Value, str]
    computed: dict[Value, str]


def cut_at(graph: Graph, values: Sequence[Value]) -> Cut:
    """Returns a copy of a graph, cut at results of operators, so that each part can run on values from elsewhere.

    The copy's last inputs are stand-ins that replace the values for their readers. Its first outputs are the values as
    computed; then come the graph's other outputs. `Cut` has both names of each value.

    Args:
        graph: stays as it is; the copy has its inputs.
        values: results of its operators, no constants.
    """
    existing_names = [value.name for value in (*graph.inputs, *(value for op in graph.ops for value in op.results))]
    stand_in_names = unique_names((f"{value.name} (given)" for value in values), existing_names)
    stand_ins = {value: Value(value.type, name) for value, name in zip(values, stand_in_names, strict=True)}
    operand_values = {value: value for value in graph.inputs}
    computed: dict[Value, Value] = {}
    ops: list[Op] = []
    for op in graph.ops:
        ops.append(clone_op(op, [None if value is None else operand_values[value] for value in op.inputs]))
        computed.update(zip(op.results, ops[-1].results, strict=True))
        operand_values.update((value, stand_ins.get(value, computed[value])) for value in op.results)
    computed_names = unique_names((f"{value.name} (made)" for value in values), [*existing_names, *stand_in_names])
    for value, name in zip(values, computed_names, strict=True):
        computed[value].name = name
    outputs = [
        *(computed[value] for value in values),
        *(operand_values[v] for v in graph.outputs if v not in stand_ins),
    ]
    copy = Graph(graph.name, [*graph.inputs, *stand_ins.values()], outputs, ops)
    return Cut(copy, dict(zip(values, stand_in_names, strict=True)), dict(zip(values, computed_names, strict=True)))


# ** replace **


def substitute(values: Iterable[Value | None], replacements: Mapping[Value, Value]) -> tuple[Value | None, ...]:
    """Returns the operands with each one that is in `replacements` replaced; None stays None."""
    return tuple([value and replacements.get(value, value) for value in values])


def replace_values(graph: Graph, replacements: Mapping[Value, Value]) -> None:
    """Makes the operators and outputs of a graph read other values; graphs of its operators don't change.

    Args:
        graph: is changed.
        replacements: new values by old ones.

    Example:
        >>> import tosa_converter as tc
        >>> from tosa_converter.ir.edit import replace_values
        >>> a, b = (tc.Value(tc.TensorType(tc.DType.FP32, (2,)), name) for name in "ab")
        >>> with tc.Builder(tc.Graph("main", [a, b])) as build:
        ...     y = abs(tc.Expr(a))
        >>> graph = build.model(y=y).main
        >>> replace_values(graph, {a: b})
        >>> graph.ops[0].inputs
        (%b: fp32[2],)
    """
    for op in graph.ops:
        op.inputs = substitute(op.inputs, replacements)
    graph.outputs = [replacements.get(value, value) for value in graph.outputs]


def inherit_name(value: Value, replaced: Value) -> None:
    """Gives a value without a name the name and origin of the value that it replaces."""
    if not value.name:
        value.name, value.origin = replaced.name, replaced.origin


def replace_result(op: Op, result: Value, *, keep_type: bool = False) -> Op:
    """Makes an operator with one result compute `result`, a value of another operator; returns the operator.

    The value keeps its name and readers. It gets the type of the operator's own result, unless `keep_type`.
    """
    if not keep_type:
        result.type = op.result.type
    result.producer, op.results = op, (result,)
    return op


def replace_ops(graph: Graph, replacements: Mapping[Op, Sequence[Op]]) -> None:
    """Replaces operators of a graph by lists of operators, and drops operators that no output needs any more.

    Args:
        graph: is changed.
        replacements: new operators, in order, by the operator that they replace. The values that others read of it must
            be results of theirs (`replace_result` moves a result), because no other operator is changed.
    """
    graph.ops = [new for op in graph.ops for new in replacements.get(op, (op,))]
    drop_dead_ops(graph)


def replace_borders(
    model: Model,
    graph: Graph,
    inputs: Mapping[Value, Value],
    outputs: Mapping[Value, Value],
    before: Sequence[Op],
    after: Sequence[Op],
) -> None:
    """Gives a graph other inputs and outputs, and updates the model's signatures and the types recorded for them.

    Args:
        model: has the graph.
        graph: is changed.
        inputs: new inputs by old ones.
        outputs: new outputs by old ones.
        before: operators that compute the old inputs from the new ones.
        after: operators that compute the new outputs from the old ones.
    """
    graph.inputs = [inputs.get(value, value) for value in graph.inputs]
    graph.outputs = [outputs.get(value, value) for value in graph.outputs]
    graph.ops = [*before, *graph.ops, *after]
    arrange(graph)
    for name, signature in model.signatures.items():
        if signature.graph == graph.name:
            model.signatures[name] = signature.with_values(inputs, outputs)
    model.borders |= borders_of_moved(model.borders, inputs, outputs)


# ** drop and order **


def live_ops(graph: Graph) -> list[Op]:
    """Returns the operators on which an output or side effect depends; a dropped RESHAPE's name goes to its operand."""
    needed: set[Value | None] = set(graph.outputs)
    live: list[Op] = []
    # Readers come after what they read, so from last to first one pass knows all needs of an operator.
    for op in reversed(graph.ops):
        has_effect = not op.results or (op.row is not None and op.row.effect)
        if has_effect or not needed.isdisjoint(op.results):
            needed.update(op.inputs)
            for region in op.regions:
                needed.update(value for inner in region.walk() for value in inner.inputs)
            live.append(op)
        elif op.row is RESHAPE:
            inherit_name(op.operands[0], op.result)
    return live[::-1]


def drop_dead_ops(graph: Graph) -> None:
    """Drops the operators of a graph on which neither an output nor a side effect depends."""
    graph.ops = live_ops(graph)


def place_constants(outputs: Sequence[Value], ops: Sequence[Op]) -> list[Op]:
    """Returns the operators in order, with each constant that they or the outputs read right before its first user.

    A constant that nobody reads is left out.
    """
    already_placed: set[Op] = set()
    ordered: list[Op] = []

    def place(values: Sequence[Value | None]) -> None:
        """Appends those constants among the values that haven't been placed yet."""
        for value in values:
            op = None if value is None else value.producer
            if op is not None and op not in already_placed and op.name in CONSTANTS:
                already_placed.add(op)
                ordered.append(op)

    for op in ops:
        if op.name not in CONSTANTS:
            place(op.inputs)
            already_placed.add(op)
            ordered.append(op)
    place(outputs)
    return ordered


def arrange(graph: Graph) -> None:
    """Drops dead operators and puts each constant right before its first user.

    That includes constants that operators read but the graph doesn't list yet.
    """
    graph.ops = place_constants(graph.outputs, live_ops(graph))


# ** equal **


def equal_attributes(a: Any, b: Any) -> bool:
    """Returns whether two attributes are of one type and equal; arrays must have the same bits, so -0.0 isn't 0.0."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and bool(np.array_equal(_bytes_of(a), _bytes_of(b)))
    return type(a) is type(b) and (a is b or bool(a == b))


def _bytes_of(array: Array) -> Array:
    """Returns the bytes of an array's elements, to compare them exactly: 0.0 and -0.0 differ, and equal NaNs are equal.

    An empty array is returned as it is.
    """
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8) if array.size else array


def equal_constants(a: Value | None, b: Value | None) -> bool:
    """Returns whether both values are constants of one element type and shape with the same bits.

    Example:
        >>> import numpy as np
        >>> from tosa_converter import DType, TensorType
        >>> from tosa_converter.ir import Op
        >>> from tosa_converter.ir.edit import equal_constants
        >>> zero, negative = (
        ...     Op("tosa.const", [], [TensorType(DType.FP32, (1,))], {"values": np.float32([x])}).result
        ...     for x in (0.0, -0.0)
        ... )
        >>> equal_constants(zero, zero), equal_constants(zero, negative)
        (True, False)
    """
    if a is None or b is None or a.constant is None:
        return False
    return a.type[:2] == b.type[:2] and equal_attributes(a.constant, b.constant)


def equal_types(a: Value, b: Value) -> bool:
    """Returns whether two values have the same element type and shape; quantization may differ."""
    return a.type[:2] == b.type[:2]


def equal_ops(a: Op, b: Op) -> bool:
    """Returns whether two TOSA operators are of one kind with equal attributes; operands aren't compared."""
    if a.row is not b.row or a.row is None or len(a.operands) != len(b.operands):
        return False
    return all(a.attribute(attribute.name) == b.attribute(attribute.name) for attribute in a.row.attributes)


def equal_values(
    a: Value,
    b: Value,
    same: MutableMapping[Value, Value],
    *,
    seen_as: Callable[[Value], Value] = lambda value: value,
    types: Callable[[Value, Value], bool] = equal_types,
    ops: Callable[[Op, Op], bool] = equal_ops,
) -> bool:
    """Returns whether equal operators compute two values, from equal constants and from values in `same`.

    Args:
        a: a value of one graph.
        b: a value of another graph, or of the same.
        same: values of the second graph by those of the first that are the same; it gets the pairs that are compared.
        seen_as: the value that is compared in place of one, such as the operand of a RESHAPE.
        types: whether two values are of one type, in so far as that matters.
        ops: whether two operators compute the same of the same operands.
    """
    # A list of pairs in place of recursion: Python allows 1000 levels, and a chain of operators may be longer. Each
    # value of the first graph is expanded once, as `same` has it from then on, so the loop ends.
    pairs = [(a, b)]
    while pairs:
        a, b = map(seen_as, pairs.pop())
        if a in same:
            if same[a] is not b:
                return False
            continue
        same[a] = b
        if not types(a, b) or a.producer is None or b.producer is None:
            return False
        if a.constant is not None or b.constant is not None:
            if a.constant is None or b.constant is None or a.constant.tobytes() != b.constant.tobytes():
                return False
            continue
        if not ops(a.producer, b.producer):
            return False
        pairs += zip(a.producer.operands, b.producer.operands, strict=True)
    return True
