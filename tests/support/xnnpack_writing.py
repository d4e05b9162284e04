"""Graphs of TOSA that are written as XNNGraph, with what both compute."""

import numpy as np

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Value
from tosa_converter.rewriting.builder import Builder


def bytes_of(model: Model) -> bytes:
    """Returns the file of a graph of XNNPACK's nodes."""
    return b"".join(map(bytes, tc.formats.encode(model, ".xnn")))


def computed(model: Model, inputs: tuple[Array, ...]) -> list[Array]:
    """Returns what a written graph computes."""
    back = tc.load(bytes_of(model))
    feed = {value.name: array for value, array in zip(back.main.inputs, inputs, strict=True)}
    return list(tc.run(tc.convert(back), feed).values())


def agree(expected: Array, result: Array, tolerance: float) -> None:
    """Checks that arrays of integers are equal, and floats within a part of the largest one."""
    assert (expected.dtype, expected.shape) == (result.dtype, result.shape)
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(expected, result)
        return
    scale = np.abs(expected.astype(np.float64)).max(initial=1e-30)
    assert np.abs(expected.astype(np.float64) - result).max(initial=0) <= tolerance * scale


def compare(builder: Builder, **outputs: Value) -> list[str]:
    """Returns the nodes that a graph becomes, once they compute the same."""
    model = builder.model(**outputs)
    feed = tc.random_inputs(model, seed=3)
    graph = tc.to_xnn(model)
    for expected, result in zip(tc.run(model, feed).values(), computed(graph, tuple(feed.values())), strict=True):
        agree(expected, result, 2e-6)
    return [op.name.removeprefix("xnn.") for op in graph.main if op.name != "xnn.const"]


def graph_input(*shape: int, dtype: DType = DType.FP32) -> tuple[Builder, Value]:
    """Returns the builder of a graph with one input, and the input."""
    x, builder = Value(tc.TensorType(dtype, shape), "x"), Builder(Graph("main"))
    builder.graph.inputs = [x]
    return builder, x
