"""What a page says of one verification, as plain rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tosa_converter.ir import CONSTANTS, Model, Op
from tosa_converter.proof.input_sets import given_inputs, given_outputs
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import OperatorComparison, OperatorReport
from tosa_converter.proof.page.states import kind_of
from tosa_converter.proof.report import Verification
from tosa_converter.rules.target import describe_alternatives, op_needs


class Need(NamedTuple):
    """A profile or an extension of TOSA that a model needs, and the operators that need it."""

    name: str
    operators: int
    reasons: tuple[str, ...]


class Clause(NamedTuple):
    """How all operators of a kind comply with their precision clause."""

    operator: str
    results: int
    worst: float  # as a fraction of what the clause allows
    broken: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether no result has any error."""
        return not self.worst and not self.broken


class BorderRow(NamedTuple):
    """An input, an output or a state: its type in the source and in the conversion, and what changed."""

    kind: str
    name: str
    source: str
    result: str
    change: str


class Group(NamedTuple):
    """A text that stands for several places of a model."""

    text: str
    places: tuple[str, ...]


class Lowering(NamedTuple):
    """The TOSA operators that all operators of a kind became, by their names, the most frequent first."""

    kind: str
    operators: int
    becomes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the HTML page of a model shows besides its verification."""

    about: tuple[tuple[str, str], ...]
    borders: tuple[BorderRow, ...]
    lowerings: tuple[Lowering, ...]
    tosa_ops: Counter[str]
    needs: tuple[Need, ...]
    clauses: tuple[Clause, ...]
    notes: tuple[Group, ...]


def facts_of(verification: Verification) -> Facts:
    """Returns what the HTML page of a verification shows of the source, the conversion and the run."""
    assert verification.sides is not None
    source, model = verification.sides
    before, after = _count_operators(source), _count_operators(model)
    has_files = all(comparison.inputs == "given" for comparison in verification.comparisons)
    about = {
        "compared with": "" if model.source == source.source else model.source,
        "numerics": verification.numerics,
        "needs": str(verification.needs),
        "seed of the inputs": "" if has_files else str(verification.seed),
        "operators": f"{before.total()} of the source, {after.total()} of the conversion",
        **dict(_run_times(verification.operators)),
        "constants": f"{_constant_bytes(source):,} bytes in the source, {_constant_bytes(model):,} in the conversion",
    }
    return Facts(
        about=tuple((key, text) for key, text in about.items() if text),
        borders=tuple(_border_rows(source, model, verification)),
        lowerings=lowerings(verification.operators, after),
        tosa_ops=after,
        needs=feature_needs(model),
        clauses=clauses(verification.layers),
        notes=tuple(group_by_text((note.text, note.location) for note in verification.notes)),
    )


def _border_rows(source: Model, model: Model, verification: Verification) -> Iterator[BorderRow]:
    """Yields a row for each input, output and state of a model: its types on both sides, and what changed.

    The rows are the verification's `border_rows` if it has any. Otherwise inputs and outputs of the main graphs are
    paired in order.
    """
    recorded = getattr(verification, "border_rows", ())
    if recorded:
        yield from map(_page_row, recorded)
        return
    changes: dict[str, list[str]] = {}
    for border in verification.borders:
        changes.setdefault(border.place, []).append(border.text)
    sides = (given_inputs(source), given_inputs(model)), (given_outputs(source), given_outputs(model))
    for kind, (values, results) in zip(("input", "output"), sides, strict=True):
        for old, new in zip(values, results, strict=False):
            same = "unchanged" if None not in old.type.shape else "unchanged, with all sizes stated"
            change = "; ".join(changes.get(f"{kind} {old.name!r}", ())) or same
            yield BorderRow(kind, old.name, str(old.type), str(new.type), change)
    for state in model.main_states:
        text = "" if state.type is None else str(state.type)
        yield BorderRow("state", state.input, text, text, f"feed output {state.output} back into it")


def _page_row(row: Any) -> BorderRow:
    """Returns the page's row for an input or output from its row in the conversion's report (`ir.BorderRow`)."""
    source = "" if row.source is None else str(row.source.type)
    result = "none" if row.type is None else str(row.type._replace(quant=row.quant))
    partner = f"state, paired with {row.state}" if row.state else "unchanged"
    return BorderRow(row.role, row.name, source, result, row.change or partner)


def group_by_text(pairs: Iterable[tuple[str, str]]) -> Iterator[Group]:
    """Returns each text of pairs (text, place) once, with its places."""
    groups: dict[str, list[str]] = {}
    for text, place in pairs:
        groups.setdefault(text, []).append(place)
    return (Group(text, tuple(places)) for text, places in groups.items())


def lowerings(comparisons: Sequence[OperatorComparison], after: Counter[str]) -> tuple[Lowering, ...]:
    """Returns what the source's operators became, by their kinds, the most frequent kind first.

    `after` counts the conversion's operators by name. The last row, "none of these", has those that no operator of the
    source's main graph became. There are no rows without a comparison by operator, which tells what each became.
    """
    # An operator with several results has a row for each; one of them counts.
    rows = [row for comparison in comparisons for row in {row.index: row for row in comparison.operators}.values()]
    kinds: dict[str, Counter[str]] = {}
    count: Counter[str] = Counter()
    for row in rows:
        name = kind_of(row.type)
        count[name] += 1
        kinds.setdefault(name, Counter()).update({kind_of(tosa): number for tosa, number in row.becomes.items()})
    if not any(kinds.values()):
        return ()
    rest = Counter({name.upper(): number for name, number in after.items()}) - sum(kinds.values(), Counter())
    table = [Lowering(name, number, tuple(kinds[name].most_common())) for name, number in count.most_common()]
    return (*table, *([Lowering("none of these", 0, tuple(rest.most_common()))] if rest else ()))


def _run_times(comparisons: Sequence[OperatorComparison]) -> Iterator[tuple[str, str]]:
    """Yields a row for each signature with the time of a run on both sides, where it was measured."""
    for comparison in comparisons:
        if comparison.clock is not None:
            source, tosa = (
                f"{seconds * 1e3:.3g} ms" for seconds in (comparison.clock.source_run, comparison.clock.run)
            )
            yield (
                f"run {comparison.signature}".strip(),
                f"{source} in {comparison.clock.kernels}, {tosa} in {comparison.engine}",
            )


def _every_operator(model: Model) -> Iterator[Op]:
    """Yields the operators of all graphs; for an operator that holds a model (a step of a chain), that model's."""
    for op in (op for graph in model.graphs.values() for op in graph.walk()):
        step = op.attributes.get("model")
        yield from _every_operator(step) if isinstance(step, Model) else [op]


