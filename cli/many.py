"""`tflite-to-tosa MODEL MODEL FOLDER -o DIR/`: many models in one command, at once, in processes that import once."""

import os
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tosa_converter.cli import report
from tosa_converter.cli.conversion import check_output, write_conversion
from tosa_converter.cli.progress import progress
from tosa_converter.cli.sources import PIPE
from tosa_converter.errors import ConverterError, UnsupportedError, UsageError
from tosa_converter.formats import FORMATS, PER_GRAPH, TOSA_ENDINGS, load, paths_of_graphs
from tosa_converter.formats.storage import files_below, make_folder
from tosa_converter.ir import Graph, Model
from tosa_converter.proof.runner import DONE, Attempt, run
from tosa_converter.rewriting.signatures import split_by_signature

SOURCES = tuple(row.ending for row in FORMATS if row.opset in ("tfl", "xnn"))
"""Endings of the models that are looked for in a folder."""
_DEFAULT = TOSA_ENDINGS[0]


class Row(NamedTuple):
    """What became of one model."""

    source: str
    output: str
    attempt: Attempt

    @property
    def outcome(self) -> str:
        """In a word."""
        if self.attempt.ended == DONE:
            return "converted"
        return "refused" if self.attempt.status == UnsupportedError.exit_status else self.attempt.ended

    def figures(self) -> dict[str, Any]:
        """The row as plain data."""
        attempt = self.attempt
        return {
            "source": self.source,
            "output": self.output,
            "outcome": self.outcome,
            "status": attempt.status,
            "errors": attempt.lines,
            "seconds": attempt.seconds,
            "conversion": attempt.value,
        }


def convert_many(
    models: Sequence[str],
    output: str,
    format: str,
    options: Mapping[str, Any],
    *,
    jobs: int,
    timeout: float,
    json: bool,
    verbose: bool,
) -> int:
    """Convert models, and those in folders, to a folder; the exit status is the worst of them."""
    if options.get("dump_ir"):
        raise UsageError("tflite-to-tosa convert: '--dump-ir' takes one model")
    ending = check_output(output, format or _DEFAULT)
    pairs = _planned(models, output, ending)
    for folder in dict.fromkeys(os.path.dirname(target) for _, target in pairs):
        make_folder(folder)
    calls = [(source, target, ending, options) for source, target in pairs]
    started, attempts = time.perf_counter(), dict[int, Attempt]()
    with progress("converting", len(pairs)) as done:
        for number, attempt in run(converted, calls, jobs=jobs, limit=timeout):
            attempts[number] = attempt
            done(attempt)
    seconds = time.perf_counter() - started
    rows = [Row(*pair, attempts[number]) for number, pair in enumerate(pairs)]
    report.present(lambda: [row.figures() for row in rows], lambda: _lines(rows, seconds, verbose), json=json)
    return max(row.attempt.status for row in rows)


def converted(source: str, target: str, ending: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A job: the figures of one conversion."""
    return write_conversion(source, target, ending, **options).figures()


def _planned(models: Sequence[str], output: str, ending: str) -> list[tuple[str, str]]:
    """Every model with its file in the output's folder; models in a folder keep their places in it.

    Raises:
        UsageError: there are none, or one of these files is another's too, or a model itself.
    """
    file = os.path.exists(output) and not os.path.isdir(output)
    if file or output == PIPE or os.path.splitext(output)[1].lower() in TOSA_ENDINGS:
        raise UsageError(f"{output}: expected a folder for what becomes of several models or of a folder")
    pairs = [
        (source, os.path.join(output, os.path.splitext(place)[0] + ending))
        for model in models
        for source, place in _sources(model)
    ]
    if not pairs:
        raise UsageError(f"{', '.join(models)}: no {', '.join(SOURCES)} in it")
    places = {os.path.realpath(source): source for source, _ in pairs}
    near = _near({_stem(path) for pair in pairs for path in pair}) if ending in PER_GRAPH else ()
    for source, target in pairs:
        for made in _by_signature(source, target, ending) if _stem(target) in near else [target]:
            place = os.path.realpath(made)
            if place in places:
                raise UsageError(f"{source} would become {made}, which {places[place]} is or becomes too")
            places[place] = source
    return pairs


def _stem(path: str) -> str:
    return os.path.splitext(os.path.realpath(path))[0]


def _near(stems: Collection[str]) -> set[str]:
    """Those that begin as another one and a dot, and these others: a signature's file may be called so."""
    found = set[str]()
    for stem in stems:
        folder, name = os.path.split(stem)
        parts = name.split(".")
        begins = {os.path.join(folder, ".".join(parts[:i])) for i in range(1, len(parts))}.intersection(stems)
        found |= {*begins, stem} if begins else begins
    return found


def _by_signature(source: str, target: str, ending: str) -> list[str]:
    """The files that a model becomes, by its signatures, as far as it can be read."""
    graphs: dict[str, Graph] = {}
    if os.path.isfile(source):
        with suppress(ConverterError):  # that it can't be read is told in its turn
            graphs = {one.main.name: one.main for one in split_by_signature(load(source)).values()}
    return paths_of_graphs(Model(graphs), target, format=ending) if graphs else [target]


def _sources(model: str) -> list[tuple[str, str]]:
    """A model with its name, or those in a folder with their places in it."""
    if model == PIPE:
        raise UsageError("of several models none can be '-'")
    if not os.path.isdir(model):
        return [(model, os.path.basename(model))]
    return [(path, os.path.relpath(path, model)) for path in files_below(model, SOURCES)]


def _lines(rows: Sequence[Row], seconds: float, verbose: bool) -> Iterator[str]:
    for row in rows:
        yield f"{row.outcome:<11}{row.source} -> {_text(row)}"
        if verbose:
            yield from (f"{'':11}{line}" for line in row.attempt.lines[1:])
    counts = Counter(row.outcome for row in rows).most_common()
    yield f"{len(rows)} models: {', '.join(f'{count} {outcome}' for outcome, count in counts)} in {seconds:.1f} s"


def _text(row: Row) -> str:
    """The output and what it is, or why there is none."""
    found = row.attempt.value
    if found is None:
        return row.attempt.lines[0]
    operators = " -> ".join(str(sum(found[key].values())) for key in ("source_ops", "tosa_ops"))
    milliseconds = f"{row.attempt.seconds * 1e3:.0f} ms"
    return f"{', '.join(found['files'])}  {operators} operators, needs {found['needs']}, {milliseconds}"
