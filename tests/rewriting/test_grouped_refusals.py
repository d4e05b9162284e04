"""Refusals in few lines: one sentence about a float model, groups with counts and places, all places with -v."""

import json
from pathlib import Path

import pytest
from support.commands import FLOAT, INT8, MODELS, command, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.errors import Refusal, count_names, group_refusals
from tosa_converter.rewriting.refusals import _summary
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator as B

HINT = "  -v lists every place; inspect --check lists what each operator becomes"


@pytest.mark.parametrize("words", [(FLOAT, "-o", "m.tosa"), ("verify", FLOAT)])
def test_a_float_model_for_integers_is_one_sentence(
    words: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(*words, "--target", "ethos-u85") == 4
    assert unwrapped(capsys.readouterr().err).splitlines() == [
        f"error: '{FLOAT}' is a float model, but ethos-u85 computes int8 and int16 only",
        "  9 operators need PRO-FP: 3 CONV_2D, 1 DEPTHWISE_CONV_2D, 1 ADD, 1 MAX_POOL_2D, 1 MEAN, and 2 more kinds",
        HINT,
        "  next: quantize the model first (docs: how-to/quantize)",
    ]


def test_every_place_is_listed_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (FLOAT, "-o", tmp_path / "m.tosa")
    assert command(*words, "--target", "ethos-u85", "-v") == 4
    lines = unwrapped(capsys.readouterr().err).splitlines()
    places = [line for line in lines if line.startswith("  tosa.")]
    assert len(places) == len(lines) - 3
    assert places[0].startswith("  tosa.const at main:0 CONV_2D ")
    assert command(*words, "--target", "ethos-u85", "--json") == 4
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["next"] == "quantize the model first (docs: how-to/quantize)"
    assert [f"  {row['message']}" for row in error["operators"]] == places
    assert {row["identifier"] for row in error["operators"]} >= {"unsupported-error/tosa.conv2d"}


def test_a_quantized_model_with_floats_at_its_borders() -> None:
    with pytest.raises(tc.UnsupportedError) as refused:
        tc.convert(INT8, target="ethos-u85", io_types="float32")
    assert refused.value.lines == (
        f"'{INT8}' computes 2 of 11 operators in float, but ethos-u85 computes int8 and int16 only",
        "2 operators need PRO-FP: 1 QUANTIZE, 1 DEQUANTIZE",
        "next: --io-type int8 makes the inputs and outputs integers",
    )


@pytest.mark.parametrize(
    ("model", "options", "lines"),
    [
        (
            INT8,
            {"target": "pro-fp"},
            ("is a quantized model, but PRO-FP computes floats only", "need PRO-INT: 3 CONV_2D"),
        ),
        (FLOAT, {"target": "pro-int"}, ("is a float model, but PRO-INT computes int8 only", "need PRO-FP: 3 CONV_2D")),
        (
            MODELS / "small" / "keywords.int8.tflite",
            {"target": "ethos-u85", "state": "variables"},
            ("needs what ethos-u85 lacks", "need PRO-INT and EXT-VARIABLE: ", "next: --state io makes"),
        ),
    ],
)
def test_what_a_target_lacks(model: Path, options: dict[str, str], lines: tuple[str, ...]) -> None:
    with pytest.raises(tc.UnsupportedError) as refused:
        tc.convert(model, **options)  # type: ignore[arg-type]
    for line, text in zip(refused.value.lines, lines, strict=False):
        assert text in line


@pytest.mark.parametrize(
    ("feature", "target", "quantity", "kind"),
    [
        ("PRO-FP", "pro-int", "computes {} of {} operators in float, but PRO-INT computes int8 only", "float"),
        ("PRO-INT", "pro-fp", "computes {} of {} operators in integers, but PRO-FP computes floats only", "quantized"),
    ],
)
@pytest.mark.parametrize(("lacking", "count"), [(1, 3), (1, 2), (2, 5), (2, 4), (2, 3), (5, 5), (49, 99), (50, 100)])
def test_a_model_is_of_a_kind_from_half_of_its_operators_on(
    feature: str, target: str, quantity: str, kind: str, lacking: int, count: int
) -> None:
    line, _ = _summary(tc.load(FLOAT), Target.parse(target), {feature: dict.fromkeys(range(lacking), "ADD")}, count)
    whole = f"is a {kind} model, but {quantity.rpartition(', but ')[2]}"
    assert line == f"'{FLOAT}' " + (whole if lacking / count >= 0.5 else quantity.format(lacking, count))


def test_operators_are_grouped_by_reason() -> None:
    refusals = [Refusal(f"main:{i}", "ADD" if i % 3 else "MUL", "too hard" if i < 30 else "odd") for i in range(40)]
    assert group_refusals(refusals) == [
        "    20 ADD: too hard",
        "       at main:1, main:2, main:4, main:5, main:7, main:8, main:10, main:11, main:13, main:14, and 10 more",
        "    10 MUL: too hard",
        "       at main:0, main:3, main:6, main:9, main:12, main:15, main:18, main:21, main:24, main:27",
        "     6 ADD: odd",
        "       at main:31, main:32, main:34, main:35, main:37, main:38",
        "     4 MUL: odd",
        "       at main:30, main:33, main:36, main:39",
    ]


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 25])
def test_ten_kinds_of_refusals_are_listed(count: int) -> None:
    expected = [line for i in range(min(count, 10)) for line in (f"     1 ADD: reason {i}", f"       at main:{i}")]
    expected += [f"and {count - 10} more kinds"] if count > 10 else []
    assert group_refusals([Refusal(f"main:{i}", "ADD", f"reason {i}") for i in range(count)]) == expected


