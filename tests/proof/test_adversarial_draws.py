"""Adversarial inputs are the same for the same seed, from version to version and machine to machine.

`GOLDEN=write python -m pytest tests/proof/test_adversarial_draws.py` writes their hashes anew, which only a change of
how inputs are chosen may need.
"""

import hashlib
import os
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS

import tosa_converter as tc
from tosa_converter.ir import Array

FILE = Path(__file__).with_name("adversarial_draws.tsv")
SOURCES = ("digits_int8", "signatures_int8", "small/keywords.int8", "small/detector.uint8_io")  # no float is drawn
SEEDS = (0, 1, 2)


def _digest(arrays: dict[str, Array]) -> str:
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:12]


@pytest.mark.parametrize("source", SOURCES)
def test_a_seed_gives_the_same_adversarial_inputs(source: str) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    rows = dict(line.split("\t", 1) for line in FILE.read_text().splitlines()) if FILE.exists() else {}
    path = MODELS / f"{source}.tflite"
    sets = [tc.adversarial_inputs(path, runs=20, seed=seed, steps=2 * ("keywords" in source)) for seed in SEEDS]
    digests = "\t".join(_digest(arrays) for arrays in chain.from_iterable(sets))
    if os.environ.get("GOLDEN") == "write":
        FILE.write_text("".join(f"{name}\t{row}\n" for name, row in sorted({**rows, source: digests}.items())))
    else:
        assert digests == rows[source]
        assert len(set(digests.split("\t"))) > 20
