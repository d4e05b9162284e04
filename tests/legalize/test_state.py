"""Variables at their limits over many steps, with similar names, and in uses without meaning."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Subgraph, Tensor, build, run_litert_steps

import tosa_converter as tc
from tosa_converter.errors import ConverterError, FormatError, UnpredictableError, UnsupportedError, UsageError
from tosa_converter.ir import Array, Signature
from tosa_converter.schemas.tflite import BuiltinOperator as B

X, YES, HANDLE = Tensor((2, 3)), Tensor((), "bool"), Tensor((), "resource")
ONES = np.ones((2, 3), np.float32)


def handle(place: int, name: str = "v", container: str = "") -> Operator:
    return Operator(B.VAR_HANDLE, [], [place], {"shared_name": name, "container": container})


def read(handle: int, result: int) -> Operator:
    return Operator(B.READ_VARIABLE, [handle], [result])


def assign(*operands: int) -> Operator:
    return Operator(B.ASSIGN_VARIABLE, operands, [])


def once(graph: int) -> Operator:
    return Operator(B.CALL_ONCE, [], [], {"init_subgraph_index": graph})


def begin(value: Tensor, name: str = "v", container: str = "") -> Subgraph:
    """Initializes a variable with a constant."""
    return Subgraph([HANDLE, value], [handle(0, name, container), assign(0, 1)], [], [])


ZEROS = begin(Tensor((2, 3), data=np.zeros((2, 3))))


def in_steps(data: bytes, steps: Sequence[Sequence[Array]], **options: Any) -> list[list[Array]]:
    """Returns the outputs of a file's conversion for the arrays of each step."""
    model = tc.convert(tc.load(data), **options)
    inputs = [dict(zip((v.name for v in model.main.inputs), arrays, strict=False)) for arrays in steps]
    return [list(outputs.values()) for outputs in tc.run_steps(model, inputs)]


def equal(data: bytes, steps: Sequence[Sequence[Array]], **options: Any) -> None:
    """Asserts that every output of every step equals LiteRT's."""
    for ours, theirs in zip(in_steps(data, steps, **options), run_litert_steps(data, steps), strict=True):
        for got, want in zip(ours, theirs, strict=False):
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("state", ["variables", "io"])
@pytest.mark.parametrize(
    ("dtype", "builtin"),
    [("int16", B.ADD), ("int16", B.SUB), ("int32", B.BITWISE_XOR), ("int32", B.MAXIMUM), ("int32", B.MINIMUM)],
)
def test_integers_at_their_limits_equal_litert_over_fifty_steps(state: str, dtype: str, builtin: B) -> None:
    """Stored bytes give the same integers again; ADD and SUB of 16 bits saturate."""
    limits = np.iinfo(dtype)
    quant: dict[str, Any] = {"scale": 0.01} if dtype == "int16" else {}
    x = Tensor((7,), dtype, **quant)
    edges = np.array([limits.min, limits.max, 0, -1, 1, 255, -256], dtype)
    adding = Operator(builtin, [2, 0], [3], {"pot_scale_int16": False} if quant else {})
    data = build(
        [x, HANDLE, x, x],
        [once(1), handle(1), read(1, 2), adding, assign(1, 3)],
        [0],
        [2, 3],
        [begin(Tensor((7,), dtype, edges))],
    )
    rng = np.random.default_rng(5)
    drawn = [rng.integers(limits.min, limits.max, 7, endpoint=True).astype(dtype) for _ in range(50)]
    equal(data, [[rng.permutation(edges) if i % 2 else drawn[i]] for i in range(50)], state=state)


@pytest.mark.parametrize("state", ["variables", "io"])
def test_variables_with_similar_names_stay_different(state: str) -> None:
    """Variables have names of other containers, of inputs, of outputs and of next states."""
    keys = [("c", "a/b"), ("a/b", "c"), ("", "a/b/c"), ("a", "b/c"), ("", "t0"), ("", "t0.next"), ("", "")]
    tensors, operators, outputs = [X], [], []
    for container, name in keys:
        place = len(tensors)
        tensors += [HANDLE, X, X]
        operators += [handle(place, name, container), read(place, place + 1)]
        operators += [Operator(B.ADD, [place + 1, 0], [place + 2]), assign(place, place + 2)]
        outputs.append(place + 2)
    starts = [begin(Tensor((2, 3), data=np.full((2, 3), 100.0 * i)), n, c) for i, (c, n) in enumerate(keys)]
    calls = [once(i + 1) for i in range(len(keys))]
    equal(build(tensors, [*calls, *operators], [0], outputs, starts), [[ONES], [2 * ONES], [ONES]], state=state)


