"""Where RESIZE_BILINEAR samples an axis in the kernels' fixed point (ResizeBilinearInteger, resize_bilinear.h).

Result i samples at (i * step + start) / unit, a multiple of 1/1024 pixel. Halving 4 pixels with pixel centers has
step = 2048 and start = 512: results at 1/2 and 5/2, each the mean of two pixels; in lowest terms 4, 1 and 2.
"""

import math
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.ir import Array

UNIT = 1 << 10  # positions are multiples of 1/1024 pixel
Sides: TypeAlias = tuple[tuple[Array, Array], tuple[Array, Array]]  # lower and upper pixels, each with their weights


class RepeatedPixelWindow(NamedTuple):
    """An axis whose pixels are repeated, so that an unweighted window moving over them gives the results.

    Args:
        factor: how often each pixel is repeated.
        weights: of the window.
        before: repeated pixels that the first window begins before the image.
        size: pixels of the image.
        out_size: results.
    """

    factor: int
    weights: Array
    before: int
    size: int
    out_size: int

    @property
    def covered_pixels(self) -> int:
        """Returns how many of the repeated pixels the windows cover together; each window is one pixel further."""
        return self.out_size + len(self.weights) - 1

    @property
    def edges(self) -> tuple[int, int]:
        """Returns how many copies of the first and of the last pixel are added to the image: 0 or 1 of each.

        A copy is needed if the windows begin before the image, or end behind it.
        """
        return int(self.before > 0), int(self.covered_pixels - self.before > self.size * self.factor)


class ResizeAxis(NamedTuple):
    """One axis of RESIZE_BILINEAR in LiteRT's fixed point: result i samples the input at (i * step + start) / unit."""

    size: int
    out_size: int
    step: int
    start: int
    unit: int = UNIT

    @property
    def lowest_terms(self) -> "ResizeAxis":
        """Returns the same positions with step, start and unit in lowest terms."""
        common = math.gcd(self.step, self.start, self.unit)
        parts = (part // common for part in (self.step, self.start, self.unit))
        return ResizeAxis(self.size, self.out_size, *parts)

    @property
    def sides(self) -> Sides:
        """Returns the pixels below and above each sampling position, each with its weights in 1/unit."""
        position = np.arange(self.out_size) * self.step + self.start
        below, after = position // self.unit, position % self.unit
        last = self.size - 1
        return (np.clip(below, 0, last), self.unit - after), (np.clip(below + 1, 0, last), after)

    @property
    def pixel_window(self) -> RepeatedPixelWindow | None:
        """Returns the axis as a window moving over repeated pixels, or None unless each pixel becomes 2 to 8 results.

        Twice as many results with pixel centers are at -1/4, 1/4, 3/4, ...: each pixel is repeated twice, and a window
        of weights [1, 2, 1] starts one repeated pixel before the image. Without centers they are at 0, 1/2, 1: the
        weights are [1, 1].
        """
        _, _, step, start, unit = self.lowest_terms
        factor = unit // step if step else 0
        weights = np.ones(factor, np.int8)
        if unit != step * factor or not 2 <= factor <= 8 or start not in (0, 1 - factor):
            return None
        if start:  # positions are half a part before the pixels' own
            return RepeatedPixelWindow(factor, np.convolve(weights, [1, 1]), factor // 2, self.size, self.out_size)
        return RepeatedPixelWindow(factor, weights, 0, self.size, self.out_size)

    @property
    def first_outside(self) -> int:
        """Returns the first result for which LiteRT's kernel reads past the image; `out_size` if none does."""
        # ceil((size * unit - start) / step): from there on, positions are at `size` or beyond.
        return min(self.out_size, -(-(self.size * self.unit - self.start) // self.step)) if self.step else self.out_size


def resize_axis(size: int, out_size: int, *, align_corners: bool, half_pixel_centers: bool) -> ResizeAxis:
    """Returns how output positions map to input positions along an axis of RESIZE_BILINEAR, in 1/1024 pixel."""
    span, steps = (size - 1, out_size - 1) if align_corners and out_size > 1 else (size, out_size)
    step = (span * UNIT + steps // 2) // steps
    # With pixel centers, output 0 is at half a step less half a pixel.
    return ResizeAxis(size, out_size, step, step // 2 - UNIT // 2 if half_pixel_centers else 0)
