"""`tflite-to-tosa MODEL --partial DIR`: what converts, what doesn't, and the manifest that orders them."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import tosa_converter as tc
from tosa_converter.cli import report
from tosa_converter.cli.columns import counted
from tosa_converter.cli.conversion_screen import border_lines, label_lines
from tosa_converter.cli.sources import read_model
from tosa_converter.conversion import count_ops
from tosa_converter.formats.storage import make_folder
from tosa_converter.formats.table import MANIFEST
from tosa_converter.ir import Border, BorderRow, border_rows


class Step(NamedTuple):
    """A file of a chain, with its operators without constants."""

    file: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    ops: dict[str, int]


class Chain(NamedTuple):
    """A chain of files, with notes as pairs of place and text."""

    source: str
    manifest: str
    steps: tuple[Step, ...]
    notes: tuple[tuple[str, str], ...]
    borders: tuple[BorderRow, ...]

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for --json."""
        notes = [{"location": place, "text": text} for place, text in self.notes]
        borders = [row.figures() for row in self.borders]
        return {**self._asdict(), "steps": [step._asdict() for step in self.steps], "notes": notes, "borders": borders}


def convert_partially(path: str, folder: str, json: bool, **options: Any) -> int:
    """Converts the supported parts of a model, and writes these and the rest to a folder with a manifest."""
    source, _ = read_model(path)
    chain = tc.convert_partially(source, **options)
    manifest = os.path.join(folder, MANIFEST)
    make_folder(folder)
    tc.save(chain, manifest)
    steps = tuple(
        Step(
            op.location,
            tuple(value.name for value in op.operands),
            tuple(value.name for value in op.results),
            dict(count_ops(op.attributes["model"]).most_common()),
        )
        for op in tc.load(manifest).main  # as it was written, with the names of files
    )
    done = Chain(path, manifest, steps, tuple(chain.notes), tuple(_border_rows(chain, source, options)))
    report.present(done.figures, lambda: _lines(done), json=json)
    return 0


def _border_rows(chain: tc.Model, source: tc.Model, options: Mapping[str, Any]) -> Iterator[BorderRow]:
    """Yields a row for each input and output of a chain: what the source has, and what it became.

    `options` may ask for other types and layouts than the source's; the rows have these as `stored`.
    """
    selected = tc.selected(source, options["signature"]) if options.get("signature") else source
    asked = tc.with_borders(selected, io_types=options.get("io_types"), io_layouts=options.get("io_layouts"))
    values = (*selected.main.inputs, *selected.main.outputs)
    for row, value in zip(border_rows(chain, {chain.main: asked.main}), values, strict=True):
        yield row._replace(source=Border.of(value))


def _lines(done: Chain) -> list[str]:
    """Returns a line for each file with its operators, then what can't be converted and why."""
    lines = [f"{done.source} -> {done.manifest}"]
    for step in done.steps:
        lines.append(f"  {step.file:<10} {', '.join(step.inputs)} -> {', '.join(step.outputs)}")
        operators = counted(sum(step.ops.values()), "operator")
        lines.append(f"  {'':<10} {operators if step.file.endswith('.tosa') else ', '.join(step.ops)}")
    lines += border_lines(done.borders, verbose=False)
    for place, text in done.notes:
        lines += label_lines("note", f"{place}: {text}")
    return lines
