"""Matrix products and layers; convolutions, pools and resizing of images, which ATen has in NCHW."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.aten.common import FLOATS, as_declared, declared_shape, kernel_rules, number, promoted
from tosa_converter.legalize.limits import I32, affordable
from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.index import require_in_range
from tosa_converter.legalize.ops.matrix import dense, float_product
from tosa_converter.legalize.ops.resize import ResizeAxis, bilinear, image_axes, nearest
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.sampling import accepts
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_product, require_rank, require_sizes
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import argmax, gather, reduce_max
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

# ** matrices **


def _matrix_product(match: Match, left: str, right: str) -> Expr:
    """Returns the matrix product of two operands, matrices or batches of matrices of equal size."""
    a, b = match[left], promoted(match, right)
    for x in (a, b):
        if x.rank < 2 or not x.size:
            raise Decline(f"expected a matrix with elements, found {x.type}")
    require_sizes("batches", b.shape[:-2], a.shape[:-2])
    require_product(a, b)
    return float_product(a, b)


def matrices(match: Match) -> Expr:
    """Lowers aten.mm and bmm: products of two matrices, or of batches of matrices."""
    return _matrix_product(match, "self", "mat2")


def addmm(match: Match) -> Expr:
    """Lowers aten.addmm: beta * self + alpha * mat1 @ mat2.

    With constant weights `mat2` and factors of 1 it is a fully connected layer (a 1x1 CONV2D).
    """
    bias, weight = promoted(match, "self"), promoted(match, "mat2")
    alpha, beta = match.op.attributes["alpha"], match.op.attributes["beta"]
    if weight.constant is not None and alpha == beta == 1 and bias.type.shape == weight.type.shape[1:]:
        return _dense(match["mat1"], weight.transpose((1, 0)), bias)
    y = _matrix_product(match, "mat1", "mat2")
    require_broadcast(y, bias)
    y = y if alpha == 1 else y * number(alpha, y)
    return y + (bias if beta == 1 else bias * number(beta, bias))


def _dense(x: Expr, weight: Expr, bias: Expr) -> Expr:
    """Returns a fully connected layer, x @ weight.T + bias, with `weight` as [outputs, depth]; x may have any rank."""
    require_rank(weight.type, 2)
    require_sizes("depth", x.shape[-1:], weight.shape[1:])
    require_sizes("bias", [bias.rank], [1])
    if bias.size not in (1, weight.shape[0]) or not x.size:
        raise Decline(f"expected elements and 1 or {weight.shape[0]} biases, found {x.type} and {bias.type}")
    y = dense(Operands(x, weight, bias))
    return y.reshape((*x.shape[:-1], weight.shape[0]))


# ** images **

TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


def _image(match: Match, key: str) -> Expr:
    """Returns an operand, [N, C, H, W] or 1-D [N, C, W], as an image in NHWC; a 1-D one gets the height 1."""
    x = match[key]
    if x.rank not in (3, 4) or not x.size:
        raise Decline(f"expected an image of rank 3 or 4 with elements, found {x.type}")
    shape = x.shape
    return x.reshape(shape if x.rank == 4 else _with_height_1(shape)).transpose(TO_NHWC)


def _with_height_1(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the shape [N, C, W] of a one-dimensional signal or weight as that of an image, [N, C, 1, W]."""
    return *shape[:2], 1, shape[2]


def _in_nchw(match: Match, y: Expr, result: int = 0) -> Expr:
    """Returns a result computed in NHWC as ATen has it: in NCHW, reshaped to the declared shape ([N, C, W] for 1-D)."""
    return as_declared(match, y.transpose(TO_NCHW), result)


def _pair(match: Match, name: str, height: int | None = None) -> tuple[int, int]:
    """Returns an ATen attribute as (height, width): one number stands for both, two for one each.

    For a 1-D operator, `height` is the value along the height, and the attribute has one number, for the width.

    Raises:
        Decline: there are more numbers, or larger ones than 32 bits hold.
    """
    values = match.op.attributes[name]
    if len(values) not in (1, 2) or (height is not None and len(values) == 2) or max(map(abs, values)) > I32.max:
        raise Decline(f"expected a number of 32 bits for each dimension as {name}, found {list(values)}")
    return (values[0] if height is None else height), values[-1]


