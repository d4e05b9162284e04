"""Nodes that XNNPACK or TOSA doesn't take are refused with a reason; the nearest valid node converts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Graph, Model, Op, Quant, TensorType, Value

FP32, I8 = DType.FP32, DType.I8
SUM_LIMIT = (1 << 31) // 255  # elements of 8 bits in a sum


def quantized(*shape: int, scale: float = 0.5, zero_point: int = 0) -> TensorType:
    return TensorType(I8, shape, Quant((float(np.float32(scale)),), (zero_point,)))


def floats(*shape: int) -> TensorType:
    return TensorType(FP32, shape)


def node(name: str, operands: Sequence[TensorType], result: TensorType, **fields: Any) -> Model:
    """Returns a graph of one node."""
    inputs = [Value(type, f"v{i}") for i, type in enumerate(operands)]
    op = Op(f"xnn.{name}", inputs, [result], {"flags": 0, **fields}, result_names=["y"])
    return Model({"main": Graph("main", inputs, op.results, [op])}, opset="xnn")


def reshape(*shape: int) -> Model:
    return node("static_reshape", [floats(2, 3)], floats(6), new_shape=shape)


def slices(offset: int, size: int) -> Model:
    return node("static_slice", [floats(2, 3)], floats(2, 2), offsets=(0, offset), sizes=(2, size))


def padded(*before: int) -> Model:
    fields = {"pre_paddings": before, "post_paddings": (0,) * len(before), "padding_value": 0.0}
    return node("static_constant_pad", [floats(2, 3)], floats(3, 3), **fields)


def joined(axis: int, *second: int) -> Model:
    return node("concatenate_2", [floats(2, 3), floats(*second)], floats(4, 3), axis=axis % (1 << 32))


def transpose(*perm: int) -> Model:
    return node("static_transpose", [floats(2, 3)], floats(3, 2), perm=perm)


def resize(dtype: DType, height: int) -> Model:
    x, y = (quantized(1, 4, 4, 2), quantized(1, 8, 8, 2)) if dtype is I8 else (floats(1, 4, 4, 2), floats(1, 8, 8, 2))
    return node("static_resize_bilinear_2d", [x], y, new_height=height, new_width=8)


def add(scale: float) -> Model:
    return node("add", [quantized(2, scale=scale), quantized(2)], quantized(2, scale=1.0))


def convert(scale: float) -> Model:
    return node("convert", [quantized(2, scale=scale)], quantized(2, scale=1.0))


def multiply(scale: float) -> Model:
    return node("multiply", [quantized(2, scale=scale), quantized(2, scale=1.0)], quantized(2, scale=1.0))


def layer(scale: float) -> Model:
    """Returns a layer of two channels, the second of which has this scale."""
    weights = TensorType(I8, (2, 4), Quant((0.5, float(np.float32(scale))), (0, 0), axis=0))
    bounds = {"output_min": -np.inf, "output_max": np.inf}
    operands = [quantized(3, 4, scale=1.0), weights]
    return node("fully_connected", operands, quantized(3, 2, scale=1.0), **bounds)


def mean(width: int, rank: int = 4) -> Model:
    return node("global_avg_pooling_2d", [quantized(*(1, 1, width, 1)[:rank])], quantized(1, 1))


@pytest.mark.parametrize("size", [(2, 3), (4, 5), (1, 9), (9, 2), (2, 2), (1, 1)], ids=str)
def test_windows_of_maximum_positions_are_inside_of_the_image(size: tuple[int, int]) -> None:
    """Windows of 2 by 3 that don't overlap: too few rows or columns alone make it none."""
    rows, columns = size[0] // 2, size[1] // 3
    results = [TensorType(type, (1, max(rows, 1), max(columns, 1), 1)) for type in (FP32, DType.I32)]
    image, window = Value(floats(1, *size, 1), "x"), {"pooling_height": 2, "pooling_width": 3}
    pads = dict.fromkeys(("padding_top", "padding_bottom", "padding_left", "padding_right"), 0)
    op = Op("xnn.arg_max_pooling_2d", [image], results, {"flags": 0, **pads, **window}, result_names=["y", "i"])
    model = Model({"main": Graph("main", [image], op.results, [op])}, opset="xnn")
    if min(rows, columns) < 1:
        with pytest.raises(UnsupportedError, match=r"expected a window inside fp32.*, found \[2, 3\]"):
            tc.convert(model)
    else:
        (_, place) = tc.run(
            tc.convert(model), {"x": np.arange(size[0] * size[1], dtype=np.float32).reshape(1, *size, 1)}
        ).values()
        assert place.tolist() == [[[[5]] * columns] * rows]  # the last element of each window is the largest


