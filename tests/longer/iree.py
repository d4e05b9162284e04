"""What IREE makes of TOSA: every row of the type tables, or the models that LiteRT runs, as a table in Markdown.

`PYTHONPATH=tests python -m longer.iree operators`, `... models [NAME ...]`. Exit status 1 where a result differs.
"""

import importlib.metadata
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from support.commands import MODELS
from support.spirv_cases import CASES, Case
from support.vulkan_cases import judge

import tosa_converter as tc
from tosa_converter.engines.iree import Iree
from tosa_converter.errors import ConverterError, UnsupportedError
from tosa_converter.formats.storage import cache_folder
from tosa_converter.ir import Model
from tosa_converter.proof.compare import DIFFERS, SPREAD
from tosa_converter.proof.zoo import manifest, path_of

PRESET, STEPS = "iree-cpu", 50
SHAPES = {"melspectrogram": {"serving_default_input:0": (1, 1280)}}  # where the file's own is too small to run
UNJUDGED = ("face_landmark_with_attention",)  # LiteRT lacks its operators
KEPT = Path(cache_folder("iree")) / "models.jsonl"


class Row(NamedTuple):
    """An operator on some types: how many of its graphs run, and what happens to the others."""

    name: str
    good: int
    refused: Counter[str]
    differing: list[str]

    def text(self) -> str:
        parts = [f"{self.good} as they should be"] if self.good else []
        parts += [f"{count} refused: {reason}" for reason, count in self.refused.items()]
        return f"| {self.name} | {'; '.join([*parts, *self.differing])} |"


def operators() -> Iterator[Row]:
    """A row for everything that isn't as it should be, and one that sums up the rest."""
    engine, rows = Iree(), dict[str, Row]()
    for case in CASES:
        row = rows.setdefault(case.name.rpartition("_")[0], Row(case.name.rpartition("_")[0], 0, Counter(), []))
        rows[row.name] = _counted(row, case, engine)
    whole = [row for row in rows.values() if not row.refused and not row.differing]
    yield Row(f"{len(whole)} operators and types", sum(row.good for row in whole), Counter(), [])
    yield from (row for row in rows.values() if row not in whole)


def _counted(row: Row, case: Case, engine: Iree) -> Row:
    try:
        wrong = judge(case, engine, excused=())
    except UnsupportedError as refusal:
        row.refused[_reason(refusal)] += 1
        return row
    except ConverterError as failure:
        wrong = str(failure)
    return (
        row._replace(differing=[*row.differing, f"{case.name}: {wrong}"]) if wrong else row._replace(good=row.good + 1)
    )


def _reason(refusal: UnsupportedError) -> str:
    """The first thing that the compiler says, without the place."""
    return re.sub(r"^here/\w+: ", "", refusal.lines[1]).partition(", did you mean")[0]


class Outcome(NamedTuple):
    """A model through IREE; `refusal` says why there are no figures."""

    name: str
    module: str  # the name of its file, which tells one text from another
    steps: int
    rule: str
    wrong: int
    elements: int
    worst: float  # of the largest element
    seconds: float  # of the processor for the compiler
    size: int
    refusal: str = ""

    @property
    def good(self) -> bool:
        """Whether the conversion counts as equivalent."""
        return not self.refusal and self.rule != DIFFERS

    def text(self) -> str:
        figures = f"{self.seconds:.1f} s, {self.size / 1024:.0f} KB"
        if self.refusal:
            return f"| {self.name} | refused: {self.refusal} | |"
        verdict = f"{self.wrong} of {self.elements} differ, {self.worst:.1g} of the largest: {self.rule}"
        return f"| {self.name} | {verdict} | {figures} |"


def models(paths: Sequence[Path]) -> Iterator[Outcome]:
    """What becomes of each model; what was found before for the same module is taken over."""
    known = {outcome.module: outcome for outcome in _kept()}
    engine = Iree()
    for path in paths:
        try:
            source = tc.load(path)
            shapes = SHAPES.get(path.stem)
            model = tc.convert(source, target=PRESET, input_shapes=shapes)
            module = engine.module_path(model)
            outcome = known.get(module.name)
            if outcome is None:
                outcome = _outcome(path.stem, source, model, engine)
                with KEPT.open("a") as file:
                    file.write(json.dumps(outcome) + "\n")
        except ConverterError as error:
            outcome = Outcome(path.stem, "", 0, "", 0, 0, 0.0, 0.0, 0, " ".join(error.lines[:2]))
        yield outcome._replace(name=path.stem)


def _kept() -> list[Outcome]:
    return [Outcome(*json.loads(line)) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def _outcome(name: str, source: Model, model: Model, engine: Iree) -> Outcome:
    """Compiled now, and compared with LiteRT's reference kernels; our executor where those don't run the source."""
    path = engine.module_path(model)
    path.unlink(missing_ok=True)
    started = os.times().children_user
    size = engine.module(model).stat().st_size
    seconds = os.times().children_user - started
    oracle, reference = (model, "") if name in UNJUDGED else (source, "litert,")
    steps = STEPS * model.stateful
    (report,) = tc.compare(oracle, model, runs=1 if steps else 2, steps=steps, against=f"{reference}iree")
    worst = max(output.max_abs / (output.reference_max or 1) for output in report.outputs)
    wrong, elements = (
        sum(counts) for counts in zip(*((o.mismatches, o.elements) for o in report.outputs), strict=True)
    )
    rules = {output.rule for output in report.outputs}
    rule = next(rule for rule in (DIFFERS, SPREAD, *sorted(rules, reverse=True)) if rule in rules)
    return Outcome(name, path.name, steps, rule, wrong, elements, worst, seconds, size)


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A table in Markdown; models that are equal in every element share a row."""
    version = importlib.metadata.version("iree-base-compiler")
    made = f"{time.strftime('%Y-%m-%d')}, IREE {version}, `--target {PRESET}`, {STEPS} steps where a model has state"
    yield f"`PYTHONPATH=tests python -m longer.iree models`, {made}."
    yield ""
    yield "| model | against LiteRT's reference kernels | compiler's CPU time, size |"
    yield "| --- | --- | --- |"
    yield from (outcome.text() for outcome in outcomes if outcome.wrong or outcome.refusal)
    equal = [outcome for outcome in outcomes if not (outcome.wrong or outcome.refusal)]
    names = (f"{outcome.name} ({outcome.seconds:.1f} s, {outcome.size / 1024:.0f} KB)" for outcome in equal)
    elements = sum(outcome.elements for outcome in equal)
    yield f"| {', '.join(names)} | each of {elements:,} elements equal | |"


def main() -> int:
    what, *names = sys.argv[1:] or ["operators"]
    if what == "operators":
        rows = []
        for row in operators():
            print(row.text(), flush=True)
            rows.append(row)
        return int(any(row.differing for row in rows))
    every = [*sorted((MODELS / "small").glob("*.tflite")), *map(path_of, manifest())]
    outcomes = []
    for outcome in models([path for path in every if not names or path.stem in names]):
        print(outcome.text(), file=sys.stderr, flush=True)
        outcomes.append(outcome)
    print("\n".join(table(outcomes)))
    return int(not all(outcome.good for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
