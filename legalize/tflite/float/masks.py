"""ADD of attention masks, which hide scores by infinity or by the lowest number: LiteRT's sum stays finite."""

import operator

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.ops.elementwise import FLOAT_MAX
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match

HUGE = 2.0**127  # two of them overflow; a score, far below 2**103, leaves the lowest number as it is
# Operators whose results have elements of constants behind them, or multiples.
CARRIERS = frozenset(
    f"tfl.{name}"
    for name in ("broadcast_to", "concatenation", "expand_dims", "gather", "mul", "reshape", "select", "select_v2")
) | frozenset(f"tfl.{name}" for name in ("slice", "squeeze", "strided_slice", "tile", "transpose"))
LOOKED_AT = 32  # values behind an operand: a mask is a few operators


def add(match: Match) -> Expr:
    """Lowers ADD with its fused activation; clamps a sum of two masks to finite numbers, but not in xnnpack numerics.

    LiteRT's own kernels clamp every sum to [-3.4e38, 3.4e38]. A row that is hidden by two masks of the lowest number is
    then uniform behind SOFTMAX; with -inf it would be NaN. Other sums of finite numbers don't overflow in practice.
    """
    y = fused_activation(match, held_in_32_bits(match, operator.add(match[0], match[1])))
    if y.dtype is not DType.FP32 or match.options.numerics == "xnnpack":
        return y
    # An operand with a constant of at least HUGE is a mask. One that is infinite makes the sum infinite alone.
    masks = [_largest_constant(match.source(i)) for i in range(2)]
    if max(masks) == np.inf or min(masks) >= HUGE:
        return clamp(y, -FLOAT_MAX, FLOAT_MAX)
    return y


def _largest_constant(value: Value) -> float:
    """Returns the largest magnitude among the float constants that an operand is made of, 0 without any.

    The search goes back over operators that only move or scale elements (CARRIERS), and ends after LOOKED_AT values.
    """
    values, largest = [value], 0.0
    for behind in values:  # the loop extends it
        op = behind.producer
        if behind.constant is not None and behind.type.dtype is DType.FP32:
            # Least and greatest element, as the magnitudes of a large table would be a copy of it.
            ends = behind.constant.min(initial=0.0), behind.constant.max(initial=0.0)
            largest = max(largest, *(abs(float(end)) for end in ends))
        elif op is not None and op.name in CARRIERS and len(values) < LOOKED_AT:
            values += op.operands
    return largest
