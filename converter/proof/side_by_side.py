"""A source and its conversion compared operator by operator, so that a difference is found where it arises.

A result that an operator gives is looked at in the whole run, where earlier differences go on, and alone, on LiteRT's
own values of what it reads. Only what differs alone is held against an operator.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tosa_converter.engines import Arrays
from tosa_converter.errors import ConverterError, UsageError
from tosa_converter.extraction import called_graphs
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.proof.compare import DIFFERS, EQUAL, SPREAD
from tosa_converter.proof.file_pieces import piece_of_file
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.matching import first_wrong_step
from tosa_converter.proof.observation import DEFAULT_OPTIONS, ObservationOptions, ObservedRun, Oracle
from tosa_converter.proof.operator_cases import allow_for_rounding, case_of
from tosa_converter.proof.operators import ABOVE, INSIDE, NOTHING, UNSEEN, Case, OperatorComparison, OperatorReport
from tosa_converter.proof.places import NO_NUMBERS, READ, SAME_ELEMENTS, computing_ops
from tosa_converter.proof.times import Times, measure_times
from tosa_converter.proof.wording import first_difference


def compare_operators(
    source: Model,
    oracle: Oracle,
    model: Model,
    steps: Sequence[Arrays],
    options: ObservationOptions = DEFAULT_OPTIONS,
    *,
    bisect: bool = False,
    times: bool = False,
    seed: int | None = None,
) -> OperatorComparison:
    """Compares every operator of a source's main graph with what its conversion computes.

    The last run is compared. If results differ in it although no operator differs by itself, earlier runs are searched
    for the first in which one does. With `options.matching`, the runs end with the first whose outputs differ.

    Args:
        source: a TFLite model, or one of TOSA in which every value has a name of its own.
        oracle: LiteRT with kernels that keep every tensor, or the executor.
        model: its conversion.
        steps: the inputs of each run by the source's names; the last run is looked at.
        options: see `ObservationOptions`.
        bisect: look at every operator alone too; else only where the whole run differs.
        times: measure what operators take on both sides.
        seed: for the report.

    Raises:
        ConverterError: an engine fails.
    """

    def compare_last_of(runs: Sequence[Arrays]) -> OperatorComparison:
        """Compares the operators in the last of these runs, as the caller asked for."""
        return compare_observed(
            ObservedRun(source, oracle, model, runs, options), bisect=bisect, times=times, seed=seed
        )

    if options.matching and len(steps) > 1:
        steps = steps[: first_wrong_step(source, oracle, model, steps, options) + 1]
    comparison = compare_last_of(steps)
    # What differs may come from the runs before: where a file's state isn't matched, so may what differs by itself.
    if comparison.parted is not None and (comparison.guilty is None or options.matching):
        # The first step whose operators differ is found by at most len(steps) - 1 shorter runs, the shortest first:
        # later steps begin with the state that a wrong one left.
        earlier = (compare_last_of(steps[:i]) for i in range(1, len(steps)))
        return next((shorter for shorter in earlier if shorter.guilty is not None), comparison)
    return comparison


def compare_observed(
    run: ObservedRun, *, bisect: bool, times: bool = False, seed: int | None = None
) -> OperatorComparison:
    """Compares every operator of an observed run.

    With `bisect` every operator is also run alone, on the source's own values; else only if the whole run differs.
    `times` measures both sides, and `seed` is for the report. The report has the first operator that differs by itself
    as a model of its own (`case`), or a note why that isn't possible.
    """
    whole = run.judge(run.conversion.values)
    alone: dict[Value, Judgement] = {}
    arrays_alone: Mapping[Value, Array] = {}
    if bisect or not all(judgement.verdict for judgement in whole.values()):
        arrays_alone = run.values_alone()
        judgements = run.judge(arrays_alone)
        alone = {value: allow_for_rounding(run, value, judgement) for value, judgement in judgements.items()}
    seconds = measure_times(run) if times else Times()
    rows = _Rows(run, whole, alone, seconds).reports()
    count = len(run.steps)
    sentence = first_difference(rows, count)
    comparison = OperatorComparison(
        run.oracle.name, run.engine, count, seed, tuple(rows), sentence, note=run.note, clock=seconds.clock
    )
    if comparison.guilty is None:
        return comparison
    results = computing_ops(run.source.main)[comparison.guilty.index].results
    # The guilty one may be a state that the operator leaves, which no model returns: its first result stands for it.
    value = next((result for result in results if result.name == comparison.guilty.tensor), results[0])
    try:
        return replace(comparison, case=_with_side_of_file(run, value, case_of(run, value), arrays_alone))
    except ConverterError as error:
        reason = f"this operator can't be written as a model of its own: {error}"
        return replace(comparison, note="; ".join(filter(None, (run.note, reason))))


def _with_side_of_file(run: ObservedRun, value: Value, case: Case, alone: Mapping[Value, Array]) -> Case:
    """Returns the reproduction of a differing operator, with what an existing file computes for it.

    That is the part of the file as a model of its own. If it can't be cut out, it is the file's elements in `alone`,
    which are computed from the source's values. Nothing is added for a fresh conversion, which has no `run.note`, or
    for several steps, since `alone` has only the last one.
    """
    if not run.note or case.steps > 1 or value not in run.places_by_value:
        return case
    with suppress(UsageError):
        return case._replace(result_model=piece_of_file(run, value, case))
    place, expected = run.places_by_value[value][0], case.expected[value.name]
    if place.value not in alone:
        return case
    array = place.to_source(alone[place.value], run.values[value])
    if array.dtype.kind in "iu":  # int16 in a file's int32 may be out of its range
        limits = np.iinfo(expected.dtype)
        array = array.clip(limits.min, limits.max)
    return case._replace(computed={value.name: array.astype(expected.dtype).reshape(expected.shape)})


class _Rows(NamedTuple):
    """The judgements and times of an observed run, from which the operators' reports are made."""

    run: ObservedRun
    whole: Mapping[Value, Judgement]
    alone: Mapping[Value, Judgement]
    times: Times

    def reports(self) -> list[OperatorReport]:
        """Returns one report for each result of each operator, and for each variable that it changes, in order."""
        becomes: dict[str, Counter[str]] = {}
        for op in self.run.model.main.walk():
            if op.name not in CONSTANTS:
                becomes.setdefault(op.location, Counter())[op.name] += 1
        graph = self.run.source.main
        holders = find_holders(graph, self.whole.keys())
        return [
            self._report(index, op, value, dict(becomes.get(op.location, ())), holders.get(value))
            for index, op in enumerate(computing_ops(graph))
            for value in (*op.results, *(value for _, value in self.run.following.get(op, ())))
        ]

    def _report(
        self, index: int, op: Op, value: Value, becomes: dict[str, int], holder: Value | None
    ) -> OperatorReport:
        """Returns the report of one operator's result.

        `becomes` counts the conversion's operators at its location by name. A result that isn't compared itself is
        judged by `holder`, a compared value that depends on it or has its elements.
        """
        whole, alone = self.whole.get(value), self.alone.get(value)
        verdict, rule, note = self._verdict(op, value, whole, alone)
        inside = ""
        if whole is None and not note and holder is not None:
            rule, inside = NOTHING if holder in op.operands else INSIDE, holder.name
        regions = sum(len(computing_ops(graph)) for graph in called_graphs(self.run.source, op))
        return OperatorReport(
            index, op.name, op.location, value.name, str(value.type), becomes, whole, alone, verdict, rule, inside,
            regions, note, self.times.source.get(op), self.times.conversion.get(op.location), self._way_of_match(value),
        )  # fmt: skip

    def _way_of_match(self, value: Value) -> str:
        """Returns how a result was matched with an existing file's value, such as "name"; "" for a fresh conversion."""
        places = self.run.places_by_value.get(value, ()) if self.run.note else ()
        return places[0].by if places else ""

    def _verdict(
        self, op: Op, value: Value, whole: Judgement | None, alone: Judgement | None
    ) -> tuple[bool | None, str, str]:
        """Returns verdict, rule and note of a result; `whole` judges it in the whole run, `alone` on LiteRT's values.

        A result fails only if it differs on LiteRT's values. Any other difference comes from an earlier operator, an
        earlier step or rounding. A float that is beyond the tolerance alone but not failed there is within what
        rounding does to LiteRT itself (SPREAD).
        """
        if whole is None:
            return None, *self._why_unseen(value)
        equal = EQUAL if not whole.mismatches else ""
        if op.name == READ and len(self.run.steps) > 1:
            return True, equal or ABOVE, "" if whole.verdict else "from an earlier step"
        if alone is not None and not alone.verdict:
            return False, DIFFERS, ""
        tolerance = self.run.tolerance
        if alone is not None and alone.ulp is not None and alone.max_abs > tolerance * alone.reference_max:
            return True, SPREAD, ""
        if not whole.verdict:
            return True, ABOVE, ""
        return True, equal or f"within {tolerance:g}", ""

    def _why_unseen(self, value: Value) -> tuple[str, str]:
        """Returns rule and note of a result that isn't compared.

        Either no value of the conversion holds it, LiteRT gave no tensor, or the tensor's type or shape doesn't fit.
        """
        if value not in self.run.places_by_value or value.type.dtype in NO_NUMBERS:
            return NOTHING, ""
        if value not in self.run.values:
            return UNSEEN, "LiteRT gives no tensor of this name"
        array, place = self.run.values[value], self.run.places_by_value[value][0]
        return UNSEEN, f"LiteRT's {array.dtype}{list(array.shape)} doesn't fit {place.value.type}"


def find_holders(graph: Graph, judged: Collection[Value]) -> dict[Value, Value]:
    """Maps each result that isn't compared to a compared result (one of `judged`) that is its verdict too.

    It is the next compared result that is computed from it, or its operand if that has the same elements.
    """
    holders: dict[Value, Value] = {}
    order = {value: i for i, op in enumerate(graph.ops) for value in op.results}
    users = graph.uses()
    # Backwards, the results behind a value have their holders already: of a -> b -> c where c alone is judged, b is
    # held by c, and a by the holder of b.
    for op in reversed(graph.ops):
        for value in op.results:
            behind = [result for user in users.get(value, ()) for result in user.results]
            candidates = [result if result in judged else holders.get(result) for result in behind]
            if value not in judged and any(candidates):
                holders[value] = min(filter(None, candidates), key=order.__getitem__)
    for op in graph.ops:
        if op.name in SAME_ELEMENTS and op.results[0] not in judged and op.operands[0] in judged:
            holders[op.results[0]] = op.operands[0]
    return holders
