"""What a project's own tests use: the assertion, and the plugin that keeps pages, in a pytest of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.commands import FLOAT, INT8

import tosa_converter as tc
from tosa_converter import testing
from tosa_converter.api import verifying
from tosa_converter.testing import assert_equivalent

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")


def test_equivalent_models_pass() -> None:
    assert assert_equivalent(INT8, runs=2).comparisons[0].runs == 2


def test_a_difference_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one conversion and one comparison, and operators behind it."""
    calls: list[str] = []

    def counted(name: str) -> None:
        function = getattr(verifying, name)

        def calling(*arguments: object, **options: object) -> object:
            calls.append(name)
            return function(*arguments, **options)

        monkeypatch.setattr(verifying, name, calling)

    counted("convert")
    counted("compare_sides")
    rule = tmp_path / "rules.py"
    rule.write_text(
        "from tosa_converter import Rule\n"
        "def build(match):\n"
        "    return match['lhs'] + (match['rhs'] + match['rhs'])\n"
        "RULES = [Rule('tfl.add', 'fp32', build)]\n"
    )
    model = tmp_path / "digits\x1b[31m.tflite"
    model.write_bytes(FLOAT.read_bytes())
    with pytest.raises(AssertionError) as error:
        assert_equivalent(model, rules=[str(rule)])
    text = str(error.value)
    assert "\x1b" not in text
    assert "elements differ by up to" in text
    assert "First difference at operator 3, tfl.add" in text
    assert calls == ["convert", "compare_sides"]


def test_a_written_file_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    tc.save(tc.to_tflite(tc.convert(INT8)), tmp_path / "back.tflite")
    monkeypatch.setattr(testing, "_folder", tmp_path)
    assert not assert_equivalent(INT8, written=tmp_path / "back.tflite").operators
    assert len(list(tmp_path.glob("digits_int8-*.html"))) == 1


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_plugin_keeps_pages(tmp_path: Path, workers: tuple[str, ...]) -> None:
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    test = tmp_path / "test_models.py"
    test.write_text(
        "import pytest\n"
        "from tosa_converter.testing import assert_equivalent\n"
        f"@pytest.mark.parametrize('path', [{str(INT8)!r}, {str(FLOAT)!r}])\n"
        "def test_model(path):\n"
        "    assert assert_equivalent(path).operators\n"
    )
    pages = tmp_path / "pages"
    line = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        *workers,
        "-p",
        "tosa_converter.testing",
        "--equivalence-report",
        str(pages),
        str(test),
    ]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    names = sorted(path.name.partition("-")[0] for path in pages.iterdir())
    assert names == ["digits_float32", "digits_int8", "index.html"]
    text = (pages / "index.html").read_text("utf-8")
    assert "2 of 2 as expected" in text
    assert all(f'href="{path.name}"' in text for path in pages.glob("digits*"))


def test_pages_of_unusual_names_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that no file may have, and what is in the folder besides."""
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "package.json").write_text('{"x": 1}')
    (pages / f"old{testing._ROW}").write_text("half a li")  # where a session was killed
    config = SimpleNamespace(getoption=lambda _: str(pages))
    monkeypatch.setattr(testing, "_folder", None)
    testing.pytest_configure(config)  # type: ignore[arg-type]
    assert [path.name for path in pages.iterdir()] == ["package.json"]
    for name in (b"\xff\xfe.tflite", b"x" * 240 + b".tflite", b"a?b#c%41.tflite", "\u202e\x07<b>.tflite".encode()):
        path = os.fsencode(tmp_path) + b"/" + name
        Path(os.fsdecode(path)).write_bytes(INT8.read_bytes())
        assert_equivalent(os.fsdecode(path), layers=False)
    testing.pytest_sessionfinish(SimpleNamespace(config=config))  # type: ignore[arg-type]
    text = (pages / "index.html").read_text("utf-8")
    assert "4 of 4 as expected" in text
    assert "\u202e" not in text
    links = re.findall('href="([^"]*)"', text)
    assert sorted([*links, "index.html", "package.json"]) == sorted(path.name for path in pages.iterdir())
