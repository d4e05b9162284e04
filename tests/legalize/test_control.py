"""Control flow where LiteRT's kernels are wrong or can't run, and graphs that are missing or too deep."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Subgraph, Tensor, build

import tosa_converter as tc
from tosa_converter.errors import ConverterError, FormatError, UnpredictableError, UnsupportedError, UsageError
from tosa_converter.schemas.tflite import BuiltinOperator as B

X, YES, NUMBER = Tensor((2, 3)), Tensor((), "bool"), Tensor((), "int32")
ONES = np.ones((2, 3), np.float32)
ABS = Subgraph([X, X], [Operator(B.ABS, [0], [1])], [0], [1])
SAME = Subgraph([NUMBER], [], [0], [0])


def integer(number: int) -> Tensor:
    return Tensor((), "int32", np.int32(number))


def choice(inputs: Sequence[int], outputs: Sequence[int], then: int, otherwise: int) -> Operator:
    return Operator(B.IF, inputs, outputs, {"then_subgraph_index": then, "else_subgraph_index": otherwise})


def loop(inputs: Sequence[int], outputs: Sequence[int], test: int = 1, body: int = 2) -> Operator:
    return Operator(B.WHILE, inputs, outputs, {"cond_subgraph_index": test, "body_subgraph_index": body})


COUNT = Subgraph([NUMBER, integer(1), NUMBER], [Operator(B.ADD, [0, 1], [2])], [0], [2])
ALWAYS = Subgraph([NUMBER, Tensor((), "bool", np.bool_(True))], [], [0], [1])


def up_to(limit: int) -> Subgraph:
    return Subgraph([NUMBER, integer(limit), YES], [Operator(B.LESS, [0, 1], [2])], [0], [2])


def counting(test: Subgraph, body: Subgraph = COUNT, start: Tensor = NUMBER) -> bytes:
    """Returns a loop that counts from a number, which is fed or constant."""
    return build([start, NUMBER], [loop([0], [1])], [0] * (start.data is None), [1], [test, body])


def outputs(data: bytes, *arrays: Any, **options: str) -> list[Any]:
    """Returns the outputs of a file's conversion."""
    model = tc.convert(tc.load(data), **options)  # type: ignore[arg-type]
    inputs = dict(zip((value.name for value in model.main.inputs), arrays, strict=True))
    return [array.tolist() for array in tc.run(model, inputs, limit=2).values()]


@pytest.mark.parametrize("control_flow", ["keep", "flatten"])
@pytest.mark.parametrize("yes", [True, False])
def test_a_graph_may_return_a_value_twice(control_flow: str, *, yes: bool) -> None:
    """LiteRT's IF loses the first of two equal outputs."""
    same_output_twice = Subgraph([X, X], [Operator(B.NEG, [0], [1])], [0], [1, 1])
    apart = Subgraph([X, X], [Operator(B.ABS, [0], [1])], [0], [0, 1])
    data = build([YES, X, X, X], [choice([0, 1], [2, 3], 1, 2)], [0, 1], [2, 3], [same_output_twice, apart])
    first, second = outputs(data, np.bool_(yes), -ONES, control_flow=control_flow)
    assert first == (ONES if yes else -ONES).tolist()
    assert second == ONES.tolist()


@pytest.mark.parametrize(("start", "rounds"), [(0, 7), (6, 1), (7, 0), (9, 0)])
def test_a_loop_runs_while_its_condition_holds(start: int, rounds: int) -> None:
    """The loop runs while the condition holds, or never; with a known start it may be unrolled."""
    number = np.array(start, np.int32)
    assert outputs(counting(up_to(7)), number) == [start + rounds]
    assert outputs(counting(up_to(7), start=integer(start))) == [start + rounds]
    assert outputs(counting(up_to(7), start=integer(start)), control_flow="flatten") == [start + rounds]
    flat = tc.convert(tc.load(counting(up_to(7), start=integer(start))), control_flow="flatten")
    assert [op.name for op in flat.main] == ["tosa.const"]
    with pytest.raises(UnsupportedError, match="expected a constant number of rounds"):
        tc.convert(tc.load(counting(up_to(7))), control_flow="flatten")


def test_a_target_without_control_flow_gets_none() -> None:
    data = build([YES, X, X], [choice([0, 1], [2], 1, 2)], [0, 1], [2], [ABS, Subgraph([X], [], [0], [0])])
    model = tc.convert(tc.load(data), target="pro-int,pro-fp")
    assert [op.name for op in model.main] == ["tosa.abs", "tosa.const_shape", "tosa.reshape", "tosa.select"]


