"""QUANTIZE, RELU and LEAKY_RELU of 16 bits: RESCALEs by the quotient of two scales."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import Scale, limited, scale_from
from tosa_converter.legalize.invert.tflite.ratios import around, gives
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import Site, near, rounds_twice, scale_of
from tosa_converter.schemas import tosa_ops as ops

LARGEST = 1 << 15  # a multiplier, with which the kernels' 32 bits don't overflow
WHOLE = DType.I16.limits


@dataclass(frozen=True, eq=False)
class Scaled(Site):
    """A QUANTIZE, RELU or LEAKY_RELU: an operand times a scale, or as it is, and the bounds of its result."""

    scale: Scale | None
    bounds: tuple[int, int]
    below: Scale | None = None  # of LEAKY_RELU's negative elements
    zero_points: tuple[int, int] = (0, 0)

    def solved(self, scales: Scales) -> "Scaled | None":
        """Returns the site after restricting the scales to those that give its multipliers; None if none are left."""
        real = 1.0 if self.scale is None else _real(self.scale)
        fits = scales.agree(self.ends, self.zero_points) and scales.related(
            self.inputs[0], self.root.result, near(real), self._fits
        )
        return self if fits else None

    def _fits(self, input_scales: Array, output_scales: Array) -> Array:
        """Returns which scales of both give the multipliers; all kernels but QUANTIZE's divide fp32."""
        if self.scale is None:
            fits = np.asarray(input_scales == output_scales)
        elif self.below is not None or self.bounds[0] == 0:
            fits = _gives(input_scales.astype(np.float32) / output_scales.astype(np.float32), self.scale)
        else:
            fits = _gives(input_scales / output_scales, self.scale)
        return fits if self.below is None else np.asarray(fits & (_alpha(self.below, input_scales, output_scales) != 0))

    def emit(self, b: TflBuilder) -> Value:
        """The operator."""
        x, result, bounds = self.inputs[0], self.root.results[0], self.bounds
        name, options = "quantize", dict[str, Any]()
        if self.below is not None:
            scales = (np.array([scale_of(value)]) for value in (x, result))
            name, options = "leaky_relu", {"alpha": float(_alpha(self.below, *scales)[0])}
        elif bounds[0] == 0:
            name, bounds = "relu", (WHOLE[0], bounds[1])
        y = b.op(name, [x], **options)
        y.type = y.type._replace(quant=result.type.quant)
        return limited(b, y, *bounds)


def scaled(root: Op, rescale: Op, scale: Scale, bounds: tuple[int, int]) -> Scaled | None:
    """RESCALE from 16 bits to 16 bits."""
    x = rescale.operands[0]
    return Scaled(root, (x,), scale, bounds) if x.constant is None and _is_plain(scale) else None


def leaky(root: Op) -> Scaled | None:
    """SELECT of an operand where it is 0 or more, with its RESCALE elsewhere; the former may have one too."""
    condition, above, below = (value.producer for value in root.operands)
    x = below.operands[0] if below is not None and below.row is ops.RESCALE else None
    if x is None or condition is None or below is None or not _is_positive(condition, x):
        return None
    slope = scale_from(below)
    upper = scale_from(above) if above is not None and above.row is ops.RESCALE and above.operands[0] is x else None
    if (upper is None and root.operands[1] is not x) or {x.type.dtype, root.results[0].type.dtype} != {DType.I16}:
        return None
    if any(scale is not None and not _is_plain(scale) for scale in (upper, slope)):
        return None
    return Scaled(root, (x,), upper, WHOLE, slope)


def _is_positive(condition: Op, x: Value) -> bool:
    """Whether it tells if `x` is 0 or more."""
    if condition.row is not ops.GREATER_EQUAL:
        return False
    wide, zero = condition.operands[0].producer, condition.operands[1].constant
    is_zero = zero is not None and not zero.any()
    return wide is not None and wide.row is ops.CAST and wide.operands[0] is x and is_zero


def _is_plain(scale: Scale) -> bool:
    positive = scale.multiplier.size == 1 and 0 < _real(scale) < LARGEST
    return positive and not scale.input_zp and not scale.output_zp and not any(scale.unsigned) and rounds_twice(scale)


def _real(scale: Scale) -> float:
    return float(np.ldexp(float(scale.multiplier[0]), -int(scale.shift[0])))


def _gives(real: Array, scale: Scale) -> Array:
    """Returns where the multiplier of real numbers is a RESCALE's."""
    return gives(real, int(scale.multiplier[0]), int(scale.shift[0]))


def _alpha(below: Scale, input_scales: Array, output_scales: Array) -> Array:
    """The slopes that give a multiplier, 0 where none does."""
    input_scales, output_scales = input_scales.astype(np.float32), output_scales.astype(np.float32)
    slopes = np.zeros_like(input_scales)
    for slope in around(np.float32(_real(below)) * output_scales / input_scales):
        slopes = np.where((slopes == 0) & _gives(input_scales * slope / output_scales, below), slope, slopes)
    return slopes
