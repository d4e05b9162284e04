"""Nodes that move elements of any type; quantized operands and results share one quantization, as XNNPACK requires."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.ops.layout import join
from tosa_converter.legalize.quant.elements import OutputQuant, operand, to_result_type
from tosa_converter.legalize.quant.xnnpack_rounding import quantized_level
from tosa_converter.legalize.xnnpack.checks import MOVED, not_dynamic, require_sizes
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import xnnpack


def static_transpose(match: Match) -> Expr:
    """Lowers XNNPACK's StaticTranspose to TRANSPOSE."""
    x, perm = match["input"], match.attributes(xnnpack.XNNStaticTranspose).perm
    is_permutation = sorted(perm) == list(range(x.rank))
    match.require(is_permutation, f"expected a permutation of {x.rank} dimensions, found {list(perm)}")
    return x.transpose(perm)


def static_reshape(match: Match) -> Expr:
    """Lowers XNNPACK's StaticReshape; one size may be 0, which stands for what the other sizes leave."""
    x, shape = match["input"], list(match.attributes(xnnpack.XNNStaticReshape).new_shape)
    nonzero = math.prod(size for size in shape if size)
    if shape.count(0) == 1 and x.size % nonzero == 0:
        shape[shape.index(0)] = x.size // nonzero
    match.require(math.prod(shape) == x.size, f"expected a shape of {x.size} elements, found {shape}")
    return x.reshape(shape)


def static_slice(match: Match) -> Expr:
    """Lowers XNNPACK's StaticSlice; a size of 0 with an offset of 0 stands for the whole dimension."""
    x, attributes = match["input"], match.attributes(xnnpack.XNNStaticSlice)
    offsets, shape = attributes.offsets, x.shape
    require_sizes("offsets and sizes", (len(offsets), len(attributes.sizes)), (len(shape), len(shape)))
    sizes = [
        size or whole * (offset == 0) for size, whole, offset in zip(attributes.sizes, shape, offsets, strict=True)
    ]
    if any(size < 1 or offset + size > whole for size, whole, offset in zip(sizes, shape, offsets, strict=True)):
        raise Decline(f"expected a slice inside {x.type}, found sizes {sizes} from {list(offsets)} on")
    return x.slice(offsets, sizes)


def static_constant_pad(match: Match) -> Expr:
    """Lowers XNNPACK's StaticConstantPad; the padding value is a real number, quantized like the elements."""
    x, attributes = match["input"], match.attributes(xnnpack.XNNStaticConstantPad)
    before, after = attributes.pre_paddings, attributes.post_paddings
    require_sizes("paddings", (len(before), len(after)), (x.rank, x.rank))
    value, pairs = attributes.padding_value, list(zip(before, after, strict=True))
    if x.dtype.is_float:
        return x.pad(pairs, value)
    levels, scale, zero_point = operand(match, "input")
    quantization = OutputQuant(scale, zero_point, unsigned=match.source("input").type.dtype is DType.UI8)
    return to_result_type(match, levels.pad(pairs, quantized_level(value, quantization)))


def concatenate(match: Match) -> Expr:
    """Lowers XNNPACK's Concatenate2 to 5; the unsigned field `axis` is read as signed: -1 is the last axis."""
    parts = match.operands
    axis = int(np.uint32(match.op.attributes["axis"]).astype(np.int32))
    return join(parts, normalized_axis(axis, parts[0].rank))


def copy(match: Match) -> Expr:
    """Lowers XNNPACK's Copy to its operand."""
    return match["input"]


OPERATORS: dict[str, Build] = {
    "static_transpose": static_transpose,
    "static_reshape": static_reshape,
    "static_slice": static_slice,
    "static_constant_pad": static_constant_pad,
    **{f"concatenate_{count}": concatenate for count in range(2, 6)},
    "copy": copy,
}

RULES: tuple[Rule, ...] = tuple(
    Rule(f"xnn.{name}", MOVED, build, (same_quantization, not_dynamic)) for name, build in OPERATORS.items()
)