def test_a_look_up_that_the_condition_excludes_is_noted() -> None:
    """If both graphs run, an index is looked up that the condition excludes."""
    row = Tensor((3,))
    taking = Subgraph([X, NUMBER, row], [Operator(B.GATHER, [0, 1], [2])], [0, 1], [2])
    zeros = Subgraph([X, NUMBER, Tensor((3,), data=np.zeros(3))], [], [0, 1], [2])
    steps = [Operator(B.LESS, [1, 2], [3]), choice([3, 0, 1], [4], 1, 2)]
    data = build([X, NUMBER, integer(2), YES, row], steps, [0, 1], [4], [taking, zeros])
    index = np.array(5, np.int32)
    assert outputs(data, ONES, index) == [[0, 0, 0]]
    with pytest.raises(UnpredictableError):
        outputs(data, ONES, index, control_flow="flatten")
    (note,) = tc.convert(tc.load(data), control_flow="flatten").report.notes
    assert note.text == "both branches run and a SELECT chooses: GATHER must be predictable in the branch not taken too"
    assert not tc.convert(tc.load(data)).report.notes


def test_an_if_takes_the_stated_batch() -> None:
    """The graphs of an IF take the shape that the conversion is given."""
    x = Tensor((1, 3), signature=(-1, 3))
    double = Subgraph([x, x], [Operator(B.ADD, [0, 0], [1])], [0], [1])
    data = build([YES, x, x], [choice([0, 1], [2], 1, 2)], [0, 1], [2], [double, Subgraph([x], [], [0], [0])])
    model = tc.convert(tc.load(data), input_shapes={"t1": (5, 3)})
    array = np.ones((5, 3), np.float32)
    (got,) = tc.run(model, {"t0": np.array(1, bool), "t1": array}).values()
    np.testing.assert_array_equal(got, 2 * array)


@pytest.mark.parametrize("control_flow", ["keep", "flatten"])
def test_a_case_of_many_graphs_nests_as_a_binary_search(control_flow: str) -> None:
    """Indices outside of the graphs mean the last one; a binary search nests 6 deep at most."""
    graphs = [
        Subgraph([X, Tensor((2, 3), data=np.full((2, 3), i))], [], [0], [1]) for i in range(70)
    ]  # fmt: skip
    options = {"branch_subgraph_indices": tuple(range(1, 71))}
    data = build([NUMBER, X, X], [Operator(B.STABLEHLO_CASE, [0, 1], [2], options)], [0, 1], [2], graphs)
    model = tc.convert(tc.load(data), control_flow=control_flow)
    for number in (-(2**31), -1, 0, 1, 34, 35, 68, 69, 70, 2**31 - 1):
        (got,) = tc.run(model, {"t0": np.array(number, np.int32), "t1": ONES}).values()
        assert got[0, 0] == (number if 0 <= number < 70 else 69)


@pytest.mark.parametrize(
    ("graphs", "operators"),
    [(1, []), (2, ["equal", "select"]), (3, [*["greater"] * 3, *["select"] * 3])],
    ids=["1", "2", "3"],
)
def test_a_case_of_few_graphs_compares_little(graphs: int, operators: list[str]) -> None:
    """Of two graphs, index 0 chooses one, and all others the other; three need the last one for negative indices."""
    called = [Subgraph([X, Tensor((2, 3), data=np.full((2, 3), i))], [], [0], [1]) for i in range(graphs)]
    options = {"branch_subgraph_indices": tuple(range(1, graphs + 1))}
    data = build([NUMBER, X, X], [Operator(B.STABLEHLO_CASE, [0, 1], [2], options)], [0, 1], [2], called)
    for number in (-(2**31), -1, 0, 1, 2, 3, 2**31 - 1):
        for control_flow in ("keep", "flatten"):
            ((first, *_), *_), *_ = outputs(data, np.int32(number), ONES, control_flow=control_flow)
            assert first == (number if 0 <= number < graphs else graphs - 1)
    flat = tc.convert(tc.load(data), control_flow="flatten")
    names = [op.name.removeprefix("tosa.") for op in flat.main if op.name not in ("tosa.const", "tosa.const_shape")]
    assert sorted(name for name in names if name != "reshape") == operators


def nested(depth: int, rounds: int) -> bytes:
    """Returns nested loops, each with so many rounds."""
    values = [NUMBER, X, integer(1), NUMBER, X, integer(0), NUMBER]
    test = Subgraph([NUMBER, X, integer(rounds), YES], [Operator(B.LESS, [0, 2], [3])], [0, 1], [3])
    inner = [loop([5, 1], [6, 4], 1, i + 1) for i in range(2, depth + 1)]
    steps = [*inner, Operator(B.ADD, [1, 1], [4])]
    bodies = [Subgraph(values, [Operator(B.ADD, [0, 2], [3]), step], [0, 1], [3, 4]) for step in steps]
    return build([integer(0), X, NUMBER, X], [loop([0, 1], [2, 3])], [1], [3], [test, *bodies])


def test_nested_loops_equal_litert() -> None:
    assert outputs(nested(3, 2), ONES) == outputs(nested(3, 2), ONES, control_flow="flatten") == [(256 * ONES).tolist()]
    assert outputs(nested(40, 1), ONES) == [(2 * ONES).tolist()]  # loops deeper than level 8K allows are unrolled


def doubling(depth: int) -> bytes:
    """Returns IFs with equal graphs on both sides, which contain such IFs."""
    graphs = [
        Subgraph([YES, X, X, X], [Operator(B.ABS, [1], [2]), choice([0, 0, 2], [3], i, i)], [0, 1], [3])
        for i in range(2, depth + 2)
    ]
    last = Subgraph([YES, X, X], [Operator(B.ABS, [1], [2])], [0, 1], [2])
    return build([YES, X, X], [choice([0, 0, 1], [2], 1, 1)], [0, 1], [2], [*graphs, last])


