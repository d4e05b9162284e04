"""`tflite-to-tosa diff`: two models beside each other."""

from dataclasses import replace
from typing import Annotated, Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.input_files import InputFiles
from tosa_converter.cli.sources import PIPE, require_one_pipe, source_file
from tosa_converter.options import Flag


@options.takes(options.DIFF)
def diff(
    first: Annotated[str, Flag(metavar="FIRST", help="The reference.")],
    second: Annotated[str, Flag(metavar="SECOND", help="A model with the same inputs and outputs.")],
    json: options.Json = False,
    **words: Any,
) -> int:
    """Compare two files of any format; exit status 1 if they compute different results."""
    require_one_pipe(first, second)
    files = InputFiles.of(words)
    arguments = options.api_values(words)
    models = tc.load(source_file(first)), tc.load(source_file(second))
    if any(files):
        arguments["inputs"] = files.sets(models[0], {}, arguments["steps"])
    comparison = tc.diff(*models, **arguments)
    names = [
        PIPE if name == PIPE else found for name, found in ((first, comparison.first), (second, comparison.second))
    ]
    comparison = replace(comparison, first=names[0], second=names[1])
    report.present(comparison.figures, lambda: report.diff_lines(comparison), json=json)
    return 0 if comparison.same_function else 1
