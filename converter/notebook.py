"""What notebooks show: a card with a title, facts and tables for each public class, and cards as HTML.

Names and texts come from files. All of them are escaped whole, no attribute holds any, and there are no scripts. A card
is at most about 100 KB, whatever the size of the object.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import islice
from typing import Any, NamedTuple

from tosa_converter.errors import printable

_MOST_ROWS = 25  # of a table
_MOST_CHARACTERS = 120  # of a cell
_BUDGET = 60_000  # characters of the rows of all tables; titles and facts come on top
_WRAP = ' style="overflow-wrap:anywhere"'  # names of operators are long words
_LEFT = ' style="text-align:left"'  # Jupyter puts cells to the right
_PASS, _FAIL = "#1a7f37", "#cf222e"  # colours that can be read on white and on black


class Table(NamedTuple):
    """A table: its caption, its columns, its rows, of which only the first are taken, and how many there are."""

    caption: str
    columns: tuple[str, ...]
    rows: Iterable[Sequence[object]]
    size: int


class Card(NamedTuple):
    """An object as a notebook shows it; `verdict` colours the title, None leaves it plain."""

    title: str
    facts: Sequence[tuple[str, object]] = ()
    tables: Sequence[Table] = ()
    verdict: bool | None = None


def html(card: Card) -> str:
    """Returns a card as HTML without scripts, classes and identifiers, so that it fits into any page.

    A table ends after _MOST_ROWS rows, or where _BUDGET characters are used up, with the number of the other rows.
    """
    colour = "" if card.verdict is None else f' style="color:{_PASS if card.verdict else _FAIL}"'
    pieces = [f"<div{_WRAP}><p><strong{colour}>{_escape_text(card.title, 4)}</strong></p>"]
    facts = [(name, value) for name, value in card.facts if value not in ("", None)]
    pieces += [f"<table><tbody>{''.join(_row(fact, 4) for fact in facts)}</tbody></table>"] if facts else []
    budget = _BUDGET
    for table in card.tables:
        if not table.size:
            continue
        rows: list[str] = []
        for row in islice(table.rows, _MOST_ROWS):
            text = _row(row)
            budget -= len(text)
            if budget < 0:
                break
            rows.append(text)
        heads = "".join(f"<th{_LEFT}>{escape(name)}</th>" for name in table.columns)
        more = f"<p>and {table.size - len(rows)} more</p>" if table.size > len(rows) else ""
        pieces.append(f"<p>{escape(table.caption)}</p><table><thead><tr>{heads}</tr></thead>")
        pieces.append(f"<tbody>{''.join(rows)}</tbody></table>{more}")
    return "\n".join([*pieces, "</div>"])


def _row(cells: Sequence[object], factor: int = 1) -> str:
    """Returns a row of a table as HTML."""
    return f"<tr>{''.join(f'<td{_LEFT}>{_escape_text(cell, factor)}</td>' for cell in cells)}</tr>"


def _escape_text(value: object, factor: int) -> str:
    """Returns a value as the text of an HTML element, `factor` times as long as a cell's at most."""
    return escape(printable(_text(value), _MOST_CHARACTERS * factor))


def _text(value: object) -> str:
    """Returns a value as short text: of floats four digits, of bytes, arrays and long lists what they are."""
    if isinstance(value, bool | str):
        return str(value).lower() if isinstance(value, bool) else value
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{len(value)} bytes"
    if hasattr(value, "__array__"):
        return f"{getattr(value, 'dtype', '')}{list(getattr(value, 'shape', ()))}"
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        more = f", ... {len(value)} in all" if len(value) > 8 else ""
        return f"[{', '.join(map(_text, value[:8]))}{more}]"
    return "?" if value is None else str(value)


def card_of(value: Any) -> Card:
    """Returns what a notebook shows of an object, by the nearest of its classes that has a card."""
    return next(_CARDS[base.__name__] for base in type(value).__mro__ if base.__name__ in _CARDS)(value)


