"""The steps of a sequence: unrolled, or a WHILE_LOOP that counts them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, gather, scatter
from tosa_converter.rewriting.rewrite import Match

# What one step [1,batch,size] makes of the states; the first of these is also what the step puts out.
Step: TypeAlias = Callable[[Expr, Sequence[Expr]], Sequence[Expr]]


class Run(NamedTuple):
    """What a sequence leaves: the results of all steps [time,batch,size], and the last states."""

    output: Expr
    states: Sequence[Expr]


def steps_first(x: Expr, time_major: bool) -> Expr:
    """[batch,time,size] as [time,batch,size], or back."""
    a, b, size = x.shape
    if time_major:
        return x
    return x.reshape((b, a, size)) if 1 in (a, b) else x.transpose((1, 0, 2))


def run(match: Match, x: Expr, states: Sequence[Expr], step: Step, *, backward: bool = False) -> Run:
    """All steps of x [time,batch,size], the last one first if it is to run backward."""
    options = match.options
    looped = options.sequence == "loop" and not options.flatten and x.shape[0] > 1
    return (_looped if looped else _unrolled)(x, states, step, backward)


def _unrolled(x: Expr, states: Sequence[Expr], step: Step, backward: bool) -> Run:
    count, made = x.shape[0], []
    for i in reversed(range(count)) if backward else range(count):
        states = step(x.part(0, i, 1), states)
        made.append(states[0])
    return Run(concat(made[::-1] if backward else made, 0), states)


def _looped(x: Expr, states: Sequence[Expr], step: Step, backward: bool) -> Run:
    """The loop's values: the number of the step, the results so far, the states."""
    count, batch, size = x.shape
    rows = x.reshape((1, count, batch * size))
    result = states[0].type
    nothing = const(np.zeros((1, count, result.elements), result.dtype.numpy), result.dtype)
    first, change = (count - 1, -1) if backward else (0, 1)

    def more(now: Sequence[Expr]) -> Expr:
        end = _number(-1 if backward else count)
        return now[0] > end if backward else end > now[0]

    def body(now: Sequence[Expr]) -> Sequence[Expr]:
        at, made, *before = now
        place = at.reshape((1, 1))
        after = step(gather(rows, place).reshape((1, batch, size)), before)
        made = scatter(made, place, after[0].reshape((1, 1, result.elements)))
        return [at + _number(change), made, *after]

    _, made, *states = while_loop([_number(first), nothing, *states], more, body)
    return Run(made.reshape((count, *result.static[1:])), states)


def _number(value: int) -> Expr:
    return const([value], DType.I32)
