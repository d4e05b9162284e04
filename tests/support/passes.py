"""Runs the passes of `legalize/pipelines.py` one after the other, for tests of the steps between."""

from tosa_converter.ir import Model
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.pipeline import legalization_pass, run_pipeline
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import find_problems


def rule_pass(opset: str) -> RulePass:
    """Returns the pass that applies the rules of an opset."""
    return legalization_pass(PIPELINES[opset])


def prepared(model: Model, options: Options) -> Model:
    """Returns a source after preparation, before the rules."""
    passes = PIPELINES[model.opset]
    in_front = passes[: passes.index(legalization_pass(passes))]
    return run_pipeline(model, in_front, options, Report(), find_problems)


def legalized(model: Model, options: Options, report: Report) -> Model:
    """Returns a source after the rules, before TOSA is simplified."""
    rules = rule_pass(model.opset)
    return rules.run(prepared(model, options), options, report)
