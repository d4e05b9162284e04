"""The reports as lines of text, and as JSON."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tosa_converter.cli.printing import show
from tosa_converter.errors import shortened

if TYPE_CHECKING:
    from tosa_converter.cli.opt import Optimization
    from tosa_converter.cli.run import RunReport
    from tosa_converter.proof.compare import OutputReport
    from tosa_converter.proof.diff import Diff
    from tosa_converter.proof.layers import LayerReport
    from tosa_converter.proof.operators import Clock, OperatorComparison, OperatorReport
    from tosa_converter.proof.report import Verification
    from tosa_converter.proof.spread import SecondLook

Figures = dict[str, Any]


def present(figures: Callable[[], Any], lines: Callable[[], Iterable[str]], *, json: bool, aside: bool = False) -> None:
    """Prints a report as JSON or as lines of text; to standard error if `aside`."""
    if json:
        from tosa_converter.figures import as_json

        show([as_json(figures())], limit=None, aside=aside)
    else:
        show(lines(), aside=aside)


def optimization_lines(done: "Optimization") -> list[str]:
    """Returns the numbers of operators before and after passes: in all, and of each kind that changed."""
    before, after = done.before, done.after
    names = [name for name in before | after if before.get(name, 0) != after.get(name, 0)]
    return [
        f"{done.source} -> {done.output}",
        f"  operators  {sum(before.values())} -> {sum(after.values())}",
        *(f"  {name:<28}{before.get(name, 0):6d} -> {after.get(name, 0)}" for name in names),
    ]


def counted(count: int, noun: str) -> str:
    """Returns a number of things in words: "1 model", "2 models".

    >>> counted(1, "model"), counted(2, "model")
    ('1 model', '2 models')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def run_lines(done: "RunReport") -> list[str]:
    """Returns the outputs of a run, each with its range of values."""
    source = "" if done.seed is None else f" on random inputs of seed {done.seed}"
    steps = f" in {done.steps} steps" if done.steps > 1 else ""
    lines = [f"{done.file} in {done.backend}{source}{steps}: {done.seconds * 1e3:.1f} ms"]
    for row in done.outputs:
        shape = ",".join(map(str, row.shape))
        spread = f"min {row.min:.6g}  max {row.max:.6g}  mean {row.mean:.6g}"
        saved = f"  saved as {row.member}" if row.member is not None else ""
        lines.append(f"  {row.name}  {row.dtype}[{shape}]  {spread}{saved}")
    return lines


def verification_lines(done: "Verification") -> list[str]:
    """Returns the report of a verification: outputs by engine, operators, notes, borders, verdict."""
    lines = [f"{done.file}  numerics {done.numerics}, needs {done.needs}"]
    for comparison in done.comparisons:
        runs = f"{comparison.runs} {comparison.inputs} input{'s' if comparison.runs > 1 else ''}"
        runs += f" of {comparison.steps} steps" if comparison.steps else ""
        place = f"signature {comparison.signature!r}: " if comparison.signature else ""
        lines.append(f"{place}{comparison.engine} against {comparison.reference} on {runs}:")
        lines += [f"  {line}" for output in comparison.outputs for line in _output_lines(output, done.proof)]
        lines += [f"  judged by {judge.kernels}: {judge.subject}: {judge.reason}" for judge in comparison.judges]
    count = max(comparison.runs for comparison in done.comparisons)
    inputs = f" on the first of {count} inputs" if count > 1 else ""
    for operators in done.operators:
        lines += _operator_lines(
            operators, inputs, sentence="" if done.repeats(operators.sentence) else operators.sentence
        )
    lines += _layer_lines(done.layers)
    lines += [f"note: {note.location}: {note.text}" for note in done.notes]
    lines.append(f"borders: {_border_text(done)}")
    return [
        *lines,
        f"{'PASS' if done.verdict else 'FAIL'}: {done.proof}",
        "equivalent" if done.verdict else "DIFFERENT",
    ]


def _border_text(done: "Verification") -> str:
    """Returns on one line how inputs and outputs differ from the source's in type and quantization."""
    if not done.borders:
        return "inputs and outputs have the source's types and quantization"
    return "; ".join(f"{border.place} {border.text}" for border in done.borders)


