"""Builds graphs operator by operator, with constants and small quantized convolutions."""

import numpy as np

from support.expressions import apply
from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.ir.edit import place_constants
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.operators import conv2d


class Sketch:
    """A graph under construction."""

    def __init__(self, **inputs: tuple[DType, tuple[int, ...]]) -> None:
        self.graph = Graph("main", [Value(TensorType(*type), name) for name, type in inputs.items()])
        self.builder = Builder(self.graph)
        self.const = self.builder.const
        self.rng = np.random.default_rng(3)

    def conv(self, x: Value, channels: int, kernel: int, stride: int, *, depthwise: bool = False) -> Value:
        """Adds a convolution of i8 and its RESCALE to i8."""
        depth = x.type.static[3]
        pad = (kernel // 2, (kernel - 1) // 2 if stride == 1 else kernel // 2 - 1) * 2
        shape = (kernel, kernel, depth, 1) if depthwise else (channels, kernel, kernel, depth)
        weight = self.const(self.rng.integers(-127, 128, shape), DType.I8)
        bias = self.const(self.rng.integers(-5000, 5000, channels), DType.I32)
        sums = apply(
            self.builder, conv2d, x, weight, bias, pad=pad, stride=(stride, stride), input_zp=3, depthwise=depthwise
        )
        return self.rescale(sums, DType.I8, 42, channels)

    def rescale(self, x: Value, dtype: DType, shift: int, channels: int = 1) -> Value:
        return apply(
            self.builder,
            operators.rescale,
            x,
            dtype,
            self.rng.integers(1 << 30, 1 << 31, channels),
            [shift] * channels,
            output_zp=-4 if dtype is DType.I8 else 0,
            rounding_mode="DOUBLE_ROUND",
        )

    def done(self, *outputs: Value) -> Graph:
        for i, value in enumerate(outputs):
            value.name = value.name or f"out{i}"
        self.graph.outputs = list(outputs)
        self.graph.ops = place_constants(outputs, self.graph.ops)
        return self.graph
