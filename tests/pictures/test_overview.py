"""Drawings of large graphs in blocks: what is in them, and where their boxes lead."""

import re
from collections.abc import Sequence

import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.pictures.folding import Block, _count_crossing, common_scope, connections, fold, summary
from tosa_converter.pictures.layout import layered_layout
from tosa_converter.pictures.overview import Drawings, Figure, Mark
from tosa_converter.pictures.svg import PAD

TYPE = TensorType(DType.FP32, (1, 8))


def chain(count: int, *, scope: int = 0, skip: int = 0) -> tuple[Graph, list[Op]]:
    """ABS after ABS; each of them in a scope of so many, and every `skip`-th adds a value of ten before."""
    x = Value(TYPE, "x")
    values, ops = [x], []
    for i in range(count):
        operands = [values[-1], values[-10]] if skip and i % skip == 0 and i >= 10 else [values[-1]]
        op = Op("tfl.add" if len(operands) > 1 else "tfl.abs", operands, [TYPE], location=f"main:{i}")
        op.result.name = f"net/layer_{i // scope}/t{i}" if scope else f"t{i}"
        values.append(op.result)
        ops.append(op)
    return Graph("main", [x], [values[-1]], ops), ops


def drawings(graph: Graph, ops: Sequence[Op], lit: int = -1, **options: bool) -> list[Figure]:
    marks = [
        Mark("differs" if i == lit else "equal", "=", int(i == lit), f"r0-{i}", f"operator {i}", i == lit)
        for i in range(len(ops))
    ]
    return list(Drawings(graph, ops, marks, "0-", **options).figures())


def links(figures: Sequence[Figure]) -> set[str]:
    return {link for figure in figures for link in re.findall(r'href="#([^"]+)"', figure.svg)}


def boxes(figures: Sequence[Figure]) -> list[str]:
    return [id for figure in figures for id in re.findall(r' id="([^"]+)"', figure.svg)]


def test_a_small_graph_is_one_drawing() -> None:
    (figure,) = drawings(*chain(60))
    assert boxes([figure]) == [f"n0-{i}" for i in range(60)]
    assert links([figure]) == {f"r0-{i}" for i in range(60)}
    assert figure.operators == frozenset(range(60))
    assert figure.svg.count("<path") == 61  # between 60 operators, an input and an output
    assert "input x" in figure.svg


@pytest.mark.parametrize("count", [61, 300, 2000])
@pytest.mark.parametrize("lit", [-1, 0, 37])
def test_every_operator_is_drawn_once_and_every_link_leads_somewhere(count: int, lit: int) -> None:
    figures = drawings(*chain(count, skip=7), lit)
    assert sorted(boxes(figures)) == sorted(f"n0-{i}" for i in range(count))
    assert sorted(i for figure in figures for i in figure.operators) == list(range(count))
    assert links(figures) <= {f"r0-{i}" for i in range(count)} | {figure.id for figure in figures} | set(boxes(figures))
    assert {link for link in links(figures) if link.startswith("g")} == {figure.id for figure in figures[1:]}


@pytest.mark.parametrize("lit", [0, 123, 299])
def test_the_overview_opens_the_block_of_the_lit_operator(lit: int) -> None:
    overview, *parts = drawings(*chain(300), lit)
    assert f'id="n0-{lit}" class="differs lit"' in overview.svg
    assert overview.svg.count("differs lit") == 1
    assert not any("lit" in figure.svg for figure in parts)
    assert len(overview.operators) <= 60


def test_without_depth_blocks_lead_to_rows() -> None:
    (figure,) = drawings(*chain(300), deep=False)
    assert links([figure]) <= {f"r0-{i}" for i in range(300)}
    assert boxes([figure]) == []


def test_blocks_end_where_least_goes_on() -> None:
    """Operators 0 to 99 in fours, of which 1 to 3 read the first: nothing but one value crosses a cut behind four."""
    x = Value(TYPE, "x")
    ops: list[Op] = []
    for i in range(100):
        first = ops[i - i % 4].result if i % 4 else ops[-1].result if ops else x
        ops.append(Op("tfl.add", [ops[-1].result if ops else x, first], [TYPE]))
    blocks = fold(Block(0, 100), connections(ops))
    assert [block.begin for block in blocks] == [0, *(block.end for block in blocks[:-1])]
    assert blocks[-1].end == 100
    assert all(block.begin % 4 == 0 for block in blocks)
    assert all(20 <= block.size <= 40 for block in blocks)


def test_a_block_is_named_by_its_scope_and_its_kinds() -> None:
    graph, ops = chain(100, scope=40, skip=5)
    _, *parts = drawings(graph, ops)
    block = next(figure for figure in parts if figure.title.startswith("operators 0 to "))
    assert block.title.startswith("operators 0 to 2")
    assert ": net/layer_0: " in block.title
    assert common_scope(["a/b/c;d/e", "a/b/f:0"]) == "a/b"
    assert common_scope(["c", "a/b"]) == common_scope([]) == ""
    assert summary(ops[:20]) == "18 ABS, 2 ADD"
    assert summary([*ops[:20], Op("tfl.exp", [ops[0].result], [TYPE])], 1) == "18 ABS, 3 more"


