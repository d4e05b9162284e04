"""What moves elements, takes some by index, or makes constants."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.aten.common import (
    MOVED,
    NUMBERS,
    as_declared,
    axes_of,
    axis_of,
    declared_shape,
    promoted,
    result_dtype,
    rewrite,
)
from tosa_converter.legalize.indexing import strides, take
from tosa_converter.legalize.operands import affordable, narrowed, normalized_axis
from tosa_converter.legalize.tflite.any_type.gather import gathered
from tosa_converter.legalize.tflite.any_type.strided import Step, along
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_sizes
from tosa_converter.rewriting.expr import Expr, const, scalar, where
from tosa_converter.rewriting.operators import concat, reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import SIGNLESS, Build, Decline, Match, Rewrite

MOST_PLACES = 1 << 16  # that a small tensor may be copied to

# ** shapes **


def copied(match: Match) -> Expr:
    """The same elements in the same order of dimensions, perhaps of another type."""
    return promoted(match, "self")


def reshaped(match: Match) -> Expr:
    """The same elements in other sizes."""
    return as_declared(match, match["self"])


def expand_copy(match: Match) -> Expr:
    """expand_copy: sizes of 1 repeated."""
    x, shape = match["self"], declared_shape(match)
    front = len(shape) - x.rank
    if front < 0 or any(have not in (1, size) for have, size in zip(x.shape, shape[front:], strict=True)):
        raise Decline(f"{x.type} expanded to {list(shape)}")
    return x.broadcast(shape)


def permute_copy(match: Match) -> Expr:
    """permute_copy."""
    x = match["self"]
    perm = [normalized_axis(axis, x.rank) for axis in match.op.attributes["dims"]]
    if sorted(perm) != list(range(x.rank)):
        raise Decline(f"permutation {perm} of {x.type}")
    return x.transpose(perm)


def flip(match: Match) -> Expr:
    """flip: the dimensions named from behind."""
    x = match["self"]
    for axis in axes_of(match, x, "dims") if match.op.attributes["dims"] else ():
        x = x.reverse(axis)
    return x


def repeat(match: Match) -> Expr:
    """repeat: further dimensions in front."""
    x, counts = match["self"], match.op.attributes["repeats"]
    front = len(counts) - x.rank
    if front < 0 or min(counts, default=1) < 1:
        raise Decline(f"{list(counts)} times {x.type}")
    return x.reshape((1,) * front + x.shape).tile(counts)


# ** parts **


def slice_copy(match: Match) -> Expr:
    """slice_copy: bounds count from behind where they are below zero, and end at the tensor's."""
    x, attributes = match["self"], match.op.attributes
    axis = axis_of(match, x)
    size, step = x.shape[axis] if x.rank else 0, attributes["step"]
    if step < 1:
        raise Decline(f"a step of {step}")
    start, end = (
        min(max(bound + size if bound < 0 else bound, 0), size)
        for bound in (attributes["start"] or 0, size if attributes["end"] is None else attributes["end"])
    )
    if start >= end:
        raise Decline(f"no element is taken along dimension {axis} of {x.type}")
    return along(x, axis, Step(size, start, end, step))


def select_copy(match: Match) -> Expr:
    """select_copy: one index of a dimension, which is dropped."""
    x = match["self"]
    axis = axis_of(match, x)
    place = normalized_axis(match.op.attributes["index"], x.shape[axis] if x.rank else 0)
    return as_declared(match, x.part(axis, place, 1))


def split(match: Match) -> list[Expr]:
    """split_with_sizes_copy."""
    x, sizes = match["self"], match.op.attributes["split_sizes"]
    axis = axis_of(match, x)
    require_sizes("parts", [sum(sizes)], x.shape[axis : axis + 1])
    if min(sizes, default=1) < 1:
        raise Decline(f"parts of {list(sizes)}")
    starts = accumulate(sizes, initial=0)
    return [x.part(axis, start, size) for start, size in zip(starts, sizes, strict=False)]


def cat(match: Match) -> Expr:
    """Cat."""
    parts = [promoted(match, i) for i in range(len(match.op.inputs))]
    if not parts or not parts[0].rank:
        raise Decline("expected tensors with dimensions")
    axis = axis_of(match, parts[0])
    for part in parts:
        wanted = [*parts[0].shape[:axis], *part.shape[axis : axis + 1], *parts[0].shape[axis + 1 :]]
        require_sizes(f"part {part.type}", part.shape, wanted)
    return concat(parts, axis)


