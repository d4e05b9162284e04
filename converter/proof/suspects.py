"""Matches values around an operator that differs, where neither names nor equal values tell which is which.

The values of a source that no equal one was found for, and that an output which differs depends on, are suspects. One
is matched with a value of the file that lies between the same matched neighbours and has as many elements, if

* it has the same elements, though too few to tell by them alone; or
* it is similar, and neither is more similar to any other value; or
* the file goes on to values or outputs of the source, once it has the suspect's elements in that place. Then what is
  wrong is in front of that place, and what comes after it is right.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tosa_converter.errors import ConverterError
from tosa_converter.extraction import values_behind
from tosa_converter.ir import Array, Graph, Value
from tosa_converter.ir.edit import cut_out
from tosa_converter.proof.equal_values import EqualValues, Orders, forms, information, is_distinctive, is_equal
from tosa_converter.proof.input_sets import given_inputs
from tosa_converter.proof.places import NO_NUMBERS, POSITION, SAME_ELEMENTS, SIMILAR_VALUES, Place
from tosa_converter.schemas.tosa_ops import VARIABLE

if TYPE_CHECKING:
    from tosa_converter.proof.observation import FileRun

# The least error by which independent tensors differ is about sqrt(2) of their spread. An error of a quarter is a
# correlation of 1 - 0.25**2 / 2 = 0.97.
_SIMILAR = 0.25
_SAMPLE = 4096  # elements whose similarity is measured
# Between matched neighbours there are a few candidates only, so 16 bits tell them apart: 64 of them are equal by chance
# with a probability of 64 / 2**16 = 0.1 %.
_LEAST_BITS = 16.0
# What the search may cost at most: suspects and candidates whose similarity is measured, and those that are tried.
_SUSPECTS, _CANDIDATES, _TRIED_CANDIDATES = 64, 64, 12
_WINDOW = 8  # values of each size behind a place that show whether what comes after it is right


class Region(NamedTuple):
    """What is known of both sides when an output differs.

    Attributes:
        source: the source's graph.
        arrays: what the source computes, by value.
        run: of the file.
        places: where the file holds values of the source.
        differing: values of the source that are matched, but that the file computes otherwise.
        candidates: values of the file that could be matched.
        computed: what the file computes on the source's own values, where it is matched.
        orders: of dimensions in which the file may hold a value.
        tolerance: on floats, relative to the largest element of the source's value.
        parts: of the file that may be run.
    """

    source: Graph
    arrays: Mapping[Value, Array]
    run: "FileRun"
    places: Mapping[Value, Place]
    differing: set[Value]
    candidates: Sequence[Value]
    computed: Mapping[Value, Array]
    orders: Orders
    tolerance: float
    parts: int

    def places_of_suspects(self) -> list[Place]:
        """Returns matches for suspects, the unmatched values that may be wrong: the file's values that hold them."""
        return _Search(self).places()

    def suspects(self) -> list[Value]:
        """Returns the source's values without a match that may be wrong in the file, in order.

        A value counts as right if every result computed from it is right; one of several isn't enough, since a RELU may
        hide an error. Of the others, those from which a differing value is computed are suspects. Values that can't be
        matched by their elements are left out.
        """
        users = self.source.uses()
        right: set[Value] = set(self.places) - self.differing
        leading: set[Value] = set()
        suspects = []
        for op in reversed(self.source.ops):
            for value in op.results:
                if value in self.places:
                    continue
                behind = [result for user in users.get(value, ()) for result in user.results]
                if behind and all(result in right for result in behind):
                    right.add(value)
                elif any(result in leading or result in self.differing for result in behind):
                    leading.add(value)
                    suspects.append(value)
        return [value for value in reversed(suspects) if self._can_be_matched(value)]

    def _can_be_matched(self, value: Value) -> bool:
        """Returns whether a source's value has numbers of its own to match it by, and LiteRT kept them.

        One that only has an operand's elements in another shape has none of its own.
        """
        op = value.producer
        computes = op is not None and not op.declares and op.name not in SAME_ELEMENTS
        return computes and value.type.dtype not in NO_NUMBERS and value in self.arrays