def test_initial_values_may_be_computed() -> None:
    """The second CALL_ONCE reads what the first assigned; a repeated one doesn't run again."""
    rows = Tensor((400, 300))
    fill = Subgraph(
        [HANDLE, Tensor((2,), "int32", np.array([400, 300])), Tensor((), data=np.float32(2)), rows],
        [handle(0), Operator(B.FILL, [1, 2], [3]), assign(0, 3)],
        [],
        [],
    )
    double = Subgraph(
        [HANDLE, rows, rows, HANDLE],
        [handle(0), read(0, 1), Operator(B.ADD, [1, 1], [2]), handle(3, "w"), assign(3, 2), assign(0, 1)],
        [],
        [],
    )
    adding = [handle(1), read(1, 2), handle(3, "w"), read(3, 4), Operator(B.SUB, [4, 2], [5]), assign(1, 5)]
    last = [Operator(B.ADD, [5, 0], [6])]
    tensors = [Tensor((1, 1)), HANDLE, rows, HANDLE, rows, rows, rows]
    data = build(tensors, [once(1), once(2), once(1), *adding, *last], [0], [6], [fill, double])
    equal(data, [[np.ones((1, 1), np.float32)]] * 3)


def test_variables_that_never_change_or_are_only_written_are_no_state() -> None:
    weights = Tensor((2, 3), data=np.full((2, 3), 3))
    steps = [once(1), handle(1), read(1, 2), Operator(B.MUL, [0, 2], [3]), handle(4, "w"), assign(4, 3)]
    data = build([X, HANDLE, X, X, HANDLE], steps, [0], [3], [begin(weights)])
    model = tc.convert(tc.load(data))
    assert not model.stateful
    assert not [op.name for op in model.main if "variable" in op.name]
    assert not tc.convert(tc.load(data), state="io").main_states


def test_a_branch_may_write_a_variable_first() -> None:
    """An unwritten variable goes to graphs that needn't read it: it starts with zeros, with a note."""
    writing = Subgraph([X, HANDLE], [handle(1), assign(1, 0)], [0], [0])
    reading = Subgraph([X, HANDLE, X], [handle(1), read(1, 2)], [0], [2])
    branches = {"then_subgraph_index": 1, "else_subgraph_index": 2}
    data = build([YES, X, X], [Operator(B.IF, [0, 1], [2], branches)], [0, 1], [2], [writing, reading])
    steps = [[np.array(i in (0, 2)), np.full((2, 3), i, np.float32)] for i in range(4)]
    for control_flow in ("keep", "flatten"):
        equal(data, steps, control_flow=control_flow)
    notes = [note.text for note in tc.convert(tc.load(data)).report.notes]
    assert notes == ["state 'v' has no initial value in the model: it starts with zeros"]


