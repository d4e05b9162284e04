"""LSTM in int8 with sums of 16 bits: the operators, and the parameters of their cell (`integer_cell`).

Multipliers and bounds are those of PopulateQuantizedLstmParams8x8_16 (unidirectional_sequence_lstm.cc, lstm.cc).
"""

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.extras import INTERMEDIATES
from tosa_converter.ir import Array, Quant
from tosa_converter.legalize.ops.recurrent import SequenceResult
from tosa_converter.legalize.quant.elements import Affine, affine, as_reference, per_tensor, target_avoids
from tosa_converter.legalize.quant.multipliers import Multiplier, exact_log2, quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantize_to
from tosa_converter.legalize.quant.tables import lut_lookup, table_of_results
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
from tosa_converter.legalize.tflite.recurrent.integer_cell import (
    GATE_BITS,
    HALF,
    TABLE_ZEROS,
    GateGroup,
    IntegerCell,
    Projection,
    gate_table,
    largest_sum,
    tanh_table,
)
from tosa_converter.legalize.tflite.recurrent.integer_norm import IntegerNorm
from tosa_converter.legalize.tflite.recurrent.products import integer_product, join_weight_columns
from tosa_converter.legalize.tflite.recurrent.sequence import run_sequence, time_major
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, interned_constant, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition

F32 = np.float32
GATE_SCALE = F32(2.0**-12)  # of a gate's sums without layer normalization: Q3.12
HIDDEN = 4  # index of the intermediate tensor before a projection
NARROW_PEEPHOLE = (
    "LiteRT's kernel reads and writes past its arrays, because peepholes have fewer cells than there are outputs"
)


# ** parameters of the cell **


def run_direction(match: Match, x: Expr) -> SequenceResult:
    """Runs an int8 LSTM over an input [time,batch,size]; returns all outputs and the last states.

    The products of all inputs with the weights are computed at once, before the first step. Without layer
    normalization, the biases are added too, and the sums become indices into the gate table, unless TABLEs replace
    that.
    """
    bias_keys = ordered_biases(match)
    time, batch, size = x.shape
    quant, cell = affine(match, "input"), read_cell(match, bias_keys, batch)
    weight = join_weight_columns([match[f"input_to_{gate}_weights"] for gate in bias_keys])
    sums = integer_product(match, x.reshape((1, time * batch, size)), weight, quant.zero_point)
    peak = WIDTHS[DType.I8].magnitude * 128 * size  # |x - zero point| is at most 255, |weight| at most 128
    normalizes = cell.groups[0].norm is not None
    if not normalizes:
        bias = concat([match[key] for key in bias_keys.values()], 0)
        sums = sums + bias.reshape((1, 1, bias.size))
        peak = largest_sum(peak, bias)
    multiplier = gate_multipliers(match, "input", bias_keys, quant.scale)
    sums = requantize_to(match, sums, multiplier, 0, peak=peak, dtype=DType.I16).cast(DType.I32)
    zeros = [group.table_zeros for group in cell.groups if group.table_zeros is not None]
    if not normalizes and zeros:
        sums = sums + concat(zeros, 2)
    sums = sums.reshape((time, batch, sums.shape[2]))
    return run_sequence(match, sums, initial_states(match, "", batch), functools.partial(cell.step, match))


def read_cell(match: Match, bias_keys: Mapping[str, str], batch: int) -> IntegerCell:
    """Returns the weights, quantization and tables of an int8 LSTM, which all its steps share.

    Args:
        match: the operator.
        bias_keys: the operand name of each gate's bias, by gate, in the order of the gates' sums.
        batch: the number of sequences.

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
    hidden = per_tensor(intermediate_quant(match, HIDDEN), unsigned=False)
    state_bits = 15 + exponent  # before the point; with GATE_BITS of them, the gate table has the state's tanh
    return IntegerCell(
        groups=[read_group(match, gates, batch, exponent) for gates in group_gates(match, bias_keys)],
        recurrent_weight=join_weight_columns([match[f"recurrent_to_{gate}_weights"] for gate in bias_keys]),
        recurrent_multiplier=gate_multipliers(match, "recurrent", bias_keys, output.scale),
        output=output,
        state_exponent=exponent,
        cell_clip=quantized_clip(options.cell_clip, state_scale, DType.I16),
        hidden=hidden,
        projection=read_projection(match, hidden, output),
        gate_table=interned_constant(gate_table(), DType.I16),
        tanh_table=interned_constant(gate_table() if state_bits == GATE_BITS else tanh_table(state_bits), DType.I16),
        tanh_zero=TABLE_ZEROS["cell"] if state_bits == GATE_BITS else HALF,
        table_points=table_points(match, bias_keys, state_bits) if uses_tables(match) else {},
    )


def uses_tables(match: Match) -> bool:
    """Returns whether an int8 LSTM's functions become TABLEs: the target avoids GATHER and numerics are compact."""
    return target_avoids(match, "GATHER") and match.options.numerics == "compact"


