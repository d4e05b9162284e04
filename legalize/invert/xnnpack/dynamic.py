"""Layers whose input is quantized at run time: Convert and a layer, which are proposed, lowered and compared.

They are no inverse rules of the table: a layer is two nodes, and its weights are computed from the integers.
"""

import math
from typing import NamedTuple

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, TensorType, Value
from tosa_converter.legalize.invert.equal_elements import skip_reshapes
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.guesses import XNNPACK_LOWERING
from tosa_converter.legalize.invert.xnnpack.windows import convolution, merge_group_convolutions
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

CORES = frozenset({ops.CONV2D, ops.MATMUL, ops.TRANSPOSE_CONV2D})
# Between the product with a scale and the layer, levels are rounded and moved; for images that grow they become floats.
ROUNDING = frozenset({ops.ADD, ops.CAST, ops.RESCALE, ops.RESHAPE, ops.SUB, ops.TRANSPOSE})
# Behind the layer, the share of the levels' zero point is subtracted from the sums.
SUMMING = frozenset({ops.CAST, ops.RESHAPE, ops.SUB})
SMALLEST_SCALE = float(np.finfo(np.float32).smallest_normal)
BLOCK_UNIT = 32  # XNNPACK's blocks of weights have a multiple of it


class DynamicLayer(NamedTuple):
    """A layer whose float input x XNNPACK quantizes at run time; x's last `dimensions` dimensions share a scale."""

    core: Op  # of integers
    x: Value
    shape: tuple[int, ...]  # of x as it is quantized
    dimensions: int  # that share a scale
    weight: Array
    scale: Array  # one, one for each channel, or one for each block
    block: int = 0

    def append(self, b: XnnBuilder) -> Value:
        """Appends the layer whose input is quantized at run time, in XNNPACK: a Convert to int8 and the product.

        An equal Convert that the graph has is shared. The product is BatchMatrixMultiply for MATMUL, FullyConnected for
        rows (`dimensions` 1) or blocks of weights, else a convolution. Returns the layer's result.
        """
        x = self.x
        if x.type.shape != self.shape:
            type = TensorType(x.type.dtype, self.shape)
            (x,) = b.find_or_append("static_reshape", x, [type], num_dims=len(self.shape), new_shape=self.shape)
        quant = Quant((), (), rows=self.dimensions)
        (levels,) = b.find_or_append("convert", x, [TensorType(DType.I8, self.shape, quant)])
        axis = 2 if self.core.row is ops.MATMUL and not self.block else 0
        dtype = DType.I4 if self.fits_4_bits else DType.I8
        quant = Quant(tuple(map(float, self.scale)), (0,) * self.scale.size, axis, self.block)
        weight = b.with_quant(self.weight, TensorType(dtype, self.weight.shape, quant))
        if axis:
            return b.op("batch_matrix_multiply", [levels, weight], self.core.result.type.static, DType.FP32)
        if self.dimensions == 1:
            shape = (*self.shape[:-1], len(self.weight))
            return b.op("fully_connected", [levels, weight, None], shape, DType.FP32)
        y = convolution(b, self.core, levels, weight, None)
        y.type = TensorType(DType.FP32, y.type.shape)
        return y

    @property
    def fits_4_bits(self) -> bool:
        """Whether FullyConnected can take the weights as 4-bit pairs: small values and an even number of inputs."""
        low, high = DType.I4.limits
        is_small = self.weight.min(initial=0) >= low and self.weight.max(initial=0) <= high
        return self.weight.ndim == 2 and self.weight.shape[1] % 2 == 0 and bool(is_small)


@rule(pattern(ops.MUL, pattern(ops.MUL, "sums", "row_scale"), "scale"), "fp32", of=("sums",))
def dynamic_layer(m: Match) -> Value:
    """MUL(MUL(sums, row_scale), scale) of TOSA -> XNNPACK's Convert and a layer whose channels have scales.

    It rewrites an integer layer on floats that are quantized at run time as XNNPACK's: Convert quantizes rows (or
    images), and FullyConnected or a convolution has a scale for each output channel. A CONV2D whose kernel reads a
    whole row is FullyConnected.
    """
    scale = m.constant("scale").reshape(-1)
    core, x, row_count = _integer_layer(m)
    weight = _weights_as_int8(core)
    m.require(weight is not None, "expected constant weights that are integers of 8 bits")
    m.require(_are_scales(scale), f"expected normal positive floats as scales of weights, found {scale.min():.3g}")
    weight, shape = np.asarray(weight), core.operands[0].type.static
    depth = shape[-1]
    if core.row is ops.MATMUL:
        return _append_confirmed(m, DynamicLayer(core, x, shape, dimensions=1, weight=weight, scale=scale))
    # A kernel that reads one whole row, of an input with a scale for each row.
    if core.row is ops.CONV2D and math.prod(weight.shape[1:]) == depth and row_count * depth == x.type.elements:
        return _append_confirmed(
            m, DynamicLayer(core, x, _row_shape(x, depth), dimensions=1, weight=weight.reshape(-1, depth), scale=scale)
        )
    # TOSA pads before it quantizes; XNNPACK's convolution pads itself, so Convert gets the image without padding.
    if core.row is ops.CONV2D and not any(core.attributes["pad"]):
        x, pad = unpadded_image(x)
        core = Op(core.name, core.inputs, [core.result.type], core.attributes | {"pad": pad})
        shape = (shape[0], shape[1] - pad[0] - pad[1], shape[2] - pad[2] - pad[3], shape[3])
    return _append_confirmed(m, DynamicLayer(core, x, shape, dimensions=3, weight=weight, scale=scale))


