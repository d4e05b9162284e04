"""Cases of elementwise operators of one, two and more operands."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from support.cases import fourier
from support.cases.case import FEW, FLOAT, IMAGE, MANY, WIDE, Case, Drawing, Network, Row, Rows, fixed, tensor
from support.cases.draw import FLOATS, FUSED, LIMITS, NAMES, WORDS, Draw
from support.cases.sketch import DTYPES, Append, Layer, Refused, Sketch
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

Change = Callable[[Draw, Array, int], Array]  # elements with that zero point


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
    """Draws two operands that broadcast, some of them constant; `alike` gives all the same quantization.

    int16 is now and then without scales if `plain`, and has any zero points if `anywhere`.
    """

    def draw(d: Draw) -> Case:
        scaled = quantized and not (plain and d.type == "i16" and d.coin())
        shape = d.shape()
        shapes = [shape, d.broadcast(shape)] if d.coin() else [d.broadcast(shape), shape]
        shared = d.quant() if scaled else {}
        quants = [shared if alike or not scaled else d.quant() for _ in range(2)]
        quants = list(map(d.anywhere, quants)) if anywhere else quants
        drawn = [
            d.of(values(d, operand_shape, change, quant), **quant)
            for operand_shape, change, quant in zip(shapes, (first, second), quants, strict=True)
        ]
        constant = d.among(None, None, 0, 1)
        operands = [operand.constant if i == constant else operand for i, operand in enumerate(drawn)]
        options: dict[str, Any] = d.options(**FUSED) if fused else {}
        quant = {} if result or not scaled else shared if alike else d.quant()
        quant = d.anywhere(quant) if anywhere else quant
        return Case(builtin, operands, [d.result(result, **quant)], options)

    return draw


def values(d: Draw, shape: tuple[int, ...], change: Change | None, quant: dict[str, Any]) -> Array:
    """Draws elements of the type, changed to what the operator accepts."""
    array = d.values(shape)
    return array if change is None else change(d, array, quant.get("zero_point", 0)).astype(array.dtype)


def unary(
    builtin: B,
    change: Change | None = None,
    *,
    plain: Sequence[str] = (),
    anywhere: bool = False,
    results: Mapping[str, dict[str, Any]] = MappingProxyType({}),
) -> Drawing:
    """Draws one operand; `plain` types may lack a scale, and int16 may have any zero point if `anywhere`.

    `results` are the quantizations by type that the kernel demands; others are any.
    """

    def draw(d: Draw) -> Case:
        quant = d.anywhere(d.perhaps(*plain)) if anywhere else d.perhaps(*plain)
        operand = d.of(values(d, d.shape(0, 5), change, quant), **quant)
        return Case(builtin, [operand], [d.result(**(results.get(d.type, d.quant()) if quant else {}))])

    return draw


# ** what operators take **


def nonzero(_: Draw, x: Array, zero_point: int) -> Array:
    """Returns the elements without zeros."""
    return np.where(x == zero_point, zero_point - 1 if zero_point > 0 else zero_point + 1, x)


def positive(d: Draw, x: Array, zero_point: int) -> Array:
    """Returns elements above 0."""
    if d.type in FLOATS:
        return np.asarray(np.abs(x) + x.dtype.type(0.1))
    high = LIMITS[d.type][1]
    return np.clip(x, min(zero_point + 1, high), high)


def moderate(d: Draw, x: Array, _: int) -> Array:
    """Returns elements whose exponential fits fp16."""
    return np.clip(x, -10, 10) if d.type == "fp16" else x


def not_negative(_: Draw, x: Array, zero_point: int) -> Array:
    """Returns elements of 0 or more."""
    return np.maximum(x, zero_point)


def small(d: Draw, x: Array, _: int) -> Array:
    """Returns small whole numbers of both signs, for powers and shifts."""
    return np.asarray(d.rng.integers(-2, 40, x.shape))


def often_equal(d: Draw, x: Array, zero_point: int) -> Array:
    """Returns elements of few values, so that many pairs are equal."""
    return np.where(d.rng.integers(0, 2, x.shape) == 0, zero_point, x).astype(x.dtype)


def of_scale(scale: float, zero_point: int) -> dict[str, Any]:
    """Returns a quantization that a kernel demands."""
    return {"scale": np.float32(scale), "zero_point": zero_point}


# ** others **


def product_of_int16(d: Draw) -> Case:
    """Draws a product of int16: to plain or quantized int16, or to 8 bits, where the kernel can't broadcast."""
    case = binary(B.MUL, fused=True, plain=True)(d)
    assert isinstance(case, Case)
    output_type = d.among("i16", "plain", "i8", "ui8")
    if output_type == "i16":
        return case
    if output_type == "plain":
        return replace(case, results=[d.result()])
    a, b = (operand for operand in case.operands if operand is not None)
    other = d.fed(a.shape, **d.same(b))
    return replace(case, operands=[a, d.either(other)], results=[d.result(output_type, **d.quant(output_type))])


