"""Passes in order, each verified, timed and dumped."""

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
        """Told with its figures."""

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """Returns the model after the pass, the same object if nothing changed or the pass has verified its changes.

        The model that it is given stays as it is, unless the pass says that it changes graphs in place: who runs such
        a pass on somebody's model hands over a copy.
        """


class LazyPass(NamedTuple):
    """A pass for models that have one of some operators; its module is imported for the first of them.

    The module's function `run` gets what that of a `Pass` gets, and `arguments`.
    """

    name: str
    operators: frozenset[str]
    module: str
    arguments: tuple[Any, ...] = ()

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """Returns the model after the pass, the same object if nothing changed."""
        changed: Model = import_module(self.module).run(model, options, report, *self.arguments)
        return changed


def legalization(steps: Sequence[Pass]) -> RulePass:
    """Returns the first pass of a pipeline that applies rules; the passes in front of it prepare the model."""
    return next(step for step in steps if isinstance(step, RulePass))


def preferring(rules: Sequence[Rule], steps: Sequence[Pass]) -> tuple[Pass, ...]:
    """Returns a pipeline with further rules, which its legalization tries first."""
    chosen = legalization(steps)
    return tuple(chosen.preferring(rules) if step is chosen else step for step in steps)


def apply_passes(model: Model, steps: Sequence[Pass], options: Options) -> Model:
    """Applies passes in order, without a report and unverified."""
    for step in steps:
        model = step.run(model, options, Report())
    return model


def run_pipeline(
    model: Model,
    steps: Sequence[Pass],
    options: Options,
    report: Report,
    find_problems: Callable[[Model], list[Problem]],
) -> Model:
    """Applies passes in order; `find_problems` verifies what each of them changed.

    A `LazyPass` that has nothing to do is left out, and the report has no line for it. A pass may state in
    `resolves` the conditions that graphs need not meet before it has run; where the last verification found them met,
    it is left out as well.

    Raises:
        UnsupportedError: operators that no rule accepts, all of them, each with every candidate's reason; or a
            result that TOSA can't hold.
        FormatError: operators whose operands' shapes don't fit together.
        BrokenPassError: a pass made a graph that is illegal otherwise.
    """
    names: set[str] = set()  # of the model's operators, counted when a pass asks
    unmet: set[str] | None = None  # conditions that later passes resolve; None before the first verification
    for i, step in enumerate(steps):
        if isinstance(step, LazyPass):
            names = names or {op.name for graph in model.graphs.values() for op in graph.walk()}
            if step.operators.isdisjoint(names):
                continue
        if unmet is not None and _resolves(step) and unmet.isdisjoint(_resolves(step)):
            continue
        started = time.perf_counter()
        before, model = model, step.run(model, options, report)
        count = sum(len(graph.ops) for graph in model.graphs.values())
        report.passes.append((step.name, time.perf_counter() - started, count))
        if options.dump:
            options.dump(step.name, model)
        if model is not before or unmet:
            problems, later = find_problems(model), frozenset[str]().union(*map(_resolves, steps[i + 1 :]))
            unmet = {problem.condition for problem in problems if problem.condition in later}
            stop_at([problem for problem in problems if problem.condition not in later], step.name)
            names = set()
    return model


def _resolves(step: Pass) -> frozenset[str]:
    """Returns the conditions that graphs need not meet before a pass has run."""
    conditions: frozenset[str] = getattr(step, "resolves", frozenset())
    return conditions


def stop_at(problems: Sequence[Problem], step: str) -> None:
    """Raises an error for what a pass left illegal: TOSA can't hold what is too large or empty, all else is our bug.

    Raises:
        UnsupportedError: level limits and empty tensors.
        BrokenPassError: anything else.
    """
    limits = [str(problem) for problem in problems if problem.kind == "level" or problem.condition == EMPTY]
    if limits:
        raise UnsupportedError("TOSA's level 8K can't hold", *listed(limits), places=limits)
    if problems:
        raise BrokenPassError(f"pass {step}", [str(problem) for problem in problems])
