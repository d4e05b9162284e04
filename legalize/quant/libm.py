"""The float32 functions of the C library as the kernels call them, on numpy arrays.

LiteRT takes the machine's library, whose last bits differ between machines. A function here is computed in double and
rounded to float32, which is what a correctly rounded library gives. `ulps` moves the result of the library's function
by so many units in the last place, so that a caller can ask which table entries those last bits decide.
"""

import math
from collections.abc import Callable

import numpy as np

from tosa_converter.ir import Array

F32 = np.float32
ULPS = 4  # glibc's manual lists no error above 4 units in the last place for the functions used here
RealFunction = Callable[[Array, int], Array]  # float32 elements and ulps to float32


def libm(function: Callable[[Array], Array]) -> RealFunction:
    """Wraps a function of doubles as a float32 function; `ulps` moves finite results other than 0 away from zero."""

    def float_function(x: Array, ulps: int = 0) -> Array:
        """Computes in double, rounds to float32, and moves the result by `ulps` units in the last place."""
        result = function(x.astype(np.float64)).astype(F32)
        moved = (result.view(np.int32) + ulps).view(F32)
        return np.where(np.isfinite(result) & (result != 0), moved, result)

    return float_function


EXP, TANH, LOG = libm(np.exp), libm(np.tanh), libm(np.log)
_EXPM1, _ERFC = libm(np.expm1), libm(np.vectorize(math.erfc, otypes=[np.float64]))


def logistic(x: Array, ulps: int) -> Array:
    """Returns 1 / (1 + exp(-x)) in float32; `ulps` moves the C library's exp."""
    return np.asarray(F32(1) / (F32(1) + EXP(-x, ulps)))


def elu(x: Array, ulps: int) -> Array:
    """Returns ELU in float32, expm1(x) below zero and x elsewhere; `ulps` moves the C library's expm1."""
    return np.where(x < 0, _EXPM1(np.minimum(x, 0), ulps), x)


def gelu_erf(x: Array, ulps: int) -> Array:
    """Returns the exact GELU in float32, x / 2 * erfc(-x / sqrt(2)); `ulps` moves the C library's erfc."""
    return np.asarray(F32(0.5) * x * _ERFC(x * F32(-math.sqrt(0.5)), ulps))


def gelu_tanh(x: Array, ulps: int) -> Array:
    """Returns the approximate GELU, x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x**3))); `ulps` moves tanh."""
    inner = F32(math.sqrt(2 / math.pi)) * (x + F32(0.044715) * x * x * x)
    return np.asarray(F32(0.5) * x * (F32(1) + TANH(inner, ulps)))


def gelu(*, approximate: bool) -> RealFunction:
    """Returns the float32 function of GELU: the approximation by tanh, or the exact one by erfc."""
    return gelu_tanh if approximate else gelu_erf


def log_or(least: np.float32) -> RealFunction:
    """Returns a float32 function: log(x) for x above 0, `least` elsewhere (LogLUTPrepare, elementwise.cc).

    Its second argument moves log(x) by so many ulps, to find results that the last bits of the C library decide.
    """
    return lambda x, ulps: np.where(x > 0, LOG(np.where(x > 0, x, F32(1)), ulps), least)


def rsqrt_or(otherwise: np.float32) -> RealFunction:
    """Returns a float32 function: 1 / sqrt(x) for x above 0, `otherwise` elsewhere (RsqrtLUTPrepare, elementwise.cc).

    It needs no `ulps`: division and square root are rounded correctly everywhere.
    """
    return lambda x, _: np.where(x > 0, F32(1) / np.sqrt(np.where(x > 0, x, F32(1))), otherwise)
