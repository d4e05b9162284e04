"""8-bit convolutions, dense layers, pools and resizing equal LiteRT's reference kernels in every element."""

import numpy as np
import pytest
from support.legalizing import executed
from support.quantized_models import (
    ACTIVATIONS,
    BASE,
    TYPES,
    Draw,
    assert_exact,
    constant,
    converted,
    model,
    operators,
    origin,
    quantized,
)
from support.tflite_models import run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.legalize.quant import single_rounding
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator as Op
from tosa_converter.schemas.tflite import Padding


def outputs(padding: Padding, size: int, kernel: int, stride: int, dilation: int = 1) -> int:
    """Returns the number of windows that fit."""
    return -(-size // stride) if padding == Padding.SAME else (size - (kernel - 1) * dilation - 1) // stride + 1


def weight_scales(draw: Draw, fan: int, input_scale: float, output_scale: float, channels: int | None) -> Array:
    """Returns scales that spread the results over the range and beyond."""
    typical = draw.rng.uniform(0.3, 3) * 64 / (np.sqrt(fan) * 75 * 75) * output_scale / input_scale
    return np.float32(typical) * (draw.scale(0.01, 3, channels) if channels else np.ones(1, np.float32))


def convolution(seed: int, dtype: str, *, depthwise: bool) -> tuple[bytes, list[Array]]:
    """Draws a convolution with groups, strides, dilation, padding, activation and scales."""
    draw = Draw(seed)
    size, kernel, stride = draw.ints(5, 11, 2), draw.ints(1, 3, 2), draw.ints(1, 3, 2)
    dilation = [1, 1] if dtype == "uint8" else draw.ints(1, 2, 2)
    padding = draw.among(Padding.SAME, Padding.VALID)
    multiplier = draw.among(1, 2, 3)
    groups = draw.among(1, 1, 2, 4) if dtype == "int8" and not depthwise else 1
    depth = draw.among(1, 2, 5)
    channels = groups * depth
    out = channels * multiplier if depthwise else groups * draw.among(1, 2, 3)
    shape = (1, *kernel, out) if depthwise else (out, *kernel, depth)
    input_scale, output_scale = float(draw.scale(0.001, 0.1)), float(draw.scale(0.02, 0.2))
    fan = kernel[0] * kernel[1] * (1 if depthwise else depth)
    scales = weight_scales(
        draw, fan, input_scale, output_scale, out if dtype == "int8" and draw.among(True, False) else None
    )
    zero_point = 0 if dtype == "int8" else draw.zero_point(dtype)
    result = [outputs(padding, *window) for window in zip(size, kernel, stride, dilation, strict=True)]
    options = {"depth_multiplier": multiplier} if depthwise else {}
    return model(
        Op.DEPTHWISE_CONV_2D if depthwise else Op.CONV_2D,
        [
            quantized(draw.stored((2, *size, channels), dtype), input_scale, draw.zero_point(dtype), dtype),
            quantized(draw.stored(shape, dtype), scales, zero_point, dtype, constant=True, axis=3 if depthwise else 0),
            quantized(
                draw.rng.integers(-5000, 5000, out).astype(np.int32), input_scale * scales, 0, "int32", constant=True
            ),
        ],
        quantized((2, *result, out), output_scale, draw.zero_point(dtype), dtype),
        version=3,
        padding=padding,
        stride_h=stride[0],
        stride_w=stride[1],
        dilation_h_factor=dilation[0],
        dilation_w_factor=dilation[1],
        fused_activation_function=draw.among(*ACTIVATIONS),
        **options,
    )


@pytest.mark.parametrize("target", [None, BASE], ids=["double", "base"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("depthwise", [False, True], ids=["conv", "depthwise"])
@pytest.mark.parametrize("seed", range(30))
def test_convolutions_equal_litert(seed: int, depthwise: bool, dtype: str, target: Target | None) -> None:
    """Weights have scales per tensor and per channel; EXT-DOUBLEROUND is on and off."""
    data, arrays = convolution(seed, dtype, depthwise=depthwise)
    assert_exact(data, arrays, target=target, by_reference_model=seed < 3)


def test_a_dead_channel_with_a_huge_bias_equals_litert() -> None:
    """A channel of tiny weights has a bias at i32's limit, where CONV2D and RESCALE would leave their ranges."""
    draw = Draw(0)
    scales = np.array([1e-2, 1e-11, 2e-8], np.float32)
    bias = np.array([100, 2**31 - 1, 2**30 + 12345], np.int32)
    data, arrays = model(
        Op.CONV_2D,
        [
            quantized(draw.stored((1, 4, 4, 3)), 0.05, 7),
            quantized(draw.stored((3, 1, 1, 3)), scales, 0, constant=True),
            quantized(bias, 0.05 * scales, 0, "int32", constant=True),
        ],
        quantized((1, 4, 4, 3), 0.05, -128),
        padding=Padding.SAME,
        stride_h=1,
        stride_w=1,
        version=3,
    )
    for target in (None, BASE):
        assert_exact(data, arrays, target=target, by_reference_model=True)


def transposed(seed: int) -> tuple[bytes, list[Array]]:
    """Draws a TRANSPOSE_CONV."""
    draw = Draw(seed)
    dtype = draw.among(*TYPES)
    size, kernel, stride = draw.ints(2, 6, 2), draw.ints(1, 4, 2), draw.ints(1, 3, 2)
    channels, out = draw.ints(1, 5, 2)
    padding = draw.among(Padding.SAME, Padding.VALID)
    same = padding == Padding.SAME
    output_size = [n * s if same else (n - 1) * s + k for n, s, k in zip(size, stride, kernel, strict=True)]
    scales = draw.scale(0.001, 0.01, out if dtype == "int8" else 1)
    zero_point = draw.zero_point(dtype) if dtype == "uint8" else 0
    bias = quantized(draw.rng.integers(-999, 999, out).astype(np.int32), 0.02 * scales, 0, "int32", constant=True)
    return model(
        Op.TRANSPOSE_CONV,
        [
            constant([1, *output_size, out]),
            quantized(draw.stored((out, *kernel, channels), dtype), scales, zero_point, dtype, constant=True),
            quantized(draw.stored((1, *size, channels), dtype), 0.02, draw.zero_point(dtype), dtype),
            *([bias] if seed % 2 else []),
        ],
        quantized((1, *output_size, out), 0.05, draw.zero_point(dtype), dtype),
        version=3,
        padding=padding,
        stride_h=stride[0],
        stride_w=stride[1],
    )


@pytest.mark.parametrize("seed", range(30))
def test_transposed_convolutions_equal_litert(seed: int) -> None:
    """Cases have a bias or none, and both paddings."""
    assert_exact(*transposed(seed), target=(None, BASE)[seed % 2], by_reference_model=seed < 3)


def dense(seed: int, dtype: str) -> tuple[bytes, list[Array]]:
    """Draws a FULLY_CONNECTED; every fifth has power-of-two scales, so that results tie."""
    draw = Draw(seed)
    outer = tuple(draw.ints(1, 4, draw.among(1, 2)))
    depth, out = draw.ints(1, 200, 1)[0], draw.ints(1, 30, 1)[0]
    input_scale, output_scale = float(draw.scale(0.001, 0.1)), float(draw.scale(0.02, 0.2))
    scales = weight_scales(
        draw, depth, input_scale, output_scale, out if dtype == "int8" and draw.among(True, False) else None
    )
    if seed % 5 == 0:
        input_scale, output_scale, scales = 2.0**-5, 2.0**-4, np.exp2(np.rint(np.log2(scales)))
    keep = draw.among(True, False)
    zero_point = draw.zero_point(dtype) if dtype == "uint8" else draw.among(0, 3) * (len(scales) == 1)
    bias = quantized(
        draw.rng.integers(-5000, 5000, out).astype(np.int32), input_scale * scales, 0, "int32", constant=True
    )
    return model(
        Op.FULLY_CONNECTED,
        [
            quantized(draw.stored((*outer, depth), dtype), input_scale, draw.zero_point(dtype), dtype),
            quantized(draw.stored((out, depth), dtype), scales, zero_point, dtype, constant=True),
            bias if draw.among(True, False) else None,
        ],
        quantized((*outer, out) if keep else (int(np.prod(outer)), out), output_scale, draw.zero_point(dtype), dtype),
        version=7,
        keep_num_dims=keep,
        fused_activation_function=draw.among(*ACTIVATIONS),
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(60))
def test_dense_layers_equal_litert(seed: int, dtype: str) -> None:
    """One RESCALE with a single rounding equals the kernel's double."""
    ours = assert_exact(*dense(seed, dtype), target=BASE, by_reference_model=seed < 3)
    assert operators(ours).count("rescale") == 1


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(20))
def test_dense_layers_without_a_multiplier_equal_litert(seed: int, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No 31-bit multiplier rounds correctly here, so thresholds are looked up."""
    monkeypatch.setattr(single_rounding, "single_multipliers", lambda *_: None)
    ours = assert_exact(*dense(seed, dtype), target=BASE, by_reference_model=seed < 2)
    assert "gather" in operators(ours)


def pool(seed: int, dtype: str, builtin: Op) -> tuple[bytes, list[Array]]:
    """Draws a pool; half of the images are nearly flat, so that averages come close to ties."""
    draw = Draw(seed)
    size, stride = draw.ints(3, 13, 2), draw.ints(1, 3, 2)
    kernel = [draw.ints(1, n, 1)[0] for n in size]
    padding = draw.among(Padding.SAME, Padding.VALID)
    image = draw.stored((2, *size, 5), dtype)
    if seed % 2:
        flat = draw.rng.integers(-2, 3, image.shape) + draw.rng.integers(-126, 126, (2, 1, 1, 5)) + origin(dtype)
        image = flat.astype(dtype)
    output_size = [outputs(padding, *window) for window in zip(size, kernel, stride, strict=True)]
    scale, zero_point = draw.scale(0.01, 0.1), draw.zero_point(dtype)
    return model(
        builtin,
        [quantized(image, scale, zero_point, dtype)],
        quantized((2, *output_size, 5), scale, zero_point, dtype),
        version=2,
        padding=padding,
        stride_h=stride[0],
        stride_w=stride[1],
        filter_height=kernel[0],
        filter_width=kernel[1],
        fused_activation_function=draw.among(*ACTIVATIONS),
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("builtin", [Op.AVERAGE_POOL_2D, Op.MAX_POOL_2D], ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(40))
def test_pools_equal_litert(seed: int, builtin: Op, dtype: str) -> None:
    """Pools have fused activations; ties of int8 averages go away from zero, those of uint8 up."""
    ours = assert_exact(*pool(seed, dtype, builtin), target=BASE, by_reference_model=seed < 3)
    assert set(operators(ours)) <= {"avg_pool2d", "max_pool2d", "slice", "clamp", "bitwise_xor", "identity"}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 8, 9, 12, 16, 25, 36, 49, 64, 100, 144, 196, 256, 1000, 4096])
def test_the_average_of_every_sum_equals_litert(count: int) -> None:
    """AVG_POOL2D's reciprocal gives the kernel's quotient for every sum of `count` int8 elements."""
    k = (count - 1).bit_length()
    multiplier, shift = (((1 << 30) + 1) << k) // count, 30 + k
    total = np.arange(-128 * count, 127 * count + 1)
    kernel = np.sign(total) * ((np.abs(total) + count // 2) // count)
    np.testing.assert_array_equal((total * multiplier + (1 << (shift - 1))) >> shift, kernel)


def bilinear(
    size: tuple[int, int], output_size: tuple[int, int], align: bool, centers: bool
) -> tuple[bytes, list[Array]]:
    """Draws a RESIZE_BILINEAR."""
    draw = Draw(sum(size) + sum(output_size))
    return model(
        Op.RESIZE_BILINEAR,
        [quantized(draw.stored((1, *size, 2)), 0.1, 3), constant(output_size)],
        quantized((1, *output_size, 2), 0.1, 3),
        version=3,
        align_corners=align,
        half_pixel_centers=centers,
    )


@pytest.mark.parametrize(("align", "centers"), [(False, False), (True, False), (False, True)])
def test_bilinear_resizing_equals_litert(align: bool, centers: bool) -> None:
    """RESIZE uses the kernel's grid; GATHERs shrink an image to less than a sixteenth."""
    sizes = [((5, 7), (10, 14)), ((13, 13), (31, 31)), ((9, 4), (3, 12)), ((6, 6), (1, 1)), ((2, 30), (4, 45))]
    for i, (size, output_size) in enumerate(sizes):
        ours = assert_exact(*bilinear(size, output_size, align, centers), target=BASE, by_reference_model=i < 2)
        assert operators(ours) == ["resize", "rescale"]
    ours = assert_exact(*bilinear((51, 45), (2, 3), align, centers), target=BASE, by_reference_model=True)
    assert operators(ours).count("gather") == 4


@pytest.mark.parametrize(("size", "output_size"), [((5, 7), (13, 14)), ((9, 4), (3, 12)), ((51, 45), (2, 3))])
def test_unsigned_bilinear_resizing_is_computed_in_floats(size: tuple[int, int], output_size: tuple[int, int]) -> None:
    """The kernel weighs uint8 in float32; compact numerics weigh integers and are within a step."""
    rng = np.random.default_rng(output_size)
    image = rng.choice(np.array([0, 1, 2, 127, 128, 254, 255, 77], np.uint8), (1, *size, 2))
    operands = [quantized(image, 0.1, 3, "uint8"), constant(output_size)]
    data, arrays = model(Op.RESIZE_BILINEAR, operands, quantized((1, *output_size, 2), 0.1, 3, "uint8"), version=3)
    ours = assert_exact(data, arrays, by_reference_model=True)
    assert operators(ours).count("gather") == 4
    compact = tc.convert(data, target="pro-int", numerics="compact")
    assert "may differ by 1 step" in " ".join(note.text for note in compact.report.notes)
    (got,), (want,) = executed(compact, arrays), run_litert(data, arrays)
    assert np.abs(got.view(np.uint8).astype(int) - want).max() <= 1
    with pytest.raises(UnsupportedError, match="expected a target with PRO-FP"):
        tc.convert(data, target="pro-int")


def test_compact_rounds_once() -> None:
    """Without EXT-DOUBLEROUND, compact numerics use one RESCALE, with a note, and are within a step."""
    data, arrays = convolution(1, "int8", depthwise=False)
    ours = converted(data, target=BASE, numerics="compact")
    assert operators(ours).count("rescale") == 1
    (got,), (want,) = executed(ours, arrays), run_litert(data, arrays)
    assert np.abs(got.astype(int) - want).max() <= 1
