"""Floats between DEQUANTIZE and QUANTIZE equal LiteRT's float kernels on every stored value."""

from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.tflite.quantized import islands
from tosa_converter.legalize.tflite.quantized.islands import FUNCTIONS
from tosa_converter.schemas.tflite import ActivationFunctionType as Fused
from tosa_converter.schemas.tflite import BuiltinOperator as B

OPTIONS: dict[B, dict[str, Any]] = {B.LEAKY_RELU: {"alpha": 0.3}, B.GELU: {"approximate": True}}
BINARY = (B.ADD, B.SUB, B.MUL, B.DIV, B.MAXIMUM, B.MINIMUM, B.SQUARED_DIFFERENCE)
# LiteRT's reference resolver has no kernel for these.
ELSEWHERE = (B.CEIL, B.ELU)
UNARY = [
    builtin
    for builtin in (B[name[4:].upper()] for name in FUNCTIONS)
    if builtin not in BINARY and builtin not in ELSEWHERE
]
SCALES = {"int8": (0.037, 3), "uint8": (0.037, 120), "int16": (0.00021, 0)}


class Graph:
    """A DEQUANTIZE, the operators of a test, and a QUANTIZE."""

    def __init__(self, dtype: str, result: str = "", scale: float = 0.0) -> None:
        self.dtype, self.result = dtype, result or dtype
        self.values = every(dtype)
        step, zero = SCALES[dtype]
        self.scale = scale or step * 1.3
        self.tensors = [Tensor(self.values.shape, dtype, scale=step, zero_point=zero), Tensor(self.values.shape)]
        self.operators = [Operator(B.DEQUANTIZE, (0,), (1,))]

    def add(self, builtin: B, *operands: int, **options: Any) -> int:
        """Adds an operator; returns its result's number."""
        self.tensors.append(Tensor(self.values.shape))
        place = len(self.tensors) - 1
        self.operators.append(Operator(builtin, operands, (place,), {**OPTIONS.get(builtin, {}), **options}))
        return place

    def number(self, value: float, *shape: int) -> int:
        """Adds a constant."""
        self.tensors.append(Tensor(shape, data=np.full(shape, value, np.float32)))
        return len(self.tensors) - 1

    def finish(self, last: int) -> bytes:
        """Returns the model."""
        self.tensors.append(Tensor(self.values.shape, self.result, scale=self.scale, zero_point=SCALES[self.result][1]))
        self.operators.append(Operator(B.QUANTIZE, (last,), (len(self.tensors) - 1,)))
        return build(self.tensors, self.operators, (0,), (len(self.tensors) - 1,))


def every(dtype: str) -> Array:
    limits = np.iinfo(dtype)
    return np.arange(limits.min, limits.max + 1, dtype=dtype).reshape(1, -1)


def check(graph: Graph, last: int, operators: set[str]) -> None:
    data = graph.finish(last)
    (want,) = run_litert(data, [graph.values])
    model = tc.convert(data)
    assert {op.name.removeprefix("tosa.") for op in model.main if "const" not in op.name} == operators
    signed = {"uint8": "int8"}.get(graph.dtype, graph.dtype)
    (got,) = tc.run(model, {"t0": graph.values.view(signed)}).values()
    # where LiteRT converts a float beyond 32 bits, C leaves the result open
    assert np.count_nonzero(got.view(want.dtype) != want) == 0


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("builtin", UNARY, ids=[builtin.name for builtin in UNARY])
def test_functions_of_8_bits_are_a_table(builtin: B, dtype: str) -> None:
    graph = Graph(dtype)
    x = 1
    if builtin in (B.SQRT, B.RSQRT, B.LOG):  # only positive elements
        x = graph.add(B.ADD, graph.add(B.ABS, 1), graph.number(0.25))
    check(graph, graph.add(builtin, x), {"table"})


@pytest.mark.parametrize("builtin", BINARY, ids=[builtin.name for builtin in BINARY])
def test_operators_with_a_constant_are_a_table(builtin: B) -> None:
    for swapped in (False, True):
        graph = Graph("int8")
        x = graph.add(B.ADD, 1, graph.number(7.5, 1, 1))  # nothing is divided by 0
        operands = (x, graph.number(1.7)) if not swapped else (graph.number(1.7), x)
        check(graph, graph.add(builtin, *operands), {"table"})


@pytest.mark.parametrize("fused", [Fused.RELU, Fused.RELU6, Fused.RELU_N1_TO_1])
def test_fused_activations_are_part_of_the_table(fused: Fused) -> None:
    graph = Graph("int8")
    check(graph, graph.add(B.MUL, 1, graph.number(-1.5), fused_activation_function=fused), {"table"})


@pytest.mark.parametrize("builtin", [B.HARD_SWISH, B.LEAKY_RELU, B.SQUARE, B.NEG, B.RELU6, B.ABS])
def test_functions_of_16_bits_equal_litert(builtin: B) -> None:
    graph = Graph("int16")
    result = graph.add(builtin, 1)
    data = graph.finish(result)
    (want,) = run_litert(data, [graph.values])
    model = tc.convert(data)
    assert {"gather", "table"} & {op.name.removeprefix("tosa.") for op in model.main}
    assert "PRO-FP" not in str(model.report.needs)
    (got,) = tc.run(model, {"t0": graph.values}).values()
    assert np.array_equal(got, want)


def test_a_value_that_is_used_twice_is_one_table() -> None:
    graph = Graph("int8")
    check(graph, graph.add(B.MUL, 1, graph.add(B.LOGISTIC, 1)), {"table"})


@pytest.mark.parametrize(("builtin", "times"), [(B.SQUARE, 1), (B.TANH, 3)])
def test_only_functions_of_libm_are_also_tried_with_other_last_bits(
    builtin: B, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    evaluated = islands._evaluate_value

    def counted(value: Value, real: Array, ulps: int) -> Array:
        tried.append(ulps)
        return evaluated(value, real, ulps)

    monkeypatch.setattr(islands, "_evaluate_value", counted)
    graph = Graph("int8")
    tc.convert(graph.finish(graph.add(builtin, 1)))
    assert len(tried) == times


def test_dequantize_and_quantize_alone_are_a_table() -> None:
    graph = Graph("int8", "uint8", 0.05)
    check(graph, 1, {"table"})


def test_operators_on_several_elements_stay() -> None:
    graph = Graph("int8")
    graph.tensors.append(Tensor((1, 256), data=np.linspace(0, 1, 256, dtype=np.float32).reshape(1, 256)))
    data = graph.finish(graph.add(B.ADD, 1, len(graph.tensors) - 1))
    (want,) = run_litert(data, [graph.values])
    model = tc.convert(data)
    assert "table" not in {op.name.removeprefix("tosa.") for op in model.main}
    (got,) = tc.run(model, {"t0": graph.values}).values()
    assert np.array_equal(got, want)
