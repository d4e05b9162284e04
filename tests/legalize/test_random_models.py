"""Random models of 5 to 30 operators equal LiteRT's reference kernels and the reference model.

The tests run a sample. `PYTHONPATH=tests python tests/legalize/test_random_models.py FIRST LAST [int8,uint8,float32]`
runs the seeds from FIRST to before LAST and prints every model that fails; with `--no-fast`, by the definitions.
"""

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from support.cases.sketch import Sketch
from support.legalizing import as_signless, compare, reference_model
from support.random_models import grow

import tosa_converter as tc
from tosa_converter.engines import engine_named
from tosa_converter.execute.plan import Executable
from tosa_converter.formats import parse
from tosa_converter.ir import Array
from tosa_converter.rules.target import Target

TYPES = ("int8", "uint8", "float32")
TOLERANCE = 1e-5
BASE = Target.parse("pro-int,pro-fp,8k")  # no extensions: no DOUBLE_ROUND


def check(seed: int, dtype: str, *, fast: bool = True) -> None:
    """Compares one model in LiteRT, the executor (fused or not, with and without checks) and the reference model.

    Every third has an unknown batch, every second is converted without any extension.
    """
    sketch = grow(Sketch(seed, dtype, unknown_batch=seed % 3 == 0), 5 + seed % 26)
    data, arrays = sketch.finish()
    source = parse(data)
    named = {value.name: array for value, array in zip(source.main.inputs, arrays, strict=True)}
    want = list(engine_named("litert").run(source, named).values())  # kernels that compute SUM correctly
    shapes = {value.name: array.shape for value, array in zip(source.main.inputs, arrays, strict=True)}
    target = BASE if seed % 2 else None
    tosa = tc.convert(source, target=target, input_shapes=shapes if sketch.free else None)
    assert target is None or not target.problems(tosa)
    tolerance = TOLERANCE if dtype == "float32" else 0.0
    fed = [as_signless(array) for array in arrays]
    fused = Executable(tosa, fast=fast).run(fed)
    compare_runs(list(fused.values()), want, tolerance)
    unchecked = Executable(tosa, check=False, fast=fast).run(fed)
    compare_runs(list(unchecked.values()), want, tolerance)
    plain = Executable(tosa, keep="all", fast=fast).run(fed)
    compare([plain[name] for name in fused], list(fused.values()), tolerance / 10)
    compare_runs(reference_model(tosa, fed), want, tolerance)


def compare_runs(got: Sequence[Array], want: Sequence[Array], tolerance: float) -> None:
    """Asserts floats within the tolerance, and equal integers and quantized tensors."""
    assert len(got) == len(want)
    for ours, theirs in zip(got, want, strict=True):
        compare([ours], [theirs], tolerance if theirs.dtype == np.float32 else 0.0)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(24))
def test_random_models_equal_litert(seed: int, dtype: str) -> None:
    check(seed, dtype)


def main(first: str, last: str, types: str = ",".join(TYPES), *, fast: bool = True) -> int:
    """Runs many seeds; returns the exit status."""
    failed = 0
    for seed in range(int(first), int(last)):
        for dtype in types.split(","):
            try:
                check(seed, dtype, fast=fast)
            except Exception as error:  # the run continues after any error
                failed += 1
                print(f"{dtype} {seed}: {type(error).__name__}: {str(error).strip()[:400]}")
    print(f"{failed} of {(int(last) - int(first)) * len(types.split(','))} models failed")
    return int(failed > 0)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--no-fast"]
    sys.exit(main(*words, fast=len(words) == len(sys.argv) - 1))
