"""LSTM in int8 with sums of 16 bits (LstmStepInteger8x8_16, lstm_eval.cc).

A routine, no formula: every sum, gate and state has a fixed-point format of its own, and rounds as the kernel does.

| value | format |
| --- | --- |
| sums of a gate | i16 in Q3.12, or with the scale of an intermediate tensor before layer normalization |
| gates, tanh of the cell state | i16 in Q0.15 |
| cell state | i16 with a scale of 2**-15 to 2**-9 |
| hidden state, output | int8 |

In i32, a gate's sum is an index into a table that has the sigmoid of all values of 16 bits and then their tanh, so one
GATHER opens all gates. Hardware that avoids GATHER gets TABLEs in compact numerics.

Example, in reals: gates 0.731 (sigmoid of 1), cell gate 0.762 (tanh of 1), cell state 0.5 with a scale of 2**-11:

    sums            1 * 2**12 = 4096, with the table's index of 0: 36864 for sigmoid, 102400 for tanh
    gates           23952 and 24964
    forget * state  23952 * 1024 / 2**15 = 748.5, a tie, so 749
    input * cell    23952 * 24964 / 2**19 = 1140 (30 bits of both gates, less 11 of the state)
    state           749 + 1140 = 1889 (0.922)
    hidden          23952 * tanh(1889) = 23952 * 23828 in Q0.30 (0.532), then times 2**-30 / (scale of the output)
"""

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.extras import INTERMEDIATES
from tosa_converter.ir import Array, Quant
from tosa_converter.legalize.ops.recurrent import SequenceResult
from tosa_converter.legalize.quant import fixed_point
from tosa_converter.legalize.quant.elements import Affine, affine, as_reference, has_int16, per_tensor, target_avoids
from tosa_converter.legalize.quant.multipliers import Multiplier, exact_log2, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, divide_by_power, requantize_to, requantize_to_i32
from tosa_converter.legalize.quant.tables import VALUES, interpolate_table, lut_lookup, table_of_results
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.recurrent.gates import (
    LstmOptions,
    full_kernel,
    gate_biases,
    initial_states,
    layer_norm_key,
    peephole_key,
    with_states,
)
from tosa_converter.legalize.tflite.recurrent.integer_norm import IntegerNorm, normalize_gates
from tosa_converter.legalize.tflite.recurrent.products import columns, integer_product
from tosa_converter.legalize.tflite.recurrent.sequence import run_sequence, time_major
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum, scalar
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, gather, interned, matmul, reduce_sum, rescale
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition

F32 = np.float32
HALF = 1 << 15  # of the values of 16 bits
GATE_BITS, GATE_SCALE = 3, F32(2.0**-12)  # sums of a gate are Q3.12
TABLE_ZEROS = {"input": HALF, "forget": HALF, "cell": 3 * HALF, "output": HALF}  # indices of sums of 0
HIDDEN = 4  # index of the intermediate tensor before a projection
NARROW_PEEPHOLE = (
    "LiteRT's kernel reads and writes past its arrays, because peepholes have fewer cells than there are outputs"
)


class GateGroup(NamedTuple):
    """Gates whose sums go through one GATHER or TABLE.

    Attributes:
        gates: their names. An output gate with a peephole is a group of its own; with TABLEs, each function has one.
        after_update: whether they see the cell state after the step, not before it.
        table_zeros: their indices of sums of 0; None with TABLEs.
        peephole: weights of the cell state, and the multiplier of its products.
        norm: layer normalization.
    """

    gates: Sequence[str]
    after_update: bool
    table_zeros: Expr | None
    peephole: tuple[Expr, Multiplier] | None
    norm: IntegerNorm | None


class Projection(NamedTuple):
    """From the hidden state to the output."""

    weight: Expr
    bias: Expr
    multiplier: Multiplier
    clip: int


