"""Elements that LiteRT leaves undefined: noted, computed as defined, and counted apart; nothing else is excused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quantized_models import every_pair, origin
from tflite_models import Operator, Tensor

import tosa_converter as tc
from tosa_converter.comparison import Comparison
from tosa_converter.ir import Model
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.rewrite import Options, run_pass
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.tflite_reader import read_tflite

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
TYPES = ("int8", "uint8")


def notes(data: bytes) -> list[str]:
    """What the report tells the user."""
    options = Options()
    run_pass(read_tflite(data), PIPELINES["tfl"][0], options)
    return [note.text for note in options.notes]


def compared(path: Path, data: bytes, arrays: list[np.ndarray], change: Callable[[Model], None] | None = None) -> Any:
    """The comparison of a model with its conversion, which `change` may break."""
    path.write_bytes(data)
    source = tc.load(path)
    ours = tc.convert(source)
    if change:
        change(ours)
    fed = {value.name: array for value, array in zip(source.main.inputs, arrays, strict=True)}
    (comparison,) = tc.compare(source, ours, inputs=[fed])
    assert isinstance(comparison, Comparison)
    return comparison.outputs


def quotients(dtype: str) -> tuple[list[Tensor], list[Operator], list[np.ndarray]]:
    """All pairs by one DIV, but the divisor 0, which the kernel refuses."""
    x, y = every_pair(dtype)
    y = np.where(y == origin(dtype), origin(dtype) + 1, y).astype(dtype)
    quant = {"scale": 0.05, "zero_point": origin(dtype)}
    tensors = [Tensor(x.shape, dtype, **quant), Tensor(x.shape, dtype, **quant), Tensor(x.shape, dtype, **quant)]
    return tensors, [Operator(B.DIV, (0, 1), (2,), version=2)], [x, y]
