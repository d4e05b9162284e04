"""Which arrays are taken for an input, and as what."""

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import fitted
from tosa_converter.ir import TensorType

WIDE = np.array([1 << 40, -(1 << 47)])


@pytest.mark.parametrize("dtype", [DType.I48, DType.I64])
def test_what_holds_64_bits_keeps_them(dtype: DType) -> None:
    np.testing.assert_array_equal(fitted("x", TensorType(dtype, (2,)), WIDE), WIDE)


def test_32_bits_take_what_they_hold() -> None:
    type = TensorType(DType.I32, (2,))
    assert fitted("x", type, np.array([-(1 << 31), 7])).dtype == np.int32
    with pytest.raises(UsageError, match=r"'x': expected values from -2147483648 to 2147483647, found \d+ at \[0\]"):
        fitted("x", type, WIDE)
