"""Arithmetic, comparisons, logic and functions of ATen, element by element."""

import functools
import math
import operator
from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize.aten.common import (
    FLOATS,
    LOGICAL,
    NUMBERS,
    Kernel,
    arithmetic_operand,
    binary,
    common_dtype,
    kernel_rules,
    number,
    operand_pair,
    predicate,
    promoted,
    result_dtype,
    unary,
)
from tosa_converter.legalize.ops import elementwise, functions
from tosa_converter.legalize.ops.casts import in_fp32
from tosa_converter.legalize.wrappers import Binary, Lowering, Unary, is_compact
from tosa_converter.legalize.xnnpack.checks import require_broadcast
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, maximum, minimum
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule

# ** of one operand **


def precise(function: Callable[..., Expr], formula: str) -> Lowering:
    """Returns the build function of an ATen function in fp32; compact numerics compute it by a short formula.

    `formula` is that formula as text, for a note in the report.
    """

    def build(match: Match) -> Expr:
        """Lowers the matched ATen operator by `function` in fp32; compact numerics use its short formula."""
        compact = is_compact(match, formula, function.__name__)
        return unary(in_fp32(functools.partial(function, compact=compact)))(match)

    return build


def relu(x: Expr) -> Expr:
    """Returns max(x, 0), for aten.relu."""
    return expr.clamp(x, 0, math.inf if x.dtype.is_float else x.dtype.limits[1])


def gelu(match: Match) -> Expr:
    """Lowers aten.gelu, x * P(X <= x) of the normal distribution: exactly by erf, or by its approximation with tanh."""
    form = match.op.attributes["approximate"]
    match.require(form in ("none", "tanh"), f"expected the form 'none' or 'tanh' of gelu, found {form!r}")
    return in_fp32(functools.partial(functions.gelu, approximate=form == "tanh"))(match["self"])


def elu(match: Match) -> Expr:
    """Lowers aten.elu in fp32: scale * x if x > 0, else scale * alpha * (exp(x * input_scale) - 1)."""
    factors = {name: match.op.attributes[name] for name in ("alpha", "scale", "input_scale")}
    compact = is_compact(match, "exp(x) - 1", "expm1")
    return unary(in_fp32(functools.partial(functions.elu, **factors, compact=compact)))(match)


def leaky_relu(match: Match) -> Expr:
    """Lowers aten.leaky_relu: x where it is positive, else x * negative_slope."""
    return functions.leaky_relu(match["self"], match.op.attributes["negative_slope"])


# ** bounds **


def clamp(match: Match) -> Expr:
    """Lowers aten.clamp by one or two numbers; if the lower bound is the larger one, the upper bound is the result.

    Bounds that are NaN are declined.
    """
    x = promoted(match, "self")
    low, high = match.op.attributes["min"], match.op.attributes["max"]
    is_nan = any(bound is not None and math.isnan(bound) for bound in (low, high))
    match.require(not is_nan, f"expected numbers as bounds, found {low} and {high}")
    if x.dtype.is_float:
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        if low <= high:
            return expr.clamp(x, low, high)
    x = x if low is None else maximum(x, number(low, x))
    return x if high is None else minimum(x, number(high, x))


def clamp_by_tensors(match: Match) -> Expr:
    """Lowers aten.clamp by tensors, either of which may be absent: min(max(self, min), max), in this order."""
    y = promoted(match, "self")
    for name, extreme in (("min", maximum), ("max", minimum)):
        if match.has(name):
            bound = promoted(match, name)
            require_broadcast(y, bound)
            y = extreme(y, bound)
    return y


def hardtanh(match: Match) -> Expr:
    """Lowers aten.hardtanh: clamp to [min_val, max_val]."""
    low, high = match.op.attributes["min_val"], match.op.attributes["max_val"]
    match.require(low <= high, f"expected a lower and an upper bound, found {low} and {high}")
    return expr.clamp(match["self"], low, high)


# ** of two operands **