# ** models **


def _model_card(model: Any) -> Card:
    """Returns what a notebook shows of a model: inputs and outputs, operators by name, and the report if it has one."""
    graphs = list(model.graphs.values())
    report = getattr(model, "report", None)
    counts = Counter(
        op.attributes.get("custom_code") or op.name for graph in graphs for op in graph.walk() if not op.declares
    )
    facts: list[tuple[str, object]] = [
        ("operators", f"{counts.total()} of {model.opset}"),
        ("graphs", len(graphs) if len(graphs) > 1 else ""),
        ("signatures", ", ".join(islice(model.signatures, 8))),
        ("state", ", ".join(f"{state.input} -> {state.output}" for state in islice(model.main_states, 8))),
    ]
    tables = [*_borders(model, graphs), _count_table("operators", counts)]
    if report is not None:
        facts, tables = _report_facts(report), [*_borders(model, graphs), *_report_tables(report)]
    return Card(f"Model {model.source}".rstrip(), facts, tables)


def _borders(model: Any, graphs: Sequence[Any]) -> Iterator[Table]:
    """Yields the table of the inputs and outputs of some graphs, with what differs from the source."""

    def rows() -> Iterator[Sequence[object]]:
        """Yields a row for each input and output: graph (of several), role, name, type, type in the source, change."""
        recorded = model.report.borders if hasattr(model, "report") else ()
        changes = {(row.graph, row.role, row.name): row.change for row in recorded}
        for graph in graphs:
            for role, values in (("input", graph.inputs), ("output", graph.outputs)):
                for value in values:
                    border, name = model.border(value), model.caller_names(graph)[value]
                    source, change = "" if border is None else border.type, changes.get((graph.name, role, name), "")
                    yield (*([graph.name] if len(graphs) > 1 else []), role, name, value.type, source, change)

    columns = (*(["graph"] if len(graphs) > 1 else []), "", "name", "type", "in the source", "change")
    yield Table("inputs and outputs", columns, rows(), sum(len(graph.inputs) + len(graph.outputs) for graph in graphs))


def _count_table(caption: str, counts: Counter[str]) -> Table:
    """Returns a table of operators by how often they occur."""
    return Table(caption, ("operator", "count"), counts.most_common(), len(counts))


def _graph_card(graph: Any) -> Card:
    """Returns what a notebook shows of a graph: its inputs and outputs, and its first operators."""
    values = [*(("input", value) for value in graph.inputs), *(("output", value) for value in graph.outputs)]
    rows = (
        (i, op.name, [value.name for value in op.results], [value.type for value in op.results], op.location)
        for i, op in enumerate(graph.ops)
    )
    borders = Table(
        "inputs and outputs", ("", "name", "type"), ((role, v.name, v.type) for role, v in values), len(values)
    )
    columns = ("", "operator", "results", "types", "location")
    return Card(f"Graph {graph.name!r}", (), [borders, Table("operators", columns, rows, len(graph.ops))])


def _op_card(op: Any) -> Card:
    """Returns what a notebook shows of an operator: its operands, results and attributes."""
    operands = ((i, *(("absent", "") if v is None else (v.name, v.type))) for i, v in enumerate(op.inputs))
    results = ((i, value.name, value.type) for i, value in enumerate(op.results))
    columns = ("", "name", "type")
    return Card(
        op.name,
        [("location", op.location), ("regions", ", ".join(graph.name for graph in op.regions[:8]))],
        [
            Table("operands", columns, operands, len(op.inputs)),
            Table("results", columns, results, len(op.results)),
            Table("attributes", ("name", "value"), op.attributes.items(), len(op.attributes)),
        ],
    )


def _report_card(report: Any) -> Card:
    """Returns what a notebook shows of a conversion's report."""
    title = f"{report.source_ops.total()} -> {report.tosa_ops.total()} operators"
    return Card(title, _report_facts(report), _report_tables(report))


