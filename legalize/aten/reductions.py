"""Sums, means, extremes and other reductions, softmax and normalizations."""

import math
from collections.abc import Callable, Sequence

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.aten.common import (
    FLOATS,
    LOGICAL,
    NUMBERS,
    as_declared,
    axes_of,
    axis_of,
    promoted,
    rewrite,
)
from tosa_converter.legalize.operands import joined_axes
from tosa_converter.legalize.tflite.any_type import ordering, positions
from tosa_converter.legalize.tflite.float.activations import logarithm, normalized
from tosa_converter.legalize.tflite.float.reduce import product, summed
from tosa_converter.legalize.tflite.float.segments import running_sums
from tosa_converter.legalize.xnnpack.checks import require_sizes
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Reduce = Callable[[Builder, Value, int], Value]

# ** reductions **


def _over(build: Builder, x: Value, axes: Sequence[int], reduce: Reduce) -> Value:
    """A reduction that leaves 1 of each of the axes, which are joined where they are several."""
    long = [axis for axis in axes if x.type.static[axis] != 1]
    if len(long) == 1:
        return reduce(build, x, long[0])
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(x.type.static))
    return build.reshape(reduce(build, joined_axes(build, x, axes), 1), shape)


def _reduction(reduce: Reduce) -> Build:
    """Over the dimensions named, in the result's type."""

    def reduction(match: Match) -> Value:
        x = promoted(match, "self")
        return as_declared(match, _over(match.builder, x, axes_of(match, x), reduce))

    return reduction


def _whole(reduce: Reduce) -> Build:
    """Over all elements."""

    def whole(match: Match) -> Value:
        x = promoted(match, "self")
        return as_declared(match, _over(match.builder, x, list(range(x.type.rank)), reduce))

    return whole


def _by(row: OpDef, **attributes: str) -> Reduce:
    return lambda build, x, axis: build.reduce(row, x, axis, **attributes)


def _mean(build: Builder, x: Value, axis: int) -> Value:
    if not x.type.static[axis]:
        raise Decline("a mean of nothing")
    return summed(build, x, axis, 1 / x.type.static[axis])


def _product(build: Builder, x: Value, axis: int) -> Value:
    return product(build, x) if (x.type.rank, axis) == (3, 1) else build.reduce(ops.REDUCE_PRODUCT, x, axis)


LARGEST, LEAST = (_by(row, nan_mode="PROPAGATE") for row in (ops.REDUCE_MAX, ops.REDUCE_MIN))


def variance(match: Match) -> Value:
    """var: the sum of squares from the mean over the count less a correction, in fp32."""
    build, x = match.builder, match.builder.cast(match["self"], DType.FP32)
    axes = axes_of(match, x)
    correction = match.op.attributes["correction"]
    rest = math.prod(x.type.static[axis] for axis in axes) - (1 if correction is None else correction)
    if not rest > 0:
        raise Decline(f"a variance over {rest} elements")
    away = build.sub(x, _over(build, x, axes, _mean))
    squares = _over(build, build.mul(away, away), axes, lambda build, x, axis: summed(build, x, axis))
    return as_declared(match, build.cast(build.mul(squares, build.scalar(1 / rest, squares)), match["self"].type.dtype))


def _first(*, least: bool) -> Build:
    def first(match: Match) -> Value:
        x = match["self"]
        if match.op.attributes["dim"] is None or not x.type.rank:
            x = match.builder.reshape(x, (x.type.elements,))
        axis = 0 if x.type.rank == 1 else axis_of(match, x)
        return as_declared(match, positions.first(match, x, axis, least=least))

    first.__name__ = "first_least" if least else "first_largest"
    return first


def _extreme(reduce: Reduce, *, least: bool) -> Build:
    """The extreme along a dimension and where it is first."""

    def extreme(match: Match) -> list[Value]:
        x = match["self"]
        x = x if x.type.rank else match.builder.reshape(x, (1,))
        axis = axis_of(match, x)
        places = as_declared(match, positions.first(match, x, axis, least=least), 1)
        return [as_declared(match, reduce(match.builder, x, axis)), places]

    return extreme


def topk(match: Match) -> list[Value]:
    """Topk of the largest along the last dimension, in order."""
    x = match["self"]
    if not x.type.rank or axis_of(match, x) != x.type.rank - 1 or not match.op.attributes["largest"]:
        raise Decline("the least, or along another dimension than the last")
    return ordering.ordered_largest(match, x, match.op.attributes["k"])


def cumsum(match: Match) -> Value:
    """Cumsum."""
    x = promoted(match, "self")
    return running_sums(match.builder, x, axis_of(match, x)) if x.type.rank else x


# ** softmax **


def softmax(match: Match) -> Value:
    """_softmax."""
    return normalized(match.builder, match["self"], axis=_softmax_axis(match))


def log_softmax(match: Match) -> Value:
    """_log_softmax."""
    return logarithm(match.builder, match["self"], axis=_softmax_axis(match))


def _softmax_axis(match: Match) -> int:
    if not match["self"].type.rank or not match["self"].type.elements:
        raise Decline(f"a softmax of {match['self'].type}")
    return axis_of(match, match["self"])


# ** normalizations **


def _standardized(match: Match, x: Value, axes: Sequence[int]) -> tuple[Value, Value, Value]:
    """fp32 with a mean of 0 and a variance of 1 over the axes; the mean, and the reciprocal of the deviation."""
    build = match.builder
    mean = _over(build, x, axes, _mean)
    away = build.sub(x, mean)
    spread = _over(build, build.mul(away, away), axes, _mean)
    inverse = build.unary(ops.RSQRT, build.add(spread, build.scalar(match.op.attributes["eps"], spread)))
    return build.mul(away, inverse), mean, inverse


