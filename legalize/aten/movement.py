"""Operators that move elements, take some by index, or make constants."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.aten.common import (
    MOVED,
    NUMBERS,
    Kernel,
    as_declared,
    axes_of,
    axis_of,
    declared_shape,
    kernel_rules,
    promoted,
    require_number,
    result_dtype,
)
from tosa_converter.legalize.limits import affordable, narrowed, normalized_axis
from tosa_converter.legalize.ops import index as indexing
from tosa_converter.legalize.ops import layout
from tosa_converter.legalize.ops import scatter as scattering
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_sizes
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

MAX_PLACES = 1 << 16  # to which a small tensor may be copied

# ** shapes **


def copy(match: Match) -> Expr:
    """Lowers ATen's operators that copy a tensor (clone, _to_copy, ...): a CAST to the declared type."""
    return promoted(match, "self")


def reshaped(match: Match) -> Expr:
    """Lowers ATen's changes of the shape (view_copy, squeeze_copy, ...): a RESHAPE to the declared one."""
    return as_declared(match, match["self"])


def expand_copy(match: Match) -> Expr:
    """Lowers aten.expand_copy: broadcasts the tensor to the declared shape."""
    return layout.broadcast_to(match["self"], declared_shape(match))


def permute_copy(match: Match) -> Expr:
    """Lowers aten.permute_copy: a TRANSPOSE by the attribute `dims`."""
    x = match["self"]
    perm = [normalized_axis(axis, x.rank) for axis in match.op.attributes["dims"]]
    match.require(sorted(perm) == list(range(x.rank)), f"expected a permutation of {x.rank} dimensions, found {perm}")
    return x.transpose(perm)


def flip(match: Match) -> Expr:
    """Lowers aten.flip: reverses the dimensions that `dims` names; none if it is empty."""
    x = match["self"]
    for axis in axes_of(match, x, "dims") if match.op.attributes["dims"] else ():
        x = x.reverse(axis)
    return x


def repeat(match: Match) -> Expr:
    """Lowers aten.repeat: a TILE by `repeats`, whose additional entries add dimensions in front."""
    x, counts = match["self"], match.op.attributes["repeats"]
    front = len(counts) - x.rank
    fits = front >= 0 and min(counts, default=1) >= 1
    match.require(fits, f"expected {x.rank} or more counts of at least 1, found {list(counts)}")
    return x.reshape((1,) * front + x.shape).tile(counts)


# ** parts **


def slice_copy(match: Match) -> Expr:
    """Lowers aten.slice_copy, with Python's rules for negative and excessive bounds; the step is positive."""
    x = match["self"]
    axis, indices = _sliced_indices(match, x)
    match.require(indices, f"expected elements along dimension {axis} of {x.type}, found an empty slice")
    return layout.take_range(x, axis, indices)


def _sliced_indices(match: Match, x: Expr) -> tuple[int, range]:
    """Returns the dimension `dim` of a slice, and the indices along it that `start`, `end` and `step` select.

    Raises:
        Decline: the step isn't positive.
    """
    axis, attributes = axis_of(match, x), match.op.attributes
    match.require(attributes["step"] >= 1, f"expected a step of at least 1, found {attributes['step']}")
    size = x.shape[axis] if x.rank else 0
    return axis, range(size)[attributes["start"] : attributes["end"] : attributes["step"]]


def select_copy(match: Match) -> Expr:
    """Lowers aten.select_copy: the elements at one index of a dimension, which is dropped from the shape."""
    x = match["self"]
    axis = axis_of(match, x)
    index = normalized_axis(match.op.attributes["index"], x.shape[axis] if x.rank else 0)
    return as_declared(match, x.part(axis, index, 1))


def split(match: Match) -> list[Expr]:
    """Lowers aten.split_with_sizes_copy: consecutive pieces of the given sizes along one dimension."""
    x, sizes = match["self"], match.op.attributes["split_sizes"]
    axis = axis_of(match, x)
    require_sizes("parts", [sum(sizes)], x.shape[axis : axis + 1])
    match.require(min(sizes, default=1) >= 1, f"expected parts of at least 1, found {list(sizes)}")
    return layout.split(x, axis, sizes)


