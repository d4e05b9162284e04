"""action.yml: its inputs reach the shell as data only, and its steps do what they say, run here as a runner does."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import FLOAT, INT8, MODELS, ROOT
from support.tflite_models import Operator, Tensor, build

from tosa_converter.schemas.tflite import BuiltinOperator

yaml = pytest.importorskip("yaml", reason="pip install '.[docs]'")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
INSTALL, VERIFY, UPLOAD = STEPS
HOSTILE = "$(touch injected)`touch injected`;touch injected\"'\\"


def run_step(step: dict[str, Any], folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell step as a runner does: by `bash -e` of a file, its expressions replaced by their values."""
    values = {name: row.get("default", "") for name, row in ACTION["inputs"].items()} | inputs
    values = {f"inputs.{name}": value for name, value in values.items()} | {"github.action_path": str(ROOT)}
    variables = {
        name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: values[match[1]], text) for name, text in step["env"].items()
    }
    script = folder / "step.sh"
    script.write_text(step["run"], "utf-8")
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    line = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    return subprocess.run(
        line, cwd=folder, env=os.environ | variables | {"PATH": path}, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip


def stub_command(folder: Path, name: str = "tflite-to-tosa") -> Path:
    """Puts a command on the path that writes its words to a file, one a line, and fails if one has `differs` in it."""
    (folder / "bin").mkdir(exist_ok=True)
    calls = folder / "calls"
    command = folder / "bin" / name
    script = f'#!/bin/sh\nprintf "%s\\n" "$@" >>{shlex.quote(str(calls))}\necho "::error::forged"\n'
    command.write_text(script + 'case "$*" in *differs*) exit 1 ;; *refused*) exit 4 ;; esac\n')
    command.chmod(0o755)
    return calls


def test_every_input_is_described_and_reaches_the_shell_by_a_variable() -> None:
    assert all(row["description"] for row in ACTION["inputs"].values())
    assert [name for name, row in ACTION["inputs"].items() if row.get("required")] == ["models"]
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert step.get("shell", "bash") == "bash"
    used = set(re.findall(r"inputs\.(\w+)", (ROOT / "action.yml").read_text("utf-8")))
    assert used == ACTION["inputs"].keys()
    assert UPLOAD["uses"].startswith("actions/upload-artifact@")
    assert "always()" in UPLOAD["if"]


def test_it_installs_its_own_checkout(tmp_path: Path) -> None:
    calls = stub_command(tmp_path, "python3")
    assert run_step(INSTALL, tmp_path).returncode == 0
    assert calls.read_text().splitlines() == ["-m", "pip", "install", "--quiet", f"{ROOT}[verify,report]"]


def test_words_of_a_verification(tmp_path: Path) -> None:
    calls = stub_command(tmp_path)
    for name in ("a.tflite", "two words.tflite", "sub/b.tflite", "[1].tflite", "-c.tflite"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    done = run_step(
        VERIFY, tmp_path, models="**/*b.tflite\n\n*words.tflite\n[1].tflite\n-c.tflite", target="ethos-u85",
        numerics="compact", arguments="--runs\n5\n--range\nx=0, 1\n", report="my pages",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    options = ["--target=ethos-u85", "--numerics=compact", "--runs", "5", "--range", "x=0, 1"]
    models = ["sub/b.tflite", "two words.tflite", "[1].tflite", "./-c.tflite"]
    pages = [f"--report=my pages/{i}-{Path(name).name}.html" for i, name in enumerate(models, 1)]
    expected = [["verify", name, *options, page] for name, page in zip(models, pages, strict=True)]
    assert calls.read_text().splitlines() == [word for words in expected for word in words]
    assert (tmp_path / "my pages").is_dir()


def test_inputs_are_never_code(tmp_path: Path) -> None:
    calls = stub_command(tmp_path)
    (tmp_path / "a.tflite").touch()
    inputs = {name: HOSTILE for name in ACTION["inputs"] if name not in ("models", "report")}
    done = run_step(VERIFY, tmp_path, models=f"a.tflite\n{HOSTILE}", report="$(touch injected)", **inputs)
    assert done.returncode == 2  # there is no such file
    assert not (tmp_path / "injected").exists()
    assert f"--target={HOSTILE}" in calls.read_text().splitlines()


def test_what_a_model_says_is_no_command_of_the_workflow(tmp_path: Path) -> None:
    stub_command(tmp_path)
    (tmp_path / "a.tflite").touch()
    lines = run_step(VERIFY, tmp_path, models="a.tflite").stdout.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert lines.index("::error::forged") < lines.index(f"::{token}::")


@pytest.mark.parametrize(
    ("models", "status"),
    [
        ("differs.tflite\na.tflite", 1),
        ("refused\ndiffers.tflite", 4),
        ("a.tflite\nnone.tflite", 2),
        ("*.xnn", 2),
        ("", 2),
    ],
)
def test_it_fails_when_a_model_does(tmp_path: Path, models: str, status: int) -> None:
    """All models are verified before."""
    calls = stub_command(tmp_path)
    for name in ("a.tflite", "differs.tflite", "refused"):
        (tmp_path / name).touch()
    done = run_step(VERIFY, tmp_path, models=models)
    assert done.returncode == status, done.stdout + done.stderr
    verified = calls.read_text().split("verify\n")[1:] if calls.exists() else []
    assert len(verified) == sum((tmp_path / name).is_file() for name in models.splitlines())


def test_the_real_command(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    (tmp_path / "models").symlink_to(MODELS)
    done = run_step(VERIFY, tmp_path, models="models/digits_int8.tflite", target="pro-int", report="pages")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "pages" / f"1-{INT8.name}.html").stat().st_size > 1000
    custom = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Mystery\n::error::forged")
    (tmp_path / "custom.tflite").write_bytes(build([Tensor((4,)), Tensor((4,))], [custom], (0,), (1,)))
    done = run_step(VERIFY, tmp_path, models=f"custom.tflite\n{FLOAT}")
    assert done.returncode == 4
    assert f"== {FLOAT}" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.startswith("::error")]
