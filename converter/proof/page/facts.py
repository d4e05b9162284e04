"""What a page says of one verification, as plain rows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tosa_converter.figures import as_json
from tosa_converter.ir import CONSTANTS, Model, Op
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import OperatorComparison, OperatorReport
from tosa_converter.proof.report import Verification
from tosa_converter.rules.target import describe_alternatives, op_needs
from tosa_converter.schemas.opsets import base_name


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


@dataclass(frozen=True, slots=True)
class Facts:
    """What the HTML page of a model shows besides its verification."""

    about: tuple[tuple[str, str], ...]
    source_ops: Counter[str]
    tosa_ops: Counter[str]
    needs: tuple[Need, ...]
    clauses: tuple[Clause, ...]


def facts_of(verification: Verification) -> Facts:
    """Returns what the HTML page of a verification shows of the source, the conversion and the run."""
    assert verification.sides is not None
    source, model = verification.sides
    before, after = _count_operators(source), _count_operators(model)
    has_files = all(comparison.inputs == "given" for comparison in verification.comparisons)
    about = {
        "file": verification.file,
        "compared with": "" if model.source == source.source else model.source,
        "options": ", ".join(_option(name, value) for name, value in verification.options.items()),
        "numerics": verification.numerics,
        "needs": str(verification.needs),
        "seed of the inputs": "" if has_files else str(verification.seed),
        **{f"input {value.name}": str(value.type) for value in source.main.inputs},
        **{f"output {value.name}": str(value.type) for value in source.main.outputs},
        "state": ", ".join(state.input for state in model.main_states),
        "operators": f"{before.total()} of the source, {after.total()} of the conversion",
        **dict(_run_times(verification.operators)),
        "constants": f"{_stored(source)} bytes in the source, {_stored(model)} in the conversion",
    }
    rows = tuple((key, text) for key, text in about.items() if text)
    return Facts(rows, before, after, needed(model), clauses(verification.layers))


def _option(name: str, value: object) -> str:
    """Returns an option with its value, as in "--runs 3"; a mapping as JSON."""
    if isinstance(value, list):
        return " ".join(_option(name, part) for part in value)
    return name if value is True else f"{name} {value}" if isinstance(value, str) else f"{name} {as_json(value)}"


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
    """Yields the operators of all graphs; a step of a chain of models yields its own operators."""
    for op in (op for graph in model.graphs.values() for op in graph.walk()):
        step = op.attributes.get("model")
        yield from _every_operator(step) if isinstance(step, Model) else [op]


def _count_operators(model: Model) -> Counter[str]:
    """Returns how many operators of each name a model has, without their opset and constants."""
    return Counter(op.base_name for op in _every_operator(model) if op.name not in CONSTANTS)


def _stored(model: Model) -> int:
    """Returns how many bytes all constants of a model take."""
    values = {value: value.constant for op in _every_operator(model) if op.name in CONSTANTS for value in op.results}
    return sum(array.nbytes for array in values.values() if array is not None)


def needed(model: Model) -> tuple[Need, ...]:
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
    """Returns how operators comply with their precision clauses, by kind of operator, the worst first."""
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
    """Returns the seconds of the source's operators by kind, and of their conversions, the longest first."""
    kinds: dict[str, tuple[float, float]] = {}
    for row in {row.index: row for row in rows}.values():
        name = base_name(row.type)
        source, tosa = kinds.get(name, (0.0, 0.0))
        kinds[name] = source + (row.source_seconds or 0.0), tosa + (row.seconds or 0.0)
    most = sorted(kinds, key=lambda name: -max(kinds[name]))
    return {name: kinds[name][0] for name in most}, {name: kinds[name][1] for name in most}


def judged(row: OperatorReport) -> Judgement | None:
    """Returns the judgement that a row shows: on the source's own values if it differs there, else in the whole run."""
    return row.alone if row.verdict is False else row.whole


def relative(difference: Judgement | None) -> float:
    """Returns the largest difference as a part of the reference's largest element, 0 without one."""
    return (
        0.0
        if difference is None or not difference.mismatches
        else difference.max_abs / (difference.reference_max or 1.0)
    )
