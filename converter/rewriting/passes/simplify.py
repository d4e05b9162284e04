"""Simplifies TOSA graphs by rules about an operator and the operators that compute its operands.

Every rule is exact: integers are equal bit for bit, and floats have the same roundings. An operator that another one
reads as well stays.

These rules would not be exact, and are left out: MUL behind a convolution of floats, ADD behind one with a bias, and
PAD in front of AVG_POOL2D, which doesn't count its own padding.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.ir.edit import equal_constants
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr, emit
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K

# ** layout **


@rule(pattern(ops.RESHAPE, pattern(ops.RESHAPE, "x")))
def reshape_of_reshape(m: Match) -> Expr:
    """RESHAPE(RESHAPE(x)) -> RESHAPE(x); where x has that shape: x."""
    return m["x"].reshape(m.op.result.type.static)


@rule(pattern(ops.RESHAPE, "x", same_type=True))
def reshape_to_same_shape(m: Match) -> Expr:
    """RESHAPE(x) to the shape of x -> x."""
    return m["x"]


@rule(pattern(ops.RESHAPE, pattern(ops.TRANSPOSE, pattern(ops.RESHAPE, "x", name="split"), name="turned")))
def transpose_between_reshapes(m: Match) -> Expr:
    """RESHAPE(TRANSPOSE(RESHAPE(x))) with one RESHAPE less, where that only adds or takes off dimensions of size 1."""
    m.require(m.only_reader("turned") and m.only_reader("split"), "another operator reads a value in between")
    x, shape, middle = m["x"], m.op.result.type.static, m["split"].shape
    # The first RESHAPE only adds a 1: x of [6, 4] as [6, 1, 4], by (1, 2, 0) to [1, 4, 6], is x transposed to [4, 6].
    order = [axis for axis in m.producer("turned").attributes["perms"] if middle[axis] != 1]
    before = _long_axes(x.shape)
    if [x.shape[axis] for axis in before] == [middle[axis] for axis in sorted(order)]:
        moved = [before[sorted(order).index(axis)] for axis in order]
        ones = [axis for axis in range(x.rank) if axis not in before]
        return x.transpose(ones + moved).reshape(shape)
    # Otherwise the last one must only add or take off 1s: x is reshaped to its dimensions, and transposed last.
    behind = _long_axes(shape)
    same_sizes = [shape[axis] for axis in behind] == [middle[axis] for axis in order]
    m.require(same_sizes, "both RESHAPEs split or merge dimensions")
    ones = [axis for axis in range(len(shape)) if axis not in behind]
    places = ones + [behind[order.index(axis)] for axis in sorted(order)]
    turned = x.reshape([shape[axis] for axis in places])
    return turned.transpose([places.index(axis) for axis in range(len(shape))])


def _long_axes(shape: Sequence[int]) -> list[int]:
    """Returns the axes whose size isn't 1."""
    return [axis for axis, size in enumerate(shape) if size != 1]


@rule(pattern(ops.TRANSPOSE, pattern(ops.TRANSPOSE, "x", name="turned")))
def transpose_of_transpose(m: Match) -> Expr:
    """TRANSPOSE(TRANSPOSE(x)) -> TRANSPOSE(x) by both permutations; where they cancel out: x."""
    # By (1, 2, 0) twice: axis 0 of the result is axis 1 of the middle, which is axis 2 of x; in all it is (2, 0, 1).
    first = m.producer("turned").attributes["perms"]
    return m["x"].transpose([first[axis] for axis in m.op.attributes["perms"]])


@rule(pattern(ops.TRANSPOSE, "x", same_type=True))
def transpose_in_order(m: Match) -> Expr:
    """TRANSPOSE(x) of all axes in their order -> x."""
    m.require(list(m.op.attributes["perms"]) == list(range(m["x"].rank)), "it reorders dimensions")
    return m["x"]


@rule(pattern(ops.TRANSPOSE, "x"))
def transpose_of_ones(m: Match) -> Expr:
    """TRANSPOSE(x) -> RESHAPE(x) where only dimensions of size 1 change places."""
    x = m["x"]
    moving = [axis for axis in m.op.attributes["perms"] if x.type.shape[axis] != 1]
    m.require(moving == sorted(moving), "it reorders dimensions whose size isn't 1")
    # The new RESHAPE takes the place of one before it.
    inner = x.value.producer
    source = Expr(inner.operands[0]) if inner is not None and inner.row is ops.RESHAPE else x
    return source.reshape(m.op.result.type.static)


