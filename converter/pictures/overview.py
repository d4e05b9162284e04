"""A graph as SVG drawings for a page: an overview of blocks, and a drawing of each block, whose boxes are links.

The page's stylesheet colours the boxes by the classes of their marks; the drawings have no style of their own.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from tosa_converter.errors import UsageError, printable, shortened
from tosa_converter.ir import Graph, Op, Value
from tosa_converter.pictures.folding import Block, common_scope, connections, fold, summary
from tosa_converter.pictures.layout import Point, layered_layout
from tosa_converter.pictures.svg import LETTER, LINE, PAD

MOST_LETTERS = 36  # of a line in a box
MOST_OUTSIDE = 8  # boxes for what a block reads from others, and for what others read of it


class Mark(NamedTuple):
    """How the page shows an operator: a state with its sign, and how bad it is; `row` is the id of its table row."""

    state: str
    sign: str
    badness: int
    row: str
    title: str
    lit: bool = False


class Figure(NamedTuple):
    """A drawing: its id in the page, a title, its SVG, and the numbers of operators that have boxes of their own."""

    id: str
    title: str
    svg: str
    operators: frozenset[int]


class _Box(NamedTuple):
    """A box to draw, with lines of text and a tooltip; `attributes` are those of its link."""

    lines: tuple[str, ...]
    title: str
    classes: str
    id: str = ""
    href: str = ""

    @property
    def size(self) -> Point:
        """The width and height."""
        return max(map(len, self.lines)) * LETTER + 2 * PAD, len(self.lines) * LINE + PAD


class _Outside(NamedTuple):
    """What is outside of a part of a graph: boxes, and the blocks of the part that each is connected with."""

    boxes: dict[object, _Box]
    blocks: dict[object, dict[int, None]]

    def connect(self, key: object, box: _Box, block: int) -> None:
        """Adds a box for what is outside of a drawing, once for each key, and an edge to block number `block`."""
        self.boxes.setdefault(key, box)
        self.blocks.setdefault(key, {})[block] = None

    def boxes_and_blocks(self, word: str) -> list[tuple[_Box, dict[int, None]]]:
        """Returns the boxes outside of a drawing, each with the blocks connected to it.

        If there are more than `MOST_OUTSIDE`, one box stands for all of them, whose text begins with `word`.
        """
        if len(self.boxes) <= MOST_OUTSIDE:
            return [(box, self.blocks[key]) for key, box in self.boxes.items()]
        connected = {block: None for blocks in self.blocks.values() for block in blocks}
        return [(_Box((f"{word} {len(self.boxes)} others",), "", "border"), connected)]


class Drawings:
    """The operators of a graph with their marks, from which figures are drawn."""

    def __init__(
        self, graph: Graph, ops: Sequence[Op], marks: Sequence[Mark], prefix: str, *, deep: bool = True
    ) -> None:
        """Prepares the drawings of a graph.

        Args:
            graph: the graph.
            ops: its operators that are drawn, in order.
            marks: how each is shown.
            prefix: what the numbers in ids of the page begin with.
            deep: whether blocks are drawn too; else they lead to the rows of their first operators.
        """
        self.graph, self.ops, self.marks, self.prefix, self.deep = graph, ops, marks, prefix, deep
        self._pairs = connections(ops)
        self._whole_scope = _scope_of(ops)

    def figures(self) -> Iterator[Figure]:
        """Yields the overview; if `deep`, also the drawing of each of its blocks, and of blocks inside of these.

        A figure lists the operators that have a box of their own.
        """
        parts = [Block(0, len(self.ops))]
        for part in parts:  # grows while it is read: a block that has blocks of its own puts them at the end
            blocks = list(self._expand_lit_block(fold(part, self._pairs)))
            title = self._title(part) if part.size < len(self.ops) else self.graph.name
            single = frozenset(block.begin for block in blocks if block.size == 1)
            yield Figure(self._id(part), title, _draw(*self._boxes(blocks), title=title), single)
            parts += [block for block in blocks if block.size > 1 and self.deep]

    def _expand_lit_block(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """Yields the blocks; the one with the highlighted operator is replaced by the blocks that it folds into."""
        for block in blocks:
            yield from fold(block, self._pairs) if self._has_highlight(block) else [block]

    def _has_highlight(self, block: Block) -> bool:
        """Returns whether the highlighted operator is in a block."""
        return any(mark.lit for mark in self.marks[block.begin : block.end])

    def _boxes(self, blocks: Sequence[Block]) -> tuple[list[_Box], list[tuple[int, int]]]:
        """Returns the boxes of a drawing of these blocks, and its edges as pairs of box numbers.

        Boxes are numbered in this order: what the blocks read from outside (graph inputs and other operators), the
        blocks, and what reads their results outside.
        """
        number = {i: at for at, block in enumerate(blocks) for i in range(block.begin, block.end)}
        above, below = _Outside({}, {}), _Outside({}, {})
        inner: dict[tuple[int, int], None] = {}
        for value in self.graph.inputs:
            for i in number:
                if value in self.ops[i].operands:
                    above.connect(value, _border(value, "input"), number[i])
        for source, target in self._pairs:
            if source in number and target in number:
                inner[number[source], number[target]] = None
            elif target in number:
                above.connect(source, self._reference(source, "from"), number[target])
            elif source in number:
                below.connect(target, self._reference(target, "to"), number[source])
        for value in self.graph.outputs:
            for i in number:
                if value in self.ops[i].results:
                    below.connect(value, _border(value, "output"), number[i])
        sources, targets = above.boxes_and_blocks("from"), below.boxes_and_blocks("to")
        first, last = len(sources), len(sources) + len(blocks)
        edges = [(at, first + block) for at, (_, ends) in enumerate(sources) for block in ends]
        edges += [(first + source, first + target) for source, target in inner if source != target]
        edges += [(first + block, last + at) for at, (_, ends) in enumerate(targets) for block in ends]
        return [*(box for box, _ in sources), *map(self._box, blocks), *(box for box, _ in targets)], edges

    def _reference(self, i: int, word: str) -> _Box:
        """Returns a box that leads to an operator in another drawing; `word` is "from" or "to"."""
        op = self.ops[i]
        return _Box((_short(f"{word} {i} {_kind(op)}"),), "", "border", href=f"n{self.prefix}{i}")

    def _box(self, block: Block) -> _Box:
        """Returns the box of an operator, or of a block of several, which has the state of its worst operator."""
        op, mark = self.ops[block.begin], self.marks[block.begin]
        if block.size == 1:
            lines = (f"{mark.sign} {block.begin} {_short(_kind(op))}", *_type_line(op))
            classes = f"{mark.state} lit" if mark.lit else mark.state
            return _Box(lines, mark.title, classes, f"n{self.prefix}{block.begin}", mark.row)
        inside = self.marks[block.begin : block.end]
        worst = max(inside, key=lambda mark: mark.badness)
        count = sum(mark.state == worst.state for mark in inside)
        lines = (
            f"{worst.sign} ▸ operators {block.begin} to {block.end - 1}",
            _short(summary(self.ops[block.begin : block.end])),
        )
        scope = self._scope(block)
        lines += (_short(scope),) if scope else ()
        state = f"{count} of {block.size}: {worst.state}"
        href = self._id(block) if self.deep else mark.row
        classes = f"block {worst.state} lit" if self._has_highlight(block) else f"block {worst.state}"
        return _Box(lines, f"{self._title(block)}; {state}", classes, href=href)

    def _title(self, block: Block) -> str:
        """Returns the numbers of a block's operators, its scope and its kinds of operators as text."""
        kinds = summary(self.ops[block.begin : block.end], 4)
        return ": ".join(filter(None, (f"operators {block.begin} to {block.end - 1}", self._scope(block), kinds)))

    def _scope(self, block: Block) -> str:
        """Returns the scope of a block's results, such as "encoder/layer_1"; "" if the whole graph has it."""
        scope = _scope_of(self.ops[block.begin : block.end])
        return shortened(printable(scope), 2 * MOST_LETTERS) if scope != self._whole_scope else ""

    def _id(self, block: Block) -> str:
        """Returns the id of a block's drawing in the page."""
        return f"g{self.prefix}{block.begin}-{block.end}"


