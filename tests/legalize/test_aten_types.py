"""Kernels of ATen in every type and with every kind of attribute against numpy, operator by operator."""

import numpy as np
import pytest
from support.aten_cases import AtenCase, every_case, held

from tosa_converter.dtypes import DType

CASES = list(every_case())
TOLERANCES = {DType.FP32: 2e-6, DType.FP16: 2e-3}  # of each element, or of 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_as_numpy_computes(case: AtenCase) -> None:
    for (dtype, expected), found in zip(case.outputs, case.run(), strict=True):
        assert found.shape == expected.shape
        if dtype in TOLERANCES:
            far = np.abs(found.astype(np.float64) - expected)
            assert (far <= TOLERANCES[dtype] * np.maximum(1, np.abs(expected.astype(np.float64)))).all()
        else:
            assert np.array_equal(found, held(expected, dtype))
