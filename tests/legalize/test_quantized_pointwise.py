"""8-bit elementwise operators, tables, reductions, softmax, borders and layout equal LiteRT's reference kernels."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.quantized_models import (
    ACTIVATIONS,
    BASE,
    EVERY_UNARY,
    TYPES,
    UNARY,
    Draw,
    assert_exact,
    constant,
    every_pair,
    every_value,
    model,
    operators,
    origin,
    plain,
    quantized,
)
from support.tflite_models import OPTIMIZED, REFERENCE

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.thresholds import smallest_floats
from tosa_converter.schemas.tflite import BuiltinOperator as Op

Case = tuple[bytes, list[Array]]


def exact(case: Callable[..., Case], seed: int, *arguments: Any, kernels: str = REFERENCE) -> list[str]:
    """Asserts equal results; odd seeds run without EXT-DOUBLEROUND, two seeds in the reference model as well."""
    data, arrays = case(Draw(seed), *arguments)
    target = (None, BASE)[seed % 2]
    return operators(assert_exact(data, arrays, target=target, by_reference_model=seed < 2, kernels=kernels))


# ** two operands **


def result_scale(draw: Draw, builtin: Op, a: float, b: float) -> float:
    """Returns a scale that spreads the results over the range and beyond."""
    if builtin in (Op.ADD, Op.SUB):
        return float(max(a, b) * draw.scale(0.5, 4))
    if builtin == Op.MUL:
        return float(a * b * draw.scale(10, 200))
    return float(max(a, b) ** 2 * draw.scale(10, 300))


def binary(draw: Draw, builtin: Op, dtype: str) -> Case:
    """Draws all pairs of stored values, or a broadcast over rows or from a vector."""
    x, y = every_pair(dtype)
    shape = draw.among(0, 1, 2)
    if shape == 1:
        y = y[:, :1]
    elif shape == 2:
        x, y = x.reshape(4, 8, 8, 256)[..., :16], draw.stored([16], dtype)
    a, b = float(draw.scale(0.001, 0.3)), float(draw.scale(0.001, 0.3))
    fused = {} if builtin == Op.SQUARED_DIFFERENCE else {"fused_activation_function": draw.among(*ACTIVATIONS)}
    return model(
        builtin,
        [quantized(x, a, draw.zero_point(dtype), dtype), quantized(y, b, draw.zero_point(dtype), dtype)],
        quantized(x.shape, result_scale(draw, builtin, a, b), draw.zero_point(dtype), dtype),
        version=2,
        **fused,
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("builtin", [Op.ADD, Op.SUB, Op.MUL], ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(12))
def test_arithmetic_equals_litert(seed: int, builtin: Op, dtype: str) -> None:
    """The cases have all pairs, random scales and zero points, and fused activations."""
    exact(binary, seed, builtin, dtype)


@pytest.mark.parametrize("seed", range(12))
def test_squared_difference_equals_litert(seed: int) -> None:
    """The kernel has int8 only."""
    exact(binary, seed, Op.SQUARED_DIFFERENCE, "int8")


def extreme(draw: Draw, builtin: Op, dtype: str) -> Case:
    """Draws one scale for all tensors."""
    x, y = every_pair(dtype)
    scale, zero_point = float(draw.scale(0.001, 0.3)), draw.zero_point(dtype)
    return model(
        builtin,
        [quantized(x, scale, zero_point, dtype), quantized(y, scale, zero_point, dtype)],
        quantized(x.shape, scale, zero_point, dtype),
        version=2,
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("builtin", [Op.MAXIMUM, Op.MINIMUM], ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(2))
def test_extremes_equal_litert(seed: int, builtin: Op, dtype: str) -> None:
    """Stored values are compared."""
    exact(extreme, seed, builtin, dtype)


def quotient(draw: Draw, dtype: str) -> Case:
    """Draws divisors near zero, except zero, and dividends far from it.

    Of quotients below 1/2 the kernel shifts by more than 31 (RoundingDivideByPOT), which is undefined: x86 takes the
    shift modulo 32 and gives anything.
    """
    zero_a, zero_b = draw.zero_point(), draw.zero_point()
    dividends = np.array([v for v in range(-128, 128) if abs(v - zero_a) >= 64])
    divisors = np.array([v for v in range(-128, 128) if 0 < abs(v - zero_b) <= 16])
    x, y = (np.asarray(v + origin(dtype), dtype) for v in np.meshgrid(dividends, divisors))
    a, b = float(draw.scale(0.01, 0.1)), float(draw.scale(0.01, 0.1))
    zeros = zero_a + origin(dtype), zero_b + origin(dtype)
    return model(
        Op.DIV,
        [quantized(x, a, zeros[0], dtype), quantized(y, b, zeros[1], dtype)],
        quantized(x.shape, a / b * float(draw.scale(0.2, 3)), draw.zero_point(dtype), dtype),
        version=2,
        fused_activation_function=draw.among(*ACTIVATIONS),
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_quotients_equal_litert(seed: int, dtype: str) -> None:
    """Results are compared where the kernel is defined."""
    exact(quotient, seed, dtype)


def prelu(draw: Draw, dtype: str) -> Case:
    """Draws a constant slope per channel."""
    x, alpha = draw.stored([2, 5, 6, 256], dtype), every_value(dtype)[0]
    scale = float(draw.scale(0.001, 0.3))
    return model(
        Op.PRELU,
        [
            quantized(x, scale, draw.zero_point(dtype), dtype),
            quantized(alpha, float(draw.scale(0.001, 0.05)), draw.zero_point(dtype), dtype, constant=True),
        ],
        quantized(x.shape, scale * float(draw.scale(0.3, 3)), draw.zero_point(dtype), dtype),
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_prelu_equals_litert(seed: int, dtype: str) -> None:
    """Slopes are below and above zero."""
    exact(prelu, seed, dtype)


# ** one operand: a TABLE of 256 entries **


def unary(draw: Draw, row: tuple[Any, ...], input_type: str, output_type: str) -> Case:
    """Draws scales for all 256 values."""
    builtin, version, scales, results, relative, fixed = row
    options: dict[str, Any] = {}
    if builtin == Op.LEAKY_RELU:
        options["alpha"] = float(draw.rng.uniform(-1, 1.5))
    if builtin == Op.GELU:
        options["approximate"] = draw.among(True, False)
    scale = float(draw.scale(*scales))
    if fixed is None:
        to = (scale if relative else 1) * float(draw.scale(*results)), draw.zero_point(output_type)
    else:
        to = fixed[0], fixed[1] + origin(output_type)
    x = quantized(every_value(input_type), scale, draw.zero_point(input_type), input_type)
    return model(builtin, [x], quantized((1, 256), *to, output_type), version=version, **options)


@EVERY_UNARY
@pytest.mark.parametrize("seed", range(20))
def test_tables_equal_litert(seed: int, row: tuple[Any, ...], dtype: str) -> None:
    """Each operator becomes one TABLE."""
    assert set(exact(unary, seed, row, dtype, dtype)) <= {"table"}


@pytest.mark.parametrize("seed", range(6))
def test_quantize_between_signs_equals_litert(seed: int) -> None:
    """QUANTIZE converts between int8 and uint8."""
    row = next(row for row in UNARY if row[0] == Op.QUANTIZE)
    for pair in (TYPES, TYPES[::-1]):
        assert set(exact(unary, seed, row, *pair)) == {"table"}


def root(draw: Draw, builtin: Op) -> Case:
    """Draws elements from the zero point on, since the kernels refuse those below."""
    zero_point = draw.zero_point()
    x = np.arange(zero_point, 128, dtype=np.int16).astype(np.int8)[None]
    return model(
        builtin,
        [quantized(x, float(draw.scale(0.001, 0.2)), zero_point)],
        quantized(x.shape, float(draw.scale(0.005, 0.3)), draw.zero_point()),
        version=2,
    )


@pytest.mark.parametrize("builtin", [Op.SQRT, Op.RSQRT], ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(20))
def test_roots_equal_litert(seed: int, builtin: Op) -> None:
    """SQRT truncates; RSQRT uses fixed point."""
    assert set(exact(root, seed, builtin)) == {"table"}


@pytest.mark.parametrize("dtype", TYPES)
def test_relu_on_one_scale_is_a_clamp(dtype: str) -> None:
    """Hardware recognizes this form."""
    x = quantized(every_value(dtype), 0.05, 10 + origin(dtype), dtype)
    data, arrays = model(Op.RELU6, [x], quantized((1, 256), 0.05, 10 + origin(dtype), dtype), version=2)
    assert "clamp" in operators(assert_exact(data, arrays, by_reference_model=True))


# ** reductions **


def reduction(draw: Draw, builtin: Op, dtype: str) -> Case:
    """Draws any rank and axes, negative ones too."""
    rank = draw.ints(1, 4, 1)[0]
    shape = draw.ints(1, 9, rank)
    axes = draw.rng.permutation(rank)[: draw.ints(1, rank, 1)[0]]
    keep = draw.among(True, False)
    reduced_shape = np.zeros(shape).sum(tuple(axes), keepdims=keep).shape
    scale, zero_point = float(draw.scale(0.001, 0.3)), draw.zero_point(dtype)
    to = scale, zero_point
    if builtin in (Op.MEAN, Op.SUM):
        to = scale * float(draw.scale(*((0.3, 3) if builtin == Op.MEAN else (1, 30)))), draw.zero_point(dtype)
    return model(
        builtin,
        [quantized(draw.stored(shape, dtype), scale, zero_point, dtype), constant(axes - rank * draw.among(0, 1))],
        quantized(reduced_shape, *to, dtype),
        version=2,
        keep_dims=keep,
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("builtin", [Op.MEAN, Op.SUM, Op.REDUCE_MAX, Op.REDUCE_MIN], ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(40))
def test_reductions_equal_litert(seed: int, builtin: Op, dtype: str) -> None:
    """SUM of int8 is compared with the optimized kernel: the reference one reads the bytes as uint8 (reduce.cc)."""
    exact(reduction, seed, builtin, dtype, kernels=OPTIMIZED if (builtin, dtype) == (Op.SUM, "int8") else REFERENCE)


def image_mean(draw: Draw) -> Case:
    """Draws global averages, as at the end of classifiers."""
    x = draw.stored([2, *draw.ints(3, 12, 2), 64])
    scale = float(draw.scale(0.01, 0.1))
    to = quantized((2, 1, 1, 64), scale * float(draw.scale(0.3, 3)), draw.zero_point())
    return model(Op.MEAN, [quantized(x, scale, draw.zero_point()), constant([1, 2])], to, version=2, keep_dims=True)


@pytest.mark.parametrize("seed", range(10))
def test_image_means_equal_litert(seed: int) -> None:
    """The conversion is RESCALE, two sums, RESCALE."""
    assert exact(image_mean, seed)[:4] == ["rescale", "reduce_sum", "reduce_sum", "rescale"]


def softmax(draw: Draw, depth: int, dtype: str) -> Case:
    """Draws rows over the full range, and rows with similar largest elements.

    The kernel aborts where more than 512 elements of a row are nearly equal, so long rows are of full range.
    """
    x = draw.rng.integers(0, 256, (6, 3, depth))
    if depth < 512:
        close = np.clip(draw.rng.integers(-3, 4, x.shape) + 230, 0, 255)
        x = np.where(draw.rng.random((6, 1, 1)) < 0.5, x, close)
    stored = (x - 128 + origin(dtype)).astype(dtype)
    scale = float(draw.scale(0.001 if depth < 512 else 0.1, 1))
    return model(
        Op.SOFTMAX,
        [quantized(stored, scale, draw.zero_point(dtype), dtype)],
        quantized(x.shape, 1 / 256, origin(dtype) - 128, dtype),
        version=2,
        beta=draw.among(1.0, 0.7, 2.0),
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("depth", [1, 2, 10, 255, 1001])
@pytest.mark.parametrize("seed", range(12))
def test_softmax_equals_litert(seed: int, depth: int, dtype: str) -> None:
    """The conversion needs PRO-INT only, and at most 36 operators."""
    names = exact(softmax, seed, depth, dtype)
    assert len(names) <= 36 + (depth >= 512) + 2 * (dtype == "uint8")


def test_softmax_of_a_row_whose_sum_is_a_power_of_two() -> None:
    """The exponentials sum to exactly 8, and that of distance 70, less 1 by the kernel's reciprocal, is a tie."""
    distances = np.array([[0, 70, 239, 71, 208, 171, 0, 63, 108]])
    data, arrays = model(
        Op.SOFTMAX,
        [quantized((127 - distances).astype(np.int8), 0.001183851039968431)],
        quantized(distances.shape, 1 / 65536, -32768, "int16"),
        version=2,
        beta=1.0,
    )
    for target in (None, BASE):
        assert_exact(data, arrays, target=target, by_reference_model=target is None)


