"""Moves RESHAPEs: elementwise operators and reductions get the dimensions that take the fewest RESHAPEs.

Layers, poolings and matrix products have dimensions of their own (FULLY_CONNECTED as CONV2D, MEAN as AVG_POOL2D);
elementwise operators between them take any. Elements and their order stay the same.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.ir.edit import arrange
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.in_place import finish_in_place
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K

Sizes = tuple[int, ...]

REDUCTIONS = frozenset(
    {ops.REDUCE_ALL, ops.REDUCE_ANY, ops.REDUCE_MAX, ops.REDUCE_MIN, ops.REDUCE_PRODUCT, ops.REDUCE_SUM}
)
TYPES = frozenset(DType(type) for _, type in ops.RESHAPE.types)
# Limits that keep the pass linear: the mappings that are tried for a region, and the readers of a value that are
# searched.
CANDIDATES, ASKED = 3, 64


class Readers(NamedTuple):
    """The operators that read each value, the graph's outputs, and the new shapes chosen so far for operators."""

    ops: Mapping[Value, Sequence[Op]]
    outputs: Set[Value]
    mappings: "dict[Op, ShapeMapping]"

    def readers_of(self, value: Value) -> Sequence[Op]:
        """Returns the operators that read a value, once for each operand."""
        return self.ops.get(value, ())

    def data_readers(self, value: Value) -> list[Op]:
        """Returns the elementwise operators and reductions that compute with a value's elements.

        Those that read it as a zero point, shift or multiplier are left out: its shape stays as it is.
        """
        return [op for op in self.readers_of(value) if value in _data_operands(op)]

    def shape(self, value: Value, op: Op | None) -> Sizes:
        """Returns a value's shape as the operator `op` is going to read or compute it.

        That is a new shape if this pass has chosen dimensions for `op`. It is the value's own shape otherwise, or if
        `op` is None: a reader that keeps its dimensions, or no operator computes the value.
        """
        mapping = None if op is None else self.mappings.get(op)
        return (None if mapping is None else mapping.map_shape(value.type.static)) or value.type.static


class ReshapePropagation:
    """The pass that gives elementwise operators and reductions the dimensions of their neighbours."""

    name = "reshape-propagation"

    def run(self, model: Model, _options: Options, _report: Report) -> Model:
        """Moves RESHAPEs in all graphs, which are changed, and verifies the operators that get new dimensions.

        Raises:
            BrokenPassError: an operator with new dimensions is illegal.
        """
        outputs: dict[Value, Value] = {}
        moved = [op for graph in model.graphs.values() for op in _move_reshapes_in_regions(graph, outputs)]
        finish_in_place(model, self.name, moved, outputs)
        return model


def _move_reshapes_in_regions(graph: Graph, outputs: dict[Value, Value]) -> Iterator[Op]:
    """Moves the RESHAPEs of a graph and its regions, and yields the operators with new dimensions.

    `outputs` gets the new graph outputs by the old ones.
    """
    for op in graph.ops:
        for region in op.regions:
            yield from _move_reshapes_in_regions(region, outputs)
    before = graph.outputs
    yield from move_reshapes(graph)
    if graph.outputs is not before:
        outputs.update(zip(before, graph.outputs, strict=True))


def move_reshapes(graph: Graph) -> list[Op]:
    """Gives connected elementwise operators and reductions the dimensions that need the fewest RESHAPEs.

    Returns the operators that changed.
    """
    if not any(op.row is ops.RESHAPE for op in graph.ops):
        return []
    readers = Readers(graph.uses(), set(graph.outputs), {})
    # Large regions choose first: the mappings of those chosen before count as fixed shapes for their neighbours.
    for region in sorted(_find_regions(graph, readers), key=len, reverse=True):
        mapping = _cheapest_mapping(region, readers)
        if mapping is not None:
            readers.mappings.update(dict.fromkeys(region, mapping))
    if readers.mappings:
        ReshapeMover(graph, readers.mappings).run()
    return list(readers.mappings)


