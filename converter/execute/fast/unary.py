"""Elementwise unary operators (2.6) and the activation functions ERF, SIGMOID and TANH (2.4)."""

from functools import cache
from math import erf as _erf

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import ABS_FITS, Kernel, require
from tosa_converter.execute.fast.base import PlanContext, in_compute_dtype
from tosa_converter.ir import Array, Op


def count_leading_zeros(op: Op, _plan_context: PlanContext) -> Kernel | None:
    """Returns a function that computes CLZ (2.6.5): 32 less the exponent of an exact fp64, the number of used bits.

    None for i64, which fp64 doesn't hold.
    """
    if op.result.type.dtype is DType.I64:
        return None
    # frexp gives 1 = 0.5 * 2**1 the exponent 1, so 31 zeros lead; 0 has 0, and 2**31 has 32. fp32 would round 2**25 - 1
    # up to 2**25, one bit more; fp64 holds all 32 bits.
    return lambda x: np.int32(32) - np.frexp(x.view(np.uint32).astype(np.float64))[1].astype(np.int32)


def negate(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes NEGATE (2.6.10): output_zp + input_zp - x, clipped; i32 and i64 can overflow."""
    dtype = op.result.type.dtype
    if dtype.is_float:
        run = in_compute_dtype(op, np.negative)
        return lambda x, *_zero_points: run(x)
    limits = np.iinfo(dtype.numpy)

    def negate_integers(x: Array, input_zp: Array, output_zp: Array) -> Array:
        """Computes input_zp + output_zp - x, clipped to the type; with checks, raises for the least i32 or i64."""
        if limits.bits >= 32 and plan_context.check:
            require(op, ABS_FITS, x.size == 0 or x.min() > limits.min)
        # int16 with two zero points stays within 3 * 2**15 = 98304, so int32 will do; 0 - -2**31 needs int64.
        wide = np.subtract(int(output_zp[0]) + int(input_zp[0]), x, dtype=np.int64 if limits.bits >= 32 else np.int32)
        return np.clip(wide, limits.min, limits.max).astype(dtype.numpy)

    return negate_integers


def reciprocal_square_root(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes RSQRT (2.6.12): 1 / sqrt(x)."""
    return in_compute_dtype(op, lambda x: np.reciprocal(np.sqrt(x)))


def sigmoid(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes SIGMOID (2.4.3): 1 / (1 + exp(-x))."""

    def compute_sigmoid(x: Array) -> Array:
        """Computes 1 / (1 + exp(-x)) in one array."""
        result = np.asarray(np.negative(x))
        # exp(89) overflows fp32 to infinity, whose reciprocal is 0; sigmoid(-89) = 2.2e-39 is below 2**-126.
        np.exp(result, out=result)
        result += 1
        np.reciprocal(result, out=result)
        return result

    return in_compute_dtype(op, compute_sigmoid)


def exponential(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes EXP (2.6.6) in fp64, because numpy's fp32 may be 2 ulp off, too much near 0."""
    return in_compute_dtype(op, lambda x: np.exp(x, dtype=np.float64).astype(x.dtype, copy=False))


def error_function(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes ERF (2.4.2), the error function, by a polynomial."""
    return in_compute_dtype(op, _fast_erf)


# 1 - erf(4) = 1.54e-8; half an ulp of fp32 below 1 is 2**-25 = 2.98e-8.
_ERF_END = 4.0  # beyond it erf is 1 to within half an ulp of fp32


@cache
def _erf_polynomial() -> tuple[float, ...]:
    """Returns the coefficients, highest first, of a polynomial in t near erf(x)/x on [0, _ERF_END].

    t = 2 * (x / _ERF_END)**2 - 1 is in [-1, 1].
    """
    from numpy.polynomial import chebyshev

    # erf(x)/x is an entire function of x*x; its argument is scaled from [0, _ERF_END**2] to [-1, 1]. With degree 20 erf
    # is off by at most 1.3e-11, measured at 200,001 points; half an ulp of fp32 below 1 is 3e-8.
    degree = 20
    nodes = chebyshev.chebpts1(degree + 1)
    ratios = [_erf(x) / x for x in (np.sqrt((nodes + 1) / 2) * _ERF_END).tolist()]
    coefficients = chebyshev.cheb2poly(chebyshev.chebfit(nodes, ratios, degree))
    return tuple(map(float, coefficients[::-1]))


def _fast_erf(x: Array) -> Array:
    """Returns erf(x), in fp64 by a polynomial in t = 2 * (x / _ERF_END)**2 - 1, rounded to the type of x.

    Rounded to fp32 it is the nearest value in nearly all cases.
    """
    clipped = np.clip(x, -_ERF_END, _ERF_END).astype(np.float64)
    t = clipped * clipped
    t *= 2 / _ERF_END**2
    t -= 1
    first, *rest = _erf_polynomial()
    result = np.full_like(t, first)
    for coefficient in rest:
        result *= t
        result += coefficient
    result *= clipped
    return result.astype(x.dtype)
