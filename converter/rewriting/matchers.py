"""Matchers: what rules ask of the operators around the one that they start from, beyond a fixed pattern."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tosa_converter.ir import Op, Value
from tosa_converter.rewriting.reasons import Decline

MOST_OPERATORS = 32


class Island(NamedTuple):
    """Operators that depend on one value and on constants of one element."""

    source: Value
    ops: tuple[Op, ...]  # each behind those that make its operands


def island(
    op: Op,
    is_member: Callable[[Op], bool],
    readers_of: Callable[[Value], int] | None = None,
    most: int = MOST_OPERATORS,
) -> Island:
    """Returns the largest island that ends with an operator.

    Args:
        op: is a member, whatever `is_member` says.
        is_member: whether an operator, which computes element by element, may be one.
        readers_of: how many operands and outputs of the graph a value is: no value between the source and the last
            operator is read by anything else. None: other operators may read them.
        most: how many operators it may have.

    Raises:
        Decline: the operator depends on several values, on none, or on a constant of several elements.

    Example:
        `MUL(x, LOGISTIC(x))` has the source x. With x = ADD(a, 3), that nothing else reads, the source is a.
    """
    counted = readers_of or _uses(op, is_member, most)
    ops, uses = [op], Counter(_variables(op))
    largest = Island(op.results[0], ())
    while True:
        if len(uses) == 1:
            largest = Island(next(iter(uses)), tuple(reversed(ops)))
        # A value whose readers are all members is made by the next member; the others are read elsewhere, or by
        # operators in front of which a member stands that isn't reached yet.
        inner = next((x for x, count in uses.items() if count == counted(x) and _is_inner(x, is_member)), None)
        if inner is None or inner.producer is None or len(ops) == most:
            break
        ops.append(inner.producer)
        del uses[inner]
        uses.update(_variables(inner.producer))
    if not largest.ops:
        raise Decline(f"the operators in front of it depend on {len(uses)} values: expected one")
    return largest


def _is_inner(value: Value, is_member: Callable[[Op], bool]) -> bool:
    """Returns whether a value may be inside of an island."""
    op = value.producer
    return op is not None and is_member(op) and len(op.results) == 1 and _has_small_constants(op)


def _has_small_constants(op: Op) -> bool:
    """Returns whether an operator's constants have one element."""
    return all(x.constant is None or x.type.elements == 1 for x in op.operands)


def _variables(op: Op) -> list[Value]:
    """Returns the operands that aren't constants of one element."""
    return [x for x in op.operands if x.constant is None or x.type.elements != 1]


def _uses(op: Op, is_member: Callable[[Op], bool], most: int) -> Callable[[Value], int]:
    """Returns a function that counts the readers of a value among an operator and the members in front of it."""
    uses: Counter[Value] = Counter()
    ops, waiting = {op}, [op]
    while waiting and len(ops) <= most:
        operands = _variables(waiting.pop())
        uses.update(operands)
        for value in operands:
            producer = value.producer
            if producer is not None and producer not in ops and _is_inner(value, is_member):
                ops.add(producer)
                waiting.append(producer)
    return uses.__getitem__
