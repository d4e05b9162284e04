"""Plants faults in conversions: twenty ways in which a rule could be wrong, each of which `compare` must detect.

`python -m longer.faults MODEL ...` converts models of the zoo (or `.tflite` files), compares them unbroken and broken
in every way on 10 inputs, and prints a table: at which operator of the source they differ first, or by how many times
the source's own variation the outputs are off. Exit status 1 if an unbroken one differs or a broken one doesn't.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tosa_converter as tc
from tosa_converter.engines.litert import LiteRT
from tosa_converter.ir import Array, Graph, Op, Value
from tosa_converter.proof import zoo
from tosa_converter.proof.compare import Comparison

Fault = Callable[[Graph], None]
Edit = Callable[[Array], Array]
CONV, DEPTHWISE, CLAMP, ADD = "tosa.conv2d", "tosa.depthwise_conv2d", "tosa.clamp", "tosa.add"
KERNEL = {CONV: (1, 2), DEPTHWISE: (0, 1)}  # the axes of height and width


def _ops(graph: Graph, name: str) -> list[Op]:
    return [op for op in graph.ops if op.name == name]


def _pick(ops: list[Op], place: float) -> Op:
    return ops[round(place * (len(ops) - 1))]


def _edit(value: Value, edit: Edit) -> None:
    op = value.producer
    assert op is not None
    values = op.attributes["values"]
    op.attributes["values"] = np.ascontiguousarray(edit(values.copy()), values.dtype)


def _replace(graph: Graph, old: Value, new: Value) -> None:
    for op in graph.ops:
        op.inputs = tuple(new if value is old else value for value in op.inputs)
    graph.outputs[:] = [new if value is old else value for value in graph.outputs]


def weight(name: str, place: float, edit: Edit) -> Fault:
    """Returns a fault that edits the weight of the first (0) or last (1) operator of its kind."""
    return lambda graph: _edit(_pick(_ops(graph, name), place).operands[1], edit)


def bias(name: str, place: float, edit: Edit) -> Fault:
    """Returns a fault that edits a bias that isn't zero."""

    def fault(graph: Graph) -> None:
        constants = [(op, op.operands[2].constant) for op in _ops(graph, name)]
        biased = [op for op, values in constants if values is not None and values.any()]
        _edit(_pick(biased, place).operands[2], edit)

    return fault


def transposed(name: str, place: float) -> Fault:
    """Returns a fault that swaps height and width of a square kernel."""

    def fault(graph: Graph) -> None:
        a, b = KERNEL[name]
        shapes = [(op, op.operands[1].type.static) for op in _ops(graph, name)]
        square = [op for op, shape in shapes if shape[a] == shape[b] > 1]
        _edit(_pick(square, place).operands[1], lambda values: values.swapaxes(a, b))

    return fault


def dropped(name: str, place: float) -> Fault:
    """Returns a fault that removes an operator: its first operand that isn't constant replaces its result."""

    def fault(graph: Graph) -> None:
        op = _pick(_ops(graph, name), place)
        _replace(graph, op.result, next(value for value in op.operands if value.constant is None))

    return fault


def raised(place: float) -> Fault:
    """Returns a fault that raises the lower bound of an activation by 0.001."""

    def fault(graph: Graph) -> None:
        _pick(_ops(graph, CLAMP), place).attributes["min_val"] += 1e-3

    return fault


def shifted(graph: Graph) -> None:
    """Moves the padding of a window to the other side."""
    windows = [op for name in (CONV, DEPTHWISE) for op in _ops(graph, name)]
    op = _pick([op for op in windows if op.attributes["pad"][0] != op.attributes["pad"][1]], 0.5)
    top, bottom, left, right = op.attributes["pad"]
    op.attributes["pad"] = (bottom, top, right, left)


def subtracted(graph: Graph) -> None:
    """Replaces an addition by a subtraction."""
    _pick(_ops(graph, ADD), 0.5).name = "tosa.sub"


