"""Arithmetic and functions of floats, one node for one operator."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.legalize.invert.xnnpack.movement import quantized
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule, rule
from tosa_converter.schemas import tosa_ops as ops

# By operator the node that computes it.
DIRECT = {
    "abs": "abs",
    "add": "add",
    "ceil": "ceiling",
    "cos": "cos",
    "exp": "exp",
    "floor": "floor",
    "log": "log",
    "maximum": "maximum",
    "minimum": "minimum",
    "negate": "negate",
    "rsqrt": "reciprocal_square_root",
    "sigmoid": "sigmoid",
    "sin": "sin",
    "sub": "subtract",
    "tanh": "tanh",
}
PAIRS = frozenset({"add", "maximum", "minimum", "sub"})
POWERS = {2.0: "square", 0.5: "square_root", -0.5: "reciprocal_square_root"}


def _direct(name: str, count: int) -> Build:
    def build(match: Match) -> Value:
        return xnn_builder().op(name, [match.value(i) for i in range(count)])

    return build


def clamp(match: Match) -> Value:
    """CLAMP: Clamp, of bytes to the numbers that its bounds stand for."""
    quant = match.op.results[0].type.quant
    low, high = (float(match.op.attributes[name]) for name in ("min_val", "max_val"))
    if quant is not None:
        low, high = ((end - quant.zero_point[0]) * quant.scale[0] for end in (low, high))
    return xnn_builder().op("clamp", [match.value(0)], output_min=low, output_max=high)


def reciprocal(match: Match) -> Value:
    """RECIPROCAL: Div of 1."""
    b, x = xnn_builder(), match.value(0)
    return b.op("div", [b.scalar(1, x), x])


@rule(pattern(ops.RECIPROCAL, pattern(ops.RSQRT, "x")), FLOATS, of=("x",))
def square_root(match: Match) -> Value:
    """RECIPROCAL(RSQRT(x)) -> SquareRoot."""
    return xnn_builder().op("square_root", [match.value("x")])


def mul(match: Match) -> Value:
    """MUL: Multiply; by itself, Square."""
    b, x, y = xnn_builder(), match.value(0), match.value(1)
    return b.op("square", [x]) if x is y else b.mul(x, y)


@rule(pattern(ops.MUL, "x", pattern(ops.RECIPROCAL, "y"), any_order=True), FLOATS, of=("x",))
def div(match: Match) -> Value:
    """MUL(x, RECIPROCAL(y)) -> Div."""
    root = match.source("y").producer
    match.require(root is None or root.row is not ops.RSQRT, "the reciprocal is a SquareRoot")
    return xnn_builder().op("div", [match.value("x"), match.value("y")])


def pow_(match: Match) -> Value:
    """POW of an exponent that a node has."""
    exponents = match.constant(1)
    name = POWERS.get(float(exponents.flat[0])) if exponents.size else None
    if name is None or (exponents != exponents.flat[0]).any():
        raise Decline("an exponent other than 2, 1/2 and -1/2, which XNNGraph has no node for")
    return xnn_builder().op(name, [match.value(0)])


def cast(match: Match) -> Value:
    """CAST from floats to floats: Convert."""
    dtype = match.op.results[0].type.dtype
    if dtype not in (DType.FP16, DType.FP32):
        raise Decline(f"a conversion to {dtype.value}: XNNGraph has quantized numbers of this type only")
    return xnn_builder().convert(match.value(0), dtype)


RULES: tuple[Rule, ...] = (
    *(Rule(f"tosa.{root}", FLOATS, _direct(name, 1 + (root in PAIRS))) for root, name in DIRECT.items()),
    Rule("tosa.clamp", f"{FLOATS} i8", clamp, (quantized,)),
    div,
    square_root,
    Rule("tosa.mul", FLOATS, mul),
    Rule("tosa.reciprocal", FLOATS, reciprocal),
    Rule("tosa.pow", FLOATS, pow_),
    Rule("tosa.cast", FLOATS, cast),
)
