"""The engine `iree` and `.vmfb` files; `python -m longer.iree` tries every operator, and real models."""

import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS, command
from support.spirv_cases import CASES, CASES_BY_NAME, Case
from support.vulkan_cases import judge

import tosa_converter as tc
from tosa_converter.engines import iree as engine
from tosa_converter.engines.iree import Iree
from tosa_converter.errors import MissingExtra, UnsupportedError, UsageError
from tosa_converter.formats import vmfb
from tosa_converter.ir import Model

DIGITS = MODELS / "digits_int8.tflite"
SAMPLE = [case for i, case in enumerate(CASES) if i % 40 == 7 and "fp8" not in case.name and "_i4_" not in case.name]

present = all(importlib.util.find_spec(name) for name in ("iree", "iree.compiler", "iree.runtime"))
iree = pytest.mark.skipif(not present, reason="IREE is not installed: pip install 'tosa-converter[iree]'")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@iree
@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_single_operators_compute_what_they_should(case: Case) -> None:
    assert judge(case, Iree(), excused=()) == ""


@iree
@pytest.mark.parametrize("name", ["digits_int8", "digits_float32", "small/detector.uint8_io", "small/keywords.float32"])
def test_conversions_equal_litert(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    (report,) = tc.compare(source, tc.convert(source), runs=3, against="litert,iree")
    assert (report.engine, report.verdict) == ("iree", True), report.outputs
    if "float" not in name:
        assert [output.mismatches for output in report.outputs] == [0] * len(report.outputs)


@iree
@pytest.mark.parametrize("state", ["variables", "io"])
def test_state_goes_on(state: str) -> None:
    source = tc.load(MODELS / "small" / "keywords.int8.tflite")
    (report,) = tc.compare(source, tc.convert(source, state=state), steps=20, against="litert,iree")
    assert [output.mismatches for output in report.outputs] == [0]


@iree
def test_a_model_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tc.convert(DIGITS)
    inputs = tc.random_inputs(model)
    expected = tc.run(model, inputs)
    first = tc.run(model, inputs, engine="iree")
    monkeypatch.delattr(engine, "compiled")
    for found in (first, tc.run(model, inputs, engine="iree")):
        assert {name: array.tolist() for name, array in found.items()} == {
            name: array.tolist() for name, array in expected.items()
        }


@iree
def test_refusals_name_the_operator() -> None:
    case = CASES_BY_NAME["MAX_POOL2D_fp8e4m3_0"]
    with pytest.raises(UnsupportedError) as refusal:
        Iree().run(Model({"main": case.graph}), case.inputs)
    assert refusal.value.lines == (
        "IREE refuses the model:",
        "here/MAX_POOL2D: failed to legalize operation 'tosa.max_pool2d'",
    )


@iree
def test_the_printed_command_runs_the_module(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(DIGITS, "-o", tmp_path / "digits.vmfb") == 0
    (printed,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  run  ")]
    program, *words = shlex.split(printed.split(maxsplit=1)[1])
    assert program == "iree-run-module"
    module = "iree._runtime.scripts.iree_run_module"
    line = [sys.executable, "-m", module, *words]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    zeros = {"image": np.zeros((1, 8, 8, 1), np.int8)}
    (expected,) = tc.run(DIGITS, zeros).values()
    assert done.stdout.splitlines()[-1] == f"1x10xi8=[{' '.join(map(str, expected[0].tolist()))}]"


@iree
def test_flags_are_the_compilers(tmp_path: Path) -> None:
    model = tc.convert(DIGITS)
    tc.save(model, tmp_path / "m.vmfb", flags=["--iree-hal-target-backends=vmvx"])
    assert (tmp_path / "m.vmfb").stat().st_size > 1000
    with pytest.raises(UnsupportedError, match="nonsense"):
        tc.save(model, tmp_path / "n.vmfb", flags=["--nonsense"])
    assert [path.name for path in tmp_path.iterdir()] == ["m.vmfb"]


def test_flags_are_for_iree_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="flags are of a compiler"):
        tc.save(tc.convert(DIGITS), tmp_path / "m.tosa", flags=["--x"])


def test_this_machine_is_the_target_unless_a_flag_says() -> None:
    other = ["--iree-hal-target-device=cuda"]
    assert vmfb.targeted(other) == other
    assert vmfb.targeted(["--iree-opt-level=O3"]) == [*vmfb.HOST, "--iree-opt-level=O3"]


def test_without_iree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iree.compiler", None)
    with pytest.raises(MissingExtra, match=r"tosa-converter\[iree\]"):
        tc.save(tc.convert(DIGITS), tmp_path / "m.vmfb")
    assert list(tmp_path.iterdir()) == []