def _scope_of(ops: Sequence[Op]) -> str:
    """Returns the scope that the names of all results share, such as "encoder/layer_1"; "" if there is none."""
    return common_scope([value.name for op in ops for value in op.results])


def _border(value: Value, word: str) -> _Box:
    """Returns the box of a graph's input or output; `word` says which it is."""
    return _Box((_short(f"{word} {value.name}"), _short(_type_text(value))), value.name, "border")


def _kind(op: Op) -> str:
    """Returns the name of an operator as its format has it, or the code that a file has for a custom one."""
    return str(op.attributes.get("custom_code") or op.base_name.upper())


def _type_line(op: Op) -> tuple[str, ...]:
    """Returns the type of an operator's first result, if it has one, as a line of its box."""
    return tuple(_short(_type_text(value)) for value in op.results[:1])


def _type_text(value: Value) -> str:
    """Returns a value's type without its quantization."""
    return str(value.type._replace(quant=None))


def _short(text: str) -> str:
    """Returns text as visible characters that fit in a box: of a long text its beginning and its end."""
    text = printable(text)
    head = MOST_LETTERS // 2
    return text if len(text) <= MOST_LETTERS else f"{text[:head]}…{text[-(MOST_LETTERS - head - 1) :]}"


def _draw(boxes: Sequence[_Box], edges: Sequence[tuple[int, int]], *, title: str) -> str:
    """Returns boxes and edges as SVG, or as a paragraph with the reason if they are too many."""
    try:
        placed = layered_layout([box.size for box in boxes], edges, sources_late=True)
    except UsageError:
        return "<p>Too many connections for a drawing.</p>"
    margin = PAD / 2
    elements = []
    for source, target in edges:
        begin = placed.tops[source][0], placed.tops[source][1] + boxes[source].size[1]
        ways = [begin, (begin[0], placed.bottoms[source]), *placed.ways[source, target], placed.tops[target]]
        elements.append(_curve(ways))
    for box, (x, top) in zip(boxes, placed.tops, strict=True):
        elements.append(_draw_box(box, x - box.size[0] / 2, top))
    width, height = placed.width + 2 * margin, placed.height + 2 * margin
    name = escape(printable(title), quote=True)
    view = f"{-margin:g} {-margin:g} {width:.0f} {height:.0f}"
    begin_tag = f'<svg role="group" aria-label="Graph: {name}" viewBox="{view}" width="{width:.0f}"'
    return "\n".join([f'{begin_tag} height="{height:.0f}">', *elements, "</svg>"])


