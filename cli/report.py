"""The reports as lines of text, and as JSON."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tosa_converter.cli.columns import counted as counted
from tosa_converter.cli.printing import Line, show
from tosa_converter.ir import NEXT

if TYPE_CHECKING:
    from tosa_converter.cli.conversion import Conversion
    from tosa_converter.cli.opt import Optimization
    from tosa_converter.cli.run import RunReport
    from tosa_converter.coverage import Coverage, Operator
    from tosa_converter.inspection import Inspection
    from tosa_converter.ir import State

Figures = dict[str, Any]


def present(
    figures: Callable[[], Any], lines: Callable[[], Iterable[Line]], *, json: bool, aside: bool = False
) -> None:
    """Prints a report as JSON or as lines of text; to standard error if `aside`."""
    if json:
        from tosa_converter.figures import as_json

        show([as_json(figures())], limit=None, aside=aside)
    else:
        show(lines(), aside=aside)


def conversion_lines(done: "Conversion", verbose: bool) -> list[str]:
    """Returns the report of a conversion: operators, sizes, what it needs, times, notes."""
    report = done.report
    lines = [
        f"{done.source} -> {', '.join(done.files)}",
        f"  operators  {report.source_ops.total()} -> {done.ops.total()}",
        f"  size       {_size(done.source_bytes)} -> {_size(done.output_bytes)}",
        f"  numerics   {report.numerics}",
        f"  needs      {report.needs}",
        f"  time       {(done.load_seconds + report.seconds) * 1e3:.0f} ms",
    ]
    if done.initial:
        lines.append(f"  state      {_state_feedback(done.states)}; initial values: {done.initial}")
    if done.usage:
        lines.append(f"  run        {done.usage}")
    lines += [f"  note       {note.location}: {note.text}" for note in report.notes]
    if verbose:
        lines.append(f"  {'load':<22}{done.load_seconds * 1e3:8.1f} ms")
        lines += [f"  {step.name:<22}{step.seconds * 1e3:8.1f} ms {step.ops:6d} operators" for step in report.passes]
        lines += [f"  {name:<28}{count:6d}" for name, count in done.ops.most_common()]
    return lines


def _state_feedback(states: "Sequence[State]") -> str:
    """Returns which outputs are inputs of the next run, in one sentence if their names tell."""
    if all(state.output == state.input + NEXT for state in states):
        return f"feed output NAME{NEXT} back into input NAME"
    return ", ".join(f"feed output {state.output} back into input {state.input}" for state in states)


def optimization_lines(done: "Optimization") -> list[str]:
    """Returns the numbers of operators before and after passes: in all, and of each kind that changed."""
    before, after = done.before, done.after
    names = [name for name in before | after if before.get(name, 0) != after.get(name, 0)]
    return [
        f"{done.source} -> {done.output}",
        f"  operators  {sum(before.values())} -> {sum(after.values())}",
        *(f"  {name:<28}{before.get(name, 0):6d} -> {after.get(name, 0)}" for name in names),
    ]


def _size(count: int) -> str:
    """Returns a number of bytes in words, with its unit: "12.8 KB"."""
    for unit in ("B", "KB", "MB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024  # type: ignore[assignment]  # the last rounds only matter as text
    return f"{count:.1f} GB"


def inspection_lines(inspection: "Inspection", tensors: bool, checked: bool) -> list[str]:
    """Returns the contents of a file: graphs, signatures, operators, notes."""
    lines = [f"{inspection.file}  {_size(inspection.bytes)}, {inspection.opset} operators"]
    for graph in inspection.graphs:
        constants = (
            f", {counted(graph.constants, 'constant')} of {_size(graph.constant_bytes)}" if graph.constants else ""
        )
        lines.append(f"graph {graph.name!r}: {counted(graph.ops, 'operator')}{constants}")
        lines += [f"  in   {tensor}" for tensor in graph.inputs]
        lines += [f"  out  {tensor}" for tensor in graph.outputs]
        lines += [f"  state: output {end!r} is the next run's input {begin!r}" for begin, end in graph.states]
        lines += [f"  custom {op.custom_code} at {op.location}: {op.options}" for op in graph.custom]
        if tensors:
            lines += [f"  {tensor.op:<24}{tensor}" for tensor in graph.tensors]
    for name, (_, inputs, outputs) in inspection.signatures.items():
        lines.append(f"signature {name!r}: {', '.join(inputs)} -> {', '.join(outputs)}")
    lines += [f"  {count:6d}  {name}" for name, count in inspection.ops.items()]
    lines += [f"note: {place}: {text}" for place, text in inspection.notes]
    return [*lines, f"needs  {inspection.needs}", *(["check  valid"] if checked else [])]


def coverage_lines(coverage: "Coverage", verbose: bool) -> list[str]:
    """Returns what each operator of a source becomes, unsupported ones first, and the verdict."""
    target = "any target" if coverage.target is None else coverage.target
    lines = [f"{coverage.source}  {coverage.numerics} numerics, for {target}"]
    kinds = [(op, 1) for op in coverage.operators] if verbose else coverage.kinds
    for op, count in kinds:
        lines.append(f"  {op.location if verbose else f'{count:6d}  {op.name}'}  {_outcome(op)}")
        lines += [f"          note: {note}" for note in op.notes]
    refused = len(coverage.refused)
    counts = ", ".join(f"{count} {word}" for word, count in coverage.counts.most_common())
    operators = counted(len(coverage.operators), "operator")
    verdict = f"{refused} of {operators} can't be converted" if refused else f"{operators}, all can be converted"
    return [*lines, f"{verdict}: {counts}" if counts else "no operators"]


def _outcome(op: "Operator") -> str:
    """Returns what an operator becomes and how exactly, or why it is refused."""
    if op.reason:
        return f"{op.exactness}: {op.reason}"
    return f"-> {' '.join(op.becomes) or 'nothing to compute'}  ({op.exactness})"


def run_lines(done: "RunReport") -> list[str]:
    """Returns the outputs of a run, each with its range of values."""
    runs = f"{done.runs} sets of " if done.runs > 1 else ""
    source = "" if done.seed is None else f" on {runs}{done.inputs} inputs of seed {done.seed}"
    steps = f" in {done.steps} steps" if done.steps > 1 else ""
    lines = [f"{done.file} in {done.engine}{source}{steps}: {done.seconds * 1e3:.1f} ms"]
    for row in done.outputs:
        shape = ",".join(map(str, row.shape))
        spread = f"min {row.min:.6g}  max {row.max:.6g}  mean {row.mean:.6g}"
        saved = f"  saved as {row.member}" if row.member is not None else ""
        lines.append(f"  {row.name}  {row.dtype}[{shape}]  {spread}{saved}")
    return lines


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
