"""RNN in float, with float or integer weights (RnnBatchStep, kernel_utils.cc)."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.recurrent import SequenceResult, rnn_step
from tosa_converter.legalize.tflite.activation import vector_activation
from tosa_converter.legalize.tflite.recurrent.products import (
    FLOAT_OR_HYBRID,
    cell_vector,
    product,
    product_of_steps,
    reference_if_hybrid,
)
from tosa_converter.legalize.tflite.recurrent.sequence import (
    SequenceOptions,
    bidirectional_outputs,
    run_sequence,
    time_major,
)
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule

REPEATED = "the sequence runs as many times as it has steps, each run from the last states, as LiteRT's kernel does"
OFFSETS = (
    "LiteRT's kernel reads an auxiliary input of another size than the input at wrong offsets; the conversion doesn't"
)


def run_direction(
    match: Match, inputs: Sequence[tuple[str, Expr]], prefix: str = "", *, backward: bool = False, passes: int = 1
) -> SequenceResult:
    """Runs one direction of an RNN `passes` times over its inputs, each pass from the last states.

    More than one pass reproduces an error of LiteRT's kernel, which repeats the sequence. `inputs` are names and
    values; each value [time,batch,size] is multiplied with the weights `{prefix}{name}_weights`.
    """
    kind = match.attributes(SequenceOptions).fused_activation_function
    hidden = match[f"{prefix}hidden_state"]
    sums = cell_vector(match, f"{prefix}bias")
    for name, x in inputs:
        sums = sums + product_of_steps(match, [f"{prefix}{name}_weights"], x)
    recurrent = product(match, [f"{prefix}recurrent_weights"])

    def step(x: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        """Returns an RNN's hidden state after a time step, whose input products are x."""
        return (rnn_step(x, states[0], recurrent, lambda x: vector_activation(kind, x)),)

    result = SequenceResult(sums, [hidden.reshape((1, *hidden.shape))])
    for _ in range(passes):
        result = run_sequence(match, sums, result.states, step, backward=backward)
    return SequenceResult(result.outputs, [result.states[0].reshape(hidden.shape)])


def unidirectional(match: Match) -> Sequence[Expr]:
    """Lowers UNIDIRECTIONAL_SEQUENCE_RNN: products of all inputs at once, then the cell step by step."""
    options = match.attributes(SequenceOptions)
    result = run_direction(match, [("input", time_major(match["input"], options))])
    return time_major(result.outputs, options), *result.states


def one_step(match: Match) -> Sequence[Expr]:
    """Lowers RNN, which computes one time step, as a sequence of length 1; the output is also the new hidden state."""
    x = match["input"]
    result = run_direction(match, [("input", x.reshape((1, *x.shape)))])
    return *result.states, *result.states


def bidirectional(match: Match) -> Sequence[Expr]:
    """Lowers BIDIRECTIONAL_SEQUENCE_RNN to a forward and a backward RNN. Returns one or two outputs, then the states.

    An auxiliary input without weights of its own is the input of the backward direction if time is the first dimension,
    else unused. With weights but another size than the input, it is read at wrong offsets by LiteRT, but not here, as a
    note says.
    """
    options = match.attributes(SequenceOptions)
    x = time_major(match["input"], options)
    auxiliary = time_major(match["aux_input"], options) if match.has("aux_input") else None
    weighted = match.has("fw_aux_input_weights")
    if weighted and auxiliary is not None and auxiliary.shape[2] != x.shape[2]:
        match.note(OFFSETS)
    inputs = [("aux_input", auxiliary)] if weighted and auxiliary is not None else []
    backward_x = x if weighted or auxiliary is None or not options.time_major else auxiliary
    passes = _count_passes(match, x)
    forward = run_direction(match, [("input", x), *inputs], "fw_", passes=passes)
    backward = run_direction(match, [("input", backward_x), *inputs], "bw_", backward=True, passes=passes)
    return *bidirectional_outputs(options, forward.outputs, backward.outputs), *forward.states, *backward.states


def _count_passes(match: Match, x: Expr) -> int:
    """Returns how many times a bidirectional RNN runs its sequence: once, or as many times as it has steps.

    LiteRT's EvalHybrid repeats the sequence by mistake (bidirectional_sequence_rnn.cc) if weights are integers and time
    is the first dimension. The conversion repeats it too, with a note, except in compact numerics.
    """
    hybrid = match.source("fw_input_weights").type.dtype is not DType.FP32
    if not hybrid or not match.attributes(SequenceOptions).time_major or match.options.numerics == "compact":
        return 1
    match.note(REPEATED)
    return x.shape[0]


CHECKS = (reference_if_hybrid,)
WEIGHTED, WEIGHTED_FORWARD = ("input", "input_weights"), ("input", "fw_input_weights")
RULES: tuple[Rule, ...] = (
    Rule("tfl.rnn", FLOAT_OR_HYBRID, one_step, CHECKS, of=WEIGHTED),
    Rule("tfl.unidirectional_sequence_rnn", FLOAT_OR_HYBRID, unidirectional, CHECKS, of=WEIGHTED),
    Rule("tfl.bidirectional_sequence_rnn", FLOAT_OR_HYBRID, bidirectional, CHECKS, of=WEIGHTED_FORWARD),
)
