"""Drawings: positions of nodes, texts, hostile names, and the display in a browser."""

import itertools
import os
import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support import chromium
from support.commands import INT8, MODELS, command, unwrapped

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import CONSTANTS, Graph, Model, Op, TensorType, Value
from tosa_converter.pictures.layout import GAP, ROW_GAP, layered_layout
from tosa_converter.pictures.svg import LINE, MOST, Drawing, _box, _draw_graphs, _Node, draw

if TYPE_CHECKING:
    from playwright.sync_api import Page

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</text><script>alert(1)</script>\x1b\x00\udc80\u202e\"'&"


def chain(length: int, name: str = "x") -> Model:
    """Returns consecutive negations, all with the same name."""
    values = [Value(TensorType(DType.I32, (2,)), name)]
    ops = []
    for _ in range(length):
        ops.append(Op("tosa.abs", values[-1:], [values[0].type], {}, location=name, result_names=[name]))
        values.append(ops[-1].result)
    return Model({name: Graph(name, values[:1], values[-1:], ops)})


@pytest.mark.parametrize("seed", range(20))
def test_nodes_stand_apart_and_edges_lead_down(seed: int) -> None:
    rng = random.Random(seed)
    sizes = [(rng.uniform(20, 200), rng.uniform(20, 80)) for _ in range(rng.randrange(1, 40))]
    edges = [(rng.randrange(node), node) for node in range(1, len(sizes)) for _ in range(rng.randrange(4))]
    drawing = layered_layout(sizes, edges)
    rows: dict[float, list[tuple[float, float]]] = {}
    for (x, top), (width, height), bottom in zip(drawing.tops, sizes, drawing.bottoms, strict=True):
        assert x - width / 2 >= -1e-6
        assert x + width / 2 <= drawing.width + 1e-6
        assert top + height <= bottom <= drawing.height + 1e-6
        rows.setdefault(top, []).append((x - width / 2, x + width / 2))
    for row in rows.values():
        assert all(left[1] + GAP <= right[0] + 1e-6 for left, right in pairwise(sorted(row)))
    for source, target in edges:
        way = [drawing.bottoms[source], *(y for _, y in drawing.ways[source, target]), drawing.tops[target][1]]
        assert sorted(way) == way
        assert way[1] - way[0] == pytest.approx(ROW_GAP)
    assert layered_layout(sizes, edges) == drawing
    corners = [x + side * width / 2 for (x, _), (width, _) in zip(drawing.tops, sizes, strict=True) for side in (-1, 1)]
    corners += [x for way in drawing.ways.values() for x, _ in way]
    assert (min(corners), max(corners)) == pytest.approx((0, drawing.width))
    assert drawing.height == pytest.approx(max(drawing.bottoms))


def test_a_graph_without_nodes_takes_no_room() -> None:
    drawing = layered_layout([], [])
    assert (drawing.width, drawing.height) == (0, 0)


@pytest.mark.parametrize(("sizes", "edges", "middles", "tops"), [
    ([(100, 20)], [], [50], [0]),
    ([(100, 20), (60, 30)], [(0, 1)], [50, 50], [0, 20 + ROW_GAP]),  # one is centered above the other
    ([(100, 20), (60, 30)], [], [50, 100 + GAP + 30], [0, 0]),
])  # fmt: skip
def test_few_nodes_have_these_positions(
    sizes: list[tuple[float, float]], edges: list[tuple[int, int]], middles: list[float], tops: list[float]
) -> None:
    """Nodes of a row are GAP apart, rows ROW_GAP; a node is below the middle of its operands."""
    drawing = layered_layout(sizes, edges)
    assert [x for x, _ in drawing.tops] == pytest.approx(middles)
    assert [y for _, y in drawing.tops] == tops
    assert drawing.width == max(x + width / 2 for x, (width, _) in zip(middles, sizes, strict=True))


