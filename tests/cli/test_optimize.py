"""Passes alone on a TOSA model, by the API and by the command."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.commands import ROOT
from support.expressions import apply
from support.sketch import Sketch

import tosa_converter as tc
from tosa_converter.cli.main import _status
from tosa_converter.conversion import optimize
from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError, VerifyError
from tosa_converter.ir import Model
from tosa_converter.rewriting.operators import conv2d
from tosa_converter.schemas import tosa_ops as ops


def padded() -> Model:
    """PAD, RESHAPE and RESHAPE back, in front of a convolution."""
    sketch = Sketch(x=(DType.I8, (1, 5, 4, 3)))
    b = sketch.builder
    x = b.emit(ops.RESHAPE, b.emit(ops.RESHAPE, sketch.graph.inputs[0], b.shape((60,))), b.shape((1, 5, 4, 3)))
    around = b.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)], 3)
    weight, bias = b.const(np.ones((2, 3, 3, 3)), DType.I8), b.const([1, 2], DType.I32)
    return Model({"main": sketch.done(apply(b, conv2d, around, weight, bias, pad=(0, 0, 0, 0), input_zp=3))})


def test_the_model_given_is_left_alone() -> None:
    model = padded()
    before = [(op, op.inputs, op.results) for op in model.main.ops]
    optimized = optimize(model)
    report = optimized.report
    assert [(op, op.inputs, op.results) for op in model.main.ops] == before
    assert (report.source_ops.total(), report.tosa_ops.total()) == (4, 1)
    assert [name for name, *_ in report.passes] == [
        "rank-reduction",
        "reshape-propagation",
        "simplify",
        "common-subexpressions",
    ]
    x = {"x": np.random.default_rng(0).integers(-128, 128, (1, 5, 4, 3), dtype=np.int8)}
    np.testing.assert_array_equal(tc.run(optimized, x)["out0"], tc.run(model, x)["out0"])


@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".mlir", ".mlirbc"])
def test_the_command_writes_every_format(tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    tc.save(padded(), tmp_path / "in.tosa")
    target = tmp_path / f"out{ending}"
    assert _status(["opt", str(tmp_path / "in.tosa"), "-o", str(target), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["before"] == {"tosa.reshape": 2, "tosa.pad": 1, "tosa.conv2d": 1}
    assert figures["after"] == {"tosa.conv2d": 1}
    assert target.stat().st_size
    assert _status(["opt", str(tmp_path / "in.tosa"), "--passes", "simplify", "-o", str(target)]) == 0
    assert "operators  4 -> 1" in capsys.readouterr().out


def test_what_passes_do_not_take() -> None:
    with pytest.raises(UsageError, match=r"expected passes of rank-reduction, reshape-propagation, .*, found 'fold'"):
        optimize(padded(), ["simplify", "fold"])
    with pytest.raises(UsageError, match="passes run on TOSA, this is a model of tfl operators"):
        optimize(tc.load(ROOT / "models" / "digits_int8.tflite"))
    model = padded()
    model.main.ops[-1].attributes["stride"] = (0, 1)
    with pytest.raises(VerifyError, match="stride"):
        optimize(model)
