"""Shape rules of the operators of EXT-SHAPE (TOSA 1.1), and the elements of their results: integers for each size."""

from collections.abc import Callable, Sequence
from operator import add, floordiv, mod, mul, sub
from typing import NamedTuple

from tosa_converter.rules.conditions import Check, Shapes, Sizes
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

LENGTH_OUTPUT = "length(output) != length of the computed shape"
CONCAT_OUTPUT = "length(output) != sum(length(input[k]) for all k)"
FITS = "the result fits tensor_size_t"
_SIZE_LIMIT = 1 << 63  # tensor_size_t of level none; level 8K bounds tensors, which are checked where they are made


class ElementFormula(NamedTuple):
    """How an operator of EXT-SHAPE computes each element: a function of one or two integers, and its REQUIREs.

    `requires` has the text of each condition and the function of the same integers that tells whether it holds.
    """

    compute: Callable[..., int]
    requires: tuple[tuple[str, Callable[..., bool]], ...] = ()


_DIVISIBLE = (("input1[index] >= 0", lambda a, _b: a >= 0), ("input2[index] >= 1", lambda _a, b: b >= 1))
_POSITIVE = (("input[index] >= 1", lambda a: a >= 1),)
# 2 to the power 62 is the largest one that 64 bits hold with a sign.
_EXPONENT = (("input[index] >= 0", lambda a: a >= 0), ("input[index] < MAX_LOG2_SIZE", lambda a: a < 63))

