"""Arithmetic, comparisons, logic and activations of ATen, element by element."""

import functools
import math
import operator

from tosa_converter.dtypes import DType
from tosa_converter.legalize.aten.common import (
    FLOATS,
    LOGICAL,
    NUMBERS,
    Kernel,
    binary,
    common_dtype,
    kernel_rule,
    number,
    operand_pair,
    predicate,
    promoted,
    result_dtype,
    unary,
)
from tosa_converter.legalize.ops import functions
from tosa_converter.legalize.ops.casts import in_fp32
from tosa_converter.legalize.ops.elementwise import divide, floor_div, is_nan, round_half_even, sign, sqrt
from tosa_converter.legalize.wrappers import Binary, Lowering, is_compact
from tosa_converter.legalize.xnnpack.checks import require_broadcast
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import (
    Expr,
    ceil,
    cos,
    erf,
    exp,
    floor,
    log,
    maximum,
    minimum,
    reciprocal,
    rsqrt,
    sigmoid,
    sin,
    tanh,
)
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

# ** of one operand **


def expm1(match: Match) -> Expr:
    """Computes expm1 in fp32."""
    function = functools.partial(functions.expm1, compact=is_compact(match, "exp(x) - 1", "expm1"))
    return unary(in_fp32(function))(match)


def log1p(match: Match) -> Expr:
    """Computes log1p in fp32."""
    function = functools.partial(functions.log1p, compact=is_compact(match, "log(1 + x)", "log1p"))
    return unary(in_fp32(function))(match)


def clamp(match: Match) -> Expr:
    """Computes clamp between two numbers, or on one side; bounds the wrong way round give the upper one."""
    x = promoted(match, "self")
    low, high = match.op.attributes["min"], match.op.attributes["max"]
    if any(bound is not None and math.isnan(bound) for bound in (low, high)):
        raise Decline(f"bounds {low} and {high}")
    if x.dtype.is_float:
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        if low <= high:
            return expr.clamp(x, low, high)
    x = x if low is None else maximum(x, number(low, x))
    return x if high is None else minimum(x, number(high, x))


def hardtanh(match: Match) -> Expr:
    """Computes hardtanh: clamp between two numbers."""
    low, high = match.op.attributes["min_val"], match.op.attributes["max_val"]
    if not low <= high:
        raise Decline(f"bounds from {low} to {high}")
    return expr.clamp(match["self"], low, high)


def relu(x: Expr) -> Expr:
    """Returns x, at least 0."""
    return expr.clamp(x, 0, math.inf if x.dtype.is_float else x.dtype.limits[1])


def gelu(match: Match) -> Expr:
    """Computes gelu by the error function, or by tanh."""
    form = match.op.attributes["approximate"]
    if form not in ("none", "tanh"):
        raise Decline(f"the form {form!r}, which ATen doesn't have")
    return in_fp32(functools.partial(functions.gelu, approximate=form == "tanh"))(match["self"])


def elu(match: Match) -> Expr:
    """Computes elu in fp32."""
    factors = {name: match.op.attributes[name] for name in ("alpha", "scale", "input_scale")}
    compact = is_compact(match, "exp(x) - 1", "expm1")
    return unary(in_fp32(functools.partial(functions.elu, **factors, compact=compact)))(match)


def leaky_relu(match: Match) -> Expr:
    """Computes leaky_relu."""
    return functions.leaky_relu(match["self"], match.op.attributes["negative_slope"])


def power(match: Match) -> Expr:
    """Computes pow with a number as exponent."""
    return functions.constant_power(match["self"], float(match.op.attributes["exponent"]))


# ** of two operands **


def arithmetic(function: Binary) -> Lowering:
    """Returns the build function of arithmetic in the result's type; `alpha` multiplies the second operand."""

    def build(match: Match) -> Expr:
        if result_dtype(match) is DType.BOOL:
            raise Decline("arithmetic on bool")
        x, other = operand_pair(match)
        alpha = match.op.attributes.get("alpha", 1)
        return function(x, other if alpha == 1 else other * number(alpha, other))

    return build


def quotient(match: Match) -> Expr:
    """Computes div without rounding, whose results are floats."""
    if not result_dtype(match).is_float:
        raise Decline(f"a quotient of {result_dtype(match).value} without rounding")
    return arithmetic(divide)(match)