def squared_difference_of_int16(d: Draw) -> Network:
    """Draws SQUARED_DIFFERENCE, judged by the formula of TensorFlow Lite Micro: LiteRT has none."""
    case = binary(B.SQUARED_DIFFERENCE)(d)
    assert isinstance(case, Case)
    a, b = (operand for operand in case.operands if operand is not None)
    widest, to = 2 * max(float(a.scale), float(b.scale)), float(case.results[0].scale)
    x, y = (_multiplied(np.asarray(factor.array, np.int64), float(factor.scale) / widest) for factor in (a, b))
    return Network(*case.model(), [np.clip(_multiplied((x - y) ** 2, widest**2 / to), -32768, 32767).astype(np.int16)])


def _multiplied(x: Array, real: float) -> Array:
    """Returns x times a 31-bit multiplier, rounded twice: ties up, then away from zero."""
    fraction, exponent = math.frexp(real)
    high = ((x << max(exponent, 0)) * math.floor(fraction * 2**31 + 0.5) + 2**30) >> 31
    return np.asarray(np.sign(high) * ((np.abs(high) + ((1 << max(-exponent, 0)) >> 1)) >> max(-exponent, 0)))


def power(d: Draw) -> Case:
    """Draws POW: any base with a whole exponent, or a positive base with any. The results fit fp16."""
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
    """Draws two operands of one shape, with some zeros."""
    shape = d.shape(0, 5)
    y, x = (d.of(often_equal(d, d.values(shape), 0)) for _ in range(2))
    return Case(B.ATAN2, [y, d.either(x)], [d.result()])


def cast(d: Draw) -> Case:
    """Draws CAST to any type, with floats within its range."""
    names = [name for name in NAMES if name not in ("fp64", "i2", "i4", "ui32")]
    to = d.among(*names)
    x = d.values(d.shape(0, 5))
    if to.startswith("ui"):
        x = np.abs(x)
    return Case(B.CAST, [d.either(d.of(x))], [d.result(to)])


def _choice(d: Draw, shapes: list[tuple[int, ...]], builtin: B) -> Case:
    quant = d.quant()
    operands: list[Tensor] = [d.fed(shapes[0], "bool"), *(d.fed(shape, **quant) for shape in shapes[1:])]
    constant = d.among(None, 0, 1, 2)
    operands = [operand.constant if i == constant else operand for i, operand in enumerate(operands)]
    return Case(builtin, operands, [d.result(**quant)])


def select(d: Draw) -> Case:
    """Draws a condition of the operands' shape, a vector for their first dimension, or one element."""
    shape = d.shape(1, 5)
    return _choice(d, [d.among(shape, shape[:1], ()), shape, shape], B.SELECT)


def select_v2(d: Draw) -> Case:
    """Draws three operands that broadcast, some of a lower rank."""
    shape = d.shape(0, 5)
    shapes = [shape, d.broadcast(shape), d.broadcast(shape)]
    d.rng.shuffle(shapes)
    return _choice(d, shapes, B.SELECT_V2)


def add_n(d: Draw) -> Case:
    """Draws up to 6 operands of one shape."""
    shape = d.shape(0, 5)
    return Case(B.ADD_N, [d.either(d.fed(shape)) for _ in range(d.whole(2, 6))], [d.result()])


def fake_quant(d: Draw) -> Case:
    """Draws a range that may leave out zero."""
    low = float(d.rng.uniform(-6, 1))
    options = {"min": low, "max": low + float(d.rng.uniform(0.5, 8)), "num_bits": d.whole(2, 16), "narrow_range": False}
    return Case(B.FAKE_QUANT, [d.fed(d.shape(0, 5))], [d.result()], options)


WIDTHS = {"i8": 8, "ui8": 8, "i16": 16, "ui16": 16, "i32": 32, "ui32": 32}
FLOAT_WIDTHS = {"fp32": 32, "fp16": 16, "bf16": 16}


