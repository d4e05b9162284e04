"""Elementwise operators of one, two and more operands."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from differential.case import FLOATS, LIMITS, NAMES, Case, Draw, Network, Operand
from differential.operators import Drawing
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType
from tosa_converter.schemas.tflite import BuiltinOperator as B

FUSED = tuple(ActivationFunctionType[name] for name in ("NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"))
Change = Callable[[Draw, Array, int], Array]  # of elements with that zero point


def binary(
    builtin: B,
    *,
    fused: bool = False,
    result: str = "",
    quantized: bool = True,
    alike: bool = False,
    plain: bool = False,
    anywhere: bool = False,
    first: Change | None = None,
    second: Change | None = None,
) -> Drawing:
    """Two operands that broadcast, either now and then a constant; `alike` with one quantization for all.

    int16 is now and then without scales if `plain`, and has any zero points if `anywhere`.
    """

    def draw(d: Draw) -> Case:
        scaled = quantized and not (plain and d.type == "i16" and d.coin())
        shape = d.shape()
        shapes = [shape, d.broadcast(shape)] if d.coin() else [d.broadcast(shape), shape]
        shared = d.quant() if scaled else {}
        quants = [shared if alike or not scaled else d.quant() for _ in range(2)]
        quants = list(map(d.anywhere, quants)) if anywhere else quants
        made = [
            d.of(values(d, each, change, quant), **quant)
            for each, change, quant in zip(shapes, (first, second), quants, strict=True)
        ]
        constant = d.among(None, None, 0, 1)
        operands = [operand.constant if i == constant else operand for i, operand in enumerate(made)]
        options: dict[str, Any] = {"fused_activation_function": d.among(*FUSED)} if fused else {}
        quant = {} if result or not scaled else shared if alike else d.quant()
        quant = d.anywhere(quant) if anywhere else quant
        return Case(builtin, operands, [d.result(result, **quant)], options)

    return draw


def values(d: Draw, shape: tuple[int, ...], change: Change | None, quant: dict[str, Any]) -> Array:
    """Elements of the type drawn, changed to what the operator takes."""
    array = d.values(shape)
    return array if change is None else change(d, array, quant.get("zero_point", 0)).astype(array.dtype)


def unary(
    builtin: B,
    change: Change | None = None,
    *,
    plain: Sequence[str] = (),
    anywhere: bool = False,
    **quants: dict[str, Any],
) -> Drawing:
    """One operand; the result's quantization by type where the kernel demands one, else any; none for some `plain`.

    int16 has any zero point if `anywhere`.
    """

    def draw(d: Draw) -> Case:
        quant = d.anywhere(d.perhaps(*plain)) if anywhere else d.perhaps(*plain)
        operand = d.of(values(d, d.shape(0, 5), change, quant), **quant)
        return Case(builtin, [operand], [d.result(**(quants.get(d.type, d.quant()) if quant else {}))])

    return draw


# ** what operators take **


def nonzero(_: Draw, x: Array, zero_point: int) -> Array:
    """No zeros."""
    return np.where(x == zero_point, zero_point - 1 if zero_point > 0 else zero_point + 1, x)


def positive(d: Draw, x: Array, zero_point: int) -> Array:
    """More than 0."""
    if d.type in FLOATS:
        return np.asarray(np.abs(x) + x.dtype.type(0.1))
    high = LIMITS[d.type][1]
    return np.clip(x, min(zero_point + 1, high), high)


def moderate(d: Draw, x: Array, _: int) -> Array:
    """Whose exponential fp16 holds."""
    return np.clip(x, -10, 10) if d.type == "fp16" else x


def not_negative(_: Draw, x: Array, zero_point: int) -> Array:
    """0 or more."""
    return np.maximum(x, zero_point)


def small(d: Draw, x: Array, _: int) -> Array:
    """Whole numbers of either sign that powers and shifts take."""
    return np.asarray(d.rng.integers(-2, 40, x.shape))


def often_equal(d: Draw, x: Array, zero_point: int) -> Array:
    """Few values, so that many pairs are equal."""
    return np.where(d.rng.integers(0, 2, x.shape) == 0, zero_point, x).astype(x.dtype)


def of_scale(scale: float, zero_point: int) -> dict[str, Any]:
    """A quantization that a kernel demands."""
    return {"scale": np.float32(scale), "zero_point": zero_point}


# ** others **


def product_of_int16(d: Draw) -> Case:
    """To int16 of any kind, or to 8 bits, of which the kernel knows no broadcast."""
    case = binary(B.MUL, fused=True, plain=True)(d)
    assert isinstance(case, Case)
    made = d.among("i16", "plain", "i8", "ui8")
    if made == "i16":
        return case
    if made == "plain":
        return case._replace(results=[d.result()])
    a, b = (operand for operand in case.operands if operand is not None)
    other = d.fed(a.tensor.shape, **d.same(b))
    return case._replace(operands=[a, d.either(other)], results=[d.result(made, **d.quant(made))])


def squared_difference_of_int16(d: Draw) -> Network:
    """Against the formula of TensorFlow Lite Micro's kernel: LiteRT has none."""
    case = binary(B.SQUARED_DIFFERENCE)(d)
    assert isinstance(case, Case)
    a, b = (operand for operand in case.operands if operand is not None)
    widest, to = 2 * max(float(a.tensor.scale), float(b.tensor.scale)), float(case.results[0].tensor.scale)
    x, y = (_multiplied(np.asarray(one.array, np.int64), float(one.tensor.scale) / widest) for one in (a, b))
    return Network(*case.model(), [np.clip(_multiplied((x - y) ** 2, widest**2 / to), -32768, 32767).astype(np.int16)])