@rule(pattern(ops.MUL, pattern(ops.REDUCE_SUM, pattern(ops.MUL, "sums", "scale")), "row_scale"), "fp32", of=("sums",))
def dynamic_layer_of_blocks(m: Match) -> Value:
    """MUL(REDUCE_SUM(MUL(sums, scale)), row_scale) -> XNNPACK's Convert and FullyConnected with scales of blocks.

    A row of 4-bit weights is a sequence of blocks, each with a scale of its own. In TOSA a batch of MATMUL computes the
    sums of one block.
    """
    scale = m.constant("scale")
    core, x, _ = _integer_layer(m)
    weight = core.operands[1].constant
    is_bytes = core.row is ops.MATMUL and weight is not None and weight.dtype == np.int8
    m.require(is_bytes, "expected sums of MATMUL by constant weights of 8 bits")
    blocks, block, outputs = np.asarray(weight).shape
    m.require(block % BLOCK_UNIT == 0, f"expected blocks of a multiple of {BLOCK_UNIT} weights, found {block}")
    expected = (blocks, 1, outputs)
    m.require(scale.shape == expected, f"expected scales of shape {list(expected)}, found {list(scale.shape)}")
    is_narrow = _are_scales(scale) and (scale == scale.astype(ml_dtypes.bfloat16).astype(np.float32)).all()
    m.require(is_narrow, "expected normal positive scales that bf16 holds")
    rows = np.asarray(weight).transpose(2, 0, 1).reshape(outputs, blocks * block)
    layer = DynamicLayer(
        core,
        x,
        _row_shape(x, blocks * block),
        dimensions=1,
        weight=rows,
        scale=scale[:, 0].T.reshape(-1),
        block=block,
    )
    m.require(layer.fits_4_bits, f"expected weights of 4 bits, found {rows.min()} to {rows.max()}")
    return _append_confirmed(m, layer)


def _append_confirmed(m: Match, layer: DynamicLayer) -> Value:
    """Appends the layer's XNNPACK nodes if they lower to the matched TOSA operators; declines otherwise.

    If TOSA has one scale for all channels, the comparison uses that one; the appended layer has it once for each
    channel.
    """
    b, shape = xnn_builder(), m.op.result.type.static
    y = XNNPACK_LOWERING.first_confirmed(m, [b.reshape(layer.append(b), shape)], [layer.x], "Convert and a layer")
    if layer.scale.size > 1:
        return y
    return b.reshape(layer._replace(scale=np.repeat(layer.scale, shape[-1])).append(b), shape)


def _integer_layer(m: Match) -> tuple[Op, Value, int]:
    """Returns (integer convolution or MATMUL, float input that is quantized for it, number of the input's scales).

    Operators of SUMMING may stand behind the layer, and those of ROUNDING between it and the MUL that scales its input.

    Raises:
        Decline: no such layer computes the sums.
    """
    core: Op | None = m.producer("sums")
    while core is not None and core.row in SUMMING:
        core = core.operands[0].producer
    if core is not None and core.row is ops.CONCAT:
        core = merge_group_convolutions(core)
    if core is None or core.row not in CORES:
        raise Decline("expected sums of CONV2D, MATMUL or TRANSPOSE_CONV2D")
    product = core.operands[0].producer
    while product is not None and product.row in ROUNDING:
        product = product.operands[0].producer
    if product is None or product.row is not ops.MUL:
        raise Decline("the layer's input is not quantized at run time: expected MUL by a scale in front of it")
    return core, skip_reshapes(product.operands[0]), product.operands[1].type.elements


def unpadded_image(x: Value) -> tuple[Value, tuple[int, ...]]:
    """Returns the image in front of a PAD by zeros, and its padding (top, bottom, left, right).

    Other values are returned as they are, without padding. The range that an image is quantized in always has 0 in it,
    so padding changes no scale.
    """
    op = x.producer
    pads, fill = (None, None) if op is None or op.row is not ops.PAD else (y.constant for y in op.operands[1:])
    if op is None or pads is None or fill is None or fill.any() or x.type.rank != 4:
        return x, (0, 0, 0, 0)
    amounts = pads.reshape(-1).tolist()
    outer, inner = amounts[:2] + amounts[6:], tuple(amounts[2:6])
    return (x, (0, 0, 0, 0)) if any(outer) else (skip_reshapes(op.operands[0]), inner)


def _weights_as_int8(core: Op) -> Array | None:
    """Returns a TOSA operator's constant weights, perhaps floats, as int8; None if they aren't all 8-bit integers."""
    weight, (low, high) = core.operands[1].constant, DType.I8.limits
    if weight is None or not ((weight >= low) & (weight <= high) & (np.floor(weight) == weight)).all():
        return None
    return weight.astype(np.int8)


def _are_scales(scale: Array) -> bool:
    """Returns whether XNNPACK accepts all scales: normal positive floats."""
    return bool((np.isfinite(scale) & (scale >= SMALLEST_SCALE)).all())


def _row_shape(x: Value, depth: int) -> tuple[int, ...]:
    """Returns x's shape as rows of `depth` elements: its own if it ends with `depth`, else [rows, depth]."""
    return x.type.static if x.type.rank and x.type.static[-1] == depth else (x.type.elements // depth, depth)


DYNAMIC = (dynamic_layer, dynamic_layer_of_blocks)
