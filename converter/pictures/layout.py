"""Positions of the nodes of a layered drawing: rows by the longest path, few crossings, straight edges.

The order in rows is found by the middle of neighbours (Sugiyama's method), positions by moving nodes towards it.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tosa_converter.errors import UsageError

Point: TypeAlias = tuple[float, float]
Edge: TypeAlias = tuple[int, int]
ROUNDS = 8  # of sweeps down and up; more change little
GAP, ROW_GAP = 28.0, 44.0
MOST_ROWS = 20_000  # that edges lead through in all


class Layout(NamedTuple):
    """Where a layered drawing puts its nodes and edges, in units of the nodes' sizes; it begins at (0, 0)."""

    width: float
    height: float
    tops: list[Point]  # the middle of each node's upper side
    bottoms: list[float]  # of each node's row
    ways: dict[Edge, list[Point]]  # where an edge enters and leaves the rows between its ends


def layered_layout(sizes: Sequence[Point], edges: Sequence[Edge], *, sources_late: bool = False) -> Layout:
    """Returns where to draw nodes of these sizes (width, height); every edge leads to a node with a larger number.

    Nodes without incoming edges are in the first row; with `sources_late`, in the row above their first reader.

    Raises:
        UsageError: edges are too many and too long.
    """
    widths = [width for width, _ in sizes]
    level = [0] * len(sizes)
    # Edges into a node come before those out of it, which lead to larger numbers: a level is final when it is read.
    for source, target in sorted(edges, key=lambda edge: edge[1]):
        level[target] = max(level[target], level[source] + 1)
    if sources_late:
        first_reader: dict[int, int] = {}
        for source, target in edges:
            first_reader[source] = min(level[target], first_reader.get(source, level[target]))
        for source in first_reader.keys() - {target for _, target in edges}:
            level[source] = first_reader[source] - 1
    if sum(level[target] - level[source] for source, target in set(edges)) > MOST_ROWS:
        raise UsageError(
            f"{len(edges)} connections are too many to draw",
            "next: tflite-to-tosa extract MODEL --from TENSOR --to TENSOR -o part.tosa",
        )
    rows: list[list[int]] = [[] for _ in range(max(level, default=0) + 1)]
    for node, row in enumerate(level):
        rows[row].append(node)
    chains = {}  # by edge: its ends, and between them a node of width 0 for each row that it passes through
    for source, target in dict.fromkeys(edges):
        between = range(level[source] + 1, level[target])
        chains[source, target] = [source, *range(len(widths), len(widths) + len(between)), target]
        for row in between:
            rows[row].append(len(widths))
            widths.append(0.0)
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for chain in chains.values():
        for upper, lower in pairwise(chain):
            above.setdefault(lower, []).append(upper)
            below.setdefault(upper, []).append(lower)
    centres = _find_centres(rows, widths, above, below)
    heights = [max((sizes[node][1] for node in row if node < len(sizes)), default=0.0) for row in rows]
    tops = [sum(heights[:row]) + ROW_GAP * row for row in range(len(rows))]
    return Layout(
        width=max((centres[node] + width / 2 for node, width in enumerate(widths)), default=0.0),
        height=sum(heights) + ROW_GAP * (len(rows) - 1),
        tops=[(centres[node], tops[row]) for node, row in enumerate(level)],
        bottoms=[tops[row] + heights[row] for row in level],
        ways={
            edge: [
                (centres[node], y)
                for row, node in enumerate(chain[1:-1], level[edge[0]] + 1)
                for y in (tops[row], tops[row] + heights[row])
            ]
            for edge, chain in chains.items()
        },
    )


def _find_centres(
    rows: list[list[int]], widths: Sequence[float], above: Mapping[int, list[int]], below: Mapping[int, list[int]]
) -> dict[int, float]:
    """Returns the horizontal centre of each node, and sorts the rows in place so that few edges cross.

    Sweeps go down and up in turn. Each moves the nodes of a row towards the mean centre of the neighbours that they
    have in rows passed before: `above` on the way down, `below` on the way up.
    """
    centres: dict[int, float] = {}
    for row in rows:
        centres |= _place_row(row, dict.fromkeys(row, 0.0), widths)
    for turn in range(2 * ROUNDS):
        neighbours = below if turn % 2 else above
        for row in reversed(rows) if turn % 2 else rows:
            targets = {
                node: sum(centres[n] for n in near) / len(near) if (near := neighbours.get(node)) else centres[node]
                for node in row
            }
            # The first 8 of 16 turns also sort the rows; the other 8 only straighten edges.
            if turn < ROUNDS:
                row.sort(key=targets.__getitem__)
            centres |= _place_row(row, targets, widths)
    left = min((centre - widths[node] / 2 for node, centre in centres.items()), default=0.0)
    return {node: centre - left for node, centre in centres.items()}


def _place_row(row: Sequence[int], targets: Mapping[int, float], widths: Sequence[float]) -> dict[int, float]:
    """Returns the centres of a row's nodes: near the targets, in the row's order, without overlap."""
    # Widths 40 and 60, both targets 50: centres are (40 + 60) / 2 + 28 = 78 apart. Pushed to the right they are
    # 50 and 128, to the left -28 and 50; their means 11 and 89 miss the targets by 39 each.
    apart = [(widths[node] + widths[after]) / 2 + GAP for node, after in pairwise(row)]
    right = [targets[node] for node in row]
    left = right.copy()
    for i, distance in enumerate(apart):
        right[i + 1] = max(right[i + 1], right[i] + distance)
    for i, distance in reversed(list(enumerate(apart))):
        left[i] = min(left[i], left[i + 1] - distance)
    return {node: (low + high) / 2 for node, low, high in zip(row, left, right, strict=True)}
