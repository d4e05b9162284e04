"""Groups operators that run together, block by block, so that the values between them stay in the cache.

A group is an operator, and before it pointwise operators of the same shape whose results only the group reads; the
first may be a convolution or another operator that computes its output in blocks. Only the last result of a group is
read by others, so groups never depend on each other in a circle, and a group runs at the place of its last operator.
"""

from collections.abc import Collection, Sequence

from tosa_converter.ir import Graph, Op, Value


def find_groups(ops: Sequence[Op], results: Collection[Value]) -> list[list[Op]]:
    """Groups operators that run together; returns the groups in an order of execution.

    A group ends with the only result that others read; each of `results` is the result of a group. Operators are
    visited from last to first, and each joins the group of its readers if it can. A group has at most one operator that
    isn't pointwise.
    """
    users = Graph("", ops=list(ops)).uses()
    leader: dict[Op, Op] = {}
    members: dict[Op, list[Op]] = {}
    with_root: set[Op] = set()
    # Readers come after what they read, so from last to first the groups of all readers are known.
    for op in reversed(ops):
        blockwise = op.row.blockwise
        last = _common_leader(op, users, leader, results) if op.row.elementwise or blockwise else None
        if last is None or (blockwise and last in with_root):
            last = op
        leader[op] = last
        members.setdefault(last, []).append(op)
        if blockwise:
            with_root.add(last)
    # Members were collected from last to first. A group runs at its last operator, behind all that it reads.
    return [members[op][::-1] for op in ops if leader[op] is op]


def _common_leader(op: Op, users: dict[Value, list[Op]], leader: dict[Op, Op], results: Collection[Value]) -> Op | None:
    """Returns the last operator of the group that `op` can join, or None: that group alone must read its result.

    `leader` has the last operator of each later operator's group. Readers must read the result as data, element by
    element, not as a parameter such as a zero point. `users` has the readers of each value, `results` the values that a
    run returns.
    """
    readers = users.get(op.result, [])
    if op.result in results or not readers:
        return None
    last = leader[readers[0]]
    for reader in readers:
        data_operands = reader.row.elementwise
        if leader[reader] is not last or not data_operands or op.result in reader.operands[data_operands:]:
            return None
    return last if last.result.type.shape == op.result.type.shape else None
