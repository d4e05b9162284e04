"""What LiteRT's integer kernels fix by the bits of an element: a row each for 8 and 16."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array


class Width(NamedTuple):
    """Constants of the kernels for one size of elements.

    Args:
        dtype: what arithmetic is on; uint8 is computed as int8.
        magnitude: the largest of a stored value less its zero point.
        headroom: bits that ADD and SUB shift their operands left by before they are on one scale (add.cc, sub.cc).
        square_headroom: the same of SQUARED_DIFFERENCE (squared_difference.cc).
        square_below_one: whether SQUARED_DIFFERENCE refuses a multiplier of 1 or more.
    """

    dtype: DType
    magnitude: int
    headroom: int
    square_headroom: int
    square_below_one: bool

    @property
    def values(self) -> Array:
        """Returns all values that the type can store, in order."""
        low, high = self.dtype.limits
        return np.arange(low, high + 1)


# With 20 bits of headroom an 8-bit difference of 255 is below 2**28; with 15, a 16-bit one of 2**15 is at most 2**30.
# A square of SQUARED_DIFFERENCE is (255 * 2**7)**2 < 2**30 on 8 bits and (2**15)**2 = 2**30 on 16.
WIDTHS = {
    DType.I8: Width(DType.I8, magnitude=255, headroom=20, square_headroom=7, square_below_one=True),
    DType.I16: Width(DType.I16, magnitude=1 << 15, headroom=15, square_headroom=0, square_below_one=False),
}
LARGEST_PRODUCT = WIDTHS[DType.I8].magnitude ** 2  # of two 8-bit elements less their zero points
