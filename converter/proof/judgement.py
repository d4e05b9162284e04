"""How an array compares with a reference: one judgement of two arrays and a tolerance."""

import math
from dataclasses import dataclass, replace

import numpy as np

from tosa_converter.ir import Array

Runs = list[list[Array]]  # by run, by output


@dataclass(frozen=True, slots=True)
class Judgement:
    """How an array differs from a reference of the same shape, and whether it is within its tolerance."""

    elements: int
    mismatches: int  # elements that differ at all
    max_abs: float  # largest |d|
    reference_max: float  # largest |reference|
    sqnr_db: float
    ulp: float | None  # of floats, the largest difference in units in the last place of an element
    tolerance: float  # on |d|
    verdict: bool
    undefined: int = 0  # elements that LiteRT leaves open; the other figures leave them out
    first: tuple[int, ...] | None = None  # the first element beyond the tolerance, else the first that differs
    expected: float = 0.0  # there, in the reference
    found: float = 0.0

    @property
    def relative_error(self) -> float:
        """Returns the largest difference as a part of the reference's largest value."""
        return self.max_abs / (self.reference_max or 1.0)


def judge(
    reference: Array,
    result: Array,
    tolerance: float,
    undefined: Array | None = None,
    *,
    allowed: Array | None = None,
) -> Judgement:
    """Returns how an array differs from a reference, and whether its largest difference is within the tolerance.

    Args:
        reference: of any shape and type of numbers.
        result: in the same shape.
        tolerance: on floats, as a part of the reference's largest finite element; integers and booleans must be equal.
        undefined: True for elements that don't count, in the same shape.
        allowed: how far each element may be, in place of the tolerance, whose figure is then the largest of them.
    """
    d = difference(reference, result)
    ignored = 0
    if undefined is not None:
        ignored = int(np.count_nonzero(undefined & (d > 0)))
        d = np.where(undefined, 0.0, d)
    scale = largest(reference)
    bound = 0.0 if reference.dtype.kind in "biu" else tolerance * scale
    if allowed is not None:
        bound = float(allowed.max(initial=0.0))
    worst, mismatches = float(d.max(initial=0.0)), int(np.count_nonzero(d))
    ulp = _largest_ulp(reference, result, d) if reference.dtype.kind == "f" else None
    beyond = d > (bound if allowed is None else allowed)
    verdict = not bool(beyond.any())
    judgement = Judgement(d.size, mismatches, worst, scale, sqnr(reference, d), ulp, bound, verdict, ignored)
    if not mismatches:
        return judgement
    first = np.unravel_index(np.argmax(d > 0 if verdict else beyond), d.shape)
    index = tuple(int(i) for i in first)
    return replace(judgement, first=index, expected=float(reference[index]), found=float(result[index]))


def difference(a: Array, b: Array) -> Array:
    """Returns |a - b| per element in fp64, where NaN equals NaN only and an infinity itself only."""
    x, y = _in_fp64(a), _in_fp64(b)
    with np.errstate(invalid="ignore"):
        d = np.abs(x - y)
    if a.dtype.kind in "iu" and b.dtype.kind in "iu":
        # fp64 holds every integer up to 2**53 only: it takes 2**53 and 2**53 + 1 for the same. So integers are compared
        # as they are, and those that differ are at least 1 apart.
        return np.where(a == b, 0.0, np.maximum(d, 1.0))
    # inf - inf and NaN - 1 are both NaN: the former is equal, by x == y, the latter infinitely far apart.
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    return np.where(same, 0.0, np.where(np.isnan(d), np.inf, d))


def view_in_type_of(reference: Array, array: Array) -> Array:
    """Returns an array with its bits read in the reference's type if they are as wide: TOSA's integers are signless."""
    return array.view(reference.dtype) if array.dtype.itemsize == reference.dtype.itemsize else array


def largest(array: Array) -> float:
    """Returns the largest finite magnitude, 0 if there is none."""
    magnitudes = np.abs(_in_fp64(array))
    return float(magnitudes[np.isfinite(magnitudes)].max(initial=0.0))


def _in_fp64(array: Array) -> Array:
    """Returns an array in fp64 without numpy's warnings: memory that wasn't written to may hold signalling NaN."""
    with np.errstate(invalid="ignore"):
        return np.asarray(array, np.float64)


def sqnr(reference: Array, d: Array) -> float:
    """Returns 10 log10(sum reference^2 / sum d^2) over finite elements, infinite where nothing differs.

    It is minus infinity if the reference is 0 or a difference isn't finite.
    """
    noise = float(np.sum(np.square(d)))
    if noise == 0:
        return math.inf
    numbers = _in_fp64(reference)
    signal = float(np.sum(np.square(numbers[np.isfinite(numbers)])))
    return 10 * math.log10(signal / noise) if signal and math.isfinite(noise) else -math.inf


def _largest_ulp(reference: Array, result: Array, d: Array) -> float:
    """Returns the largest distance of two elements that differ, counted in numbers of the reference's type."""
    with np.errstate(all="ignore"):
        ranks = [_ranks_of_floats(array.astype(reference.dtype)[d > 0]) for array in (reference, result)]
    return float(np.abs(ranks[0] - ranks[1]).max(initial=0.0))


def _ranks_of_floats(array: Array) -> Array:
    """Returns the rank of each float among all numbers of its type: 0 for both zeros, 1 for the least above 0.

    The bits of floats above 0, read as an integer, grow with the float. Below 0 they hold the sign bit, which is the
    least integer of that width, plus the magnitude's bits m: the rank is -m. In fp32 the least number below 0 has the
    bits 0x80000001, which is -2**31 + 1, so its rank is -2**31 - (-2**31 + 1) = -1.
    """
    bits = array.view(f"i{array.dtype.itemsize}").astype(np.float64)
    return np.where(bits < 0, -(2.0 ** (8 * array.dtype.itemsize - 1)) - bits, bits)


# What `quick_relative_error` finds below this part of a tolerance is within it. Its only rounding is that of the
# subtraction: an exact difference is at most the rounded one times 1 + 2**-23. For a tolerance of 1e-5, what is below
# 0.99e-5 is exactly at most 0.99e-5 * (1 + 1.2e-7) = 9.9000012e-6.
CLEARLY = 0.99


def quick_relative_error(reference: Array, result: Array) -> float:
    """Returns the largest difference as a part of the reference's largest value; NaN or infinite unless all is finite.

    fp32 is computed in fp32, which takes a fifth of the time of `judge`. Other types give 0 if they are equal, else
    infinity.
    """
    if reference.dtype != np.float32:
        return 0.0 if np.array_equal(reference, result) else np.inf
    if not reference.size:
        return 0.0
    with np.errstate(all="ignore"):
        scale = max(float(reference.max()), -float(reference.min()))
        distance = np.subtract(reference, result)
        error = max(float(distance.max()), -float(distance.min()))
        return error / scale if scale else (0.0 if error == 0 else np.inf)


def digits(error: float) -> float:
    """Returns to how many decimal digits a relative error agrees; infinite for an error of 0."""
    return math.inf if not error else max(0.0, -math.log10(error))
