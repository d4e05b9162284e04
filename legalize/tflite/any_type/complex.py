"""Operators on complex numbers that move, cast or multiply them, as pairs of floats.

A graph can't be given or give complex tensors, as TOSA has no type for them.
"""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.any_type import layout, strided
from tosa_converter.rewriting.rewrite import Build, Complex, Decline, Match, Rewrite, condition


def _moved(build: Build) -> Build:
    """What moves elements moves those of both parts."""

    def moved(match: Match) -> list[Value]:
        halves = [build(_half(match, part)) for part in ("real", "imag")]
        pairs = zip(*([half] if isinstance(half, Value) else half for half in halves), strict=True)
        return [Complex(*pair) for pair in pairs]

    return moved


def _half(match: Match, part: str) -> Match:
    """The operator on one part of its complex operands."""
    values = {value: match.translate(value) for value in match.op.operands}
    halves = {value: getattr(new, part) if isinstance(new, Complex) else new for value, new in values.items()}
    return Match(match.op, halves, match.builder, match.options, match.report)


def mul(match: Match) -> Value:
    """MUL: (a + ib)(c + id) = ac - bd + i(ad + bc)."""
    builder, x, y = match.builder, match["lhs"], match["rhs"]
    if not isinstance(x, Complex) or not isinstance(y, Complex):
        raise Decline("an operand has no parts")
    return Complex(
        builder.sub(builder.mul(x.real, y.real), builder.mul(x.imag, y.imag)),
        builder.add(builder.mul(x.real, y.imag), builder.mul(x.imag, y.real)),
    )


def cast(match: Match) -> Value:
    """CAST: the real part as a float, a float as a real part (copyCast in cast.cc)."""
    builder, x, target = match.builder, match["input"], match.op.results[0].type.dtype
    if isinstance(x, Complex) and target is DType.FP32:
        return x.real
    if x.type.dtype is not DType.FP32 or target is not DType.COMPLEX64:
        raise Decline(f"a cast between {match.source('input').type.dtype.value} and {target.value}")
    return Complex(x, builder.sub(x, x) if x.constant is not None else builder.mul(x, builder.scalar(0, x)))


@condition("complex numbers")
def _is_complex(match: Match) -> str | None:
    dtypes = [value.type.dtype for value in (*match.op.operands, *match.op.results)]
    return None if DType.COMPLEX64 in dtypes else "nothing is complex"


MOVES: dict[str, Build] = {
    "broadcast_to": layout.broadcast_to,
    "concatenation": layout.concatenation,
    "expand_dims": layout.expand_dims,
    "gather": layout.gather,
    "pack": layout.pack,
    "reshape": layout.reshape,
    "reverse_v2": layout.reverse,
    "slice": layout.slice_,
    "split": layout.split,
    "squeeze": layout.squeeze,
    "strided_slice": strided.strided_slice,
    "tile": layout.tile,
    "transpose": layout.transpose,
    "unpack": layout.unpack,
}

REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.{name}", "", _moved(build), (_is_complex,)) for name, build in MOVES.items()),
    Rewrite("tfl.cast", "", cast, (_is_complex,)),
    Rewrite("tfl.mul", "", mul, (_is_complex,)),
)
