"""Make XNNGraphs of every node kind and programs as PyTorch users export them, with what XNNPACK computes.

A developer tool: it needs executorch==1.5.1, torch==2.13.0 and torchao==0.18.0, which nothing else here does. A case is
a graph (`NAME.xnn`, `NAME.pte`) with its inputs (`NAME.x0`, ...) and XNNPACK's outputs (`NAME.y0`, ...); the arrays of
a group of cases are in one .npz. `made_with.json` has the versions and the processor: XNNPACK's kernels differ by it.

    python models/make_xnnpack.py models/xnnpack [GROUP ...]
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import torch
from executorch.exir import schema
from executorch.exir._serialize._program import PTEFile, serialize_pte_binary
from executorch.runtime import Runtime

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode
from tosa_converter.formats.xnnpack.writer import write_xnnpack
from tosa_converter.ir import Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import avg_pool2d, conv2d, reduce, rescale, table
from tosa_converter.schemas import executorch, tosa_ops, xnn_ops

PACKAGES = ("executorch", "torch", "torchao")
SCALARS = {"float32": "FLOAT", "float16": "HALF", "int8": "CHAR", "uint8": "BYTE", "int32": "INT"}
WINDOW = {"kernel_height": 3, "kernel_width": 2, "dilation_height": 1, "dilation_width": 1}
STRIDE = {"subsampling_height": 2, "subsampling_width": 1, "padding_top": 1, "padding_left": 1}
POOL = {"pooling_height": 3, "pooling_width": 2, "stride_height": 2, "stride_width": 2, "padding_top": 1}
POOL |= {"padding_left": 1, "dilation_height": 1, "dilation_width": 1}
BOUNDS = {"output_min": -0.5, "output_max": 1.25}


class Kind(NamedTuple):
    """Elements of nodes."""

    name: str
    dtype: DType

    @property
    def quantized(self) -> bool:
        """Whether they stand for other numbers."""
        return not self.dtype.is_float


KINDS = (Kind("fp32", DType.FP32), Kind("fp16", DType.FP16), Kind("qint8", DType.I8), Kind("quint8", DType.UI8))


class Sketch:
    """A graph in the making, of elements of one kind."""

    def __init__(self, kind: Kind, seed: int) -> None:
        self.kind = kind
        self.rng = np.random.default_rng(seed)
        self.graph = Graph("main")
        self.arrays: list[Any] = []
        self.shared = self.quant()

    def quant(self) -> Quant | None:
        """A random scale and zero point, one in three times a power of two, where ties occur."""
        if not self.kind.quantized:
            return None
        scale = self.rng.uniform(0.01, 0.08) if self.rng.integers(3) else 2.0 ** -self.rng.integers(3, 7)
        origin = 128 * (self.kind.dtype is DType.UI8)
        return Quant((float(np.float32(scale)),), (int(self.rng.integers(-30, 30)) + origin,))

    def values(self, *shape: int) -> Any:
        """Random elements."""
        if not self.kind.quantized:
            return self.rng.standard_normal(shape).astype(self.kind.dtype.numpy)
        limits = np.iinfo(self.kind.dtype.numpy)
        return self.rng.integers(limits.min, limits.max + 1, shape).astype(self.kind.dtype.numpy)

    def input(self, values: Any, quant: Quant | None = None, dtype: DType | None = None) -> Value:
        """A graph input."""
        value = Value(TensorType(dtype or self.kind.dtype, values.shape, quant))
        self.graph.inputs.append(value)
        self.arrays.append(values)
        return value

    def constant(self, values: Any, dtype: DType, quant: Quant | None = None) -> Value:
        """A constant."""
        self.graph.ops.append(Op("xnn.const", (), [TensorType(dtype, values.shape, quant)], {"values": values}))
        return self.graph.ops[-1].result

    def node(self, name: str, operands: Sequence[Value | None], *types: TensorType, **attributes: Any) -> Value:
        """A node whose other attributes are 0; its first result."""
        fields = xnn_ops.BY_OPCODE[f"xnn.{name}"].table().fields()
        attributes_of_op = {key: value for key, value in fields.items() if not key.endswith("_id")}
        self.graph.ops.append(Op(f"xnn.{name}", operands, types, attributes_of_op | attributes))
        self.graph.outputs = list(self.graph.ops[-1].results)
        return self.graph.ops[-1].results[0]

    def type(self, *shape: int, quant: Quant | None = None) -> TensorType:
        """A type of the kind."""
        return TensorType(self.kind.dtype, shape, quant)

    def encoded(self) -> bytes:
        """The file."""
        return b"".join(map(bytes, write_xnnpack(Model({"main": self.graph}))))


Make = Callable[[Sketch], Any]


# ** nodes of one operand **

UNARY = "abs ceiling cos elu exp floor gelu hardswish leaky_relu log negate reciprocal_square_root sigmoid sin square"
UNARY += " square_root tanh"
POSITIVE = ("log", "reciprocal_square_root", "square_root")
ATTRIBUTES: dict[str, dict[str, Any]] = {"elu": {"alpha": 0.75}, "leaky_relu": {"negative_slope": 0.125}}
FIXED = {"sigmoid": (1 / 256, -128), "tanh": (1 / 128, 0)}  # what results of qint8 have


def unary(name: str) -> Make:
    """A function: of all elements of 8 bits."""

    def make(s: Sketch) -> None:
        if s.kind.quantized:
            x, to = np.arange(256, dtype=np.uint8).view(s.kind.dtype.numpy).reshape(16, 16), s.quant()
        else:
            x, to = 3 * s.values(3, 9), None
            x = np.abs(x) + np.asarray(0.01, x.dtype) if name in POSITIVE else x
        if s.kind.quantized and name in FIXED:
            scale, zero_point = FIXED[name]
            to = Quant((scale,), (zero_point + 128 * (s.kind.dtype is DType.UI8),))
        s.node(name, [s.input(x, s.shared)], s.type(*x.shape, quant=to), **ATTRIBUTES.get(name, {}))

    return make


def same(name: str, shape: Sequence[int], to_shape: Sequence[int], **attributes: Any) -> Make:
    """A node whose result has the operand's quantization."""

    def make(s: Sketch) -> None:
        s.node(name, [s.input(s.values(*shape), s.shared)], s.type(*to_shape, quant=s.shared), **attributes)

    return make