def _more(values: Array) -> Array:
    return values * 1.001


def _channel(values: Array) -> Array:
    values[0] *= 1.001
    return values


def _largest_element(values: Array, factor: float = 1.001) -> Array:
    values.reshape(-1)[np.abs(values).argmax()] *= factor
    return values


FAULTS: dict[str, Fault] = {
    "first weight times 1.001": weight(CONV, 0, _more),
    "middle weight times 1.001": weight(CONV, 0.5, _more),
    "last weight times 1.001": weight(CONV, 1, _more),
    "middle depthwise weight times 1.001": weight(DEPTHWISE, 0.5, _more),
    "one channel of the first weight times 1.001": weight(CONV, 0, _channel),
    "one element of the first weight times 1.001": weight(CONV, 0, _largest_element),
    "one element of the first bias times 1.01": bias(CONV, 0, lambda values: _largest_element(values, 1.01)),
    "middle bias times 1.001": bias(CONV, 0.5, _more),
    "last bias times 1.01": bias(CONV, 1, lambda values: values * 1.01),
    "first bias dropped": bias(CONV, 0, np.zeros_like),
    "middle depthwise bias dropped": bias(DEPTHWISE, 0.5, np.zeros_like),
    "height and width of a kernel swapped": transposed(CONV, 0),
    "height and width of a depthwise kernel swapped": transposed(DEPTHWISE, 0.5),
    "output channels rotated": weight(CONV, 0.5, lambda values: np.roll(values, 1, 0)),
    "input channels rotated": weight(CONV, 0.75, lambda values: np.roll(values, 1, 3)),
    "first activation dropped": dropped(CLAMP, 0),
    "an activation from 0.001 on": raised(0.5),
    "padding on the other side": shifted,
    "a subtraction for an addition": subtracted,
    "a residual dropped": dropped(ADD, 0.75),
}


def compared(source: tc.Model, fault: Fault | None = None, **options: Any) -> Comparison:
    """Returns the comparison of a source with its conversion, which is broken in one way."""
    model = tc.convert(source)
    if fault is not None:
        fault(model.main)
    (comparison,) = tc.compare(source, model, **options)
    return comparison


def remember() -> None:
    """Makes LiteRT run the same model on the same inputs only once."""
    run, results = LiteRT.run, {}

    def remembered(self: LiteRT, model: tc.Model, inputs: Any, *, content: bytes = b"") -> dict[str, Array]:
        key = (self.name, model.source, content, *(array.tobytes() for array in inputs.values()))
        if hash(key) not in results:
            results[hash(key)] = run(self, model, inputs, content=content)
        return results[hash(key)]

    LiteRT.run = remembered  # type: ignore[method-assign]


def reason(comparison: Comparison) -> str:
    """Returns the operator at which a conversion differs, or the error as a multiple of the source's own variation."""
    looks = [output.second_look for output in comparison.outputs if output.second_look is not None]
    for look in looks:
        if place := re.search(r"at operator (\d+), tfl\.(\w+)", look.refusal):
            return f"operator {place[1]}, {place[2]}"
    ratios = [d / s if s else np.inf for look in looks for d, s in zip(look.distance, look.spread, strict=True)]
    return f"{max(ratios, default=0.0):.2g}"


def main(names: list[str]) -> int:
    """Prints a table with one column per model."""
    remember()
    wrong = 0
    print(f"| {' | '.join(['fault', *(Path(name).stem for name in names)])} |\n|{' --- |' * (len(names) + 1)}")
    sources = [tc.load(name if name.endswith(".tflite") else zoo.path_of(*zoo.select([name]))) for name in names]
    for text, fault in {"none": None, **FAULTS}.items():
        cells = []
        for source in sources:
            comparison = compared(source, fault, runs=10)
            wrong += comparison.verdict is (fault is not None)
            cells.append(f"{'equal' if comparison.verdict else 'refused'}, {reason(comparison)}")
        print(f"| {' | '.join([text, *cells])} |", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
