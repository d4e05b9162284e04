"""The report of `verify` on one screen: verdict, proof, outputs, the first operator that differs, what to do next.

With `-v` it has every output, operator, precision clause and note.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tosa_converter.cli.columns import WIDTH, counted, fit_name, shorten, verb, wrap
from tosa_converter.cli.operator_table import INDENT, clause_lines, operator_lines
from tosa_converter.cli.output_table import MOST_ROWS, groups_of, inputs_text, output_lines
from tosa_converter.cli.printing import BAD, GOOD, Line, Styled, advice_lines
from tosa_converter.engines import ENGINES
from tosa_converter.errors import LONGEST, printable
from tosa_converter.proof.wording import element_text, engine_title, operator_name, operator_place, operators_inside

if TYPE_CHECKING:
    from tosa_converter.proof.generation import Generation
    from tosa_converter.proof.operators import OperatorComparison, OperatorReport
    from tosa_converter.proof.report import Verification

MOST_NOTES = 3  # without -v
MOST_KINDS = 5  # of TOSA operators that an operator becomes
_DIFFERENCE = "  first difference"
_DEEP = len(_DIFFERENCE) + 2  # columns of that label


def verification_lines(
    done: "Verification",
    operators: "Sequence[OperatorComparison]" = (),
    *,
    next_command: str = "",
    verbose: bool = False,
) -> list[Line]:
    """Returns the report of a verification.

    Args:
        done: the verification.
        operators: the comparison of its operators, if that was made only after an output differed.
        next_command: the command that says more.
        verbose: everything, also what takes more than a screen.
    """
    lines = verdict_lines(done.verdict, f"{done.file}: {_sentence(done)}")
    if done.verdict:
        lines += wrap("  proof", f"{done.proof} ({_circumstances(done)})", INDENT)
    else:
        lines += _difference_lines(done, done.operators or operators, verbose)
        for refusal in _refusals(done):
            lines += wrap("  reason", refusal, INDENT)
    lines += output_lines(groups_of(done.comparisons, verbose=verbose), verbose=verbose)
    for generation in done.generations:
        lines += _generation_lines(generation)
    if not done.verdict:
        lines += wrap("  run on", _circumstances(done), INDENT)
    lines += _judge_lines(done, verbose)
    sets = done.comparisons[0].runs
    for compared in done.operators or (operators if verbose else ()):
        lines += operator_lines(compared, verbose, sets, _first_differing_set(done, compared.signature))
    lines += clause_lines(done.layers, verbose)
    lines += _border_lines(done, verbose)
    lines += wrap("  needs", str(done.needs), INDENT)
    lines += _note_lines(done, done.operators or operators, verbose)
    return [*lines, *(advice_lines(next_command) if next_command else [])]


def verdict_lines(verdict: bool, text: str) -> list[Line]:
    """Returns the verdict, which has a colour on a terminal, with a text behind it."""
    word, style = ("PASS", GOOD) if verdict else ("FAIL", BAD)
    first, *rest = wrap(word, text, len(word) + 2)
    return [[Styled(word, style), first.removeprefix(word)], *rest]


def _generation_lines(generation: "Generation") -> Iterator[str]:
    """Yields whether a language model chose the same tokens on both sides, and the source's tokens or their text."""
    yield from wrap("  generate", f"{generation.engine}: {generation.sentence}", INDENT)
    chosen = repr(generation.text) if generation.text else ", ".join(map(str, generation.tokens))
    yield from wrap("  tokens", chosen, INDENT)


def _sentence(done: "Verification") -> str:
    """Returns the verdict in words: the conversion computes the same, how many outputs differ, or what else failed."""
    existing, reference = _other_file(done), engine_title(done.reference)
    if done.verdict:
        return f"{existing or 'the conversion'} computes the same as {reference}"
    outputs: dict[tuple[str, int], bool] = {}
    for comparison in done.comparisons:
        for i, output in enumerate(comparison.outputs):
            key = comparison.signature, i
            outputs[key] = outputs.get(key, True) and output.verdict
    differing = sum(not verdict for verdict in outputs.values())
    if not differing:
        return f"the outputs are as in {reference}, but {done.proof}"
    of_file = f" of {existing}" if existing else ""
    verb_of = verb(differing, "differs", "differ")
    return f"{differing} of {counted(len(outputs), 'output')}{of_file} {verb_of} from {reference}"