def ordered_biases(match: Match) -> dict[str, str]:
    """Maps an int8 LSTM's gates to the operand names of their biases, in the order that the gates have in all sums.

    With TABLEs, "cell" comes last if all gates are computed together: the other gates are sigmoid and so are adjacent,
    and one TABLE looks them up.
    """
    biases = gate_biases(match, "")
    if uses_tables(match) and peephole_key(match, "", "output") is None:
        biases["cell"] = biases.pop("cell")
    return biases


def group_gates(match: Match, gates: Iterable[str]) -> list[list[str]]:
    """Returns an LSTM's gates in groups that are computed together: each group is one GATHER of sigmoid and tanh.

    With peepholes the output gate has a later group, as it sees the new cell state. A TABLE has one function, so with
    TABLEs the tanh of "cell" has a group of its own.
    """
    if peephole_key(match, "", "output") is None:
        groups = [list(gates)]
    else:
        groups = [[gate for gate in gates if gate != "output"], ["output"]]
    if not uses_tables(match):
        return groups
    return [list(run) for group in groups for _, run in itertools.groupby(group, lambda gate: gate == "cell")]


def read_group(match: Match, gates: Sequence[str], batch: int, exponent: int) -> GateGroup:
    """Returns the parameters of one group of an int8 LSTM's gates, as `group_gates` forms them.

    The scale of the cell state is 2**exponent.
    """
    cells = match["input_to_output_weights"].shape[0]
    zeros = np.repeat([TABLE_ZEROS[gate] for gate in gates], cells).reshape(1, 1, -1)
    has_peephole = any(peephole_key(match, "", gate) for gate in gates)
    return GateGroup(
        gates=gates,
        # An output gate with a peephole is a group of its own, which sees the cell state after the step.
        after_update=list(gates) == ["output"] and peephole_key(match, "", "output") is not None,
        table_zeros=None if uses_tables(match) else const(zeros, DType.I32),
        peephole=read_peepholes(match, gates, cells, batch, exponent) if has_peephole else None,
        norm=read_norm(match, gates, cells) if layer_norm_key(match, "", "forget") else None,
    )


def read_peepholes(
    match: Match, gates: Sequence[str], cells: int, batch: int, exponent: int
) -> tuple[Expr, Multiplier]:
    """Returns the peephole weights [1,rows,gates * cells] of an int8 LSTM's gates, and their multipliers.

    Weights are 0 where a gate has none. The scale of the cell state is 2**exponent.
    """
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
    """Returns a gate's peephole weights as LiteRT's kernel applies them, [1,batch or 1,cells].

    With fewer outputs than cells, the kernel multiplies too few cells: as many as there are outputs, counted through
    the memory of all batches (its v_size is n_output). With 3 cells, 2 outputs and 2 batches, the weights [a, b, c]
    become [a, b, a], [b, 0, 0].
    """
    weight = match[key]
    cells, outputs = weight.shape[0], match["recurrent_to_output_weights"].shape[1]
    if outputs > cells:
        match.note(NARROW_PEEPHOLE)
    if outputs >= cells:
        return weight.reshape((1, 1, cells))
    # Unless time is first, the kernel runs each sequence on its own, and the count begins anew.
    rows = batch if match.attributes(LstmOptions).time_major else 1
    flat = weight.part(0, 0, outputs).tile((rows,))
    return flat.pad([(0, rows * (cells - outputs))]).reshape((1, rows, cells))


def read_norm(match: Match, gates: Sequence[str], cells: int) -> IntegerNorm:
    """Returns the layer normalization of gates of an int8 LSTM.

    Their sums are side by side, `cells` columns for each gate.
    """
    biases = gate_biases(match, "")  # an LSTM in one direction has no prefix
    keys = [f"{gate}_layer_norm_coefficients" for gate in gates]
    scales = [affine(match, key).scale for key in keys]
    shape = (1, len(gates), cells)
    # The norm is in Q21.10 times a coefficient and rounded by 10 bits: the multiplier takes the scale of the
    # coefficients to Q3.12, 12 bits more. A variance of 0 becomes 10000 * scale, at least 1: 10 for a scale of 0.001.
    m, shift = quantize_multiplier(np.repeat(scales, cells))
    return IntegerNorm(
        coefficients=concat([match[key].cast(DType.I32) for key in keys], 0).reshape(shape),
        bias=concat([match[biases[gate]] for gate in gates], 0).reshape(shape),
        variance_for_zero=const([[[max(1, int(F32(10000) * scale))] for scale in scales]], DType.I32),
        multiplier=Multiplier(m, np.where(m == 0, 0, shift + 12)),
    )


