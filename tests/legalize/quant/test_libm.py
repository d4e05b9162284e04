"""Float32 functions of the C library equal those of math."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from tosa_converter.legalize.quant import libm

X = np.linspace(-6, 6, 97).astype(np.float32)
FUNCTIONS: dict[str, tuple[libm.RealFunction, Callable[[float], float]]] = {
    "exp": (libm.EXP, math.exp),
    "tanh": (libm.TANH, math.tanh),
    "logistic": (libm.logistic, lambda x: 1 / (1 + math.exp(-x))),
    "elu": (libm.elu, lambda x: x if x > 0 else math.expm1(x)),
    "gelu": (libm.gelu(approximate=False), lambda x: x / 2 * math.erfc(-x / math.sqrt(2))),
    "tanh gelu": (
        libm.gelu(approximate=True),
        lambda x: x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float32_functions_equal_math(name: str) -> None:
    ours, exact = FUNCTIONS[name]
    results, expected = ours(X, 0), np.array([exact(float(x)) for x in X])
    assert results.dtype == np.float32
    np.testing.assert_allclose(results, expected, rtol=2e-6, atol=1e-6)


def test_a_function_of_libm_is_rounded_correctly_and_moved_by_last_places() -> None:
    exact = np.array([math.exp(float(x)) for x in X], np.float32)
    assert (libm.EXP(X, 0) == exact).all()
    assert (libm.EXP(X, 1) == np.nextafter(exact, np.float32(np.inf))).all()
    assert (libm.EXP(X, -1) == np.nextafter(exact, np.float32(0))).all()
    assert libm.TANH(np.zeros(1, np.float32), 3)[0] == 0


def test_logarithms_and_roots_outside_of_their_domain_take_the_default() -> None:
    x = np.array([-1, 0, 1, 4], np.float32)
    assert libm.log_or(np.float32(-9))(x, 0).tolist() == [-9, -9, 0, np.float32(math.log(4))]
    assert libm.rsqrt_or(np.float32(7))(x, 0).tolist() == [7, 7, 1, 0.5]
