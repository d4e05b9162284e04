"""Inverse rules of quantized operators whose constants state their scales: SOFTMAX, QUANTIZE and DEQUANTIZE.

A proposed operator reads a copy of its operand: a RESHAPE to the same shape, which can have the scale that the
constants state.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.legalize.invert.confirmation import TFLITE_LOWERING, InverseRule
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.candidates import AppendOperator, OperatorTensors, QuantizedCandidate
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.ratios import nearest_floats
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.quant.softmax_tables import EXP_RANGE, RANGE, exponentials
from tosa_converter.legalize.quant.thresholds import smallest_floats
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas import tosa_ops as ops

Quants: TypeAlias = Iterator[tuple[Quant | None, Quant | None]]  # of operand and result
ULPS = 64  # that fixed-point exponentials of small numbers may be off
FEW_ULPS = 4  # that a quotient of floats may be off
LARGE = 1 << 25  # an exponential in Q0.31 that tells the scale
SHORT_QUANT = Quant((1 / 32768,), (0,))
SOFTMAX_QUANT = Quant((1 / 256,), (-128,))

# ** scales **


def byte_softmax_quants(m: Match) -> Quants:
    """Yields the quantization (operand, result) of an int8 SOFTMAX, found from its table of exponentials."""
    for scale in scales_of_exponentials(m.constant("exponentials").reshape(-1)):
        yield Quant((scale,), (0,)), SOFTMAX_QUANT


def scales_of_exponentials(table: Array) -> Iterator[float]:
    """Yields the float32 scales s, at most 129, for which `table` has exp(-distance * s) in Q0.31.

    The last exponential e above LARGE, that of a distance n, gives s = -log(e / 2**31) / n up to a few units in the
    last place. Example: for s = 0.125, the last exponential above 2**25 is exp(-33 / 8) * 2**31 = 34710845. One unit
    more or less changes -log(e / 2**31) / 33 by 9e-10, a sixteenth of the distance to the next float.
    """
    (large,) = np.nonzero(table > LARGE)
    if table[0] < 1 << 30 or large.size < 2:
        return
    for scale in nearest_floats(-np.log(table[large[-1]] / 2**31) / large[-1], ULPS):
        if np.array_equal(exponentials(np.float64(1), np.float64(scale)), table):
            yield float(scale)


def short_softmax_quants(m: Match) -> Quants:
    """Yields the quantization (operand, result) of an int16 SOFTMAX, found from the RESCALE in front of exp."""
    scale = rescale_parameters_of(m.producer("scaled"))
    if scale is None or scale.multiplier.size != 1:
        raise Decline("expected one constant scale of the distances from the largest element")
    # The lowering rescales distances to the steps of exp's table, EXP_RANGE / RANGE: factor = scale / (10 / 65535).
    factor = float(scale.multiplier[0]) * 2.0 ** -float(scale.shift[0])
    for operand_scale in nearest_floats(factor * EXP_RANGE / RANGE, FEW_ULPS):
        yield Quant((float(operand_scale),), (0,)), SHORT_QUANT


def quantize_quants(m: Match) -> Quants:
    """Yields the quantization (None, result) of QUANTIZE from fp32 to int8 whose thresholds the graph looks up.

    The scale is one of the floats nearest to 1 / factor: the one that gives exactly these 256 thresholds.
    """
    gather = before_reshape(m.source("thresholds")).producer
    table = gather.operands[0].constant if gather is not None and gather.row is ops.GATHER else None
    if table is None or table.size != 256:
        raise Decline("expected 256 constant thresholds")
    # The lowering adds the zero point + 128 - 0.5: levels count from -128, and half a step less rounds down.
    zero_point = round(float(m.constant("offset").reshape(-1)[0]) - 127.5)
    m.require(abs(zero_point) <= 128, "expected a zero point of 8 bits, found {offset} - 127.5")
    for scale in nearest_floats(1 / float(m.constant("factor").reshape(-1)[0]), FEW_ULPS):
        if np.array_equal(smallest_floats(scale, zero_point), table.reshape(-1)):
            yield None, Quant((float(scale),), (zero_point,))


def dequantize_quants(m: Match) -> Quants:
    """Yields the quantization (operand, None) of int8 DEQUANTIZE, found from its factor and RESCALE."""
    scale = m.constant("scale").reshape(-1)
    m.require(scale.size == 1 and scale[0] > 0, "expected one positive scale, found {scale}")
    yield Quant((float(scale[0]),), (m.integers("zero_point")[0],)), None


# ** inverse rules **


def before_reshape(x: Value) -> Value:
    """Returns the operand of the RESHAPE that computes x; x itself if no RESHAPE does."""
    return x.producer.operands[0] if x.producer is not None and x.producer.row is ops.RESHAPE else x


def byte_operand(m: Match) -> list[Value]:
    """Returns the operand of an int8 SOFTMAX, in a list of one, as an inverse rule takes operands.

    It is found from the indices into the table of exponentials.
    """
    distances = before_reshape(m.source("distances")).producer
    operands = None if distances is None else DISTANCES.bind(distances)
    if operands is None or operands["x"].type.dtype is not DType.I8 or m.constant("exponentials").size != 256:
        raise Decline("expected exponentials of 256 distances from the largest byte")
    return [operands["x"]]


def propose_on_copy(
    name: str,
    quants: Callable[[Match], Quants],
    m: Match,
    operands: Callable[[Match], list[Value]] = lambda m: [m.source("x")],
    **options: float,
) -> Iterator[Value]:
    """Proposes TFLite's operator `name` on a copy of its operand, for each pair of quantizations from `quants`.

    The inverse rule keeps the first that lowers to the matched TOSA operators. The copy may have another scale than the
    operand itself, which `operands` returns in a list of one; a constant operand is declined.
    """
    (x,), b, type = operands(m), tfl_builder(), m.op.result.type
    m.require(x.constant is None, "its operand is constant")
    for operand_quant, result_quant in quants(m):
        y = b.op(name, [copy_with_quant(x, operand_quant)], type.dtype, type.static, **options)
        y.type = type._replace(quant=result_quant)
        yield y


def copy_with_quant(x: Value, quant: Quant | None) -> Value:
    """Appends a RESHAPE to the same shape: a copy of x whose quantization is `quant`."""
    y = tfl_builder().copy_tensor(x)
    y.type = y.type._replace(quant=quant)
    return y


DISTANCES = pattern(ops.SUB, pattern(ops.CAST, pattern(ops.REDUCE_MAX, "x")), pattern(ops.CAST, "x"))
_SHORT_DISTANCES = pattern(ops.SUB, pattern(ops.CAST, "x"), pattern(ops.CAST, pattern(ops.REDUCE_MAX, "x")))
BYTE_SOFTMAX = pattern(
    ops.RESCALE,
    pattern(
        ops.ARITHMETIC_RIGHT_SHIFT,
        pattern(ops.MUL, pattern(ops.RESHAPE, pattern(ops.GATHER, "exponentials", "distances"))),
    ),
)
_SHORT_EXPONENTIALS = pattern(
    ops.TABLE, pattern(ops.RESCALE, pattern(ops.ADD, pattern(ops.RESCALE, _SHORT_DISTANCES, name="scaled")))
)
SHORT_SOFTMAX = pattern(
    ops.RESCALE,
    pattern(ops.ARITHMETIC_RIGHT_SHIFT, pattern(ops.MUL, pattern(ops.RESCALE, _SHORT_EXPONENTIALS))),
)
QUANTIZE = pattern(
    ops.RESCALE,
    pattern(
        ops.ADD,
        pattern(ops.CAST, pattern(ops.CLAMP, pattern(ops.ADD, pattern(ops.MUL, "x", "factor"), "offset"))),
        pattern(ops.CAST, pattern(ops.GREATER_EQUAL, "x", "thresholds")),
    ),
)
DEQUANTIZE = pattern(ops.MUL, pattern(ops.CAST, pattern(ops.RESCALE, "x", "", "", "zero_point")), "scale")
_byte_softmax = partial(propose_on_copy, "softmax", byte_softmax_quants, operands=byte_operand, beta=1.0)
_short_softmax = partial(propose_on_copy, "softmax", short_softmax_quants, beta=1.0)
_INVERSE_RULES = (
    InverseRule("softmax_of_bytes", BYTE_SOFTMAX, "", _byte_softmax, byte_operand, (0,)),
    InverseRule("softmax_of_16_bits", SHORT_SOFTMAX, "i16", _short_softmax),
    InverseRule("quantize", QUANTIZE, "fp32", partial(propose_on_copy, "quantize", quantize_quants)),
    InverseRule("dequantize", DEQUANTIZE, "i8", partial(propose_on_copy, "dequantize", dequantize_quants)),
)
STATED = TFLITE_LOWERING.rules(__name__, _INVERSE_RULES)

# ** candidates **


def confirmed_candidate(root: Op, op: Op) -> QuantizedCandidate:
    """Returns the candidate for a proposed TFLite operator that lowers to the same TOSA.

    Its constants state its scales. `root` is the last TOSA operator that it replaces; the proposed operator reads a
    copy of the candidate's input.
    """
    source = _copied_operand(op).producer
    assert source is not None
    return QuantizedCandidate(root, source.operands[:1], partial(assign_stated_scales, op))


def assign_stated_scales(op: Op, solver: ScaleSolver, tensors: OperatorTensors) -> AppendOperator | None:
    """Gives the operand and result of SOFTMAX, QUANTIZE or DEQUANTIZE the scales that its constants state.

    Returns:
        The function that appends the operator, or None if one of the tensors has another scale or zero point already.
    """
    # SOFTMAX subtracts the largest element from its operand, so that operand may have any zero point.
    any_zero_point = op.name == "tfl.softmax"
    for value, quant in zip(tensors, (_copied_operand(op).type.quant, op.result.type.quant), strict=True):
        if quant is None:
            continue
        candidates, ignored = solver.candidate_scales(value), any_zero_point and value is tensors[0]
        if candidates is not None and candidates[0] != quant.scale[0]:
            return None
        if not ignored and not solver.set_zero_point(value, quant.zero_point[0]):
            return None
        if candidates is None:
            solver.set_candidates(value, np.array(quant.scale), stated=True)
    return partial(_append_copy, op, tensors[0])


def _append_copy(op: Op, x: Value, b: TflBuilder) -> Value:
    """Appends a copy of the operator that reads `x` itself in place of its RESHAPE, and returns its result."""
    inputs = [x if value is _copied_operand(op) else value for value in op.inputs]
    b.graph.ops.append(copy := Op(op.name, inputs, [op.result.type], op.attributes))
    return copy.result


def _copied_operand(op: Op) -> Value:
    """Returns the operand of a proposed operator that copies a TOSA value by a RESHAPE: the one that isn't constant."""
    return next(value for value in op.operands if value.constant is None)
