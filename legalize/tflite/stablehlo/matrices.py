"""Products of matrices and convolutions of StableHLO, whose dimensions lie in any order."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS
from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.layout import pad_with_gaps
from tosa_converter.legalize.ops.matrix import batched_product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas.tflite import StablehloConvolutionOptions, StablehloDotGeneralOptions


@condition("the result is of the operands' type")
def _same_result(match: Match) -> str | None:
    """Declines StableHLO products whose result has another type than the operands."""
    result, operand = match.op.results[0].type.dtype, match.source(0).type.dtype
    return None if result is operand else f"expected a result of {operand.value}, found {result.value}"


def dot_general(match: Match) -> Expr:
    """Lowers DOT_GENERAL to a batched product of [batch, rows, depth] and [batch, depth, columns]."""
    lhs, rhs = match["lhs"], match["rhs"]
    options = match.attributes(StablehloDotGeneralOptions)
    batch, depth = options.lhs_batching_dimensions, options.lhs_contracting_dimensions
    right_batch, right_depth = options.rhs_batching_dimensions, options.rhs_contracting_dimensions
    rows, columns = _free_axes(lhs, batch, depth), _free_axes(rhs, right_batch, right_depth)
    sizes = [_sizes(lhs, batch), _sizes(lhs, rows), _sizes(lhs, depth), _sizes(rhs, columns)]
    if sizes[0] != _sizes(rhs, right_batch) or sizes[2] != _sizes(rhs, right_depth):
        raise Decline(f"expected equal batch and contracting dimensions, found {lhs.type} and {rhs.type}")
    n, h, c, w = map(math.prod, sizes)
    left = lhs.transpose((*batch, *rows, *depth)).reshape((n, h, c))
    right = rhs.transpose((*right_batch, *right_depth, *columns)).reshape((n, c, w))
    sums = batched_product(left, right, dtype=DType.FP32 if lhs.dtype is DType.BF16 else lhs.dtype).sums
    return sums.cast(lhs.dtype).reshape([*sizes[0], *sizes[1], *sizes[3]])


def _free_axes(x: Expr, *axes: Sequence[int]) -> list[int]:
    """Returns the axes of x that aren't in the lists `axes` (batch and contracting axes), after checking those."""
    excluded = [axis for some_axes in axes for axis in some_axes]
    if len({*excluded}) != len(excluded) or not all(0 <= axis < x.rank for axis in excluded):
        raise Decline(f"expected distinct dimensions of {x.type}, found {excluded}")
    return [axis for axis in range(x.rank) if axis not in excluded]


def _sizes(x: Expr, axes: Sequence[int]) -> list[int]:
    """Returns the sizes of some axes of x."""
    return [x.shape[axis] for axis in axes]


def convolution(match: Match) -> Expr:
    """Lowers StableHLO's CONVOLUTION of one to three spatial dimensions, whose channels may be in groups."""
    options = match.attributes(StablehloConvolutionOptions)
    spatial = len(options.input_spatial_dimensions)
    x = _move_axes(
        match["lhs"],
        (options.input_batch_dimension, *options.input_spatial_dimensions),
        options.input_feature_dimension,
    )
    weight = _move_axes(
        match["rhs"],
        (options.kernel_output_feature_dimension, *options.kernel_spatial_dimensions),
        options.kernel_input_feature_dimension,
    )
    output = (options.output_batch_dimension, *options.output_spatial_dimensions, options.output_feature_dimension)
    if (
        not 1 <= spatial <= 3
        or x.rank != spatial + 2
        or weight.rank != spatial + 2
        or sorted(output) != list(range(spatial + 2))
    ):
        raise Decline(
            f"expected a convolution of 1 to 3 spatial dimensions, found {spatial} for {x.type} by {weight.type}"
        )
    groups, depth = options.feature_group_count, weight.shape[-1]
    if options.batch_group_count != 1 or groups < 1 or x.shape[-1] != groups * depth or weight.shape[0] % groups:
        raise Decline(
            f"expected channels that divide into groups and 1 group of batches, found {groups} groups of {x.type} "
            f"by {weight.type} and {options.batch_group_count} of batches"
        )
    for axis, is_reversed in enumerate(options.window_reversal):
        weight = weight.reverse(1 + axis) if is_reversed else weight
    x, window = _pad_input(x, options, weight.shape[1:-1])
    y = _convolve(x, weight, groups, window)
    # y has the batch, the spatial dimensions and the channels in this order; output[i] is where the i-th goes. For NCHW
    # output is (0, 2, 3, 1): result axis 1, the channels, is axis 3 of y, so the permutation is [0, 3, 1, 2].
    return y.transpose([output.index(axis) for axis in range(spatial + 2)])


def _move_axes(x: Expr, first: Sequence[int], last: int) -> Expr:
    """Transposes x so that the axes `first` come first and `last` comes last; declines if any axis is missing."""
    axes = [*first, last]
    if sorted(axes) != list(range(x.rank)):
        raise Decline(f"expected a permutation of the dimensions of {x.type}, found {axes}")
    return x.transpose(axes)


def _pad_input(x: Expr, options: StablehloConvolutionOptions, kernel: tuple[int, ...]) -> tuple[Expr, Window]:
    """Returns a convolution's input and its window, which has the positive padding.

    Gaps between the input's elements (lhs_dilation) are filled with zeros, and negative padding cuts elements off.
    """
    spatial = len(kernel)
    ones = [1] * spatial
    stride, dilation = list(options.window_strides) or ones, list(options.rhs_dilation) or ones
    gaps, pad = list(options.lhs_dilation) or ones, list(options.padding) or [0] * 2 * spatial
    if {len(stride), len(dilation), len(gaps), len(pad) // 2} != {spatial} or min(*stride, *dilation, *gaps) < 1:
        raise Decline(
            f"expected {spatial} strides and dilations of at least 1 and {2 * spatial} paddings, "
            f"found strides {stride}, dilations {dilation} and {gaps}, paddings {pad}"
        )
    # Padding is negative where elements are cut off: [-1, 2] for 5 elements with a gap of 2 spreads them to 9, drops
    # the first, and leaves 2 behind for the window.
    low, high = ([0, *(min(amount, 0) for amount in pad[side::2]), 0] for side in (0, 1))
    x = pad_with_gaps(x, 0, low, high, [0, *(gap - 1 for gap in gaps), 0])
    return x, Window(kernel, tuple(stride), tuple(dilation), tuple(max(amount, 0) for amount in pad))


def _convolve(x: Expr, weight: Expr, groups: int, window: Window) -> Expr:
    """Returns the convolution of x by a weight, channels last; a 1-D signal is computed as an image of one row."""
    if x.rank == 3:
        image, kernel = (v.reshape((v.shape[0], 1, *v.shape[1:])) for v in (x, weight))
        row = Window((1, *window.kernel), (1, *window.stride), (1, *window.dilation), (0, 0, *window.pad))
        y = _convolve(image, kernel, groups, row)
        return y.reshape((y.shape[0], *y.shape[2:]))
    return windows.convolution(Operands(x, weight, const(np.zeros(1), x.dtype)), window, groups)


RULES: tuple[Rule, ...] = (
    Rule("tfl.stablehlo_dot_general", FLOATS, dot_general, (_same_result,)),
    Rule("tfl.stablehlo_convolution", FLOATS, convolution, (_same_result,)),
)
