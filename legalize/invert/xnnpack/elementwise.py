"""Arithmetic and functions of floats, one node for one operator."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.legalize.invert.xnnpack.movement import has_quant
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule, rule
from tosa_converter.schemas import tosa_ops as ops

# Operators with a node of their own, and the nodes' names.
SAME_NAMES = ("abs", "add", "cos", "exp", "floor", "log", "maximum", "minimum", "negate", "sigmoid", "sin", "tanh")
NODES = dict(zip(SAME_NAMES, SAME_NAMES, strict=True))
NODES |= {"ceil": "ceiling", "rsqrt": "reciprocal_square_root", "sub": "subtract"}
POWERS = {2.0: "square", 0.5: "square_root", -0.5: "reciprocal_square_root"}


def _replace_by_node(name: str) -> Build:
    """Returns the build function of a rule that replaces an elementwise TOSA operator by XNNPACK's node `name`."""

    def build(match: Match) -> Value:
        """Appends XNNPACK's node `name` for the matched operator, whose tensors are its first operands."""
        assert match.op.row is not None
        return xnn_builder().op(name, [match.value(i) for i in range(match.op.row.elementwise)])

    return build


def clamp(match: Match) -> Value:
    """Converts TOSA's CLAMP to XNNPACK's Clamp; of int8, the bounds become the real numbers that they represent."""
    quant = match.op.results[0].type.quant
    low, high = (float(match.op.attributes[name]) for name in ("min_val", "max_val"))
    if quant is not None:
        low, high = ((end - quant.zero_point[0]) * quant.scale[0] for end in (low, high))
    return xnn_builder().op("clamp", [match.value(0)], output_min=low, output_max=high)


def reciprocal(match: Match) -> Value:
    """Converts TOSA's RECIPROCAL to XNNPACK's Div, 1 / x."""
    b, x = xnn_builder(), match.value(0)
    return b.op("div", [b.scalar(1, x), x])


@rule(pattern(ops.RECIPROCAL, pattern(ops.RSQRT, "x")), FLOATS, of=("x",))
def square_root(match: Match) -> Value:
    """RECIPROCAL(RSQRT(x)) of TOSA -> XNNPACK's SquareRoot.

    TOSA has no square root; lowerings write it as this reciprocal.
    """
    return xnn_builder().op("square_root", [match.value("x")])


def mul(match: Match) -> Value:
    """Converts TOSA's MUL to XNNPACK's Multiply, or to Square if both factors are the same value."""
    b, x, y = xnn_builder(), match.value(0), match.value(1)
    return b.op("square", [x]) if x is y else b.mul(x, y)


@rule(pattern(ops.MUL, "x", pattern(ops.RECIPROCAL, "y"), any_order=True), FLOATS, of=("x",))
def div(match: Match) -> Value:
    """MUL(x, RECIPROCAL(y)) of TOSA -> XNNPACK's Div.

    TOSA has no division of floats; lowerings write it as this product. 1 / RSQRT(...) is left to `square_root`.
    """
    root = match.source("y").producer
    is_root = root is not None and root.row is ops.RSQRT
    match.require(not is_root, "expected a quotient, found the square root RECIPROCAL(RSQRT(...))")
    return xnn_builder().op("div", [match.value("x"), match.value("y")])


def pow_(match: Match) -> Value:
    """Converts TOSA's POW with the exponent 2, 1/2 or -1/2 to Square, SquareRoot or ReciprocalSquareRoot."""
    exponents = match.constant(1)
    name = POWERS.get(float(exponents.flat[0])) if exponents.size else None
    if name is None or (exponents != exponents.flat[0]).any():
        raise Decline("expected the exponent 2, 1/2 or -1/2: XNNGraph has no other power")
    return xnn_builder().op(name, [match.value(0)])


def cast(match: Match) -> Value:
    """Converts TOSA's CAST from floats to floats to XNNPACK's Convert; other result types are declined."""
    dtype = match.op.results[0].type.dtype
    if dtype not in (DType.FP16, DType.FP32):
        raise Decline(f"a conversion to {dtype.value}: XNNGraph has quantized numbers of this type only")
    return xnn_builder().convert(match.value(0), dtype)


RULES: tuple[Rule, ...] = (
    *(Rule(f"tosa.{root}", FLOATS, _replace_by_node(name)) for root, name in NODES.items()),
    Rule("tosa.clamp", f"{FLOATS} i8", clamp, (has_quant,)),
    div,
    square_root,
    Rule("tosa.mul", FLOATS, mul),
    Rule("tosa.reciprocal", FLOATS, reciprocal),
    Rule("tosa.pow", FLOATS, pow_),
    Rule("tosa.cast", FLOATS, cast),
)
