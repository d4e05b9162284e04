"""Nodes that move elements, of any type: quantized ones stay as they are, for XNNPACK wants one quantization here."""

import math

import numpy as np

from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.quant.elements import operand, to_result_type
from tosa_converter.legalize.xnnpack.checks import MOVED, not_dynamic, require_sizes
from tosa_converter.legalize.xnnpack.requantize import level
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack


def static_transpose(match: Match) -> Expr:
    """StaticTranspose."""
    x, perm = match["input"], match.attributes(xnnpack.XNNStaticTranspose).perm
    if sorted(perm) != list(range(x.rank)):
        raise Decline(f"permutation {list(perm)} of {x.type}")
    return x.transpose(perm)


def static_reshape(match: Match) -> Expr:
    """StaticReshape: one size of 0 is what the others leave."""
    x, shape = match["input"], list(match.attributes(xnnpack.XNNStaticReshape).new_shape)
    known = math.prod(size for size in shape if size)
    if shape.count(0) == 1 and x.size % known == 0:
        shape[shape.index(0)] = x.size // known
    if math.prod(shape) != x.size:
        raise Decline(f"{x.type} in the shape {shape}")
    return x.reshape(shape)


def static_slice(match: Match) -> Expr:
    """StaticSlice: a size of 0 from the first element on is all of them."""
    x, attributes = match["input"], match.attributes(xnnpack.XNNStaticSlice)
    offsets, shape = attributes.offsets, x.shape
    require_sizes("offsets and sizes", (len(offsets), len(attributes.sizes)), (len(shape), len(shape)))
    sizes = [
        size or whole * (offset == 0) for size, whole, offset in zip(attributes.sizes, shape, offsets, strict=True)
    ]
    if any(size < 1 or offset + size > whole for size, whole, offset in zip(sizes, shape, offsets, strict=True)):
        raise Decline(f"{sizes} elements from {list(offsets)} on of {x.type}")
    return x.slice(offsets, sizes)


def static_constant_pad(match: Match) -> Expr:
    """StaticConstantPad; the value is quantized as the elements are."""
    x, attributes = match["input"], match.attributes(xnnpack.XNNStaticConstantPad)
    before, after = attributes.pre_paddings, attributes.post_paddings
    require_sizes("paddings", (len(before), len(after)), (x.rank, x.rank))
    value, pairs = attributes.padding_value, list(zip(before, after, strict=True))
    if x.dtype.is_float:
        return x.pad(pairs, value)
    given = operand(match, "input")
    padded = given.value.pad(pairs, level(value, given.scale, given.zero_point))
    return to_result_type(match, padded)


def concatenate(match: Match) -> Expr:
    """Concatenate2, 3, 4 and 5; an axis may count from behind."""
    parts = [match[i] for i in range(len(match.op.inputs))]
    rank, axis = parts[0].rank, int(np.uint32(match.op.attributes["axis"]).astype(np.int32))
    if not -rank <= axis < rank:
        raise Decline(f"axis {axis} of {parts[0].type}")
    axis %= rank
    for part in parts:
        require_sizes("rank", [part.rank], [rank])
        wanted = [*parts[0].shape[:axis], part.shape[axis], *parts[0].shape[axis + 1 :]]
        require_sizes(f"part {part.type}", part.shape, wanted)
    return concat(parts, axis)


def copy(match: Match) -> Expr:
    """Copy."""
    return match["input"]


OPERATORS: dict[str, Build] = {
    "static_transpose": static_transpose,
    "static_reshape": static_reshape,
    "static_slice": static_slice,
    "static_constant_pad": static_constant_pad,
    **{f"concatenate_{count}": concatenate for count in range(2, 6)},
    "copy": copy,
}

REWRITES: tuple[Rewrite, ...] = tuple(
    Rewrite(f"xnn.{name}", MOVED, build, (same_quantization, not_dynamic)) for name, build in OPERATORS.items()
)