def test_rows_follow_the_longest_path() -> None:
    """0 -> 1 -> 2 -> 3 take four rows, and the edge 0 -> 3 passes through two."""
    for edges in itertools.permutations([(0, 1), (1, 2), (2, 3), (0, 3)]):
        drawing = layered_layout([(10, 20)] * 4, edges)
        assert [y for _, y in drawing.tops] == [row * (20 + ROW_GAP) for row in range(4)]
        assert [len(drawing.ways[edge]) for edge in ((0, 1), (1, 2), (2, 3), (0, 3))] == [0, 0, 0, 4]


@pytest.mark.parametrize("more", [0, 1])
def test_edges_cross_at_most_20000_rows(more: int) -> None:
    """Each of the 99 edges in a chain of 100 nodes counts one row, a longer edge one for each row it spans."""
    edges, left = [(i, i + 1) for i in range(99)], 20_000 + more - 99
    for source, target in ((i, j) for i in range(100) for j in range(99, i + 1, -1)):
        if target - source <= left and target - source != left - 1:
            edges.append((source, target))
            left -= target - source
    assert left == 0
    if more:
        with pytest.raises(tc.UsageError, match="connections are too many to draw"):
            layered_layout([(1.0, 1.0)] * 100, edges)
    else:
        layered_layout([(1.0, 1.0)] * 100, edges)


def boxes(text: str) -> Counter[str]:
    return Counter(rect.get("class", "") for rect in ET.fromstring(text).iter(f"{SVG}rect"))


@pytest.mark.parametrize("name", ["digits_int8", "loop_scan_float32", "signatures_int8"])
def test_every_operator_has_a_box(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    for model in (source, tc.convert(source)):
        text = draw([model])
        assert text == draw([model])
        box_counts, graphs = boxes(text), list(model.graphs.values())
        walked = [op for graph in graphs for op in graph.walk()]
        graphs += [region for op in walked for region in op.regions]
        assert box_counts.pop("region") == len(graphs)
        assert box_counts.pop("border") == sum(len(graph.inputs) + len(graph.outputs) for graph in graphs)
        assert box_counts.pop("page") == 1
        assert box_counts.total() == sum(op.name not in CONSTANTS for op in walked)


def test_boxes_have_these_texts() -> None:
    texts = [node.text for node in ET.fromstring(tc.draw(INT8)).iter(f"{SVG}text")]
    assert {"conv_2d", "i8[16x3x3x1], i32[16]", "i8[?x10] <0.148131:-2>", "[1 2]"} <= set(texts)
    kinds = boxes(tc.draw(INT8))
    assert (kinds["product"], kinds["window"], kinds["other"]) == (5, 3, 1)


@pytest.mark.parametrize("lines", [["a"], ["a", "bb", "ccc"]])
def test_lines_of_a_box_are_stacked_inside(lines: list[str]) -> None:
    """The first line is the name."""
    box = _box("other", lines, "about", [])
    frame, *texts = (ET.fromstring(element) for element in box.elements if element.startswith(("<rect", "<text")))
    assert [text.text for text in texts] == lines
    assert [text.get("class", "") for text in texts] == ["name", *[""] * (len(lines) - 1)]
    assert [float(text.get("y", 0)) for text in texts] == [LINE * (i + 1) for i in range(len(lines))]
    assert (float(frame.get("width", 0)), float(frame.get("height", 0))) == (box.width, box.height)
    assert LINE * len(lines) < box.height < LINE * (len(lines) + 1)
    assert all(0 < float(text.get("x", 0)) < box.width / 2 for text in texts)


@pytest.mark.parametrize(("name", "width"), [("x", 50.2), ("a" * 20, 134.0)])
def test_a_graph_is_in_the_middle_of_its_frame(name: str, width: float) -> None:
    """Letters are 6.7 wide with a margin of 10; the widest line is `i32[2]`, or the title."""
    graph = chain(1).main
    graph.name = name
    drawing = _draw_graphs([graph])
    frame = next(ET.fromstring(element) for element in drawing.elements if element.startswith('<rect class="region"'))
    assert float(frame.get("width", 0)) == pytest.approx(width + 20, abs=0.06)
    assert drawing.width == pytest.approx(width + 20)
    places = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)">', "".join(drawing.elements))
    assert tuple(map(float, places[1])) == pytest.approx((10 + (width - 50.2) / 2, LINE + 10), abs=0.06)


