"""Rules of layers that quantize their input as they run: Convert and a layer.

A pattern guesses the layer, which is taken if the conversion makes the same operators of it.
"""

import math
from typing import NamedTuple

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, TensorType, Value
from tosa_converter.legalize.invert.xnnpack.alike import bare
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.confirmation import XNNPACK
from tosa_converter.legalize.invert.xnnpack.groups import joined_groups
from tosa_converter.legalize.invert.xnnpack.windows import convolution
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

CORES = frozenset({ops.CONV2D, ops.MATMUL, ops.TRANSPOSE_CONV2D})
# What levels come through: they are rounded and moved, and for images that grow made floats again.
ROUNDED = frozenset({ops.ADD, ops.CAST, ops.RESCALE, ops.RESHAPE, ops.SUB, ops.TRANSPOSE})
# What the sums come through: the share of the levels' zero point is taken off.
SUMMED = frozenset({ops.CAST, ops.RESHAPE, ops.SUB})
SMALLEST = float(np.finfo(np.float32).smallest_normal)  # scale that XNNPACK takes
LEAST_BLOCK = 32  # whose multiples are the sizes of XNNPACK's groups of weights


class Layer(NamedTuple):
    """A layer on rows of x that are quantized at run time."""

    core: Op  # of integers
    x: Value
    shape: tuple[int, ...]  # of what is quantized
    rows: int  # dimensions that share a scale
    weight: Array
    scale: Array
    block: int = 0

    def append(self, b: XnnBuilder) -> Value:
        """Appends Convert, unless the graph has it, and the layer; returns its result."""
        x, quant = self.x, Quant((), (), rows=self.rows)
        if x.type.shape != self.shape:
            rank, type = len(self.shape), TensorType(x.type.dtype, self.shape)
            (x,) = b.shared("static_reshape", x, [type], num_dims=rank, new_shape=self.shape)
        (levels,) = b.shared("convert", x, [TensorType(DType.I8, self.shape, quant)])
        axis = 2 if self.core.row is ops.MATMUL and not self.block else 0
        dtype = DType.I4 if self.fits_4_bits else DType.I8
        quant = Quant(tuple(map(float, self.scale)), (0,) * self.scale.size, axis, self.block)
        weight = b.with_quant(self.weight, TensorType(dtype, self.weight.shape, quant))
        if axis:
            return b.op("batch_matrix_multiply", [levels, weight], self.core.result.type.static, DType.FP32)
        if self.rows == 1:
            shape = (*self.shape[:-1], len(self.weight))
            return b.op("fully_connected", [levels, weight, None], shape, DType.FP32)
        y = convolution(b, self.core, levels, weight, None)
        y.type = TensorType(DType.FP32, y.type.shape)
        return y

    @property
    def fits_4_bits(self) -> bool:
        """Whether FullyConnected takes the weights as pairs in a byte."""
        low, high = DType.I4.limits
        small = self.weight.min(initial=0) >= low and self.weight.max(initial=0) <= high
        return self.weight.ndim == 2 and self.weight.shape[1] % 2 == 0 and bool(small)


@rule(pattern(ops.MUL, pattern(ops.MUL, "sums", "row_scale"), "scale"), "fp32", of=("sums",))
def dynamic_layer(m: Match) -> Value:
    """MUL(MUL(sums, row_scale), scale) -> Convert and a layer whose channels have scales."""
    scale = m.constant("scale").reshape(-1)
    core, x, count = _integer_layer(m)
    weight = core.operands[1].constant
    m.require(weight is not None and _are_bytes(weight), "its weights are not whole numbers of 8 bits")
    m.require(_are_scales(scale), "XNNPACK has no such scale of weights: {scale}")
    weight, shape = np.asarray(weight).astype(np.int8), core.operands[0].type.static
    depth = shape[-1]
    if core.row is ops.MATMUL:
        return _written(m, Layer(core, x, shape, 1, weight, scale))
    if core.row is ops.CONV2D and math.prod(weight.shape[1:]) == depth and count * depth == x.type.elements:
        return _written(m, Layer(core, x, _rows(x, depth), 1, weight.reshape(-1, depth), scale))
    if core.row is ops.CONV2D and not any(core.attributes["pad"]):
        x, pad = _unpadded(x)
        core = Op(core.name, core.inputs, [core.result.type], core.attributes | {"pad": pad})
        shape = (shape[0], shape[1] - pad[0] - pad[1], shape[2] - pad[2] - pad[3], shape[3])
    return _written(m, Layer(core, x, shape, 3, weight, scale))


