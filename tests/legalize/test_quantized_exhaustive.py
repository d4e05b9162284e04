"""8-bit operators on all values of their operands, for many scales, many of them at edges.

One model holds an operator many times, with other scales each time. The scales make multipliers next to powers of two
and to rounding ties: a constant that is one off shows in few elements of few models.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.legalizing import executed
from support.quantized_models import (
    ACTIVATIONS,
    BASE,
    EVERY_UNARY,
    TYPES,
    Draw,
    assert_exact,
    constant,
    converted,
    every_pair,
    every_value,
    model,
    origin,
    quantized,
)
from support.tflite_models import OPTIMIZED, REFERENCE, Operator, Tensor, build, run_litert

from tosa_converter.formats import parse
from tosa_converter.ir import Array
from tosa_converter.legalize.quant import fixed_point as fixed
from tosa_converter.legalize.tflite import undefined
from tosa_converter.rewriting.match import Match
from tosa_converter.schemas.tflite import BuiltinOperator as Op
from tosa_converter.schemas.tflite import Padding

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
TRIPLES = 208
VALUES = 200
PAIRS = (Op.ADD, Op.SUB, Op.MUL, Op.SQUARED_DIFFERENCE, Op.PRELU, Op.DIV, Op.MAXIMUM, Op.MINIMUM)
RESULTS = {Op.ADD: (0.4, 4), Op.SUB: (0.4, 4), Op.MUL: (6, 300), Op.PRELU: (1, 40), Op.DIV: (0.005, 4)}


class Quant(NamedTuple):
    """A tensor's scale and zero point."""

    scale: float
    zero_point: int


Row = tuple[Sequence[Quant], Quant, dict[str, Any]]  # operands, result, options


Nudges = tuple[int | None, int | None]