def convolution(match: Match) -> Expr:
    """Lowers aten.convolution: 1-D or 2-D, with groups, ordinary or transposed."""
    is_1d, fields = match["input"].rank == 3, match.op.attributes
    x, weight, groups = _image(match, "input"), match["weight"], fields["groups"]
    require_sizes("dimensions of the weight", [weight.rank], [match["input"].rank])
    weight = weight.reshape(_with_height_1(weight.shape)) if is_1d else weight
    stride, pad, dilation, output_padding = (
        _pair(match, name, height if is_1d else None)
        for name, height in (("stride", 1), ("padding", 0), ("dilation", 1), ("output_padding", 0))
    )
    match.require(min(*stride, *dilation) >= 1, f"expected positive steps, found stride {stride}, dilation {dilation}")
    match.require(
        min(*pad, *output_padding) >= 0, f"expected padding of at least 0, found {pad} and behind it {output_padding}"
    )
    match.require(
        min(groups, *weight.shape) >= 1, f"expected a group and a weight, found {groups} groups, {weight.type}"
    )
    height, width = weight.shape[2:]
    weight = _weight(weight, groups, transposed=fields["transposed"])
    operands = Operands(x, weight, _bias(match, weight.shape[0]))
    require_sizes("channels", x.shape[3:], [groups * weight.shape[3]])
    window = Window((height, width), stride, dilation, (pad[0], pad[0], pad[1], pad[1]))
    if fields["transposed"]:
        # TOSA's out_pad (top, bottom, left, right) of a full result: negative amounts crop it.
        out_pad = tuple(amount for p, extra in zip(pad, output_padding, strict=True) for amount in (-p, extra - p))
        return _in_nchw(match, windows.transposed_convolution(operands, window._replace(pad=out_pad), groups))
    window.require_fit(x.type)
    return _in_nchw(match, windows.convolution(operands, window, groups))


