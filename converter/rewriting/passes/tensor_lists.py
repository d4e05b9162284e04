"""Tensor lists as TensorFlow's converter leaves them in loops: to set an entry, it joins it with those around it.

The two parts around, SLICEs at a run-time index, have sizes that only the run knows. DYNAMIC_UPDATE_SLICE is the same
without them.
"""

from collections.abc import Iterable, Sequence

from tosa_converter.ir import Graph, Op, Value
from tosa_converter.ir.edit import replace_ops, replace_values
from tosa_converter.schemas.tflite import ActivationFunctionType

JOIN = {"axis": 0, "fused_activation_function": ActivationFunctionType.NONE}


def set_in_place(graphs: Iterable[Graph]) -> None:
    """Have entries set by DYNAMIC_UPDATE_SLICE, in graphs and in those of their operators."""
    left = list(graphs)
    seen: set[Graph] = set()
    while left:
        graph = left.pop()
        if graph not in seen:
            seen.add(graph)
            _replace(graph)
            left += [region for op in graph.ops for region in op.regions]


def _replace(graph: Graph) -> None:
    entries: dict[Op, list[Op]] = {}
    for op in graph.ops:
        setters = _entry(op) if op.name == "tfl.concatenation" and len(op.operands) == 3 else []
        if setters:
            entries[op] = setters
            replace_values(graph, {op.result: setters[-1].result})
    if entries:
        replace_ops(graph, entries)


def _entry(op: Op) -> list[Op]:
    """What sets an entry: its start, [index, 0, ...], and DYNAMIC_UPDATE_SLICE; nothing if the operator doesn't."""
    before, after = op.operands[0].producer, op.operands[2].producer
    if before is None or after is None or not before.name == after.name == "tfl.slice" or op.attributes != JOIN:
        return []
    (tensor, begin, size), (other, start, rest) = before.operands, after.operands
    index, sizes = _vector(size)
    behind, zeros = _vector(start)
    item = op.operands[1]
    alike = tensor.type.quant == item.type.quant == op.result.type.quant
    fits = tensor is other and alike and item.type.shape[:1] == (1,)
    around = _all(begin, 0) and _all(rest, -1) and _all(sizes, -1) and _all(zeros, 0)
    if not fits or not around or not _follows(behind, index):
        return []
    vector = Op("tfl.concatenation", [index, *zeros], [begin.type], dict(JOIN), location=op.location)
    operands = [tensor, item, vector.result]
    name = op.result.name
    return [vector, Op("tfl.dynamic_update_slice", operands, [tensor.type], location=op.location, result_names=[name])]


def _vector(value: Value) -> tuple[Value, list[Value]]:
    """The first part of a vector that is joined, and what follows it."""
    op = value.producer
    joined = op is not None and op.name == "tfl.concatenation" and op.attributes == JOIN and op.operands
    return (op.operands[0], list(op.operands[1:])) if op is not None and joined else (value, [])


def _all(values: Value | Sequence[Value], number: int) -> bool:
    """Whether all elements of vectors are a number."""
    arrays = [value.constant for value in ([values] if isinstance(values, Value) else values)]
    return all(array is not None and (array == number).all() for array in arrays)


def _follows(behind: Value, index: Value) -> bool:
    """Whether a number is another one and 1."""
    op = _number(behind).producer
    if op is None or op.name != "tfl.add" or len(op.operands) != 2:
        return False
    a, b = op.operands
    return any(_number(x) is _number(index) and _all(one, 1) for x, one in ((a, b), (b, a)))


def _number(value: Value) -> Value:
    op = value.producer
    return op.operands[0] if op is not None and op.name == "tfl.reshape" else value
