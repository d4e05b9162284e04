"""Softmax and its logarithm, in fp32: fp16 doesn't hold the sums of long rows."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.elementwise import divide
from tosa_converter.rewriting.expr import Expr, exp, log
from tosa_converter.rewriting.operators import reduce_max, reduce_sum


def softmax(x: Expr, beta: float = 1, axis: int = -1) -> Expr:
    """Returns exp((x - max) * beta) / sum(exp((x - max) * beta)) along an axis."""
    distance, axis = _distance_from_max(x, axis)
    exponentials = exp(distance if beta == 1 else distance * beta)
    return divide(exponentials, reduce_sum(exponentials, axis)).cast(x.dtype)


def log_softmax(x: Expr, axis: int = -1) -> Expr:
    """Returns x - max - log(sum(exp(x - max))) along an axis."""
    distance, axis = _distance_from_max(x, axis)
    return (distance - log(reduce_sum(exp(distance), axis))).cast(x.dtype)


def _distance_from_max(x: Expr, axis: int) -> tuple[Expr, int]:
    """Returns x - max along an axis in fp32, at most 0 so that exp() can't overflow, and the axis from 0 on."""
    wide, axis = x.cast(DType.FP32), axis % x.rank
    return wide - reduce_max(wide, axis), axis
