"""The part of an existing file that computes one operator of its source, as a model with the operator's borders."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.extraction import values_behind
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.ir.edit import clone_ops
from tosa_converter.proof.input_sets import given_inputs
from tosa_converter.proof.observation import ObservedRun
from tosa_converter.proof.operators import Case
from tosa_converter.proof.places import Place
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.schemas import tosa_ops as ops

_TOP_BIT = np.int8(-128)  # uint8 u is held as int8 u - 128, whose bits are u's with the top one flipped


def piece_of_file(run: ObservedRun, value: Value, case: Case) -> Model:
    """Returns the file's operators that compute a source's value from the values that its case begins with.

    Inputs and outputs have the names, shapes and bits of the source's, so that both models take the same arrays.

    Args:
        run: of the source and the file.
        value: of the source, which is matched with one of the file.
        case: the source's operator as a model of its own, of a single run.

    Raises:
        UsageError: the file computes the value from other ones, or keeps state.
    """
    source_inputs = dict(zip(run.source.main.inputs, given_inputs(run.model), strict=True))
    named = {source.name: source for source in (*run.source.main.inputs, *run.places_by_value)}
    borders = [named[border.name] for border in case.model.main.inputs]
    places = [
        Place(source, source_inputs[source]) if source in source_inputs else run.places_by_value[source][0]
        for source in borders
    ]
    result = run.places_by_value[value][0]
    ends = {place.value for place in places}
    between = [inner for inner in values_behind([result.value], ends) if inner not in ends]
    if any(inner.producer is None or inner.producer.row is ops.VARIABLE_READ for inner in between):
        raise UsageError(f"the file computes {value.name!r} from other values than the source does, or from state")
    chosen = {inner.producer for inner in between}
    read = {operand.producer for op in chosen if op is not None for operand in op.operands}
    arrays = [case.inputs[place.source.name] for place in places]
    graph = Graph("main", [_border(place, array) for place, array in zip(places, arrays, strict=True)])
    with Builder(graph) as build:
        values = {
            place.value: _to_file(Expr(border), place).value for place, border in zip(places, graph.inputs, strict=True)
        }
        cloned = [op for op in run.model.main.ops if op in chosen or (op in read and op.declares)]
        graph.ops += clone_ops(cloned, values)
        output = _to_source(Expr(values[result.value]), result, case.expected[value.name])
        return build.model(**{value.name: output})


def _border(place: Place, array: Array) -> Value:
    """Returns an input with the name and shape of the source's value, in the file's type."""
    return Value(TensorType(place.value.type.dtype, array.shape), place.source.name)


def _to_file(x: Expr, place: Place) -> Expr:
    """Returns an input as the file holds it: flipped, in another order of dimensions, in another shape."""
    x = x ^ const(_TOP_BIT, DType.I8) if place.flipped else x
    x = x.transpose(place.axes) if place.axes else x
    shape = place.value.type.static
    return x if tuple(x.shape) == shape else x.reshape(shape)


def _to_source(x: Expr, place: Place, array: Array) -> Expr:
    """Returns a result of the file as the source has it."""
    shape = tuple(array.shape[axis] for axis in place.axes) if place.axes else array.shape
    x = x if tuple(x.shape) == shape else x.reshape(shape)
    x = x.transpose([int(axis) for axis in np.argsort(place.axes)]) if place.axes else x
    return x ^ const(_TOP_BIT, DType.I8) if place.flipped else x
