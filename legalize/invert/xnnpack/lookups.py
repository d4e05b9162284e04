"""TABLE and GATHER of bytes: the node that has the results that they look up, or a layer of steps.

The scales and zero points of the node's operands are searched, because the results show them. A lowering can't confirm
the node, because nodes that reinterpret its operands may stand in front of it: its results are computed instead.
SOFTMAX of bytes is confirmed as LiteRT's, but XNNPACK has none of bytes: it becomes Softmax of floats.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Op, Quant, Value
from tosa_converter.legalize.invert.confirmation import TFLITE_LOWERING
from tosa_converter.legalize.invert.equal_elements import have_equal_elements, skip_reshapes
from tosa_converter.legalize.invert.scale_intervals import middle_scale
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.stated_scales import (
    BYTE_SOFTMAX,
    DISTANCES,
    copy_with_quant,
    scales_of_exponentials,
)
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import (
    SOFTMAX_QUANT,
    byte_quant,
    reinterpret,
    reinterpret_as_result,
    set_quant,
)
from tosa_converter.legalize.quant.elements import VALUES, OutputQuant, per_tensor
from tosa_converter.legalize.quant.xnnpack_rounding import quantized_levels
from tosa_converter.legalize.xnnpack import tables
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

LOW, HIGH = DType.I8.limits
F32 = np.float32

# ** functions of one byte **

MAX_STEPPED = 1 << 16  # elements of x; a layer of steps makes 255 numbers of each
STEEP = 120  # larger results are nearly saturated: the rounding of one moves the inverse far
Inverse = Callable[[Array], Array]
# By node the scale and zero point that its results have in quantized models, and its inverse.
FUNCTIONS: dict[str, tuple[Quant, Inverse]] = {
    "sigmoid": (byte_quant(-128, 1 / 256), lambda y: np.asarray(np.log(y / (1 - y)))),
    "tanh": (byte_quant(0, 1 / 128), lambda y: np.asarray(np.arctanh(y))),
}


class ByteFunction(NamedTuple):
    """Sigmoid or Tanh of one quantized operand, with the quantization of operand and result."""

    name: str
    operand: Quant
    result: Quant

    @property
    def results(self) -> Array:
        """The 256 results that XNNPACK's Sigmoid or Tanh computes for the int8 operands -128 to 127."""
        operand, result = (per_tensor(quant, unsigned=False) for quant in (self.operand, self.result))
        return tables.entries(tables.FUNCTIONS[self.name], operand, OutputQuant(*result, unsigned=False))


@rule(pattern(ops.TABLE, "x", "table"), "i8", of=("x",))
def table(m: Match) -> Value:
    """TABLE(x, table) -> the XNNPACK node that has these 256 results, or two FullyConnected nodes.

    The node is Sigmoid or Tanh of int8. For any other table, FullyConnected nodes add up the steps between its results;
    x with more than MAX_STEPPED elements is declined, because they make 255 numbers of each.
    """
    b, x, results = xnn_builder(), m.source("x"), m.constant("table")
    function = find_function(results)
    if function is None:
        fits = x.type.elements <= MAX_STEPPED
        m.require(fits, f"no node has its results, and steps take at most {MAX_STEPPED} elements: found {x.type}")
        return reinterpret_as_result(m, _append_steps(b, x, results), byte_quant(0))
    operand = reinterpret(b, x, function.operand.zero_point[0], function.operand.scale[0])
    return reinterpret_as_result(m, b.op(function.name, [operand]), function.result)


def find_function(table: Array) -> ByteFunction | None:
    """Returns XNNPACK's Sigmoid or Tanh with the quantization that gives the 256 results of a TABLE, or None."""
    return next((function for function in _candidate_functions(table) if np.array_equal(function.results, table)), None)


