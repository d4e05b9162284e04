"""`tflite-to-tosa diff`: two models beside each other."""

from collections import Counter
from dataclasses import replace
from typing import Annotated, Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.columns import wrap
from tosa_converter.cli.input_files import InputFiles
from tosa_converter.cli.output_table import Group, output_lines
from tosa_converter.cli.printing import Line
from tosa_converter.cli.sources import PIPE, require_one_pipe, source_file
from tosa_converter.cli.verification_screen import verdict_lines
from tosa_converter.options import Flag

_INDENT = 13  # columns of the longest label: "  structure  "


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
    comparison = replace(
        comparison,
        first=PIPE if first == PIPE else comparison.first,
        second=PIPE if second == PIPE else comparison.second,
    )
    report.present(comparison.figures, lambda: diff_lines(comparison), json=json)
    return 0 if comparison.same_function else 1


def diff_lines(diff: tc.Diff) -> list[Line]:
    """Returns the report of a comparison of two files: the verdict, outputs, operators that differ."""
    lines = verdict_lines(diff.same_function, _sentence(diff))
    if diff.outputs:
        lines += wrap("  run by", " and ".join(diff.engines), _INDENT)
        lines += output_lines([Group("", diff.outputs)], most=None)
    for change in diff.changes:
        place = " | ".join(part or "-" for part in (change.first, change.second))
        text = f"{change.graph}: {place}{f': {change.text}' if change.text else ''}"
        lines += wrap(f"  {change.kind}", text, _INDENT)
    for border in diff.borders:
        lines += wrap("  border", f"{border.place}: {border.text}", _INDENT)
    return [*lines, *wrap("  note", diff.note, _INDENT)] if diff.note else lines


def _sentence(diff: tc.Diff) -> str:
    """Returns the verdict in words: whether both compute the same function, and by the same operators.

    Files whose inputs or outputs differ aren't run.
    """
    function = "the same function" if diff.same_function else "not the same function" if diff.outputs else "not run"
    counts = Counter(change.kind for change in diff.changes)
    many = ", ".join(f"{count} in {kind}" for kind, count in counts.items())
    operators = f"operators differ: {many}" if many else "the same operators" if diff.same_operators else ""
    return f"{diff.first}, {diff.second}: {'; '.join(part for part in (function, operators) if part)}"