@rule(pattern(ops.MUL, pattern(ops.REDUCE_SUM, pattern(ops.MUL, "sums", "scale")), "row_scale"), "fp32", of=("sums",))
def dynamic_layer_of_blocks(m: Match) -> Value:
    """MUL(REDUCE_SUM(MUL(sums, scale)), row_scale) -> Convert and FullyConnected whose blocks have scales."""
    scale = m.constant("scale")
    core, x, _ = _integer_layer(m)
    weight = core.operands[1].constant
    m.require(core.row is ops.MATMUL and weight is not None and weight.dtype == np.int8, "no MATMUL of bytes is summed")
    groups, block, outputs = np.asarray(weight).shape
    m.require(block % LEAST_BLOCK == 0, f"expected blocks of a multiple of {LEAST_BLOCK} weights, found {block}")
    m.require(_are_scales(scale) and scale.shape == (groups, 1, outputs), "its blocks have other scales")
    m.require((scale == scale.astype(ml_dtypes.bfloat16).astype(np.float32)).all(), "its scales are not of bf16")
    rows = np.asarray(weight).transpose(2, 0, 1).reshape(outputs, groups * block)
    layer = Layer(core, x, _rows(x, groups * block), 1, rows, scale[:, 0].T.reshape(-1), block)
    m.require(layer.fits_4_bits, "its weights don't fit 4 bits")
    return _written(m, layer)


def _written(m: Match, layer: Layer) -> Value:
    """Appends the nodes of a layer; one scale becomes one for each channel once the nodes are confirmed."""
    b, shape = xnn_builder(), m.op.result.type.static
    y = XNNPACK.first_confirmed(m, [b.reshape(layer.append(b), shape)], [layer.x], "Convert and a layer")
    if layer.scale.size > 1:
        return y
    return b.reshape(layer._replace(scale=np.repeat(layer.scale, shape[-1])).append(b), shape)


def _integer_layer(m: Match) -> tuple[Op, Value, int]:
    """Returns the layer on integers, what its operand is quantized from, and how many scales that has.

    Raises:
        Decline: the sums aren't those of such a layer.
    """
    core: Op | None = m.producer("sums")
    while core is not None and core.row in SUMMED:
        core = core.operands[0].producer
    if core is not None and core.row is ops.CONCAT:
        core = joined_groups(core)
    if core is None or core.row not in CORES:
        raise Decline("no layer computes the sums")
    product = core.operands[0].producer
    while product is not None and product.row in ROUNDED:
        product = product.operands[0].producer
    if product is None or product.row is not ops.MUL:
        raise Decline("the layer's operand is not quantized at run time")
    return core, bare(product.operands[0]), product.operands[1].type.elements


def _unpadded(x: Value) -> tuple[Value, tuple[int, ...]]:
    """The image in a padded one, and its padding: XNNPACK's range counts the zeros around it too."""
    op = x.producer
    pads, fill = (None, None) if op is None or op.row is not ops.PAD else (y.constant for y in op.operands[1:])
    if op is None or pads is None or fill is None or fill.any() or x.type.rank != 4:
        return x, (0, 0, 0, 0)
    outer = pads.reshape(-1).tolist()
    return (x, (0, 0, 0, 0)) if any(outer[:2] + outer[6:]) else (bare(op.operands[0]), tuple(outer[2:6]))


def _are_bytes(weight: Array) -> bool:
    low, high = DType.I8.limits
    return bool(((weight >= low) & (weight <= high) & (np.floor(weight) == weight)).all())


def _are_scales(scale: Array) -> bool:
    return bool((np.isfinite(scale) & (scale >= SMALLEST)).all())


def _rows(x: Value, depth: int) -> tuple[int, ...]:
    return x.type.static if x.type.rank and x.type.static[-1] == depth else (x.type.elements // depth, depth)


DYNAMIC = (dynamic_layer, dynamic_layer_of_blocks)
