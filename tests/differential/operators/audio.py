"""LiteRT's own custom operators that it registers: AudioSpectrogram, Mfcc, NumericVerify."""

from typing import Any

import numpy as np
from flatbuffers import flexbuffers

from differential.case import QUANTIZED, Case, Draw, Network, Operand
from differential.operators import Drawing
from tosa_converter.schemas.tflite import BuiltinOperator as B


def custom(d: Draw, code: str, operands: list[Operand], options: dict[str, Any]) -> Case:
    """With options as a map, and one float result."""
    packed = bytes(flexbuffers.Dumps(options))
    return Case(B.CUSTOM, operands, [d.result("fp32")], custom_code=code, custom_options=packed)


def spectrogram(d: Draw) -> Case:
    """Windows that overlap or leave samples out."""
    window, stride = d.whole(2, 70), d.whole(1, 80)
    x = d.rng.standard_normal((window + d.whole(0, 100), d.whole(1, 2))).astype(np.float32)
    options = {"window_size": window, "stride": stride, "magnitude_squared": bool(d.whole(0, 1))}
    return custom(d, "AudioSpectrogram", [d.of(x)], options)


def mfcc(d: Draw) -> Case:
    """Spectra of loud and quiet frames; in some cases the highest frequency is beyond them."""
    size, rate, bands = d.whole(16, 129), d.among(8000, 16000), d.whole(4, 24)
    x = np.square(d.rng.standard_normal((d.whole(1, 2), d.whole(1, 4), size))).astype(np.float32)
    options = {
        "upper_frequency_limit": d.among(3000, 4000, 5000),
        "lower_frequency_limit": d.among(0, 20, 300),
        "filterbank_channel_count": bands,
        "dct_coefficient_count": d.whole(1, bands),
    }
    return custom(d, "Mfcc", [d.of(x * np.float32(d.among(1, 1e-4))), d.ints([rate])], options)


def verified(d: Draw) -> Network:
    """Reals some way from those that integers stand for: LiteRT's vectors round products before the zero point's."""
    x = d.tensor(d.shape(1, 4))
    assert x.array is not None
    reals = x.array.astype(np.float32)
    if d.type in QUANTIZED:
        reals = (reals - np.float32(x.tensor.zero_point)) * np.float32(x.tensor.scale)
    reference = np.asarray(reals + np.abs(reals).max() * d.rng.standard_normal(reals.shape), np.float32)
    operands = [d.either(x), d.of(reference, "fp32")]
    return Network(*custom(d, "NumericVerify", operands, {"tolerance": 5.0, "log_if_failed": False}).model())


DRAWS: dict[str, Drawing] = {
    "custom.AudioSpectrogram": spectrogram,
    "custom.Mfcc": mfcc,
    "custom.NumericVerify": verified,
}