def _report_facts(report: Any) -> list[tuple[str, object]]:
    """Returns the labels and values that a notebook shows about a conversion: operators, numerics, needs, time."""
    return [
        ("operators", f"{report.source_ops.total()} -> {report.tosa_ops.total()}"),
        ("numerics", report.numerics),
        ("needs", report.needs),
        ("time", f"{report.seconds * 1e3:.0f} ms"),
    ]


def _report_tables(report: Any) -> list[Table]:
    """Returns the tables of a conversion: operators before and after it, and notes."""
    before, after = (
        _count_table("operators of the source", report.source_ops),
        _count_table("operators", report.tosa_ops),
    )
    return [before, after, _notes(report.notes)]


def _notes(notes: Sequence[Any]) -> Table:
    """Returns the table of a conversion's notes."""
    return Table("notes", ("place", "note"), notes, len(notes))


def _inspection_card(inspection: Any) -> Card:
    """Returns what a notebook shows of the inspection of a file."""
    graphs = inspection.graphs
    tensors = [
        (graph.name, role, tensor.name, tensor.dtype, tensor.shape)
        for graph in graphs
        for role, values in (("input", graph.inputs), ("output", graph.outputs))
        for tensor in values
    ]
    facts = [("operators of", inspection.opset), ("bytes", inspection.bytes), ("needs", inspection.needs)]
    borders = Table("inputs and outputs", ("graph", "", "name", "type", "shape"), tensors, len(tensors))
    tables = [borders, _count_table("operators", Counter(inspection.ops)), _notes(inspection.notes)]
    return Card(f"{sum(inspection.ops.values())} operators in {inspection.file or 'a model'}", facts, tables)


def _coverage_card(coverage: Any) -> Card:
    """Returns what a notebook shows of what each operator of a source becomes; refused ones come first."""
    kinds = coverage.kinds
    rows = (
        (op.name, count, " ".join(dict.fromkeys(op.becomes)), op.exactness, op.reason or "; ".join(op.notes))
        for op, count in kinds
    )
    counts = ", ".join(f"{count} {name}" for name, count in coverage.counts.items())
    columns = ("operator", "count", "becomes", "", "reason")
    facts = [("target", coverage.target), ("numerics", coverage.numerics)]
    table = Table("operators", columns, rows, len(kinds))
    return Card(f"{coverage.source or 'a model'}: {counts}", facts, [table], coverage.verdict)


# ** comparisons **


def _verdict(verdict: bool) -> str:
    """Returns the word for a verdict."""
    return "PASS" if verdict else "FAIL"


def _output_row(engine: str, output: Any) -> Sequence[object]:
    """Returns the row of a compared output in the table that a notebook shows."""
    differ = f"{output.mismatches} of {output.elements}"
    return (engine, output.name, output.type, differ, float(output.max_abs), float(output.tolerance), output.rule)


def _outputs(outputs: Sequence[tuple[str, Any]]) -> Table:
    """Returns the table of compared outputs, of pairs with an engine; those that differ come first."""
    rows = (_output_row(*pair) for pair in sorted(outputs, key=lambda pair: pair[1].verdict))
    columns = ("engine", "output", "type", "differ", "largest", "allowed", "")
    return Table("outputs", columns, rows, len(outputs))


def _comparison_card(comparison: Any) -> Card:
    """Returns what a notebook shows of a comparison of one engine with the source."""
    inputs = f"{comparison.runs} x {comparison.inputs}" + (f", {comparison.steps} steps" if comparison.steps else "")
    title = f"{_verdict(comparison.verdict)}: {comparison.engine} against {comparison.reference}"
    outputs = [(comparison.engine, output) for output in comparison.outputs]
    facts = [("inputs", inputs), ("signature", comparison.signature)]
    return Card(title, facts, [_outputs(outputs)], comparison.verdict)


