"""AVERAGE_POOL_2D and MAX_POOL_2D on 8-bit elements; the kernels look at no scale but that of a fused activation."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    INT8_MIN,
    as_reference,
    eight_bit,
    same_type,
    stored,
    stored_range,
    to_result_type,
)
from tosa_converter.legalize.quant.requantize import clamped
from tosa_converter.legalize.windows import padding_2d, pooled
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import avg_pool2d, max_pool2d
from tosa_converter.rewriting.rewrite import Match, Rewrite


def average_pool_2d(match: Match) -> Expr:
    """AVERAGE_POOL_2D -> AVG_POOL2D.

    The int8 kernel rounds half away from the stored 0, the uint8 kernel half up. So does AVG_POOL2D with zero points of
    0 and -128: its reciprocal_scale is 2**-30 too large, enough to push every tie away from zero, and for windows of
    less than 2**22 elements too little to move anything else.
    """
    x, (kernel, window) = stored(match, "input"), pooled(match)
    y = avg_pool2d(
        x,
        kernel=kernel,
        stride=window.stride,
        pad=padding_2d(window, x, kernel),
        zp=INT8_MIN if match.op.results[0].type.dtype is DType.UI8 else 0,
    )
    return to_result_type(match, clamped(y, *stored_range(match)))


def max_pool_2d(match: Match) -> Expr:
    """MAX_POOL_2D -> MAX_POOL2D."""
    x, (kernel, window) = stored(match, "input"), pooled(match)
    y = max_pool2d(x, kernel=kernel, stride=window.stride, pad=padding_2d(window, x, kernel))
    return to_result_type(match, clamped(y, *stored_range(match)))


CHECKS = (eight_bit(0, plain=True), same_type, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.average_pool_2d", BYTES, average_pool_2d, CHECKS),
    Rewrite("tfl.max_pool_2d", BYTES, max_pool_2d, CHECKS),
)
