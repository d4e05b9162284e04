"""Rules of verdicts by hand: what a model's end means, sets of inputs in steps, results that stand for others."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.proof import side_by_side
from tosa_converter.proof.adversarial import Adversary
from tosa_converter.proof.input_sets import arrange_inputs
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import Case
from tosa_converter.proof.page.facts import Clause, Need, clauses, feature_needs
from tosa_converter.proof.results import ModelReport, report_of_job
from tosa_converter.proof.runner import DONE, FAILED, Attempt
from tosa_converter.proof.side_by_side import find_holders
from tosa_converter.proof.zoo import ZooModel
from tosa_converter.rules.target import Target

# ** what a model's end means **


def model(**fields: Any) -> ZooModel:
    return ZooModel("m", "file", "m.tflite", **fields)


def figures(largest: float = 0.5, needs: str = "PRO-INT") -> dict[str, Any]:
    output = {"verdict": False, "tolerance": 1e-5, "max_abs": largest, "reference_max": 2.0}
    return {"needs": needs, "layers": [{"compliant": True}], "comparisons": [{"outputs": [output]}]}


OUTCOMES = ("equal", "differs", "unjudged", "refused")


@pytest.mark.parametrize("expect", OUTCOMES)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_what_is_expected_is_good(outcome: str, expect: str) -> None:
    """A reason is added where something besides equality was expected."""
    own = ("its own",)
    attempt = Attempt(DONE, 1.5, (outcome, figures(), own))
    if outcome == "refused":
        attempt = Attempt(FAILED, 1.5, None, 4, own)
    reasons = [] if outcome == expect or expect == "equal" else [f"expected {expect}, found {outcome}"]
    report_figures = None if outcome == "refused" else figures()
    assert report_of_job(model(expect=expect), "f", "k", attempt) == ModelReport(
        "m", "f", "k", outcome, expect, outcome == expect, 1.5, (*own, *reasons), report_figures
    )


@pytest.mark.parametrize(
    ("status", "outcome"), [(1, FAILED), (2, FAILED), (3, "refused"), (4, "refused"), (70, FAILED)]
)
def test_malformed_and_unsupported_models_are_refused(status: int, outcome: str) -> None:
    report = report_of_job(model(expect="refused"), "f", "k", Attempt(FAILED, 0.0, None, status, ("why",)))
    assert (report.outcome, report.verdict) == (outcome, outcome == "refused")
    assert report.errors == (("why",) if report.verdict else ("why", f"expected refused, found {outcome}"))


@pytest.mark.parametrize(
    ("outcome", "tolerance", "expect", "expected"),
    [
        ("differs", 0.25, "equal", ("tolerated", True)),
        ("differs", 0.2, "equal", ("differs", False)),
        ("differs", 0.0, "equal", ("differs", False)),
        ("differs", 0.25, "differs", ("tolerated", False)),
        ("equal", 0.25, "equal", ("equal", True)),
    ],
)
def test_what_a_tolerance_allows(outcome: str, tolerance: float, expect: str, expected: tuple[str, bool]) -> None:
    """By hand: 0.5 is a quarter of 2."""
    attempt = Attempt(DONE, 0.0, (outcome, figures(), ()))
    report = report_of_job(model(expect=expect, tolerance=tolerance), "f", "k", attempt)
    assert (report.outcome, report.verdict) == expected


@pytest.mark.parametrize(("needs", "good"), [("", True), ("PRO-INT", True), ("PRO-FP", False)])
def test_what_a_model_needs_is_held_against_what_is_stated(needs: str, good: bool) -> None:
    stated = str(Target.parse(needs)) if needs else ""
    attempt = Attempt(DONE, 0.0, ("equal", figures(needs=str(Target.parse("PRO-INT"))), ()))
    report = report_of_job(model(needs=needs), "f", "k", attempt)
    assert report.verdict == good
    assert bool(report.errors) != good
    assert good or report.errors == (f"expected needs {stated}, found {Target.parse('PRO-INT')}",)


# ** sets of inputs **

SCALAR = Value(TensorType(DType.FP32, ()), "s")
PAIR = Value(TensorType(DType.FP32, (2,)), "p")
SOURCE = Model({"main": Graph("main", [SCALAR, PAIR], [SCALAR])})


def array(*shape: int) -> Array:
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


@pytest.mark.parametrize(
    ("shapes", "steps", "stateful", "expected"),
    [
        ([{"s": (), "p": (2,)}], 0, False, ([{"s": (), "p": (2,)}], 0)),
        ([{"s": (3,), "p": (2,)}], 0, False, ([{"s": (), "p": (2,)}] * 3, 0)),
        ([{"s": (3,), "p": (3, 2)}], 0, False, ([{"s": (), "p": (2,)}] * 3, 0)),
        ([{"s": (3,), "p": (3, 2)}], 0, True, ([{"s": (3,), "p": (3, 2)}], 3)),
        ([{"s": (), "p": (3, 2)}], 3, False, ([{"s": (3,), "p": (3, 2)}], 3)),
        ([{"s": (), "p": (2,)}], 2, False, ([{"s": (2,), "p": (2, 2)}], 2)),
        ([{"s": (), "p": (2,)}], 0, True, ([{"s": (1,), "p": (1, 2)}], 1)),
        ([{"s": (), "p": (2,)}, {"s": (2,), "p": (2,)}], 0, False, ([{"s": (), "p": (2,)}] * 3, 0)),
        ([{"s": (3,), "p": (4, 2)}], 0, False, "expected arrays for as many steps, found 3, 4"),
        ([{"s": (), "p": (2,), "u": (3,)}], 0, False, ([{"s": (), "p": (2,), "u": ()}] * 3, 0)),  # of no input
        ([{"s": (0,), "p": (2,)}], 0, False, "expected arrays for as many steps, found 0"),
        ([{"s": (3,), "p": (2,)}], 4, False, r"expected as many steps everywhere, found 3, 4 \(--steps\)"),
        ([{"s": (3,), "p": (2,)}, {"s": (2,), "p": (2,)}], 0, True, "expected as many steps everywhere, found 2, 3"),
    ],
)
def test_arrays_of_one_dimension_more_are_for_steps_or_runs(
    shapes: list[dict[str, tuple[int, ...]]],
    steps: int,
    stateful: bool,
    expected: tuple[list[dict[str, tuple[int, ...]]], int] | str,
) -> None:
    sets = [{name: array(*shape) for name, shape in set_shapes.items()} for set_shapes in shapes]
    if isinstance(expected, str):
        with pytest.raises(UsageError, match=expected):
            arrange_inputs(SOURCE, sets, steps, stateful=stateful)
        return
    runs, count = arrange_inputs(SOURCE, sets, steps, stateful=stateful)
    assert ([{name: a.shape for name, a in arrays.items()} for arrays in runs], count) == expected


def test_each_run_has_its_own_row() -> None:
    runs, _ = arrange_inputs(SOURCE, [{"s": array(3), "p": array(3, 2)}], 0, stateful=False)
    assert [(arrays["s"].item(), arrays["p"].tolist()) for arrays in runs] == [(0, [0, 1]), (1, [2, 3]), (2, [4, 5])]
    (whole,), _ = arrange_inputs(SOURCE, [{"s": array(3), "p": array(2)}], 0, stateful=True)
    assert (whole["s"].tolist(), whole["p"].tolist()) == ([0, 1, 2], [[0, 1]] * 3)


def pool(dtype: DType, *names: str, quant: Quant | None = None) -> Array:
    """Returns the special elements of an input that operators of these names read one after another."""
    x = Value(TensorType(dtype, (2,), quant), "x")
    ops, last = [], x
    for name in names:
        ops.append(Op(f"tfl.{name}", [last], [last.type], {"axis": 0, "values_count": 1}))
        last = ops[-1].result
    source = Model({"main": Graph("main", [x], [last], ops)})
    return Adversary(source, {"x": (2,)}, 0)._pools[x]


@pytest.mark.parametrize(
    ("dtype", "names", "low", "high"),
    [
        (DType.I8, ("abs",), -128, 127),
        (DType.UI8, ("abs",), 0, 255),
        (DType.I16, ("abs",), -32768, 32767),
        (DType.I32, ("relu",), -(2**31), 2**31 - 1),
        (DType.I32, ("abs",), -1000, 1000),
        (DType.I32, ("relu", "mul"), -1000, 1000),
        (DType.I64, ("relu",), -(2**31), 2**31 - 1),
        (DType.I64, ("abs",), -1000, 1000),
        (DType.UI32, ("relu",), 0, 2**32 - 1),
        (DType.UI32, ("abs",), 0, 1000),
    ],
)
def test_integers_are_as_large_as_results_are_defined(
    dtype: DType, names: tuple[str, ...], low: int, high: int
) -> None:
    elements = pool(dtype, *names)
    assert (int(elements.min()), int(elements.max())) == (low, high)
    assert {low, low + 1, high - 1, high, 0, 1} <= set(elements.tolist())
    assert (-1 in elements.tolist()) == (low < 0)
    assert elements.dtype == dtype.numpy


def test_integers_around_a_zero_point() -> None:
    elements = pool(DType.I8, "abs", quant=Quant((0.5,), (7,)))
    assert sorted(elements.tolist()) == [-128, -127, -1, 0, 1, 6, 7, 8, 126, 127]


def test_floats_are_special_where_results_are_defined() -> None:
    plain, special = pool(DType.FP32, "exp"), pool(DType.FP32, "abs")
    assert np.isfinite(plain).all()
    assert np.abs(plain).max() == 8
    assert special.size == plain.size + 8
    assert np.isnan(special).sum() == 1
    assert np.isinf(special).sum() == 2
    assert {2.0**31, -(2.0**31), 2.0**32} <= set(special.tolist())
    assert pool(DType.BOOL, "logical_not").tolist() == [False, True]


# ** results that stand for others **


def test_a_result_that_is_not_judged_is_judged_by_the_next_one_or_by_the_same_elements_in_front() -> None:
    """a -> b -> c and d; d -> reshape e; f reads a constant alone."""
    x, size = (Value(TensorType(DType.FP32, (2,)), name) for name in ("x", "size"))
    a = Op("tfl.abs", [x], [x.type])
    b = Op("tfl.abs", [a.result], [x.type])
    c = Op("tfl.abs", [b.result], [x.type])
    d = Op("tfl.abs", [b.result], [x.type])
    e = Op("tfl.reshape", [d.result, size], [x.type])
    graph = Graph("main", [x, size], [c.result, e.result], [a, b, c, d, e])
    values = {name: op.result for name, op in zip("abcde", (a, b, c, d, e), strict=True)}

    def holders(judged: str) -> dict[str, str]:
        names = {value: name for name, value in values.items()}
        holder_of = find_holders(graph, [values[name] for name in judged])
        return {
            names[value]: names[holder] for value, holder in sorted(holder_of.items(), key=lambda row: names[row[0]])
        }

    assert holders("abcde") == {}
    assert holders("cd") == {"a": "c", "b": "c", "e": "d"}
    assert holders("d") == {"a": "d", "b": "d", "e": "d"}
    assert holders("e") == {"a": "e", "b": "e", "d": "e"}
    assert holders("a") == {}
    assert holders("") == {}


# ** a page's tables **


def test_needs_are_counted_with_their_reasons() -> None:
    """By hand: MUL of i32 is in both profiles, its shift is no constant here; ABS is in the profile of its type."""
    x, y = (Value(TensorType(dtype, (2,)), "x") for dtype in (DType.FP32, DType.I32))
    shift = Value(TensorType(DType.I8, (1,)), "shift")
    ops = [Op("tosa.abs", [x], [x.type]), Op("tosa.exp", [x], [x.type]), Op("tosa.abs", [y], [y.type])]
    ops += [Op("tosa.mul", [y, y, shift], [y.type]) for _ in range(4)]
    assert feature_needs(Model({"main": Graph("main", [x, y, shift], [], ops)})) == (
        Need("PRO-INT or PRO-FP", 4, ("MUL",)),
        Need("EXT-DYNAMIC", 4, ("MUL",)),
        Need("PRO-FP", 2, ("ABS", "EXP")),
        Need("PRO-INT", 1, ("ABS",)),
    )


def test_clauses_are_by_kind_the_broken_and_the_worst_first() -> None:
    layers = [
        LayerReport("add", "a", "x", True, 0.5, ""),
        LayerReport("mul", "b", "x", True, 0.25, ""),
        LayerReport("add", "c", "x", True, 0.125, ""),
        LayerReport("exp", "d", "x", False, 0.0625, "too far"),
    ]
    assert clauses(layers) == (
        Clause("exp", 1, 0.0625, ("d: too far",)),
        Clause("add", 2, 0.5, ()),
        Clause("mul", 1, 0.25, ()),
    )


# ** what an existing file computes for an operator that differs **


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
@pytest.mark.parametrize("note", ["", "an existing file"])
@pytest.mark.parametrize("is_matched", [False, True])
@pytest.mark.parametrize("is_cut", [False, True])
def test_the_side_of_a_file_belongs_to_a_single_step(
    steps: int, note: str, is_matched: bool, is_cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the file's part as a model, or its elements if that can't be cut: int16 in an int32 of the file."""
    value, file_value = Value(TensorType(DType.I16, (2,)), "y"), Value(TensorType(DType.I32, (2, 1)), "z")
    part = Model({"main": Graph("main")})

    def piece(*_: object) -> Model:
        if not is_cut:
            raise UsageError("no part")
        return part

    monkeypatch.setattr(side_by_side, "piece_of_file", piece)
    place = SimpleNamespace(value=file_value, to_source=lambda array, _like: array)
    places = {value: (place,)} if is_matched else {}
    run = SimpleNamespace(note=note, places_by_value=places, values={value: np.zeros(2, np.int16)})
    case = Case(part, {}, {"y": np.zeros(2, np.int16)}, steps)
    result = side_by_side._with_side_of_file(run, value, case, {file_value: np.array([[7], [70000]], np.int32)})  # type: ignore[arg-type]
    if not note or steps > 1 or not is_matched:
        assert result is case
    elif is_cut:
        assert (result.result_model, result.computed) == (part, None)
    else:
        assert result.result_model is None
        assert result.computed is not None
        assert (result.computed["y"].dtype.name, result.computed["y"].tolist()) == ("int16", [7, 32767])
