"""Where a conversion holds the values of its source: by their names, which a conversion keeps.

A value is held as it is, signless, with 64-bit integers in 32, as int8 for uint8, or in another shape with the elements
in order. One that no operator of TOSA makes by itself has no place: it is inside of what a later operator makes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import CONSTANTS, Array, Form, Graph, Model, Op, Value
from tosa_converter.schemas.opsets import VARIABLE

# Operators that give the elements of their first operand in order.
SAME_ELEMENTS = frozenset({"tfl.expand_dims", "tfl.reshape", "tfl.squeeze", "tosa.reshape"})
# How a value of the source was matched with one of the conversion.
NAME, OUTPUT, LOCATION = "name", "output", "location"
EQUAL_VALUES, SIMILAR_VALUES, POSITION = "equal values", "similar values", "position"
NO_NUMBERS = (DType.STRING, DType.RESOURCE, DType.VARIANT)
HANDLE, READ, ASSIGN = "tfl.var_handle", "tfl.read_variable", "tfl.assign_variable"
# uint8 u is held as int8 u - 128, which flips the top bit: 200 has the bits 0xC8, flipped 0x48 = 72 = 200 - 128.
_TOP_BIT = np.int8(-128)


class Place(NamedTuple):
    """A value of the source and the conversion's value that holds it.

    `flipped` where that is int8 for uint8; `by` is how the two were matched; dimension i of the conversion's value is
    dimension `axes[i]` of the source's, in the same order if there are none.
    """

    source: Value
    value: Value
    flipped: bool = False
    by: str = NAME
    axes: tuple[int, ...] = ()

    def from_source(self, array: Array) -> Array | None:
        """Returns LiteRT's array of a value as the conversion holds it: transposed, narrowed, flipped and reshaped.

        None if it doesn't fit: sizes or kinds differ, or an integer is beyond the narrower type.
        """
        type = self.value.type
        if self.axes:
            if array.ndim != len(self.axes):
                return None
            array = np.ascontiguousarray(array.transpose(self.axes))
        target = type.dtype.numpy
        # Of unknown sizes, which only values of a TFLite file have, the source's are those of the run.
        fits = len(type.shape) == array.ndim if None in type.shape else array.size == type.elements
        shape = array.shape if None in type.shape else type.static
        if not fits or (array.dtype.kind == "f") is not (target.kind == "f"):
            return None
        if array.dtype.itemsize == target.itemsize:
            elements = array.view(target)
        else:
            with np.errstate(all="ignore"):
                elements = array.astype(target)
            if target.kind != "f" and not np.array_equal(elements, array):
                return None
        return (elements ^ _TOP_BIT if self.flipped else elements).reshape(shape)

    def to_source(self, array: Array, reference: Array) -> Array:
        """Returns the conversion's array in the shape and type of `reference`, which is the source's array."""
        array = array ^ _TOP_BIT if self.flipped else array
        same = array.dtype.itemsize == reference.dtype.itemsize and array.dtype.kind != "f"
        array = array.view(reference.dtype) if same else array
        if not self.axes:
            return array.reshape(reference.shape)
        # Axes (0, 3, 1, 2) took [1, 4, 5, 3] to [1, 3, 4, 5]; their inverse (0, 2, 3, 1) leads back.
        shape = [reference.shape[axis] for axis in self.axes]
        return array.reshape(shape).transpose(np.argsort(self.axes))


def computing_ops(graph: Graph) -> list[Op]:
    """Returns the operators of a source's graph that compute, numbered as in its file: no constants or variables."""
    return [op for op in graph.ops if not op.declares]


NextStates = dict[Op, list[tuple[Value, Value]]]


def next_states(graph: Graph) -> NextStates:
    """Maps each operator with variables, such as an LSTM's states, to pairs (variable, new value).

    The operator changes its variables in place; the new value stands for what it leaves in the variable.
    """
    return {
        op: [(value, Value(value.type, f"{value.name} (next)")) for value in op.operands if is_variable(value)]
        for op in graph.ops
        if any(map(is_variable, op.operands))
    }


