"""Which operators LiteRT gives to XNNPACK's kernels: the operator, what the delegate asks, and the node it becomes.

`TABLE` lists them. An operator that meets a row's conditions becomes a node, which `legalize.xnnpack` lowers; one that
doesn't is left to the rules of LiteRT's own kernels. The conditions are those of xnnpack_delegate.cc.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, Quant, TensorType, Value
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.constant_operands import image_size
from tosa_converter.legalize.ops.matrix import row_count
from tosa_converter.legalize.quant.elements import BOUNDS, eight_bit, same_type
from tosa_converter.legalize.quant.scheme import Scheme
from tosa_converter.legalize.quant.weights import stored_weights
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.legalize.tflite.delegate_conditions import (
    PER_BYTE,
    consistent_sizes,
    constant,
    images,
    no_right_zero_point,
    overlapping_windows,
    present,
    product_ratio,
    range_activation,
    scales_along,
    scales_along_columns,
    slopes_in_range,
    sums_fit,
    whole_bytes,
    whole_groups,
    xnnpack_numerics,
)
from tosa_converter.legalize.tflite.layers import default_format, oriented_sides
from tosa_converter.legalize.tflite.quantized.borders import from_float
from tosa_converter.legalize.tflite.quantized.reduce import axes_of
from tosa_converter.legalize.tflite.windows import Windowed, transposed_padding, transposed_size
from tosa_converter.legalize.xnnpack import convert, layers, quantized, resize, tables
from tosa_converter.legalize.xnnpack import convolution as convolutions
from tosa_converter.legalize.xnnpack.checks import CONVERT_RATIOS, SUM_RATIOS, scale_ratios
from tosa_converter.legalize.xnnpack.dynamic import XNNPACK_DYNAMIC, quantize_at_run_time
from tosa_converter.legalize.xnnpack.schemes import XNNPACK_8
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.records import TensorRecord
from tosa_converter.rewriting.rule import Build, Check, Result, Rule
from tosa_converter.schemas import tflite, xnnpack
from tosa_converter.schemas.tflite import Padding

Fields: TypeAlias = dict[str, Any]


class NodeArguments(NamedTuple):
    """The operands and fields of an XNNPACK node that computes a TFLite operator."""

    operands: tuple[Value | None, ...]
    fields: Fields


ReadArguments: TypeAlias = Callable[[Match], NodeArguments]


def replacement_operand(match: Match, new: Expr | TensorRecord, like: TensorType) -> Value:
    """Returns an operand for an XNNPACK node that stands for `new`, which is read when the node is lowered.

    It has the element type and quantization of `like`, and the shape of `new`.
    """
    operand = Value(like._replace(shape=new.type.shape))
    match.set_translation(operand, new.value if isinstance(new, Expr) else new)
    return operand


# ** fields that several nodes have **


def _optional_operand(match: Match, key: Key) -> Value | None:
    """Returns the matched operator's operand `key`, or None if it doesn't have it."""
    return match.source(key) if match.has(key) else None


def _range_fields(match: Match) -> Fields:
    """Returns an XNNPACK node's fields of the output range: that of the operator's fused activation."""
    low, high = BOUNDS.get(match.attributes(Fused).fused_activation_function, (None, None))
    return {"output_min": -math.inf if low is None else low, "output_max": math.inf if high is None else high}


def _padding_fields(match: Match) -> Fields:
    """Returns an XNNPACK node's fields of padding: amounts of 0, and a flag if TensorFlow's SAME padding applies."""
    same = match.attributes(Windowed).padding == Padding.SAME
    return {
        "flags": xnnpack.FLAG_TENSORFLOW_SAME_PADDING if same else 0,
        "padding_top": 0,
        "padding_bottom": 0,
        "padding_left": 0,
        "padding_right": 0,
    }


def _window_fields(match: Match, weight: Value) -> Fields:
    """Returns an XNNPACK node's fields of a convolution's window: kernel size, stride (subsampling) and dilation."""
    options = match.attributes(Windowed)
    _, height, width, _ = weight.type.static
    return {
        "kernel_height": height,
        "kernel_width": width,
        "subsampling_height": options.stride_h,
        "subsampling_width": options.stride_w,
        "dilation_height": options.dilation_h_factor,
        "dilation_width": options.dilation_w_factor,
    }


def _group_fields(count: int, inputs: int, outputs: int) -> Fields:
    """Returns an XNNPACK node's fields of channel groups: how many, and the input and output channels of each."""
    return {"groups": count, "group_input_channels": inputs, "group_output_channels": outputs}


