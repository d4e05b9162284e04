"""Reductions along one axis, and positions of the largest."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import FLOATS, narrowed, tfl_builder, widened
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas.tflite import TensorType


def reduced(b: TflBuilder, name: str, x: Value, axis: int) -> Value:
    """A reduction that keeps the dimension."""
    shape = list(x.type.static)
    shape[axis] = 1
    return b.op(name, [x, b.ints([axis])], shape=shape, keep_dims=True)


def _plain(name: str) -> Build:
    def build(match: Match) -> Value:
        return narrowed(match, reduced(tfl_builder(), name, widened(match, 0), match.op.attributes["axis"]))

    return build


def _extreme(name: str) -> Build:
    """LiteRT passes over NaN: PROPAGATE asks where there is any, IGNORE whether there is anything else."""

    def build(match: Match) -> Value:
        b, x, axis = tfl_builder(), widened(match, 0), match.op.attributes["axis"]
        if x.type.dtype is DType.I16:
            return b.cast(reduced(b, name, b.cast(x, DType.I32), axis), DType.I16)
        y = reduced(b, name, x, axis)
        if not x.type.dtype.is_float:
            return y
        if match.op.attribute("nan_mode") == "PROPAGATE":
            return narrowed(match, b.choose(reduced(b, "reduce_any", b.is_nan(x), axis), b.one(np.nan, y), y))
        return narrowed(match, y)

    return build


def argmax(match: Match) -> Value:
    """ARGMAX: ARG_MAX, where NaN is larger than all (PROPAGATE) or none."""
    b, x, axis = tfl_builder(), widened(match, 0), match.op.attributes["axis"]
    if x.type.dtype is DType.I16:
        x = b.cast(x, DType.I32)
    if not x.type.dtype.is_float:
        return _largest(b, x, axis)
    nan = b.is_nan(x)
    if match.op.attribute("nan_mode") == "IGNORE":
        return _largest(b, b.choose(nan, b.one(-np.inf, x), x), axis)
    any_nan = b.op("reduce_any", [nan, b.ints([axis])], shape=_without(x, axis))
    return b.choose(any_nan, _largest(b, b.cast(nan, DType.I32), axis), _largest(b, x, axis))


def _without(x: Value, axis: int) -> tuple[int, ...]:
    return *x.type.static[:axis], *x.type.static[axis + 1 :]


def _largest(b: TflBuilder, x: Value, axis: int) -> Value:
    at = b.const(np.asarray(axis, np.int32), DType.I32)
    return b.op("arg_max", [x, at], DType.I32, _without(x, axis), output_type=TensorType.INT32)


RULES: tuple[Rule, ...] = (
    Rule("tosa.reduce_sum", f"{FLOATS} i32", _plain("sum")),
    Rule("tosa.reduce_product", FLOATS, _plain("reduce_prod")),
    Rule("tosa.reduce_all", "bool", _plain("reduce_all")),
    Rule("tosa.reduce_any", "bool", _plain("reduce_any")),
    Rule("tosa.reduce_max", "bool i8 i16 i32 fp16 bf16 fp32", _extreme("reduce_max")),
    Rule("tosa.reduce_min", "bool i8 i16 i32 fp16 bf16 fp32", _extreme("reduce_min")),
    Rule("tosa.argmax", "bool i8 i16 i32 fp16 bf16 fp32", argmax),
)
