"""The part of an existing file that computes one operator of its source, as a model with the operator's borders."""

import numpy as np

from tosa_converter.errors import UsageError
from tosa_converter.extraction import SourceForm, cut_model, values_behind, with_source_forms
from tosa_converter.ir import Array, Model, Value
from tosa_converter.proof.input_sets import given_inputs
from tosa_converter.proof.observation import ObservedRun
from tosa_converter.proof.operators import Case
from tosa_converter.proof.places import Place
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tosa_ops import VARIABLE_READ


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
    if any(op.name == VARIABLE for op in case.model.main):
        raise UsageError("the operator keeps state, which no part of the file has")
    if run.model.opset != "tosa":
        raise UsageError("a part of a TFLite file is no TOSA")
    source_inputs = dict(zip(run.source.main.inputs, given_inputs(run.model), strict=True))
    named = {source.name: source for source in (*run.source.main.inputs, *run.places_by_value)}
    borders = [named[border.name] for border in case.model.main.inputs]
    # Where the file holds the inputs of the case; its part begins there.
    places = [
        Place(source, source_inputs[source]) if source in source_inputs else run.places_by_value[source][0]
        for source in borders
    ]
    result = run.places_by_value[value][0]
    ends = {place.value: place for place in places}
    between = [inner for inner in values_behind([result.value], ends) if inner not in ends]
    ops = {
        inner.producer for inner in between if inner.producer is not None and inner.producer.row is not VARIABLE_READ
    }
    # What remains is None, of a file's input that the case doesn't have, or a VARIABLE_READ.
    if len({inner.producer for inner in between} - ops):
        raise UsageError(f"the file computes {value.name!r} from other values than the source does, or from state")
    part = cut_model(run.model, ops, ends, [result.value])
    inputs = [_form(place, case.inputs[place.source.name]) for place in ends.values()]
    return with_source_forms(part, inputs, [_form(result, case.expected[value.name])])


def _form(place: Place, array: Array) -> SourceForm:
    """Returns the form in which the source has a value of a file: its name, shape and layout.

    Raises:
        UsageError: the file holds it in elements of another width, as int16 in int32.
    """
    narrow = np.int32 if array.dtype == np.int64 else array.dtype  # TOSA has no int64
    if np.dtype(narrow).itemsize != place.value.type.dtype.numpy.itemsize:
        raise UsageError(f"the file holds {place.source.name!r} as {place.value.type.dtype}, not {array.dtype}")
    return SourceForm(place.source.name, array.shape, place.flipped, place.axes)
