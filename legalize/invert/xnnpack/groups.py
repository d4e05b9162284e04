"""Convolutions of groups of channels, which are one for each group in TOSA."""

import numpy as np

from tosa_converter.ir import Array, Op, Value
from tosa_converter.ir.edit import equal_constants
from tosa_converter.legalize.invert.xnnpack.windows import convolution_of_floats
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.schemas import tosa_ops as ops

GROUPED = (ops.CONV2D, ops.TRANSPOSE_CONV2D)


@rule(pattern(ops.CONCAT, pattern(GROUPED, pattern(ops.SLICE, "x"))), FLOATS, of=("x",))
def grouped_convolution(m: Match) -> Value:
    """CONCAT(CONV2D|TRANSPOSE_CONV2D(SLICE(x), weights, bias), ...) -> Conv2d or ConvTranspose2d with groups."""
    joined = joined_groups(m.op)
    return convolution_of_floats(joined, *map(m.translate, joined.operands[:3]))


def joined_groups(concat: Op) -> Op:
    """Returns the convolution that computes all groups of an image, whose weights have fewer channels than the image.

    TOSA has no such convolution: no rule of the specification holds for it.

    Raises:
        Decline: the operator doesn't join the convolutions of all groups.
    """
    convolutions = [value.producer for value in concat.operands]
    first, axis = convolutions[0], concat.attributes["axis"]
    if first is None or first.row not in GROUPED or axis != 3 or len(convolutions) < 2:
        raise Decline("expected CONCAT of the channels of convolutions")
    weights, biases, slices = [], [], []
    share = first.result.type.static[3]
    for op in convolutions:
        if op is None or not _differs_in_weights_alone(op, first):
            raise Decline("expected convolutions that differ in weights and biases alone")
        slices.append(op.operands[0].producer)
        weights.append(np.asarray(op.operands[1].constant))
        biases.append(np.broadcast_to(np.asarray(op.operands[2].constant), (share,)))
    x = _whole_image(slices)
    weight, bias = (
        _constant_like(first.operands[i], np.concatenate(parts)) for i, parts in ((1, weights), (2, biases))
    )
    inputs = (x, weight, bias, *first.inputs[3:])
    return Op(first.row, inputs, [concat.result.type], first.attributes, location=concat.location)


def _constant_like(like: Value, elements: Array) -> Value:
    """Returns a TOSA constant with the element type of a value."""
    return Op(ops.CONST, (), [like.type._replace(shape=elements.shape)], {"values": elements}).result


def _whole_image(slices: list[Op | None]) -> Value:
    """Returns the image of whose channels SLICEs take one group after the other.

    Raises:
        Decline: a group is left out, or the SLICEs are of several images.
    """
    image, sizes, end = None, set(), 0
    for op in slices:
        start = op.operands[1].constant if op is not None and op.row is ops.SLICE else None
        if op is None or start is None or image not in (None, op.operands[0]) or start.tolist() != [0, 0, 0, end]:
            raise Decline("expected SLICEs of the groups of channels in their order")
        image, size = op.operands[0], op.result.type.static
        sizes.add(size)
        if size[:3] != image.type.static[:3] or len(sizes) > 1:
            raise Decline(f"expected groups of one size with all pixels of {image.type}")
        end += size[3]
    if image is None or end != image.type.static[3]:
        raise Decline(f"expected groups that have all channels of the image, found {end} channels")
    return image


def _differs_in_weights_alone(op: Op, first: Op) -> bool:
    """Returns whether a convolution differs from another one in its weights and bias alone."""
    if op.row is not first.row or op.attributes != first.attributes or op.operands[1].type != first.operands[1].type:
        return False
    if any(operand.constant is None for operand in op.operands[1:]):
        return False
    return all(map(equal_constants, op.operands[3:], first.operands[3:]))


RULES: tuple[Rule, ...] = (grouped_convolution,)