def nudges(seed: int) -> Nudges:
    """Returns by how many floats two scales are off powers of two: all combinations for 25 seeds, then none."""
    return (seed % 5 - 2, seed // 5 - 2) if seed < 25 else (None, None)


def edged(draw: Draw, scale: float, nudge: int | None = None) -> float:
    """Returns the scale, the float next to a short number near it, or a neighbour of that; or a nudged power of two."""
    if nudge is None and draw.among(True, False, False):
        return float(np.float32(scale))
    mantissa = draw.among(0.5, 0.5, 0.625, 2 / 3, 0.75, 0.875) if nudge is None else 0.5
    near = np.float32(mantissa * 2 ** np.floor(np.log2(scale)))
    for _ in range(abs(draw.among(-1, 0, 0, 1) if nudge is None else nudge)):
        near = np.nextafter(near, np.float32(np.inf if (nudge or draw.among(-1, 1)) > 0 else 0))
    return float(near)


def pair(seed: int, builtin: Op, dtype: str) -> Row:
    """Draws two operands, and a result that spreads over the range and beyond."""
    draw = Draw(seed)
    a, b = (edged(draw, float(draw.scale(0.002, 0.3)), nudge) for nudge in nudges(seed))
    if builtin in (Op.MAXIMUM, Op.MINIMUM):
        quant = Quant(a, draw.zero_point(dtype))
        return (quant, quant), quant, {}
    sizes = {
        Op.MUL: a * b,
        Op.PRELU: a * draw.among(max(b, 0.02), 0.1),
        Op.DIV: a / b,
        Op.SQUARED_DIFFERENCE: max(a, b) ** 2,
    }
    size = sizes.get(builtin, max(a, b)) * float(draw.scale(*RESULTS.get(builtin, (6, 300))))
    to = edged(draw, size, 0 if seed < 25 else None)
    plain = builtin in (Op.SQUARED_DIFFERENCE, Op.PRELU)
    options = {} if plain else {"fused_activation_function": draw.among(*ACTIVATIONS[:1], *ACTIVATIONS)}
    return [Quant(scale, draw.zero_point(dtype)) for scale in (a, b)], Quant(to, draw.zero_point(dtype)), options


def batch(
    builtin: Op, dtype: str, rows: Sequence[Row], operands: Sequence[Array], version: int = 2
) -> tuple[bytes, list[Array]]:
    """Returns a model with the operator once per row, on the same arrays; a divisor 0 of DIV becomes the next value."""
    tensors: list[Tensor] = []
    operators: list[Operator] = []
    fed: list[Array] = []
    for quants, output, options in rows:
        places = list(range(len(tensors), len(tensors) + len(quants) + 1))
        arrays = list(operands)
        if builtin is Op.DIV:
            zero = quants[1].zero_point
            arrays[1] = np.where(arrays[1] == zero, zero ^ 1, arrays[1]).astype(dtype)
        fed += arrays
        shapes = [array.shape for array in (*arrays, arrays[0])]
        tensors += [
            Tensor(shape, dtype, scale=quant.scale, zero_point=quant.zero_point)
            for shape, quant in zip(shapes, (*quants, output), strict=True)
        ]
        operators.append(Operator(builtin, places[:-1], places[-1:], options, version=version))
    inputs = [place for operator in operators for place in operator.inputs]
    return build(tensors, operators, inputs, [operator.outputs[0] for operator in operators]), fed


def assert_equal_where_defined(data: bytes, arrays: list[Array]) -> float:
    """Asserts that defined elements equal LiteRT's; returns the share of undefined ones."""
    wants = run_litert(data, arrays)
    source = parse(data)
    ops = [op for op in source.main.ops if "pseudo" not in op.name]
    masks = [undefined_elements(op, arrays[i * len(op.inputs) :][: len(op.inputs)]) for i, op in enumerate(ops)]
    for target in (None, BASE):
        gots = executed(converted(data, target=target), [array.view(np.int8) for array in arrays])
        for op, got, want, mask in zip(ops, gots, wants, masks, strict=True):
            different = (got.view(want.dtype) != want) & ~mask
            assert not different.any(), f"{op}: {np.count_nonzero(different)} elements"
    return float(np.mean([np.broadcast_to(mask, want.shape).mean() for mask, want in zip(masks, wants, strict=True)]))


def undefined_elements(op: Any, arrays: Sequence[Array]) -> Array:
    """Returns the elements that LiteRT leaves undefined."""
    mask = undefined.MASKS.get(op.name)
    return np.array(False) if mask is None else mask(Match(op, {}), arrays)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "builtin",
    [Op.ADD, Op.SUB, Op.MUL, Op.SQUARED_DIFFERENCE, Op.PRELU, Op.DIV, Op.MAXIMUM, Op.MINIMUM],
    ids=lambda op: op.name,
)
def test_all_pairs_equal_litert(builtin: Op, dtype: str) -> None:
    """Each triple of scales runs on 65,536 pairs; extremes need no scales."""
    if dtype == "uint8" and builtin is Op.SQUARED_DIFFERENCE:
        pytest.skip("the kernel has int8 only")
    count = {Op.MAXIMUM: 2, Op.MINIMUM: 2, Op.DIV: 104}.get(builtin, TRIPLES)
    for first in range(0, count, 26):
        rows = [pair(seed, builtin, dtype) for seed in range(first, min(first + 26, count))]
        version = 1 if builtin is Op.PRELU else 2
        share = assert_equal_where_defined(*batch(builtin, dtype, rows, every_pair(dtype), version))
        assert share == 0 or (builtin is Op.DIV and share < 0.5)


def single(seed: int, row: tuple[Any, ...], dtype: str) -> Row:
    """Draws one operand and a result."""
    builtin, _, scales, results, relative, fixed = row
    draw, nudge = Draw(seed), nudges(seed)
    options: dict[str, Any] = {}
    if builtin == Op.LEAKY_RELU:
        options["alpha"] = float(draw.among(-0.5, -0.25, 0.125, 0.75, draw.rng.uniform(-1, 1.5)))
    if builtin == Op.GELU:
        options["approximate"] = draw.among(True, False)
    scale = edged(draw, float(draw.scale(*scales)), nudge[0])
    if fixed is not None:
        output = Quant(fixed[0], fixed[1] + origin(dtype))
    else:
        to = edged(draw, (scale if relative else 1) * float(draw.scale(*results)), nudge[1])
        output = Quant(to, draw.zero_point(dtype))
    return [Quant(scale, draw.zero_point(dtype))], output, options


@EVERY_UNARY
def test_all_values_equal_litert(row: tuple[Any, ...], dtype: str) -> None:
    """Each pair of scales runs on 256 values; few results depend on the machine's C library."""
    rows = [single(seed, row, dtype) for seed in range(VALUES)]
    share = assert_equal_where_defined(*batch(row[0], dtype, rows, [every_value(dtype)], row[1]))
    assert share < 0.002