def is_variable(value: Value) -> bool:
    """Returns whether a value is a TFLite variable tensor, which operators change in place."""
    return value.producer is not None and value.producer.name == VARIABLE


def find_places(source: Model, model: Model, following: NextStates | None = None) -> dict[Value, list[Place]]:
    """Returns the conversion's values that hold each value of the source: operators' results and variables.

    Args:
        source: as it was read.
        model: its conversion to TOSA; the main graphs are looked at.
        following: values for what operators leave in variables (`next_states`), whose places are looked up too.
    """
    named: dict[_Key, list[Value]] = {}
    graph = model.main
    for value in (*graph.inputs, *(value for op in graph.ops for value in op.results)):
        named.setdefault((value.name, None), []).append(value)
        if value.origin is not None and value.origin.name != value.name:
            named.setdefault(value.origin, []).append(value)
    next_names = {state.input: state.output for state in model.main_states}
    places: dict[Value, list[Place]] = {}
    for value, name, location in _named_values(source.main):
        places[value] = list(_places_by_name(named, value, name, location))
    for op, states in (following or {}).items():
        for before, value in states:
            name = _variable_name(before)
            values = named.get((next_names[name], None)) if name in next_names else None
            values = values or [place for place in named.get((name, None), ()) if _is_computed_at(place, op.location)]
            places[value] = [Place(value, place) for place in values[:1]]
    places = {value: holders for value, holders in places.items() if holders}
    # Where only a reshaped value has a place, its operand takes that: the operator in front computes the elements.
    for op in reversed(source.main.ops):
        if op.name in SAME_ELEMENTS and op.results[0] in places:
            first = op.operands[0]
            if first not in places and first.producer is not None and first.constant is None:
                places[first] = [place._replace(source=first) for place in places.pop(op.results[0])]
    return places


def _named_values(graph: Graph) -> Iterator[tuple[Value, str, str]]:
    """Yields a source's values, each with the name and the operator location under which a conversion holds it.

    For a variable both are the name that the conversion gives to it; the same goes for a value read from a variable
    before it is assigned. Constants and assignments yield nothing.
    """
    assigned: set[Value] = set()
    for op in graph.ops:
        if op.name == ASSIGN:
            assigned.add(op.operands[0])
        elif op.name == VARIABLE:
            yield op.result, _variable_name(op.result), _variable_name(op.result)
        elif op.name == READ and op.operands[0] not in assigned:
            state = _resource_name(op.operands[0])
            yield op.result, state, state
        elif op.name not in CONSTANTS:
            yield from ((value, value.name, op.location) for value in op.results)


def _variable_name(value: Value) -> str:
    """Returns the name that a conversion gives to a variable tensor."""
    assert value.producer is not None
    return f"{value.name} at {value.producer.location}"


def _is_computed_at(value: Value, location: str) -> bool:
    """Returns whether the operator that computes a value has this location."""
    return value.producer is not None and value.producer.location == location


def _resource_name(handle: Value) -> str:
    """Returns the name that a conversion gives to the variable of a resource handle, "" if no VAR_HANDLE gives it."""
    op = handle.producer
    attributes = {} if op is None or op.name != HANDLE else op.attributes
    return "/".join(filter(None, (attributes.get("container"), attributes.get("shared_name"))))


_Key: TypeAlias = tuple[str, Form | None]  # of a value by name, or by its origin


def _places_by_name(named: Mapping[_Key, Sequence[Value]], value: Value, name: str, location: str) -> Iterator[Place]:
    """Yields the conversion's values of this name, one in each form (such as int8 for uint8), as places of `value`.

    If several values of a form have the name, it is the first input or the first one computed by an operator at
    `location`.
    """
    for form in (None, *Form):
        values = named.get((name, form), ())
        if len(values) > 1:
            values = [place for place in values if place.producer is None or _is_computed_at(place, location)]
        flipped = form is Form.FLIPPED and value.type.dtype is DType.UI8
        yield from (Place(value, place, flipped) for place in values[:1])
