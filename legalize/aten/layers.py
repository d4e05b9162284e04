"""Matrix products and layers; convolutions, pools and resizing of images, which ATen has in NCHW."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.aten.common import FLOATS, as_declared, declared_shape, number, promoted, rewrite
from tosa_converter.legalize.limits import I32, affordable
from tosa_converter.legalize.ops.index import require_in_range
from tosa_converter.legalize.tflite.float.conv import dense
from tosa_converter.legalize.tflite.float.resize import Axis, bilinear, nearest
from tosa_converter.legalize.xnnpack import windows
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_rank, require_sizes
from tosa_converter.legalize.xnnpack.layers import product
from tosa_converter.legalize.xnnpack.windows import Operands, Window
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, const, emit
from tosa_converter.rewriting.operators import gather, max_pool2d, reduce_max
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

# ** matrices **


def _product(match: Match, left: str, right: str) -> Expr:
    a, b = match[left], promoted(match, right)
    for x in (a, b):
        if x.rank < 2 or not x.size:
            raise Decline(f"{x.type} is no matrix")
    require_sizes("batches", b.shape[:-2], a.shape[:-2])
    return product(a, b)


def matrices(match: Match) -> Expr:
    """Mm and bmm."""
    return _product(match, "self", "mat2")


def addmm(match: Match) -> Expr:
    """addmm: beta * self + alpha * mat1 @ mat2; with a bias and constant weights a CONV2D of 1 by 1."""
    bias, weight = promoted(match, "self"), promoted(match, "mat2")
    alpha, beta = match.op.attributes["alpha"], match.op.attributes["beta"]
    if weight.constant is not None and alpha == beta == 1 and bias.type.shape == weight.type.shape[1:]:
        return _dense(match["mat1"], weight.transpose((1, 0)), bias)
    y = _product(match, "mat1", "mat2")
    require_broadcast(y, bias)
    y = y if alpha == 1 else y * number(alpha, y)
    return y + (bias if beta == 1 else bias * number(beta, bias))


def _dense(x: Expr, weight: Expr, bias: Expr) -> Expr:
    require_rank(weight, 2)
    require_sizes("depth", x.shape[-1:], weight.shape[1:])
    require_sizes("bias", [bias.rank], [1])
    if bias.size not in (1, weight.shape[0]) or not x.size:
        raise Decline(f"a bias {bias.type} for {weight.type}")
    y = dense(x, weight, bias)
    return y.reshape((*x.shape[:-1], weight.shape[0]))


# ** images **

TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


def _image(match: Match, key: str) -> Expr:
    """An image in NHWC; a row of pixels is an image of one line, one without batches is one of them."""
    x = match[key]
    if x.rank not in (3, 4) or not x.size:
        raise Decline(f"an image of shape {list(x.shape)}")
    shape = x.shape
    return x.reshape(shape if x.rank == 4 else _line(shape)).transpose(TO_NHWC)


def _line(shape: tuple[int, ...]) -> tuple[int, ...]:
    return *shape[:2], 1, shape[2]


def _in_nchw(match: Match, y: Expr, result: int = 0) -> Expr:
    """The image as the program has it."""
    return as_declared(match, y.transpose(TO_NCHW), result)


def _pair(match: Match, name: str, default: int, *, line: bool = False) -> tuple[int, int]:
    """An attribute of one number for both dimensions or of two, in lines for the second alone.

    Raises:
        Decline: it has others.
    """
    values = match.op.attributes[name]
    if len(values) not in (1, 2) or (line and len(values) == 2) or max(map(abs, values)) > I32.max:
        raise Decline(f"{name} {list(values)}")
    return (default, values[0]) if line else (values[0], values[-1])


def convolution(match: Match) -> Expr:
    """Convolution of lines or images, in groups; transposed too."""
    line, fields = match["input"].rank == 3, match.op.attributes
    x, weight, groups = _image(match, "input"), match["weight"], fields["groups"]
    require_sizes("dimensions of the weight", [weight.rank], [match["input"].rank])
    weight = weight.reshape(_line(weight.shape)) if line else weight
    stride, pad, dilation, further = (
        _pair(match, name, default, line=line)
        for name, default in (("stride", 1), ("padding", 0), ("dilation", 1), ("output_padding", 0))
    )
    if min(*stride, *dilation, groups, *weight.shape) < 1 or min(*pad, *further) < 0:
        raise Decline(f"stride {stride}, dilation {dilation}, padding {pad} and {further}, {groups} groups")
    height, width = weight.shape[2:]
    found = Window((height, width), stride, dilation, (pad[0], pad[0], pad[1], pad[1]), further)
    weight = _weight(weight, groups, transposed=fields["transposed"])
    it = Operands(x, weight, _bias(match, weight.shape[0]))
    require_sizes("channels", x.shape[3:], [groups * weight.shape[3]])
    if fields["transposed"]:
        return _in_nchw(match, windows.transposed(match, it, found))
    _require_fit(x, found)
    return _in_nchw(match, windows.convolved(match, it, found))


def _require_fit(x: Expr, found: Window) -> None:
    """Against windows larger than the padded image.

    Raises:
        Decline: none fits.
    """
    padded = [size + sum(found.pad[2 * i : 2 * i + 2]) for i, size in enumerate(x.shape[1:3])]
    if any(size < reach for size, reach in zip(padded, found.reach, strict=True)):
        raise Decline(f"a window of {list(found.reach)} does not fit {x.type} with padding {list(found.pad)}")


def _weight(weight: Expr, groups: int, *, transposed: bool) -> Expr:
    """[outputs,inputs of a group,H,W], transposed [inputs,outputs of a group,H,W], as [outputs,H,W,inputs]."""
    first, second, height, width = weight.shape
    if first % groups:
        raise Decline(f"{groups} groups of a weight {weight.type}")
    if not transposed:
        return weight.transpose(TO_NHWC)
    weight = weight.reshape((groups, first // groups, second, height, width))
    weight = weight.transpose((0, 2, 3, 4, 1))
    return weight.reshape((groups * second, height, width, first // groups))


def _bias(match: Match, outputs: int) -> Expr:
    bias = match.get("bias")
    if bias is None:
        return const([0], match["input"].dtype)
    require_sizes("bias", bias.shape, [outputs])
    return bias


def _pool(match: Match, x: Expr) -> Window:
    """The window of a pool, with what `ceil_mode` adds behind.

    Raises:
        Decline: it has no size or more padding than half, which ATen refuses, or doesn't fit.
    """
    kernel, pad = _pair(match, "kernel_size", 1), _pair(match, "padding", 0)
    stride = _pair(match, "stride", 1) if match.op.attributes["stride"] else kernel
    dilation = _pair(match, "dilation", 1) if "dilation" in match.op.attributes else (1, 1)
    if min(*kernel, *stride, *dilation) < 1 or any(not 0 <= 2 * p <= k for p, k in zip(pad, kernel, strict=True)):
        raise Decline(f"kernel {kernel}, stride {stride}, dilation {dilation}, padding {pad}")
    found = Window(kernel, stride, dilation, (pad[0], pad[0], pad[1], pad[1]))
    _require_fit(x, found)
    behind = [_behind(found, x, axis, ceiling=match.op.attributes["ceil_mode"]) for axis in (0, 1)]
    return found._replace(pad=(pad[0], pad[0] + behind[0], pad[1], pad[1] + behind[1]))


def _behind(found: Window, x: Expr, axis: int, *, ceiling: bool) -> int:
    """How far the last window reaches beyond the padded image, if it begins inside (pooling_output_shape)."""
    pad, stride, size = found.pad[2 * axis], found.stride[axis], x.shape[1 + axis]
    rest = (size + 2 * pad - found.reach[axis]) % stride
    count = (size + 2 * pad - found.reach[axis]) // stride + 1
    return stride - rest if ceiling and rest and count * stride < size + pad else 0


def avg_pool2d(match: Match) -> Expr:
    """avg_pool2d: with padding that is counted, of the padded image; with another divisor, of all of a window."""
    x = _image(match, "self")
    found, divisor = _pool(match, x), match.op.attributes["divisor_override"]
    top, bottom, left, right = found.pad
    counted = (0, 0, 0, 0)
    if divisor is not None:
        counted = found.pad
    elif match.op.attributes["count_include_pad"]:
        counted = (top, min(top, bottom), left, min(left, right))
    x = x.pad(((0, 0), counted[:2], counted[2:], (0, 0)))
    pad = tuple(whole - part for whole, part in zip(found.pad, counted, strict=True))
    y = operators.avg_pool2d(x, kernel=found.kernel, stride=found.stride, pad=pad)
    if divisor is not None:
        if not divisor:
            raise Decline("a divisor of 0")
        y = y * (math.prod(found.kernel) / divisor)
    return _in_nchw(match, y)


def max_pool2d_with_indices(match: Match) -> list[Expr]:
    """max_pool2d_with_indices: the largest, and its place in the image, line by line; the first of equal ones."""
    x = _image(match, "self")
    found = _pool(match, x)
    places = _places(found, x)
    n, height, width, channels = x.shape
    lines, size = places.shape
    affordable((n, lines, size))
    rows = const(np.broadcast_to(places.reshape(1, -1), (n, lines * size)), DType.I32)
    taken = gather(x.reshape((n, height * width, channels)), rows)
    taken = taken.reshape((n, lines, size, channels))
    place = emit(ops.ARGMAX, taken, axis=2, nan_mode="PROPAGATE")
    starts = const((np.arange(lines) * size).reshape(1, -1, 1), DType.I32)
    told = (place + starts).reshape((1, n * lines * channels))
    table = const(places.reshape(1, -1, 1), DType.I32)
    shape = (n, *_counts(found, x), channels)
    indices = gather(table, told).reshape(shape)
    if found.dilation == (1, 1):
        y = max_pool2d(x, kernel=found.kernel, stride=found.stride, pad=found.pad)
    else:
        y = reduce_max(taken, 2, nan_mode="PROPAGATE").reshape(shape)
    return [_in_nchw(match, y), _in_nchw(match, indices, 1)]


def _counts(found: Window, x: Expr) -> list[int]:
    """Lines and columns of windows."""
    padded = [x.shape[1 + axis] + sum(found.pad[2 * axis : 2 * axis + 2]) for axis in (0, 1)]
    return [(size - reach) // step + 1 for size, reach, step in zip(padded, found.reach, found.stride, strict=True)]


def _places(found: Window, x: Expr) -> Array:
    """[windows,elements] of an image's pixels by number; for one outside, the next that the window has inside.

    As the order of the others stays, the first of the largest is the same.
    """
    spans = []
    for axis, count in enumerate(_counts(found, x)):
        size, step, kernel = x.shape[1 + axis], found.dilation[axis], found.kernel[axis]
        affordable((count, kernel))
        starts = np.arange(count)[:, None] * found.stride[axis] - found.pad[2 * axis]
        first = starts + -(np.minimum(starts, 0) // step) * step
        last = first + (size - 1 - first) // step * step
        spans.append(np.clip(starts + np.arange(kernel) * step, first, last))
        require_in_range(spans[-1], size)
    lines, columns = spans
    affordable((len(lines), len(columns), lines.shape[1], columns.shape[1]))
    places = lines[:, None, :, None] * x.shape[2] + columns[None, :, None, :]
    return np.asarray(places.reshape(len(lines) * len(columns), -1), np.int32)


def adaptive_avg_pool2d(match: Match) -> Expr:
    """_adaptive_avg_pool2d: windows of one size where that divides the image, else products with their shares."""
    x, wanted = _image(match, "self"), match.op.attributes["output_size"]
    sizes = x.shape[1:3]
    if len(wanted) != 2 or min(wanted) < 1:
        raise Decline(f"an image of {list(wanted)}")
    if not any(size % count for size, count in zip(sizes, wanted, strict=True)):
        kernel = [size // count for size, count in zip(sizes, wanted, strict=True)]
        return _in_nchw(match, operators.avg_pool2d(x, kernel=kernel, stride=kernel, pad=(0, 0, 0, 0)))
    columns, rows = (_shares(x, size, count) for size, count in zip(sizes[::-1], wanted[::-1], strict=True))
    n, channels = x.shape[0], x.shape[3]
    y = product(match["self"].reshape((n, channels, *sizes)), columns)
    y = product(y.transpose((0, 1, 3, 2)), rows)
    return as_declared(match, y.transpose((0, 1, 3, 2)))


def _shares(x: Expr, size: int, count: int) -> Expr:
    """[size,count]: what an element has of a mean (start_index and end_index of AdaptivePooling)."""
    shares = np.zeros(affordable((size, count)))
    for i in range(count):
        first, last = i * size // count, -(-(i + 1) * size // count)
        shares[first:last, i] = 1 / (last - first)
    return const(shares, x.dtype)


def _resized_axes(match: Match, x: Expr, *, corners: bool, half: bool) -> tuple[Axis, Axis]:
    """Height and width.

    Raises:
        Decline: factors that aren't the quotients of the sizes.
    """
    size = declared_shape(match)[-2:]
    if len(size) != 2 or min(size) < 1:
        raise Decline(f"an image of {list(size)}")
    affordable(size)
    factors: Sequence[float] = match.op.attributes["scale_factors"] or ()
    quotients = [count / have for count, have in zip(size, x.shape[1:3], strict=True)]
    if factors and not corners and list(factors) != quotients:
        raise Decline(f"factors {list(factors)} of {x.type}, which the sizes make {quotients}")
    height, width = (Axis(*pair, corners, half) for pair in zip(x.shape[1:3], size, strict=True))
    return height, width


def upsample_nearest2d(match: Match) -> Expr:
    """upsample_nearest2d."""
    x = _image(match, "input")
    return _in_nchw(match, nearest(x, _resized_axes(match, x, corners=False, half=False)))


def upsample_bilinear2d(match: Match) -> Expr:
    """upsample_bilinear2d: pixels' middles lie over each other, or the corners."""
    x, corners = _image(match, "input"), match.op.attributes["align_corners"]
    return _in_nchw(match, bilinear(match, x, _resized_axes(match, x, corners=corners, half=not corners)))


REWRITES: tuple[Rewrite, ...] = (
    rewrite("mm.out", FLOATS, matrices),
    rewrite("bmm.out", FLOATS, matrices),
    rewrite("addmm.out", FLOATS, addmm),
    rewrite("convolution.out", FLOATS, convolution),
    rewrite("avg_pool2d.out", FLOATS, avg_pool2d),
    rewrite("max_pool2d_with_indices.out", FLOATS, max_pool2d_with_indices),
    rewrite("_adaptive_avg_pool2d.out", FLOATS, adaptive_avg_pool2d),
    rewrite("upsample_nearest2d.vec_out", FLOATS, upsample_nearest2d),
    rewrite("upsample_bilinear2d.vec_out", FLOATS, upsample_bilinear2d),
)