class ShapeMapping:
    """A change of dimensions from the shape `old` to `new`, also for shapes that broadcast to `old`."""

    def __init__(self, old: Sizes, new: Sizes) -> None:
        """Prepares to translate shapes that broadcast to `old` into shapes that broadcast to `new`, of equal size."""
        self.new = new
        self.old = old
        self.groups = _group_axes(old, new)
        self._mapped: dict[Sizes, Sizes | None] = {}

    def map_shape(self, shape: Sizes) -> Sizes | None:
        """Translates `shape`, which broadcasts to `old`, to the shape that broadcasts in the same way to `new`.

        Returns None if there is no such shape.
        """
        # From (6, 4) to (2, 3, 4), (6, 1) becomes (2, 3, 1). From (2, 3, 4) to (6, 4), (1, 3, 4) has no shape: it
        # repeats in a part of the 6.
        if shape not in self._mapped:
            self._mapped[shape] = self._compute_mapped_shape(shape)
        return self._mapped[shape]

    def _compute_mapped_shape(self, shape: Sizes) -> Sizes | None:
        """Returns the shape that broadcasts to `new` as `shape` broadcasts to `old`, or None if there is none.

        `map_shape` caches it.
        """
        sizes = [1] * len(self.new)
        for before, behind in self.groups:
            if all(shape[axis] == self.old[axis] for axis in before):
                for axis in behind:
                    sizes[axis] = self.new[axis]
            elif any(shape[axis] != 1 for axis in before):
                return None
        return tuple(sizes)

    def map_axis(self, axis: int) -> int | None:
        """Returns where an axis of the old shape is in the new one; None if split, merged with others, or of size 1."""
        return next((behind[0] for before, behind in self.groups if before == [axis] and len(behind) == 1), None)

    def allows(self, op: Op) -> bool:
        """Returns whether an operator can work on the new dimensions.

        The axis of a reduction must be neither split nor merged, and the channels of a RESCALE with per_channel must
        stay last.
        """
        if op.row in REDUCTIONS:
            return self.map_axis(op.attributes["axis"]) is not None
        return not op.attributes.get("per_channel") or self.map_axis(len(self.old) - 1) == len(self.new) - 1


def _group_axes(old: Sizes, new: Sizes) -> list[tuple[list[int], list[int]]]:
    """Returns the smallest groups of neighbouring axes of two shapes that have equal numbers of elements, as pairs.

    Axes of size 1 are in no group. No size is 0: TOSA has no empty tensors.
    """
    # (6, 4) and (2, 3, 4): 6 > 2, so axis 1 of the second joins, 6 = 2 * 3; then 4 = 4. The groups are ([0], [0, 1])
    # and ([1], [2]).
    rests = [[axis for axis, size in enumerate(sizes) if size != 1] for sizes in (old, new)]
    groups = []
    while any(rests):
        before, behind = [rests[0].pop(0)], [rests[1].pop(0)]
        left, right = old[before[0]], new[behind[0]]
        # Every round takes one more axis; it ends, because both shapes have as many elements in all.
        while left != right:
            if left < right:
                before.append(rests[0].pop(0))
                left *= old[before[-1]]
            else:
                behind.append(rests[1].pop(0))
                right *= new[behind[-1]]
        groups.append((before, behind))
    return groups


def _data_operands(op: Op) -> tuple[Value, ...]:
    """Returns the operands of an elementwise operator or reduction whose dimensions may change; () for any other."""
    count = 1 if op.row in REDUCTIONS else op.row.elementwise
    return op.operands[:count]


def _find_regions(graph: Graph, readers: Readers) -> list[list[Op]]:
    """Returns groups of connected elementwise operators and reductions next to a RESHAPE, each in the graph's order."""
    owner: dict[Op, list[Op]] = {}
    regions: list[list[Op]] = []
    for op in graph.ops:
        if op.row is ops.RESHAPE:
            for seed in (op.operands[0].producer, *readers.data_readers(op.result)):
                if seed is not None and seed not in owner and _data_operands(seed):
                    regions.append([])
                    _add_connected(seed, regions[-1], owner, readers)
    for op in graph.ops:  # only now, so that each region has the graph's order
        if op in owner:
            owner[op].append(op)
    return regions


