"""LSTM cells in int8 with sums of 16 bits (LstmStepInteger8x8_16, lstm_eval.cc).

The sums of gates are kept in i32 as places in a table, which holds the sigmoid of all values of 16 bits and then their
tanh: one GATHER opens all gates.
"""

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.extras import INTERMEDIATES
from tosa_converter.ir import Array, Quant
from tosa_converter.legalize.quant import fixed_point
from tosa_converter.legalize.quant.elements import LARGEST, Affine, affine, as_reference, avoided, int16, per_tensor
from tosa_converter.legalize.quant.multipliers import Multiplier, logarithm, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, divided, requantized, requantized_to_i32
from tosa_converter.legalize.quant.tables import VALUES, between, interpolated, points
from tosa_converter.legalize.tflite.recurrent.gates import (
    LstmOptions,
    coefficients,
    full_kernel,
    gates_of,
    peephole,
    states_of,
    with_states,
)
from tosa_converter.legalize.tflite.recurrent.integer_norm import Norm, normalized
from tosa_converter.legalize.tflite.recurrent.products import columns, summed
from tosa_converter.legalize.tflite.recurrent.sequence import Run, run, steps_first
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum, scalar
from tosa_converter.rewriting.operators import concat, gather, interned, matmul, reduce_sum, rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition

F32 = np.float32
HALF = 1 << 15  # of what 16 bits hold
GATE_BITS, GATE_SCALE = 3, F32(2.0**-12)  # a gate's sum has so many bits before the point
ZEROS = {"input": HALF, "forget": HALF, "cell": 3 * HALF, "output": HALF}  # the places of sums of 0
HIDDEN = 4  # the intermediate before a projection
WIDER = "LiteRT's kernel reads and writes beyond its arrays where peepholes see fewer cells than there are outputs"


class Group(NamedTuple):
    """Gates that are opened at once: those before the cell state changes, or those behind, or all if none sees it.

    By TABLE, of these the ones with a function.
    """

    gates: Sequence[str]
    late: bool
    zeros: Expr | None  # their places in the table, if there is one
    peephole: tuple[Expr, Multiplier] | None
    norm: Norm | None


class Projection(NamedTuple):
    """From the hidden state to the output."""

    weight: Expr
    bias: Expr
    scale: Multiplier
    clip: int


