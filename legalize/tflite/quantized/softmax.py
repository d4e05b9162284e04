"""SOFTMAX and LOG_SOFTMAX in the fixed point of the reference kernels (softmax.h, log_softmax.h).

Of 8 bits, exp() depends on the distance from the row's maximum alone, so a GATHER of 256 words replaces it; the
reciprocal or the logarithm of the sum is a sequence on one number a row. Of 16 bits, exp() and the reciprocal are
TABLEs as in the kernel (SoftmaxInt16).
"""

import functools
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    as_reference,
    eight_bit,
    not_eight_bit,
    operand,
    sixteen_bit,
    target_avoids,
    to_result_type,
)
from tosa_converter.legalize.quant.fixed_point import exp_on_negative_values
from tosa_converter.legalize.quant.multipliers import divide_by_pot, quantize_multiplier
from tosa_converter.legalize.quant.q31 import double_saturating, half_reciprocal, logarithm
from tosa_converter.legalize.quant.requantize import TIMES_ONE, requantize_to_i32, rounding_shift
from tosa_converter.legalize.quant.softmax_tables import (
    EXP_RANGE,
    RANGE,
    SCALED_DIFF_BITS,
    SUM_BITS,
    exp_entries,
    exponentials,
    is_one_exact,
    reciprocal_entries,
    scaled_distances,
    splitting_factor,
)
from tosa_converter.legalize.quant.tables import INT16_MAX, interpolate_table
from tosa_converter.rewriting.expr import Expr, clz, const, minimum
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather, reduce_max, reduce_sum, rescale, table
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas import tflite

OUTPUT_BITS = 4  # of LOG_SOFTMAX
# -20 in Q5.26, because LOG_SOFTMAX's results end at -16.
FARTHEST = -20 << (31 - SCALED_DIFF_BITS)
ROW_LIMIT = 512  # from so many columns on, a row of equal elements makes the kernel abort
ROW_LIMIT_I16 = 1 << 16  # beyond so many columns, the sum of exponentials overflows 32 bits


# Two equal elements: exp is 2**31 - 1 each, 524288 = 1 in Q12.19 after a shift by 12, the sum 2**20 = 2. It has 11
# leading zeros; shifted left by 10 it is 2**30, half of (1 + a) with a = 0, whose inverse is 2**30, 1 in Q1.30. Its
# product with exp is 2**31 - 1 again, and 12 + 31 - 8 - 11 = 24 bits to the right leave 128: half of 256.
def softmax(match: Match) -> Expr:
    """Lowers SOFTMAX of 8 bits: exp in Q0.31, the sum in Q12.19, its reciprocal in Q0.31.

    The result has 8 bits or 16; its lowest level stands for 0.
    """
    x, bits = operand(match, "input"), match.op.results[0].type.dtype.bits
    values = exponentials(np.float64(match.attributes(tflite.SoftmaxOptions).beta), np.float64(x.scale))
    row = x.value
    last, columns = row.rank - 1, row.shape[-1]
    exponential = gather_by_distance(match, row)(values)
    terms = exponential.shifted_right(SUM_BITS, round=True)
    total = reduce_sum(terms, last) if columns > 1 else terms
    headroom = clz(total)
    inverse = half_reciprocal(total << headroom - 1)
    shift = SUM_BITS + 31 - bits - headroom
    # 512 equal elements: the sum 2**28 has a headroom of 3, and 12 + 31 - 8 - 3 = 32. LiteRT's kernel aborts there, and
    # TOSA shifts by 31 at most.
    if columns >= ROW_LIMIT:
        shift = minimum(shift, 31)
    if is_one_exact(values, bits):
        product = exponential.times(inverse, 30)
    else:  # in Q0.31, as in the kernel, 1 is 2**31 - 1
        product = exponential.times(double_saturating(inverse), 31)
    y = product.shifted_right(shift, round=True)
    if bits == 16:  # RESCALE takes no zero point there
        return rescale(y - (1 << 15), DType.I16, *TIMES_ONE)
    return to_result_type(match, rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MIN))


def gather_by_distance(match: Match, x: Expr) -> Callable[[Array], Expr]:
    """Returns a function that gathers `words[row_max - x]` for each element; the distance is in 0..255.

    It uses GATHER, or TABLEs for targets that avoid GATHER.
    """
    last = x.rank - 1
    row_max = reduce_max(x, last) if x.shape[last] > 1 else x
    if target_avoids(match, "GATHER"):
        return functools.partial(_gather_by_tables, x, row_max)
    distance = row_max.cast(DType.I32) - x.cast(DType.I32)

    def gather_words(words: Array) -> Expr:
        """Gathers `words` by each element's distance from the row's maximum."""
        rows = const(words.reshape(1, -1, 1), DType.I32)
        return gather(rows, distance.reshape((1, x.size))).reshape(x.shape)

    return gather_words


