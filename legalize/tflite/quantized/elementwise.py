"""Elementwise operators of two 8-bit operands, with broadcast.

ADD, SUB and SQUARED_DIFFERENCE bring both operands to half the larger scale with some bits to spare (add.cc, sub.cc,
squared_difference.cc); MUL multiplies first (mul.cc).
"""

import operator
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import FLAT, Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    LARGEST,
    NARROW,
    VALUES,
    Operand,
    Target8,
    affine,
    as_reference,
    eight_bit,
    fused_range,
    named,
    not_of_bits,
    operand,
    rescalable,
    signed,
    stored,
    target8,
    to_result_type,
    widened,
)
from tosa_converter.legalize.quant.fixed_point import reciprocal
from tosa_converter.legalize.quant.multipliers import (
    Multiplier,
    divide_by_pot,
    high_mul,
    multiply,
    quantize_multiplier,
    single_round,
    undefined_at,
)
from tosa_converter.legalize.quant.requantize import OVERFLOW, TIMES_ONE, divided, requantized
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.rewriting import expr, operators
from tosa_converter.rewriting.expr import Expr, const, same_rank, where
from tosa_converter.rewriting.operators import gather, rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas.tflite import ActivationFunctionType

ADD_SHIFT = {DType.I8: 20, DType.I16: 15}
SQUARE_SHIFT = {DType.I8: 7, DType.I16: 0}


# ** sums and differences **


def add(match: Match) -> Expr:
    """ADD -> two RESCALEs, ADD, RESCALE."""
    return _sum(match, operator.add, below_one)


def sub(match: Match) -> Expr:
    """SUB -> two RESCALEs, SUB, RESCALE."""
    if undefined_difference(match):
        match.note("LiteRT shifts by a negative number of bits, which is undefined in C; this gives the difference")
    return _sum(match, operator.sub)


def _sum(
    match: Match,
    combine: Callable[[Expr, Expr], Expr],
    check: Callable[[Multiplier], Multiplier] = lambda multiplier: multiplier,
) -> Expr:
    a, b, to = *addends(match), target8(match)
    twice, left = np.float64(2 * max(a.scale, b.scale)), ADD_SHIFT[to.dtype]
    multiplier = check(_sum_multiplier(a.scale, b.scale, to))
    total = combine(shared_scale(match, a, twice, left), shared_scale(match, b, twice, left))
    low, high = fused_range(match, to)
    peak = LARGEST[to.dtype] << left
    y = requantized(match, total, multiplier, to.zero_point, low, high, peak=peak, dtype=to.dtype)
    return to_result_type(match, y)


def addends(match: Match) -> tuple[Operand, Operand]:
    """Both operands; in compact numerics of one rank, lest a RESHAPE keeps hardware from joining RESCALE and ADD."""
    a, b = operand(match, 0), operand(match, 1)
    if match.options.numerics != "compact":
        return a, b
    first, second = same_rank(a.value, b.value)
    return a._replace(value=first), b._replace(value=second)


def below_one(multiplier: Multiplier) -> Multiplier:
    """The multiplier, which QuantizeMultiplierSmallerThanOneExp takes.

    Raises:
        Decline: it is 1 or more.
    """
    if multiplier.shift[0] > 0:
        raise Decline("a result's scale so fine that LiteRT's kernel refuses it")
    return multiplier


def _sum_multiplier(a: np.float32, b: np.float32, to: Target8) -> Multiplier:
    return quantize_multiplier(np.float64(2 * max(a, b)) / np.float64(np.float32(1 << ADD_SHIFT[to.dtype]) * to.scale))


def squared_difference(match: Match) -> Expr:
    """SQUARED_DIFFERENCE -> two RESCALEs, SUB, MUL, RESCALE."""
    a, b, to = *addends(match), target8(match)
    twice, shift = np.float64(2 * max(a.scale, b.scale)), SQUARE_SHIFT[to.dtype]
    difference = shared_scale(match, a, twice, shift) - shared_scale(match, b, twice, shift)
    multiplier = quantize_multiplier(twice * twice / np.float64(np.float32(1 << 2 * shift) * to.scale))
    if to.dtype is DType.I8:
        below_one(multiplier)
    square, peak = difference * difference, (LARGEST[to.dtype] << shift) ** 2
    return requantized(match, square, multiplier, to.zero_point, peak=peak, dtype=to.dtype)


def shared_scale(match: Match, x: Operand, twice: np.float64, left: int) -> Expr:
    """(stored - zero point) << left, on the scale `twice`: one RESCALE if one rounding does for all values, or two.

    In compact numerics it is one, whose rounding is that of the exact product.
    """
    real = float(np.float64(x.scale) / twice)
    found = _one_rounding(real, x.zero_point, left, x.value.dtype)
    value, zero = rescalable(x)
    if found is not None:
        return rescale(value, DType.I32, [found[0]], [found[1]], input_zp=zero)
    multiplier = quantize_multiplier(real)
    if match.options.numerics == "compact":
        match.note("operands are rounded once, not twice: this operator may differ by 1 step")
        return rescale(value, DType.I32, multiplier.m, multiplier.tosa_shift - left, input_zp=zero)
    high = rescale(value, DType.I32, multiplier.m, [31 - left], input_zp=zero)
    return divided(high, -int(multiplier.shift[0]))


