"""MUL, BATCH_MATMUL and MEAN: arithmetic on what RESCALEs take to 32 bits, and the RESCALE behind."""

from dataclasses import dataclass

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.addition import Sum, addition, emitted, operand_of
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import Scale, limited
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import ScaledSite, near, on_scale_of, rounds_twice, values_of
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
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


@dataclass(frozen=True, eq=False)
class Times(ScaledSite):
    """A MUL or BATCH_MATMUL."""

    name: str

    def restrict(self, scales: Scales) -> bool:
        """Restricts the scales: multipliers are quotients of floats (mul.cc, batch_matmul.cc).

        No power of two can move from then on, because a product of scales is no quotient.
        """
        x, y, z = self.ends
        free = next((value for value in (z, y, x) if scales.candidates(value) is None), z)
        first, *solved = (value for value in self.ends if value is not free)
        for value in (first, *solved):
            if scales.candidates(value) is None:
                scales.begin_freely(value)
            scales.together(first, value)

        def rows(value: Value) -> Array:
            return scales[value].astype(np.float32)

        def fits(free_scales: Array) -> Array:
            left, right, result = (free_scales if value is free else rows(value) for value in self.ends)
            exact = np.float32 if self.name == "mul" else np.float64
            return self.gives((left * right).astype(exact) / result.astype(exact))

        if not self.real or (free is not z and x is y):
            return False
        base = rows(x) * rows(y) / self.real if free is z else self.real * rows(z) / rows(first)
        if not scales.near(free, first, base.astype(np.float32), fits):
            return False
        scales.fixed.update(scales.power[scales.of(value)] for value in self.ends)
        return True

    def emit(self, b: TflBuilder) -> Value:
        """Appends the operator."""
        if self.name == "mul":
            return emitted(b, self.root, self.name, self.inputs, self.zero_points[-1], self.bounds)
        target = self.root.result
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
    return Times(root, inputs, (*zero_points, scale.output_zp), scale, bounds, "mul")


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
    return Times(root, (x, y), points, scale, bounds, "batch_matmul")


def _plain(value: Value) -> tuple[Value, int, Array, Array]:
    """Returns an operand that no RESCALE is in front of, as `operand_of` returns others."""
    values = values_of(value.type.dtype)
    return value, 0, values, values


# ** means **


@dataclass(frozen=True, eq=False)
class Mean(ScaledSite):
    """A MEAN over axes."""

    axes: tuple[int, ...]

    def restrict(self, scales: Scales) -> bool:
        """Restricts the scales to those of which MEAN makes the same multiplier."""
        count = int(np.prod([self.inputs[0].type.static[axis] for axis in self.axes]))
        m, shift = int(self.scale.multiplier[0]), int(self.scale.shift[0])

        def fits(input_scales: Array, output_scales: Array) -> Array:
            multiplier = _mean_multiplier(input_scales / output_scales, count)
            return np.asarray((multiplier[0] == m) & (multiplier[1] == shift))

        # The kernel divides the multiplier by the count, rounded down, so that m stands for m to m + 1.
        return scales.related(self.inputs[0], self.root.result, near((m + 0.5) * count * 2.0**-shift), fits)

    def emit(self, b: TflBuilder) -> Value:
        """Appends MEAN."""
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
    return Mean(root, operand[:1], (operand[1], scale.output_zp), scale, bounds, tuple(sorted(axes)))


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Multiplier and shift of RESCALE for a mean of so many elements (QuantizedMeanOrSum, reduce.cc)."""
    fixed_point = quantize_multiplier(real)
    left = np.minimum(min(count.bit_length() - 1, 32), 31 + fixed_point.shift)
    return (fixed_point.m << left) // count, 31 - fixed_point.shift + left
