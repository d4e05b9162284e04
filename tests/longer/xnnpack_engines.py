"""Compares an engine for TOSA with the real XNNPACK, on the graphs of models/xnnpack.

`PYTHONPATH=tests python -m longer.xnnpack_engines vulkan`. Prints, for each group, how many integer outputs are equal
and by how much of their largest element floats differ; exit status 1 if an integer differs or a float exceeds 1e-5, or
of fp16 2e-3.
"""

import sys
from collections import Counter

import numpy as np
from support.xnnpack_cases import XnnpackCase, every_case

import tosa_converter as tc
from tosa_converter.engines import Engine, engine_named
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Array
from tosa_converter.proof.judgement import difference, largest

TOLERANCES = {"fp16": 2e-3}


def outputs(case: XnnpackCase, engine: Engine) -> list[Array]:
    """Returns the engine's outputs for a case."""
    model = tc.convert(tc.load(case.data))
    types = [value.type.dtype.numpy for value in model.main.inputs]
    arrays = [
        array.view(type) if array.itemsize == type.itemsize else array.astype(type)
        for array, type in zip(case.inputs, types, strict=True)
    ]
    inputs = dict(zip((value.name for value in model.main.inputs), arrays, strict=True))
    return list(engine.run(model, inputs).values())


def main() -> int:
    """Prints a line per group; returns the exit status."""
    engine, counts, worst = engine_named(sys.argv[1]), Counter[str](), dict[str, float]()
    for case in every_case():
        try:
            computed = outputs(case, engine)
        except ConverterError as error:
            counts[f"{case.group}: refused"] += 1
            print(f"{case.file}: {' '.join(error.lines[:2])}")
            continue
        for array, expected in zip(computed, map(np.asarray, case.outputs), strict=True):
            floats = expected.dtype.kind == "f"
            array = array if floats else array.astype(expected.dtype)  # TOSA's integers are signless
            d = difference(expected.reshape(-1), array.reshape(-1))
            off = float(d.max(initial=0.0)) / (largest(expected) or 1.0)
            allowed = TOLERANCES.get(case.group, 1e-5) if floats else 0.0
            counts[
                f"{case.group}: {'floats' if floats else 'integers'} {'as expected' if off <= allowed else 'off'}"
            ] += 1
            worst[case.group] = max(worst.get(case.group, 0.0), off if floats else 0.0)
            if off > allowed:
                print(f"{case.file}: {off:.2g}")
    for text, count in sorted(counts.items()):
        print(f"{count:4d} {text}")
    print(", ".join(f"{group} {off:.2g}" for group, off in worst.items()))
    return int(any(text.endswith("off") for text in counts))


if __name__ == "__main__":
    sys.exit(main())
