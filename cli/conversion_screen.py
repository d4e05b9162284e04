"""What a conversion did and what a file holds, as lines of at most 80 columns; only names may be longer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tosa_converter.cli.columns import WIDTH, counted, shorten, size_words, width, wrap
from tosa_converter.cli.printing import Line, advice_lines
from tosa_converter.errors import MOST_QUOTED, printable, shortened
from tosa_converter.ir import NEXT
from tosa_converter.ir.borders import CHANGED, INPUT, OUTPUT, BorderRow, quant_words, shape_words

if TYPE_CHECKING:
    from tosa_converter.cli.conversion import Conversion
    from tosa_converter.coverage import Coverage, Operator
    from tosa_converter.formats.tflite.cross_check import CrossCheck
    from tosa_converter.inspection import GraphInspection, Inspection
    from tosa_converter.ir import State

MOST_ROWS = 10  # of inputs, outputs, states or notes without --verbose
_LABEL = 13  # columns of a label: "  operators  "
_MOST_NAME = 24  # columns of a name beside its type; a longer one has a line of its own
_LONGEST_NAME = 60  # columns of a name without --verbose; a longer one loses its middle


def conversion_lines(done: "Conversion", verbose: bool) -> list[str]:
    """Returns the report of a conversion: operators, sizes, inputs and outputs, what it needs, files beside, notes."""
    report = done.report
    lines = wrap("", [done.source, f"-> {', '.join(done.files)}"], 0, hanging=4)
    lines += [
        f"  operators  {report.source_ops.total()} -> {done.ops.total()}",
        f"  size       {size_words(done.source_bytes)} -> {size_words(done.output_bytes)}",
    ]
    if verbose or report.numerics != "reference":
        lines.append(f"  numerics   {report.numerics}")
    lines += border_lines(report.borders, verbose)
    lines += label_lines("needs", str(report.needs))
    if verbose:
        lines.append(f"  time       {(done.load_seconds + report.seconds) * 1e3:.0f} ms")
    if done.states:
        lines += label_lines("state", _state_feedback(done.states, verbose))
    lines += [line for file in done.beside for line in label_lines("beside", [file.path, f"({file.content})"])]
    if done.usage:
        lines.append(f"  run        {done.usage}")
    lines += _note_lines(done, verbose)
    if verbose:
        lines.append(f"  {'load':<22}{done.load_seconds * 1e3:8.1f} ms")
        lines += [f"  {step.name:<22}{step.seconds * 1e3:8.1f} ms {step.ops:6d} operators" for step in report.passes]
        lines += [f"  {name:<28}{count:6d}" for name, count in done.ops.most_common()]
    return lines


def _note_lines(done: "Conversion", verbose: bool) -> Iterator[str]:
    """Yields a conversion's notes, without those that its inputs, outputs and states tell already."""
    rows = done.report.borders
    # A row shows what changed since the source. Notes tell what changed since `stored`, which differs from the source
    # if the user asks for another type; such a note says no more than the row.
    shown_changes = {(row.place, row._replace(source=row.stored).change) for row in rows}
    states = {row.place for row in rows if row.state}
    notes = [
        note
        for note in done.report.notes
        if note.location not in states and tuple(note) not in shown_changes and not note.text.startswith(CHANGED)
    ]
    shown = notes if verbose else notes[:MOST_ROWS]
    for note in shown:
        yield from label_lines("note", f"{note.location}: {note.text}")
    if len(notes) > len(shown):
        yield f"{'':{_LABEL}}and {len(notes) - len(shown)} more: -v"


def _state_feedback(states: "Sequence[State]", verbose: bool) -> str:
    """Returns which outputs are inputs of the next run.

    One sentence covers all if each output is named after its input; else each pair is named, without `verbose` only the
    first.
    """
    if all(state.output == state.input + NEXT for state in states):
        return f"feed output NAME{NEXT} back into input NAME"
    shown = states if verbose else states[:MOST_ROWS]
    pairs = [
        f"feed output {_name(state.output, verbose)} back into input {_name(state.input, verbose)}" for state in shown
    ]
    more = [f"and {len(states) - len(shown)} more: -v"] if len(states) > len(shown) else []
    return ", ".join([*pairs, *more])


