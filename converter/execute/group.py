"""Runs the operators of a group together, block by block; `fuse` forms the groups."""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.fast.base import BLOCK, BlockwiseKernel, Index, PlanContext, row_blocks
from tosa_converter.execute.fast.convolution import ConvolutionKernel
from tosa_converter.execute.fast.lookup import Member, replace_by_tables
from tosa_converter.execute.fast.rescale import rescaler_of_sums
from tosa_converter.execute.scalars import bind_scalar_chain
from tosa_converter.ir import Array, Op, Value
from tosa_converter.schemas.tosa_ops import RESCALE

_Register: TypeAlias = tuple[int, int]  # which part of the registers, and the place there


class Group:
    """A group of operators as one function of the arrays of `operands`.

    The root is the operator that isn't pointwise, if there is one; the members are the pointwise operators after it.
    The values are registers of a list, in this order: the operands, constants of one element, the root's result, each
    member's result. Operands that broadcast to the shape of the output are cut into blocks; the others are parameters.
    """

    def __init__(self, ops: Sequence[Op], bind: Callable[[Op], Kernel], plan_context: PlanContext) -> None:
        """Binds the kernels of a group of operators, which run as one function, block by block if the arrays are large.

        `bind` returns an operator's kernel, and `plan_context` tells which values are constant. Every value gets a
        register: its position in the list of values that the kernels read and append to.
        """
        result = ops[-1].result
        self.shape = result.type.static
        self.dtype = result.type.dtype.numpy
        self.operands: list[Value] = []
        self.is_data: list[bool] = []
        self.root: BlockwiseKernel | None = None
        root, pointwise = _find_root(ops), [op for op in ops if op.row.elementwise]
        registers: dict[Value, int] = {}
        if root is not None:
            last = self._set_root(root, bind, pointwise, plan_context)
            registers[last.result] = 0
            pointwise = [op for op in pointwise if op is not last]
        members = replace_by_tables([_bind_member(op, bind) for op in pointwise], plan_context.constant)
        registers |= {member.op.result: i + len(registers) for i, member in enumerate(members)}
        self.scalars: list[Array] = []
        sources = [
            [self._find_or_add_register(v, i, x, registers, plan_context) for i, v in enumerate(x.operands)]
            for x in members
        ]
        # A register is (part, position in the part); the parts follow each other in the list of values.
        starts = 0, len(self.operands), len(self.operands) + len(self.scalars)
        self.members = [
            (keep_rank_0(len(self.shape), x.function), element_picker([starts[kind] + i for kind, i in places]))
            for x, places in zip(members, sources, strict=True)
        ]
        if root is not None and not members:
            self.operands = list(root.operands)
        self.runs_whole = result.type.elements <= BLOCK if self.root is None else self.root.is_one_block
        chained = not plan_context.check and root is None
        self.scalar = bind_scalar_chain(pointwise, self.operands, plan_context.constant) if chained else None

    def _set_root(self, op: Op, bind: Callable[[Op], Kernel], members: Sequence[Op], plan_context: PlanContext) -> Op:
        """Binds the operator that isn't pointwise (root); returns the last operator that its kernel computes.

        That is the RESCALE among `members`, the group's pointwise operators, if the two can be fused, else the root
        itself.
        """
        bound = bind(op)
        function = bound if isinstance(bound, BlockwiseKernel) else _OneBlockKernel(bound)
        self.root_pick = element_picker([self._find_or_add_operand(value, data=False) for value in op.operands])
        fused = _fuse_rescale(function, op, members, plan_context)
        self.root, last = (function, op) if fused is None else fused
        return last

    def _find_or_add_register(
        self, value: Value, position: int, reader: Member, registers: dict[Value, int], plan_context: PlanContext
    ) -> _Register:
        """Returns the register of operand `position` of the operator `reader`, as (part, position in the part).

        Part 2 has the results of the group's operators, which are in `registers`. Part 1 has constants of one element,
        beside an operand that gives the result its shape. Part 0 has the group's operands, to which a new value is
        added.
        """
        if value in registers:
            return 2, registers[value]
        constant = plan_context.constant(value) if position < reader.data_count else None
        if constant is not None and constant.size == 1 and _follows_another_operand(reader, value):
            self.scalars.append(constant.reshape(()))  # of rank 0 it costs a third of the time
            return 1, len(self.scalars) - 1
        return 0, self._find_or_add_operand(value, data=position < reader.data_count)

    def _find_or_add_operand(self, value: Value, *, data: bool) -> int:
        """Returns the position of a value among the group's operands; adds it if it is new.

        As `data` it is cut into blocks; otherwise it is a parameter, which every block reads whole. One value may be
        both.
        """
        for i, operand in enumerate(self.operands):
            if operand is value and self.is_data[i] == data:
                return i
        self.operands.append(value)
        self.is_data.append(data)
        return len(self.operands) - 1

    @property
    def function(self) -> Kernel:
        """The fastest function that runs the group; a lone kernel is the function itself.

        A chain of i32 operators on single elements runs on Python's integers. Other groups run on whole arrays if these
        are small or the root can't compute in blocks, else block by block.
        """
        if self.root is not None and not self.members:
            return self.root
        if self.scalar is not None:
            return self.scalar
        if self.root is None and self.runs_whole and len(self.members) == 1 and not self.scalars:
            # The member itself is the function if it takes the group's operands in their order.
            function, pick = self.members[0]
            if list(pick(range(len(self.operands)))) == list(range(len(self.operands))):
                return function
        return self._run_whole if self.runs_whole else self._run_blockwise

    def _run_whole(self, *inputs: Array) -> Array:
        """Runs the group on whole arrays; returns the last operator's result.

        The root, the one operator that isn't pointwise, runs first, if there is one.
        """
        values = [*inputs, *self.scalars]
        if self.root is not None:
            values.append(self.root(*self.root_pick(inputs)))
        return self._run_members(values)

    def _run_blockwise(self, *inputs: Array) -> Array:
        """Runs the group block by block, so that values stay in the cache; returns the whole result.

        Each block has its part of the operands that broadcast to the result, other operands whole, and the root's
        block.
        """
        out = np.empty(self.shape, self.dtype)
        inputs = tuple(self._repeat_channels(x) if data else x for x, data in zip(inputs, self.is_data, strict=True))
        for index, root_block in self._root_blocks(inputs):
            cut = [self._slice_operand(x, index) if data else x for x, data in zip(inputs, self.is_data, strict=True)]
            out[index] = self._run_members([*cut, *self.scalars, *root_block])
        return out

    def _run_members(self, values: list[Array]) -> Array:
        """Runs the pointwise operators in order and appends their results to `values`; returns the last result."""
        for function, pick in self.members:
            values.append(function(*pick(values)))
        return values[-1]

    def _repeat_channels(self, x: Array) -> Array:
        """Repeats an operand that varies over the channels only along the axis before: long loops are faster."""
        if x.ndim < 2 or x.shape[-1] == 1 or x.size != x.shape[-1] or self.shape[-2] == 1:
            return x
        # [1, 1, 1, 64] beside an output [1, 56, 56, 64] becomes [1, 1, 56, 64]: loops of 3584 elements instead of 64.
        return np.ascontiguousarray(np.broadcast_to(x, (*x.shape[:-2], self.shape[-2], x.shape[-1])))

    def _root_blocks(self, inputs: Sequence[Array]) -> Iterator[tuple[Index, list[Array]]]:
        """Yields each block of the output as an index and [the result of the root there], or [] without a root.

        The root is the group's operator that isn't pointwise.
        """
        if self.root is None:
            for index in row_blocks(self.shape):
                yield index, []
            return
        for index, block in self.root.blocks(*self.root_pick(inputs)):
            yield index, [block]

    def _slice_operand(self, x: Array, index: Index) -> Array:
        """Returns the part of an operand that one block of the output reads; axes that broadcast stay whole."""
        if x.shape != self.shape:  # broadcast: an axis of one element is whole in every block
            index = tuple(slice(None) if size == 1 else part for size, part in zip(x.shape, index, strict=False))
        return x[index]


