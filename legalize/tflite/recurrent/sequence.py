"""Operators that run a cell over a sequence: the order of dimensions, loops, and results of both directions."""

from collections.abc import Sequence

from tosa_converter.legalize.ops.recurrent import SequenceResult, Step, run_steps, swap_batch_and_time
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.schemas.flat import Bool


class SequenceOptions(Fused):
    """Options of LSTM and RNN operators."""

    time_major: Bool = True
    merge_outputs: Bool = False


def time_major(x: Expr, options: SequenceOptions) -> Expr:
    """Returns an operand as [time,batch,size], or such a result in the order of the operator's dimensions."""
    return x if options.time_major else swap_batch_and_time(x)


def run_sequence(
    match: Match, x: Expr, states: Sequence[Expr], step: Step, *, backward: bool = False
) -> SequenceResult:
    """Runs a step over x [time,batch,size], as a loop if the user asks for loops and the target has control flow."""
    loop = match.options.sequence == "loop" and not match.options.flatten
    return run_steps(x, states, step, loop=loop, backward=backward)


def bidirectional_outputs(options: SequenceOptions, forward: Expr, backward: Expr) -> list[Expr]:
    """Returns the outputs of both directions as two results, or side by side as one."""
    outputs = [concat([forward, backward], 2)] if options.merge_outputs else [forward, backward]
    return [time_major(y, options) for y in outputs]
