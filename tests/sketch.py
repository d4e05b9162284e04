"""Graphs built operator by operator, with constants at hand; small quantized convolutions among them."""

import numpy as np

from tosa_converter.builder import Builder
from tosa_converter.ir import DType, Graph, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops


class Sketch:
    """A graph under construction, with its constants placed as they are made."""

    def __init__(self, **inputs: tuple[DType, tuple[int, ...]]) -> None:
        self.graph = Graph("main", [Value(TensorType(*type), name) for name, type in inputs.items()])
        self.builder = Builder(self.graph)
        self.rng = np.random.default_rng(3)

    def const(self, values: object, dtype: DType) -> Value:
        value = self.builder.const(values, dtype)
        assert value.producer is not None
        if value.producer not in self.graph.ops:
            self.graph.ops.append(value.producer)
        return value

    def conv(self, x: Value, channels: int, kernel: int, stride: int, *, depthwise: bool = False) -> Value:
        """A convolution of i8, back to i8."""
        depth = x.type.static[3]
        pad = (kernel // 2, (kernel - 1) // 2 if stride == 1 else kernel // 2 - 1) * 2
        shape = (kernel, kernel, depth, 1) if depthwise else (channels, kernel, kernel, depth)
        operands = [
            x,
            self.const(self.rng.integers(-127, 128, shape), DType.I8),
            self.const(self.rng.integers(-5000, 5000, channels), DType.I32),
            self.const([3], DType.I8),
            self.const([0], DType.I8),
        ]
        row = ops.DEPTHWISE_CONV2D if depthwise else ops.CONV2D
        sizes = {"pad": pad, "stride": (stride, stride), "dilation": (1, 1)}
        made = self.builder.emit(row, *operands, **sizes, acc_type="INT32", local_bound=False)
        return self.rescale(made, DType.I8, 42, channels)

    def rescale(self, x: Value, dtype: DType, shift: int, channels: int = 1) -> Value:
        multiplier = self.const(self.rng.integers(1 << 30, 1 << 31, channels), DType.I32)
        shifts = self.const(np.full(channels, shift), DType.I8)
        zeros = self.const([0], x.type.dtype), self.const([-4 if dtype is DType.I8 else 0], dtype)
        flags = {"scale32": True, "input_unsigned": False, "output_unsigned": False}
        return self.builder.emit(
            ops.RESCALE,
            x,
            multiplier,
            shifts,
            *zeros,
            dtype=dtype,
            **flags,
            rounding_mode="DOUBLE_ROUND",
            per_channel=channels > 1,
        )

    def done(self, *outputs: Value) -> Graph:
        for i, value in enumerate(outputs):
            value.name = value.name or f"out{i}"
        self.graph.outputs = list(outputs)
        return self.graph