@pytest.mark.parametrize("count", [1, 9, 10, 11, 25])
def test_ten_places_of_a_kind_are_listed(count: int) -> None:
    places = ", ".join(f"main:{i}" for i in range(min(count, 10)))
    more = f", and {count - 10} more" if count > 10 else ""
    expected = [f"{count:6d} ADD: odd", f"       at {places}{more}"]
    assert group_refusals([Refusal(f"main:{i}", "ADD", "odd") for i in range(count)]) == expected


def test_refusals_without_places_have_one_line() -> None:
    assert group_refusals([Refusal("", "ADD", "odd")] * 3) == ["     3 ADD: odd"]
    assert group_refusals([Refusal("", "ADD", "odd"), Refusal("b", "ADD", "odd")]) == [
        "     2 ADD: odd",
        "       at , b",
    ]


@pytest.mark.parametrize(
    ("names", "most", "text"),
    [
        ("", 5, ""),
        ("abab", 5, "2 a, 2 b"),
        ("abcde", 5, "1 a, 1 b, 1 c, 1 d, 1 e"),
        ("abcdef", 5, "1 a, 1 b, 1 c, 1 d, 1 e, and 1 more kinds"),
        ("abb", 2, "2 b, 1 a"),
        ("abbc", 2, "2 b, 1 a, and 1 more kinds"),
        ("abcdefgg", 2, "2 g, 1 a, and 5 more kinds"),
    ],
)
def test_names_are_counted(names: str, most: int, text: str) -> None:
    assert count_names(names, most) == text
    assert most != 5 or count_names(names) == text


def test_hostile_codes_of_operators_are_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = ["\x1b[2J\nnext: forged", "\u202e" * 100_000]
    operators = [Operator(B.CUSTOM, (0,), (i + 1,), custom_code=codes[i % 2]) for i in range(200)]
    tensors = [Tensor((2,), name="t\n" * 1000) for _ in range(201)]
    (tmp_path / "m.tflite").write_bytes(build(tensors, operators, (0,), tuple(range(1, 201))))
    for number in (1, 200):
        data = build(tensors[: number + 1], operators[:number], (0,), tuple(range(1, number + 1)))
        (tmp_path / "m.tflite").write_bytes(data)
        assert command(tmp_path / "m.tflite", "-o", tmp_path / "m.tosa") == 4
        lines = unwrapped(capsys.readouterr().err).splitlines()
        assert all(line.isprintable() for line in lines)
        assert len(lines) <= 7
        assert not any(line.strip().startswith("next: forged") for line in lines)
        assert max(map(len, lines)) <= 2100


def test_many_models_name_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(FLOAT, INT8, "-o", tmp_path, "--target", "ethos-u85") == 4
    words = " ".join(capsys.readouterr().out.split())
    assert f"{FLOAT} -> '{FLOAT}' is a float model, but ethos-u85 computes" in words
