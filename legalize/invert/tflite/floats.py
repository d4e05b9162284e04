"""Elementwise operators of floats, in fp32 where LiteRT has no kernels for a type."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.tflite.builder import NARROW_FLOATS, TflBuilder, storage_type
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tosa_ops as ops

FLOATS = "fp32 fp16 bf16"


def tfl_builder() -> TflBuilder:
    """Returns the builder of the TFLite graph under construction."""
    builder = current()
    if not isinstance(builder, TflBuilder):
        raise TypeError(f"expected a builder of TFLite's operators, found {type(builder).__name__}")
    return builder


def widen_operand(match: Match, key: int) -> Value:
    """Returns an operand, cast to fp32 if it is fp16 or bf16, for which LiteRT lacks kernels."""
    x = match.value(key)
    return tfl_builder().cast(x, DType.FP32) if x.type.dtype in NARROW_FLOATS else x


def narrow_result(match: Match, y: Value) -> Value:
    """Returns y, computed in fp32, cast to the type that the matched TOSA operator's result has in TFLite."""
    return tfl_builder().cast(y, storage_type(match.op.results[0].type.dtype))


def _replace_by_same(name: str, count: int, dtype: DType | None = None) -> Build:
    """Returns the function that replaces a TOSA operator of `count` operands by TFLite's operator `name`, in fp32.

    `dtype` is the element type of TFLite's result if that isn't the operands', such as bool.
    """

    def build(match: Match) -> Value:
        """Appends TFLite's operator `name` on operands widened to fp32, and casts its result back."""
        operands = [widen_operand(match, i) for i in range(count)]
        return narrow_result(match, tfl_builder().elementwise(name, *operands, dtype=dtype))

    return build


def ceil(match: Match) -> Value:
    """Replaces TOSA's CEIL by -FLOOR(-x), as LiteRT's reference kernels have no CEIL."""
    b = tfl_builder()
    return narrow_result(match, b.op("neg", [b.op("floor", [b.op("neg", [widen_operand(match, 0)])])]))


def reciprocal(match: Match) -> Value:
    """Replaces TOSA's RECIPROCAL by TFLite's DIV, 1 / x."""
    b, x = tfl_builder(), widen_operand(match, 0)
    return narrow_result(match, b.elementwise("div", b.scalar_like(1, x), x))


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
    """Replaces TOSA's ERF, which TFLite lacks, by a quotient of polynomials x P(x^2) / Q(x^2) on [-4, 4].

    Outside of it, x is clamped, and the result is -1 or 1.
    """
    b, x = tfl_builder(), widen_operand(match, 0)
    x = clip_floats(b, x, -4.0, 4.0, "PROPAGATE")
    square = b.mul(x, x)
    return narrow_result(
        match, b.elementwise("div", b.mul(x, _polynomial(b, square, _ERF_P)), _polynomial(b, square, _ERF_Q))
    )


def _polynomial(b: TflBuilder, x: Value, coefficients: tuple[float, ...]) -> Value:
    """Appends a polynomial of x by Horner's rule; its coefficients begin with that of the highest power."""
    y = b.scalar_like(coefficients[0], x)
    for coefficient in coefficients[1:]:
        y = b.add(b.mul(y, x), b.scalar_like(coefficient, x))
    return y


def clip_floats(b: TflBuilder, x: Value, low: float, high: float, nan_mode: str = "IGNORE") -> Value:
    """Appends TFLite's MAXIMUM and MINIMUM by bounds; infinite bounds are left out.

    LiteRT's kernels return their second operand if either is NaN, so `nan_mode` decides their order.
    """
    for name, limit, unbounded in (("maximum", low, -np.inf), ("minimum", high, np.inf)):
        if limit != unbounded:
            bound = b.scalar_like(limit, x)
            x = b.elementwise(name, *((x, bound) if nan_mode == "IGNORE" else (bound, x)), dtype=x.type.dtype)
    return x


ACTIVATIONS = {(0.0, np.inf): "relu", (0.0, 6.0): "relu6", (-1.0, 1.0): "relu_n1_to_1"}


def clamp(match: Match) -> Value:
    """Replaces TOSA's CLAMP of floats by a RELU operator with its bounds and NaN mode, or MAXIMUM and MINIMUM."""
    b, x = tfl_builder(), widen_operand(match, 0)
    low, high = (float(match.op.attributes[name]) for name in ("min_val", "max_val"))
    mode = match.op.attribute("nan_mode")
    largest = float(np.finfo(np.float32).max)  # no finite float is larger: as an upper bound it counts as infinite
    activation = ACTIVATIONS.get((low, np.inf if high == largest else high))
    if activation is not None and mode == "PROPAGATE":
        return narrow_result(match, b.op(activation, [x]))
    return narrow_result(match, clip_floats(b, x, low, high, mode))


def slope_between(x: Value | None, y: Value | None) -> Array | None:
    """Returns the constant slopes s, the same in all batches, if y = MUL(x, s) in fp32; else None."""
    op = y.producer if y is not None else None
    if x is None or op is None or op.row is not ops.MUL or x.type.dtype is not DType.FP32 or x not in op.operands[:2]:
        return None
    other = op.operands[1] if op.operands[0] is x else op.operands[0]
    return other.constant if other.constant is not None and other.type.shape[:1] == (1,) else None


