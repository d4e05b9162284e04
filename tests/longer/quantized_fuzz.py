"""Compares random quantized operators and chains, with scales at the edges, with LiteRT's reference kernels.

`python -m longer.quantized_fuzz --first 0 --count 20000` runs that many seeds; each is a model of one operator or of 2
to 8, int8 or uint8, whose multipliers lie next to powers of two and to rounding ties, at times next to the limits of
RESCALE. The executor runs all of them, Arm's reference model every `--sample`th. Elements that LiteRT leaves undefined
are counted apart. Every seed that fails is printed.
"""

import argparse
import collections
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from support.cases.sketch import Layer, Sketch
from support.random_models import LAYERS, grow

import tosa_converter as tc
from tosa_converter.errors import ConverterError, UnpredictableError, UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator as B

BASE = Target.parse("pro-int,pro-fp,8k")  # no extensions: no DOUBLE_ROUND
MANTISSAS = (0.5, 0.625, 0.75, 0.875, 1 - 2.0**-24)  # exact ones make ties, the last rounds up to 1
# The operators whose results may have any scale, how many operands' scales their multiplier has, and its usual size.
FREE: dict[B, tuple[int, tuple[int, int]]] = {
    **dict.fromkeys((B.CONV_2D, B.DEPTHWISE_CONV_2D, B.FULLY_CONNECTED), (2, (-12, -4))),
    **dict.fromkeys((B.MUL, B.PRELU), (2, (-9, -4))),
    **dict.fromkeys((B.ADD, B.SUB), (1, (-2, 2))),
    **dict.fromkeys((B.MEAN, B.QUANTIZE, B.RELU, B.RELU6, B.RELU_N1_TO_1, B.LEAKY_RELU, B.ABS), (1, (-3, 2))),
    B.SUM: (1, (-7, 0)),
    B.HARD_SWISH: (1, (-2, 1)),
}
# Overflows of these sums in LiteRT are unknown, so their multipliers stay below that.
SUMS = (B.SUM, B.ADD)
# A float rounds the products' scale by up to 2**-24 of it, of which LiteRT refuses more than 2% of the result's scale.
BIASED = (B.CONV_2D, B.DEPTHWISE_CONV_2D, B.FULLY_CONNECTED)


class Edges(Sketch):
    """A sketch whose scales make multipliers next to powers of two and to ties."""

    def quant(self) -> dict[str, Any]:
        """Returns a scale, often a short number, and a zero point, mostly an end of the range."""
        quant = super().quant()
        if self.coin():
            quant["scale"] = self.jitter(2.0 ** self.whole(-8, -2) * self.among(0.5, 0.75, 0.625, 1 / 3))
        return quant

    def jitter(self, scale: float) -> np.float32:
        """Returns the nearest float or one of its neighbours."""
        near = np.float32(scale)
        steps = self.whole(-2, 2)
        for _ in range(abs(steps)):
            near = np.nextafter(near, np.float32(np.inf if steps > 0 else 0))
        return near

    def weights(self, shape: Sequence[int], fan_in: int, channels: int | None, axis: int) -> tuple[int, Any]:
        """Adds weights, half of which have scales that are short numbers."""
        index, scale = super().weights(shape, fan_in, channels, axis)
        if self.coin():
            short = np.exp2(np.rint(np.log2(scale)) + self.rng.integers(-1, 2, np.shape(scale)))
            scale = (short * self.among(0.5, 0.75, 0.625, 1.0)).astype(np.float32)
            self.tensors[index].scale = scale
        return index, scale

    def emit(self, builtin: B, inputs: Sequence[int], outputs: int | Sequence[int], **options: Any) -> None:
        """Appends an operator; in three of four cases the result's scale puts its multiplier on an edge."""
        if builtin in FREE and isinstance(outputs, int) and self.whole(0, 3):
            count, usual = FREE[builtin]
            scales = [self.tensors[x].scale for x in inputs if x >= 0 and self.tensors[x].dtype == self.dtype]
            if all(scale is not None for scale in scales):
                input_scale = float(np.prod([np.max(scale) for scale in scales[:count]]))
                extreme = (-33, 8 if builtin in SUMS else 16 if builtin in BIASED else 33)
                exponent = self.whole(*(usual if self.whole(0, 19) else extreme))
                mantissa = self.among(*MANTISSAS, self.rng.uniform(0.5, 1))
                self.tensors[outputs].scale = self.jitter(input_scale / mantissa * 2.0**-exponent)
        if builtin in BIASED and isinstance(outputs, int):
            products = float(self.tensors[inputs[0]].scale) * float(np.max(self.tensors[inputs[1]].scale))
            self.tensors[outputs].scale = np.maximum(self.tensors[outputs].scale, np.float32(products * 2.0**-17))
        super().emit(builtin, inputs, outputs, **options)