@rule(pattern(ops.SLICE, "x", same_type=True))
def slice_of_all(m: Match) -> Expr:
    """SLICE(x) of everything -> x."""
    return m["x"]


@rule(pattern(ops.SLICE, pattern(ops.SLICE, "x", "first_start"), "start"))
def slice_of_slice(m: Match) -> Expr:
    """SLICE(SLICE(x)) -> SLICE(x)."""
    start = np.add(m.integers("first_start"), m.integers("start"))
    return m["x"].slice(start.tolist(), m.op.result.type.static)


@rule(pattern(ops.SLICE, pattern(ops.PAD, "x", "padding", "fill"), "start"))
def slice_of_pad(m: Match) -> Expr:
    """SLICE(PAD(x)) -> PAD(x) with less padding, where the SLICE keeps all of x."""
    # PAD of 5 elements by 3 and 2, then SLICE from 1 of size 8: 3 - 1 = 2 stay before, and 1 + 8 - 3 - 5 = 1 behind.
    start, sizes = m.integers("start"), m.op.result.type.static
    less = [
        (before - begin, begin + size - before - length)
        for (before, _), begin, size, length in zip(
            _pairs(m.integers("padding")), start, sizes, m["x"].shape, strict=True
        )
    ]
    m.require(min(map(min, less), default=0) >= 0, "it cuts off elements of x")
    return _pad(m["x"], less, m["fill"])


@rule(pattern(ops.SLICE, pattern(ops.CONCAT, name="whole"), "start"))
def slice_of_concat(m: Match) -> Expr:
    """SLICE(CONCAT(.., x, ..)) -> SLICE(x), where it lies inside of x."""
    whole, start = m.producer("whole"), m.integers("start")
    axis = whole.attributes["axis"]
    begin, size = start[axis], m.op.result.type.static[axis]
    # Parts of 4 and 6, SLICE from 5 of size 3: it begins at 5 - 4 = 1 of the second part, and 1 + 3 <= 6.
    for part in whole.operands:
        length = part.type.static[axis]
        if begin >= 0 and begin + size <= length:
            return Expr(part).slice([*start[:axis], begin, *start[axis + 1 :]], m.op.result.type.static)
        begin -= length
    raise Decline("it reads several operands of the CONCAT")


@rule(pattern(ops.PAD, "x", "padding", same_type=True))
def pad_of_nothing(m: Match) -> Expr:
    """PAD(x) by nothing -> x."""
    m.require(not any(m.integers("padding")), "it pads by {padding}")
    return m["x"]


@rule(pattern(ops.PAD, pattern(ops.PAD, "x", "first_padding", "fill"), "padding", "fill"))
def pad_of_pad(m: Match) -> Expr:
    """PAD(PAD(x)) -> PAD(x) by the sum, where both pad with the same element."""
    total = np.add(m.integers("first_padding"), m.integers("padding"))
    return _pad(m["x"], _pairs(total.tolist()), m["fill"])


def _pairs(flat: Sequence[int]) -> list[tuple[int, int]]:
    """Returns the amounts of a PAD, flat in its operand, as pairs (before, after) for each dimension."""
    return list(zip(flat[::2], flat[1::2], strict=True))


def _pad(x: Expr, amounts: Sequence[tuple[int, int]], fill: Expr) -> Expr:
    """Returns x padded with the element of another PAD; x itself for amounts of 0."""
    if not any(map(any, amounts)):
        return x
    return emit(ops.PAD, x, Expr(current().shape([n for pair in amounts for n in pair])), fill)


@rule(pattern(ops.CONCAT, "x"))
def concat_of_one(m: Match) -> Expr:
    """CONCAT(x) -> x."""
    m.require(len(m.op.operands) == 1, "it has several operands")
    return m["x"]


@rule(pattern(ops.CONCAT, "x"))
def concat_of_concats(m: Match) -> Expr:
    """CONCAT(CONCAT(a, b), c) -> CONCAT(a, b, c) along one axis."""
    axis, parts = m.op.attributes["axis"], list[Value]()
    for value in m.op.operands:
        inner = value.producer
        opened = inner is not None and inner.row is ops.CONCAT and inner.attributes["axis"] == axis
        parts += inner.operands if inner is not None and opened and m.readers_of(value) == 1 else (value,)
    # Each time the rule applies there is a CONCAT less, so trying it again on its own result ends.
    m.require(len(m.op.operands) < len(parts), "no operand is a CONCAT along the same axis without other readers")
    m.require(len(parts) <= LEVEL_8K.MAX_TENSOR_LIST_SIZE, "the result would exceed the level's number of operands")
    return concat(list(map(Expr, parts)), axis)