def diff_lines(diff: "Diff") -> list[str]:
    """Returns the report of a comparison of two files: outputs, operators that differ, the verdict."""
    lines = [f"{diff.first} in {diff.engines[0]}", f"{diff.second} in {diff.engines[1]}"]
    lines += [f"  {line}" for output in diff.outputs for line in _output_lines(output)]
    for change in diff.changes:
        place = " | ".join(part or "-" for part in (change.first, change.second))
        lines.append(f"  {change.kind:<11}{change.graph}: {place}{f': {change.text}' if change.text else ''}")
    lines += [f"  {'border':<11}{border.place}: {border.text}" for border in diff.borders]
    lines += [f"note: {diff.note}"] if diff.note else []
    function = "the same function" if diff.same_function else "NOT the same function" if diff.outputs else "not run"
    counts = Counter(change.kind for change in diff.changes)
    many = ", ".join(f"{count} in {kind}" for kind, count in counts.items())
    operators = f"operators differ: {many}" if many else "the same operators" if diff.same_operators else ""
    return [*lines, "; ".join(part for part in (function, operators) if part)]


def _operator_lines(compared: "OperatorComparison", inputs: str = "", sentence: str = "") -> list[str]:
    """Returns a table of the source's operators, then a sentence about them.

    `!` marks an operator that differs by itself, `*` the largest difference. `inputs` names one of several sets.
    """
    if compared.note and not compared.operators:
        return [f"layers: {compared.note}"]
    place = f"signature {compared.signature!r}: " if compared.signature else ""
    steps = f", in the last of {compared.steps} steps" if compared.steps > 1 else ""
    rows = compared.operators
    worst = max(rows, key=_relative, default=None)
    lines = [f"{place}operator by operator against {compared.reference}{inputs}{steps} (! differs, * worst):"]
    times = f"{'source ms':>11}{'TOSA ms':>9}" if compared.clock else ""
    lines += [f"  {'':2}{'operator':<28}{'differ':>16}{'max |d|':>11}{'SQNR':>9}{'ulp':>9}{times}  result"]
    lines += [
        _operator_line(
            row, "!" if row.verdict is False else "*" * (row is worst and _relative(row) > 0), bool(compared.clock)
        )
        for row in rows
    ]
    lines += [_clock_line(compared.clock)] if compared.clock else []
    regions = compared.counts["inside regions"]
    lines += (
        [f"  {regions} operators of branches and loops are judged by the IF or WHILE around them"] if regions else []
    )
    return [*lines, *(f"  {text}" for text in (sentence, compared.note) if text)]


def _relative(row: "OperatorReport") -> float:
    """Returns an operator's largest difference relative to the reference's largest element; 0 if all are equal."""
    difference = row.alone or row.whole
    return (
        0.0
        if difference is None or not difference.mismatches
        else difference.max_abs / (difference.reference_max or 1.0)
    )


def _clock_line(clock: "Clock") -> str:
    """Returns the times of source and conversion, as sums over operators and as whole runs."""
    source, source_run, tosa, tosa_run = (
        f"{seconds * 1e3:.3g} ms" for seconds in (clock.source_operators, clock.source_run, clock.operators, clock.run)
    )
    return (
        f"  times: source operators alone {source} ({clock.kernels}), whole source {source_run}; conversion operators "
        f"{tosa}, whole conversion {tosa_run}; operators that run together have estimated shares"
    )


def _operator_line(row: "OperatorReport", mark: str, timed: bool) -> str:
    """Returns an operator's row of the table: mark, number, type, differences, times if `timed`, verdict."""
    difference = row.alone if row.verdict is False else row.whole
    # As wide as the four columns below: 16 + 11 + 9 + 9 = 45.
    cells = " " * 45
    if difference is not None:
        ulp = "" if difference.ulp is None else f"{difference.ulp:.3g}"
        part = f"{difference.mismatches}/{difference.elements}"
        cells = f"{part:>16}{difference.max_abs:>11.3g}{difference.sqnr_db:>9.1f}{ulp:>9}"
    if timed:
        pair = ["" if seconds is None else f"{seconds * 1e3:.3g}" for seconds in (row.source_seconds, row.seconds)]
        cells += f"{pair[0]:>11}{pair[1]:>9}"
    more = f" {'of' if row.rule == 'inside' else 'but'} {shortened(row.inside, 60)!r}" if row.inside else ""
    rule = f"{row.rule}{more}{f': {row.note}' if row.note else ''}"
    return f"  {mark:<2}{f'{row.index} {row.type}':<28}{cells}  {rule}  {shortened(row.tensor, 60)!r}"