def quotient(s: Sketch, x: int) -> None:
    """Adds DIV by constants that aren't zero."""
    sizes = s.shape(x)[s.whole(s.free, len(s.shape(x))) :]
    quant = s.quant()
    stored = s.rng.integers(0, 256, sizes).astype(np.uint8).view(s.dtype)
    stored = np.where(stored == quant["zero_point"], stored ^ np.array(1, s.dtype), stored)
    scale = np.float32(s.tensors[x].scale) / quant["scale"] * np.float32(s.rng.uniform(0.05, 2))
    y = s.tensor(s.shape(x), **{**s.quant(), "scale": scale})
    s.emit(B.DIV, [x, s.constant(stored, s.dtype, **quant)], y)


class Outcome(NamedTuple):
    """The outcome of one seed."""

    verdict: str  # equal, different, unpredictable, refused (by us), aborted (LiteRT)
    elements: int
    undefined: int
    detail: str


def sketch(seed: int) -> tuple[bytes, list[Array]]:
    """Returns the model of a seed and its input arrays."""
    network = Edges(seed, ("int8", "uint8")[seed % 2])
    count = 1 if seed % 4 < 2 else network.whole(2, 8)
    return grow(network, count, (*LAYERS[network.dtype], Layer(quotient))).finish()


def check(seed: int, folder: Path, *, by_reference_model: bool = False) -> Outcome:
    """Converts a seed's model, half of them without extensions, and compares it."""
    data, arrays = sketch(seed)
    path = folder / "model.tflite"
    path.write_bytes(data)
    source = tc.load(path)
    fed = {value.name: array for value, array in zip(source.main.inputs, arrays, strict=True)}
    try:
        ours = tc.convert(source, target=BASE if seed // 4 % 2 else None)
    except UnsupportedError as error:
        return Outcome("refused", 0, 0, str(error))
    engines = ("executor", "tosa-reference-model") if by_reference_model else ("executor",)
    try:
        comparisons = tc.compare(source, ours, inputs=[fed], against=engines)
    except UnpredictableError as error:
        return Outcome("unpredictable", 0, 0, str(error))
    except ConverterError as error:
        return Outcome("aborted" if "LiteRT" in str(error) else "different", 0, 0, str(error))
    outputs = [output for comparison in comparisons for output in comparison.outputs]
    wrong = [f"{o.name} {o.type}: {o.mismatches} of {o.elements}, max {o.max_abs}" for o in outputs if o.mismatches]
    elements, undefined = sum(o.elements for o in outputs), sum(o.undefined for o in outputs)
    return Outcome("different" if wrong else "equal", elements, undefined, "; ".join(wrong))


def main() -> int:
    """Returns exit status 1 if a seed failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=50, help="every how many the reference model runs")
    options = parser.parse_args()
    started, sums = time.monotonic(), np.zeros(2, np.int64)
    verdicts: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            outcome = check(seed, Path(folder), by_reference_model=seed % options.sample == 0)
            verdicts[outcome.verdict] += 1
            sums += outcome.elements, outcome.undefined
            if outcome.verdict in ("different", "unpredictable"):
                print(f"seed {seed} {outcome.verdict}: {outcome.detail[:300]}", flush=True)
            elif outcome.verdict != "equal":
                reasons[outcome.detail.splitlines()[-1][-90:]] += 1
    print(f"{dict(verdicts)}; {sums[0]} elements, {sums[1]} undefined in LiteRT; {time.monotonic() - started:.0f} s")
    for reason, count in reasons.most_common(20):
        print(f"{count:6d} {reason}")
    return int(verdicts["different"] + verdicts["unpredictable"] > 0)


if __name__ == "__main__":
    sys.exit(main())
