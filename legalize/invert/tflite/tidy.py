"""Rules from several TFLite operators to one: fused activations, layers without RESHAPEs around them."""

from collections.abc import Sequence
from typing import Any

from tosa_converter.ir import Op, TensorType, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.invert.tflite.weights import reshape_weights
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import Padding

ACTIVATIONS = {
    "tfl.relu": Activation.RELU,
    "tfl.relu6": Activation.RELU6,
    "tfl.relu_n1_to_1": Activation.RELU_N1_TO_1,
}
# Operators whose kernels apply an activation to their result.
ACTIVATING = tuple(
    f"tfl.{name}" for name in ("add", "conv_2d", "depthwise_conv_2d", "div", "fully_connected", "mul", "sub")
)


@rule(pattern(tuple(ACTIVATIONS), pattern(ACTIVATING, name="y")), "fp32", of=("y",))
def fused_activation(m: Match) -> Value:
    """RELU(ADD(...)) of TFLite -> ADD with a fused activation; likewise for other activations and operators."""
    return _add_activation(m)


@rule(
    pattern(tuple(ACTIVATIONS), pattern("tfl.reshape", pattern(ACTIVATING, name="y"), name="shaped")),
    "fp32",
    of=("y",),
)
def fused_activation_before_reshape(m: Match) -> Value:
    """RELU(RESHAPE(ADD(...))) of TFLite -> RESHAPE of ADD with a fused activation."""
    m.require(m.only_reader("shaped"), "another operator reads {shaped} too")
    return tfl_builder().reshape(_add_activation(m), m.op.result.type.static)


def _add_activation(m: Match) -> Value:
    """Appends the matched TFLite operator `y` with the matched activation fused into it; returns its result."""
    layer = m.producer("y")
    m.require(m.only_reader("y"), "another operator reads {y} too")
    m.require(not layer.attributes.get("fused_activation_function"), "the operator has an activation")
    return _append_changed(layer, layer.inputs, layer.result.type, fused_activation_function=ACTIVATIONS[m.op.name])


@rule(pattern("tfl.conv_2d", "x", "weights", "bias"), "fp32")
def convolution_of_one_pixel(m: Match) -> Value:
    """TFLite's CONV_2D of images of one pixel by kernels of one pixel -> RESHAPE(FULLY_CONNECTED)."""
    x, weights = m.source("x"), m.source("weights")
    n, height, width, depth = x.type.static
    channels, *kernel, _ = weights.type.static
    m.require((height, width) == (1, 1) and kernel == [1, 1], "expected one pixel, found {x} by {weights}")
    strides = m.op.attributes["stride_h"], m.op.attributes["stride_w"]
    m.require(strides == (1, 1), "it has strides")
    m.require(m.op.attributes["padding"] == Padding.VALID, "it pads the image")
    matrix = reshape_weights(weights, (channels, depth))
    m.require(weights.constant is not None or matrix is not None, "its weights are not constant")
    b = tfl_builder()
    operands = [_skip_reshape(m, x), b.reshape(weights, (channels, depth)), m.source("bias")]
    options = {key: m.op.attributes[key] for key in ("fused_activation_function",) if key in m.op.attributes}
    return b.reshape(b.op("fully_connected", operands, shape=(n, channels), **options), (n, 1, 1, channels))


@rule(pattern("tfl.reshape", "x", same_type=True))
def reshape_to_same_shape(m: Match) -> Value:
    """RESHAPE(x) of TFLite to the shape of x -> x.

    A RESHAPE of a constant or of an input stays, because it makes a tensor of its own.
    """
    x = m.source("x")
    m.require(x.constant is None and m.producer("x"), "it is a tensor of its own for a constant")
    return x


@rule(pattern("tfl.reshape", pattern("tfl.reshape", "x")))
def reshape_of_reshape(m: Match) -> Value:
    """RESHAPE(RESHAPE(x)) of TFLite -> RESHAPE(x); where x has that shape: x."""
    m.require(m.source("x").type.quant == m.op.result.type.quant, "it changes the quantization of {x}")
    return tfl_builder().reshape(m.source("x"), m.op.result.type.static)


@rule(pattern("tfl.reshape", pattern("tfl.fully_connected", "x", name="y")))
def reshape_of_fully_connected(m: Match) -> Value:
    """RESHAPE(FULLY_CONNECTED(x)) to a matrix -> FULLY_CONNECTED(x) that doesn't keep its dimensions.

    If x is the result of a RESHAPE, that is dropped too where nothing else reads it.
    """
    layer, y = m.producer("y"), m.source("y")
    m.require(layer.attributes.get("keep_num_dims"), "the layer has a matrix as its result")
    m.require(m.only_reader("y"), "another operator reads {y} too")
    channels = y.type.static[-1]
    shape = y.type.elements // channels, channels
    m.require(m.op.result.type.shape == shape, "its result is not the matrix of the layer's rows")
    type = TensorType(y.type.dtype, shape, y.type.quant)
    return _append_changed(layer, (_skip_reshape(m, m.source("x")), *layer.inputs[1:]), type, keep_num_dims=False)


def _skip_reshape(m: Match, x: Value) -> Value:
    """Returns x without the RESHAPE in front that only this operator reads: FULLY_CONNECTED takes any shape of rows.

    A RESHAPE of a vector, or one that changes the quantization, stays.
    """
    op = x.producer
    if op is None or op.name != "tfl.reshape" or m.readers_of(x) != 1 or op.operands[0].type.quant != x.type.quant:
        return x
    return op.operands[0] if op.operands[0].type.rank > 1 else x


def _append_changed(op: Op, inputs: Sequence[Value | None], type: TensorType, **options: Any) -> Value:
    """Appends a copy of a TFLite operator with other operands, result type and options, and returns its result."""
    changed = Op(op.name, inputs, [type], op.attributes | options, location=op.location)
    tfl_builder().graph.ops.append(changed)
    return changed.result


TIDY = InPlacePass(
    "tidy",
    (
        fused_activation,
        fused_activation_before_reshape,
        convolution_of_one_pixel,
        reshape_to_same_shape,
        reshape_of_reshape,
        reshape_of_fully_connected,
    ),
    TflBuilder,
)
