"""Rank reduction: merges dimensions of operators with more than level 8K's 6 dimensions, between RESHAPEs.

Neighbouring dimensions that an operator treats alike become one. TRANSPOSE of [2, 3, 4, 5, 6, 7, 8] by
(4, 5, 6, 0, 1, 2, 3) moves two blocks, so it is a TRANSPOSE of [120, 336] by (1, 0).
"""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

import numpy as np

from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.ir.edit import copy_model, inherit_name, substitute
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.in_place import finish_in_place, replace_outputs
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.conditions import RANK_LIMIT
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K

MAX_RANK = LEVEL_8K.MAX_RANK
Groups = list[list[int]]  # groups of neighbouring dimensions


class RankReduction:
    """The pass that reduces ranks; an operator whose dimensions don't merge to 6 stays, and the verifier refuses it."""

    name = "rank-reduction"
    resolves = frozenset({RANK_LIMIT})

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Returns the model with operators of more than 6 dimensions, TOSA's limit, on merged ones.

        It is the same object if no result has more than 6.
        """
        if not any(map(_exceeds_level, model.graphs.values())):
            return model
        reduced = copy_model(model)
        replaced: dict[Value, Value] = {}
        for graph in reduced.graphs.values():
            _reduce_graph(graph, replaced)
        finish_in_place(reduced, self.name, (), replaced)
        return reduced


def _exceeds_level(graph: Graph) -> bool:
    """Returns whether a result in a graph has more than 6 dimensions."""
    return any(len(value.type.shape) > MAX_RANK for op in graph.walk() for value in op.results)


def _reduce_graph(graph: Graph, replaced: dict[Value, Value]) -> None:
    """Rewrites the operators of a graph with more than 6 dimensions in place; `replaced` gets new values by old."""
    builder = Builder(Graph(graph.name, graph.inputs))
    new = builder.graph
    for op in graph.ops:
        if op.row in ops.CONSTANTS:
            continue
        op.inputs = substitute(op.inputs, replaced)
        for region in op.regions:
            _reduce_graph(region, replaced)
        builder.location = op.location
        result = _reduce_op(builder, op)
        if result is None:
            new.ops.append(op)
        else:
            replaced[op.result] = result
            inherit_name(result, op.result)
    replace_outputs(graph, new.ops, replaced, replaced)


def _reduce_op(builder: Builder, op: Op) -> Value | None:
    """Returns the result of an operator emitted anew on at most 6 merged dimensions; None for one that stays."""
    if all(len(value.type.shape) <= MAX_RANK for value in op.operands):
        return None
    if op.row is ops.RESHAPE:
        return _reshape(builder, op.operands[0], op.result.type.static)
    if op.row is None or len(op.results) != 1:
        return None
    if op.row.elementwise and not op.attributes.get("per_channel"):
        return _merge_elementwise(builder, op)
    if "axis" in op.attributes:
        return _merge_around_axis(builder, op)
    if op.row is ops.TRANSPOSE:
        return _merge_transpose(builder, op)
    return _merge_unchanged(builder, op) if op.row in (ops.PAD, ops.SLICE, ops.TILE) else None


def _reshape(builder: Builder, x: Value, shape: Sequence[int]) -> Value:
    """Emits a RESHAPE of x; if x is itself a RESHAPE to more than 6 dimensions, a RESHAPE of its operand."""
    if x.type.rank > MAX_RANK and x.producer is not None and x.producer.row is ops.RESHAPE:
        x = x.producer.operands[0]
    return builder.reshape(x, shape)


def _emit_like(builder: Builder, op: Op, operands: Sequence[Value], **attributes: int) -> Value:
    """Emits an operator like `op` on operands with merged dimensions; the result gets back op's result shape."""
    assert op.row is not None
    narrow = builder.emit(op.row, *operands, dtype=op.result.type.dtype, **{**op.attributes, **attributes})
    return _reshape(builder, narrow, op.result.type.static)


