"""TFLite -> TOSA -> TFLite: which models come back, whether LiteRT computes the same, and of how many operators.

python benchmarks/tflite_out.py [MODEL ...] > docs/tflite-out.md

Nothing but the bytes of the `.tosa` goes from one half to the other, which is another process.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.conversion import count_ops
from tosa_converter.engines import engine_named

ZOO = Path.home() / ".cache" / "tosa-converter" / "zoo"
BACK = "import sys, tosa_converter as tc; tc.save(tc.to_tflite(sys.argv[1]), sys.argv[2])"


class Row(NamedTuple):
    """What came of a model."""

    name: str
    before: int
    after: int
    equal: str


def returned(path: Path, folder: Path) -> Row:
    """A model there and back."""
    source = tc.load(path)
    before = count_ops(source).total()
    tosa, back = folder / "m.tosa", folder / "m.tflite"
    try:
        tc.save(tc.convert(source), tosa)
    except tc.ConverterError as error:
        return Row(path.name, before, 0, f"no TOSA: {first_line(error)}")
    done = subprocess.run([sys.executable, "-c", BACK, tosa, back], capture_output=True, text=True, timeout=900)
    if done.returncode:
        return Row(path.name, before, 0, f"refused: {done.stderr.strip().splitlines()[-1][:200]}")
    return Row(path.name, before, count_ops(tc.load(back)).total(), compared(source, tc.load(back)))


def first_line(error: Exception) -> str:
    """What an error says first."""
    return str(error).splitlines()[0][:160]


def compared(source: tc.Model, back: tc.Model) -> str:
    """Whether both compute the same on random inputs, in LiteRT's reference kernels."""
    try:
        feed = tc.random_inputs(source, seed=0)
        engine = engine_named("litert")
        wanted = list(engine.run(source, feed).values())
        names = [value.name for value in back.main.inputs]
        given = [converted(array, value) for array, value in zip(feed.values(), back.main.inputs, strict=True)]
        found = list(engine.run(back, dict(zip(names, given, strict=True))).values())
    except tc.ConverterError as error:
        return f"not run: {first_line(error)}"
    return ", ".join(dict.fromkeys(verdict(w, f) for w, f in zip(wanted, found, strict=True)))


def converted(array: tc.ir.Array, value: tc.Value) -> tc.ir.Array:
    """An input as TOSA's graph has it: without sign, and of 32 bits at most."""
    dtype = value.type.dtype.numpy
    return array.astype(dtype) if array.dtype == np.int64 else array.view(dtype)


def verdict(wanted: tc.ir.Array, found: tc.ir.Array) -> str:
    """How far an output is off."""
    if wanted.dtype.kind == "f":
        error = np.abs(wanted.astype(np.float64) - found).max(initial=0) / max(np.abs(wanted).max(initial=0), 1e-30)
        return "equal" if error == 0 else f"within {error:.1e}"
    found = found.view(wanted.dtype) if found.dtype.itemsize == wanted.dtype.itemsize else found
    differing = int((wanted != found).sum())
    return "equal" if not differing else f"{differing} of {wanted.size} differ"


def main() -> None:
    """The table."""
    paths = [Path(name) for name in sys.argv[1:]] or sorted(ZOO.glob("*.tflite"))
    print("| model | operators | back | ratio | in LiteRT |\n| --- | ---: | ---: | ---: | --- |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            row = returned(path, Path(folder))
            ratio = f"{row.after / row.before:.2f}" if row.after else ""
            print(f"| {row.name} | {row.before} | {row.after or ''} | {ratio} | {row.equal} |", flush=True)


if __name__ == "__main__":
    main()