def _multiplied(x: Array, real: float) -> Array:
    """A product with 31 bits of a number that is rounded twice: ties up, then away from zero."""
    fraction, exponent = math.frexp(real)
    high = ((x << max(exponent, 0)) * math.floor(fraction * 2**31 + 0.5) + 2**30) >> 31
    return np.asarray(np.sign(high) * ((np.abs(high) + ((1 << max(-exponent, 0)) >> 1)) >> max(-exponent, 0)))


def power(d: Draw) -> Case:
    """Any base with a whole exponent, constant or not; positive ones with any. fp16 holds the results."""
    shape = d.shape()
    if d.type == "i32":
        base, exponent = d.rng.integers(-5, 6, shape), d.rng.integers(0, 8, d.broadcast(shape))
    elif d.coin():
        base, exponent = np.clip(d.values(shape), -10, 10), np.full((), d.whole(0, 4))
    else:
        base = np.clip(positive(d, d.values(shape), 0), 0, 10)
        exponent = np.clip(d.values(d.broadcast(shape)), -4, 4)
    operands = [d.of(np.asarray(x, d.values(()).dtype)) for x in (base, exponent)]
    if d.coin():
        operands[1] = operands[1].constant
    return Case(B.POW, operands, [d.result()])


def atan2(d: Draw) -> Case:
    """Two operands of one shape, some of them zeros."""
    shape = d.shape(0, 5)
    y, x = (d.of(often_equal(d, d.values(shape), 0)) for _ in range(2))
    return Case(B.ATAN2, [y, d.either(x)], [d.result()])


def cast(d: Draw) -> Case:
    """To any type; floats within the result's range."""
    names = [name for name in NAMES if name not in ("fp64", "i2", "i4", "ui32")]
    to = d.among(*names)
    x = d.values(d.shape(0, 5))
    if to.startswith("ui"):
        x = np.abs(x)
    return Case(B.CAST, [d.either(d.of(x))], [d.result(to)])


def _choice(d: Draw, shapes: list[tuple[int, ...]], builtin: B) -> Case:
    quant = d.quant()
    operands: list[Operand] = [d.fed(shapes[0], "bool"), *(d.fed(shape, **quant) for shape in shapes[1:])]
    constant = d.among(None, 0, 1, 2)
    operands = [operand.constant if i == constant else operand for i, operand in enumerate(operands)]
    return Case(builtin, operands, [d.result(**quant)])


def select(d: Draw) -> Case:
    """A condition of the operands' shape, a vector for their first dimension, or one element."""
    shape = d.shape(1, 5)
    return _choice(d, [d.among(shape, shape[:1], ()), shape, shape], B.SELECT)


def select_v2(d: Draw) -> Case:
    """Three operands that broadcast, any of a lower rank."""
    shape = d.shape(0, 5)
    shapes = [shape, d.broadcast(shape), d.broadcast(shape)]
    d.rng.shuffle(shapes)
    return _choice(d, shapes, B.SELECT_V2)


def add_n(d: Draw) -> Case:
    """Up to 6 operands of one shape."""
    shape = d.shape(0, 5)
    return Case(B.ADD_N, [d.either(d.fed(shape)) for _ in range(d.whole(2, 6))], [d.result()])