def _scaled(match: Match, y: Value, shape: Sequence[int]) -> Value:
    """Times the weight and with the bias, where they are, in a shape that broadcasts; as the input's type."""
    build = match.builder
    for name, function in (("weight", build.mul), ("bias", build.add)):
        given = match.get(name)
        if given is not None:
            require_sizes(name, [given.type.elements], [math.prod(shape)])
            y = function(y, build.reshape(build.cast(given, DType.FP32), shape))
    return build.cast(y, match["input"].type.dtype)


def _moment(match: Match, value: Value, result: int) -> Value:
    """A mean or deviation as a result."""
    return as_declared(match, match.builder.cast(value, match["input"].type.dtype), result)


def native_layer_norm(match: Match) -> list[Value]:
    """native_layer_norm over the last dimensions."""
    build, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    inner = match.op.attributes["normalized_shape"]
    if not inner or x.type.static[-len(inner) :] != inner:
        raise Decline(f"the last dimensions of {x.type}: expected {list(inner)}")
    rows = x if len(inner) == 1 else build.reshape(x, (*x.type.static[: -len(inner)], math.prod(inner)))
    y, mean, inverse = _standardized(match, rows, [rows.type.rank - 1])
    y = _scaled(match, build.reshape(y, x.type.static), inner)
    return [y, _moment(match, mean, 1), _moment(match, inverse, 2)]


def native_group_norm(match: Match) -> list[Value]:
    """native_group_norm over groups of channels and all behind them."""
    build, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    shape, groups = x.type.static, match.op.attributes["group"]
    if len(shape) < 2 or groups < 1 or shape[1] % groups or not x.type.elements:
        raise Decline(f"{groups} groups of the channels of {x.type}")
    rows = build.reshape(x, (shape[0], groups, x.type.elements // (shape[0] * groups)))
    y, mean, inverse = _standardized(match, rows, [2])
    y = _scaled(match, build.reshape(y, shape), _channels(x))
    return [y, _moment(match, mean, 1), _moment(match, inverse, 2)]


def _channels(x: Value) -> tuple[int, ...]:
    """The shape of what has an element for each channel."""
    if x.type.rank < 2:
        raise Decline(f"the channels of {x.type}")
    return (x.type.static[1], *(1,) * (x.type.rank - 2))


def batch_norm(match: Match) -> list[Value]:
    """_native_batch_norm_legit_no_training: by running statistics, a factor and a term for each channel."""
    build, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    shape = _channels(x)
    for value in match.op.operands[1:]:
        require_sizes("statistics", value.type.static, shape[:1])
    mean, spread = (build.cast(match[name], DType.FP32) for name in ("running_mean", "running_var"))
    factor = build.unary(ops.RSQRT, build.add(spread, build.scalar(match.op.attributes["eps"], spread)))
    weight, bias = (match.get(name) for name in ("weight", "bias"))
    factor = factor if weight is None else build.mul(factor, build.cast(weight, DType.FP32))
    term = build.negate(build.mul(mean, factor))
    term = term if bias is None else build.add(term, build.cast(bias, DType.FP32))
    y = build.add(build.mul(x, build.reshape(factor, shape)), build.reshape(term, shape))
    nothing = build.const([], x.type.dtype)
    return [build.cast(y, match["input"].type.dtype), *(_moment(match, nothing, i) for i in (1, 2))]


def instance_norm(match: Match) -> list[Value]:
    """_native_batch_norm_legit without statistics: over images and all behind the channels."""
    x = match.builder.cast(match["input"], DType.FP32)
    shape = _channels(x)
    if not match.op.attributes["training"] or not x.type.elements:
        raise Decline("a batch norm without statistics that isn't to find them")
    y, mean, inverse = _standardized(match, x, [axis for axis in range(x.type.rank) if axis != 1])
    return [_scaled(match, y, shape), _moment(match, mean, 1), _moment(match, inverse, 2)]


REWRITES: tuple[Rewrite, ...] = (
    rewrite("mean.out", FLOATS, _reduction(_mean)),
    rewrite("mean.dtype_out", FLOATS, _whole(_mean)),
    rewrite("sum.IntList_out", LOGICAL, _reduction(summed)),
    rewrite("prod.int_out", FLOATS, _reduction(_product)),
    rewrite("var.correction_out", FLOATS, variance),
    rewrite("amax.out", NUMBERS, _reduction(LARGEST)),
    rewrite("amin.out", NUMBERS, _reduction(LEAST)),
    rewrite("any.out", LOGICAL, _reduction(_by(ops.REDUCE_ANY))),
    rewrite("any.all_out", LOGICAL, _whole(_by(ops.REDUCE_ANY))),
    rewrite("argmax.out", NUMBERS, _first(least=False)),
    rewrite("argmin.out", NUMBERS, _first(least=True)),
    rewrite("max.dim_max", NUMBERS, _extreme(LARGEST, least=False)),
    rewrite("min.dim_min", NUMBERS, _extreme(LEAST, least=True)),
    rewrite("max.unary_out", NUMBERS, _whole(LARGEST)),
    rewrite("min.unary_out", NUMBERS, _whole(LEAST)),
    rewrite("topk.values", FLOATS, topk),
    rewrite("cumsum.out", NUMBERS, cumsum),
    rewrite("_softmax.out", FLOATS, softmax),
    rewrite("_log_softmax.out", FLOATS, log_softmax),
    rewrite("native_layer_norm.out", FLOATS, native_layer_norm),
    rewrite("native_group_norm.out", FLOATS, native_group_norm),
    rewrite("_native_batch_norm_legit_no_training.out", FLOATS, batch_norm),
    rewrite("_native_batch_norm_legit.no_stats_out", FLOATS, instance_norm),
)
