"""What notebooks and `repr` show: short, escaped whole, without scripts, whatever is in a file."""

import sys
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest
from support.commands import FLOAT, INT8

import tosa_converter as tc
from tosa_converter.coverage import Operator
from tosa_converter.inspection import GraphInspection, TensorInspection
from tosa_converter.ir import Border
from tosa_converter.notebook import _CARDS, Card, Table, _text, html
from tosa_converter.proof.borders import BorderDifference
from tosa_converter.proof.compare import DIFFERS, EQUAL, OutputReport
from tosa_converter.proof.diff import Change
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.operators import OperatorReport
from tosa_converter.proof.zoo import ZooModel
from tosa_converter.rewriting.report import Note
from tosa_converter.rules.target import Target

HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e\n'\"&" + "<img src=x onerror=alert(1)>" * 40
MANY = 3000
STYLES = ("color:#1a7f37", "color:#cf222e", "overflow-wrap:anywhere", "text-align:left")
TAGS = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}


class Page(HTMLParser):
    """The tags, attributes and texts of a piece of HTML, whose tags are all closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[tuple[str, str | None]] = set()
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= set(attrs)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(value: object) -> Page:
    """Returns what a notebook shows of an object, after the checks that hold of all."""
    text = value._repr_html_()  # type: ignore[attr-defined]
    page, line = Page(text), repr(value)
    assert page.tags.keys() <= TAGS
    assert page.attributes <= {("style", text) for text in STYLES}
    assert len(text) <= 100_000
    assert len(line) <= 400
    assert line.isprintable()
    assert all(part.isprintable() for part in "".join(page.texts).split("\n"))
    return page


def cells(value: object) -> list[str]:
    return [text for text in shown(value).texts if text.strip()]


def hostile_model() -> tc.Converted:
    """Returns a model whose names are all hostile, of very many operators, inputs and outputs."""
    kind = tc.TensorType(tc.DType.I8, (1, 2))
    values = [tc.Value(kind, f"{HOSTILE}{i}") for i in range(MANY)]
    ops = [
        tc.Op(HOSTILE, values[:i], [kind] * i, {HOSTILE: HOSTILE, "bytes": bytes(9), "list": (1.5,) * MANY},
              location=HOSTILE, result_names=[HOSTILE] * i)
        for i in (1, 2, MANY)
    ]  # fmt: skip
    ops += [tc.Op(f"{HOSTILE}{i}", values[:1], [kind]) for i in range(MANY)]
    graphs = {f"{HOSTILE}{i}": tc.Graph(f"{HOSTILE}{i}", values, values, ops) for i in range(2)}
    model = tc.Model(graphs, source=HOSTILE)
    model.borders = {values[0]: Border(HOSTILE, tc.TensorType(tc.DType.UI8, (1, 2)))}
    counts = Counter({f"{HOSTILE}{i}": i for i in range(MANY)})
    notes = [Note(HOSTILE, HOSTILE)] * MANY
    report = tc.Report(HOSTILE, counts, counts, Target.parse("pro-int"), notes, [], 0.5, (HOSTILE,), graphs)
    return tc.Converted(model, report)


def hostile_output(verdict: bool) -> OutputReport:
    return OutputReport(
        HOSTILE, HOSTILE, 9, 4, float("nan"), 1.0, 3.0, 0.1, verdict, EQUAL if verdict else DIFFERS
    )  # fmt: skip


def hostile_reports() -> list[object]:
    """Returns reports of each class with hostile names."""
    comparison = tc.Comparison(HOSTILE, HOSTILE, 3, (hostile_output(True),) * MANY, signature=HOSTILE)
    judgement = Judgement(9, 4, 1.0, 1.0, 3.0, None, 0.1, False)
    row = OperatorReport(3, HOSTILE, HOSTILE, HOSTILE, HOSTILE, {HOSTILE: 1}, judgement, judgement, False, HOSTILE)
    operators = tc.OperatorComparison(HOSTILE, HOSTILE, 0, 0, (row,) * MANY, HOSTILE, signature=HOSTILE)
    verification = tc.Verification(
        HOSTILE, HOSTILE, Target.parse("pro-int"), 0, (comparison,) * 9, [Note(HOSTILE, HOSTILE)] * MANY, (),
        (BorderDifference(HOSTILE, HOSTILE),) * MANY, (operators,) * 9,
    )  # fmt: skip
    changes = (Change("wiring", HOSTILE, HOSTILE, HOSTILE, HOSTILE),) * MANY
    diff = tc.Diff(HOSTILE, HOSTILE, (HOSTILE, HOSTILE), (hostile_output(False),) * MANY, changes, note=HOSTILE)
    zoo = object.__new__(tc.Zoo)
    zoo.models = (ZooModel(HOSTILE, HOSTILE, HOSTILE, kind=HOSTILE),) * MANY
    result = tc.ModelReport(HOSTILE, HOSTILE, "", "failed", HOSTILE, False, 1.0, (HOSTILE,) * MANY)
    tensor = TensorInspection(HOSTILE, HOSTILE, (1, None), None)
    graph = GraphInspection(HOSTILE, 1, 0, 0, (tensor,) * MANY, (tensor,), (), ())
    inspection = tc.Inspection(HOSTILE, 9, HOSTILE, (graph,) * 9, {}, {HOSTILE: MANY}, HOSTILE, ((HOSTILE, HOSTILE),))
    kinds = [Operator(HOSTILE, f"{HOSTILE}{i}", HOSTILE, (HOSTILE,), "noted", (HOSTILE,), "") for i in range(MANY)]
    coverage = tc.Coverage(HOSTILE, None, HOSTILE, tuple(kinds))
    return [comparison, operators, verification, diff, zoo, result, inspection, coverage]


def test_nothing_hostile_gets_out() -> None:
    model = hostile_model()
    objects = [model, model.main, *model.main.ops[:3], model.report, *hostile_reports()]
    for value in objects:
        page = shown(value)
        text = " ".join(page.texts)
        assert "<script>alert(1)</script>\\x1b[2J\\u202e\\n" in text, type(value)
        assert page.tags["tr"] > 1
    assert {type(value).__name__ for value in objects} - {"Converted"} | {"Model"} == _CARDS.keys()


@pytest.mark.parametrize(("length", "is_whole"), [(119, True), (120, True), (121, False), (480, False), (481, False)])
def test_a_cell_has_up_to_120_characters_and_titles_and_facts_480(length: int, is_whole: bool) -> None:
    name = "n" * length
    table = Table("caption", ("column",), [(name,)], 1)
    texts = Page(html(Card(name, [("fact", name)], [table]))).texts
    short = f"{'n' * 90} ... {length - 120} characters ... {'n' * 30}"
    long = name if length <= 480 else f"{'n' * 360} ... 1 characters ... {'n' * 120}"
    words = [text for text in texts if text.strip()]
    assert words == [long, "fact", long, "caption", "column", name if is_whole else short]


@pytest.mark.parametrize("count", [0, 1, 24, 25, 26, 90])
def test_a_table_has_up_to_25_rows(count: int) -> None:
    table = Table("caption", ("column",), ((i,) for i in range(count)), count)
    texts = [text for text in Page(html(Card("title", [], [table]))).texts if text.strip()]
    more = [f"and {count - 25} more"] if count > 25 else []
    rows = [str(i) for i in range(min(count, 25))]
    assert texts == (["title", "caption", "column", *rows, *more] if count else ["title"])


def test_rows_of_all_tables_share_60000_characters() -> None:
    row = len('<tr><td style="text-align:left"></td></tr>') + 100
    tables = [Table(f"caption {i}", ("column",), [("n" * 100,)] * 25, 25) for i in range(20)]
    page = Page(html(Card("title", [], tables)))
    assert page.tags["tr"] - 20 == 60_000 // row
    assert sum(int(text.split()[1]) for text in page.texts if text.startswith("and ")) == 20 * 25 - 60_000 // row


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (None, "?"), (True, "true"), ("False", "False"), (0.123456, "0.1235"), (b"abc", "3 bytes"),
        (np.zeros((2, 3), np.int8), "int8[2, 3]"), (list(range(8)), "[0, 1, 2, 3, 4, 5, 6, 7]"),
        (tuple(range(9)), "[0, 1, 2, 3, 4, 5, 6, 7, ... 9 in all]"), ([[1.0], None], "[[1], ?]"),
    ],
    ids=str,
)  # fmt: skip
def test_values_are_short_texts(value: object, text: str) -> None:
    assert _text(value) == text


def test_facts_without_a_value_are_left_out() -> None:
    facts = [("a", ""), ("b", None), ("c", 0), ("d", False), ("e", "x")]
    texts = [text for text in Page(html(Card("title", facts, []))).texts if text.strip()]
    assert texts == ["title", "c", "0", "d", "false", "e", "x"]


def test_a_model_shows_its_borders_and_operators() -> None:
    source = tc.load(INT8)
    texts = cells(source)
    assert texts[0] == f"Model {INT8}"
    assert (texts[2], texts[5]) == ("9 of tfl", "inputs and outputs")
    assert texts[texts.index("input") :][:2] == ["input", "image"]
    assert str(source.main.inputs[0].type) in texts
    assert texts[texts.index("tfl.conv_2d") + 1] == "3"
    converted = tc.convert(source)
    assert texts[0] in cells(converted)
    facts = {"9 -> 52", "PRO-INT, EXT-DOUBLEROUND", "operators of the source", str(source.main.inputs[0].type)}
    assert facts <= set(cells(converted))
    assert {"9 -> 52", "reference"} <= set(cells(converted.report))
    graph = cells(converted.main)
    assert graph[0] == "Graph 'main'"
    assert "and 70 more" in graph  # of 95, the first 25 are shown
    op = next(op for op in converted.main if op.name == "tosa.conv2d")
    assert {"tosa.conv2d", "operands", "results", "attributes", "pad", op.location} <= set(cells(op))


def test_a_verification_shows_its_verdict_and_outputs() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    verification = tc.verify(INT8, layers=True)
    assert repr(verification) == f"<Verification: PASS {INT8}: every output is bit-identical>"
    texts = cells(verification)
    assert texts[0] == f"PASS {INT8}: every output is bit-identical"
    assert {"0 of 10", "equal", "outputs", "litert", "operators with the largest differences"} <= set(texts)
    assert ("style", "color:#1a7f37") in shown(verification).attributes
    assert repr(verification.comparisons) == "(<Comparison: PASS: executor against litert>,)"
    (operators,) = verification.operators
    assert f"PASS: {operators.sentence}" == cells(operators)[0]
    rules = [tc.Rule("tfl.add", "fp32", lambda match: match["lhs"] + (match["rhs"] + match["rhs"]))]
    different = tc.verify(FLOAT, rules=rules, layers=True)
    assert repr(different).startswith(f"<Verification: FAIL {FLOAT}")
    assert ("style", "color:#cf222e") in shown(different).attributes
    texts = cells(different)
    rows = texts[texts.index("operators with the largest differences") :]
    assert rows[5:7] == ["3", "tfl.add"]  # the operator that differs comes first


def test_other_reports_show_what_they_are() -> None:
    zoo = tc.Zoo(folder=INT8.parent / "small")
    assert repr(zoo) == f"<Zoo: {len(zoo.models)} models>"
    assert {zoo.models[0].name, "equal", "file"} <= set(cells(zoo))
    tosa = tc.convert(INT8)
    diff = tc.diff(tosa, tosa)
    assert cells(diff)[0] == f"{INT8} and {INT8}: the same function, the same operators"
    inspection = tc.inspect(INT8)
    assert repr(inspection) == f"<Inspection: 9 operators in {INT8}>"
    assert {"tfl.conv_2d", str(inspection.needs), "[?, 8, 8, 1]"} <= set(cells(inspection))
    coverage = tc.check(FLOAT, "pro-int")
    assert cells(coverage)[0].startswith(f"{FLOAT}: ")
    assert "can't" in cells(coverage)


def test_a_conversion_does_not_load_what_notebooks_show() -> None:
    import subprocess

    code = (
        f"import sys, tosa_converter as tc; tc.convert({str(INT8)!r}); print('tosa_converter.notebook' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "False\n"
