"""Which operators run together, block by block, so that what lies between them never leaves the cache.

A group is one operator whose result others read, and before it pointwise operators of the same shape whose results only
the group reads; the first may be a convolution or another operator that makes its output in blocks. As just one
value leaves a group, groups can't wait for each other in a circle, and each runs where its last operator stands.
"""

from collections.abc import Collection, Sequence

from tosa_converter.ir import Graph, Op, Value


def groups(ops: Sequence[Op], results: Collection[Value]) -> list[list[Op]]:
    """Returns every operator once, in groups in an order of execution; the values `results` are results of groups."""
    users = Graph("", ops=list(ops)).uses()
    leader: dict[Op, Op] = {}
    members: dict[Op, list[Op]] = {}
    rooted: set[Op] = set()
    for op in reversed(ops):
        blockwise = op.row.blockwise
        joined = _common_leader(op, users, leader, results) if op.row.elementwise or blockwise else None
        if joined is None or (blockwise and joined in rooted):
            joined = op
        leader[op] = joined
        members.setdefault(joined, []).append(op)
        if blockwise:
            rooted.add(joined)
    return [members[op][::-1] for op in ops if leader[op] is op]


def _common_leader(op: Op, users: dict[Value, list[Op]], leader: dict[Op, Op], results: Collection[Value]) -> Op | None:
    """Returns the last operator of the one group that reads the result of `op`, if it can take `op` in."""
    readers = users.get(op.result, [])
    if op.result in results or not readers:
        return None
    first = leader[readers[0]]
    for reader in readers:
        data = reader.row.elementwise
        if leader[reader] is not first or not data or op.result in reader.operands[data:]:
            return None
    return first if first.result.type.shape == op.result.type.shape else None