def border_lines(rows: Iterable[BorderRow], verbose: bool, names: bool = False) -> Iterator[str]:
    """Yields the inputs, then the outputs, with source type, result type, quantization and what changed.

    Args:
        rows: of one or more graphs, which have a heading if there are several.
        verbose: every row; else the first ten of each kind, and how many more there are.
        names: the source's names too, where they differ.
    """
    by_graph: dict[str, list[BorderRow]] = {}
    for row in rows:
        by_graph.setdefault(row.graph, []).append(row)
    for graph, graph_rows in by_graph.items():
        if len(by_graph) > 1:
            yield from label_lines("graph", [_name(graph, verbose)])
        yield from _graph_lines(graph_rows, verbose, names or verbose)


def _graph_lines(rows: Sequence[BorderRow], verbose: bool, names: bool) -> Iterator[str]:
    """Yields one graph's inputs, then its outputs, each in one line or more; what is behind the names is aligned.

    Without `verbose` it lists the first MOST_ROWS of each only. `names` adds the source's name where it is another.
    """
    sides = {role: [row for row in rows if row.role == role] for role in (INPUT, OUTPUT)}
    shown = {role: side if verbose else side[:MOST_ROWS] for role, side in sides.items()}
    lengths = [width(_name(row.name, verbose)) for side in shown.values() for row in side]
    # Names of more than _MOST_NAME columns don't widen the column: they have a line of their own.
    column = _LABEL + 2 + max((length for length in lengths if length <= _MOST_NAME), default=0)
    for role, side in shown.items():
        for i, row in enumerate(side):
            head = f"  {f'{role}s' if i == 0 else '':<{_LABEL - 2}}{_name(row.name, verbose)}"
            room = WIDTH - column  # a longer piece is split into its words
            pieces = [
                part
                for piece in _row_pieces(row, names)
                for part in ([piece] if width(piece) <= room else piece.split(" "))
            ]
            if width(head) > column - 2:
                yield head
                head = ""
            yield from wrap(head, pieces, column)
        if len(sides[role]) > len(side):
            yield f"{'':{_LABEL}}and {len(sides[role]) - len(side)} more: -v"


def _row_pieces(row: BorderRow, names: bool) -> list[str]:
    """Returns what a line says about an input or output, in pieces that aren't split: types, quantization, a remark.

    `names` adds the source's name if it is another.
    """
    source, result = row.source and row.source.type, row.type
    old = (shape_words(source), quant_words(source.quant)) if source is not None else ("", "")
    new = (shape_words(result), quant_words(row.quant)) if result is not None else ("", "")
    mark = "(state)" if row.state else "(unchanged)" if row.is_unchanged else f"({row.remark})" if row.remark else ""
    if source is None or result is None:  # only one side is known
        pieces = [*(new if source is None else old), mark]
    elif row.change:
        pieces = [*old, f"-> {new[0]}", new[1], mark]
    elif old[0] == new[0]:  # the same type and shape
        pieces = [old[0], f"{old[1]} {mark}".strip()]
    else:  # the same type, but another shape, such as a known size in place of an unknown one
        pieces = [old[0], f"-> {new[0]}", f"{old[1]} {mark}" if old[1] else mark if row.state else ""]
    if names and row.source is not None and row.source.name != row.name:
        pieces.append(f"from '{_name(row.source.name, verbose=False)}'")
    return [piece for piece in pieces if piece]


def _name(name: str, verbose: bool) -> str:
    """Returns a name as visible characters, shortened to fit on a line, or cut after 500 characters if `verbose`."""
    return printable(shortened(name, MOST_QUOTED)) if verbose else shorten(printable(name), _LONGEST_NAME)


def label_lines(label: str, text: str | Sequence[str]) -> list[str]:
    """Returns a text, or pieces that aren't split, in lines behind a label."""
    return wrap(f"  {label}", text, _LABEL)


def inspection_lines(inspection: "Inspection", tensors: bool, checked: bool, verbose: bool = False) -> list[str]:
    """Returns the contents of a file as lines: graphs, signatures, operators, notes, and what it needs.

    `tensors` adds the tensors of each graph, `checked` that the file passed a check, and `verbose` what is otherwise
    cut short.
    """
    lines = [f"{inspection.file}  {size_words(inspection.bytes)}, {inspection.opset} operators"]
    for graph in inspection.graphs:
        lines += _graph_summary(graph, inspection, verbose)
        if tensors:
            lines += [f"  {tensor.op:<24}{tensor}" for tensor in graph.tensors]
    for name, (_, inputs, outputs) in inspection.signatures.items():
        lines += wrap("", f"signature {name!r}: {_few(inputs, verbose)} -> {_few(outputs, verbose)}", 0, hanging=4)
    lines += [f"  {count:6d}  {name}" for name, count in inspection.ops.items()]
    lines += [line for place, text in inspection.notes for line in wrap("note:", f"{place}: {text}", 6)]
    return [*lines, f"needs  {inspection.needs}", *(["check  valid"] if checked else [])]


