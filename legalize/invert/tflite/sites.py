"""Sites of quantized operators: TOSA operators that one operator of LiteRT computes, on the right scales."""

from dataclasses import dataclass

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import Scale
from tosa_converter.legalize.invert.tflite.ratios import gives
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.quant.elements import activation_range
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

VALUES = np.arange(-128, 128)
NARROW = frozenset({DType.I8, DType.I16})
NEAR = 2.0**-23  # relative error of a quotient of floats


@dataclass(frozen=True, eq=False)
class Site:
    """TOSA operators that one operator of LiteRT computes, if its tensors have right scales.

    * `root` is the last of the operators; LiteRT's operator computes its result.
    * `inputs` are the values that it reads.
    """

    root: Op
    inputs: tuple[Value, ...]

    @property
    def ends(self) -> tuple[Value, ...]:
        """The inputs and the result."""
        return *self.inputs, self.root.result

    def solved(self, scales: Scales) -> "Site | None":
        """Returns the site after restricting the scales to those that give its multipliers; None if none are left."""
        raise NotImplementedError

    def emit(self, b: TflBuilder) -> Value:
        """Appends the operator, on the scales that the tensors have, and returns its result."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ScaledSite(Site):
    """A site that ends in a RESCALE: zero points of inputs and result, the RESCALE, and the bounds of its results."""

    zero_points: tuple[int, ...]
    scale: Scale
    bounds: tuple[int, int]

    def solved(self, scales: Scales) -> Site | None:
        """Returns the site after restricting the scales to those that give its multipliers; None if none are left."""
        return self if scales.agree(self.ends, self.zero_points) and self.restrict(scales) else None

    def restrict(self, scales: Scales) -> bool:
        """Restricts the scales to those that give the multipliers; returns whether any are left."""
        raise NotImplementedError

    @property
    def real(self) -> float:
        """The first multiplier as a real number."""
        return float(np.ldexp(float(self.scale.multiplier[0]), -int(self.scale.shift[0])))

    def gives(self, real: Array) -> Array:
        """Returns where the kernels' multiplier of real numbers is the first one of the RESCALE."""
        return gives(real, int(self.scale.multiplier[0]), int(self.scale.shift[0]))


def near(quotient: float) -> tuple[float, float]:
    """Returns the range of real quotients that a quotient of fp32 scales may be rounded from."""
    return quotient * (1 - NEAR), quotient * (1 + NEAR)


def values_of(dtype: DType) -> Array:
    """Returns all values of an integer type in order."""
    low, high = dtype.limits
    return np.arange(low, high + 1)


def rounds_twice(scale: Scale) -> bool:
    """Returns whether MultiplyByQuantizedMultiplier, which rounds twice, computes a RESCALE.

    The first rounding drops 31 bits, the second the others, so that up to a shift of 31 it rounds once.
    """
    return scale.double_round or bool((scale.shift <= 31).all())


def scale_of(value: Value) -> float:
    """Returns the scale of a tensor that has one for all elements."""
    assert value.type.quant is not None
    return value.type.quant.scale[0]


def on_scale_of(b: TflBuilder, result: Value, name: str) -> None:
    """Gives the results of the last operator of a name, and of those behind it, the scale of a result."""
    for op in reversed(b.graph.ops):
        op.results[0].type = op.results[0].type._replace(quant=result.type.quant)
        if op.name == f"tfl.{name}":
            return


def fused(result: Value, zero_point: int, bounds: tuple[int, int]) -> Activation | None:
    """Returns the fused activation whose range is these bounds; None if there is none."""
    for kind in (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1):
        if activation_range(kind, np.float32(scale_of(result)), zero_point, result.type.dtype) == bounds:
            return kind
    return None
