"""Sums, means, extremes and other reductions, softmax, normalizations and distances."""

import math
import operator
from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.legalize.aten.common import (
    FLOATS,
    LOGICAL,
    NUMBERS,
    Kernel,
    as_declared,
    axes_of,
    axis_of,
    kernel_rules,
    promoted,
    result_dtype,
)
from tosa_converter.legalize.ops import reduce
from tosa_converter.legalize.ops import softmax as softmaxes
from tosa_converter.legalize.ops.functions import constant_power
from tosa_converter.legalize.ops.order import first_extreme, top_k
from tosa_converter.legalize.ops.reduce import AxisReduction
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_sizes
from tosa_converter.rewriting.expr import Expr, const, rsqrt, scalar, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import reduce_any, reduce_max, reduce_min, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

# ** reductions **


def reduced(reduction: AxisReduction) -> Kernel:
    """Returns the build function of an ATen reduction over `dim` (all if absent or empty), in the result's type."""

    def build(match: Match) -> Expr:
        """Lowers the matched ATen reduction: promotes `self`, and reduces the dimensions `dim` one by one."""
        x = promoted(match, "self")
        return as_declared(match, reduce.reduce_over(x, axes_of(match, x), reduction))

    return build


def variance(match: Match) -> Expr:
    """Lowers aten.var in fp32: the sum of squared deviations divided by count - correction (1 if it is None)."""
    x = match["self"].cast(DType.FP32)
    correction = match.op.attributes["correction"]
    y = reduce.variance(x, axes_of(match, x), 1 if correction is None else correction)
    return as_declared(match, y.cast(match["self"].dtype))


def _argmin_or_argmax(*, smallest: bool) -> Kernel:
    """Returns a lowering to the index of the first minimum or maximum along `dim`, or over all elements."""

    def build(match: Match) -> Expr:
        """Lowers argmin or argmax; without `dim`, the index is that in the flattened tensor."""
        x = match["self"]
        if match.op.attributes["dim"] is None or not x.rank:
            x = x.reshape((x.size,))
        axis = 0 if x.rank == 1 else axis_of(match, x)
        return as_declared(match, first_extreme(x, axis, smallest=smallest))

    return build


def _min_or_max_with_index(reduction: AxisReduction, *, smallest: bool) -> Kernel:
    """Returns a lowering to the minimum or maximum along a dimension, and the index of its first occurrence.

    `reduction` is REDUCE_MIN if `smallest` is true, else REDUCE_MAX.
    """

    def build(match: Match) -> list[Expr]:
        """Lowers min or max along `dim`; returns the values, and the indices of their first occurrences."""
        x = match["self"]
        x = x if x.rank else x.reshape((1,))
        axis = axis_of(match, x)
        indices = as_declared(match, first_extreme(x, axis, smallest=smallest), 1)
        return [as_declared(match, reduction(x, axis)), indices]

    return build


def topk(match: Match) -> list[Expr]:
    """Lowers aten.topk: the k largest elements along the last dimension in descending order, and their indices."""
    x = match["self"]
    match.require(x.rank and axis_of(match, x) == x.rank - 1, f"expected the last dimension of {x.type}")
    match.require(match.op.attributes["largest"], "expected the largest elements, found the smallest")
    return list(top_k(x, match.op.attributes["k"], unsigned=False, unrolled=match.options.flatten))


def cumsum(match: Match) -> Expr:
    """Lowers aten.cumsum: each element becomes the sum of all elements up to it along one dimension."""
    x = promoted(match, "self")
    return reduce.cumulative_sum(x, axis_of(match, x)) if x.rank else x


# ** softmax **


def softmax(match: Match) -> Expr:
    """Lowers aten._softmax: exp(x) / sum(exp(x)) along one dimension."""
    return softmaxes.softmax(match["self"], axis=_softmax_axis(match))


def log_softmax(match: Match) -> Expr:
    """Lowers aten._log_softmax: x - log(sum(exp(x))) along one dimension."""
    return softmaxes.log_softmax(match["self"], axis=_softmax_axis(match))


def _softmax_axis(match: Match) -> int:
    """Returns the dimension of a softmax; declines tensors of rank 0 or without elements."""
    x = match["self"]
    match.require(x.rank and x.size, f"expected a tensor with dimensions and elements, found {x.type}")
    return axis_of(match, x)