def global_average(shape: Sequence[int], **attributes: Any) -> Make:
    """GlobalAvgPooling2d."""

    def make(s: Sketch) -> None:
        x = s.input(s.values(2, 5, 6, 7), s.shared)
        s.node("global_avg_pooling_2d", [x], s.type(*shape, quant=s.quant()), **attributes)

    return make


def converted(to: DType) -> Make:
    """Convert to floats or to elements with a scale, of values on ties too."""

    def make(s: Sketch) -> None:
        quant = s.shared or (None if to.is_float else Sketch(Kind("", to), int(s.rng.integers(99))).quant())
        x = s.values(4, 64)
        if not s.kind.quantized:
            x = 3 * x
            if quant is not None:
                x[:2] = (quant.scale[0] * np.arange(-64, 64).reshape(2, 64) / 2).astype(x.dtype)
        result_quant = (s.quant() if s.kind.quantized else quant) if not to.is_float else None
        s.node("convert", [s.input(x, s.shared)], TensorType(to, x.shape, result_quant))

    return make


def converted_specials(to: DType) -> Make:
    """Convert to elements with a scale: NaN, infinities, and floats beyond every range."""

    def make(s: Sketch) -> None:
        x = np.array([np.nan, -np.nan, np.inf, -np.inf, 3e4, -3e4, -0.0, 1.5] * 9, s.kind.dtype.numpy)
        quant = Quant((0.0625,), (3 + 128 * (to is DType.UI8),))
        s.node("convert", [s.input(x.reshape(8, 9))], TensorType(to, (8, 9), quant))

    return make


