"""Node data for Model Explorer from what `verify --layers --json` printed: numbers that colour the nodes of a graph."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, TypeAlias

from tosa_converter.errors import FormatError
from tosa_converter.formats.storage import FilePath, map_file
from tosa_converter.ir import Graph, Model
from tosa_converter.pictures.explorer import Json, all_graphs, places_of

Figures: TypeAlias = Mapping[str, Any]
Row: TypeAlias = tuple[tuple[str, str], Figures]  # of a result, by its operator's name and place
GOOD, FAIR, BAD = "#4caf50", "#ffb300", "#e53935"


class Measure(NamedTuple):
    """A number by which Model Explorer colours nodes; `worst` combines the numbers of an operator's results."""

    name: str
    worst: Callable[[Iterable[float]], float]
    good: float | None = None  # up to this
    gradient: tuple[str, ...] = ()  # of the others, from the lowest to the highest; else they are bad
    colours: tuple[str, ...] = ()  # of the numbers 0, 1, ..., in place of both

    def data(self, results: Mapping[str, float]) -> Json:
        """Returns Model Explorer's node data: each node's number by id, with its colour or the gradient for all."""
        # Three colours stand at 0, 0.5 and 1 of the way from the lowest number to the highest.
        stops = [{"stop": i / 2, "bgColor": color} for i, color in enumerate(self.gradient)]
        return {"results": {id: self._colour_result(value) for id, value in results.items()}, "gradient": stops}

    def _colour_result(self, value: float) -> Json:
        """Returns a node's number with its colour: the one in `colours` for the number, if there are any.

        Otherwise it is green up to `good`. Above, the gradient colours it, or it is red if there is none.
        """
        if self.colours:
            return {"value": value, "bgColor": self.colours[int(value)]}
        if self.good is not None and value <= self.good:
            return {"value": value, "bgColor": GOOD}
        return {"value": value} if self.gradient else {"value": value, "bgColor": BAD}


OF_SOURCE = {  # by what the report calls it; Model Explorer colours by the last one
    "mismatches": Measure("mismatching elements", max, good=0),
    "sqnr_db": Measure("SQNR in dB", min, gradient=(BAD, FAIR, GOOD)),
    "max_abs": Measure("largest difference", max, good=0, gradient=(GOOD, FAIR, BAD)),
    # The largest differences may be far behind the operator that causes them, which alone is red here.
    "origin": Measure("2 differs by itself, 1 inherits a difference, 0 neither", max, colours=(GOOD, FAIR, BAD)),
}
OF_CLAUSE = {"worst": Measure("error, 1 is what its clause allows", max, good=1)}


def read_figures(path: FilePath) -> Figures:
    """Reads a file with what `verify --layers --json` printed; returns the JSON after a check of its form.

    Raises:
        UsageError: there is no such file.
        FormatError: it holds something else.
    """
    try:
        figures = json.loads(bytes(map_file(path)))
        _rows_of_source(figures)
        _rows_of_tosa(figures)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FormatError("expected what verify --layers --json prints", file=str(path)) from None
    return figures  # type: ignore[no-any-return]  # of JSON


def overlays(figures: Figures, model: Model) -> list[tuple[Measure, list[dict[str, float]]]]:
    """Returns each measure that colours the model's nodes, with its numbers by node id for each graph.

    TOSA nodes are coloured by their error under the precision clause, nodes of a source by their differences. Measures
    without numbers are left out.
    """
    rows = _rows_of_tosa(figures) if model.opset == "tosa" else _rows_of_source(figures)
    measures = OF_CLAUSE if model.opset == "tosa" else OF_SOURCE
    columns = [
        (measure, _numbers_by_node(all_graphs(model), rows, key, measure.worst)) for key, measure in measures.items()
    ]
    return [(measure, results) for measure, results in columns if any(results)]


def _rows_of_source(figures: Figures) -> list[Row]:
    """Returns ((operator, location), numbers) for each of the source's results, from `verify --layers --json`.

    The numbers are those of the operator run alone if that differs, else those of the whole run, and `_origin`; {} if
    the result wasn't compared.
    """
    rows = [row for graph in figures["operators"] for row in graph["operators"]]
    judged = [(row["alone"] if row["verdict"] is False else None) or row["whole"] or {} for row in rows]
    names = [(str(row["type"]), str(row["location"])) for row in rows]
    differences = [{**figures, **_origin(row)} for figures, row in zip(judged, rows, strict=True)]
    return list(zip(names, differences, strict=True))


def _origin(row: Figures) -> dict[str, int]:
    """Returns whether a result differs by itself (2), inherits a difference (1) or neither (0); {} if not compared."""
    within = (row["whole"] or {}).get("verdict")
    if not isinstance(within, bool):
        return {}
    return {"origin": 2 if row["verdict"] is False else int(not within)}


def _rows_of_tosa(figures: Figures) -> list[Row]:
    """Returns for each result of TOSA ((operator, location), its error in units of its precision clause's bound)."""
    return [((str(row["op"]), str(row["location"])), {"worst": row["worst"]}) for row in figures["layers"]]


def _numbers_by_node(
    graphs: Sequence[Graph], rows: Sequence[Row], key: str, worst: Callable[[Iterable[float]], float]
) -> list[dict[str, float]]:
    """Returns, for each graph, the figure `key` of its nodes by node id.

    The `worst` figure counts for an operator with several results. Rows belong to the operators of equal name and
    location in order; figures that aren't finite are left out.
    """
    remaining: dict[tuple[str, str], list[float | None]] = {}
    for place, figures in rows:
        remaining.setdefault(place, []).append(figures.get(key))
    by_graph: list[dict[str, float]] = [{} for _ in graphs]
    for graph, results in zip(graphs, by_graph, strict=True):
        for op, (id, _) in places_of(graph).items():
            own_numbers = remaining.get((op.name, op.location), [])
            numbers = [
                number
                for number in own_numbers[: len(op.results)]
                if isinstance(number, int | float) and abs(number) < inf
            ]
            # Rows are in the graph's order: the next operator of this name and location has the numbers behind these.
            del own_numbers[: len(op.results)]
            if numbers:
                results[id] = worst(numbers)
    return by_graph
