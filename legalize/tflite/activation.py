"""Activations that are fused into operators of TFLite."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.elementwise import FLOAT_MAX
from tosa_converter.rewriting.expr import Expr, clamp, maximum, minimum, scalar, tanh, where
from tosa_converter.rewriting.match import Match
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.tflite import ActivationFunctionType

# Bounds that the kernels clamp to (CalculateActivationRange in kernel_util.h); None is the type's own bound.
ACTIVATION_RANGES: dict[ActivationFunctionType, tuple[int, int | None]] = {
    ActivationFunctionType.RELU: (0, None),
    ActivationFunctionType.RELU_N1_TO_1: (-1, 1),
    ActivationFunctionType.RELU6: (0, 6),
}


class Fused(Table):
    """The field that the options of all operators with a fused activation have."""

    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE


def fused_activation(match: Match, x: Expr) -> Expr:
    """Applies the operator's fused activation to floats or i32; TANH and SIGN_BIT do nothing, as in LiteRT's kernels.

    The kernels' min(max(x, low), high) keeps a NaN, so the CLAMP propagates it.
    """
    kind = match.attributes(Fused).fused_activation_function
    if kind in (ActivationFunctionType.TANH, ActivationFunctionType.SIGN_BIT):
        match.note(f"the fused activation {kind.name} is ignored, as in LiteRT's kernels")
    return _within_range(kind, x)


def vector_activation(kind: ActivationFunctionType, x: Expr) -> Expr:
    """Applies a fused activation to floats as ApplyActivationToVector (tensor_utils.h) does, with TANH and SIGN_BIT."""
    if kind == ActivationFunctionType.TANH:
        return tanh(x)
    if kind == ActivationFunctionType.SIGN_BIT:
        return where(x < 0, scalar(1, x), 0)
    return _within_range(kind, x)


def _within_range(kind: ActivationFunctionType, x: Expr) -> Expr:
    """Clamps x to the range of a fused RELU; other activations leave it as it is."""
    if kind not in ACTIVATION_RANGES:
        return x
    low, high = ACTIVATION_RANGES[kind]
    if x.dtype is DType.I32:
        x = maximum(x, low)
        return x if high is None else minimum(x, high)
    return clamp(x, float(low), FLOAT_MAX if high is None else float(high))
