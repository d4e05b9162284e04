"""Reductions along one axis, and positions of the largest."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import FLOATS, narrow_result, tfl_builder, widen_operand
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas.tflite import TensorType


def append_reduction(b: TflBuilder, name: str, x: Value, axis: int) -> Value:
    """Appends the TFLite reduction `name` along one axis, which keeps size 1 in the result."""
    shape = list(x.type.static)
    shape[axis] = 1
    return b.op(name, [x, b.ints([axis])], shape=shape, keep_dims=True)


def _replace_by_same(name: str) -> Build:
    """Returns the function that replaces a TOSA reduction by TFLite's operator `name`, computed in fp32."""

    def build(match: Match) -> Value:
        """Appends TFLite's reduction `name` of the operand widened to fp32, and casts its result back."""
        return narrow_result(
            match, append_reduction(tfl_builder(), name, widen_operand(match, 0), match.op.attributes["axis"])
        )

    return build


def _replace_extreme(name: str) -> Build:
    """Returns the build function that replaces REDUCE_MAX or REDUCE_MIN, with TOSA's NaN modes.

    LiteRT's kernels ignore NaN, so PROPAGATE needs REDUCE_ANY of x != x besides. int16 is computed in i32.
    """

    def build(match: Match) -> Value:
        """Appends TFLite's reduction `name`, and for PROPAGATE a SELECT_V2 of NaN where any element is NaN.

        int16 is cast to i32 and back, 16-bit floats to fp32 and back.
        """
        b, x, axis = tfl_builder(), widen_operand(match, 0), match.op.attributes["axis"]
        if x.type.dtype is DType.I16:
            return b.cast(append_reduction(b, name, b.cast(x, DType.I32), axis), DType.I16)
        y = append_reduction(b, name, x, axis)
        if not x.type.dtype.is_float:
            return y
        if match.op.attribute("nan_mode") == "PROPAGATE":
            return narrow_result(
                match, b.choose(append_reduction(b, "reduce_any", b.is_nan(x), axis), b.scalar_like(np.nan, y), y)
            )
        return narrow_result(match, y)

    return build


def argmax(match: Match) -> Value:
    """Replaces TOSA's ARGMAX by ARG_MAX; NaN counts as the largest element (PROPAGATE) or smallest (IGNORE)."""
    b, x, axis = tfl_builder(), widen_operand(match, 0), match.op.attributes["axis"]
    if x.type.dtype is DType.I16:
        x = b.cast(x, DType.I32)
    if not x.type.dtype.is_float:
        return _append_arg_max(b, x, axis)
    nan = b.is_nan(x)
    if match.op.attribute("nan_mode") == "IGNORE":
        return _append_arg_max(b, b.choose(nan, b.scalar_like(-np.inf, x), x), axis)
    any_nan = b.op("reduce_any", [nan, b.ints([axis])], shape=_shape_without(x, axis))
    return b.choose(any_nan, _append_arg_max(b, b.cast(nan, DType.I32), axis), _append_arg_max(b, x, axis))


def _shape_without(x: Value, axis: int) -> tuple[int, ...]:
    """Returns the shape of a value without one of its dimensions."""
    return *x.type.static[:axis], *x.type.static[axis + 1 :]


def _append_arg_max(b: TflBuilder, x: Value, axis: int) -> Value:
    """Appends ARG_MAX along an axis, which LiteRT takes as a constant operand."""
    at = b.const(np.asarray(axis, np.int32), DType.I32)
    return b.op("arg_max", [x, at], DType.I32, _shape_without(x, axis), output_type=TensorType.INT32)


RULES: tuple[Rule, ...] = (
    Rule("tosa.reduce_sum", f"{FLOATS} i32", _replace_by_same("sum")),
    Rule("tosa.reduce_product", FLOATS, _replace_by_same("reduce_prod")),
    Rule("tosa.reduce_all", "bool", _replace_by_same("reduce_all")),
    Rule("tosa.reduce_any", "bool", _replace_by_same("reduce_any")),
    Rule("tosa.reduce_max", "bool i8 i16 i32 fp16 bf16 fp32", _replace_extreme("reduce_max")),
    Rule("tosa.reduce_min", "bool i8 i16 i32 fp16 bf16 fp32", _replace_extreme("reduce_min")),
    Rule("tosa.argmax", "bool i8 i16 i32 fp16 bf16 fp32", argmax),
)