@pytest.mark.parametrize("shapes", [[(2,)], [(2,), (1, 2, 3)], [(1, 2, 3), (2,), (10, 10)]])
def test_edges_begin_in_the_middle_of_each_type(shapes: list[tuple[int, ...]]) -> None:
    """Types are side by side around the middle of the box, 6.7 a letter and 10 apart."""
    results = [Value(TensorType(DType.I32, shape)) for shape in shapes]
    widths = [len(f"i32[{'x'.join(map(str, shape))}]") * 6.7 + 10 for shape in shapes]
    ports = list(_Node(Drawing(30.0, 25.0, []), (), results).ports(100.0, 7.0))
    assert [value for value, _ in ports] == results
    middles = [100 - sum(widths) / 2 + sum(widths[:i]) + width / 2 for i, width in enumerate(widths)]
    assert [x for _, (x, _) in ports] == pytest.approx(middles)
    assert {y for _, (_, y) in ports} == {32.0}


def test_names_of_files_are_escaped() -> None:
    root = ET.fromstring(draw([chain(2, EVIL)]))
    assert not list(root.iter(f"{SVG}script"))
    (title, *_) = (node.text for node in root.iter(f"{SVG}text"))
    assert title is not None
    assert title.startswith("</text><script>alert(1)</script>\\x1b\\x00\\udc80")


def test_a_large_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tc.save(chain(MOST), tmp_path / "m.tosa")
    assert command("show", tmp_path / "m.tosa", "--svg", tmp_path / "m.svg") == 0
    tc.save(chain(MOST + 1), tmp_path / "m.tosa")
    assert command("show", tmp_path / "m.tosa", "--svg", tmp_path / "n.svg") == 2
    first, second = unwrapped(capsys.readouterr().err).splitlines()
    assert first.endswith(f"{MOST + 1} operators; --svg draws up to {MOST}")
    assert second.strip().startswith("next: tflite-to-tosa extract MODEL ")
    assert not (tmp_path / "n.svg").exists()


def test_too_many_edges_are_refused() -> None:
    """One operator reads many inputs from far above."""
    long = chain(MOST - 1)
    values = [Value(long.main.inputs[0].type, f"v{i}") for i in range(1000)]
    long.main.inputs += values
    long.main.ops.append(Op("tosa.concat", [*values, long.main.ops[-1].result], [values[0].type], {"axis": 0}))
    with pytest.raises(tc.UsageError, match="1201 connections are too many to draw"):
        draw([long])


# ** a whole drawing **


def drawn() -> list[Model]:
    """Returns models with every part of a drawing: long edges, branches, constants, long names, regions."""
    few = [Op("tosa.const", (), [TensorType(DType.FP32, (4,))], {"values": np.array([0.5, -1, 1 / 3, 4], np.float32)})]
    few += [Op("tosa.const", (), [TensorType(DType.I32, (1,))], {"values": np.array([7], np.int32)})]
    few += [Op("tosa.const", (), [TensorType(DType.I8, (5,))], {"values": np.arange(5, dtype=np.int8)})]
    zeros = [np.zeros((100 + i, 20), np.float32) for i in range(12)]
    wide = [Op("tosa.const", (), [TensorType(DType.FP32, array.shape)], {"values": array}) for array in zeros]
    x, y = (Value(TensorType(DType.FP32, shape), name) for shape, name in (((2, 3), "x"), ((1,), "n" * 49)))
    first = Op("tosa.conv2d", [x, few[0].result, few[1].result], [x.type], {"pad": [0, 1]}, location="main:0 CONV 'a'")
    halves = Op("tosa.split", [first.result], [x.type, y.type])
    right = Op("tosa.abs", [y], [y.type], {"custom_code": "Mine & yours"})
    crossed = [Op("tosa.add", [b, a], [x.type]) for a, b in ((halves.results[0], right.result), (right.result, x))]
    inner = Value(y.type, "inner")
    region = Op("tosa.exp", [inner, few[2].result], [y.type])
    then = Graph("then", [inner], [region.result], [few[2], region])
    branch = Op("tosa.cond_if", [crossed[0].result], [y.type], regions=[then, Graph("else", [], [])])
    many = Op("tosa.concat", [crossed[1].result, *(op.result for op in wide)], [y.type], {"axis": 0})
    ops = [*few[:2], *wide, first, halves, right, *crossed, branch, many]
    results = [branch.result, halves.results[1], many.result]
    return [Model({"main": Graph("main", [x, y], results, ops)}), chain(2)]


