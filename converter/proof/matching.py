"""Finds where an existing file holds the values of a source, whoever wrote the file.

A match is looked for in this order:

1. names: of the tensor, of an output, or the location of the operator that computes it;
2. equal values on the same inputs, of tensors with enough distinct elements (`equal_values.py`);
3. only where an output differs, position: the values between those that are matched already (`suspects.py`).

Each round runs the file on the source's own values wherever it is matched already, so that neither rounding nor an
operator that differs hides what comes after it. A match by equal values agrees by construction. It is an anchor, behind
which the search goes on, and no evidence of its own; the verdict on outputs is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tosa_converter.engines import Arrays, initial_states
from tosa_converter.engines.executor import Executor
from tosa_converter.execute.limits import seconds
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value, unique_names
from tosa_converter.ir.edit import copy_model
from tosa_converter.memory import available_memory
from tosa_converter.proof.equal_values import EqualValues, comparable, is_distinctive, is_equal, orders_of_dimensions
from tosa_converter.proof.input_sets import given_outputs, rename_inputs
from tosa_converter.proof.places import (
    EQUAL_VALUES,
    LOCATION,
    NAME,
    NO_NUMBERS,
    OUTPUT,
    POSITION,
    SAME_ELEMENTS,
    SIMILAR_VALUES,
    Place,
)
from tosa_converter.proof.suspects import Region
from tosa_converter.schemas.tfl_ops import BY_OPCODE

if TYPE_CHECKING:
    from tosa_converter.proof.observation import FileRun, ObservationOptions, Oracle

# What the search may take at most, by estimates: runs of the file, each of which begins where operators differ in the
# one before, and parts that are tried in each round. A file that takes 0.1 s gets 64 runs, one that takes 10 s gets 6.
_SECONDS, _ROUNDS, _PARTS = 60.0, (2, 64), (8, 96)
_MOVES = (2, 32)  # runs in which an operand's elements stand in another place
_MOVES_ELEMENTS = {*SAME_ELEMENTS, "tfl.slice", "tfl.strided_slice", "tfl.split", "tfl.unpack"}
_MEMORY = 1 << 30  # bytes of the file's values that are looked at, at most
_PART_OF_FREE_MEMORY = 4

_NUMBERED = re.compile(r"[A-Za-z]*_?\d+_*")  # a name that a writer gave, such as t12, value_7 or layer_3

Places = dict[Value, list[Place]]


class Matches(NamedTuple):
    """Where a file holds the values of a source, and what to know about that."""

    places: Places
    note: str


def match_values(
    source: Model,
    arrays: Mapping[Value, Array],
    run: "FileRun",
    named: Mapping[Value, Sequence[Place]],
    tolerance: float,
) -> Matches:
    """Returns where a file holds the values of a source.

    The search takes rounds. Each one runs the file on the source's elements of all matched values, and adds values that
    come out equal. If there are none, it tries unmatched values near a difference, and then a later place for an
    operand. It ends when nothing differs, nothing more can be added, or the rounds that are affordable are used up.

    Args:
        source: as it was read.
        arrays: what the source computes, by value.
        run: of the file, whose inputs and outputs are in the source's order.
        named: the places of values whose names the file has.
        tolerance: on floats, relative to the largest element of the source's value.

    Raises:
        ConverterError: the file doesn't run.
    """
    search = _Search(source, arrays, run, named, tolerance)
    for _ in range(search.affordable(_ROUNDS)):
        elements = search.elements()
        run.observe(elements)
        computed = run.values_from(elements, keep=search.candidates)
        differing = search.find_differences(computed)
        added = search.add_equal(computed)
        if not differing:
            break
        if added or search.add_places(search.region(computed, differing).places_of_suspects()):
            continue
        if not search.move_operand(differing):
            break
    else:
        search.ended = True  # by its limit of rounds, which the note says
    return Matches(search.places, search.note())


def first_wrong_step(
    source: Model, oracle: "Oracle", model: Model, steps: Sequence[Arrays], options: "ObservationOptions"
) -> int:
    """Returns the first step in which an output of a file differs from the source's; the last one if none does.

    Values are matched in that step, because the search looks around outputs that differ. A TFLite file isn't run for
    this, and has its last step returned.
    """
    if model.opset != "tosa":
        return len(steps) - 1
    expected, _ = oracle.run_observed_steps(source, steps, ())
    inputs = [rename_inputs(source, model, arrays) for arrays in steps]
    results, _ = Executor(options.limit).run_observed_steps(model, [initial_states(model) | row for row in inputs], ())
    pairs = [Place(old, new, by=OUTPUT) for old, new in zip(source.main.outputs, given_outputs(model), strict=True)]
    position = {value: i for i, value in enumerate(model.main.outputs)}
    for step, (references, arrays) in enumerate(zip(expected, results, strict=True)):
        rows = zip(pairs, references, strict=True)
        if not all(is_equal(place, old, arrays[position[place.value]], options.tolerance) for place, old in rows):
            return step
    return len(steps) - 1


class _Search:
    """The matches of a file with a source, as they grow."""

    def __init__(
        self,
        source: Model,
        arrays: Mapping[Value, Array],
        run: "FileRun",
        named: Mapping[Value, Sequence[Place]],
        tolerance: float,
    ) -> None:
        """Starts the search for a source's values in a file, with the matches that names, outputs and locations give.

        `named` has the matches by name. Numbered names of a TOSA source, such as t12, don't count, since another file
        numbers values differently. Matches whose types or shapes don't fit are left out.
        """
        self.source, self.run, self.tolerance = source, run, tolerance
        self.arrays = {value: array for value, array in arrays.items() if array.size}
        self.graph = run.model.main
        self.seconds = sum(seconds(self.graph).values()) if run.model.opset == "tosa" else 0.0  # of a run
        self.ended = False  # before everything was looked at
        self.moves_left = self.affordable(_MOVES)
        self.orders = orders_of_dimensions(self.graph)
        self.places: Places = {}
        places = [place for row in named.values() for place in row]
        if source.opset == "tosa":  # the number in a name is another in another file
            places = [place for place in places if not _NUMBERED.fullmatch(place.source.name)]
        self.add_places(places)
        self.add_places(_output_places(source, run.model))
        self.add_places(_located_places(source.main, self.graph))
        results = (value for op in self.graph.ops if op.name not in CONSTANTS for value in op.results)
        sizes = {array.size for value, array in self.arrays.items() if value not in self.places}
        self.candidates, self.left_out = _within_memory(comparable(results, sizes))

    def add_places(self, places: Iterable[Place]) -> bool:
        """Adds matches of a source's value with the file's value that holds it; returns whether any was added.

        A match is left out if the source's elements don't fit the file's type and shape. It is also left out if one of
        both values has a match already, unless both have the same name.
        """
        added = False
        matched = {place.value for row in self.places.values() for place in row}
        for place in places:
            array = self.arrays.get(place.source)
            # A name may be that of several forms of a value, and a variable's that of what reads it.
            fresh = place.source not in self.places and place.value not in matched
            if array is None or place.from_source(array) is None or not (fresh or place.by == NAME):
                continue
            self.places.setdefault(place.source, []).append(place)
            matched.add(place.value)
            added = True
        return added

    def affordable(self, bounds: tuple[int, int]) -> int:
        """Returns how many runs of the file the search may take by the time of one, within the bounds (least, most)."""
        least, most = bounds
        return most if self.seconds * most <= _SECONDS else max(least, int(_SECONDS / self.seconds))

    def elements(self) -> dict[Value, Array]:
        """Maps each matched value of the file to the source's elements for it; unfit ones are left out."""
        rows = [place for places in self.places.values() for place in places]
        elements = {place.value: place.from_source(self.arrays[place.source]) for place in rows}
        return {value: array for value, array in elements.items() if array is not None}

    def find_differences(self, computed: Mapping[Value, Array]) -> set[Value]:
        """Returns the source's matched values that the file computes differently from the same operands."""
        return {
            place.source
            for places in self.places.values()
            for place in places
            if place.value in computed
            and not is_equal(place, self.arrays[place.source], computed[place.value], self.tolerance)
        }

    def add_equal(self, computed: Mapping[Value, Array]) -> bool:
        """Matches values of the source with equal ones of the file; returns whether any were added.

        Only values with enough distinct elements count, so that they aren't equal by chance. The file must compute them
        after the matches of their operator's operands.
        """
        matched = {place.value for places in self.places.values() for place in places}
        free = {value: computed[value] for value in self.candidates if value not in matched}
        index = EqualValues(free, self.orders, self.tolerance)
        position = {value: i for i, op in enumerate(self.graph.ops) for value in op.results}
        added = False
        for op in self.source.main.ops:
            before = [position.get(place.value, -1) for v in op.operands for place in self.places.get(v, ())]
            for value in op.results:
                array = self.arrays.get(value)
                if value in self.places or array is None or _is_reshaped(op, self.places):
                    continue
                if not is_distinctive(array, self.tolerance):
                    continue
                # Equal neighbours, such as a RELU of positive numbers and its operand, are taken in their order.
                behind = (
                    place
                    for place in index.places(value, array)
                    if place.value not in matched and position[place.value] > max(before, default=-1)
                )
                place = next(behind, None)
                if place is not None:
                    self.places[value] = [place]
                    matched.add(place.value)
                    added = True
        return added

    def move_operand(self, differing: set[Value]) -> bool:
        """Matches an operand of the first differing operator with a later value that makes the operator right.

        Returns whether there is such a value. A file holds the elements of a recurrent operator's result in several
        places: in a state, in the last step, before a CLAMP. If the differing operator is right with the elements in a
        later place, the error lies before that place and belongs to the recurrent operator. Results of other operators
        aren't moved: what follows their match belongs to the next operator.
        """
        for op in self.source.main.ops:
            value = next((value for value in op.results if value in differing), None)
            if value is not None:
                operands = [operand for operand in dict.fromkeys(op.operands) if _is_recurrent(operand)]
                return any(self._move(operand, value) for operand in operands)
        return False

    def _move(self, operand: Value, value: Value) -> bool:
        """Moves an operand's match to a later value of the file if that makes `value` right; returns whether it did.

        The candidates are the unmatched values of its type between the match and `value`, in order. Each is tried by a
        run of the file with the operand's elements in its place; `moves_left` limits these runs. Matches by name,
        output or location aren't moved.
        """
        place, goal = next(iter(self.places.get(operand, ())), None), self.places[value][0]
        if place is None or place.by not in (EQUAL_VALUES, SIMILAR_VALUES, POSITION):
            return False
        array, elements = self.arrays[operand], self.elements()
        matched = {row.value for rows in self.places.values() for row in rows}
        behind = [
            other
            for other in _values_between(self.graph, place.value, goal.value)
            if other not in matched and other.type.dtype is place.value.type.dtype and None not in other.type.shape
        ]
        for other in behind:
            moved = place._replace(value=other, by=POSITION)
            stand_in = moved.from_source(array)
            if stand_in is None or self.moves_left == 0:
                continue
            self.moves_left -= 1
            self.run.observe([*elements, other])
            computed = self.run.values_from({**elements, other: stand_in})
            if is_equal(goal, self.arrays[value], computed[goal.value], self.tolerance):
                self.places[operand] = [moved]
                return True
        return False

    def region(self, computed: Mapping[Value, Array], differing: set[Value]) -> Region:
        """Returns the state of this search, from which values around differing operators are matched."""
        places = {value: rows[0] for value, rows in self.places.items()}
        return Region(
            self.source.main, self.arrays, self.run, places, differing, self.candidates, computed, self.orders,
            self.tolerance, self.affordable(_PARTS),
        )  # fmt: skip

    def note(self) -> str:
        """Returns how many values were matched in which way, as text."""
        counts = Counter(places[0].by for places in self.places.values())
        text = ", ".join(f"{count} by {by}" for by, count in counts.items())
        unseen = f"; {self.left_out} values of the file exceed the memory for them" if self.left_out else ""
        unseen += "; the search ended at its limit of runs" if self.ended else ""
        agreement = " (equal values agree by construction: they are anchors)" if counts[EQUAL_VALUES] else ""
        return f"matched with the file: {text or 'nothing'}{agreement}{unseen}"


