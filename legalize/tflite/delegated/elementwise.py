"""Arithmetic, functions, reductions and borders of 8-bit elements that LiteRT's delegate takes."""

import math
from collections.abc import Sequence

from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.limits import I32
from tosa_converter.legalize.quant.elements import affine, eight_bit, operand, same_type, target8
from tosa_converter.legalize.tflite.delegated.node import asked, bounds, node, static
from tosa_converter.legalize.tflite.quantized.borders import from_float
from tosa_converter.legalize.tflite.quantized.reduce import axes_of, reduced, squeezed
from tosa_converter.legalize.xnnpack import convert, quantized, tables
from tosa_converter.legalize.xnnpack.requantize import F32, product_scale
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Result, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

# ** arithmetic and functions **


def _two(name: str, build: Build) -> Build:
    """A node of two operands with bounds."""

    def two(match: Match) -> Result | Sequence[Result]:
        return build(node(name, match, match.source("lhs"), match.source("rhs"), **bounds(match)))

    return two


def mul(match: Match) -> Result | Sequence[Result]:
    """MUL -> Multiply, of scales that the delegate takes."""
    a, b = (affine(match, key).scale for key in ("lhs", "rhs"))
    (scale,) = product_scale(a, b, over=target8(match).scale)
    if not 2.0**-16 <= scale < 2.0**8:
        raise Decline(f"a scale of {scale:.3g} for products, which the delegate leaves to other kernels")
    return _two("multiply", quantized.multiply)(match)


def _table(name: str, **fields: float) -> Build:
    """A node of one operand."""
    build = tables.FUNCTIONS[name]

    def table(match: Match) -> Result | Sequence[Result]:
        return build(node(name, match, match.source(0), **fields))

    return table


def leaky_relu(match: Match) -> Result | Sequence[Result]:
    """LEAKY_RELU -> LeakyReLU, of slopes and scales that the delegate takes."""
    slope = match.attributes(tflite.LeakyReluOptions).alpha
    above = float(affine(match, "input").scale / target8(match).scale)
    below = float(F32(above) * F32(slope))
    if not (SMALLEST <= above <= 128 and abs(below) >= SMALLEST and SMALLEST - 128 <= below <= 128):
        raise Decline(f"scales of {above:.3g} and {below:.3g}, which the delegate leaves to other kernels")
    return _table("leaky_relu", negative_slope=slope)(match)


# ** reductions **


def _sum(match: Match, *, mean: bool) -> Expr:
    """The sum of stored elements, or their mean, as XNNPACK rounds it."""
    x, to = operand(match, "input"), target8(match)
    static(match, 1)
    axes = axes_of(match, x.value)
    count = math.prod(x.value.shape[axis] for axis in axes)
    if not axes or not 0 < 255 * count <= I32.max:
        raise Decline(f"sums of {count} elements over {len(axes)} axes")
    total = reduced(ops.REDUCE_SUM, quantized.as_stored(match), axes)
    scale = x.scale / to.scale * (F32(1) / F32(count) if mean else F32(1))
    return squeezed(match, quantized.averaged(match, total, count, scale), axes)


def mean(match: Match) -> Expr:
    """MEAN -> a mean over axes."""
    return _sum(match, mean=True)


def sum_(match: Match) -> Expr:
    """SUM -> a sum over axes."""
    return _sum(match, mean=False)


# ** borders **


def quantize(match: Match) -> Expr:
    """QUANTIZE of floats -> Convert."""
    return convert.quantize(node("convert", match, match.source("input")))


def requantize(match: Match) -> Expr:
    """QUANTIZE of elements of the same type -> Convert."""
    return convert.requantize(node("convert", match, match.source("input")))


SMALLEST = 2.0**-8  # of scales that are whole 256ths
PAIR = (asked, eight_bit(0, 1), same_type)
ONE = (asked, eight_bit(0), same_type)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.add", BYTES, _two("add", quantized.add), PAIR),
    Rewrite("tfl.sub", BYTES, _two("subtract", quantized.subtract), PAIR),
    Rewrite("tfl.mul", BYTES, mul, PAIR),
    Rewrite("tfl.logistic", BYTES, _table("sigmoid"), ONE),
    Rewrite("tfl.tanh", BYTES, _table("tanh"), ONE),
    Rewrite("tfl.elu", "i8", _table("elu", alpha=1.0), ONE),
    Rewrite("tfl.leaky_relu", BYTES, leaky_relu, ONE),
    Rewrite("tfl.mean", BYTES, mean, ONE),
    Rewrite("tfl.sum", BYTES, sum_, ONE),
    Rewrite("tfl.quantize", "fp32", quantize, (asked, from_float)),
    Rewrite("tfl.quantize", BYTES, requantize, ONE),
)
