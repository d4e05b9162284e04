"""What every conversion of the manifest becomes on the ways back, as operators and hashes of the whole file.

`GOLDEN=write python -m pytest tests/legalize/test_written_back.py` writes the table anew: the `.tflite` and the `.xnn`
of a conversion in the reference numerics, then those of one in XNNPACK's. What these files compute is judged by LiteRT
and XNNPACK, in test_to_tflite.py, test_to_xnn.py and the longer checks. The table shows every change, in any operand,
option or constant.
"""

import os
from collections.abc import Callable
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from longer.conversions import Line, model_of, short
from support.manifest import groups

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode

TABLE = Path(__file__).with_name("written_back.tsv")
GROUPS = groups("models/small/")
WAYS: dict[str, dict[str, Callable[[tc.Model], tc.Model]]] = {  # by numerics and ending of the file
    "reference": {".tflite": tc.to_tflite, ".xnn": tc.to_xnn},
    "xnnpack": {".tflite": tc.to_tflite, ".xnn": tc.to_xnn},
}
USUAL = {"reference": ".tflite", "xnnpack": ".xnn"}
OTHER_SCALES = ("golden/apart.", "golden/alike.")  # models that only the usual ways are tried on


def rows_of(line: Line) -> list[list[str]]:
    """Returns the row of a model, if it can be read."""
    model = model_of(line.name)
    if model is None:
        return []
    row = [line.name]
    for numerics, ways in WAYS.items():
        try:
            conversion = tc.convert(model, numerics=numerics)
        except ConverterError as error:
            row += [type(error).__name__] * len(ways)
            continue
        for ending, write in ways.items():
            left_out = line.name.startswith(OTHER_SCALES) and USUAL[numerics] != ending
            row.append("" if left_out else written_back(conversion, write, ending))
    return [row]


def written_back(conversion: tc.Model, write: Callable[[tc.Model], tc.Model], ending: str) -> str:
    """Returns a hash of the file and its operators."""
    try:
        back = write(conversion)
        content = b"".join(map(bytes, encode(back, ending)))
    except ConverterError as error:
        return type(error).__name__
    return f"{short(content)} {operators(back)}"


def operators(model: tc.Model) -> str:
    """The operators of the main graph in order, repetitions counted."""
    names = [op.name.partition(".")[2] for op in model.main if not op.name.endswith("const")]
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return " ".join(name if count == 1 else f"{count}*{name}" for name, count in runs)


@cache
def table() -> dict[str, list[str]]:
    if os.environ.get("GOLDEN") == "write":
        rows = [row for lines in GROUPS.values() for line in lines for row in rows_of(line)]
        TABLE.write_text("".join("\t".join(row) + "\n" for row in rows))
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()]
    return {row[0]: row for row in rows}


@pytest.mark.parametrize("group", GROUPS)
def test_files_are_as_they_were(group: str) -> None:
    rows = [row for line in GROUPS[group] for row in rows_of(line)]
    assert rows == [table()[line.name] for line in GROUPS[group] if line.name in table()]


def test_the_table_lists_every_model() -> None:
    readable = {line.name for lines in GROUPS.values() for line in lines if len(line.hashes) > 1}
    assert table().keys() == readable