# ** borders **


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scale", [1 / 255, 0.0173, 2.0**-7, 1.0, 3e-5])
def test_quantize_equals_litert(scale: float, dtype: str) -> None:
    """The floats are steps of the result, their neighbours, and distant ones; ties go away from zero."""
    draw = Draw(0)
    for zero_point in (-128, 0, 127, -17):
        edge = smallest_floats(np.float32(scale), zero_point)[:-1]
        near = [edge, np.nextafter(edge, np.float32(-np.inf)), np.nextafter(edge, np.float32(np.inf))]
        far = np.float32(scale) * np.array([0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 300, -300, 1e6, -1e6], np.float32)
        x = np.concatenate([*near, far, draw.rng.normal(0, 60 * scale, 2000).astype(np.float32)]).astype(np.float32)
        data, arrays = model(Op.QUANTIZE, [plain(x)], quantized(x.shape, scale, zero_point + origin(dtype), dtype))
        assert_exact(data, arrays, target=BASE, by_reference_model=zero_point == 0)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_dequantize_equals_litert(seed: int, dtype: str) -> None:
    """The scale is per tensor."""
    draw = Draw(seed)
    x = quantized(every_value(dtype), draw.scale(1e-4, 1), draw.zero_point(dtype), dtype)
    data, arrays = model(Op.DEQUANTIZE, [x], plain((1, 256)), version=2)
    assert_exact(data, arrays, target=BASE, by_reference_model=seed == 0)


