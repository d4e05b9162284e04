"""Writes the page docs/results/ethos-u.md: cycles of models in Vela, as `.tflite` and as our `.tosa`.

    PYTHONPATH=tests python -m longer.vela
    PYTHONPATH=tests python -m longer.vela ethos-u85 FILE.tflite ...

The second prints the lines of single files. The page takes about 6 minutes.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.commands import MODELS
from support.results_page import measured_part

import tosa_converter as tc
from tosa_converter.engines.vela import ACCELERATORS, Estimate, compile_file
from tosa_converter.errors import ConverterError
from tosa_converter.proof.zoo import manifest, path_of

RUNS = 4
FLOATS = "floats"
SEVERAL = 4  # kinds of operators that a line names
OTHERS = """| not wholly on the NPU | left to the processor | our `.tosa` |
| --- | --- | --- |"""
HEAD = """| model | `.tflite` | our `.tosa` | ratio | of outputs differ | by at most |
| --- | ---: | ---: | ---: | ---: | ---: |"""


class Line(NamedTuple):
    """The results of a model on both ways; deviation is how many elements differ, their total, and the most steps."""

    name: str
    direct: Estimate | None
    ours: Estimate | None
    refusal: str
    deviation: tuple[int, int, int] = (0, 0, 0)

    @property
    def ratio(self) -> float:
        """Returns our cycles divided by those of the direct way."""
        assert self.direct is not None
        assert self.ours is not None
        return self.ours.cycles / self.direct.cycles

    def row(self) -> str:
        """Returns the row in the table of models that the NPU runs completely."""
        assert self.direct is not None
        if self.ours is None:
            return f"| {self.name} | {self.direct.cycles:,.0f} | {self.refusal} | | | |"
        differing, elements, steps = self.deviation
        figures = f"{self.direct.cycles:,.0f} | {self.ours.cycles:,.0f} | {self.ratio:.3f}"
        return f"| {self.name} | {figures} | {differing:,} of {elements:,} | {steps} |"

    def outside(self) -> str:
        """Returns the row in the table of the others: the operators left to the CPU, and the result of our file."""
        left = Counter({"": 0}) if self.direct is None else self.direct.left
        named = ", ".join(f"{count} {name}" for name, count in left.most_common(SEVERAL) if count)
        more = f" and {len(left) - SEVERAL} more" if len(left) > SEVERAL else ""
        ours = f"taken, {self.ours.cycles:,.0f} cycles" if self.ours else self.refusal
        return f"| {self.name} | {named + more if self.direct else 'refused'} | {ours} |"


def line(path: Path, target: str, folder: Path) -> Line:
    """Compiles one model for one target on both ways."""
    try:
        direct = compile_file(path, target)
    except ConverterError:
        direct = None
    written = folder / f"{path.stem}.tosa"
    try:
        tc.save(tc.convert(path, target=target), written)
        ours = compile_file(written, target)
    except ConverterError as refusal:
        return Line(path.stem, direct, None, _reason(refusal))
    measured = direct is not None and direct.whole
    return Line(path.stem, direct, ours, "", deviation(path, target) if measured else (0, 0, 0))


def _reason(refusal: ConverterError) -> str:
    """Returns the unsupported operators by name, or Vela's error."""
    first, *places = refusal.lines
    if first.startswith("Vela"):
        return places[-1].removeprefix("RuntimeError: ") if places else first
    if any("PRO-FP" in text for text in places):
        return FLOATS
    words = [text.partition(" at main:")[2].split(" ") for text in places]
    operators = Counter(match[1] for match in words if match[1:])
    named = ", ".join(f"{count} {name}" for name, count in operators.most_common(SEVERAL))
    return f"{'; '.join(dict.fromkeys(text.rpartition(': needs ')[2] for text in places))} in {named}"


def deviation(path: Path, target: str) -> tuple[int, int, int]:
    """Returns how many output elements differ from LiteRT's reference kernels, their total, and the most steps."""
    outputs = [
        output
        for comparison in tc.verify(path, target=target, runs=RUNS).comparisons
        if comparison.engine == "executor"
        for output in comparison.outputs
    ]
    most = max(output.max_abs for output in outputs)
    return sum(output.mismatches for output in outputs), sum(output.elements for output in outputs), round(most)


def every() -> list[Path]:
    return [*map(path_of, manifest()), *sorted((MODELS / "small").glob("*.tflite"))]


def page() -> Iterator[str]:
    """Yields the page, target by target."""
    with tempfile.TemporaryDirectory() as folder:
        for target, accelerator in ACCELERATORS.items():
            lines = [line(path, target, Path(folder)) for path in every()]
            whole = [entry for entry in lines if entry.direct and entry.direct.whole]
            yield f"\n## {target} ({accelerator})\n\n{HEAD}"
            yield from (entry.row() for entry in whole)
            yield f"\n{summary(whole)}\n\n{OTHERS}"
            yield from (entry.outside() for entry in lines if entry not in whole and entry.refusal != FLOATS)
    yield f"\nOf floats, which no Ethos-U takes: {', '.join(entry.name for entry in lines if entry.refusal == FLOATS)}."


def summary(whole: Sequence[Line]) -> str:
    """Returns the means over the int8 and the int16x8 models."""
    texts = []
    for label, sixteen in (("int8", False), ("int16x8", True)):
        of = [entry for entry in whole if entry.name.endswith("int16x8") == sixteen]
        ratios = [entry.ratio for entry in of if entry.ours]
        texts.append(f"{label}: {len(ratios)} of {len(of)} taken, geometric mean {np.exp(np.mean(np.log(ratios))):.3f}")
    return "; ".join(texts) + "."


def main() -> int:
    """Prints the page or the lines; returns exit status 0."""
    target, *paths = sys.argv[1:] or [""]
    with tempfile.TemporaryDirectory() as folder:
        for path in map(Path, paths):
            entry = line(path, target, Path(folder))
            print(entry.row() if entry.direct and entry.direct.whole else entry.outside(), flush=True)
    if not paths:
        with measured_part("ethos-u.md"):
            print("\n".join(page()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