def bitcast(d: Draw) -> Case:
    """Draws BITCAST to any type; a narrower operand holds the parts of an element in its last dimension."""
    widths = {**WIDTHS, **FLOAT_WIDTHS}
    to = d.among(*WIDTHS)
    parts = max(widths[to] // widths[d.type], 1)
    operand = d.fed((*d.shape(0, 4), *([parts] if parts > 1 else [])))
    return Case(B.BITCAST, [operand.constant if d.type in FLOATS else d.either(operand)], [d.result(to)])


def where(d: Draw) -> Case:
    """Draws constants with a nonzero element: TOSA has no empty tensors, and no shapes that a run decides."""
    x = d.values(d.shape(1, 5))
    x = np.where(d.rng.integers(0, 2, x.shape), x, 0).astype(x.dtype)
    x.flat[0] = 1
    return Case(B.WHERE, [d.of(x).constant], [d.result("i64")])


# ** layers of networks **


def unary_layer(
    builtin: B, results: Mapping[str, dict[str, Any]] = MappingProxyType({}), **choices: Sequence[Any]
) -> Append:
    """Returns a layer of one operand; `results` are demanded quantizations, `choices` values of options."""

    def append(s: Sketch, x: int) -> None:
        quant = results.get(WORDS[s.dtype]) or s.quant()
        s.emit(builtin, [x], s.tensor(s.shape(x), **quant), **s.options(**choices))

    return append


def through_layer(*builtins: B) -> Append:
    """Returns a layer of operators in a row, the first of which keep the last one well conditioned."""

    def append(s: Sketch, x: int) -> None:
        for builtin in builtins:
            y = s.tensor(s.shape(x))
            s.emit(builtin, [x], y)
            x = y

    return append


def above_zero_layer(builtin: B) -> Append:
    """Returns a layer of an operator behind a MAXIMUM with the zero point plus one step."""

    def append(s: Sketch, x: int) -> None:
        like = s.like(x)
        if like["zero_point"] > 126:
            raise Refused
        y = s.tensor(s.shape(x), **like)
        s.emit(B.MAXIMUM, [x, s.constant([like["zero_point"] + 1], s.dtype, **like)], y)
        s.emit(builtin, [y], s.tensor(s.shape(x), **s.quant()))

    return append


def second_operand(s: Sketch, x: int, **quant: Any) -> int:
    """Draws a second operand that broadcasts: a tensor, or a constant of fewer or smaller dimensions."""
    shape = s.shape(x)
    twins = [y for y in s.live if s.shape(y) == shape and s.tensors[y].dtype == s.dtype]
    if s.coin() and not (quant and any(s.like(y) != quant for y in twins)):
        return int(s.among(*twins))
    sizes = [n if s.coin() and i >= s.free else 1 for i, n in enumerate(shape)]
    sizes = sizes[s.whole(0, len(sizes)) :]
    if s.dtype == "float32":
        return s.constant(s.rng.standard_normal(sizes), "float32")
    stored = s.rng.integers(0, 256, sizes).astype(np.uint8).view(s.dtype)
    return s.constant(stored, s.dtype, **(quant or s.quant()))


def binary_layer(builtin: B, *, fused: bool = False, same: bool = False) -> Append:
    """Returns a layer of two operands, in either order."""

    def append(s: Sketch, x: int) -> None:
        like = s.like(x)
        operands = [x, second_operand(s, x, **like) if same else second_operand(s, x)]
        if s.coin():
            operands.reverse()
        options: dict[str, Any] = s.options(**FUSED) if fused else {}
        y = s.tensor(s.shape(x), **(like if same else s.quant()))
        s.emit(builtin, operands, y, **options)

    return append


def divide_layer(s: Sketch, x: int) -> None:
    """Adds DIV by constants away from zero."""
    sizes = s.shape(x)[s.whole(1, len(s.shape(x))) :]
    divisor = s.constant(s.rng.uniform(0.5, 3, sizes) * s.rng.choice([-1, 1], sizes), "float32")
    s.emit(B.DIV, [x, divisor], s.tensor(s.shape(x)), **s.options(**FUSED))


def select_layer(s: Sketch, x: int) -> None:
    """Adds SELECT_V2 by a constant condition: a computed one would amplify differences in the last place."""
    condition = s.constant(s.rng.integers(0, 2, s.shape(x)[s.whole(s.free, len(s.shape(x))) :]), "bool")
    other = second_operand(s, x)
    s.emit(B.SELECT_V2, [condition, x, other], s.tensor(s.shape(x)))


# ** rows **


def unary_row(
    builtin: B,
    dtypes: Sequence[str],
    change: Change | None = None,
    *,
    results: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    cases: Sequence[Case] = (),
    shown: Sequence[Case] = (),
    layered: Sequence[str] = (),
    layers: Sequence[Layer] = (),
    **draw: Any,
) -> Row:
    """Returns the row of an operator of one operand; networks of the `layered` types have it, or other `layers`.

    `results` are quantizations that the kernel demands.
    """
    layers = [*layers, Layer(unary_layer(builtin, results), layered)] if layered else layers
    usual = fixed(builtin, dtypes, results=results)
    return Row(unary(builtin, change, results=results, **draw), [*usual, *cases], shown, layers)


def binary_row(
    builtin: B,
    dtypes: Sequence[str],
    *,
    fused: bool = False,
    alike: bool = False,
    result: str = "",
    cases: Sequence[Case] = (),
    shown: Sequence[Case] = (),
    layered: Sequence[str] = (),
    weight: int = 1,
    typed: Mapping[str, Drawing] = MappingProxyType({}),
    **draw: Any,
) -> Row:
    """Returns the row of an operator of two operands; networks of the `layered` types have it."""
    layers = [Layer(binary_layer(builtin, fused=fused, same=alike), layered, weight)] if layered else []
    usual = fixed(builtin, dtypes, 2, NAMES.get(result, ""))
    drawing = binary(builtin, fused=fused, alike=alike, result=result, **draw)
    return Row(drawing, [*usual, *cases], shown, layers, typed)


def comparison(builtin: B, *, cases: Sequence[Case] = (), shown: Sequence[Case] = ()) -> Row:
    """Returns the row of a comparison."""
    dtypes = ("float32", "int8", "int32", "int16")
    equal: dict[str, Any] = {"first": often_equal, "second": often_equal}
    return binary_row(builtin, dtypes, result="bool", plain=True, anywhere=True, cases=cases, shown=shown, **equal)


def layer_behind(*builtins: B) -> Layer:
    """Returns a layer of float operators, the first of which keep the last one well conditioned."""
    return Layer(through_layer(*builtins), FLOAT)


PLAIN = Tensor(IMAGE, "int16")  # narrow integers that are numbers: without scales
FLAGS, SHORTS = Tensor((2, 3), "bool"), Tensor((2, 3), "int16")
SIGNED = ("int8",)
ROWS: Rows = {
    B.ADD: binary_row(
        B.ADD, (*MANY, "int32", "int64"), fused=True, plain=True,
        cases=[Case(B.ADD, (PLAIN, PLAIN), (PLAIN,))], layered=DTYPES, weight=2,
    ),
    B.SUB: binary_row(B.SUB, (*WIDE, "int32"), fused=True, layered=DTYPES),
    B.MUL: Row(
        binary(B.MUL, fused=True, plain=True),
        [
            Case(B.MUL, (tensor("int16"), tensor("int16")), (tensor("int8"),)),
            Case(B.MUL, (tensor("int8"), tensor("int8")), (tensor("int32"),)),
            *fixed(B.MUL, (*MANY, "int32", "int64"), 2),
            Case(B.MUL, (PLAIN, PLAIN), (PLAIN,)),
        ],
        layers=[Layer(binary_layer(B.MUL, fused=True))],
        typed={"i16": product_of_int16, "complex64": fourier.mul},
        networks=fourier.spectrum(7, B.MUL, fourier.FACTOR),
    ),
    B.DIV: Row(
        binary(B.DIV, fused=True, anywhere=True, second=nonzero),
        fixed(B.DIV, ("float32", "int32", "int8", "int16"), 2),
        layers=[Layer(divide_layer, FLOAT)],
    ),
    B.SQUARED_DIFFERENCE: binary_row(
        B.SQUARED_DIFFERENCE, FEW, layered=FEW, typed={"i16": squared_difference_of_int16},
        shown=fixed(B.SQUARED_DIFFERENCE, ("int16",), 2),
    ),
    B.MAXIMUM: binary_row(B.MAXIMUM, MANY, alike=True, plain=True, first=often_equal, layered=DTYPES),
    B.MINIMUM: binary_row(B.MINIMUM, WIDE, alike=True, plain=True, first=often_equal, layered=DTYPES),
    B.EQUAL: comparison(B.EQUAL, cases=[Case(B.EQUAL, (PLAIN, PLAIN), (tensor("bool"),))]),
    B.NOT_EQUAL: comparison(B.NOT_EQUAL, shown=[Case(B.NOT_EQUAL, (SHORTS, SHORTS), (FLAGS,))]),
    B.LESS: comparison(B.LESS),
    B.LESS_EQUAL: comparison(B.LESS_EQUAL),
    B.GREATER: comparison(B.GREATER),
    B.GREATER_EQUAL: comparison(B.GREATER_EQUAL),
    B.LOGICAL_AND: binary_row(B.LOGICAL_AND, ("bool",)),
    B.LOGICAL_OR: binary_row(B.LOGICAL_OR, ("bool",)),
    B.LOGICAL_NOT: unary_row(B.LOGICAL_NOT, ("bool",)),
    B.ABS: unary_row(
        B.ABS, ("float32", "int8", "int32", "int16"), plain=("i16",), cases=[Case(B.ABS, (PLAIN,), (PLAIN,))],
        layered=FEW,
    ),
    B.CEIL: unary_row(B.CEIL, FLOAT),
    B.COS: unary_row(B.COS, FLOAT, layers=[layer_behind(B.TANH, B.COS)]),
    B.EXP: Row(
        unary(B.EXP, moderate),
        [*fixed(B.EXP, FEW), Case(B.EXP, (tensor("int16", scale=1 / 4096),), (tensor("int16"),))],
        layers=[layer_behind(B.TANH, B.EXP), Layer(unary_layer(B.EXP), SIGNED)],
    ),
    B.FLOOR: unary_row(B.FLOOR, FLOAT),
    B.LOG: unary_row(
        B.LOG, WIDE, positive, layers=[layer_behind(B.LOGISTIC, B.LOG), Layer(unary_layer(B.LOG), SIGNED)]
    ),
    B.NEG: unary_row(
        B.NEG, ("float32", "int32", "int64", "int16"), plain=("i8", "i16"), anywhere=True, shown=fixed(B.NEG, SIGNED),
        layered=FEW,
    ),
    B.RSQRT: unary_row(
        B.RSQRT, WIDE, positive,
        layers=[layer_behind(B.TANH, B.LOGISTIC, B.RSQRT), Layer(above_zero_layer(B.RSQRT), SIGNED)],
    ),
    B.SIN: unary_row(B.SIN, FLOAT, layers=[layer_behind(B.TANH, B.SIN)]),
    B.SQRT: unary_row(
        B.SQRT, ("float32", "int16"), not_negative, shown=fixed(B.SQRT, SIGNED),
        layers=[layer_behind(B.ABS, B.SQRT), Layer(above_zero_layer(B.SQRT), SIGNED)],
    ),
    B.SQUARE: unary_row(B.SQUARE, FLOAT, layered=FLOAT),
    B.FLOOR_DIV: binary_row(B.FLOOR_DIV, ("float32", "int32"), quantized=False, second=nonzero),
    B.FLOOR_MOD: binary_row(B.FLOOR_MOD, ("float32", "int32", "int64"), quantized=False, second=nonzero),
    B.BITWISE_XOR: binary_row(B.BITWISE_XOR, ("int8", "int32"), quantized=False),
    B.RIGHT_SHIFT: binary_row(B.RIGHT_SHIFT, ("int8", "int32"), quantized=False, second=small),
    B.ATAN2: Row(atan2, fixed(B.ATAN2, FLOAT, 2)),
    B.POW: Row(power, fixed(B.POW, ("float32", "int32"), 2)),
    B.SIGN: unary_row(B.SIGN, ("float32", "int32"), often_equal),
    B.ROUND: unary_row(B.ROUND, FLOAT),
    B.ADD_N: Row(add_n, fixed(B.ADD_N, ("float32", "int32"), 2)),
    B.FAKE_QUANT: Row(fake_quant, fixed(B.FAKE_QUANT, FLOAT, min=-1.0, max=1.0, num_bits=8)),
    B.BITCAST: Row(bitcast, fixed(B.BITCAST, ("float32", "int32", "uint8"))),
    B.CAST: Row(
        cast,
        fixed(B.CAST, ("float32", "int32")),
        [Case(B.CAST, (tensor("float32"),), (tensor("int32"),))],
        typed={"complex64": fourier.cast},
        networks=fourier.CASTS,
    ),
    B.WHERE: Row(
        where, [Case(B.WHERE, (Tensor((3,), "bool", np.array([True, False, True])),), (tensor("int64", (2, 1)),))]
    ),
    B.SELECT: Row(select, [Case(B.SELECT, (tensor("bool"), tensor(t), tensor(t)), (tensor(t),)) for t in FEW]),
    B.SELECT_V2: Row(
        select_v2,
        [Case(B.SELECT_V2, (tensor("bool"), tensor(t), tensor(t)), (tensor(t),)) for t in FEW],
        layers=[Layer(select_layer, FLOAT)],
    ),
}  # fmt: skip