def constant_pad_nd(match: Match) -> Expr:
    """constant_pad_nd: amounts from the last dimension on; ExecuTorch takes none below zero."""
    x, amounts = match["self"], match.op.attributes["pad"]
    if len(amounts) % 2 or len(amounts) > 2 * x.rank or min(amounts, default=0) < 0:
        raise Decline(f"padding {list(amounts)} of {x.type}")
    pairs = [(0, 0)] * (x.rank - len(amounts) // 2) + [*zip(amounts[::2], amounts[1::2], strict=True)][::-1]
    return x.pad(pairs, _value(match, "value"))


# ** by index **


def _from_front(indices: Expr, size: int) -> Expr:
    """Indices, of which those below zero count from behind."""
    known = indices.constant
    if known is not None:
        return const(np.where(known < 0, known + size, known), DType.I32)
    behind = indices < 0
    return where(behind, indices + size, indices)


def index_select(match: Match) -> Expr:
    """index_select."""
    x = match["self"]
    if not x.rank:
        raise Decline(f"indices into {x.type}")
    return as_declared(match, gathered(x, match["index"], axis_of(match, x)))


def index(match: Match) -> Expr:
    """Index by tensors of integers, which broadcast; None takes a dimension whole.

    What they take stands in the place of the first of them if their dimensions are neighbours, else in front.
    """
    x, given = match["self"], match.op.inputs[1:]
    axes = [axis for axis, value in enumerate(given) if value is not None]
    if not axes or len(given) > x.rank:
        raise Decline(f"{len(axes)} tensors of indices into {x.type}")
    for axis in axes:
        if match.source(1 + axis).type.dtype not in (DType.I32, DType.I64):
            raise Decline(f"indices of {match.source(1 + axis).type}: how many they take, a run decides")
    parts = [_from_front(match[1 + axis], x.shape[axis]) for axis in axes]
    if len(axes) == 1:
        return gathered(x, parts[0], axes[0])
    require_broadcast(*parts)
    others = _others(axes, x.rank)
    sizes, rest = ([x.shape[axis] for axis in part] for part in (axes, others))
    rows = x.transpose((*axes, *others)).reshape((math.prod(sizes), *rest))
    numbers = scalar(0, parts[0])
    for part, step in zip(parts, strides(sizes), strict=True):
        numbers = numbers + part * step
    taken = gathered(rows, numbers, 0)
    count = numbers.rank
    before = axes[0] if axes[-1] - axes[0] == len(axes) - 1 else 0
    behind = range(count, taken.rank)
    return taken.transpose((*behind[:before], *range(count), *behind[before:]))


def _others(axes: Sequence[int], rank: int) -> list[int]:
    return [axis for axis in range(rank) if axis not in axes]


def scatter(match: Match) -> Expr:
    """scatter: elements written at indices along one dimension; of several at one place the last one stays."""
    x, hits, src = _hits(match)
    count = hits.shape[2]
    numbers = const(np.arange(1, count + 1).reshape(1, 1, count), DType.I32)
    last = reduce_max(where(hits, numbers, 0), 2, nan_mode="PROPAGATE")
    last = last.reshape(last.shape[:2])
    choices = src.pad([(0, 0), (1, 0)]).reshape((src.shape[0], count + 1, 1))
    written = _placed(match, x, take(choices, last).reshape(last.shape))
    mask = _placed(match, x, (last > 0).cast(DType.I8))
    return where(mask.cast(DType.BOOL), written, x)


def scatter_add(match: Match) -> Expr:
    """scatter_add: elements added at indices along one dimension."""
    x, hits, src = _hits(match)
    parts = src.reshape((src.shape[0], 1, src.shape[1]))
    sums = reduce_sum(where(hits, parts, 0), 2)
    return x + _placed(match, x, sums.reshape(sums.shape[:2]))


def _hits(match: Match) -> tuple[Expr, Expr, Expr]:
    """The tensor; for each row of the index [N,K,J] whether place k takes element j; those elements [N,J]."""
    x, indices = match["self"], match["index"]
    require_sizes("dimensions of the index", [indices.rank], [x.rank])
    if not x.rank:
        raise Decline(f"indices into {x.type}")
    axis, shape = axis_of(match, x), indices.shape
    if any(n > whole for i, (n, whole) in enumerate(zip(shape, x.shape, strict=True)) if i != axis):
        raise Decline(f"indices {indices.type} into {x.type}")
    if "value" in match.op.attributes:
        src = const(np.full(affordable(shape), match.op.attributes["value"]), x.dtype)
    else:
        src = promoted(match, "src").slice((0,) * len(shape), shape)
    last = [*_others([axis], len(shape)), axis]
    indices, src = (value.transpose(last) for value in (indices, src))
    rows, count, size = math.prod(shape) // max(shape[axis], 1), shape[axis], x.shape[axis]
    affordable((rows, size, count))
    places = const(np.arange(size).reshape(1, size, 1), DType.I32)
    hits = indices.reshape((rows, 1, count)) == places
    return x, hits, src.reshape((rows, count))


def _placed(match: Match, x: Expr, rows: Expr) -> Expr:
    """Rows [N,K] that stand for the index's dimensions, with zeros for those of x that it doesn't reach."""
    axis, shape, rank = axis_of(match, x), match["index"].shape, x.rank
    others = _others([axis], rank)
    y = rows.reshape((*(shape[i] for i in others), x.shape[axis]))
    y = y.transpose([[*others, axis].index(i) for i in range(rank)])
    pairs = [(0, whole - have) for whole, have in zip(x.shape, y.shape, strict=True)]
    return y.pad(pairs)


def slice_scatter(match: Match) -> Expr:
    """slice_scatter: the tensor with another one in the place of a slice."""
    x, src, attributes = match["self"], promoted(match, "src"), match.op.attributes
    axis = axis_of(match, x)
    size, step = x.shape[axis] if x.rank else 0, attributes["step"]
    places = np.arange(*affordable([size]))
    if step < 1:
        raise Decline(f"a step of {step}")
    part = places[attributes["start"] : attributes["end"] : step]
    require_sizes("part", src.shape, [part.size if i == axis else n for i, n in enumerate(x.shape)])
    places[part] = size + np.arange(part.size)
    both = concat([x, src], axis)
    return gathered(both, const(places, DType.I32), axis)


def _rearranged(choose: Callable[[Match, Array], Array]) -> Build:
    """What takes elements by places that are known: those of the result, chosen among numbered elements."""

    def rearranged(match: Match) -> Expr:
        x = match["self"]
        numbers = np.arange(*affordable([x.size]), dtype=np.int32).reshape(x.shape)
        try:
            places = choose(match, numbers)
        except (ValueError, IndexError) as error:
            raise Decline(f"{x.type}: {error}") from None
        if places.size > 4 * max(x.size, MOST_PLACES) or not places.size:
            raise Decline(f"{places.size} elements of {x.type}")
        flat = const(places.reshape(1, -1), DType.I32)
        taken = take(x.reshape((1, x.size, 1)), flat)
        return taken.reshape(places.shape)

    return rearranged


def _strided(match: Match, numbers: Array) -> Array:
    """as_strided_copy."""
    size, steps, offset = (match.op.attributes[name] for name in ("size", "stride", "storage_offset"))
    places = np.full(affordable(size), offset or 0, np.int64)
    if len(steps) != len(size):
        raise ValueError(f"{len(size)} sizes and {len(steps)} strides")
    for i, (count, step) in enumerate(zip(size, steps, strict=True)):
        places += (np.arange(count) * step).reshape([-1 if i == j else 1 for j in range(len(size))])
    if places.size and not 0 <= places.min() <= places.max() < numbers.size:
        raise ValueError(f"places {places.min()} to {places.max()}")
    return places


def _diagonal(match: Match, numbers: Array) -> Array:
    """diagonal_copy."""
    attributes = match.op.attributes
    return np.diagonal(numbers, attributes["offset"], attributes["dim1"], attributes["dim2"])


def _unfolded(match: Match, numbers: Array) -> Array:
    """unfold_copy: windows along a dimension, whose elements are the last dimension."""
    axis, size, step = axis_of(match, match["self"]), match.op.attributes["size"], match.op.attributes["step"]
    if step < 1 or not 0 < size <= numbers.shape[axis]:
        raise ValueError(f"windows of {size} by steps of {step}")
    windows = np.lib.stride_tricks.sliding_window_view(numbers, size, axis)
    return windows[tuple(slice(None, None, step) if i == axis else slice(None) for i in range(numbers.ndim))]


def gather(match: Match) -> Expr:
    """gather: for each place of the index an element of the same place but along one dimension."""
    x, indices = match["self"], match["index"]
    require_sizes("dimensions of the index", [indices.rank], [x.rank])
    axis, shape = axis_of(match, x) if x.rank else 0, x.shape
    sizes = affordable(indices.shape)
    if any(size > shape[i] for i, size in enumerate(sizes) if i != axis):
        raise Decline(f"indices {indices.type} into {x.type}")
    steps = strides(shape)
    places = np.zeros(sizes, np.int32)
    for i, size in enumerate(sizes):
        if i != axis:
            places += (np.arange(size) * steps[i]).reshape([-1 if i == j else 1 for j in range(len(sizes))])
    along_axis = indices * steps[axis] if steps else indices
    rows = (along_axis + const(places, DType.I32)).reshape((1, indices.size))
    return take(x.reshape((1, x.size, 1)), rows).reshape(sizes)


def embedding(match: Match) -> Expr:
    """embedding: rows of a table."""
    return gathered(match["weight"], match["indices"], 0)


# ** constants **


def _value(match: Match, name: str) -> float:
    """A number of the result's type.

    Raises:
        Decline: it isn't one.
    """
    value: float = match.op.attributes[name]
    if not result_dtype(match).is_float and result_dtype(match) is not DType.BOOL:
        if not math.isfinite(value) or value != int(value):
            raise Decline(f"the number {value} as {result_dtype(match).value}")
        narrowed(np.array(int(value)))
    return value


def full(match: Match) -> Expr:
    """full, full_like and scalar_tensor: one number."""
    name = "s" if "s" in match.op.attributes else "fill_value"
    dtype = SIGNLESS.get(result_dtype(match), result_dtype(match))
    return const(np.full(affordable(declared_shape(match)), _value(match, name), dtype.numpy), dtype)


def arange(match: Match) -> Expr:
    """arange: as many steps as there are before the end."""
    start, end, step = (match.op.attributes[name] for name in ("start", "end", "step"))
    (count,) = affordable(declared_shape(match)) if len(declared_shape(match)) == 1 else (-1,)
    if not step or not math.isfinite((end - start) / step) or math.ceil((end - start) / step) != count:
        raise Decline(f"{match.op.results[0].type} from {start} to {end} by {step}")
    made = start + np.arange(count) * step
    dtype = result_dtype(match)
    return const(made if dtype.is_float else narrowed(np.trunc(made)), SIGNLESS.get(dtype, dtype))


REWRITES: tuple[Rewrite, ...] = (
    rewrite("alias_copy.out", MOVED, copied),
    rewrite("clone.out", MOVED, copied),
    rewrite("_clone_dim_order.out", MOVED, copied),
    rewrite("_to_copy.out", MOVED, copied),
    rewrite("_to_dim_order_copy.out", MOVED, copied),
    rewrite("view_copy.out", MOVED, reshaped),
    rewrite("et_view.default", MOVED, reshaped),
    rewrite("unsqueeze_copy.out", MOVED, reshaped),
    rewrite("squeeze_copy.dims_out", MOVED, reshaped),
    rewrite("expand_copy.out", MOVED, expand_copy),
    rewrite("permute_copy.out", MOVED, permute_copy),
    rewrite("flip.out", MOVED, flip),
    rewrite("repeat.out", MOVED, repeat),
    rewrite("slice_copy.Tensor_out", MOVED, slice_copy),
    rewrite("select_copy.int_out", MOVED, select_copy),
    rewrite("split_with_sizes_copy.out", MOVED, split),
    rewrite("cat.out", MOVED, cat),
    rewrite("constant_pad_nd.out", MOVED, constant_pad_nd),
    rewrite("index.Tensor_out", MOVED, index),
    rewrite("index_select.out", MOVED, index_select),
    rewrite("scatter.src_out", MOVED, scatter),
    rewrite("scatter.value_out", MOVED, scatter),
    rewrite("scatter_add.out", NUMBERS, scatter_add),
    rewrite("slice_scatter.out", MOVED, slice_scatter),
    rewrite("as_strided_copy.out", MOVED, _rearranged(_strided)),
    rewrite("diagonal_copy.out", MOVED, _rearranged(_diagonal)),
    rewrite("unfold_copy.out", MOVED, _rearranged(_unfolded)),
    rewrite("gather.out", MOVED, gather),
    rewrite("embedding.out", MOVED, embedding),
    rewrite("full.out", "", full),
    rewrite("full_like.out", MOVED, full),
    rewrite("scalar_tensor.out", "", full),
    rewrite("arange.start_out", "", arange),
)