class Cell(NamedTuple):
    """What the steps have in common. The output of a step has the quantization of the output state."""

    groups: Sequence[Group]
    weight: Expr
    scale: Multiplier
    state: Affine
    cell_power: int  # the cell state's scale is 2 to that
    cell_clip: int
    hidden: Affine
    projection: Projection | None
    opening: Expr  # the table of gates
    state_tanh: tuple[Expr, int]  # another of the cell state, and where that is 0
    tables: Mapping[str, Array]  # 513 points for TABLE in place of both, by gate and "state"; or none

    def step(self, match: Match, inputs: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        """The output state and the cell state after one step; `inputs` are i32 [1,batch,gates * cells]."""
        hidden, state = states
        sums = summed(match, hidden, self.weight, self.state.zero_point)
        peak = LARGEST[DType.I8] * 128 * hidden.shape[2]
        sums = requantized_to_i32(match, sums, self.scale, peak=peak)
        total, size, start = None if self.tables else inputs + sums, state.shape[2], 0
        opened: dict[str, Expr] = {}
        for group in self.groups:
            if group.late:
                state = self.updated(match, state, opened)
            wide = size * len(group.gates)
            if total is None:  # for hardware to join ADD and TABLE
                here = inputs.part(2, start, wide) + sums.part(2, start, wide)
            else:
                here = total.part(2, start, wide)
            values = self.opened(group, self.placed(match, group, here, state))
            opened.update({gate: values.part(2, i * size, size) for i, gate in enumerate(group.gates)})
            start += wide
        if not self.groups[-1].late:
            state = self.updated(match, state, opened)
        return self.output(match, opened["output"] * self.tanh(state)), state

    def opened(self, group: Group, places: Expr) -> Expr:
        """The gates of a group, in i16."""
        if not self.tables:
            return read(self.opening, places)
        return interpolated(rescale(places, DType.I16, *TIMES_ONE), self.tables[group.gates[0]], DType.I16)

    def tanh(self, state: Expr) -> Expr:
        """Of the cell state, in i16."""
        if self.tables:
            return interpolated(state, self.tables["state"], DType.I16)
        tanh, zero = self.state_tanh
        here = state.cast(DType.I32) + const([[[zero]]], DType.I32)
        return read(tanh, here)

    def placed(self, match: Match, group: Group, x: Expr, state: Expr) -> Expr:
        """Where the sums of a group's gates are in the table; without one, the sums, which may leave 16 bits."""
        zeros = None if group.norm else group.zeros
        if group.peephole is not None:
            weight, scale = group.peephole
            seen = state.tile((1, 1, len(group.gates))) * weight
            x = bounded(x, zeros) + requantized_to_i32(match, seen, scale, peak=1 << 30)
        if group.norm is None and self.tables:
            return x
        x = bounded(x, zeros)
        x = x if group.norm is None else normalized(match, x, group.norm)
        return x if group.norm is None or group.zeros is None else x + group.zeros

    def updated(self, match: Match, state: Expr, opened: Mapping[str, Expr]) -> Expr:
        """The cell state in i16 (UpdateLstmCellInteger)."""
        forget, new = opened["forget"], opened["cell"]
        if "input" in opened:
            share = opened["input"] * new
        else:
            share = new * const([[[HALF - 1]]], DType.I16) - forget * new
        kept = self.divided(forget * state, 15)
        total = kept + self.divided(share, 30 + self.cell_power)
        if not int16(match):
            return rescale(clipped(total, self.cell_clip), DType.I16, *TIMES_ONE)
        return clipped(rescale(total, DType.I16, *TIMES_ONE), self.cell_clip)

    def divided(self, x: Expr, exponent: int) -> Expr:
        """A RESCALE to i32 by 2**-exponent; with TABLEs a shift, which hardware joins to what makes `x`."""
        if not self.tables:
            return divided(x, exponent)
        return rescale(x, DType.I32, [1 << 30], [30 + exponent]) if exponent else x

    def output(self, match: Match, hidden: Expr) -> Expr:
        """What a step puts out (CalculateLstmOutputInteger8x8_16); `hidden` is i32 in Q30."""
        _, zero_point = self.hidden
        scale = quantize_multiplier(float(F32(2.0**-15 / float(self.hidden.scale) * 2.0**-15)))
        if self.projection is None:
            return requantized(match, hidden, scale, zero_point, peak=1 << 30)
        weight, bias, proj_scale, clip = self.projection
        if zero_point == -128:  # whose negative is no zero point
            wide = requantized_to_i32(match, hidden, scale, peak=1 << 30)
            hidden = rescale(wide + 128, DType.I8, *TIMES_ONE)
        else:
            hidden = requantized(match, hidden, scale, -zero_point, peak=1 << 30)
        sums = matmul(hidden, weight) + bias
        peak = with_bias(128 * 128 * hidden.shape[2], bias)
        return clipped(requantized(match, sums, proj_scale, self.state.zero_point, peak=peak), clip)


def read(values: Expr, places: Expr) -> Expr:
    """A table [1,values,1] at places of any shape."""
    return gather(values, places.reshape((1, places.size))).reshape(places.shape)


def with_bias(peak: int, bias: Expr) -> int:
    """The largest magnitude of sums of up to `peak` with a bias that may be known."""
    return 1 << 31 if bias.constant is None else peak + int(np.abs(bias.constant.astype(np.int64)).max())


def bounded(x: Expr, zeros: Expr | None) -> Expr:
    """Sums kept to 16 bits around what stands for 0."""
    zero = scalar(0, x) if zeros is None else zeros
    low, high = zero - HALF, zero + (HALF - 1)
    return minimum(maximum(x, low), high)


def clipped(x: Expr, bound: int) -> Expr:
    """CwiseClipping of integers; a bound of 0 is none."""
    return clamp(x, -bound, bound) if bound > 0 else x


# ** what is known before the first step **


def direction(match: Match, x: Expr) -> Run:
    """The steps of [time,batch,size] int8."""
    gates = in_order(match)
    time, batch, size = x.shape
    given, cell = affine(match, "input"), made_cell(match, gates, batch)
    weight = columns([match[f"input_to_{gate}_weights"] for gate in gates])
    sums = summed(match, x.reshape((1, time * batch, size)), weight, given.zero_point)
    peak = LARGEST[DType.I8] * 128 * size
    normal = cell.groups[0].norm is not None
    if not normal:
        bias = concat([match[bias] for bias in gates.values()], 0)
        sums = sums + bias.reshape((1, 1, bias.size))
        peak = with_bias(peak, bias)
    scale = each(match, [(f"input_to_{gate}_weights", gate) for gate in gates], given.scale)
    total = requantized(match, sums, scale, 0, peak=peak, dtype=DType.I16).cast(DType.I32)
    zeros = [group.zeros for group in cell.groups if group.zeros is not None]
    if not normal and zeros:
        total = total + concat(zeros, 2)
    total = total.reshape((time, batch, total.shape[2]))
    return run(match, total, states_of(match, "", batch), functools.partial(cell.step, match))


def made_cell(match: Match, gates: Mapping[str, str], batch: int) -> Cell:
    """Everything about the cell that doesn't depend on the step.

    Raises:
        Decline: the cell state has a scale that LiteRT has no tanh for.
    """
    options, state = match.attributes(LstmOptions), affine(match, "input_activation_state")
    held = affine(match, "input_cell_state").scale
    power = logarithm(held)
    if power is None or not -15 <= power <= -9:
        raise Decline(f"a cell state of scale {held:.6g}, which LiteRT's kernel has no tanh for")
    hidden = per_tensor(intermediate(match, HIDDEN), False)
    size = match["input_to_output_weights"].shape[0]
    sees = peephole(match, "", "output") is not None
    parts = [[gate for gate in gates if gate != "output"], ["output"]] if sees else [list(gates)]
    if by_table(match):
        parts = [list(found) for part in parts for _, found in itertools.groupby(part, lambda gate: gate == "cell")]
    return Cell(
        [group(match, part, size, batch, power) for part in parts],
        columns([match[f"recurrent_to_{gate}_weights"] for gate in gates]),
        each(match, [(f"recurrent_to_{gate}_weights", gate) for gate in gates], state.scale),
        state,
        power,
        quantized_clip(options.cell_clip, held, DType.I16),
        hidden,
        projection(match, hidden, state),
        interned(gate_table(), DType.I16),
        (interned(gate_table(), DType.I16), ZEROS["cell"])
        if 15 + power == GATE_BITS
        else (interned(tanh_table(15 + power), DType.I16), HALF),
        tables(match, gates, 15 + power) if by_table(match) else {},
    )


def by_table(match: Match) -> bool:
    """Whether functions are TABLEs, not GATHERs."""
    return avoided(match, "GATHER") and match.options.numerics == "compact"


def in_order(match: Match) -> dict[str, str]:
    """The gates with the names of their biases, as their weights are to lie side by side: those of a function."""
    gates = gates_of(match, "")
    if by_table(match) and peephole(match, "", "output") is None:
        gates["cell"] = gates.pop("cell")
    return gates


def tables(match: Match, gates: Iterable[str], bits: int) -> dict[str, Array]:
    """513 points of each gate's function and of the cell state's tanh."""
    sigmoid, tanh = gate_table().reshape(2, -1)
    results = {gate: tanh if gate == "cell" else sigmoid for gate in gates} | {"state": tanh_table(bits).reshape(-1)}
    made = {gate: points(values) for gate, values in results.items()}
    off = max(int(np.abs(between(made[gate]) - values.astype(np.int32)).max()) for gate, values in results.items())
    match.note(f"gates are interpolated between 513 points: they may differ by {off} of 32768, the cell state by ties")
    return made


def group(match: Match, gates: Sequence[str], size: int, batch: int, power: int) -> Group:
    """Gates beside each other."""
    zeros = np.repeat([ZEROS[gate] for gate in gates], size).reshape(1, 1, -1)
    sees = any(peephole(match, "", gate) for gate in gates)
    return Group(
        gates,
        list(gates) == ["output"] and peephole(match, "", "output") is not None,
        None if by_table(match) else const(zeros, DType.I32),
        peepholes(match, gates, size, batch, power) if sees else None,
        made_norm(match, gates, size) if coefficients(match, "", "forget") else None,
    )


def peepholes(match: Match, gates: Sequence[str], size: int, batch: int, power: int) -> tuple[Expr, Multiplier]:
    """What gates beside each other see of the cell state; weights of 0 for the cell gate, which sees nothing."""
    weights, scales = [], []
    for gate in gates:
        key = peephole(match, "", gate)
        zero = const(np.zeros((1, 1, size), np.int16), DType.I16)
        weights.append(zero if key is None else seen(match, key, batch))
        scale = F32(1) if key is None else affine(match, key).scale
        scales.append(F32(2.0**power * float(scale) / float(gate_scale(match, gate))))
    rows = max(weight.shape[1] for weight in weights)
    weight = concat([weight.broadcast((1, rows, size)) for weight in weights], 2)
    return weight, quantize_multiplier(np.repeat(scales, size))


def seen(match: Match, key: str, batch: int) -> Expr:
    """The weights with which a gate sees the cell state, [1,batch or 1,cells].

    The kernel takes as many cells as there are outputs, in the order in which all batches lie (its v_size is n_output).
    """
    weight = match[key]
    size, outputs = weight.shape[0], match["recurrent_to_output_weights"].shape[1]
    if outputs > size:
        match.note(WIDER)
    if outputs >= size:
        return weight.reshape((1, 1, size))
    rows = batch if match.attributes(LstmOptions).time_major else 1
    flat = weight.part(0, 0, outputs).tile((rows,))
    return flat.pad([(0, rows * (size - outputs))]).reshape((1, rows, size))


def made_norm(match: Match, gates: Sequence[str], size: int) -> Norm:
    """The normalization of gates beside each other."""
    biases = gates_of(match, "")
    keys = [f"{gate}_layer_norm_coefficients" for gate in gates]
    scales = [affine(match, key).scale for key in keys]
    rows = (1, len(gates), size)
    m, shift = quantize_multiplier(np.repeat(scales, size))
    return Norm(
        concat([match[key].cast(DType.I32) for key in keys], 0).reshape(rows),
        concat([match[biases[gate]] for gate in gates], 0).reshape(rows),
        const([[[max(1, int(F32(10000) * scale))] for scale in scales]], DType.I32),
        Multiplier(m, np.where(m == 0, 0, shift + 12)),
    )


def projection(match: Match, hidden: Affine, state: Affine) -> Projection | None:
    """The weights; their sums times the hidden state's zero point are in the bias."""
    if not match.has("projection_weights"):
        return None
    weight = columns([match["projection_weights"]])
    total = reduce_sum(weight.cast(DType.I32), 1)
    bias = total * hidden.zero_point
    if match.has("projection_bias"):
        bias = bias + match["projection_bias"]
    scale = affine(match, "projection_weights").scale * hidden.scale / state.scale
    out = per_tensor(match.result_quant, False).scale
    clip = quantized_clip(match.attributes(LstmOptions).proj_clip, out, DType.I8)
    return Projection(weight, bias, quantize_multiplier(float(scale)), clip)


def each(match: Match, weights: Sequence[tuple[str, str]], scale: np.float32) -> Multiplier:
    """From products with a gate's weights to its sums, for each cell of each gate."""
    real = [affine(match, key).scale * scale / gate_scale(match, gate) for key, gate in weights]
    return quantize_multiplier(np.repeat(real, match[weights[0][0]].shape[0]))


def gate_scale(match: Match, gate: str) -> np.float32:
    """The scale of a gate's sums: if they are normalized, one of its own."""
    if not coefficients(match, "", "forget"):
        return GATE_SCALE
    return per_tensor(intermediate(match, list(ZEROS).index(gate)), False, DType.I16).scale


def intermediate(match: Match, index: int) -> Quant:
    """The quantization of a tensor beside the operands.

    Raises:
        Decline: there is none.
    """
    quants: Sequence[Quant | None] = match.op.attributes[INTERMEDIATES]
    quant = quants[index]
    if quant is None:
        raise Decline(f"intermediate {index} has no quantization parameters")
    return quant


def quantized_clip(real: float, scale: np.float32, dtype: DType) -> int:
    """A bound as the kernel has it, truncated; 0 for none."""
    low, high = dtype.limits
    return int(min(max(F32(real) / scale, F32(low)), F32(high))) if real > 0 else 0


@functools.cache
def gate_table() -> Array:
    """Sigmoid and tanh of a gate's sums, [1,values,1]."""
    functions = [fixed_point.logistic(VALUES, GATE_BITS), fixed_point.tanh(VALUES, GATE_BITS)]
    return np.concatenate(functions).astype(np.int16).reshape(1, -1, 1)


@functools.cache
def tanh_table(bits: int) -> Array:
    """The tanh of 16 bits of which so many are before the point, [1,values,1]."""
    return fixed_point.tanh(VALUES, bits).astype(np.int16).reshape(1, -1, 1)


# ** operators **


def unidirectional(match: Match) -> Sequence[Expr]:
    """UNIDIRECTIONAL_SEQUENCE_LSTM -> MATMUL and RESCALE of all steps, then in each the same, GATHERs and products."""
    time_major = match.attributes(LstmOptions).time_major
    made = direction(match, steps_first(match["input"], time_major))
    return with_states(match, [steps_first(made.output, time_major)], {"": made})


def one_step(match: Match) -> Sequence[Expr]:
    """LSTM -> the same for one step."""
    x = match["input"]
    made = direction(match, x.reshape((1, *x.shape)))
    return with_states(match, [made.output.reshape(made.output.shape[1:])], {"": made})


@condition("sums are of 16 bits")
def wide_sums(match: Match) -> str | None:
    """Against the kernel that is told by its twelve intermediates."""
    narrow = len(match.op.attributes[INTERMEDIATES]) != HIDDEN + 1
    return "sums of 8 bits are normalized in fp32, whose rounding TOSA leaves open" if narrow else None


WEIGHED = ("input", "input_to_output_weights")
CHECKS = (full_kernel, wide_sums, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.unidirectional_sequence_lstm", "i8*i8", unidirectional, CHECKS, of=WEIGHED),
    Rewrite("tfl.lstm", "i8*i8", one_step, CHECKS, of=WEIGHED),
)
