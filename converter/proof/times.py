"""How long the operators of a source take, and those of its conversion: the least of some runs in one thread.

LiteRT's Python interface has no clock for operators. So each operator of a source is a model of its own, which runs on
the values that it gets in the whole one.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple

from tosa_converter.engines import ENGINES, Arrays
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.ir import Array, Model, Op, Value
from tosa_converter.ir.edit import cut_out
from tosa_converter.proof.places import NO_NUMBERS, computing, given_to
from tosa_converter.schemas.tfl_ops import GRAPHS

RUNS = 3
# Reference kernels are made to be read: others that compute nearly the same are timed for them.
_TIMED = {"litert": "litert-optimized"}


class Times(NamedTuple):
    """Seconds by what takes them."""

    of: Mapping[Any, float]
    run: float  # of all at once


def by_place(executable: Executable, inputs: Arrays, fresh: Callable[[], Context]) -> Times:
    """What a conversion's operators take by their places, each run in a context of its own; see Executable.timed."""
    least: dict[Op, float] = {}
    whole = math.inf
    for _ in range(RUNS):
        start = perf_counter()
        executable.run(inputs, context=fresh())
        whole = min(whole, perf_counter() - start)
        _, found = executable.run_timed(inputs, context=fresh())
        least = {op: min(seconds, least.get(op, math.inf)) for op, seconds in found.items()}
    places: dict[str, float] = {}
    for op, seconds in least.items():
        places[op.location] = places.get(op.location, 0.0) + seconds
    return Times(places, whole)


def by_operator(source: Model, oracle: LiteRT, kept: Mapping[Value, Array]) -> tuple[str, Times]:
    """What the operators of a source's main graph take, on values that were kept, and the engine that ran them.

    An operator has no time if it computes no numbers, reads what is no array, or is refused by itself.

    Raises:
        ConverterError: the oracle fails on the whole model.
    """
    engine, run = _quickest(source, oracle, [kept[value] for value in source.main.inputs])
    order = {op: i for i, op in enumerate(source.main.ops)}
    found: dict[Op, float] = {}
    for op in computing(source.main):
        ops = _with_constants(op, kept)
        if ops and any(value in kept for value in op.results):
            read = dict.fromkeys(value for value in given_to(op) if value in kept)
            model = _model(source, sorted(ops, key=order.__getitem__), read, op.results)
            with suppress(ConverterError):
                found[op] = engine.seconds(model, [kept[value] for value in read], RUNS)
    return engine.name, Times(found, run)


def _with_constants(op: Op, kept: Collection[Value]) -> set[Op]:
    """An operator, and what makes what it reads besides the values that were kept; none if that isn't constant."""
    found, waiting = {op}, [op]
    for one in waiting:  # which grows meanwhile
        given = given_to(one)
        read, missing = set(given).intersection(kept), set(given).difference(kept)
        if (read and one is not op) or any(v.producer is None or v.type.dtype in NO_NUMBERS for v in missing):
            return set()
        makers = {v.producer for v in one.operands if v not in read and v.producer is not None} - found
        waiting += makers
        found |= makers
    return found


def _quickest(source: Model, oracle: LiteRT, inputs: Sequence[Array]) -> tuple[LiteRT, float]:
    """What is timed for an oracle and takes the source, with what a run takes."""
    quick = ENGINES[_TIMED.get(oracle.name, oracle.name)]
    assert isinstance(quick, LiteRT)
    with suppress(ConverterError):
        return quick, quick.seconds(source, inputs, RUNS)
    return oracle, oracle.seconds(source, inputs, RUNS)


def _model(source: Model, ops: Sequence[Op], inputs: Collection[Value], outputs: Sequence[Value]) -> Model:
    """Operators of a source, in order, as a model, with the graphs that they run."""
    graph, values = cut_out(source.main.name, ops, inputs, outputs)
    graphs = source.graphs if any(op.name in GRAPHS for op in ops) else {}
    model = source.with_graphs({**graphs, graph.name: graph}, values)
    clones: dict[Any, Any] = {**values, **dict(zip(ops, graph.ops, strict=True))}
    model.extras = source.extras | {clones[key]: source.extras[key] for key in clones if key in source.extras}
    model.signatures, model.metadata, model.edited = {}, {}, True
    return model
