"""Functions and arithmetic, element by element."""

import math
import operator
from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize import exponentials
from tosa_converter.legalize.aten.common import (
    FLOATS,
    LOGICAL,
    NUMBERS,
    common_dtype,
    number,
    promoted,
    result_dtype,
    rewrite,
)
from tosa_converter.legalize.ops import integers
from tosa_converter.legalize.tflite.float import elementwise, mathematics
from tosa_converter.legalize.tflite.float.activations import sloped
from tosa_converter.legalize.xnnpack.checks import require_broadcast
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, intdiv, maximum, minimum, reciprocal, scalar
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Binary = Callable[[Expr, Expr], Expr]

# ** of one operand **


def _unary(row: OpDef) -> Build:
    def unary(match: Match) -> Expr:
        return expr.elementwise(row, promoted(match, "self"))

    return unary


def expm1(match: Match) -> Expr:
    """expm1, in fp32."""
    return _by_fp32(match, exponentials.expm1)


def log1p(match: Match) -> Expr:
    """log1p, in fp32."""
    return _by_fp32(match, exponentials.log1p)


def _by_fp32(match: Match, function: Callable[[Match, Expr], Expr]) -> Expr:
    """A function of the operand, computed in fp32 as ATen does for halves."""
    x = promoted(match, "self").cast(DType.FP32)
    return function(match, x).cast(result_dtype(match))


def isnan(match: Match) -> Expr:
    """isnan: a NaN isn't equal to itself."""
    return ~(match["self"] == match["self"])


def bitwise_not(match: Match) -> Expr:
    """bitwise_not, which on bool is logical."""
    row = ops.LOGICAL_NOT if match["self"].dtype is DType.BOOL else ops.BITWISE_NOT
    return expr.elementwise(row, match["self"])


def logical_not(match: Match) -> Expr:
    """logical_not: whether an element is 0."""
    return ~promoted(match, "self", DType.BOOL)


def clamp(match: Match) -> Expr:
    """Clamp between two numbers, or on one side; where they are the wrong way round it is the upper one."""
    x = promoted(match, "self")
    low, high = match.op.attributes["min"], match.op.attributes["max"]
    if any(bound is not None and math.isnan(bound) for bound in (low, high)):
        raise Decline(f"bounds {low} and {high}")
    if x.dtype.is_float:
        low, high = (infinite if bound is None else bound for bound, infinite in ((low, -math.inf), (high, math.inf)))
        if low <= high:
            return expr.clamp(x, low, high)
    x = x if low is None else maximum(x, number(low, x))
    return x if high is None else minimum(x, number(high, x))


def hardtanh(match: Match) -> Expr:
    """hardtanh: clamp."""
    low, high = match.op.attributes["min_val"], match.op.attributes["max_val"]
    if not low <= high:
        raise Decline(f"bounds from {low} to {high}")
    return expr.clamp(match["self"], low, high)


def relu(match: Match) -> Expr:
    """Relu."""
    return expr.clamp(match["self"], 0, math.inf if match["self"].dtype.is_float else 2**31 - 1)


def gelu(match: Match) -> Expr:
    """Gelu by the error function, or by tanh."""
    form = match.op.attributes["approximate"]
    if form not in ("none", "tanh"):
        raise Decline(f"the form {form!r}, which ATen doesn't have")
    made = mathematics.gated(match["self"].cast(DType.FP32), approximate=form == "tanh")
    return made.cast(match["self"].dtype)


def elu(match: Match) -> Expr:
    """elu: x * scale, below 0 (exp(x * input_scale) - 1) * alpha * scale, in fp32."""
    return _by_fp32(match, _elu)


def _elu(match: Match, x: Expr) -> Expr:
    alpha, scale, inner = (match.op.attributes[name] for name in ("alpha", "scale", "input_scale"))
    below = exponentials.expm1(match, _times(x, inner))
    below, above = _times(below, alpha * scale), _times(x, scale)
    return expr.where(x < 0, below, above)


def _times(x: Expr, factor: float) -> Expr:
    return x if factor == 1 else x * number(factor, x)


def leaky_relu(match: Match) -> Expr:
    """leaky_relu: below 0 a part of x."""
    x = match["self"]
    return sloped(x, scalar(match.op.attributes["negative_slope"], x))


def pow_(match: Match) -> Expr:
    """The power to a number, by products or the root where they make it."""
    return mathematics.constant_power(match["self"], float(match.op.attributes["exponent"]))


# ** of two **


def _second(match: Match, x: Expr, dtype: DType) -> Expr:
    """The second operand, or the number in its place."""
    if "other" in match.op.attributes:
        return number(match.op.attributes["other"], x)
    other = promoted(match, "other", dtype)
    require_broadcast(x, other)
    return other


def _binary(function: Binary, integer: Binary | None = None) -> Build:
    """Arithmetic in the result's type, on integers another one; `alpha` multiplies the second operand."""

    def binary(match: Match) -> Expr:
        dtype = result_dtype(match)
        if dtype is DType.BOOL:
            raise Decline("arithmetic on bool")
        x = promoted(match, "self")
        other = _second(match, x, dtype)
        other = _times(other, match.op.attributes.get("alpha", 1))
        return (function if x.dtype.is_float or integer is None else integer)(x, other)

    return binary


def _quotient(a: Expr, b: Expr) -> Expr:
    """By the reciprocal, at most 2 units in the last place off."""
    return a * reciprocal(b)


def _truncated(a: Expr, b: Expr) -> Expr:
    return intdiv(a, b)


