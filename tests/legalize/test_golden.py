"""The operators of every rule as text: one file per rule in `golden`, each read by a person.

`golden_sources.tsv` says which model shows a rule. A rule that has no line gets one by
`GOLDEN=write python -m pytest tests/legalize -k golden`, if a case of tests/support shows it.
"""

import functools
import os
from pathlib import Path
from typing import NamedTuple

import pytest
from support import golden
from support.commands import ROOT
from support.golden_sources import Source, sources
from support.no_case import NoCase
from support.passes import prepared, rule_pass

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.formats import parse
from tosa_converter.ir import Model, Value
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.records import TensorRecord
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import Result, Rule

GOLDEN = Path(__file__).parent / "golden"
INDEX = Path(__file__).parent / "golden_sources.tsv"
RULES = [rule for opset in ("tfl", "xnn") for rule in rule_pass(opset).rules]
UNTOLD = "any_type.state.alias.pseudo_alias"  # an operator that computes nothing and is in no report


def label(rule: Rule) -> str:
    """Returns the rule's name, with the operator unless the name contains it."""
    name, root = rule.name.rstrip("_"), rule.root.partition(".")[2]
    return name if name.endswith(f".{root}") else f"{name}.{root}"


LABELS = {label(rule): rule for rule in RULES}


def legalized(data: bytes | Model, numerics: str = "reference") -> tuple[list[Rule], Model, Model]:
    """Returns the rules that fire, and the model before and after the pass, with called graphs in place."""
    fired: list[Rule] = []

    def watched(rule: Rule) -> Rule:
        @functools.wraps(rule.build)
        def build(match: Match) -> Result | list[Result]:
            built = rule.build(match)
            fired.append(rule)
            return built if isinstance(built, Expr | Value | TensorRecord) else list(built)

        return rule._replace(build=build)

    model = data if isinstance(data, Model) else parse(data)
    step, options = rule_pass(model.opset), Options(numerics)
    before = prepared(model, options)
    watching = RulePass("legalize", list(map(watched, step.rules)), check=step.check)
    return fired, before, run_pass(before, watching, options)


class Golden(NamedTuple):
    """The text before and after a rule, and the verdict of `check` on the operator."""

    before: str
    after: str
    becomes: tuple[str, ...]
    exactness: str


@functools.cache
def index() -> dict[str, str]:
    """Returns the name of the model that shows each rule."""
    return dict(line.split("\t") for line in INDEX.read_text().splitlines())


@functools.cache
def golden_of(name: str) -> Golden:
    """Returns the texts of a rule, from the model that shows it."""
    if os.environ.get("GOLDEN") == "write":
        update_index()
    if name not in index():
        rule = LABELS[name]
        hint = f"that shows the rule {rule.name} (GOLDEN=write looks for it)"
        raise NoCase(f"{rule.root} {hint}")
    source = sources()[index()[name]]
    data = source.make()
    fired, before, after = legalized(data, source.numerics)
    names = [rule for rule in map(label, fired) if rule != UNTOLD]
    texts = golden.text(before.main), golden.text(after.main)
    if name == UNTOLD:
        assert len(names) < len(fired)
        return Golden(*texts, (), "exact")
    coverage = tc.check(data, numerics=source.numerics if before.opset == "tfl" else "")
    assert coverage is not None
    at = names.index(name) if len(names) == len(coverage.operators) else names.index(name) - len(names)
    operator = coverage.operators[at]
    return Golden(*texts, operator.becomes, operator.exactness)


@functools.cache
def update_index() -> None:
    """Looks for models that show the rules without a line; prefers one in which the rule comes last."""
    fired = {source.name: fired_on(source) for source in sources().values()}
    lines = {name: source for name, source in index().items() if name in LABELS and name in fired.get(source, ())}
    inner: dict[str, str] = {}
    for source, names in fired.items():
        for name in names[:-1]:
            inner.setdefault(name, source)
        if names:
            lines.setdefault(names[-1], source)
    lines = {name: lines.get(name, inner.get(name, "")) for name in LABELS}
    INDEX.write_text("".join(f"{name}\t{source}\n" for name, source in sorted(lines.items()) if source))
    index.cache_clear()


def fired_on(source: Source) -> list[str]:
    try:
        return list(map(label, legalized(source.make(), source.numerics)[0]))
    except ConverterError:  # other cases follow if these zero points are refused
        return []


@pytest.mark.parametrize("name", LABELS)
def test_golden(name: str) -> None:
    shown = golden_of(name)
    golden.check(GOLDEN / f"{name}.mlir", shown.before, shown.after)


@pytest.mark.parametrize("name", LABELS)
def test_golden_sequence(name: str) -> None:
    """`ops` lists the text in this short form."""
    shown = golden_of(name)
    rule = LABELS[name]
    line = "\t".join((rule.name, rule.root, shown.exactness, " ".join(shown.becomes)))
    assert line in sequence_lines()


@functools.cache
def sequence_lines() -> list[str]:
    path = ROOT / "legalize" / "sequences.tsv"
    if os.environ.get("GOLDEN") == "write":
        rows = [(LABELS[name], golden_of(name)) for name in LABELS]
        lines = ["\t".join((row.name, row.root, shown.exactness, " ".join(shown.becomes))) for row, shown in rows]
        path.write_text("\n".join(["rule\toperator\texactness\tbecomes", *lines]) + "\n")
    return path.read_text().splitlines()


def test_every_rule_has_a_text_of_its_own() -> None:
    assert len(LABELS) == len(RULES)
    texts, hint = {path.stem for path in GOLDEN.iterdir()}, "run GOLDEN=write python -m pytest tests/legalize -k golden"
    assert not LABELS.keys() - (texts & index().keys()), hint
    assert not (texts | index().keys()) - LABELS.keys(), "delete these: no rule has such a name"
    assert len(sequence_lines()) == 1 + len(LABELS)