def _is_reshaped(op: Op, places: Mapping[Value, Sequence[Place]]) -> bool:
    """Returns whether an operator only reshapes an operand that is matched already or is an input of the graph.

    Its result then needs no match of its own.
    """
    return op.name in SAME_ELEMENTS and (op.operands[0] in places or op.operands[0].producer is None)


def _is_recurrent(value: Value) -> bool:
    """Returns whether a recurrent operator of TFLite gives a value, perhaps through slices and other shapes of it.

    Such an operator keeps state from step to step: its row names those operands `..._state`.
    """
    op = value.producer
    while op is not None and op.name in _MOVES_ELEMENTS:
        op = op.operands[0].producer
    row = None if op is None else BY_OPCODE.get(op.name)
    return row is not None and "state" in row.operands


def _values_between(graph: Graph, first: Value, last: Value) -> list[Value]:
    """Returns the values that depend on `first` and that `last` depends on, in the order of the graph.

    If `last` doesn't depend on `first` at all, as when they were matched through a state with an output's elements, it
    returns the values after `first` that `last` depends on.
    """
    behind, before = {first}, {last}
    for op in graph.ops:
        if not behind.isdisjoint(op.operands):
            behind.update(op.results)
    for op in reversed(graph.ops):
        if not before.isdisjoint(op.results):
            before.update(op.operands)
    values = [value for op in graph.ops for value in op.results]
    between = behind & before if first in before else before & {*values[values.index(first) :]}
    return [value for value in values if value in between - {first, last}]