@lru_cache(1024)  # layers often share their scales
def _one_rounding(real: float, zero_point: int, left: int, dtype: DType) -> tuple[int, int] | None:
    """Multiplier and shift of a single rounding that equals the kernel's two for all values of the type."""
    multiplier = quantize_multiplier(real)
    points, reach = _points(zero_point, dtype)
    wanted = divide_by_pot(high_mul(points << left, multiplier.m[0]), -int(multiplier.shift[0]))
    nominal, middle = real * 2**left, wanted / points
    if (middle - reach).max() > (middle + reach).min() + nominal * 2**-48:
        return None  # floats see that no multiplier is in reach of all, which is so of most scales
    return single_round(points, wanted, nominal)


@lru_cache(256)
def _points(zero_point: int, dtype: DType) -> tuple[Array, Array]:
    """All values of a type less the zero point but 0, which every multiplier takes to 0; half of each one's inverse."""
    least, most = dtype.limits
    points = np.arange(least - zero_point, most - zero_point + 1)
    points = points[points != 0]
    return points, 0.5 / np.abs(points)


# ** products **


def mul(match: Match) -> Expr:
    """MUL -> two RESCALEs, MUL, RESCALE."""
    a, b, to = operand(match, "lhs"), operand(match, "rhs"), target8(match)
    multiplier = quantize_multiplier(a.scale * b.scale / to.scale)
    low, high = fused_range(match, to)
    peak = LARGEST[to.dtype] ** 2
    y = requantized(match, product(a, b), multiplier, to.zero_point, low, high, peak=peak, dtype=to.dtype)
    return to_result_type(match, y)


def mul_to_words(match: Match) -> Expr:
    """MUL of int8 with a result of int32 -> the product of the elements less their zero points."""
    a, b = (operand(match, key) if match.source(key).type.quant else Operand(match[key], *_UNIT) for key in (0, 1))
    result = match.op.results[0]
    scale = a.scale * b.scale
    stated = result.type.quant
    if stated is not None and (np.float32(stated.scale[0]) != scale or any(stated.zero_point)):
        raise Decline(f"expected scale {scale:.6g} and zero point 0 of {result.name!r}, found {result.type}")
    if match.attributes(Fused).fused_activation_function is not ActivationFunctionType.NONE:
        raise Decline("a product of 32 bits with a fused activation")
    note_disagreement(match)
    return product(a, b)


@condition("operands are of int8 with one scale or none, the result is of int32")
def to_words(match: Match) -> str | None:
    """Against other types."""
    result = match.op.results[0].type
    if result.dtype is not DType.I32:
        return f"the result is {result}"
    return not_of_bits(8, (DType.I8,), match.op.operands, plain=True)


_UNIT = (np.float32(1), 0)


def product(a: Operand, b: Operand) -> Expr:
    """The product in i32; MUL widens what has a zero point of 0."""
    if a.value.dtype is b.value.dtype and a.zero_point == b.zero_point == 0:
        return a.value * b.value
    return widened(a) * widened(b)


def prelu(match: Match) -> Expr:
    """PRELU -> a TABLE for what isn't below zero, MUL and RESCALE for the rest, SELECT."""
    x, alpha, to = operand(match, "input"), operand(match, "alpha"), target8(match)
    points = VALUES - x.zero_point
    multiplier = quantize_multiplier(x.scale / to.scale)
    if undefined_at(points, multiplier).any():
        match.note(OVERFLOW)
    above = multiply(points, multiplier) + to.zero_point
    positive = operators.table(x.value, np.clip(above, INT8_MIN, INT8_MAX).astype(np.int8))
    centered = widened(x)
    product = centered * widened(alpha)
    multiplier = quantize_multiplier(x.scale * alpha.scale / to.scale)
    negative = requantized(match, product, multiplier, to.zero_point, peak=255 * 255)
    is_positive = centered >= 0
    return to_result_type(match, where(is_positive, positive, negative))


# ** comparisons of stored values **


def maximum(match: Match) -> Expr:
    """MAXIMUM of the stored values in i32: the kernel looks at no scale."""
    return _extreme(match, expr.maximum)


def minimum(match: Match) -> Expr:
    """MINIMUM of the stored values in i32: the kernel looks at no scale."""
    return _extreme(match, expr.minimum)


def _extreme(match: Match, choose: Callable[[Expr, Expr], Expr]) -> Expr:
    a, b = (stored(match, i).cast(DType.I32) for i in range(2))
    return to_result_type(match, choose(a, b).cast(signed(match.op.results[0])))


@condition("elements are 8-bit integers")
def eight_bits(match: Match) -> str | None:
    """Against elements that aren't 8-bit integers, quantized or not."""
    for value in (*match.op.operands, *match.op.results):
        if value.type.dtype not in NARROW:
            return f"{value.name!r} is of type {value.type.dtype.value}, not i8"
    return None