def _in_fp32(function: Binary) -> Binary:
    """Returns the function of fp16 elements as ExecuTorch computes it: in fp32, rounded at the end."""

    def compute(a: Expr, b: Expr) -> Expr:
        return function(a.cast(DType.FP32), b.cast(DType.FP32)).cast(a.dtype)

    return compute


def rounded_quotient(match: Match) -> Expr:
    """Div with a rounding mode: none, floor, or on integers trunc."""
    mode = match.op.attributes["rounding_mode"]
    if mode == "floor":
        return _result(_binary(_in_fp32(mathematics.floor_div), integers.floor_div)(match))
    if mode == "trunc" and not result_dtype(match).is_float:
        return _result(_binary(_quotient, _truncated)(match))
    if mode is not None:
        raise Decline(f"rounding {mode!r} of {result_dtype(match).value}")
    return _result(_binary(_quotient)(match))


def _result(made: Expr | object) -> Expr:
    assert isinstance(made, Expr)
    return made


def _compared(function: Binary) -> Build:
    """A comparison in the type that both are promoted to."""

    def compared(match: Match) -> Expr:
        further = [match.op.attributes["other"]] if "other" in match.op.attributes else []
        dtype = common_dtype(match, *further)
        x = promoted(match, "self", dtype)
        return function(x, _second(match, x, dtype))

    return compared


def _differs(a: Expr, b: Expr) -> Expr:
    return ~(a == b)


COMPARISONS: dict[str, Binary] = {
    "eq": lambda a, b: a == b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "le": lambda a, b: b >= a,
    "lt": lambda a, b: b > a,
    "ne": _differs,
}


def _logic(row: OpDef, bits: OpDef | None = None) -> Build:
    """On truth values; `bits` are of integers."""

    def logic(match: Match) -> Expr:
        whole = bits is not None and result_dtype(match) is not DType.BOOL
        a = promoted(match, "self", None if whole else DType.BOOL)
        b = _second(match, a, result_dtype(match) if whole else DType.BOOL)
        return expr.elementwise(bits if whole and bits is not None else row, a, b)

    return logic


def where(match: Match) -> Expr:
    """where: one of two by a condition."""
    condition, a, b = match["condition"], promoted(match, "self"), promoted(match, "other")
    require_broadcast(condition, a, b)
    return expr.where(condition, a, b)


LOGIC = {
    "and": (ops.LOGICAL_AND, ops.BITWISE_AND),
    "or": (ops.LOGICAL_OR, ops.BITWISE_OR),
    "xor": (ops.LOGICAL_XOR, ops.BITWISE_XOR),
}
UNARY: dict[str, tuple[str, Build]] = {
    "abs": (NUMBERS, _unary(ops.ABS)),
    "bitwise_not": ("i32 i64 i16 i8 ui8 bool", bitwise_not),
    "ceil": (FLOATS, _unary(ops.CEIL)),
    "clamp": (NUMBERS, clamp),
    "cos": (NUMBERS, _unary(ops.COS)),
    "elu": (FLOATS, elu),
    "erf": (NUMBERS, _unary(ops.ERF)),
    "exp": (NUMBERS, _unary(ops.EXP)),
    "expm1": (NUMBERS, expm1),
    "floor": (FLOATS, _unary(ops.FLOOR)),
    "gelu": (FLOATS, gelu),
    "hardtanh": (FLOATS, hardtanh),
    "isnan": (FLOATS, isnan),
    "leaky_relu": (FLOATS, leaky_relu),
    "log": (NUMBERS, _unary(ops.LOG)),
    "log1p": (NUMBERS, log1p),
    "logical_not": (LOGICAL, logical_not),
    "neg": (NUMBERS, elementwise.neg),
    "reciprocal": (NUMBERS, _unary(ops.RECIPROCAL)),
    "relu": (NUMBERS, relu),
    "round": (FLOATS, mathematics.round_),
    "rsqrt": (NUMBERS, _unary(ops.RSQRT)),
    "sigmoid": (NUMBERS, _unary(ops.SIGMOID)),
    "sign": (NUMBERS, mathematics.sign),
    "sin": (NUMBERS, _unary(ops.SIN)),
    "sqrt": (FLOATS, elementwise.sqrt),
    "tanh": (NUMBERS, _unary(ops.TANH)),
}
BINARY: dict[str, Build] = {
    "add.out": _binary(operator.add),
    "sub.out": _binary(operator.sub),
    "mul.out": _binary(operator.mul),
    "mul.Scalar_out": _binary(operator.mul),
    "div.out": _binary(_quotient),
    "div.out_mode": rounded_quotient,
    "minimum.out": _binary(minimum),
    "maximum.out": _binary(maximum),
}

REWRITES: tuple[Rewrite, ...] = (
    *(rewrite(f"{name}.out", types, build) for name, (types, build) in UNARY.items()),
    *(rewrite(overload, LOGICAL, build) for overload, build in BINARY.items()),
    *(
        rewrite(f"{name}.{form}_out", LOGICAL, _compared(function))
        for name, function in COMPARISONS.items()
        for form in ("Tensor", "Scalar")
    ),
    *(
        rewrite(f"bitwise_{name}.{form}_out", "i32 i64 i16 i8 ui8 bool", _logic(*rows))
        for name, rows in LOGIC.items()
        for form in ("Tensor", "Scalar")
    ),
    *(rewrite(f"logical_{name}.out", LOGICAL, _logic(row)) for name, (row, _) in LOGIC.items()),
    rewrite("pow.Tensor_Scalar_out", FLOATS, pow_),
    rewrite("where.self_out", "bool", where),
)
