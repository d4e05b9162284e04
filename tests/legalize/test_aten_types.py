"""Kernels of ATen in every type and with every kind of attribute against numpy, operator by operator."""

import numpy as np
import pytest
from support.aten_cases import AtenCase, every_case, held

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.schemas import aten_ops

CASES = list(every_case())
TOLERANCES = {DType.FP32: 2e-6, DType.FP16: 2e-3}  # of each element, or of 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_as_numpy_computes(case: AtenCase) -> None:
    for (dtype, expected), found in zip(case.outputs, case.run(), strict=True):
        assert found.shape == expected.shape
        if dtype in TOLERANCES:
            far = np.abs(found.astype(np.float64) - expected)
            assert (far <= TOLERANCES[dtype] * np.maximum(1, np.abs(expected.astype(np.float64)))).all()
        else:
            assert np.array_equal(found, held(expected, dtype))


@pytest.mark.parametrize("bias", [(5,), (1, 5), (3, 5), (4, 5), (1,), (3, 1)])
@pytest.mark.parametrize("rows", [3, 4])
def test_addmm_of_constant_weights_with_every_bias(bias: tuple[int, ...], rows: int) -> None:
    """Only a vector of all columns is the bias of a convolution; rows may be as many as the weight has."""
    if len(bias) == 2 and bias[0] not in (1, rows):
        return
    rng = np.random.default_rng(rows)
    b, a, w = (rng.integers(-8, 8, shape).astype(np.float32) for shape in (bias, (rows, 4), (4, 5)))
    operands = tuple((DType.FP32, x) for x in (b, a, w))
    case = AtenCase("addmm.out", operands, {"beta": 1, "alpha": 1}, ((DType.FP32, a @ w + b),), (0, 2))
    np.testing.assert_array_equal(case.run()[0], a @ w + b)
    names = {op.name for op in tc.convert(case.model).main.ops}
    assert ("tosa.conv2d" in names) == (bias == (5,))


@pytest.mark.parametrize("dtype", [DType.I32, DType.I8, DType.BOOL, DType.FP32])
@pytest.mark.parametrize("value", [0, 1, 1.5, float("inf"), 2**40])
def test_numbers_that_a_type_holds(dtype: DType, value: float) -> None:
    """An integer takes whole numbers of 32 bits; anything else is a bool or a float."""
    y = np.zeros((2,), dtype.numpy)
    case = AtenCase("full.out", (), {"size": (2,), "fill_value": value}, ((dtype, y),))
    if dtype in (DType.I32, DType.I8) and value not in (0, 1):
        with pytest.raises(UnsupportedError):
            case.run()
    else:
        (found,) = case.run()
        np.testing.assert_array_equal(found, np.full((2,), value).astype(dtype.numpy))


@pytest.mark.parametrize(
    "outer", [((), ()), ((2,), (2,)), ((2,), (1,)), ((1, 2), (3, 2)), ((2,), (3,)), ((2, 3), (3, 2))]
)
def test_distances_of_batches(outer: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """They broadcast as numpy's do, or are refused."""
    rng = np.random.default_rng(0)
    a, b = (rng.random((*batch, size, 4)).astype(np.float32) for batch, size in zip(outer, (3, 5), strict=True))
    kernel = next(name for name in aten_ops.BY_OPCODE if "_cdist_forward" in name).removeprefix("aten.")
    attributes = {"p": 1.0, "compute_mode": None}
    try:
        batches = np.broadcast_shapes(*outer)
    except ValueError:
        y = np.zeros((*outer[0], 3, 5), np.float32)
        with pytest.raises(UnsupportedError):
            AtenCase(kernel, ((DType.FP32, a), (DType.FP32, b)), attributes, ((DType.FP32, y),)).run()
        return
    y = np.abs(a[..., :, None, :] - b[..., None, :, :]).sum(-1)
    assert y.shape[:-2] == batches
    (found,) = AtenCase(kernel, ((DType.FP32, a), (DType.FP32, b)), attributes, ((DType.FP32, y),)).run()
    np.testing.assert_allclose(found, y, rtol=1e-5)


@pytest.mark.parametrize("base", [2, 10])
def test_logarithms_of_every_base(base: int) -> None:
    x = np.array([0.5, 1, 2, 3, 100], np.float32)
    y = (np.log(x.astype(np.float64)) / np.log(base)).astype(np.float32)
    (found,) = AtenCase(f"log{base}.out", ((DType.FP32, x),), {}, ((DType.FP32, y),)).run()
    np.testing.assert_allclose(found, y, rtol=1e-5, atol=1e-6)
