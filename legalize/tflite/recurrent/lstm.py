"""LSTM in float, with float or integer weights (LstmStepFloat and LstmStepHybrid, lstm_eval.cc)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tosa_converter.legalize.ops.normalization import layer_normalize
from tosa_converter.legalize.ops.recurrent import Function, SequenceResult, lstm_step
from tosa_converter.legalize.tflite.activation import vector_activation
from tosa_converter.legalize.tflite.recurrent.gates import (
    LstmOptions,
    clip,
    full_kernel,
    gate_biases,
    initial_states,
    layer_norm_key,
    peephole_key,
    with_states,
)
from tosa_converter.legalize.tflite.recurrent.products import (
    FLOAT_OR_HYBRID,
    cell_vector,
    product,
    product_of_steps,
    reference_if_hybrid,
)
from tosa_converter.legalize.tflite.recurrent.sequence import bidirectional_outputs, run_sequence, time_major
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import ActivationFunctionType

VARIANCE_EPSILON = 1e-8  # kNormalizationConstant of MeanStddevNormalization (tensor_utils.h)


class LayerNorm(NamedTuple):
    """Coefficients and bias of the layer normalization of an LSTM gate's sums."""

    coefficients: Expr
    bias: Expr


class LstmCell(NamedTuple):
    """Weights and options of a float LSTM that the steps of one direction share, in the order of gates or by gate."""

    gates: Sequence[str]
    recurrent: Function
    peepholes: Mapping[str, Expr]
    norms: Mapping[str, LayerNorm]
    projection: Function | None
    projection_bias: Expr | None
    options: LstmOptions

    def step(self, inputs: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        """Computes one time step of an LSTM in floats; returns the output state and the cell state.

        `inputs` are the input's part of all gates' sums, side by side in the last dimension: products with weights, and
        biases unless the sums are normalized. An LSTM without an input gate is coupled: that gate is 1 - forget.
        """
        output, state = states
        sums = inputs + self.recurrent(output)
        size = sums.shape[2] // len(self.gates)
        parts = {gate: sums.part(2, i * size, size) for i, gate in enumerate(self.gates)}

        def gate(name: str, state: Expr) -> Expr:
            """Returns the sums of gate `name`, as `lstm_step` asks for them.

            If the gate has a peephole, its product with the cell state `state` is added; if the gate has a norm, the
            sums are normalized.
            """
            x = parts[name]
            if name in self.peepholes:
                x = x + self.peepholes[name] * state
            return layer_normalize(x, *self.norms[name], VARIANCE_EPSILON) if name in self.norms else x

        hidden, state = lstm_step(
            gate,
            state,
            coupled="input" not in self.gates,
            activation=lambda x: vector_activation(self.options.fused_activation_function, x),
            clip=lambda x: clip(x, self.options.cell_clip),
        )
        return self.project(hidden), state

    def project(self, hidden: Expr) -> Expr:
        """Returns a float LSTM's output of a step: the hidden state, projected and clipped if there is a projection."""
        if self.projection is None:
            return hidden
        y = self.projection(hidden)
        return clip(y if self.projection_bias is None else y + self.projection_bias, self.options.proj_clip)


def read_cell(match: Match, prefix: str, biases: Mapping[str, str]) -> LstmCell:
    """Returns the weights and options of one direction of a float LSTM, whose operands' names begin with `prefix`.

    `biases` maps each gate to the operand name of its bias. Without a fused activation, a note tells what LiteRT's
    kernel does.
    """
    options = match.attributes(LstmOptions)
    if options.fused_activation_function is ActivationFunctionType.NONE:
        match.note(
            "no activation is fused: the cell gate and the cell state are used without one, as LiteRT's kernel does"
        )
    norm_keys = {gate: (key, bias) for gate, bias in biases.items() if (key := layer_norm_key(match, prefix, gate))}
    projection, projection_bias = f"{prefix}projection_weights", f"{prefix}projection_bias"
    return LstmCell(
        tuple(biases),
        product(match, [f"{prefix}recurrent_to_{gate}_weights" for gate in biases]),
        {gate: cell_vector(match, key) for gate in biases if (key := peephole_key(match, prefix, gate))},
        {gate: LayerNorm(*(cell_vector(match, key) for key in keys)) for gate, keys in norm_keys.items()},
        product(match, [projection]) if match.has(projection) else None,
        cell_vector(match, projection_bias) if match.has(projection_bias) else None,
        options,
    )


def run_direction(
    match: Match, inputs: Sequence[tuple[str, Expr]], prefix: str = "", *, backward: bool = False
) -> SequenceResult:
    """Runs a float LSTM over its inputs in one direction; returns all outputs and the last states.

    Args:
        match: the operator.
        inputs: names and values; each value [time,batch,size] is multiplied with the weights
            `{prefix}{name}_to_{gate}_weights`.
        prefix: of the names of the direction's operands.
        backward: whether the last step runs first.
    """
    biases = gate_biases(match, prefix)
    states = initial_states(match, prefix, inputs[0][1].shape[1])
    cell = read_cell(match, prefix, biases)
    sums = None if cell.norms else concat([cell_vector(match, bias) for bias in biases.values()], 2)
    for name, x in inputs:
        products = product_of_steps(match, [f"{prefix}{name}_to_{gate}_weights" for gate in biases], x)
        sums = products if sums is None else sums + products
    assert sums is not None
    return run_sequence(match, sums, states, cell.step, backward=backward)


def unidirectional(match: Match) -> Sequence[Expr]:
    """Lowers UNIDIRECTIONAL_SEQUENCE_LSTM of floats: products of all inputs at once, then the cell step by step."""
    options = match.attributes(LstmOptions)
    result = run_direction(match, [("input", time_major(match["input"], options))])
    return with_states(match, [time_major(result.outputs, options)], {"": result})


def one_step(match: Match) -> Sequence[Expr]:
    """Lowers float LSTM, which computes one time step, as a sequence of length 1."""
    x = match["input"]
    result = run_direction(match, [("input", x.reshape((1, *x.shape)))])
    return with_states(match, [result.outputs.reshape(result.outputs.shape[1:])], {"": result})


def bidirectional(match: Match) -> Sequence[Expr]:
    """Lowers BIDIRECTIONAL_SEQUENCE_LSTM to a forward and a backward LSTM.

    Returns one or two outputs, then the states. An auxiliary input without weights of its own is the input of the
    backward direction.
    """
    options = match.attributes(LstmOptions)
    x = time_major(match["input"], options)
    auxiliary = time_major(match["aux_input"], options) if match.has("aux_input") else None
    weighted = match.has("fw_aux_input_to_forget_weights")
    inputs = [("aux_input", auxiliary)] if weighted and auxiliary is not None else []
    backward_x = x if weighted or auxiliary is None else auxiliary
    forward = run_direction(match, [("input", x), *inputs], "fw_")
    backward = run_direction(match, [("input", backward_x), *inputs], "bw_", backward=True)
    outputs = bidirectional_outputs(options, forward.outputs, backward.outputs)
    return with_states(match, outputs, {"fw_": forward, "bw_": backward})


CHECKS = (full_kernel, reference_if_hybrid)
WEIGHTED = ("input", "input_to_output_weights")
WEIGHTED_FORWARD = ("input", "fw_input_to_output_weights")
RULES: tuple[Rule, ...] = (
    Rule("tfl.unidirectional_sequence_lstm", FLOAT_OR_HYBRID, unidirectional, CHECKS, of=WEIGHTED),
    Rule("tfl.lstm", FLOAT_OR_HYBRID, one_step, CHECKS, of=WEIGHTED),
    Rule("tfl.bidirectional_sequence_lstm", FLOAT_OR_HYBRID, bidirectional, CHECKS, of=WEIGHTED_FORWARD),
)
