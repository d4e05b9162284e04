"""What --extract writes: a folder whose command, typed as it is, shows the same difference."""

import json
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import COMMAND, MODELS, command
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.cli.options import VERIFY
from tosa_converter.cli.reproduction import _options_of_case, reproduction_lines, write_reproductions
from tosa_converter.proof.operators import Case
from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
HALVED = """
from tosa_converter import Rule
RULES = [Rule("tfl.tanh", "fp32", lambda match: 0.5 * match[0])]
"""
OFF_BY_ONE = """
from tosa_converter import Rule
from tosa_converter.legalize.tflite.recurrent.svdf import svdf
def off(match):
    y, memory = svdf(match)
    return y + 1.0, memory
RULES = [Rule("tfl.svdf", "", off)]
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a model whose last operator a plug-in breaks."""
    monkeypatch.chdir(tmp_path)
    Path("rules.py").write_text(HALVED)
    tensors = [Tensor((1, 5), name=name) for name in ("x", "inner", "last=out")]
    operators = [Operator(B.EXP, (0,), (1,)), Operator(B.TANH, (1,), (2,))]
    Path("m.tflite").write_bytes(build(tensors, operators, (0,), (2,)))
    return tmp_path


def extracted(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[Any, list[str]]:
    """The report of `verify --extract case --json`, and its only command as words."""
    assert command("verify", *words, "--extract", "case", "--json") == 1
    figures = json.loads(capsys.readouterr().out)
    ((path, line),) = figures["extracted"].items()
    assert path == str(Path("case", "operator.tflite"))
    assert Path("case", "command.txt").read_text() == f"{line}\n"
    return figures, shlex.split(line)


def typed(line: list[str], status: int) -> Any:
    """The report of a command in a process of its own."""
    done = subprocess.run([*COMMAND, *line[1:], "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def test_state_goes_on_over_the_steps_of_a_reproduction(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rules.py").write_text(OFF_BY_ONE)
    figures, line = extracted(
        capsys, MODELS / "small" / "keywords.float32.tflite", "--plugin", "rules.py", "--steps", 4
    )
    assert line[line.index("--steps") + 1] == "4"
    result, expected = typed(line, 1)["comparisons"]
    assert (result["steps"], expected["engine"]) == (4, "case/expected.npz")
    guilty = next(row for row in figures["operators"][0]["operators"] if row["verdict"] is False)
    (output,) = result["outputs"]
    # The operator was compared in the last step, its own model in all four.
    assert output["mismatches"] == 4 * guilty["alone"]["mismatches"]
    assert output["elements"] == 4 * guilty["alone"]["elements"]
    assert expected["outputs"][0]["mismatches"] == 0


@pytest.mark.parametrize(
    ("options", "status"),
    [(("--atol", "last=out=0.001", "--rtol", "0.0625"), 1), (("--atol", "100"), 0), (("--atol", "0.25"), 1)],
)
def test_tolerances_of_outputs_are_repeated(
    folder: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], status: int
) -> None:
    """The operator computes an output of the model, so what is allowed there is allowed in its reproduction."""
    assert folder.exists()
    words = ("m.tflite", "--plugin", "rules.py", *options, "--extract", "case", "--json")
    assert command("verify", *words) == status
    ((_, line),) = json.loads(capsys.readouterr().out)["extracted"].items()
    call = shlex.split(line)
    atol, rtol = (call[call.index(name) + 1] for name in ("--atol", "--rtol"))
    assert atol == f"last=out={float(options[1].rpartition('=')[2])}"
    assert rtol == ("last=out=0.0625" if "--rtol" in options else "last=out=0.0")
    result, _ = typed(call, status)["comparisons"]
    assert result["outputs"][0]["atol"] == float(options[1].rpartition("=")[2])
    assert result["outputs"][0]["mismatches"] == 5


def test_other_engines_are_repeated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.exists()
    words = ("m.tflite", "--plugin", "rules.py", "--against", "litert-optimized", "--limit", 20)
    _, line = extracted(capsys, *words)
    assert line[line.index("--against") + 1] == "litert-optimized"
    assert line[line.index("--limit") + 1] == "20"
    assert "--atol" not in line
    report = typed(line, 1)
    assert report["reference"] == "litert-optimized"


def test_a_tolerance_of_the_whole_model_is_none_of_an_inner_operator(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tensors = [Tensor((1, 5), name=name) for name in ("x", "inner", "out")]
    operators = [Operator(B.TANH, (0,), (1,)), Operator(B.EXP, (1,), (2,))]
    (folder / "m.tflite").write_bytes(build(tensors, operators, (0,), (2,)))
    _, line = extracted(capsys, "m.tflite", "--plugin", "rules.py", "--atol", "0.01")
    assert "--atol" not in line
    assert typed(line, 1)["comparisons"][0]["outputs"][0]["mismatches"] == 5


def test_a_part_of_an_existing_file_is_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the plug-in, which only converts: what the file has in the operator's place is in the folder too."""
    figures, _ = extracted(capsys, "m.tflite", "--plugin", "rules.py")
    verification = tc.verify("m.tflite", rules=["rules.py"], bisect=True)
    (operators,) = verification.operators
    assert operators.case is not None
    part = tc.convert(operators.case.model, rules=["rules.py"])
    case = operators.case._replace(result_model=part)
    verification = replace(verification, operators=(replace(operators, case=case),))
    words = {name: field.default for name, field in VERIFY.items()}
    commands = write_reproductions(verification, "parts", words, {"atol": {}, "rtol": {}, "bounds": {}})
    ((path, line),) = commands.items()
    assert shlex.split(line)[2:4] == [path, str(Path("parts", "existing.tosa"))]
    (alone,) = (row["alone"] for row in figures["operators"][0]["operators"] if row["verdict"] is False)
    result, expected = typed(shlex.split(line), 1)["comparisons"]
    assert result["outputs"][0]["mismatches"] == alone["mismatches"] == 5
    assert expected["outputs"][0]["mismatches"] == 0
    assert sorted(file.name for file in (folder / "parts").iterdir()) == [
        "command.txt",
        "existing.tosa",
        "expected.npz",
        "inputs.npz",
        "operator.tflite",
    ]
    np.testing.assert_array_equal(*(next(iter(np.load(f"{name}/expected.npz").values())) for name in ("case", "parts")))


def test_an_existing_tflite_file_that_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No part of it can be cut out as TOSA: what it computes on the source's values is in the folder."""
    tensors = [Tensor((1, 5), name=name) for name in ("x", "inner", "last=out")]
    operators = [Operator(B.EXP, (0,), (1,)), Operator(B.LOGISTIC, (1,), (2,))]
    (folder / "other.tflite").write_bytes(build(tensors, operators, (0,), (2,)))
    assert command("verify", "m.tflite", "other.tflite") == 1
    screen = capsys.readouterr().out
    assert "first difference  operator 1, TANH 'last=out'" in screen
    assert "next: tflite-to-tosa verify m.tflite other.tflite --extract m-difference" in screen
    _, line = extracted(capsys, "m.tflite", "other.tflite")
    ours, expected, existing = typed(line, 1)["comparisons"]
    assert (ours["verdict"], expected["verdict"], existing["verdict"]) == (True, True, False)
    assert existing["engine"] == "case/existing.npz"
    assert existing["outputs"][0]["mismatches"] == 5


def test_an_existing_file_with_state_in_the_operator(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rules.py").write_text(OFF_BY_ONE)
    source = MODELS / "small" / "keywords.float32.tflite"
    tc.save(tc.convert(source, rules=["rules.py"]), "existing.tosa")
    figures, line = extracted(capsys, source, "existing.tosa")
    ours, expected, existing = typed(line, 1)["comparisons"]
    assert (ours["verdict"], expected["verdict"], existing["verdict"]) == (True, True, False)
    assert existing["engine"] == "case/existing.npz"
    guilty = next(row for row in figures["operators"][0]["operators"] if row["verdict"] is False)
    assert existing["outputs"][0]["max_abs"] == pytest.approx(guilty["alone"]["max_abs"])


def test_the_result_that_differs_is_extracted(folder: Path) -> None:
    """Of an operator with several results, not the first one."""
    tensors = [Tensor((), "int32", np.array(1), name="axis"), Tensor((1, 4), name="x")]
    tensors += [Tensor((1, 2), name=name) for name in ("left", "right")]
    split = Operator(B.SPLIT, (0, 1), (2, 3), {"num_splits": 2})
    (folder / "split.tflite").write_bytes(build(tensors, [split], (1,), (2, 3)))

    def wrong(match: tc.Match) -> tuple[tc.Expr, tc.Expr]:
        x = match[1]
        return x.slice((0, 0), (1, 2)), x.slice((0, 2), (1, 2)) + 1.0

    verification = tc.verify("split.tflite", rules=[tc.Rule("tfl.split", "", wrong)], bisect=True)
    (case,) = (operators.case for operators in verification.operators)
    assert case is not None
    assert [*case.expected] == ["right"]


@pytest.mark.parametrize("steps", [(), (1,), (3,)], ids=str)
def test_the_shape_of_an_input_is_without_steps(steps: tuple[int, ...]) -> None:
    """An operator with state has a dimension for steps, also for a single one."""
    x = Tensor((1, 5), name="x", signature=(-1, 5))
    model = tc.load(build([x, Tensor((1, 5), name="y", signature=(-1, 5))], [Operator(B.EXP, (0,), (1,))], (0,), (1,)))
    case = Case(model, {"x": np.zeros((*steps, 2, 5))}, {}, max(steps, default=1))
    words = list(_options_of_case(case, {}, {}))
    assert words[-2:] == ["--input-shape", "x=2,5"]


def test_state_of_a_file_over_several_steps_is_said() -> None:
    lines = reproduction_lines({"case/operator.tflite": "tflite-to-tosa verify case/operator.tflite"}, "m.tosa")
    assert " ".join(lines).startswith("case/operator.tflite differs by itself in m.tosa, which keeps state there")
    assert lines[-1] == "  tflite-to-tosa verify case/operator.tflite"


def test_nothing_to_extract_is_said() -> None:
    assert reproduction_lines({}) == [
        "nothing is extracted: no operator differs by itself, or none can be a model of",
        "its own",
    ]
