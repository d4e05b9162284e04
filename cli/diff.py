"""`tflite-to-tosa diff`: two models beside each other."""

from typing import Annotated

from typer import Argument

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.sources import source_file


def diff(
    first: Annotated[str, Argument(metavar="FIRST", help="The reference.")],
    second: Annotated[str, Argument(metavar="SECOND", help="A model with the same inputs and outputs.")],
    runs: options.Runs = 1,
    steps: options.Steps = 0,
    seed: options.Seed = 0,
    limit: options.Limit = 10,
    json: options.Json = False,
) -> int:
    """Compare two files of any formats; exit status 1 unless they compute the same."""
    found = tc.diff(source_file(first), source_file(second), runs=runs, steps=steps, seed=seed, limit=limit)
    report.present(found.figures, lambda: report.diff_lines(found), json=json)
    return 0 if found.same_function else 1
