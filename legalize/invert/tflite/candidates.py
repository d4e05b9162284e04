"""Candidates: quantized TFLite operators that may stand for TOSA operators, if their tensors get the right scales."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import RescaleParameters, clip
from tosa_converter.legalize.invert.tflite.ratios import quantizes_to
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.quant.elements import activation_range
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

VALUES = np.arange(-128, 128)
NARROW = frozenset({DType.I8, DType.I16})
NEAR = 2.0**-23  # relative error of a quotient of floats
# Operators of 8 and 16 bits whose kernels apply an activation to their result.
ACTIVATING = frozenset({"add", "sub", "mul", "conv_2d", "depthwise_conv_2d", "fully_connected"})
# Appends a TFLite operator, on the scales that its tensors have by then, and returns its result.
AppendOperator: TypeAlias = Callable[[TflBuilder], Value]
OperatorTensors: TypeAlias = tuple[Value, ...]  # an operator's inputs, then its result


class QuantizedCandidate(NamedTuple):
    """A quantized TFLite operator that may replace TOSA operators: it can if its tensors get suitable scales.

    * `root` is the last of the TOSA operators, and `inputs` are the values that the TFLite operator reads.
    * `solve_scales` restricts the tensors' candidate scales to those with which LiteRT's kernel has the multipliers
      of the TOSA operators. It gets the solver and the inputs, then the result (copies with other scales may
      replace the inputs), and returns the function that appends the TFLite operator; None if no scales are left.
    * `zero_points` are those of the inputs, then the result; without any, `solve_scales` finds them.
    """

    root: Op
    inputs: tuple[Value, ...]
    solve_scales: Callable[[ScaleSolver, OperatorTensors], AppendOperator | None]
    zero_points: tuple[int, ...] = ()

    @property
    def tensors(self) -> OperatorTensors:
        """The operator's inputs, then its result."""
        return *self.inputs, self.root.result


class OutputRescale(NamedTuple):
    """The RESCALE to 8 or 16 bits that ends a quantized operator in TOSA, and the bounds of the CLAMP behind it.

    `root` is the last of these operators: the CLAMP, or the RESCALE if none follows.
    """

    root: Op
    parameters: RescaleParameters
    bounds: tuple[int, int]

    @property
    def is_kernel_multiplication(self) -> bool:
        """Whether LiteRT's MultiplyByQuantizedMultiplier with one multiplier for all channels computes the RESCALE."""
        return self.parameters.multiplier.size == 1 and rounds_twice(self.parameters)

    @property
    def real_multiplier(self) -> float:
        """The RESCALE's first multiplier as a real number, multiplier * 2**-shift."""
        return float(np.ldexp(float(self.parameters.multiplier[0]), -int(self.parameters.shift[0])))

    def has_multiplier(self, real: Array) -> Array:
        """Returns for each real number whether QuantizeMultiplier turns it into the RESCALE's first multiplier."""
        return quantizes_to(real, int(self.parameters.multiplier[0]), int(self.parameters.shift[0]))

    def append(self, b: TflBuilder, name: str, operator: Callable[..., Value], **options: Any) -> Value:
        """Appends a quantized TFLite operator that replaces this RESCALE, with its bounds; returns the result.

        An operator of `ACTIVATING` gets the fused activation that has these bounds; otherwise MAXIMUM and MINIMUM
        follow.

        Args:
            b: the builder of the graph.
            name: the operator's name.
            operator: appends the operator; it is called with the options and the activation as keywords.
            options: TFLite's options, besides the activation.
        """
        result, activation = self.root.result, None
        if name in ACTIVATING:
            activation = fused_activation(result, self.parameters.output_zp, self.bounds)
            options["fused_activation_function"] = activation or Activation.NONE
        y = operator(**options)
        for op in reversed(b.graph.ops):  # RESHAPE, SLICE and PADV2 may stand behind the operator
            op.result.type = op.result.type._replace(quant=result.type.quant)
            if op.base_name == name:
                break
        return y if activation is not None else clip(b, y, *self.bounds)


def quotient_range(quotient: float) -> tuple[float, float]:
    """Returns the range (low, high) of real numbers that a quotient of fp32 scales may be rounded from."""
    return quotient * (1 - NEAR), quotient * (1 + NEAR)


def integer_values(dtype: DType) -> Array:
    """Returns all values of an integer type, ascending."""
    low, high = dtype.limits
    return np.arange(low, high + 1)


def rounds_twice(parameters: RescaleParameters) -> bool:
    """Returns whether LiteRT's MultiplyByQuantizedMultiplier, which rounds twice, computes a RESCALE.

    The first rounding drops 31 bits, the second the others, so that up to a shift of 31 it rounds once.
    """
    return parameters.double_round or bool((parameters.shift <= 31).all())


def scale_of(value: Value) -> float:
    """Returns the scale of a tensor that is quantized per tensor."""
    assert value.type.quant is not None
    return value.type.quant.scale[0]


def fused_activation(result: Value, zero_point: int, bounds: tuple[int, int]) -> Activation | None:
    """Returns the fused activation (NONE, RELU, RELU6, RELU_N1_TO_1) with this range of stored values, or None."""
    for kind in (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1):
        if activation_range(kind, np.float32(scale_of(result)), zero_point, result.type.dtype) == bounds:
            return kind
    return None
