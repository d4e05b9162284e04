"""Runs formulas on arrays, so that numpy can judge them."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import copy_tensor

Formula: TypeAlias = Callable[..., Expr | Sequence[Expr]]
TYPES = {dtype.numpy.name: dtype for dtype in (DType.BOOL, DType.I8, DType.I16, DType.I32, DType.FP16, DType.FP32)}


def build_model(formula: Formula, *arrays: Array) -> Model:
    """Returns a formula as a model with inputs of the arrays' types, x0, x1 ..., and outputs y0, y1 ..."""
    inputs = [Value(TensorType(TYPES[array.dtype.name], array.shape), f"x{i}") for i, array in enumerate(arrays)]
    with Builder(Graph("main", inputs)) as builder:
        results = formula(*map(Expr, inputs))
        results = [results] if isinstance(results, Expr) else results
        return builder.model(**{f"y{i}": copy_tensor(result).value for i, result in enumerate(results)})


def evaluate(formula: Formula, *arrays: Array) -> list[Array]:
    """Returns the results of a formula."""
    model = build_model(formula, *arrays)
    outputs = tc.run(model, {f"x{i}": np.asarray(array) for i, array in enumerate(arrays)})
    return [outputs[f"y{i}"] for i in range(len(outputs))]


def count_operators(formula: Formula, *arrays: Array) -> Counter[str]:
    """Returns how often a formula emits each operator, those of its loops included."""
    return Counter(op.name.removeprefix("tosa.") for op in build_model(formula, *arrays).main.walk())


def apply(builder: Builder, function: Callable[..., Expr], *operands: object, **attributes: Any) -> Value:
    """Returns the result of a function of expressions on values of a builder's graph."""
    with builder:
        return function(*(Expr(x) if isinstance(x, Value) else x for x in operands), **attributes).value
