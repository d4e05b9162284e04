"""Operators of StableHLO that move elements; many take the shape of their result from the file."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.legalize.checks import STORED, not_quantized
from tosa_converter.legalize.limits import affordable, normalized_axis
from tosa_converter.legalize.ops import layout
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite


def _result_shape(match: Match) -> tuple[int, ...]:
    """Returns the shape that the file states for the operator's result.

    Raises:
        Decline: a dimension is unknown.
    """
    shape = match.op.results[0].type.shape
    if None in shape:
        raise Decline(f"expected a result of constant shape, found {list(shape)}")
    return match.op.results[0].type.static


def distinct_axes(axes: Sequence[int], rank: int, count: int | None = None) -> list[int]:
    """Returns axes of a tensor of `rank` dimensions as a list, after checking that they are distinct and in range.

    Raises:
        Decline: an axis is out of range or repeats, or there are not `count`.
    """
    result = list(axes)
    in_range = all(0 <= axis < rank for axis in result)
    if len({*result}) != len(result) or not in_range or count not in (None, len(result)):
        expected = "distinct axes" if count is None else f"{count} distinct axes"
        raise Decline(f"expected {expected} in [0, {rank}), found {result}")
    return result


def reshape(match: Match) -> Expr:
    """Lowers StableHLO's RESHAPE to the result shape in the file."""
    x, shape = match["operand"], _result_shape(match)
    if math.prod(shape) != x.size:
        raise Decline(f"expected a shape of {x.size} elements, found {list(shape)}")
    return x.reshape(shape)


def broadcast_in_dim(match: Match) -> Expr:
    """Lowers StableHLO's BROADCAST_IN_DIM: the options name the result's axis for each axis of the operand."""
    x, shape = match["operand"], _result_shape(match)
    options = match.attributes(tflite.StablehloBroadcastInDimOptions)
    axes = distinct_axes(options.broadcast_dimensions, len(shape), x.rank)
    affordable(shape)
    sizes = [1] * len(shape)
    for axis, size in zip(axes, x.shape, strict=True):
        sizes[axis] = size
    # An operand [3, 2] whose axes are axes 2 and 0 of the result [2, 4, 3] is transposed to [2, 3] first, then becomes
    # [2, 1, 3], and broadcasts.
    order = sorted(range(x.rank), key=axes.__getitem__)
    return layout.broadcast_to(x.transpose(order).reshape(sizes), shape)


def concatenate(match: Match) -> Expr:
    """Lowers StableHLO's CONCATENATE along the axis `dimension`."""
    parts = match.operands
    axis = normalized_axis(match.attributes(tflite.StablehloConcatenateOptions).dimension, parts[0].rank)
    return layout.join(parts, axis)


def transpose(match: Match) -> Expr:
    """Lowers StableHLO's TRANSPOSE by the permutation in its options."""
    x = match["operand"]
    return x.transpose(distinct_axes(match.attributes(tflite.StablehloTransposeOptions).permutation, x.rank, x.rank))


def slice_(match: Match) -> Expr:
    """Lowers StableHLO's SLICE: elements start, start + stride, ... before the limit, along each axis."""
    x, options = match["operand"], match.attributes(tflite.StablehloSliceOptions)
    limits = options.start_indices, options.limit_indices, options.strides
    if {*map(len, limits)} != {x.rank}:
        raise Decline(f"expected {x.rank} start indices, limit indices and strides, found {limits}")
    for axis, (start, stop, stride) in enumerate(zip(*limits, strict=True)):
        if not 0 <= start < stop <= x.shape[axis] or stride < 1:
            raise Decline(
                f"expected a slice inside axis {axis} of {x.type}, found [{start}, {stop}) with stride {stride}"
            )
        x = layout.take_range(x, axis, range(start, stop, stride))
    return x


def iota(match: Match) -> Expr:
    """Lowers StableHLO's IOTA to a constant: each element is its index along one axis."""
    shape, dtype = affordable(_result_shape(match)), match.op.results[0].type.dtype
    axis = normalized_axis(match.attributes(tflite.StablehloIotaOptions).iota_dimension, len(shape))
    signless = SIGNLESS.get(dtype, dtype)
    if signless not in (DType.FP32, DType.FP16, DType.BF16, DType.I32, DType.I16, DType.I8):
        raise Decline(f"expected elements of fp32, fp16, bf16 or integers of up to 32 bits, found {dtype.value}")
    indices = np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))])
    return const(np.broadcast_to(indices, shape).astype(dtype.numpy).astype(signless.numpy), signless)


def pad(match: Match) -> Expr:
    """Lowers StableHLO's PAD, with padding also between elements; negative edge padding cuts elements off."""
    x, value = match["operand"], match["padding_value"]
    options = match.attributes(tflite.StablehloPadOptions)
    amounts = options.edge_padding_low, options.edge_padding_high, options.interior_padding
    if {*map(len, amounts)} != {x.rank} or min(amounts[2], default=0) < 0:
        raise Decline(f"expected {x.rank} low, high and interior paddings, the last of at least 0, found {amounts}")
    if value.size != 1:
        raise Decline(f"expected a padding value of one element, found {value.type}")
    return layout.pad_with_gaps(x, value, *amounts)


RULES: tuple[Rule, ...] = (
    Rule("tfl.stablehlo_reshape", STORED, reshape),
    Rule("tfl.stablehlo_broadcast_in_dim", STORED, broadcast_in_dim),
    Rule("tfl.stablehlo_concatenate", STORED, concatenate, (not_quantized,)),
    Rule("tfl.stablehlo_transpose", STORED, transpose),
    Rule("tfl.stablehlo_slice", STORED, slice_),
    Rule("tfl.stablehlo_iota", "", iota),
    Rule("tfl.stablehlo_pad", STORED, pad, (not_quantized,)),
)