TWICE = [Operator(B.CONCATENATION, [2, 2], [3], {"axis": 0}), assign(1, 3)]
GROWING = build([X, HANDLE, X, Tensor((4, 3))], [once(1), handle(1), read(1, 2), *TWICE], [0], [2], [ZEROS])
SWAP = {"cond_subgraph_index": 1, "body_subgraph_index": 2}
NUMBER, THREE = Tensor((), "int32"), Tensor((), "int32", np.int32(3))
UP_TO_THREE = [Operator(B.LESS, [0, 3], [4])]
COUNT = [Operator(B.ADD, [0, 3], [4])]
UNSET = Subgraph([HANDLE, X], [handle(0), read(0, 1), assign(0, 1)], [], [])
CHOICE = {"then_subgraph_index": 1, "else_subgraph_index": 2}
REFUSED: dict[str, tuple[bytes, type[ConverterError], str]] = {
    "a read of what is no handle": (
        build([X, X], [read(0, 1)], [0], [1]),
        FormatError,
        "expected the handle of a variable",
    ),
    "a handle from outside": (
        build([HANDLE, X], [read(0, 1)], [0], [1]),
        FormatError,
        "expected the handle of a variable",
    ),
    "a handle that is added": (
        build([X, HANDLE, X], [handle(1), Operator(B.NEG, [1], [2])], [0], [2]),
        FormatError,
        "expected a tensor as operand, found 't1', the handle of variable 'v'",
    ),
    "a handle as output": (build([X, HANDLE], [handle(1)], [0], [1]), FormatError, "expected a tensor as operand"),
    "a handle that is assigned": (
        build([X, HANDLE, X], [handle(1), assign(1, 1), read(1, 2)], [0], [2]),
        FormatError,
        "expected a tensor as operand",
    ),
    "a read of what nothing assigns": (
        build([HANDLE, X], [handle(0), read(0, 1)], [], [1]),
        FormatError,
        "variable 'v' is read, but never gets a value",
    ),
    "a read as another type": (
        build([X, HANDLE, Tensor((2, 3), "int32")], [handle(1), assign(1, 0), read(1, 2)], [0], [2]),
        UnsupportedError,
        r"variable 'v' is i32\[2x3\] here and fp32\[2x3\] elsewhere",
    ),
    "another shape": (GROWING, UnsupportedError, r"keeps its shape fp32\[2x3\], found fp32\[4x3\] after a run"),
    "no value": (
        build([X, HANDLE, X], [handle(1), assign(1), read(1, 2)], [0], [2]),
        FormatError,
        "expected 2 operands, found 1",
    ),
    "a CALL_ONCE in a branch": (
        build(
            [YES, X, X],
            [Operator(B.IF, [0, 1], [2], CHOICE)],
            [0, 1],
            [2],
            [Subgraph([X], [once(3)], [0], [0]), Subgraph([X], [], [0], [0]), ZEROS],
        ),
        UnsupportedError,
        "a CALL_ONCE inside control flow",
    ),
    "a CALL_ONCE of itself": (build([X], [once(0)], [0], [0]), FormatError, "expected at most 64 levels of calls"),
    "a CALL_ONCE of nothing": (build([X], [once(3)], [0], [0]), FormatError, "no subgraph 3, there are 1"),
    "a CALL_ONCE with inputs": (
        build([X], [once(1)], [0], [0], [Subgraph([X], [], [0], [0])]),
        FormatError,
        "without inputs and outputs, found 1 inputs and 1 outputs",
    ),
    "a CALL_ONCE of inputs": (
        build([X, HANDLE, X], [once(1), handle(1), read(1, 2)], [0], [2], [UNSET]),
        FormatError,
        "variable 'v' is read before it has a value",
    ),
    "a CALL_ONCE behind an assignment": (
        build([X, HANDLE, X], [handle(1), assign(1, 0), once(1), read(1, 2)], [0], [2], [ZEROS]),
        UnsupportedError,
        "variable 'v' is used before this CALL_ONCE initializes it",
    ),
    "a condition that assigns": (
        build(
            [NUMBER, NUMBER],
            [Operator(B.WHILE, [0], [1], SWAP)],
            [0],
            [1],
            [
                Subgraph([NUMBER, HANDLE, HANDLE, THREE, YES], [handle(1), assign(1, 0), *UP_TO_THREE], [0], [4]),
                Subgraph([NUMBER, THREE, NUMBER], [Operator(B.ADD, [0, 1], [2])], [0], [2]),
            ],
        ),
        UnsupportedError,
        "the condition changes variable 'v'",
    ),
    "one handle or another": (
        build(
            [YES, X, HANDLE, HANDLE, HANDLE, X],
            [handle(2, "a"), handle(3, "b"), Operator(B.IF, [0, 2, 3], [4], CHOICE), read(4, 5)],
            [0, 1],
            [5],
            [Subgraph([HANDLE, HANDLE], [], [0, 1], [i]) for i in range(2)],
        ),
        UnsupportedError,
        "is the handle of different variables at run time",
    ),
    "handles that change places": (
        build(
            [NUMBER, HANDLE, HANDLE, X, NUMBER, HANDLE, HANDLE],
            [handle(1, "a"), handle(2, "b"), Operator(B.WHILE, [0, 1, 2], [4, 5, 6], SWAP), read(5, 3)],
            [0],
            [3],
            [
                Subgraph([NUMBER, HANDLE, HANDLE, THREE, YES], UP_TO_THREE, [0, 1, 2], [4]),
                Subgraph([NUMBER, HANDLE, HANDLE, THREE, NUMBER], COUNT, [0, 1, 2], [4, 2, 1]),
            ],
        ),
        UnsupportedError,
        "is the handle of different variables at run time",
    ),
}


@pytest.mark.parametrize("state", ["variables", "io"])
@pytest.mark.parametrize("name", REFUSED)
def test_inconsistent_uses_of_variables_are_refused(name: str, state: str) -> None:
    data, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        tc.convert(tc.load(data), state=state)


def test_a_variable_read_before_it_is_written_is_named() -> None:
    """LiteRT fails in such a run; our executor says which variable is missing."""
    data = build([X, HANDLE, X], [handle(1), read(1, 2), assign(1, 0)], [0], [2])
    with pytest.raises(UnpredictableError, match=r"variable_tensor\.is_written"):
        in_steps(data, [[ONES]])
    with pytest.raises(UsageError, match="'v' is state without an initial value"):
        in_steps(data, [[ONES]], state="io")


