"""The part of a page about the operators of one graph: its drawing, its chart and the rows of its table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tosa_converter.errors import printable, shortened
from tosa_converter.ir import Graph, Model, Op
from tosa_converter.pictures.overview import Drawings, Figure, Mark
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.operators import OperatorComparison, OperatorReport
from tosa_converter.proof.page import charts
from tosa_converter.proof.page.facts import seconds_by_kind
from tosa_converter.proof.page.states import (
    DIFFERS,
    INHERITS,
    STATES,
    State,
    judgement_of,
    kind_of,
    row_ids,
    state_of,
    tooltip,
    worst_rows,
)
from tosa_converter.proof.places import computing_ops

# A page has less than 1 MB: 700 rows of up to 600 bytes, with marks in the chart of 200 bytes, are 560 KB, and drawings
# have 350 KB. An operator of usual models takes 1.05 KB, of which 420 bytes are its box and its edges.
MOST_ROWS = 700  # of a table; those that don't differ are left out beyond
MOST_LETTERS = 160  # of a name
MOST_DRAWN = 2000  # operators of a graph whose blocks are drawn too
MOST_LETTERS_DRAWN = 350_000  # of all drawings


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table of operators: a result, its id in the page, its box in the drawing, and what holds it."""

    report: OperatorReport
    id: str
    box: str
    holder: tuple[str, int] | None  # the row that judges this result, and its operator's number
    state: State
    judgement: Judgement | None
    is_kept: bool  # by the filter "only those that differ"

    @property
    def kind(self) -> str:
        """The name of the operator in its own format: CONV_2D for tfl.conv_2d."""
        return kind_of(self.report.type)

    @property
    def tensor(self) -> str:
        """The name of the result."""
        return shortened(printable(self.report.tensor), MOST_LETTERS)

    @property
    def place(self) -> str:
        """The operator's location, without its name and its result's, which the row has anyway."""
        place = self.report.location.removesuffix(f" {self.report.tensor!r}").removesuffix(f" {self.kind}")
        return shortened(printable(place), MOST_LETTERS)

    @property
    def inside(self) -> str:
        """The name of the later result whose comparison covers this one too, or "" if it is compared itself."""
        return shortened(printable(self.report.inside), MOST_LETTERS)

    @property
    def match(self) -> str:
        """How the compared value of an existing TOSA file was found (by name, position...); "" for a new conversion."""
        return str(getattr(self.report, "matched", ""))

    @property
    def becomes(self) -> list[str]:
        """What the operator became, as texts such as "2 RESCALE"."""
        return [f"{count} {kind_of(name)}" for name, count in self.report.becomes.items()]


@dataclass(frozen=True, slots=True)
class Section:
    """The operators of one graph as a page shows them; `comparison` is None where they aren't compared."""

    comparison: OperatorComparison | None
    rows: tuple[Row, ...]
    omitted: int  # rows that are left out
    figures: tuple[Figure, ...]
    chart: str
    times: str
    counts: tuple[tuple[State, int], ...]  # of rows by state

    @property
    def culprit(self) -> Row | None:
        """The first operator that differs by itself; without one, the first whose result differs in the whole run."""
        return next((row for state in (DIFFERS, INHERITS) for row in self.rows if row.state is state), None)

    @property
    def filter_count(self) -> int:
        """How many rows the filter "only those that differ" keeps."""
        return sum(row.is_kept for row in self.rows)

    @property
    def is_equal(self) -> bool:
        """Whether every compared result is bit-identical."""
        return all(row.judgement is None or not row.judgement.mismatches for row in self.rows)


def sections_of(source: Model, comparisons: Sequence[OperatorComparison]) -> list[Section]:
    """Returns a section for each comparison; without one, drawings of the source's graphs alone.

    The graphs of a chain (a partial conversion) aren't drawn.
    """
    graphs = [] if source.opset == "chain" else list(source.graphs.values())
    if comparisons:
        return [_section(comparison, graphs, number) for number, comparison in enumerate(comparisons)]
    drawings = (_figures(graph, (), number) for number, graph in enumerate(graphs))
    return [
        Section(comparison=None, rows=(), omitted=0, figures=figures, chart="", times="", counts=())
        for figures in drawings
    ]


