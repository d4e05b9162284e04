"""Inverts 16-bit functions: proposes QUANTIZE, RELU or LEAKY_RELU for RESCALEs by the quotient of two scales."""

from functools import partial

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.candidates import (
    AppendOperator,
    OperatorTensors,
    OutputRescale,
    QuantizedCandidate,
    quotient_range,
    scale_of,
)
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.ratios import neighbours
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.schemas import tosa_ops as ops

LARGEST = 1 << 15  # a multiplier, with which the kernels' 32 bits don't overflow
LIMITS = DType.I16.limits


def match_requantization(x: Value, output_rescale: OutputRescale) -> QuantizedCandidate | None:
    """Returns QUANTIZE, or RELU if the results begin at 0, as candidate for a RESCALE from 16 to 16 bits; or None.

    None stands for a constant operand, or a RESCALE that LiteRT's kernels can't compute.
    """
    name, bounds = "quantize", output_rescale.bounds
    if bounds[0] == 0:
        name, bounds = "relu", (LIMITS[0], bounds[1])  # RELU bounds at 0 itself, so MAXIMUM isn't appended
    bounded = output_rescale._replace(bounds=bounds)

    def solve_scales(solver: ScaleSolver, tensors: OperatorTensors) -> AppendOperator | None:
        """Restricts both tensors' scales to those whose quotient gives the RESCALE's multiplier.

        Returns:
            The function that appends QUANTIZE or RELU (`name`) with its bounds, or None if no scales are left.
        """
        float_type = np.float32 if name == "relu" else np.float64  # in which the kernel divides the scales

        def fits(input_scales: Array, output_scales: Array) -> Array:
            """Returns for which pairs of scales the kernel, dividing in `float_type`, has the RESCALE's multiplier."""
            return output_rescale.has_multiplier(input_scales.astype(float_type) / output_scales.astype(float_type))

        if not solver.restrict_quotient(tensors[0], tensors[1], quotient_range(output_rescale.real_multiplier), fits):
            return None
        return lambda b: bounded.append(b, name, partial(b.op, name, tensors[:1]))

    return (
        QuantizedCandidate(output_rescale.root, (x,), solve_scales, (0, 0))
        if x.constant is None and _kernels_can_rescale(output_rescale)
        else None
    )


def match_leaky_relu(root: Op) -> QuantizedCandidate | None:
    """Returns the 16-bit LEAKY_RELU that may replace TOSA's SELECT(x >= 0, x, RESCALE(x)); None for another SELECT.

    If the result has another scale than x, TOSA rescales x above 0 too: SELECT(x >= 0, RESCALE(x), RESCALE(x)).
    """
    condition, above, below = (value.producer for value in root.operands)
    x = below.operands[0] if below is not None and below.row is ops.RESCALE else None
    if x is None or condition is None or below is None or not _is_at_least_zero(condition, x):
        return None
    if {x.type.dtype, root.result.type.dtype} != {DType.I16}:
        return None
    slope_rescale, upper_rescale = _match_rescale(root, below, x), _match_rescale(root, above, x)
    if slope_rescale is None or (upper_rescale is None and root.operands[1] is not x):
        return None

    def solve_scales(solver: ScaleSolver, tensors: OperatorTensors) -> AppendOperator | None:
        """Keeps the input and output scales for which the kernel has the multipliers of both RESCALEs.

        Returns:
            The function that appends LEAKY_RELU, or None if no scales are left.
        """

        def fits(input_scales: Array, output_scales: Array) -> Array:
            """Returns for which pairs of scales LiteRT's kernel has the multipliers above and below 0.

            Without `upper_rescale` the elements above 0 stay as they are, so both scales must be equal. Below 0,
            `_alphas` returns 0 for pairs for which no alpha gives the multiplier.
            """
            equal = np.asarray(input_scales == output_scales)
            quotients = input_scales.astype(np.float32) / output_scales.astype(np.float32)
            fitting = equal if upper_rescale is None else upper_rescale.has_multiplier(quotients)
            return np.asarray(fitting & (_alphas(slope_rescale, input_scales, output_scales) != 0))

        if not solver.restrict_quotient(
            tensors[0],
            tensors[1],
            quotient_range(1.0 if upper_rescale is None else upper_rescale.real_multiplier),
            fits,
        ):
            return None
        return partial(_append_leaky_relu, slope_rescale, tensors)

    return QuantizedCandidate(root, (x,), solve_scales, (0, 0))


def _append_leaky_relu(slope_rescale: OutputRescale, tensors: OperatorTensors, b: TflBuilder) -> Value:
    """Appends LEAKY_RELU and returns its result; `tensors` are its operand and its result.

    Its alpha is the one from which LiteRT's kernel computes the multiplier of `slope_rescale`, with the scales of both.
    """
    input_scale, output_scale = (np.array([scale_of(value)]) for value in tensors)
    alpha = float(_alphas(slope_rescale, input_scale, output_scale)[0])
    return slope_rescale.append(b, "leaky_relu", partial(b.op, "leaky_relu", tensors[:1]), alpha=alpha)


def _is_at_least_zero(condition: Op, x: Value) -> bool:
    """Returns whether a condition is CAST(x) >= 0."""
    if condition.row is not ops.GREATER_EQUAL:
        return False
    wide, zero = condition.operands[0].producer, condition.operands[1].constant
    is_zero = zero is not None and not zero.any()
    return wide is not None and wide.row is ops.CAST and wide.operands[0] is x and is_zero


def _match_rescale(root: Op, rescale: Op | None, x: Value) -> OutputRescale | None:
    """Returns the RESCALE of x whose result `root` reads, if LiteRT's kernel can compute it; None if not."""
    if rescale is None or rescale.row is not ops.RESCALE or rescale.operands[0] is not x:
        return None
    parameters = rescale_parameters_of(rescale)
    output_rescale = None if parameters is None else OutputRescale(root, parameters, LIMITS)
    return output_rescale if output_rescale is not None and _kernels_can_rescale(output_rescale) else None


def _kernels_can_rescale(output_rescale: OutputRescale) -> bool:
    """Returns whether LiteRT's kernels can compute a RESCALE.

    It must have one multiplier for all channels, in (0, LARGEST), no zero points and signed elements.
    """
    parameters = output_rescale.parameters
    signed = not parameters.input_zp and not parameters.output_zp and not any(parameters.unsigned)
    return output_rescale.is_kernel_multiplication and signed and 0 < output_rescale.real_multiplier < LARGEST


def _alphas(slope_rescale: OutputRescale, input_scales: Array, output_scales: Array) -> Array:
    """Returns LEAKY_RELU's fp32 alpha for each pair of scales; 0 if none of the three nearest gives the multiplier.

    Example: for the multiplier 1717986918 with shift 34 (0.1) on equal scales, fp32(0.1) is 0.1 + 1.5e-9, whose
    multiplier is 1717986944; its neighbours' ones are 128 away. So LEAKY_RELU can't have this multiplier.
    """
    input_scales, output_scales = input_scales.astype(np.float32), output_scales.astype(np.float32)
    slopes = np.zeros_like(input_scales)
    for alpha in neighbours(np.float32(slope_rescale.real_multiplier) * output_scales / input_scales):
        slopes = np.where(
            (slopes == 0) & slope_rescale.has_multiplier(input_scales * alpha / output_scales), alpha, slopes
        )
    return slopes
