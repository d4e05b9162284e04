"""What all sites of quantized operators need: the scales of their ends, and the bounds of their results."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.ir import Array, Value
from tosa_converter.legalize.tflite.quantized.common import activation_range
from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
from tosa_converter.legalize.tosa_to_tflite.integers import Scale
from tosa_converter.legalize.tosa_to_tflite.scales import Scales
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

VALUES = np.arange(-128, 128)


def agree(scales: Scales, values: Sequence[Value], zero_points: Sequence[int]) -> bool:
    """Whether tensors can have these zero points; from then on they have."""
    fits = [scales.agrees(*pair) for pair in zip(values, zero_points, strict=True)]
    return all(fits)


def rounds_twice(scale: Scale) -> bool:
    """Whether MultiplyByQuantizedMultiplier rounds as this RESCALE: once is twice where the second takes no bits."""
    return scale.double_round or bool((scale.shift <= 31).all())


def scale_of(value: Value) -> float:
    """The one scale that was found for a tensor."""
    assert value.type.quant is not None
    return value.type.quant.scale[0]


def on_scale_of(b: TflBuilder, made: Value, name: str) -> None:
    """Have the last operator of that name, and what is done to its result, on a result's scale."""
    for op in reversed(b.graph.ops):
        op.results[0].type = op.results[0].type._replace(quant=made.type.quant)
        if op.name == f"tfl.{name}":
            return


def fused(made: Value, zero_point: int, bounds: tuple[int, int]) -> Activation | None:
    """The fused activation that has the bounds."""
    for kind in (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1):
        if activation_range(kind, np.float32(scale_of(made)), zero_point) == bounds:
            return kind
    return None


def around(base: Array) -> list[Array]:
    """Floats and their neighbours."""
    return [base, np.nextafter(base, np.float32(0)), np.nextafter(base, np.float32(np.inf))]
