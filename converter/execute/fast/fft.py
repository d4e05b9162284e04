"""FFT2D and RFFT2D (2.3.6, 2.3.9), in fp64.

A fast transform leaves out products with ones and zeros, which NaN and infinity must not lose (clause 1.10.3). So it
takes the finite elements only; the products of the others are added to it one by one, as in the pseudocode.
"""

import numpy as np

from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.fast.base import BLOCK, PlanContext
from tosa_converter.ir import Array, Op


def fft2d(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes FFT2D (2.3.6) by numpy's transform; neither direction is normalized."""
    inverse = op.attributes["inverse"]
    out = op.results[0].type.dtype.numpy

    def transform_images(real: Array, imag: Array) -> tuple[Array, Array]:
        """Returns real and imaginary part of the 2D transform of [N, H, W]: finite elements by numpy, others added.

        NaN and infinite elements are set to 0 for numpy, which would spread them over the whole result, and their
        products with cos and sin are added one by one, as TOSA's pseudocode does.
        """
        special = ~(np.isfinite(real) & np.isfinite(imag))
        signal = np.empty(real.shape, np.complex128)
        signal.real, signal.imag = real, imag
        signal[special] = 0
        spectrum = np.fft.ifft2(signal, norm="forward") if inverse else np.fft.fft2(signal)
        for n in np.flatnonzero(special.any(axis=(1, 2))):
            _add_products(spectrum[n], real[n], imag[n], special[n], -1 if inverse else 1)
        return spectrum.real.astype(out), spectrum.imag.astype(out)

    return transform_images


def rfft2d(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes RFFT2D (2.3.9) by numpy's transform, in fp64.

    Imaginary parts to which only sines of multiples of pi contribute are exactly 0.
    """
    out = op.results[0].type.dtype.numpy

    def transform_images(real: Array) -> tuple[Array, Array]:
        """Returns real and imaginary part of the 2D transform of a real [N, H, W], for columns 0 to W // 2.

        numpy transforms the finite elements; products of NaN and infinite ones are added one by one.
        """
        special = ~np.isfinite(real)
        signal = real.astype(np.float64)
        signal[special] = 0
        spectrum = np.fft.rfft2(signal)
        _, height, width = real.shape
        # 8x8: for output rows 0 and 4 and columns 0 and 4 every angle is a multiple of pi, whose sine is 0: there the
        # pseudocode adds no products, while numpy may leave -0.0.
        spectrum.imag[:, :: max(1, height // 2), :: max(1, width // 2)] = 0
        for n in np.flatnonzero(special.any(axis=(1, 2))):
            _add_products(spectrum[n], real[n], None, special[n], 1)
        return spectrum.real.astype(out), spectrum.imag.astype(out)

    return transform_images


def _add_products(spectrum: Array, real: Array, imag: Array | None, special: Array, sign: int) -> None:
    """Adds the products of NaN and infinite elements (`special`) of one image to its spectrum, in place.

    Elements of the spectrum that have become NaN aren't computed any more. `imag` is None for a real image; `sign` is
    that of the angle, -1 for the inverse transform.
    """
    height, width = special.shape
    iy, ix = special.nonzero()
    oy, ox = (index.ravel() for index in np.indices(spectrum.shape))
    start = 0
    while start < iy.size and oy.size:
        # `start` grows by at least 1, so this takes at most as many turns as there are special elements. For 64x64
        # outputs a turn takes 32768 // 4096 = 8 of them.
        part = slice(start, start + max(1, BLOCK // oy.size))
        start = part.stop
        ay, ax = np.outer(iy[part], oy) % height, np.outer(ix[part], ox) % width
        angle = sign * 2 * np.pi * (ay / height + ax / width)
        value = real[iy[part], ix[part], None].astype(np.float64)
        to_real, to_imag = value * np.cos(angle), -value * np.sin(angle)
        if imag is None:  # RFFT2D adds no product with the sine of a multiple of pi: infinity * 0 would be NaN
            to_imag[(ay % max(1, height // 2) == 0) & (ax % max(1, width // 2) == 0)] = 0
        else:
            value = imag[iy[part], ix[part], None].astype(np.float64)
            to_real += value * np.sin(angle)
            to_imag += value * np.cos(angle)
        spectrum.real[oy, ox] += to_real.sum(axis=0)
        spectrum.imag[oy, ox] += to_imag.sum(axis=0)
        left = ~(np.isnan(spectrum.real[oy, ox]) & np.isnan(spectrum.imag[oy, ox]))
        oy, ox = oy[left], ox[left]
