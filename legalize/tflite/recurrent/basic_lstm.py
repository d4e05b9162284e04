"""LSTM's basic kernel: one step, all gates' weights in one operand (LstmCell, lstm_cell.h).

The operands are the input, the output before, weights and biases, the cell state before; the results the output, the
cell state, input and output before beside each other, and the sums of the gates.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.quantized.arithmetic import Multiplier, quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import (
    LARGEST,
    TIMES_ONE,
    affine,
    as_reference,
    divided,
    requantized_to_i32,
    stored,
    swap_signedness,
)
from tosa_converter.legalize.tflite.recurrent.gates import basic_kernel
from tosa_converter.legalize.tflite.recurrent.integer_lstm import ZEROS, gate_table, read, with_bias
from tosa_converter.legalize.tflite.recurrent.products import columns
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

INPUT, OUTPUT, WEIGHTS, BIASES, STATE = range(5)
GATES = ("input", "cell", "forget", "output")
STATE_BITS = 4  # before the point of the cell state in integers: the kernel has no other


def real(match: Match) -> Sequence[Value]:
    """LSTM -> MATMUL, then SIGMOID, TANH and the products."""
    build, joined = match.builder, match.builder.concat([match[INPUT], match[OUTPUT]], 1)
    sums = build.matmul(_row(build, joined), columns(match, [match[WEIGHTS]]))
    sums = build.add(build.reshape(sums, sums.type.static[1:]), match[BIASES])
    share, new, forget, output = _gates(build, sums)
    new = build.mul(build.unary(ops.SIGMOID, share), build.unary(ops.TANH, new))
    state = build.add(new, build.mul(build.unary(ops.SIGMOID, forget), match[STATE]))
    hidden = build.mul(build.unary(ops.SIGMOID, output), build.unary(ops.TANH, state))
    return _results(match, hidden, state, joined, sums)


def integer(match: Match) -> Sequence[Value]:
    """LSTM -> MATMUL, RESCALE, GATHERs of the sigmoid and tanh, and the products; -1 to 1 in the 8 bits of uint8."""
    build, joined = match.builder, match.builder.concat([match[INPUT], match[OUTPUT]], 1)
    weight, zero_point = columns(match, [stored(match, WEIGHTS)]), affine(match, WEIGHTS).zero_point
    sums = build.matmul(_row(build, swap_signedness(build, joined)), weight, b_zp=zero_point)
    scale = quantize_multiplier(float(np.float32(4096) * affine(match, BIASES).scale))
    sums = build.reshape(sums, sums.type.static[1:])
    peak = with_bias(LARGEST[DType.I8] * 128 * weight.type.static[1], match[BIASES])
    sums = _scaled(match, build.add(sums, match[BIASES]), scale, peak)
    values = build.lasting(gate_table(), DType.I16)
    zeros = np.repeat([[ZEROS[gate] for gate in GATES]], sums.type.static[1] // len(GATES), axis=1)
    places = build.add(build.cast(sums, DType.I32), build.const(zeros, DType.I32))
    share, new, forget, output = _gates(build, read(build, values, places))
    new = divided(build, _product(build, share, new), STATE_BITS)
    wide = build.add(new, _product(build, forget, match[STATE]))
    state = build.rescale(wide, DType.I16, *TIMES_ONE)
    doubled = build.rescale(build.add(wide, wide), DType.I16, *TIMES_ONE)
    places = build.add(build.cast(doubled, DType.I32), build.const([[ZEROS["cell"]]], DType.I32))
    hidden = divided(build, _product(build, output, read(build, values, places)), 8)
    hidden = swap_signedness(build, build.rescale(hidden, DType.I8, *TIMES_ONE))
    return _results(match, hidden, state, joined, sums)


def _scaled(match: Match, x: Value, scale: Multiplier, peak: int) -> Value:
    """The kernel's matrices are ruy's, which rounds the right shift's ties up."""
    build, (shift,) = match.builder, scale.shift
    high = requantized_to_i32(match, x, Multiplier(scale.m, np.maximum(scale.shift, 0)), peak=peak)
    if shift < 0:
        high = build.arithmetic_right_shift(high, build.scalar(-shift, high), round=True)
    return build.rescale(high, DType.I16, *TIMES_ONE)


def _product(build: Builder, a: Value, b: Value) -> Value:
    """SaturatingRoundingDoublingHighMul of 16 bits, in i32: ties towards plus infinity, as RESCALE has them."""
    return build.rescale(build.mul(a, b), DType.I32, [1 << 30], [45])


def _row(build: Builder, x: Value) -> Value:
    return build.reshape(x, (1, *x.type.static))


def _gates(build: Builder, x: Value) -> list[Value]:
    size = x.type.static[1] // len(GATES)
    return [build.part(x, 1, i * size, size) for i in range(len(GATES))]


def _results(match: Match, hidden: Value, state: Value, joined: Value, sums: Value) -> list[Value]:
    """The results, and behind them what those operands become that are variable tensors."""
    results = [hidden, state, joined, sums]
    after = {match.source(OUTPUT).name: hidden, match.source(STATE).name: state}
    return [*results, *(after[value.name] for value in match.op.results[len(results) :])]


WEIGHED = (INPUT, WEIGHTS)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.lstm", "fp32*fp32", real, (basic_kernel,), of=WEIGHED),
    Rewrite("tfl.lstm", "ui8*ui8", integer, (basic_kernel, as_reference), of=WEIGHED),
)