def arithmetic(function: Binary) -> Lowering:
    """Returns the build function of an ATen operator function(self, alpha * other), computed in the result's type."""

    def build(match: Match) -> Expr:
        """Lowers the matched operator to function(self, alpha * other); `alpha` is 1 if it is absent."""
        match.require(result_dtype(match) is not DType.BOOL, "expected numbers for arithmetic, found booleans")
        x, other = operand_pair(match)
        alpha = match.op.attributes.get("alpha", 1)
        return function(x, other if alpha == 1 else other * number(alpha, other))

    return build


def quotient(match: Match) -> Expr:
    """Lowers aten.div: exact for floats, truncated for integers, or floored if `rounding_mode` is 'floor'."""
    mode, dtype = match.op.attributes.get("rounding_mode"), result_dtype(match)
    if mode == "floor":
        return arithmetic(in_fp32(elementwise.floor_div))(match)
    expected = None if dtype.is_float else "trunc"
    match.require(mode == expected, f"expected the rounding mode {expected!r} or 'floor', found {mode!r}")
    return arithmetic(elementwise.divide)(match)


def remainder(match: Match) -> Expr:
    """Lowers aten.remainder: the rest of a floored division of floats, or of a truncated one of integers.

    For integers, ExecuTorch differs from PyTorch here.
    """
    if result_dtype(match).is_float:
        return binary(in_fp32(elementwise.floor_mod))(match)
    match.note_once("the remainder of integers has the dividend's sign as in ExecuTorch; PyTorch has the divisor's")
    return binary(elementwise.fmod)(match)


def constant_power(match: Match) -> Expr:
    """Lowers aten.pow of a tensor whose exponent is a number."""
    return functions.constant_power(match["self"], float(match.op.attributes["exponent"]))


def power(match: Match) -> Expr:
    """Lowers aten.pow of two tensors, or of a number and a tensor of exponents."""
    if "self" in match.op.attributes:
        exponent = arithmetic_operand(match, "exponent")
        base = number(match.op.attributes["self"], exponent)
    else:
        base, exponent = operand_pair(match, second="exponent")
    return in_fp32(functions.power)(base, exponent)


def comparison(function: Binary) -> Lowering:
    """Returns the build function of an ATen comparison, whose operands are promoted to a common type first."""

    def build(match: Match) -> Expr:
        """Lowers the matched comparison: promotes both operands to their common type, and compares them."""
        return function(*operand_pair(match, common_dtype(match)))

    return build


def where(match: Match) -> Expr:
    """Lowers aten.where: takes each element of `self` where the condition is true, of `other` elsewhere."""
    condition, a, b = match["condition"], promoted(match, "self"), promoted(match, "other")
    require_broadcast(condition, a, b)
    return expr.where(condition, a, b)


INTEGERS = "i32 i64 i16 i8 ui8 bool"
UNARY: dict[str, tuple[str, Kernel]] = {
    "abs": (NUMBERS, unary(abs)),
    "bitwise_not": (INTEGERS, unary(operator.invert)),
    "ceil": (FLOATS, unary(expr.ceil)),
    "clamp": (NUMBERS, clamp),
    "cos": (NUMBERS, unary(expr.cos)),
    "elu": (FLOATS, elu),
    "erf": (NUMBERS, unary(expr.erf)),
    "exp": (NUMBERS, unary(expr.exp)),
    "expm1": (NUMBERS, precise(functions.expm1, "exp(x) - 1")),
    "floor": (FLOATS, unary(expr.floor)),
    "gelu": (FLOATS, gelu),
    "hardtanh": (FLOATS, hardtanh),
    "isinf": (FLOATS, predicate(elementwise.is_infinite)),
    "isnan": (FLOATS, predicate(elementwise.is_nan)),
    "leaky_relu": (FLOATS, leaky_relu),
    "log": (NUMBERS, unary(expr.log)),
    "log1p": (NUMBERS, precise(functions.log1p, "log(1 + x)")),
    "logical_not": (LOGICAL, unary(operator.invert, DType.BOOL)),
    "neg": (NUMBERS, unary(operator.neg)),
    "reciprocal": (NUMBERS, unary(expr.reciprocal)),
    "relu": (NUMBERS, unary(relu)),
    "round": (FLOATS, unary(elementwise.round_half_even)),
    "rsqrt": (NUMBERS, unary(expr.rsqrt)),
    "sigmoid": (NUMBERS, unary(expr.sigmoid)),
    "sign": (NUMBERS, unary(elementwise.sign)),
    "sin": (NUMBERS, unary(expr.sin)),
    "sqrt": (FLOATS, unary(elementwise.sqrt)),
    "tanh": (NUMBERS, unary(expr.tanh)),
    "trunc": (FLOATS, unary(elementwise.truncate)),
}
# Functions of real numbers, computed in fp32.
REAL: dict[str, Unary] = {
    "acos": functions.arccos,
    "acosh": functions.arccosh,
    "asin": functions.arcsin,
    "asinh": functions.arcsinh,
    "atan": functions.arctan,
    "atanh": functions.arctanh,
    "cosh": functions.cosh,
    "log10": functions.logarithm(10),
    "log2": functions.logarithm(2),
    "sinh": functions.sinh,
    "tan": functions.tan,
}