class _Search:
    """The search for places of suspects in one region."""

    def __init__(self, region: Region) -> None:
        """Finds the suspects, and assigns a bit to each matched value, so that sets of matched values are bit masks.

        A suspect and a value of the file can belong together only if they depend on the same matched values. `anchors`
        has the bits by the file's values, `anchors_of_source` the same bits by the source's.
        """
        self.region, self.graph = region, region.run.model.main
        self.suspects = region.suspects()[:_SUSPECTS]
        matched = {place.value: value for value, place in region.places.items()}
        inputs = dict(zip(given_inputs(region.run.model), region.source.inputs, strict=False))
        self.anchors = {target: 1 << i for i, target in enumerate((*inputs, *matched))}
        source_of = {**inputs, **matched}
        self.anchors_of_source = {source_of[target]: bit for target, bit in self.anchors.items()}
        self.free = [value for value in region.candidates if value not in matched]
        self.taken: dict[Value, Place] = {}
        self.parts = region.parts

    @cached_property
    def anchor_ancestors(self) -> dict[Value, int]:
        """Maps each value of the file to the matched values that it depends on, as a bit mask."""
        return _dependencies(self.graph, self.anchors, through=True)

    @cached_property
    def nearest_anchors(self) -> dict[Value, int]:
        """Maps each value of the source to the nearest matched values before it, with none between, as a bit mask."""
        return _dependencies(self.region.source, self.anchors_of_source, through=False)

    @cached_property
    def anchor_descendants(self) -> dict[Value, int]:
        """Maps each value of the source to the matched values that depend on it, as a bit mask."""
        bits: dict[Value, int] = {}
        for op in reversed(self.region.source.ops):
            later = 0
            for value in op.results:
                later |= bits.get(value, 0) | self.anchors_of_source.get(value, 0)
            for operand in op.operands:
                bits[operand] = bits.get(operand, 0) | later
        return bits

    @cached_property
    def causes(self) -> set[Value]:
        """The file's values on which a matched value that differs depends: one of them may be wrong."""
        wrong = {self.region.places[value].value for value in self.region.differing}
        leading: set[Value] = set()
        for op in reversed(self.graph.ops):
            if any(value in leading or value in wrong for value in op.results):
                leading.update(op.operands)
        return leading

    @cached_property
    def right(self) -> set[Value]:
        """The file's values that are right: they agree, or everything computed from them is right."""
        agreeing = {place.value for value, place in self.region.places.items() if value not in self.region.differing}
        users = self.graph.uses()
        right = set(agreeing)
        for op in reversed(self.graph.ops):
            for value in op.results:
                behind = [result for user in users.get(value, ()) for result in user.results]
                if behind and all(result in right for result in behind):
                    right.add(value)
        return right

    def candidates(self, suspect: Value) -> list[Value]:
        """Returns the file's unmatched values that may hold a suspect, in the file's order, at most `_CANDIDATES`.

        A value fits if it has as many elements, a differing value depends on it, and it depends on no matched value
        that the source computes from the suspect. Of these, only those count that depend on all the matched values
        nearest before the suspect; if there are none, those that depend on one of them; if there are none either, all.
        """
        size = self.region.arrays[suspect].size
        fitting = [
            value
            for value in self.free
            if value.type.elements == size
            and value in self.causes
            and not self.anchor_ancestors.get(value, 0) & self.anchor_descendants.get(suspect, 0)
        ]
        needed = self.nearest_anchors.get(suspect, 0)
        complete = [value for value in fitting if self.anchor_ancestors.get(value, 0) & needed == needed]
        # A value may not depend on all that the source's depends on: the size of an input is a constant in TOSA. It
        # depends on none of it where an operator reads a wrong operand.
        partial = [value for value in fitting if self.anchor_ancestors.get(value, 0) & needed]
        return (complete or partial or fitting)[:_CANDIDATES]

    def places(self) -> list[Place]:
        """Returns the file's values that hold suspects, as far as this round can find them.

        Suspects are tried in order: by equal elements, by similar elements, and by trial runs. Values computed from a
        suspect that was found wait for a later round, in which the file runs on its elements. A suspect that isn't
        found is part of a later operator of the file.
        """
        waiting: set[Value] = set()
        suspects = set(self.suspects)
        for op in self.region.source.ops:
            if not waiting.isdisjoint(op.operands):
                waiting.update(value for value in op.results if value not in self.region.places)
                continue
            for suspect in (value for value in op.results if value in suspects):
                place = self._same_elements(suspect)
                if place is not None and not self._is_informative(suspect):
                    continue  # it is right, but so few distinct elements match several values
                place = place or self.pairs.get(suspect) or self._try_candidates(suspect)
                if place is not None:
                    self.taken[place.value] = place
                    waiting.add(suspect)
        # Where the first difference is small, so are those that follow from it, and all of them are told in one round.
        is_small = any(place.by == SIMILAR_VALUES for place in self.taken.values())
        solved = {place.source for place in self.taken.values()}
        further = [place for source, place in self.pairs.items() if source not in solved] if is_small else []
        return self._consistent([*self.taken.values(), *further])

    def _consistent(self, places: Sequence[Place]) -> list[Place]:
        """Returns the places whose values depend on each other in the file as they do in the source.

        Places in `taken` are always kept. Of two others that contradict each other, the earlier one is kept.
        """
        bits = {place.source: 1 << i for i, place in enumerate(places)}
        of_source = _dependencies(self.region.source, bits, through=True)
        of_file = _dependencies(self.graph, {place.value: bits[place.source] for place in places}, through=True)
        chosen: list[Place] = []
        used = mask = 0
        # `mask` has the places chosen so far, `used` those that a chosen value of the file depends on. A place fits if
        # its value depends on the same chosen places in the file as in the source (`alike`), and none of them on it.
        for place in places:
            bit, before = bits[place.source], of_file.get(place.value, 0)
            alike = before & mask == of_source.get(place.source, 0) & mask
            if place.value in self.taken or (alike and not used & bit):
                chosen.append(place)
                mask |= bit
                used |= before
        return chosen

    def _same_elements(self, suspect: Value) -> Place | None:
        """Returns the place that has the elements of a suspect, or None.

        A suspect is a value of the source without a match: its elements are too few or too alike to be told by them
        alone.
        """
        array = self.region.arrays[suspect]
        for place in self._forms(suspect, POSITION):
            result = self.region.computed[place.value]
            if place.value not in self.taken and is_equal(place, array, result, self.region.tolerance):
                return place
        return None

    def _is_informative(self, suspect: Value) -> bool:
        """Returns whether a suspect's elements hold enough bits to tell it from the few candidates for its place."""
        return information(self.region.arrays[suspect], self.region.tolerance) >= _LEAST_BITS

    @cached_property
    def pairs(self) -> dict[Value, Place]:
        """Maps each suspect to the file's most similar value, if no other suspect is more similar to that value.

        Similar means an RMS difference below `_SIMILAR` standard deviations. Values of the file that are right already
        are left out.
        """
        best: dict[Value, tuple[float, Place]] = {}
        nearest: dict[Value, tuple[float, Value]] = {}
        for suspect in self.suspects:
            array = self.region.arrays[suspect]
            for place in self._forms(suspect, SIMILAR_VALUES):
                error = _relative_rms_error(place, array, self.region.computed[place.value])
                if place.value in self.right:
                    continue
                if error < best.get(suspect, (_SIMILAR, place))[0]:
                    best[suspect] = error, place
                if error < nearest.get(place.value, (_SIMILAR, suspect))[0]:
                    nearest[place.value] = error, suspect
        return {suspect: place for suspect, (_, place) in best.items() if nearest[place.value][1] is suspect}

    def _try_candidates(self, suspect: Value) -> Place | None:
        """Returns the place where a suspect's elements make most later values equal the source's, or None if none does.

        Each candidate is tried by a run of the part of the file behind it (`_score`); `parts` is how many such runs are
        left.
        """
        places = (place for place in self._forms(suspect, POSITION) if place.value not in self.taken)
        scores = {place: self._score(place) for place in islice(places, min(_TRIED_CANDIDATES, self.parts))}
        self.parts -= len(scores)
        best = max(scores, key=scores.__getitem__, default=None)
        return best if best is not None and any(scores[best]) else None

    def _forms(self, suspect: Value, by: str) -> Iterator[Place]:
        """Yields the file's values that may be a suspect, in each form in which they may hold it.

        Values of its own width and sizes come first.
        """
        array = self.region.arrays[suspect]
        sizes = [size for size in array.shape if size != 1]

        def unlikeness(value: Value) -> tuple[bool, bool]:
            """Returns a sort key, least for values of the suspect's element width and its sizes without those of 1."""
            width = min(array.dtype.itemsize, 4)  # int64 is int32
            return value.type.dtype.numpy.itemsize != width, [n for n in value.type.static if n != 1] != sizes

        for value in sorted(self.candidates(suspect), key=unlikeness):
            for place in forms(suspect, array, value, self.region.orders, by):
                if place.from_source(array) is not None:
                    yield place

    def _score(self, place: Place) -> tuple[int, int]:
        """Returns how many values the file computes as the source does, if `place` holds the suspect's elements.

        The first number counts matched values that differed before, and suspects with many distinct elements. The
        second one counts other suspects that only now have an equal value. Both are 0 if the part of the file behind
        the place can't be run.
        """
        region = self.region
        ends = {row.value: row for row in region.places.values()}
        outputs = self._window(place.value, ends)
        if not outputs:
            return 0, 0
        elements = {place.value: place.from_source(region.arrays[place.source])}
        reached = values_behind(outputs, {*ends, place.value} - {*outputs})
        borders = [v for v in reached if v not in outputs and (v in ends or v is place.value or v.producer is None)]
        for value in borders:
            if value in ends:
                elements[value] = ends[value].from_source(region.arrays[ends[value].source])
            elif value.producer is None:
                elements[value] = region.run.inputs[value.name]
        results = self._run(borders, outputs, reached, elements)
        if not results:
            return 0, 0
        wrong = {region.places[value].value for value in region.differing}
        matched = [ends[value] for value in wrong & results.keys()]
        score = sum(is_equal(row, region.arrays[row.source], results[row.value], region.tolerance) for row in matched)
        free = {value: array for value, array in results.items() if value not in ends}
        after, before = (
            EqualValues(arrays, region.orders, region.tolerance)
            for arrays in (free, {value: region.computed[value] for value in free})
        )
        changed = 0
        for suspect in self.suspects:
            array = region.arrays[suspect]
            if suspect is place.source or next(after.places(suspect, array), None) is None:
                continue
            if suspect in self._distinctive:
                score += 1
            elif np.ptp(array.astype(np.float64)) and next(before.places(suspect, array), None) is None:
                changed += 1
        return score, changed

    @cached_property
    def _distinctive(self) -> set[Value]:
        """The suspects that have enough distinct elements to be recognized by them."""
        return {value for value in self.suspects if is_distinctive(self.region.arrays[value], self.region.tolerance)}

    def _window(self, start: Value, ends: Mapping[Value, Place]) -> list[Value]:
        """Returns the file's values to compute when a suspect's elements are tried in place of `start`.

        They are the next matched values (`ends`) that depend on it, where the search stops, and up to 8 unmatched ones
        before these of each size that a suspect has.
        """
        sizes = Counter({self.region.arrays[value].size: _WINDOW for value in self.suspects})
        dependent = {start}
        free = set(self.free)
        window: list[Value] = []
        for op in self.graph.ops:
            if dependent.isdisjoint(op.operands):
                continue
            for value in op.results:
                if value in ends:
                    window.append(value)
                    continue
                dependent.add(value)
                if value in free and sizes[value.type.elements] > 0:
                    sizes[value.type.elements] -= 1
                    window.append(value)
        return window

    def _run(
        self,
        borders: Sequence[Value],
        outputs: Sequence[Value],
        reached: Sequence[Value],
        elements: Mapping[Value, Array | None],
    ) -> dict[Value, Array]:
        """Runs the operators that compute `reached` from `borders`; returns the arrays of `outputs`, or {} if it fails.

        `elements` has the arrays of the borders. Variables that the operators read are declared in the run too.
        """
        computing = {value.producer for value in reached if value not in set(borders)}
        read = {operand.producer for op in computing if op is not None for operand in op.operands}
        ops = [op for op in self.graph.ops if op in computing or op.row is VARIABLE or (op in read and op.declares)]
        graph, values = cut_out(self.graph.name, ops, borders, outputs)
        arrays = [array for array in (elements[value] for value in borders) if array is not None]  # all of them fit
        try:
            results = self.region.run.run_part(graph, values, arrays)
        except ConverterError:  # a REQUIRE doesn't hold on values that don't belong there
            return {}
        return dict(zip(outputs, results, strict=True))


