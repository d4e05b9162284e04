"""Matches a user's arrays with a model's inputs: by name, element type and shape."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError, did_you_mean, list_names
from tosa_converter.ir import Array, Graph, Model, TensorType, Value

T = TypeVar("T")
I32 = np.iinfo(np.int32)


def named_inputs(model: Model, graph: Graph) -> dict[str, Value]:
    """Returns a graph's inputs by name: the graph's own names, and those that its signatures give them."""
    signatures = [signature.inputs for signature in model.signatures.values() if signature.graph == graph.name]
    names = {name: value for inputs in signatures for name, value in inputs.items() if value in graph.inputs}
    return {value.name: value for value in graph.inputs} | names


def main_inputs(model: Model) -> dict[str, Value]:
    """Returns the main graph's inputs by name: the graph's own names, and those that its signatures give them."""
    return named_inputs(model, model.main)


def by_tensor_name(model: Model, items: Mapping[str, T]) -> dict[str, T]:
    """Returns `items` keyed by the main graph's input names, in place of a signature's names for them.

    Args:
        model: the model.
        items: one item per input, by the graph's names or a signature's.

    Raises:
        UsageError: no input has a name, or two names stand for one input.
    """
    if items.keys() <= {value.name for value in model.main.inputs}:  # a signature may swap the graph's names
        return dict(items)
    inputs = main_inputs(model)
    by_name: dict[str, T] = {}
    for name, item in items.items():
        if name not in inputs:
            names = list_names(sorted(inputs)) + did_you_mean(name, inputs)
            raise UsageError(f"no input is called {name!r}; there are {names}")
        if inputs[name].name in by_name:
            raise UsageError(
                f"expected one value for input {inputs[name].name!r}, found two: {name!r} is its other name"
            )
        by_name[inputs[name].name] = item
    return by_name


def require_inputs(graph: Graph, inputs: Mapping[str, Array]) -> list[Array]:
    """Returns the arrays for a graph's inputs in order, converted to their types by `convert_input`.

    Raises:
        UsageError: an input is missing, or its array doesn't fit.
    """
    absent = [value.name for value in graph.inputs if value.name not in inputs]
    if absent:
        raise UsageError(f"no input for {absent[0]!r}", f"next: add --input {absent[0]}=FILE.npy")
    return [convert_input(value.name, value.type, np.asarray(inputs[value.name])) for value in graph.inputs]


def convert_input(name: str, type: TensorType, array: Array) -> Array:
    """Converts an array to an input's element type: uint8 and uint16 become int8 and int16, int64 becomes i32.

    Args:
        name: the input's name, for errors.
        type: the input's element type and shape; unknown dimensions take any size.
        array: its elements.

    Raises:
        UsageError: the array has another element type or shape, or an int64 element that int32 can't hold.
    """
    require_fit(name, type, array.dtype, array.shape)
    if array.dtype == np.int64 and type.dtype is DType.I32:
        return narrow_to_int32(name, array)
    # The bits stay: uint8 200 becomes int8 -56, which an operator with input_unsigned reads as 200 again.
    return array if array.dtype == type.dtype.numpy else array.view(type.dtype.numpy)


def narrow_to_int32(name: str, array: Array) -> Array:
    """Converts int64 elements to int32.

    Raises:
        UsageError: an element doesn't fit int32.
    """
    short = array.astype(np.int32)
    # astype wraps around: 2**31 becomes -2**31, which isn't equal to it. All others come back as they were.
    wrong = np.argwhere(short != array)
    if wrong.size:
        index = wrong[0].tolist()
        element = f"{array[tuple(index)]} at {index}"
        raise UsageError(f"input {name!r}: expected values from {I32.min} to {I32.max}, found {element}")
    return short


def require_fit(name: str, type: TensorType, dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> None:
    """Raises UsageError unless an array of this element type and shape can be converted to the input's type.

    uint8 and uint16 are accepted for i8 and i16, int64 for i32, and for types that numpy doesn't have (bf16, fp8) raw
    bytes of the same width, as .npy files store them.
    """
    try:
        expected = type.dtype.numpy
    except KeyError:
        raise UsageError(f"input {name!r} has type {type}, which numpy arrays can't hold") from None
    # The same bits of up to 2 bytes: uint8 for i8, uint16 for i16, and raw bytes (V) for types that numpy lacks.
    twins = {"u": "i", "V": "V"}.get(dtype.kind) == expected.kind and dtype.itemsize == expected.itemsize <= 2
    wide = dtype == np.int64 and type.dtype is DType.I32
    if not (dtype == expected or twins or wide) or not fits(shape, type):
        raise UsageError(f"input {name!r}: expected {type}, found {dtype}{list(shape)}")


def fits(shape: tuple[int, ...], type: TensorType) -> bool:
    """Returns whether a shape matches the type's shape, whose unknown dimensions may have any size."""
    return len(shape) == type.rank and all(b in (a, None) for a, b in zip(shape, type.shape, strict=True))


def unique_value_names(graph: Graph) -> dict[Value, str]:
    """Returns a unique name for each value: its own, with underscores appended if an earlier value has that name.

    A value without a name is called value_0, value_1 ...: the number of values named before it.
    """
    names: dict[Value, str] = {}
    taken: set[str] = set()
    results = [value for op in graph.ops for value in op.results]
    for value in (*graph.inputs, *graph.outputs, *results):
        if value in names:
            continue
        name = value.name or f"value_{len(names)}"
        while name in taken:
            name += "_"
        taken.add(name)
        names[value] = name
    return names