def fake_quant(d: Draw) -> Case:
    """A range that may or may not hold zero."""
    low = float(d.rng.uniform(-6, 1))
    options = {"min": low, "max": low + float(d.rng.uniform(0.5, 8)), "num_bits": d.whole(2, 16), "narrow_range": False}
    return Case(B.FAKE_QUANT, [d.fed(d.shape(0, 5))], [d.result()], options)


WIDTHS = {"i8": 8, "ui8": 8, "i16": 16, "ui16": 16, "i32": 32, "ui32": 32}
FLOAT_WIDTHS = {"fp32": 32, "fp16": 16, "bf16": 16}


def bitcast(d: Draw) -> Case:
    """To any type of these; a narrower operand has the parts of an element in its last dimension."""
    widths = {**WIDTHS, **FLOAT_WIDTHS}
    to = d.among(*WIDTHS)
    parts = max(widths[to] // widths[d.type], 1)
    operand = d.fed((*d.shape(0, 4), *([parts] if parts > 1 else [])))
    return Case(B.BITCAST, [operand.constant if d.type in FLOATS else d.either(operand)], [d.result(to)])


def where(d: Draw) -> Case:
    """Constant: what isn't decides the shape of the result. Something is true, as TOSA has no empty tensors."""
    x = d.values(d.shape(1, 5))
    x = np.where(d.rng.integers(0, 2, x.shape), x, 0).astype(x.dtype)
    x.flat[0] = 1
    return Case(B.WHERE, [d.of(x).constant], [d.result("i64")])


COMPARISONS = (B.EQUAL, B.NOT_EQUAL, B.LESS, B.LESS_EQUAL, B.GREATER, B.GREATER_EQUAL)
DRAWS: dict[Any, Drawing] = {
    B.ADD: binary(B.ADD, fused=True, plain=True),
    B.SUB: binary(B.SUB, fused=True),
    B.MUL: binary(B.MUL, fused=True, plain=True),
    (B.MUL, "i16"): product_of_int16,
    B.DIV: binary(B.DIV, fused=True, anywhere=True, second=nonzero),
    B.SQUARED_DIFFERENCE: binary(B.SQUARED_DIFFERENCE),
    (B.SQUARED_DIFFERENCE, "i16"): squared_difference_of_int16,
    B.MAXIMUM: binary(B.MAXIMUM, alike=True, plain=True, first=often_equal),
    B.MINIMUM: binary(B.MINIMUM, alike=True, plain=True, first=often_equal),
    **{
        builtin: binary(builtin, result="bool", plain=True, anywhere=True, first=often_equal, second=often_equal)
        for builtin in COMPARISONS
    },
    B.LOGICAL_AND: binary(B.LOGICAL_AND),
    B.LOGICAL_OR: binary(B.LOGICAL_OR),
    B.LOGICAL_NOT: unary(B.LOGICAL_NOT),
    B.ABS: unary(B.ABS, plain=("i16",)),
    B.CEIL: unary(B.CEIL),
    B.COS: unary(B.COS),
    B.EXP: unary(B.EXP, moderate),
    B.FLOOR: unary(B.FLOOR),
    B.LOG: unary(B.LOG, positive),
    B.NEG: unary(B.NEG, plain=("i8", "i16"), anywhere=True),
    B.RSQRT: unary(B.RSQRT, positive),
    B.SIN: unary(B.SIN),
    B.SQRT: unary(B.SQRT, not_negative),
    B.SQUARE: unary(B.SQUARE),
    B.FLOOR_DIV: binary(B.FLOOR_DIV, quantized=False, second=nonzero),
    B.FLOOR_MOD: binary(B.FLOOR_MOD, quantized=False, second=nonzero),
    B.BITWISE_XOR: binary(B.BITWISE_XOR, quantized=False),
    B.RIGHT_SHIFT: binary(B.RIGHT_SHIFT, quantized=False, second=small),
    B.ATAN2: atan2,
    B.POW: power,
    B.SIGN: unary(B.SIGN, often_equal),
    B.ROUND: unary(B.ROUND),
    B.ADD_N: add_n,
    B.FAKE_QUANT: fake_quant,
    B.BITCAST: bitcast,
    B.CAST: cast,
    B.WHERE: where,
    B.SELECT: select,
    B.SELECT_V2: select_v2,
}
