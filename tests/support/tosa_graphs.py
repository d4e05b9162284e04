"""Graphs of one operator written by hand, legal or not, and the verdict of the reference model on them."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.engines.reference_model import run_tosa_file
from tosa_converter.errors import ConverterError
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas.tosa_ops import OpDef

RESCALE: dict[str, Any] = {
    "scale32": True,
    "rounding_mode": "SINGLE_ROUND",
    "per_channel": False,
    "input_unsigned": False,
    "output_unsigned": False,
}


def tensor(dtype: DType, *shape: int | None) -> Value:
    return Value(TensorType(dtype, shape))


def const(values: Any, dtype: DType) -> Value:
    array = np.asarray(values, dtype.numpy)
    name = "tosa.const_shape" if dtype is DType.SHAPE else "tosa.const"
    return Op(name, (), [TensorType(dtype, array.shape)], {"values": array}).result


def shape(*sizes: int) -> Value:
    return const(np.array(sizes, np.int64), DType.SHAPE)


def model(
    row: OpDef,
    operands: Sequence[Any],  # a test may leave one out
    results: Sequence[TensorType],
    attributes: dict[str, Any] | None = None,
    regions: Sequence[Graph] = (),
) -> Model:
    """Returns a graph of one operator: constant operands are placed before it, the others are inputs."""
    op = Op(row.opcode, operands, results, attributes or {}, regions=regions, location="here")
    return whole([op], [value for value in operands if value.producer is None], list(op.results))


def whole(ops: Sequence[Op], inputs: Iterable[Value], outputs: Iterable[Value]) -> Model:
    """Returns a graph of operators in order, with their constants first."""
    constants = [v.producer for op in ops for v in op.operands if v.producer and v.constant is not None]
    graph = Graph("main", list(dict.fromkeys(inputs)), list(outputs), [*dict.fromkeys(constants), *ops])
    return Model({"main": graph})


def reference_status(graph: Model) -> str:
    """Returns TOSA_VALID, TOSA_UNPREDICTABLE, or TOSA_ERROR if the reference model stops, on inputs of ones."""
    pytest.importorskip("tosa_reference_model", reason="the judge is tosa-tools")
    inputs = [np.ones(value.type.static, value.type.dtype.numpy) for value in graph.main.inputs]
    try:
        return run_tosa_file(b"".join(map(bytes, write_tosa(graph))), inputs)[0]
    except ConverterError:
        return "TOSA_ERROR"
