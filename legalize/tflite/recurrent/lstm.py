"""LSTM cells in float, with float or integer weights (LstmStepFloat and LstmStepHybrid, lstm_eval.cc)."""

from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.legalize.tflite.activation import vector_activation
from tosa_converter.legalize.tflite.recurrent.gates import (
    LstmOptions,
    coefficients,
    full_kernel,
    gates_of,
    peephole,
    states_of,
    with_states,
)
from tosa_converter.legalize.tflite.recurrent.products import WEIGHED, Product, by_step, product, reproduced, vector
from tosa_converter.legalize.tflite.recurrent.sequence import Run, run, steps_first
from tosa_converter.rewriting.expr import Expr, clamp, rsqrt, scalar, sigmoid
from tosa_converter.rewriting.operators import concat, reduce_sum
from tosa_converter.rewriting.rewrite import Match, Rewrite
from tosa_converter.schemas.tflite import ActivationFunctionType

NO_VARIANCE = 1e-8  # kNormalizationConstant


class Norm(NamedTuple):
    """What a gate's sums are normalized with (layer normalization)."""

    coefficients: Expr
    bias: Expr


class Cell(NamedTuple):
    """What the steps of one direction have in common; by gate where gates differ."""

    gates: Sequence[str]
    recurrent: Product
    peepholes: dict[str, Expr]
    norms: dict[str, Norm]
    projection: Product | None
    projection_bias: Expr | None
    kind: ActivationFunctionType
    cell_clip: float
    proj_clip: float

    def step(self, inputs: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        """The output state and the cell state after one step."""
        hidden, state = states
        sums = inputs + self.recurrent(hidden)
        size = sums.shape[2] // len(self.gates)
        parts = {gate: sums.part(2, i * size, size) for i, gate in enumerate(self.gates)}
        forget = sigmoid(self.opened("forget", parts, state))
        new = vector_activation(self.kind, self.opened("cell", parts, state))
        if "input" in parts:
            share = sigmoid(self.opened("input", parts, state))
        else:
            share = 1 - forget
        state = clipped(forget * state + new * share, self.cell_clip)
        output = sigmoid(self.opened("output", parts, state))
        hidden = output * vector_activation(self.kind, state)
        return self.projected(hidden), state

    def opened(self, gate: str, parts: dict[str, Expr], state: Expr) -> Expr:
        """A gate's sums with what its peephole sees, normalized."""
        x = parts[gate]
        if gate in self.peepholes:
            x = x + self.peepholes[gate] * state
        return normalized(x, self.norms[gate]) if gate in self.norms else x

    def projected(self, hidden: Expr) -> Expr:
        """What a step puts out."""
        if self.projection is None:
            return hidden
        y = self.projection(hidden)
        return clipped(y if self.projection_bias is None else y + self.projection_bias, self.proj_clip)


def normalized(x: Expr, norm: Norm) -> Expr:
    """MeanStddevNormalization (tensor_utils.h) over the cells, then coefficients and bias."""
    share = scalar(1 / x.shape[2], x)
    centred = x - reduce_sum(x, 2) * share
    variance = reduce_sum(centred * centred, 2) * share
    root = rsqrt(variance + NO_VARIANCE)
    return centred * root * norm.coefficients + norm.bias


def clipped(x: Expr, bound: float) -> Expr:
    """CwiseClipping (tensor_utils.h); a bound of 0 is none."""
    return clamp(x, -bound, bound) if bound else x


def direction(match: Match, inputs: Sequence[tuple[str, Expr]], prefix: str = "", *, backward: bool = False) -> Run:
    """The steps of one direction.

    Args:
        match: the operator.
        inputs: what is multiplied [time,batch,size] with the weights `{prefix}{name}_to_{gate}_weights`, by name.
        prefix: of the names of the direction's operands.
        backward: whether the last step is the first.
    """
    gates = gates_of(match, prefix)
    states = states_of(match, prefix, inputs[0][1].shape[1])
    cell = made_cell(match, prefix, gates)
    total = None if cell.norms else concat([vector(match, bias) for bias in gates.values()], 2)
    for name, x in inputs:
        sums = by_step(match, [f"{prefix}{name}_to_{gate}_weights" for gate in gates], x)
        total = sums if total is None else total + sums
    assert total is not None
    return run(match, total, states, cell.step, backward=backward)


def made_cell(match: Match, prefix: str, gates: dict[str, str]) -> Cell:
    """What the steps of one direction have in common."""
    options = match.attributes(LstmOptions)
    if options.fused_activation_function is ActivationFunctionType.NONE:
        match.note("LiteRT's kernel takes the cell gate for the cell state where no activation is fused")
    norms = {gate: (key, bias) for gate, bias in gates.items() if (key := coefficients(match, prefix, gate))}
    projection, bias = f"{prefix}projection_weights", f"{prefix}projection_bias"
    return Cell(
        tuple(gates),
        product(match, [f"{prefix}recurrent_to_{gate}_weights" for gate in gates]),
        {gate: vector(match, key) for gate in gates if (key := peephole(match, prefix, gate))},
        {gate: Norm(*(vector(match, key) for key in keys)) for gate, keys in norms.items()},
        product(match, [projection]) if match.has(projection) else None,
        vector(match, bias) if match.has(bias) else None,
        options.fused_activation_function,
        options.cell_clip,
        options.proj_clip,
    )


def unidirectional(match: Match) -> Sequence[Expr]:
    """UNIDIRECTIONAL_SEQUENCE_LSTM -> MATMUL of all steps, then in each MATMUL, SIGMOID, TANH and the products."""
    time_major = match.attributes(LstmOptions).time_major
    made = direction(match, [("input", steps_first(match["input"], time_major))])
    return with_states(match, [steps_first(made.output, time_major)], {"": made})


def one_step(match: Match) -> Sequence[Expr]:
    """LSTM -> the same for one step."""
    x = match["input"]
    made = direction(match, [("input", x.reshape((1, *x.shape)))])
    return with_states(match, [made.output.reshape(made.output.shape[1:])], {"": made})


def bidirectional(match: Match) -> Sequence[Expr]:
    """BIDIRECTIONAL_SEQUENCE_LSTM -> both directions, side by side or each a result.

    Without weights of its own an auxiliary input is the backward direction's input.
    """
    options = match.attributes(LstmOptions)
    x = steps_first(match["input"], options.time_major)
    aux = steps_first(match["aux_input"], options.time_major) if match.has("aux_input") else None
    weighted = match.has("fw_aux_input_to_forget_weights")
    more = [("aux_input", aux)] if weighted and aux is not None else []
    forward = direction(match, [("input", x), *more], "fw_")
    last = x if weighted or aux is None else aux
    backward = direction(match, [("input", last), *more], "bw_", backward=True)
    outputs = [run.output for run in (forward, backward)]
    results = [concat(outputs, 2)] if options.merge_outputs else outputs
    results = [steps_first(y, options.time_major) for y in results]
    return with_states(match, results, {"fw_": forward, "bw_": backward})


CHECKS = (full_kernel, reproduced)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "tfl.unidirectional_sequence_lstm", WEIGHED, unidirectional, CHECKS, of=("input", "input_to_output_weights")
    ),
    Rewrite("tfl.lstm", WEIGHED, one_step, CHECKS, of=("input", "input_to_output_weights")),
    Rewrite(
        "tfl.bidirectional_sequence_lstm", WEIGHED, bidirectional, CHECKS, of=("input", "fw_input_to_output_weights")
    ),
)