def _gather_by_tables(x: Expr, row_max: Expr, words: Array) -> Expr:
    """Looks up 32-bit `words` by row_max - x (0 to 255) with four 8-bit TABLEs, for targets without GATHER.

    A word is split as high * factor + low, and each half is assembled from two bytes. Each TABLE computes the distance
    row_max - x again, because NPUs join a TABLE to the operator in front only if that has no other reader.
    """

    def look_up_bytes(bytes_: Array) -> Expr:
        """Looks up bytes by row_max - x, with one TABLE."""
        largest, element = (rescale(operand, DType.I32, *TIMES_ONE) for operand in (row_max, x))
        return table(rescale(largest - element, DType.I8, *TIMES_ONE, output_zp=INT8_MIN), bytes_.astype(np.int8))

    def look_up_16_bits(halves: Array) -> Expr:
        """Looks up values of 16 bits by row_max - x, by one TABLE for each of their bytes; returns i32."""
        high = rescale(look_up_bytes(halves >> 8), DType.I32, [1 << 30], [22])  # times 256
        # TABLE's results are int8: the low byte is stored less 128, which the zero point gives back.
        low = rescale(look_up_bytes((halves & 0xFF) - 128), DType.I32, *TIMES_ONE, input_zp=INT8_MIN)
        return rescale(high + low, DType.I16, *TIMES_ONE).cast(DType.I32)

    # The low half is looked up as a signed number, so 2**15 is added before the split and taken off behind it.
    factor = splitting_factor(words)
    high, low = np.divmod(words + (1 << 15), factor)
    return look_up_16_bits(high) * factor + look_up_16_bits(low - (1 << 15))


# ** SOFTMAX of 16 bits **


# Two elements that are both the maximum: exp is 32767 each, the sum 65534. With 16 leading zeros it is shifted left by
# 15 to 0.99997 in Q0.31, 131068 after a shift by 14. Less 3 << 15 that is 32764, which stands for x = 0.9999 of 0 to 1
# in the table of 1 / (1 + x): 16384 in Q0.15. 32767 * 16384 shifted right by 31 - 16 = 15 bits is 16384, half of 32768.
def softmax_i16(match: Match) -> Expr:
    """Lowers SOFTMAX of int16: exp in Q0.15, the sum in Q16.15, its reciprocal in Q0.15.

    Rows whose sum may leave 32 bits and a negative beta are declined.
    """
    x = operand(match, "input")
    last = x.value.rank - 1
    columns = x.value.shape[last]
    if columns > ROW_LIMIT_I16:
        raise Decline(f"expected rows whose sum fits 32 bits, found {columns} elements")
    beta = match.attributes(tflite.SoftmaxOptions).beta
    if not beta >= 0:
        raise Decline(f"expected a beta of 0 or more, found {beta}")
    exp = _exponentials_i16(match, x.value, last, x.scale * np.float32(beta))
    total = reduce_sum(exp, last) if columns > 1 else exp
    # The sum is (1 + x) * 2**n with x in [0, 1): `high` is (1 + x) * 2**30, and `fraction` x - 1/2 in steps of 2**-16,
    # which TABLE takes. Two equal elements sum to about 65534, with 16 leading zeros: `high` is 65534 * 2**15,
    # `fraction` 131068 - 98304 = 32764, the inverse 2**14 for 1/2, and y = 32767 * 2**14 / 2**15 = 2**14.
    headroom = clz(total)
    high = total << headroom - 1
    fraction = high.shifted_right(14, round=True)
    fraction = rescale(fraction - (3 << 15), DType.I16, *TIMES_ONE)
    inverse = interpolate_table(fraction, reciprocal_entries(), DType.I32)
    shift = 31 - headroom
    y = (exp * inverse).shifted_right(shift, round=True)
    return rescale(y, DType.I16, *TIMES_ONE)


def _exponentials_i16(match: Match, x: Expr, axis: int, scale: np.float32) -> Expr:
    """Returns exp(scale * (x - row maximum)) in Q0.15, as i32, by an interpolating TABLE.

    Arguments of -10 to 0 are mapped to the int16 values -32768 to 32767; arguments below -10 count as -10.
    """
    row_max = reduce_max(x, axis, nan_mode="PROPAGATE") if x.shape[axis] > 1 else x
    below = x.cast(DType.I32) - row_max.cast(DType.I32)
    multiplier = quantize_multiplier(np.float64(scale) / (EXP_RANGE / RANGE))
    distance = requantize_to_i32(match, below, multiplier, peak=RANGE)
    centered = distance + INT16_MAX  # a distance of 0 is the last value; RESCALE saturates those below -10
    return interpolate_table(rescale(centered, DType.I16, *TIMES_ONE), exp_entries(), DType.I32)


# ** LOG_SOFTMAX **


def log_softmax(match: Match) -> Expr:
    """Lowers LOG_SOFTMAX: the distance from the row's maximum, less the logarithm of the sum, in Q5.26.

    Results below -16 saturate, so distances beyond -20 count as -20, and nothing overflows. Rows whose sum may leave 32
    bits are declined.
    """
    x = operand(match, "input")
    shape = x.value.shape
    if shape[-1] >= 1 << SUM_BITS:
        raise Decline(f"expected rows whose sum fits the kernel's 32 bits, found {shape[-1]} elements")
    in_reach, scaled = scaled_distances(np.float64(1), np.float64(x.scale))
    gather_words = gather_by_distance(match, x.value)
    exponential = np.where(in_reach, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0)
    total = gather_words(divide_by_pot(exponential, SUM_BITS))
    total = reduce_sum(total, len(shape) - 1) if shape[-1] > 1 else total
    distance = gather_words(np.maximum(np.where(in_reach, scaled, FARTHEST), FARTHEST))
    y = rounding_shift(distance - logarithm(total), np.array([31 - SCALED_DIFF_BITS - OUTPUT_BITS]))
    return to_result_type(match, rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MAX))


@condition("the operand has one scale")
def one_scale(match: Match) -> str | None:
    """Declines an operand that isn't of 8 bits with one scale."""
    return not_eight_bit((match.source("input"),))


RULES: tuple[Rule, ...] = (
    Rule("tfl.softmax", BYTES, softmax, (one_scale, as_reference)),
    Rule("tfl.softmax", "i16", softmax_i16, (sixteen_bit(0), as_reference)),
    Rule("tfl.log_softmax", BYTES, log_softmax, (eight_bit(0), as_reference)),
)
