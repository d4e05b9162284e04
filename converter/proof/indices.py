"""Which inputs are indices, and of how many: the range of an integer follows from the operators that read it.

A range goes backwards through what moves elements or calculates with constants, to the inputs of the graph.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Value


class Range(NamedTuple):
    """The least and the greatest number that a value may hold."""

    low: float = -math.inf
    high: float = math.inf

    def intersect(self, other: "Range") -> "Range":
        """Returns the intersection of both ranges, or this range if it is empty, as for `i < 0 ? i + n : i`."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high) if low <= high else self


def index_limits(model: Model) -> dict[str, tuple[float, float]]:
    """Returns by name the least and greatest number of each main-graph input that operators use as indices.

    Random inputs then stay in range.
    """
    return {
        value.name: (range.low, range.high)
        for value, range in _infer_ranges(model, model.main, {}).items()
        if value in model.main.inputs and value.type.quant is None and math.isfinite(range.high - range.low)
    }


RangesByGraph = dict[Graph, dict[Value, Range]]


def _infer_ranges(model: Model, graph: Graph, done: RangesByGraph) -> dict[Value, Range]:
    """Returns the ranges of a graph's values, inferred from the operators that read them; also adds them to `done`."""
    # Entered before its operators are looked at: a graph that calls itself, as in a hostile file, then ends the
    # recursion.
    ranges = done[graph] = {}
    # Backwards, each operator comes behind all that read its results, so one round settles every range.
    for op in reversed(graph.ops):
        if op.name in CONSTANTS:
            continue
        for value, range in (*_index_ranges(op), *_operand_ranges(op, ranges), *_ranges_of_called(model, op, done)):
            ranges[value] = ranges.get(value, Range()).intersect(range)
    return ranges


def _ranges_of_called(model: Model, op: Op, done: RangesByGraph) -> Iterator[tuple[Value, Range]]:
    """Yields ranges of the operands that IF or WHILE pass to other graphs, inferred from these graphs' operators."""
    first = _CALLS.get(op.name)
    graphs = list(model.graphs.values())
    for name in _GRAPHS if first is not None else ():
        number = op.attribute(name)
        if isinstance(number, int) and 0 < number < len(graphs):  # not the main graph
            graph = graphs[number]
            inner = done[graph] if graph in done else _infer_ranges(model, graph, done)
            pairs = zip(op.operands[first:], graph.inputs, strict=False)
            yield from ((operand, inner[value]) for operand, value in pairs if value in inner)


_CALLS = {"tfl.if": 1, "tfl.while": 0}
_GRAPHS = ("then_subgraph_index", "else_subgraph_index", "body_subgraph_index", "cond_subgraph_index")

# ** what reads indices **


def _index_ranges(op: Op) -> list[tuple[Value, Range]]:
    """Returns the operands that an operator uses as indices, each with the range from 0 to the last index."""
    read = _READERS.get(op.name)
    return [(value, Range(0, count - 1)) for value, count in read(op) if count > 0] if read is not None else []


# Returns the operands of an operator that hold indices, each with the count of valid ones: they are 0 to count - 1.
Reader = Callable[[Op], Sequence[tuple[Value, int]]]


def _row_reader(indices: int, table: int) -> Reader:
    """Returns a `Reader` of operators that look up rows: the count of valid indices is the number of rows of the table.

    `indices` and `table` are the positions of these operands.
    """
    return lambda op: _with_least_size(op.operands[indices], op.operands[table].type.shape[:1])