def _add_connected(seed: Op, region: list[Op], owner: dict[Op, list[Op]], readers: Readers) -> None:
    """Adds the operators connected with `seed` to its region, and notes in `owner` that they belong to it.

    Operators are connected if one reads the other's result, or both read one RESHAPE.
    """
    owner[seed] = region
    left, seen = [seed], set[Value]()
    while left:
        op = left.pop()
        neighbours = readers.data_readers(op.result)
        for value in _data_operands(op):
            if value.producer is not None and value not in seen:
                seen.add(value)
                if value.producer.row is ops.RESHAPE:
                    neighbours += readers.data_readers(value)
                elif _data_operands(value.producer):
                    neighbours.append(value.producer)
        for near in neighbours:
            if near not in owner:
                owner[near] = region
                left.append(near)


class RegionInterface(NamedTuple):
    """The values that a region of operators reads and computes, with the shapes that they have outside.

    Attributes:
        operands: by value that the region reads, the value in front of its RESHAPEs.
        results: the values that it computes.
        outside_shapes: the shapes in which operators outside compute or read a value, which take no RESHAPE.
    """

    operands: Mapping[Value, Value]
    results: Sequence[Value]
    outside_shapes: Mapping[Value, Set[Sizes]]

    def count_reshapes(self, mapping: ShapeMapping) -> float:
        """Returns how many RESHAPEs a mapping of a region's shapes takes around it; infinity if one isn't legal.

        TOSA has no RESHAPE of i48.
        """
        into = {(source, mapping.map_shape(value.type.static)) for value, source in self.operands.items()}
        reshaped = [source for source, shape in into if shape not in self.outside_shapes[source]]
        for value in self.results:
            reshaped += [value] * len(self.outside_shapes[value] - {mapping.map_shape(value.type.static)})
        return math.inf if any(value.type.dtype not in TYPES for value in reshaped) else len(reshaped)


def _find_interface(region: Sequence[Op], readers: Readers) -> RegionInterface:
    """Returns what decides how many RESHAPEs a region of operators needs around it when its shapes change.

    Each value that it reads from outside goes with the value in front of its RESHAPEs, which can be left out. For these
    and for all results, `outside_shapes` has the shapes that operators outside use: a region that takes one of them
    needs no RESHAPE there.
    """
    inside = set(region)
    read = [
        value
        for op in region
        for value in _data_operands(op)
        if value.constant is None and value.producer not in inside
    ]
    operands, results = {value: _before_reshapes(value) for value in read}, [op.result for op in region]
    outside_shapes = {value: _outside_shapes(value, inside, readers) for value in (*operands.values(), *results)}
    for source in operands.values():
        outside_shapes[source].add(readers.shape(source, source.producer))
    return RegionInterface(operands, results, outside_shapes)


def _before_reshapes(value: Value) -> Value:
    """Returns the value in front of the RESHAPEs that compute a value; the value itself if there is none."""
    while (op := value.producer) is not None and op.row is ops.RESHAPE:
        value = op.operands[0]
    return value


def _outside_shapes(value: Value, inside: Set[Op], readers: Readers) -> set[Sizes]:
    """Returns the shapes in which operators outside a region, and graph outputs, read a value; RESHAPEs are skipped.

    An operator for which this pass has chosen new dimensions counts with these. Only the first `ASKED` readers of a
    value count.
    """
    shapes, left = set(), [value]
    while left:
        value = left.pop()
        for op in readers.readers_of(value)[:ASKED]:
            if op.row is ops.RESHAPE:
                left.append(op.result)
            elif op not in inside or value not in _data_operands(op):
                shapes.add(readers.shape(value, op if value in _data_operands(op) else None))
        if value in readers.outputs:
            shapes.add(value.type.static)
    return shapes


