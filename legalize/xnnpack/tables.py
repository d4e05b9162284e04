"""Functions of one quantized element: all 256 results in a TABLE."""

from collections.abc import Callable
from math import erf

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import VALUES, Affine, Target8, affine, eight_bit, emit_table, target8
from tosa_converter.legalize.xnnpack.checks import BYTES
from tosa_converter.legalize.xnnpack.quantized import as_elements
from tosa_converter.legalize.xnnpack.requantize import F32
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import xnnpack

UNIT = 256  # multipliers of the kernels that have one are whole 256ths


def _table(match: Match, results: Array) -> Expr:
    unsigned = match.source("input").type.dtype is DType.UI8
    to_unsigned = match.op.results[0].type.dtype is DType.UI8
    return emit_table(match["input"], results, from_unsigned=unsigned, to_unsigned=to_unsigned)


def _function(function: Callable[[Match, Array], Array]) -> Build:
    """A function of numbers, in float64 and then in float32 as the C library's are but for their last bit."""

    def table(match: Match) -> Expr:
        x, to = affine(match, "input"), target8(match)
        real = ((VALUES - x.zero_point).astype(F32) * x.scale).astype(np.float64)
        with np.errstate(all="ignore"):
            results = as_elements(function(match, real).astype(F32), to)
        return _table(match, results)

    return table


def _of(function: Callable[[Array], Array]) -> Build:
    return _function(lambda _, x: function(x))


def _elu(match: Match, x: Array) -> Array:
    alpha = float(F32(match.attributes(xnnpack.XNNELU).alpha))
    return np.where(x < 0, alpha * np.expm1(x), x)


def _gelu(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1 + np.vectorize(erf)(x * np.sqrt(0.5))))


def _hardswish(x: Array) -> Array:
    x = x.astype(F32)
    return np.asarray(x * (np.clip(x + F32(3), F32(0), F32(6)) * (F32(1) / F32(6))))


def _sloped(x: Affine, to: Target8, slope: float) -> Array:
    """Multipliers of 8 bits behind the point, one on each side of 0 (xnn_qs8_vlrelu)."""
    above = x.scale / to.scale
    below = above * F32(slope)
    difference = VALUES - x.zero_point
    multiplier = np.where(difference >= 0, np.rint(above * UNIT), np.rint(below * UNIT)).astype(np.int64)
    low, high = DType.I8.limits
    return np.asarray(np.clip((difference * multiplier + UNIT // 2 >> 8) + to.zero_point, low, high), np.int8)


def leaky_relu(match: Match) -> Expr:
    """LeakyReLU in fixed point."""
    slope = match.attributes(xnnpack.XNNLeakyReLU).negative_slope
    return _table(match, _sloped(affine(match, "input"), target8(match), slope))


FUNCTIONS: dict[str, Build] = {
    "abs": _of(np.abs),
    "ceiling": _of(np.ceil),
    "cos": _of(np.cos),
    "elu": _function(_elu),
    "exp": _of(np.exp),
    "floor": _of(np.floor),
    "gelu": _of(_gelu),
    "hardswish": _of(_hardswish),
    "leaky_relu": leaky_relu,
    "log": _of(np.log),
    "negate": _of(np.negative),
    "reciprocal_square_root": _of(lambda x: 1 / np.sqrt(x)),
    "sigmoid": _of(lambda x: 1 / (1 + np.exp(-x))),
    "sin": _of(np.sin),
    "square": _of(np.square),
    "square_root": _of(np.sqrt),
    "tanh": _of(np.tanh),
}

REWRITES: tuple[Rewrite, ...] = tuple(
    Rewrite(f"xnn.{name}", BYTES, build, (eight_bit("input"),)) for name, build in FUNCTIONS.items()
)
