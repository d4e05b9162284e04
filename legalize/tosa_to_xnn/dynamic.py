"""The pass that finds layers that quantize their input as they run: Convert and a layer.

They are guessed, and taken if the conversion makes the same graph of the guess.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.ir.edit import place_constants, replace_ops, replace_result
from tosa_converter.legalize.tosa_to_tflite.templates import behind_of
from tosa_converter.legalize.tosa_to_xnn.alike import alike, bare
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.groups import join_groups
from tosa_converter.legalize.tosa_to_xnn.labels import labelled
from tosa_converter.legalize.tosa_to_xnn.windows import convolution
from tosa_converter.rewriting.in_place import change_graphs
from tosa_converter.rewriting.pipeline import Pass, apply_passes
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops

FURTHEST = 30  # operators behind a layer's result that are looked at
CORES = frozenset({ops.CONV2D, ops.MATMUL, ops.TRANSPOSE_CONV2D})
# What levels come through: they are rounded and moved, and for images that grow made floats again.
ROUNDED = frozenset({ops.ADD, ops.CAST, ops.RESCALE, ops.RESHAPE, ops.SUB, ops.TRANSPOSE})
SMALLEST = float(np.finfo(np.float32).smallest_normal)  # scale that XNNPACK takes
LEAST_BLOCK = 32  # whose multiples are the sizes of XNNPACK's groups of weights


class Layer(NamedTuple):
    """What makes the result of `root` out of rows of x that are quantized at run time."""

    root: Op
    core: Op  # of integers
    x: Value
    shape: tuple[int, ...]  # of what is quantized
    rows: int  # dimensions that share a scale
    weight: Array
    scale: Array
    block: int = 0

    def written(self, b: XnnBuilder, levels: Value, scale: Array) -> Value:
        """The node."""
        axis = 2 if self.core.row is ops.MATMUL and not self.block else 0
        dtype = DType.I4 if self.fits_4_bits else DType.I8
        quant = Quant(tuple(map(float, scale)), (0,) * scale.size, axis, self.block)
        weight = b.with_quant(self.weight, TensorType(dtype, self.weight.shape, quant))
        if axis:
            return b.op("batch_matrix_multiply", [levels, weight], self.core.results[0].type.static, DType.FP32)
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


def run(model: Model, _options: Options, _report: Report, lowering: Sequence[Pass], /) -> Model:
    """Changes the graphs in place; `lowering` are the passes that make TOSA of XNNPACK's nodes."""
    return change_graphs(model, partial(_put_layers, lowering))


def _put_layers(lowering: Sequence[Pass], graph: Graph) -> bool:
    """Puts Convert and a layer in place of the operators that they are in TOSA; returns whether there was one.

    Equal ones share a Convert.
    """
    converts: dict[tuple[Value, tuple[int, ...], int], Value] = {}
    made: dict[Op, list[Op]] = {}
    for op in graph.ops:
        layer = _layer(op)
        if layer is None or not _confirmed(layer, lowering):
            continue
        b = XnnBuilder(Graph("dynamic"))
        b.location = op.location
        key = layer.x, layer.shape, layer.rows
        if key not in converts:
            converts[key] = _levels(b, *key)
        scale = layer.scale
        if scale.size == 1:
            scale = np.repeat(scale, op.results[0].type.static[-1])
        b.reshape(layer.written(b, converts[key], scale), op.results[0].type.static)
        made[op] = b.graph.ops
    for op, nodes in made.items():
        replace_result(nodes[-1], op.results[0])
    replace_ops(graph, made)
    return bool(made)


def _levels(b: XnnBuilder, x: Value, shape: tuple[int, ...], rows: int) -> Value:
    return labelled(b.op("convert", [b.reshape(x, shape)], dtype=DType.I8), Quant((), (), rows=rows))


