"""ATen's kernels equal numpy in every type and with every kind of attribute."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.aten_cases import AtenCase, as_stored, every_case

import tosa_converter as tc
from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas import aten_ops

CASES = list(every_case())
TOLERANCES = {DType.FP32: 2e-6, DType.FP16: 2e-3}  # relative to each element, or to 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_a_kernel_equals_numpy(case: AtenCase) -> None:
    for (dtype, expected), output in zip(case.outputs, case.run(), strict=True):
        assert output.shape == expected.shape
        if dtype in TOLERANCES:
            far = np.abs(output.astype(np.float64) - expected)
            assert (far <= TOLERANCES[dtype] * np.maximum(1, np.abs(expected.astype(np.float64)))).all()
        else:
            assert np.array_equal(output, as_stored(expected, dtype))


@pytest.mark.parametrize("bias", [(5,), (1, 5), (3, 5), (4, 5), (1,), (3, 1)])
@pytest.mark.parametrize("rows", [3, 4])
def test_addmm_with_every_bias_equals_numpy(bias: tuple[int, ...], rows: int) -> None:
    """Only a vector of all columns is the bias of a convolution; rows may equal the weight's in number."""
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
def test_numbers_are_taken_if_the_type_holds_them(dtype: DType, value: float) -> None:
    """An integer type takes whole numbers of 32 bits; anything else is a bool or a float."""
    y = np.zeros((2,), dtype.numpy)
    case = AtenCase("full.out", (), {"size": (2,), "fill_value": value}, ((dtype, y),))
    if dtype in (DType.I32, DType.I8) and value not in (0, 1):
        with pytest.raises(UnsupportedError):
            case.run()
    else:
        (output,) = case.run()
        np.testing.assert_array_equal(output, np.full((2,), value).astype(dtype.numpy))