# ** nodes of several **

BINARY = "add subtract multiply div maximum minimum"


def binary(name: str, left: Sequence[int], right: Sequence[int], *, constant: bool = False, **bounds: float) -> Make:
    """Arithmetic with broadcast."""

    def make(s: Sketch) -> None:
        a, b = s.values(*left), s.values(*right)
        x, quant = s.input(a, s.quant()), s.quant()
        y = s.constant(b, s.kind.dtype, quant) if constant else s.input(b, quant)
        s.node(name, [x, y], s.type(*np.broadcast_shapes(left, right), quant=s.quant()), **bounds)

    return make


def concatenated(count: int) -> Make:
    """Concatenate2 to 5."""

    def make(s: Sketch) -> None:
        parts = [s.input(s.values(2, size), s.shared) for size in range(1, count + 1)]
        s.node(f"concatenate_{count}", parts, s.type(2, count * (count + 1) // 2, quant=s.shared), axis=1)

    return make


def layer(
    name: str, x: Sequence[int], filter: Sequence[int], to_shape: Sequence[int], *, axis: int = 0, bias: bool = True,
    constant: bool = True, **attributes: Any,
) -> Make:  # fmt: skip
    """A convolution or fully connected layer; the weights of qint8 have a scale for each channel along `axis`."""

    def make(s: Sketch) -> None:
        operand, outputs = s.input(s.values(*x), s.shared), to_shape[-1]
        if s.shared is None:
            weights, quant = s.values(*filter), None
            add = s.constant(s.values(outputs), s.kind.dtype) if bias else None
        else:
            weights, quant = _weights(s, filter, axis)
            sums = tuple(float(np.float32(s.shared.scale[0]) * np.float32(scale)) for scale in quant.scale)
            added = Quant(sums, (0,) * len(sums), None if len(sums) == 1 else 0)
            numbers = s.rng.integers(-2000, 2000, outputs).astype(np.int32)
            add = s.constant(numbers, DType.I32, added) if bias else None
        weight = s.constant(weights, s.kind.dtype, quant) if constant else s.input(weights, quant)
        to = None if s.shared is None else Quant((float(np.float32(s.rng.uniform(0.05, 0.3))),), s.shared.zero_point)
        s.node(name, [operand, weight, add], s.type(*to_shape, quant=to), **attributes)

    return make


def _weights(s: Sketch, shape: Sequence[int], axis: int) -> tuple[Any, Quant]:
    if s.kind.dtype is DType.UI8:
        return s.values(*shape), Quant((float(np.float32(0.02)),), (121,))
    scales = s.rng.uniform(0.002, 0.02, shape[axis]).astype(np.float32)
    weights = s.rng.integers(-127, 128, shape).astype(np.int8)
    return weights, Quant(tuple(map(float, scales)), (0,) * len(scales), axis)


def products(left: Sequence[int], right: Sequence[int], to_shape: Sequence[int], **attributes: Any) -> Make:
    """BatchMatrixMultiply."""

    def make(s: Sketch) -> None:
        operands = [s.input(s.values(*left)), s.input(s.values(*right))]
        s.node("batch_matrix_multiply", operands, s.type(*to_shape), **attributes)

    return make


def attention(*, whole: bool) -> Make:
    """ScaledDotProductAttention, which ExecuTorch doesn't run, or the same of nodes that it does."""

    def make(s: Sketch) -> None:
        shapes = ((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 6), (4,), (3, 5))
        query, key, value, scale, mask = (s.input(s.values(*shape)) for shape in shapes)
        if whole:
            s.node("scaled_dot_product_attention", [query, key, value, scale, mask], s.type(1, 2, 3, 6))
            return
        scaled = s.node("multiply", [query, scale], s.type(1, 2, 3, 4))
        scores = s.node("batch_matrix_multiply", [scaled, key], s.type(1, 2, 3, 5), flags=1)
        shares = s.node("softmax", [s.node("add", [scores, mask], s.type(1, 2, 3, 5))], s.type(1, 2, 3, 5))
        s.node("batch_matrix_multiply", [shares, value], s.type(1, 2, 3, 6))

    return make


def largest(*, pad: int) -> Make:
    """ArgMaxPooling2d."""

    def make(s: Sketch) -> None:
        x = s.input(-np.abs(s.values(1, 6 - pad, 6, 3)))
        types = s.type(1, 2, 3, 3), TensorType(DType.I32, (1, 2, 3, 3))
        s.node("arg_max_pooling_2d", [x], *types, pooling_height=3, pooling_width=2, padding_top=pad)

    return make


def dynamic(name: str, x: Sequence[int], filter: Sequence[int], to_shape: Sequence[int], *, rows: int = 1,
            dtype: DType = DType.I8, block: int = 0, axis: int = 0, **attributes: Any) -> Make:  # fmt: skip
    """A layer whose input is quantized at run time, with weights of 8 or 4 bits."""

    def make(s: Sketch) -> None:
        operand = s.values(*x)
        quant = Quant((), (), rows=rows)
        levels = s.node("convert", [s.input(operand)], TensorType(DType.I8, operand.shape, quant))
        low, high = dtype.limits
        weights = s.rng.integers(low + 1, high + 1, filter).astype(np.int8)
        count = filter[axis] * (filter[-1] // block if block else 1)
        scales = s.rng.uniform(0.002, 0.02, count).astype(ml_dtypes.bfloat16 if block else np.float32)
        weight = s.constant(weights, dtype, Quant(tuple(map(float, scales)), (0,) * count, axis, block))
        numbers = s.rng.standard_normal(to_shape[-1]).astype(np.float32)
        bias = [] if name == "batch_matrix_multiply" else [s.constant(numbers, DType.FP32)]
        s.node(name, [levels, weight, *bias], s.type(*to_shape), **attributes)

    return make


def identity(s: Sketch) -> None:
    """Rows quantized at run time as they are, with rows of one sign, of zeros, and alike on both sides of 0."""
    x = s.values(32, 16) * np.exp(2 * s.values(32, 1))
    x[:8] = np.abs(x[:8])
    x[8:12] = -np.abs(x[8:12])
    x[12] = 0
    x[16:24] = np.clip(x[16:24], -np.abs(x[16:24, :1]), np.abs(x[16:24, :1]))
    x[16:24, 1] = -x[16:24, 0]
    levels = s.node("convert", [s.input(x)], TensorType(DType.I8, x.shape, Quant((), (), rows=1)))
    weight = s.constant(np.eye(16, dtype=np.int8), DType.I8, Quant((1.0,) * 16, (0,) * 16, 0))
    s.node("fully_connected", [levels, weight, None], s.type(32, 16))


# ** the cases **


def moved() -> Iterator[tuple[str, Make]]:
    """Nodes that any kind has."""
    yield "transpose", same("static_transpose", (2, 3, 4), (4, 2, 3), num_dims=3, perm=(2, 0, 1))
    yield "reshape", same("static_reshape", (2, 3, 4), (6, 4), num_dims=2, new_shape=(0, 4))
    yield "slice", same("static_slice", (2, 3, 4), (2, 2, 3), num_dims=3, offsets=(0, 1, 1), sizes=(0, 2, 3))
    pads = {"pre_paddings": (1, 0), "post_paddings": (0, 3), "padding_value": 0.375}
    yield "pad", same("static_constant_pad", (2, 3), (3, 6), **pads)
    yield "copy", same("copy", (3, 7), (3, 7))
    yield "clamp", same("clamp", (3, 50), (3, 50), **BOUNDS)
    for count in range(2, 6):
        yield f"concatenate_{count}", concatenated(count)
    yield "max_pool", same("max_pooling_2d", (1, 8, 7, 3), (1, 4, 4, 3), **POOL, **BOUNDS)
    apart = POOL | {"dilation_height": 2, "dilation_width": 3}
    yield "max_pool_dilated", same("max_pooling_2d", (1, 9, 8, 3), (1, 3, 3, 3), **apart)
    for flags in (0, 4, 8):
        for size in ((7, 9), (10, 8), (3, 2)):
            sizes = {"new_height": size[0], "new_width": size[1], "flags": flags}
            yield f"resize_{size[0]}_{flags}", same("static_resize_bilinear_2d", (1, 5, 4, 3), (1, *size, 3), **sizes)
    yield "global_average", global_average((2, 1, 1, 7), flags=64)
    yield "global_average_flat", global_average((2, 7))


def computed() -> Iterator[tuple[str, Make]]:
    """Functions, arithmetic and layers that any kind has."""
    for name in UNARY.split():
        yield name, unary(name)
    for name in BINARY.split():
        bounds = {} if name in ("maximum", "minimum") else BOUNDS
        yield name, binary(name, (4, 24), (4, 24), **bounds)
        yield f"{name}_broadcast", binary(name, (3, 1), (2, 3, 8))
        yield f"{name}_constant", binary(name, (4, 24), (24,), constant=True)
    yield "prelu", binary("prelu", (4, 24), (24,), constant=True)
    sizes = {**WINDOW, **STRIDE, "groups": 1, "group_input_channels": 4, "group_output_channels": 6}
    groups = sizes | {"groups": 2, "group_input_channels": 2, "group_output_channels": 3}
    yield "conv", layer("conv_2d", (1, 8, 7, 4), (6, 3, 2, 4), (1, 4, 7, 6), **sizes, **BOUNDS)
    yield "conv_grouped", layer("conv_2d", (1, 8, 7, 4), (6, 3, 2, 2), (1, 4, 7, 6), bias=False, **groups)
    apart = sizes | {"dilation_height": 2, "dilation_width": 3}
    yield "conv_dilated", layer("conv_2d", (1, 9, 8, 4), (6, 3, 2, 4), (1, 3, 6, 6), **apart)
    as_tensorflow = sizes | {"padding_top": 0, "padding_left": 0, "flags": 4}
    yield "conv_same", layer("conv_2d", (1, 8, 7, 4), (6, 3, 2, 4), (1, 4, 7, 6), **as_tensorflow)
    groups = sizes | {"groups": 4, "group_input_channels": 1, "group_output_channels": 2}
    yield "conv_by_channel", layer("conv_2d", (1, 8, 7, 4), (8, 3, 2, 1), (1, 4, 7, 8), **groups)
    once = groups | {"group_output_channels": 1}
    yield "depthwise", layer("depthwise_conv_2d", (1, 8, 7, 4), (1, 3, 2, 4), (1, 4, 7, 4), axis=3, **once)
    yield "fully_connected", layer("fully_connected", (4, 24), (6, 24), (4, 6), **BOUNDS)


def transposed() -> Iterator[tuple[str, Make]]:
    """Transposed convolutions, which XNNPACK doesn't have in fp16."""
    sizes = {**WINDOW, "subsampling_height": 2, "subsampling_width": 3, "groups": 1, "group_input_channels": 4}
    sizes |= {"group_output_channels": 6}
    groups = sizes | {"groups": 2, "group_input_channels": 2, "group_output_channels": 3, "adjustment_height": 1}
    pads = {"padding_top": 1, "padding_bottom": 1, "padding_left": 1}
    yield "transposed", layer("conv_transpose_2d", (1, 5, 4, 4), (6, 3, 2, 4), (1, 9, 10, 6), **sizes, **pads)
    yield "transposed_grouped", layer("conv_transpose_2d", (1, 5, 4, 4), (6, 3, 2, 2), (1, 12, 11, 6), **groups)
    apart = sizes | {"dilation_height": 2, "dilation_width": 2}
    yield "transposed_dilated", layer("conv_transpose_2d", (1, 5, 4, 4), (6, 3, 2, 4), (1, 13, 12, 6), **apart)
    cut = sizes | {"padding_top": 3, "padding_right": 2}
    yield "transposed_cut", layer("conv_transpose_2d", (1, 5, 4, 4), (6, 3, 2, 4), (1, 8, 9, 6), **cut)


def floating() -> Iterator[tuple[str, Make]]:
    """What floats alone have."""
    yield "softmax", same("softmax", (3, 9), (3, 9))
    yield "average_pool", same("avg_pooling_2d", (1, 8, 7, 3), (1, 4, 4, 3), **POOL)
    more = {**WINDOW, **STRIDE, "groups": 4, "group_input_channels": 1, "group_output_channels": 2}
    yield "depthwise_more", layer("depthwise_conv_2d", (1, 8, 7, 4), (1, 3, 2, 8), (1, 4, 7, 8), **more)
    yield "fully_connected_turned", layer("fully_connected", (2, 3, 8), (8, 5), (2, 3, 5), bias=False, flags=1)
    yield "fully_connected_run_time", layer("fully_connected", (4, 24), (6, 24), (4, 6), bias=False, constant=False)
    yield "matrices", products((2, 3, 4), (2, 4, 5), (2, 3, 5))
    yield "matrices_turned", products((2, 3, 4), (2, 5, 4), (2, 3, 5), flags=1)
    yield "attention_of_parts", attention(whole=False)


def at_run_time() -> Iterator[tuple[str, Make]]:
    """Layers whose input is quantized at run time."""
    yield "linear", dynamic("fully_connected", (5, 40), (24, 40), (5, 24))
    yield "linear_3d", dynamic("fully_connected", (2, 3, 40), (24, 40), (2, 3, 24), **BOUNDS)
    yield "linear_4_bits", dynamic("fully_connected", (5, 64), (24, 64), (5, 24), dtype=DType.I4)
    yield "linear_blocks", dynamic("fully_connected", (5, 128), (24, 128), (5, 24), dtype=DType.I4, block=32)
    yield "rows", identity


def images_at_run_time() -> Iterator[tuple[str, Make]]:
    """Convolutions and products whose input is quantized at run time."""
    sizes = {**WINDOW, **STRIDE, "groups": 1, "group_input_channels": 4, "group_output_channels": 6}
    yield "conv_dynamic", dynamic("conv_2d", (2, 6, 5, 4), (6, 3, 2, 4), (2, 3, 5, 6), rows=3, **sizes)
    wide = sizes | {"subsampling_width": 3}
    shapes = (2, 5, 4, 4), (6, 3, 2, 4), (2, 10, 10, 6)
    yield "transposed_dynamic", dynamic("conv_transpose_2d", *shapes, rows=3, **wide)
    yield "matrices_dynamic", dynamic("batch_matrix_multiply", (1, 5, 8), (1, 8, 6), (1, 5, 6), axis=2)


def nodes(kind: Kind) -> Iterator[tuple[str, Make]]:
    """The cases of one kind."""
    yield from moved()
    yield from computed()
    yield from () if kind.dtype is DType.FP16 else transposed()
    yield "to_fp32", converted(DType.FP32)
    yield (
        "to_qint8" if kind.dtype is not DType.UI8 else "to_quint8",
        converted(DType.I8 if kind.dtype is not DType.UI8 else DType.UI8),
    )
    if not kind.quantized:
        yield from floating()
        yield "to_fp16", converted(DType.FP16)
        yield "to_quint8", converted(DType.UI8)
        yield from at_run_time()
    if kind.dtype is DType.FP32:
        yield from images_at_run_time()
        yield "largest", largest(pad=0)
        yield "largest_padded", largest(pad=1)
    if not kind.quantized:
        yield "specials_to_qint8", converted_specials(DType.I8)
        yield "specials_to_quint8", converted_specials(DType.UI8)


# ** ExecuTorch **


def program(blob: bytes, inputs: Sequence[Any], outputs: Sequence[TensorType]) -> bytes:
    """A program that calls one delegate."""
    types = [(x.dtype.name, x.shape) for x in inputs]
    types += [(type.dtype.numpy.name, type.static) for type in outputs]
    values, place = [], 0
    for name, shape in types:
        memory = schema.AllocationDetails(memory_id=1, memory_offset_low=place, memory_offset_high=0)
        values.append(schema.EValue(tensor(schema.ScalarType[SCALARS[name]], shape, memory)))
        place += (int(np.prod(shape)) * 4 + 127) // 64 * 64
    ids = list(range(len(values)))
    call = schema.Instruction(schema.DelegateCall(delegate_index=0, args=ids))
    where = schema.BackendDelegateDataReference(location=schema.DataLocation.INLINE, index=0)
    plan = schema.ExecutionPlan(
        name="forward",
        container_meta_type=schema.ContainerMetadata("", ""),
        values=values,
        inputs=ids[: len(inputs)],
        outputs=ids[len(inputs) :],
        chains=[schema.Chain(inputs=[], outputs=[], instructions=[call], stacktrace=None)],
        operators=[],
        delegates=[schema.BackendDelegate(id=executorch.XNNPACK, processed=where, compile_specs=[])],
        non_const_buffer_sizes=[0, max(place, 64)],
    )
    root = schema.Program(
        version=0,
        execution_plan=[plan],
        constant_buffer=[schema.Buffer(storage=b"")],
        backend_delegate_data=[schema.BackendDelegateInlineData(data=blob)],
        segments=[],
        constant_segment=schema.SubsegmentOffsets(segment_index=0, offsets=[]),
    )
    return bytes(serialize_pte_binary(PTEFile(program=root)))


def tensor(scalar: schema.ScalarType, shape: Sequence[int], memory: schema.AllocationDetails) -> schema.Tensor:
    """A tensor of known shape."""
    return schema.Tensor(
        scalar_type=scalar,
        storage_offset=0,
        sizes=list(shape),
        dim_order=list(range(len(shape))),
        requires_grad=False,
        layout=0,
        data_buffer_idx=0,
        allocation_info=memory,
        shape_dynamism=schema.TensorShapeDynamism.STATIC,
    )


def run(data: bytes, inputs: Sequence[Any]) -> list[Any]:
    """What ExecuTorch computes."""
    loaded = Runtime.get().load_program(data)
    method = loaded.load_method("forward")
    tensors = [torch.from_numpy(np.ascontiguousarray(x)) for x in inputs]
    outputs = [y.numpy().copy() for y in method.execute(tensors)]
    del method, loaded
    return outputs


def group(kind: Kind) -> dict[str, Any]:
    """The cases of one kind with their results."""
    arrays: dict[str, Any] = {}
    for seed, (name, make) in enumerate(nodes(kind)):
        s = Sketch(kind, seed)
        make(s)
        blob = s.encoded()
        types = [value.type for value in s.graph.outputs]
        try:
            outputs = run(program(as_executorchs(blob), s.arrays, types), s.arrays)
        except RuntimeError as error:
            raise RuntimeError(f"{kind.name} {name}") from error
        arrays |= case(f"{name}.xnn", blob, s.arrays, outputs)
    return arrays


def as_executorchs(blob: bytes) -> bytes:
    """A graph of PyTorch's schema under ExecuTorch's identifier, behind 16 bytes: nothing else differs in floats."""
    if blob[4:8] == b"XH00":
        return blob
    return (16 + int.from_bytes(blob[:4], "little")).to_bytes(4, "little") + b"XN00" + bytes(8) + blob


def case(file: str, data: bytes, inputs: Sequence[Any], outputs: Sequence[Any]) -> dict[str, Any]:
    """The arrays of one case."""
    name = file.partition(".")[0]
    arrays = {file: np.frombuffer(data, np.uint8)}
    arrays |= {f"{name}.x{i}": x for i, x in enumerate(inputs)}
    return arrays | {f"{name}.y{i}": y for i, y in enumerate(outputs)}


# ** written from TOSA **

WRITTEN = ("digits_float32", "digits_int8", "small/detector.int8")


def pieces() -> Model:
    """A TOSA graph of bytes that takes what the writer adds: other scales and zero points, steps, and pools of ones."""
    rng, image = np.random.default_rng(7), Value(TensorType(DType.I8, (1, 6, 6, 4)), "x")
    with Builder(Graph("main", [image])) as builder:
        x = Expr(image)
        weight, bias = const(rng.integers(-127, 128, (4, 3, 3, 4)), DType.I8), const([700], DType.I32)
        sums = conv2d(x, weight, bias, pad=(1, 1, 1, 1), input_zp=-9)
        factors = rng.uniform(0.001, 0.01, (1, 1, 1, 4)).astype(np.float32)
        steps = (sums.cast(DType.FP32) * factors).cast(DType.I32)
        y = rescale(steps, DType.I8, [1 << 30], [30], output_zp=5)
        a, b = (rescale(v, DType.I32, [m << 9], [9], input_zp=zp) for v, m, zp in ((x, 1500000, -9), (y, 900001, 5)))
        total = rescale(a + b, DType.I8, [1 << 30], [51], output_zp=-3)
        stepped = table(total, rng.permutation(np.arange(-128, 128)).astype(np.int8))
        mean = avg_pool2d(y, kernel=(2, 2), stride=(2, 2), pad=(0, 0, 0, 0))
        return builder.model(total=total, stepped=stepped, mean=mean, largest=reduce(tosa_ops.REDUCE_MAX, total, 3))


def written() -> dict[str, Any]:
    """Graphs that the writer makes of TOSA."""
    folder, cases = Path(__file__).parent, {}
    sources = {Path(name).name: tc.convert(folder / f"{name}.tflite", numerics="xnnpack") for name in WRITTEN}
    for group, name in (("networks", "mlp_dynamic.pte"), ("fp32", "linear_blocks.xnn"), ("qint8", "div.xnn")):
        with np.load(folder / f"xnnpack/{group}.npz") as arrays:
            sources[Path(name).stem] = tc.convert(tc.load(arrays[name].tobytes()))
    for name, model in (sources | {"pieces": pieces()}).items():
        graph = tc.to_xnn(model)
        blob = b"".join(map(bytes, write_xnnpack(graph)))
        inputs = list(tc.random_inputs(model, seed=1).values())
        outputs = run(program(as_executorchs(blob), inputs, [v.type for v in graph.main.outputs]), inputs)
        name = name.replace(".", "_")
        cases |= case(f"{name}.xnn", blob, inputs, outputs)
        cases[f"{name}.tosa"] = np.frombuffer(b"".join(map(bytes, encode(model, ".tosa"))), np.uint8)
    return cases


def main(folder: str, *names: str) -> None:
    """Write the groups, all by default."""
    groups: dict[str, Callable[[], dict[str, Any]]] = {kind.name: lambda kind=kind: group(kind) for kind in KINDS}
    from make_xnnpack_kernels import further_kernels, kernels
    from make_xnnpack_networks import INT8_NETWORKS, NETWORKS, programs

    groups |= {"networks": lambda: programs(NETWORKS), "networks_int8": lambda: programs(INT8_NETWORKS)}
    groups |= {"kernels": kernels, "further_kernels": further_kernels, "written": written}
    for name in names or groups:
        np.savez_compressed(Path(folder) / f"{name}.npz", **groups[name]())
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next(line.partition(": ")[2].strip() for line in lines if line.startswith("model name"))
    flags = next(line.split() for line in lines if line.startswith("flags"))
    vectors = sorted(flag for flag in flags if flag.startswith(("avx", "amx")))
    record = {**{package: version(package) for package in PACKAGES}, "cpu": cpu, "vectors": vectors}
    (Path(folder) / "made_with.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # ExecuTorch's threads would be waited for