def _curve(way: Sequence[Point]) -> str:
    """Returns a curve through the points of `way`, which leaves and enters each one vertically, to whole pixels."""
    points = [(round(x), round(y)) for x, y in way]
    steps = [f"M{points[0][0]} {points[0][1]}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        middle = (y + to_y) // 2
        steps.append(f"V{to_y}" if x == to_x else f"C{x} {middle} {to_x} {middle} {to_x} {to_y}")
    # Of several vertical lines in a row the last one says it all: V10V20 is V20.
    return f'<path d="{re.sub(r"V[-0-9]+(?=V)", "", "".join(steps))}"/>'


def _draw_box(box: _Box, x: float, y: float) -> str:
    """Returns a box as an SVG link, or as a group if it leads nowhere."""
    width, height = box.size
    tag = "a" if box.href else "g"
    id = f' id="{box.id}"' if box.id else ""
    href = f' href="#{box.href}"' if box.href else ""
    title = f"<title>{escape(printable(box.title))}</title>" if box.title else ""
    texts = "".join(
        f'<text x="{PAD:g}" y="{(i + 1) * LINE:g}">{escape(line)}</text>' for i, line in enumerate(box.lines)
    )
    place = f'transform="translate({x:.0f} {y:.0f})"'
    frame = f'<rect width="{width:.0f}" height="{height:.0f}"/>'
    return f'<{tag}{id} class="{box.classes}"{href} {place}>{title}{frame}{texts}</{tag}>'
