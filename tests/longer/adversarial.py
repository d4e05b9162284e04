"""Counts how many runs find a fault that was fixed: random inputs against adversarial ones.

`python -m longer.adversarial` undoes one fix after the other, each in a process of its own that imports the faulty
source, converts models that differ by their seed, and compares them run by run with LiteRT until an output differs or
the executor refuses an unpredictable graph: at most 200 runs of random inputs, and 20 of adversarial ones. It prints a
table of medians over the first five models on which either finds it, with each one's count.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from support.quantized_models import Draw, Operand, constant, model, plain, quantized

from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

MOST, MODELS, DRAWN = 200, 5, 40
CHILD = """
import sys
from longer.planted import plant
plant(*sys.argv[1:4])
from longer.adversarial import count
count(int(sys.argv[4]))
"""


class Fault(NamedTuple):
    """A fix that is undone: the text of a file, and models that show the fault."""

    fix: str
    file: str
    right: str
    wrong: str
    build: Callable[[Draw], bytes]


def fed(draw: Draw, shape: Sequence[int], scale: float, dtype: str = "int8", zero_point: int | None = None) -> Operand:
    """Returns an input; its array marks it as one."""
    point = draw.zero_point(dtype) if zero_point is None else zero_point
    return quantized(np.zeros(tuple(shape), dtype), scale, point, dtype)


def weights(draw: Draw, shape: Sequence[int], scale: object, dtype: str = "int8", axis: int = 0) -> Operand:
    return quantized(draw.stored(shape, dtype), scale, 128 if dtype == "uint8" else 0, dtype, constant=True, axis=axis)


def biases(draw: Draw, count: int) -> Operand:
    return quantized(np.array(draw.ints(-5000, 5000, count), np.int32), 1e-4, 0, "int32", constant=True)


def layer(dtype: str) -> Callable[[Draw], bytes]:
    """Returns FULLY_CONNECTED of 64 into 10."""

    def build_layer(draw: Draw) -> bytes:
        x = fed(draw, (1, 64), draw.scale(0.01, 0.05), dtype)
        w = weights(draw, (10, 64), draw.scale(0.0003, 0.01), dtype)
        y = quantized((1, 10), draw.scale(0.1, 0.4), draw.zero_point(dtype), dtype)
        return model(B.FULLY_CONNECTED, (x, w, biases(draw, 10)), y, 4)[0]

    return build_layer


def convolution(draw: Draw) -> bytes:
    """Returns CONV_2D of 3 by 3, on 6 by 6 pixels with 4 channels in and out."""
    operands = (
        fed(draw, (1, 6, 6, 4), draw.scale(0.01, 0.05)),
        weights(draw, (4, 3, 3, 4), draw.scale(0.002, 0.01, 4)),
    )
    y = quantized((1, 2, 2, 4), draw.scale(0.05, 0.2), draw.zero_point())
    options = {"padding": Padding.VALID, "stride_w": 3, "stride_h": 3}
    options |= {"dilation_w_factor": 1, "dilation_h_factor": 1}
    return model(B.CONV_2D, (*operands, biases(draw, 4)), y, 3, **options)[0]


def pool(draw: Draw) -> bytes:
    scale, zero_point = draw.scale(0.01, 0.05), draw.whole(1, 127)
    x = fed(draw, (1, 8, 8, 2), scale, zero_point=zero_point)
    options = {"filter_width": 8, "filter_height": 8, "stride_w": 8, "stride_h": 8, "padding": Padding.VALID}
    return model(B.AVERAGE_POOL_2D, (x,), quantized((1, 1, 1, 2), scale, zero_point), 2, **options)[0]


def mean(draw: Draw) -> bytes:
    scale = draw.scale(0.01, 0.05)
    y = quantized((1, 2), scale, draw.zero_point())
    return model(B.MEAN, (fed(draw, (1, 6, 6, 2), scale), constant([1, 2])), y, 2)[0]


def steep(draw: Draw) -> bytes:
    x = fed(draw, (1, 4), draw.scale(0.2, 0.4), "int16", 0)
    return model(B.LOG, (x,), quantized((1, 4), draw.scale(4e-5, 6e-5), 0, "int16"), 2)[0]


def quantized_floats(draw: Draw) -> bytes:
    return model(B.QUANTIZE, (plain(np.zeros((1, 16), np.float32)),), fed(draw, (1, 16), draw.scale(0.01, 0.05)), 1)[0]


def quantized_sums(draw: Draw) -> bytes:
    x = fed(draw, (1, 16), draw.scale(0.01, 0.05), "int32", 0)
    return model(B.QUANTIZE, (x,), fed(draw, (1, 16), draw.scale(0.005, 0.01)), 2)[0]


QUANTIZED, LITERT_8 = "legalize/tflite/quantized", "legalize/quant/litert_8.py"
FAULTS = (
    Fault(
        "FULLY_CONNECTED on uint8 scales by a float32 product (W2)",
        LITERT_8,
        "real = np.minimum(real_scales(match, keys.weight, integer.input_scale, integer.output), LARGEST_SCALE)",
        'product = (integer.input_scale * np.array(match.quant(1).scale, "f4")).astype(np.float64)\n'
        "    real = np.minimum(product / np.float64(integer.output.scale), LARGEST_SCALE)",
        layer("uint8"),
    ),
    Fault(
        "FULLY_CONNECTED rounds twice",
        LITERT_8,
        "*plan, output_zp=zero_point)",
        '*plan, output_zp=zero_point, rounding_mode="DOUBLE_ROUND")',
        layer("int8"),
    ),
    Fault(
        "CONV_2D rounds once",
        "legalize/quant/requantize.py",
        'mode = "DOUBLE_ROUND"',
        'mode = "SINGLE_ROUND"',
        convolution,
    ),
    Fault(
        "QUANTIZE of i32 multiplies what RESCALE doesn't take (W10)",
        "legalize/quant/requantize.py",
        "    x = clamp_for_rescale(x, shifts, peak)\n",
        "",
        quantized_sums,
    ),
    Fault(
        "QUANTIZE of floats lets NaN through (W5)",
        f"{QUANTIZED}/borders.py",
        'lowered, 0.0, float(most - least), nan_mode="IGNORE")',
        "lowered, 0.0, float(most - least))",
        quantized_floats,
    ),
    Fault(
        "QUANTIZE of floats rounds a quotient, not the kernel's steps",
        f"{QUANTIZED}/borders.py",
        "    lowered = scaled + (output.zero_point - least - 0.5)\n"
        '    level = clamp(lowered, 0.0, float(most - least), nan_mode="IGNORE").cast(DType.I32)\n'
        "    level = step_to_threshold(x, level, smallest_floats(output.scale, output.zero_point, output.dtype))\n",
        "    level = scaled + (output.zero_point - least)\n"
        '    level = clamp(level, 0.0, float(most - least), nan_mode="IGNORE").cast(DType.I32)\n',
        quantized_floats,
    ),
    Fault(
        "AVERAGE_POOL_2D takes the scale's zero point",
        "legalize/tflite/pool.py",
        "zero_point = INT8_MIN if result is DType.UI8 else 0",
        "zero_point = match.quant(0).zero_point[0]",
        pool,
    ),
    Fault(
        "MEAN rounds the multiplier that LiteRT cuts off",
        f"{QUANTIZED}/reduce.py",
        "    multiplier = Multiplier(np.array([(m << left) // count]), np.array([shift - left]))\n",
        "    multiplier = quantize_multiplier(np.float64(x.scale) / np.float64(output.scale) / count)\n",
        mean,
    ),
    Fault(
        "TABLEs of int16 too steep for their slopes",
        f"{QUANTIZED}/activations.py",
        "        if is_too_steep(table):\n",
        "        if False:\n",
        steep,
    ),
)


def needed(data: bytes, seed: int) -> tuple[int, int]:
    """Returns the number of the first run with a finding, random and adversarial; the limit plus 1 if none has one."""
    import tosa_converter as tc
    from tosa_converter.proof.input_sets import random_sets

    source = tc.load(data)
    converted = tc.convert(source)

    def first(sets: Iterable[dict[str, Array]]) -> int:
        return next((i for i, arrays in enumerate(sets, 1) if differs(arrays)), MOST + 1)

    def differs(arrays: dict[str, Array]) -> bool:
        try:
            return not tc.compare(source, converted, inputs=[arrays], against="executor")[0].verdict
        except tc.UnpredictableError:
            return True

    random = random_sets(source, converted, seed * MOST)
    adversarial = tc.adversarial_inputs(source, runs=MOST // 10, seed=seed)
    return first(random(i) for i in range(MOST)), first(adversarial)


def count(number: int) -> None:
    """Prints the counts of a fault's models that show it, in a process that imports the fault."""
    counts: list[tuple[int, int]] = []
    for seed in range(DRAWN):
        needed_runs = needed(FAULTS[number].build(Draw(seed)), seed)
        counts += [needed_runs] if min(needed_runs) <= MOST else []
        if len(counts) == MODELS:
            break
    print(json.dumps([counts, seed + 1]))


