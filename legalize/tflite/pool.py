"""AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D of every type: one function each."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES, FLOATS, no_narrow_integers
from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.quant.elements import (
    INT8_MIN,
    as_reference,
    eight_bit,
    same_type,
    sixteen_bit,
    stored_elements,
    stored_range,
    to_result_type,
)
from tosa_converter.legalize.quant.requantize import clamp_to_range
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.legalize.tflite.windows import pool_window
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule

LARGEST_WINDOW = 1 << 14


def average_pool_2d(match: Match) -> Expr:
    """Lowers AVERAGE_POOL_2D: padding isn't counted, neither by the kernels nor by AVG_POOL2D.

    The int8 and int16 kernels round half away from the stored 0, the uint8 kernel half up. So does AVG_POOL2D with zero
    points of 0 and -128: its reciprocal_scale is above 1/n by a part of up to 2**-30, enough to push every tie away
    from zero. For windows of less than 2**22 elements of int8, or 2**14 of int16, that is too little to move anything
    else.
    """
    x, window = stored_elements(match, "input"), pool_window(match)
    result = match.op.results[0].type.dtype
    if result.bits == 16 and result.is_integer and window.kernel[0] * window.kernel[1] >= LARGEST_WINDOW:
        match.note("a window of 2**14 elements or more: the average may differ by 1 step")
    zero_point = INT8_MIN if result is DType.UI8 else 0
    return _apply_activation(match, windows.average_pool(x, window, zero_point))


def max_pool_2d(match: Match) -> Expr:
    """Lowers MAX_POOL_2D: a NaN never compares as greater, so the kernel passes it over."""
    x = stored_elements(match, "input")
    return _apply_activation(
        match, windows.max_pool(x, pool_window(match), "IGNORE" if x.dtype.is_float else "PROPAGATE")
    )


def l2_pool_2d(match: Match) -> Expr:
    """Lowers L2_POOL_2D: the root of the mean square of the pixels inside the image (L2Pool, reference/pooling.h)."""
    return fused_activation(match, windows.l2_pool(match["input"], pool_window(match)))


def _apply_activation(match: Match, y: Expr) -> Expr:
    """Applies a pool's fused activation; integers are clamped to its range and converted to the result's type."""
    if y.dtype.is_float:
        return fused_activation(match, y)
    return to_result_type(match, clamp_to_range(y, *stored_range(match)))


EIGHT_BIT = (eight_bit(0, plain=True), same_type, as_reference)
SIXTEEN_BIT = (sixteen_bit(0, plain=True, symmetric=False), same_type, as_reference)
RULES: tuple[Rule, ...] = (
    Rule("tfl.average_pool_2d", BYTES, average_pool_2d, EIGHT_BIT, label="int8.average_pool_2d"),
    Rule("tfl.average_pool_2d", "i16", average_pool_2d, SIXTEEN_BIT, label="int16.average_pool_2d"),
    Rule("tfl.average_pool_2d", FLOATS, average_pool_2d, (no_narrow_integers,), label="float.average_pool_2d"),
    Rule("tfl.max_pool_2d", BYTES, max_pool_2d, EIGHT_BIT, label="int8.max_pool_2d"),
    Rule("tfl.max_pool_2d", "i16", max_pool_2d, SIXTEEN_BIT, label="int16.max_pool_2d"),
    Rule("tfl.max_pool_2d", FLOATS, max_pool_2d, (no_narrow_integers,), label="float.max_pool_2d"),
    Rule("tfl.l2_pool_2d", "fp32", l2_pool_2d),
)
