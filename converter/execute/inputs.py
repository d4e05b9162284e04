"""What a user gives for a model's inputs: under whose names, and whether it fits their types."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Graph, Model, TensorType, Value

T = TypeVar("T")
I32 = np.iinfo(np.int32)


def named_inputs(model: Model, graph: Graph) -> dict[str, Value]:
    """Returns a graph's inputs by the names that a user may call them: its own and those of its signatures."""
    signatures = [signature.inputs for signature in model.signatures.values() if signature.graph == graph.name]
    names = {name: value for inputs in signatures for name, value in inputs.items() if value in graph.inputs}
    return {value.name: value for value in graph.inputs} | names


def main_inputs(model: Model) -> dict[str, Value]:
    """Returns the main graph's inputs by the names that a user may call them."""
    return named_inputs(model, model.main)


def by_tensor_name(model: Model, items: Mapping[str, T]) -> dict[str, T]:
    """Returns items for the main graph's inputs by the graph's names, from the names of a signature.

    Raises:
        UsageError: a name that no input has, or two for one input.
    """
    if items.keys() <= {value.name for value in model.main.inputs}:  # a signature may swap the graph's names
        return dict(items)
    inputs = main_inputs(model)
    by_name: dict[str, T] = {}
    for name, item in items.items():
        if name not in inputs:
            raise UsageError(f"no input is called {name!r}; there are {', '.join(sorted(inputs)) or 'none'}")
        if inputs[name].name in by_name:
            raise UsageError(f"input {inputs[name].name!r} is given twice, once as {name!r}")
        by_name[inputs[name].name] = item
    return by_name


def require_inputs(graph: Graph, inputs: Mapping[str, Array]) -> list[Array]:
    """Returns a graph's inputs in order and of their types; see `fitted`.

    Raises:
        UsageError: one is missing, or doesn't fit.
    """
    absent = [value.name for value in graph.inputs if value.name not in inputs]
    if absent:
        raise UsageError(f"no input for {absent[0]!r}")
    return [fitted(value.name, value.type, np.asarray(inputs[value.name])) for value in graph.inputs]


def fitted(name: str, type: TensorType, array: Array) -> Array:
    """Returns an array as an input of this type; int8 and int16 may come as their unsigned twins, i32 as int64.

    Raises:
        UsageError: see `require_fit` and `narrowed`.
    """
    require_fit(name, type, array.dtype, array.shape)
    if array.dtype == np.int64 and type.dtype is DType.I32:
        return narrowed(name, array)
    return array if array.dtype == type.dtype.numpy else array.view(type.dtype.numpy)


def narrowed(name: str, array: Array) -> Array:
    """Returns int64 as int32.

    Raises:
        UsageError: a value needs more bits.
    """
    short = array.astype(np.int32)
    wrong = np.argwhere(short != array)
    if wrong.size:
        index = wrong[0].tolist()
        element = f"{array[tuple(index)]} at {index}"
        raise UsageError(f"input {name!r}: expected values from {I32.min} to {I32.max}, found {element}")
    return short


def require_fit(name: str, type: TensorType, dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> None:
    """Raises UsageError if an input of this type can't be an array of that element type and shape.

    The bytes that numpy writes for types that aren't its own (bf16, fp8) fit by their width.
    """
    try:
        expected = type.dtype.numpy
    except KeyError:
        raise UsageError(f"input {name!r}: expected {type}, which no array holds") from None
    twins = {"u": "i", "V": "V"}.get(dtype.kind) == expected.kind and dtype.itemsize == expected.itemsize <= 2
    wide = dtype == np.int64 and type.dtype is DType.I32
    if not (dtype == expected or twins or wide) or not fits(shape, type):
        raise UsageError(f"input {name!r}: expected {type}, found {dtype}{list(shape)}")


def fits(shape: tuple[int, ...], type: TensorType) -> bool:
    """Returns whether a shape is the type's, whose unknown dimensions may have any size."""
    return len(shape) == type.rank and all(b in (a, None) for a, b in zip(shape, type.shape, strict=True))
