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
from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.proof.places import again, computing, given_to
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
        _, found = executable.timed(inputs, context=fresh())
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
    found: dict[Op, float] = {}
    for op in computing(source.main):
        read = dict.fromkeys(given_to(op))
        if any(value in kept for value in op.results) and all(value in kept for value in read):
            with suppress(ConverterError):
                found[op] = engine.seconds(_alone(source, op, read), [kept[value] for value in read], RUNS)
    return engine.name, Times(found, run)


def _quickest(source: Model, oracle: LiteRT, inputs: Sequence[Array]) -> tuple[LiteRT, float]:
    """What is timed for an oracle and takes the source, with what a run takes."""
    quick = ENGINES[_TIMED.get(oracle.name, oracle.name)]
    assert isinstance(quick, LiteRT)
    with suppress(ConverterError):
        return quick, quick.seconds(source, inputs, RUNS)
    return oracle, oracle.seconds(source, inputs, RUNS)


def _alone(source: Model, op: Op, read: Collection[Value]) -> Model:
    """A model of one operator, with its constants, its state and the graphs that it runs."""
    own = [value.producer for value in dict.fromkeys(op.operands) if value not in read and value.producer is not None]
    moved: dict[Any, Any] = {value: Value(value.type, value.name) for value in read}
    for old in (*own, op):
        moved[old] = again(old, [None if value is None else moved[value] for value in old.inputs])
        moved |= zip(old.results, moved[old].results, strict=True)
    name = source.main.name
    graph = Graph(name, [moved[v] for v in read], moved[op].results, [moved[one] for one in (*own, op)])
    shapes = {moved[value]: source.default_shapes[value] for value in read if value in source.default_shapes}
    made = Model({**(source.graphs if op.name in GRAPHS else {}), name: graph}, {}, {}, source.source, shapes)
    made.extras = source.extras | {moved[key]: source.extras[key] for key in moved if key in source.extras}
    made.edited = True
    return made
