"""`tflite-to-tosa diff`: two models beside each other."""

from typing import Annotated, Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.sources import source_file
from tosa_converter.options import Flag


@options.takes(options.COMPARED)
def diff(
    first: Annotated[str, Flag(metavar="FIRST", help="The reference.")],
    second: Annotated[str, Flag(metavar="SECOND", help="A model with the same inputs and outputs.")],
    json: options.Json = False,
    **words: Any,
) -> int:
    """Compare two files of any format; exit status 1 if they compute different results."""
    comparison = tc.diff(source_file(first), source_file(second), **words)
    report.present(comparison.figures, lambda: report.diff_lines(comparison), json=json)
    return 0 if comparison.same_function else 1
