"""LSTM's basic kernel: one step, all gates' weights in one operand (LstmCell, lstm_cell.h).

The operands are the input, the previous output, weights and biases, and the previous cell state; the results are the
output, the cell state, the input beside the previous output, and the sums of the gates.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import affine, as_reference, stored_elements, swap_signedness
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, divide_by_power, requantize_to_i32
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.recurrent.gates import basic_kernel
from tosa_converter.legalize.tflite.recurrent.integer_cell import TABLE_ZEROS, gate_table, largest_sum, look_up
from tosa_converter.legalize.tflite.recurrent.products import join_weight_columns
from tosa_converter.rewriting.expr import Expr, const, sigmoid, tanh
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, interned_constant, matmul, rescale
from tosa_converter.rewriting.rule import Rule

INPUT, OUTPUT, WEIGHTS, BIASES, STATE = range(5)
GATES = ("input", "cell", "forget", "output")
STATE_BITS = 4  # before the point of the integer cell state: the kernel has no other


def real(match: Match) -> Sequence[Expr]:
    """Lowers LSTM of floats with the basic kernel to MATMUL, SIGMOID, TANH and products."""
    joined = concat([match[INPUT], match[OUTPUT]], 1)
    sums = matmul(_as_batch(joined), join_weight_columns([match[WEIGHTS]]))
    sums = sums.reshape(sums.shape[1:]) + match[BIASES]
    update, candidate, forget, output = _split_gates(sums)
    candidate = sigmoid(update) * tanh(candidate)
    state = candidate + sigmoid(forget) * match[STATE]
    hidden = sigmoid(output) * tanh(state)
    return _collect_results(match, hidden, state, joined, sums)


def integer(match: Match) -> Sequence[Expr]:
    """Lowers LSTM of uint8 with the basic kernel to MATMUL, RESCALE, GATHERs of sigmoid and tanh, and products.

    Sums are in Q3.12, gates in Q0.15 and the cell state in Q4.11; each product rounds as gemmlowp's does. A real number
    is stored as uint8 in [-1, 1).
    """
    # Example, in reals: gates 0.731 (sigmoid of 1) and cell gate 0.762 (tanh of 1), cell state 0.5.
    #   sums Q3.12: 4096; gates Q0.15: 23952 and 24964; state Q4.11: 1024
    #   update * candidate = 23952 * 24964 / 2**15 = 18248, divided by 2**4: 1140.5, a tie, so 1141 in Q4.11 (0.557)
    #   forget * state = 23952 * 1024 / 2**15 = 749 (0.366); state = 1890 (0.923), which is 3780 in Q3.12
    #   hidden = output * tanh(3780) / 2**15 = 17423 (0.532), divided by 2**8: 68 in int8 with a scale of 2**-7
    joined = concat([match[INPUT], match[OUTPUT]], 1)
    weight, zero_point = join_weight_columns([stored_elements(match, WEIGHTS)]), affine(match, WEIGHTS).zero_point
    sums = matmul(_as_batch(swap_signedness(joined)), weight, b_zp=zero_point)
    multiplier = quantize_multiplier(float(np.float32(4096) * affine(match, BIASES).scale))
    sums = sums.reshape(sums.shape[1:])
    peak = largest_sum(WIDTHS[DType.I8].magnitude * 128 * weight.shape[1], match[BIASES])
    sums = _requantize_as_ruy(match, sums + match[BIASES], multiplier, peak)
    table = interned_constant(gate_table(), DType.I16)
    zeros = np.repeat([[TABLE_ZEROS[gate] for gate in GATES]], sums.shape[1] // len(GATES), axis=1)
    indices = sums.cast(DType.I32) + const(zeros, DType.I32)
    update, candidate, forget, output = _split_gates(look_up(table, indices))
    candidate = divide_by_power(_high_product(update, candidate), STATE_BITS)
    wide_state = candidate + _high_product(forget, match[STATE])
    state = rescale(wide_state, DType.I16, *TIMES_ONE)
    doubled = rescale(wide_state + wide_state, DType.I16, *TIMES_ONE)  # Q3.12, as the table has it
    indices = doubled.cast(DType.I32) + TABLE_ZEROS["cell"]
    hidden = divide_by_power(_high_product(output, look_up(table, indices)), 8)
    hidden = swap_signedness(rescale(hidden, DType.I8, *TIMES_ONE))
    return _collect_results(match, hidden, state, joined, sums)


def _requantize_as_ruy(match: Match, x: Expr, multiplier: Multiplier, peak: int) -> Expr:
    """Requantizes sums to int16 as ruy does, LiteRT's matrix library: multiplies, then shifts right with ties up."""
    (shift,) = multiplier.shift
    # A negative shift is one to the right. ruy rounds it apart from the product: so RESCALE has the multiplier without
    # it, and it follows.
    high = requantize_to_i32(match, x, Multiplier(multiplier.m, np.maximum(multiplier.shift, 0)), peak=peak)
    if shift < 0:
        high = high.shifted_right(-shift, round=True)
    return rescale(high, DType.I16, *TIMES_ONE)


def _high_product(a: Expr, b: Expr) -> Expr:
    """Returns a * b / 2**15 in i32, ties up (SaturatingRoundingDoublingHighMul of 16 bits)."""
    # A multiplier of 2**30 with a shift of 30 is 1, so the other 15 of 45 are the product's shift.
    return rescale(a * b, DType.I32, [1 << 30], [45])


def _as_batch(x: Expr) -> Expr:
    """Returns a matrix as [1,rows,columns], as MATMUL takes it."""
    return x.reshape((1, *x.shape))


def _split_gates(x: Expr) -> list[Expr]:
    """Returns the columns of the input, cell, forget and output gate, which are adjacent in x."""
    size = x.shape[1] // len(GATES)
    return [x.part(1, i * size, size) for i in range(len(GATES))]


def _collect_results(match: Match, hidden: Expr, state: Expr, joined: Expr, sums: Expr) -> list[Expr]:
    """Returns a basic LSTM's results: output, cell state, the input beside the previous output (`joined`), gate sums.

    An operator whose output and cell state are variable tensors has further results, the next values of these.
    """
    results = [hidden, state, joined, sums]
    next_values = {match.source(OUTPUT).name: hidden, match.source(STATE).name: state}
    return [*results, *(next_values[value.name] for value in match.op.results[len(results) :])]


WEIGHTED = (INPUT, WEIGHTS)
RULES: tuple[Rule, ...] = (
    Rule("tfl.lstm", "fp32*fp32", real, (basic_kernel,), of=WEIGHTED),
    Rule("tfl.lstm", "ui8*ui8", integer, (basic_kernel, as_reference), of=WEIGHTED),
)
