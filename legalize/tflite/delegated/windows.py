"""Convolutions, layers, pools and images of 8-bit elements that LiteRT's delegate takes."""

from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.operands import image_size
from tosa_converter.legalize.ops.matrix import row_count
from tosa_converter.legalize.quant.elements import eight_bit, operand, same_type
from tosa_converter.legalize.quant.weights import stored
from tosa_converter.legalize.tflite.delegated.node import asked, bounds, node, standing_for, static
from tosa_converter.legalize.tflite.layers import default_format
from tosa_converter.legalize.tflite.windows import Windowed, pool_window, transposed_size, transposed_window
from tosa_converter.legalize.xnnpack import convolution as nodes
from tosa_converter.legalize.xnnpack import layers, quantized, quantized_resize
from tosa_converter.legalize.xnnpack.schemes import XNNPACK_8
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tflite, xnnpack
from tosa_converter.schemas.tflite import Padding

PAIRS = "i8*i8 ui8*ui8"
FEW = {DType.I4: 2, DType.I2: 4}  # of how many elements to a byte
UNPADDED = dict.fromkeys(("padding_top", "padding_bottom", "padding_left", "padding_right"), 0)


def _flags(options: Windowed) -> int:
    return xnnpack.FLAG_TENSORFLOW_SAME_PADDING if options.padding == Padding.SAME else 0


def _window(match: Match, weight: Value) -> dict[str, Any]:
    """The fields of a convolution's window, and its bounds."""
    options = match.attributes(Windowed)
    _, height, width, _ = weight.type.static
    return {
        **UNPADDED,
        **bounds(match),
        "flags": _flags(options),
        "kernel_height": height,
        "kernel_width": width,
        "subsampling_height": options.stride_h,
        "subsampling_width": options.stride_w,
        "dilation_height": options.dilation_h_factor,
        "dilation_width": options.dilation_w_factor,
    }


def _groups(groups: int, inputs: int, outputs: int) -> dict[str, int]:
    """Groups of channels, with how many of the input's and of the result's are in each."""
    return {"groups": groups, "group_input_channels": inputs, "group_output_channels": outputs}


def scaled_along(axis: int, weight: Value) -> Value:
    """A weight with one scale or those of its channels; only uint8 has a zero point.

    Raises:
        Decline: another one.
    """
    dtype, _, quant = weight.type
    if quant is None or quant.axis not in (axis, None) or (any(quant.zero_point) and dtype is not DType.UI8):
        raise Decline(f"{weight.name!r}: {weight.type}, which the delegate leaves to other kernels")
    return weight


def conv_2d(match: Match) -> Expr:
    """CONV_2D -> Conv2d."""
    return nodes.conv_2d(convolution(match, match.source("input")), XNNPACK_8)


