"""Without local_bound, the largest magnitude of both operands of FFT2D counts for both of its results."""

import numpy as np
import pytest
from support.kernel_cases import Case, graph_of

from tosa_converter.dtypes import DType
from tosa_converter.proof import precision
from tosa_converter.schemas import tosa_ops as ops


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("result", [0, 1])
def test_the_largest_of_real_and_imaginary_parts(result: int, largest: int, local: bool) -> None:
    """The transform of one element is that element: only the peak says how far it may be off."""
    operands = [np.ones((1, 1, 1), np.float32) for _ in range(2)]
    operands[largest] *= 1000
    case = Case([(DType.FP32, x) for x in operands], {"inverse": False, "local_bound": local})
    _, op, _ = graph_of(ops.FFT2D, case)
    verdicts = []
    for units in (0.5, 500, 4000):
        outputs = [x.astype(np.float64) for x in precision.reference(op, operands)]
        outputs[result] = outputs[result] + units * 2.0**-24
        verdicts.append(precision.check(op, operands, outputs)[result].compliant)
    assert verdicts == [True, result == largest or not local, False]
