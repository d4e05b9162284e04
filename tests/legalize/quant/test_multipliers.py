"""Fixed-point products at the limits of 32 bits."""

import numpy as np
import pytest

from tosa_converter.legalize.quant.multipliers import Multiplier, smallest_arguments, undefined_mask
from tosa_converter.rewriting.reasons import Decline

NEAR = np.array([-3, -2, -1, 0, 1, 2, 3], np.int64)
SMALLEST, LARGEST = -(1 << 31), (1 << 31) - 1


@pytest.mark.parametrize("shift", [-33, -32, -31, -30, -1, 0, 1, 2, 15, 29, 30, 31, 32, 40, 62])
def test_c_defines_products_of_int32_and_shifts_by_less_than_32(shift: int) -> None:
    """MultiplyByQuantizedMultiplier computes x * (1 << shift) in int32, or else shifts right by up to 31.

    1 << 31 is no int32 number. What is 0 stays 0, whatever it is multiplied by.
    """
    ends = np.array([SMALLEST, LARGEST]) >> min(max(shift, 0), 40)
    x = np.unique(np.concatenate([NEAR, *(end + NEAR for end in ends), [SMALLEST, LARGEST]])).clip(SMALLEST, LARGEST)

    def is_defined(number: int) -> bool:
        if shift < 0:
            return -shift <= 31
        return number == 0 or (1 << shift <= LARGEST and SMALLEST <= number << shift <= LARGEST)

    for mantissa in (1 << 30, LARGEST):
        mask = undefined_mask(x, Multiplier(np.array([mantissa]), np.array([shift])))
        assert mask.tolist() == [not is_defined(int(number)) for number in x]


@pytest.mark.parametrize(
    ("off", "near"),
    [(-3.01, False), (-3.0, True), (-2.5, True), (0.0, True), (0.99, True), (1.99, True), (2.0, False), (9.0, False)],
)
def test_the_smallest_argument_is_found_near_a_guess(off: float, near: bool) -> None:
    """x // 5 reaches -3, 7 and 100 at -15, 35 and 500; the guess for one of them is `off`."""
    answers = np.array([-15, 35, 500])
    for i in range(3):
        guess = answers + np.where(np.arange(3) == i, off, 0.0)
        if near:
            assert smallest_arguments(lambda x: x // 5, guess, answers // 5).tolist() == answers.tolist()
        else:
            with pytest.raises(Decline, match="the multiplier is too far from 1"):
                smallest_arguments(lambda x: x // 5, guess, answers // 5)