def _cheapest_mapping(region: list[Op], readers: Readers) -> ShapeMapping | None:
    """Returns the mapping to the shape with the fewest RESHAPEs around a region; None to keep the present shapes.

    `full` is the shape to which all of the region's shapes broadcast. It is mapped to the shapes that most values of
    this shape have outside, at most `CANDIDATES` of them.
    """
    shapes = {value.type.static for op in region for value in (*_data_operands(op), op.result)}
    full = tuple([max(sizes) for sizes in zip(*shapes, strict=True)])
    if any(size not in (1, most) for shape in shapes for size, most in zip(shape, full, strict=True)):
        return None
    interface, best = _find_interface(region, readers), None
    fewest = interface.count_reshapes(ShapeMapping(full, full))
    full_values = [
        interface.operands.get(value, value)
        for value in (*interface.operands, *interface.results)
        if value.type.shape == full
    ]
    counts = Counter(shape for value in full_values for shape in interface.outside_shapes[value])
    for shape in sorted(counts, key=lambda shape: -counts[shape])[:CANDIDATES] if fewest else ():
        mapping = ShapeMapping(full, shape)
        if len(shape) <= LEVEL_8K.MAX_RANK and all(map(mapping.map_shape, shapes)) and all(map(mapping.allows, region)):
            count = interface.count_reshapes(mapping)
            # Only fewer RESHAPEs change a mapping, so that a second run of the pass changes nothing where counts are
            # equal.
            best, fewest = (mapping, count) if count < fewest else (best, fewest)
    return best


class ReshapeMover:
    """Changes operators of a graph in place to their new shapes, with RESHAPEs where regions meet others."""

    def __init__(self, graph: Graph, mappings: Mapping[Op, ShapeMapping]) -> None:
        """Prepares to give the operators in `mappings` their new dimensions; `run` does it."""
        self.graph = graph
        self.mappings = mappings
        self.before: dict[Value, Sizes] = {}  # the former shapes of values that have a new one
        self.restored: dict[Value, Value] = {}  # the RESHAPEs of these values back
        self.builder = Builder(Graph(graph.name, graph.inputs))

    def run(self) -> None:
        """Gives the mapped operators their new shapes in place, and drops the operators that nothing reads any more."""
        new = self.builder.graph
        for op in self.graph.ops:
            self.builder.location = op.location
            if op in self.mappings:
                self._change_op(op, self.mappings[op])
            elif op.row is not ops.RESHAPE:  # a RESHAPE reads any shape
                op.inputs = self._in_old_shapes(op.inputs)
            new.ops.append(op)
        new.outputs = [self._in_old_shape(value) for value in self.graph.outputs]
        self.graph.outputs = new.outputs
        arrange(new)
        self.graph.ops = new.ops

    def _change_op(self, op: Op, mapping: ShapeMapping) -> None:
        """Changes an operator's operands, axis and result type to its new shapes.

        `before` gets the result's former shape, which operators that keep their dimensions go on to read.
        """
        data = [
            value if value in self.before else self._in_mapped_shape(value, mapping) for value in _data_operands(op)
        ]
        op.inputs = (*data, *self._in_old_shapes(op.inputs[len(data) :]))
        if op.row in REDUCTIONS:
            op.attributes = op.attributes | {"axis": mapping.map_axis(op.attributes["axis"])}
        dtype, shape, quant = op.result.type
        self.before[op.result] = op.result.type.static
        op.result.type = TensorType(dtype, mapping.map_shape(op.result.type.static) or shape, quant)

    def _in_mapped_shape(self, value: Value, mapping: ShapeMapping) -> Value:
        """Returns a value in the shape that a mapping gives it: one RESHAPE of the value in front of its RESHAPEs."""
        return self.builder.reshape(_before_reshapes(value), mapping.map_shape(value.type.static) or ())

    def _in_old_shapes(self, values: Sequence[Value | None]) -> tuple[Value | None, ...]:
        """Returns operands in their former shapes, for operators that keep theirs; None for absent ones."""
        return tuple([value and self._in_old_shape(value) for value in values])

    def _in_old_shape(self, value: Value) -> Value:
        """Returns a value in its former shape by a RESHAPE, which takes over its name."""
        if value not in self.before:
            return value
        if value not in self.restored:
            self.restored[value] = restored = self.builder.reshape(value, self.before[value])
            if restored is not value:
                restored.name, restored.origin = value.name, value.origin
                value.name, value.origin = "", None
        return self.restored[value]