def test_dequantize_without_a_zero_point_takes_nothing_off() -> None:
    data, arrays = model(Op.DEQUANTIZE, [quantized(every_value(), 0.07)], plain((1, 256)), version=2)
    assert operators(assert_exact(data, arrays, target=BASE, by_reference_model=True)) == ["cast", "mul"]


def test_dequantize_per_channel_equals_litert() -> None:
    """The channels lie along any axis."""
    for axis in range(3):
        draw = Draw(axis)
        x = draw.stored([3, 4, 5])
        channels = x.shape[axis]
        zero_points = draw.rng.integers(-128, 128, channels)
        operand = quantized(x, draw.scale(1e-3, 1, channels), zero_points, axis=axis)
        data, arrays = model(Op.DEQUANTIZE, [operand], plain(x.shape), version=5)
        assert_exact(data, arrays, by_reference_model=True)


def test_dequantize_int16_equals_litert() -> None:
    """LiteRT multiplies in double and rounds, which equals one float32 product for 16 bits."""
    x = np.arange(-32768, 32768).astype(np.int16)
    data, arrays = model(Op.DEQUANTIZE, [quantized(x, 3.1e-5, 0, "int16")], plain(x.shape), version=3)
    assert_exact(data, arrays, by_reference_model=True)


def wide(draw: Draw) -> Case:
    """Draws QUANTIZE of i32."""
    x = draw.rng.integers(-(2**20), 2**20, 4000).astype(np.int32)
    operand = quantized(x, 1e-4, int(draw.rng.integers(-5, 5)), "int32")
    return model(Op.QUANTIZE, [operand], quantized(x.shape, draw.scale(0.1, 2), draw.zero_point()), version=2)


