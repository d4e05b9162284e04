"""What each operator of a source becomes in TOSA, exactly or not, or why it can't be converted."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from tosa_converter.conversion import Pipelines, resolve_input_shapes
from tosa_converter.display import html_of, line_of
from tosa_converter.errors import UsageError
from tosa_converter.ir import CONSTANTS, Model, Op
from tosa_converter.rewriting.driver import lowering_results
from tosa_converter.rewriting.pipeline import legalization_pass, run_pipeline
from tosa_converter.rewriting.reasons import LoweringResult
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import find_problems, verify
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tosa_ops import Clause

# What reads and stores state stands for the operators of a file that do.
STATE = {"tfl.pseudo_read": "tfl.var_handle", "tfl.pseudo_store": "tfl.assign_variable"}
EXACT, ROUNDED, NOTED, REFUSED = "exact", "rounded", "noted", "can't"


class Operator(NamedTuple):
    """One operator of a source.

    `becomes` are the TOSA operators that compute it, in order, before `simplify`; none if its result is known or
    nothing is to be computed. `exactness` is exact (bit for bit), rounded (floats, as far as TOSA lets functions and
    sums differ), noted (the notes say how it deviates) or can't (the reason says why).
    """

    location: str
    name: str
    operands: str
    becomes: tuple[str, ...]
    exactness: str
    notes: tuple[str, ...]
    reason: str


class Coverage(NamedTuple):
    """All operators of a model, and whether every one can be converted."""

    source: str
    target: Target | None
    numerics: str
    operators: tuple[Operator, ...]

    def __repr__(self) -> str:
        """Returns the model and how many operators there are of each exactness, in one line."""
        return line_of(self)

    def _repr_html_(self) -> str:
        """Returns the report as HTML, as notebooks ask for it."""
        return html_of(self)

    @property
    def verdict(self) -> bool:
        """Whether every operator can be converted, for the target."""
        return not self.refused

    @property
    def refused(self) -> tuple[Operator, ...]:
        """The operators that can't be converted, or that the target lacks."""
        return tuple(op for op in self.operators if op.exactness == REFUSED)

    @property
    def counts(self) -> Counter[str]:
        """How many operators there are of each exactness."""
        return Counter(op.exactness for op in self.operators)

    @property
    def kinds(self) -> list[tuple[Operator, int]]:
        """One operator of each kind, with how many of that kind there are; refused kinds come first.

        Operators are of one kind if name, result, exactness, notes and reason are equal.
        """
        alike = Counter((op.name, op.becomes, op.exactness, op.notes, op.reason) for op in self.operators)
        first = {(op.name, op.becomes, op.exactness, op.notes, op.reason): op for op in reversed(self.operators)}
        kinds = [(first[key], count) for key, count in alike.most_common()]
        return sorted(kinds, key=lambda kind: kind[0].exactness != REFUSED)

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        return {
            "source": self.source,
            "target": None if self.target is None else str(self.target),
            "numerics": self.numerics,
            "verdict": self.verdict,
            "counts": dict(self.counts),
            "operators": [op._asdict() for op in self.operators],
        }


def find_coverage(model: Model, pipelines: Pipelines, options: Options) -> Coverage:
    """Returns what each operator of a model becomes, also of those behind an operator that can't be converted.

    Args:
        model: as a reader made it.
        pipelines: the passes for each source opset.
        options: numerics, target, input shapes.

    Raises:
        UsageError: options that don't fit the model, or a model that is no source.
        VerifyError: the source is illegal.
    """
    passes = pipelines.get(model.opset)
    if passes is None:
        raise UsageError(f"{model.source}: a model of {model.opset} operators is not a source to convert")
    options = options._replace(input_shapes=resolve_input_shapes(model, options.input_shapes))
    verify(model)
    legalize = legalization_pass(passes)
    prepared = run_pipeline(model, passes[: passes.index(legalize)], options, Report(), find_problems)
    results = lowering_results(prepared, legalize, options)
    # A converted alias is a second name of a value, no operator of the file.
    reported = [result for result in results if result.name != "tfl.pseudo_alias" or result.reason]
    operators = tuple(_operator(result, options.target) for result in reported)
    return Coverage(model.source, options.target, options.numerics, operators)


def _operator(result: LoweringResult, target: Target | None) -> Operator:
    """Returns the report of one operator: what it becomes, how exact that is, or why it is refused."""
    new_ops = [op for op in result.new_ops if op.name not in CONSTANTS]
    becomes = tuple(map(_upper_name, new_ops))
    reason = result.reason or "; ".join(dict.fromkeys(_missing_features(new_ops, target)))
    exactness = REFUSED if reason else NOTED if result.notes else ROUNDED if _may_round(new_ops) else EXACT
    return Operator(
        result.location, STATE.get(result.name, result.name), result.operands, becomes, exactness, result.notes, reason
    )


def _missing_features(ops: Sequence[Op], target: Target | None) -> list[str]:
    """Returns a message for each feature that the target lacks for TOSA operators; [] without a target.

    A feature that several operators lack gets one message, which lists them.
    """
    if target is None:
        return []
    by_feature: dict[str, list[str]] = {}
    for op in ops:
        for lack in target.lacks(op):
            name = _upper_name(op)
            # `lacks` returns "AVG_POOL2D: reason" if the preset refuses the operator, else "feature for types".
            is_refused = lack.startswith(f"{name}: ")
            names = by_feature.setdefault(lack if is_refused else lack.partition(" for ")[0], [])
            names += [] if is_refused or name in names else [name]
    return [
        f"the target lacks {feature} for {', '.join(names)}" if names else feature
        for feature, names in by_feature.items()
    ]


def _upper_name(op: Op) -> str:
    """Returns an operator's name without its opset, in capitals."""
    return op.base_name.upper()


def _may_round(ops: Sequence[Op]) -> bool:
    """Returns whether floats are computed by operators for which the specification allows a rounding error."""
    inexact = [op for op in ops if op.row.precision is not None and op.row.precision.clause is not Clause.EXACT]
    return any(value.type.dtype.is_float for op in inexact for value in op.results)
