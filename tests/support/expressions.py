"""Runs formulas on arrays, so that numpy can judge them."""

from collections.abc import Callable, Sequence

import numpy as np

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import separate

TYPES = {dtype.numpy.name: dtype for dtype in (DType.BOOL, DType.I8, DType.I16, DType.I32, DType.FP16, DType.FP32)}


def evaluate(formula: Callable[..., Expr | Sequence[Expr]], *arrays: Array) -> list[Array]:
    """Returns the results of a formula whose operands are inputs of a graph."""
    inputs = [Value(TensorType(TYPES[array.dtype.name], array.shape), f"x{i}") for i, array in enumerate(arrays)]
    with Builder(Graph("main", inputs)) as builder:
        results = formula(*map(Expr, inputs))
        results = [separate(result) for result in ([results] if isinstance(results, Expr) else results)]
        model = builder.model(**{f"y{i}": result.value for i, result in enumerate(results)})
    outputs = tc.run(model, {value.name: np.asarray(array) for value, array in zip(inputs, arrays, strict=True)})
    return [outputs[f"y{i}"] for i in range(len(results))]
