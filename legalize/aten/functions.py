"""Functions of ATen that TOSA has no operator for: angles, logarithms, remainders, powers, distances."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.aten.common import (
    FLOATS,
    NUMBERS,
    arithmetic_operand,
    binary,
    kernel_rule,
    number,
    operand_pair,
    predicate,
    promoted,
    result_dtype,
    unary,
)
from tosa_converter.legalize.ops import elementwise, functions
from tosa_converter.legalize.ops.casts import in_fp32
from tosa_converter.legalize.ops.functions import constant_power
from tosa_converter.legalize.wrappers import Unary
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_sizes
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import reduce_max, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule


def remainder(match: Match) -> Expr:
    """Computes remainder: what floored division leaves; of integers ExecuTorch has the truncated one (math_util.h)."""
    if result_dtype(match).is_float:
        return binary(in_fp32(elementwise.floor_mod))(match)
    match.note_once("the remainder of integers has the dividend's sign, as in ExecuTorch; in PyTorch the divisor's")
    return binary(elementwise.fmod)(match)


def power(match: Match) -> Expr:
    """Computes pow of two tensors, or of a number to each exponent."""
    if "self" in match.op.attributes:
        exponent = arithmetic_operand(match, "exponent")
        base = number(match.op.attributes["self"], exponent)
    else:
        base, exponent = operand_pair(match, second="exponent")
    return in_fp32(functions.power)(base, exponent)


def clamp_by_tensors(match: Match) -> Expr:
    """Computes clamp between two tensors, or on one side."""
    y = promoted(match, "self")
    for name, extreme in (("min", maximum), ("max", minimum)):
        if match.has(name):
            bound = promoted(match, name)
            require_broadcast(y, bound)
            y = extreme(y, bound)
    return y


# ** distances **


def cdist(match: Match) -> Expr:
    """Computes _cdist_forward: the distances of all rows of x1 to all rows of x2, by the norm p."""
    p = float(match.op.attributes["p"])
    a, b = (match[name].cast(DType.FP32) for name in ("x1", "x2"))
    if a.rank < 2 or b.rank < 2 or not p >= 0:
        raise Decline(f"distances of {a.type} and {b.type} by the norm {p}")
    require_sizes("columns", b.shape[-1:], a.shape[-1:])
    (*outer, rows, width), (*_, columns, _) = a.shape, b.shape
    require_broadcast(*(const(np.zeros(shape[:-2]), DType.FP32) for shape in (a.shape, b.shape)))
    a = a.reshape((*outer, rows, 1, width))
    b = b.reshape((*b.shape[:-2], 1, columns, width))
    distances = _norm(abs(a - b), p)
    return distances.reshape(distances.shape[:-1]).cast(result_dtype(match))


def _norm(size: Expr, p: float) -> Expr:
    """Returns the norm p of magnitudes along the last axis, which stays with size 1; 0 counts those that aren't 0."""
    axis = size.rank - 1
    if p == math.inf:
        return reduce_max(size, axis)
    if p == 0:
        return reduce_sum(where(size > 0, scalar(1, size), 0), axis)
    return constant_power(reduce_sum(constant_power(size, p), axis), 1 / p)


UNARY: dict[str, Unary] = {
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
    *(kernel_rule(f"{name}.out", NUMBERS, unary(in_fp32(function))) for name, function in UNARY.items()),
    kernel_rule("trunc.out", FLOATS, unary(elementwise.truncate)),
    kernel_rule("isinf.out", FLOATS, predicate(elementwise.is_infinite)),
    *(kernel_rule(f"fmod.{form}_out", NUMBERS, binary(in_fp32(elementwise.fmod))) for form in ("Tensor", "Scalar")),
    *(kernel_rule(f"remainder.{form}_out", NUMBERS, remainder) for form in ("Tensor", "Scalar")),
    kernel_rule("pow.Tensor_Tensor_out", FLOATS, power),
    kernel_rule("pow.Scalar_out", FLOATS, power),
    kernel_rule("atan2.out", FLOATS, binary(in_fp32(functions.atan2))),
    kernel_rule("clamp.Tensor_out", NUMBERS, clamp_by_tensors),
    kernel_rule("_cdist_forward.out", FLOATS, cdist),
)
