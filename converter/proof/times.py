"""How long the operators of a source take, and those of its conversion: the least of some runs in one thread.

LiteRT's Python interface has no clock for operators. So each operator of a source is a model of its own, which runs on
the values that it gets in the whole one.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

from tosa_converter.engines import ENGINES
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.execute.plan import Executable
from tosa_converter.extraction import cut_model, run_operands, values_behind
from tosa_converter.ir import Array, Model, Op, Value
from tosa_converter.proof.observation import ConversionRun, ObservedRun
from tosa_converter.proof.operators import Clock
from tosa_converter.proof.places import NO_NUMBERS, computing_ops

# Other work on the machine can only add to a time, so the least of some runs is nearest to that of the operator.
RUNS = 3
# Reference kernels are made to be read: the optimized ones, which compute nearly the same, are timed for them.
_TIMED = {"litert": "litert-optimized"}


class Times(NamedTuple):
    """Seconds of a source's operators, and of its conversion's by their locations in the source."""

    source: Mapping[Op, float] = MappingProxyType({})
    conversion: Mapping[str, float] = MappingProxyType({})
    clock: Clock | None = None


def measure_times(run: ObservedRun) -> Times:
    """Measures the seconds of the operators of a TFLite source and of its conversion to TOSA; other pairs get none.

    Raises:
        ConverterError: LiteRT fails on the whole source.
    """
    if not isinstance(run.oracle, LiteRT) or not isinstance(run.conversion, ConversionRun):
        return Times()
    graph = run.source.main
    values = {**run.values, **{value: run.steps[-1][value.name] for value in graph.inputs}}
    engine, source_run = _quickest(run.source, run.oracle, [values[value] for value in graph.inputs])
    source = _times_of_source(run.source, engine, values)
    conversion, conversion_run = _times_of_conversion(run.conversion)
    places = {op.location for op in computing_ops(graph)}
    elsewhere = sum(seconds for place, seconds in conversion.items() if place not in places)
    sums = sum(source.values()), sum(conversion.values())
    clock = Clock(engine.name, RUNS, sums[0], source_run, sums[1], elsewhere, conversion_run)
    return Times(source, conversion, clock)


def _times_of_conversion(run: ConversionRun) -> tuple[dict[str, float], float]:
    """Returns the seconds of a conversion's operators by location, and of a whole run: the least of some runs."""
    executable = Executable(run.model.main, limit=run.limit)
    least: dict[Op, float] = {}
    whole = math.inf
    for _ in range(RUNS):
        start = perf_counter()
        executable.run(run.inputs, context=run.fresh_context())
        whole = min(whole, perf_counter() - start)
        _, times = executable.run_timed(run.inputs, context=run.fresh_context())
        least = {op: min(seconds, least.get(op, math.inf)) for op, seconds in times.items()}
    places: dict[str, float] = {}
    for op, seconds in least.items():
        places[op.location] = places.get(op.location, 0.0) + seconds
    return places, whole


def _times_of_source(source: Model, engine: LiteRT, values: Mapping[Value, Array]) -> dict[Op, float]:
    """Returns the seconds of the operators of a source's main graph, each run alone on the values of a run.

    An operator has no time if it computes no numbers, reads what is no array, or can't be run alone.
    """
    times: dict[Op, float] = {}
    for op in computing_ops(source.main):
        ops = _with_constant_operands(op, values)
        if ops and any(value in values for value in op.results):
            operands = dict.fromkeys(value for value in run_operands(op) if value in values)
            with suppress(ConverterError):
                model = cut_model(source, ops, operands, op.results)
                times[op] = engine.seconds(model, [values[value] for value in operands], RUNS)
    return times


def _with_constant_operands(op: Op, observed: Collection[Value]) -> set[Op]:
    """Returns an operator with those that compute its unobserved operands from constants, to be timed alone.

    The set is empty if an unobserved operand depends on observed values or has no numbers.
    """
    unobserved = [value for value in values_behind(run_operands(op), observed) if value not in observed]
    ops = {op}
    for value in unobserved:
        if value.producer is None or value.type.dtype in NO_NUMBERS:
            return set()
        if any(operand in observed for operand in run_operands(value.producer)):
            return set()
        ops.add(value.producer)
    return ops


def _quickest(source: Model, oracle: LiteRT, inputs: Sequence[Array]) -> tuple[LiteRT, float]:
    """Returns the kernels that are timed in place of `oracle`'s if they take the source, and the seconds of a run."""
    quick = ENGINES[_TIMED.get(oracle.name, oracle.name)]
    assert isinstance(quick, LiteRT)
    with suppress(ConverterError):
        return quick, quick.seconds(source, inputs, RUNS)
    return oracle, oracle.seconds(source, inputs, RUNS)