# ** normalizations **


def _scale_and_shift(match: Match, y: Expr, shape: Sequence[int]) -> Expr:
    """Returns a normalization's y * weight + bias, cast to the input's type; either operand may be absent.

    Both are reshaped to `shape`, which broadcasts to y's.
    """
    for name, function in (("weight", operator.mul), ("bias", operator.add)):
        parameter = match.get(name)
        if parameter is not None:
            require_sizes(name, [parameter.size], [math.prod(shape)])
            y = function(y, parameter.cast(DType.FP32).reshape(shape))
    return y.cast(match["input"].dtype)


def _statistic_result(match: Match, statistic: Expr, result: int) -> Expr:
    """Returns a normalization's mean or 1 / deviation as the result with this index, in the input's type."""
    return as_declared(match, statistic.cast(match["input"].dtype), result)


def _standardize_and_scale(match: Match, x: Expr, axes: Sequence[int], shape: Sequence[int]) -> tuple[Expr, Expr, Expr]:
    """Returns a normalization's (x - mean) / deviation over `axes`, scaled and shifted; the mean; and 1 / deviation.

    The first has the input's shape; weight and bias are reshaped to `shape`.
    """
    y, mean, inverse_deviation = reduce.standardize(x, axes, match.op.attributes["eps"])
    return _scale_and_shift(match, y.reshape(match["input"].shape), shape), mean, inverse_deviation


def native_layer_norm(match: Match) -> list[Expr]:
    """Lowers aten.native_layer_norm: normalizes over the last dimensions, those of `normalized_shape`."""
    x = match["input"].cast(DType.FP32)
    inner = match.op.attributes["normalized_shape"]
    fits = inner and x.shape[-len(inner) :] == inner
    match.require(fits, f"expected the last dimensions {list(inner)}, found {x.type}")
    rows = x if len(inner) == 1 else x.reshape((*x.shape[: -len(inner)], math.prod(inner)))
    y, *statistics = _standardize_and_scale(match, rows, [rows.rank - 1], inner)
    return [y, *(_statistic_result(match, statistic, i) for i, statistic in enumerate(statistics, 1))]


