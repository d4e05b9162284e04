"""What inspect, run, verify and ops do: call the API and gather figures as plain data for the reports."""

import json
import os
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from tosa_converter.cli.convert import Conversion, convert_file, parse_shapes
from tosa_converter.cli.report import Figures
from tosa_converter.conversion import (
    convert_model,
    count_ops,
    default_numerics,
    resolve_input_shapes,
)
from tosa_converter.errors import FormatError, UnsupportedError, UsageError, VerifyError
from tosa_converter.execute.inputs import main_inputs
from tosa_converter.execute.limits import SECONDS
from tosa_converter.formats import load
from tosa_converter.formats.flexbuffer import decode
from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.rewriting.rewrite import Options
from tosa_converter.rules.target import Target

if TYPE_CHECKING:
    from tosa_converter.engines import Engine


def tensor_row(value: Value) -> Figures:
    """A tensor's name, type and quantization."""
    quant = value.type.quant
    row: Figures = {"name": value.name, "dtype": value.type.dtype.value, "shape": list(value.type.shape)}
    if quant is not None:
        row["quantization"] = {"scale": list(quant.scale), "zero_point": list(quant.zero_point), "axis": quant.axis}
    return row


def inspect_file(path: str, *, check: bool, profiles: list[str], extensions: list[str], level: str) -> Figures:
    """What a file holds.

    Raises:
        VerifyError: `check` was asked for and the graph breaks rules of the specification, exceeds the level, or
            needs what the given profiles and extensions lack.
    """
    model = load(path)
    if check and model.opset != "tosa":
        raise UsageError(f"{path}: only TOSA can be checked, this is a model of {model.opset} operators")
    figures: Figures = {
        "file": path,
        "bytes": os.path.getsize(path),
        "opset": model.opset,
        "graphs": [_graph_row(graph) for graph in model.graphs.values()],
        "signatures": {
            name: {"graph": s.graph, "inputs": list(s.inputs), "outputs": list(s.outputs)}
            for name, s in model.signatures.items()
        },
        "ops": dict(count_ops(model).most_common()),
    }
    figures["needs"] = _needs(model)
    if check:
        _check(model, profiles, extensions, level)
        figures["check"] = "valid"
    return figures


def _needs(model: Model) -> str:
    """The profiles and extensions of a TOSA graph, or of what a source would be converted to."""
    from tosa_converter.rules.target import needs

    if model.opset == "tosa":
        return str(needs(model))
    from tosa_converter.legalize.pipelines import PIPELINES

    try:
        return str(convert_model(model, PIPELINES, Options(default_numerics(model)))[1].needs)
    except UnsupportedError as error:
        count = len(error.places)
        return f"can't be converted: {count} unsupported operator{'s' if count > 1 else ''}"
    except VerifyError as error:
        return f"can't be converted: {error.problems[0]}"


def _check(model: Model, profiles: list[str], extensions: list[str], level: str) -> None:
    from tosa_converter.rules.graph import verify
    from tosa_converter.rules.target import needs

    needed = needs(model)
    words = [*(profiles or needed.profiles), *(extensions if profiles or extensions else needed.extensions), level]
    verify(model, target=Target.parse(",".join(words)))


def _graph_row(graph: Graph) -> Figures:
    constants = [op.attributes["values"].nbytes for op in graph.walk() if "values" in op.attributes]
    return {
        "name": graph.name,
        "ops": sum(1 for op in graph.walk() if "values" not in op.attributes),
        "constants": len(constants),
        "constant_bytes": sum(constants),
        "inputs": [tensor_row(value) for value in graph.inputs],
        "outputs": [tensor_row(value) for value in graph.outputs],
        "custom": [_custom_row(op) for op in graph.walk() if op.name == "tfl.custom"],
        "tensors": [
            {**tensor_row(value), "op": op.name, "location": op.location} for op in graph.walk() for value in op.results
        ],
    }


def _custom_row(op: Op) -> Figures:
    """A custom operator with its options: decoded if they are a FlexBuffer's map, else their bytes in hexadecimal."""
    raw: bytes = op.attributes["custom_options"]
    try:
        options = decode(raw)
        json.dumps(options)
    except (FormatError, TypeError, ValueError):
        options = None
    if not isinstance(options, dict):
        options = raw.hex()
    return {"location": op.location, "custom_code": op.attributes["custom_code"], "options": options}