@pytest.mark.parametrize("seed", range(6))
def test_quantize_i32_equals_litert(seed: int) -> None:
    """The conversion is one RESCALE."""
    exact(wide, seed)


# ** layout **


def padded(draw: Draw, dtype: str) -> Case:
    """Draws PAD by the zero point, or PADV2 by an element."""
    x = draw.stored([2, 5, 3, 2], dtype)
    amounts = draw.rng.integers(0, 3, (4, 2))
    quant = draw.scale(0.01, 0.1), draw.zero_point(dtype), dtype
    output = quantized(np.array(x.shape) + amounts.sum(1), *quant)
    element = quantized(draw.stored([], dtype), *quant, constant=True)
    builtin = draw.among(Op.PAD, Op.PADV2)
    return model(builtin, [quantized(x, *quant), constant(amounts), element][: 2 + (builtin == Op.PADV2)], output, 2)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(8))
def test_pads_equal_litert(seed: int, dtype: str) -> None:
    """The conversion is one PAD."""
    assert set(exact(padded, seed, dtype)) <= {"pad", "identity"}


def joined(draw: Draw) -> Case:
    """Draws operands of different scales, one of which is the result's."""
    parts = [draw.stored([2, count, 4], "uint8") for count in (60, 3, 200)]
    quants = [(draw.scale(0.01, 0.3), draw.zero_point("uint8"), "uint8") for _ in parts]
    operands = [quantized(part, *quant) for part, quant in zip(parts, quants, strict=True)]
    return model(Op.CONCATENATION, operands, quantized((2, 263, 4), *quants[1]), version=2, axis=-2)


@pytest.mark.parametrize("seed", range(8))
def test_concatenation_equals_litert(seed: int) -> None:
    """LiteRT rescales uint8 operands in float32, and refuses int8 ones."""
    assert set(exact(joined, seed)) == {"table", "concat"}