@pytest.mark.parametrize("builtin", [Op.SQRT, Op.RSQRT], ids=lambda op: op.name)
def test_all_roots_equal_litert(builtin: Op) -> None:
    """The kernels refuse elements below the zero point, so that is the lowest value."""
    row = builtin, 2, (0.001, 0.2), (0.005, 0.3), False, None
    rows = [single(seed, row, "int8") for seed in range(VALUES)]
    lowest = [([Quant(inputs[0].scale, -128)], output, options) for inputs, output, options in rows]
    assert assert_equal_where_defined(*batch(builtin, "int8", lowest, [every_value()])) == 0


# ** sums of products: one tap each, so that every pair of a stored value and a weight occurs **


class Layout(NamedTuple):
    """Shapes of the activations [256], the weights [256] and the result [256,256], and further options."""

    x: tuple[int, ...]
    weight: tuple[int, ...]
    result: tuple[int, ...]
    axis: int
    options: dict[str, Any]


WINDOW = {"stride_h": 1, "stride_w": 1, "padding": Padding.VALID}
LAYOUTS = {
    Op.CONV_2D: Layout((1, 256, 1, 1), (256, 1, 1, 1), (1, 256, 1, 256), 0, WINDOW),
    Op.DEPTHWISE_CONV_2D: Layout(
        (1, 256, 1, 1), (1, 1, 1, 256), (1, 256, 1, 256), 3, WINDOW | {"depth_multiplier": 256}
    ),
    Op.TRANSPOSE_CONV: Layout((1, 256, 1, 1), (256, 1, 1, 1), (1, 256, 1, 256), 0, WINDOW),
    Op.FULLY_CONNECTED: Layout((256, 1), (256, 1), (256, 256), 0, {}),
}


def tap(seed: int, builtin: Op, dtype: str, per_channel: bool) -> tuple[bytes, list[Array]]:
    """Returns the operator on all stored values and weights, with a bias."""
    draw, layout = Draw(seed), LAYOUTS[builtin]
    input_scale, weight = (edged(draw, float(draw.scale(0.002, 0.3)), nudge) for nudge in nudges(seed))
    output_scale = edged(draw, input_scale * weight * float(draw.scale(6, 300)), 0 if seed < 25 else None)
    scales = [edged(draw, weight * float(draw.scale(0.5, 2))) for _ in range(256)] if per_channel else [weight]
    zero = draw.zero_point(dtype) if dtype == "uint8" else 0
    operands = [
        quantized(every_value(dtype).reshape(layout.x), input_scale, draw.zero_point(dtype), dtype),
        quantized(every_value(dtype).reshape(layout.weight), scales, zero, dtype, constant=True, axis=layout.axis),
    ]
    if seed % 2 or builtin is Op.CONV_2D:
        bias = draw.rng.integers(-9999, 9999, 256).astype(np.int32)
        scale = np.float32(input_scale) * np.array(scales, np.float32)
        operands.append(quantized(bias, scale, 0, "int32", constant=True))
    if builtin is Op.TRANSPOSE_CONV:
        operands = [constant(layout.result), operands[1], operands[0], *operands[2:]]
    fused = {} if builtin is Op.TRANSPOSE_CONV else {"fused_activation_function": draw.among(*ACTIVATIONS)}
    result = quantized(layout.result, output_scale, draw.zero_point(dtype), dtype)
    return model(builtin, operands, result, version=3, **layout.options, **fused)


SEEDS = [(dtype, seed) for dtype, count in (("int8", 40), ("uint8", 40), ("per channel", 12)) for seed in range(count)]


