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
    """Exchanges batch and time, the first two dimensions, unless the operator's options already put time first."""
    return x if options.time_major else swap_batch_and_time(x)


def run_sequence(
    match: Match, x: Expr, states: Sequence[Expr], step: Step, *, backward: bool = False
) -> SequenceResult:
    """Runs `step`, from inputs and states to new states, over x [time,batch,size].

    Steps are unrolled, unless the user asks for a loop and control flow may stay (`flatten` removes it).
    """
    loop = match.options.sequence == "loop" and not match.options.flatten
    return run_steps(x, states, step, loop=loop, backward=backward)


def bidirectional_outputs(options: SequenceOptions, forward: Expr, backward: Expr) -> list[Expr]:
    """Returns the outputs [time,batch,cells] of both directions, one concatenated or two, as the options say.

    The batch comes first again unless the operator is time-major.
    """
    outputs = [concat([forward, backward], 2)] if options.merge_outputs else [forward, backward]
    return [time_major(y, options) for y in outputs]
