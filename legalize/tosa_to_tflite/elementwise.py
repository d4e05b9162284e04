"""MUL and MEAN: arithmetic on what RESCALEs take to 32 bits, and the RESCALE behind."""

from typing import NamedTuple

import numpy as np

from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.tflite.quantized.arithmetic import quantize_multiplier
from tosa_converter.legalize.tflite.quantized.elementwise import ADD_SHIFT, SQUARE_SHIFT
from tosa_converter.legalize.tosa_to_tflite.addition import Side, Sum, addition, emitted, extended, side_of
from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
from tosa_converter.legalize.tosa_to_tflite.integers import Scale
from tosa_converter.legalize.tosa_to_tflite.scales import Scales
from tosa_converter.legalize.tosa_to_tflite.sites import (
    agree,
    begin,
    related,
    rounds_twice,
    values_of,
)
from tosa_converter.schemas import tosa_ops as ops

# ** products **


def product_of(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> "Sum | Times | None":
    """MUL; of a difference with itself SQUARED_DIFFERENCE, which has no fused activation."""
    difference = core.operands[0].producer
    if core.operands[0] is not core.operands[1] or difference is None or difference.row is not ops.SUB:
        return times(root, core, scale, bounds)
    if bounds != scale.out.limits or core.operands[2].constant is None or core.operands[2].constant.any():
        return None
    return addition(root, difference, "squared_difference", scale, bounds, SQUARE_SHIFT)


class Times(NamedTuple):
    """A MUL, the scale of its result and the bounds that it keeps to."""

    root: Op
    inputs: tuple[Value, ...]
    zero_points: tuple[int, ...]
    scale: Scale
    bounds: tuple[int, int]

    def solved(self, scales: Scales) -> "Times | None":
        """With scales of which MUL makes the same multiplier."""
        fits = agree(scales, (*self.inputs, self.root.results[0]), self.zero_points)
        return self if fits and _solve_times(scales, self) else None

    def emit(self, b: TflBuilder) -> Value:
        """MUL."""
        return emitted(b, self.root, "mul", self.inputs, self.scale.output_zp, self.bounds)


def times(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Times | None:
    """MUL of two operands less their zero points."""
    *operands, shift = core.operands
    sides = [_plain(x) if x.type.dtype in ADD_SHIFT and x.constant is None else side_of(x) for x in operands]
    if shift.constant is None or shift.constant.any() or scale.multiplier.size > 1 or not rounds_twice(scale):
        return None
    plain = [(side.value, side.zero_point) for side in sides if side is not None and (side.made == side.centered).all()]
    if len(plain) < len(sides) or {value.type.dtype for value, _ in plain} != {scale.out}:
        return None
    inputs, zero_points = zip(*plain, strict=True)
    return Times(root, inputs, (*zero_points, scale.output_zp), scale, bounds)


def _plain(value: Value) -> Side:
    """An operand as it is."""
    values = values_of(value.type.dtype)
    return Side(value, values, values, 0)


def _solve_times(scales: Scales, site: Times) -> bool:
    """Multipliers are quotients of floats (mul.cc); no power of two can move from then on."""
    x, y = site.inputs
    for value in (x, y):
        if scales.known(value) is None:
            begin(scales, value)
    scales.together(x, y)
    product = (scales.rows[scales.of(x)] * scales.rows[scales.of(y)]).astype(np.float32)
    real = np.float32(np.ldexp(float(site.scale.multiplier[0]), -int(site.scale.shift[0])))
    if not real or not extended(
        scales,
        site.root.results[0],
        x,
        product / real,
        lambda made: quantize_multiplier((product / made).astype(np.float64)),
        site.scale,
    ):
        return False
    scales.fixed.update(scales.power[scales.of(value)] for value in site.inputs)
    return True


# ** means **


class Mean(NamedTuple):
    """A MEAN and the scale of its result."""

    root: Op
    inputs: tuple[Value, ...]
    zero_points: tuple[int, int]
    scale: Scale
    axes: tuple[int, ...]

    def solved(self, scales: Scales) -> "Mean | None":
        """With scales of which MEAN makes the same multiplier."""
        fits = agree(scales, (*self.inputs, self.root.results[0]), self.zero_points)
        return self if fits and _solve_mean(scales, self) else None

    def emit(self, b: TflBuilder) -> Value:
        """MEAN."""
        shape = self.root.operands[0].type.static
        return b.op("mean", [self.inputs[0], b.ints(self.axes)], shape=shape, keep_dims=True)


def mean(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Mean | None:
    """REDUCE_SUMs of what a RESCALE takes to 32 bits as it is."""
    axes: list[int] = []
    value = core.results[0]
    while (op := value.producer) is not None and op.row is ops.REDUCE_SUM:
        axes.append(op.attributes["axis"])
        value = op.operands[0]
    side = side_of(value)
    if side is None or side.value.type.dtype is not scale.out or not (side.made == side.centered).all():
        return None
    if scale.multiplier.size > 1 or bounds != scale.out.limits or not rounds_twice(scale):
        return None
    return Mean(root, (side.value,), (side.zero_point, scale.output_zp), scale, tuple(sorted(axes)))


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Multiplier and shift of RESCALE for a mean of so many elements (QuantizedMeanOrSum, reduce.cc)."""
    made = quantize_multiplier(real)
    left = np.minimum(min(count.bit_length() - 1, 32), 31 + made.shift)
    return (made.m << left) // count, 31 - made.shift + left


def _solve_mean(scales: Scales, site: Mean) -> bool:
    x, y = site.inputs[0], site.root.results[0]
    count = int(np.prod([x.type.static[axis] for axis in site.axes]))
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])

    def gives(given: Array, made: Array) -> Array:
        found = _mean_multiplier(given / made, count)
        return np.asarray((found[0] == m) & (found[1] == shift))

    return related(scales, x, y, (m + 0.5) * count * 2.0**-shift, gives)