def _section(comparison: OperatorComparison, graphs: Sequence[Graph], number: int) -> Section:
    """Returns a page's section for a comparison: its rows, and drawings of the graph that it is about.

    Of more than MOST_ROWS rows the worst are shown. `number` counts the sections, for unique ids.
    """
    every = list(zip(comparison.operators, row_ids(comparison, number), strict=True))
    # Those that differ come first, so that they are among the shown ones however many the others are.
    by_badness = sorted(range(len(every)), key=lambda i: (-state_of(every[i][0]).badness, i))
    shown = [every[i] for i in sorted(by_badness[:MOST_ROWS])]
    graph = next((graph for graph in graphs if _is_of(graph, comparison.operators)), None)
    figures = () if graph is None else _figures(graph, shown, number)
    drawn = frozenset[int]().union(*(figure.operators for figure in figures))
    states = Counter(state_of(row) for row in comparison.operators)
    # A result that isn't judged by itself links to the row of the later result that covers it.
    holders = {row.tensor: (id, row.index) for row, id in reversed(shown)}
    # The filter "only those that differ" shows the operators that differ by themselves, or else those that inherit it.
    kept_state = DIFFERS if states[DIFFERS] else INHERITS
    return Section(
        comparison=comparison,
        rows=tuple(
            Row(
                row,
                id,
                box=f"n{number}-{row.index}" if row.index in drawn else "",
                holder=holders.get(row.inside),
                state=state_of(row),
                judgement=judgement_of(row),
                is_kept=state_of(row) is kept_state,
            )
            for row, id in shown
        ),
        omitted=len(every) - len(shown),
        figures=figures,
        chart=charts.error_by_operator([row for row, _ in shown], [id for _, id in shown]),
        times=charts.times(*seconds_by_kind(comparison.operators)),
        counts=tuple((state, states[state]) for state in STATES if states[state]),
    )


def _is_of(graph: Graph, rows: Sequence[OperatorReport]) -> bool:
    """Returns whether rows are about a graph's operators: by index and location each is one of these."""
    ops = computing_ops(graph)
    return bool(rows) and all(row.index < len(ops) and ops[row.index].location == row.location for row in rows)


def _figures(graph: Graph, rows: Sequence[tuple[OperatorReport, str]], number: int) -> tuple[Figure, ...]:
    """Returns the drawings of a graph, whose boxes link to the rows of the worst results of their operators.

    The first operator that differs is highlighted (`lit`). A graph whose drawings would make the page too large has a
    single one, which shows its blocks of operators as boxes.
    """
    ops = computing_ops(graph)
    worst = worst_rows([row for row, _ in rows])
    ids = {id(row): text for row, text in rows}
    lit = next((row.index for row, _ in rows if row.verdict is False), None)
    # An operator without a row has no state: its box only has a tooltip.
    marks = [
        _mark(worst[i], ids[id(worst[i])], lit=i == lit) if i in worst else Mark("", "", -1, "", _describe(i, op))
        for i, op in enumerate(ops)
    ]
    if not ops:
        return ()
    if len(ops) <= MOST_DRAWN:
        figures = tuple(Drawings(graph, ops, marks, f"{number}-").figures())
        if sum(len(figure.svg) for figure in figures) <= MOST_LETTERS_DRAWN:
            return figures
    return tuple(Drawings(graph, ops, marks, f"{number}-", deep=False).figures())


def _mark(row: OperatorReport, id: str, *, lit: bool) -> Mark:
    """Returns how the drawing shows an operator whose worst result has this row; `lit` highlights it."""
    state = state_of(row)
    return Mark(state.word, state.sign, state.badness, id, tooltip(row), lit)


def _describe(index: int, op: Op) -> str:
    """Returns the tooltip of an operator that isn't compared."""
    return f"{index} {kind_of(op.name)}"