def test_handles_go_through_graphs() -> None:
    """An IF may return the handle that both of its graphs take."""
    same = Subgraph([HANDLE], [], [0], [0])
    choice = Operator(B.IF, [0, 2], [3], CHOICE)
    tensors = [YES, X, HANDLE, HANDLE, X, X]
    steps = [once(3), handle(2), choice, read(3, 4), Operator(B.ADD, [4, 1], [5]), assign(2, 5)]
    data = build(tensors, steps, [0, 1], [5], [same, same, ZEROS])
    got = in_steps(data, [[np.array(i % 2 == 0), ONES] for i in range(3)])
    assert [outputs[0][0, 0] for outputs in got] == [1, 2, 3]


@pytest.mark.parametrize("options", [{}, {"state": "io"}, {"control_flow": "flatten"}])
def test_states_in_a_loop_are_reset_in_each_run(options: dict[str, Any]) -> None:
    """A recurrent operator in a loop keeps its state between rounds, not between runs, as in LiteRT."""
    rng = np.random.default_rng(3)
    x, number, state = Tensor((1, 4)), Tensor((), "int32"), Tensor((1, 12), variable=True)
    weights = [Tensor(shape, data=rng.standard_normal(shape) / 3) for shape in ((4, 4), (4, 3), (4,))]
    svdf = Operator(B.SVDF, [1, 2, 3, 4, 5], [6], {"rank": 1})
    values = [number, x, *weights, state, x, Tensor((), "int32", np.int32(1)), number]
    body = Subgraph(values, [svdf, Operator(B.ADD, [0, 7], [8])], [0, 1], [8, 6])
    test = Subgraph([number, x, THREE, YES], [Operator(B.LESS, [0, 2], [3])], [0, 1], [3])
    loop = Operator(B.WHILE, [0, 1], [2, 3], SWAP)
    data = build([Tensor((), "int32", np.int32(0)), x, number, x], [loop], [1], [3], [test, body])
    steps = [[rng.standard_normal((1, 4)).astype(np.float32)] for _ in range(4)]
    for ours, theirs in zip(in_steps(data, steps, **options), run_litert_steps(data, steps), strict=True):
        np.testing.assert_allclose(ours[0], theirs[0], atol=1e-6)


def test_a_name_alone_makes_no_state() -> None:
    """A TFLite model may have inputs and outputs with the names that `state="io"` gives to variables."""
    data = build([Tensor((2,), name="x"), Tensor((2,), name="x.next")], [Operator(B.ABS, [0], [1])], [0], [1])
    model = tc.convert(data)
    assert not model.stateful
    np.testing.assert_array_equal(tc.run(model, {"x": -ONES[0, :2]})["x.next"], ONES[0, :2])
    assert tc.verify(data, layers=True).verdict


def test_graphs_without_state_may_be_called_beside_state() -> None:
    """The graphs of the IF neither read nor write a variable."""
    branches = [Subgraph([X, X], [Operator(builtin, [0], [1])], [0], [1]) for builtin in (B.ABS, B.NEG)]
    tensors = [YES, X, HANDLE, X, X, X]
    choice = Operator(B.IF, [0, 3], [4], CHOICE)
    steps = [once(3), handle(2), read(2, 3), choice, Operator(B.ADD, [4, 1], [5]), assign(2, 5)]
    equal(build(tensors, steps, [0, 1], [5], [*branches, ZEROS]), [[np.array(i % 2 == 0), ONES] for i in range(4)])


def test_a_signature_without_state_runs_beside_one_with_state() -> None:
    plain = Subgraph([X, X], [Operator(B.ABS, [0], [1])], [0], [1])
    tensors = [X, HANDLE, X, X]
    steps = [once(2), handle(1), read(1, 2), Operator(B.ADD, [2, 0], [3]), assign(1, 3)]
    source = tc.load(build(tensors, steps, [0], [3], [plain, ZEROS]))
    for name in ("main", "called_0"):
        graph = source.graphs[name]
        source.signatures[name] = Signature(name, {"in": graph.inputs[0]}, {"out": graph.outputs[0]})
    model = tc.convert(source)
    assert not any(op.name.startswith("tfl.") for graph in model.graphs.values() for op in graph.walk())
    outputs_by_step = [next(iter(outputs.values())) for outputs in tc.run_steps(model, [{"in": -ONES}] * 3)]
    assert [array[0, 0] for array in outputs_by_step] == [-1, -2, -3]
