"""Names of values in the regions of MLIR text, and the values that a region reads from the regions around it.

MLIR lets the regions of COND_IF and WHILE_LOOP read values of the graph around them. TOSA doesn't: such a value becomes
an operand of the operator and an input of its regions, and a constant is repeated in the region.
"""

from collections.abc import Sequence

from tosa_converter.ir import Graph, Op, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import CONSTANTS


class Scope:
    """The values of a region by their names in MLIR text, with the region around it; None around a function."""

    __slots__ = ("captured", "constants", "graph", "outer", "values")

    def __init__(self, graph: Graph, outer: "Scope | None" = None) -> None:
        """Begins a region without names, whose operators go to `graph`."""
        self.graph = graph
        self.outer = outer
        self.values: dict[str, tuple[Value, ...]] = {}
        self.captured: dict[Value, Value] = {}  # by a value around the region, the one that stands for it inside
        self.constants: list[tuple[Op, Op]] = []  # constants around the region, and their clones in it

    def find(self, name: str) -> tuple[Value, ...]:
        """Returns the values that a name stands for in this region; those around it are captured. () for no value."""
        values = self.values.get(name)
        if values is None and self.outer is not None:
            values = tuple([self._capture(value) for value in self.outer.find(name)])
            if values:
                self.values[name] = values
        return values or ()

    def _capture(self, value: Value) -> Value:
        """Returns what stands in this region for a value of the region around it.

        That is a clone of a constant, which its readers may need at compile time, or a value that becomes an input.
        """
        inner = self.captured.get(value)
        if inner is not None:
            return inner
        producer = value.producer
        if producer is None or producer.row not in CONSTANTS:
            inner = self.captured[value] = Value(value.type)
            return inner
        clone = Op(producer.row, (), [value.type], dict(producer.attributes))
        self.constants.append((producer, clone))
        self.graph.ops.insert(0, clone)
        return clone.result


def pass_captures(op: Op, captures: Sequence[dict[Value, Value]]) -> None:
    """Makes the values that regions of COND_IF or WHILE_LOOP captured operands of it and inputs of all its regions.

    A WHILE_LOOP hands each of them on as it is, from its body to a result that nobody reads.

    Args:
        op: the operator.
        captures: for each of its regions, the values inside by the values outside that they stand for.
    """
    outside = list(dict.fromkeys(value for region in captures for value in region))
    if not outside:
        return
    for region, captured in zip(op.regions, captures, strict=True):
        region.inputs += [captured.get(value) or Value(value.type) for value in outside]
    op.inputs = (*op.inputs, *outside)
    if op.row is ops.WHILE_LOOP:
        body = op.regions[1]
        body.outputs += body.inputs[len(body.inputs) - len(outside) :]
        op.results = (*op.results, *(Value(value.type, "", op) for value in outside))
