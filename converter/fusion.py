"""Groups of operators that run together, block by block, so that what lies between them never leaves the cache.

A group is one operator whose result others read, and before it pointwise operators of the same shape whose results only
the group reads; the first may be a convolution or another operator that makes its output in blocks. As just one
value leaves a group, groups can't wait for each other in a circle, and each runs where its last operator stands.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.ir import Array, Graph, Op, Value
from tosa_converter.kernels import BLOCKWISE, POINTWISE
from tosa_converter.kernels_base import BLOCK, Blocks, Blockwise, Index, row_blocks
from tosa_converter.schemas.tosa_ops import BY_OPCODE


def groups(ops: Sequence[Op], kept: Collection[Value], *, precise: bool = False) -> list[list[Op]]:
    """Every operator once, in groups in an order of execution; the values in `kept` are to be results of groups."""
    users = Graph("", ops=list(ops)).uses()
    leader: dict[Op, Op] = {}
    members: dict[Op, list[Op]] = {}
    rooted: set[Op] = set()
    for op in reversed(ops):
        row = BY_OPCODE[op.name]
        blockwise = row in BLOCKWISE and not precise
        joined = _common_leader(op, users, leader, kept) if row in POINTWISE or blockwise else None
        if joined is None or (blockwise and joined in rooted):
            joined = op
        leader[op] = joined
        members.setdefault(joined, []).append(op)
        if blockwise:
            rooted.add(joined)
    return [members[op][::-1] for op in ops if leader[op] is op]


def _common_leader(op: Op, users: dict[Value, list[Op]], leader: dict[Op, Op], kept: Collection[Value]) -> Op | None:
    """The last operator of the one group that reads the result of `op`, if it can take `op` in."""
    readers = users.get(op.result, [])
    if op.result in kept or not readers:
        return None
    first = leader[readers[0]]
    for reader in readers:
        row = BY_OPCODE[reader.name]
        if leader[reader] is not first or row not in POINTWISE or op.result in reader.operands[POINTWISE[row] :]:
            return None
    return first if first.result.type.shape == op.result.type.shape else None


class _Member(NamedTuple):
    function: Callable[..., Any]
    operands: tuple[
        tuple[bool, int], ...
    ]  # (made by a member, its position) or (an operand of the group, its position)


@dataclass(slots=True)
class Group:
    """The operators of a group bound to their kernels: a function of `operands` that makes one array."""

    operands: list[Value]
    shape: tuple[int, ...]
    size: int
    dtype: "np.dtype[Any]"
    root: Blockwise | None
    root_operands: tuple[int, ...]
    members: list[_Member]
    data: list[bool]  # which operands follow the shape of the output, by broadcast; the others are parameters

    @classmethod
    def bind(cls, ops: Sequence[Op], bind: Callable[[Op], Callable[..., Any]], dtype: "np.dtype[Any]") -> "Group":
        """Bind the operators of one group; its root, which reads none of the others, makes the first array."""
        last = ops[-1]
        ops = sorted(ops, key=lambda op: BY_OPCODE[op.name] in POINTWISE)
        made: dict[Value, int] = {}
        group = cls([], last.result.type.static, last.result.type.elements, dtype, None, (), [], [])
        for op in ops:
            function, row = bind(op), BY_OPCODE[op.name]
            if row not in POINTWISE:
                assert isinstance(function, Blockwise)
                group.root = function
                group.root_operands = tuple(group._operand(value, False) for value in op.operands)
            else:
                sources = tuple(
                    (True, made[value]) if value in made else (False, group._operand(value, i < POINTWISE[row]))
                    for i, value in enumerate(op.operands)
                )
                group.members.append(_Member(function, sources))
            made[op.result] = len(made)
        return group

    def _operand(self, value: Value, data: bool) -> int:
        for i, known in enumerate(self.operands):
            if known is value and self.data[i] == data:
                return i
        self.operands.append(value)
        self.data.append(data)
        return len(self.operands) - 1

    def __call__(self, *inputs: Array) -> Array:
        """The whole output."""
        if self.root is None and self.size <= BLOCK:
            return self._chain([], inputs)
        if self.root is not None and self.root.single:
            return self._chain([self.root(*(inputs[i] for i in self.root_operands))], inputs)
        out = np.empty(self.shape, self.dtype)
        inputs = tuple(self._widened(x) if data else x for x, data in zip(inputs, self.data, strict=True))
        for index, made in self._starts(inputs):
            cut = [self._cut(x, index) if data else x for x, data in zip(inputs, self.data, strict=True)]
            out[index] = self._chain(made, cut)
        return out

    def _widened(self, x: Array) -> Array:
        """An operand over the channels only, repeated over the axis before: long rows make fast loops."""
        if x.ndim < 2 or x.shape[-1] == 1 or x.size != x.shape[-1] or self.shape[-2] == 1:
            return x
        return np.ascontiguousarray(np.broadcast_to(x, (*x.shape[:-2], self.shape[-2], x.shape[-1])))

    def _starts(self, inputs: Sequence[Array]) -> Iterator[tuple[Index, list[Array]]]:
        """The blocks, each with what the root made of it."""
        if self.root is None:
            for index in row_blocks(self.shape):
                yield index, []
            return
        blocks: Blocks = self.root.blocks(*(inputs[i] for i in self.root_operands))
        for index, block in blocks:
            yield index, [block]

    def _cut(self, x: Array, index: Index) -> Array:
        if x.shape != self.shape:  # broadcast: an axis of one element is whole in every block
            index = tuple(slice(None) if size == 1 else part for size, part in zip(x.shape, index, strict=False))
        return x[index]

    def _chain(self, made: list[Array], inputs: Sequence[Array]) -> Array:
        for function, operands in self.members:
            made.append(np.asarray(function(*(made[i] if own else inputs[i] for own, i in operands))))
        return made[-1]