def _within_memory(values: Sequence[Value]) -> tuple[list[Value], int]:
    """Returns the first values whose elements fit the memory for them, and how many are left out."""
    budget = min(_MEMORY, available_memory() / _PART_OF_FREE_MEMORY)
    chosen: list[Value] = []
    for value in values:
        budget -= value.type.elements * value.type.dtype.numpy.itemsize
        if budget >= 0:
            chosen.append(value)
    return chosen, len(values) - len(chosen)


def _output_places(source: Model, model: Model) -> list[Place]:
    """Returns the places of the source's outputs: a file's outputs are in the same order."""
    pairs = zip(source.main.outputs, given_outputs(model), strict=True)
    return [Place(old, new, by=OUTPUT) for old, new in pairs if old.producer is not None and old.constant is None]


def _located_places(source: Graph, graph: Graph) -> list[Place]:
    """Returns matches by location, of operators that are the only ones at their location in the source.

    The result matches the value at that location in the file which other locations read or the graph returns, if there
    is only one.
    """
    users = graph.uses()
    outputs = set(graph.outputs)
    last: dict[str, list[Value]] = {}
    for op in graph.ops:
        if op.location and op.name not in CONSTANTS:
            for value in op.results:
                readers = users.get(value, ())
                if value in outputs or any(reader.location != op.location for reader in readers):
                    last.setdefault(op.location, []).append(value)
    places = []
    counts = Counter(op.location for op in source.ops if op.name not in CONSTANTS)
    for op in source.ops:
        values = last.get(op.location, ()) if counts[op.location] == 1 else ()
        if len(op.results) == len(values) == 1 and op.result.type.dtype not in NO_NUMBERS:
            # Inside of a conversion uint8 is int8, flipped; an output has the source's bits.
            flipped = op.result.type.dtype.value == "ui8" and values[0] not in outputs
            places.append(Place(op.result, values[0], flipped, LOCATION))
    return places


