"""The tables of `verify --layers`: the source's operators, and the precision clauses of the conversion's."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tosa_converter.cli.columns import WIDTH, Column, cell, count, counted, fit_name, shorten, table, verb, wrap
from tosa_converter.cli.output_table import MOST_ROWS, rule_word
from tosa_converter.cli.printing import BAD, TITLE, Line, Styled
from tosa_converter.errors import printable
from tosa_converter.proof.operators import ABOVE, INSIDE, NOTHING, UNSEEN
from tosa_converter.proof.wording import engine_title, operator_name

if TYPE_CHECKING:
    from tosa_converter.proof.judgement import Judgement
    from tosa_converter.proof.layers import LayerReport
    from tosa_converter.proof.operators import Clock, OperatorComparison, OperatorReport

INDENT = 11  # columns of a label, such as "  needs    "
INHERITED = "inherited"
_WORDS = {ABOVE: INHERITED, UNSEEN: "not seen", NOTHING: "no-op", INSIDE: "part"}
_LEGEND = {
    "DIFFERS": "it computes something else, also on the source's own values",
    INHERITED: "it computes the same on the source's own values; the difference comes from an earlier operator",
    "rounding": "LiteRT's own kernels differ as much",
    "not seen": "LiteRT or the conversion doesn't hold this result",
}


def operator_lines(compared: "OperatorComparison", verbose: bool, sets: int = 1, number: int = 0) -> Iterator[Line]:
    """Yields the table of the source's operators: the first that differ and the largest errors, or all.

    Args:
        compared: the operators of one signature.
        verbose: list all, with what is known of each.
        sets: how many sets of inputs there are.
        number: of the set that they are compared on.
    """
    if compared.note and not compared.operators:
        yield from wrap("  layers", f"not compared: {compared.note}", INDENT)
        return
    rows = list(compared.operators)
    shown = rows if verbose else _most_important(rows)
    yield from wrap("  layers", _summary(compared, sets, number), INDENT)
    if shown:
        yield from _every_row(shown, timed=compared.clock is not None) if verbose else _short_rows(shown)
    differing = sum(_relative_error(row) > 0 or row.verdict is False for row in rows)
    if differing > len(shown):
        yield f"         and {counted(differing - len(shown), 'more result')} with smaller errors (-v lists all)"
    yield from _legend(shown)
    if compared.clock is not None:
        yield from _clock_lines(compared.clock, verbose)
    if compared.note and verbose:
        yield from wrap("  note", compared.note, INDENT)


def _summary(compared: "OperatorComparison", sets: int, number: int) -> str:
    """Returns a sentence: how many results are compared with what, and how many of them differ, are equal, and so on.

    `sets` is the number of input sets, `number` the one that these results are from.
    """
    rows = compared.operators
    words = Counter(_word(row) for row in rows)
    counts = {
        "DIFFERS": verb(words["DIFFERS"], "differs by itself", "differ by themselves"),
        INHERITED: verb(words[INHERITED], "inherits a difference", "inherit a difference"),
        "equal": verb(words["equal"], "is equal", "are equal"),
        "part": verb(words["part"], "is a part of another", "are parts of others"),
        "no-op": verb(words["no-op"], "computes nothing", "compute nothing"),
        "not seen": "can't be compared",
    }
    within = sum(count for word, count in words.items() if word in ("within", "rounding"))
    parts = [f"{words[word]} {text}" for word, text in counts.items() if words[word]]
    parts += [f"{within} {verb(within, 'is', 'are')} within rounding"] if within else []
    place = f"signature {compared.signature!r}: " if compared.signature else ""
    on_set = f" on input {number}" if sets > 1 else ""
    step = f" in step {compared.steps - 1}" if compared.steps > 1 else ""
    regions = compared.counts["inside regions"]
    inner = f". {regions} operators of branches and loops are judged by the IF or WHILE around them" if regions else ""
    results = counted(len(rows), "result")
    return f"{place}{results} compared with {engine_title(compared.reference)}{on_set}{step}: {', '.join(parts)}{inner}"


def _most_important(rows: "Sequence[OperatorReport]") -> "list[OperatorReport]":
    """Returns the rows that are shown without -v: operators that differ by themselves, then the largest errors."""
    differing = [row for row in rows if row.verdict is False]
    inexact = sorted(
        (row for row in rows if row.verdict is not False and _relative_error(row)), key=_relative_error, reverse=True
    )
    return [*differing, *inexact][:MOST_ROWS]


def _word(row: "OperatorReport") -> str:
    """Returns the word of a row's last column, which says how its result compares: DIFFERS, equal, within, part."""
    return _WORDS.get(row.rule) or rule_word(row.rule)


def _difference(row: "OperatorReport") -> "Judgement | None":
    """Returns the comparison that a row shows: of the operator alone if that differs, else of the whole run."""
    return row.alone if row.verdict is False else row.whole


def _relative_error(row: "OperatorReport") -> float:
    """Returns the largest difference that a row shows, relative to the largest element of the reference.

    It is 0 if no element differs.
    """
    difference = _difference(row)
    return difference.relative_error if difference is not None and difference.mismatches else 0.0


