"""Whether values are made alike: the same operators on the same constants, but for RESHAPEs between them."""

import math

from tosa_converter.ir import Op, Value
from tosa_converter.ir.edit import equal_values
from tosa_converter.schemas import tosa_ops as ops

# Whose elements depend on their place by broadcasting alone, or by the axis that is added up.
EVEN = frozenset(
    {
        ops.ABS,
        ops.ADD,
        ops.CAST,
        ops.CLAMP,
        ops.EQUAL,
        ops.GREATER,
        ops.GREATER_EQUAL,
        ops.MAXIMUM,
        ops.MINIMUM,
        ops.MUL,
        ops.RECIPROCAL,
        ops.REDUCE_MAX,
        ops.REDUCE_MIN,
        ops.REDUCE_SUM,
        ops.RESCALE,
        ops.SELECT,
        ops.SUB,
    }
)


def bare(x: Value) -> Value:
    """What a value was before it only had another shape."""
    while x.producer is not None and x.producer.row is ops.RESHAPE:
        x = x.producer.operands[0]
    return x


def alike(a: Value, b: Value, known: dict[Value, Value]) -> bool:
    """Returns whether values of two graphs have the same elements in the same order, as those in `known` have."""
    pairs = {x: bare(y) for x, y in known.items()}
    return equal_values(a, b, pairs, seen_as=bare, types=_same_dtypes, ops=_same)


def _same_dtypes(a: Value, b: Value) -> bool:
    return a.type.dtype is b.type.dtype


def _same(one: Op, other: Op) -> bool:
    if one.row is not other.row or one.row is None or len(one.operands) != len(other.operands):
        return False
    names = [attribute.name for attribute in one.row.attributes if one.row not in EVEN or attribute.name != "axis"]
    return all(one.attribute(name) == other.attribute(name) for name in names) and _places(one) == _places(other)


def _places(op: Op) -> object:
    """Which elements of the operands make which of the result."""
    values = [*op.operands, *op.results]
    if op.row not in EVEN:
        return [value.type.shape for value in values]
    rank = op.results[0].type.rank
    columns = zip(*(value.type.static for value in values if value.type.rank == rank), strict=True)
    merged: list[list[tuple[int, ...]]] = []
    for column in columns:
        if any(size != 1 for size in column):
            if not merged or [size == 1 for size in merged[-1][0]] != [size == 1 for size in column]:
                merged.append([])
            merged[-1].append(column)
    return [tuple(map(math.prod, zip(*run, strict=True))) for run in merged]