class _OneBlockKernel(BlockwiseKernel):
    """Wraps a kernel that can't compute in blocks, so that it can be a group's root: its one block is the output."""

    def __init__(self, run: Callable[..., Any]) -> None:
        """Creates a kernel of one block from `run`, a function of whole arrays that can't compute in blocks."""
        self.run = run
        self.is_one_block = True

    def __call__(self, *inputs: Array) -> Array:
        """Runs the kernel on whole arrays; returns the whole output."""
        return np.asarray(self.run(*inputs))


def _find_root(ops: Sequence[Op]) -> Op | None:
    """Returns the operator of a group that isn't pointwise, or None."""
    return next((op for op in ops if not op.row.elementwise), None)


def _fuse_rescale(
    root: BlockwiseKernel, op: Op, members: Sequence[Op], plan_context: PlanContext
) -> tuple[BlockwiseKernel, Op] | None:
    """Returns a convolution's kernel fused with the RESCALE that alone reads its sums, and that RESCALE.

    None if there is no such RESCALE, or its result in fp64 isn't proved exact.
    """
    readers = [member for member in members if op.result in member.operands]
    if not isinstance(root, ConvolutionKernel) or len(readers) != 1 or readers[0].row is not RESCALE:
        return None
    sums = root.bias_and_peak()
    rescaler = rescaler_of_sums(readers[0], plan_context, *sums) if sums is not None else None
    return None if rescaler is None else (root.with_rescaler(rescaler), readers[0])


def _follows_another_operand(reader: Member, value: Value) -> bool:
    """Returns whether an operand other than `value`, a constant of one element, has the result's shape.

    Then `value` may be a scalar for numpy: the result's shape stays.
    """
    rest = [x for x in reader.operands[: reader.data_count] if x is not value]
    return any(x.type.shape == reader.op.result.type.shape for x in rest)


def _bind_member(op: Op, bind: Callable[[Op], Kernel]) -> Member:
    """Returns a pointwise operator with its bound kernel, its operands, and how many of these are data.

    The others are parameters, such as shifts and zero points. `bind` returns an operator's kernel.
    """
    return Member(op, bind(op), tuple(op.operands), op.row.elementwise)


def element_picker(positions: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Returns a function that takes the elements at these positions out of a sequence, faster than a loop."""
    if len(positions) > 1:
        return itemgetter(*positions)
    return itemgetter(slice(positions[0], positions[0] + 1) if positions else slice(0))


def keep_rank_0(rank: int, function: Callable[..., Any]) -> Callable[..., Array]:
    """Returns `function`; for results of rank 0 a version that turns numpy scalars back into arrays."""
    return function if rank else lambda *inputs: np.asarray(function(*inputs))
