"""What a project's own tests use: the assertion, and the plugin that keeps pages, in a pytest of its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import FLOAT, INT8

import tosa_converter as tc
from tosa_converter import testing
from tosa_converter.testing import assert_equivalent

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")


def test_what_is_equivalent() -> None:
    assert assert_equivalent(INT8, runs=2).comparisons[0].runs == 2


def test_what_differs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one conversion and one comparison, and operators behind it."""
    calls: list[str] = []

    def counted(name: str) -> None:
        function = getattr(tc, name)

        def calling(*given: object, **options: object) -> object:
            calls.append(name)
            return function(*given, **options)

        monkeypatch.setattr(tc, name, calling)

    counted("convert")
    counted("compare")
    rule = tmp_path / "rules.py"
    rule.write_text(
        "from tosa_converter import Rewrite\n"
        "def build(match):\n"
        "    lhs, rhs = match['lhs'], match['rhs']\n"
        "    return match.builder.add(lhs, match.builder.add(rhs, rhs))\n"
        "RULES = [Rewrite('tfl.add', 'fp32', build)]\n"
    )
    model = tmp_path / "digits\x1b[31m.tflite"
    model.write_bytes(FLOAT.read_bytes())
    with pytest.raises(AssertionError) as error:
        assert_equivalent(model, rules=[str(rule)])
    text = str(error.value)
    assert "\x1b" not in text
    assert "elements differ by up to" in text
    assert "They part at operator 3, tfl.add" in text
    assert calls == ["convert", "compare"]


def test_a_file_that_was_written_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jinja2", reason="pip install 'tosa-converter[report]'")
    tc.save(tc.to_tflite(tc.convert(INT8)), tmp_path / "back.tflite")
    monkeypatch.setattr(testing, "_folder", tmp_path)
    assert not assert_equivalent(INT8, written=tmp_path / "back.tflite").operators
    assert len(list(tmp_path.glob("digits_int8-*.html"))) == 1


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_plugin_keeps_pages(tmp_path: Path, workers: tuple[str, ...]) -> None:
    pytest.importorskip("jinja2", reason="pip install 'tosa-converter[report]'")
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
    assert "2 of 2 as they should be" in text
    assert all(f'href="{path.name}"' in text for path in pages.glob("digits*"))
