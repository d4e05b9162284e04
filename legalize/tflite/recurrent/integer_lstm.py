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
from tosa_converter.ir import Array, Quant, Value
from tosa_converter.legalize.tflite.quantized import fixed_point
from tosa_converter.legalize.tflite.quantized.arithmetic import Multiplier, quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import (
    LARGEST,
    TIMES_ONE,
    Affine,
    affine,
    as_reference,
    avoided,
    divided,
    int16,
    per_tensor,
    requantized,
    requantized_to_i32,
)
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
from tosa_converter.legalize.tflite.sixteen_bit.common import VALUES, between, interpolated, logarithm, points
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tosa_ops as ops

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
    zeros: Value | None  # their places in the table, if there is one
    peephole: tuple[Value, Multiplier] | None
    norm: Norm | None


class Projection(NamedTuple):
    """From the hidden state to the output."""

    weight: Value
    bias: Value
    scale: Multiplier
    clip: int


class Cell(NamedTuple):
    """What the steps have in common. The output of a step has the quantization of the output state."""

    groups: Sequence[Group]
    weight: Value
    scale: Multiplier
    state: Affine
    cell_power: int  # the cell state's scale is 2 to that
    cell_clip: int
    hidden: Affine
    projection: Projection | None
    opening: Value  # the table of gates
    state_tanh: tuple[Value, int]  # another of the cell state, and where that is 0
    tables: Mapping[str, Array]  # 513 points for TABLE in place of both, by gate and "state"; or none

    def step(self, match: Match, inputs: Value, states: Sequence[Value]) -> Sequence[Value]:
        """The output state and the cell state after one step; `inputs` are i32 [1,batch,gates * cells]."""
        build, (hidden, state) = match.builder, states
        sums = summed(match, hidden, self.weight, self.state.zero_point)
        peak = LARGEST[DType.I8] * 128 * hidden.type.static[2]
        sums = requantized_to_i32(match, sums, self.scale, peak=peak)
        total, size, start = None if self.tables else build.add(inputs, sums), state.type.static[2], 0
        opened: dict[str, Value] = {}
        for group in self.groups:
            if group.late:
                state = self.updated(match, state, opened)
            wide = size * len(group.gates)
            if total is None:  # for hardware to join ADD and TABLE
                here = build.add(build.part(inputs, 2, start, wide), build.part(sums, 2, start, wide))
            else:
                here = build.part(total, 2, start, wide)
            values = self.opened(build, group, self.placed(match, group, here, state))
            opened.update({gate: build.part(values, 2, i * size, size) for i, gate in enumerate(group.gates)})
            start += wide
        if not self.groups[-1].late:
            state = self.updated(match, state, opened)
        return self.output(match, build.mul(opened["output"], self.tanh(build, state))), state

    def opened(self, build: Builder, group: Group, places: Value) -> Value:
        """The gates of a group, in i16."""
        if not self.tables:
            return read(build, self.opening, places)
        return interpolated(build, build.rescale(places, DType.I16, *TIMES_ONE), self.tables[group.gates[0]], DType.I16)

    def tanh(self, build: Builder, state: Value) -> Value:
        """Of the cell state, in i16."""
        if self.tables:
            return interpolated(build, state, self.tables["state"], DType.I16)
        tanh, zero = self.state_tanh
        here = build.add(build.cast(state, DType.I32), build.const([[[zero]]], DType.I32))
        return read(build, tanh, here)

    def placed(self, match: Match, group: Group, x: Value, state: Value) -> Value:
        """Where the sums of a group's gates are in the table; without one, the sums, which may leave 16 bits."""
        build, zeros = match.builder, None if group.norm else group.zeros
        if group.peephole is not None:
            weight, scale = group.peephole
            seen = build.mul(build.tile(state, (1, 1, len(group.gates))), weight)
            x = build.add(bounded(build, x, zeros), requantized_to_i32(match, seen, scale, peak=1 << 30))
        if group.norm is None and self.tables:
            return x
        x = bounded(build, x, zeros)
        x = x if group.norm is None else normalized(match, x, group.norm)
        return x if group.norm is None or group.zeros is None else build.add(x, group.zeros)

    def updated(self, match: Match, state: Value, opened: Mapping[str, Value]) -> Value:
        """The cell state in i16 (UpdateLstmCellInteger)."""
        build, forget, new = match.builder, opened["forget"], opened["cell"]
        if "input" in opened:
            share = build.mul(opened["input"], new)
        else:
            share = build.sub(build.mul(new, build.const([[[HALF - 1]]], DType.I16)), build.mul(forget, new))
        kept = self.divided(build, build.mul(forget, state), 15)
        total = build.add(kept, self.divided(build, share, 30 + self.cell_power))
        if not int16(match):
            return build.rescale(clipped(build, total, self.cell_clip), DType.I16, *TIMES_ONE)
        return clipped(build, build.rescale(total, DType.I16, *TIMES_ONE), self.cell_clip)

    def divided(self, build: Builder, x: Value, exponent: int) -> Value:
        """A RESCALE to i32 by 2**-exponent; with TABLEs a shift, which hardware joins to what makes `x`."""
        if not self.tables:
            return divided(build, x, exponent)
        return build.rescale(x, DType.I32, [1 << 30], [30 + exponent]) if exponent else x

    def output(self, match: Match, hidden: Value) -> Value:
        """What a step puts out (CalculateLstmOutputInteger8x8_16); `hidden` is i32 in Q30."""
        build, (_, zero_point) = match.builder, self.hidden
        scale = quantize_multiplier(float(F32(2.0**-15 / float(self.hidden.scale) * 2.0**-15)))
        if self.projection is None:
            return requantized(match, hidden, scale, zero_point, peak=1 << 30)
        weight, bias, proj_scale, clip = self.projection
        if zero_point == -128:  # whose negative is no zero point
            wide = requantized_to_i32(match, hidden, scale, peak=1 << 30)
            hidden = build.rescale(build.add(wide, build.scalar(128, wide)), DType.I8, *TIMES_ONE)
        else:
            hidden = requantized(match, hidden, scale, -zero_point, peak=1 << 30)
        sums = build.add(build.matmul(hidden, weight), bias)
        peak = with_bias(128 * 128 * hidden.type.static[2], bias)
        return clipped(build, requantized(match, sums, proj_scale, self.state.zero_point, peak=peak), clip)


