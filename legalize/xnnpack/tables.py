"""Functions of one quantized element: the 256 results are computed at conversion and looked up by a TABLE."""

from collections.abc import Callable
from math import erf
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    VALUES,
    Affine,
    OutputQuant,
    affine,
    eight_bit,
    emit_table,
    output_quant,
)
from tosa_converter.legalize.quant.xnnpack_rounding import CONVERT_BITS, F32, quantized_levels, whole_256ths
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import xnnpack

RealFunction: TypeAlias = Callable[[Array], Array]
Entries: TypeAlias = Callable[[Match, Affine, OutputQuant], Array]


def gelu(x: Array) -> Array:
    """Returns XNNPACK's GELU of an array, x / 2 * (1 + erf(x / sqrt(2)))."""
    return np.asarray(x * 0.5 * (1 + np.vectorize(erf)(x * np.sqrt(0.5))))


def hardswish(x: Array) -> Array:
    """Returns x * clip(x + 3, 0, 6) / 6 in float32, in the order of operations of XNNPACK's kernel."""
    x = x.astype(F32)
    return np.asarray(x * (np.clip(x + F32(3), F32(0), F32(6)) * (F32(1) / F32(6))))


# In float64; rounded to float32 they are the C library's results but for their last bit.
FUNCTIONS: dict[str, RealFunction] = {
    "abs": np.abs,
    "ceiling": np.ceil,
    "cos": np.cos,
    "exp": np.exp,
    "floor": np.floor,
    "gelu": gelu,
    "hardswish": hardswish,
    "log": np.log,
    "negate": np.negative,
    "reciprocal_square_root": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sin": np.sin,
    "square": np.square,
    "square_root": np.sqrt,
    "tanh": np.tanh,
}


def entries(function: RealFunction, x: Affine, output: OutputQuant) -> Array:
    """Returns the TABLE of a real function: its quantized int8 results for the operand's values -128 to 127."""
    reals = ((VALUES - x.zero_point).astype(F32) * x.scale).astype(np.float64)
    with np.errstate(all="ignore"):
        return quantized_levels(function(reals).astype(F32), output)


def table_lowering(entries_of: Entries) -> Build:
    """Returns the build function of an 8-bit XNNPACK node that becomes a TABLE of the 256 results from `entries_of`."""

    def lower(match: Match) -> Expr:
        """Lowers the matched XNNPACK node to a TABLE of its 256 results."""
        output = output_quant(match)
        from_unsigned = match.source("input").type.dtype is DType.UI8
        results = entries_of(match, affine(match, "input"), output)
        return emit_table(match["input"], results, from_unsigned=from_unsigned, to_unsigned=output.unsigned)

    return lower


def function_lowering(function: RealFunction) -> Build:
    """Returns the build function of an 8-bit XNNPACK node that becomes a TABLE of a function of real numbers."""
    return table_lowering(lambda _, x, output: entries(function, x, output))


def _elu(match: Match, x: Affine, output: OutputQuant) -> Array:
    """Returns the 256 int8 results of XNNPACK's ELU: x, or alpha * (exp(x) - 1) if x < 0."""
    alpha = float(F32(match.attributes(xnnpack.XNNELU).alpha))
    return entries(lambda real: np.where(real < 0, alpha * np.expm1(real), real), x, output)


def _leaky_relu(match: Match, x: Affine, output: OutputQuant) -> Array:
    """Returns the 256 results of LeakyReLU as XNNPACK computes them (xnn_qs8_vlrelu).

    A result is `((x - zero_point) * m + 128 >> 8) + zero_point` with an integer m for either sign.
    """
    positive = x.scale / output.scale
    negative = positive * F32(match.attributes(xnnpack.XNNLeakyReLU).negative_slope)
    difference = VALUES - x.zero_point
    multiplier = np.where(difference >= 0, whole_256ths(positive), whole_256ths(negative))
    half = 1 << CONVERT_BITS - 1
    levels = (difference * multiplier + half >> CONVERT_BITS) + output.zero_point
    return np.asarray(np.clip(levels, *DType.I8.limits), np.int8)


OPERATORS: dict[str, Build] = {
    **{name: function_lowering(function) for name, function in FUNCTIONS.items()},
    "elu": table_lowering(_elu),
    "leaky_relu": table_lowering(_leaky_relu),
}

RULES: tuple[Rule, ...] = tuple(
    Rule(f"xnn.{name}", BYTES, build, (eight_bit("input"),)) for name, build in sorted(OPERATORS.items())
)