def _merge_elementwise(builder: Builder, op: Op) -> Value | None:
    """Emits an elementwise operator with neighbouring dimensions merged along which the same operands broadcast.

    Returns None if more than 6 groups are left.
    """
    assert op.row is not None
    broadcast, rest = op.operands[: op.row.elementwise], op.operands[op.row.elementwise :]
    shapes = [value.type.static for value in broadcast]
    # [2, 3, 4] with [1, 1, 4]: axes 0 and 1 broadcast alike, so it is [6, 4] with [1, 4].
    longer = [axis for axis, size in enumerate(op.result.type.static) if size != 1]
    groups = [list(axes) for _, axes in groupby(longer, lambda axis: [shape[axis] == 1 for shape in shapes])]
    if len(groups) > MAX_RANK:
        return None
    parts = [_reshape(builder, value, _group_sizes(value.type.static, groups)) for value in broadcast]
    return _emit_like(builder, op, [*parts, *rest])


def _group_sizes(shape: Sequence[int], groups: Iterable[Sequence[int]]) -> list[int]:
    """Returns the number of elements of each group of dimensions."""
    return [math.prod(shape[axis] for axis in axes) for axes in groups]


def _merge_around_axis(builder: Builder, op: Op) -> Value:
    """Emits an operator with an axis, such as CONCAT, on 3 dimensions: those before, the axis, those behind."""
    # CONCAT along axis 2 of [2, 3, 4, 5] and [2, 3, 6, 5]: [6, 4, 5] and [6, 6, 5] along axis 1.
    axis, shapes = op.attributes["axis"], [value.type.static for value in op.operands]
    views = [(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])) for shape in shapes]
    parts = [_reshape(builder, value, view) for value, view in zip(op.operands, views, strict=True)]
    return _emit_like(builder, op, parts, axis=1)


def _merge_transpose(builder: Builder, op: Op) -> Value | None:
    """Emits TRANSPOSE with those dimensions merged that stay neighbours in order; those of size 1 don't count.

    Returns None if more than 6 groups are left.
    """
    x, perms = op.operands[0], op.attributes["perms"]
    shape = x.type.static
    groups: Groups = []
    # [2, 3, 1, 4] by (3, 0, 1, 2): 3 begins a group, 0 < 3 begins another, 1 follows 0, and 2 is left out with its size
    # of 1. The groups are [3] and [0, 1], so it is TRANSPOSE of [6, 4] by (1, 0).
    for axis in (axis for axis in perms if shape[axis] != 1):
        if groups and axis > groups[-1][-1] and all(n == 1 for n in shape[groups[-1][-1] + 1 : axis]):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    if len(groups) > MAX_RANK:
        return None
    ordered = sorted(groups)
    narrow = builder.transpose(
        _reshape(builder, x, _group_sizes(shape, ordered)), [ordered.index(axes) for axes in groups]
    )
    return _reshape(builder, narrow, op.result.type.static)


def _merge_unchanged(builder: Builder, op: Op) -> Value | None:
    """Emits PAD, SLICE or TILE with each dimension that changes merged with the unchanged ones behind it.

    Returns None if more than 6 groups are left, or the amounts aren't constant.
    """
    # SLICE of [4, 5, 6] to [2, 5, 6] from row 1: the 5 * 6 = 30 elements behind a row merge with it, so it is a SLICE
    # of [120] from 30, of size 60.
    x, amounts = op.operands[0], op.operands[1].constant
    result, shape = op.result.type.static, x.type.static
    starts = [0, *(axis for axis, size in enumerate(shape) if axis and size != result[axis])]
    groups = [list(range(*ends)) for ends in pairwise([*starts, len(shape)])]
    if amounts is None or len(groups) > MAX_RANK:
        return None
    view = _reshape(builder, x, _group_sizes(shape, groups))
    behind = [math.prod(shape[axes[0] + 1 : axes[-1] + 1]) for axes in groups]
    if op.row is ops.TILE:
        narrow = builder.tile(view, amounts[starts].tolist())
    elif op.row is ops.SLICE:
        narrow = builder.slice(view, (amounts[starts] * behind).tolist(), _group_sizes(result, groups))
    else:
        pairs = amounts.reshape(-1, 2)[starts] * np.reshape(behind, (-1, 1))
        narrow = builder.emit(ops.PAD, view, builder.shape(pairs.reshape(-1).tolist()), op.operands[2])
    return _reshape(builder, narrow, result)
