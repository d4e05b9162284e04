"""Operands that TOSA needs at compile time: constants, or the shapes that the file states in their place."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Shape
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.reasons import Decline


def held_in_32_bits(match: Match, result: Expr) -> Expr:
    """Returns `result` as it is; notes once if it is i64 in the source, as it is computed in 32 bits.

    Constants need no note.
    """
    if match.op.results[0].type.dtype is DType.I64 and result.constant is None:
        match.note_once("64-bit integers are computed in 32 bits from here on; results beyond are unpredictable")
    return result


def at_run_time(match: Match, key: Key) -> bool:
    """Returns whether an operand of the matched operator has no constant value, in the source or once converted."""
    return match.source(key).constant is None and match[key].constant is None


def constant_int(match: Match, key: Key) -> int:
    """Returns the only element of a constant operand.

    Raises:
        Decline: the operand isn't constant, or has more elements.
    """
    elements = _require_constant(match, key)
    if elements.size != 1:
        raise Decline(f"operand {key} must have one element, found shape {list(elements.shape)}")
    return int(elements.reshape(-1)[0])


def constant_ints(match: Match, key: Key) -> list[int]:
    """Returns the elements of a constant operand as integers.

    Raises:
        Decline: the operand isn't constant.
    """
    return [int(element) for element in _require_constant(match, key).reshape(-1)]


def _require_constant(match: Match, key: Key) -> Array:
    """Returns the elements of a constant operand; declines the operator if it isn't constant."""
    try:
        return match.constant(key)
    except Decline as not_constant:
        raise Decline(f"{not_constant}: TOSA needs this value at compile time") from None


def stated_shape(match: Match, key: Key, rank: int, result: int = 0) -> list[int]:
    """Returns the shape that the source file declares for a result, and adds a note of that.

    It stands in for a run-time operand: `key` names that in messages, `rank` is the rank that the shape must have, and
    `result` the number of the result.

    Raises:
        Decline: the file declares no complete shape of this rank, or the user's input shapes change an operand's shape.
    """
    shape, name = match.op.results[result].type.shape, match.source(key).name
    sizes = [size for size in shape if size]
    if len(sizes) != len(shape) or len(sizes) != rank:
        stated = "none" if not shape else f"[{', '.join('?' if size is None else str(size) for size in shape)}]"
        raise Decline(
            f"operand {key} ({name!r}) must be constant, or the file must state the result's shape of rank {rank}: "
            f"found {stated}"
        )
    # The user may give inputs other shapes than the file declares; its result shapes no longer hold then.
    for operand, shape_now in zip(match.op.inputs, match.shapes, strict=True):
        if operand is not None and shape_now is not None and not _matches_declared_shape(operand.type.shape, shape_now):
            raise Decline(
                f"operand {key} ({name!r}) must be constant: the file states the result's shape for operands of other "
                "shapes"
            )
    match.note(
        f"{name!r} is known at run time only: the result has the shape that the file states, {sizes}, "
        "also for values that contradict it"
    )
    return sizes


def _matches_declared_shape(stated: Shape, shape: Shape) -> bool:
    """Returns whether an operand has the shape that the file declares, where None is any size and [] any shape."""
    if not stated:
        return True
    return len(stated) == len(shape) and all(old in (None, size) for old, size in zip(stated, shape, strict=True))


def result_sizes(match: Match, key: Key) -> list[int]:
    """Returns the first result's sizes: the constant operand `key`, or else the shape that the file declares.

    Raises:
        Decline: the operand isn't constant, and the file states no shape.
    """
    return stated_shape(match, key, match[key].size) if at_run_time(match, key) else constant_ints(match, key)


def result_size(match: Match, key: Key, rank: int, axis: int) -> int:
    """Returns the first result's size along an axis: the constant operand `key`, or else what the file declares.

    `rank` is the result's.

    Raises:
        Decline: the operand isn't constant, and the file states no shape.
    """
    if not at_run_time(match, key):
        return constant_int(match, key)
    return stated_shape(match, key, rank)[normalized_axis(axis, rank)]


def image_size(match: Match, key: Key) -> tuple[int, int]:
    """Returns the height and width of the result: the constant operand `key`, or else the sizes that the file declares.

    Raises:
        Decline: there are not two sizes of at least 1.
    """
    size: Sequence[int] = stated_shape(match, key, 4)[1:3] if at_run_time(match, key) else constant_ints(match, key)
    if len(size) != 2 or min(size) < 1:
        raise Decline(f"expected a height and a width of at least 1, found {list(size)}")
    return size[0], size[1]
