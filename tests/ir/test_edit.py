"""The graph editor: clones, cuts, replacements and comparisons of small graphs."""

from collections.abc import Callable

import numpy as np
import pytest
from support.sketch import Sketch

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Border, Form, Graph, Model, Op, Origin, Signature, State, TensorType, Value
from tosa_converter.ir.edit import (
    clone_graph,
    clone_op,
    clone_ops,
    copy_model,
    cut_at,
    cut_out,
    drop_dead_ops,
    equal_attributes,
    equal_constants,
    equal_values,
    inherit_name,
    replace_borders,
    replace_ops,
    replace_result,
    replace_values,
    substitute,
)
from tosa_converter.schemas import tosa_ops as ops

F32 = TensorType(DType.FP32, (2,))


def value(name: str, type: TensorType = F32) -> Value:
    return Value(type, name)


def unary(row: ops.OpDef, x: Value, name: str = "") -> Op:
    return Op(row, [x], [x.type], location=f"{name}:0", result_names=[name])


def constant(*elements: float, dtype: DType = DType.FP32) -> Value:
    array = np.array(elements, dtype.numpy)
    return Op(ops.CONST, [], [TensorType(dtype, array.shape)], {"values": array}).result


def chain() -> Graph:
    """Returns abs, then reciprocal, then negation by SUB from a constant."""
    x, zero = value("x"), constant(0, 0)
    first = unary(ops.ABS, x, "a")
    second = unary(ops.RECIPROCAL, first.result, "b")
    third = Op(ops.SUB, [zero, second.result], [F32], result_names=["c"])
    assert zero.producer is not None
    return Graph("main", [x], [third.result], [zero.producer, first, second, third])


def rows(graph: Graph) -> list[str]:
    return [op.base_name for op in graph]


def run(graph: Graph, *arrays: object) -> list[list[float]]:
    inputs = {x.name: np.asarray(array, np.float32) for x, array in zip(graph.inputs, arrays, strict=True)}
    return [array.tolist() for array in tc.run(Model({graph.name: graph}), inputs).values()]


# ** clone **


def test_a_clone_has_results_of_its_own() -> None:
    op = Op("tosa.custom", [value("x"), None], [F32, F32], {"a": 1}, location="here", result_names=["p", "q"])
    op.results[0].origin = Origin("source", Form.FLIPPED)
    other = value("y")
    clone = clone_op(op, [other, None])
    assert (clone.name, clone.inputs, clone.attributes, clone.location) == (
        op.name,
        (other, None),
        op.attributes,
        "here",
    )
    assert [(result.name, result.type) for result in clone.results] == [("p", F32), ("q", F32)]
    assert clone.results[0].origin == Origin("source", Form.FLIPPED)
    assert not {*clone.results} & {*op.results}


def test_clones_read_the_new_values() -> None:
    graph, values = chain(), {}
    other = value("other")
    values[graph.inputs[0]] = other
    clones = clone_ops(graph.ops, values)
    assert clones[1].inputs == (other,)
    assert clones[3].inputs == (clones[0].result, clones[2].result)
    assert values[graph.outputs[0]] is clones[3].result


def test_a_value_from_nowhere_is_not_cloned() -> None:
    with pytest.raises(KeyError):
        clone_ops([unary(ops.ABS, value("x"))], {})


def test_a_clone_of_a_graph_has_graphs_of_its_own() -> None:
    inner = chain()
    x = value("x")
    owner = Op("tfl.while", [x], [F32], regions=[inner, inner])
    graph = Graph("main", [x], [owner.result], [owner])
    clone = clone_graph(graph, {})
    own = {*clone.walk(), *(result for op in clone.walk() for result in op.results), *clone.inputs}
    assert not own & {*graph.walk(), *(result for op in graph.walk() for result in op.results), *graph.inputs}
    assert rows(clone.ops[0].regions[1]) == rows(inner)
    assert clone.ops[0].regions[0].outputs[0].producer is clone.ops[0].regions[0].ops[-1]


def known_model() -> Model:
    """Returns a model with facts from its callers and its file."""
    graph = chain()
    x, y = graph.inputs[0], graph.outputs[0]
    x.type = TensorType(DType.FP32, (None,))
    model = Model({"main": graph}, {"s": Signature("main", {"in": x}, {"out": y})}, {"k": 1}, "f", {x: (2,)}, "xnn")
    model.notes.append(("here", "text"))
    model.states = {"main": (State("x", "c", None),)}
    model.borders = {x: Border.of(x), y: Border.of(y)}
    model.extras = {x: "of x", graph.ops[1]: "of abs"}
    return model


