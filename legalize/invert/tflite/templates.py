"""Rules of quantized operators that are several operators in TOSA.

A pattern guesses the operator with its scales, which is taken if the conversion makes the same operators of it. It
reads a view of its operand, a RESHAPE that gives the same elements the scale of the guess.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.legalize.invert.confirmation import TFLITE
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.invert.tflite.integers import scale_from
from tosa_converter.legalize.quant.softmax_tables import EXP_RANGE, RANGE, exponentials
from tosa_converter.legalize.quant.thresholds import smallest_floats
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

RESIZES = ("resize_bilinear", "resize_nearest_neighbor")
ULPS = 64  # that fixed-point exponentials of small numbers may be off
FEW_ULPS = 4  # that a quotient of floats may be off
LARGE = 1 << 25  # an exponential in Q0.31 that tells the scale
SHORT_QUANT = Quant((1 / 32768,), (0,))
SOFTMAX_QUANT = Quant((1 / 256,), (-128,))
BYTE_SOFTMAX = pattern(
    ops.RESCALE,
    pattern(
        ops.ARITHMETIC_RIGHT_SHIFT,
        pattern(ops.MUL, pattern(ops.RESHAPE, pattern(ops.GATHER, "exponentials", "distances"))),
    ),
)
DISTANCES = pattern(ops.SUB, pattern(ops.CAST, pattern(ops.REDUCE_MAX, "x")), pattern(ops.CAST, "x"))
_SHORT_DISTANCES = pattern(ops.SUB, pattern(ops.CAST, "x"), pattern(ops.CAST, pattern(ops.REDUCE_MAX, "x")))


@rule(BYTE_SOFTMAX)
def softmax_of_bytes(m: Match) -> Value:
    """RESCALE(ARITHMETIC_RIGHT_SHIFT(MUL(RESHAPE(GATHER(exponentials, distances)), ...))) -> SOFTMAX of 8 bits."""
    distances = _before_reshape(m.source("distances")).producer
    operands = None if distances is None else DISTANCES.bind(distances)
    table = m.constant("exponentials").reshape(-1)
    if operands is None or operands["x"].type.dtype is not DType.I8 or table.size != 256:
        raise Decline("expected exponentials of 256 distances from the largest byte")
    quants = ((Quant((scale,), (0,)), SOFTMAX_QUANT) for scale in scales_of_exponentials(table))
    return TFLITE.first_confirmed(
        m, _operators(m, "softmax", operands["x"], quants, beta=1.0), [operands["x"]], "SOFTMAX"
    )


def scales_of_exponentials(table: Array) -> Iterator[float]:
    """Yields the floats s for which a table has exp(-distance * s) in Q0.31.

    The last large exponential e, of a distance n, tells s = -log(e / 2**31) / n but for some units in the last place.
    """
    (large,) = np.nonzero(table > LARGE)
    if table[0] < 1 << 30 or large.size < 2:
        return
    for scale in _near(-np.log(table[large[-1]] / 2**31) / large[-1], ULPS):
        if np.array_equal(exponentials(np.float64(1), np.float64(scale)), table):
            yield float(scale)


@rule(
    pattern(
        ops.RESCALE,
        pattern(
            ops.ARITHMETIC_RIGHT_SHIFT,
            pattern(
                ops.MUL,
                pattern(
                    ops.RESCALE,
                    pattern(
                        ops.TABLE,
                        pattern(ops.RESCALE, pattern(ops.ADD, pattern(ops.RESCALE, _SHORT_DISTANCES, name="scaled"))),
                    ),
                ),
            ),
        ),
    ),
    "i16",
    of=("x",),
)
def softmax_of_16_bits(m: Match) -> Value:
    """RESCALE(ARITHMETIC_RIGHT_SHIFT(MUL(RESCALE(TABLE(... SUB(x, REDUCE_MAX(x)))), ...))) -> SOFTMAX of 16 bits."""
    scale = scale_from(m.producer("scaled"))
    if scale is None or scale.multiplier.size != 1:
        raise Decline("expected one constant scale of the distances from the largest element")
    factor = float(scale.multiplier[0]) * 2.0 ** -float(scale.shift[0])
    quants = ((Quant((float(near),), (0,)), SHORT_QUANT) for near in _near(factor * EXP_RANGE / RANGE, FEW_ULPS))
    return TFLITE.first_confirmed(
        m, _operators(m, "softmax", m.source("x"), quants, beta=1.0), [m.source("x")], "SOFTMAX"
    )


@rule(
    pattern(
        ops.RESCALE,
        pattern(
            ops.ADD,
            pattern(ops.CAST, pattern(ops.CLAMP, pattern(ops.ADD, pattern(ops.MUL, "x", "factor"), "offset"))),
            pattern(ops.CAST, pattern(ops.GREATER_EQUAL, "x", "thresholds")),
        ),
    ),
    "fp32",
    of=("x",),
)
def quantize(m: Match) -> Value:
    """RESCALE(ADD(CAST(CLAMP(ADD(MUL(x, ...), ...))), CAST(GREATER_EQUAL(x, thresholds)))) -> QUANTIZE to 8 bits."""
    gather = _before_reshape(m.source("thresholds")).producer
    table = gather.operands[0].constant if gather is not None and gather.row is ops.GATHER else None
    if table is None or table.size != 256:
        raise Decline("expected 256 constant thresholds")
    zero_point = round(float(m.constant("offset").reshape(-1)[0]) - 127.5)
    m.require(abs(zero_point) <= 128, "expected a zero point of 8 bits, found {offset} - 127.5")
    quants = (
        (None, Quant((float(scale),), (zero_point,)))
        for scale in _near(1 / float(m.constant("factor").reshape(-1)[0]), FEW_ULPS)
        if np.array_equal(smallest_floats(scale, zero_point), table.reshape(-1))
    )
    return _first_confirmed(m, "quantize", m.source("x"), quants)


@rule(pattern(ops.MUL, pattern(ops.CAST, pattern(ops.RESCALE, "x", "", "", "zero_point")), "scale"), "i8", of=("x",))
def dequantize(m: Match) -> Value:
    """MUL(CAST(RESCALE(x)), scale) -> DEQUANTIZE of 8 bits."""
    scale = m.constant("scale").reshape(-1)
    m.require(scale.size == 1 and scale[0] > 0, "expected one positive scale, found {scale}")
    quant = Quant((float(scale[0]),), (m.integers("zero_point")[0],))
    return TFLITE.first_confirmed(
        m, _operators(m, "dequantize", m.source("x"), [(quant, None)]), [m.source("x")], "DEQUANTIZE"
    )


@rule(pattern(ops.RESIZE, "x"), "i8 i16")
def resize(m: Match) -> Value:
    """RESIZE(x) -> RESIZE_NEAREST_NEIGHBOR."""
    return _resized(m, m.op)


@rule(pattern(ops.RESCALE, pattern(ops.RESIZE, "x", name="sums")), "i8 i16", of=("x",))
def resize_of_bytes(m: Match) -> Value:
    """RESCALE(RESIZE(x)) -> RESIZE_BILINEAR."""
    return _resized(m, m.producer("sums"))


@rule(pattern(ops.RESCALE, pattern(ops.RESCALE, pattern(ops.RESIZE, "x", name="sums"))), "i8 i16", of=("x",))
def resize_of_16_bits(m: Match) -> Value:
    """RESCALE(RESCALE(RESIZE(x))) -> RESIZE_BILINEAR."""
    return _resized(m, m.producer("sums"))


def _resized(m: Match, resize: Op) -> Value:
    name = RESIZES[resize.attributes["mode"] != "BILINEAR"]
    size = tfl_builder().ints(m.op.result.type.static[1:3])
    flags = ((False, True), (True, False), (False, False))
    options = [{"align_corners": corners, "half_pixel_centers": centers} for corners, centers in flags]
    guesses = (y for chosen in options for y in _operators(m, name, m.source("x"), [(None, None)], (size,), **chosen))
    return TFLITE.first_confirmed(m, guesses, [m.source("x")], name.upper())


# ** operators on views **


def _first_confirmed(
    m: Match, name: str, x: Value, quants: Iterable[tuple[Quant | None, Quant | None]], **options: float
) -> Value:
    """Returns the result of an operator on a view of x, with the first scales that are confirmed."""
    return TFLITE.first_confirmed(m, _operators(m, name, x, quants, (), **options), [x], name.upper())


def _operators(
    m: Match,
    name: str,
    x: Value,
    quants: Iterable[tuple[Quant | None, Quant | None]],
    constants: tuple[Value, ...] = (),
    **options: bool | float,
) -> Iterator[Value]:
    """Yields the results of operators that may compute the result of a match, by the scales of operand and result."""
    m.require(x.constant is None, "its operand is constant")
    b, type = tfl_builder(), m.op.result.type
    for operand_quant, result_quant in quants:
        y = b.op(name, [view(x, operand_quant), *constants], type.dtype, type.static, **options)
        y.type = type._replace(quant=result_quant)
        yield y


def view(x: Value, quant: Quant | None) -> Value:
    """Appends a RESHAPE to the same shape, which gives the elements of a value other scales."""
    y = tfl_builder().copy_tensor(x)
    y.type = y.type._replace(quant=quant)
    return y


def view_of(op: Op) -> Value:
    """Returns the view that an operator reads."""
    return next(value for value in op.operands if value.constant is None)


def operand_of_view(view: Value) -> Value:
    """Returns the value that a view has the elements of."""
    assert view.producer is not None
    return view.producer.operands[0]


def _before_reshape(x: Value) -> Value:
    return x.producer.operands[0] if x.producer is not None and x.producer.row is ops.RESHAPE else x


def _near(x: float, ulps: int) -> Iterator[np.float32]:
    """Yields the floats nearest to a number, the nearest first."""
    low = high = np.float32(x)
    yield low
    for _ in range(ulps):
        low, high = np.nextafter(low, np.float32(0)), np.nextafter(high, np.float32(np.inf))
        yield low
        yield high


TEMPLATES = (
    softmax_of_bytes,
    softmax_of_16_bits,
    quantize,
    dequantize,
    resize,
    resize_of_bytes,
    resize_of_16_bits,
)
