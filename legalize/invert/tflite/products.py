"""Inverts layers: proposes TFLite's convolutions or FULLY_CONNECTED for a convolution and a RESCALE.

Scales of operand and result are searched for which each channel's weights have a scale that gives its multiplier.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.legalize.invert.tflite import windows
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.candidates import (
    AppendOperator,
    OperatorTensors,
    OutputRescale,
    QuantizedCandidate,
    rounds_twice,
    scale_of,
)
from tosa_converter.legalize.invert.tflite.integers import RescaleParameters
from tosa_converter.legalize.invert.tflite.ratios import nearest_floats, weight_scales
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.schemas import tosa_ops as ops

NAMES = {
    ops.CONV2D: "conv_2d",
    ops.DEPTHWISE_CONV2D: "depthwise_conv_2d",
    ops.TRANSPOSE_CONV2D: "transpose_conv",
}
SHIFTS = 8, 46  # that the kernels of 16 bits have for multipliers of 15 bits
SILENT = 2.0**-60  # a scale that gives a multiplier of 0


class Layer(NamedTuple):
    """A TOSA convolution by constant int8 weights, followed by a RESCALE to its operand's type.

    * `core` is the convolution.
    * `output_rescale` is the RESCALE, of one multiplier or one for each channel, and the CLAMP behind it.
    * `silent` marks channels whose weights are all 0, so that any multiplier will do; None if there are none.
    """

    core: Op
    output_rescale: OutputRescale
    input_zp: int
    silent: Array | None

    @property
    def weights(self) -> Array:
        """The constant weights of the layer's convolution, in TOSA's layout."""
        weights = self.core.operands[1].constant
        assert weights is not None
        return weights

    @property
    def bias(self) -> Array:
        """The bias, which has an entry for each channel or one for all."""
        bias = self.core.operands[2].constant
        assert bias is not None
        return bias

    @property
    def multipliers(self) -> tuple[Array, Array]:
        """The RESCALE's multipliers and shifts, without those of silent channels, whose weights are all 0."""
        m, shift = self.output_rescale.parameters.multiplier, self.output_rescale.parameters.shift
        return (m, shift) if self.silent is None else (m[~self.silent], shift[~self.silent])


# Returns the weight scales and the bias for a layer, its operand's scale and its result's scale.
WeightsOf: TypeAlias = Callable[[Layer, float, float], tuple[Array, Array] | None]


def match_layer(core: Op, output_rescale: OutputRescale) -> QuantizedCandidate | None:
    """Returns the quantized TFLite layer that may replace a TOSA convolution (`core`) and the RESCALE behind it.

    None for weights that aren't constant int8 with the zero point 0, for a constant operand, or for a TRANSPOSE_CONV2D
    that adds elements by its padding.
    """
    x, parameters = core.operands[0], output_rescale.parameters
    constants = [value.constant for value in core.operands[1:]]
    if (
        x.constant is not None
        or x.type.dtype is not parameters.output_dtype
        or any(values is None for values in constants)
    ):
        return None
    kernel, _, input_zp, weight_zp = (np.asarray(values) for values in constants)
    if core.operands[1].type.dtype is not DType.I8 or weight_zp.any():
        return None
    if core.row is ops.TRANSPOSE_CONV2D and max(core.attributes["out_pad"]) > 0:
        return None  # it adds elements that are the bias alone, which TFLite's padding can't
    channels = core.result.type.static[3]
    silent = None
    if parameters.multiplier.size > 1:
        by_channel = (
            kernel.reshape(-1, channels).T if core.row is ops.DEPTHWISE_CONV2D else kernel.reshape(channels, -1)
        )
        zeros = ~by_channel.any(1)  # such a channel's multiplier would restrict the scales without need
        silent = zeros if zeros.any() and not zeros.all() else None
        shift = np.broadcast_to(parameters.shift, channels)
        output_rescale = output_rescale._replace(parameters=parameters._replace(shift=shift))
    layer = Layer(core, output_rescale, int(input_zp.reshape(-1)[0]), silent)
    return QuantizedCandidate(
        output_rescale.root, (x,), partial(_solve_layer, layer), (layer.input_zp, parameters.output_zp)
    )


