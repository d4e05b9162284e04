"""Which operators on constants are computed before the first run and kept, and which in every run.

Weights that are stored in a narrow type expand by operators on constants. They are kept expanded as long as they are
small; of larger models each run expands a layer when it is computed, and frees it afterwards.
"""

from collections.abc import Collection, Mapping
from math import prod

from tosa_converter.ir import CONSTANTS, Array, Graph, Op, Value

# Bytes by which constants may grow for good. A layer of 4096 by 4096 weights takes 16 MB as int8 and 64 MB as fp32,
# 48 MB more: five such layers stay expanded, and the sixth is expanded in every run.
KEPT_BYTES = 1 << 28


def ops_to_fold(graph: Graph) -> set[Op]:
    """Returns the operators of a graph to compute before the first run: on constants, while the results are small."""
    constant: set[Value] = set()
    chosen: set[Op] = set()
    total = 0
    for op in graph.ops:
        if op.name in CONSTANTS:
            constant.update(op.results)
        elif op.operands and not op.regions and constant.issuperset(op.operands):
            growth = max(0, sum(map(stored_bytes, op.results)) - sum(map(stored_bytes, op.operands)))
            if total + growth <= KEPT_BYTES:
                total += growth
                chosen.add(op)
                constant.update(op.results)
    return chosen


def stored_bytes(value: Value) -> int:
    """Returns how many bytes a value's elements take between operators."""
    return prod(value.type.static) * value.type.dtype.numpy.itemsize


def drop_intermediates(graph: Graph, folded: dict[Value, Array], checked: Mapping[Op, object]) -> Collection[Value]:
    """Removes folded values that only folded operators read, to free their memory, and returns them.

    Args:
        graph: the graph.
        folded: the elements of values that depend on constants only; is changed.
        checked: operators that check their operands in every run.
    """
    read = set(graph.outputs)
    for op in graph.ops:
        if op in checked or not op.results or op.results[0] not in folded:
            read.update(op.operands)
            for region in op.regions:
                read.update(value for inner in region.walk() for value in inner.operands)
    unread = folded.keys() - read
    for value in unread:
        del folded[value]
    return unread
