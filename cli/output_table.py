"""The table of compared outputs, for `verify` and `diff`: how many elements differ, by how much, what is allowed."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tosa_converter.cli.columns import Column, cell, count, counted, table, verb, wrap
from tosa_converter.cli.printing import BAD, GOOD, TITLE, Line, Styled
from tosa_converter.proof.compare import DIFFERS, SPREAD

if TYPE_CHECKING:
    from tosa_converter.proof.compare import Comparison, OutputReport
    from tosa_converter.proof.spread import SecondLook

MOST_ROWS = 10  # of a table, without -v
_STATED = "atol "  # how the tolerance that a user states begins in a rule
_COLUMNS = (
    Column("output", least=12),
    Column("type", least=10),
    Column("differ"),
    Column("largest"),
    Column("allowed"),
    Column("", least=8),
)
_SHORT_TYPE = re.compile(r"^(fp|bf|ui|i)(?=\d)")
_TYPES = {"fp": "float", "bf": "bfloat", "ui": "uint", "i": "int"}
_TYPE_PARTS = re.compile(r"(\w+)\[([\dx?]*)\](?: <[^>]*>)?(?:, )?(.*)")


class Group(NamedTuple):
    """Outputs that stand together in the table, below a heading if it isn't empty."""

    heading: str
    outputs: "Sequence[OutputReport]"


class _Row(NamedTuple):
    """A row of the table: the heading that it stands under, the output, and its cells."""

    heading: str
    output: "OutputReport"
    cells: tuple[str, ...]


def output_lines(groups: Sequence[Group], *, verbose: bool = False, most: int | None = MOST_ROWS) -> Iterator[Line]:
    """Yields the table of outputs.

    Args:
        groups: the outputs.
        verbose: all of them, each with its further figures.
        most: how many rows are shown otherwise, None for all; those that differ are preferred, and keep their order.
    """
    rows = [_Row(heading, output, _cells(output)) for heading, outputs in groups for output in outputs]
    shown = rows if verbose or most is None else _most_important(rows, most)
    indent = 4 if any(row.heading for row in rows) else 2
    head, *lines = table(_COLUMNS, [row.cells for row in shown], indent)
    yield [Styled(" " * indent + "  ".join(head).rstrip(), TITLE)]
    heading = ""
    for row, (*cells, rule) in zip(shown, lines, strict=True):
        if row.heading != heading:
            heading = row.heading
            yield from wrap(" ", f"{heading}:", 2)
        style = GOOD if row.output.verdict else BAD
        yield [" " * indent + "  ".join(cells) + "  ", Styled(rule.rstrip(), style)]
        name = [f"name {row.cells[0]}"] if verbose and cells[0].rstrip() != row.cells[0] else []
        for text in (*name, *_remarks(row.output), *(_figures(row.output) if verbose else ())):
            yield from wrap("", text, indent + 2)
    hidden = len(rows) - len(shown)
    if hidden:
        differing = sum(not row.output.verdict for row in rows) - sum(not row.output.verdict for row in shown)
        text = f"{differing} of them {verb(differing, 'differs', 'differ')}" if differing else "none of them differs"
        yield f"{' ' * indent}and {counted(hidden, 'more output')}, {text} (-v lists all)"


def groups_of(comparisons: "Sequence[Comparison]", *, verbose: bool = False) -> list[Group]:
    """Returns the outputs of comparisons by signature, engine and reference.

    Without `verbose`, engines whose rows are equal share a group.
    """
    groups: dict[tuple[object, ...], list[Comparison]] = {}
    for comparison in comparisons:
        rows = tuple((*_cells(output), *_remarks(output)) for output in comparison.outputs)
        key = comparison.signature, comparison.reference, comparison.engine if verbose else rows
        groups.setdefault(key, []).append(comparison)
    signatures = len({comparison.signature for comparison in comparisons})
    references = len({comparison.reference for comparison in comparisons})
    # With one group for each signature and reference, all engines have the same rows.
    has_engines = len(groups) > signatures * references
    return [
        Group(
            _group_title(
                members, has_signatures=signatures > 1, has_engines=has_engines, has_references=references > 1
            ),
            members[0].outputs,
        )
        for members in groups.values()
    ]


def _group_title(members: "Sequence[Comparison]", has_signatures: bool, has_engines: bool, has_references: bool) -> str:
    """Returns what tells a group of outputs from others: signature, engines, reference.

    The flags say in which of these the groups differ; "" if in none.
    """
    parts = [f"signature {members[0].signature!r}"] if has_signatures else []
    parts += [f"in {', '.join(comparison.engine for comparison in members)}"] if has_engines else []
    parts += [f"against {members[0].reference}"] if has_references else []
    return " ".join(parts)