def _verification_card(verification: Any) -> Card:
    """Returns what a notebook shows of a verification: its proof, outputs, and operators that differ."""
    outputs = [(row.engine, output) for row in verification.comparisons for output in row.outputs]
    facts: list[tuple[str, object]] = [
        ("proof", verification.proof),
        ("numerics", verification.numerics),
        ("needs", verification.needs),
        ("reference", verification.reference),
        *(("operators", comparison.sentence) for comparison in verification.operators[:4]),
    ]
    places = Table("inputs and outputs that changed", ("place", "change"), (), len(verification.borders))
    tables = [
        _outputs(outputs),
        *(table for comparison in verification.operators[:4] for table in _operator_rows(comparison)),
        places._replace(rows=((border.place, border.text) for border in verification.borders)),
        _notes(verification.notes),
    ]
    title = f"{_verdict(verification.verdict)} {verification.file or 'a model'}: {verification.proof}"
    return Card(title, facts, tables, verification.verdict)


def _operator_comparison_card(comparison: Any) -> Card:
    """Returns what a notebook shows of a comparison operator by operator."""
    title = f"{_verdict(comparison.verdict)}: {comparison.sentence}"
    facts = [("reference", comparison.reference), ("engine", comparison.engine), ("signature", comparison.signature)]
    return Card(title, facts, list(_operator_rows(comparison)), comparison.verdict)


def _operator_rows(comparison: Any) -> Iterator[Table]:
    """Yields the table of the ten compared operators with the largest errors; those that differ come first.

    `alone` is the judgement of an operator run on the source's own values; without it, that of the whole model's run
    counts.
    """
    rows = []
    for row in comparison.operators:
        judgement = row.alone or row.whole
        if judgement is not None:
            rows.append((row.verdict is not False, -judgement.relative_error, row.index, row, judgement))
    ordered = (
        (row.index, row.type, row.tensor, f"{j.mismatches} of {j.elements}", float(j.max_abs), row.rule)
        for *_, row, j in sorted(rows, key=lambda entry: entry[:3])[:10]
    )
    columns = ("", "operator", "result", "differ", "largest", "")
    yield Table("operators with the largest differences", columns, ordered, min(len(rows), 10))


def _diff_card(diff: Any) -> Card:
    """Returns what a notebook shows of two models that were compared with each other."""
    function = "the same function" if diff.same_function else "different functions or none compared"
    operators = "the same operators" if diff.same_operators else f"{len(diff.changes)} operators differ"
    outputs = [(diff.engines[1], output) for output in diff.outputs]
    columns = ("", "graph", "first", "second", "")
    changes = Table("operators that differ", columns, diff.changes, len(diff.changes))
    return Card(
        f"{diff.first} and {diff.second}: {function}, {operators}", [("note", diff.note)], [_outputs(outputs), changes]
    )


# ** many models **


def _zoo_card(zoo: Any) -> Card:
    """Returns what a notebook shows of a zoo: a table of its models."""
    rows = ((model.name, model.kind, model.source, model.expect) for model in zoo.models)
    columns = ("name", "kind", "source", "expected")
    return Card(f"{len(zoo.models)} models", (), [Table("models", columns, rows, len(zoo.models))])


def _model_report_card(report: Any) -> Card:
    """Returns what a notebook shows of the report of one model of a zoo."""
    figures = report.verification or {}
    facts = [("expected", report.expected), ("needs", figures.get("needs", "")), ("time", f"{report.seconds:.1f} s")]
    errors = Table("errors", ("error",), ((line,) for line in report.errors), len(report.errors))
    return Card(f"{report.name}: {report.outcome}", facts, [errors], report.verdict)


_CARDS: dict[str, Callable[[Any], Card]] = {
    "Model": _model_card,
    "Graph": _graph_card,
    "Op": _op_card,
    "Report": _report_card,
    "Inspection": _inspection_card,
    "Coverage": _coverage_card,
    "Comparison": _comparison_card,
    "Verification": _verification_card,
    "OperatorComparison": _operator_comparison_card,
    "Diff": _diff_card,
    "Zoo": _zoo_card,
    "ModelReport": _model_report_card,
}
