"""Operators of StableHLO that move elements: most have what they do as attributes, and shapes in their results."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED, not_quantized
from tosa_converter.legalize.operands import affordable, normalized_axis
from tosa_converter.legalize.ops.windows import spread
from tosa_converter.legalize.tflite.any_type.strided import Step, along
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tflite


def _stated(match: Match) -> tuple[int, ...]:
    """The shape that the file gives the result, of which one size may be open."""
    shape = match.op.results[0].type.shape
    if None in shape:
        raise Decline(f"a result of shape {list(shape)}")
    return match.op.results[0].type.static


def distinct(axes: Sequence[int], rank: int, count: int | None = None) -> list[int]:
    """Axes that are there, each once."""
    named = list(axes)
    if len({*named}) != len(named) or not all(0 <= axis < rank for axis in named) or count not in (None, len(named)):
        raise Decline(f"axes {named} of a tensor of rank {rank}")
    return named


def reshape(match: Match) -> Expr:
    """RESHAPE."""
    x, shape = match["operand"], _stated(match)
    if math.prod(shape) != x.size:
        raise Decline(f"{x.type} cannot take the shape {list(shape)}")
    return x.reshape(shape)


def broadcast_in_dim(match: Match) -> Expr:
    """BROADCAST_IN_DIM: the operand's axes are those of the result that are named."""
    x, shape = match["operand"], _stated(match)
    axes = distinct(match.attributes(tflite.StablehloBroadcastInDimOptions).broadcast_dimensions, len(shape), x.rank)
    affordable(shape)
    sizes = [1] * len(shape)
    for axis, size in zip(axes, x.shape, strict=True):
        if size not in (1, shape[axis]):
            raise Decline(f"{x.type} does not broadcast to {list(shape)}")
        sizes[axis] = size
    order = sorted(range(x.rank), key=axes.__getitem__)
    return x.transpose(order).reshape(sizes).broadcast(shape)


def concatenate(match: Match) -> Expr:
    """CONCATENATE."""
    parts = match.operands
    axis = normalized_axis(match.attributes(tflite.StablehloConcatenateOptions).dimension, parts[0].rank)
    if len({(*part.shape[:axis], *part.shape[axis + 1 :], part.rank) for part in parts}) > 1:
        raise Decline(f"parts of shapes {[part.shape for part in parts]} along axis {axis}")
    return concat(parts, axis)


def transpose(match: Match) -> Expr:
    """TRANSPOSE."""
    x = match["operand"]
    axes = distinct(match.attributes(tflite.StablehloTransposeOptions).permutation, x.rank, x.rank)
    return x.transpose(axes)


def slice_(match: Match) -> Expr:
    """SLICE with positive strides."""
    x, options = match["operand"], match.attributes(tflite.StablehloSliceOptions)
    limits = options.start_indices, options.limit_indices, options.strides
    if {*map(len, limits)} != {x.rank}:
        raise Decline(f"bounds {limits} for {x.type}")
    for axis, (start, stop, stride) in enumerate(zip(*limits, strict=True)):
        size = x.shape[axis]
        if not 0 <= start < stop <= size or stride < 1:
            raise Decline(f"from {start} to {stop} by {stride} along axis {axis} of {x.type}")
        x = along(x, axis, Step(size, start, stop, stride))
    return x


def iota(match: Match) -> Expr:
    """IOTA: the index along one axis."""
    shape, dtype = affordable(_stated(match)), match.op.results[0].type.dtype
    axis = normalized_axis(match.attributes(tflite.StablehloIotaOptions).iota_dimension, len(shape))
    held = SIGNLESS.get(dtype, dtype)
    if held not in (DType.FP32, DType.FP16, DType.BF16, DType.I32, DType.I16, DType.I8):
        raise Decline(f"an iota of type {dtype.value}")
    counted = np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))])
    return const(np.broadcast_to(counted, shape).astype(dtype.numpy).astype(held.numpy), held)


def pad(match: Match) -> Expr:
    """PAD, between the elements too; negative edges cut off."""
    x, value = match["operand"], match["padding_value"]
    options = match.attributes(tflite.StablehloPadOptions)
    amounts = options.edge_padding_low, options.edge_padding_high, options.interior_padding
    if {*map(len, amounts)} != {x.rank} or min(amounts[2], default=0) < 0:
        raise Decline(f"paddings {amounts} of {x.type}")
    return padded_with(x, value, *amounts)


def padded_with(x: Expr, value: Expr, low: Sequence[int], high: Sequence[int], gaps: Sequence[int]) -> Expr:
    """A value of one element between and around those of a tensor: if it isn't constant, by a mask."""
    if value.size != 1:
        raise Decline(f"padding with {value.type}")
    if value.constant is not None:
        return padded(x, value.constant.reshape(-1)[0], low, high, gaps)
    inside = const(np.ones(affordable(x.shape), bool), DType.BOOL)
    mask = padded(inside, False, low, high, gaps)
    return where(mask, padded(x, 0, low, high, gaps), value.reshape((1,) * x.rank))


def padded(x: Expr, value: float, low: Sequence[int], high: Sequence[int], gaps: Sequence[int]) -> Expr:
    """Elements between and around those of a tensor."""
    for axis, gap in enumerate(gaps):
        x = spread(x, axis, gap + 1, value=value)
    start = [max(-n, 0) for n in low]
    kept = [n - a - max(-b, 0) for n, a, b in zip(x.shape, start, high, strict=True)]
    if min(kept, default=1) < 1:
        raise Decline(f"edges {list(low)} and {list(high)} cut all of {x.type} off")
    x = x.slice(start, kept)
    return x.pad([(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], value)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.stablehlo_reshape", STORED, reshape),
    Rewrite("tfl.stablehlo_broadcast_in_dim", STORED, broadcast_in_dim),
    Rewrite("tfl.stablehlo_concatenate", STORED, concatenate, (not_quantized,)),
    Rewrite("tfl.stablehlo_transpose", STORED, transpose),
    Rewrite("tfl.stablehlo_slice", STORED, slice_),
    Rewrite("tfl.stablehlo_iota", "", iota),
    Rewrite("tfl.stablehlo_pad", STORED, pad, (not_quantized,)),
)
