"""Operators on complex numbers that move, cast or multiply them, as pairs of floats.

A graph can't be given or give complex tensors, as TOSA has no type for them.
"""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.any_type import layout, strided
from tosa_converter.rewriting.expr import Expr, as_expr, scalar
from tosa_converter.rewriting.rewrite import Build, Complex, Decline, Match, Rewrite, condition


def _moved(build: Build) -> Build:
    """What moves elements moves those of both parts."""

    def moved(match: Match) -> list[Complex]:
        halves = [build(_half(match, part)) for part in ("real", "imag")]
        pairs = zip(*([half] if isinstance(half, Expr | Value) else half for half in halves), strict=True)
        return [Complex(*(as_expr(half) for half in pair)) for pair in pairs]

    return moved


def _half(match: Match, part: str) -> Match:
    """The operator on one part of its complex operands."""
    values = {value: match.translate(value) for value in match.op.operands}
    halves = {value: getattr(new, part).value if isinstance(new, Complex) else new for value, new in values.items()}
    return Match(match.op, halves, match.options, match.report)


def mul(match: Match) -> Complex:
    """MUL: (a + ib)(c + id) = ac - bd + i(ad + bc)."""
    x, y = match.value("lhs"), match.value("rhs")
    if not isinstance(x, Complex) or not isinstance(y, Complex):
        raise Decline("an operand has no parts")
    return Complex(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def real_part(match: Match) -> Expr:
    """CAST to a float leaves the imaginary part out (copyCast in cast.cc)."""
    x = match.value("input")
    if not isinstance(x, Complex) or match.op.results[0].type.dtype is not DType.FP32:
        raise Decline(f"a cast from complex64 to {match.op.results[0].type.dtype.value}")
    return x.real


def without_imaginary_part(match: Match) -> Complex:
    """CAST of a float."""
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

REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.{name}", "complex64", _moved(build)) for name, build in MOVES.items()),
    Rewrite("tfl.cast", "complex64", real_part),
    Rewrite("tfl.cast", "fp32", without_imaginary_part, (_to_complex,)),
    Rewrite("tfl.mul", "complex64", mul),
)
