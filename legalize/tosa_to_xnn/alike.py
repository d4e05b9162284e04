"""Whether values are made alike: the same operators on the same constants, but for RESHAPEs between them."""

import math

from tosa_converter.ir import Op, Value
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


def alike(made: Value, found: Value, known: dict[Value, Value]) -> bool:
    """Whether both have the same elements in the same order; `known` are pairs that do."""
    pairs = [(made, found)]
    while pairs:
        a, b = map(bare, pairs.pop())
        if a in known:
            if known[a] is not b:
                return False
            continue
        known[a] = b
        if a.type.dtype is not b.type.dtype or a.producer is None or b.producer is None:
            return False
        if a.constant is not None or b.constant is not None:
            if a.constant is None or b.constant is None or a.constant.tobytes() != b.constant.tobytes():
                return False
            continue
        if not _same(a.producer, b.producer):
            return False
        pairs += zip(a.producer.operands, b.producer.operands, strict=True)
    return True


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