def run_file(
    path: str,
    inputs: list[str],
    output: str,
    seed: int,
    backend_name: str,
    input_shapes: list[str],
    *,
    limit: float = SECONDS,
) -> Figures:
    """Run a model and report its outputs; `output` gets them as a .npy or .npz."""
    from tosa_converter.cli.arrays import read_inputs, require_output, save_outputs
    from tosa_converter.engines import engine_named, source_engine
    from tosa_converter.proof.compare import random_inputs
    from tosa_converter.rules.gate import require_legal

    model = load(path)
    require_legal(model)  # before inputs are made of its shapes
    engine = engine_named(backend_name, limit) if backend_name else source_engine(model, limit)
    if model.opset not in engine.opsets:
        raise UsageError(f"{engine.name} runs {', '.join(sorted(engine.opsets))} models, {path} is {model.opset}")
    if output:
        require_output(output, len(model.main.outputs), inputs, main_inputs(model))
    wanted = resolve_input_shapes(model, parse_shapes(input_shapes))
    arrays = read_inputs(model, inputs)
    missing = [value for value in model.main.inputs if value.name not in arrays]
    if missing and not inputs:
        shapes = {value.name: shape for value, shape in model.default_shapes.items()}
        arrays = random_inputs(model.main.inputs, shapes | wanted, seed)
    started = time.perf_counter()
    outputs = engine.run(model, arrays)
    seconds = time.perf_counter() - started
    members = save_outputs(output, outputs) if output else list(outputs)
    rows = [_array_row(name, array) for name, array in outputs.items()]
    for row, member in zip(rows, members, strict=True):
        if member != row["name"]:
            row["member"] = member
    seed_used = None if inputs else seed
    return {"file": path, "backend": engine.name, "seconds": seconds, "seed": seed_used, "outputs": rows}


def _array_row(name: str, array: Array) -> Figures:
    values = array.astype(np.float64) if array.size else np.zeros(1)
    with np.errstate(all="ignore"):  # of infinities there is no mean
        figures = {"min": float(values.min()), "max": float(values.max()), "mean": float(values.mean())}
    return {"name": name, "dtype": str(array.dtype), "shape": list(array.shape), **figures}


def verify_file(
    path: str,
    against: str,
    runs: int,
    seed: int,
    target: str,
    numerics: str,
    input_shapes: list[str],
    *,
    layers: bool = False,
    limit: float = SECONDS,
) -> Figures:
    """Convert and compare; `_engines` says what is compared with what."""
    from tosa_converter.legalize.tflite.quantized.undefined import substituted
    from tosa_converter.proof.compare import compare_runs, random_sets

    result = convert_file(path, target, numerics, input_shapes)
    judge, engines = _engines(result.source, against, limit)
    further = random_sets(result.source, result.model, seed)
    sets = [further(i) for i in range(runs)]
    comparisons = compare_runs(
        result.source, judge, result.model, engines, sets, further=further, substituted=substituted
    )
    rows = _layer_rows(result, sets[0]) if layers else []
    return {
        "file": path,
        "numerics": result.numerics,
        "needs": str(result.report.needs),
        "reference": judge.name,
        "seed": seed,
        "comparisons": [{**asdict(c), "verdict": c.verdict} for c in comparisons],
        "notes": [note._asdict() for note in result.report.notes],
        "layers": rows,
        "verdict": bool(comparisons) and all(c.verdict for c in comparisons) and all(r["compliant"] for r in rows),
    }


def _engines(source: Model, against: str, limit: float) -> "tuple[Engine, list[Engine]]":
    """One engine that runs the source, and those that are compared with it.

    The first is that of `against` that can, else LiteRT's reference kernels, or XNNPACK's where only they have an
    operator; for a TOSA file it is the executor. The others are the executor and those of `against` that run TOSA.
    """
    from tosa_converter.engines import engine_named, source_engine

    names = dict.fromkeys(["executor", *(name.strip() for name in against.split(",") if name.strip())])
    chosen = [engine_named(name, limit) for name in names]
    judges = [engine for engine in chosen if engine.takes(source)]
    judge = judges[0] if judges else source_engine(source, limit)
    engines = [engine for engine in chosen if "tosa" in engine.opsets and engine is not judge]
    if not engines:
        raise UsageError(f"expected an engine that {judge.name} can be compared with: --against tosa-reference-model")
    return judge, engines


def _layer_rows(result: Conversion, inputs: dict[str, Array]) -> list[Figures]:
    """Every operator of the conversion judged by its precision clause, on one set of inputs."""
    from tosa_converter.proof.compare import renamed
    from tosa_converter.proof.layers import check_layers

    return [asdict(layer) for layer in check_layers(result.model.main, renamed(result.source, result.model, inputs))]


def operators() -> Figures:
    """Which source operators have rewrites, and TOSA's rows."""
    from tosa_converter.legalize.pipelines import PIPELINES
    from tosa_converter.schemas import tfl_ops, xnn_ops
    from tosa_converter.schemas.float_corners import CORNERS
    from tosa_converter.schemas.tosa_ops import OPERATORS

    rewrites: dict[str, list[str]] = {}
    conditions: dict[str, list[list[str]]] = {}
    for passes in PIPELINES.values():
        for rewrite in passes[0].rewrites:
            rewrites.setdefault(rewrite.root, []).append(rewrite.name)
            conditions.setdefault(rewrite.root, []).append([check.condition for check in rewrite.checks])
    names = [row.opcode for row in (*tfl_ops.OPERATORS, *xnn_ops.OPERATORS)]
    return {
        "source": [
            {"name": name, "rewrites": rewrites.get(name, []), "conditions": conditions.get(name, [])} for name in names
        ],
        "float_corners": [corner._asdict() for corner in CORNERS],
        "tosa": [{"name": row.name, "types": [list(pair) for pair in row.types]} for row in OPERATORS],
    }