def read_projection(match: Match, hidden: Affine, output: Affine) -> Projection | None:
    """Returns an int8 LSTM's projection to its output, or None; its bias corrects for the hidden zero point."""
    if not match.has("projection_weights"):
        return None
    # `IntegerCell.compute_output` stores the hidden state h with the zero point -z, as LiteRT's kernel does, where z is
    # `hidden.zero_point`. Its reals are h + z steps: sum(w * (h + z)) = sum(w * h) + z * sum(w), the second part is in
    # the bias. With |z| and |w| of at most 2**7 it is at most 2**30 for 2**16 cells.
    weight = join_weight_columns([match["projection_weights"]])
    bias = reduce_sum(weight.cast(DType.I32), 1) * hidden.zero_point
    if match.has("projection_bias"):
        bias = bias + match["projection_bias"]
    scale = affine(match, "projection_weights").scale * hidden.scale / output.scale
    result_scale = per_tensor(match.result_quant, unsigned=False).scale
    bound = quantized_clip(match.attributes(LstmOptions).proj_clip, result_scale, DType.I8)
    return Projection(weight, bias, quantize_multiplier(float(scale)), bound)


def gate_multipliers(match: Match, source: str, gates: Iterable[str], scale: np.float32) -> Multiplier:
    """Returns the multipliers that scale products with the gates' weights to the gates' sums, one per gate and cell.

    `source` is what the weights multiply, "input" or "recurrent" as their names begin, and `scale` is its scale.
    """
    keys = {gate: f"{source}_to_{gate}_weights" for gate in gates}
    ratios = [affine(match, key).scale * scale / gate_scale(match, gate) for gate, key in keys.items()]
    return quantize_multiplier(np.repeat(ratios, match[f"{source}_to_output_weights"].shape[0]))


def gate_scale(match: Match, gate: str) -> np.float32:
    """Returns the scale of a gate's sums: 2**-12, or with layer normalization its intermediate tensor's."""
    # An LSTM normalizes all gates or none. Intermediate tensors 0 to 3 are of the gates as TABLE_ZEROS lists them.
    if not layer_norm_key(match, "", "forget"):
        return GATE_SCALE
    return per_tensor(intermediate_quant(match, list(TABLE_ZEROS).index(gate)), unsigned=False, dtype=DType.I16).scale


def intermediate_quant(match: Match, index: int) -> Quant:
    """Returns the quantization of an int8 LSTM's intermediate tensor `index`.

    Raises:
        Decline: it has none.
    """
    quants: Sequence[Quant | None] = match.op.attributes[INTERMEDIATES]
    quant = quants[index]
    if quant is None:
        raise Decline(f"expected quantization parameters of intermediate tensor {index}, found none")
    return quant


def quantized_clip(real: float, scale: np.float32, dtype: DType) -> int:
    """Returns an LSTM's clipping bound in steps of `scale`, truncated as in the kernel; 0 stands for no clipping."""
    low, high = dtype.limits
    return int(min(max(F32(real) / scale, F32(low)), F32(high))) if real > 0 else 0


# ** tables **


def table_points(match: Match, gates: Iterable[str], state_bits: int) -> dict[str, Array]:
    """Returns 513 TABLE points of each gate's sigmoid or tanh, and of the cell state's tanh as "state".

    A note has the largest difference from the exact tables.
    """
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
    result = run_direction(match, time_major(match["input"], options))
    return with_states(match, [time_major(result.outputs, options)], {"": result})


def one_step(match: Match) -> Sequence[Expr]:
    """Lowers int8 LSTM, which computes one time step, as a sequence of length 1."""
    x = match["input"]
    result = run_direction(match, x.reshape((1, *x.shape)))
    return with_states(match, [result.outputs.reshape(result.outputs.shape[1:])], {"": result})


@condition("sums are of 16 bits")
def wide_sums(match: Match) -> str | None:
    """Declines int8 LSTMs with 8-bit gate sums.

    They have twelve intermediate tensors; with 16-bit sums there are five, one for each gate and the hidden state.
    """
    has_8_bit_sums = len(match.op.attributes[INTERMEDIATES]) != HIDDEN + 1
    return (
        "expected sums of 16 bits (5 intermediate tensors), found sums of 8 bits, "
        "whose fp32 rounding TOSA can't reproduce"
        if has_8_bit_sums
        else None
    )


CHECKS = (full_kernel, wide_sums, as_reference)
WEIGHTED = ("input", "input_to_output_weights")
RULES: tuple[Rule, ...] = (
    Rule("tfl.unidirectional_sequence_lstm", "i8*i8", unidirectional, CHECKS, of=WEIGHTED),
    Rule("tfl.lstm", "i8*i8", one_step, CHECKS, of=WEIGHTED),
)
