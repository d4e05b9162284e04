"""`tflite-to-tosa doctor`: which engines, formats and targets are ready, tried on an addition, and what others miss."""

import importlib.util
import os
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from tosa_converter.cli import options, report
from tosa_converter.cli.report import Figures
from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES, Engine, vela, vulkan
from tosa_converter.engines.litert import RESOLVERS
from tosa_converter.errors import ConverterError, install_hint
from tosa_converter.formats.storage import temporary_folder
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.pictures import server
from tosa_converter.schemas.presets import PRESETS

Attempt = Callable[[Model], dict[str, Array]]

ADDENDS = {"a": np.arange(6, dtype=np.int32), "b": np.full(6, 36, np.int32)}


def _packages(extra: str, **modules: str) -> Callable[[], list[str]]:
    """What an engine misses that needs Python packages only."""

    def missing() -> list[str]:
        return [
            f"Python package {package.replace('_', '-')}: {install_hint(extra)}"
            for package, module in modules.items()
            if not _found(module)
        ]

    return missing


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of what it is in
        return False


def _nothing() -> list[str]:
    return []


# What each engine misses on this machine, by its name.
NEEDS: dict[str, Callable[[], list[str]]] = {
    "executor": _nothing,
    **dict.fromkeys(RESOLVERS, _packages("verify", ai_edge_litert="ai_edge_litert")),
    "tosa-reference-model": _packages("verify", tosa_tools="tosa_reference_model"),
    "vulkan": vulkan.missing,
    "iree": _packages("iree", iree_base_compiler="iree.compiler", iree_base_runtime="iree.runtime"),
    "executorch": _packages("executorch", executorch="executorch", torch="torch"),
}

# What else takes optional packages; it isn't tried.
BESIDES = {
    "images": _packages("media", pillow="PIL"),
    "reports": _packages("report", jinja2="jinja2", matplotlib="matplotlib"),
    "Dask clusters": _packages("cluster", distributed="distributed"),
}


def doctor(json: options.Json = False) -> int:
    """Say which engines, targets and optional parts are ready, and what each of the others misses."""
    rows = examine()
    report.present(lambda: rows, lambda: lines(rows), json=json)
    return 0


def examine() -> list[Figures]:
    """A row for each engine, .vgf files, Vela, what else is optional, and each preset whose tool is one of them.

    A row has a name, whether it is ready, what it misses or how it failed, and seconds.
    """
    vgf = _examine(".vgf files", _packages("vgf", ai_ml_sdk_vgf_library="vgfpy"), _through_vgf)
    npu = _examine("vela", vela.missing, _through_vela)
    view = _examine("show", _packages("show", **server.PACKAGES), _through_adapters)
    besides = [_examine(name, needs, None) for name, needs in BESIDES.items()]
    rows = [_examine(name, NEEDS.get(name, list), _runs(engine)) for name, engine in ENGINES.items()]
    rows += [vgf, npu, view, *besides]
    tools = {row["name"]: row for row in rows}
    presets = [(preset.name, tools[preset.tool]) for preset in PRESETS.values() if preset.tool in tools]
    return [*rows, *({**row, "name": f"target {name}", "seconds": None} for name, row in presets)]


def _runs(engine: Engine) -> Attempt | None:
    """How an engine is tried; those that only run other models than TOSA aren't."""
    return partial(engine.run, inputs=ADDENDS) if "tosa" in engine.opsets else None


def _through_vgf(model: Model) -> dict[str, Array]:
    """Run a model that was written to a .vgf and read again."""
    from tosa_converter.formats.spirv.vgf import read_vgf, write_vgf

    return ENGINES["executor"].run(read_vgf(b"".join(write_vgf(model))), ADDENDS)


def _through_vela(model: Model) -> dict[str, Array]:
    """Have a model compiled, which computes nothing."""
    from tosa_converter.formats import save

    with temporary_folder() as folder:
        path = os.path.join(folder, "add.tosa")
        save(model, path)
        vela.compiled(path, "ethos-u85")
    return ENGINES["executor"].run(model, ADDENDS)


def _through_adapters(model: Model) -> dict[str, Array]:
    """Have a model's files read by Model Explorer's adapters, which compute nothing."""
    from tosa_converter.formats import save

    with temporary_folder() as folder:
        for ending, name in server.ADAPTERS.items():
            path = os.path.join(folder, f"add{ending}")
            save(model, path)
            if "ADD" not in server.adapted(path):
                raise ConverterError(f"{name} doesn't show it")
    return ENGINES["executor"].run(model, ADDENDS)


def _examine(name: str, needs: Callable[[], list[str]], attempt: Attempt | None) -> Figures:
    lacking = needs()
    seconds = None
    if not lacking and attempt is not None:
        started = time.perf_counter()
        lacking = _tried(attempt)
        seconds = time.perf_counter() - started
    return {"name": name, "ready": not lacking, "missing": lacking, "seconds": seconds}


def _tried(attempt: Attempt) -> list[str]:
    """Add two tensors: what is wrong with the engine."""
    values = [Value(TensorType(DType.I32, (6,)), name) for name in ADDENDS]
    add = Op("tosa.add", values, [values[0].type], result_names=["sum"])
    model = Model({"main": Graph("main", values, [add.result], [add])})
    try:
        found = attempt(model)["sum"]
    except ConverterError as wrong:
        return [f"it fails on an addition: {'; '.join(wrong.lines)}"]
    if not np.array_equal(found, sum(ADDENDS.values())):
        return [f"it adds wrongly: {found.tolist()}"]
    return []


def lines(rows: list[Figures]) -> list[str]:
    """The rows as text."""
    texts = []
    for row in rows:
        tried = f"  tried in {row['seconds'] * 1e3:.0f} ms" if row["ready"] and row["seconds"] is not None else ""
        texts.append(f"{row['name']:<24}{'ready' if row['ready'] else 'not ready'}{tried}")
        texts += [f"  misses {line}" for line in row["missing"]]
    return texts
