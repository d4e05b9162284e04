"""Elementwise operators of floats; what LiteRT has no kernels for is computed in fp32."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.tflite.builder import NARROW_FLOATS, TflBuilder, stored
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tosa_ops as ops

FLOATS = "fp32 fp16 bf16"


def tfl_builder() -> TflBuilder:
    """Returns the builder of the graph under construction."""
    builder = current()
    if not isinstance(builder, TflBuilder):
        raise TypeError(f"expected a builder of TFLite's operators, found {type(builder).__name__}")
    return builder


def widened(match: Match, key: int) -> Value:
    """An operand in fp32 if it is of fewer bits."""
    x = match.value(key)
    return tfl_builder().cast(x, DType.FP32) if x.type.dtype in NARROW_FLOATS else x


def narrowed(match: Match, y: Value) -> Value:
    """The result in the type that it has in TOSA."""
    return tfl_builder().cast(y, stored(match.op.results[0].type.dtype))


def _direct(name: str) -> Build:
    """A rewrite to the one operator that does the same in fp32."""

    def build(match: Match) -> Value:
        operands = [widened(match, i) for i in range(len(match.op.inputs))]
        return narrowed(match, tfl_builder().elementwise(name, *operands))

    return build


def _compared(name: str) -> Build:
    def build(match: Match) -> Value:
        return tfl_builder().compare(name, widened(match, 0), widened(match, 1))

    return build


def mul(match: Match) -> Value:
    """MUL of floats."""
    return narrowed(match, tfl_builder().mul(widened(match, 0), widened(match, 1)))


def negate(match: Match) -> Value:
    """NEGATE of floats: NEG."""
    return narrowed(match, tfl_builder().op("neg", [widened(match, 0)]))


def ceil(match: Match) -> Value:
    """CEIL: LiteRT's reference kernels have FLOOR alone."""
    b = tfl_builder()
    return narrowed(match, b.op("neg", [b.op("floor", [b.op("neg", [widened(match, 0)])])]))


def reciprocal(match: Match) -> Value:
    """RECIPROCAL: 1 / x."""
    b, x = tfl_builder(), widened(match, 0)
    return narrowed(match, b.arithmetic("div", b.one(1, x), x))


# erf(x) = x P(x^2) / Q(x^2) for |x| up to 4, to an ulp or two: a fit of rational functions in fp32.
_ERF_P = (
    *(-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05),
    *(-7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02),
)
_ERF_Q = (
    *(-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03),
    -1.42647390514189e-02,
)


def erf(match: Match) -> Value:
    """ERF as a quotient of polynomials."""
    b, x = tfl_builder(), widened(match, 0)
    x = bounded(b, x, -4.0, 4.0, "PROPAGATE")
    square = b.mul(x, x)
    return narrowed(
        match, b.arithmetic("div", b.mul(x, _polynomial(b, square, _ERF_P)), _polynomial(b, square, _ERF_Q))
    )


def _polynomial(b: TflBuilder, x: Value, coefficients: tuple[float, ...]) -> Value:
    """Horner's rule, the highest power first."""
    y = b.one(coefficients[0], x)
    for coefficient in coefficients[1:]:
        y = b.add(b.mul(y, x), b.one(coefficient, x))
    return y


def bounded(b: TflBuilder, x: Value, low: float, high: float, nan_mode: str = "IGNORE") -> Value:
    """CLAMP by MAXIMUM and MINIMUM, which return their second operand where one is NaN."""

    def limited(name: str, y: Value, limit: float) -> Value:
        at = b.one(limit, y)
        return b.elementwise(name, *((y, at) if nan_mode == "IGNORE" else (at, y)), dtype=y.type.dtype)

    y = x if low == -np.inf else limited("maximum", x, low)
    return y if high == np.inf else limited("minimum", y, high)


ACTIVATIONS = {(0.0, np.inf): "relu", (0.0, 6.0): "relu6", (-1.0, 1.0): "relu_n1_to_1"}


def clamp(match: Match) -> Value:
    """CLAMP of floats: an activation that has these bounds and passes NaN on, or MAXIMUM and MINIMUM."""
    b, x = tfl_builder(), widened(match, 0)
    low, high = (float(match.op.attributes[name]) for name in ("min_val", "max_val"))
    mode = match.op.attribute("nan_mode")
    largest = float(np.finfo(np.float32).max)
    activation = ACTIVATIONS.get((low, np.inf if high == largest else high))
    if activation is not None and mode == "PROPAGATE":
        return narrowed(match, b.op(activation, [x]))
    return narrowed(match, bounded(b, x, low, high, mode))