def test_sources_are_above_their_first_reader() -> None:
    """Of 0 -> 1 -> 2 -> 4 and 3 -> 4, node 3 is in the first row, or late in the row of node 2."""
    sizes, edges = [(10.0, 10.0)] * 5, [(0, 1), (1, 2), (2, 4), (3, 4)]
    early, late = layered_layout(sizes, edges).tops, layered_layout(sizes, edges, sources_late=True).tops
    assert early[3][1] == early[0][1]
    assert late[3][1] == late[2][1]
    assert [y for _, y in late[:3]] == [y for _, y in early[:3]]


def test_names_are_escaped_and_short() -> None:
    x = Value(TYPE, '"><script>alert(1)</script>' * 9)
    op = Op("tfl.custom", [x], [TYPE], {"custom_code": "<b>\u202e" * 50})
    (figure,) = drawings(Graph("<i>", [x], [op.result], [op]), [op])
    assert "<script>" not in figure.svg
    assert "<b>" not in figure.svg
    assert "\u202e" not in figure.svg
    assert all(len(line) < 120 for line in re.findall(r"<text[^>]*>([^<]*)<", figure.svg))


def test_many_neighbours_are_one_box() -> None:
    """A block that reads more than eight operators of others says how many."""
    x = Value(TYPE, "x")
    ops = [Op("tfl.abs", [x], [TYPE]) for _ in range(80)]
    ops.append(Op("tfl.concatenation", [op.result for op in ops], [TYPE]))
    graph = Graph("main", [x], [ops[-1].result], ops)
    *_, last = drawings(graph, ops)
    assert re.search(r">from \d+ others<", last.svg)


def test_too_many_connections_are_said() -> None:
    x = Value(TYPE, "x")
    ops: list[Op] = []
    for _ in range(60):
        ops.append(Op("tfl.add", [x, *(op.result for op in ops)], [TYPE]))
    (figure,) = drawings(Graph("main", [x], [ops[-1].result], ops), ops)
    assert "Too many connections" in figure.svg


@pytest.mark.parametrize("count", [1, 60])
def test_a_drawing_has_the_same_margin_on_all_sides(count: int) -> None:
    (figure,) = drawings(*chain(count))
    view = re.search(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)" width="(\d+)" height="(\d+)"', figure.svg)
    assert view is not None
    left, top, width, height, *shown = map(int, view.groups())
    assert shown == [width, height]
    place = r'translate\((-?\d+) (-?\d+)\)">(?:<title>[^<]*</title>)?<rect width="(\d+)" height="(\d+)"'
    boxes = [tuple(map(int, box)) for box in re.findall(place, figure.svg)]
    ends = max(x + w for x, _, w, _ in boxes), max(y + h for _, y, _, h in boxes)
    assert (left, top) == (-PAD // 2, -PAD // 2)
    assert (left + width, top + height) == (ends[0] + PAD // 2, ends[1] + PAD // 2)


def test_cuts_are_counted_in_front_of_each_operator_and_behind_the_last() -> None:
    """0 is read by 1 and 2, 1 by 2, and 2 by 5, which is outside."""
    assert _count_crossing(Block(0, 3), [(0, 1), (0, 2), (1, 2), (2, 5)]) == [0, 1, 2, 0]


@pytest.mark.parametrize("count", [5, 60, 300])
def test_edges_leave_below_the_middle_of_a_box_and_end_above_the_middle_of_one(count: int) -> None:
    """Names make boxes of different widths; curves and boxes are at whole pixels."""
    graph, ops = chain(count, scope=7, skip=3)
    for i, op in enumerate(ops):
        op.result.name += "x" * (i % 9)
    widths = set()
    for figure in drawings(graph, ops):
        place = r'translate\((-?\d+) (-?\d+)\)">(?:<title>[^<]*</title>)?<rect width="(\d+)" height="(\d+)"'
        boxes = [tuple(map(int, box)) for box in re.findall(place, figure.svg)]
        widths |= {width for _, _, width, _ in boxes}
        tops = [(x + width / 2, y) for x, y, width, _ in boxes]
        bottoms = [(x + width / 2, y + height) for x, y, width, height in boxes]
        ways = re.findall(r'<path d="M(-?\d+) (-?\d+)([^"]+)"', figure.svg)
        assert len(ways) >= len(boxes) - 1
        for begin_x, begin_y, rest in ways:
            x, y = int(begin_x), int(begin_y)
            assert any(abs(x - to_x) <= 1 and abs(y - to_y) <= 1 for to_x, to_y in bottoms)
            end = int(re.findall(r"-?\d+", rest)[-1])
            end_x = int(re.findall(r"(-?\d+) -?\d+(?:V-?\d+)?$", rest)[0]) if "C" in rest else x
            assert any(abs(end_x - to_x) <= 1 and abs(end - to_y) <= 1 for to_x, to_y in tops)
    assert len(widths) > 1
