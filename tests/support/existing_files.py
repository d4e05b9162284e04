"""Files as other tools write them, without names and locations, and faults planted in them."""

import random
from typing import NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.ir import CONSTANTS, Op, Value
from tosa_converter.ir.edit import copy_model
from tosa_converter.rules.gate import require_legal

_TRIES = 200
_SWAPPED = {"tosa.sub", "tosa.greater", "tosa.concat", "tosa.add", "tosa.mul"}


class Planted(NamedTuple):
    """A copy of a conversion with one fault: the location of the operator that has it, and what was changed there."""

    model: tc.Model
    location: str
    kind: str


def anonymous(model: tc.Model) -> tc.Model:
    """Returns a copy of a model without a word of its source: only the order of inputs and outputs is left."""
    copy = tc.Model(copy_model(model).graphs)
    for graph in copy.graphs.values():
        for op in graph.walk():
            op.location = ""
            for value in op.results:
                value.name, value.origin = "", None
        for kind, values in (("input", graph.inputs), ("output", graph.outputs)):
            for i, value in enumerate(values):
                value.name, value.origin = f"{kind}_{i}", None
    return copy


def plant(model: tc.Model, rng: random.Random, kind: str = "") -> Planted:
    """Returns a copy of a conversion with a random fault: a wrong constant or attribute, or a wrong operand."""
    for _ in range(_TRIES):
        copy = copy_model(model)
        ops = [op for op in copy.main.ops if op.name not in CONSTANTS and op.results and op.location]
        op = rng.choice(ops)
        chosen = kind or rng.choice(["constant", "attribute", "operand"])
        change = {"constant": _wrong_constant, "attribute": _wrong_attribute, "operand": _wrong_operand}[chosen]
        if change(copy.main, op, rng) and _is_legal(copy):
            return Planted(copy, op.location, f"{chosen} of {op.name}")
    raise AssertionError("no fault of this kind fits the model")


def _is_legal(model: tc.Model) -> bool:
    """Returns whether a model with a fault is still one that runs."""
    try:
        require_legal(model)
    except tc.ConverterError:
        return False
    return True


def _replace_operand(graph: tc.Graph, op: Op, i: int, values: np.ndarray) -> bool:  # type: ignore[type-arg]
    """Gives one operator another constant; returns whether it differs."""
    old = op.inputs[i]
    assert old is not None
    assert old.constant is not None
    assert old.producer is not None
    if np.array_equal(values, old.constant):
        return False
    constant = Op(old.producer.row, [], [old.type], {"values": values})
    graph.ops.insert(graph.ops.index(op), constant)
    op.inputs = tuple(constant.result if k == i else value for k, value in enumerate(op.inputs))
    return True


def _wrong_constant(graph: tc.Graph, op: Op, rng: random.Random) -> bool:
    """Changes one element of a constant operand, or all of them."""
    constants = [
        i
        for i, value in enumerate(op.inputs)
        if value is not None and value.constant is not None and value.type.dtype.value != "shape"
    ]
    if not constants:
        return False
    i = rng.choice(constants)
    operand = op.inputs[i]
    assert operand is not None
    assert operand.constant is not None
    values = operand.constant.copy()
    if values.dtype == bool or not values.size:
        return False
    with np.errstate(all="ignore"):
        if values.size > 1 and rng.random() < 0.5:
            flat = values.reshape(-1)
            j = rng.randrange(flat.size)
            flat[j : j + 1] += np.asarray(1 if values.dtype.kind == "f" else rng.choice([3, 17])).astype(values.dtype)
        else:
            values = (values * 1.5 if values.dtype.kind == "f" else values + 1).astype(values.dtype)
    return _replace_operand(graph, op, i, values)


def _wrong_attribute(graph: tc.Graph, op: Op, rng: random.Random) -> bool:
    """Changes the shift of a RESCALE, the padding of a window, or the bounds of a CLAMP."""
    if op.name == "tosa.rescale":
        shift = op.operands[2].constant
        assert shift is not None
        values = (shift + np.int8(rng.choice([-1, 1]))).astype(np.int8)
        return values.min() >= 2 and values.max() <= 62 and _replace_operand(graph, op, 2, values)
    pads = op.attributes.get("pad")
    if isinstance(pads, tuple) and len(pads) == 4:
        top, bottom, left, right = pads
        op.attributes = {**op.attributes, "pad": (bottom, top, right, left)}
        return (top, left) != (bottom, right)
    low, high = op.attributes.get("min_val"), op.attributes.get("max_val")
    if isinstance(low, int | float) and isinstance(high, int | float):
        step = 5 if isinstance(low, int) else 0.1
        op.attributes = {**op.attributes, "min_val": low + step}
        return low + step < high
    return False


def _wrong_operand(graph: tc.Graph, op: Op, rng: random.Random) -> bool:
    """Swaps the operands of an operator for which that matters, or reads another value of the same type."""
    if op.name not in _SWAPPED:
        return False
    first, second, *rest = op.operands
    if op.name in ("tosa.add", "tosa.mul"):
        before = [value for earlier in graph.ops[: graph.ops.index(op)] for value in earlier.results]
        rivals = [value for value in before if value.constant is None and value.type == first.type]
        rivals = [value for value in rivals if value is not first]
        if not rivals or first.constant is not None:
            return False
        op.inputs = (rng.choice(rivals[-6:]), second, *rest)
        return True
    op.inputs = (second, first, *rest)
    return first is not second and _same_type(first, second)


def _same_type(first: Value, second: Value) -> bool:
    """Returns whether two values have one element type and shape."""
    return first.type[:2] == second.type[:2]
