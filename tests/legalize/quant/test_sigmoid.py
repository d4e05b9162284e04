"""LOGISTIC and TANH of int16 are near the real functions."""

import numpy as np
import pytest

from tosa_converter.legalize.quant.elements import Affine
from tosa_converter.legalize.quant.sigmoid import sigmoid_results, tanh_results
from tosa_converter.legalize.quant.tables import VALUES
from tosa_converter.rewriting.reasons import Decline

SCALES = [2.0**-12, 2.0**-11, 3e-4, 1e-3, 5e-5]


@pytest.mark.parametrize("scale", SCALES)
def test_results_are_near_the_functions(scale: float) -> None:
    """Without lowering the entries by half of the line's deviation, errors would be 1.7 and 3.2 steps."""
    x = VALUES * float(np.float32(scale))
    exact = {"sigmoid": 1 / (1 + np.exp(-x)), "tanh": np.tanh(x)}
    results = {
        "sigmoid": sigmoid_results(Affine(np.float32(scale), 0)),
        "tanh": tanh_results(Affine(np.float32(scale), 0)),
    }
    for name, bound in (("sigmoid", 1.4), ("tanh", 2.8)):
        assert np.abs(results[name] - exact[name] * 32768).max() <= bound
        assert (np.diff(results[name]) >= 0).all()
        assert -32768 <= results[name].min() <= results[name].max() <= 32767


def test_a_scale_beyond_32_bits_is_declined() -> None:
    with pytest.raises(Decline, match="expected a scale that fits"):
        sigmoid_results(Affine(np.float32(1e6), 0))