def _solve_layer(layer: Layer, solver: ScaleSolver, tensors: OperatorTensors) -> AppendOperator | None:
    """Restricts the scales to those that give the layer's multipliers; returns the function that appends it, or None.

    An int16 layer doesn't restrict them: its weight scales are computed from them later. A layer whose RESCALE rounds
    once is FULLY_CONNECTED, whose kernel multiplies by a double.
    """
    x, y = tensors
    parameters = layer.output_rescale.parameters
    if parameters.output_dtype is DType.I16:
        fits = not layer.input_zp and not parameters.output_zp and _fits_int16_kernel(parameters)
        return partial(_append_layer, layer, tensors, NAMES[layer.core.row], _int16_weight_scales) if fits else None
    if rounds_twice(parameters) and solver.restrict_layer(x, y, *layer.multipliers):
        return partial(_append_layer, layer, tensors, NAMES[layer.core.row], _channel_weights)
    if not _is_fully_connected(layer.core) or parameters.double_round:
        return None
    if not solver.restrict_to_one_pair(x, y, lambda *pair: _weights_rounded_once(layer, *pair) is not None):
        return None
    return partial(_append_layer, layer, tensors, "fully_connected", _weights_rounded_once)


def _append_layer(layer: Layer, tensors: OperatorTensors, name: str, weights_of: WeightsOf, b: TflBuilder) -> Value:
    """Appends the TFLite operator `name`, a convolution or FULLY_CONNECTED; returns its result.

    `tensors` are its operand and its result. `weights_of` returns the weight scales and the bias that give the layer's
    multipliers with the scales of both.
    """
    input_scale, output_scale = map(scale_of, tensors)
    core, solution = layer.core, weights_of(layer, input_scale, output_scale)
    assert solution is not None
    scales, bias_elements = solution
    zeros, axis = (0,) * len(scales), 3 if name == "depthwise_conv_2d" else 0
    wide = DType.I64 if layer.output_rescale.parameters.output_dtype is DType.I16 else DType.I32
    elements = b.const(np.broadcast_to(bias_elements, core.result.type.static[3]).astype(wide.numpy), wide)
    bias = b.with_quant(elements, Quant(tuple((np.float32(input_scale) * scales).tolist()), zeros, 0))
    is_fully_connected = name == "fully_connected"
    kernel = b.const(layer.weights.reshape(len(layer.weights), -1) if is_fully_connected else layer.weights, DType.I8)
    operands = tensors[0], b.with_quant(kernel, Quant(tuple(scales.tolist()), zeros, axis)), bias
    if is_fully_connected:
        operator: Callable[..., Value] = partial(b.op, name, operands, shape=core.result.type.static)
        return layer.output_rescale.append(b, name, operator, keep_num_dims=True)
    operator = partial(windows.append_convolution, b, core, *operands, fill=layer.input_zp)
    return layer.output_rescale.append(b, name, operator)


# ** FULLY_CONNECTED that rounds once **


def _is_fully_connected(core: Op) -> bool:
    """Returns whether FULLY_CONNECTED can replace a convolution: CONV2D of a 1x1 kernel without padding and stride."""
    if core.row is not ops.CONV2D or core.operands[1].type.static[1:3] != (1, 1):
        return False
    return not any(core.attributes["pad"]) and set(core.attributes["stride"]) == {1}


def _accumulator_range(layer: Layer) -> tuple[Array, Array]:
    """Returns the smallest and the largest accumulator that each channel can have for int8 inputs."""
    weight, bias = layer.weights.astype(np.int64), layer.bias.astype(np.int64)
    flat = weight.reshape(len(weight), -1)
    positive, negative = np.maximum(flat, 0).sum(1), np.minimum(flat, 0).sum(1)
    low, high = -128 - layer.input_zp, 127 - layer.input_zp
    return positive * low + negative * high + bias, positive * high + negative * low + bias


def _weights_rounded_once(layer: Layer, input_scale: float, output_scale: float) -> tuple[Array, Array] | None:
    """Returns weight scales with which FULLY_CONNECTED rounds every accumulator as the RESCALE does, and the bias.

    None stands for no such scales. The reference kernel multiplies by a double and rounds once, ties away from zero
    (reference/fully_connected.h). Its results and the RESCALE's both grow with the accumulator, so it is enough to
    compare them at both ends and where the RESCALE's result changes: at most 2 * 255 + 2 accumulators of each channel,
    for each of five scales.
    """
    output_rescale, parameters = layer.output_rescale, layer.output_rescale.parameters
    first, last = _accumulator_range(layer)
    if parameters.multiplier.size == 1:
        first, last = first.min(keepdims=True), last.max(keepdims=True)
    channel_scales = np.zeros(parameters.multiplier.size, np.float32)
    for i, (m, shift) in enumerate(zip(parameters.multiplier.tolist(), parameters.shift.tolist(), strict=True)):
        steps = _level_changes(output_rescale, m, shift, int(first[i]), int(last[i])) if m else []
        farthest = max(abs(int(first[i])), abs(int(last[i])), 1)
        # A multiplier of 0 stands for factors that round even the farthest accumulator to 0.
        low, high = _range_of_reals(steps, m, shift) if m else (0.0, 0.5 / farthest)
        acc = np.array([*{at for at, _ in steps}, first[i], last[i]], np.int64)
        expected = np.clip((acc * m + (1 << shift - 1) >> shift) + parameters.output_zp, *output_rescale.bounds)
        for weight in nearest_floats(0.5 * (low + high) * output_scale / input_scale, 2):
            levels = round_away(acc * (np.float64(input_scale) * np.float64(weight) / np.float64(output_scale)))
            if (np.clip(levels + parameters.output_zp, *output_rescale.bounds) == expected).all():
                channel_scales[i] = weight
                break
        else:
            return None
    return channel_scales, layer.bias


