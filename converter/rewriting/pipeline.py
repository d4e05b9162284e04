"""Runs passes in order, and verifies, times and dumps each of them."""

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from tosa_converter.errors import BrokenPassError, UnsupportedError, listed
from tosa_converter.ir import Model
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule
from tosa_converter.rules.conditions import EMPTY, Problem


class Pass(Protocol):
    """One pass of a pipeline."""

    @property
    def name(self) -> str:
        """The pass's name, as `-v` and `--dump-ir` show it."""

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """Returns the model after the pass, the same object if nothing changed or the pass has verified its changes.

        The argument isn't changed, unless the docstring of the pass says that it changes graphs in place. Callers give
        such a pass a copy.
        """


class LazyPass(NamedTuple):
    """A pass for models with certain operators; its module is imported for the first such model.

    The module has a function `run` with the parameters of `Pass.run`, and `arguments` behind them.
    """

    name: str
    operators: frozenset[str]
    module: str
    arguments: tuple[Any, ...] = ()

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """Returns the model after the pass's module, imported only now, has run; the same object if nothing changed."""
        changed: Model = import_module(self.module).run(model, options, report, *self.arguments)
        return changed


def legalization_pass(passes: Sequence[Pass]) -> RulePass:
    """Returns the pass of a pipeline that translates the source, the first one that applies rules."""
    return next(pipeline_pass for pipeline_pass in passes if isinstance(pipeline_pass, RulePass))


def prefer_rules(rules: Sequence[Rule], passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """Returns a pipeline whose legalization tries these rules first."""
    chosen = legalization_pass(passes)
    return tuple(
        chosen.with_rules_first(rules) if pipeline_pass is chosen else pipeline_pass for pipeline_pass in passes
    )


def apply_passes(model: Model, passes: Sequence[Pass], options: Options) -> Model:
    """Returns the model after passes in order, without a report and without verification."""
    for pipeline_pass in passes:
        model = pipeline_pass.run(model, options, Report())
    return model


def run_pipeline(
    model: Model,
    passes: Sequence[Pass],
    options: Options,
    report: Report,
    find_problems: Callable[[Model], list[Problem]],
) -> Model:
    """Returns the model after passes in order, verified after each pass that changed it.

    A `LazyPass` without its operators is left out, and the report has no line for it. The attribute `resolves` of a
    pass lists the conditions that graphs may break before it runs; if no graph breaks one, the pass is left out too.

    Args:
        model: the model.
        passes: the passes.
        options: the options of the conversion.
        report: the report, which gets the name, time and size of each pass.
        find_problems: returns the conditions that a model breaks.

    Raises:
        UnsupportedError: no rule accepts some operators; lists all of them, each with every rule's reason. Or a result
            exceeds TOSA's level 8K.
        FormatError: an operator's operands have shapes that don't fit together.
        BrokenPassError: a pass left an illegal graph, which is a fault of the converter.
    """
    names: set[str] = set()  # the names of the model's operators, collected when a LazyPass asks
    unmet: set[str] | None = None  # broken conditions that later passes resolve; None before the first verification
    for i, pipeline_pass in enumerate(passes):
        if isinstance(pipeline_pass, LazyPass):
            names = names or {op.name for graph in model.graphs.values() for op in graph.walk()}
            if pipeline_pass.operators.isdisjoint(names):
                continue
        # A pass that only resolves conditions is skipped if none of them is broken. Before the first verification that
        # isn't known, so it runs.
        if (
            unmet is not None
            and _resolved_conditions(pipeline_pass)
            and unmet.isdisjoint(_resolved_conditions(pipeline_pass))
        ):
            continue
        started = time.perf_counter()
        before, model = model, pipeline_pass.run(model, options, report)
        count = sum(len(graph.ops) for graph in model.graphs.values())
        report.passes.append((pipeline_pass.name, time.perf_counter() - started, count))
        if options.dump:
            options.dump(pipeline_pass.name, model)
        if model is not before or unmet:
            problems, later = find_problems(model), frozenset[str]().union(*map(_resolved_conditions, passes[i + 1 :]))
            unmet = {problem.condition for problem in problems if problem.condition in later}
            stop_at_problems([problem for problem in problems if problem.condition not in later], pipeline_pass.name)
            names = set()
    return model


def _resolved_conditions(pipeline_pass: Pass) -> frozenset[str]:
    """Returns the conditions that graphs may break until this pass runs, because it mends them."""
    conditions: frozenset[str] = getattr(pipeline_pass, "resolves", frozenset())
    return conditions


def stop_at_problems(problems: Sequence[Problem], pass_name: str) -> None:
    """Raises an error for the conditions that a graph breaks after a pass, if there are any.

    Raises:
        UnsupportedError: a tensor is too large for the level, or empty.
        BrokenPassError: any other condition is broken, which is a fault of the converter.
    """
    limits = [str(problem) for problem in problems if problem.kind == "level" or problem.condition == EMPTY]
    if limits:
        raise UnsupportedError("beyond the limits of TOSA's level 8K:", *listed(limits), places=limits)
    if problems:
        raise BrokenPassError(f"pass {pass_name}", [str(problem) for problem in problems])