class IntegerCell(NamedTuple):
    """Weights, quantization and tables that the steps share.

    Attributes:
        groups: the gates, in the order of their sums.
        recurrent_weight: the gates' weights of the output state, side by side.
        recurrent_multiplier: from products with them to the gates' sums, for each column.
        output: quantization of the output state, which is also that of a step's output.
        state_exponent: the scale of the cell state is 2 to it.
        cell_clip: the bound of the cell state, 0 for none.
        hidden: quantization before the projection, or of the output.
        projection: None for none.
        gate_table: sigmoid and tanh of all sums.
        tanh_table: tanh of all cell states.
        tanh_zero: its index of a cell state of 0.
        table_points: 513 points for TABLE by gate and "state" in place of both tables, or empty.
    """

    groups: Sequence[GateGroup]
    recurrent_weight: Expr
    recurrent_multiplier: Multiplier
    output: Affine
    state_exponent: int
    cell_clip: int
    hidden: Affine
    projection: Projection | None
    gate_table: Expr
    tanh_table: Expr
    tanh_zero: int
    table_points: Mapping[str, Array]

    def step(self, match: Match, inputs: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        """Returns the output state and the cell state after a step; `inputs` are i32 [1,batch,gates * cells]."""
        output, state = states
        products = integer_product(match, output, self.recurrent_weight, self.output.zero_point)
        peak = WIDTHS[DType.I8].magnitude * 128 * output.shape[2]
        products = requantize_to_i32(match, products, self.recurrent_multiplier, peak=peak)
        sums, cells, start = None if self.table_points else inputs + products, state.shape[2], 0
        gates: dict[str, Expr] = {}
        for group in self.groups:
            if group.after_update:
                state = self.update_state(match, state, gates)
            width = cells * len(group.gates)
            if sums is None:  # an ADD for each TABLE, so that hardware can fuse the two
                group_sums = inputs.part(2, start, width) + products.part(2, start, width)
            else:
                group_sums = sums.part(2, start, width)
            values = self.open_gates(group, self.finish_sums(match, group, group_sums, state))
            gates.update({gate: values.part(2, i * cells, cells) for i, gate in enumerate(group.gates)})
            start += width
        if not self.groups[-1].after_update:
            state = self.update_state(match, state, gates)
        return self.output_of(match, gates["output"] * self.state_tanh(state)), state

    def open_gates(self, group: GateGroup, sums: Expr) -> Expr:
        """Returns the gates of a group, i16 in Q0.15, from indices into the table, or sums with TABLEs."""
        if not self.table_points:
            return look_up(self.gate_table, sums)
        return interpolate_table(rescale(sums, DType.I16, *TIMES_ONE), self.table_points[group.gates[0]], DType.I16)

    def state_tanh(self, state: Expr) -> Expr:
        """Returns the tanh of the cell state, i16 in Q0.15."""
        if self.table_points:
            return interpolate_table(state, self.table_points["state"], DType.I16)
        return look_up(self.tanh_table, state.cast(DType.I32) + self.tanh_zero)

    def finish_sums(self, match: Match, group: GateGroup, sums: Expr, state: Expr) -> Expr:
        """Returns a group's sums with its peephole, normalized, as indices into the table.

        With TABLEs they are sums, and without layer normalization may leave 16 bits: the RESCALE before TABLE
        saturates.
        """
        zeros = None if group.norm else group.table_zeros
        if group.peephole is not None:
            weight, multiplier = group.peephole
            products = state.tile((1, 1, len(group.gates))) * weight
            sums = saturate_to_16_bits(sums, zeros) + requantize_to_i32(match, products, multiplier, peak=1 << 30)
        if group.norm is None:
            return sums if self.table_points else saturate_to_16_bits(sums, zeros)
        sums = normalize_gates(match, saturate_to_16_bits(sums, zeros), group.norm)
        return sums if group.table_zeros is None else sums + group.table_zeros

    def update_state(self, match: Match, state: Expr, gates: Mapping[str, Expr]) -> Expr:
        """Returns the cell state after a step in i16 (UpdateLstmCellInteger)."""
        forget, candidate = gates["forget"], gates["cell"]
        if "input" in gates:
            update = gates["input"] * candidate
        else:
            update = candidate * (HALF - 1) - forget * candidate
        remembered = self.scale_down(forget * state, 15)
        total = remembered + self.scale_down(update, 30 + self.state_exponent)
        if not has_int16(match):  # CLAMP of i16 needs EXT-INT16
            return rescale(clip(total, self.cell_clip), DType.I16, *TIMES_ONE)
        return clip(rescale(total, DType.I16, *TIMES_ONE), self.cell_clip)

    def scale_down(self, x: Expr, exponent: int) -> Expr:
        """Returns x / 2**exponent in i32; with TABLEs ties round up, as a shift that hardware fuses does."""
        if not self.table_points:
            return divide_by_power(x, exponent)
        return rescale(x, DType.I32, [1 << 30], [30 + exponent]) if exponent else x

    def output_of(self, match: Match, hidden: Expr) -> Expr:
        """Returns the output of a step (CalculateLstmOutputInteger8x8_16); `hidden` is i32 in Q0.30."""
        zero_point = self.hidden.zero_point
        multiplier = quantize_multiplier(float(F32(2.0**-15 / float(self.hidden.scale) * 2.0**-15)))
        if self.projection is None:
            return requantize_to(match, hidden, multiplier, zero_point, peak=1 << 30)
        weight, bias, projection_multiplier, bound = self.projection
        if zero_point == -128:  # -zero_point isn't a zero point of int8
            wide = requantize_to_i32(match, hidden, multiplier, peak=1 << 30)
            hidden = rescale(wide + 128, DType.I8, *TIMES_ONE)
        else:
            hidden = requantize_to(match, hidden, multiplier, -zero_point, peak=1 << 30)
        sums = matmul(hidden, weight) + bias
        peak = largest_sum(128 * 128 * hidden.shape[2], bias)
        return clip(requantize_to(match, sums, projection_multiplier, self.output.zero_point, peak=peak), bound)


def look_up(table: Expr, indices: Expr) -> Expr:
    """Returns the entries of a table [1,entries,1] at indices of any shape."""
    return gather(table, indices.reshape((1, indices.size))).reshape(indices.shape)


def largest_sum(peak: int, bias: Expr) -> int:
    """Returns the largest magnitude of a sum of up to `peak` and a bias; 2**31 if the bias isn't constant."""
    return 1 << 31 if bias.constant is None else peak + int(np.abs(bias.constant.astype(np.int64)).max())


def saturate_to_16_bits(x: Expr, zeros: Expr | None) -> Expr:
    """Returns sums within [-2**15, 2**15) of their zeros; None for zeros of 0."""
    zeros = scalar(0, x) if zeros is None else zeros
    low, high = zeros - HALF, zeros + (HALF - 1)
    return minimum(maximum(x, low), high)


def clip(x: Expr, bound: int) -> Expr:
    """Returns x within [-bound, bound]; a bound of 0 is none (CwiseClipping of integers)."""
    return clamp(x, -bound, bound) if bound > 0 else x


# ** parameters of the cell **


def direction(match: Match, x: Expr) -> SequenceResult:
    """Runs the steps of an int8 input [time,batch,size]."""
    biases = ordered_biases(match)
    time, batch, size = x.shape
    quant, cell = affine(match, "input"), read_cell(match, biases, batch)
    weight = columns([match[f"input_to_{gate}_weights"] for gate in biases])
    sums = integer_product(match, x.reshape((1, time * batch, size)), weight, quant.zero_point)
    peak = WIDTHS[DType.I8].magnitude * 128 * size
    normalizes = cell.groups[0].norm is not None
    if not normalizes:
        bias = concat([match[key] for key in biases.values()], 0)
        sums = sums + bias.reshape((1, 1, bias.size))
        peak = largest_sum(peak, bias)
    multiplier = gate_multipliers(match, "input", biases, quant.scale)
    sums = requantize_to(match, sums, multiplier, 0, peak=peak, dtype=DType.I16).cast(DType.I32)
    zeros = [group.table_zeros for group in cell.groups if group.table_zeros is not None]
    if not normalizes and zeros:
        sums = sums + concat(zeros, 2)
    sums = sums.reshape((time, batch, sums.shape[2]))
    return run_sequence(match, sums, initial_states(match, "", batch), functools.partial(cell.step, match))


def read_cell(match: Match, biases: Mapping[str, str], batch: int) -> IntegerCell:
    """Returns everything about the cell that doesn't depend on the step.

    Raises:
        Decline: the cell state has a scale that LiteRT has no tanh for.
    """
    options, output = match.attributes(LstmOptions), affine(match, "input_activation_state")
    state_scale = affine(match, "input_cell_state").scale
    exponent = exact_log2(state_scale)
    if exponent is None or not -15 <= exponent <= -9:
        raise Decline(
            "expected a cell state whose scale is a power of two in [2^-15, 2^-9], for which LiteRT's kernel has a "
            f"tanh, found {state_scale:.6g}"
        )
    hidden = per_tensor(intermediate_quant(match, HIDDEN), False)
    state_bits = 15 + exponent
    return IntegerCell(
        [read_group(match, gates, batch, exponent) for gates in group_gates(match, biases)],
        columns([match[f"recurrent_to_{gate}_weights"] for gate in biases]),
        gate_multipliers(match, "recurrent", biases, output.scale),
        output,
        exponent,
        quantized_clip(options.cell_clip, state_scale, DType.I16),
        hidden,
        read_projection(match, hidden, output),
        interned(gate_table(), DType.I16),
        interned(gate_table() if state_bits == GATE_BITS else tanh_table(state_bits), DType.I16),
        TABLE_ZEROS["cell"] if state_bits == GATE_BITS else HALF,
        table_points(match, biases, state_bits) if uses_tables(match) else {},
    )


def uses_tables(match: Match) -> bool:
    """Returns whether functions are TABLEs, not GATHERs."""
    return target_avoids(match, "GATHER") and match.options.numerics == "compact"


def ordered_biases(match: Match) -> dict[str, str]:
    """Returns the names of the gates' biases in the order of the gates' sums: gates of one TABLE lie side by side."""
    biases = gate_biases(match, "")
    if uses_tables(match) and peephole_key(match, "", "output") is None:
        biases["cell"] = biases.pop("cell")
    return biases


def group_gates(match: Match, gates: Iterable[str]) -> list[list[str]]:
    """Returns the gates that are opened at once."""
    if peephole_key(match, "", "output") is None:
        groups = [list(gates)]
    else:
        groups = [[gate for gate in gates if gate != "output"], ["output"]]
    if not uses_tables(match):
        return groups
    return [list(run) for group in groups for _, run in itertools.groupby(group, lambda gate: gate == "cell")]


def read_group(match: Match, gates: Sequence[str], batch: int, exponent: int) -> GateGroup:
    """Returns the parameters of gates side by side."""
    cells = match["input_to_output_weights"].shape[0]
    zeros = np.repeat([TABLE_ZEROS[gate] for gate in gates], cells).reshape(1, 1, -1)
    has_peephole = any(peephole_key(match, "", gate) for gate in gates)
    return GateGroup(
        gates,
        list(gates) == ["output"] and peephole_key(match, "", "output") is not None,
        None if uses_tables(match) else const(zeros, DType.I32),
        read_peepholes(match, gates, cells, batch, exponent) if has_peephole else None,
        read_norm(match, gates, cells) if layer_norm_key(match, "", "forget") else None,
    )


def read_peepholes(
    match: Match, gates: Sequence[str], cells: int, batch: int, exponent: int
) -> tuple[Expr, Multiplier]:
    """Returns weights of the cell state [1,rows,gates * cells], 0 for the cell gate, and their multiplier."""
    weights, scales = [], []
    for gate in gates:
        key = peephole_key(match, "", gate)
        zero = const(np.zeros((1, 1, cells), np.int16), DType.I16)
        weights.append(zero if key is None else peephole_weight(match, key, batch))
        scale = F32(1) if key is None else affine(match, key).scale
        scales.append(F32(2.0**exponent * float(scale) / float(gate_scale(match, gate))))
    rows = max(weight.shape[1] for weight in weights)
    weight = concat([weight.broadcast((1, rows, cells)) for weight in weights], 2)
    return weight, quantize_multiplier(np.repeat(scales, cells))


def peephole_weight(match: Match, key: str, batch: int) -> Expr:
    """Returns the weights with which a gate sees the cell state, [1,batch or 1,cells].

    The kernel multiplies as many cells as there are outputs, in the order of the memory of all batches (its v_size is
    n_output). With 3 cells, 2 outputs and 2 batches, the weights [a, b, c] are [a, b, a], [b, 0, 0].
    """
    weight = match[key]
    cells, outputs = weight.shape[0], match["recurrent_to_output_weights"].shape[1]
    if outputs > cells:
        match.note(NARROW_PEEPHOLE)
    if outputs >= cells:
        return weight.reshape((1, 1, cells))
    rows = batch if match.attributes(LstmOptions).time_major else 1
    flat = weight.part(0, 0, outputs).tile((rows,))
    return flat.pad([(0, rows * (cells - outputs))]).reshape((1, rows, cells))


def read_norm(match: Match, gates: Sequence[str], cells: int) -> IntegerNorm:
    """Returns the layer normalization of gates side by side."""
    biases = gate_biases(match, "")
    keys = [f"{gate}_layer_norm_coefficients" for gate in gates]
    scales = [affine(match, key).scale for key in keys]
    shape = (1, len(gates), cells)
    m, shift = quantize_multiplier(np.repeat(scales, cells))
    return IntegerNorm(
        concat([match[key].cast(DType.I32) for key in keys], 0).reshape(shape),
        concat([match[biases[gate]] for gate in gates], 0).reshape(shape),
        const([[[max(1, int(F32(10000) * scale))] for scale in scales]], DType.I32),
        Multiplier(m, np.where(m == 0, 0, shift + 12)),
    )


def read_projection(match: Match, hidden: Affine, output: Affine) -> Projection | None:
    """Returns the projection; the weights' sums times the hidden state's zero point are in the bias."""
    if not match.has("projection_weights"):
        return None
    weight = columns([match["projection_weights"]])
    bias = reduce_sum(weight.cast(DType.I32), 1) * hidden.zero_point
    if match.has("projection_bias"):
        bias = bias + match["projection_bias"]
    scale = affine(match, "projection_weights").scale * hidden.scale / output.scale
    result_scale = per_tensor(match.result_quant, False).scale
    bound = quantized_clip(match.attributes(LstmOptions).proj_clip, result_scale, DType.I8)
    return Projection(weight, bias, quantize_multiplier(float(scale)), bound)


def gate_multipliers(match: Match, source: str, gates: Iterable[str], scale: np.float32) -> Multiplier:
    """Returns the multipliers from products with `{source}_to_{gate}_weights` to sums, for each cell of each gate."""
    keys = {gate: f"{source}_to_{gate}_weights" for gate in gates}
    ratios = [affine(match, key).scale * scale / gate_scale(match, gate) for gate, key in keys.items()]
    return quantize_multiplier(np.repeat(ratios, match[f"{source}_to_output_weights"].shape[0]))


def gate_scale(match: Match, gate: str) -> np.float32:
    """Returns the scale of a gate's sums: before layer normalization, that of an intermediate tensor."""
    if not layer_norm_key(match, "", "forget"):
        return GATE_SCALE
    return per_tensor(intermediate_quant(match, list(TABLE_ZEROS).index(gate)), False, DType.I16).scale


def intermediate_quant(match: Match, index: int) -> Quant:
    """Returns the quantization of an intermediate tensor.

    Raises:
        Decline: it has none.
    """
    quants: Sequence[Quant | None] = match.op.attributes[INTERMEDIATES]
    quant = quants[index]
    if quant is None:
        raise Decline(f"expected quantization parameters of intermediate tensor {index}, found none")
    return quant


def quantized_clip(real: float, scale: np.float32, dtype: DType) -> int:
    """Returns a bound as an integer, truncated as in the kernel; 0 for none."""
    low, high = dtype.limits
    return int(min(max(F32(real) / scale, F32(low)), F32(high))) if real > 0 else 0


# ** tables **


@functools.cache
def gate_table() -> Array:
    """Returns the sigmoid, then the tanh of all sums, [1,entries,1]."""
    functions = [fixed_point.logistic(VALUES, GATE_BITS), fixed_point.tanh(VALUES, GATE_BITS)]
    return np.concatenate(functions).astype(np.int16).reshape(1, -1, 1)


@functools.cache
def tanh_table(bits: int) -> Array:
    """Returns the tanh of all values of 16 bits, `bits` of which are before the point, [1,entries,1]."""
    return fixed_point.tanh(VALUES, bits).astype(np.int16).reshape(1, -1, 1)


def table_points(match: Match, gates: Iterable[str], state_bits: int) -> dict[str, Array]:
    """Returns 513 points of each gate's function and of the cell state's tanh; a note has the largest difference."""
    sigmoid, tanh = gate_table().reshape(2, -1)
    functions = {gate: tanh if gate == "cell" else sigmoid for gate in gates}
    functions["state"] = tanh_table(state_bits).reshape(-1)
    results = {name: table_of_results(values) for name, values in functions.items()}
    differences = [np.abs(lut_lookup(results[name]) - values.astype(np.int32)) for name, values in functions.items()]
    largest = int(np.max(differences))
    match.note(
        f"gates are interpolated between 513 points: gates may differ by {largest} "
        "of 32768, cell states at ties by 1 step"
    )
    return results


# ** operators **


def unidirectional(match: Match) -> Sequence[Expr]:
    """Lowers UNIDIRECTIONAL_SEQUENCE_LSTM of int8: products of all inputs at once, then the cell step by step."""
    options = match.attributes(LstmOptions)
    result = direction(match, time_major(match["input"], options))
    return with_states(match, [time_major(result.outputs, options)], {"": result})


def one_step(match: Match) -> Sequence[Expr]:
    """Lowers LSTM to a sequence of one step."""
    x = match["input"]
    result = direction(match, x.reshape((1, *x.shape)))
    return with_states(match, [result.outputs.reshape(result.outputs.shape[1:])], {"": result})


@condition("sums are of 16 bits")
def wide_sums(match: Match) -> str | None:
    """Declines the kernel with sums of 8 bits, which has twelve intermediate tensors."""
    narrow = len(match.op.attributes[INTERMEDIATES]) != HIDDEN + 1
    return (
        "expected sums of 16 bits (5 intermediate tensors), found sums of 8 bits, "
        "whose fp32 rounding TOSA can't reproduce"
        if narrow
        else None
    )


CHECKS = (full_kernel, wide_sums, as_reference)
WEIGHTED = ("input", "input_to_output_weights")
RULES: tuple[Rule, ...] = (
    Rule("tfl.unidirectional_sequence_lstm", "i8*i8", unidirectional, CHECKS, of=WEIGHTED),
    Rule("tfl.lstm", "i8*i8", one_step, CHECKS, of=WEIGHTED),
)
