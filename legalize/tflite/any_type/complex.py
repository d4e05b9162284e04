"""Operators on complex numbers that move, cast or multiply them, as pairs of floats.

Inputs and outputs of a graph can't be complex, as TOSA has no type for them.
"""

from collections.abc import Callable
from typing import TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.any_type import layout, strided
from tosa_converter.rewriting.expr import Expr, scalar
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import Complex, Translation
from tosa_converter.rewriting.rule import Build, Rule, condition

BuildReal: TypeAlias = Callable[[Match], Expr]


def _lower_each_part(build: BuildReal) -> Build:
    """Returns a lowering of a complex operand: `build` is called for its real part and again for its imaginary part."""
    return lambda match: Complex(*(build(_on_part(match, part)) for part in ("real", "imag")))


def _on_part(match: Match, part: str) -> Match:
    """Returns the match with one part, "real" or "imag", in place of each complex operand; others stay as they are."""
    values = {value: match.translation(value) for value in match.op.operands}
    parts: dict[Value, Translation] = {
        value: getattr(new, part).value if isinstance(new, Complex) else new for value, new in values.items()
    }
    return Match(match.op, parts, match.options, match.report)


def mul(match: Match) -> Complex:
    """Lowers MUL of complex numbers: (a + ib)(c + id) = ac - bd + i(ad + bc)."""
    x, y = match.record("lhs", Complex), match.record("rhs", Complex)
    return Complex(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def real_part(match: Match) -> Expr:
    """Lowers CAST from complex64 to a float, which drops the imaginary part (copyCast in cast.cc)."""
    if match.op.results[0].type.dtype is not DType.FP32:
        raise Decline(f"expected a cast from complex64 to fp32, found {match.op.results[0].type.dtype.value}")
    return match.record("input", Complex).real


def without_imaginary_part(match: Match) -> Complex:
    """Lowers CAST from a float to complex64, with an imaginary part of 0."""
    x = match["input"]
    return Complex(x, scalar(0, x).broadcast(x.shape))


@condition("the result is complex64")
def _has_complex_result(match: Match) -> str | None:
    """Returns a reason to decline a result that isn't complex64, or None."""
    dtype = match.op.results[0].type.dtype
    return None if dtype is DType.COMPLEX64 else f"expected a result of complex64, found {dtype.value}"


MOVES: dict[str, BuildReal] = {
    "broadcast_to": layout.broadcast_to,
    "expand_dims": layout.expand_dims,
    "reshape": layout.reshape,
    "slice": layout.slice_,
    "squeeze": layout.squeeze,
    "strided_slice": strided.strided_slice,
    "transpose": layout.transpose,
}

RULES: tuple[Rule, ...] = (
    *(Rule(f"tfl.{name}", "complex64", _lower_each_part(build)) for name, build in MOVES.items()),
    Rule("tfl.cast", "complex64", real_part),
    Rule("tfl.cast", "fp32", without_imaginary_part, (_has_complex_result,)),
    Rule("tfl.mul", "complex64", mul),
)