@pytest.mark.parametrize(("dtype", "seed"), SEEDS)
@pytest.mark.parametrize("builtin", LAYOUTS, ids=lambda op: op.name)
def test_all_products_equal_litert(builtin: Op, dtype: str, seed: int) -> None:
    """Each of many triples of scales, or as many scales as there are channels, runs on 65,536 products."""
    data, arrays = tap(seed, builtin, dtype if dtype in TYPES else "int8", dtype not in TYPES)
    assert_exact(data, arrays, target=(None, BASE)[seed // 2 % 2])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("builtin", [Op.MEAN, Op.SUM], ids=lambda op: op.name)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 16, 49])
@pytest.mark.parametrize("seed", range(0, 36, 2))
def test_all_sums_equal_litert(seed: int, count: int, builtin: Op, dtype: str) -> None:
    """The inputs give every possible sum of `count` elements, from elements as equal as possible."""
    total = np.arange(255 * count + 1)
    rows = (total[:, None] // count + (np.arange(count) < total[:, None] % count)).astype(np.uint8)
    x = (rows.astype(np.int16) - 128 + origin(dtype)).astype(dtype)
    draw, nudge = Draw(seed), nudges(seed)
    input_scale = edged(draw, float(draw.scale(0.001, 0.3)), nudge[0])
    output_scale = edged(
        draw, input_scale * float(draw.scale(*((0.3, 3) if builtin is Op.MEAN else (1, 30)))), nudge[1]
    )
    operands = [quantized(x, input_scale, draw.zero_point(dtype), dtype), constant([1])]
    data, arrays = model(
        builtin, operands, quantized((len(x),), output_scale, draw.zero_point(dtype), dtype), version=2
    )
    kernels = OPTIMIZED if (builtin, dtype) == (Op.SUM, "int8") else REFERENCE
    assert_exact(data, arrays, target=(None, BASE)[seed // 2 % 2], kernels=kernels)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("depth", [2, 3, 7, 40, 300])
@pytest.mark.parametrize("seed", range(6))
def test_many_rows_equal_litert(seed: int, depth: int, dtype: str) -> None:
    """SOFTMAX runs on every pair of stored values, or on many rows with similar elements."""
    draw = Draw(100 * depth + seed)
    spread = np.ceil(draw.scale(3, 256, 300_000 // depth))[:, None]
    x = (255 - np.floor(draw.rng.random((len(spread), depth)) * spread)).astype(np.uint8)
    x = np.stack(every_pair("uint8"), -1).reshape(-1, 2) if depth == 2 else x
    x = (x.astype(np.int16) - 128 + origin(dtype)).astype(dtype)
    scale = edged(draw, float(draw.scale(0.002, 1)))
    to = quantized(x.shape, 1 / 256, origin(dtype) - 128, dtype)
    operands = [quantized(x, scale, draw.zero_point(dtype), dtype)]
    assert_exact(*model(Op.SOFTMAX, operands, to, version=2, beta=draw.among(1.0, 0.7)))


def test_fixed_point_constants_equal_the_real_numbers() -> None:
    """The last bits of gemmlowp's constants hardly ever show in 8 bits, so they are compared with the real numbers."""
    unit = 2.0**31
    for exponent, factor in fixed._EXP_OF_POWERS:
        assert factor == round(math.exp(-(2.0**exponent)) * unit)
    assert round(math.exp(-1 / 8) * unit) == fixed._EXP_OF_EIGHTH
    assert round(unit / 3) == fixed._THIRD
    assert round(unit * math.sqrt(0.5)) == fixed.ROOT_OF_HALF
    assert (round(48 / 17 * 2**29), round(-32 / 17 * 2**29)) == (fixed.START, fixed.SLOPE)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scale", [0.1, 0.02, 0.0625, 0.046875])
def test_ties_of_hard_swish_equal_litert(scale: float, dtype: str) -> None:
    """The 16-bit multipliers are odd multiples of 128: half of the products, which are times 128, are ties."""
    zero = origin(dtype)
    mantissas = 128 * np.arange(129, 256, 2) / 32768
    results = [scale / 128 / mantissa * 2.0**exponent for exponent in range(4) for mantissa in mantissas]
    tensors = [Tensor((256,), dtype, scale=scale, zero_point=zero)]
    tensors += [Tensor((256,), dtype, scale=float(np.float32(result)), zero_point=zero) for result in results]
    places = range(1, len(tensors))
    data = build(tensors, [Operator(Op.HARD_SWISH, [0], [i]) for i in places], [0], list(places))
    x = every_value(dtype).reshape(-1)
    signless = [x.view(np.int8)]
    for output, expected in zip(executed(converted(data), signless), run_litert(data, [x]), strict=True):
        np.testing.assert_array_equal(output.view(dtype), expected)