def append_leaky_relu(x: Value, slope: Array) -> Value:
    """Appends TFLite's LEAKY_RELU for one slope, PRELU for several ([1, ...], of which the 1 is dropped)."""
    b = tfl_builder()
    if slope.size == 1:
        return b.op("leaky_relu", [x], alpha=float(slope.reshape(-1)[0]))
    return b.op("prelu", [x, b.const(slope[0], DType.FP32)])


def _match_leaky_relu(match: Match) -> Value | None:
    """Appends LEAKY_RELU or PRELU for TOSA's MAXIMUM(x, MUL(x, slope)) with slopes of at most 1; else None.

    Slopes of rank 0 or 1 give None too.
    """
    for x, y in ((0, 1), (1, 0)):
        slope = slope_between(match.op.inputs[x], match.op.inputs[y])
        if slope is not None and slope.ndim > 1 and (slope <= 1).all():
            return append_leaky_relu(match.value(x), slope)
    return None


def _has_no_nan(x: Value) -> bool:
    """Returns whether a value is a constant without NaN."""
    return x.constant is not None and not np.isnan(x.constant).any()


def _replace_extreme(name: str) -> Build:
    """Returns the build function that replaces MAXIMUM or MINIMUM, with TOSA's NaN modes.

    LiteRT returns the second operand if either is NaN. The right one is put second; if both may be NaN, SELECT_V2
    decides. MAXIMUM of x and x * slope becomes LEAKY_RELU or PRELU.
    """

    def build(match: Match) -> Value:
        """Appends MAXIMUM or MINIMUM (`name`), and a SELECT_V2 if both operands may be NaN.

        MAXIMUM of x and x * slope becomes LEAKY_RELU or PRELU instead.
        """
        b, x, y = tfl_builder(), widen_operand(match, 0), widen_operand(match, 1)
        propagate = match.op.attribute("nan_mode") == "PROPAGATE"
        leaky_relu = _match_leaky_relu(match) if name == "maximum" and propagate else None
        if leaky_relu is not None:
            return leaky_relu
        if not x.type.dtype.is_float:
            return b.elementwise(name, x, y)
        # The kernel on (x, y) gives y if either is NaN. That is right unless `first` is NaN: for PROPAGATE, x; else y.
        first, second = (x, y) if propagate else (y, x)
        if _has_no_nan(first):
            return narrow_result(match, b.elementwise(name, x, y))
        if _has_no_nan(second):
            return narrow_result(match, b.elementwise(name, y, x))
        return narrow_result(match, b.choose(b.is_nan(first), x, b.elementwise(name, x, y)))

    return build


def select(match: Match) -> Value:
    """Replaces TOSA's SELECT by SELECT_V2, or by PRELU for SELECT(GREATER_EQUAL(x, 0), x, MUL(x, slope)) in fp32."""
    condition, x, y = match.op.operands
    slope, comparison = slope_between(x, y), condition.producer
    if slope is not None and slope.ndim > 1 and comparison is not None and comparison.row is ops.GREATER_EQUAL:
        bound = comparison.operands[1].constant
        if comparison.operands[0] is x and bound is not None and not bound.any():
            return append_leaky_relu(match.value(1), slope)
    return narrow_result(match, tfl_builder().choose(match.value(0), widen_operand(match, 1), widen_operand(match, 2)))


NUMBERS = f"{FLOATS} i32"
# Operators that TFLite has too: TOSA's name, TFLite's, how many operands, and types.
_DIRECT = (
    ("abs", "abs", 1, NUMBERS),
    ("add", "add", 2, NUMBERS),
    ("cos", "cos", 1, FLOATS),
    ("exp", "exp", 1, FLOATS),
    ("floor", "floor", 1, FLOATS),
    ("log", "log", 1, FLOATS),
    ("logical_and", "logical_and", 2, "bool"),
    ("logical_not", "logical_not", 1, "bool"),
    ("logical_or", "logical_or", 2, "bool"),
    ("logical_xor", "not_equal", 2, "bool"),
    ("mul", "mul", 2, FLOATS),
    ("negate", "neg", 1, FLOATS),
    ("pow", "pow", 2, FLOATS),
    ("rsqrt", "rsqrt", 1, FLOATS),
    ("sigmoid", "logistic", 1, FLOATS),
    ("sin", "sin", 1, FLOATS),
    ("sub", "sub", 2, NUMBERS),
    ("tanh", "tanh", 1, FLOATS),
)

RULES: tuple[Rule, ...] = (
    *(Rule(f"tosa.{root}", types, _replace_by_same(name, count)) for root, name, count, types in _DIRECT),
    *(
        Rule(f"tosa.{name}", NUMBERS, _replace_by_same(name, 2, DType.BOOL))
        for name in ("equal", "greater", "greater_equal")
    ),
    *(Rule(f"tosa.{name}", NUMBERS, _replace_extreme(name)) for name in ("maximum", "minimum")),
    Rule("tosa.ceil", FLOATS, ceil),
    Rule("tosa.reciprocal", FLOATS, reciprocal),
    Rule("tosa.erf", FLOATS, erf),
    Rule("tosa.clamp", FLOATS, clamp),
    Rule("tosa.select", "bool i8 i16 i32 fp16 bf16 fp32", select),
)
