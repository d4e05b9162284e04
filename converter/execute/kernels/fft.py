"""FFT2D and RFFT2D (2.3.6, 2.3.9), in fp64 whatever the mode.

A fast transform leaves out products with ones and zeros, which NaN and infinity must not lose (clause 1.10.3). So it
takes the finite elements only; the products of the others are added to it one by one, as in the pseudocode.
"""

from typing import Any

import numpy as np

from tosa_converter.execute.kernels.base import BLOCK, Mode, Run
from tosa_converter.ir import Array, Op


def fft2d(op: Op, mode: Mode) -> Run:
    """2.3.6: neither direction is normalized."""
    inverse = op.attributes["inverse"]
    out = mode.numpy(op.results[0].type.dtype)
    if mode.extra_multiplies:
        return lambda real, imag: _bounds(real, imag, out)

    def run(real: Array, imag: Array) -> tuple[Array, Array]:
        special = ~(np.isfinite(real) & np.isfinite(imag))
        signal = np.empty(real.shape, np.complex128)
        signal.real, signal.imag = real, imag
        signal[special] = 0
        spectrum = np.fft.ifft2(signal, norm="forward") if inverse else np.fft.fft2(signal)
        for n in np.flatnonzero(special.any(axis=(1, 2))):
            _add_products(spectrum[n], real[n], imag[n], special[n], -1 if inverse else 1)
        return spectrum.real.astype(out), spectrum.imag.astype(out)

    return run


def rfft2d(op: Op, mode: Mode) -> Run:
    """2.3.9: the imaginary part is zero where only the real axis contributes."""
    out = mode.numpy(op.results[0].type.dtype)
    if mode.extra_multiplies:
        return lambda real: tuple(part[..., : real.shape[2] // 2 + 1] for part in _bounds(real, None, out))

    def run(real: Array) -> tuple[Array, Array]:
        special = ~np.isfinite(real)
        signal = real.astype(np.float64)
        signal[special] = 0
        spectrum = np.fft.rfft2(signal)
        _, height, width = real.shape
        spectrum.imag[:, :: max(1, height // 2), :: max(1, width // 2)] = 0
        for n in np.flatnonzero(special.any(axis=(1, 2))):
            _add_products(spectrum[n], real[n], None, special[n], 1)
        return spectrum.real.astype(out), spectrum.imag.astype(out)

    return run


def _add_products(spectrum: Array, real: Array, imag: Array | None, special: Array, sign: int) -> None:
    """Add the products of the marked elements of one image to its spectrum, until all of that is NaN."""
    height, width = special.shape
    iy, ix = special.nonzero()
    oy, ox = (index.ravel() for index in np.indices(spectrum.shape))
    start = 0
    while start < iy.size and oy.size:
        part = slice(start, start + max(1, BLOCK // oy.size))
        start = part.stop
        ay, ax = np.outer(iy[part], oy) % height, np.outer(ix[part], ox) % width
        angle = sign * 2 * np.pi * (ay / height + ax / width)
        value = real[iy[part], ix[part], None].astype(np.float64)
        to_real, to_imag = value * np.cos(angle), -value * np.sin(angle)
        if imag is None:
            to_imag[(ay % max(1, height // 2) == 0) & (ax % max(1, width // 2) == 0)] = 0
        else:
            value = imag[iy[part], ix[part], None].astype(np.float64)
            to_real += value * np.sin(angle)
            to_imag += value * np.cos(angle)
        spectrum.real[oy, ox] += to_real.sum(axis=0)
        spectrum.imag[oy, ox] += to_imag.sum(axis=0)
        left = ~(np.isnan(spectrum.real[oy, ox]) & np.isnan(spectrum.imag[oy, ox]))
        oy, ox = oy[left], ox[left]


def _bounds(real: Array, imag: Array | None, out: "np.dtype[Any]") -> tuple[Array, Array]:
    """The sums of the magnitudes of all products, for clause 1.10.3; the inputs are magnitudes already."""
    count, height, width = real.shape
    rows, columns = np.arange(height), np.arange(width)
    result = np.zeros((2, count, height, width))
    flat = real.reshape(count, -1)
    flat_imag = flat * 0 if imag is None else imag.reshape(count, -1)
    for oy in range(height):
        ay = (rows * oy % height / height)[:, None, None]
        ax = (np.outer(columns, columns) % width / width)[None]
        angle = 2 * np.pi * (ay + ax).reshape(height * width, width)
        cosine, sine = np.abs(np.cos(angle)), np.abs(np.sin(angle))
        result[0, :, oy] = flat @ cosine + flat_imag @ sine
        result[1, :, oy] = flat @ sine + flat_imag @ cosine
    return result[0].astype(out), result[1].astype(out)