def rounded_quotient(match: Match) -> Expr:
    """Computes div with a rounding mode: none, floor, or on integers trunc."""
    mode = match.op.attributes["rounding_mode"]
    if mode is None:
        return quotient(match)
    if mode == "floor":
        return arithmetic(in_fp32(floor_div))(match)
    if mode != "trunc" or result_dtype(match).is_float:
        raise Decline(f"rounding {mode!r} of {result_dtype(match).value}")
    return arithmetic(divide)(match)


def comparison(function: Binary) -> Lowering:
    """Returns the build function of a comparison in the type to which both operands are promoted."""

    def build(match: Match) -> Expr:
        numbers = [match.op.attributes["other"]] if "other" in match.op.attributes else []
        return function(*operand_pair(match, common_dtype(match, *numbers)))

    return build


def where(match: Match) -> Expr:
    """Computes where: one of two by a condition."""
    condition, a, b = match["condition"], promoted(match, "self"), promoted(match, "other")
    require_broadcast(condition, a, b)
    return expr.where(condition, a, b)


INTEGERS = "i32 i64 i16 i8 ui8 bool"
UNARY: dict[str, tuple[str, Kernel]] = {
    "abs": (NUMBERS, unary(abs)),
    "bitwise_not": (INTEGERS, unary(operator.invert)),
    "ceil": (FLOATS, unary(ceil)),
    "clamp": (NUMBERS, clamp),
    "cos": (NUMBERS, unary(cos)),
    "elu": (FLOATS, elu),
    "erf": (NUMBERS, unary(erf)),
    "exp": (NUMBERS, unary(exp)),
    "expm1": (NUMBERS, expm1),
    "floor": (FLOATS, unary(floor)),
    "gelu": (FLOATS, gelu),
    "hardtanh": (FLOATS, hardtanh),
    "isnan": (FLOATS, predicate(is_nan)),
    "leaky_relu": (FLOATS, leaky_relu),
    "log": (NUMBERS, unary(log)),
    "log1p": (NUMBERS, log1p),
    "logical_not": (LOGICAL, unary(operator.invert, DType.BOOL)),
    "neg": (NUMBERS, unary(operator.neg)),
    "reciprocal": (NUMBERS, unary(reciprocal)),
    "relu": (NUMBERS, unary(relu)),
    "round": (FLOATS, unary(round_half_even)),
    "rsqrt": (NUMBERS, unary(rsqrt)),
    "sigmoid": (NUMBERS, unary(sigmoid)),
    "sign": (NUMBERS, unary(sign)),
    "sin": (NUMBERS, unary(sin)),
    "sqrt": (FLOATS, unary(sqrt)),
    "tanh": (NUMBERS, unary(tanh)),
}
BINARY: dict[str, Kernel] = {
    "add.out": arithmetic(operator.add),
    "sub.out": arithmetic(operator.sub),
    "mul.out": arithmetic(operator.mul),
    "mul.Scalar_out": arithmetic(operator.mul),
    "div.out": quotient,
    "div.out_mode": rounded_quotient,
    "minimum.out": arithmetic(minimum),
    "maximum.out": arithmetic(maximum),
}
COMPARISONS: dict[str, Binary] = {
    "eq": operator.eq,
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
    "ne": operator.ne,
}
LOGIC: dict[str, Binary] = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
FORMS = ("Tensor", "Scalar")

RULES: tuple[Rule, ...] = (
    *(kernel_rule(f"{name}.out", types, build) for name, (types, build) in UNARY.items()),
    *(kernel_rule(overload, LOGICAL, build) for overload, build in BINARY.items()),
    *(
        kernel_rule(f"{name}.{form}_out", LOGICAL, comparison(function))
        for name, function in COMPARISONS.items()
        for form in FORMS
    ),
    *(
        kernel_rule(f"bitwise_{name}.{form}_out", INTEGERS, binary(function))
        for name, function in LOGIC.items()
        for form in FORMS
    ),
    *(kernel_rule(f"logical_{name}.out", LOGICAL, binary(function, DType.BOOL)) for name, function in LOGIC.items()),
    kernel_rule("pow.Tensor_Scalar_out", FLOATS, power),
    kernel_rule("where.self_out", "bool", where),
)
