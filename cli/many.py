"""`tflite-to-tosa MODEL MODEL FOLDER -o DIR/`: many models in one command, at once, in processes that import once."""

import os
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tosa_converter.cli import report
from tosa_converter.cli.columns import counted, wrap
from tosa_converter.cli.conversion import check_output, write_conversion
from tosa_converter.cli.progress import progress
from tosa_converter.cli.sources import PIPE
from tosa_converter.errors import ConverterError, UnsupportedError, UsageError
from tosa_converter.formats import load, paths_of_graphs, refuse_foreign_folder
from tosa_converter.formats.storage import files_below, make_folder
from tosa_converter.formats.table import FORMATS, PER_GRAPH, TOSA_ENDINGS
from tosa_converter.ir import Graph, Model
from tosa_converter.proof.runner import DONE, Attempt, run
from tosa_converter.rewriting.signatures import split_by_signature

SOURCES = tuple(row.ending for row in FORMATS if row.opset in ("tfl", "xnn"))
"""Endings of the models that are looked for in a folder."""
_DEFAULT = TOSA_ENDINGS[0]
_INDENT = 11  # columns of an outcome: "converted  "


class Row(NamedTuple):
    """A model of several, its output, and how its conversion ended."""

    source: str
    output: str
    attempt: Attempt

    @property
    def outcome(self) -> str:
        """How the conversion ended, in a word: converted, refused, or why its process ended."""
        if self.attempt.ended == DONE:
            return "converted"
        return "refused" if self.attempt.status == UnsupportedError.exit_status else self.attempt.ended

    def figures(self) -> dict[str, Any]:
        """Returns the row as plain data, for --json."""
        attempt = self.attempt
        return {
            "source": self.source,
            "output": self.output,
            "outcome": self.outcome,
            "status": attempt.status,
            "identifier": attempt.identifier or None,
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
    """Converts models and folders of models to a folder; returns the highest exit status.

    The models are converted in worker processes, `jobs` at a time, each for at most `timeout` seconds.
    """
    if options.get("dump_ir"):
        raise UsageError("tflite-to-tosa convert: --dump-ir needs a single model")
    ending = check_output(output, format or _DEFAULT)
    pairs = _output_files(models, output, ending)
    for folder in dict.fromkeys(os.path.dirname(target) for _, target in pairs):
        make_folder(folder)
    calls = [(source, target, ending, options) for source, target in pairs]
    started, attempts = time.perf_counter(), dict[int, Attempt]()
    with progress("converting", len(pairs)) as done:
        for number, attempt in run(conversion_figures, calls, jobs=jobs, limit=timeout):
            attempts[number] = attempt
            done(attempt)
    seconds = time.perf_counter() - started
    rows = [Row(*pair, attempts[number]) for number, pair in enumerate(pairs)]
    report.present(lambda: [row.figures() for row in rows], lambda: _lines(rows, seconds, verbose), json=json)
    return max(row.attempt.status for row in rows)


def conversion_figures(source: str, target: str, ending: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Converts a file in a worker process, and returns the report as plain data."""
    return write_conversion(source, target, ending, **options).figures()


def _output_files(models: Sequence[str], output: str, ending: str) -> list[tuple[str, str]]:
    """Returns pairs of a model and its output file in the folder `output`; models below a folder keep their subfolders.

    Raises:
        UsageError: there are no models, two have the same file, or a file is a model itself.
    """
    for model in models:
        if os.path.isdir(model) and not files_below(model, SOURCES):
            refuse_foreign_folder(model)
    is_file = os.path.exists(output) and not os.path.isdir(output)
    if is_file or output == PIPE or os.path.splitext(output)[1].lower() in TOSA_ENDINGS:
        raise UsageError(f"{output}: expected a folder as the output of several models or of a folder")
    pairs = [
        (source, os.path.join(output, os.path.splitext(place)[0] + ending))
        for model in models
        for source, place in _sources(model)
    ]
    if not pairs:
        raise UsageError(f"{', '.join(models)}: expected files ending in {', '.join(SOURCES)}, found none")
    sources = {os.path.realpath(source): source for source, _ in pairs}
    outputs: dict[str, str] = {}
    # A model is read only if the files of its signatures may have the paths of other models or outputs.
    similar = _signature_stems({_path_stem(path) for pair in pairs for path in pair}) if ending in PER_GRAPH else ()
    for source, target in pairs:
        for file in _files_by_signature(source, target, ending) if _path_stem(target) in similar else [target]:
            place = os.path.realpath(file)
            if place in sources:
                raise UsageError(f"{source}: the output {file} would replace the model {sources[place]}")
            if place in outputs:
                raise UsageError(f"{source}: the output {file} would also be that of {outputs[place]}")
            outputs[place] = source
    return pairs


def _path_stem(path: str) -> str:
    """Returns the absolute path of a file without its extension."""
    return os.path.splitext(os.path.realpath(path))[0]


def _signature_stems(stems: Collection[str]) -> set[str]:
    """Returns the paths, without extensions, that may be files of one model's signatures: `a` and `a.NAME`.

    Both have to be among `stems`. Only for these it matters which files a model's signatures get, and only these models
    are read to know it.
    """
    similar = set[str]()
    for stem in stems:
        folder, name = os.path.split(stem)
        parts = name.split(".")
        # `a.b.c` may be a signature of `a` (named b.c) or of `a.b` (named c); both beginnings are looked up.
        beginnings = {os.path.join(folder, ".".join(parts[:i])) for i in range(1, len(parts))}.intersection(stems)
        if beginnings:
            similar |= {*beginnings, stem}
    return similar


def _files_by_signature(source: str, target: str, ending: str) -> list[str]:
    """Returns the output files of a conversion, one per signature, or `target` alone if the model can't be read.

    That error is left to the conversion, which reports it.
    """
    graphs: dict[str, Graph] = {}
    if os.path.isfile(source):
        with suppress(ConverterError):  # its conversion reports this error
            graphs = {model.main.name: model.main for model in split_by_signature(load(source)).values()}
    return paths_of_graphs(Model(graphs), target, format=ending) if graphs else [target]


def _sources(model: str) -> list[tuple[str, str]]:
    """Returns the models that an argument names, each with its path below the argument: a file, or all in a folder.

    Raises UsageError for standard input.
    """
    if model == PIPE:
        raise UsageError("-: standard input can't be one of several models")
    if not os.path.isdir(model):
        return [(model, os.path.basename(model))]
    return [(path, os.path.relpath(path, model)) for path in files_below(model, SOURCES)]


def _lines(rows: Sequence[Row], seconds: float, verbose: bool) -> Iterator[str]:
    """Yields a line for each model, then how many had each outcome; `verbose` adds further lines of its error."""
    for row in rows:
        milliseconds = f"{row.attempt.seconds * 1e3:6.0f} ms  "  # always as wide, so lines break at the same words
        yield from wrap(f"{row.outcome:<{_INDENT}}{milliseconds}", f"{row.source} -> {_text(row)}", _INDENT)
        if verbose:
            more = (line for line in row.attempt.lines[1:] if line not in _text(row))
            yield from (line for text in more for line in wrap("", text, _INDENT))
    counts = Counter(row.outcome for row in rows).most_common()
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in counts)
    yield f"{counted(len(rows), 'model')}: {outcomes} in {seconds:.1f} s"


def _text(row: Row) -> str:
    """Returns what follows a model in its line: the output files with operators and needs, or the error.

    If the error's first line only says that the model can't be converted, the next line, which has the reason, is
    added.
    """
    figures = row.attempt.value
    if figures is None:
        first, *more = row.attempt.lines
        return f"{first}: {more[0]}" if first.endswith("can't be converted") and more else first
    operators = " -> ".join(str(sum(figures[key].values())) for key in ("source_ops", "tosa_ops"))
    return f"{', '.join(figures['files'])}  {operators} operators, needs {figures['needs']}"