def _count_operators(model: Model) -> Counter[str]:
    """Returns how many operators of each name a model has, without their opset and declarations of tensors."""
    return Counter(op.base_name for op in _every_operator(model) if not op.declares)


def _constant_bytes(model: Model) -> int:
    """Returns how many bytes all constants of a model take."""
    values = {value: value.constant for op in _every_operator(model) if op.name in CONSTANTS for value in op.results}
    return sum(array.nbytes for array in values.values() if array is not None)


def feature_needs(model: Model) -> tuple[Need, ...]:
    """Returns the profiles and extensions that a model needs, the most frequent first."""
    counts: Counter[str] = Counter()
    reasons: dict[str, dict[str, None]] = {}
    for op in _every_operator(model):
        for alternatives, _ in op_needs(op):
            name = describe_alternatives(alternatives)
            counts[name] += 1
            reasons.setdefault(name, {})[op.base_name.upper()] = None
    return tuple(Need(name, count, tuple(reasons[name])) for name, count in counts.most_common())


def clauses(layers: Sequence[LayerReport]) -> tuple[Clause, ...]:
    """Returns by operator name how results comply with TOSA's precision clause (1.10.3), the worst first.

    The largest error is a fraction of what the clause allows.
    """
    kinds: dict[str, list[LayerReport]] = {}
    for layer in layers:
        kinds.setdefault(layer.op, []).append(layer)
    rows = [
        Clause(
            name,
            len(layers_of_kind),
            max(layer.worst for layer in layers_of_kind),
            tuple(f"{layer.location}: {layer.message}" for layer in layers_of_kind if not layer.compliant),
        )
        for name, layers_of_kind in kinds.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-len(row.broken), -row.worst)))


def seconds_by_kind(rows: Sequence[OperatorReport]) -> tuple[dict[str, float], dict[str, float]]:
    """Returns the seconds of the source's operators by kind, and those of what they became, both by kind.

    Kinds are in order of the longer of both times, the longest first. Of an operator with several results, which has a
    row for each, one row counts.
    """
    kinds: dict[str, tuple[float, float]] = {}
    for row in {row.index: row for row in rows}.values():
        name = kind_of(row.type)
        source, tosa = kinds.get(name, (0.0, 0.0))
        kinds[name] = source + (row.source_seconds or 0.0), tosa + (row.seconds or 0.0)
    most = sorted(kinds, key=lambda name: -max(kinds[name]))
    return {name: kinds[name][0] for name in most}, {name: kinds[name][1] for name in most}
