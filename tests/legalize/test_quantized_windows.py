"""8-bit convolutions, dense layers, pools and resizing: every element as LiteRT's reference kernels have it."""

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
    """The size that a window leaves."""
    return -(-size // stride) if padding == Padding.SAME else (size - (kernel - 1) * dilation - 1) // stride + 1


def weight_scales(draw: Draw, fan: int, given: float, made: float, channels: int | None) -> Array:
    """Scales that spread the results over the range and beyond."""
    typical = draw.rng.uniform(0.3, 3) * 64 / (np.sqrt(fan) * 75 * 75) * made / given
    return np.float32(typical) * (draw.scale(0.01, 3, channels) if channels else np.ones(1, np.float32))


def convolution(seed: int, dtype: str, *, depthwise: bool) -> tuple[bytes, list[Array]]:
    """A convolution: groups, strides, dilation, padding, activation and scales are drawn."""
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
    given, made = float(draw.scale(0.001, 0.1)), float(draw.scale(0.02, 0.2))
    fan = kernel[0] * kernel[1] * (1 if depthwise else depth)
    scales = weight_scales(draw, fan, given, made, out if dtype == "int8" and draw.among(True, False) else None)
    zero_point = 0 if dtype == "int8" else draw.zero_point(dtype)
    result = [outputs(padding, *each) for each in zip(size, kernel, stride, dilation, strict=True)]
    options = {"depth_multiplier": multiplier} if depthwise else {}
    return model(
        Op.DEPTHWISE_CONV_2D if depthwise else Op.CONV_2D,
        [
            quantized(draw.stored((2, *size, channels), dtype), given, draw.zero_point(dtype), dtype),
            quantized(draw.stored(shape, dtype), scales, zero_point, dtype, constant=True, axis=3 if depthwise else 0),
            quantized(draw.rng.integers(-5000, 5000, out).astype(np.int32), given * scales, 0, "int32", constant=True),
        ],
        quantized((2, *result, out), made, draw.zero_point(dtype), dtype),
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
def test_convolutions(seed: int, depthwise: bool, dtype: str, target: Target | None) -> None:
    """Rounding twice with and without EXT-DOUBLEROUND, weights per tensor and per channel."""
    data, arrays = convolution(seed, dtype, depthwise=depthwise)
    assert_exact(data, arrays, target=target, by_reference_model=seed < 3)


def test_dead_channel_with_a_huge_bias() -> None:
    """A channel of tiny weights with a bias at i32's limit: CONV2D and RESCALE would leave their ranges."""
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
    """A TRANSPOSE_CONV."""
    draw = Draw(seed)
    dtype = draw.among(*TYPES)
    size, kernel, stride = draw.ints(2, 6, 2), draw.ints(1, 4, 2), draw.ints(1, 3, 2)
    channels, out = draw.ints(1, 5, 2)
    padding = draw.among(Padding.SAME, Padding.VALID)
    same = padding == Padding.SAME
    made = [n * s if same else (n - 1) * s + k for n, s, k in zip(size, stride, kernel, strict=True)]
    scales = draw.scale(0.001, 0.01, out if dtype == "int8" else 1)
    zero_point = draw.zero_point(dtype) if dtype == "uint8" else 0
    bias = quantized(draw.rng.integers(-999, 999, out).astype(np.int32), 0.02 * scales, 0, "int32", constant=True)
    return model(
        Op.TRANSPOSE_CONV,
        [
            constant([1, *made, out]),
            quantized(draw.stored((out, *kernel, channels), dtype), scales, zero_point, dtype, constant=True),
            quantized(draw.stored((1, *size, channels), dtype), 0.02, draw.zero_point(dtype), dtype),
            *([bias] if seed % 2 else []),
        ],
        quantized((1, *made, out), 0.05, draw.zero_point(dtype), dtype),
        version=3,
        padding=padding,
        stride_h=stride[0],
        stride_w=stride[1],
    )


@pytest.mark.parametrize("seed", range(30))
def test_transposed_convolutions(seed: int) -> None:
    """With and without a bias, both paddings."""
    assert_exact(*transposed(seed), target=(None, BASE)[seed % 2], by_reference_model=seed < 3)


def dense(seed: int, dtype: str) -> tuple[bytes, list[Array]]:
    """A FULLY_CONNECTED; every fifth has scales that are powers of two, so that results tie."""
    draw = Draw(seed)
    outer = tuple(draw.ints(1, 4, draw.among(1, 2)))
    depth, out = draw.ints(1, 200, 1)[0], draw.ints(1, 30, 1)[0]
    given, made = float(draw.scale(0.001, 0.1)), float(draw.scale(0.02, 0.2))
    scales = weight_scales(draw, depth, given, made, out if dtype == "int8" and draw.among(True, False) else None)
    if seed % 5 == 0:
        given, made, scales = 2.0**-5, 2.0**-4, np.exp2(np.rint(np.log2(scales)))
    keep = draw.among(True, False)
    zero_point = draw.zero_point(dtype) if dtype == "uint8" else draw.among(0, 3) * (len(scales) == 1)
    bias = quantized(draw.rng.integers(-5000, 5000, out).astype(np.int32), given * scales, 0, "int32", constant=True)
    return model(
        Op.FULLY_CONNECTED,
        [
            quantized(draw.stored((*outer, depth), dtype), given, draw.zero_point(dtype), dtype),
            quantized(draw.stored((out, depth), dtype), scales, zero_point, dtype, constant=True),
            bias if draw.among(True, False) else None,
        ],
        quantized((*outer, out) if keep else (int(np.prod(outer)), out), made, draw.zero_point(dtype), dtype),
        version=7,
        keep_num_dims=keep,
        fused_activation_function=draw.among(*ACTIVATIONS),
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(60))
def test_dense(seed: int, dtype: str) -> None:
    """One RESCALE with a single rounding does what the kernel's double does."""
    ours = assert_exact(*dense(seed, dtype), target=BASE, by_reference_model=seed < 3)
    assert operators(ours).count("rescale") == 1


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(20))
def test_dense_without_a_multiplier(seed: int, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no 31-bit multiplier rounds right, which random models hardly ever hit, thresholds are looked up."""
    monkeypatch.setattr(single_rounding, "single_multipliers", lambda *_: None)
    ours = assert_exact(*dense(seed, dtype), target=BASE, by_reference_model=seed < 2)
    assert "gather" in operators(ours)


def pool(seed: int, dtype: str, builtin: Op) -> tuple[bytes, list[Array]]:
    """A pool; half of the images are nearly flat, so that averages come close to ties."""
    draw = Draw(seed)
    size, stride = draw.ints(3, 13, 2), draw.ints(1, 3, 2)
    kernel = [draw.ints(1, n, 1)[0] for n in size]
    padding = draw.among(Padding.SAME, Padding.VALID)
    image = draw.stored((2, *size, 5), dtype)
    if seed % 2:
        flat = draw.rng.integers(-2, 3, image.shape) + draw.rng.integers(-126, 126, (2, 1, 1, 5)) + origin(dtype)
        image = flat.astype(dtype)
    made = [outputs(padding, *each) for each in zip(size, kernel, stride, strict=True)]
    scale, zero_point = draw.scale(0.01, 0.1), draw.zero_point(dtype)
    return model(
        builtin,
        [quantized(image, scale, zero_point, dtype)],
        quantized((2, *made, 5), scale, zero_point, dtype),
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
def test_pools(seed: int, builtin: Op, dtype: str) -> None:
    """The canonical operators with the fused activation; ties of int8 averages go away from zero, of uint8 up."""
    ours = assert_exact(*pool(seed, dtype, builtin), target=BASE, by_reference_model=seed < 3)
    assert set(operators(ours)) <= {"avg_pool2d", "max_pool2d", "slice", "clamp", "bitwise_xor", "identity"}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 8, 9, 12, 16, 25, 36, 49, 64, 100, 144, 196, 256, 1000, 4096])
def test_average_of_every_sum(count: int) -> None:
    """What AVG_POOL2D's reciprocal makes of each sum of `count` int8 elements is the kernel's quotient."""
    k = (count - 1).bit_length()
    multiplier, shift = (((1 << 30) + 1) << k) // count, 30 + k
    total = np.arange(-128 * count, 127 * count + 1)
    kernel = np.sign(total) * ((np.abs(total) + count // 2) // count)
    np.testing.assert_array_equal((total * multiplier + (1 << (shift - 1))) >> shift, kernel)


def bilinear(size: tuple[int, int], made: tuple[int, int], align: bool, centers: bool) -> tuple[bytes, list[Array]]:
    """A RESIZE_BILINEAR."""
    draw = Draw(sum(size) + sum(made))
    return model(
        Op.RESIZE_BILINEAR,
        [quantized(draw.stored((1, *size, 2)), 0.1, 3), constant(made)],
        quantized((1, *made, 2), 0.1, 3),
        version=3,
        align_corners=align,
        half_pixel_centers=centers,
    )


@pytest.mark.parametrize(("align", "centers"), [(False, False), (True, False), (False, True)])
def test_bilinear(align: bool, centers: bool) -> None:
    """RESIZE on the kernel's grid; GATHERs where an image shrinks to less than a sixteenth."""
    sizes = [((5, 7), (10, 14)), ((13, 13), (31, 31)), ((9, 4), (3, 12)), ((6, 6), (1, 1)), ((2, 30), (4, 45))]
    for i, (size, made) in enumerate(sizes):
        ours = assert_exact(*bilinear(size, made, align, centers), target=BASE, by_reference_model=i < 2)
        assert operators(ours) == ["resize", "rescale"]
    ours = assert_exact(*bilinear((51, 45), (2, 3), align, centers), target=BASE, by_reference_model=True)
    assert operators(ours).count("gather") == 4


@pytest.mark.parametrize(("size", "made"), [((5, 7), (13, 14)), ((9, 4), (3, 12)), ((51, 45), (2, 3))])
def test_unsigned_bilinear_is_of_floats(size: tuple[int, int], made: tuple[int, int]) -> None:
    """The kernel weighs uint8 in float32; compact numerics weigh integers, within a step."""
    rng = np.random.default_rng(made)
    image = rng.choice(np.array([0, 1, 2, 127, 128, 254, 255, 77], np.uint8), (1, *size, 2))
    operands = [quantized(image, 0.1, 3, "uint8"), constant(made)]
    data, arrays = model(Op.RESIZE_BILINEAR, operands, quantized((1, *made, 2), 0.1, 3, "uint8"), version=3)
    ours = assert_exact(data, arrays, by_reference_model=True)
    assert operators(ours).count("gather") == 4
    compact = tc.convert(data, target="pro-int", numerics="compact")
    assert "may differ by 1 step" in " ".join(note.text for note in compact.report.notes)
    (got,), (want,) = executed(compact, arrays), run_litert(data, arrays)
    assert np.abs(got.view(np.uint8).astype(int) - want).max() <= 1
    with pytest.raises(UnsupportedError, match="expected a target with PRO-FP"):
        tc.convert(data, target="pro-int")


def test_compact_rounds_once() -> None:
    """Without EXT-DOUBLEROUND, compact numerics keep one RESCALE, say so, and are off by a step at most."""
    data, arrays = convolution(1, "int8", depthwise=False)
    ours = converted(data, target=BASE, numerics="compact")
    assert operators(ours).count("rescale") == 1
    (got,), (want,) = executed(ours, arrays), run_litert(data, arrays)
    assert np.abs(got.astype(int) - want).max() <= 1
