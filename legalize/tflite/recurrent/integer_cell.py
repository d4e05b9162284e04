"""The cell of an LSTM in int8 with sums of 16 bits: its parameters and one step (LstmStepInteger8x8_16, lstm_eval.cc).

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
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant import fixed_point
from tosa_converter.legalize.quant.elements import Affine, has_int16
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, divide_by_power, requantize_to, requantize_to_i32
from tosa_converter.legalize.quant.tables import VALUES, interpolate_table
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.recurrent.gates import clip
from tosa_converter.legalize.tflite.recurrent.integer_norm import IntegerNorm, normalize_gates
from tosa_converter.legalize.tflite.recurrent.products import integer_product
from tosa_converter.rewriting.expr import Expr, maximum, minimum, scalar
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather, matmul, rescale

HALF = 1 << 15  # of the values of 16 bits
GATE_BITS = 3  # before the point of a gate's sums, which are in Q3.12
TABLE_ZEROS = {"input": HALF, "forget": HALF, "cell": 3 * HALF, "output": HALF}  # indices of sums of 0


class GateGroup(NamedTuple):
    """Gates of an int8 LSTM whose functions are looked up together, by one GATHER or TABLE.

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
    """Weights and quantization of the projection from an LSTM's hidden state to its output."""

    weight: Expr
    bias: Expr
    multiplier: Multiplier
    clip: int


class IntegerCell(NamedTuple):
    """Weights, quantization and tables of an int8 LSTM that all its steps share.

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
        """Computes one time step of an int8 LSTM; returns the output state (int8) and the cell state (int16).

        `inputs` are the input's part of all gates' sums, i32 [1,batch,gates * cells]. Without layer normalization they
        are indices into the gate table, unless TABLEs replace that. A group with `after_update`, an output gate with a
        peephole, sees the new cell state.
        """
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
            values = self.activate_gates(group, self.complete_gate_sums(match, group, group_sums, state))
            gates.update({gate: values.part(2, i * cells, cells) for i, gate in enumerate(group.gates)})
            start += width
        if not self.groups[-1].after_update:
            state = self.update_state(match, state, gates)
        return self.compute_output(match, gates["output"] * self.state_tanh(state)), state

    def activate_gates(self, group: GateGroup, sums: Expr) -> Expr:
        """Returns a group's gates after sigmoid or tanh, i16 in Q0.15.

        `sums` are what `complete_gate_sums` returns: indices into `gate_table`, or the sums themselves if TABLEs
        interpolate between `table_points`.
        """
        if not self.table_points:
            return look_up(self.gate_table, sums)
        return interpolate_table(rescale(sums, DType.I16, *TIMES_ONE), self.table_points[group.gates[0]], DType.I16)

    def state_tanh(self, state: Expr) -> Expr:
        """Returns the tanh of an int8 LSTM's cell state (i16), in Q0.15.

        TABLEs interpolate it, or else GATHER looks it up.
        """
        if self.table_points:
            return interpolate_table(state, self.table_points["state"], DType.I16)
        return look_up(self.tanh_table, state.cast(DType.I32) + self.tanh_zero)

    def complete_gate_sums(self, match: Match, group: GateGroup, sums: Expr, state: Expr) -> Expr:
        """Returns a group's sums as `activate_gates` takes them: with peephole, normalized, saturated to 16 bits.

        They are indices into the gate table, or with TABLEs the sums themselves. Sums for TABLEs that aren't normalized
        stay unsaturated, because the RESCALE in front of TABLE saturates.
        """
        zeros = None if group.norm else group.table_zeros
        # The kernel keeps sums in 16 bits, so they saturate before the peephole's products are added and after it.
        if group.peephole is not None:
            weight, multiplier = group.peephole
            # |state| and |weight| are at most 2**15, so a product is at most 2**30.
            products = state.tile((1, 1, len(group.gates))) * weight
            sums = saturate_to_16_bits(sums, zeros) + requantize_to_i32(match, products, multiplier, peak=1 << 30)
        if group.norm is None:
            return sums if self.table_points else saturate_to_16_bits(sums, zeros)
        sums = normalize_gates(match, saturate_to_16_bits(sums, zeros), group.norm)
        return sums if group.table_zeros is None else sums + group.table_zeros

    def update_state(self, match: Match, state: Expr, gates: Mapping[str, Expr]) -> Expr:
        """Returns an int8 LSTM's next cell state, forget * state + input * cell, in i16 (UpdateLstmCellInteger)."""
        # Gates are at most 32767 and states 2**15, so a product is below 2**30, and one of both gates too. Divided by
        # 2**15 or more (30 plus an exponent of at least -15) each is at most 2**15: their sum is far below 2**31.
        # Coupled, the input gate is 32767 - forget: candidate * 32767 - forget * candidate has the candidate's sign and
        # is no larger than its first part.
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
        """Returns x / 2**exponent in i32, ties away from zero.

        With TABLEs ties go up, as shifts do that hardware fuses.
        """
        if not self.table_points:
            return divide_by_power(x, exponent)
        return rescale(x, DType.I32, [1 << 30], [30 + exponent]) if exponent else x

    def compute_output(self, match: Match, hidden: Expr) -> Expr:
        """Returns an int8 LSTM's output of a step from its hidden state (CalculateLstmOutputInteger8x8_16).

        The hidden state is i32 in Q0.30. A projection multiplies the hidden state, quantized to int8 with the negated
        zero point as in the kernel, with its weights; `read_projection` explains the zero point.
        """
        # Example: 0.5315 is 570728256 in Q0.30. To a scale of 2**-7 the multiplier is 2**-15 / 2**-7 * 2**-15 = 2**-23,
        # which makes 68.04, so 68. A product of gate and tanh is at most 32767**2 < 2**30.
        zero_point = self.hidden.zero_point
        multiplier = quantize_multiplier(float(np.float32(2.0**-15 / float(self.hidden.scale) * 2.0**-15)))
        if self.projection is None:
            return requantize_to(match, hidden, multiplier, zero_point, peak=1 << 30)
        weight, bias, projection_multiplier, bound = self.projection
        if zero_point == -128:  # 128 is no zero point of int8: it is added in i32, and RESCALE saturates the sum
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
    """Returns a bound of |sum + bias| for sums of up to `peak`; 2**31 if the bias isn't constant."""
    return 1 << 31 if bias.constant is None else peak + int(np.abs(bias.constant.astype(np.int64)).max())


def saturate_to_16_bits(x: Expr, zeros: Expr | None) -> Expr:
    """Returns x clamped to [zeros - 2**15, zeros + 2**15 - 1]: 16-bit sums as indices into the gate table.

    `zeros` are the table's indices of sums of 0. None stands for 0: then x are the sums themselves.
    """
    zeros = scalar(0, x) if zeros is None else zeros
    low, high = zeros - HALF, zeros + (HALF - 1)
    return minimum(maximum(x, low), high)


@functools.cache
def gate_table() -> Array:
    """Returns the sigmoid of all 16-bit gate sums in Q3.12, then their tanh, in Q0.15: [1,entries,1]."""
    functions = [fixed_point.logistic(VALUES, GATE_BITS), fixed_point.tanh(VALUES, GATE_BITS)]
    return np.concatenate(functions).astype(np.int16).reshape(1, -1, 1)


@functools.cache
def tanh_table(bits: int) -> Array:
    """Returns the tanh of all 16-bit values in Q0.15, [1,entries,1]; a value has `bits` integer bits."""
    return fixed_point.tanh(VALUES, bits).astype(np.int16).reshape(1, -1, 1)
