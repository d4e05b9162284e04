"""Functions of TFLite on floats, and some on i32, that are several operators of TOSA."""

import functools
import operator

import numpy as np

from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.ops import functions
from tosa_converter.legalize.ops.casts import in_fp32
from tosa_converter.legalize.ops.elementwise import (
    FLOAT_MAX,
    floor_div,
    floor_mod,
    round_half_even,
    round_half_up,
    sign,
)
from tosa_converter.legalize.wrappers import binary, is_compact, unary
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tflite


def elu(match: Match) -> Expr:
    """Lowers ELU: x, or exp(x) - 1 below 0, which is expm1(x) unless numerics are compact."""
    return functions.elu(match["x"], compact=is_compact(match, "exp(x) - 1", "expm1"))


def gelu(match: Match) -> Expr:
    """Lowers GELU, computed in fp32 because its sum cancels far below 0."""
    formula = functools.partial(functions.gelu, approximate=match.attributes(tflite.GeluOptions).approximate)
    return in_fp32(formula)(match["input"])


def add_n(match: Match) -> Expr:
    """Lowers ADD_N to ADDs from the first operand to the last."""
    return functools.reduce(operator.add, match.operands)


def fake_quant(match: Match) -> Expr:
    """Lowers FAKE_QUANT: rounds to the steps of a range that is moved to have a step at 0 (NudgeQuantizationRange)."""
    low, high, scale = _range_with_zero(match.attributes(tflite.FakeQuantOptions))

    def round_to_steps(x: Expr) -> Expr:
        """Rounds x to the nearest step of [low, high], ties up; NaN becomes `low`."""
        steps = (clamp(x, low, high, nan_mode="IGNORE") - low) * float(np.float32(1) / np.float32(scale))
        return round_half_up(steps) * scale + low

    return in_fp32(round_to_steps)(match["input"])


def _range_with_zero(options: tflite.FakeQuantOptions) -> tuple[float, float, float]:
    """Returns the low end, the high end and the step of FAKE_QUANT's range, moved to have a step at 0, in float32.

    Raises:
        Decline: the options make no range, or one that the kernel refuses.
    """
    if options.narrow_range or not 2 <= options.num_bits <= 16 or not 0 < options.max - options.min <= FLOAT_MAX:
        raise Decline(f"expected a range with steps, found {options.min} to {options.max} in {options.num_bits} bits")
    # The range is moved so that 0 is a step. From -0.1 to 2 in 8 bits, a step is 0.0082353 and 0 is 12.14 steps above
    # the low end; with 12 steps the range is -0.0988235 to 2.0011764.
    last_step = np.float32((1 << options.num_bits) - 1)
    scale = (np.float32(options.max) - np.float32(options.min)) / last_step
    zero_point = np.floor(np.clip(np.float32(0) - np.float32(options.min) / scale, 0, last_step) + np.float32(0.5))
    return float((0 - zero_point) * scale), float((last_step - zero_point) * scale), float(scale)


OPERATORS: dict[str, tuple[str, Build]] = {
    "floor_mod": (FLOATS, binary(in_fp32(floor_mod))),
    "floor_div": (FLOATS, binary(in_fp32(floor_div))),
    "atan2": (FLOATS, binary(in_fp32(functions.atan2))),
    "round": (FLOATS, unary(round_half_even)),
    "sign": (f"{FLOATS} i32", unary(sign)),
    "fake_quant": (FLOATS, fake_quant),
    "pow": (f"{FLOATS} i32", binary(functions.power)),
    "elu": (FLOATS, elu),
    "gelu": (FLOATS, gelu),
    "add_n": (f"{FLOATS} i32", add_n),
}

RULES: tuple[Rule, ...] = tuple(
    Rule(f"tfl.{name}", types, build, (no_narrow_integers,)) for name, (types, build) in OPERATORS.items()
)
