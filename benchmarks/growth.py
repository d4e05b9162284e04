"""What one more operator costs: whole commands on generated int8 models of 600 and 6,000 operators, against the peer.

    pip install '.[test]' tosa-converter-for-tflite==2026.2.0
    python benchmarks/growth.py [--runs 5] [--sizes 600 6000]

A model is a chain of blocks: CONV_2D of 1x1, DEPTHWISE_CONV_2D of 3x3 and ADD with the block's input. Every tensor
has a scale of its own, so nothing that was computed for one operator serves another.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from convert import compare
from measure import table
from support.tflite_models import Operator, Tensor, build

from tosa_converter.schemas.tflite import BuiltinOperator

CHANNELS, SIZE = 8, 4
SHAPE = (1, SIZE, SIZE, CHANNELS)


def generated(operators: int) -> bytes:
    """A `.tflite` of that many operators, a multiple of 3."""
    rng = np.random.default_rng(operators)
    tensors, chain = [_activation(rng)], []
    x = 0
    for _ in range(operators // 3):
        point = _convolved(tensors, chain, rng, BuiltinOperator.CONV_2D, x, (CHANNELS, 1, 1, CHANNELS), {})
        deep = _convolved(
            tensors, chain, rng, BuiltinOperator.DEPTHWISE_CONV_2D, point, (1, 3, 3, CHANNELS), {"depth_multiplier": 1}
        )
        tensors.append(_activation(rng))
        chain.append(Operator(BuiltinOperator.ADD, (x, deep), (len(tensors) - 1,)))
        x = len(tensors) - 1
    return build(tensors, chain, (0,), (x,))


def _activation(rng: np.random.Generator) -> Tensor:
    return Tensor(SHAPE, "int8", scale=rng.uniform(0.01, 0.1), zero_point=int(rng.integers(-20, 20)))


def _convolved(
    tensors: list[Tensor],
    chain: list[Operator],
    rng: np.random.Generator,
    builtin: BuiltinOperator,
    x: int,
    shape: tuple[int, ...],
    options: dict[str, int],
) -> int:
    """Add a convolution over tensor `x` with weights per channel; the index of its result."""
    axis = 0 if builtin == BuiltinOperator.CONV_2D else 3
    scales = rng.uniform(0.005, 0.02, CHANNELS)
    zeros = np.zeros(CHANNELS, np.int64)
    bias = rng.integers(-1000, 1000, CHANNELS)
    tensors += [
        Tensor(shape, "int8", rng.integers(-127, 128, shape), scales, zeros, axis),
        Tensor((CHANNELS,), "int32", bias, scales * np.float32(tensors[x].scale), zeros),
        _activation(rng),
    ]
    last = len(tensors) - 1
    chain.append(Operator(builtin, (x, last - 2, last - 1), (last,), {"stride_h": 1, "stride_w": 1, **options}))
    return last


def main() -> int:
    """Print a table, one row for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[600, 6000])
    options = parser.parse_args()
    rows = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"chain{size}.tflite"
            path.write_bytes(generated(size))
            ours, peers = compare(path, options.runs)
        assert ours is not None
        assert peers is not None
        ratio = f"{ours.seconds / peers.seconds:.2f}"
        memory = [f"{run.peak / 2**20:.0f}" for run in (ours, peers)]
        rows.append([str(size), f"{ours.seconds:.3f}", f"{peers.seconds:.3f}", ratio, *memory])
    print(table(["operators", "ours s", "peer s", "ratio", "ours peak MB", "peer peak MB"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