@rule(pattern(ops.TILE, "x", same_type=True))
def tile_of_ones(m: Match) -> Expr:
    """TILE(x) by ones -> x."""
    return m["x"]


@rule(pattern(ops.TILE, pattern(ops.TILE, "x", "first_multiples"), "multiples"))
def tile_of_tile(m: Match) -> Expr:
    """TILE(TILE(x)) -> TILE(x) by the products."""
    return m["x"].tile(np.multiply(m.integers("first_multiples"), m.integers("multiples")).tolist())


@rule(pattern(ops.REVERSE, "x"))
def reverse_of_one(m: Match) -> Expr:
    """REVERSE(x) along a dimension of size 1 -> x."""
    m.require(m["x"].type.shape[m.op.attributes["axis"]] == 1, "the dimension of {x} is longer than 1")
    return m["x"]


# ** elementwise **


@rule(pattern((ops.REVERSE, ops.BITWISE_NOT, ops.LOGICAL_NOT, ops.BITWISE_XOR), "undone"))
def self_inverse(m: Match) -> Expr:
    """f(f(x)) -> x for what is its own inverse: REVERSE, BITWISE_NOT, LOGICAL_NOT, BITWISE_XOR with one constant."""
    inner = m.producer("undone")
    m.require(inner.row is m.op.row and inner.attributes == m.op.attributes, "its operand is not the same operator")
    x, *parameters = inner.operands
    constant = all(value.constant is not None for value in parameters)
    m.require(constant and all(map(equal_constants, parameters, m.op.operands[1:])), "the two constants differ")
    m.require(x.type == m.op.result.type, "the first operator broadcasts")
    return Expr(x)


@rule(pattern((ops.ADD, ops.SUB), "a", "b"), "fp16 bf16 fp32")
def minus_negative(m: Match) -> Expr:
    """ADD(a, NEGATE(b)) -> SUB(a, b) and SUB(a, NEGATE(b)) -> ADD(a, b) of floats, also with MUL(NEGATE(b), c)."""
    # IEEE 754 defines a - b as a + (-b), so both round alike, also zeros: 0.0 + -(0.0) and 0.0 - 0.0 are both 0.0.
    other = ops.SUB if m.op.row is ops.ADD else ops.ADD
    for a, b in (m.op.operands, m.op.operands[::-1]) if m.op.row is ops.ADD else (m.op.operands,):
        positive = _remove_negation(m, b) if m.readers_of(b) == 1 else None
        if positive is not None:
            return emit(other, Expr(a), positive)
    raise Decline("no operand is a NEGATE without other readers")


def _remove_negation(m: Match, value: Value) -> Expr | None:
    """Returns -value if that takes no NEGATE: the operand of a NEGATE, or a MUL by it in place of a MUL by the NEGATE.

    Otherwise returns None. The result is exact, as -(a * b) == (-a) * b bit for bit.
    """
    op = value.producer
    if op is None or op.row not in (ops.NEGATE, ops.MUL):
        return None
    if op.row is ops.NEGATE:
        return Expr(op.operands[0])
    a, b, shift = op.operands
    for factor, other in ((a, b), (b, a)):
        inner = factor.producer
        if inner is not None and inner.row is ops.NEGATE and m.readers_of(factor) == 1:
            return emit(ops.MUL, Expr(inner.operands[0]), Expr(other), Expr(shift))
    return None


# Casts that keep every element, so that a cast back returns the same bits.
WIDER: dict[DType, tuple[DType, ...]] = {
    DType.BOOL: (DType.I8, DType.I16, DType.I32),
    DType.I8: (DType.I16, DType.I32),
    DType.I16: (DType.I32,),
}


@rule(pattern(ops.CAST, pattern(ops.CAST, "x", name="wide")))
def cast_back(m: Match) -> Expr:
    """CAST(CAST(x)) -> x where the first CAST keeps every element, and the second leads back to the type of x."""
    x = m["x"]
    m.require(m["wide"].dtype in WIDER.get(x.dtype, ()), "the first CAST from {x} may lose bits")
    m.require(x.type == m.op.result.type, "the second CAST leads to another type than {x}")
    return x


