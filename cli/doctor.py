"""`tflite-to-tosa doctor`: which engines are ready, tried on an addition, and what the others miss."""

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tosa_converter import backend_vulkan
from tosa_converter.backends import BACKENDS, RESOLVERS, Backend
from tosa_converter.errors import ConverterError
from tosa_converter.ir import DType, Graph, Model, Op, TensorType, Value

Figures = dict[str, Any]


def _packages(extra: str, **modules: str) -> Callable[[], list[str]]:
    """What an engine misses that needs Python packages only."""

    def missing() -> list[str]:
        return [
            f"Python package {package.replace('_', '-')}: pip install 'tosa-converter[{extra}]'"
            for package, module in modules.items()
            if importlib.util.find_spec(module) is None
        ]

    return missing


def _nothing() -> list[str]:
    return []


# What each engine misses on this machine, by its name.
NEEDS: dict[str, Callable[[], list[str]]] = {
    "executor": _nothing,
    **dict.fromkeys(RESOLVERS, _packages("verify", ai_edge_litert="ai_edge_litert")),
    "tosa-reference-model": _packages("verify", tosa_tools="tosa_reference_model"),
    "vulkan": backend_vulkan.missing,
}


def examine() -> list[Figures]:
    """A row for each engine: its name, whether it is ready, what it misses or how it failed, how long a try took."""
    return [_examine(name, engine) for name, engine in BACKENDS.items()]


def _examine(name: str, engine: Backend) -> Figures:
    lacking = NEEDS[name]()
    seconds = None
    if not lacking and "tosa" in engine.opsets:
        started = time.perf_counter()
        lacking = _tried(engine)
        seconds = time.perf_counter() - started
    return {"name": name, "ready": not lacking, "missing": lacking, "seconds": seconds}


def _tried(engine: Backend) -> list[str]:
    """Add two tensors: what is wrong with the engine."""
    inputs = {"a": np.arange(6, dtype=np.int32), "b": np.full(6, 36, np.int32)}
    values = [Value(TensorType(DType.I32, (6,)), name) for name in inputs]
    add = Op("tosa.add", values, [values[0].type], result_names=["sum"])
    model = Model({"main": Graph("main", values, [add.result], [add])})
    try:
        found = engine.run(model, inputs)["sum"]
    except ConverterError as wrong:
        return [f"it fails on an addition: {wrong}"]
    if not np.array_equal(found, sum(inputs.values())):
        return [f"it adds wrongly: {found.tolist()}"]
    return []


def text(rows: list[Figures]) -> str:
    """The rows as lines."""
    lines = []
    for row in rows:
        tried = f"  tried in {row['seconds'] * 1e3:.0f} ms" if row["ready"] and row["seconds"] is not None else ""
        lines.append(f"{row['name']:<24}{'ready' if row['ready'] else 'not ready'}{tried}")
        lines += [f"  misses {line}" for line in row["missing"]]
    return "\n".join(lines)
