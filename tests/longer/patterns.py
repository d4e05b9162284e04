"""Counts how often each rule with a pattern of operators fires on the zoo and on models/.

    PYTHONPATH=tests python -m longer.patterns            # prints the page
    PYTHONPATH=tests python -m longer.patterns --write    # writes docs/results/patterns.md

Every model is converted in its own numerics; the pass to products of matrices and the ways out of TOSA then run on the
result. A rule that is listed without a count fires in no model: its test is the golden text, or the test of its pass.
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from support.commands import MODELS, ROOT

import tosa_converter as tc
from tosa_converter.conversion import convert_model, default_numerics
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Model
from tosa_converter.ir.edit import copy_model
from tosa_converter.legalize.invert.tflite.pipeline import PASSES as TO_TFLITE
from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES as TO_XNNPACK
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.proof.zoo import manifest, path_of
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.passes.conv_to_matmul import CONV_TO_MATMUL
from tosa_converter.rewriting.pattern import Pattern
from tosa_converter.rewriting.pipeline import Pass, run_pipeline
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule
from tosa_converter.rules.graph import find_structure_problems

PAGE = ROOT / "docs" / "results" / "patterns.md"
MOST_NAMES = 4  # the most operators that are named for one place
# What each group of passes does, and the passes. Of passes that several groups have, the first one lists the rules.
GROUPS: dict[str, tuple[Pass, ...]] = {
    "From TFLite": PIPELINES["tfl"],
    "From XNNPACK": PIPELINES["xnn"],
    "Convolutions to products of matrices": (CONV_TO_MATMUL,),
    "From TOSA to TFLite": TO_TFLITE,
    "From TOSA to XNNPACK": TO_XNNPACK,
}
HEADER = """# Rules with patterns

Generated on {date} by `PYTHONPATH=tests python -m longer.patterns --write`: how often each rule with a pattern takes an
operator in {count} models, those of the zoo and of models/.

A pattern names an operator's operands, or the operators that make them. Where `byte_island` and `float_island` start, a
matcher finds further operators in front: those that depend on one tensor and on constants of one element."""


class Row(NamedTuple):
    """A rule with a pattern, and the pass that tries it."""

    pass_name: str
    name: str
    pattern: str
    about: str


def rows(passes: Iterable[Pass]) -> Iterator[Row]:
    """Yields the rules of passes that have a pattern."""
    for step in passes:
        for rule in rules(step):
            if rule.pattern is not None:
                about = (rule.build.__doc__ or "").partition("\n")[0]
                yield Row(step.name, rule.name, text(rule.pattern), about)


def rules(step: Pass) -> tuple[Rule, ...]:
    """Returns the rules that a pass tries; none if it works in another way."""
    return step.rules if isinstance(step, RulePass | InPlacePass) else ()


def text(pattern: Pattern) -> str:
    """Returns a pattern in one line; of many alternatives in a place, the first ones."""
    names = re.compile(rf"((?:\w+\|){{{MOST_NAMES}}})[\w|]+")
    return names.sub(r"\1...", str(pattern))


def groups() -> dict[str, list[Row]]:
    """Returns the rows by group, without duplicates."""
    seen: set[Row] = set()
    result = {}
    for title, passes in GROUPS.items():
        result[title] = [row for row in rows(passes) if row not in seen]
        seen.update(result[title])
    return result


def models() -> dict[str, Path]:
    """Returns the files of the zoo that are fetched, and of models/, by name."""
    zoo = {model.name: path_of(model) for model in manifest() if path_of(model).is_file()}
    own = {str(path.relative_to(MODELS)): path for path in sorted(MODELS.rglob("*.tflite"))}
    return zoo | own


def fired(path: Path) -> Counter[tuple[str, str]]:
    """Returns how often each rule takes an operator, by pass and rule, from a model to TOSA and out again."""
    trace: list[Attempts] = []
    try:
        source = tc.load(path)
        tosa = convert_model(source, PIPELINES, Options(default_numerics(source), trace=trace))
        for passes in ((CONV_TO_MATMUL,), TO_TFLITE, TO_XNNPACK):
            if any(True for _ in rows(passes)):
                run(tosa, passes, trace)
    except ConverterError as error:
        print(f"{path.name}: {str(error).splitlines()[0]}", file=sys.stderr)
    return Counter((attempts.pass_name, attempts.accepted) for attempts in trace)


def run(tosa: Model, passes: Iterable[Pass], trace: list[Attempts]) -> None:
    """Runs passes on a copy of a model; an operator without a form in the other format ends them."""
    try:
        run_pipeline(copy_model(tosa), list(passes), Options(trace=trace), Report(), find_structure_problems)
    except ConverterError:
        return


def page(paths: Iterable[Path]) -> str:
    """Returns the page with the counts on some models."""
    operators: Counter[tuple[str, str]] = Counter()
    files: defaultdict[tuple[str, str], int] = defaultdict(int)
    count = 0
    for path in paths:
        count += 1
        for key, times in fired(path).items():
            operators[key] += times
            files[key] += 1
    lines = [HEADER.format(date=date.today(), count=count)]
    for title, listed in groups().items():
        if listed:
            lines += ["", f"## {title}", "", "| rule | pattern | what becomes of it | operators | models |"]
            lines.append("|---|---|---|---:|---:|")
        for row in listed:
            key = row.pass_name, row.name
            rule, pattern, about = (cell.replace("|", "\\|") for cell in (row.name, row.pattern, row.about))
            lines.append(f"| {rule} | `{pattern}` | {about} | {operators[key]} | {files[key]} |")
    return "\n".join(lines) + "\n"


def main(arguments: Iterable[str]) -> int:
    """Prints or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="", help="models with this in their name")
    options = parser.parse_args(list(arguments))
    content = page(path for name, path in models().items() if options.only in name)
    if options.write:
        PAGE.write_text(content)
    else:
        print(content, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