def _short_rows(rows: "Sequence[OperatorReport]") -> Iterator[Line]:
    """Yields a table with one line for each row."""
    columns = [Column("#", is_number=True), Column("operator", least=17), Column("result", least=10)]
    columns += [Column("differ"), Column("largest"), Column("")]
    cells = [
        (str(row.index), operator_name(row), cell(row.tensor), *_short_figures(_difference(row)), _word(row))
        for row in rows
    ]
    head, *lines = table(columns, cells, 4)
    yield [Styled(f"    {'  '.join(head).rstrip()}", TITLE)]
    for row, (*texts, word) in zip(rows, lines, strict=True):
        end = Styled(word.rstrip(), BAD) if row.verdict is False else word.rstrip()
        yield [f"    {'  '.join(texts)}  ", end]


def _short_figures(difference: "Judgement | None") -> tuple[str, str]:
    """Returns how many elements differ and by how much; empty texts if nothing was compared."""
    if difference is None:
        return "", ""
    return f"{count(difference.mismatches)} of {count(difference.elements)}", f"{difference.max_abs:.3g}"


def _every_row(rows: "Sequence[OperatorReport]", timed: bool) -> Iterator[Line]:
    """Yields the heads of the columns, then two lines for each row: its figures, then its verdict, result and note."""
    heads = ["differ", "largest", "SQNR", "ulp", *(["source ms", " TOSA ms"] if timed else [])]
    columns = [
        Column("#", is_number=True),
        Column("operator", least=10),
        *(Column(head, is_number=True) for head in heads),
    ]
    cells = [(str(row.index), operator_name(row), *_figures(row, timed)) for row in rows]
    head, *lines = table(columns, cells)
    yield [Styled(f"  {'  '.join(head)}", TITLE)]
    for row, texts in zip(rows, lines, strict=True):
        yield f"  {'  '.join(texts)}".rstrip()
        part = f" of {shorten(printable(repr(row.inside)), 24)}" if row.inside else ""
        after = f": {row.note}" if row.note else ""
        word = _word(row)
        style = [Styled(word, BAD) if row.verdict is False else word]
        yield ["      ", *style, fit_name(f"{part}  '", row.tensor, f"'{after}", WIDTH - 6 - len(word))]


def _figures(row: "OperatorReport", timed: bool) -> list[str]:
    """Returns the cells of a row's figures: differing elements, largest difference, SQNR, ulp; if timed, ms."""
    difference = _difference(row)
    cells = [""] * 4
    if difference is not None:
        ulp = "" if difference.ulp is None else f"{difference.ulp:.3g}"
        part = f"{count(difference.mismatches)}/{count(difference.elements)}"
        cells = [part, f"{difference.max_abs:.3g}", f"{difference.sqnr_db:.1f}", ulp]
    if timed:
        cells += ["" if seconds is None else f"{seconds * 1e3:.3g}" for seconds in (row.source_seconds, row.seconds)]
    return cells


def _legend(rows: "Sequence[OperatorReport]") -> Iterator[str]:
    """Yields the meanings of those verdicts in the table that need an explanation, such as "not seen"."""
    words = {_word(row) for row in rows}
    for word, meaning in _LEGEND.items():
        if word in words:
            yield from wrap(f"    {word}", meaning, 4 + 11)


def _clock_lines(clock: "Clock", verbose: bool) -> Iterator[str]:
    """Yields the times of source and conversion as whole runs, and as sums over operators if `verbose`.

    No line is wrapped, because the lengths of the times would decide where it breaks.
    """
    source, source_run, tosa, tosa_run = (
        f"{seconds * 1e3:.3g} ms" for seconds in (clock.source_operators, clock.source_run, clock.operators, clock.run)
    )
    yield f"{'  times':<{INDENT}}the whole source takes {source_run}, the whole conversion {tosa_run}"
    if verbose:
        yield f"{'':<{INDENT}}the source's operators one by one take {source} ({clock.kernels})"
        yield f"{'':<{INDENT}}the conversion's operators take {tosa}"
        yield f"{'':<{INDENT}}operators that run together have estimated shares"


def clause_lines(layers: "Sequence[LayerReport]", verbose: bool) -> Iterator[Line]:
    """Yields the operators that break their precision clause, then the largest error relative to its bound.

    With `verbose`, a table of the largest errors by kind of operator follows.
    """
    if not layers:
        return
    broken = [layer for layer in layers if not layer.compliant]
    for layer in broken if verbose else broken[:MOST_ROWS]:
        first, *rest = wrap("  BREAKS", f"{layer.op} at {layer.location}: {layer.message}", INDENT, is_whole=verbose)
        yield ["  ", Styled("BREAKS", BAD), first.removeprefix("  BREAKS")]
        yield from rest
    worst: dict[str, list[float]] = {}
    for layer in layers:
        worst.setdefault(layer.op, []).append(layer.worst)
    largest = max(worst, key=lambda op: max(worst[op]))
    clauses_met = (
        f"{len(layers) - len(broken)} of {counted(len(layers), 'result')} of TOSA operators "
        f"{verb(len(layers), 'keeps its', 'keep their')} precision clause"
    )
    error = f"the largest error is {max(worst[largest]):.2%} of the bound ({largest})"
    yield from wrap("  clauses", f"{clauses_met}; {error}", INDENT)
    if verbose:
        rows = [(op, str(len(errors)), f"{max(errors):.2%}") for op, errors in worst.items()]
        columns = [
            Column("operator", least=12),
            Column("results", is_number=True),
            Column("largest error of the bound", is_number=True),
        ]
        for line in table(columns, rows, 4):
            yield f"    {'  '.join(line)}"
