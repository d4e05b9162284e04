"""expm1, log1p and elu of ATen keep their digits where exp(x) - 1 and log(1 + x) cancel; numpy judges in fp64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value


def elu(x: Array) -> Array:
    return np.where(x > 0, 1.5 * x, 1.5 * 0.75 * np.expm1(2 * np.minimum(x, 0)))


KERNELS: dict[str, tuple[Callable[[Array], Array], dict[str, Any]]] = {
    "expm1": (np.expm1, {}),
    "log1p": (np.log1p, {}),
    "elu": (elu, {"alpha": 0.75, "scale": 1.5, "input_scale": 2.0}),
}


def outputs(name: str, x: Array, dtype: DType) -> Array:
    type = TensorType(dtype, x.shape)
    value = Value(type, "x")
    op = Op(f"aten.{name}.out", [value], [type], KERNELS[name][1], result_names=["y"])
    model = tc.convert(Model({"main": Graph("main", [value], op.results, [op])}, opset="xnn"))
    return tc.run(model, {"x": x})["y"]


@pytest.mark.parametrize("name", KERNELS)
def test_every_element_keeps_its_digits(name: str) -> None:
    """Numbers go from the smallest to 80, with more around 1/8, where the series ends; no sum reaches -1."""
    sizes = np.concatenate([np.geomspace(1e-30, 80, 4000), np.linspace(0.12, 0.13, 2000)])
    x = np.concatenate([-sizes[sizes < 0.99], [0], sizes]).astype(np.float32)
    expected = KERNELS[name][0](x.astype(np.float64))
    rtol = np.where(np.abs(expected) > 1, 1e-5, 3e-6)  # EXP may be off by (1 + x) * 2**-23 of its result
    assert (np.abs(outputs(name, x, DType.FP32) - expected) <= rtol * np.abs(expected)).all()


@pytest.mark.parametrize("name", KERNELS)
def test_halves_are_computed_in_fp32(name: str) -> None:
    x = np.linspace(-0.5, 0.5, 3001).astype(np.float16)
    expected = KERNELS[name][0](x.astype(np.float64)).astype(np.float16)
    distance = np.abs(outputs(name, x, DType.FP16).view(np.int16).astype(int) - expected.view(np.int16).astype(int))
    assert distance.max() <= 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [("expm1", [-1, np.inf, np.nan]), ("log1p", [np.nan, np.inf, np.nan]), ("elu", [-1.125, np.inf, np.nan])],
)
def test_infinities_and_nan_equal_numpy(name: str, expected: list[float]) -> None:
    x = np.array([-np.inf, np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(outputs(name, x, DType.FP32), np.array(expected, np.float32))


def test_log1p_at_its_pole_equals_numpy() -> None:
    assert outputs("log1p", np.array([-1, -2], np.float32), DType.FP32).tolist()[0] == -np.inf
