"""Shape rules of the elementwise operators (2.4 to 2.8), reductions (2.9) and type conversion (2.13)."""

from math import isnan

from tosa_converter.dtypes import DType
from tosa_converter.rules.conditions import Check, Shapes, Sizes


def same(c: Check, shape: Sizes, *_rest: Sizes) -> Shapes:  # noqa: ARG001  # one signature for all
    """Returns the result shape of an operator that keeps its first operand's shape."""
    return (shape,)


def clamp(c: Check, shape: Sizes) -> Shapes:
    """Checks CLAMP, whose min_val must not exceed max_val; returns the result shape, its operand's."""
    low, high = c.attribute("min_val"), c.attribute("max_val")
    c.error_if(high < low, "max_val < min_val", max_val=high, min_val=low)
    c.error_if(isnan(low) or isnan(high), "isNaN(min_val) || isNaN(max_val)", min_val=low, max_val=high)
    return (shape,)


def negate(c: Check, shape: Sizes, *_zero_points: Sizes) -> Shapes:
    """Checks NEGATE, whose zero points must be 0 except for int8; returns the result shape, its operand's."""
    c.zero_point(1, "in_out_t")
    c.zero_point(2, "in_out_t")
    return (shape,)


BROADCAST_OUTPUT = "shape != broadcast_shape(shape1, shape2)"
SELECT_OUTPUT = "shape != broadcast_shape(broadcast_shape(shape1, shape2), shape3)"


def broadcast(c: Check, shape1: Sizes, shape2: Sizes) -> Shapes:
    """Returns the result shape of an operator that broadcasts two operands of equal rank (4.4.6)."""
    return (_broadcast(c, shape1, shape2),)


def mul(c: Check, shape1: Sizes, shape2: Sizes, _shift: Sizes) -> Shapes:
    """Checks MUL, whose shift must be 0 except for i32; returns the result shape, broadcast from both operands."""
    shift = c.constant(2)
    if shift:
        c.require(0 <= shift[0] <= 63, "0 <= shift && shift <= 63", shift=shift[0])
        integer = c.dtype(0) is DType.I32
        c.require(integer or shift[0] == 0, "is_same<in_t,int32_t>() || shift == 0", shift=shift[0])
    return (_broadcast(c, shape1, shape2),)


def select(c: Check, shape1: Sizes, shape2: Sizes, shape3: Sizes) -> Shapes:
    """Returns the result shape of SELECT, broadcast from its three operands."""
    return (_broadcast(c, _broadcast(c, shape1, shape2), shape3),)


def _broadcast(c: Check, shape1: Sizes, shape2: Sizes) -> Sizes:
    """Returns the shape to which two shapes broadcast, broadcast_shape of 4.4.6; ends the check if they don't."""
    if shape1 == shape2:
        return shape1
    if len(shape1) != len(shape2):
        c.stop("error", "rank(shape1) != rank(shape2)", f"{list(shape1)} and {list(shape2)}")
    if any(a != b and a != 1 and b != 1 for a, b in zip(shape1, shape2, strict=True)):
        c.stop("error", "shape2[i] != 1 && shape2[i] != shape[i]", f"{list(shape1)} and {list(shape2)}")
    return tuple(b if a == 1 else a for a, b in zip(shape1, shape2, strict=True))


TABLE_SIZES = {DType.I8: 256, DType.I16: 513}


def table(c: Check, shape: Sizes, entries: Sizes) -> Shapes:
    """Checks TABLE, which needs 256 entries for int8 and 513 for int16; returns the result shape, its operand's."""
    size = TABLE_SIZES.get(c.dtype(0))
    c.require(size in (None, entries[0]), "length(table) == TABLE_SIZE", length=entries[0], TABLE_SIZE=size)
    return (shape,)


REDUCE_OUTPUT = "shape[axis] != 1"


def reduce(c: Check, shape1: Sizes) -> Shapes:
    """Returns the result shape of a reduction: the operand's, with size 1 along `axis`."""
    axis = c.axis(len(shape1))
    return ((*shape1[:axis], 1, *shape1[axis + 1 :]),)