def _gather(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns GATHER's operand of indices with the count of valid ones: the size of the axis that they index."""
    rows, axis = op.operands[0].type, op.attributes["axis"]
    return _with_least_size(op.operands[1], (rows.shape[axis],) if -rows.rank <= axis < rows.rank else ())


def _gather_nd(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns GATHER_ND's operand of indices with the count of valid ones: the least size that they index."""
    depth = op.operands[1].type.shape[-1:] or (0,)
    return _with_least_size(op.operands[1], op.operands[0].type.shape[: depth[0] or 0])


def _scatter_nd(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns SCATTER_ND's operand of indices with the count of valid ones: the least size that they index."""
    depth = op.operands[0].type.shape[-1:] or (0,)
    return _with_least_size(op.operands[0], op.results[0].type.shape[: depth[0] or 0])


def _sparse_to_dense(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns SPARSE_TO_DENSE's operand of indices with the count of valid ones: the least size of its result."""
    return _with_least_size(op.operands[0], op.results[0].type.shape)


def _one_hot(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns ONE_HOT's operand of indices with the count of valid ones: the depth; [] if the depth isn't constant."""
    return _with_least_size(op.operands[0], (_only_number(op.operands[1]),))


def _segments(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns UNSORTED_SEGMENT's segment numbers with the count of valid ones: the number of segments.

    Returns [] if that number isn't constant.
    """
    return _with_least_size(op.operands[1], (_only_number(op.operands[2]),))


def _lengths(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns REVERSE_SEQUENCE's lengths with the count of valid ones, the size of the axis + 1: from 0 to the size."""
    axis, shape = op.attributes["seq_dim"], op.operands[0].type.shape
    return _with_least_size(op.operands[1], ((shape[axis] or 0) + 1,) if 0 <= axis < len(shape) else ())


def _window_reader(update: int) -> Reader:
    """Returns a `Reader` of operators that read or write a window of their first operand: where the window begins.

    The window has the shape of operand number `update`, or of the result if `update` is 0. The next operand is where it
    begins, or the next ones are, one for each dimension.
    """

    def read(op: Op) -> Sequence[tuple[Value, int]]:
        """Returns the operands that hold a window's begin, each with the count of positions that fit; 0 if unknown."""
        sizes = op.operands[update].type.shape if update else op.results[0].type.shape
        pairs = zip(op.operands[0].type.shape, sizes, strict=False)
        # A window of 3 fits 10 elements at 0 to 7, which are 10 - 3 + 1 = 8 positions.
        room = [whole - part + 1 if whole and part else 0 for whole, part in pairs]
        begins = op.operands[update + 1 :]
        if len(begins) == 1 and begins[0].type.rank == 1:
            return _with_least_size(begins[0], room)
        return [(begin, count) for begin, count in zip(begins, room, strict=False)]

    return read


def _slice(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns SLICE's operand `begin` with the count of positions at which the slice fits into every dimension."""
    pairs = zip(op.operands[0].type.shape, op.results[0].type.shape, strict=False)
    return _with_least_size(op.operands[1], [whole - part + 1 if whole and part else 0 for whole, part in pairs])


def _stablehlo_reader(operand: int, indices: int, dimensions: str) -> Reader:
    """Returns a `Reader` of a StableHLO gather or scatter.

    `operand` and `indices` are the positions of the indexed operand and of the indices. The attribute `dimensions`
    lists the dimensions that are indexed.
    """

    def read(op: Op) -> Sequence[tuple[Value, int]]:
        """Returns the operand of indices with the count of valid ones: the least size of the indexed dimensions."""
        shape = op.operands[operand].type.shape
        axes = np.ravel(op.attribute(dimensions)).tolist() if op.attribute(dimensions) is not None else []
        return _with_least_size(
            op.operands[indices], [shape[int(axis)] for axis in axes if 0 <= int(axis) < len(shape)]
        )

    return read


def _tosa_indices(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns the indices [N, W] of TOSA's GATHER or SCATTER with the count of valid ones, the K of [N, K, C]."""
    return _with_least_size(op.operands[1], op.operands[0].type.shape[1:2])


def _index_tensors(op: Op) -> Sequence[tuple[Value, int]]:
    """Returns the tensors of indices of x[i, j, ...], each with the size of its dimension."""
    pairs = zip(op.inputs[1:], op.operands[0].type.shape, strict=False)
    return [(value, size) for value, size in pairs if value is not None and size]


_READERS: Mapping[str, Reader] = {
    "aten.embedding.out": _row_reader(1, 0),
    "aten.index.Tensor_out": _index_tensors,
    "aten.index_put.out": _index_tensors,
    "tfl.embedding_lookup": _row_reader(0, 1),
    "tfl.embedding_lookup_sparse": _row_reader(0, 4),
    "tfl.gather": _gather,
    "tfl.gather_nd": _gather_nd,
    "tfl.scatter_nd": _scatter_nd,
    "tfl.sparse_to_dense": _sparse_to_dense,
    "tfl.one_hot": _one_hot,
    "tfl.reverse_sequence": _lengths,
    "tfl.slice": _slice,
    "tfl.dynamic_update_slice": _window_reader(1),
    "tfl.stablehlo_dynamic_update_slice": _window_reader(1),
    "tfl.stablehlo_dynamic_slice": _window_reader(0),
    "tfl.stablehlo_gather": _stablehlo_reader(0, 1, "start_index_map"),
    "tfl.stablehlo_scatter": _stablehlo_reader(0, 1, "scatter_dims_to_operand_dims"),
    **{f"tfl.unsorted_segment_{name}": _segments for name in ("max", "min", "prod", "sum")},
    "tosa.gather": _tosa_indices,
    "tosa.scatter": _tosa_indices,
}


def _with_least_size(indices: Value, sizes: Sequence[int | None]) -> list[tuple[Value, int]]:
    """Returns [(indices, count)] with the least of these sizes as count: an index must fit all of these dimensions.

    Returns [] if no size is known.
    """
    counts = [size for size in sizes if size and size > 0]
    return [(indices, min(counts))] if counts else []


def _only_number(value: Value) -> int:
    """Returns the only number of a constant, or 0 if the value isn't such a constant."""
    array = value.constant
    return int(array.reshape(-1)[0]) if array is not None and array.size == 1 else 0


# ** what passes them on **

_NAMES = (
    *("broadcast_to", "cast", "expand_dims", "gather", "gather_nd", "identity", "pad", "padv2", "reshape", "reverse"),
    *("reverse_v2", "slice", "split_v", "squeeze", "strided_slice", "tile", "transpose", "unpack"),
)
# By operator the operands whose elements its results have.
_MOVES: Mapping[str, slice] = {
    **{f"{opset}.{name}": slice(0, 1) for opset in ("tfl", "tosa") for name in _NAMES},
    **{f"{opset}.{name}": slice(1, 3) for opset, name in (("tfl", "select"), ("tfl", "select_v2"), ("tosa", "select"))},
    **{f"tfl.{name}": slice(None) for name in ("concatenation", "maximum", "minimum", "pack")},
    **{f"tosa.{name}": slice(None) for name in ("concat", "maximum", "minimum")},
    "tfl.split": slice(1, 2),
}
# The range of x by that of its sum, difference or product with constants from `low` to `high`: x must fit with each.
# For 0 <= x + c <= 9 and c in 2..3, x >= 0 - 2 and x <= 9 - 3; for 0 <= x - c <= 9, x >= 0 + 3 and x <= 9 + 2. For
# 4 <= x * c <= 9, x >= 4 / 2 and x <= 9 / 3, rounded inwards. Factors below 1 are taken for 1: indices aren't negative.
_ARITHMETIC: Mapping[str, Callable[[Range, float, float], Range]] = {
    "add": lambda range, low, high: Range(range.low - low, range.high - high),
    "sub": lambda range, low, high: Range(range.low + high, range.high + low),
    "mul": lambda range, low, high: Range(math.ceil(range.low / max(low, 1)), math.floor(range.high / max(high, 1))),
}


def _operand_ranges(op: Op, ranges: Mapping[Value, Range]) -> Iterator[tuple[Value, Range]]:
    """Yields ranges of operands that follow from the ranges of the results, so that ranges reach the graph's inputs.

    Operators that move elements (`_MOVES`) pass a range on. For ADD, SUB and MUL with a constant, `_ARITHMETIC` has the
    range of the other operand.
    """
    range = Range()
    for value in op.results:
        range = range.intersect(ranges.get(value, Range()))
    if not math.isfinite(range.high - range.low):
        return
    if op.name in _MOVES:
        yield from ((value, range) for value in op.operands[_MOVES[op.name]])
    solve = _ARITHMETIC.get(op.base_name)
    if solve is not None:
        first, second = op.operands[:2]
        if second.constant is None and op.base_name != "sub":
            first, second = second, first
        constant = second.constant
        if constant is not None and constant.size and op.results[0].type.quant is None:
            yield first, solve(range, float(constant.min()), float(constant.max()))
