"""A drawing of small models as SVG, which needs nothing besides it and follows the reader's light or dark scheme."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from tosa_converter.errors import UsageError, printable, shortened
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.pictures.explorer import attribute_text
from tosa_converter.pictures.layout import Point, layered_layout

MOST = 200  # operators of a drawing that can be read
# A letter of DejaVu Sans Mono is 0.602 em wide: 11 * 0.602 = 6.62 pixels, rounded up.
LINE, LETTER, PAD = 15.0, 6.7, 10.0  # of text in 11 pixels of a typewriter's letters
STUB = 22.0  # below a node, with the type of its result
COLUMNS, MOST_LINES, MOST_LETTERS = 44, 4, 48
FEW = 4  # elements of a constant that are written out

KINDS = {  # of operators, by their names; what has none of these is elementwise
    "flow": r"while|\bif|_if|call|variable|custom|case|delegate|executorch",
    "product": r"conv(?!ert)|matmul|fully|lstm|rnn|gru|svdf|fft|einsum|dot|linear",
    "window": r"pool|resize|reduce|mean|sum|arg_?m|softmax|norm",
    "scale": r"(?<!broad)cast|rescale|quantize|convert",
    "move": r"shape|transpose|concat|slice|pad|gather|scatter|tile|reverse|split|pack|squeeze|expand|identity|copy|fill"
    r"|space|broadcast|embedding|one_hot|where|permute",
}
STYLE = """
svg { color-scheme: light dark; --page: #fff; --ink: #202124; --line: #80868b; --product: #d2e3fc; --window: #ceead6;
  --scale: #fef0c3; --move: #e8eaed; --flow: #fce8e6; --other: #e9d8fd; --border: #fff; }
@media (prefers-color-scheme: dark) { svg { --page: #202124; --ink: #e8eaed; --line: #9aa0a6; --product: #174ea6;
  --window: #0d652d; --scale: #7a5900; --move: #3c4043; --flow: #4a1f1c; --other: #5b2c8f; --border: #202124; } }
text { font: 11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: var(--ink); }
.name { font-weight: bold; }
.type { text-anchor: middle; fill: var(--ink); stroke: var(--page); stroke-width: 4px; paint-order: stroke; }
rect { stroke: var(--line); rx: 5px; }
path { fill: none; stroke: var(--line); }
.page { fill: var(--page); stroke: none; }
.region { fill: var(--page); stroke-dasharray: 4 3; }
"""
STYLE += "\n".join(f".{kind} {{ fill: var(--{kind}); }}" for kind in (*KINDS, "other", "border"))


class Drawing(NamedTuple):
    """A part of an SVG picture: its size, and its elements with the upper left corner at (0, 0)."""

    width: float
    height: float
    elements: list[str]

    def at(self, x: float, y: float) -> list[str]:
        """Returns the elements in a group that is moved to (x, y)."""
        return [f'<g transform="translate({x:.1f} {y:.1f})">', *self.elements, "</g>"]


def draw(models: Sequence[Model]) -> str:
    """Returns an SVG picture of the models' graphs side by side; graphs of regions are drawn inside their operators.

    Raises:
        UsageError: they are too large for a drawing.
    """
    graphs = [graph for model in models for graph in model.graphs.values()]
    count = sum(op.name not in CONSTANTS for graph in graphs for op in graph.walk())
    if count > MOST:
        raise UsageError(
            f"{count} operators; --svg draws up to {MOST}",
            "next: tflite-to-tosa extract MODEL --from TENSOR --to TENSOR -o part.tosa",
        )
    width, height, elements = _draw_graphs(graphs)
    size = f"{width + 2 * PAD:.0f} {height + 2 * PAD:.0f}"
    pixels = 'width="{}" height="{}"'.format(*size.split())
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {pixels}>'
    page = '<rect class="page" width="100%" height="100%"/>'
    body = [f'<g transform="translate({PAD} {PAD})">', *elements, "</g>"]
    return "\n".join([begin, f"<style>{STYLE}</style>", page, *body, "</svg>", ""])


def _draw_graphs(graphs: Sequence[Graph]) -> Drawing:
    """Draws graphs side by side, each in a frame with its name."""
    elements, right, height = [], 0.0, 0.0
    for graph in graphs:
        inner = _draw_graph(graph)
        title = _printable_name(graph.name)
        width = max(inner.width, len(title) * LETTER) + 2 * PAD
        frame = [_rectangle("region", width, inner.height + LINE + 2 * PAD), _text(title, PAD, LINE, "name")]
        elements += Drawing(width, 0, [*frame, *inner.at((width - inner.width) / 2, LINE + PAD)]).at(right, 0)
        right, height = right + width + PAD, max(height, inner.height + LINE + 2 * PAD)
    return Drawing(max(right - PAD, 0.0), height, elements)


class _Node(NamedTuple):
    """A box to draw, and the values that it reads and computes; the types of its results are written below it."""

    box: Drawing
    operands: Sequence[Value]
    results: Sequence[Value]

    @property
    def size(self) -> Point:
        """The (width, height) that the box and the types below it take."""
        return max(self.box.width, sum(map(_type_width, self.results))), self.box.height + STUB * bool(self.results)

    def ports(self, x: float, top: float) -> Iterator[tuple[Value, Point]]:
        """Yields each result with the point where its edges begin; (x, top) is the middle of the node's upper side."""
        x -= sum(map(_type_width, self.results)) / 2
        for value in self.results:
            yield value, (x + _type_width(value) / 2, top + self.box.height)
            x += _type_width(value)


def _type_width(value: Value) -> float:
    """Returns how wide the text of a value's type is when drawn."""
    return len(str(value.type)) * LETTER + PAD


def _draw_graph(graph: Graph) -> Drawing:
    """Draws a graph: inputs, operators and outputs in rows, with edges from top to bottom."""
    nodes = [_Node(_draw_border(value), (), (value,)) for value in graph.inputs]
    nodes += [_Node(_draw_operator(op), op.operands, op.results) for op in graph.ops if op.name not in CONSTANTS]
    nodes += [_Node(_draw_border(value), (value,), ()) for value in graph.outputs]
    makers = {value: i for i, node in enumerate(nodes) for value in node.results}
    uses = [(value, i) for i, node in enumerate(nodes) for value in dict.fromkeys(node.operands) if value in makers]
    edges = [(makers[value], i) for value, i in uses]
    placed = layered_layout([node.size for node in nodes], edges)
    # The points where the edges of each value begin.
    ports = {value: port for node, top in zip(nodes, placed.tops, strict=True) for value, port in node.ports(*top)}
    lines = [
        _curve([ports[value], (ports[value][0], placed.bottoms[edge[0]]), *placed.ways[edge], placed.tops[edge[1]]])
        for (value, _), edge in zip(uses, edges, strict=True)
    ]
    boxes = [
        element
        for node, (x, top) in zip(nodes, placed.tops, strict=True)
        for element in node.box.at(x - node.box.width / 2, top)
    ]
    types = [_text(str(value.type), x, y + LINE, "type") for value, (x, y) in ports.items()]
    return Drawing(placed.width, placed.height, [*lines, *boxes, *types])


def _draw_border(value: Value) -> Drawing:
    """Draws the box of a graph's input or output, with its name; its type is the tooltip."""
    return _box("border", [_printable_name(value.name) or "-"], str(value.type), [])


def _draw_operator(op: Op) -> Drawing:
    """Draws an operator's box, with its name, its constant operands and its regions' graphs.

    Attributes are the tooltip.
    """
    name = op.attributes.get("custom_code") or op.base_name
    kind = next((kind for kind, names in KINDS.items() if re.search(names, op.name)), "other")
    constants = textwrap.wrap(", ".join(_constant_texts(op)), COLUMNS)
    more = ["..."] if len(constants) > MOST_LINES else []
    about = [op.location, *(f"{key}: {attribute_text(value)}" for key, value in op.attributes.items())]
    return _box(kind, [_printable_name(name), *constants[:MOST_LINES], *more], "\n".join(about), op.regions)


def _constant_texts(op: Op) -> Iterator[str]:
    """Yields each constant operand as text: up to `FEW` elements as they are, more as the type."""
    for i, value in enumerate(op.inputs):
        if value is None or (elements := value.constant) is None:
            continue
        name = f"{op.row.input(i).name} " if op.row is not None else ""
        few = elements.size <= FEW and elements.dtype.kind not in "OSU"
        yield name + (_number_text(elements) if few else str(value.type._replace(quant=None)))


def _number_text(elements: Array) -> str:
    """Returns the elements of a small constant as text: one number, or numbers in brackets."""
    texts = [f"{number:.6g}" if isinstance(number, float) else str(number) for number in elements.ravel().tolist()]
    return texts[0] if len(texts) == 1 else f"[{' '.join(texts)}]"


def _box(kind: str, lines: Sequence[str], about: str, regions: Sequence[Graph]) -> Drawing:
    """Draws a box with lines of text, and the drawings of regions below them.

    `about` is the tooltip, `kind` the frame's style.
    """
    inner = _draw_graphs(regions)
    width = max(inner.width, max(map(len, lines)) * LETTER) + 2 * PAD
    height = len(lines) * LINE + PAD + (inner.height + PAD if regions else 0)
    texts = [_text(line, PAD, (i + 1) * LINE, "" if i else "name") for i, line in enumerate(lines)]
    frame = _rectangle(kind, width, height, about)
    return Drawing(width, height, [frame, *texts, *inner.at(PAD, len(lines) * LINE + PAD)])


def _printable_name(text: str) -> str:
    """Returns a name from a file shortened, and with only printable characters."""
    return shortened(printable(text), MOST_LETTERS)


def _rectangle(kind: str, width: float, height: float, about: str = "") -> str:
    """Returns an SVG rectangle at (0, 0); `kind` is its style, `about` the tooltip."""
    title = escape("\n".join(map(printable, about.split("\n"))))
    return f'<rect class="{kind}" width="{width:.1f}" height="{height:.1f}"><title>{title}</title></rect>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    """Returns an SVG line of text at (x, y); `kind` is its style."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _curve(way: Sequence[Point]) -> str:
    """Returns an SVG curve through the points of `way`, which leaves and enters each one vertically."""
    steps = [f"M{way[0][0]:.1f} {way[0][1]:.1f}"]
    for (x, y), (to_x, to_y) in pairwise(way):
        middle = (y + to_y) / 2
        steps.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
    return f'<path d="{"".join(steps)}"/>'
