"""The proof that every operator of a conversion is equal on the source's own values, as a verdict needs it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from tosa_converter.engines import Arrays
from tosa_converter.errors import ConverterError
from tosa_converter.extraction import extract_values, values_behind
from tosa_converter.ir import Array, Model, Value
from tosa_converter.proof.judgement import CLEARLY, quick_relative_error
from tosa_converter.proof.observation import DEFAULT_OPTIONS, ObservationOptions, ObservedRun, Oracle
from tosa_converter.proof.operator_cases import allow_for_rounding
from tosa_converter.proof.operators import OperatorProof
from tosa_converter.proof.places import READ, Place, computing_ops
from tosa_converter.proof.side_by_side import compare_observed


def judge_operators(
    source: Model,
    oracle: Oracle,
    model: Model,
    steps: Sequence[Arrays],
    options: ObservationOptions = DEFAULT_OPTIONS,
) -> tuple[OperatorProof, Callable[[], list[Array] | None]]:
    """Compares every operator of a conversion on the source's own values, and returns the proof that they are equal.

    The comparison stops at the first operator that differs, whose difference the proof states instead.

    Args:
        source: a TFLite model.
        oracle: LiteRT with kernels that keep every tensor.
        model: its conversion.
        steps: the inputs of each run by the source's names; the last run is looked at.
        options: see `ObservationOptions`.

    Returns:
        The proof, and a function that runs the source on from the conversion's values in front of the first operator
        whose result differs in the whole run. It returns the source's outputs, or None if none differs, if one differs
        on the source's own values, or after several runs.

    Raises:
        ConverterError: an engine fails.
    """
    run = ObservedRun(source, oracle, model, steps, options)
    errors = _errors(run, run.values_alone())
    if errors is None:
        return OperatorProof(0, 0.0, (), compare_observed(run, bisect=True).sentence), lambda: None
    computed = {value for op in computing_ops(source.main) for value in op.results}
    unseen = tuple(value.name for value in source.main.outputs if value in computed and value not in errors)
    proof = OperatorProof(len(errors), max(errors.values(), default=0.0), unseen)
    return proof, lambda: None if len(steps) > 1 else _resume(run)


def _errors(run: ObservedRun, arrays: Mapping[Value, Array]) -> dict[Value, float] | None:
    """Maps the source's values to the largest relative error of the conversion; None if one is more than rounding.

    State that an earlier run left isn't compared.
    """
    errors: dict[Value, float] = {}
    for place in run.places:
        if place.value in arrays and run.source_elements(place) is not None and not _is_earlier_state(run, place):
            error = _relative_error(run, place, arrays[place.value])
            if error is None:
                return None
            errors[place.source] = max(error, errors.get(place.source, 0.0))
    return errors


def _is_earlier_state(run: ObservedRun, place: Place) -> bool:
    """Returns whether a value is state that READ_VARIABLE gives in a run that isn't the first.

    An earlier run left it, so no operator of the last run is to be judged by it.
    """
    producer = place.source.producer
    return len(run.steps) > 1 and producer is not None and producer.name == READ


def _relative_error(run: ObservedRun, place: Place, array: Array) -> float | None:
    """Returns the relative error of a conversion's array against LiteRT's, or None if rounding doesn't explain it."""
    reference = run.values[place.source]
    # Most results are far within the tolerance, which the quick comparison shows in a fifth of the time of `judge`. Its
    # own rounding is below 1 - CLEARLY.
    error = quick_relative_error(reference, place.to_source(array, reference))
    if error < CLEARLY * run.tolerance:
        return error
    judgement = allow_for_rounding(run, place.source, run.judge_place(place, array))
    return judgement.relative_error if judgement.verdict else None


def _resume(run: ObservedRun) -> list[Array] | None:
    """Returns the source's outputs if it goes on from the conversion's values before the first difference.

    These values are within the tolerance of the source's own, so the outputs show what a flipped rounding does to the
    source itself. Returns None if nothing differs, or if the source can't be run from there.
    """
    graph = run.source.main
    judgements = run.judge(run.conversion.values)
    wrong = {value for value, judgement in judgements.items() if not judgement.verdict}
    first = next((i for i, op in enumerate(graph.ops) if not wrong.isdisjoint(op.results)), None)
    if first is None or not run.values.keys() >= {value for value in graph.outputs if value.producer is not None}:
        return None
    behind = {value for op in graph.ops[first:] for value in op.results}
    outputs = [value for value in graph.outputs if value in behind]
    in_front = {value for op in graph.ops[:first] for value in op.results}
    borders = [value for value in values_behind(outputs, in_front) if value not in behind]
    arrays: dict[str, Array] = {}
    for value in borders:
        array = run.conversion_value(value) if value.producer is not None else run.steps[-1][value.name]
        if array is None:
            return None
        arrays[value.name] = array
    with suppress(ConverterError):
        tail = extract_values(run.source, borders, outputs)
        results = dict(zip(outputs, run.oracle.run(tail, arrays).values(), strict=True))
        return [results[value] if value in results else run.values[value] for value in graph.outputs]
    return None
