"""The reports as lines of text, and as JSON."""

import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tosa_converter.cli.columns import wrap
from tosa_converter.cli.printing import Line, show

if TYPE_CHECKING:
    from tosa_converter.cli.opt import Optimization
    from tosa_converter.cli.run import RunReport

Figures = dict[str, Any]


def present(
    figures: Callable[[], Any], lines: Callable[[], Iterable[Line]], *, json: bool, aside: bool = False
) -> None:
    """Prints a report as JSON or as lines of text, and makes only that form; to standard error if `aside`."""
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


def run_lines(done: "RunReport") -> list[str]:
    """Returns the outputs of a run, each with its range of values."""
    runs = f"{done.runs} sets of " if done.runs > 1 else ""
    source = "" if done.seed is None else f" on {runs}{done.inputs} inputs of seed {done.seed}"
    steps = f" in {done.steps} steps" if done.steps > 1 else ""
    lines = [f"{done.file} in {done.engine}{source}{steps}: {done.seconds * 1e3:.1f} ms"]
    for row in done.outputs:
        shape = ",".join(map(str, row.shape))
        spread = f"min {row.min:.6g}", f" max {row.max:.6g}", f" mean {row.mean:.6g}"
        saved = [f" saved as {row.member}"] if row.member is not None else []
        lines += wrap("  ", [f"{row.name}  {row.dtype}[{shape}] ", *spread, *saved], 2, hanging=2)
    return lines


def operators_lines(figures: Figures) -> list[str]:
    """Returns the report of `ops` as lines: source operators with their rules, and the operators of TOSA."""
    lines = []
    for row in figures["source"]:
        lines += [f"{row['name']:<40}{_rule_text(rule)}" for rule in row["rules"]] or [
            f"{row['name']:<40}{row['prepared'] or '-'}"
        ]
    covered = sum(1 for row in figures["source"] if row["rules"] or row["prepared"])
    lines.append(f"{covered} of {len(figures['source'])} source operators are converted; TOSA has the following")
    for row in figures["tosa"]:
        since = "" if row["since"] == "1.0" else f"since {row['since']}: "
        lines.append(f"{row['name']:<24}{since}{'; '.join(f'{req}: {types}' for req, types in row['types'])}")
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
