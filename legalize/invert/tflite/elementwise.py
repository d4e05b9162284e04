"""MUL, BATCH_MATMUL and MEAN: arithmetic on what RESCALEs take to 32 bits, and the RESCALE behind."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.addition import Sum, addition, emitted, extended, operand_of
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import Scale, limited
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import (
    agree,
    begin,
    on_scale_of,
    related,
    rounds_twice,
    values_of,
)
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.schemas import tosa_ops as ops

# ** products **


def product_of(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> "Sum | Times | None":
    """MUL; of a difference with itself SQUARED_DIFFERENCE, of 8 bits and without a fused activation."""
    difference = core.operands[0].producer
    if core.operands[0] is not core.operands[1] or difference is None or difference.row is not ops.SUB:
        return times(root, core, scale, bounds)
    plain = core.operands[2].constant is not None and not core.operands[2].constant.any()
    if scale.out is not DType.I8 or bounds != scale.out.limits or not plain:  # LiteRT has none of 16 bits
        return None
    return addition(root, difference, "squared_difference", scale, bounds, WIDTHS[scale.out].square_headroom)


class Times(NamedTuple):
    """A MUL or BATCH_MATMUL, the scale of its result and the bounds that it keeps to."""

    root: Op
    name: str
    inputs: tuple[Value, ...]
    zero_points: tuple[int, ...]
    scale: Scale
    bounds: tuple[int, int]

    def solved(self, scales: Scales) -> "Times | None":
        """With scales of which the operator makes the same multiplier."""
        fits = agree(scales, (*self.inputs, self.root.results[0]), self.zero_points)
        return self if fits and _solve_times(scales, self) else None

    def emit(self, b: TflBuilder) -> Value:
        """The operator."""
        if self.name == "mul":
            return emitted(b, self.root, self.name, self.inputs, self.scale.output_zp, self.bounds)
        target = self.root.results[0]
        y = b.op(self.name, self.inputs, shape=target.type.static)
        on_scale_of(b, target, self.name)
        return limited(b, y, *self.bounds)


def times(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Times | None:
    """MUL of two operands less their zero points."""
    *operands, shift = core.operands
    sides = [_plain(x) if x.type.dtype in WIDTHS and x.constant is None else operand_of(x) for x in operands]
    if shift.constant is None or shift.constant.any() or scale.multiplier.size > 1 or not rounds_twice(scale):
        return None
    plain = [side[:2] for side in sides if side is not None and (side[2] == side[3]).all()]
    if len(plain) < len(sides) or {value.type.dtype for value, _ in plain} != {scale.out}:
        return None
    inputs, zero_points = zip(*plain, strict=True)
    return Times(root, "mul", inputs, (*zero_points, scale.output_zp), scale, bounds)


def matmul(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Times | None:
    """MATMUL of two operands of 8 bits."""
    x, y, *zero_points = core.operands
    constants = [value.constant for value in zero_points if value.constant is not None]
    types = {x.type.dtype, y.type.dtype, scale.out}
    if len(constants) < 2 or types != {DType.I8} or x.constant is not None or y.constant is not None:
        return None
    if scale.multiplier.size > 1 or not rounds_twice(scale):
        return None
    points = (*(int(elements.reshape(-1)[0]) for elements in constants), scale.output_zp)
    return Times(root, "batch_matmul", (x, y), points, scale, bounds)


def _plain(value: Value) -> tuple[Value, int, Array, Array]:
    """An operand as it is."""
    values = values_of(value.type.dtype)
    return value, 0, values, values


def _solve_times(scales: Scales, site: Times) -> bool:
    """Multipliers are quotients of floats (mul.cc, batch_matmul.cc); no power of two can move from then on."""
    x, y, z = ends = *site.inputs, site.root.results[0]
    real = np.ldexp(float(site.scale.multiplier[0]), -int(site.scale.shift[0]))
    free = next((value for value in (z, y, x) if scales.known(value) is None), z)
    first, *solved = (value for value in ends if value is not free)
    for value in (first, *solved):
        if scales.known(value) is None:
            begin(scales, value)
        scales.together(first, value)

    def rows(value: Value) -> Array:
        return scales.rows[scales.of(value)].astype(np.float32)

    def multiplier(free_scales: Array) -> Multiplier:
        left, right, result = (free_scales if value is free else rows(value) for value in ends)
        product, exact = left * right, np.float32 if site.name == "mul" else np.float64
        return quantize_multiplier((product.astype(exact) / result.astype(exact)).astype(np.float64))

    if not real or (free is not z and x is y):
        return False
    base = rows(x) * rows(y) / real if free is z else real * rows(z) / rows(first)
    if not extended(scales, free, first, base.astype(np.float32), multiplier, site.scale):
        return False
    scales.fixed.update(scales.power[scales.of(value)] for value in ends)
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
    operand = operand_of(value)
    if operand is None or operand[0].type[:2] != (scale.out, value.type.shape) or not (operand[2] == operand[3]).all():
        return None
    if scale.multiplier.size > 1 or bounds != scale.out.limits or not rounds_twice(scale):
        return None
    return Mean(root, operand[:1], (operand[1], scale.output_zp), scale, tuple(sorted(axes)))


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Multiplier and shift of RESCALE for a mean of so many elements (QuantizedMeanOrSum, reduce.cc)."""
    fixed_point = quantize_multiplier(real)
    left = np.minimum(min(count.bit_length() - 1, 32), 31 + fixed_point.shift)
    return (fixed_point.m << left) // count, 31 - fixed_point.shift + left


def _solve_mean(scales: Scales, site: Mean) -> bool:
    x, y = site.inputs[0], site.root.results[0]
    count = int(np.prod([x.type.static[axis] for axis in site.axes]))
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])

    def gives(input_scales: Array, output_scales: Array) -> Array:
        multiplier = _mean_multiplier(input_scales / output_scales, count)
        return np.asarray((multiplier[0] == m) & (multiplier[1] == shift))

    return related(scales, x, y, (m + 0.5) * count * 2.0**-shift, gives)
