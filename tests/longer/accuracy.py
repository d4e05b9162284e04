"""Writes the page docs/results/accuracy.md: how often a classifier, its conversions and the peer's are right.

    PYTHONPATH=tests python -m longer.accuracy

The data are the 1,797 digits of scikit-learn. Every fifth was held out when models/make_digits.py trained the models.
The peer, tosa-converter-for-tflite 2026.2.0, has rows where its command is installed. It gets the models with a batch
of 1: from an unknown one it makes a file with dimension -1, which nothing runs. The page takes about a minute.
"""

import math
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from support.commands import FLOAT, INT8
from support.results_page import measured_part

import tosa_converter as tc
from tosa_converter.ir import Array, Model

PACKAGES = ("tosa-converter", "ai-edge-litert", "scikit-learn", "numpy")
PEER = "tosa-converter-for-tflite"  # its package and its command
PEER_TITLE = "the peer, from a batch of 1"
SETTINGS: dict[str, tuple[Path, dict[str, Any]]] = {
    "float32": (FLOAT, {}),
    "float32, xnnpack numerics": (FLOAT, {"numerics": "xnnpack"}),
    "float32, computed in fp16": (FLOAT, {"float_type": "fp16"}),
    "float32, computed in bf16": (FLOAT, {"float_type": "bf16"}),
    "int8": (INT8, {}),
    "int8, xnnpack numerics": (INT8, {"numerics": "xnnpack"}),
    "int8, compact numerics": (INT8, {"numerics": "compact"}),
    "int8, for ethos-u85": (INT8, {"target": "ethos-u85"}),
}
_TFL_OPERATOR = re.compile(r'"?(tfl\.\w+)"?\(')  # in MLIR; tfl.description and the like are attributes
HEAD = """| model | converted by | samples | right: LiteRT | right: conversion | same class |
| --- | --- | ---: | ---: | ---: | ---: |"""


class Samples(NamedTuple):
    """Images in [0, 1] as [samples, 8, 8, 1], and the digit of each."""

    images: Array
    labels: list[int]

    def arrays(self, model: Model) -> dict[str, Array]:
        """Returns the images by the name of a model's input, in its type."""
        (value,) = model.main.inputs
        if value.type.quant is None:
            return {value.name: self.images}
        (scale,), (zero_point,) = value.type.quant.scale, value.type.quant.zero_point
        levels = np.clip(np.round(self.images / scale) + zero_point, -128, 127)
        return {value.name: levels.astype(value.type.dtype.numpy)}


def held_out(count: int | None = None) -> Samples:
    """Returns the digits that the models weren't trained on, or the first `count` of these."""
    digits = every()
    return Samples(digits.images[::5][:count], digits.labels[::5][:count])


def every() -> Samples:
    """Returns all digits."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    return Samples((digits.images[..., None] / 16).astype(np.float32), digits.target.tolist())


def accuracy_of(path: Path, options: Mapping[str, Any], samples: Samples) -> tc.Top1:
    """Returns how often LiteRT and our conversion are right."""
    source = tc.load(path)
    (value,) = source.main.inputs
    model = tc.convert(source, input_shapes={value.name: samples.images.shape}, **options)
    return tc.accuracy(source, model, samples.arrays(source), samples.labels, limit=math.inf)


def with_batch_of_one(path: Path, folder: Path) -> Path:
    """Writes a model with a batch of 1 in place of an unknown one, which the peer's files don't run with."""
    model = tc.load(path)
    for graph in model.graphs.values():
        for value in (*graph.inputs, *(value for op in graph.walk() for value in op.results)):
            shape = tuple(1 if size is None else size for size in value.type.shape)
            value.type = value.type._replace(shape=shape)
    model.default_shapes, model.edited = {}, True
    result = folder / path.name
    tc.save(model, result)
    return result


def accuracy_of_peer(path: Path, samples: Samples) -> tc.Top1:
    """Returns how often LiteRT and the peer's conversion are right, one sample at a time.

    Raises:
        ConverterError: the peer gives no file, or one that can't be run.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fixed, text, bytecode = with_batch_of_one(path, folder), folder / "peer.mlir", folder / "peer.mlirbc"
        result = folder / "peer.tosa"
        for command in (
            [PEER, str(fixed), "--text", "-o", str(text)],
            [PEER, str(fixed), "--bytecode", "-o", str(bytecode)],
            ["tosa-opt", str(bytecode), "--tosa-serialize", f"--tosa-flatbuffer-filename={result}", "-o", "/dev/null"],
        ):
            subprocess.run(command, capture_output=True, timeout=300, check=False)
        left = set(_TFL_OPERATOR.findall(text.read_text("utf-8"))) if text.exists() else set()
        if left or not result.exists():
            raise tc.ConverterError(f"leaves {', '.join(sorted(left))}" if left else "no .tosa")
        source = tc.load(fixed)
        arrays = {name: array[:, None] for name, array in samples.arrays(source).items()}
        return tc.accuracy(source, tc.load(result), arrays, samples.labels, limit=math.inf)


def row(name: str, converter: str, report: tc.Top1) -> str:
    """Returns a line of the table."""
    assert report.source_top1 is not None
    assert report.result_top1 is not None
    shares = [f"{count:,} ({count / report.count:.2%})" for count in (report.source_top1, report.result_top1)]
    return f"| {name} | {converter} | {report.count:,} | {' | '.join(shares)} | {report.agreement:,} |"


def rows(samples: Samples) -> Iterator[str]:
    """Yields the lines of our conversions and, where it is installed, the peer's."""
    for name, (path, options) in SETTINGS.items():
        yield row(name, "us", accuracy_of(path, options, samples))
        if shutil.which(PEER) and not options:
            try:
                yield row(name, PEER_TITLE, accuracy_of_peer(path, samples))
            except tc.ConverterError as error:
                yield f"| {name} | {PEER_TITLE} | {len(samples.labels):,} | | {error.lines[0]} | |"


def provenance() -> str:
    """Returns date, versions and machine as a sentence."""
    packages = [*PACKAGES, *([PEER] if shutil.which(PEER) else [])]
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    peer = "" if shutil.which(PEER) else f" {PEER} isn't installed there, so that the peer has no rows."
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {versions}; Python {platform.python_version()} on {platform.system()} "
        f"{platform.machine()}.{peer}"
    )


def main() -> int:
    """Writes the page; returns exit status 0."""
    with measured_part("accuracy.md"):
        print(provenance())
        for title, samples in (("Held-out digits", held_out()), ("All digits", every())):
            print(f"\n## {title}\n\n{HEAD}")
            print("\n".join(rows(samples)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