def _other_file(done: "Verification") -> str:
    """Returns the file that was compared in place of a new conversion; "" for a new conversion."""
    if done.sides is None or done.sides[0].source == done.sides[1].source:
        return ""
    return done.sides[1].source


def _circumstances(done: "Verification") -> str:
    """Returns in words how the sides were compared: numerics, inputs and engines.

    The engine is left out if it is the executor alone. If the executor also ran the source, that is told.
    """
    texts = [f"{done.numerics} numerics", *dict.fromkeys(map(inputs_text, done.comparisons))]
    engines = list(dict.fromkeys(comparison.engine for comparison in done.comparisons))
    texts += [f"run by {', '.join(engines)}"] if engines != ["executor"] else []
    # Other references are named in the verdict.
    texts += [f"the source by {done.reference}"] if done.reference == "executor" else []
    return ", ".join(texts)


def _refusals(done: "Verification") -> list[str]:
    """Returns the reasons why outputs beyond their tolerance were refused, each once.

    A reason that only repeats which operator differs first is left out, as the report names that itself.
    """
    second_looks = [output.second_look for output in done.outputs if output.second_look is not None]
    return list(
        dict.fromkeys(
            look.refusal
            for look in second_looks
            if look.refusal and (look.operators is None or look.refusal != look.operators.difference)
        )
    )


def _first_differing_set(done: "Verification", signature: str) -> int:
    """Returns the number of the first set of inputs on which an output of a signature differs; 0 if none does.

    Its operators are compared on that set.
    """
    outputs = [output for row in done.comparisons if row.signature == signature for output in row.outputs]
    return min((output.first_set or 0 for output in outputs if not output.verdict), default=0)


# ** the first operator that differs **


def _difference_lines(done: "Verification", operators: "Sequence[OperatorComparison]", verbose: bool) -> list[Line]:
    """Returns the first operator that differs, by how much and why; or what else is known of a difference."""
    compared = next((row for row in operators if row.guilty is not None), None)
    if compared is not None and compared.guilty is not None:
        texts = _guilty_texts(done, operators, compared, compared.guilty, LONGEST if verbose else WIDTH - _DEEP)
    else:
        texts = _other_texts(done, operators)
    lines: list[Line] = []
    for text in texts:
        lines += wrap("" if lines else _DIFFERENCE, text, _DEEP, is_whole=verbose)
    return lines


def _guilty_texts(
    done: "Verification",
    operators: "Sequence[OperatorComparison]",
    compared: "OperatorComparison",
    row: "OperatorReport",
    most: int,
) -> Iterator[str]:
    """Yields what is known of an operator that differs by itself: name, figures, where, what it became, notes.

    `row` is that operator, the first one in `compared`; `operators` has the comparisons of all signatures. The first
    text has at most `most` columns.
    """
    after = f"' ({operator_place(row)})"
    yield fit_name(f"operator {row.index}, {operator_name(row)} '", row.tensor, after, most)
    if row.alone is not None:
        yield element_text(row.alone)
    number, sets = _first_differing_set(done, compared.signature), done.comparisons[0].runs
    places = [f"signature {compared.signature!r}"] if compared.signature else []
    places += [f"input {number}"] if sets > 1 else []
    places += [f"step {compared.steps - 1}"] if compared.steps > 1 else []
    if places:
        yield f"seen in {', '.join(places)}{' (counted from 0)' if sets > 1 or compared.steps > 1 else ''}"
    fused = operators_inside(compared.operators, row)
    becomes = _kinds(row.becomes)
    if becomes:
        parts = f"with {', '.join(fused)} " if fused else ""
        yield f"{parts}it becomes {becomes}"
    yield from (f"note: {note.text}" for note in done.notes if note.location == row.location)
    signatures = [other.signature for other in operators if other.guilty is not None and other is not compared]
    if signatures:
        yield f"operators differ too in signature {', '.join(map(repr, signatures))}"


def _kinds(becomes: dict[str, int]) -> str:
    """Returns the TOSA operators that an operator becomes, such as "2 RESCALE, CONV2D and 3 more kinds".

    At most MOST_KINDS are named.
    """
    texts = [f"{number} {name}" if number > 1 else name for name, number in becomes.items()]
    more = len(texts) - MOST_KINDS
    return ", ".join(texts[:MOST_KINDS]) + (f" and {counted(more, 'more kind')}" if more > 0 else "")