@pytest.mark.parametrize("dilation", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (3, 2)], ids=str)
@pytest.mark.parametrize(
    "pads",
    [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 1, 1), (0, 0, 1, 2), (2, 1, 0, 0)],
)
@pytest.mark.parametrize("size", [(2, 4), (4, 2), (1, 9), (9, 1), (5, 5)], ids=str)
def test_every_dilated_window_has_a_pixel(
    size: tuple[int, int], pads: tuple[int, int, int, int], dilation: tuple[int, int]
) -> None:
    """Windows of 2 by 2 by hand; those of XNNPACK whose pixels all lie in the padding read others."""
    top, bottom, left, right = pads
    reach = [step + 1 for step in dilation]
    rows, columns = size[0] + top + bottom - reach[0] + 1, size[1] + left + right - reach[1] + 1
    fields = {
        "padding_top": top, "padding_bottom": bottom, "padding_left": left, "padding_right": right,
        "pooling_height": 2, "pooling_width": 2, "stride_height": 1, "stride_width": 1,
        "dilation_height": dilation[0], "dilation_width": dilation[1], "output_min": -np.inf, "output_max": np.inf,
    }  # fmt: skip
    model = node("max_pooling_2d", [floats(1, *size, 1)], floats(1, max(rows, 1), max(columns, 1), 1), **fields)
    if min(rows, columns) < 1 or any(
        pad >= span for pad, span in zip(pads, (reach[0],) * 2 + (reach[1],) * 2, strict=True)
    ):
        with pytest.raises(UnsupportedError):
            tc.convert(model)
        return
    x = np.arange(1, 1 + size[0] * size[1], dtype=np.float32).reshape(size)
    padded = np.pad(x, ((top, bottom), (left, right)), constant_values=-np.inf)
    y = np.stack([padded[i * dilation[0] :][:rows, j * dilation[1] :][:, :columns] for i in (0, 1) for j in (0, 1)])
    if np.isinf(y.max(0)).any():
        with pytest.raises(
            UnsupportedError, match="expected pixels in every window, found one that lies in the padding"
        ):
            tc.convert(model)
    else:
        (result,) = tc.run(tc.convert(model), {"v0": x.reshape(1, *size, 1)}).values()
        np.testing.assert_array_equal(result.reshape(rows, columns), y.max(0))


# A node that converts, one that doesn't, and the reason.
PAIRS = [
    (transpose(1, 0), transpose(1, 1), r"expected a permutation of 2 dimensions, found \[1, 1\]"),
    (reshape(0, 2), reshape(0, 4), r"expected a shape of 6 elements, found \[0, 4\]"),
    (reshape(6), reshape(0, 0, 6), r"expected a shape of 6 elements, found \[0, 0, 6\]"),
    (slices(1, 2), slices(1, 3), r"expected a slice inside fp32\[2x3\], found sizes \[2, 3\] from \[0, 1\] on"),
    (slices(0, 0), slices(1, 0), r"expected a slice inside fp32\[2x3\], found sizes \[2, 0\] from \[0, 1\] on"),
    (padded(1, 0), padded(1), r"paddings: expected \[2, 2\], found \[1, 1\]"),
    (joined(0, 2, 3), joined(0, 2, 4), r"differ along axis 0 only, found fp32\[2x3\] and fp32\[2x4\]"),
    (joined(-2, 2, 3), joined(-3, 2, 3), "expected an axis in .*found -3"),
    (joined(1, 2, 4), joined(2, 2, 4), "expected an axis in .*found 2"),
    (joined(0, 2, 3), joined(0, 2, 3, 1), r"differ along axis 0 only, found fp32\[2x3\] and fp32\[2x3x1\]"),
    (resize(FP32, 8), resize(FP32, 0), "expected an image of at least 1 by 1, found 0 by 8"),
    (resize(I8, 8), resize(I8, 0), "expected an image of at least 1 by 1, found 0 by 8"),
    (
        add(2.0**-10),
        add(2.0**-10 * (1 - 2.0**-20)),
        r"expected input/output scale ratios in \[2\^-10, 2\^8\), found 0.00097656 and 0.5",
    ),
    (add(255.9), add(256.0), r"expected input/output scale ratios in \[2\^-10, 2\^8\), found 256 and 0.5"),
    (convert(2.0**7), convert(2.0**7 * (1 + 2.0**-20)), r"expected an input/output scale ratio in \[2\^-8, 2\^7\]"),
    (convert(2.0**-8), convert(2.0**-8 * (1 - 2.0**-20)), r"expected an input/output scale ratio in \[2\^-8, 2\^7\]"),
    (multiply(255.9), multiply(256.0), "expected scales of sums below 256, found 256.0"),
    (layer(255.9), layer(256.0), "expected scales of sums below 256, found 256.0"),
    (mean(SUM_LIMIT), mean(SUM_LIMIT + 1), f"found sums of {SUM_LIMIT + 1} elements"),
    (mean(4), mean(4, rank=3), r"expected a tensor of rank 4, found i8\[1x1x4\]"),
    (
        node("convert", [floats(2)], TensorType(DType.FP16, (2,))),
        node("convert", [floats(2)], TensorType(DType.I32, (2,))),
        r"expected a result of floats, found i32\[2\]",
    ),
]


@pytest.mark.parametrize(
    ("model", "refused", "reason"), PAIRS, ids=[f"{i}-{model.main.ops[0].name}" for i, (model, *_) in enumerate(PAIRS)]
)
def test_a_node_just_beyond_a_limit_is_refused(model: Model, refused: Model, reason: str) -> None:
    tc.convert(model)
    with pytest.raises(UnsupportedError, match=reason):
        tc.convert(refused)


def test_a_fill_of_uint8_is_quantized_with_its_own_zero_point() -> None:
    """6 is 61.500008 steps; with 109 float32 rounds the sum to the tie 170.5."""
    type = TensorType(DType.UI8, (1,), Quant((float(np.float32(0.097560965)),), (109,)))
    fields = {"pre_paddings": (0,), "post_paddings": (1,), "padding_value": 6.0}
    model = node("static_constant_pad", [type], type._replace(shape=(2,)), **fields)
    y = tc.run(tc.convert(model), {"v0": np.zeros(1, np.int8)})["y"]
    assert y.view(np.uint8).tolist() == [0, 170]
