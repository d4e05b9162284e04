"""Matchers: functions that find groups of operators around an operator where no fixed pattern can."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tosa_converter.ir import Op, Value
from tosa_converter.rewriting.reasons import Decline

MOST_OPERATORS = 32


class ElementwiseGroup(NamedTuple):
    """Elementwise operators that together depend on one value, and on constants of one element.

    Attributes:
        source: the value.
        ops: the operators, each behind those that compute its operands.
    """

    source: Value
    ops: tuple[Op, ...]


def find_elementwise_group(
    op: Op,
    is_member: Callable[[Op], bool],
    readers_of: Callable[[Value], int] | None = None,
    most: int = MOST_OPERATORS,
) -> ElementwiseGroup:
    """Returns the largest group of elementwise operators that ends with `op` and depends on one value.

    The search walks back from the operator, and ends at `most` members. An operator joins once all readers of its
    result are members. Whenever the members depend on a single value, they are the largest group so far.

    Args:
        op: the last operator; always a member.
        is_member: whether an elementwise operator may be a member.
        readers_of: returns how many operands and graph outputs a value is, so that no value inside the group is read
            outside. With None only readers in the group count, and others may exist.
        most: the largest number of members.

    Raises:
        Decline: the operator depends on several values, on none, or on a constant of several elements.

    Example:
        `MUL(x, LOGISTIC(x))` has the source x. If x is ADD(a, 3), and nothing else reads it, the source is a.
    """
    count_readers = readers_of or _count_readers(op, is_member, most)
    ops, uses = [op], Counter(_non_scalar_operands(op))
    largest = ElementwiseGroup(op.results[0], ())
    # Each round adds an operator, so there are at most `most`. MUL(x, LOGISTIC(x)): first the members depend on x and
    # on the LOGISTIC's result, two values; once LOGISTIC has joined, on x alone, and x isn't computed by a member.
    while True:
        if len(uses) == 1:
            largest = ElementwiseGroup(next(iter(uses)), tuple(reversed(ops)))
        # A value that only members read is computed by the next member. Any other value is read outside, or by an
        # operator that may join later: in MUL(x, LOGISTIC(x)), x has one member as reader until LOGISTIC joins.
        inner = next((x for x, count in uses.items() if count == count_readers(x) and _is_inner(x, is_member)), None)
        if inner is None or inner.producer is None or len(ops) == most:
            break
        ops.append(inner.producer)
        del uses[inner]
        uses.update(_non_scalar_operands(inner.producer))
    if not largest.ops:
        raise Decline(f"expected operators that depend on one value, found {len(uses)} values")
    return largest


def _is_inner(value: Value, is_member: Callable[[Op], bool]) -> bool:
    """Returns whether a value may lie inside a group: whether its producer may be a member of the group."""
    op = value.producer
    return op is not None and is_member(op) and len(op.results) == 1 and _has_small_constants(op)


def _has_small_constants(op: Op) -> bool:
    """Returns whether all constants of an operator have one element."""
    return all(x.constant is None or x.type.elements == 1 for x in op.operands)


def _non_scalar_operands(op: Op) -> list[Value]:
    """Returns the operands of an operator that aren't constants of one element."""
    return [x for x in op.operands if x.constant is None or x.type.elements != 1]


def _count_readers(op: Op, is_member: Callable[[Op], bool], most: int) -> Callable[[Value], int]:
    """Returns a function that counts a value's readers among an operator and those before it that may be members.

    It walks back over up to `most` of these operators.
    """
    uses: Counter[Value] = Counter()
    ops, waiting = {op}, [op]
    while waiting and len(ops) <= most:
        operands = _non_scalar_operands(waiting.pop())
        uses.update(operands)
        for value in operands:
            producer = value.producer
            if producer is not None and producer not in ops and _is_inner(value, is_member):
                ops.add(producer)
                waiting.append(producer)
    return uses.__getitem__