# ** quotients **


def div(match: Match) -> Expr:
    """DIV -> a GATHER of all 65536 quotients, since the kernel's fixed-point reciprocal has no shorter form."""
    quotients, undefined = _quotients(match, *fused_range(match, target8(match)))
    if undefined.any():
        match.note(
            f"for {np.count_nonzero(undefined)} of 65536 pairs of elements LiteRT shifts by more than 31 bits, "
            "which is undefined in C and gives anything; this gives the quotient"
        )
    table = const(quotients.reshape(1, -1, 1), DType.I8)
    row, column = (rescale(stored(match, i), DType.I32, *TIMES_ONE, input_zp=INT8_MIN) for i in range(2))
    index = row * const(256, DType.I32) + column
    picked = gather(table, index.reshape((1, index.size)))
    return named(match, picked, FLAT).reshape(index.shape)


def _quotients(match: Match, low: int, high: int) -> tuple[Array, Array]:
    """DivElementwise (reference/div.h) for all pairs, as bits of the result's type; and where it is undefined.

    What is divided by zero, which the kernel refuses, gives 0 here.
    """
    to, multiplier = target8(match), quotient_multiplier(match)
    x, y = np.meshgrid(VALUES - affine(match, 0).zero_point, VALUES - affine(match, 1).zero_point, indexing="ij")
    undefined = undefined_quotients(match, x, y)
    x, y = np.where(y < 0, -x, x), np.abs(y)
    inverse, _ = reciprocal(np.maximum(y, 1), 31)
    quotient, shift = high_mul(x << _leading_sign_bits(x), inverse), _last_shift(multiplier, x, y)
    scaled = divide_by_pot(high_mul(quotient, multiplier.m[0]) << np.clip(shift, 0, 31), np.clip(-shift, 0, 62))
    result = np.clip(np.where(y == 0, 0, scaled) + to.zero_point, low, high).astype(np.int8)
    return result ^ np.int8(INT8_MIN if to.unsigned else 0), undefined


def quotient_multiplier(match: Match) -> Multiplier:
    """What DIV multiplies the quotient of the stored values by."""
    return quantize_multiplier(affine(match, 0).scale / (affine(match, 1).scale * target8(match).scale))


def _leading_sign_bits(x: Array) -> Array:
    """CountLeadingSignBits of int32."""
    return np.asarray(30 - np.floor(np.log2(np.maximum(np.where(x < 0, ~x, x), 0.5))).astype(np.int64))


def _last_shift(multiplier: Multiplier, x: Array, y: Array) -> Array:
    """How far to the left DivElementwise shifts x / y at last, for y >= 0."""
    return np.asarray(multiplier.shift - np.floor(np.log2(np.maximum(y, 1))).astype(np.int64) - _leading_sign_bits(x))


# ** what LiteRT leaves undefined: tables over the operands' stored values in order, where nothing else is said **


def undefined_quotients(match: Match, x: Array, y: Array) -> Array:
    """Where DIV of these stored values less their zero points is undefined."""
    shift = _last_shift(quotient_multiplier(match), np.where(y < 0, -x, x), np.abs(y))
    return np.asarray((y != 0) & ((shift > 0) | (shift < -31)))


def undefined_difference(match: Match) -> bool:
    """Whether SUB is undefined: its kernel divides by a power of two only, and ADD's refuses such scales."""
    return bool(_sum_multiplier(affine(match, 0).scale, affine(match, 1).scale, target8(match)).shift[0] > 0)


def undefined_products(match: Match) -> Array:
    """Where MUL is undefined, [256,256]."""
    (a_scale, a_zero), (b_scale, b_zero) = affine(match, 0), affine(match, 1)
    product = np.multiply.outer(VALUES - a_zero, VALUES - b_zero)
    return undefined_at(product, quantize_multiplier(a_scale * b_scale / target8(match).scale))


def undefined_slopes(match: Match) -> Array:
    """Where PRELU is undefined, [256,256]."""
    (scale, zero), alpha, to = affine(match, 0), affine(match, 1), target8(match)
    x = (VALUES - zero)[:, None]
    above = undefined_at(x, quantize_multiplier(scale / to.scale))
    below = undefined_at(x * (VALUES - alpha.zero_point), quantize_multiplier(scale * alpha.scale / to.scale))
    return np.where(x >= 0, above, below)


CHECKS = (eight_bit(0, 1), as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.add", BYTES, add, CHECKS),
    Rewrite("tfl.sub", BYTES, sub, CHECKS),
    Rewrite("tfl.mul", BYTES, mul, CHECKS),
    Rewrite("tfl.mul", "i8", mul_to_words, (to_words,)),
    Rewrite("tfl.div", BYTES, div, CHECKS),
    Rewrite("tfl.squared_difference", "i8", squared_difference, CHECKS),
    Rewrite("tfl.prelu", BYTES, prelu, CHECKS),
    Rewrite("tfl.maximum", BYTES, maximum, (eight_bits,)),
    Rewrite("tfl.minimum", BYTES, minimum, (eight_bits,)),
)
