"""Ranks of unranked tensors in TOSA files and MLIR text, `tensor<*xf32>`, where operators tell them.

The rank of a result follows from the operands by the operator's shape rule. That of an input follows from the first
operator that reads it, if all its operands have one rank or this operand's is fixed. TOSA itself has no such tensors.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tosa_converter.ir import Graph, TensorType, Value, plain_type
from tosa_converter.rules.partial_shapes import infer_partial_shapes
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

UNRANKED = (-1,)  # the shape of an unranked tensor while a file is read; a reader has None for the -1 of a file


def rank_tensors(
    row: OpDef,
    values: Sequence[Value],
    types: list[TensorType],
    attributes: Mapping[str, Any],
    regions: Sequence[Graph],
) -> list[TensorType] | None:
    """Returns the types of a TOSA operator's results, with shapes for unranked ones; None if a rank doesn't follow.

    Operands that are unranked get a shape of unknown dimensions.

    Args:
        row: the operator.
        values: its operands; the types of unranked ones change.
        types: of its results, as the file states them.
        attributes: of the operator.
        regions: of COND_IF and WHILE_LOOP.
    """
    for i, value in enumerate(values):
        if value.type.shape == UNRANKED:
            rank = _operand_rank(row, i, values, types, attributes)
            if rank is None:
                return None
            value.type = plain_type(value.type.dtype, (None,) * rank)
    if all(type.shape != UNRANKED for type in types):
        return types
    shapes = infer_partial_shapes(row, values, attributes, regions=regions)
    if shapes is None or len(shapes) != len(types):
        return None
    return [
        plain_type(type.dtype, shape) if type.shape == UNRANKED else type
        for type, shape in zip(types, shapes, strict=True)
    ]


def _operand_rank(
    row: OpDef, index: int, values: Sequence[Value], types: Sequence[TensorType], attributes: Mapping[str, Any]
) -> int | None:
    """Returns the rank that operand `index` of an operator must have, None if the operator doesn't tell it."""
    if index >= len(row.inputs):
        return None
    low, high = row.inputs[index].rank
    if low == high:
        return low
    if row is ops.TRANSPOSE:
        return len(attributes["perms"])
    if row.elementwise <= index:  # a zero point or shift, or an operator whose operands have ranks of their own
        return None
    ranked = [type for type in (*(value.type for value in values[: row.elementwise]), *types) if type.shape != UNRANKED]
    return ranked[0].rank if ranked else None