def _level_changes(output_rescale: OutputRescale, m: int, shift: int, first: int, last: int) -> list[tuple[int, int]]:
    """Returns (accumulator, level) pairs at which the RESCALE's rounded result changes, and those just before.

    Only accumulators in `first` to `last` count. Example: by 3/4 (m = 3 << 29, shift 31) level 2 begins at the
    accumulator 2, as 2 * 3/4 rounds up to 2, so the pairs are (2, 2) and (1, 1).
    """
    zero_point, half = output_rescale.parameters.output_zp, 1 << shift - 1
    levels = range(output_rescale.bounds[0] - zero_point + 1, output_rescale.bounds[1] - zero_point + 1)
    # The smallest accumulator a with a * m + half >= level << shift.
    first_accumulators = [(-((half - (level << shift)) // m), level) for level in levels]
    return [
        (at, rounded)
        for step, level in first_accumulators
        for at, rounded in ((step, level), (step - 1, level - 1))
        if first <= at <= last
    ]


def _range_of_reals(steps: list[tuple[int, int]], m: int, shift: int) -> tuple[float, float]:
    """Returns the range (low, high) of the real factors that round each accumulator of `steps` to its level.

    Factors from 1 - 2**-20 to 1 + 2**-20 times the RESCALE's multiplier come into question; an accumulator a with the
    level n leaves those from (n - 0.5) / a to (n + 0.5) / a.
    """
    low, high = m * 2.0**-shift * (1 - 2.0**-20), m * 2.0**-shift * (1 + 2.0**-20)
    for at, level in steps:
        if at:
            bounds = sorted(((level - 0.5) / at, (level + 0.5) / at))
            low, high = max(low, bounds[0]), min(high, bounds[1])
    return low, high


# ** scales of weights **


def _fits_int16_kernel(parameters: RescaleParameters) -> bool:
    """Returns whether LiteRT's int16 kernels can compute a RESCALE: 15-bit multipliers and shifts of 8 to 46.

    These are the limits of MultiplyByQuantizedMultiplier of 64 bits (common.cc). Example: 3 with shift 40 is 24576 with
    shift 53, which is too much.
    """
    bits = np.frexp(parameters.multiplier.astype(np.float64))[1]
    shift = (parameters.shift + 15 - bits)[parameters.multiplier != 0]
    return bool(((shift >= SHIFTS[0]) & (shift <= SHIFTS[1])).all())


def _int16_weight_scales(layer: Layer, input_scale: float, output_scale: float) -> tuple[Array, Array]:
    """Returns the weight scales from which LiteRT computes an int16 layer's RESCALE, and the layer's bias as it is.

    A channel's scale is its multiplier * output scale / input scale, in fp32; `SILENT` gives a multiplier of 0. LiteRT
    rounds its multiplier to 16 bits, so the 24 bits of an fp32 scale always suffice.
    """
    parameters = layer.output_rescale.parameters
    real = parameters.multiplier * np.exp2(-parameters.shift.astype(np.float64)) * output_scale / input_scale
    return np.asarray(np.where(parameters.multiplier == 0, SILENT, real), np.float32), layer.bias


def _channel_weights(layer: Layer, input_scale: float, output_scale: float) -> tuple[Array, Array]:
    """Returns the weight scale of each channel, and the biases.

    A silent channel, whose weights are all 0, has the same result for every input. It gets the largest scale of the
    other channels, and the bias from which the kernel computes that result with this scale.
    """
    m, shift = layer.multipliers
    channel_scales = weight_scales(m, shift, np.array([input_scale]), np.array([output_scale]))[0][0]
    if layer.silent is None:
        return channel_scales, layer.bias
    parameters, silent = layer.output_rescale.parameters, layer.silent
    scales = np.full(silent.shape, channel_scales.max(), np.float32)
    scales[~silent] = channel_scales
    bias = np.broadcast_to(layer.bias, scales.shape).astype(np.int64)
    results = parameters.apply(bias) - parameters.output_zp
    multiplier = input_scale * float(channel_scales.max()) / output_scale
    bias[silent] = np.round(results[silent] / multiplier)
    return scales, bias