@rule(pattern(ops.CLAMP, "x"), "i8 i16")
def clamp_to_all(m: Match) -> Expr:
    """CLAMP(x) to the whole range of i8 or i16 -> x."""
    bounds = m.op.attributes["min_val"], m.op.attributes["max_val"]
    m.require(bounds == m["x"].dtype.limits, "its bounds exclude values of the type")
    return m["x"]


@rule(pattern(ops.CLAMP, pattern(ops.CLAMP, "x", name="clamped")))
def clamp_of_clamp(m: Match) -> Expr:
    """CLAMP(CLAMP(x)) -> CLAMP(x) to the common range, where both treat a NaN alike."""
    # CLAMP to [0, 6], then to [-1, 3]: each bound of the first is limited by the second, [0, 3]. Ranges that don't
    # meet, [0, 1] then [4, 5], give [4, 4], which is what the second makes of 0 and 1.
    inner, (low, high, nan_mode) = m.producer("clamped"), _clamp_attributes(m.op)
    first, last, first_nan_mode = _clamp_attributes(inner)
    m.require(nan_mode == first_nan_mode, "the two CLAMPs treat NaN differently")
    first, last = (min(max(bound, low), high) for bound in (first, last))
    return emit(ops.CLAMP, m["x"], min_val=first, max_val=last, nan_mode=nan_mode)


def _clamp_attributes(op: Op) -> tuple[Any, ...]:
    """Returns a CLAMP's min_val, max_val and nan_mode."""
    return tuple(op.attributes[name] for name in ("min_val", "max_val", "nan_mode"))


@rule(pattern(ops.RESCALE, "x", "multiplier", "shift", "zero_in", "zero_out", same_type=True))
def rescale_by_one(m: Match) -> Expr:
    """RESCALE(x) by 1, with equal zero points and types -> x."""
    same_sign = m.op.attributes["input_unsigned"] == m.op.attributes["output_unsigned"]
    m.require(same_sign, "it changes between signed and unsigned")
    m.require(m.integers("zero_in") == m.integers("zero_out"), "the zero points are {zero_in} and {zero_out}")
    # (x - z) * 2**30 has nothing below bit 30, so the rounding term of a shift by 30 is cut off, and z is added again.
    factors = zip(m.integers("multiplier"), m.integers("shift"), strict=True)
    m.require(all(multiplier == 1 << shift for multiplier, shift in factors), "a factor isn't 1")
    return m["x"]


_WIDENED = pattern(ops.RESCALE, "x", "unit", "unit_shift", "x_zero", "no_zero", name="widened")


@rule(pattern(ops.RESCALE, _WIDENED, "multiplier", "shift", "zero_in", "zero_out"))
def rescale_of_widened(m: Match) -> Expr:
    """RESCALE(RESCALE(x)) from i8 through i32 -> RESCALE(x), where the first only subtracts a zero point."""
    m.require(is_widening(m.producer("widened")), "the first RESCALE does more than subtract a zero point")
    no_zero_point = m.integers("zero_in") == [0] and not m.op.attributes["input_unsigned"]
    m.require(no_zero_point, "the second RESCALE has an input zero point")
    zero_point = Expr(current().zero_point(m.integers("x_zero")[0], DType.I8))
    operands = (m["x"], m["multiplier"], m["shift"], zero_point, m["zero_out"])
    return emit(ops.RESCALE, *operands, dtype=m.op.result.type.dtype, **m.op.attributes)


def is_widening(op: Op) -> bool:
    """Returns whether a RESCALE goes from i8 to i32 with a scale of 1 and no output zero point, which is exact."""
    if op.operands[0].type.dtype is not DType.I8 or op.result.type.dtype is not DType.I32:
        return False
    multiplier, shift, zero_in, zero_out = (value.constant for value in op.operands[1:])
    if multiplier is None or shift is None or zero_in is None or zero_out is None or shift.size > 1:
        return False
    unit = multiplier.reshape(-1)[0] == 1 << int(shift.reshape(-1)[0])
    return bool(unit and not op.attributes["input_unsigned"] and zero_out.reshape(-1)[0] == 0)


# ** windows **

_PADDED = pattern(ops.PAD, "x", "padding", "fill")


@rule(pattern((ops.CONV2D, ops.DEPTHWISE_CONV2D), _PADDED, "weights", "bias", "x_zp", "weights_zp"))
def pad_into_convolution(m: Match) -> Expr:
    """CONV2D(PAD(x)) or DEPTHWISE_CONV2D(PAD(x)) -> CONV2D(x), where height and width are padded with the zero point.

    Floats need finite weights: CONV2D skips its own padding (2.3.3), but 0 times an infinite weight is NaN.
    """
    if m["x"].dtype.is_float:
        m.require(np.isfinite(m.constant("weights")).all(), "a weight is infinite or NaN")
    return _absorb_padding(m, m.constant("x_zp"))