RULES: tuple[Rule, ...] = (
    *(rule for name, (types, build) in UNARY.items() for rule in kernel_rules(f"{name}.out", types, build)),
    *(rule for name, f in REAL.items() for rule in kernel_rules(f"{name}.out", NUMBERS, unary(in_fp32(f)))),
    *kernel_rules("clamp.Tensor_out", NUMBERS, clamp_by_tensors),
    *kernel_rules("add.out", LOGICAL, arithmetic(operator.add)),
    *kernel_rules("sub.out", LOGICAL, arithmetic(operator.sub)),
    *kernel_rules("mul.out mul.Scalar_out", LOGICAL, arithmetic(operator.mul)),
    *kernel_rules("div.out div.out_mode", LOGICAL, quotient),
    *kernel_rules("fmod.Tensor_out fmod.Scalar_out", NUMBERS, binary(in_fp32(elementwise.fmod))),
    *kernel_rules("remainder.Tensor_out remainder.Scalar_out", NUMBERS, remainder),
    *kernel_rules("minimum.out", LOGICAL, arithmetic(minimum)),
    *kernel_rules("maximum.out", LOGICAL, arithmetic(maximum)),
    *kernel_rules("pow.Tensor_Scalar_out", FLOATS, constant_power),
    *kernel_rules("pow.Tensor_Tensor_out pow.Scalar_out", FLOATS, power),
    *kernel_rules("atan2.out", FLOATS, binary(in_fp32(functions.atan2))),
    *kernel_rules("eq.Tensor_out eq.Scalar_out", LOGICAL, comparison(operator.eq)),
    *kernel_rules("ge.Tensor_out ge.Scalar_out", LOGICAL, comparison(operator.ge)),
    *kernel_rules("gt.Tensor_out gt.Scalar_out", LOGICAL, comparison(operator.gt)),
    *kernel_rules("le.Tensor_out le.Scalar_out", LOGICAL, comparison(operator.le)),
    *kernel_rules("lt.Tensor_out lt.Scalar_out", LOGICAL, comparison(operator.lt)),
    *kernel_rules("ne.Tensor_out ne.Scalar_out", LOGICAL, comparison(operator.ne)),
    *kernel_rules("bitwise_and.Tensor_out bitwise_and.Scalar_out", INTEGERS, binary(operator.and_)),
    *kernel_rules("bitwise_or.Tensor_out bitwise_or.Scalar_out", INTEGERS, binary(operator.or_)),
    *kernel_rules("bitwise_xor.Tensor_out bitwise_xor.Scalar_out", INTEGERS, binary(operator.xor)),
    *kernel_rules("logical_and.out", LOGICAL, binary(operator.and_, DType.BOOL)),
    *kernel_rules("logical_or.out", LOGICAL, binary(operator.or_, DType.BOOL)),
    *kernel_rules("logical_xor.out", LOGICAL, binary(operator.xor, DType.BOOL)),
    *kernel_rules("where.self_out", "bool", where),
)