def test_a_drawing_equals_the_golden_one() -> None:
    """A person reads it in a browser when `GOLDEN=write python -m pytest -k golden` writes it."""
    text, path = draw(drawn()), Path(__file__).parent / "golden" / "drawing.svg"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("heights", [(20.0, 50.0), (50.0, 20.0)])
def test_edges_leave_their_row_before_they_turn(heights: tuple[float, float]) -> None:
    """An edge goes straight down from its node to the lower side of the row, whose other node is higher."""
    x, y = (Value(TensorType(DType.I32, (2,)), name) for name in "xy")
    constant = Op("tosa.const", (), [TensorType(DType.I32, (1,))], {"values": np.array([7], np.int32)})
    further = [[constant.result] * (height > 30) for height in heights]
    ops = [Op("tosa.add", [value, *more], [value.type]) for value, more in zip((x, y), further, strict=True)]
    root = ET.fromstring(draw([Model({"g": Graph("g", [x, y], [op.result for op in ops], [constant, *ops])})]))
    ways = [[float(n) for n in re.findall(r"[\d.]+", path.get("d", ""))] for path in root.iter(f"{SVG}path")]
    for begin_x, begin_y, *steps in ways:
        assert steps[0] == steps[2] == steps[4] == begin_x
        assert steps[5] >= begin_y
    ends = sorted((way[0], way[7]) for way in ways[-2:])
    assert ends[0][1] == ends[1][1]  # both turn at the lower side of the higher node


def test_a_frame_is_as_high_as_its_graph_and_its_title() -> None:
    drawing = _draw_graphs([chain(1).main])
    frame = next(ET.fromstring(element) for element in drawing.elements if element.startswith('<rect class="region"'))
    places = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)">', "".join(drawing.elements))
    assert float(places[1][1]) == LINE + 10
    assert float(frame.get("height", 0)) == drawing.height
    layout = layered_layout([(50.2, 25.0 + 22)] * 2 + [(50.2, 25.0)], [(0, 1), (1, 2)])
    assert drawing.height == layout.height + LINE + 20


# ** in a browser **


@pytest.fixture(scope="module")
def browser() -> Iterator["Page"]:
    yield from chromium.opened()


INSIDE = """[...document.querySelectorAll("rect[height]:not(.page)")].every(rect => {
  const box = rect.getBoundingClientRect();
  return [...rect.parentNode.children].filter(one => one.tagName == "text").every(text => {
    const inner = text.getBoundingClientRect();
    return box.left <= inner.left && inner.right <= box.right && inner.bottom <= box.bottom + 1;
  });
})"""


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_texts_are_inside_of_their_boxes(browser: "Page", tmp_path: Path, scheme: str) -> None:
    converted = tc.convert(MODELS / "loop_scan_float32.tflite")
    (tmp_path / "out.svg").write_text(draw([tc.load(INT8), converted, chain(2, EVIL)]))
    browser.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    browser.goto((tmp_path / "out.svg").as_uri())
    assert browser.evaluate(INSIDE)
    page = browser.evaluate("getComputedStyle(document.querySelector('.page')).fill")
    assert (page == "rgb(255, 255, 255)") == (scheme == "light")
