"""AudioSpectrogram and Mfcc (kernels/audio_spectrogram.cc, kernels/mfcc.cc): in fp32, where LiteRT has doubles."""

import numpy as np

import tosa_converter as tc
from tosa_converter.ir import Array
from tosa_converter.legalize.custom.options import Settings, read_settings
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.legalize.ops.fourier import cosine_transform, spectra
from tosa_converter.rewriting.expr import const, log, maximum
from tosa_converter.rewriting.operators import matmul
from tosa_converter.schemas.tosa_target import LEVEL_8K

LEAST_ENERGY = 1e-12  # the smallest argument of the logarithm (kFilterbankFloor)


def audio_spectrogram(match: tc.Match) -> tc.Expr:
    """Lowers AudioSpectrogram: samples [samples,channels] become magnitudes of frequencies in Hann windows.

    The option magnitude_squared gives their squares.
    """
    options, x = read_settings(match), match[0]
    window, stride = options.integer("window_size"), options.integer("stride")
    if x.rank != 2 or not 2 <= window <= LEVEL_8K.MAX_KERNEL or not 1 <= stride <= LEVEL_8K.MAX_STRIDE:
        raise tc.Decline(
            f"expected samples of rank 2, a window in [2, {LEVEL_8K.MAX_KERNEL}] and a stride in "
            f"[1, {LEVEL_8K.MAX_STRIDE}], found {x.type}, {window} and {stride}"
        )
    if x.shape[0] < window:
        raise tc.Decline(
            f"expected at least {window} samples, one window, found {x.shape[0]}: TOSA has no empty tensors"
        )
    return spectra(x, window, stride, squared=bool(options.integer("magnitude_squared")))


def mfcc(match: tc.Match) -> tc.Expr:
    """Lowers Mfcc: sums magnitudes in mel bands, takes logarithms and applies a cosine transform."""
    options, x = read_settings(match), match[0]
    bands, count = options.integer("filterbank_channel_count"), options.integer("dct_coefficient_count")
    if x.rank != 3 or x.shape[2] < 2 or not 1 <= count <= bands:
        raise tc.Decline(
            f"expected spectra of rank 3 and coefficients in [1, bands], found {x.type}, {count} of {bands} bands"
        )
    channels, frames, size = x.shape
    affordable((size + count, bands))
    weights = _mel_weights(size, _sample_rate(match), bands, options)
    if weights is None:  # the upper limit is beyond the spectrum: the kernel sums nothing
        return const(np.zeros(affordable((channels, frames, count))), tc.DType.FP32)
    magnitudes = sqrt(x).reshape((1, channels * frames, size))
    energies = matmul(magnitudes, const(weights[None], tc.DType.FP32))
    logarithms = log(maximum(energies, LEAST_ENERGY))
    waves = const(cosine_transform(bands, count)[None], tc.DType.FP32)
    return matmul(logarithms, waves).reshape((channels, frames, count))


def _sample_rate(match: tc.Match) -> int:
    """Returns Mfcc's second operand, the sample rate in Hz, which must be constant."""
    rates = match.integers(1)
    match.require(len(rates) == 1, f"expected one sample rate, found {rates}")
    return rates[0]


def _hz_to_mel(frequency: Array | float) -> Array:
    """Converts frequencies in Hz to the mel scale."""
    return np.asarray(1127.0 * np.log1p(np.asarray(frequency) / 700.0))


def _mel_weights(size: int, rate: int, bands: int, options: Settings) -> Array | None:
    """Returns the weight of each spectrum element in each mel band, [size,bands] (MfccMelFilterbank).

    An element between the centres of two bands counts in both, by its distance on the mel scale; centres 100 and 200
    give an element at 130 weights of 0.7 and 0.3. The first element never counts. Returns None where the highest
    frequency is beyond the spectrum.
    """
    low, high = (options.integer(f"{end}_frequency_limit") for end in ("lower", "upper"))
    if rate < 1 or not 0 <= low < high:
        raise tc.Decline(
            f"expected 0 <= lower limit < upper limit and a rate of 1 or more, found {low}, {high}, {rate}"
        )
    # 257 elements at 16 kHz are 31.25 Hz apart. A lower limit of 20 Hz is 0.64 of an element, and the first that counts
    # is int(1.5 + 0.64) = 2; an upper limit of 4 kHz ends at element 128.
    hz_per_element = 0.5 * rate / (size - 1)
    first, last = int(1.5 + low / hz_per_element), int(high / hz_per_element)
    if last >= size:
        return None
    edges = np.linspace(_hz_to_mel(low), _hz_to_mel(high), bands + 2)
    elements = np.arange(first, last + 1)
    mels = _hz_to_mel(elements * hz_per_element)
    upper_band = np.clip(np.searchsorted(edges[1:], mels), 0, bands)  # whose centre is the first at or above
    lower_weights = (edges[upper_band + 1] - mels) / (edges[upper_band + 1] - edges[upper_band])
    weights = np.zeros((size, bands + 2))
    weights[elements, upper_band] = lower_weights
    weights[elements, upper_band + 1] = 1 - lower_weights
    return weights[:, 1:-1]


RULES: tuple[tc.Rule, ...] = (
    tc.Rule("custom.AudioSpectrogram", "fp32", audio_spectrogram),
    tc.Rule("custom.Mfcc", "fp32*i32", mfcc, of=(0, 1)),
)
