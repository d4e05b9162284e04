"""The assertion that a project's own tests use; tests/test_pytest_plugin.py has the plugin of pytest."""

from pathlib import Path

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

    counted("convert_prepared")
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
    assert "First difference at operator 3, ADD" in text
    assert calls == ["convert_prepared", "compare_sides"]


def test_a_written_file_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    tc.save(tc.to_tflite(tc.convert(INT8)), tmp_path / "back.tflite")
    monkeypatch.setattr(testing, "_folder", tmp_path)
    assert not assert_equivalent(INT8, written=tmp_path / "back.tflite").operators
    assert len(list(tmp_path.glob("digits_int8-*.html"))) == 1


def test_a_file_that_differs_is_named(tmp_path: Path) -> None:
    """It is not the source's conversion."""
    model = tc.convert(INT8)
    conv = next(op for op in model.main.ops if op.name == "tosa.conv2d")
    bias = conv.operands[2].producer
    assert bias is not None
    bias.attributes["values"] = bias.attributes["values"] + 10_000
    tc.save(model, tmp_path / "other.tosa")
    with pytest.raises(AssertionError, match=r"digits_int8\.tflite and \S*other\.tosa differ\n"):
        assert_equivalent(INT8, written=tmp_path / "other.tosa")