@rule(pattern(ops.MAX_POOL2D, _PADDED), "i8 i16")
def pad_into_max_pool(m: Match) -> Expr:
    """MAX_POOL2D(PAD(x)) of integers -> MAX_POOL2D(x), where the padding is the least element of the type."""
    dtype = m["x"].dtype
    return _absorb_padding(m, np.array([dtype.limits[0]], dtype.numpy))


def _absorb_padding(m: Match, element: Array) -> Expr:
    """Returns the convolution or pooling of a PAD's operand, with the PAD's amounts added to its own padding.

    Raises:
        Decline: the PAD has another element or pads other dimensions, or the sum exceeds a limit.
    """
    # PAD of NHWC has 8 amounts, (before, after) of each dimension: those in the middle are top, bottom, left, right, as
    # in the attribute `pad` of convolutions and poolings.
    batch0, batch1, *around, channel0, channel1 = m.integers("padding")
    expected = element.tolist()
    m.require(m.constant("fill").tobytes() == element.tobytes(), f"expected padding with {expected}, found {{fill}}")
    m.require(not (batch0 or batch1 or channel0 or channel1), "the PAD changes batch or channels: {padding}")
    total = tuple(np.add(m.op.attributes["pad"], around).tolist())
    # A pooling's padding must be less than its kernel (2.3), a convolution's at most the level's maximum.
    below = np.repeat(m.op.attributes.get("kernel", (LEVEL_8K.MAX_KERNEL + 1,) * 2), 2)
    m.require((np.array(total) < below).all(), "the padding would reach the kernel's size or the level's limit")
    return _emit_changed(m.op, m.value("x"), pad=total)


def _emit_changed(op: Op, *leading: Value, **attributes: Any) -> Expr:
    """Emits a copy of an operator with other leading operands and attributes, and returns its result."""
    builder, inputs = current(), (*leading, *op.inputs[len(leading) :])
    changed = Op(op.row, inputs, [op.result.type], op.attributes | attributes, location=builder.location)
    builder.graph.ops.append(changed)
    return Expr(changed.result)


_SUMS = pattern((ops.CONV2D, ops.DEPTHWISE_CONV2D), "x", "weights", "bias", name="sums")


@rule(pattern(ops.ADD, _SUMS, "offset", any_order=True), "i32", of=("sums",))
def add_into_bias(m: Match) -> Expr:
    """ADD(CONV2D(x), c) or ADD(DEPTHWISE_CONV2D(x), c) of i32 -> CONV2D(x) with c added to the bias.

    Floats stay, because (sum + bias) + c is rounded twice, and so do sums of bias and c that leave i32.
    """
    offset, bias = m.constant("offset"), m.constant("bias")
    m.require(m.only_reader("sums"), "another operator reads the convolution's result")
    m.require(m["offset"].shape[:3] == (1, 1, 1), "the offset {offset} differs between rows or columns")
    m.require(m["sums"].type == m.op.result.type, "the offset has more channels than the convolution")
    # In 64 bits, since 2**31 - 1 plus 1 would wrap around to -2**31 unnoticed.
    total = bias.astype(np.int64) + offset.reshape(-1)
    m.require(np.array_equal(total, total.astype(np.int32)), "the sum of bias and offset leaves int32")
    inner = m.producer("sums")
    return _emit_changed(inner, *inner.operands[:2], current().const(total, DType.I32))


# The rules in the order in which they are tried.
RULES = (
    reshape_of_reshape,
    reshape_to_same_shape,
    transpose_between_reshapes,
    transpose_of_transpose,
    transpose_in_order,
    transpose_of_ones,
    slice_of_all,
    slice_of_slice,
    slice_of_pad,
    slice_of_concat,
    pad_of_nothing,
    pad_of_pad,
    concat_of_one,
    concat_of_concats,
    tile_of_ones,
    tile_of_tile,
    reverse_of_one,
    self_inverse,
    minus_negative,
    cast_back,
    clamp_to_all,
    clamp_of_clamp,
    rescale_by_one,
    rescale_of_widened,
    pad_into_convolution,
    pad_into_max_pool,
    add_into_bias,
)

SIMPLIFY = InPlacePass("simplify", RULES)
