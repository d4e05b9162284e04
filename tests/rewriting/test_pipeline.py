"""Passes in order: which of them run, are shown, dumped and verified, and whose model they change."""

import inspect
from importlib import import_module

import pytest
from support import golden
from support.commands import FLOAT, INT8, MODELS
from support.passes import rule_pass

import tosa_converter as tc
from tosa_converter.errors import BrokenPassError
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.legalize.invert.tflite.pipeline import PASSES as TO_TFLITE
from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES as TO_XNN
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.pipeline import LazyPass, Pass, legalization_pass, prefer_rules, run_pipeline
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.rules.graph import find_problems, find_structure_problems
from tosa_converter.schemas import tfl_ops, tosa_ops
from tosa_converter.schemas.opsets import XNN_READ

X = TensorType(tc.DType.FP32, (2,))
NAMES = (
    "inline-calls",
    "tensor-lists",
    "state",
    "legalize",
    "rank-reduction",
    "reshape-propagation",
    "simplify",
    "common-subexpressions",
)


def model_of(*names: str, region: str = "") -> Model:
    """Returns a chain of operators; the last one has a graph with another one if `region` names it."""
    x = Value(X, "x")
    ops: list[Op] = []
    for name in names:
        ops.append(Op(name, [ops[-1].result if ops else x], [X]))
    if region:
        inner = Value(X, "inner")
        op = Op(region, [inner], [X])
        ops[-1].regions = (Graph("region", [inner], op.results, [op]),)
    return Model({"main": Graph("main", [x], ops[-1].results, ops)})


class Break:
    """A pass that uses a value without a producer."""

    name = "break"

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Returns a broken model."""
        op = Op("tfl.abs", [Value(X, "nowhere")], [X])
        return Model({"main": Graph("main", model.main.inputs, op.results, [op])})


def ran(model: Model, *steps: Pass) -> list[str]:
    """Returns the names of the passes that ran."""
    report, dumped = Report(), list[str]()
    run_pipeline(model, steps, Options(dump=lambda name, _: dumped.append(name)), report, find_problems)
    assert dumped == [name for name, _, _ in report.passes]
    return dumped


def test_a_lazy_pass_without_its_operators_is_left_out() -> None:
    step = LazyPass("never", frozenset({"tfl.call"}), "no.such.module")
    assert ran(model_of("tfl.abs", "tfl.neg"), step) == []
    with pytest.raises(ModuleNotFoundError, match="no"):
        ran(model_of("tfl.abs", "tfl.call"), step)


def test_operators_of_regions_count() -> None:
    step = LazyPass("lists", frozenset({"tfl.while"}), "tosa_converter.rewriting.passes.tensor_lists")
    assert ran(model_of("tfl.if", region="tfl.while"), step) == ["lists"]
    assert ran(model_of("tfl.if", region="tfl.abs"), step) == []


def test_a_broken_graph_names_the_pass() -> None:
    with pytest.raises(BrokenPassError, match=r"(?s)pass break.*made before it is used"):
        run_pipeline(model_of("tfl.abs"), [Break()], Options(), Report(), find_problems)
    with pytest.raises(BrokenPassError, match="pass break"):
        run_pipeline(model_of("tosa.abs"), [Break()], Options(), Report(), find_structure_problems)


def test_operators_of_other_opsets_that_rules_put_in_place_are_verified() -> None:
    """The pass itself has rules of TOSA's operators only."""
    stranger = Value(X, "stranger")

    @rule(pattern("tfl.abs", "x"))
    def reads_a_stranger(_: Match) -> Value:
        op = Op("tfl.neg", [stranger], [X])
        current().graph.ops.append(op)
        return op.result

    steps = [InPlacePass("stray", [reads_a_stranger])]
    with pytest.raises(BrokenPassError, match=r"(?s)pass stray.*stranger"):
        run_pipeline(model_of("tfl.abs"), steps, Options(), Report(), find_structure_problems)


def test_passes_run_in_this_order() -> None:
    assert tuple(step.name for step in PIPELINES["tfl"]) == NAMES
    assert legalization_pass(PIPELINES["tfl"]).name == "legalize"


def test_rules_in_front_are_those_of_the_legalization() -> None:
    rule = Rule("tfl.mine", "", lambda match: match[0])
    passes = prefer_rules([rule], PIPELINES["tfl"])
    assert [step.name for step in passes] == list(NAMES)
    assert legalization_pass(passes).rules == (rule, *rule_pass("tfl").rules)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.tflite")), ids=lambda path: path.stem)
def test_a_conversion_leaves_its_source_as_it_is(path: str) -> None:
    model = tc.load(path)
    text = golden.model_text(model)
    tc.convert(model)
    tc.check(model)
    assert golden.model_text(model) == text


@pytest.mark.parametrize("path", [FLOAT, INT8], ids=["float", "int8"])
def test_ways_out_leave_their_source_as_it_is(path: str) -> None:
    model = tc.convert(path, numerics="xnnpack")
    text, borders = golden.model_text(model), dict(model.borders)
    tc.to_tflite(model)
    tc.to_xnn(model)
    assert golden.model_text(model) == text
    assert model.borders == borders


def test_coverage_prepares_as_a_conversion_does() -> None:
    """The operators of a loop's graphs are covered, and entries of its tensor lists are set in place."""
    coverage = tc.check(MODELS / "loop_gru_float32.tflite")
    assert coverage is not None
    names = {op.name for op in coverage.operators}
    assert {"tfl.while", "tfl.dynamic_update_slice"} <= names
    assert not {op.name for op in coverage.refused}


LAZY = [step for steps in (*PIPELINES.values(), TO_TFLITE, TO_XNN) for step in steps if isinstance(step, LazyPass)]


@pytest.mark.parametrize("step", LAZY, ids=lambda step: step.name)
def test_a_lazy_pass_names_existing_operators_and_modules(step: LazyPass) -> None:
    run = import_module(step.module).run
    inspect.signature(run).bind(model_of("tfl.abs"), Options(), Report(), *step.arguments)
    pseudo = {"tfl.pseudo_variable", XNN_READ}
    opcodes = tfl_ops.BY_OPCODE.keys() | tosa_ops.BY_OPCODE.keys() | pseudo
    assert step.operators <= opcodes


def test_ways_out_name_their_passes() -> None:
    for passes in (TO_TFLITE, TO_XNN):
        names = [step.name for step in passes]
        assert len(set(names)) == len(names)
        assert all(name == name.lower() and " " not in name and len(name) <= 20 for name in names)
