"""Reads and writes every zoo model as `.tflite`: LiteRT must compute the same bits from both files.

`python -m longer.tflite_round_trip [MODEL ...]` reads what the cache folder has (`tflite-to-tosa zoo fetch`), compares
outputs on two sets of random inputs in LiteRT's reference kernels, or XNNPACK's where only they have an operator, and
what the reader makes of both files. It prints a line for each model, `refused` where LiteRT runs neither (a custom
operator that no package has); exit status 1 if one differs.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tosa_converter as tc
from tosa_converter.engines import source_engine
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode
from tosa_converter.proof import zoo
from tosa_converter.schemas.flat import Table

SHAPES = {"melspectrogram": {"serving_default_input:0": (1, 1280)}}  # for files whose own shape is too small to run


def differences(path: Path, runs: int = 2) -> list[str]:
    """Returns the differences of the written file: outputs in LiteRT, or parts of what the reader returns."""
    source = tc.load(path)
    written = b"".join(map(bytes, encode(source, ".tflite")))
    differing = []
    for seed in range(runs):
        expected, outputs = outcome(source, seed), outcome(source, seed, written)
        differing += [f"{name!r}" for name in expected | outputs if expected.get(name) != outputs.get(name)]
    return differing + [part for part, before, after in described(source, tc.load(written)) if before != after]


def outcome(source: tc.Model, seed: int, content: bytes = b"") -> dict[str, bytes]:
    """Returns the bits of every output of a file, or LiteRT's refusal."""
    engine = source_engine(source)
    assert isinstance(engine, LiteRT)
    inputs = tc.random_inputs(source, seed=seed, input_shapes=SHAPES.get(Path(source.source).stem))
    try:
        outputs = engine.run(source, inputs, content=content)
    except ConverterError as error:
        return {"refusal": error.lines[0].encode()}
    return {name: array.tobytes() for name, array in outputs.items()}


def described(*models: tc.Model) -> list[tuple[Any, ...]]:
    """Returns the parts of models in a comparable form."""
    parts: dict[str, Callable[[tc.Model], Any]] = {
        "operators": lambda m: [
            (op.name, plain(op.attributes), typed(op.inputs), typed(op.results)) for op in operators(m)
        ],
        "extras": lambda m: [
            (extras.version, extras.mutating_variable_inputs, typed(extras.intermediates))
            if isinstance(place, tc.Op)
            else (place.name, plain(extras))
            for place, extras in m.extras.items()
        ],
        "graphs": lambda m: [(name, typed(graph.inputs), typed(graph.outputs)) for name, graph in m.graphs.items()],
        "shapes": lambda m: [(value.name, shape) for value, shape in m.default_shapes.items()],
        "metadata": lambda m: plain(m.metadata),
        "signatures": lambda m: [
            (key, graph, [*inputs, *typed(inputs.values())], [*outputs, *typed(outputs.values())])
            for key, (graph, inputs, outputs) in m.signatures.items()
        ],
    }
    return [(name, *map(describe, models)) for name, describe in parts.items()]


def operators(model: tc.Model) -> Iterator[tc.Op]:
    """Yields every operator of every graph."""
    for graph in model.graphs.values():
        yield from graph


def typed(values: Iterable[tc.Value | None]) -> list[object]:
    """Returns names and types."""
    return [None if value is None else (value.name, value.type) for value in values]


def plain(value: Any) -> Any:
    """Returns a comparable value: bytes for arrays, all fields for tables."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Table):
        return plain(value.fields())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def main(names: list[str]) -> int:
    """Compares models; returns status 1 if one differs."""
    paths = [path for model in zoo.select(names) if (path := zoo.path_of(model)).exists()]
    status = 0
    for path in paths:
        differing = differences(path)
        status |= bool(differing)
        verdict = "differs" if differing else "refused" if "refusal" in outcome(tc.load(path), 0) else "equal"
        sys.stdout.write(f"{verdict:<8}{path.stem}  {'; '.join(differing)}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(paths)} models\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
