"""Equality of elements: whether two TOSA graphs compute the same ones, whatever RESHAPEs stand between operators."""

import math

from tosa_converter.ir import Op, Value
from tosa_converter.ir.edit import equal_values
from tosa_converter.schemas import tosa_ops as ops

REDUCTIONS = frozenset({ops.REDUCE_MAX, ops.REDUCE_MIN, ops.REDUCE_SUM})


def skip_reshapes(x: Value) -> Value:
    """Returns the value that `x` is a RESHAPE of, through any number of them; `x` itself if there is none."""
    while x.producer is not None and x.producer.row is ops.RESHAPE:
        x = x.producer.operands[0]
    return x


def have_equal_elements(a: Value, b: Value, pairs: dict[Value, Value]) -> bool:
    """Returns whether the same operators on the same constants compute two values; RESHAPEs are ignored.

    Args:
        a: a value of one graph.
        b: a value of another graph.
        pairs: values of the second graph by those of the first that have the same elements in the same order.
    """
    pairs = {x: skip_reshapes(y) for x, y in pairs.items()}
    return equal_values(a, b, pairs, seen_as=skip_reshapes, types=_have_equal_dtypes, ops=_compute_equal_elements)


def _have_equal_dtypes(a: Value, b: Value) -> bool:
    """Returns whether two values have the same element type; their shapes may differ by a RESHAPE."""
    return a.type.dtype is b.type.dtype


def _compute_equal_elements(a: Op, b: Op) -> bool:
    """Returns whether two operators compute the same elements from operands with the same elements.

    The axis of a reduction may differ, because RESHAPEs renumber axes; `element_runs` compares it.
    """
    if a.row is not b.row or a.row is None or len(a.operands) != len(b.operands):
        return False
    names = [attribute.name for attribute in a.row.attributes if a.row not in REDUCTIONS or attribute.name != "axis"]
    return all(a.attribute(name) == b.attribute(name) for name in names) and element_runs(a) == element_runs(b)


def element_runs(op: Op) -> object:
    """Returns which elements of the operands an operator combines, in a form that RESHAPEs around it don't change.

    An elementwise operator or reduction treats neighbouring dimensions alike in which the same values have size 1. They
    count as one run: MUL of [2,3,4] by [1,1,4] is MUL of [6,4] by [1,4], with the sizes (6, 1, 6) and (4, 4, 4) of both
    operands and the result. For any other operator all shapes count.
    """
    values = [*op.operands, *op.results]
    if op.row is None or not (op.row.elementwise or op.row in REDUCTIONS):
        return [value.type.shape for value in values]
    rank = op.results[0].type.rank
    dimensions = zip(*(value.type.static for value in values if value.type.rank == rank), strict=True)
    runs: list[list[tuple[int, ...]]] = []
    for sizes in dimensions:
        if any(size != 1 for size in sizes):
            if not runs or [size == 1 for size in runs[-1][0]] != [size == 1 for size in sizes]:
                runs.append([])
            runs[-1].append(sizes)
    return [tuple(map(math.prod, zip(*run, strict=True))) for run in runs]
