"""Holds what all fast kernels use: constant operands, types to compute in and blocks of an output."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.definition.base import Kernel
from tosa_converter.ir import Array, Op, Value


@dataclass(frozen=True, slots=True)
class PlanContext:
    """What kernels may rely on in every run of a graph: whether REQUIREs are checked, and which values are constant.

    Attributes:
        check: whether a REQUIRE that doesn't hold is an error.
        folded: the elements of values that depend on constants only.
    """

    check: bool = True
    folded: Mapping[Value, Array] = field(default_factory=dict, compare=False)

    def constant(self, value: Value) -> Array | None:
        """Returns the elements of a value that is a constant or depends on constants only; None for any other value."""
        folded = self.folded.get(value)
        return value.constant if folded is None else folded


BindKernel: TypeAlias = Callable[[Op, PlanContext], Kernel | None]
Index: TypeAlias = tuple[slice, ...]
Blocks: TypeAlias = Iterator[tuple[Index, Array]]
Prepared = TypeVar("Prepared")

# np.clip and the method `clip` spend more time on their arguments than the ufunc behind them on a short row.
clip: Any = getattr(getattr(np, "_core", None), "umath", np).clip
LEAST_I32, MOST_I32 = DType.I32.limits
BLOCK = 1 << 15  # elements of an output made at a time, so that temporaries stay in the second-level cache


class BlockwiseKernel:
    """A kernel bound to an operator, which can compute its output in blocks: parts cut along the leading axes."""

    is_one_block: bool  # whether the first block is the whole output

    def blocks(self, *inputs: Array) -> Blocks:
        """Yields the output in order in blocks that stay in the cache, each with its index; subclasses define it."""
        raise NotImplementedError

    def __call__(self, *inputs: Array) -> Array:
        """Computes the operator's whole output at once; subclasses define it."""
        raise NotImplementedError


def compute_dtype(dtype: DType) -> "np.dtype[Any]":
    """Returns the numpy type to compute in: fp32 for every float, as narrower ones are rounded once at the end."""
    return np.dtype(np.float32) if dtype.is_float else dtype.numpy


def prepare_once(
    op: Op, plan_context: PlanContext, operands: Sequence[int], build: Callable[..., Prepared]
) -> Callable[[tuple[Array, ...]], Prepared]:
    """Returns a function from all inputs of an operator to what `build` returns for some of them.

    If those are all constant, `build` is called once, in advance, unless it raises UnpredictableError.

    Args:
        op: the operator.
        plan_context: which of its operands are constant.
        operands: the positions of the operands that `build` takes.
        build: computes what a kernel needs of these operands, such as weights in another layout.
    """
    values = [plan_context.constant(value) if (value := op.inputs[i]) is not None else None for i in operands]
    if any(value is None for value in values):
        return lambda inputs: build(*(inputs[i] for i in operands))
    try:
        result = build(*values)
    except UnpredictableError:  # an error only if the operator runs
        return lambda _inputs: build(*values)
    return lambda _inputs: result


def in_compute_dtype(op: Op, function: Callable[..., Array]) -> Kernel:
    """Returns a kernel that applies `function` in the first operand's compute type, rounded once to the result's."""
    first = op.operands[0].type.dtype
    element, work, out = first.numpy, compute_dtype(first), op.result.type.dtype.numpy
    if element == work and op.operands[0].type.dtype is op.result.type.dtype:
        return function
    return lambda *inputs: function(*(x.astype(work, copy=False) for x in inputs)).astype(out, copy=False)


def row_blocks(shape: tuple[int, ...], limit: int = BLOCK) -> Iterator[Index]:
    """Yields the indices of blocks of about `limit` elements, cut along the leading axes; the last axis stays whole.

    An array of fewer than two axes is one block.
    """
    # [4, 1000, 64] with a limit of 32768: an image of 64000 elements is too large, so every image is cut into blocks of
    # 512 rows of 64, the last one of 488.
    if len(shape) < 2:
        yield ()
        return
    rest = int(np.prod(shape[1:]))
    if (rest > limit and shape[0] > 1) or shape[0] == 1:
        for i in range(shape[0]):
            for inner in row_blocks(shape[1:], limit):
                yield (slice(i, i + 1), *inner)
        return
    step = max(1, limit // max(1, rest))
    for start in range(0, shape[0], step):
        yield (slice(start, min(start + step, shape[0])),)


def assemble_blocks(blocks: Blocks, is_one_block: bool, shape: tuple[int, ...], dtype: "np.dtype[Any]") -> Array:
    """Returns the output put together from its blocks; with `is_one_block` the first one is returned as it is."""
    if is_one_block:
        return next(blocks)[1]
    out = np.empty(shape, dtype)
    for index, block in blocks:
        out[index] = block
    return out