def test_a_copy_keeps_the_facts_of_the_model() -> None:
    model = known_model()
    copy = copy_model(model)
    graph = copy.main
    x, y = graph.inputs[0], graph.outputs[0]
    assert x is not model.main.inputs[0]
    assert copy.signatures == {"s": Signature("main", {"in": x}, {"out": y})}
    assert (copy.metadata, copy.source, copy.opset, copy.notes) == ({"k": 1}, "f", "xnn", model.notes)
    assert (copy.default_shapes, copy.states) == ({x: (2,)}, model.states)
    assert [copy.borders[v].name for v in (x, y)] == ["x", "c"]
    assert copy.extras == {x: "of x", graph.ops[1]: "of abs"}


def test_replaced_graphs_keep_the_facts_of_callers() -> None:
    """An input that is also an output may become two values; notes and extras belong to the file."""
    model = known_model()
    x, y = model.main.inputs[0], model.main.outputs[0]
    a, b = value("a", x.type), value("b")
    other = model.with_graphs({"main": Graph("main", [a], [b])}, {x: a}, {y: b}, opset="tosa")
    assert other.signatures == {"s": Signature("main", {"in": a}, {"out": b})}
    assert ({*other.borders}, other.default_shapes, other.opset) == ({a, b}, {a: (2,)}, "tosa")
    assert (other.notes, other.extras, other.metadata) == ([], {}, {"k": 1})
    replaced = model.with_graphs({"main": Graph("main", [b], [y])}, {x: b})
    assert replaced.default_shapes == {}
    assert replaced.signatures["s"].outputs == {"out": y}


# ** cut **


def test_a_cut_keeps_only_the_needed_operators() -> None:
    graph = chain()
    taken = [graph.ops[0], *graph.ops[2:]]
    part, values = cut_out("part", taken, [graph.ops[1].result], graph.outputs, {graph.ops[1].result: F32})
    assert (part.name, rows(part), [x.name for x in part.inputs]) == ("part", ["const", "reciprocal", "sub"], ["a"])
    assert values[graph.outputs[0]] is part.outputs[0]
    assert run(part, [2, 4]) == [[-0.5, -0.25]]
    assert run(graph, [-2, 4]) == [[-0.5, -0.25]]


def test_a_graph_cut_at_a_value_reads_a_stand_in() -> None:
    graph = chain()
    middle = graph.ops[1].result
    cut, stand_ins, computed = cut_at(graph, [middle])
    assert ([*stand_ins.values()], [*computed.values()]) == (["a (given)"], ["a (made)"])
    assert [x.name for x in cut.inputs] == ["x", "a (given)"]
    assert run(cut, [-3, 3], [2, 4]) == [[3, 3], [-0.5, -0.25]]


# ** replace **


def test_operands_are_substituted() -> None:
    a, b, c = map(value, "abc")
    assert substitute((a, None, b), {a: c}) == (c, None, b)


def test_values_are_replaced_in_operands_and_outputs() -> None:
    graph, other = chain(), value("other")
    first, last = graph.ops[1].result, graph.outputs[0]
    replace_values(graph, {first: other, last: first})
    assert graph.ops[2].inputs == (other,)
    assert graph.outputs == [first]


@pytest.mark.parametrize("keep_type", [False, True])
def test_an_operator_takes_the_place_of_another(keep_type: bool) -> None:
    graph, narrow = chain(), TensorType(DType.FP16, (2,))
    replaced = graph.ops[2]
    result = replaced.result
    op = Op(ops.EXP, [graph.ops[1].result], [narrow])
    replace_ops(graph, {replaced: [replace_result(op, result, keep_type=keep_type)]})
    assert rows(graph) == ["const", "abs", "exp", "sub"]
    assert graph.ops[3].inputs[1] is result
    assert (result.producer, result.name, result.type) == (op, "b", F32 if keep_type else narrow)


def test_replaced_operators_leave_nothing_dead() -> None:
    graph = chain()
    op = unary(ops.EXP, graph.inputs[0])
    replace_ops(graph, {graph.ops[2]: [replace_result(op, graph.ops[2].result)]})
    assert rows(graph) == ["const", "exp", "sub"]


def test_borders_are_replaced_in_signatures_and_records() -> None:
    model = known_model()
    graph = model.main
    x, y = graph.inputs[0], graph.outputs[0]
    outer, last = value("x", x.type), unary(ops.NEGATE, y, "c")
    before = replace_result(unary(ops.CEIL, outer), x)
    replace_borders(model, graph, {x: outer}, {y: last.result}, [before], [last])
    assert rows(graph) == ["ceil", "abs", "reciprocal", "const", "sub", "negate"]
    assert (graph.inputs, graph.outputs) == ([outer], [last.result])
    assert model.signatures["s"] == Signature("main", {"in": outer}, {"out": last.result})
    assert model.borders[outer].name == "x"


