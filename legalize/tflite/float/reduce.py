"""Reductions of floats, i32 and bool."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import NUMBERS, no_narrow_integers
from tosa_converter.legalize.constant_operands import constant_ints, held_in_32_bits
from tosa_converter.legalize.limits import narrowed, normalized_axis
from tosa_converter.legalize.ops import reduce
from tosa_converter.legalize.ops.reduce import Reduction
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tflite


def reduction_axes(match: Match, x: Expr) -> list[int]:
    """Returns the axes that operand 1 of a reduction names, ascending and without repetition."""
    return sorted({normalized_axis(axis, x.rank) for axis in constant_ints(match, 1)}) if x.rank else []


def _keeps_axes(match: Match) -> bool:
    """Returns whether a reduction's option keep_dims is set: reduced axes stay, with size 1."""
    return match.attributes(tflite.ReducerOptions).keep_dims


def _reduce_over_axes(reduction: Reduction) -> Callable[[Match], Expr]:
    """Returns a build function that applies `reduction` over the operator's axes.

    An empty operand gives the reduction's identity, and axes that all have size 1 need no more than a reshape.
    """

    def build(match: Match) -> Expr:
        """Applies the closure's `reduction` over the axes of the matched operator."""
        x = match[0]
        axes, keep = reduction_axes(match, x), _keeps_axes(match)
        shape = reduce.reduced_shape(x.shape, axes, keep=keep)
        if 0 in x.shape:
            return const(np.full(shape, reduction.identity(x.dtype), x.dtype.numpy), x.dtype)
        if all(x.shape[axis] == 1 for axis in axes):
            return x.reshape(shape)
        return reduce.reduce_over(x, axes, reduction.along, keep=keep)

    return build


def _with_overflow_note(build: Callable[[Match], Expr]) -> Build:
    """Returns `build` with a note for 64-bit results, which are computed in 32 bits."""

    def build_with_note(match: Match) -> Expr:
        """Builds the reduction, and notes that 64-bit results are computed in 32 bits."""
        return held_in_32_bits(match, build(match))

    return build_with_note


def mean(match: Match) -> Expr:
    """Lowers MEAN to AVG_POOL2D, which divides by the count as the kernel does; compact: to a sum times 1/count.

    Of no elements at all, the mean of floats is NaN; integers are declined. A note says that i64 is computed in 32
    bits.
    """
    x = match["input"]
    axes, keep = reduction_axes(match, x), _keeps_axes(match)
    if 0 in x.shape:
        if x.dtype is DType.I32:
            raise Decline(f"expected at least 1 integer to take the mean of, found {x.type}")
        return const(np.full(reduce.reduced_shape(x.shape, axes, keep=keep), np.nan), x.dtype)
    by_pool = match.options.numerics != "compact"
    return held_in_32_bits(match, reduce.mean_over(x, axes, keep=keep, by_pool=by_pool))


def reduce_prod(match: Match) -> Expr:
    """Lowers REDUCE_PROD; 64-bit constants (sizes of shapes) are multiplied exactly, and must fit 32 bits."""
    x = match["input"]
    if match.source("input").type.dtype is DType.I64 and x.constant is not None and x.size:
        axes = tuple(reduction_axes(match, x))
        exact = np.asarray(x.constant.astype(object).prod(axis=axes, keepdims=_keeps_axes(match)))
        return const(narrowed(exact), DType.I32)
    return _reduce_over_axes(reduce.PRODUCT)(match)


REDUCTIONS: dict[str, tuple[str, Build]] = {
    "sum": (NUMBERS, _with_overflow_note(_reduce_over_axes(reduce.FP32_SUM))),
    # A NaN never compares as better, so the kernels pass over it; they begin at the lowest or highest finite number.
    "reduce_max": (NUMBERS, _reduce_over_axes(reduce.FINITE_MAXIMUM)),
    "reduce_min": (NUMBERS, _reduce_over_axes(reduce.FINITE_MINIMUM)),
    "reduce_all": ("bool", _reduce_over_axes(reduce.ALL)),
    "reduce_any": ("bool", _reduce_over_axes(reduce.ANY)),
    "reduce_prod": (NUMBERS, _with_overflow_note(reduce_prod)),
    "mean": (NUMBERS, mean),
}

RULES: tuple[Rule, ...] = tuple(
    Rule(f"tfl.{name}", types, build, (no_narrow_integers,)) for name, (types, build) in REDUCTIONS.items()
)
