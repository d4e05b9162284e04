"""The page of a verification: what it says, of what, and with names that somebody chose."""

import hashlib
import json
import platform
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, command
from support.pages import dangling_links, different, hostile, repeated_ids, row_states
from support.partial import with_known, without

import tosa_converter as tc
from tosa_converter.errors import MissingExtra
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof.page import IndexRow, index_row
from tosa_converter.proof.page.facts import _constant_bytes, group_by_text, lowerings, seconds_by_kind
from tosa_converter.proof.page.provenance import command as command_of
from tosa_converter.proof.page.provenance import provenance
from tosa_converter.proof.page.sections import _figures

pytest.importorskip("jinja2", reason="pip install '.[report]'")
pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")


@pytest.fixture(scope="module")
def verification() -> tc.Verification:
    return tc.verify(FLOAT, layers=True)


def test_a_page_needs_nothing_besides_it(verification: tc.Verification, tmp_path: Path) -> None:
    size = tc.write_report(verification, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert size == len(text.encode())
    assert ">PASS</strong>" in text
    assert not re.search(r"(?:src|href)=[\"'](?!#)", text)
    assert "style=" not in text  # the policy would refuse it
    for row in verification.operators[0].operators:
        assert row.tensor.replace("'", "&#39;") in text


def test_times(verification: tc.Verification, tmp_path: Path) -> None:
    tc.write_report(verification, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "in <code>litert-optimized</code> (the values are of <code>litert</code>" in text
    assert "Times of the source&#x27;s operators by kind, above" in text
    (layers,) = verification.operators
    tc.write_report(replace(verification, operators=(replace(layers, clock=None),)), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "litert-optimized" not in text
    assert "source, ms" not in text


def test_names_are_text(verification: tc.Verification, tmp_path: Path) -> None:
    for result in (different(verification), hostile()):
        tc.write_report(result, tmp_path / "out.html")
        text = (tmp_path / "out.html").read_bytes()
        assert b"<script>alert" not in text
        assert b"&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m$x$" in text
        assert b"\\u202e" in text
        assert b"<img" not in text
        assert text.count(b"</style>") == text.count(b"</script>") == 1
        assert b"\x1b" not in text
        assert "\u202e".encode() not in text


def test_links_lead_to_what_is_there(verification: tc.Verification, tmp_path: Path) -> None:
    """From the verdict, the graph and the chart to rows, and from rows to the graph; each id is there once."""
    signatures = tc.verify(MODELS / "signatures_int8.tflite", layers=True)
    for result in (verification, different(verification), hostile(), signatures):
        tc.write_report(result, tmp_path / "out.html")
        text = (tmp_path / "out.html").read_text("utf-8")
        assert dangling_links(text) == set()
        assert repeated_ids(text) == []
        for number, comparison in enumerate(result.operators):
            for row in comparison.operators:
                assert f'id="n{number}-{row.index}" ' in text  # its box in the graph
                assert f'<tr id="r{number}-{row.index}"' in text


def test_the_verdict_leads_to_the_operator_that_differs(tmp_path: Path) -> None:
    """NEG is off by 0.5, so it is lit; ABS and EXP only inherit that. The filter keeps NEG alone."""
    result = hostile()
    tc.write_report(result, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    banner = text[text.index('<section class="verdict bad"') : text.index("</section>")]
    assert ">FAIL</strong>" in banner
    assert '<a href="#o0-0">1 of 1 output differs</a> from LiteRT' in banner
    assert re.search(r'<a href="#r0-0">operator 0, NEG <code>', banner)
    assert "is 2 in the source and 2.5 in the conversion; 3 of 6 differ, by 0.5 at most." in banner
    assert row_states(text) == {"r0-0": "differs", "r0-1": "inherits", "r0-2": "inherits"}
    assert re.findall(r'id="(n[\d-]+)" class="([^"]*)"', text) == [
        ("n0-0", "differs lit"),
        ("n0-1", "inherits"),
        ("n0-2", "inherits"),
    ]
    assert re.findall(r'<tr id="(r[^"]+)"[^>]* data-differs="1"', text) == ["r0-0"]
    assert "checked> only those that differ" in text


def test_what_is_equal_has_no_charts_of_nothing(tmp_path: Path) -> None:
    tc.write_report(tc.verify(INT8, layers=True), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "Every compared result is bit-identical: there is no difference to draw." in text
    assert "Largest difference of each operator" not in text
    assert re.search(r"<p>(\d+) of \1 kinds of operators give exact results, \d+ in all.</p>", text)
    assert "0.00 %" not in text
    assert "> only those that differ" in text
    assert "checked>" not in text
    assert set(row_states(text).values()) == {"equal"}


def test_where_a_page_comes_from(tmp_path: Path) -> None:
    """Its provenance by other ways: the hash of the file's bytes and this Python's version; no date."""
    model = tmp_path / "a model.tflite"
    model.write_bytes(INT8.read_bytes())
    tc.write_report(tc.verify(model, layers=True, runs=2, input_shapes={}), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert f"<dd>{hashlib.sha256(INT8.read_bytes()).hexdigest()}</dd>" in text
    assert f"<dt>Python</dt><dd>{platform.python_version()}</dd>" in text
    line = f"tflite-to-tosa verify '{model}' --runs 2 --layers"
    assert f"<code>{line.replace(chr(39), '&#39;')}</code>" in text
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text)


def test_the_same_gives_the_same_bytes(tmp_path: Path) -> None:
    """Without times, which nobody can repeat."""
    pages = []
    for name in "ab":
        result = tc.verify(INT8, layers=True)
        (comparison,) = result.operators
        rows = tuple(replace(row, seconds=None, source_seconds=None) for row in comparison.operators)
        untimed = replace(result, operators=(replace(comparison, clock=None, operators=rows),))
        tc.write_report(untimed, tmp_path / name)
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]


@pytest.mark.parametrize("count", [700, 3000])
@pytest.mark.parametrize(
    "name", ["encoder/layer_{}/attention/output/dense/bias;encoder/add_{}/activation", "x" * 10_000]
)
def test_a_page_of_a_large_model_is_below_1_mb(
    verification: tc.Verification, tmp_path: Path, count: int, name: str
) -> None:
    """Every operator differs by itself, and so is in the table, the graph and the chart."""
    x = Value(TensorType(tc.DType.FP32, (1, 56, 56, 128)), "x")
    values, ops, rows = [x], [], []
    (first, *_) = verification.operators[0].operators
    for i in range(count):
        op = Op("tfl.add", [values[-1], values[i // 2]], [x.type], location=f"main:{i} ADD {name.format(i, i)!r}")
        op.result.name = name.format(i, i)
        values.append(op.result)
        ops.append(op)
        report = replace(first, index=i, type=op.name, location=op.location, tensor=op.result.name)
        rows.append(replace(report, verdict=False, alone=first.whole, becomes={"tosa.add": 2, "tosa.rescale": 3}))
    model = Model({"main": Graph("main", [x], [values[-1]], ops)}, opset="tfl")
    comparison = replace(verification.operators[0], operators=tuple(rows))
    large = replace(verification, operators=(comparison,), sides=(model, model))
    assert tc.write_report(large, tmp_path / "out.html") < 1_000_000
    text = (tmp_path / "out.html").read_text("utf-8")
    assert dangling_links(text) == set()
    assert repeated_ids(text) == []
    assert len(row_states(text)) == min(count, 700)
    assert (f"{count - 700} more" in text) == (count > 700)


def test_commands_can_be_typed() -> None:
    options = {"--layers": True, "--against": ["iree", "vulkan"], "--input-shape": {"x y": [1, 2]}, "--seed": 3}
    shapes = "--input-shape 'x y=1,2'"
    assert command_of("verify", "m.tflite", options=options) == (
        f"tflite-to-tosa verify m.tflite --layers --against iree --against vulkan {shapes} --seed 3"
    )
    assert command_of("verify", "", options={}) == ""
    assert "sha256" not in dict(provenance("no such file", {}))


def test_what_it_became_is_a_sum_over_operators(verification: tc.Verification) -> None:
    """By hand: two kinds with their TOSA operators, and what belongs to neither."""
    (row, *_) = verification.operators[0].operators
    kinds = [(0, "add", {"tosa.add": 2}), (0, "add", {"tosa.add": 2}), (1, "add", {"tosa.rescale": 3}), (2, "pad", {})]
    rows = tuple(replace(row, index=i, type=f"tfl.{name}", becomes=becomes) for i, name, becomes in kinds)
    comparison = replace(verification.operators[0], operators=rows)
    table = lowerings([comparison], Counter({"add": 2, "rescale": 4}))
    assert [tuple(line) for line in table] == [
        ("ADD", 2, (("RESCALE", 3), ("ADD", 2))),
        ("PAD", 1, ()),
        ("none of these", 0, (("RESCALE", 1),)),
    ]
    assert lowerings([], Counter({"add": 2})) == ()


def test_notes_of_one_text_are_a_group() -> None:
    groups = list(group_by_text([("a", "1"), ("b", "2"), ("a", "3")]))
    assert [tuple(group) for group in groups] == [("a", ("1", "3")), ("b", ("2",))]


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", INT8, "--report", tmp_path / "r.html", "--json") == 0
    assert json.loads(capsys.readouterr().out)["operators"]
    assert (tmp_path / "r.html").stat().st_size > 10_000
    assert command("verify", INT8, "--report", tmp_path / "none" / "r.html") == 2


def test_what_has_no_layers_has_a_page(tmp_path: Path) -> None:
    """A file that was written, and a chain: outputs, operators and needs; the clauses are a conversion's."""
    written, page = tmp_path / "back.tflite", tmp_path / "r.html"
    tc.save(tc.to_tflite(tc.convert(INT8)), written)
    assert command("verify", INT8, written, "--report", page) == 0
    text = page.read_text("utf-8")
    assert f"<dt>compared with</dt><dd>{written}</dd>" in text
    assert f"tflite-to-tosa verify {INT8} {written} --layers" in text  # the command that compares both again
    assert "<dd>9 of the source, 9 of the conversion</dd>" in text
    assert "<h2>Operators</h2>" in text
    assert "<h2>What it needs</h2>" not in text
    assert "<h2>Graph of the source</h2>" in text  # without states, which only a comparison by operator gives
    model, was = without(tc.load(INT8), 4)
    tc.save(with_known(tc.convert_partially(model), was), tmp_path / "manifest.json")
    assert command("verify", INT8, "--partial", tmp_path, "--report", page) == 0
    text = page.read_text("utf-8")
    assert "MAX_POOL_2D" in text  # LiteRT's, in the middle
    assert "<h2>What it needs</h2>" in text  # of the TOSA pieces
    assert "Precision by TOSA" not in text
    assert command("verify", INT8, written, "--report", page, "--layers") == 0


def test_without_what_draws_it(verification: tc.Verification, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"\[report\]"):
        tc.write_report(verification, tmp_path / "out.html")
    assert list(tmp_path.iterdir()) == []


def test_models_with_state_and_signatures(tmp_path: Path) -> None:
    for name in ("small/keywords.int8", "signatures_int8"):
        model_verification = tc.verify(MODELS / f"{name}.tflite", layers=True)
        assert tc.write_report(model_verification, tmp_path / "out.html") > 10_000
        text = (tmp_path / "out.html").read_text("utf-8")
        assert "<dt>seed of the inputs</dt><dd>0</dd>" in text
        assert all(
            f'<td data-label="runs">{comparison.signature}: executor against litert, 1 random input' in text
            for comparison in model_verification.comparisons[1:]
        )
        assert all(
            len(output.histogram) == (output.mismatches > 0)
            for comparison in model_verification.comparisons
            for output in comparison.outputs
        )


def test_given_inputs_have_no_seed(tmp_path: Path) -> None:
    tc.write_report(tc.verify(INT8, inputs=[tc.random_inputs(INT8)]), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "1 given input" in text
    assert "seed" not in text
    assert "This command compares both again; add the inputs of this run: " in text


def test_numbers_that_are_none(tmp_path: Path, verification: tc.Verification) -> None:
    (comparison,) = verification.comparisons
    outputs = tuple(replace(output, max_abs=np.inf, sqnr_db=-np.inf, histogram=()) for output in comparison.outputs)
    odd = replace(verification, comparisons=(replace(comparison, outputs=outputs),))
    assert tc.write_report(odd, tmp_path / "out.html") > 10_000


def test_histograms_count_every_difference(verification: tc.Verification) -> None:
    (comparison,) = verification.comparisons
    for output in comparison.outputs:
        assert sum(count for _, count in output.histogram) == output.mismatches > 0
        at = [10**power for power, _ in output.histogram]
        assert at[-1] <= output.max_abs < at[-1] * 10**0.25


def test_times_of_a_kind_are_sums_over_its_operators(verification: tc.Verification) -> None:
    """Each operator counts with one of its results, the longest kinds come first."""
    (row, *_) = (row for row in verification.operators[0].operators if row.whole)
    rows = [
        replace(row, index=index, type=f"tfl.{name}", source_seconds=source, seconds=seconds)
        for index, name, source, seconds in [
            (0, "add", 1.0, 0.5),
            (1, "mul", 2.0, 8.0),
            (1, "mul", 2.0, 8.0),  # its second result
            (2, "add", 4.0, 0.25),
            (3, "sub", None, None),
            (4, "abs", 6.0, None),
        ]
    ]
    source, tosa = seconds_by_kind(rows)
    assert list(source.items()) == [("MUL", 2.0), ("ABS", 6.0), ("ADD", 5.0), ("SUB", 0.0)]
    assert list(tosa.items()) == [("MUL", 8.0), ("ABS", 0.0), ("ADD", 0.75), ("SUB", 0.0)]


def test_a_row_of_an_index_is_of_all_outputs_and_runs() -> None:
    figures = {
        "numerics": "reference",
        "verdict": True,
        "needs": "PRO-INT",
        "comparisons": [
            {"outputs": [{"mismatches": 3, "elements": 10, "max_abs": 2.0, "reference_max": 8.0}]},
            {"outputs": [{"mismatches": 1, "elements": 5, "max_abs": 3.0, "reference_max": 6.0}] * 2},
        ],
    }
    row = index_row(figures, name="m", seconds=2.5)
    assert row == IndexRow("m", "reference", "equal", True, 5, 20, 0.5, "PRO-INT", 2.5, "")
    empty = index_row({}, name="m", verdict="malformed")
    assert empty == IndexRow("m", "", "malformed", False, 0, 0, 0.0, "", 0.0, "")
    assert IndexRow("m", "", "", False) == IndexRow("m", "", "", False, 0, 0, 0.0, "", 0.0, "")


@pytest.mark.parametrize("compared", [(69,), (5,), ()], ids=str)
@pytest.mark.parametrize("word", ["equal", "part"])
def test_a_block_has_the_state_of_what_is_compared_in_it(
    word: str, compared: tuple[int, ...], verification: tc.Verification
) -> None:
    """Operators that aren't compared, the others of 70, count less than any other state, wherever they stand."""
    values = [Value(TensorType(tc.DType.FP32, (8,)), "x")]
    for _ in range(70):
        values.append(Op("tfl.abs", [values[-1]], [values[0].type]).result)
    ops = [value.producer for value in values if value.producer is not None]
    row = next(row for row in verification.operators[0].operators if row.whole is not None)
    whole = replace(row.whole, verdict=True, mismatches=0) if row.whole is not None and word == "equal" else None
    rows = [(replace(row, index=i, verdict=None, whole=whole, rule=""), f"r0-{i}") for i in compared]
    overview, *_ = _figures(Graph("main", values[:1], values[-1:], ops), rows, 0)
    states = re.findall(r'class="[^"]*\bblock (\w*)', overview.svg)
    assert sorted(filter(None, states)) == [word] * len(compared)
    assert len(re.findall(rf"; 1 of \d+: {word}\b", overview.svg)) == len(compared)


def test_bytes_of_constants_are_those_of_all_graphs() -> None:
    """By hand: 3 * 4 and 5 of the main graph, 2 * 2 of an operator's graph; what operators compute has none."""
    x = Value(TensorType(tc.DType.FP32, (3,)), "x")
    arrays: list[Array] = [np.ones(3, np.float32), np.ones(5, np.int8), np.ones(2, np.float16)]
    kinds = tc.DType.FP32, tc.DType.I8, tc.DType.FP16
    types = [TensorType(dtype, array.shape) for dtype, array in zip(kinds, arrays, strict=True)]
    consts = [Op("tosa.const", (), [t], {"values": v}) for t, v in zip(types, arrays, strict=True)]
    region = Graph("then", [], [consts[2].result], [consts[2]])
    branch = Op("tosa.cond_if", [x], [types[2]], regions=[region, region])
    total = Op("tosa.add", [x, consts[0].result], [x.type])
    graph = Graph("main", [x], [total.result, branch.result], [consts[0], consts[1], total, branch])
    assert _constant_bytes(Model({"main": graph})) == 3 * 4 + 5 + 2 * 2
    assert _constant_bytes(Model({"main": Graph("main", [x], [x])})) == 0
