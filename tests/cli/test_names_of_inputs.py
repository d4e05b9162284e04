"""Inputs by names and files with equals signs in them: the longest name that fits counts."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from support.commands import command
from support.tflite_models import Operator, Tensor, build

from tosa_converter.schemas.tflite import BuiltinOperator as B

NAMES = ("x", "x=y", "x=y=z", "=")


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_every_name_gets_its_file(order: tuple[int, ...], tmp_path: Path) -> None:
    """The result tells the inputs apart: a sum of powers of ten."""
    tensors = [Tensor((1,), name=name) for name in NAMES] + [Tensor((1,), name=f"s{i}") for i in range(3)]
    operators = [Operator(B.ADD, (0, 1), (4,)), Operator(B.ADD, (4, 2), (5,)), Operator(B.ADD, (5, 3), (6,))]
    model = tmp_path / "m.tflite"
    model.write_bytes(build(tensors, operators, range(4), (4, 5, 6)))
    words = []
    for i in order:
        path = tmp_path / f"f={i}.npy"
        np.save(path, np.array([10.0**i], np.float32))
        words += ["--input", f"{NAMES[i]}={path}"]
    assert command("run", model, *words, "-o", tmp_path / "out.npz") == 0
    with np.load(tmp_path / "out.npz") as results:
        assert [float(results[f"s{i}"][0]) for i in range(3)] == [11, 111, 1111]
