"""Cases of LiteRT's own custom operators that it registers: AudioSpectrogram, Mfcc, NumericVerify."""

from typing import Any

import numpy as np

from support.cases.case import Case, Network, Row, Rows, custom, ints, tensor
from support.cases.draw import QUANTIZED, Draw
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B


def registered(d: Draw, code: str, operands: list[Tensor], options: dict[str, Any]) -> Case:
    """Returns a custom operator with one float result."""
    return Case(B.CUSTOM, operands, [d.result("fp32")], options, custom_code=code)


def spectrogram(d: Draw) -> Case:
    """Draws windows that overlap or leave out samples."""
    window, stride = d.whole(2, 70), d.whole(1, 80)
    x = d.rng.standard_normal((window + d.whole(0, 100), d.whole(1, 2))).astype(np.float32)
    options = {"window_size": window, "stride": stride, "magnitude_squared": bool(d.whole(0, 1))}
    return registered(d, "AudioSpectrogram", [d.of(x)], options)


def mfcc(d: Draw) -> Case:
    """Draws spectra of loud and quiet frames; in some cases the upper frequency limit lies beyond them."""
    size, rate, bands = d.whole(16, 129), d.among(8000, 16000), d.whole(4, 24)
    x = np.square(d.rng.standard_normal((d.whole(1, 2), d.whole(1, 4), size))).astype(np.float32)
    options = {
        "upper_frequency_limit": d.among(3000, 4000, 5000),
        "lower_frequency_limit": d.among(0, 20, 300),
        "filterbank_channel_count": bands,
        "dct_coefficient_count": d.whole(1, bands),
    }
    return registered(d, "Mfcc", [d.of(x * np.float32(d.among(1, 1e-4))), d.ints([rate])], options)


def verified(d: Draw) -> Network:
    """Draws floats at a distance from the quantized values; LiteRT's vectorized kernel rounds before it subtracts."""
    x = d.tensor(d.shape(1, 4))
    assert x.array is not None
    reals = x.array.astype(np.float32)
    if d.type in QUANTIZED:
        reals = (reals - np.float32(x.zero_point)) * np.float32(x.scale)
    reference = np.asarray(reals + np.abs(reals).max() * d.rng.standard_normal(reals.shape), np.float32)
    operands = [d.either(x), d.of(reference, "fp32")]
    return Network(*registered(d, "NumericVerify", operands, {"tolerance": 5.0, "log_if_failed": False}).model())


BANDS = {"upper_frequency_limit": 4000, "lower_frequency_limit": 20, "filterbank_channel_count": 4}
MARGIN = {"tolerance": 5.0, "log_if_failed": True}
ROWS: Rows = {
    "custom.AudioSpectrogram": Row(
        spectrogram,
        [custom("AudioSpectrogram", [(9, 1)], {"window_size": 4, "stride": 2, "magnitude_squared": False})],
    ),
    "custom.Mfcc": Row(mfcc, [custom("Mfcc", [(1, 2, 9)], {**BANDS, "dct_coefficient_count": 3}, ints(8000))]),
    "custom.NumericVerify": Row(verified, [custom("NumericVerify", [], MARGIN, tensor("int8"), tensor("float32"))]),
}