def cat(match: Match) -> Expr:
    """Lowers aten.cat: concatenates tensors along one dimension, cast to the declared type."""
    parts = [promoted(match, i) for i in range(len(match.op.inputs))]
    match.require(parts and parts[0].rank, "expected tensors with dimensions, found none")
    return layout.join(parts, axis_of(match, parts[0]))


def constant_pad_nd(match: Match) -> Expr:
    """Lowers aten.constant_pad_nd; `pad` has (before, after) >= 0 per dimension, from the last one on."""
    x, amounts = match["self"], match.op.attributes["pad"]
    if len(amounts) % 2 or len(amounts) > 2 * x.rank or min(amounts, default=0) < 0:
        raise Decline(f"expected pairs of padding of at least 0 for {x.type}, found {list(amounts)}")
    pairs = [(0, 0)] * (x.rank - len(amounts) // 2) + [*zip(amounts[::2], amounts[1::2], strict=True)][::-1]
    return x.pad(pairs, _number_of_result(match, "value"))


# ** by index **


def index_select(match: Match) -> Expr:
    """Lowers aten.index_select: gathers the elements at these indices along one dimension."""
    x = match["self"]
    match.require(x.rank, f"expected a tensor with dimensions, found {x.type}")
    return as_declared(match, indexing.gather_along(x, match["index"], axis_of(match, x)))


def index(match: Match) -> Expr:
    """Lowers aten.index, x[i, j, ...] by integer tensors, which broadcast; None stands for a whole dimension."""
    x = match["self"]
    axes, indices = _advanced_indices(match, x, match.op.inputs[1:])
    require_broadcast(*indices)
    return indexing.advanced_index(x, axes, indices)


def _advanced_indices(match: Match, x: Expr, operands: Sequence[Value | None]) -> tuple[list[int], list[Expr]]:
    """Returns the dimensions that x[i, j, ...] indexes by tensors, and the index tensors, counted from the front."""
    axes = [axis for axis, operand in enumerate(operands) if operand is not None]
    match.require(axes and len(operands) <= x.rank, f"expected 1 to {x.rank} tensors of indices, found {len(operands)}")
    for axis in axes:
        type = match.source(1 + axis).type
        is_integer = type.dtype in (DType.I32, DType.I64)
        match.require(is_integer, f"expected indices of i32 or i64, found {type}: the shape depends on their values")
    return axes, [indexing.from_front(match[1 + axis], x.shape[axis]) for axis in axes]


def index_put(match: Match) -> Expr:
    """Lowers aten.index_put, x[i, j, ...] = values; of several values for one element the last one counts.

    The indexed dimensions are moved to the front and written as rows.
    """
    match.require(not match.op.attributes["accumulate"], "expected values that replace elements, found a sum")
    x, operands = match["self"], match.op.inputs[1:-1]
    axes, indices = _advanced_indices(match, x, operands)
    require_broadcast(*indices)
    numbers = indexing.flat_index(indices, [x.shape[axis] for axis in axes])
    sizes = numbers.shape
    in_front = axes[0] if axes[-1] - axes[0] == len(axes) - 1 else 0
    remaining = [axis for axis in range(x.rank) if axis not in axes]
    shape = [x.shape[axis] for axis in remaining]
    values = layout.broadcast_to(promoted(match, len(operands) + 1), (*shape[:in_front], *sizes, *shape[in_front:]))
    # Values [2, 5, 3] for x [2, 7, 3] at x[:, i]: the five indexed entries come first, as rows of 2 * 3 elements.
    inner = [i for i in range(values.rank) if not in_front <= i < in_front + len(sizes)]
    rows = values.transpose((*range(in_front, in_front + len(sizes)), *inner))
    order = (*axes, *remaining)
    written = scattering.replace_rows(x.transpose(order), numbers, rows, len(axes))
    return written.transpose([order.index(axis) for axis in range(x.rank)])


def scatter(match: Match) -> Expr:
    """Lowers aten.scatter: writes elements at indices along one dimension; of equal indices, the last counts."""
    return scattering.scatter_elements(*_scatter_operands(match))


def scatter_add(match: Match) -> Expr:
    """Lowers aten.scatter_add: adds elements at indices along one dimension; equal indices add up."""
    return scattering.scatter_add_elements(*_scatter_operands(match))


def _scatter_operands(match: Match) -> tuple[Expr, Expr, Expr, int]:
    """Returns the operands of aten.scatter: (tensor, indices, elements to write, axis).

    If the elements are a number, `value`, they are a constant of the indices' shape.
    """
    x, indices = match["self"], match["index"]
    _require_same_rank(x, indices)
    match.require(x.rank, f"expected a tensor with dimensions, found {x.type}")
    axis, shape = axis_of(match, x), indices.shape
    if any(n > whole for i, (n, whole) in enumerate(zip(shape, x.shape, strict=True)) if i != axis):
        raise Decline(f"expected indices of at most {list(x.shape)} but along dimension {axis}, found {list(shape)}")
    if "value" in match.op.attributes:
        src = const(np.full(affordable(shape), match.op.attributes["value"]), x.dtype)
    else:
        src = promoted(match, "src").slice((0,) * len(shape), shape)
    return x, indices, src, axis


def _require_same_rank(x: Expr, indices: Expr) -> None:
    """Declines indices whose rank isn't the tensor's."""
    require_sizes("dimensions of the index", [indices.rank], [x.rank])


def slice_scatter(match: Match) -> Expr:
    """Lowers aten.slice_scatter: returns the tensor with one slice replaced by `src`."""
    x, src = match["self"], promoted(match, "src")
    axis, indices = _sliced_indices(match, x)
    affordable([len(indices)])
    require_sizes("part", src.shape, [len(indices) if i == axis else n for i, n in enumerate(x.shape)])
    return scattering.replace_along(x, src, axis, np.arange(indices.start, indices.stop, indices.step))


def _gather_constant_indices(choose: Callable[[Match, Array], Array]) -> Kernel:
    """Returns a lowering that gathers elements at constant flat indices.

    `choose` gets an array of x's shape with the flat index of each element, and returns one of the result's shape.
    """

    def build(match: Match) -> Expr:
        """Lowers the matched ATen operator to a gather of x's elements at the flat indices that `choose` returns."""
        x = match["self"]
        flat_indices = np.arange(*affordable([x.size]), dtype=np.int32).reshape(x.shape)
        try:
            indices = choose(match, flat_indices)
        except (ValueError, IndexError) as error:
            raise Decline(f"{x.type}: {error}") from None
        limit = 4 * max(x.size, MAX_PLACES)  # views such as as_strided may repeat elements
        match.require(0 < indices.size <= limit, f"expected a result of 1 to {limit} elements, found {indices.size}")
        return indexing.gather_flat(x, indices)

    return build


def _strided_indices(match: Match, flat_indices: Array) -> Array:
    """Returns the flat indices that as_strided_copy reads: `storage_offset` plus the position times the strides."""
    size, steps, offset = (match.op.attributes[name] for name in ("size", "stride", "storage_offset"))
    indices = np.full(affordable(size), offset or 0, np.int64)
    if len(steps) != len(size):
        raise ValueError(f"expected as many strides as sizes, found {len(steps)} and {len(size)}")
    for i, (count, step) in enumerate(zip(size, steps, strict=True)):
        indices += (np.arange(count) * step).reshape([-1 if i == j else 1 for j in range(len(size))])
    if indices.size and not 0 <= indices.min() <= indices.max() < flat_indices.size:
        raise ValueError(f"expected elements 0 to {flat_indices.size - 1}, found {indices.min()} to {indices.max()}")
    return indices


def _diagonal_indices(match: Match, flat_indices: Array) -> Array:
    """Returns the flat indices that diagonal_copy reads; the diagonal becomes the last dimension."""
    attributes = match.op.attributes
    return np.diagonal(flat_indices, attributes["offset"], attributes["dim1"], attributes["dim2"])


def _unfolded_indices(match: Match, flat_indices: Array) -> Array:
    """Returns the flat indices that unfold_copy reads: sliding windows, whose elements are the new last dimension."""
    axis, size, step = axis_of(match, match["self"]), match.op.attributes["size"], match.op.attributes["step"]
    if step < 1 or not 0 < size <= flat_indices.shape[axis]:
        raise ValueError(
            f"expected windows of 1 to {flat_indices.shape[axis]} by steps of at least 1, found {size} by {step}"
        )
    windows = np.lib.stride_tricks.sliding_window_view(flat_indices, size, axis)
    return windows[tuple(slice(None, None, step) if i == axis else slice(None) for i in range(flat_indices.ndim))]


def gather(match: Match) -> Expr:
    """Lowers aten.gather: result[i][j] = self[index[i][j]][j] for dimension 0, and likewise for others."""
    x, indices = match["self"], match["index"]
    _require_same_rank(x, indices)
    axis = axis_of(match, x) if x.rank else 0
    if any(size > x.shape[i] for i, size in enumerate(indices.shape) if i != axis):
        raise Decline(f"expected indices of at most {list(x.shape)} but along dimension {axis}, found {indices.type}")
    return indexing.gather_elements(x, indices, axis)


def embedding(match: Match) -> Expr:
    """Lowers aten.embedding: gathers rows of the table `weight`."""
    return indexing.gather_along(match["weight"], match["indices"], 0)


# ** constants **


def _number_of_result(match: Match, name: str) -> float:
    """Returns the number that an ATen attribute has, if the first result's type can represent it.

    Raises:
        Decline: the type doesn't hold the number.
    """
    number: float = match.op.attributes[name]
    if result_dtype(match) is not DType.BOOL:
        require_number(number, result_dtype(match))
    return number


def full(match: Match) -> Expr:
    """Lowers aten.full, full_like and scalar_tensor: a constant tensor of one repeated number."""
    name = "s" if "s" in match.op.attributes else "fill_value"
    dtype = SIGNLESS.get(result_dtype(match), result_dtype(match))
    return const(np.full(affordable(declared_shape(match)), _number_of_result(match, name), dtype.numpy), dtype)


def arange(match: Match) -> Expr:
    """Lowers aten.arange: the numbers start, start + step, ... below `end`; their count must be the declared size."""
    start, end, step = (match.op.attributes[name] for name in ("start", "end", "step"))
    (count,) = affordable(declared_shape(match)) if len(declared_shape(match)) == 1 else (-1,)
    if not step or not math.isfinite((end - start) / step) or math.ceil((end - start) / step) != count:
        raise Decline(f"expected the numbers of {match.op.results[0].type}, found {start} to {end} by {step}")
    numbers = start + np.arange(count) * step
    dtype = result_dtype(match)
    return const(numbers if dtype.is_float else narrowed(np.trunc(numbers)), SIGNLESS.get(dtype, dtype))


RULES: tuple[Rule, ...] = (
    *kernel_rules("alias_copy.out clone.out _clone_dim_order.out _to_copy.out _to_dim_order_copy.out", MOVED, copy),
    *kernel_rules("view_copy.out et_view.default unsqueeze_copy.out squeeze_copy.dims_out", MOVED, reshaped),
    *kernel_rules("expand_copy.out", MOVED, expand_copy),
    *kernel_rules("permute_copy.out", MOVED, permute_copy),
    *kernel_rules("flip.out", MOVED, flip),
    *kernel_rules("repeat.out", MOVED, repeat),
    *kernel_rules("slice_copy.Tensor_out", MOVED, slice_copy),
    *kernel_rules("select_copy.int_out", MOVED, select_copy),
    *kernel_rules("split_with_sizes_copy.out", MOVED, split),
    *kernel_rules("cat.out", MOVED, cat),
    *kernel_rules("constant_pad_nd.out", MOVED, constant_pad_nd),
    *kernel_rules("index.Tensor_out", MOVED, index),
    *kernel_rules("index_put.out", MOVED, index_put),
    *kernel_rules("index_select.out", MOVED, index_select),
    *kernel_rules("scatter.src_out scatter.value_out", MOVED, scatter),
    *kernel_rules("scatter_add.out", NUMBERS, scatter_add),
    *kernel_rules("slice_scatter.out", MOVED, slice_scatter),
    *kernel_rules("as_strided_copy.out", MOVED, _gather_constant_indices(_strided_indices)),
    *kernel_rules("diagonal_copy.out", MOVED, _gather_constant_indices(_diagonal_indices)),
    *kernel_rules("unfold_copy.out", MOVED, _gather_constant_indices(_unfolded_indices)),
    *kernel_rules("gather.out", MOVED, gather),
    *kernel_rules("embedding.out", MOVED, embedding),
    *kernel_rules("full_like.out", MOVED, full),
    *kernel_rules("full.out scalar_tensor.out", "", full),
    *kernel_rules("arange.start_out", "", arange),
)
