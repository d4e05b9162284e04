"""Our executor against the TOSA reference model, one operator at a time: every family at sizes as in the zoo.

    pip install '.[verify]'
    python benchmarks/families.py [--runs 5]

One thread each, checks off, compiled once; the reference model's whole call. Medians.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from measure import geometric_mean, muted, seconds, table

from tosa_converter import formats
from tosa_converter.dtypes import DType
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, clamp, const, emit
from tosa_converter.schemas import tosa_ops as ops

I8, I32, FP32 = DType.I8, DType.I32, DType.FP32
IMAGE = (1, 56, 56, 64)
MATRIX = (1, 256, 512)
POOL = {"kernel": (2, 2), "stride": (2, 2), "pad": (0, 0, 0, 0)}
Build = Callable[[Expr], Expr]


class Case(NamedTuple):
    """An operator on an input of one type and shape."""

    family: str
    operator: str
    dtype: DType
    shape: tuple[int, ...]
    build: Build


def constant(shape: tuple[int, ...], dtype: DType) -> Expr:
    """Random elements: small ones for floats, all values for integers."""
    rng = np.random.default_rng(0)
    values = rng.normal(0, 0.1, shape) if dtype.is_float else rng.integers(-127, 128, shape)
    return const(values, dtype)


def window(kernel: int, out: int, stride: int = 1, *, depthwise: bool = False) -> Build:
    """A convolution with padding."""

    def build(x: Expr) -> Expr:
        depth, edge = x.shape[3], kernel // 2
        shape = (kernel, kernel, depth, 1) if depthwise else (out, kernel, kernel, depth)
        bias = constant((out,), FP32 if x.dtype is FP32 else I32)
        pad = (edge, edge - (stride > 1), edge, edge - (stride > 1)) if edge else (0,) * 4
        weight = constant(shape, x.dtype)
        return operators.conv2d(x, weight, bias, pad=pad, stride=(stride, stride), depthwise=depthwise)

    return build


def transposed(x: Expr) -> Expr:
    """TRANSPOSE_CONV2D by 2."""
    weight = constant((32, 2, 2, x.shape[3]), x.dtype)
    bias = constant((32,), FP32 if x.dtype is FP32 else I32)
    return operators.transpose_conv2d(x, weight, bias, out_pad=(0, 0, 0, 0), stride=(2, 2))


def product(x: Expr) -> Expr:
    """MATMUL with a constant."""
    return operators.matmul(x, constant((1, x.shape[2], 256), x.dtype))


def rescaled(x: Expr) -> Expr:
    """RESCALE per channel to i8."""
    channels = x.shape[-1]
    return operators.rescale(x, I8, [1 << 30] * channels, [37] * channels, output_zp=3)


def resized(x: Expr) -> Expr:
    """RESIZE by 2."""
    return operators.resize(x, mode="BILINEAR", scale=(4, 2, 4, 2), offset=(-1, -1), border=(1, 1))


def gathered(x: Expr) -> Expr:
    """GATHER of 1000 rows."""
    return operators.gather(x, const(np.arange(1000).reshape(1, -1) * 7 % x.shape[1], I32))


def cases() -> Iterator[Case]:
    """One row per operator and type."""
    for dtype in (FP32, I8):
        yield Case("convolution", "CONV2D 3x3", dtype, IMAGE, window(3, 64))
        yield Case("convolution", "CONV2D 1x1", dtype, IMAGE, window(1, 128))
        yield Case("convolution", "CONV2D 3x3 of 3 channels", dtype, (1, 224, 224, 3), window(3, 32, 2))
        yield Case("depthwise", "DEPTHWISE_CONV2D 3x3", dtype, IMAGE, window(3, 64, depthwise=True))
        yield Case("depthwise", "DEPTHWISE_CONV2D 5x5", dtype, IMAGE, window(5, 64, depthwise=True))
        yield Case("transposed convolution", "TRANSPOSE_CONV2D 2x2", dtype, (1, 28, 28, 64), transposed)
        yield Case("matrix product", "MATMUL", dtype, MATRIX, product)
        yield Case("pooling", "MAX_POOL2D", dtype, IMAGE, lambda x: operators.max_pool2d(x, **POOL))
        yield Case("pooling", "AVG_POOL2D", dtype, IMAGE, lambda x: operators.avg_pool2d(x, **POOL))
        yield Case("layout", "TRANSPOSE", dtype, IMAGE, lambda x: x.transpose((0, 3, 1, 2)))
        yield Case("layout", "PAD", dtype, IMAGE, lambda x: x.pad([(0, 0), (1, 1), (1, 1), (0, 0)]))
        yield Case("layout", "CONCAT", dtype, IMAGE, lambda x: operators.concat([x, x], 3))
        yield Case("layout", "SLICE", dtype, IMAGE, lambda x: x.slice((0, 1, 1, 0), (1, 54, 54, 64)))
        yield Case("resize", "RESIZE", dtype, (1, 28, 28, 32), resized)
        yield Case("gather", "GATHER", dtype, (1, 2000, 64), gathered)
        yield Case("activation", "CLAMP", dtype, IMAGE, lambda x: clamp(x, 0, 6))
    yield Case("rescale", "RESCALE", I32, IMAGE, rescaled)
    yield Case("rescale", "TABLE", I8, IMAGE, lambda x: operators.table(x, np.arange(-128, 128)[::-1]))
    for dtype in (FP32, I32):
        yield Case("elementwise", "ADD", dtype, IMAGE, lambda x: x + x)
        yield Case("elementwise", "MUL", dtype, IMAGE, lambda x: 3 * x)
        yield Case("reduction", "REDUCE_SUM", dtype, IMAGE, lambda x: operators.reduce_sum(x, 1))
        yield Case("reduction", "REDUCE_MAX", dtype, IMAGE, lambda x: operators.reduce_max(x, 3))
    for row in (ops.EXP, ops.TANH, ops.SIGMOID, ops.RECIPROCAL, ops.RSQRT):
        yield Case("activation", row.name, FP32, IMAGE, partial(emit, row))


def measure(case: Case, runs: int) -> tuple[float, float]:
    """Seconds of ours and of the reference model."""
    import tosa_reference_model

    x = Value(TensorType(case.dtype, case.shape), "x")
    with Builder(Graph("main", [x])) as builder:
        model = builder.model(y=case.build(Expr(x)))
    inputs = random_inputs([x], {}, 0)
    content = b"".join(map(bytes, formats.encode(model, ".tosa")))
    executable = Executable(model.main, check=False)
    ours = seconds(lambda: executable.run(inputs), runs)
    with muted():
        other = seconds(lambda: tosa_reference_model.run(content, list(inputs.values()), tosa_level="EIGHTK"), 1)
    return ours, other


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    lines, families = [], {}
    for case in cases():
        ours, other = measure(case, arguments.runs)
        families.setdefault(case.family, []).append(other / ours)
        shape = "x".join(map(str, case.shape))
        cells = [f"{ours * 1e3:.2f}", f"{other * 1e3:.1f}", f"{other / ours:.1f}x"]
        lines.append([case.family, f"{case.operator} {case.dtype.value}", shape, *cells])
    print(table(["family", "operator", "input", "ours ms", "reference model ms", "ratio"], lines))
    print()
    print(table(["family", "geometric mean"], [[name, f"{geometric_mean(r):.1f}x"] for name, r in families.items()]))


if __name__ == "__main__":
    main()