def _other_texts(done: "Verification", operators: "Sequence[OperatorComparison]") -> Iterator[str]:
    """Yields what is known of a difference if no operator is known to differ by itself.

    That is the first difference that an output's own comparison of operators found, or that the executor agrees with
    the source and only other engines differ, or why operators weren't compared.
    """
    second_looks = [output.second_look for output in done.outputs if output.second_look is not None]
    differences = [look.operators.difference for look in second_looks if look.operators is not None]
    named = next(filter(None, differences), "")
    if named:
        yield named.removeprefix("First difference at ")
        return
    failing = {comparison.engine for comparison in done.comparisons if not comparison.verdict}
    if failing and "executor" not in failing and any(row.engine == "executor" for row in done.comparisons):
        yield f"only in {' and '.join(sorted(failing))}: this package's executor computes the same as the source"
        if not failing & ENGINES.keys():
            yield "to find the operator, run values between operators there too (docs: how-to/device)"
        return
    for compared in operators:
        sentence = compared.sentence.replace("No operator is compared: ", "unknown: ")
        yield f"unknown: {compared.note}" if compared.note and not compared.operators else sentence


# ** judges, borders, notes **


def _judge_lines(done: "Verification", verbose: bool) -> Iterator[str]:
    """Yields the operators that aren't judged by the reference's kernels: what computes the expected values, and why.

    Without `verbose` it yields the first few, and how many more there are.
    """
    judges = list(dict.fromkeys(judge for comparison in done.comparisons for judge in comparison.judges))
    for judge in judges if verbose else judges[:MOST_NOTES]:
        yield from wrap("  judged", f"by {judge.kernels}: {judge.subject}: {judge.reason}", INDENT, is_whole=verbose)
    yield from _more_line(len(judges), MOST_NOTES, "more judged operator", verbose)


def _border_lines(done: "Verification", verbose: bool) -> Iterator[str]:
    """Yields how inputs and outputs differ from the source's in type and quantization."""
    if not done.borders:
        yield "  inputs and outputs have the source's types and quantization"
    rows = [(border.place, border.text) for border in done.borders]
    yield from _grouped_lines("  border", rows, "more change", verbose, most=MOST_ROWS, places_shown=4)


def _note_lines(done: "Verification", operators: "Sequence[OperatorComparison]", verbose: bool) -> Iterator[str]:
    """Yields the notes of the conversion, without those that inputs, outputs and the first difference tell already.

    Without `verbose` it yields the first few, and how many more there are.
    """
    borders = {(border.place, border.text) for border in done.borders}
    compared = next((row for row in operators if row.guilty is not None), None)
    place = compared.guilty.location if compared is not None and compared.guilty is not None else ""
    rows = [(note.location, note.text) for note in done.notes if note.location != place]
    rows = [row for row in rows if row not in borders]
    yield from _grouped_lines("  note", rows, "more note", verbose, most=MOST_NOTES, places_shown=1)


def _grouped_lines(
    label: str, rows: Sequence[tuple[str, str]], noun: str, verbose: bool, *, most: int, places_shown: int
) -> Iterator[str]:
    """Yields the rows (place, text) as lines with a label.

    With `verbose` each row has a line. Else rows with one text share a line, which names `places_shown` of their
    places, and after `most` lines only the number of further ones follows.
    """
    if verbose:
        for place, text in rows:
            yield from wrap(label, f"{place}: {text}", INDENT)
        return
    places: dict[str, list[str]] = {}
    for place, text in rows:
        places.setdefault(text, []).append(place)
    for text, group in list(places.items())[:most]:
        names = ", ".join(shorten(printable(place), 52) for place in group[:places_shown])
        more = f" and {len(group) - places_shown} more" if len(group) > places_shown else ""
        yield from wrap(label, f"{names}{more}: {text}", INDENT, is_whole=False)
    yield from _more_line(len(places), most, noun, verbose)


def _more_line(number: int, most: int, noun: str, verbose: bool) -> Iterator[str]:
    """Yields a line with how many things aren't shown: those beyond `most`, unless `verbose` shows all."""
    if number > most and not verbose:
        yield f"{' ' * INDENT}and {counted(number - most, noun)} (-v lists all)"
