"""Reads every model of the repository and of the zoo a second time with the `tflite` package.

`PYTHONPATH=tests python -m longer.cross_check`. It prints where the readings differ. Exit status 1 where they do, or
where a model of the zoo can't be fetched.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from support.commands import MODELS

import tosa_converter as tc
from tosa_converter.proof.zoo import fetch, manifest


def files() -> Iterator[Path]:
    """Yields the TFLite models of the repository, then those of the zoo, which are fetched first."""
    yield from sorted(MODELS.rglob("*.tflite"))
    for _, path in fetch(manifest(), print):
        yield path


def main() -> int:
    """Compares both readings of every model, and returns the exit status."""
    started, fields, wrong, count = time.perf_counter(), 0, 0, 0
    for path in files():
        done = tc.cross_check(path)
        fields, count, wrong = fields + done.fields, count + 1, wrong + (not done.verdict)
        for difference in done.differences:
            print(f"{path.name}: {difference.place}: {difference.value} here, {difference.package_value} in tflite")
        for place in done.newer:
            print(f"{path.name}: {place}: newer than tflite {done.package}")
    print(f"{count} models, {fields} fields: {wrong} models differ; {time.perf_counter() - started:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