def _graph_summary(graph: "GraphInspection", inspection: "Inspection", verbose: bool) -> Iterator[str]:
    """Yields a graph's counts, inputs and outputs, states and custom operators."""
    constants = counted(graph.constants, "constant")
    size = f", {constants} of {size_words(graph.constant_bytes)}" if graph.constants else ""
    yield f"graph {graph.name!r}: {counted(graph.ops, 'operator')}{size}"
    rows = [row for row in inspection.borders if row.graph == graph.name]
    yield from border_lines(rows, verbose, names=True)
    if not rows:  # a graph that only operators call
        yield from (f"  in   {tensor}" for tensor in graph.inputs)
        yield from (f"  out  {tensor}" for tensor in graph.outputs)
    states = [f"state: output {end!r} is the next run's input {begin!r}" for begin, end in graph.states]
    custom = [f"custom {op.custom_code} at {op.location}: {op.options}" for op in graph.custom]
    for lines in (states, custom):
        shown = lines if verbose else lines[:MOST_ROWS]
        yield from (line for text in shown for line in wrap("  ", text, 2, hanging=2))
        if len(lines) > len(shown):
            yield f"  and {len(lines) - len(shown)} more: -v"


def _few(names: Sequence[str], verbose: bool) -> str:
    """Returns names separated by commas: all, or the first ten and how many more there are."""
    shown = names if verbose else names[:MOST_ROWS]
    more = [f"and {len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return ", ".join([*(_name(name, verbose) for name in shown), *more])


def coverage_lines(coverage: "Coverage", verbose: bool) -> list[Line]:
    """Returns what each operator of a source becomes, unsupported ones first, and the verdict."""
    target = "any target" if coverage.target is None else coverage.target
    lines = wrap(f"{printable(coverage.source)}  ", f"{coverage.numerics} numerics, for {target}", 4)
    kinds = [(op, 1) for op in coverage.operators] if verbose else coverage.kinds
    for op, count in kinds:
        head = printable(op.location) if verbose else f"{count:6d}  {printable(op.name)}"
        lines += wrap(f"  {head}  ", _outcome(op), 10)
        lines += [line for note in op.notes for line in wrap(" " * 10, f"note: {note}", 10, hanging=2)]
    refused = len(coverage.refused)
    counts = ", ".join(f"{count} {word}" for word, count in coverage.counts.most_common())
    operators = counted(len(coverage.operators), "operator")
    verdict = f"{refused} of {operators} can't be converted" if refused else f"{operators}, all can be converted"
    return [*lines, f"{verdict}: {counts}" if counts else "no operators", *_coverage_advice(coverage)]


def _coverage_advice(coverage: "Coverage") -> list[Line]:
    """Returns the advice to quantize if the target refuses at least half of the operators as floats; else []."""
    floats = [op for op in coverage.refused if "lacks PRO-FP" in op.reason]
    if 2 * len(floats) < len(coverage.operators) or not floats:
        return []
    return advice_lines("this is a float model: quantize it first (docs: how-to/quantize)")


def _outcome(op: "Operator") -> str:
    """Returns what an operator becomes and how exactly, or why it is refused."""
    if op.reason:
        return f"{op.exactness}: {op.reason}"
    return f"-> {' '.join(op.becomes) or 'nothing to compute'}  ({op.exactness})"


def cross_check_lines(comparison: "CrossCheck", verbose: bool) -> list[str]:
    """Returns where two readings of a file differ: the first ten places, or a hundred if `verbose`, and the verdict."""
    done = comparison
    texts = done.file or "standard input", f"read by this package and by tflite {done.package}"
    lines = wrap("", texts, 0, hanging=4)
    lines.append(f"  {counted(done.tables, 'table')}, {counted(done.fields, 'field')}")
    for place, value, package_value in done.differences if verbose else done.differences[:MOST_ROWS]:
        lines += wrap("  ", (f"{place}:", f"{value} here,", f"{package_value} in tflite"), 2, hanging=2)
    shown = len(done.differences if verbose else done.differences[:MOST_ROWS])
    if done.count > shown:
        lines.append(f"  and {done.count - shown} more{'' if verbose else ': -v'}")
    if done.newer:
        lines.append(f"  {counted(len(done.newer), 'field')} newer than tflite {done.package}, not compared")
    return [*lines, "PASS  both read the same" if done.verdict else f"FAIL  {counted(done.count, 'difference')}"]
