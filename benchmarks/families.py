"""Our executor against the TOSA reference model, one operator at a time: every family at sizes as in the zoo.

    pip install '.[verify]'
    python benchmarks/families.py [--runs 5]

One thread each, checks off, compiled once; the reference model's whole call. Medians.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from measure import geometric_mean, muted, seconds, table

import tosa_converter as tc
from tosa_converter import formats
from tosa_converter.dtypes import DType
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.ir.edit import place_constants
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.rewriting.builder import Builder
from tosa_converter.schemas import tosa_ops as ops

I8, I32, FP32 = DType.I8, DType.I32, DType.FP32
IMAGE = (1, 56, 56, 64)
MATRIX = (1, 256, 512)
POOL = {"kernel": (2, 2), "stride": (2, 2), "pad": (0, 0, 0, 0)}
Build = Callable[[Builder, Value], Value]


class Case(NamedTuple):
    """An operator on an input of one type and shape."""

    family: str
    operator: str
    dtype: DType
    shape: tuple[int, ...]
    build: Build


def constant(builder: Builder, shape: tuple[int, ...], dtype: DType) -> Value:
    """Random elements: small ones for floats, all values for integers."""
    rng = np.random.default_rng(0)
    values = rng.normal(0, 0.1, shape) if dtype.is_float else rng.integers(-127, 128, shape)
    return builder.const(values, dtype)


def window(kernel: int, out: int, stride: int = 1, *, depthwise: bool = False) -> Build:
    """A convolution with padding."""

    def build(builder: Builder, x: Value) -> Value:
        depth, edge = x.type.static[3], kernel // 2
        shape = (kernel, kernel, depth, 1) if depthwise else (out, kernel, kernel, depth)
        bias = constant(builder, (out,), FP32 if x.type.dtype is FP32 else I32)
        pad = (edge, edge - (stride > 1), edge, edge - (stride > 1)) if edge else (0,) * 4
        weight = constant(builder, shape, x.type.dtype)
        return builder.conv2d(x, weight, bias, pad=pad, stride=(stride, stride), depthwise=depthwise)

    return build


def transposed(builder: Builder, x: Value) -> Value:
    """TRANSPOSE_CONV2D by 2."""
    weight = constant(builder, (32, 2, 2, x.type.static[3]), x.type.dtype)
    bias = constant(builder, (32,), FP32 if x.type.dtype is FP32 else I32)
    return builder.transpose_conv2d(x, weight, bias, out_pad=(0, 0, 0, 0), stride=(2, 2))


def product(builder: Builder, x: Value) -> Value:
    """MATMUL with a constant."""
    return builder.matmul(x, constant(builder, (1, x.type.static[2], 256), x.type.dtype))


def rescaled(builder: Builder, x: Value) -> Value:
    """RESCALE per channel to i8."""
    channels = x.type.static[-1]
    return builder.rescale(x, I8, [1 << 30] * channels, [37] * channels, output_zp=3)


def resized(builder: Builder, x: Value) -> Value:
    """RESIZE by 2."""
    return builder.resize(x, mode="BILINEAR", scale=(4, 2, 4, 2), offset=(-1, -1), border=(1, 1))


def gathered(builder: Builder, x: Value) -> Value:
    """GATHER of 1000 rows."""
    return builder.gather(x, builder.const(np.arange(1000).reshape(1, -1) * 7 % x.type.static[1], I32))


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
        yield Case("pooling", "MAX_POOL2D", dtype, IMAGE, lambda b, x: b.max_pool2d(x, **POOL))
        yield Case("pooling", "AVG_POOL2D", dtype, IMAGE, lambda b, x: b.avg_pool2d(x, **POOL))
        yield Case("layout", "TRANSPOSE", dtype, IMAGE, lambda b, x: b.transpose(x, (0, 3, 1, 2)))
        yield Case("layout", "PAD", dtype, IMAGE, lambda b, x: b.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)]))
        yield Case("layout", "CONCAT", dtype, IMAGE, lambda b, x: b.concat([x, x], 3))
        yield Case("layout", "SLICE", dtype, IMAGE, lambda b, x: b.slice(x, (0, 1, 1, 0), (1, 54, 54, 64)))
        yield Case("resize", "RESIZE", dtype, (1, 28, 28, 32), resized)
        yield Case("gather", "GATHER", dtype, (1, 2000, 64), gathered)
        yield Case("activation", "CLAMP", dtype, IMAGE, lambda b, x: b.clamp(x, 0, 6))
    yield Case("rescale", "RESCALE", I32, IMAGE, rescaled)
    yield Case("rescale", "TABLE", I8, IMAGE, lambda b, x: b.table(x, np.arange(-128, 128)[::-1]))
    for dtype in (FP32, I32):
        yield Case("elementwise", "ADD", dtype, IMAGE, lambda b, x: b.add(x, x))
        yield Case("elementwise", "MUL", dtype, IMAGE, lambda b, x: b.mul(x, b.scalar(3, x)))
        yield Case("reduction", "REDUCE_SUM", dtype, IMAGE, lambda b, x: b.reduce(ops.REDUCE_SUM, x, 1))
        yield Case(
            "reduction",
            "REDUCE_MAX",
            dtype,
            IMAGE,
            lambda b, x: b.emit(ops.REDUCE_MAX, x, axis=3, nan_mode="PROPAGATE"),
        )
    for row in (ops.EXP, ops.TANH, ops.SIGMOID, ops.RECIPROCAL, ops.RSQRT):
        yield Case("activation", row.name, FP32, IMAGE, lambda b, x, row=row: b.unary(row, x))


def measure(case: Case, runs: int) -> tuple[float, float]:
    """Seconds of ours and of the reference model."""
    import tosa_reference_model

    x = Value(TensorType(case.dtype, case.shape), "x")
    graph = Graph("main", [x])
    result = case.build(builder := Builder(graph), x)
    graph.outputs.append(result)
    graph.ops = place_constants([result], builder.graph.ops)
    inputs = random_inputs([x], {}, 0)
    content = b"".join(map(bytes, formats.encode(tc.Model({"main": graph}), ".tosa")))
    executable = Executable(graph, check=False)
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