def _dependencies(graph: Graph, bits: Mapping[Value, int], *, through: bool) -> dict[Value, int]:
    """Maps each value of a graph to the marked values that it depends on, as a bit mask.

    `bits` has one bit for each marked value. Without `through` the search ends at each marked value: what that one
    depends on counts only where another path leads to it.
    """
    behind: dict[Value, int] = {}

    def bits_of(value: Value) -> int:
        """Returns the bits that an operator's results get for reading a value.

        They are the bit of a marked value, and the bits of what the value was computed from. Without `through` a marked
        value adds its own bit only.
        """
        bit = bits.get(value, 0)
        return bit | behind.get(value, 0) if through or not bit else bit

    for op in graph.ops:
        union = 0
        for operand in op.operands:
            union |= bits_of(operand)
        behind.update(dict.fromkeys(op.results, union))
    return behind


def _relative_rms_error(place: Place, source_array: Array, file_array: Array) -> float:
    """Returns the RMS difference of two arrays, over a sample of elements, in standard deviations of the source's.

    `place` converts the source's array to the form of the file's. The result is infinite if the source's elements are
    all equal or the difference isn't finite.
    """
    elements = place.from_source(source_array)
    assert elements is not None
    stride = max(1, elements.size // _SAMPLE)
    a, b = (np.asarray(side.reshape(-1)[::stride], np.float64) for side in (elements, file_array))
    with np.errstate(all="ignore"):
        spread = float(np.std(a))
        error = float(np.sqrt(np.mean(np.square(a - b))))
    return error / spread if spread and np.isfinite(error) else np.inf