def _cells(output: "OutputReport") -> tuple[str, ...]:
    """Returns the cells of an output's row: name, type, differing elements, largest difference, tolerance, rule."""
    return (
        cell(output.name),
        type_text(output.type)[0],
        f"{count(output.mismatches)} of {count(output.elements)}",
        f"{output.max_abs:.3g}",
        f"{output.tolerance:.3g}",
        rule_word(output.rule),
    )


def rule_word(rule: str) -> str:
    """Returns what a table calls the rule that decided about a result: "within" for "within 1e-05".

    The tolerance stands in a column of its own.
    """
    if rule.startswith(DIFFERS):
        return DIFFERS.upper()
    return "rounding" if rule == SPREAD else "within" if rule.startswith("within ") else rule


def _most_important(rows: Sequence[_Row], most: int) -> list[_Row]:
    """Returns at most `most` rows, in their order: those of outputs that differ, then as many others as fit."""
    by_verdict = sorted(range(len(rows)), key=lambda i: rows[i].output.verdict)  # False comes before True
    return [rows[i] for i in sorted(by_verdict[:most])]


def type_text(text: str) -> tuple[str, str]:
    """Returns a type as numpy spells it, without quantization, and what stands behind it.

    >>> type_text("i8[?x10] <0.5:-3>"), type_text("fp32[2], found shape [3]")
    (('int8[?,10]', ''), ('float32[2]', 'found shape [3]'))
    """
    match = _TYPE_PARTS.fullmatch(text)
    if match is None:
        return text, ""
    dtype, shape, rest = match.groups()
    name = _SHORT_TYPE.sub(lambda short: _TYPES[short[1]], dtype)
    return f"{name}[{shape.replace('x', ',')}]", rest


def _remarks(output: "OutputReport") -> Iterator[str]:
    """Yields what the row of an output doesn't say.

    That is another shape, a tolerance that the user states, top-1 agreement, the first set and step that differ, and
    elements that are undefined in LiteRT.
    """
    shape = type_text(output.type)[1]
    places = [f"input {output.first_set}"] if output.first_set is not None else []
    places += [f"step {output.step}"] if output.step is not None else []
    _, is_stated, tolerance = output.rule.partition(_STATED)
    if shape:
        yield shape
    if is_stated:
        yield f"{_STATED}{tolerance}"
    if output.top1 is not None:
        yield output.top1.text
    if places:
        yield f"first in {', '.join(places)} (counted from 0)"
    if output.undefined:
        differ = verb(output.undefined, "differs", "differ")
        yield f"{count(output.undefined)} more {differ} where LiteRT's result is undefined"


def _figures(output: "OutputReport") -> Iterator[str]:
    """Yields an output's further figures: signal-to-noise ratio, and why a difference was accepted or refused."""
    yield f"SQNR {output.sqnr_db:.1f} dB, largest value {output.reference_max:.3g}, rule: {output.rule}"
    if output.second_look is not None:
        yield from _look_lines(output.second_look)


def _look_lines(look: "SecondLook") -> Iterator[str]:
    """Yields why an output beyond its tolerance was accepted or refused, from its second comparison `look`.

    The lines have the reason for a refusal, the operators compared, and the error against the source's own rounding
    variation. Pairs of figures are (largest difference, RMS).
    """
    (spread, spread_rms), (distance, rms) = look.spread, look.distance
    operators = look.operators
    if look.refusal and (operators is None or look.refusal != operators.difference):
        yield f"refused: {look.refusal}"
    if operators is not None and operators.complete:
        error = f"largest error {operators.error:.1e}"
        yield f"operators: {operators.compared} results are equal on the source's own values, {error}"
    if look.sources:
        yield f"error {distance:.3g} (RMS {rms:.3g})"
        variation = f"the source's own variation is {spread:.3g} (RMS {spread_rms:.3g}), twice that is allowed"
        yield f"{variation}; measured by {_first_names(look.sources)}"
    for text in look.missing:
        yield f"not measured: {text}"


def _first_names(sources: Sequence[str]) -> str:
    """Returns the names of the source's first three other runs, and how many more there are."""
    more = f" and {counted(len(sources) - 3, 'more run')}" if len(sources) > 3 else ""
    return ", ".join(sources[:3]) + more


def inputs_text(comparison: "Comparison") -> str:
    """Returns how many sets of inputs of which kind there were, and their steps, as "2 random inputs of 3 steps"."""
    steps = f" of {counted(comparison.steps, 'step')}" if comparison.steps else ""
    return f"{counted(comparison.runs, f'{comparison.inputs} input')}{steps}"
