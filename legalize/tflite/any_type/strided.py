"""STRIDED_SLICE: masks, negative strides, and strides that don't divide."""

import math
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.indexing import Block, take
from tosa_converter.legalize.operands import at_run_time, constant_ints, stated_shape
from tosa_converter.legalize.tflite.any_type.stated import amount, part_from
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite


class Step(NamedTuple):
    """What is taken along one dimension of the input; a `size` of None is a dimension that is added."""

    size: int | None
    start: int = 0
    stop: int = 1
    stride: int = 1
    dropped: bool = False

    @property
    def taken(self) -> int:
        """Number of elements taken."""
        return len(range(self.start, self.stop, self.stride))

    @property
    def part(self) -> slice:
        """The same as a slice of numpy."""
        return slice(self.start, self.stop if self.stop >= 0 else None, self.stride)


def strided_slice(match: Match) -> Expr:
    """STRIDED_SLICE with constant begin, end and strides; at run time into dimensions that are dropped or stated."""
    x = match["input"]
    if match["begin"].constant is None and _only_dropped(match):
        x, steps = _at(match, x)
    elif at_run_time(match, "begin") or at_run_time(match, "end"):
        return _to_stated(match, x)
    else:
        steps = list(_steps(match, x.shape, constant_ints(match, "begin"), constant_ints(match, "end")))
    shape = [step.taken for step in steps if not step.dropped]
    taken = [step for step in steps if step.size is not None]
    if x.constant is not None:
        part = x.constant[tuple(step.part for step in taken)]
        return const(part.reshape(shape), x.dtype)
    for axis, step in enumerate(taken):
        x = along(x, axis, step)
    return x.reshape(shape)


def _only_dropped(match: Match) -> bool:
    """Whether all dimensions but those that are dropped are taken whole."""
    options = match.attributes(tflite.StridedSliceOptions)
    apart = options.shrink_axis_mask | options.new_axis_mask | options.ellipsis_mask
    every = (1 << match["begin"].size) - 1
    return not (~(options.begin_mask & options.end_mask | apart) & every or options.offset)


def _to_stated(match: Match, x: Expr) -> Expr:
    """As many elements of each dimension as the file states for the result, from where a run says.

    Raises:
        Decline: the file states no shape, or one that these strides can't give.
    """
    begin, options = match["begin"], match.attributes(tflite.StridedSliceOptions)
    count, key = begin.size, "begin" if at_run_time(match, "begin") else "end"
    if options.ellipsis_mask or options.offset:
        raise Decline("begin and end must be constants where an ellipsis or an offset counts")
    steps, strides = list(_steps(match, x.shape, [0] * count, [1] * count)), constant_ints(match, "strides")
    shape = stated_shape(match, key, sum(not step.dropped for step in steps))
    sizes, axis = iter(shape), 0
    for i, step in enumerate(steps):
        taken = 1 if step.dropped else next(sizes)
        if step.size is None:
            continue
        if i < count and (step.dropped or not options.begin_mask & options.end_mask & 1 << i):
            stride = strides[i]
            last = step.size - 1 - (taken - 1) * abs(stride)
            if last < 0:
                raise Decline(f"{taken} elements with stride {stride} of the {step.size} along axis {axis}")
            low, high = (0, last) if stride > 0 else (step.size - 1 - last, step.size - 1)
            masked = options.begin_mask >> i & 1 and not step.dropped
            limit = low if stride > 0 else high
            start = const([limit], DType.I32) if masked else _start(begin, i, step.size, (low, high))
            x = part_from(x, axis, start, taken, stride)
        axis += 1
    if x.size != math.prod(shape):
        raise Decline(f"the file states the shape {shape}, found {x.type}")
    return x.reshape(shape)


def _start(begin: Expr, i: int, size: int, limits: tuple[int, int]) -> Expr:
    """The first index along a dimension, [1]; one below 0 counts from the end."""
    start = amount(begin, i, -size, size)
    below = start < 0
    start = where(below, start + size, start)
    low, high = (scalar(limit, start) for limit in limits)
    return minimum(maximum(start, low), high)


def _at(match: Match, x: Expr) -> tuple[Expr, list[Step]]:
    """What lies at the indices of the run, in dimensions of size 1, and what is still to be taken of it."""
    begin, options = match["begin"], match.attributes(tflite.StridedSliceOptions)
    count, shape = begin.size, x.shape
    steps = list(_steps(match, shape, [0] * count, [1] * count))
    dropped = [axis for axis, step in enumerate(s for s in steps if s.size is not None) if step.dropped]
    named = options.shrink_axis_mask & ~(options.new_axis_mask | options.ellipsis_mask)
    axes = iter(dropped)
    dims = [next(axes, None) if named >> i & 1 else None for i in range(count)]
    sizes = const([0 if dim is None else shape[dim] for dim in dims], DType.I32)
    below = begin < 0
    block = Block.of(shape, [1 if axis in dropped else size for axis, size in enumerate(shape)])
    if block.rows == 1:
        return x, steps
    numbers = block.numbers(where(below, begin + sizes, begin), dims)
    found = take(x.reshape((1, block.rows, block.width)), numbers)
    kept = [step._replace(size=1) if step.dropped else step for step in steps]
    return found.reshape([1 if axis in dropped else size for axis, size in enumerate(shape)]), kept