def main() -> int:
    """Prints the table; returns status 1 if adversarial inputs need more than a tenth of the runs."""
    print("| undone | models | random | adversarial |\n| --- | --- | --- | --- |")
    slow = 0
    for number, fault in enumerate(FAULTS):
        words = [sys.executable, "-c", CHILD, fault.file, fault.right, fault.wrong, str(number)]
        done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, timeout=1800)
        counts, drawn = json.loads(done.stdout)
        assert counts, f"nothing found in {drawn} models: {fault.fix}"
        random, adversarial = (statistics.median(needed_runs) for needed_runs in zip(*counts, strict=True))
        slow += adversarial > max(1, random / 10)
        medians = f"{_text(random, counts, 0)} | {_text(adversarial, counts, 1)}"
        print(f"| {fault.fix} | {len(counts)} of {drawn} | {medians} |", flush=True)
    print(f"{len(FAULTS) - slow} of {len(FAULTS)} with a tenth of the runs")
    return 1 if slow else 0


def _text(median: float, counts: Sequence[Sequence[int]], side: int) -> str:
    """Returns the median, and the counts of each model."""
    numbers = ", ".join("-" if needed_runs[side] > MOST else str(needed_runs[side]) for needed_runs in counts)
    return f"{'none' if median > MOST else format(median, 'g')} ({numbers})"


if __name__ == "__main__":
    sys.exit(main())