def native_group_norm(match: Match) -> list[Expr]:
    """Lowers aten.native_group_norm: normalizes over each group of channels and all dimensions after them."""
    x = match["input"].cast(DType.FP32)
    shape, groups = x.shape, match.op.attributes["group"]
    if len(shape) < 2 or groups < 1 or shape[1] % groups or not x.size:
        raise Decline(f"expected channels of a multiple of {groups} groups, found {x.type}")
    rows = x.reshape((shape[0], groups, x.size // (shape[0] * groups)))
    y, *statistics = _standardize_and_scale(match, rows, [2], _channel_shape(x))
    return [y, *(_statistic_result(match, statistic, i) for i, statistic in enumerate(statistics, 1))]


def _channel_shape(x: Expr) -> tuple[int, ...]:
    """Returns [C, 1, ...], in which an operand with an element for each channel broadcasts to [N, C, ...]."""
    if x.rank < 2:
        raise Decline(f"expected a tensor with channels, found {x.type}")
    return x.shape[1], *(1,) * (x.rank - 2)


def batch_norm(match: Match) -> list[Expr]:
    """Lowers aten._native_batch_norm_legit_no_training: x * factor + term per channel, by running statistics.

    Its second and third result, the batch's statistics, are empty.
    """
    x = match["input"].cast(DType.FP32)
    shape = _channel_shape(x)
    for operand in match.op.operands[1:]:
        require_sizes("statistics", operand.type.static, shape[:1])
    mean, variance = (match[name].cast(DType.FP32) for name in ("running_mean", "running_var"))
    factor = rsqrt(variance + match.op.attributes["eps"])
    weight, bias = (match.get(name) for name in ("weight", "bias"))
    factor = factor if weight is None else factor * weight.cast(DType.FP32)
    term = -(mean * factor)
    term = term if bias is None else term + bias.cast(DType.FP32)
    y = x * factor.reshape(shape) + term.reshape(shape)
    no_statistics = const([], x.dtype)
    return [y.cast(match["input"].dtype), *(_statistic_result(match, no_statistics, i) for i in (1, 2))]


def instance_norm(match: Match) -> list[Expr]:
    """Lowers aten._native_batch_norm_legit.no_stats: normalizes each channel over images and later dimensions."""
    x = match["input"].cast(DType.FP32)
    shape = _channel_shape(x)
    match.require(match.op.attributes["training"], "expected statistics of the batch, found training=False")
    match.require(x.size, f"expected a tensor with elements, found {x.type}")
    y, *statistics = _standardize_and_scale(match, x, [axis for axis in range(x.rank) if axis != 1], shape)
    return [y, *(_statistic_result(match, statistic, i) for i, statistic in enumerate(statistics, 1))]


# ** distances **


def cdist(match: Match) -> Expr:
    """Lowers aten._cdist_forward: the p-norm distance of each row of x1 from each row of x2."""
    p = float(match.op.attributes["p"])
    a, b = (match[name].cast(DType.FP32) for name in ("x1", "x2"))
    if a.rank < 2 or b.rank < 2 or not p >= 0:
        raise Decline(f"expected matrices and a norm of 0 or more, found {a.type}, {b.type} and {p}")
    require_sizes("columns", b.shape[-1:], a.shape[-1:])
    a, b = a.reshape((*a.shape[:-1], 1, a.shape[-1])), b.reshape((*b.shape[:-2], 1, *b.shape[-2:]))
    require_broadcast(a, b)
    distances = _norm(abs(a - b), p)
    return distances.reshape(distances.shape[:-1]).cast(result_dtype(match))


def _norm(magnitudes: Expr, p: float) -> Expr:
    """Returns the p-norm of magnitudes along the last axis, which stays with size 1; p = 0 counts the nonzero ones."""
    axis = magnitudes.rank - 1
    if p == math.inf:
        return reduce_max(magnitudes, axis)
    if p == 0:
        return reduce_sum(where(magnitudes > 0, scalar(1, magnitudes), 0), axis)
    return constant_power(reduce_sum(constant_power(magnitudes, p), axis), 1 / p)


RULES: tuple[Rule, ...] = (
    *kernel_rules("mean.out", FLOATS, reduced(reduce.mean_along)),
    *kernel_rules("mean.dtype_out", FLOATS, reduced(reduce.mean_along)),
    *kernel_rules("sum.IntList_out", LOGICAL, reduced(reduce.sum_along)),
    *kernel_rules("prod.int_out", FLOATS, reduced(reduce.product_along)),
    *kernel_rules("var.correction_out", FLOATS, variance),
    *kernel_rules("amax.out", NUMBERS, reduced(reduce_max)),
    *kernel_rules("amin.out", NUMBERS, reduced(reduce_min)),
    *kernel_rules("any.out", LOGICAL, reduced(reduce_any)),
    *kernel_rules("any.all_out", LOGICAL, reduced(reduce_any)),
    *kernel_rules("argmax.out", NUMBERS, _argmin_or_argmax(smallest=False)),
    *kernel_rules("argmin.out", NUMBERS, _argmin_or_argmax(smallest=True)),
    *kernel_rules("max.dim_max", NUMBERS, _min_or_max_with_index(reduce_max, smallest=False)),
    *kernel_rules("min.dim_min", NUMBERS, _min_or_max_with_index(reduce_min, smallest=True)),
    *kernel_rules("max.unary_out", NUMBERS, reduced(reduce_max)),
    *kernel_rules("min.unary_out", NUMBERS, reduced(reduce_min)),
    *kernel_rules("_cdist_forward.out", FLOATS, cdist),
    *kernel_rules("topk.values", FLOATS, topk),
    *kernel_rules("cumsum.out", NUMBERS, cumsum),
    *kernel_rules("_softmax.out", FLOATS, softmax),
    *kernel_rules("_log_softmax.out", FLOATS, log_softmax),
    *kernel_rules("native_layer_norm.out", FLOATS, native_layer_norm),
    *kernel_rules("native_group_norm.out", FLOATS, native_group_norm),
    *kernel_rules("_native_batch_norm_legit_no_training.out", FLOATS, batch_norm),
    *kernel_rules("_native_batch_norm_legit.no_stats_out", FLOATS, instance_norm),
)
