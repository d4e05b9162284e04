"""AudioSpectrogram and Mfcc (kernels/audio_spectrogram.cc, kernels/mfcc.cc): in fp32, where LiteRT has doubles."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.operands import affordable, constant_int
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.legalize.tflite.custom.options import Settings, settings
from tosa_converter.rewriting.expr import Expr, const, log, maximum
from tosa_converter.rewriting.operators import conv2d, matmul
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas.tosa_target import LEVEL_8K

FLOOR = 1e-12  # of what a logarithm is taken of (kFilterbankFloor)


def audio_spectrogram(match: Match) -> Expr:
    """AudioSpectrogram of [samples,channels]: squares of the frequencies' magnitudes, or these, of Hann windows.

    Windows are filled with zeros to a power of two. Each frequency's wave is a kernel that is moved over the samples.
    """
    options, x = settings(match), match[0]
    window, stride = options.whole("window_size"), options.whole("stride")
    if x.rank != 2 or not 2 <= window <= LEVEL_8K.MAX_KERNEL or not 1 <= stride <= LEVEL_8K.MAX_STRIDE:
        raise Decline(f"windows of {window} elements, {stride} apart, of {x.type}")
    samples, channels = x.shape
    if samples < window:
        raise Decline("no window: no tensor of TOSA is empty")
    waves = _waves(window)
    x = x.transpose((1, 0)).reshape((channels, samples, 1, 1))
    weight = const(waves[:, :, None, None].astype(np.float32), DType.FP32)
    parts = conv2d(x, weight, const([0], DType.FP32), pad=(0, 0, 0, 0), stride=(stride, 1))
    squares, half = parts * parts, len(waves) // 2
    y = squares.part(3, 0, half) + squares.part(3, half, half)
    y = y if options.whole("magnitude_squared") else sqrt(y)
    return y.reshape((channels, y.shape[1], half))


def _waves(window: int) -> Array:
    """Cosines, then sines of the frequencies of a transform, each through a Hann window: [2 * frequencies,window]."""
    length = 1 << (window - 1).bit_length()
    frequencies, times = np.arange(length // 2 + 1), np.arange(window)
    affordable((2 * len(frequencies), window))
    angles = np.outer(frequencies, times) % length * (2 * np.pi / length)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * times / window)
    return np.asarray(np.concatenate([np.cos(angles), np.sin(angles)]) * hann)


# ** Mfcc **


def mfcc(match: Match) -> Expr:
    """Mfcc: the cosine transform of the logarithms of magnitudes, summed up in bands of the mel scale."""
    options, x = settings(match), match[0]
    bands, kept = options.whole("filterbank_channel_count"), options.whole("dct_coefficient_count")
    if x.rank != 3 or x.shape[2] < 2 or not 1 <= kept <= bands:
        raise Decline(f"{kept} of {bands} bands of {x.type}")
    channels, frames, size = x.shape
    affordable((size + kept, bands))
    weights = _bands(size, constant_int(match, 1), bands, options)
    if weights is None:  # the highest frequency is beyond the spectrum, for which the kernel sums nothing
        return const(np.zeros(affordable((channels, frames, kept))), DType.FP32)
    roots = sqrt(x).reshape((1, channels * frames, size))
    energies = matmul(roots, const(weights[None], DType.FP32))
    logarithms = log(maximum(energies, FLOOR))
    waves = np.cos(np.arange(kept) * (np.pi / bands) * (np.arange(bands)[:, None] + 0.5)) * math.sqrt(2 / bands)
    return matmul(logarithms, const(waves[None], DType.FP32)).reshape((channels, frames, kept))


def _mel(frequency: Array | float) -> Array:
    return np.asarray(1127.0 * np.log1p(np.asarray(frequency) / 700.0))


def _bands(size: int, rate: int, bands: int, options: Settings) -> Array | None:
    """How much each of the spectrum's elements counts in each band, [size,bands] (MfccMelFilterbank).

    An element between two bands' centres counts in both, by its distance on the mel scale. The first never counts.
    """
    low, high = (options.whole(f"{end}_frequency_limit") for end in ("lower", "upper"))
    if rate < 1 or not 0 <= low < high:
        raise Decline(f"frequencies from {low} to {high} at a rate of {rate}")
    step = 0.5 * rate / (size - 1)
    first, last = int(1.5 + low / step), int(high / step)
    if last >= size:
        return None
    edges = np.linspace(_mel(low), _mel(high), bands + 2)
    numbers = np.arange(first, last + 1)
    places = _mel(numbers * step)
    upper = np.clip(np.searchsorted(edges[1:], places), 0, bands)  # the first centre that isn't below
    shares = (edges[upper + 1] - places) / (edges[upper + 1] - edges[upper])
    weights = np.zeros((size, bands + 2))
    weights[numbers, upper] = shares
    weights[numbers, upper + 1] = 1 - shares
    return weights[:, 1:-1]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("custom.AudioSpectrogram", "fp32", audio_spectrogram),
    Rewrite("custom.Mfcc", "fp32*i32", mfcc, of=(0, 1)),
)
