"""Images of RESIZE's largest size are resized by it, and larger ones by other operators (2.12.1: below 16384)."""

from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B

QUANT: dict[str, dict[str, Any]] = {"float32": {}, "int8": {"scale": 0.05, "zero_point": 3}}


@pytest.mark.parametrize("dtype", QUANT)
@pytest.mark.parametrize(
    ("width", "options"), [(16383, {"align_corners": True}), (16384, {"half_pixel_centers": True})]
)
def test_the_largest_image_equals_litert(dtype: str, width: int, options: dict[str, bool]) -> None:
    """Each of 8192 pixels becomes two, with and without the last one."""
    size = Tensor((2,), "int32", np.array([1, width], np.int32))
    tensors = [Tensor((1, 1, 8192, 1), dtype, **QUANT[dtype]), size, Tensor((1, 1, width, 1), dtype, **QUANT[dtype])]
    data = build(tensors, [Operator(B.RESIZE_BILINEAR, (0, 1), (2,), options, version=3)], (0,), (2,))
    model = tc.convert(data)
    sizes = [max(value.type.static) for op in model.main if op.name == "tosa.resize" for value in op.results]
    assert sizes == ([width] if width < 16384 else [])
    x = np.random.default_rng(1).integers(-90, 90, (1, 1, 8192, 1)).astype(dtype)
    (output,), (expected,) = tc.run(model, {"t0": x}).values(), run_litert(data, [x])
    if dtype == "int8":
        np.testing.assert_array_equal(output, expected)
    else:
        np.testing.assert_allclose(output, expected, atol=1e-3)


@pytest.mark.parametrize(("outputs", "fits"), [(512, True), (1024, True), (2048, False)])
def test_the_largest_numerator_equals_litert(outputs: int, fits: bool) -> None:
    """Steps of size / outputs pixels have a numerator of 2 * outputs: RESIZE takes 2048."""
    size = 511
    operands = [Tensor((1, 1, size, 1)), Tensor((2,), "int32", np.array([1, outputs], np.int32))]
    options = {"half_pixel_centers": True}
    tensors = [*operands, Tensor((1, 1, outputs, 1))]
    data = build(tensors, [Operator(B.RESIZE_BILINEAR, (0, 1), (2,), options, version=3)], (0,), (2,))
    model = tc.convert(data)
    scales = [op.operands[1].constant for op in model.main if op.name == "tosa.resize"]
    assert [list(scale) for scale in scales if scale is not None] == [[1, 1, 2 * outputs, 2 * size]] * fits
    x = np.random.default_rng(1).standard_normal((1, 1, size, 1)).astype(np.float32)
    (output,), (expected,) = tc.run(model, {"t0": x}).values(), run_litert(data, [x])
    np.testing.assert_allclose(output, expected, atol=1e-5)