def _candidate_functions(table: Array) -> Iterator[ByteFunction]:
    """Yields XNNPACK's Sigmoid and Tanh as candidates for an int8 TABLE.

    Each has the operand quantization that fits best, and is left out if none fits; the caller compares the 256 results.
    """
    for name, (result, inverse) in FUNCTIONS.items():
        with np.errstate(all="ignore"):
            operand = _fit_operand(table.astype(np.float64), result, inverse)
        if operand is not None:
            yield ByteFunction(name, operand, result)


def _fit_operand(table: Array, result_quant: Quant, inverse: Inverse) -> Quant | None:
    """Returns the operand quantization with which Sigmoid or Tanh, rounded, has a TABLE's 256 results; or None."""
    # The inverse of a table is a line: inverse(y) = scale * (x - zero_point). The line through the results that aren't
    # saturated crosses 0 within half a step of the zero point, because each result is rounded by half a step at most.
    # The scale is then searched between the inverses of all results half a step away.
    # Example: of the 256 results of SIGMOID of 0.05 * (x + 7), the line is 0.04991 * x + 0.3494, which crosses 0 at
    # -7.0, and all bounds leave the scales 0.049968 to 0.050008.
    (scale,), (zero_point,) = result_quant.scale, result_quant.zero_point
    inside = (table > -STEEP) & (table < STEEP)
    if inside.sum() < 2:
        return None
    slope, start = np.polyfit(VALUES[inside], inverse((table[inside] - zero_point) * scale), 1)
    if not LOW - 0.5 < -start / slope < HIGH + 0.5:
        return None
    operand_zero_point = round(-start / slope)
    low, high = (inverse((table + half - zero_point) * scale) for half in (-0.5, 0.5))
    low[table == LOW], high[table == HIGH] = -np.inf, np.inf
    steps = VALUES - operand_zero_point
    operand_scale = middle_scale(low[steps != 0], high[steps != 0], steps[steps != 0])
    return None if operand_scale is None else byte_quant(operand_zero_point, operand_scale)


def _append_steps(b: XnnBuilder, x: Value, table: Array) -> Value:
    """Appends two float FullyConnected nodes of XNNPACK that compute any int8 TABLE as a sum of steps.

    The first tells which levels an element has reached, the second adds what each level adds to the result. x has
    reached the level n if clamp(x + 1 - n, 0, 1) is 1. Example: a table that begins -5, 3, 2 is -5 + 8 * reached(-127)
    - 1 * reached(-126): of x = -127 it is -5 + 8 = 3.
    """
    real = b.op("convert", [reinterpret(b, x, 0)], dtype=DType.FP32)
    rows = b.reshape(real, (x.type.elements, 1))
    levels = b.const(1.0 - VALUES[1:], DType.FP32)
    ones = b.const(np.ones((255, 1)), DType.FP32)
    reached = b.op("fully_connected", [rows, ones, levels], (x.type.elements, 255), output_min=0.0, output_max=1.0)
    wide = table.astype(np.float32)
    steps, first = b.const(np.diff(wide)[None], DType.FP32), b.const(wide[:1], DType.FP32)
    sums = b.op("fully_connected", [reached, steps, first], (x.type.elements, 1))
    return b.op("convert", [b.reshape(sums, x.type.static)], dtype=DType.I8)


# ** quotients of two bytes **

PAIRS = 1 << 16


class Division(NamedTuple):
    """The zero points of dividend, divisor and quotient of Div, and the dividend's scale; the others' scales are 1."""

    zero_points: tuple[int, int, int]
    scale: float

    @property
    def results(self) -> Array:
        """The 65536 results that XNNPACK's Div computes for all pairs of bytes, [dividend, divisor]."""
        dividends, divisors = ((VALUES - zero_point).astype(F32) for zero_point in self.zero_points[:2])
        with np.errstate(all="ignore"):
            quotients = (dividends * F32(self.scale))[:, None] / divisors
            return quantized_levels(quotients, OutputQuant(F32(1), self.zero_points[2], unsigned=False))