def rescale(c: Check, shape: Sizes, multiplier: Sizes, shift: Sizes, *_zp: int) -> Shapes:
    """Checks RESCALE, except its multipliers and shifts; returns the result shape, its operand's.

    `scale` checks the elements of multipliers and shifts once the operands are known.
    """
    per_channel, scale32 = c.attribute("per_channel"), c.attribute("scale32")
    if per_channel and not shape:
        c.stop("error", "per_channel && rank(input) < 1", "rank(input) = 0")
    channels = shape[-1] if per_channel else 1
    if not multiplier[0] == channels == shift[0]:
        c.error_if(multiplier[0] != channels, "length(multiplier) != NC", length=multiplier[0], NC=channels)
        c.error_if(shift[0] != channels, "length(shift) != NC", length=shift[0], NC=channels)
    rescale_types(c, c.dtype(0), c.dtype(4), scale32)
    return (shape,)


def rescale_types(c: Check, in_t: DType, out_t: DType, scale32: bool) -> None:
    """Checks RESCALE's ERROR_IF conditions on element types, signs, rounding and zero points."""
    input_unsigned, output_unsigned = c.attribute("input_unsigned", False), c.attribute("output_unsigned", False)
    _rescale_zero_point(c, 3, "in_t", in_t, "input_unsigned", input_unsigned)
    _rescale_zero_point(c, 4, "out_t", out_t, "output_unsigned", output_unsigned)
    double = c.attribute("rounding_mode") == "DOUBLE_ROUND"
    if not (input_unsigned or output_unsigned) and scale32 != (in_t is DType.I48) and (scale32 or not double):
        # Nothing is unsigned, only i48 is scaled with 16 bits, and DOUBLE_ROUND has 32: none of the following holds.
        return
    types = {"in_t": in_t.value, "out_t": out_t.value}
    c.error_if(scale32 and in_t is DType.I48, "scale32 && is_same<in_t,i48_t>()", **types)
    c.error_if(not scale32 and double, "!scale32 && (rounding_mode == DOUBLE_ROUND)", scale32=scale32)
    c.error_if(input_unsigned and output_unsigned, "input_unsigned && output_unsigned", **types)
    c.error_if(out_t is DType.I32 and input_unsigned, "is_same<out_t,i32_t>() && input_unsigned", **types)
    c.error_if(in_t is DType.I32 and output_unsigned, "is_same<in_t,i32_t>() && output_unsigned", **types)
    c.error_if(in_t is DType.I48 and output_unsigned, "is_same<in_t,i48_t>() && output_unsigned", **types)
    # 1.0.0 has no ERROR_IF for the next three, later releases of 1.0 do; clause 1.12 knows 8 and 16 unsigned bits only.
    c.error_if(in_t is DType.I32 and input_unsigned, "is_same<in_t,i32_t>() && input_unsigned", **types)
    c.error_if(in_t is DType.I48 and input_unsigned, "is_same<in_t,i48_t>() && input_unsigned", **types)
    c.error_if(out_t is DType.I32 and output_unsigned, "is_same<out_t,i32_t>() && output_unsigned", **types)


def _rescale_zero_point(c: Check, index: int, variable: str, dtype: DType, flag: str, unsigned: bool) -> None:
    """Records an ERROR_IF if a constant zero point of RESCALE isn't allowed for its type.

    int8 may have any, unsigned int16 has 0 or 32768, and all other types have 0. `variable` and `flag` are the names of
    the type and of the sign attribute in the condition's text.
    """
    values = None if dtype is DType.I8 else c.constant(index)
    if not values or values[0] == 0:
        return
    name = c.row.inputs[index].name
    if dtype is DType.I16 and unsigned:
        # i16 stores the unsigned 32768 as -32768: the low 16 bits tell the number.
        zero_point = values[0] & 0xFFFF
        c.error_if(
            zero_point != 32768,
            f"is_same<{variable},i16_t>() && {flag} == true && {name} != 0 && {name} != 32768",
            **{name: zero_point},
        )
        return
    c.problem(
        "error",
        f"!is_same<{variable},i8_t>() && (!is_same<{variable},i16_t>() || {flag} == false) && {name} != 0",
        f"{variable} = {dtype.value}, {name} = {values[0]}",
    )


def scale(c: Check) -> None:
    """Checks constant multipliers and shifts of RESCALE: the REQUIREs of apply_scale_32 and apply_scale_16 (4.5.5)."""
    multipliers, shifts = c.constant(1), c.constant(2)
    if multipliers and min(multipliers) < 0:
        c.require(False, "multiplier >= 0", multiplier=min(multipliers))
    if shifts and not 2 <= min(shifts) <= max(shifts) <= 62:
        c.require(False, "2 <= shift && shift <= 62", smallest=min(shifts), largest=max(shifts))