def convolution(match: Match, x: Value) -> Match:
    """Conv2d.

    Raises:
        Decline: weights or a bias that the delegate leaves to other kernels.
    """
    weight, bias = scaled_along(0, static(match, "filter")), static(match, "bias")
    outputs, _, _, depth = weight.type.static
    groups = match["input"].shape[3] // depth
    fields = _window(match, weight) | _groups(groups, depth, outputs // groups)
    return node("conv_2d", match, x, weight, bias, **fields)


def depthwise_conv_2d(match: Match) -> Expr:
    """DEPTHWISE_CONV_2D -> DepthwiseConv2d."""
    x, weight, bias = match.source("input"), scaled_along(3, static(match, "filter")), static(match, "bias")
    channels, outputs = match["input"].type.static[3], weight.type.static[3]
    if not channels:
        raise Decline(f"{x.type} has no channels")
    fields = _window(match, weight) | _groups(channels, 1, outputs // channels)
    return nodes.depthwise_conv_2d(node("depthwise_conv_2d", match, x, weight, bias, **fields), XNNPACK_8)


def transpose_conv(match: Match) -> Expr:
    """TRANSPOSE_CONV -> ConvTranspose2d."""
    return nodes.conv_transpose_2d(transposed(match, match.source("input")), XNNPACK_8)


def transposed(match: Match, x: Value) -> Match:
    """ConvTranspose2d, if the output's shape is one from which a convolution makes the input's.

    Raises:
        Decline: it isn't, or weights or a bias that the delegate leaves to other kernels.
    """
    weight = scaled_along(0, static(match, "weights"))
    bias = static(match, "bias") if match.has("bias") else None
    static(match, "output_shape")
    options, size = match.attributes(Windowed), transposed_size(match)
    outputs, *kernel, depth = weight.type.static
    inputs = match["input"].shape[1:3]
    top, bottom, left, right = transposed_window(match, "weights").pad
    _require_consistent(options, size, kernel, inputs)
    fields = _window(match, weight) | _groups(1, depth, outputs)
    fields |= {"flags": 0, "padding_top": -top, "padding_left": -left, "dilation_height": 1, "dilation_width": 1}
    fields |= {"padding_bottom": max(-bottom, 0), "padding_right": max(-right, 0)}
    fields |= {"adjustment_height": max(bottom, 0), "adjustment_width": max(right, 0)}
    return node("conv_transpose_2d", match, x, weight, bias, **fields)


def _require_consistent(options: Windowed, size: list[int], kernel: list[int], inputs: tuple[int, ...]) -> None:
    """Against output sizes that the delegate leaves to other kernels (CalculateTransposeConvPaddings).

    Raises:
        Decline: one is.
    """
    for out, width, stride, found in zip(size, kernel, options.stride, inputs, strict=True):
        same = options.padding == Padding.SAME
        wanted = -(-out // stride) if same else (out - width) // stride + 1
        if found != wanted or width < (stride if same else 1) or (not same and width > out):
            raise Decline(f"{found} elements for {out} with a kernel of {width} and a stride of {stride}")


def fully_connected(match: Match) -> Expr:
    """FULLY_CONNECTED -> FullyConnected, of rows unless the dimensions are kept."""
    return layers.fully_connected(layer(match, rows(match), _widened(match)), XNNPACK_8)


def rows(match: Match) -> Value:
    """The operand of a layer, [rows,depth] unless its dimensions are kept."""
    x, depth = match.source("input"), match.source("filter").type.static[-1]
    if match.attributes(tflite.FullyConnectedOptions).keep_num_dims:
        return x
    made = match["input"].reshape((row_count(match["input"], depth), depth))
    return standing_for(match, made, x.type._replace(shape=made.type.shape))


def _widened(match: Match) -> Value:
    """The weight in bytes."""
    weight = match.source("filter")
    if weight.type.dtype not in FEW:
        return weight
    return standing_for(match, stored(match, "filter"), weight.type._replace(dtype=DType.I8))


def layer(match: Match, x: Value, weight: Value) -> Match:
    """FullyConnected.

    Raises:
        Decline: weights or a bias that the delegate leaves to other kernels.
    """
    found = scaled_along(0, static(match, "filter"))
    bias = static(match, "bias") if match.has("bias") else None
    (outputs, depth), dtype = found.type.static, found.type.dtype
    if depth % FEW.get(dtype, 1) or (dtype is DType.I2 and len(match.quant("filter").scale) != outputs):
        raise Decline(f"{found.name!r}: {found.type}, which the delegate leaves to other kernels")
    return node("fully_connected", match, x, weight, bias, **bounds(match))


def batch_matmul(match: Match) -> Expr:
    """BATCH_MATMUL -> BatchMatrixMultiply of a right side without zero point."""
    zero_point, options = operand(match, "y").zero_point, match.attributes(tflite.BatchMatMulOptions)
    if zero_point:
        raise Decline(f"a zero point of {zero_point}, which the delegate leaves to other kernels")
    flags = xnnpack.FLAG_TRANSPOSE_A * options.adj_x | xnnpack.FLAG_TRANSPOSE_B * options.adj_y
    x, y = match.source("x"), match.source("y")
    return layers.batch_matrix_multiply(node("batch_matrix_multiply", match, x, y, flags=flags), XNNPACK_8)


def max_pool_2d(match: Match) -> Expr:
    """MAX_POOL_2D -> MaxPooling2d, or Clamp of single elements."""
    window, options = pool_window(match), match.attributes(Windowed)
    if any(stride > size for stride, size in zip(window.stride, window.kernel, strict=True)):
        raise Decline(f"a stride {list(window.stride)} beyond the window {list(window.kernel)}")
    fields = {
        **UNPADDED,
        **bounds(match),
        "flags": _flags(options),
        "pooling_height": window.kernel[0],
        "pooling_width": window.kernel[1],
        "stride_height": options.stride_h,
        "stride_width": options.stride_w,
    }
    return quantized.max_pooling_2d(node("max_pooling_2d", match, match.source("input"), **fields))


def resize_bilinear(match: Match) -> Expr:
    """RESIZE_BILINEAR -> StaticResizeBilinear2D."""
    static(match, "size")
    options = match.attributes(tflite.ResizeBilinearOptions)
    legacy = 0 if options.half_pixel_centers else xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    flags = xnnpack.FLAG_ALIGN_CORNERS if options.align_corners else legacy
    height, width = image_size(match, "size")
    x, size = match.source("input"), {"new_height": height, "new_width": width}
    return quantized_resize.static_resize_bilinear_2d(node("static_resize_bilinear_2d", match, x, flags=flags, **size))


@condition("operand and result are images in the file")
def images(match: Match) -> str | None:
    """Against other ranks, which the delegate takes from the file."""
    found = [value for value in (match.source("input"), match.op.results[0]) if value.type.rank != 4]
    return f"{found[0].name!r} is {found[0].type}" if found else None


CONVOLVED = (asked, eight_bit("input"), same_type, images)
TRANSPOSED = (asked, eight_bit("input"), images)
LAYER = (asked, eight_bit("input"), same_type, default_format)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", PAIRS, conv_2d, CONVOLVED, of=("input", "filter")),
    Rewrite("tfl.depthwise_conv_2d", PAIRS, depthwise_conv_2d, CONVOLVED, of=("input", "filter")),
    Rewrite("tfl.transpose_conv", PAIRS, transpose_conv, TRANSPOSED, of=("input", "weights")),
    Rewrite("tfl.fully_connected", f"{PAIRS} i8*i4 i8*i2", fully_connected, LAYER, of=("input", "filter")),
    Rewrite("tfl.batch_matmul", "i8*i8", batch_matmul, (asked, eight_bit("x", "y")), of=("x", "y")),
    Rewrite("tfl.max_pool_2d", BYTES, max_pool_2d, (asked, eight_bit("input"), same_quantization)),
    Rewrite("tfl.resize_bilinear", BYTES, resize_bilinear, (asked, eight_bit("input"), same_quantization, images)),
)