def _steps(match: Match, shape: tuple[int, ...], begin: list[int], end: list[int]) -> Iterator[Step]:
    """One step per dimension of the effective shape (BuildStridedSliceParams in strided_slice.cc)."""
    strides = constant_ints(match, "strides")
    if not len(begin) == len(end) == len(strides):
        raise Decline(f"{len(begin)} starts, {len(end)} ends and {len(strides)} strides")
    entries, options = range(len(begin)), match.attributes(tflite.StridedSliceOptions)
    if options.ellipsis_mask.bit_count() > 1 or options.ellipsis_mask < 0 or options.new_axis_mask >> len(begin):
        raise Decline(f"ellipsis_mask {options.ellipsis_mask} and new_axis_mask {options.new_axis_mask}")
    ellipsis = next((i for i in entries if options.ellipsis_mask >> i & 1), len(begin))
    added = [i for i in entries if options.new_axis_mask >> i & 1 and i != ellipsis]
    if options.offset and (ellipsis < len(begin) or added or len(begin) != len(shape)):
        raise Decline("offset with other than one index per dimension, where the kernel reads sizes of others")
    named = len(begin) - len(added) - (ellipsis < len(begin))
    if named > len(shape):
        raise Decline(f"{named} indices into a tensor of rank {len(shape)}")
    # Also an ellipsis for no dimension takes one of the kernel, which stops after as many as the result is to have.
    sizes, kept = iter(shape), max(len(shape) - named, 1)
    spread = kept - 1 if ellipsis < len(begin) else 0
    for i in list(entries)[: len(shape) + len(added) - spread]:
        if i == ellipsis:
            yield from (Step(size, 0, size) for size in islice(sizes, kept))
        elif i in added:
            yield Step(None)
        elif (size := next(sizes, None)) is None:
            raise Decline("an ellipsis for no dimension, where the kernel reads sizes behind the last")
        else:
            yield _step(options, i, size, begin[i], end[i], strides[i])
    yield from (Step(size, 0, size) for size in sizes)


def _step(options: tflite.StridedSliceOptions, i: int, size: int, begin: int, end: int, stride: int) -> Step:
    """Bounds of one dimension, clamped as StartForAxis and EndForAxis of strided_slice.h do."""
    if stride == 0:
        raise Decline("a stride of 0")
    low, high = (0, size) if stride > 0 else (-1, size - 1)
    start = min(max(begin + size if begin < 0 else begin, low), high)
    if options.begin_mask >> i & 1:
        start = low if stride > 0 else high
    if options.shrink_axis_mask >> i & 1:
        if stride < 0:
            raise Decline(f"a stride of {stride} on the dropped dimension {i}, where the kernel writes nothing")
        if not 0 <= start < size:
            raise Decline(f"index {begin} into a dimension of size {size}")
        return Step(size, start, start + 1, 1, dropped=True)
    if options.offset:
        if stride < 0 or not 0 < end <= size - start or options.end_mask >> i & 1:
            raise Decline(f"{end} elements from {start} on, of {size}, where the kernel reads something else")
        end += start
    stop = min(max(end + size if end < 0 else end, low), high)
    if options.end_mask >> i & 1:
        stop = high if stride > 0 else low
    return Step(size, start, stop, stride)


def along(x: Expr, axis: int, step: Step) -> Expr:
    """One dimension: SLICE, REVERSE, and for wider strides the axis as [count, stride], whose one column is taken."""
    size, count, stride = x.shape[axis], step.taken, abs(step.stride)
    if not count:
        return x.part(axis, 0, 0)
    first = min(step.start, step.start + (count - 1) * step.stride)
    whole = count * stride <= size  # full blocks lie inside the input
    begin = min(first, size - count * stride) if whole else first
    x = x.part(axis, begin, count * stride if whole else (count - 1) * stride + 1)
    backwards = step.stride < 0 and count > 1
    if backwards:
        x = x.reverse(axis)
    if stride == 1:
        return x
    column = first - begin
    return _column(x, axis, stride - 1 - column if backwards and whole else column, (count, stride))


def _column(x: Expr, axis: int, column: int, blocks: tuple[int, int]) -> Expr:
    shape = x.shape
    padding = [(0, 0)] * len(shape)
    padding[axis] = (0, math.prod(blocks) - shape[axis])
    outer, inner = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    split = x.pad(padding).reshape((outer, *blocks, inner))
    taken = split.slice((0, 0, column, 0), (outer, blocks[0], 1, inner))
    return taken.reshape((*shape[:axis], blocks[0], *shape[axis + 1 :]))


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.strided_slice", MOVED, strided_slice),)