@pytest.mark.parametrize(
    "outer", [((), ()), ((2,), (2,)), ((2,), (1,)), ((1, 2), (3, 2)), ((2,), (3,)), ((2, 3), (3, 2))]
)
def test_distances_of_batches_equal_numpy(outer: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """Batches broadcast as numpy's do, or are refused."""
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
    (output,) = AtenCase(kernel, ((DType.FP32, a), (DType.FP32, b)), attributes, ((DType.FP32, y),)).run()
    np.testing.assert_allclose(output, y, rtol=1e-5)


@pytest.mark.parametrize("base", [2, 10])
def test_logarithms_of_every_base_equal_numpy(base: int) -> None:
    x = np.array([0.5, 1, 2, 3, 100], np.float32)
    y = (np.log(x.astype(np.float64)) / np.log(base)).astype(np.float32)
    (output,) = AtenCase(f"log{base}.out", ((DType.FP32, x),), {}, ((DType.FP32, y),)).run()
    np.testing.assert_allclose(output, y, rtol=1e-5, atol=1e-6)


class Pool(NamedTuple):
    """A pool's attributes, each for height and width."""

    kernel_size: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    ceil_mode: bool

    def spans(self, size: int, axis: int) -> list[tuple[int, int]]:
        """Returns first index and end of each window in the padded image (pooling_output_shape)."""
        kernel, stride, pad = self.kernel_size[axis], self.stride[axis], self.padding[axis]
        count = (size + 2 * pad - kernel + (stride - 1 if self.ceil_mode else 0)) // stride + 1
        if self.ceil_mode and (count - 1) * stride >= size + pad:
            count -= 1
        starts = [i * stride - pad for i in range(count)]
        return [(start, min(start + kernel, size + pad)) for start in starts]

    def apply(self, x: Array, reduce: Callable[[Array, int], Any]) -> Array:
        """Returns the result of `reduce` on the pixels of each window and their number with padding."""
        rows, columns = self.spans(x.shape[2], 0), self.spans(x.shape[3], 1)
        y = np.zeros((*x.shape[:2], len(rows), len(columns)), x.dtype)
        for i, (top, bottom) in enumerate(rows):
            for j, (left, right) in enumerate(columns):
                window = x[:, :, max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
                y[:, :, i, j] = reduce(window, (bottom - top) * (right - left))
        return y


POOLS = [
    Pool(kernel, stride, padding, ceil_mode)
    for kernel, padding in (((2, 4), (0, 2)), ((4, 3), (2, 0)), ((3, 5), (1, 2)), ((3, 2), (0, 1)))
    for stride in ((2, 3), (3, 2), (1, 4))
    for ceil_mode in (False, True)
]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("sizes", [(9, 8), (7, 10)])
def test_pools_whose_axes_are_unlike_equal_numpy(sizes: tuple[int, int], pool: Pool) -> None:
    """Kernel, stride, padding and the surplus of `ceil_mode` differ between height and width."""
    x = np.random.default_rng(0).standard_normal((1, 2, *sizes)).astype(np.float32) - 3
    fields = pool._asdict()
    y = pool.apply(x, lambda window, _: window.max((2, 3)))
    case = AtenCase(
        "max_pool2d_with_indices.out",
        ((DType.FP32, x),),
        {**fields, "dilation": (1, 1)},
        ((DType.FP32, y), (DType.I64, np.zeros(y.shape, np.int64))),
    )
    model = case.model
    model.main.outputs = model.main.outputs[:1]  # padded windows have no indices
    (output,) = tc.run(tc.convert(model), {"x0": x}).values()
    np.testing.assert_array_equal(output, y)
    counted = pool.apply(x, lambda window, count: window.sum((2, 3)) / count)
    pixels = pool.apply(x, lambda window, _: window.mean((2, 3)))
    for includes, mean in ((True, counted), (False, pixels)):
        options = {**fields, "count_include_pad": includes, "divisor_override": None}
        case = AtenCase("avg_pool2d.out", ((DType.FP32, x),), options, ((DType.FP32, mean),))
        np.testing.assert_allclose(case.run()[0], mean, rtol=2e-6)


@pytest.mark.parametrize("dtype", [DType.FP32, DType.I32, DType.BOOL])
def test_joining_one_part_returns_it(dtype: DType) -> None:
    """The result is the part itself."""
    x = np.arange(6).reshape(2, 3).astype(dtype.numpy)
    for dim in (0, 1, -1):
        case = AtenCase("cat.out", ((dtype, x),), {"dim": dim}, ((dtype, x),))
        np.testing.assert_array_equal(case.run()[0], x)


@pytest.mark.parametrize("bound", [-1.5, 0.0, 2.0])
def test_bounds_that_are_equal_are_one_clamp(bound: float) -> None:
    x = np.array([-2, -0.5, 0, 1, 3, np.nan], np.float32)
    case = AtenCase("clamp.out", ((DType.FP32, x),), {"min": bound, "max": bound}, ((DType.FP32, x),))
    np.testing.assert_array_equal(case.run()[0], np.where(np.isnan(x), x, np.float32(bound)))
    assert [op.name for op in tc.convert(case.model).main.ops] == ["tosa.clamp"]


@pytest.mark.parametrize("declared", [DType.BOOL, DType.I8, DType.I32, DType.FP32, DType.UI8, DType.FP64])
def test_a_result_of_another_type_is_refused_or_cast(declared: DType) -> None:
    """The conversion of a damaged program ends with a reason, or has the declared type."""
    refused = 0
    for case in CASES:
        model = case.model
        (result, *_) = model.main.ops[-1].results
        if result.type.dtype is declared:
            continue
        result.type = result.type._replace(dtype=declared)
        try:
            converted = tc.convert(model)
        except UnsupportedError:
            refused += 1
        else:
            assert converted.main.outputs[0].type.dtype is SIGNLESS.get(declared, declared)
    assert refused > len(CASES) // 4


@pytest.mark.parametrize("dtype", [DType.FP32, DType.I32])
@pytest.mark.parametrize("kernel", ["max.dim_max", "min.dim_min"])
@pytest.mark.parametrize(("shape", "dim"), [((), 0), ((), -1), ((5,), 0), ((2, 5), -1), ((2, 5), 0)])
def test_extremes_along_a_dimension_equal_numpy(kernel: str, shape: tuple[int, ...], dim: int, dtype: DType) -> None:
    """A single number is covered; the first of equal extremes counts."""
    x = np.random.default_rng(3).integers(-3, 4, shape).astype(dtype.numpy)
    rows = np.atleast_1d(x)
    extreme, place = (rows.max(dim), rows.argmax(dim)) if "max" in kernel else (rows.min(dim), rows.argmin(dim))
    results = (dtype, np.asarray(extreme).reshape(x.shape if not shape else extreme.shape))
    places = (DType.I64, np.asarray(place).reshape(results[1].shape))
    case = AtenCase(kernel, ((dtype, x),), {"dim": dim, "keepdim": False}, (results, places))
    for (_, expected), output in zip(case.outputs, case.run(), strict=True):
        np.testing.assert_array_equal(output, expected)


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [
        ((6,), (1,), None),
        ((2, 3), (3, 1), 0),
        ((3, 2), (1, 3), 0),
        ((2, 2), (1, 1), 2),
        ((2,), (5,), 0),
        ((1,), (9,), 5),
    ],
)
def test_elements_at_strides_equal_numpy(size: tuple[int, ...], stride: tuple[int, ...], offset: int | None) -> None:
    """Offsets reach from the first to the last of six elements; those beyond are refused."""
    x = np.arange(6, dtype=np.float32)
    steps = tuple(4 * step for step in stride)
    y = np.lib.stride_tricks.as_strided(x[offset or 0 :], size, steps)
    fields = {"size": size, "stride": stride, "storage_offset": offset}
    (output,) = AtenCase("as_strided_copy.out", ((DType.FP32, x),), fields, ((DType.FP32, y.copy()),)).run()
    np.testing.assert_array_equal(output, y)
    last = (offset or 0) + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    for moved in (6 - last + (offset or 0), -1):
        case = AtenCase(
            "as_strided_copy.out", ((DType.FP32, x),), {**fields, "storage_offset": moved}, ((DType.FP32, y),)
        )
        with pytest.raises(UnsupportedError, match="expected elements 0 to 5"):
            case.run()


@pytest.mark.parametrize("correction", [None, 0, 1, 2, 2.5])
@pytest.mark.parametrize("dims", [(0,), (1,), (0, 1)])
def test_a_variance_without_a_correction_has_1(correction: float | None, dims: tuple[int, ...]) -> None:
    x = np.arange(20, dtype=np.float32).reshape(4, 5) ** 2
    expected = np.var(x, axis=dims, ddof=1 if correction is None else correction).astype(np.float32)
    fields = {"dim": dims, "keepdim": False, "correction": correction}
    case = AtenCase("var.correction_out", ((DType.FP32, x),), fields, ((DType.FP32, expected),))
    np.testing.assert_allclose(case.run()[0], expected, rtol=1e-6)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("size", range(7))
@pytest.mark.parametrize("step", range(5))
def test_every_window_that_fits_is_unfolded(size: int, step: int, axis: int) -> None:
    """Of 4 or 5 elements along the axis."""
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    fits = 1 <= size <= x.shape[axis] and step >= 1
    begins = range(0, x.shape[axis] - size + 1, step) if fits else range(1)
    windows = [np.moveaxis(x.take(range(begin, begin + size if fits else begin), axis), axis, -1) for begin in begins]
    expected = np.moveaxis(np.stack(windows), 0, axis % 2)
    fields = {"dim": axis, "size": size, "step": step}
    if not fits:
        expected = x
    case = AtenCase("unfold_copy.out", ((DType.FP32, x),), fields, ((DType.FP32, expected),))
    if fits:
        np.testing.assert_array_equal(case.run()[0], expected)
    else:
        words = f"expected windows of 1 to {x.shape[axis]} by steps of at least 1, found {size} by {step}"
        with pytest.raises(UnsupportedError, match=words):
            case.run()