def _layer_lines(layers: "Sequence[LayerReport]") -> list[str]:
    """Returns the operators that break their precision clause, then the largest error of each kind of operator."""
    worst: dict[str, list[float]] = {}
    for layer in layers:
        worst.setdefault(layer.op, []).append(layer.worst)
    lines = [
        f"  NOT COMPLIANT {layer.op} at {layer.location}: {layer.message}" for layer in layers if not layer.compliant
    ]
    return lines + [
        f"  {op:<28}{len(w):5d} results, largest error {max(w):.2%} of the bound" for op, w in worst.items()
    ]


def _output_lines(output: "OutputReport", proof: str = "") -> list[str]:
    """Returns the figures of an output and of its second look, whose refusal is left out if it is `proof`."""
    verdict = "ok" if output.verdict else "DIFFERS"
    bound = f"allowed {output.tolerance:.3g}" if output.tolerance else "must be equal"
    text = (
        f"{verdict:<8}{output.name} {output.type}: {output.mismatches} of {output.elements} elements differ, "
        f"max |d| {output.max_abs:.3g} ({bound}), SQNR {output.sqnr_db:.1f} dB: {output.rule}"
    )
    if output.step is not None:
        text += f", first in step {output.step}"
    if output.undefined:
        text += f"; {output.undefined} more differ where LiteRT's result is undefined"
    return [text, *(_look_lines(output.second_look, proof) if output.second_look else ())]


def _look_lines(look: "SecondLook", verdict: str = "") -> list[str]:
    """Returns the figures of a second look at an output that differs; pairs are (largest difference, RMS)."""
    (spread, spread_rms), (distance, rms) = look.spread, look.distance
    operators = look.operators
    equal = []
    if operators is not None and operators.complete:
        error = f"max error {operators.error:.1e}"
        equal = [f"operators: {operators.compared} results equal on the source's own values, {error}"]
    lines = [
        f"FAIL: {look.refusal}" if look.refusal != verdict and look.refusal else "",
        *equal,
        f"error {distance:.3g} (RMS {rms:.3g})" if look.sources else "",
        f"source's own variation {spread:.3g} (RMS {spread_rms:.3g}), twice that allowed: {_first_names(look.sources)}"
        if look.sources
        else "",
        *(f"not measured: {text}" for text in look.missing),
    ]
    return [f"{'':10}{line}" for line in lines if line]


def _first_names(sources: "Sequence[str]") -> str:
    """Returns the first three names, and how many more there are."""
    more = f" and {len(sources) - 3} more runs" if len(sources) > 3 else ""
    return ", ".join(sources[:3]) + more


def operators_lines(figures: Figures) -> list[str]:
    """Returns the source operators with their rules, and the operators of TOSA."""
    lines = []
    for row in figures["source"]:
        lines += [f"{row['name']:<40}{_rule_text(rule)}" for rule in row["rules"]] or [
            f"{row['name']:<40}{row['prepared'] or '-'}"
        ]
    covered = sum(1 for row in figures["source"] if row["rules"] or row["prepared"])
    lines.append(f"{covered} of {len(figures['source'])} source operators are converted; TOSA 1.0 has the following")
    for row in figures["tosa"]:
        lines.append(f"{row['name']:<24}{'; '.join(f'{req}: {types}' for req, types in row['types'])}")
    return lines


def _rule_text(rule: Figures) -> str:
    """Returns a rule's types, the TOSA operators that it emits, and how exact it is."""
    types = ", ".join(rule["types"]) or "any"
    return f"{types} -> {sequence_of(rule)} ({rule['exactness']})"


def sequence_of(rule: Figures) -> str:
    """Returns the TOSA operators of a rule, with repetitions counted."""
    return sequence(rule["becomes"]) or "no operator"


def sequence(names: Iterable[str]) -> str:
    """Returns names in order, with repetitions counted: "ADD 2 MUL"."""
    groups = [(name, len(list(group))) for name, group in itertools.groupby(names)]
    return " ".join(name if count == 1 else f"{count} {name}" for name, count in groups)