def read(build: Builder, values: Value, places: Value) -> Value:
    """A table [1,values,1] at places of any shape."""
    return build.reshape(build.gather(values, build.reshape(places, (1, places.type.elements))), places.type.static)


def with_bias(peak: int, bias: Value) -> int:
    """The largest magnitude of sums of up to `peak` with a bias that may be known."""
    return 1 << 31 if bias.constant is None else peak + int(np.abs(bias.constant.astype(np.int64)).max())


def bounded(build: Builder, x: Value, zeros: Value | None) -> Value:
    """Sums kept to 16 bits around what stands for 0."""
    zero = build.scalar(0, x) if zeros is None else zeros
    low, high = build.sub(zero, build.scalar(HALF, x)), build.add(zero, build.scalar(HALF - 1, x))
    return build.minimum(build.maximum(x, low), high)


def clipped(build: Builder, x: Value, bound: int) -> Value:
    """CwiseClipping of integers; a bound of 0 is none."""
    return build.clamp(x, -bound, bound) if bound > 0 else x


# ** what is known before the first step **


def direction(match: Match, x: Value) -> Run:
    """The steps of [time,batch,size] int8."""
    build, gates = match.builder, in_order(match)
    time, batch, size = x.type.static
    given, cell = affine(match, "input"), made_cell(match, gates, batch)
    weight = columns(match, [match[f"input_to_{gate}_weights"] for gate in gates])
    sums = summed(match, build.reshape(x, (1, time * batch, size)), weight, given.zero_point)
    peak = LARGEST[DType.I8] * 128 * size
    normal = cell.groups[0].norm is not None
    if not normal:
        bias = build.concat([match[bias] for bias in gates.values()], 0)
        sums = build.add(sums, build.reshape(bias, (1, 1, bias.type.elements)))
        peak = with_bias(peak, bias)
    scale = each(match, [(f"input_to_{gate}_weights", gate) for gate in gates], given.scale)
    total = build.cast(requantized(match, sums, scale, 0, peak=peak, dtype=DType.I16), DType.I32)
    zeros = [group.zeros for group in cell.groups if group.zeros is not None]
    if not normal and zeros:
        total = build.add(total, build.concat(zeros, 2))
    total = build.reshape(total, (time, batch, total.type.static[2]))
    return run(match, total, states_of(match, "", batch), cell.step)


def made_cell(match: Match, gates: Mapping[str, str], batch: int) -> Cell:
    """Everything about the cell that doesn't depend on the step.

    Raises:
        Decline: the cell state has a scale that LiteRT has no tanh for.
    """
    options, build, state = match.attributes(LstmOptions), match.builder, affine(match, "input_activation_state")
    held = affine(match, "input_cell_state").scale
    power = logarithm(held)
    if power is None or not -15 <= power <= -9:
        raise Decline(f"a cell state of scale {held:.6g}, which LiteRT's kernel has no tanh for")
    hidden = per_tensor(intermediate(match, HIDDEN), False)
    size = match["input_to_output_weights"].type.static[0]
    sees = peephole(match, "", "output") is not None
    parts = [[gate for gate in gates if gate != "output"], ["output"]] if sees else [list(gates)]
    if by_table(match):
        parts = [list(found) for part in parts for _, found in itertools.groupby(part, lambda gate: gate == "cell")]
    return Cell(
        [group(match, part, size, batch, power) for part in parts],
        columns(match, [match[f"recurrent_to_{gate}_weights"] for gate in gates]),
        each(match, [(f"recurrent_to_{gate}_weights", gate) for gate in gates], state.scale),
        state,
        power,
        quantized_clip(options.cell_clip, held, DType.I16),
        hidden,
        projection(match, hidden, state),
        build.lasting(gate_table(), DType.I16),
        (build.lasting(gate_table(), DType.I16), ZEROS["cell"])
        if 15 + power == GATE_BITS
        else (build.lasting(tanh_table(15 + power), DType.I16), HALF),
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
        None if by_table(match) else match.builder.const(zeros, DType.I32),
        peepholes(match, gates, size, batch, power) if sees else None,
        made_norm(match, gates, size) if coefficients(match, "", "forget") else None,
    )