def _weight(weight: Expr, groups: int, *, transposed: bool) -> Expr:
    """Returns an ATen convolution's weight in TOSA's order [outputs, H, W, inputs per group].

    ATen has [outputs, inputs per group, H, W], for a transposed convolution [inputs, outputs per group, H, W].
    """
    first, second, height, width = weight.shape
    if first % groups:
        raise Decline(f"expected a weight of a multiple of {groups} channels, found {weight.type}")
    if not transposed:
        return weight.transpose(TO_NHWC)
    weight = weight.reshape((groups, first // groups, second, height, width))
    weight = weight.transpose((0, 2, 3, 4, 1))
    return weight.reshape((groups * second, height, width, first // groups))


def _bias(match: Match, outputs: int) -> Expr:
    """Returns the bias of an ATen convolution, or a single 0, which is broadcast, if it has none."""
    bias = match.get("bias")
    if bias is None:
        return const([0], match["input"].dtype)
    require_sizes("bias", bias.shape, [outputs])
    return bias


def _pool_window(match: Match, x: Expr) -> Window:
    """Returns the window of an ATen pool; `ceil_mode` adds to its bottom and right padding.

    Raises:
        Decline: the window has no size or more padding than half, which ATen refuses, or doesn't fit.
    """
    kernel, pad = _pair(match, "kernel_size"), _pair(match, "padding")
    stride = _pair(match, "stride") if match.op.attributes["stride"] else kernel
    dilation = _pair(match, "dilation") if "dilation" in match.op.attributes else (1, 1)
    smallest = min(*kernel, *stride, *dilation)
    match.require(
        smallest >= 1, f"expected kernel, stride and dilation of at least 1, found {kernel}, {stride}, {dilation}"
    )
    fits = all(0 <= 2 * p <= k for p, k in zip(pad, kernel, strict=True))
    match.require(fits, f"expected padding of at most half the kernel {kernel}, found {pad}")
    window = Window(kernel, stride, dilation, (pad[0], pad[0], pad[1], pad[1]))
    window.require_fit(x.type)
    ceil_padding = [_ceil_mode_padding(window, x, axis, ceiling=match.op.attributes["ceil_mode"]) for axis in (0, 1)]
    return window._replace(pad=(pad[0], pad[0] + ceil_padding[0], pad[1], pad[1] + ceil_padding[1]))


def _ceil_mode_padding(window: Window, x: Expr, axis: int, *, ceiling: bool) -> int:
    """Returns the padding that `ceil_mode` adds at the end of an axis, so that a last, partial window counts.

    The window must start inside the image or its front padding, or none is added (pooling_output_shape in ATen's
    Pool.h).
    """
    pad, stride, size = window.pad[2 * axis], window.stride[axis], x.shape[1 + axis]
    rest = (size + 2 * pad - window.reach[axis]) % stride
    count = (size + 2 * pad - window.reach[axis]) // stride + 1
    return stride - rest if ceiling and rest and count * stride < size + pad else 0


def avg_pool2d(match: Match) -> Expr:
    """Lowers aten.avg_pool2d; padding that counts for the divisor is a PAD of zeros in front.

    With `divisor_override` all padding counts, so each mean has the kernel's full size, and a factor replaces the
    divisor.
    """
    x = _image(match, "self")
    window, divisor = _pool_window(match, x), match.op.attributes["divisor_override"]
    top, bottom, left, right = window.pad
    counted = (0, 0, 0, 0)
    if divisor is not None:
        counted = top, bottom, left, right
    elif match.op.attributes["count_include_pad"]:
        # What ceil_mode adds behind the image, beyond the padding on its other side, never counts.
        counted = (top, min(top, bottom), left, min(left, right))
    x = x.pad(((0, 0), counted[:2], counted[2:], (0, 0)))
    pad = tuple(whole - part for whole, part in zip(window.pad, counted, strict=True))
    y = windows.average_pool(x, window._replace(pad=pad))
    if divisor is not None:
        match.require(divisor, "expected another divisor than 0")
        y = y * (math.prod(window.kernel) / divisor)
    return _in_nchw(match, y)


def max_pool2d_with_indices(match: Match) -> list[Expr]:
    """Lowers aten.max_pool2d_with_indices: the maxima, and the index of each in its image, y * width + x.

    The first of equal elements counts, in the order of rows. ARGMAX over each window's gathered elements finds it.
    """
    x = _image(match, "self")
    window = _pool_window(match, x)
    pixels = _pixels_of_windows(window, x)
    n, height, width, channels = x.shape
    count, size = pixels.shape
    affordable((n, count, size))
    rows = const(np.broadcast_to(pixels.reshape(1, -1), (n, count * size)), DType.I32)
    elements = gather(x.reshape((n, height * width, channels)), rows)
    elements = elements.reshape((n, count, size, channels))
    index_in_window = argmax(elements, 2)
    window_starts = const((np.arange(count) * size).reshape(1, -1, 1), DType.I32)
    entry_of_maximum = (index_in_window + window_starts).reshape((1, n * count * channels))
    table = const(pixels.reshape(1, -1, 1), DType.I32)
    shape = (n, *window.window_counts((height, width)), channels)
    indices = gather(table, entry_of_maximum).reshape(shape)
    if window.dilation == (1, 1):
        y = windows.max_pool(x, window)
    else:
        y = reduce_max(elements, 2).reshape(shape)
    return [_in_nchw(match, y), _in_nchw(match, indices, 1)]


def _pixels_of_windows(window: Window, x: Expr) -> Array:
    """Returns the flat index y * width + x of each window's pixels, [windows, elements per window].

    A position in the padding is replaced by the nearest position of the same window that lies inside the image. That
    keeps the order, so ARGMAX still finds the first maximum. A window without pixels is declined.
    """
    axis_indices = []
    for axis, count in enumerate(window.window_counts(x.shape[1:3])):
        size, step, kernel = x.shape[1 + axis], window.dilation[axis], window.kernel[axis]
        affordable((count, kernel))
        starts = np.arange(count)[:, None] * window.stride[axis] - window.pad[2 * axis]
        first_inside = starts + -(np.minimum(starts, 0) // step) * step
        last_inside = first_inside + (size - 1 - first_inside) // step * step
        axis_indices.append(np.clip(starts + np.arange(kernel) * step, first_inside, last_inside))
        require_in_range(axis_indices[-1], size)
    lines, columns = axis_indices
    affordable((len(lines), len(columns), lines.shape[1], columns.shape[1]))
    pixels = lines[:, None, :, None] * x.shape[2] + columns[None, :, None, :]
    return np.asarray(pixels.reshape(len(lines) * len(columns), -1), np.int32)


def adaptive_avg_pool2d(match: Match) -> Expr:
    """Lowers aten._adaptive_avg_pool2d: AVG_POOL2D if the output divides the image, else products with mean weights."""
    x, counts = _image(match, "self"), match.op.attributes["output_size"]
    sizes = x.shape[1:3]
    match.require(
        len(counts) == 2 and min(counts) >= 1, f"expected a height and width of 1 or more, found {list(counts)}"
    )
    if not any(size % count for size, count in zip(sizes, counts, strict=True)):
        kernel = tuple(size // count for size, count in zip(sizes, counts, strict=True))
        return _in_nchw(match, windows.average_pool(x, Window(kernel, kernel)))
    columns, rows = (_mean_weights(x, size, count) for size, count in zip(sizes[::-1], counts[::-1], strict=True))
    n, channels = x.shape[0], x.shape[3]
    y = float_product(match["self"].reshape((n, channels, *sizes)), columns)
    y = float_product(y.transpose((0, 1, 3, 2)), rows)
    return as_declared(match, y.transpose((0, 1, 3, 2)))


def _mean_weights(x: Expr, size: int, count: int) -> Expr:
    """Returns weights [size, count]; an axis times them is `count` means, as ATen's AdaptivePooling defines them.

    Mean i is of the elements from floor(i * size / count) to ceil((i + 1) * size / count), which may overlap.
    """
    shares = np.zeros(affordable((size, count)))
    for i in range(count):
        first, last = i * size // count, -(-(i + 1) * size // count)
        shares[first:last, i] = 1 / (last - first)
    return const(shares, x.dtype)


def _resized_axes(match: Match, x: Expr, *, align_corners: bool, half_pixel: bool) -> tuple[ResizeAxis, ResizeAxis]:
    """Returns how the image's height and width are resized to the sizes that the program declares for the result.

    Scale factors must be the quotients of the sizes; with `align_corners` they have no effect.

    Raises:
        Decline: factors that aren't these quotients, or a result that isn't an image of at least 1 by 1.
    """
    size = declared_shape(match)[-2:]
    if len(size) != 2 or min(size) < 1:
        raise Decline(f"expected an image of at least 1 by 1, found {list(size)}")
    affordable(size)
    factors: Sequence[float] = match.op.attributes["scale_factors"] or ()
    quotients = [new / old for new, old in zip(size, x.shape[1:3], strict=True)]
    if factors and not align_corners and list(factors) != quotients:
        raise Decline(f"expected the scale factors {quotients}, the quotients of the sizes, found {list(factors)}")
    return image_axes(x, size, align_corners=align_corners, half_pixel=half_pixel)


def upsample_nearest2d(match: Match) -> Expr:
    """Lowers aten.upsample_nearest2d: each pixel is the nearest one of the input."""
    x = _image(match, "input")
    return _in_nchw(match, nearest(x, _resized_axes(match, x, align_corners=False, half_pixel=False)))


def upsample_bilinear2d(match: Match) -> Expr:
    """Lowers aten.upsample_bilinear2d; `align_corners` aligns corner pixels' centers, else their outer edges."""
    x, align_corners = _image(match, "input"), match.op.attributes["align_corners"]
    axes = _resized_axes(match, x, align_corners=align_corners, half_pixel=not align_corners)
    return _in_nchw(match, bilinear(x, axes, accepts(match)))


RULES: tuple[Rule, ...] = (
    *kernel_rules("mm.out", FLOATS, matrices),
    *kernel_rules("bmm.out", FLOATS, matrices),
    *kernel_rules("addmm.out", FLOATS, addmm),
    *kernel_rules("convolution.out", FLOATS, convolution),
    *kernel_rules("avg_pool2d.out", FLOATS, avg_pool2d),
    *kernel_rules("max_pool2d_with_indices.out", FLOATS, max_pool2d_with_indices),
    *kernel_rules("_adaptive_avg_pool2d.out", FLOATS, adaptive_avg_pool2d),
    *kernel_rules("upsample_nearest2d.vec_out", FLOATS, upsample_nearest2d),
    *kernel_rules("upsample_bilinear2d.vec_out", FLOATS, upsample_bilinear2d),
)
