"""Writes the page docs/results/tflite-out.md: the operators from TOSA to TFLite, and round trips of models.

    PYTHONPATH=tests python -m longer.tflite_out
    PYTHONPATH=tests python -m longer.tflite_out FILE ...

The second prints the lines of single files: TFLite models go to TOSA and back, `.tosa` files (of any tool) to TFLite,
where LiteRT is compared with the executor. Nothing but the bytes of the `.tosa` goes into the second half, which is
another process. The page takes about 3 minutes.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.commands import MODELS
from support.results_page import measured_part
from support.tflite_coverage import table

import tosa_converter as tc
from tosa_converter.conversion import count_ops
from tosa_converter.engines import Arrays, engine_named
from tosa_converter.proof.zoo import cache_folder

BACK = "import sys, tosa_converter as tc; tc.save(tc.to_tflite(sys.argv[1]), sys.argv[2])"
HEAD = "| model | operators | back | ratio | in LiteRT |\n| --- | ---: | ---: | ---: | --- |"
MODELS_THERE_AND_BACK = """
## Models there and back

TFLite to TOSA, and from the bytes of that file alone, in another process, back. Operators are counted without
constants; equality is that of the outputs in LiteRT's reference kernels on random inputs.
In detections.float32, LiteRT leaves what stands behind the last detection to chance; the file written has the TOSA
graph's zeros there.
"""
COVERAGE = """
## What becomes of each operator

Of operators alone, with operands as LiteRT has no quantized operator for them; constants are left out.
"""


class Row(NamedTuple):
    """The outcome of a model."""

    name: str
    before: int
    after: int
    equal: str


def returned(path: Path, folder: Path) -> Row:
    """Runs the round trip of a TFLite model, or the way of a TOSA model to TFLite."""
    source = tc.load(path)
    before = count_ops(source).total()
    tosa, back = folder / "m.tosa", folder / "m.tflite"
    try:
        tc.save(tc.convert(source), tosa)
    except tc.ConverterError as error:
        return Row(path.name, before, 0, f"no TOSA: {first_line(error)}")
    done = subprocess.run([sys.executable, "-c", BACK, tosa, back], capture_output=True, text=True, timeout=900)
    if done.returncode:
        return Row(path.name, before, 0, f"refused: {_reason(done.stderr)}")
    return Row(path.name, before, count_ops(tc.load(back)).total(), compared(source, tc.load(tosa), tc.load(back)))


def _reason(text: str) -> str:
    """Returns the last part of a refusal."""
    return text.strip().splitlines()[-1].rpartition("UnsupportedError: ")[2].strip()[:160]


def first_line(error: Exception) -> str:
    """Returns the first line of an error."""
    return str(error).splitlines()[0][:160]


def compared(source: tc.Model, tosa: tc.Model, back: tc.Model) -> str:
    """Returns whether the source, or the TOSA graph, and the written model agree on random inputs in LiteRT."""
    try:
        ends = zip(source.main.inputs, back.main.inputs, strict=True)
        shapes = {old.name: new.type.static for old, new in ends}
        drawn = tc.random_inputs(source, seed=0, input_shapes=shapes)
        feed = {name: _random_feed(array) for name, array in drawn.items()}
        values = zip(feed.values(), back.main.inputs, strict=True)
        inputs = {value.name: converted(array, value) for array, value in values}
        outputs = list(engine_named("litert").run(back, inputs).values())
        expected, whose = computed(source, tosa, feed, inputs)
    except tc.ConverterError as error:
        return f"not run: {first_line(error)}"
    return ", ".join(dict.fromkeys(verdict(w, f) for w, f in zip(expected, outputs, strict=True))) + whose


def computed(source: tc.Model, tosa: tc.Model, feed: Arrays, inputs: Arrays) -> tuple[list[tc.ir.Array], str]:
    """Returns the outputs of the source, or of its TOSA graph if LiteRT's reference kernels don't run the source."""
    if source.opset == "tosa":
        return list(tc.run(tosa, feed, limit=600).values()), " (to the executor)"
    try:
        return list(engine_named("litert").run(source, feed).values()), ""
    except tc.ConverterError:
        names = dict(zip((value.name for value in tosa.main.inputs), inputs.values(), strict=True))
        return list(
            tc.run(tosa, names, limit=600).values()
        ), " (to the executor: LiteRT's reference kernels refuse the source)"


def _random_feed(array: tc.ir.Array) -> tc.ir.Array:
    """Returns random inputs; those of 32 bits are small, as token numbers are."""
    return array % 200 if array.dtype == np.int32 else array


def converted(array: tc.ir.Array, value: tc.Value) -> tc.ir.Array:
    """Returns an input as TOSA's graph takes it: signless, and of at most 32 bits."""
    dtype = value.type.dtype.numpy
    return array.astype(dtype) if array.dtype == np.int64 else array.view(dtype)


def verdict(expected: tc.ir.Array, output: tc.ir.Array) -> str:
    """Returns the error of an output in words."""
    if expected.dtype.kind == "f":
        error = np.abs(expected.astype(np.float64) - output).max(initial=0) / max(
            np.abs(expected).max(initial=0), 1e-30
        )
        return "equal" if error == 0 else f"within {error:.1e}"
    output = output.view(expected.dtype) if output.dtype.itemsize == expected.dtype.itemsize else output
    differing = int((expected != output).sum())
    return "equal" if not differing else f"{differing} of {expected.size} differ"


def every_model() -> list[Path]:
    """Returns the networks of the repository and the zoo."""
    return [path for folder in (MODELS, MODELS / "small", cache_folder()) for path in sorted(folder.glob("*.tflite"))]


def print_rows(paths: list[Path]) -> None:
    """Prints a line for each model, and the number of equal ones."""
    print(HEAD, flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            rows.append(row := returned(path, Path(folder)))
            ratio = f"{row.after / row.before:.2f}" if row.after else ""
            print(f"| {row.name} | {row.before} | {row.after or ''} | {ratio} | {row.equal} |", flush=True)
    back = [row for row in rows if row.after]
    few = sum(row.after <= 1.5 * row.before for row in back)
    equal = sum(set(row.equal.partition(" (")[0].split(", ")) == {"equal"} for row in back)
    print(f"\n{len(rows)} models, {len(back)} come back, {equal} equal, {few} with a ratio of at most 1.5.")


def main(names: list[str]) -> None:
    """Prints the page, or the lines of some files."""
    if names:
        print_rows([Path(name) for name in names])
        return
    with measured_part("tflite-out.md"):
        print(MODELS_THERE_AND_BACK)
        print_rows(every_model())
        print(COVERAGE)
        print("\n".join(table()))


if __name__ == "__main__":
    main(sys.argv[1:])
