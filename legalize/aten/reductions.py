"""Sums, means, extremes and other reductions, softmax and normalizations."""

import math
import operator
from collections.abc import Callable, Sequence

from tosa_converter.dtypes import DType
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
from tosa_converter.legalize.ops import softmax as softmaxes
from tosa_converter.legalize.tflite.any_type import ordering, positions
from tosa_converter.legalize.tflite.float.reduce import product, summed
from tosa_converter.legalize.tflite.float.segments import running_sums
from tosa_converter.legalize.xnnpack.checks import require_sizes
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, const, rsqrt
from tosa_converter.rewriting.operators import reduce_product
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Reduce = Callable[[Expr, int], Expr]

# ** reductions **


def _over(x: Expr, axes: Sequence[int], reduce: Reduce) -> Expr:
    """A reduction that leaves 1 of each of the axes, which are joined where they are several."""
    long = [axis for axis in axes if x.shape[axis] != 1]
    if len(long) == 1:
        return reduce(x, long[0])
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(x.shape))
    return reduce(joined_axes(x, axes), 1).reshape(shape)


def _reduction(reduce: Reduce) -> Build:
    """Over the dimensions named, in the result's type."""

    def reduction(match: Match) -> Expr:
        x = promoted(match, "self")
        return as_declared(match, _over(x, axes_of(match, x), reduce))

    return reduction


def _whole(reduce: Reduce) -> Build:
    """Over all elements."""

    def whole(match: Match) -> Expr:
        x = promoted(match, "self")
        return as_declared(match, _over(x, list(range(x.rank)), reduce))

    return whole


def _by(row: OpDef, **attributes: str) -> Reduce:
    return lambda x, axis: operators.reduce(row, x, axis, **attributes)


def _mean(x: Expr, axis: int) -> Expr:
    if not x.shape[axis]:
        raise Decline("a mean of nothing")
    return summed(x, axis, 1 / x.shape[axis])


def _product(x: Expr, axis: int) -> Expr:
    return product(x) if (x.rank, axis) == (3, 1) else reduce_product(x, axis)


LARGEST, LEAST = (_by(row, nan_mode="PROPAGATE") for row in (ops.REDUCE_MAX, ops.REDUCE_MIN))


def variance(match: Match) -> Expr:
    """var: the sum of squares from the mean over the count less a correction, in fp32."""
    x = match["self"].cast(DType.FP32)
    axes = axes_of(match, x)
    correction = match.op.attributes["correction"]
    rest = math.prod(x.shape[axis] for axis in axes) - (1 if correction is None else correction)
    if not rest > 0:
        raise Decline(f"a variance over {rest} elements")
    away = x - _over(x, axes, _mean)
    squares = _over(away * away, axes, lambda x, axis: summed(x, axis))
    return as_declared(match, (squares * (1 / rest)).cast(match["self"].dtype))


def _first(*, least: bool) -> Build:
    def first(match: Match) -> Expr:
        x = match["self"]
        if match.op.attributes["dim"] is None or not x.rank:
            x = x.reshape((x.size,))
        axis = 0 if x.rank == 1 else axis_of(match, x)
        return as_declared(match, positions.first(match, x, axis, least=least))

    return first


def _extreme(reduce: Reduce, *, least: bool) -> Build:
    """The extreme along a dimension and where it is first."""

    def extreme(match: Match) -> list[Expr]:
        x = match["self"]
        x = x if x.rank else x.reshape((1,))
        axis = axis_of(match, x)
        places = as_declared(match, positions.first(match, x, axis, least=least), 1)
        return [as_declared(match, reduce(x, axis)), places]

    return extreme


def topk(match: Match) -> list[Expr]:
    """Topk of the largest along the last dimension, in order."""
    x = match["self"]
    if not x.rank or axis_of(match, x) != x.rank - 1 or not match.op.attributes["largest"]:
        raise Decline("the least, or along another dimension than the last")
    return ordering.ordered_largest(match, x, match.op.attributes["k"])


def cumsum(match: Match) -> Expr:
    """Cumsum."""
    x = promoted(match, "self")
    return running_sums(x, axis_of(match, x)) if x.rank else x


# ** softmax **


def softmax(match: Match) -> Expr:
    """_softmax."""
    return softmaxes.softmax(match["self"], axis=_softmax_axis(match))