# ** nodes **


def unary_arguments(match: Match) -> NodeArguments:
    """Returns an XNNPACK node's arguments for a TFLite operator of one operand: that operand and no fields."""
    return NodeArguments((match.source(0),), {})


def elu_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's ELU node for ELU, whose alpha is 1."""
    return NodeArguments((match.source(0),), {"alpha": 1.0})


def leaky_relu_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's LeakyReLU node for LEAKY_RELU."""
    return NodeArguments((match.source(0),), {"negative_slope": match.attributes(tflite.LeakyReluOptions).alpha})


def binary_arguments(match: Match) -> NodeArguments:
    """Returns an XNNPACK node's arguments for a TFLite operator of two operands; its fields are the output range."""
    return NodeArguments((match.source("lhs"), match.source("rhs")), _range_fields(match))


def reduction_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's StaticMean or StaticSum for TFLite's MEAN or SUM over constant axes."""
    keep = match.attributes(tflite.ReducerOptions).keep_dims
    flags = xnnpack.FLAG_KEEP_DIMS if keep else 0
    return NodeArguments((match.source(0),), {"flags": flags, "reduction_axes": axes_of(match, match["input"])})


def convolution_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's Conv2d for CONV_2D; a filter's input channels tell the number of groups."""
    x, weight, bias = (match.source(key) for key in ("input", "filter", "bias"))
    outputs, _, _, depth = weight.type.static
    groups = match["input"].shape[3] // depth
    fields = (
        _padding_fields(match)
        | _range_fields(match)
        | _window_fields(match, weight)
        | _group_fields(groups, depth, outputs // groups)
    )
    return NodeArguments((x, weight, bias), fields)


def depthwise_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's DepthwiseConv2d for DEPTHWISE_CONV_2D, with a group for each channel."""
    x, weight, bias = (match.source(key) for key in ("input", "filter", "bias"))
    channels, outputs = match["input"].type.static[3], weight.type.static[3]
    fields = (
        _padding_fields(match)
        | _range_fields(match)
        | _window_fields(match, weight)
        | _group_fields(channels, 1, outputs // channels)
    )
    return NodeArguments((x, weight, bias), fields)


def transposed_convolution_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's ConvTranspose2d for TRANSPOSE_CONV.

    Its padding is cut off the result; `adjustment` rows and columns are appended where the padding would be negative.
    """
    x, weight, options = match.source("input"), match.source("weights"), match.attributes(Windowed)
    outputs, *kernel, depth = weight.type.static
    top, bottom, left, right = transposed_padding(
        options.padding, transposed_size(match), match["input"].shape[1:3], kernel, options.stride
    )
    fields = _range_fields(match) | _window_fields(match, weight) | _group_fields(1, depth, outputs)
    fields |= {"flags": 0, "padding_top": -top, "padding_left": -left, "dilation_height": 1, "dilation_width": 1}
    fields |= {"padding_bottom": max(-bottom, 0), "padding_right": max(-right, 0)}
    fields |= {"adjustment_height": max(bottom, 0), "adjustment_width": max(right, 0)}
    return NodeArguments((x, weight, _optional_operand(match, "bias")), fields)


def fully_connected_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's FullyConnected, with weights of 4 or 2 bits as int8.

    The input becomes rows unless the option keep_num_dims is set.
    """
    x, weight = match.source("input"), match.source("filter")
    if not match.attributes(tflite.FullyConnectedOptions).keep_num_dims:
        depth = weight.type.static[-1]
        rows = match["input"].reshape((row_count(match["input"], depth), depth))
        x = replacement_operand(match, rows, x.type)
    if weight.type.dtype in PER_BYTE:
        weight = replacement_operand(match, stored_weights(match, "filter"), weight.type._replace(dtype=DType.I8))
    return NodeArguments((x, weight, _optional_operand(match, "bias")), _range_fields(match))


def batch_matmul_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's BatchMatrixMultiply: operands transposed as adj_x and adj_y say, no fields."""
    pair = zip(oriented_sides(match, match["x"], match["y"]), ("x", "y"), strict=True)
    return NodeArguments(tuple(replacement_operand(match, side, match.source(key).type) for side, key in pair), {})


def max_pooling_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's MaxPooling2d for MAX_POOL_2D."""
    pool, options = match.attributes(tflite.Pool2DOptions), match.attributes(Windowed)
    window = {
        "pooling_height": pool.filter_height,
        "pooling_width": pool.filter_width,
        "stride_height": options.stride_h,
        "stride_width": options.stride_w,
    }
    return NodeArguments((match.source("input"),), _padding_fields(match) | _range_fields(match) | window)


def resize_bilinear_arguments(match: Match) -> NodeArguments:
    """Returns the arguments of XNNPACK's StaticResizeBilinear2D; flags stand for RESIZE_BILINEAR's options."""
    options = match.attributes(tflite.ResizeBilinearOptions)
    legacy = 0 if options.half_pixel_centers else xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    height, width = image_size(match, "size")
    flags = xnnpack.FLAG_ALIGN_CORNERS if options.align_corners else legacy
    return NodeArguments((match.source("input"),), {"flags": flags, "new_height": height, "new_width": width})


def with_quantized_operand(read_arguments: ReadArguments, dimensions: int) -> ReadArguments:
    """Returns a function that reads an XNNPACK node's arguments and quantizes the first operand to int8 at run time.

    `read_arguments` reads them. The operand has a scale and a zero point for each index of all but the last
    `dimensions`.
    """

    def read_quantized_arguments(match: Match) -> NodeArguments:
        """Returns what `read_arguments` returns, with a run-time quantized first operand."""
        (x, *operands), fields = read_arguments(match)
        assert x is not None
        real = Expr(match.translate(x))
        rows = quantize_at_run_time(match, real, dimensions)
        quantized_type = TensorType(DType.I8, real.type.shape, Quant((), (), rows=dimensions))
        return NodeArguments((replacement_operand(match, rows, quantized_type), *operands), fields)

    return read_quantized_arguments


# ** the table **


class DelegateRow(NamedTuple):
    """A TFLite operator that LiteRT's XNNPACK delegate takes, its conditions, and the node it becomes.

    `operator` is TFLite's, `types` the element types of the operands `of`. If every condition holds, the operator
    becomes XNNPACK's `node`, whose operands and fields `read_arguments` gives, and `lower` translates the node.
    """

    operator: str
    types: str
    conditions: tuple[Check, ...]
    node: str
    read_arguments: ReadArguments
    lower: Build
    of: tuple[Key, ...] = (0,)
    label: str = ""

    @property
    def rule(self) -> Rule:
        """The rule that converts this TFLite operator: if all conditions hold, it is lowered as the XNNPACK node."""

        def build(match: Match) -> Result | Sequence[Result]:
            """Builds the XNNPACK node with operands and fields of the TFLite operator, and lowers it."""
            (result,), (operands, fields) = match.op.results, self.read_arguments(match)
            node = Op(
                f"xnn.{self.node}",
                operands,
                [result.type],
                {"flags": 0, **fields},
                location=match.op.location,
                result_names=[result.name],
            )
            return self.lower(match.of(node))

        checks = (xnnpack_numerics, *self.conditions)
        return Rule(f"tfl.{self.operator}", self.types, build, checks, self.of, label=self.label)


def lower_as_int8(lower: Callable[[Match, Scheme], Expr]) -> Build:
    """Returns a build function that lowers an XNNPACK node with XNNPACK's arithmetic of 8 bits."""
    return lambda match: lower(match, XNNPACK_8)


def lower_as_dynamic(lower: Callable[[Match, Scheme], Expr]) -> Build:
    """Returns a build function that lowers an XNNPACK node whose first operand is quantized at run time."""
    return lambda match: lower(match, XNNPACK_DYNAMIC)


UNARY = (eight_bit(0), same_type)
BINARY = (eight_bit(0, 1), same_type, range_activation)
SUM = (*BINARY, scale_ratios(SUM_RATIOS, "lhs", "rhs"))
CONVERTED = (*UNARY, scale_ratios(CONVERT_RATIOS, 0))
SAME = (eight_bit("input"), same_quantization)
POOLED = (*SAME, range_activation, overlapping_windows)
RESIZED = (*SAME, images, constant("size"))

WEIGHTS = (constant("filter", "bias"), range_activation)
LAYER = (*WEIGHTS, default_format, scales_along("filter", 0), whole_bytes)
CONV = (*WEIGHTS, images, present("bias"), scales_along("filter", 0), whole_groups)
DEPTHWISE = (*WEIGHTS, images, present("bias"), scales_along("filter", 3), whole_groups)
TRANSPOSED = (
    images,
    range_activation,
    constant("output_shape", "weights", "bias"),
    scales_along("weights", 0),
    consistent_sizes,
)

PAIRS = "i8*i8 ui8*ui8"
FILTER = ("input", "filter")

TABLE = (
    # functions, conversions, arithmetic, reductions
    DelegateRow("logistic", BYTES, UNARY, "sigmoid", unary_arguments, tables.OPERATORS["sigmoid"]),
    DelegateRow("tanh", BYTES, UNARY, "tanh", unary_arguments, tables.OPERATORS["tanh"]),
    DelegateRow("elu", "i8", UNARY, "elu", elu_arguments, tables.OPERATORS["elu"]),
    DelegateRow("leaky_relu", BYTES, (*UNARY, slopes_in_range), "leaky_relu", leaky_relu_arguments,
        tables.OPERATORS["leaky_relu"]),
    DelegateRow("quantize", "fp32", (from_float,), "convert", unary_arguments, convert.quantize),
    DelegateRow("quantize", BYTES, CONVERTED, "convert", unary_arguments, convert.requantize, label="requantize"),
    DelegateRow("add", BYTES, SUM, "add", binary_arguments, quantized.add),
    DelegateRow("sub", BYTES, SUM, "subtract", binary_arguments, quantized.subtract),
    DelegateRow("mul", BYTES, (*BINARY, product_ratio), "multiply", binary_arguments, quantized.multiply),
    DelegateRow("mean", BYTES, (*UNARY, constant("axis"), sums_fit), "static_mean", reduction_arguments,
        quantized.static_mean),
    DelegateRow("sum", BYTES, (*UNARY, constant("axes"), sums_fit), "static_sum", reduction_arguments,
        quantized.static_sum),
    # images
    DelegateRow("max_pool_2d", BYTES, POOLED, "max_pooling_2d", max_pooling_arguments, quantized.max_pooling_2d),
    DelegateRow("resize_bilinear", BYTES, RESIZED,
        "static_resize_bilinear_2d", resize_bilinear_arguments, resize.resize_quantized),
    # weights and matrices
    DelegateRow("conv_2d", PAIRS, (*UNARY, *CONV),
        "conv_2d", convolution_arguments, lower_as_int8(convolutions.conv_2d), of=FILTER),
    DelegateRow("depthwise_conv_2d", PAIRS, (*UNARY, *DEPTHWISE),
        "depthwise_conv_2d", depthwise_arguments, lower_as_int8(convolutions.depthwise_conv_2d), of=FILTER),
    DelegateRow("transpose_conv", PAIRS, (eight_bit("input"), *TRANSPOSED),
        "conv_transpose_2d", transposed_convolution_arguments, lower_as_int8(convolutions.conv_transpose_2d),
        of=("input", "weights")),
    DelegateRow("fully_connected", f"{PAIRS} i8*i4 i8*i2", (*UNARY, *LAYER),
        "fully_connected", fully_connected_arguments, lower_as_int8(layers.fully_connected), of=FILTER),
    DelegateRow("batch_matmul", "i8*i8", (eight_bit("x", "y"), no_right_zero_point),
        "batch_matrix_multiply", batch_matmul_arguments, lower_as_int8(layers.batch_matrix_multiply), of=("x", "y")),
    # the same of floats with integer weights: the operand is quantized at run time
    DelegateRow("conv_2d", "fp32*i8", CONV,
        "conv_2d", with_quantized_operand(convolution_arguments, 3), lower_as_dynamic(convolutions.conv_2d), of=FILTER,
        label="dynamic_conv_2d"),
    DelegateRow("transpose_conv", "fp32*i8", TRANSPOSED,
        "conv_transpose_2d", with_quantized_operand(transposed_convolution_arguments, 3),
        lower_as_dynamic(convolutions.conv_transpose_2d),
        of=("input", "weights"), label="dynamic_transpose_conv"),
    DelegateRow("fully_connected", "fp32*i8 fp32*i4 fp32*i2", LAYER,
        "fully_connected", with_quantized_operand(fully_connected_arguments, 1),
        lower_as_dynamic(layers.fully_connected),
        of=FILTER, label="dynamic_fully_connected"),
    DelegateRow("batch_matmul", "fp32*i8", (constant("y"), scales_along_columns),
        "batch_matrix_multiply", with_quantized_operand(batch_matmul_arguments, 1),
        lower_as_dynamic(layers.batch_matrix_multiply),
        of=("x", "y"), label="dynamic_batch_matmul"),
)  # fmt: skip

RULES: tuple[Rule, ...] = tuple(row.rule for row in TABLE)