def _confirmed(layer: Layer, lowering: Sequence[Pass]) -> bool:
    """Whether the conversion makes these operators of the layer."""
    b, given = XnnBuilder(Graph("guess")), Value(layer.x.type, "x")
    try:
        result = layer.written(b, _levels(b, given, layer.shape, layer.rows), layer.scale)
        model = Model({"main": Graph("main", [given], [result], place_constants([result], b.graph.ops))}, opset="xnn")
        model = apply_passes(model, lowering, Options("xnnpack"))
    except (Decline, UnsupportedError):
        return False
    join_groups(model.main)
    return alike(model.main.outputs[0], layer.root.results[0], {model.main.inputs[0]: layer.x})


# ** guesses **


def _layer(root: Op) -> Layer | None:
    """The layer whose product with its last factor an operator makes, without a bias."""
    if root.row is not ops.MUL or root.results[0].type.dtype is not DType.FP32:
        return None
    groups = root.operands[0].producer
    blocks = groups is not None and groups.row is ops.REDUCE_SUM
    if not blocks and root.operands[1].constant is None:
        return None
    core = next((op for op in behind_of(root, FURTHEST) if op.row in CORES), None)
    quantized = None if core is None or core.operands[1].constant is None else _quantized(core.operands[0])
    if core is None or quantized is None:
        return None
    return _of_blocks(root, core, quantized) if blocks else _of_channels(root, core, quantized)


def _quantized(levels: Value) -> Op | None:
    """The product of numbers with factors, from which levels are rounded."""
    op = levels.producer
    while op is not None and op.row in ROUNDED:
        op = op.operands[0].producer
    return op if op is not None and op.row is ops.MUL else None


def _of_channels(root: Op, core: Op, quantized: Op) -> Layer | None:
    """With a factor for every channel of the result."""
    weight, scale, x = core.operands[1].constant, root.operands[1].constant, bare(quantized.operands[0])
    if weight is None or scale is None or not _are_bytes(weight) or not _are_scales(scale):
        return None
    weight, given = weight.astype(np.int8), core.operands[0].type.static
    count, depth = quantized.operands[1].type.elements, given[-1]
    scale = scale.reshape(-1)
    if core.row is ops.MATMUL:
        return Layer(root, core, x, given, 1, weight, scale)
    if core.row is ops.CONV2D and math.prod(weight.shape[1:]) == depth and count * depth == x.type.elements:
        return Layer(root, core, x, _rows(x, depth), 1, weight.reshape(-1, depth), scale)
    if core.row is ops.CONV2D and not any(core.attributes["pad"]):
        x, pad = _unpadded(x)
        core = Op(core.name, core.inputs, [core.results[0].type], core.attributes | {"pad": pad})
        given = (given[0], given[1] - pad[0] - pad[1], given[2] - pad[2] - pad[3], given[3])
    return Layer(root, core, x, given, 3, weight, scale)


def _unpadded(x: Value) -> tuple[Value, tuple[int, ...]]:
    """The image in a padded one, and its padding: XNNPACK's range counts the zeros around it too."""
    op = x.producer
    pads, value = (None, None) if op is None or op.row is not ops.PAD else (y.constant for y in op.operands[1:])
    if op is None or pads is None or value is None or value.any() or x.type.rank != 4:
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


def _of_blocks(root: Op, core: Op, quantized: Op) -> Layer | None:
    """With a factor for every group of weights of a channel."""
    factors = [op.operands[1].constant for op in behind_of(root, FURTHEST) if op.row is ops.MUL]
    scale = next((factor for factor in factors if factor is not None and factor.dtype == np.float32), None)
    weight, x = core.operands[1].constant, bare(quantized.operands[0])
    if weight is None or scale is None or core.row is not ops.MATMUL or weight.dtype != np.int8:
        return None
    if weight.shape[1] % LEAST_BLOCK or not _are_scales(scale):
        return None
    groups, block, outputs = weight.shape
    if scale.shape != (groups, 1, outputs) or (scale != scale.astype(ml_dtypes.bfloat16).astype(np.float32)).any():
        return None
    rows = weight.transpose(2, 0, 1).reshape(outputs, groups * block)
    layer = Layer(root, core, x, _rows(x, groups * block), 1, rows, scale[:, 0].T.reshape(-1), block)
    return layer if layer.fits_4_bits else None
