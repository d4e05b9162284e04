"""Operators on complex numbers that move, cast or multiply them, as pairs of floats.

Inputs and outputs of a graph can't be complex, as TOSA has no type for them.
"""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.any_type import layout, strided
from tosa_converter.rewriting.expr import Expr, as_expr, scalar
from tosa_converter.rewriting.match import Complex, Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule, condition


def _by_parts(build: Build) -> Build:
    """Returns a lowering that moves the real and the imaginary part alike."""

    def build_parts(match: Match) -> list[Complex]:
        parts = [build(_on_part(match, part)) for part in ("real", "imag")]
        pairs = zip(*([part] if isinstance(part, Expr | Value) else part for part in parts), strict=True)
        return [Complex(*(as_expr(part) for part in pair)) for pair in pairs]

    return build_parts


def _on_part(match: Match, part: str) -> Match:
    """Returns the operator on the real or imaginary part of its complex operands."""
    values = {value: match.translate(value) for value in match.op.operands}
    parts = {value: getattr(new, part).value if isinstance(new, Complex) else new for value, new in values.items()}
    return Match(match.op, parts, match.options, match.report)


def mul(match: Match) -> Complex:
    """Builds MUL: (a + ib)(c + id) = ac - bd + i(ad + bc)."""
    x, y = match.value("lhs"), match.value("rhs")
    if not isinstance(x, Complex) or not isinstance(y, Complex):
        raise Decline("an operand isn't complex")
    return Complex(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def real_part(match: Match) -> Expr:
    """Builds CAST to a float, which leaves the imaginary part out (copyCast in cast.cc)."""
    x = match.value("input")
    if not isinstance(x, Complex) or match.op.results[0].type.dtype is not DType.FP32:
        raise Decline(f"a cast from complex64 to {match.op.results[0].type.dtype.value}")
    return x.real


def without_imaginary_part(match: Match) -> Complex:
    """Builds CAST of a float to a complex number."""
    x = match["input"]
    return Complex(x, scalar(0, x).broadcast(x.shape))


@condition("to complex64")
def _to_complex(match: Match) -> str | None:
    dtype = match.op.results[0].type.dtype
    return None if dtype is DType.COMPLEX64 else f"the result is of type {dtype.value}"


MOVES: dict[str, Build] = {
    "broadcast_to": layout.broadcast_to,
    "expand_dims": layout.expand_dims,
    "reshape": layout.reshape,
    "slice": layout.slice_,
    "squeeze": layout.squeeze,
    "strided_slice": strided.strided_slice,
    "transpose": layout.transpose,
}

RULES: tuple[Rule, ...] = (
    *(Rule(f"tfl.{name}", "complex64", _by_parts(build)) for name, build in MOVES.items()),
    Rule("tfl.cast", "complex64", real_part),
    Rule("tfl.cast", "fp32", without_imaginary_part, (_to_complex,)),
    Rule("tfl.mul", "complex64", mul),
)
