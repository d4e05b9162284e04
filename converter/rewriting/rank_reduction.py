"""Operators on more dimensions than level 8K allows: neighbours that the operator treats alike become one."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K

if TYPE_CHECKING:
    from tosa_converter.rewriting.builder import Builder

Groups = list[list[int]]  # of neighbouring dimensions


def merged(
    builder: "Builder", row: OpDef, inputs: Sequence[Value], attributes: Mapping[str, Any], dtype: DType | None
) -> Value | None:
    """The operator on merged dimensions, its result in the shape asked for; None where too many are left."""
    if row.elementwise and not attributes.get("per_channel"):
        return _elementwise(builder, row, inputs, attributes, dtype)
    if "axis" in attributes:
        return _along_axis(builder, row, inputs, attributes, dtype)
    if row is ops.TRANSPOSE:
        return _transposed(builder, inputs[0], attributes["perms"])
    return _by_dimension(builder, row, inputs) if row in (ops.PAD, ops.SLICE, ops.TILE) else None


def _elementwise(
    builder: "Builder", row: OpDef, inputs: Sequence[Value], attributes: Mapping[str, Any], dtype: DType | None
) -> Value | None:
    """Dimensions along which the same operands broadcast."""
    shapes = [value.type.static for value in inputs[: row.elementwise]]
    result = infer_types(row, inputs, attributes, dtype)[0].static
    longer = [axis for axis, size in enumerate(result) if size != 1]
    groups = [list(axes) for _, axes in groupby(longer, lambda axis: [shape[axis] == 1 for shape in shapes])]
    if len(groups) > LEVEL_8K.MAX_RANK:
        return None
    parts = [builder.reshape(value, _sizes(shape, groups)) for value, shape in zip(inputs, shapes, strict=False)]
    return builder.reshape(builder.emit(row, *parts, *inputs[len(parts) :], dtype=dtype, **attributes), result)


def _sizes(shape: Sequence[int], groups: Iterable[Sequence[int]]) -> list[int]:
    return [math.prod(shape[axis] for axis in axes) for axes in groups]


def _along_axis(
    builder: "Builder", row: OpDef, inputs: Sequence[Value], attributes: Mapping[str, Any], dtype: DType | None
) -> Value:
    """What is before the axis, the axis, what is behind it."""
    result, axis = infer_types(row, inputs, attributes, dtype)[0].static, attributes["axis"]
    shapes = [value.type.static for value in inputs]
    views = [(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])) for shape in shapes]
    parts = [builder.reshape(value, view) for value, view in zip(inputs, views, strict=True)]
    return builder.reshape(builder.emit(row, *parts, dtype=dtype, **{**attributes, "axis": 1}), result)


def _transposed(builder: "Builder", x: Value, perms: Sequence[int]) -> Value | None:
    """Dimensions that stay neighbours; those of size 1 don't count."""
    shape = x.type.static
    moving = [axis for axis in perms if shape[axis] != 1]
    groups: Groups = []
    for axis in moving:
        if groups and all(shape[between] == 1 for between in range(groups[-1][-1] + 1, axis)) and axis > groups[-1][-1]:
            groups[-1].append(axis)
        else:
            groups.append([axis])
    if len(groups) > LEVEL_8K.MAX_RANK:
        return None
    ordered = sorted(groups)
    moved = builder.transpose(builder.reshape(x, _sizes(shape, ordered)), [ordered.index(axes) for axes in groups])
    return builder.reshape(moved, [shape[axis] for axis in perms])


def _by_dimension(builder: "Builder", row: OpDef, inputs: Sequence[Value]) -> Value | None:
    """A dimension that changes with those behind it that don't."""
    x, amounts = inputs[0], inputs[1].constant
    result, shape = infer_types(row, inputs, {})[0].static, x.type.static
    starts = [0, *(axis for axis, size in enumerate(shape) if axis and size != result[axis])]
    groups = [list(range(*ends)) for ends in pairwise([*starts, len(shape)])]
    if amounts is None or len(groups) > LEVEL_8K.MAX_RANK:
        return None
    view = builder.reshape(x, _sizes(shape, groups))
    behind = [math.prod(shape[axes[0] + 1 : axes[-1] + 1]) for axes in groups]
    if row is ops.TILE:
        return builder.reshape(builder.tile(view, amounts[starts].tolist()), result)
    if row is ops.SLICE:
        return builder.reshape(builder.slice(view, (amounts[starts] * behind).tolist(), _sizes(result, groups)), result)
    pairs = amounts.reshape(-1, 2)[starts] * np.reshape(behind, (-1, 1))
    return builder.reshape(builder.emit(ops.PAD, view, builder.shape(pairs.reshape(-1).tolist()), inputs[2]), result)
