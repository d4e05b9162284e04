"""The index of pages of many models, and the pages of those that could not be compared."""

import re
from pathlib import Path

import pytest
from support.commands import FLOAT, INT8, command
from support.pages import EVIL, dangling_links

from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.proof.page import IndexRow, write_index, write_refusal_page
from tosa_converter.proof.page.refusals import group_reasons, refusal_page

pytest.importorskip("jinja2", reason="pip install '.[report]'")


def test_many_models_have_an_index(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    models, pages = tmp_path / "models", tmp_path / "pages"
    models.mkdir()
    for source in (INT8, FLOAT):
        (models / source.name).write_bytes(source.read_bytes())
    (models / "broken &<b>.tflite").write_bytes(b"nonsense")
    results = tmp_path / "results"
    line = ("zoo", "verify", "--folder", models, "--report", pages, "--runs", "1", "--results", results)
    assert command(*line) == 1
    names = sorted(path.name for path in pages.iterdir())
    assert names == ["000-broken_b_.html", "001-digits_float32.html", "002-digits_int8.html", "index.html"]
    text = (pages / "index.html").read_text("utf-8")
    assert "2 of 3 as expected" in text
    assert "broken &amp;&lt;b&gt;" in text
    assert "0 of 0" not in text
    assert all(f'href="{name}"' in text for name in names[:3])
    refusal = (pages / names[0]).read_text("utf-8")
    assert ">REFUSED</strong>" in refusal
    assert "expected TFLite" in refusal
    assert command(*line, "--resume") == 1
    assert (pages / "index.html").read_text("utf-8").count("href=") == 3
    (models / INT8.name).write_bytes(b"nonsense")  # whose page is of what it was
    assert command(*line) == 1
    assert ">REFUSED</strong>" in (pages / names[2]).read_text("utf-8")


def test_the_command_explains_a_refusal(tmp_path: Path) -> None:
    """A float model for a target of integers: the reasons by operator, and what to type next."""
    page = tmp_path / "r.html"
    assert command("verify", FLOAT, "--target", "ethos-u85", "--report", page) == 4
    text = page.read_text("utf-8")
    assert ">REFUSED</strong>" in text
    assert "PRO-FP" in text
    assert f"<code>tflite-to-tosa inspect {FLOAT} --check --target ethos-u85</code>" in text
    assert dangling_links(text) == set()
    page.unlink()
    (tmp_path / "m.tflite").write_bytes(b"nonsense")
    assert command("verify", tmp_path / "m.tflite", "--report", page) == 3
    assert "--partial" not in page.read_text("utf-8")  # there is nothing to convert in it


def test_only_what_is_said_of_the_model_has_a_page(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    with pytest.raises(UsageError), refusal_page(page, "m.tflite", {}):
        raise UsageError("no such option")
    assert not page.exists()
    with pytest.raises(FormatError), refusal_page("", "m.tflite", {}):
        raise FormatError("bad bytes")
    with pytest.raises(UnsupportedError), refusal_page(page, "m.tflite", {}):
        raise UnsupportedError("no", "tosa.add at main:3 ADD 'x': bad")
    assert "ADD" in page.read_text("utf-8")


def test_reasons_are_grouped() -> None:
    lines = [
        "tosa.conv2d at main:1 CONV_2D 'a: b': needs PRO-FP",
        "tosa.conv2d at main:2 CONV_2D 'c': needs PRO-FP",
        "main:3 RELU 'd': no rule",
        "     7 ADD: needs PRO-FP",
        "       at main:4, main:5",
        "and 3 more",
    ]
    assert [tuple(group) for group in group_reasons(lines)] == [
        ("tosa.conv2d of CONV_2D: needs PRO-FP", ("main:1 CONV_2D 'a: b'", "main:2 CONV_2D 'c'")),
        ("RELU: no rule", ("main:3 RELU 'd'",)),
        ("7 ADD: needs PRO-FP", ("main:4, main:5",)),
        ("and 3 more", ("",)),
    ]


@pytest.mark.parametrize("outcome", ["refused", "unjudged", "crashed", "timeout"])
def test_every_outcome_has_its_next_step(tmp_path: Path, outcome: str) -> None:
    lines = ["it can't be", f"tosa.add at main:0 ADD '{EVIL}': {EVIL}", "next: quantize it first"]
    write_refusal_page(tmp_path / "r.html", f"m{EVIL}.tflite", lines, outcome=outcome)
    text = (tmp_path / "r.html").read_text("utf-8")
    assert f">{outcome.upper()}</strong>" in text
    assert "<p>quantize it first</p>" in text
    assert ("--partial" in text) == (outcome in ("refused", "unjudged"))
    assert ("tflite-to-tosa verify" in text) == (outcome in ("crashed", "timeout"))
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "\u202e" not in text


def test_a_model_without_lines_has_a_page(tmp_path: Path) -> None:
    write_refusal_page(tmp_path / "r.html", "", [])
    assert "it could not be compared" in (tmp_path / "r.html").read_text("utf-8")


def test_names_in_an_index_are_text(tmp_path: Path) -> None:
    write_index(tmp_path / "index.html", [IndexRow(EVIL, EVIL, EVIL, False, needs=EVIL, page="<script>.html")])
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "<script>alert" not in text
    assert "<img" not in text
    assert re.findall(r'href="([^"]*)"', text) == ["%3Cscript%3E.html"]
    assert "FAIL" in text
    write_index(tmp_path / "index.html", [IndexRow("m", "", "equal", True, 0, 3)])
    assert "PASS" in (tmp_path / "index.html").read_text("utf-8")
