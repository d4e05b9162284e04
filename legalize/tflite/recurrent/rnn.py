"""RNN cells in float, with float or integer weights (RnnBatchStep, kernel_utils.cc)."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.legalize.tflite.activation import Fused, vector_activation
from tosa_converter.legalize.tflite.recurrent.products import WEIGHED, by_step, product, reproduced, vector
from tosa_converter.legalize.tflite.recurrent.sequence import Run, run, steps_first
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import Match, Rewrite
from tosa_converter.schemas.flat import Bool

PASSES = "as in LiteRT's kernel the sequence runs as many times as it has steps, each time from the states before"
OFFSETS = "LiteRT's kernel reads an auxiliary input of another size than the input's at wrong places; this doesn't"


class RnnOptions(Fused):
    """What the options of RNN operators have."""

    time_major: Bool = True
    merge_outputs: Bool = False


def direction(
    match: Match, inputs: Sequence[tuple[str, Expr]], prefix: str = "", *, backward: bool = False, passes: int = 1
) -> Run:
    """The steps of one direction, so many times.

    `inputs` are multiplied [time,batch,size] with the weights `{prefix}{name}_weights`, by name.
    """
    kind, state = match.attributes(Fused).fused_activation_function, match[f"{prefix}hidden_state"]
    total = vector(match, f"{prefix}bias")
    for name, x in inputs:
        total = total + by_step(match, [f"{prefix}{name}_weights"], x)
    recurrent = product(match, [f"{prefix}recurrent_weights"])

    def step(sums: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        return (vector_activation(kind, sums + recurrent(states[0])),)

    made = Run(total, [state.reshape((1, *state.shape))])
    for _ in range(passes):
        made = run(match, total, made.states, step, backward=backward)
    return Run(made.output, [made.states[0].reshape(state.shape)])


def unidirectional(match: Match) -> Sequence[Expr]:
    """UNIDIRECTIONAL_SEQUENCE_RNN -> MATMUL of all steps, then in each MATMUL, ADD and the activation."""
    time_major = match.attributes(RnnOptions).time_major
    made = direction(match, [("input", steps_first(match["input"], time_major))])
    return steps_first(made.output, time_major), *made.states


def one_step(match: Match) -> Sequence[Expr]:
    """RNN -> the same for one step."""
    x = match["input"]
    made = direction(match, [("input", x.reshape((1, *x.shape)))])
    return *made.states, *made.states


def bidirectional(match: Match) -> Sequence[Expr]:
    """BIDIRECTIONAL_SEQUENCE_RNN -> both directions, side by side or each a result.

    Without weights of its own an auxiliary input is the backward direction's input, but only if time comes first.
    """
    options = match.attributes(RnnOptions)
    x = steps_first(match["input"], options.time_major)
    aux = steps_first(match["aux_input"], options.time_major) if match.has("aux_input") else None
    weighted = aux is not None and match.has("fw_aux_input_weights")
    if weighted and aux is not None and aux.type.shape[2] != x.type.shape[2]:
        match.note(OFFSETS)
    more = [("aux_input", aux)] if weighted and aux is not None else []
    last = x if weighted or aux is None or not options.time_major else aux
    passes = _passes(match, x)
    forward = direction(match, [("input", x), *more], "fw_", passes=passes)
    backward = direction(match, [("input", last), *more], "bw_", backward=True, passes=passes)
    outputs = [forward.output, backward.output]
    results = [concat(outputs, 2)] if options.merge_outputs else outputs
    return *(steps_first(y, options.time_major) for y in results), *forward.states, *backward.states


def _passes(match: Match, x: Expr) -> int:
    """How often LiteRT runs the sequence: EvalHybrid has one loop too many (bidirectional_sequence_rnn.cc)."""
    hybrid = match.source("fw_input_weights").type.dtype is not DType.FP32
    if not hybrid or not match.attributes(RnnOptions).time_major or match.options.numerics == "compact":
        return 1
    match.note(PASSES)
    return x.shape[0]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.rnn", WEIGHED, one_step, (reproduced,), of=("input", "input_weights")),
    Rewrite("tfl.unidirectional_sequence_rnn", WEIGHED, unidirectional, (reproduced,), of=("input", "input_weights")),
    Rewrite("tfl.bidirectional_sequence_rnn", WEIGHED, bidirectional, (reproduced,), of=("input", "fw_input_weights")),
)