def test_a_name_is_inherited_with_its_origin() -> None:
    named, unnamed, replaced = value("n"), value(""), value("r_int8")
    replaced.origin = Origin("r", Form.FLIPPED)
    for x in (named, unnamed):
        inherit_name(x, replaced)
    assert [(x.name, x.origin) for x in (named, unnamed)] == [("n", None), ("r_int8", replaced.origin)]


def test_a_dropped_reshape_leaves_its_name() -> None:
    x, shape = value("x"), constant(1, 2, dtype=DType.I64)
    first = unary(ops.ABS, x)
    y = first.result
    reshape = Op(ops.RESHAPE, [y, shape], [TensorType(DType.FP32, (1, 2))], result_names=["named"])
    graph = Graph("main", [x], [y], [first, reshape])
    drop_dead_ops(graph)
    assert (rows(graph), y.name) == (["abs"], "named")


# ** equal **


@pytest.mark.parametrize(
    ("a", "b", "is_equal"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        ((1, 2), (1, 2), True),
        (np.array([1], np.float32), np.array([1], np.float32), True),
        (np.array([0.0], np.float32), np.array([-0.0], np.float32), False),
        (np.array([np.nan], np.float32), np.array([np.nan], np.float32), True),
        (np.array([1], np.int8), np.array([1], np.uint8), False),
        (np.zeros((0, 2)), np.zeros((2, 0)), False),
        (np.zeros((3, 2)).T, np.zeros((2, 3)), True),
    ],
)
def test_attributes_are_compared_by_type_and_bits(a: object, b: object, is_equal: bool) -> None:
    assert equal_attributes(a, b) is is_equal


def test_constants_are_compared_by_bits() -> None:
    assert equal_constants(constant(1, 2), constant(1, 2))
    assert not equal_constants(constant(1, 2), constant(1, 3))
    assert not equal_constants(constant(1, 2), constant(1, 2, dtype=DType.FP16))
    assert not equal_constants(constant(1), value("x"))
    assert not equal_constants(value("x"), value("x"))
    assert not equal_constants(constant(1), None)


def with_other_operator(graph: Graph) -> None:
    graph.ops[2].name = "tosa.rsqrt"


def with_other_constant(graph: Graph) -> None:
    graph.ops[0].attributes = {"values": np.array([0, 1], np.float32)}


def with_other_wiring(graph: Graph) -> None:
    graph.ops[3].inputs = (graph.ops[3].inputs[0], graph.ops[1].result)


def with_other_type(graph: Graph) -> None:
    graph.ops[2].result.type = TensorType(DType.FP32, (1,))


@pytest.mark.parametrize("change", [with_other_operator, with_other_constant, with_other_wiring, with_other_type])
def test_values_are_equal_by_what_computes_them(change: Callable[[Graph], None]) -> None:
    first, second = chain(), chain()
    same = {first.inputs[0]: second.inputs[0]}
    assert equal_values(first.outputs[0], second.outputs[0], dict(same))
    assert not equal_values(first.outputs[0], second.outputs[0], {})
    change(second)
    assert not equal_values(first.outputs[0], second.outputs[0], dict(same))


@pytest.mark.parametrize("kind", ["input", "constant", "computed"])
@pytest.mark.parametrize("other", ["input", "constant", "computed"])
def test_values_of_another_origin_are_not_equal(kind: str, other: str) -> None:
    """An input equals only the one that it is paired with."""

    def made(kind: str) -> Value:
        return {"input": value("x"), "constant": constant(1, 2), "computed": unary(ops.ABS, constant(1, 2)).result}[
            kind
        ]

    a, b = made(kind), made(other)
    assert equal_values(a, b, {}) == (kind == other != "input")
    first, second = unary(ops.FLOOR, a).result, unary(ops.FLOOR, b).result
    assert equal_values(first, second, {}) == (kind == other != "input")
    assert equal_values(first, second, {a: b})
    assert not equal_values(first, second, {a: value("y")})


def test_values_are_equal_but_for_what_is_looked_through() -> None:
    s, x = Sketch(), value("x")
    y = s.builder.emit(ops.ABS, s.builder.reshape(x, (2, 1)))
    plain = unary(ops.ABS, x).result

    def behind_reshapes(v: Value) -> Value:
        return v.producer.operands[0] if v.producer is not None and v.producer.row is ops.RESHAPE else v

    assert not equal_values(y, plain, {x: x})
    assert not equal_values(y, plain, {x: x}, seen_as=behind_reshapes)
    assert equal_values(y, plain, {x: x}, seen_as=behind_reshapes, types=lambda a, b: a.type.dtype is b.type.dtype)
