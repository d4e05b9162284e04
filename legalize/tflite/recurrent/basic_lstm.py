"""LSTM's basic kernel: one step, all gates' weights in one operand (LstmCell, lstm_cell.h).

The operands are the input, the output before, weights and biases, the cell state before; the results the output, the
cell state, input and output before beside each other, and the sums of the gates.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import LARGEST, affine, as_reference, stored, swap_signedness
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, divided, requantized_to_i32
from tosa_converter.legalize.tflite.recurrent.gates import basic_kernel
from tosa_converter.legalize.tflite.recurrent.integer_lstm import ZEROS, gate_table, read, with_bias
from tosa_converter.legalize.tflite.recurrent.products import columns
from tosa_converter.rewriting.expr import Expr, const, sigmoid, tanh
from tosa_converter.rewriting.operators import concat, interned, matmul, rescale
from tosa_converter.rewriting.rewrite import Match, Rewrite

INPUT, OUTPUT, WEIGHTS, BIASES, STATE = range(5)
GATES = ("input", "cell", "forget", "output")
STATE_BITS = 4  # before the point of the cell state in integers: the kernel has no other


def real(match: Match) -> Sequence[Expr]:
    """LSTM -> MATMUL, then SIGMOID, TANH and the products."""
    joined = concat([match[INPUT], match[OUTPUT]], 1)
    sums = matmul(_row(joined), columns([match[WEIGHTS]]))
    sums = sums.reshape(sums.shape[1:]) + match[BIASES]
    share, new, forget, output = _gates(sums)
    new = sigmoid(share) * tanh(new)
    state = new + sigmoid(forget) * match[STATE]
    hidden = sigmoid(output) * tanh(state)
    return _results(match, hidden, state, joined, sums)


def integer(match: Match) -> Sequence[Expr]:
    """LSTM -> MATMUL, RESCALE, GATHERs of the sigmoid and tanh, and the products; -1 to 1 in the 8 bits of uint8."""
    joined = concat([match[INPUT], match[OUTPUT]], 1)
    weight, zero_point = columns([stored(match, WEIGHTS)]), affine(match, WEIGHTS).zero_point
    sums = matmul(_row(swap_signedness(joined)), weight, b_zp=zero_point)
    scale = quantize_multiplier(float(np.float32(4096) * affine(match, BIASES).scale))
    sums = sums.reshape(sums.shape[1:])
    peak = with_bias(LARGEST[DType.I8] * 128 * weight.shape[1], match[BIASES])
    sums = _scaled(match, sums + match[BIASES], scale, peak)
    values = interned(gate_table(), DType.I16)
    zeros = np.repeat([[ZEROS[gate] for gate in GATES]], sums.shape[1] // len(GATES), axis=1)
    places = sums.cast(DType.I32) + const(zeros, DType.I32)
    share, new, forget, output = _gates(read(values, places))
    new = divided(_product(share, new), STATE_BITS)
    wide = new + _product(forget, match[STATE])
    state = rescale(wide, DType.I16, *TIMES_ONE)
    doubled = rescale(wide + wide, DType.I16, *TIMES_ONE)
    places = doubled.cast(DType.I32) + const([[ZEROS["cell"]]], DType.I32)
    hidden = divided(_product(output, read(values, places)), 8)
    hidden = swap_signedness(rescale(hidden, DType.I8, *TIMES_ONE))
    return _results(match, hidden, state, joined, sums)


def _scaled(match: Match, x: Expr, scale: Multiplier, peak: int) -> Expr:
    """The kernel's matrices are ruy's, which rounds the right shift's ties up."""
    (shift,) = scale.shift
    high = requantized_to_i32(match, x, Multiplier(scale.m, np.maximum(scale.shift, 0)), peak=peak)
    if shift < 0:
        high = high.shifted_right(-shift, round=True)
    return rescale(high, DType.I16, *TIMES_ONE)


def _product(a: Expr, b: Expr) -> Expr:
    """SaturatingRoundingDoublingHighMul of 16 bits, in i32: ties towards plus infinity, as RESCALE has them."""
    return rescale(a * b, DType.I32, [1 << 30], [45])


def _row(x: Expr) -> Expr:
    return x.reshape((1, *x.shape))


def _gates(x: Expr) -> list[Expr]:
    size = x.shape[1] // len(GATES)
    return [x.part(1, i * size, size) for i in range(len(GATES))]


def _results(match: Match, hidden: Expr, state: Expr, joined: Expr, sums: Expr) -> list[Expr]:
    """The results, and behind them what those operands become that are variable tensors."""
    results = [hidden, state, joined, sums]
    after = {match.source(OUTPUT).name: hidden, match.source(STATE).name: state}
    return [*results, *(after[value.name] for value in match.op.results[len(results) :])]


WEIGHED = (INPUT, WEIGHTS)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.lstm", "fp32*fp32", real, (basic_kernel,), of=WEIGHED),
    Rewrite("tfl.lstm", "ui8*ui8", integer, (basic_kernel, as_reference), of=WEIGHED),
)
