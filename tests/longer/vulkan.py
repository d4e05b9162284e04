"""Compares models for Vulkan with the model converter's modules, and their runs with LiteRT, as a table in Markdown.

    PYTHONPATH=tests python -m longer.vulkan [NAME ...]

Each network of the repository and the zoo is converted by `--target vulkan-ml`, its module held against that of the
model converter for the same graph, and run on Vulkan, those with state for several steps. Exit status 1 where spirv-val
or a comparison objects.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from support.commands import MODELS
from support.spirv_listing import Listed, listing
from support.spirv_tools import converted, validate

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.formats.spirv.constants import storage_array
from tosa_converter.formats.spirv.writer import write_spirv
from tosa_converter.proof.zoo import manifest, path_of

TARGET = "vulkan-ml"
STEPS = 6
HEAD = """| model | instructions | the model converter's | on Vulkan |
| --- | ---: | --- | --- |"""


def line(path: Path) -> tuple[str, bool]:
    """Returns a row of the table, and whether all comparisons pass."""
    try:
        source = tc.load(path)
        model = tc.convert(source, target=TARGET)
        with tempfile.TemporaryDirectory() as folder:
            instructions, theirs, invalid = compared(model, Path(folder))
        ran, good = executed(source, model)
    except ConverterError as refusal:
        return f"| {path.stem} | - | - | {refusal.lines[0].splitlines()[0]} |", False
    return f"| {path.stem} | {instructions:,} | {invalid or theirs} | {ran} |", good and not invalid


def compared(model: tc.Model, folder: Path) -> tuple[int, str, str]:
    """Returns the instruction count, the differences to the model converter, and spirv-val's errors."""
    path = folder / "ours.spv"
    tc.save(model, path)
    module = write_spirv(model.main)
    ours = listing(path, {i: storage_array(value).tobytes() for i, value in enumerate(module.constants)})
    words, constants = converted(model, folder)
    (folder / "theirs.spv").write_bytes(words)
    theirs = listing(folder / "theirs.spv", constants)
    return len(ours), "the same" if ours == theirs else differences(ours, theirs), validate(path)


def differences(ours: Sequence[Listed], theirs: Sequence[Listed]) -> str:
    """Returns the instructions that only one side has, with values named by their producers."""
    left, right = Counter(map(_shape, ours)), Counter(map(_shape, theirs))
    only = [f"-{n} {name}" for name, n in Counter(name for name, *_ in (left - right).elements()).items()]
    only += [f"+{n} {name}" for name, n in Counter(name for name, *_ in (right - left).elements()).items()]
    return " ".join(only) or "the same in another order"


def _shape(instruction: Listed) -> tuple[str, ...]:
    return (
        instruction.name,
        instruction.type,
        *("value" if operand.startswith("value") else operand for operand in instruction.operands),
    )


def executed(source: tc.Model, model: tc.Model) -> tuple[str, bool]:
    """Returns the comparison of the results on Vulkan with LiteRT's, and whether `verify` accepts them."""
    (report,) = tc.compare(source, model, runs=1, steps=STEPS * source.stateful, against="litert,vulkan")
    wrong, elements = (sum(getattr(output, name) for output in report.outputs) for name in ("mismatches", "elements"))
    worst = max(output.max_abs / (output.reference_max or 1) for output in report.outputs)
    text = f"{wrong:,} of {elements:,} differ, {worst:.1e} of the largest" if wrong else "bit-exact"
    return text if report.verdict else f"DIFFERS: {text}", report.verdict


def main() -> int:
    """Prints the table; returns the exit status."""
    names = sys.argv[1:]
    every = [*map(path_of, manifest()), *sorted((MODELS / "small").glob("*.tflite"))]
    print(HEAD)
    failed = 0
    for path in (path for path in every if not names or path.stem in names):
        row, good = line(path)
        print(row, flush=True)
        failed += not good
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
