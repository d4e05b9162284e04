"""Errors: long texts and many places are cut, exit statuses have words, and figures are strict JSON."""

import errno
import json
import math

import numpy as np
import pytest

from tosa_converter.errors import (
    BrokenPassError,
    ConverterError,
    FormatError,
    MissingExtra,
    PluginError,
    UnpredictableError,
    UnsupportedError,
    UsageError,
    VerifyError,
    explained,
    listed,
    printable,
    shortened,
)
from tosa_converter.figures import as_json, finite


@pytest.mark.parametrize(("length", "most"), [(499, 500), (500, 500), (501, 500), (4, 3), (3, 3)])
def test_long_texts_are_cut(length: int, most: int) -> None:
    text = "x" * length
    assert shortened(text, most) == (text if length <= most else f"{'x' * most}... ({length} characters)")
    assert shortened("x" * 501) == f"{'x' * 500}... (501 characters)"
    assert shortened("x" * 500) == "x" * 500


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "abcdef ... 1 characters ... hi"),
        ("abcdefghi", None, "abcdefghi"),
        ("a" * 2000, 2000, "a" * 2000),
        ("a" * 2001, 2000, f"{'a' * 1500} ... 1 characters ... {'a' * 500}"),
        ("a\n\x1b\u202e\ud800", None, "a\\n\\x1b\\u202e\\ud800"),
    ],
)
def test_long_lines_lose_their_middle(text: str, limit: int | None, expected: str) -> None:
    assert printable(text, limit) == expected
    if limit == 2000:
        assert printable(text) == expected


@pytest.mark.parametrize("count", [0, 1, 10, 11, 100])
def test_ten_places_are_listed(count: int) -> None:
    places = [f"place {i}" for i in range(count)]
    assert listed(places) == places[:10] + ([f"and {count - 10} more"] if count > 10 else [])


@pytest.mark.parametrize(
    ("error", "status", "lines"),
    [
        (ConverterError("a", "b"), 1, ("a", "b")),
        (ConverterError(), 1, ("",)),
        (UnpredictableError("a"), 1, ("a",)),
        (UsageError("a"), 2, ("a",)),
        (
            MissingExtra("it", "show"),
            2,
            ("it needs an optional package: pip install '.[show]' in the checkout",),
        ),
        (FormatError("a", "b"), 3, ("a", "b")),
        (FormatError("a", offset=7), 3, ("a at byte 7",)),
        (FormatError("a", offset=0), 3, ("a at byte 0",)),
        (FormatError("a", path="p", offset=7, file="f"), 3, ("f: p at byte 7: a",)),
        (FormatError("a", file="f"), 3, ("f: a",)),
        (VerifyError(["a", "b"]), 3, ("a", "b")),
        (UnsupportedError("a", places=["p"]), 4, ("a",)),
        (PluginError("a"), 4, ("a",)),
        (OSError(errno.ENOENT, "No such file", "f"), 2, ("f: No such file",)),
        (OSError(errno.ENOENT, "No such file"), 2, ("No such file",)),
        (OSError("odd"), 2, ("odd",)),
        (
            OSError(errno.EMFILE, "Too many", "f"),
            2,
            ("f: Too many: close other programs, or raise the limit (ulimit -n)",),
        ),
        (
            OSError(errno.ENFILE, "Too many"),
            2,
            ("Too many: close other programs, or raise the limit (ulimit -n)",),
        ),
        (MemoryError(), 1, ("not enough memory",)),
    ],
    ids=repr,
)
def test_exit_statuses_have_their_words(error: Exception, status: int, lines: tuple[str, ...]) -> None:
    assert explained(error) == (status, lines)


def test_a_bug_is_reported_with_its_eight_innermost_frames() -> None:
    def fall(depth: int) -> None:
        if depth:
            fall(depth - 1)
        raise ValueError("deep")

    with pytest.raises(ValueError, match="deep") as caught:
        fall(20)
    status, (first, *frames, last) = explained(caught.value)
    assert (status, first, len(frames)) == (70, "ValueError: deep", 8)
    assert all(frame.startswith("  test_errors.py:") and frame.endswith(" in fall") for frame in frames)
    assert "this is a bug in tosa-converter" in last
    broken = BrokenPassError("simplify", [f"problem {i}" for i in range(25)])
    assert str(broken).splitlines()[0] == "simplify made an illegal graph"
    assert str(broken).splitlines()[-1] == "and 15 more"
    assert explained(broken)[0] == 70


def test_unsupported_operators_have_their_places() -> None:
    assert UnsupportedError("a", "b").places == ("a", "b")
    assert UnsupportedError("a", places=["p", "q"]).places == ("p", "q")
    assert VerifyError(["a"], ["type"]).kinds == {"type"}


def test_the_path_of_an_error_grows_outwards() -> None:
    error = FormatError("a", offset=1)
    for place in ("name", "[3]", "tensors", "Model"):
        error.inside(place)
    assert str(error) == "Model.tensors[3].name at byte 1: a"


def test_figures_are_strict_json() -> None:
    figures = {"a": [math.inf, -math.inf, math.nan, 1.5], "b": (1, {"c": math.inf}), "d": True, "e": "x\x7f", "f": None}
    assert finite(figures) == {"a": [None, None, None, 1.5], "b": [1, {"c": None}], "d": True, "e": "x\x7f", "f": None}
    assert json.loads(as_json(figures)) == finite(figures)
    assert as_json("x\x7f\x00\u2028") == '"x\\u007f\\u0000\\u2028"'
    with pytest.raises(TypeError):
        as_json({"a": np.float32(1)})