GROWING = Subgraph([X, Tensor((4, 3))], [Operator(B.CONCATENATION, [0, 0], [1], {"axis": 0})], [0], [1])
LESS = Subgraph([X, Tensor((), data=np.float32(9)), Tensor((2, 3), "bool")], [Operator(B.LESS, [0, 1], [2])], [0], [2])
TRUE = Subgraph([X, Tensor((), "bool", np.bool_(True))], [], [0], [1])
ITSELF = Subgraph([X, X, Tensor((), "bool", np.bool_(True))], [choice([2, 0], [1], 1, 1)], [0], [1])
CONVERTED: dict[str, tuple[bytes, type[ConverterError], str]] = {
    "itself": (
        build([YES, X, X], [choice([0, 1], [2], 1, 1)], [0, 1], [2], [ITSELF]),
        FormatError,
        "at most 64 levels",
    ),
    "the main graph": (
        build([YES, X, X], [choice([0, 1], [2], 0, 0)], [0, 1], [2], [ABS]),
        FormatError,
        "at most 64 levels",
    ),
    "two to the twelfth": (doubling(12), UnsupportedError, "at most 32768 operators"),
    "two to the fiftieth": (doubling(50), FormatError, "operators"),
    "shapes of a loop": (
        build([X, X], [loop([0], [1])], [0], [1], [TRUE, GROWING]),
        UnsupportedError,
        r"loop value 0 to keep its type fp32\[2x3\], found fp32\[4x3\] after a round",
    ),
    "shapes of branches": (
        build([YES, X, X], [choice([0, 1], [2], 1, 2)], [0, 1], [2], [GROWING, ABS]),
        UnsupportedError,
        r"results of the same types, found fp32\[4x3\] and fp32\[2x3\]",
    ),
    "too many operands": (
        build([YES, X, X], [choice([0, 1, 1], [2], 1, 1)], [0, 1], [2], [ABS]),
        FormatError,
        "differ from those of subgraph 'called_0'",
    ),
    "another type": (
        build([YES, Tensor((2, 3), "int32"), X], [choice([0, 1], [2], 1, 1)], [0, 1], [2], [ABS]),
        FormatError,
        "differ from those of subgraph 'called_0'",
    ),
    "too many results": (
        build([YES, X, X, X], [choice([0, 1], [2, 3], 1, 1)], [0, 1], [2], [ABS]),
        FormatError,
        "differ from those of subgraph 'called_0'",
    ),
    "an operand that isn't there": (
        build([YES, X, X], [choice([0, -1], [2], 1, 1)], [0, 1], [2], [ABS]),
        FormatError,
        "operand 1",
    ),
    "no operand": (build([YES, X, X], [choice([], [2], 1, 1)], [0, 1], [2], [ABS]), FormatError, "found 0"),
    "no such graph": (build([YES, X, X], [choice([0, 1], [2], -1, 1)], [0, 1], [2], [ABS]), FormatError, "subgraph -1"),
    "no graph at all": (build([X, X], [loop([0], [1])], [0], [1]), FormatError, "no subgraph 1, there are 1"),
    "nothing to choose": (
        build([NUMBER, X, X], [Operator(B.STABLEHLO_CASE, [0, 1], [2])], [0, 1], [2], [ABS]),
        FormatError,
        "expected at least one graph to choose from",
    ),
    "a condition of floats": (
        build([X, X], [loop([0], [1], 1, 2)], [0], [1], [ABS, ABS]),
        FormatError,
        "expected one bool as output",
    ),
    "a condition of six": (
        build([X, X], [loop([0], [1])], [0], [1], [LESS, ABS]),
        UnsupportedError,
        r"expected a condition of one element, found bool\[2x3\]",
    ),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_missing_and_recursive_graphs_are_refused(name: str) -> None:
    data, error, words = CONVERTED[name]
    with pytest.raises(error, match=words):
        tc.convert(tc.load(data))


@pytest.mark.parametrize(
    "data",
    [
        counting(ALWAYS),
        counting(ALWAYS, start=integer(0)),
        counting(up_to(2**31 - 1), start=integer(0)),
        nested(8, 100),
    ],
    ids=["fed", "constant", "two to the 31st", "nested"],
)
def test_loops_without_an_end_are_not_unrolled(data: bytes) -> None:
    with pytest.raises(UnsupportedError, match=r"expected a constant number|at most 32768 operators"):
        tc.convert(tc.load(data), control_flow="flatten")


@pytest.mark.parametrize("body", [COUNT, SAME])
def test_a_run_of_an_endless_loop_ends(body: Subgraph) -> None:
    model = tc.convert(tc.load(counting(ALWAYS, body)))
    with pytest.raises(UsageError, match=r"in a loop that may have no end, takes an estimated 0\.1 s"):
        tc.run(model, {"t0": np.array(0, np.int32)}, limit=0.1)
