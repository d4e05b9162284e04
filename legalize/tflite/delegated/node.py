"""Operators as the nodes that LiteRT's delegate makes of them (xnnpack_delegate.cc); `legalize.xnnpack` lowers these.

What the delegate leaves to other kernels is declined, and the rewrites of those are tried.
"""

import math
from typing import Any

from tosa_converter.ir import Op, TensorType, Value
from tosa_converter.legalize.quant.elements import BOUNDS
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Key, Match, condition
from tosa_converter.schemas.tflite import ActivationFunctionType


@condition("numerics are xnnpack")
def asked(match: Match) -> str | None:
    """Against other numerics."""
    return None if match.options.numerics == "xnnpack" else "XNNPACK's arithmetic was not asked for"


def node(name: str, match: Match, *operands: Value | None, **attributes: Any) -> Match:
    """A node with the operator's result in its place."""
    (result,) = match.op.results
    fields = {"flags": 0, **attributes}
    op = Op(f"xnn.{name}", operands, [result.type], fields, location=match.op.location, result_names=[result.name])
    return match.of(op)


def standing_for(match: Match, expr: Expr, type: TensorType) -> Value:
    """An operand of a node that is a new value, with a type as sources have it."""
    operand = Value(type)
    match.put(operand, expr.value)
    return operand


def static(match: Match, key: Key) -> Value:
    """An operand that is constant in the file, or sparse there.

    Raises:
        Decline: it is computed.
    """
    value = match.source(key)
    if value.constant is None and (value.producer is None or value.producer.name != "tfl.densify"):
        raise Decline(f"{value.name!r} is computed, which the delegate leaves to other kernels")
    return value


def bounds(match: Match) -> dict[str, float]:
    """What a fused activation leaves of the result.

    Raises:
        Decline: it isn't one of bounds.
    """
    kind = match.attributes(Fused).fused_activation_function
    if kind not in BOUNDS and kind is not ActivationFunctionType.NONE:
        raise Decline(f"the fused activation {kind.name}, which the delegate leaves to other kernels")
    low, high = BOUNDS.get(kind, (None, None))
    return {"output_min": -math.inf if low is None else low, "output_max": math.inf if high is None else high}
