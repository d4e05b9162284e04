"""Recurrent layers: a step over a sequence, and the steps of LSTM, RNN and SVDF cells."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.expr import Expr, const, sigmoid, tanh
from tosa_converter.rewriting.operators import concat, gather, reduce_sum, scatter

# From the input [1,batch,size] of a step and the states before it to the states after it; the first is its output.
Step: TypeAlias = Callable[[Expr, Sequence[Expr]], Sequence[Expr]]
Function: TypeAlias = Callable[[Expr], Expr]


class SequenceResult(NamedTuple):
    """The outputs of all steps [time,batch,size], and the states after the last step."""

    outputs: Expr
    states: Sequence[Expr]


def swap_batch_and_time(x: Expr) -> Expr:
    """Exchanges the first two dimensions of [batch,time,size]; by RESHAPE where one of them is 1."""
    batch, time, size = x.shape
    return x.reshape((time, batch, size)) if 1 in (batch, time) else x.transpose((1, 0, 2))


def run_steps(
    x: Expr, states: Sequence[Expr], step: Step, *, loop: bool = False, backward: bool = False
) -> SequenceResult:
    """Runs a step on each input of a sequence.

    Args:
        x: the inputs [time,batch,size].
        states: those before the first step.
        step: returns the states after a step; the first is also its output.
        loop: emits one WHILE_LOOP that counts the steps, instead of every step.
        backward: runs the last step first. The outputs stay in the order of time.
    """
    return (_loop_steps if loop and x.shape[0] > 1 else _unroll_steps)(x, states, step, backward)


def _unroll_steps(x: Expr, states: Sequence[Expr], step: Step, backward: bool) -> SequenceResult:
    """Emits the step once for each input, one after the other.

    With `backward` the last input comes first; the outputs stay in the inputs' order.
    """
    outputs = []
    for i in range(x.shape[0])[:: -1 if backward else 1]:
        states = step(x.part(0, i, 1), states)
        outputs.append(states[0])
    return SequenceResult(concat(outputs[::-1] if backward else outputs, 0), states)


def _loop_steps(x: Expr, states: Sequence[Expr], step: Step, backward: bool) -> SequenceResult:
    """Runs the step on all inputs in one WHILE_LOOP, which carries the input's number, outputs and states.

    With `backward` the last input comes first; the outputs stay in the inputs' order.
    """
    time, batch, size = x.shape
    rows = x.reshape((1, time, batch * size))
    output = states[0].type
    zeros = const(np.zeros((1, time, output.elements), output.dtype.numpy), output.dtype)
    first, end, increment = (time - 1, -1, -1) if backward else (0, time, 1)

    def has_next(values: Sequence[Expr]) -> Expr:
        """Returns whether an input is left: the loop counts up to `end`, or down to it if `backward`."""
        return values[0] > end if backward else values[0] < end

    def body(values: Sequence[Expr]) -> Sequence[Expr]:
        """Runs the step on row i of the inputs, and writes the first new state at position i of the outputs.

        The next i is one more, or one less where the sequence runs backward.
        """
        i, outputs, *states = values
        index = i.reshape((1, 1))
        states = list(step(gather(rows, index).reshape((1, batch, size)), states))
        outputs = scatter(outputs, index, states[0].reshape((1, 1, output.elements)))
        return [i + increment, outputs, *states]

    _, outputs, *states = while_loop([const([first], DType.I32), zeros, *states], has_next, body)
    return SequenceResult(outputs.reshape((time, *output.static[1:])), states)


# ** cells **


def rnn_step(x: Expr, hidden: Expr, recurrent: Function, activation: Function = tanh) -> Expr:
    """Returns the hidden state of a simple recurrent cell after a step: activation(x + recurrent(hidden))."""
    return activation(x + recurrent(hidden))


def lstm_step(
    gate: Callable[[str, Expr], Expr],
    state: Expr,
    *,
    coupled: bool = False,
    activation: Function = tanh,
    clip: Function = lambda state: state,
) -> tuple[Expr, Expr]:
    """Returns the hidden state and the cell state of an LSTM cell after a step.

    Args:
        gate: returns the sums of the gate "input", "forget", "cell" or "output" from its name and the cell state that
            a peephole sees: for the output gate the state after the step, for the others the state before it.
        state: the cell state before the step.
        coupled: the input gate is 1 - forget (CIFG), and isn't asked for.
        activation: of the cell gate and of the cell state.
        clip: applied to the cell state after the step.
    """
    forget = sigmoid(gate("forget", state))
    candidate = activation(gate("cell", state))
    update = 1 - forget if coupled else sigmoid(gate("input", state))
    state = clip(forget * state + candidate * update)
    output = sigmoid(gate("output", state))
    return output * activation(state), state


def push_features(memory: Expr, features: Expr) -> Expr:
    """Appends features as the last column of a memory [batch,filters,length], and drops its first column."""
    batch, filters, length = memory.shape
    column = features.reshape((batch, filters, 1)).cast(memory.dtype)
    return concat([memory.part(2, 1, length - 1), column], 2) if length > 1 else column


def svdf_sums(memory: Expr, weight: Expr, rank: int) -> Expr:
    """Returns the sums of an SVDF layer: memory times weight, added up over time and over `rank` filters of a unit.

    The memory is [batch,filters,length], the weight [filters,length].
    """
    batch, filters, length = memory.shape
    products = memory * weight.reshape((1, filters, length))
    sums = reduce_sum(products.reshape((batch, filters // rank, rank * length)), 2)
    return sums.reshape((batch, filters // rank))