def peepholes(match: Match, gates: Sequence[str], size: int, batch: int, power: int) -> tuple[Value, Multiplier]:
    """What gates beside each other see of the cell state; weights of 0 for the cell gate, which sees nothing."""
    build, weights, scales = match.builder, [], []
    for gate in gates:
        key = peephole(match, "", gate)
        zero = build.const(np.zeros((1, 1, size), np.int16), DType.I16)
        weights.append(zero if key is None else seen(match, key, batch))
        scale = F32(1) if key is None else affine(match, key).scale
        scales.append(F32(2.0**power * float(scale) / float(gate_scale(match, gate))))
    rows = max(weight.type.static[1] for weight in weights)
    weight = build.concat([build.broadcast(weight, (1, rows, size)) for weight in weights], 2)
    return weight, quantize_multiplier(np.repeat(scales, size))


def seen(match: Match, key: str, batch: int) -> Value:
    """The weights with which a gate sees the cell state, [1,batch or 1,cells].

    The kernel takes as many cells as there are outputs, in the order in which all batches lie (its v_size is n_output).
    """
    build, weight = match.builder, match[key]
    size, outputs = weight.type.static[0], match["recurrent_to_output_weights"].type.static[1]
    if outputs > size:
        match.note(WIDER)
    if outputs >= size:
        return build.reshape(weight, (1, 1, size))
    rows = batch if match.attributes(LstmOptions).time_major else 1
    flat = build.tile(build.part(weight, 0, 0, outputs), (rows,))
    return build.reshape(build.pad(flat, [(0, rows * (size - outputs))]), (1, rows, size))


def made_norm(match: Match, gates: Sequence[str], size: int) -> Norm:
    """The normalization of gates beside each other."""
    build, biases = match.builder, gates_of(match, "")
    keys = [f"{gate}_layer_norm_coefficients" for gate in gates]
    scales = [affine(match, key).scale for key in keys]
    rows = (1, len(gates), size)
    m, shift = quantize_multiplier(np.repeat(scales, size))
    return Norm(
        build.reshape(build.concat([build.cast(match[key], DType.I32) for key in keys], 0), rows),
        build.reshape(build.concat([match[biases[gate]] for gate in gates], 0), rows),
        build.const([[[max(1, int(F32(10000) * scale))] for scale in scales]], DType.I32),
        Multiplier(m, np.where(m == 0, 0, shift + 12)),
    )


def projection(match: Match, hidden: Affine, state: Affine) -> Projection | None:
    """The weights; their sums times the hidden state's zero point are in the bias."""
    if not match.has("projection_weights"):
        return None
    build, weight = match.builder, columns(match, [match["projection_weights"]])
    total = build.reduce(ops.REDUCE_SUM, build.cast(weight, DType.I32), 1)
    bias = build.mul(total, build.scalar(hidden.zero_point, total))
    if match.has("projection_bias"):
        bias = build.add(bias, match["projection_bias"])
    scale = affine(match, "projection_weights").scale * hidden.scale / state.scale
    out = per_tensor(match.result_quant, False).scale
    clip = quantized_clip(match.attributes(LstmOptions).proj_clip, out, DType.I8)
    return Projection(weight, bias, quantize_multiplier(float(scale)), clip)


def each(match: Match, weights: Sequence[tuple[str, str]], scale: np.float32) -> Multiplier:
    """From products with a gate's weights to its sums, for each cell of each gate."""
    real = [affine(match, key).scale * scale / gate_scale(match, gate) for key, gate in weights]
    return quantize_multiplier(np.repeat(real, match[weights[0][0]].type.static[0]))


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


def unidirectional(match: Match) -> Sequence[Value]:
    """UNIDIRECTIONAL_SEQUENCE_LSTM -> MATMUL and RESCALE of all steps, then in each the same, GATHERs and products."""
    build, time_major = match.builder, match.attributes(LstmOptions).time_major
    made = direction(match, steps_first(build, match["input"], time_major))
    return with_states(match, [steps_first(build, made.output, time_major)], {"": made})


def one_step(match: Match) -> Sequence[Value]:
    """LSTM -> the same for one step."""
    build, x = match.builder, match["input"]
    made = direction(match, build.reshape(x, (1, *x.type.static)))
    return with_states(match, [build.reshape(made.output, made.output.type.static[1:])], {"": made})


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
