"""What IREE makes of TOSA: every row of the type tables, or the models that LiteRT runs, as a table in Markdown.

`PYTHONPATH=tests python -m longer.iree operators`, `... models [NAME ...]`. Exit status 1 where a result differs.
"""

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.commands import MODELS
from support.spirv_cases import CASES, Case
from support.vulkan_cases import judge

import tosa_converter as tc
from tosa_converter.engines.iree import Iree
from tosa_converter.errors import ConverterError, UnsupportedError
from tosa_converter.ir import Array, Model
from tosa_converter.proof.zoo import manifest, path_of

TOKENS = 200  # in the embedding of torch_bert_small


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


def models(paths: Sequence[Path]) -> Iterator[tuple[str, bool, str]]:
    """Name, whether it is equivalent, and the figures of each model, of several steps where it has state."""
    for path in paths:
        started = time.perf_counter()
        try:
            source = tc.load(path)
            model = tc.convert(source)
            inputs = [] if model.stateful else [_drawn(source, seed) for seed in range(2)]
            (report,) = tc.compare(source, model, inputs=inputs, against="litert,iree", steps=50 * model.stateful)
        except ConverterError as error:
            yield path.stem, False, f"{error.lines[0]} {error.lines[1] if len(error.lines) > 1 else ''}"
            continue
        wrong = sum(output.mismatches for output in report.outputs)
        worst = max(output.max_abs / (output.reference_max or 1) for output in report.outputs)
        text = f"{wrong} of {sum(output.elements for output in report.outputs)} differ, {worst:.1g} of the largest"
        yield path.stem, report.verdict, f"{text}; {time.perf_counter() - started:.1f} s"


def _drawn(source: Model, seed: int) -> dict[str, Array]:
    """Random inputs, those of int32 the numbers of tokens."""
    drawn = tc.random_inputs(source, seed=seed)
    return {name: abs(array) % TOKENS if array.dtype == np.int32 else array for name, array in drawn.items()}


def main() -> int:
    what, *names = sys.argv[1:] or ["operators"]
    if what == "operators":
        rows = []
        for row in operators():
            print(row.text(), flush=True)
            rows.append(row)
        return int(any(row.differing for row in rows))
    every = [*sorted((MODELS / "small").glob("*.tflite")), *map(path_of, manifest())]
    failed = 0
    for name, verdict, text in models([path for path in every if not names or path.stem in names]):
        print(f"| {name} | {'equivalent' if verdict else 'no'} | {text} |", flush=True)
        failed += not verdict
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