def log_softmax(match: Match) -> Expr:
    """_log_softmax."""
    return softmaxes.log_softmax(match["self"], axis=_softmax_axis(match))


def _softmax_axis(match: Match) -> int:
    if not match["self"].rank or not match["self"].size:
        raise Decline(f"a softmax of {match['self'].type}")
    return axis_of(match, match["self"])


# ** normalizations **


def _standardized(match: Match, x: Expr, axes: Sequence[int]) -> tuple[Expr, Expr, Expr]:
    """fp32 with a mean of 0 and a variance of 1 over the axes; the mean, and the reciprocal of the deviation."""
    mean = _over(x, axes, _mean)
    away = x - mean
    spread = _over(away * away, axes, _mean)
    inverse = rsqrt(spread + match.op.attributes["eps"])
    return away * inverse, mean, inverse


def _scaled(match: Match, y: Expr, shape: Sequence[int]) -> Expr:
    """Times the weight and with the bias, where they are, in a shape that broadcasts; as the input's type."""
    for name, function in (("weight", operator.mul), ("bias", operator.add)):
        given = match.get(name)
        if given is not None:
            require_sizes(name, [given.size], [math.prod(shape)])
            y = function(y, given.cast(DType.FP32).reshape(shape))
    return y.cast(match["input"].dtype)


def _moment(match: Match, value: Expr, result: int) -> Expr:
    """A mean or deviation as a result."""
    return as_declared(match, value.cast(match["input"].dtype), result)


def native_layer_norm(match: Match) -> list[Expr]:
    """native_layer_norm over the last dimensions."""
    x = match["input"].cast(DType.FP32)
    inner = match.op.attributes["normalized_shape"]
    if not inner or x.shape[-len(inner) :] != inner:
        raise Decline(f"the last dimensions of {x.type}: expected {list(inner)}")
    rows = x if len(inner) == 1 else x.reshape((*x.shape[: -len(inner)], math.prod(inner)))
    y, mean, inverse = _standardized(match, rows, [rows.rank - 1])
    y = _scaled(match, y.reshape(x.shape), inner)
    return [y, _moment(match, mean, 1), _moment(match, inverse, 2)]


def native_group_norm(match: Match) -> list[Expr]:
    """native_group_norm over groups of channels and all behind them."""
    x = match["input"].cast(DType.FP32)
    shape, groups = x.shape, match.op.attributes["group"]
    if len(shape) < 2 or groups < 1 or shape[1] % groups or not x.size:
        raise Decline(f"{groups} groups of the channels of {x.type}")
    rows = x.reshape((shape[0], groups, x.size // (shape[0] * groups)))
    y, mean, inverse = _standardized(match, rows, [2])
    y = _scaled(match, y.reshape(shape), _channels(x))
    return [y, _moment(match, mean, 1), _moment(match, inverse, 2)]


def _channels(x: Expr) -> tuple[int, ...]:
    """The shape of what has an element for each channel."""
    if x.rank < 2:
        raise Decline(f"the channels of {x.type}")
    return x.shape[1], *(1,) * (x.rank - 2)


def batch_norm(match: Match) -> list[Expr]:
    """_native_batch_norm_legit_no_training: by running statistics, a factor and a term for each channel."""
    x = match["input"].cast(DType.FP32)
    shape = _channels(x)
    for value in match.op.operands[1:]:
        require_sizes("statistics", value.type.static, shape[:1])
    mean, spread = (match[name].cast(DType.FP32) for name in ("running_mean", "running_var"))
    factor = rsqrt(spread + match.op.attributes["eps"])
    weight, bias = (match.get(name) for name in ("weight", "bias"))
    factor = factor if weight is None else factor * weight.cast(DType.FP32)
    term = -(mean * factor)
    term = term if bias is None else term + bias.cast(DType.FP32)
    y = x * factor.reshape(shape) + term.reshape(shape)
    nothing = const([], x.dtype)
    return [y.cast(match["input"].dtype), *(_moment(match, nothing, i) for i in (1, 2))]


def instance_norm(match: Match) -> list[Expr]:
    """_native_batch_norm_legit without statistics: over images and all behind the channels."""
    x = match["input"].cast(DType.FP32)
    shape = _channels(x)
    if not match.op.attributes["training"] or not x.size:
        raise Decline("a batch norm without statistics that isn't to find them")
    y, mean, inverse = _standardized(match, x, [axis for axis in range(x.rank) if axis != 1])
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
