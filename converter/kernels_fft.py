"""FFT2D and RFFT2D (2.3.6, 2.3.9), in fp64 whatever the mode."""

from typing import Any

import numpy as np

from tosa_converter.ir import Array, Op
from tosa_converter.kernels_base import Mode, Run


def fft2d(op: Op, mode: Mode) -> Run:
    """2.3.6: neither direction is normalized."""
    inverse = op.attributes["inverse"]
    out = mode.numpy(op.results[0].type.dtype)
    if mode.extra_multiplies:
        return lambda real, imag: _bounds(real, imag, out)

    def run(real: Array, imag: Array) -> tuple[Array, Array]:
        signal = real.astype(np.float64) + 1j * imag.astype(np.float64)
        spectrum = np.fft.ifft2(signal, norm="forward") if inverse else np.fft.fft2(signal)
        return spectrum.real.astype(out), spectrum.imag.astype(out)

    return run


def rfft2d(op: Op, mode: Mode) -> Run:
    """2.3.9: the imaginary part is zero where only the real axis contributes."""
    out = mode.numpy(op.results[0].type.dtype)
    if mode.extra_multiplies:
        return lambda real: tuple(part[..., : real.shape[2] // 2 + 1] for part in _bounds(real, None, out))

    def run(real: Array) -> tuple[Array, Array]:
        spectrum = np.fft.rfft2(real.astype(np.float64))
        _, height, width = real.shape
        spectrum.imag[:, :: max(1, height // 2), :: max(1, width // 2)] = 0
        return spectrum.real.astype(out), spectrum.imag.astype(out)

    return run


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