@rule(pattern(ops.RESHAPE, pattern(ops.GATHER, "table", "index")), "i8", of=("table",))
def quotient(m: Match) -> Value:
    """RESHAPE(GATHER(table of all pairs, index)) of TOSA -> XNNPACK's Div.

    Div of int8 is lowered to such a table, so a table that has exactly Div's results is replaced by Div.
    """
    b, table = xnn_builder(), m.constant("table")
    m.require(table.size == PAIRS, f"expected the results of all {PAIRS} pairs of bytes, found {table.size}")
    operands = _indexing_bytes(b, m.source("index"))
    division = find_division(table.reshape(256, 256))
    if division is None:
        raise Decline("expected a table of the quotients of all pairs of bytes, found other results")
    scales = division.scale, 1.0
    x, y = (reinterpret(b, *operand) for operand in zip(operands, division.zero_points[:2], scales, strict=True))
    result = byte_quant(division.zero_points[2])
    return reinterpret_as_result(m, b.reshape(set_quant(b.op("div", [x, y]), result), m.op.result.type.static), result)


def _indexing_bytes(b: XnnBuilder, index: Value) -> list[Value]:
    """Returns the int8 tensors [x, y] of an index 256 * x + y + 128 * 257 into a table of all pairs of bytes.

    Raises:
        Decline: the index is computed otherwise.
    """
    shifted = skip_reshapes(index).producer
    pairs = skip_reshapes(shifted.operands[0]).producer if shifted is not None and shifted.row is ops.ADD else None
    if (
        shifted is None
        or pairs is None
        or pairs.row is not ops.ADD
        or not _all_elements_equal(shifted.operands[1], 128 * 257)
    ):
        raise Decline("expected an index 256 * x + y + 128 * 257 of bytes x and y")
    return [_multiplied_bytes(b, x, factor) for x, factor in zip(pairs.operands, (256, 1), strict=True)]