def with_named_values(model: Model) -> Model:
    """Returns a copy of a TOSA model in which every value of the main graph has a name, and every operator a location.

    Files of SPIR-V have neither.
    """
    copy = copy_model(model)
    graph = copy.main
    results = [value for op in graph.ops for value in op.results]
    names = unique_names(
        (value.name or f"value_{i}" for i, value in enumerate(results)), [value.name for value in graph.inputs]
    )
    for value, name in zip(results, names, strict=True):
        value.name = name
    for i, op in enumerate(graph.ops):
        op.location = op.location or f"{graph.name}:{i} {op.base_name.upper()}"
    return copy


def label_operators(graph: Graph, places: Mapping[Value, Sequence[Place]]) -> None:
    """Gives the operators of a file, in place, the locations of the source's operators that they are matched with.

    An operator without a match takes the location of the last operator that reads its results.
    """
    locations = {
        place.value: value.producer.location
        for value, rows in places.items()
        for place in rows
        if value.producer is not None
    }
    following: dict[Value, str] = {}
    for op in reversed(graph.ops):
        location = next((locations[value] for value in op.results if value in locations), "")
        location = location or next((following[value] for value in op.results if value in following), "")
        op.location = location or op.location
        for value in op.operands:
            following.setdefault(value, op.location)