ELEMENTWISE: dict[OpDef, ElementFormula] = {
    ops.ADD_SHAPE: ElementFormula(add),
    ops.SUB_SHAPE: ElementFormula(sub),
    ops.MUL_SHAPE: ElementFormula(mul),
    ops.EXP2_SHAPE: ElementFormula(lambda a: 1 << a, _EXPONENT),
    # 5 - 1 = 4 has 3 bits, and 5 lies between 2**2 and 2**3; 4 - 1 = 3 has 2 bits, and 4 is 2**2.
    ops.LOG2_CEIL_SHAPE: ElementFormula(lambda a: (a - 1).bit_length(), _POSITIVE),
    ops.LOG2_FLOOR_SHAPE: ElementFormula(lambda a: a.bit_length() - 1, _POSITIVE),
    ops.MAX_SHAPE: ElementFormula(max),
    ops.MIN_SHAPE: ElementFormula(min),
    ops.MOD_SHAPE: ElementFormula(mod, _DIVISIBLE),
    # Python divides towards minus infinity: 7 by 2 is 3, and -(-7 // 2) is 4.
    ops.DIV_CEIL_SHAPE: ElementFormula(lambda a, b: -(-a // b), _DIVISIBLE),
    ops.DIV_FLOOR_SHAPE: ElementFormula(floordiv, _DIVISIBLE),
}


def find_violation(row: OpDef, *elements: int) -> str:
    """Returns the REQUIRE that one element of each operand of an elementwise shape operator violates; "" if none."""
    formula = ELEMENTWISE[row]
    for condition, holds in formula.requires:
        if not holds(*elements):
            return condition
    return "" if -_SIZE_LIMIT <= formula.compute(*elements) < _SIZE_LIMIT else FITS


def compute_elements(row: OpDef, *operands: Sequence[int]) -> list[int]:
    """Returns the elements of the result of an elementwise shape operator, whose REQUIREs must hold."""
    return [ELEMENTWISE[row].compute(*elements) for elements in zip(*operands, strict=True)]


def result_elements(c: Check) -> list[int] | None:
    """Returns the elements of the result of an operator of EXT-SHAPE; None if its operands or REQUIREs leave them open.

    The operator's lengths and indices must have been checked.
    """
    if c.row is ops.DIM:
        value = c.inputs[0]
        size = None if value is None else value.type.shape[c.attribute("axis")]
        return None if size is None else [size]
    constants = [c.constant(index) for index in range(len(c.inputs))]
    operands = [elements for elements in constants if elements is not None]
    if len(operands) < len(constants):
        return None
    if c.row is ops.CONCAT_SHAPE:
        return [element for elements in operands for element in elements]
    if c.row is ops.SLICE_SHAPE:
        elements, (start,), (size,) = operands
        return elements[start : start + size]
    if any(find_violation(c.row, *elements) for elements in zip(*operands, strict=True)):
        return None
    return compute_elements(c.row, *operands)


def dim(c: Check, shape: Sizes) -> Shapes:
    """Checks DIM, whose axis must exist; returns the type's shape of its result, a shape of one element."""
    c.axis(len(shape), "rank(shape)")
    return ((1,),)


def elementwise(c: Check, length: Sizes, *second: Sizes) -> Shapes:
    """Checks an operator of EXT-SHAPE on one shape or on two of equal length; returns the length of its result."""
    for other, name in zip((length, *second), ("input1", "input2"), strict=False):
        c.level_check(other[0], "MAX_SHAPE_LEN", f"length({name if second else 'input'})")
    _require_equal_lengths(c, length, *second)
    operands = [c.constant(index) for index in range(len(c.inputs))]
    for elements in zip(*(constant or () for constant in operands), strict=False):
        condition = find_violation(c.row, *elements)
        if condition:
            c.require(False, condition, elements=elements)
    return (length,)


def assert_equal_shape(c: Check, length: Sizes, other: Sizes) -> Shapes:
    """Checks ASSERT_EQUAL_SHAPE, whose shapes must be equal or, with allow_broadcast, broadcast; it has no result."""
    for name, size in (("input1", length), ("input2", other)):
        c.level_check(size[0], "MAX_SHAPE_LEN", f"length({name})")
    _require_equal_lengths(c, length, other)
    first, second = c.constant(0), c.constant(1)
    allow_broadcast = c.attribute("allow_broadcast")
    if first is not None and second is not None and not shapes_agree(first, second, allow_broadcast):
        condition = "input2[index] != 1 && input2[index] != input1[index]" if allow_broadcast else ""
        c.problem("error", condition or "input1[index] != input2[index]", f"{first} and {second}")
    return ()


def shapes_agree(first: Sequence[int], second: Sequence[int], allow_broadcast: bool) -> bool:
    """Returns whether two shapes of equal length are equal; with `allow_broadcast` a size of 1 agrees with any."""
    return all(a == b or (allow_broadcast and 1 in (a, b)) for a, b in zip(first, second, strict=True))


def concat_shape(c: Check, *lengths: Sizes) -> Shapes:
    """Checks CONCAT_SHAPE, which needs at least one shape, none of them empty; returns the sum of their lengths."""
    c.error_if(not lengths, "input == []")
    c.level_check(len(lengths), "MAX_TENSOR_LIST_SIZE", "length(input)")
    c.error_if((0,) in lengths, "input[i] == []", lengths=tuple(length for (length,) in lengths))
    total = sum(length for (length,) in lengths)
    c.level_check(total, "MAX_SHAPE_LEN", "length(output)")
    return ((total,),)


def slice_shape(c: Check, length: Sizes, _start: Sizes, _size: Sizes) -> Shapes:
    """Checks SLICE_SHAPE, which must stay within its operand; returns its result's length, unknown if not constant."""
    c.level_check(length[0], "MAX_SHAPE_LEN", "length(input)")
    start, size = c.constant(1), c.constant(2)
    if start is not None and start[0] < 0:
        c.stop("error", "start_value < 0", f"start_value = {start[0]}")
    if size is None:
        return ((None,),)
    if size[0] <= 0:
        c.stop("error", "size_value <= 0", f"size_value = {size[0]}")
    if start is not None and start[0] + size[0] > length[0]:
        finding = f"start_value = {start[0]}, size_value = {size[0]}, length(input) = {length[0]}"
        c.stop("error", "start_value + size_value > length(input)", finding)
    return ((size[0],),)


def _require_equal_lengths(c: Check, length: Sizes, *lengths: Sizes) -> None:
    """Ends the check of a shape operator if its operands differ in length."""
    for other in lengths:
        if other != length:
            c.stop("error", "length(input1) != length(input2)", f"{length[0]} and {other[0]}")