def _slope(x: Value | None, y: Value | None) -> Array | None:
    """The constants that `y` is `x` times, in fp32."""
    op = y.producer if y is not None else None
    if x is None or op is None or op.row is not ops.MUL or x.type.dtype is not DType.FP32 or x not in op.operands[:2]:
        return None
    other = op.operands[1] if op.operands[0] is x else op.operands[0]
    return other.constant if other.constant is not None and other.type.shape[:1] == (1,) else None


def _leaky(x: Value, slope: Array) -> Value:
    """LEAKY_RELU of one slope, PRELU of several."""
    b = tfl_builder()
    if slope.size == 1:
        return b.op("leaky_relu", [x], alpha=float(slope.reshape(-1)[0]))
    return b.op("prelu", [x, b.const(slope[0], DType.FP32)])


def _rectified(match: Match) -> Value | None:
    """MAXIMUM of x and its product with a slope of up to 1, which is larger below 0; infinity by 0 stays infinity."""
    for x, y in ((0, 1), (1, 0)):
        slope = _slope(match.op.inputs[x], match.op.inputs[y])
        if slope is not None and slope.ndim > 1 and (slope <= 1).all():
            return _leaky(match.value(x), slope)
    return None


def _has_no_nan(x: Value) -> bool:
    return x.constant is not None and not np.isnan(x.constant).any()


def _extreme(name: str) -> Build:
    def build(match: Match) -> Value:
        b, x, y = tfl_builder(), widened(match, 0), widened(match, 1)
        propagate = match.op.attribute("nan_mode") == "PROPAGATE"
        leaky = _rectified(match) if name == "maximum" and propagate else None
        if leaky is not None:
            return leaky
        if not x.type.dtype.is_float:
            return b.elementwise(name, x, y)
        first, second = (x, y) if propagate else (y, x)  # LiteRT returns its second operand where one is NaN
        if _has_no_nan(first):
            return narrowed(match, b.elementwise(name, x, y))
        if _has_no_nan(second):
            return narrowed(match, b.elementwise(name, y, x))
        return narrowed(match, b.choose(b.is_nan(first), x, b.elementwise(name, x, y)))

    return build


def select(match: Match) -> Value:
    """SELECT: SELECT_V2, or PRELU of what a slope is chosen for below 0; fp16 and bf16 by way of fp32."""
    condition, x, y = match.op.operands
    slope, asked = _slope(x, y), condition.producer
    if slope is not None and slope.ndim > 1 and asked is not None and asked.row is ops.GREATER_EQUAL:
        bound = asked.operands[1].constant
        if asked.operands[0] is x and bound is not None and not bound.any():
            return _leaky(match.value(1), slope)
    return narrowed(match, tfl_builder().choose(match.value(0), widened(match, 1), widened(match, 2)))


def _logical(name: str) -> Callable[[Match], Value]:
    def build(match: Match) -> Value:
        return tfl_builder().elementwise(name, *(match.value(i) for i in range(len(match.op.inputs))))

    return build


_DIRECT = {
    "abs": "abs",
    "add": "add",
    "cos": "cos",
    "exp": "exp",
    "floor": "floor",
    "log": "log",
    "pow": "pow",
    "rsqrt": "rsqrt",
    "sigmoid": "logistic",
    "sin": "sin",
    "sub": "sub",
    "tanh": "tanh",
}
_COMPARED = {"equal": "equal", "greater": "greater", "greater_equal": "greater_equal"}
_INTEGERS = {"abs", "add", "sub"}

RULES: tuple[Rule, ...] = (
    *(Rule(f"tosa.{root}", FLOATS + " i32" * (root in _INTEGERS), _direct(name)) for root, name in _DIRECT.items()),
    *(Rule(f"tosa.{root}", FLOATS + " i32", _compared(name)) for root, name in _COMPARED.items()),
    *(Rule(f"tosa.{name}", FLOATS + " i32", _extreme(name)) for name in ("maximum", "minimum")),
    Rule("tosa.mul", FLOATS, mul),
    Rule("tosa.negate", FLOATS, negate),
    Rule("tosa.ceil", FLOATS, ceil),
    Rule("tosa.reciprocal", FLOATS, reciprocal),
    Rule("tosa.erf", FLOATS, erf),
    Rule("tosa.clamp", FLOATS, clamp),
    Rule("tosa.select", "bool i8 i16 i32 fp16 bf16 fp32", select),
    Rule("tosa.logical_and", "bool", _logical("logical_and")),
    Rule("tosa.logical_or", "bool", _logical("logical_or")),
    Rule("tosa.logical_not", "bool", _logical("logical_not")),
    Rule("tosa.logical_xor", "bool", _logical("not_equal")),
)