def _multiplied_bytes(b: XnnBuilder, product: Value, factor: int) -> Value:
    """Returns the int8 tensor whose product with `factor` is a summand of an index into a table of pairs.

    Raises:
        Decline: the summand isn't computed from bytes.
    """
    if product.constant is not None:
        levels = (product.constant // factor).astype(np.int8)
        if np.array_equal(levels.astype(np.int32) * factor, product.constant):
            return b.const(levels, DType.I8)
        raise Decline(f"expected a constant of bytes times {factor} in the index")
    producer = skip_reshapes(product).producer
    if producer is not None and factor > 1:
        is_product = producer.row is ops.MUL and _all_elements_equal(producer.operands[1], factor)
        producer = skip_reshapes(producer.operands[0]).producer if is_product else None
    if producer is None or producer.row is not ops.CAST or producer.operands[0].type.dtype is not DType.I8:
        raise Decline(f"expected CAST of bytes times {factor} in the index")
    return b.reshape(producer.operands[0], product.type.static)


def _all_elements_equal(x: Value, number: int) -> bool:
    """Returns whether a value is a constant whose elements all equal a number."""
    return x.constant is not None and bool((x.constant == number).all())


def find_division(table: Array) -> Division | None:
    """Returns XNNPACK's Div with the quantization that gives the results of a table [dividend, divisor]; or None."""
    # The row of the dividend's zero point is 0 / y: one number, except for 0 / 0. So all results of that row are equal
    # but for the smallest and the largest one. The column of the divisor's zero point is x / 0: -128 above that row
    # (x is negative) and 127 below. A column has at most 2 such rows, so at most 512 pairs are tried.
    # Example: 0.5 * (x - 2) / (y - 3) + 1 has ones in the row of x = 2; the column of y = 3 is -128, a 0 / 0, and 127.
    table = table.astype(np.int64)
    ordered = np.sort(table, 1)
    is_constant = (ordered[:, 1:-1] == ordered[:, 128:129]).all(1)
    is_low = np.logical_and.accumulate(np.pad(table == LOW, ((1, 0), (0, 0)), constant_values=True))[:-1]
    is_high = np.logical_and.accumulate(np.pad(table == HIGH, ((0, 1), (0, 0)), constant_values=True)[::-1])[::-1][1:]
    for row, column in np.argwhere(is_low & is_high & is_constant[:, None]):
        division = _fit_division(table, int(VALUES[row]), int(VALUES[column]), int(np.median(table[row])))
        if division is not None and np.array_equal(division.results, table):
            return division
    return None


def _fit_division(table: Array, dividend_zp: int, divisor_zp: int, quotient_zp: int) -> Division | None:
    """Returns the Div with these zero points and the scale that fits a table's unsaturated quotients, or None."""
    dividends, divisors = (VALUES - dividend_zp).astype(np.float64)[:, None], VALUES - divisor_zp
    inside = (table > LOW) & (table < HIGH) & (dividends != 0) & (divisors != 0)
    if not inside.any():
        return None
    with np.errstate(all="ignore"):
        steps = (dividends / divisors)[inside]
    levels = table[inside] - quotient_zp
    scale = middle_scale(levels - 0.5, levels + 0.5, steps)
    return None if scale is None else Division((dividend_zp, divisor_zp, quotient_zp), scale)


# ** SOFTMAX, which looks exponentials up **


class ByteSoftmax(NamedTuple):
    """The operand of an int8 SOFTMAX, and the operand's scale."""

    x: Value
    scale: float


def match_byte_softmax(op: Op) -> ByteSoftmax | None:
    """Returns the int8 SOFTMAX whose TOSA form ends with `op`, with the scale that its exponentials show; or None."""
    values = BYTE_SOFTMAX.bind(op)
    distances = None if values is None else skip_reshapes(values["distances"]).producer
    operand = None if distances is None else DISTANCES.bind(distances)
    if values is None or operand is None:
        return None
    x, table = operand["x"], values["exponentials"].constant
    if table is None or table.size != 256 or x.type.dtype is not DType.I8 or x.type.shape != op.result.type.shape:
        return None
    try:
        scale = next(scales_of_exponentials(table.reshape(-1)), None)
    except Decline:  # LiteRT refuses the scale
        return None
    return None if scale is None else ByteSoftmax(x, scale)


def _is_confirmed(result: Value, softmax: ByteSoftmax) -> bool:
    """Returns whether LiteRT's int8 SOFTMAX, lowered to TOSA, computes `result` by the same operators."""
    with TflBuilder(Graph("softmax")) as b:
        y = b.op("softmax", [copy_with_quant(softmax.x, byte_quant(0, softmax.scale))], beta=1.0)
        y.type = y.type._replace(quant=SOFTMAX_QUANT)
    # `have_equal_elements` allows RESHAPEs that keep the order of elements.
    return TFLITE_LOWERING._replace(equal=have_equal_elements).lowers_to(y, result, [softmax.x])


@rule(BYTE_SOFTMAX)
def softmax_of_bytes(m: Match) -> Value:
    """RESCALE(ARITHMETIC_RIGHT_SHIFT(MUL(RESHAPE(GATHER(exponentials, distances)), ...))) -> Softmax of floats.

    The operators must be exactly those to which LiteRT's int8 SOFTMAX lowers.
    """
    softmax = match_byte_softmax(m.op)
    if softmax is None or not _is_confirmed(m.op.result, softmax):
        raise Decline("the conversion of SOFTMAX makes other operators")
    m.note("XNNPACK has no Softmax of bytes: it is computed in floats, and results may differ by 1 step")
    b, x = xnn_builder(), softmax.x
    # Convert multiplies by x's own scale in this graph, which becomes that of SOFTMAX's operand.
    real = b.op("convert", [x], dtype=DType.FP32)
    real = b.mul(real, b.scalar(softmax.scale / (x.type.quant or byte_quant(0)).scale[0], real))
    return reinterpret_as_result(m, b.op("convert", [b.op("softmax", [real])], dtype=DType.I8), SOFTMAX_QUANT)
