"""Which inputs are indices, and of how many."""

import math

from tosa_converter.ir import Graph, Op, Value

_MOVES = frozenset({"tfl.cast", "tfl.expand_dims", "tfl.reshape", "tfl.squeeze"})


def index_limits(graph: Graph) -> dict[str, tuple[float, float]]:
    """The least and the greatest index that inputs may hold, where operators take rows by them."""
    limits: dict[str, tuple[float, float]] = {}
    moved: dict[Value, Value] = {}
    for op in graph.ops:
        if op.name in _MOVES and op.operands:
            moved[op.result] = moved.get(op.operands[0], op.operands[0])
        for indices, size in _indices(op):
            value = moved.get(indices, indices)
            if value in graph.inputs and value.type.dtype.is_integer:
                limits[value.name] = 0, min(size - 1, limits.get(value.name, (0, math.inf))[1])
    return limits


def _indices(op: Op) -> list[tuple[Value, int]]:
    """The operand that holds indices, and how many there are."""
    if op.name == "tfl.embedding_lookup":
        return _known(op.operands[0], op.operands[1].type.shape[:1])
    if op.name == "tfl.gather":
        rows, axis = op.operands[0].type, op.attributes["axis"]
        return _known(op.operands[1], (rows.shape[axis],) if -rows.rank <= axis < rows.rank else ())
    if op.name == "tfl.gather_nd":
        depth = op.operands[1].type.shape[-1:] or (0,)
        return _known(op.operands[1], op.operands[0].type.shape[: depth[0] or 0])
    return []


def _known(indices: Value, sizes: tuple[int | None, ...]) -> list[tuple[Value, int]]:
    known = [size for size in sizes if size]
    return [(indices, min(known))] if known else []
