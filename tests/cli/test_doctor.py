"""Commands around modules: doctor, the assembly listing, and SPIR-V wherever a model is expected."""

import importlib.metadata
import importlib.util
import json
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import numpy as np
import pytest
from support.commands import INT8, ROOT, command
from support.spirv_cases import CASES_BY_NAME

import tosa_converter as tc
from tosa_converter.cli import doctor
from tosa_converter.engines import ENGINES, vela
from tosa_converter.engines.engine import missing_packages
from tosa_converter.errors import ConverterError, install_hint
from tosa_converter.ir import Model
from tosa_converter.schemas.presets import PRESETS


def test_every_engine_is_examined(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("doctor", "--json") == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    targets = {f"target {preset.name}" for preset in PRESETS.values() if preset.tool in rows}
    assert set(rows) == {*ENGINES, ".vgf files", "vela", "show", *doctor.PARTS, *targets}
    assert {"target ethos-u55", "target vulkan-ml"} <= targets
    assert all(
        rows[f"target {preset.name}"]["ready"] == rows[preset.tool]["ready"]
        for preset in PRESETS.values()
        if preset.tool in rows
    )
    assert rows["executor"]["ready"]
    assert all(row["ready"] == (row["missing"] == []) for row in rows.values())


def test_every_extra_is_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any package that is found, what is missing names every optional dependency but those of developers."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(vela, "_command", lambda: None)
    hints = " ".join(line for row in doctor.examine() for line in row["missing"])
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(re.findall(r"'\.\[(\w+)\]'", hints)) == extras.keys() - {"dev", "docs", "test"}


def test_what_is_missing_or_fails_is_said() -> None:
    def broken(_model: Model) -> NoReturn:
        raise ConverterError("no device", "no driver")

    absent = {"name": "absent", "ready": False, "missing": ["a driver: apt-get install it"], "seconds": None}
    rows = [doctor._examine("broken", list, broken), absent]
    assert [line.strip() for line in doctor.lines(rows)] == [
        "broken                  not ready",
        "it fails on an addition: no device; no driver",
        "absent                  not ready",
        "misses a driver: apt-get install it",
    ]


def test_vgf_files_need_their_library(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "vgfpy" else find(name))
    assert command("doctor") == 0
    lines = capsys.readouterr().out.splitlines()
    first = lines.index(".vgf files              not ready")
    assert lines[first + 1 : first + 3] == [
        "  misses Python package ai-ml-sdk-vgf-library:",
        "    pip install '.[vgf]' in the checkout",
    ]


def test_assembly_of_modules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES_BY_NAME["CLAMP_fp32_0"]
    tc.save(Model({"main": case.graph}), tmp_path / "m.spv")
    assert command("inspect", tmp_path / "m.spv", "--asm") == 0
    text = capsys.readouterr().out
    assert '%1 = OpExtInstImport "TOSA.001000.1"' in text
    assert "CLAMP" in text
    tc.save(Model({"main": case.graph}), tmp_path / "m.tosa")
    assert command("inspect", tmp_path / "m.tosa", "--asm") == 2
    assert "expected a .spv or .vgf file" in capsys.readouterr().err


def test_modules_are_models_like_any_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spv, tosa = tmp_path / "digits.spv", tmp_path / "again.tosa"
    assert command(INT8, "-o", spv, "--debug-info") == 0
    assert command("inspect", spv, "--check", "--json") == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["check"] == "valid"
    assert command(spv, "-o", tosa) == 0
    inputs = {"image": np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)}
    (expected,) = tc.run(tc.load(INT8), inputs).values()
    for path in (spv, tosa):
        assert np.array_equal(tc.run(tc.load(path), inputs)["output_0"], expected)


def test_a_module_is_verified_against_another_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES_BY_NAME["ADD_i32_0"]
    tc.save(Model({"main": case.graph}), tmp_path / "m.spv")
    assert command("verify", tmp_path / "m.spv", "--against", "tosa-reference-model") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "run by tosa-reference-model, the source by executor)" in text
    assert command("verify", tmp_path / "m.spv") == 2
    assert "expected an engine that executor can be compared with" in capsys.readouterr().err


def test_a_line_that_two_parts_share_is_printed_once() -> None:
    text = "Python packages a, b: pip install '.[x]'"
    rows = [{"name": name, "ready": False, "missing": [text], "seconds": None} for name in ("one", "two", "three")]
    assert doctor.lines(rows) == [
        "one                     not ready",
        f"  misses {text}",
        "two                     not ready, as one",
        "three                   not ready, as one",
    ]


def test_the_packages_of_an_extra_are_installed_by_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    (line,) = missing_packages("show", {"first": "a", "second": "b"})
    assert line == "Python packages first, second: pip install '.[show]' in the checkout"
    (line,) = missing_packages("show", {"first": "a"})
    assert line == "Python package first: pip install '.[show]' in the checkout"


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ('{"dir_info": {"editable": true}, "url": "file:///checkout"}', "pip install '.[verify]' in the checkout"),
        ('{"archive_info": {}, "url": "https://host/x.whl"}', "pip install 'tosa-converter[verify]'"),
        (None, "pip install 'tosa-converter[verify]'"),
    ],
)
def test_hints_fit_how_the_package_was_installed(
    origin: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = SimpleNamespace(read_text=lambda name: {"direct_url.json": origin, "PKG-INFO": None}[name])
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _name: installed)
    assert install_hint("verify") == expected
    assert expected in str(tc.MissingExtra("LiteRT", "verify"))


def test_a_checkout_that_is_not_installed_is_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> NoReturn:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", absent)
    assert install_hint("verify") == "pip install '.[verify]' in the checkout"
