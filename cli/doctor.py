"""`tflite-to-tosa doctor`: which engines, formats and targets are ready, tried on an addition, and what others miss."""

import os
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from tosa_converter.cli import options, report
from tosa_converter.cli.columns import WIDTH, wrap
from tosa_converter.cli.report import Figures
from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES, Engine, vela
from tosa_converter.engines.engine import missing_packages
from tosa_converter.errors import ConverterError
from tosa_converter.formats import save
from tosa_converter.formats.spirv.vgf import read_vgf, write_vgf
from tosa_converter.formats.storage import temporary_folder
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.pictures import server
from tosa_converter.schemas.presets import PRESETS

Attempt = Callable[[Model], dict[str, Array]]

# The sums 36 to 41 are all different, so that an engine which repeats or reorders elements fails too.
ADDENDS = {"a": np.arange(6, dtype=np.int32), "b": np.full(6, 36, np.int32)}


# Other parts that need optional packages, by the extra and a module of each package; they aren't tried.
PARTS = {
    "images": partial(missing_packages, "media", {"pillow": "PIL"}),
    "reports": partial(missing_packages, "report", {"jinja2": "jinja2"}),
    "tokenizers": partial(
        missing_packages, "tokenizers", {"tokenizers": "tokenizers", "sentencepiece": "sentencepiece"}
    ),
    "Dask clusters": partial(missing_packages, "cluster", {"distributed": "distributed"}),
}


def doctor(json: options.Json = False) -> int:
    """Show which engines, targets and optional parts are ready, and what the others need."""
    rows = examine()
    report.present(lambda: rows, lambda: lines(rows), json=json)
    return 0


def examine() -> list[Figures]:
    """Returns a row for each part of this machine's installation: whether it is ready, what it lacks, seconds.

    The parts are engines, .vgf files, Vela, other optional parts, and targets that need one of these. A part that can
    run a small model is tried with it.
    """
    library, adapters = {"ai-ml-sdk-vgf-library": "vgfpy"}, server.PACKAGES
    rows = [_examine(name, partial(_missing_parts, engine), _trial_run(engine)) for name, engine in ENGINES.items()]
    rows.append(_examine(".vgf files", partial(missing_packages, "vgf", library), _run_vgf))
    rows.append(_examine("vela", vela.missing, _compile_with_vela))
    rows.append(_examine("show", partial(missing_packages, "show", adapters), _read_with_adapters))
    rows += [_examine(name, needs, None) for name, needs in PARTS.items()]
    tools = {row["name"]: row for row in rows}
    presets = [(preset.name, tools[preset.tool]) for preset in PRESETS.values() if preset.tool in tools]
    return [*rows, *({**row, "name": f"target {name}", "seconds": None} for name, row in presets)]


def _missing_parts(engine: Engine) -> list[str]:
    """Returns what an engine lacks, as its method `missing` tells; without that method, it lacks the method itself."""
    if not hasattr(engine, "missing"):
        kind = type(engine)
        return [f"a method `missing` of {kind.__module__}.{kind.__qualname__}, which lists what the engine needs"]
    return engine.missing()


def _trial_run(engine: Engine) -> Attempt | None:
    """Returns a function that runs an engine on the trial model, an addition; None if it doesn't run TOSA."""
    return (lambda model: engine.run(model, ADDENDS)) if "tosa" in engine.opsets else None


def _run_vgf(model: Model) -> dict[str, Array]:
    """Tries the VGF library: writes a model as a .vgf file, reads that back and runs it."""
    return ENGINES["executor"].run(read_vgf(b"".join(write_vgf(model))), ADDENDS)


def _compile_with_vela(model: Model) -> dict[str, Array]:
    """Tries whether Vela compiles a model; the result is the executor's, because a compiler runs nothing."""
    with temporary_folder() as folder:
        path = os.path.join(folder, "add.tosa")
        save(model, path)
        vela.compile_file(path, "ethos-u85")
    return ENGINES["executor"].run(model, ADDENDS)


def _read_with_adapters(model: Model) -> dict[str, Array]:
    """Tries Model Explorer's adapters on files of a model.

    Adapters compute nothing, so the results are the executor's.

    Raises:
        ConverterError: an adapter doesn't show the model's operator.
    """
    with temporary_folder() as folder:
        for ending, name in server.ADAPTERS.items():
            path = os.path.join(folder, f"add{ending}")
            save(model, path)
            if "ADD" not in server.read_by_adapter(path):
                raise ConverterError(f"{name} doesn't show it")
    return ENGINES["executor"].run(model, ADDENDS)


def _examine(name: str, needs: Callable[[], list[str]], attempt: Attempt | None) -> Figures:
    """Returns the row of an engine or extra in the report: whether it is ready, and what it lacks.

    Args:
        name: of the engine or extra.
        needs: returns what isn't installed.
        attempt: runs a model that adds two tensors, where a trial is possible; what goes wrong counts as lacking.
    """
    lacking = needs()
    seconds = None
    if not lacking and attempt is not None:
        started = time.perf_counter()
        lacking = _try_addition(attempt)
        seconds = time.perf_counter() - started
    return {"name": name, "ready": not lacking, "missing": lacking, "seconds": seconds}


def _try_addition(attempt: Attempt) -> list[str]:
    """Runs `attempt` on a model that adds two tensors; returns what is wrong, or [] if the sum is right."""
    values = [Value(TensorType(DType.I32, (6,)), name) for name in ADDENDS]
    add = Op("tosa.add", values, [values[0].type], result_names=["sum"])
    model = Model({"main": Graph("main", values, [add.result], [add])})
    try:
        outputs = attempt(model)
    except ConverterError as error:
        return [f"it fails on an addition: {'; '.join(error.lines)}"]
    if set(outputs) != {"sum"}:
        return [f"expected the output 'sum' of an addition, found {sorted(outputs) or 'none'}"]
    if not np.array_equal(outputs["sum"], sum(ADDENDS.values())):
        return [f"it adds wrongly: {outputs['sum'].tolist()}"]
    return []


def _wrap_line(line: str) -> list[str]:
    """Returns a line about something missing, as two lines if it is longer than 80 columns.

    The text behind the last colon, which is a command, is the second one.
    """
    subject, _, advice = line.rpartition(": ")
    if len(line) <= WIDTH or not subject:
        return [line]
    return [*wrap("  ", f"{subject.strip()}:", 2, hanging=2), f"    {advice}"]


def lines(rows: list[Figures]) -> list[str]:
    """Returns the report of the installation as lines: a row for each engine or part, with what is missing below it.

    If an earlier row misses the same, a row only refers to that row.
    """
    texts = []
    earlier: dict[tuple[str, ...], str] = {}
    for row in rows:
        first = earlier.setdefault(tuple(row["missing"]), row["name"])
        if row["missing"] and first != row["name"]:
            texts.append(f"{row['name']:<24}not ready, as {first}")
            continue
        tried = f"  tried in {row['seconds'] * 1e3:.0f} ms" if row["ready"] and row["seconds"] is not None else ""
        texts.append(f"{row['name']:<24}{'ready' if row['ready'] else 'not ready'}{tried}")
        prefix = "misses " if row["seconds"] is None else ""  # what was tried isn't missing, it fails
        for line in row["missing"]:
            texts += _wrap_line(f"  {prefix}{line}")
    return texts
