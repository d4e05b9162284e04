"""The steps of a sequence: unrolled, or a WHILE_LOOP that counts them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.rewrite import Match
from tosa_converter.schemas import tosa_ops as ops

# What one step [1,batch,size] makes of the states; the first of these is also what the step puts out.
Step: TypeAlias = Callable[[Match, Value, Sequence[Value]], Sequence[Value]]


class Run(NamedTuple):
    """What a sequence leaves: the results of all steps [time,batch,size], and the last states."""

    output: Value
    states: Sequence[Value]


def steps_first(build: Builder, x: Value, time_major: bool) -> Value:
    """[batch,time,size] as [time,batch,size], or back."""
    a, b, size = x.type.static
    if time_major:
        return x
    return build.reshape(x, (b, a, size)) if 1 in (a, b) else build.transpose(x, (1, 0, 2))


def run(match: Match, x: Value, states: Sequence[Value], step: Step, *, backward: bool = False) -> Run:
    """All steps of x [time,batch,size], the last one first if it is to run backward."""
    options = match.options
    looped = options.sequence == "loop" and not options.flatten and x.type.static[0] > 1
    return (_looped if looped else _unrolled)(match, x, states, step, backward)


def _unrolled(match: Match, x: Value, states: Sequence[Value], step: Step, backward: bool) -> Run:
    count, made = x.type.static[0], []
    for i in reversed(range(count)) if backward else range(count):
        states = step(match, match.builder.part(x, 0, i, 1), states)
        made.append(states[0])
    return Run(match.builder.concat(made[::-1] if backward else made, 0), states)


def _looped(match: Match, x: Value, states: Sequence[Value], step: Step, backward: bool) -> Run:
    """The loop's values: the number of the step, the results so far, the states."""
    build = match.builder
    count, batch, size = x.type.static
    rows = build.reshape(x, (1, count, batch * size))
    result = states[0].type
    nothing = build.const(np.zeros((1, count, result.elements), result.dtype.numpy), result.dtype)
    first, change = (count - 1, -1) if backward else (0, 1)

    def more(b: Builder, now: Sequence[Value]) -> Value:
        end = _number(b, -1 if backward else count)
        return b.binary(ops.GREATER, now[0], end) if backward else b.binary(ops.GREATER, end, now[0])

    def body(b: Builder, now: Sequence[Value]) -> Sequence[Value]:
        at, made, *before = now
        place = b.reshape(at, (1, 1))
        after = step(match.by(b), b.reshape(b.gather(rows, place), (1, batch, size)), before)
        made = b.scatter(made, place, b.reshape(after[0], (1, 1, result.elements)))
        return [b.add(at, _number(b, change)), made, *after]

    _, made, *states = while_loop(build, [_number(build, first), nothing, *states], more, body)
    return Run(build.reshape(made, (count, *result.static[1:])), states)


def _number(build: Builder, value: int) -> Value:
    return build.const([value], DType.I32)
