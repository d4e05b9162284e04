"""Fourier transforms of real values, by products with waves, and spectra of windows."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import conv2d, matmul


def dft_angles(times: int, frequencies: int, length: int) -> Array:
    """Returns the angles of a discrete Fourier transform, 2 * pi * time * frequency / length: [times,frequencies].

    They are reduced to [0, 2 * pi) while they are integers, so that no digit is lost.

    Raises:
        Decline: the constant would be too large.
    """
    affordable((times, 2 * frequencies))
    return np.asarray(np.outer(np.arange(times), np.arange(frequencies)) % length * (2 * np.pi / length))


def real_dft_2d(x: Expr) -> tuple[Expr, Expr]:
    """Returns the real and imaginary parts of the Fourier transform of real images [N,rows,columns].

    Each part is [N,rows,columns/2+1].

    Lengths are any; each dimension is a product with a constant matrix. RFFT2D takes powers of two only.
    """
    # A wave is e**(-i * angle) = cos - i * sin. Rows are transformed first, and give C and S with C - i * S. Then
    #   (C - i * S) * (cos - i * sin) = (C * cos - S * sin) - i * (C * sin + S * cos)
    # is one product of C and S side by side with [[cos, -sin], [-sin, -cos]], which gives both parts side by side.
    batch, rows, columns = x.shape
    half = columns // 2 + 1
    angles = dft_angles(columns, half, columns)
    cos, sin = np.cos(angles), np.sin(angles)
    waves = np.concatenate([cos, -sin], axis=1)
    if rows > 1:
        angles = dft_angles(rows, rows, rows)
        x = _times_matrix(x.transpose((0, 2, 1)), np.concatenate([np.cos(angles), np.sin(angles)], axis=1))
        x = x.reshape((batch, columns, 2, rows)).transpose((0, 3, 2, 1))
        waves = np.concatenate([waves, np.concatenate([-sin, -cos], axis=1)])
    y = _times_matrix(x.reshape((batch, rows, waves.shape[0])), waves)
    return y.part(2, 0, half), y.part(2, half, half)


def _times_matrix(x: Expr, matrix: Array) -> Expr:
    """Returns rows [N,rows,depth] times a constant matrix [depth,columns], as one MATMUL over all rows."""
    batch, rows, depth = x.shape
    y = matmul(x.reshape((1, batch * rows, depth)), const(matrix[None].astype(np.float32), DType.FP32))
    return y.reshape((batch, rows, matrix.shape[1]))


def spectra(x: Expr, window: int, stride: int, *, squared: bool = False) -> Expr:
    """Returns the magnitudes of the frequencies in windows of samples: [channels,windows,frequencies].

    The samples are [samples,channels]; with `squared` the squares of the magnitudes are returned. Each window is
    multiplied by a Hann window and padded with zeros to a power of two. One CONV2D computes the transforms of all
    windows: its kernel holds the cosines and sines of the frequencies.
    """
    samples, channels = x.shape
    waves = _hann_waves(window)
    kernel = const(waves[:, :, None, None].astype(np.float32), DType.FP32)
    x = x.transpose((1, 0)).reshape((channels, samples, 1, 1))
    parts = conv2d(x, kernel, const([0], DType.FP32), pad=(0, 0, 0, 0), stride=(stride, 1))
    squares, half = parts * parts, len(waves) // 2
    power = squares.part(3, 0, half) + squares.part(3, half, half)
    magnitudes = power if squared else sqrt(power)
    return magnitudes.reshape((channels, power.shape[1], half))


def _hann_waves(window: int) -> Array:
    """Returns a kernel of cosines, then sines, times a Hann window: [2 * frequencies,window].

    The frequencies are those of a transform of the next power of two.
    """
    length = 1 << (window - 1).bit_length()
    angles = dft_angles(length // 2 + 1, window, length)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    return np.asarray(np.concatenate([np.cos(angles), np.sin(angles)]) * hann)


def cosine_transform(size: int, count: int) -> Array:
    """Returns the matrix [size,count] of a discrete cosine transform (DCT-II), scaled by sqrt(2 / size)."""
    positions = np.arange(size)[:, None] + 0.5
    return np.asarray(np.cos(np.arange(count) * (np.pi / size) * positions) * np.sqrt(2 / size))
