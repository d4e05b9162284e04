"""ADD, SUB and SQUARED_DIFFERENCE: sums of what RESCALEs take to 32 bits, and the RESCALE behind."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.functions import smallest
from tosa_converter.legalize.invert.tflite.integers import Scale, limited, scale_from
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import ScaledSite, fused, on_scale_of, rounds_twice, values_of
from tosa_converter.legalize.quant.multipliers import divide_by_pot, high_mul, quantize_multiplier
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

ROUNDED = 1.5  # that a constant and its step may be off together
LEVELS_TRIED = 64  # of the largest element of a constant


class Side(NamedTuple):
    """An operand of a sum: elements less their zero point, all that there may be, and what RESCALEs make of them.

    `multipliers` make the same, from the first to the last, with `shift`.
    """

    value: Value
    zero_point: int
    centered: Array
    rescaled: Array
    shift: int
    multipliers: tuple[int, int]

    @property
    def share(self) -> tuple[float, float]:
        """Between which quotients of its scale by the larger one it becomes this."""
        first, last = (math.ldexp(m, self.shift - 30) for m in self.multipliers)
        return first, last

    def fits(self, small: Array, large: Array) -> Array:
        """Of which rows of scales the kernel makes it."""
        m, shift = quantize_multiplier(small / (2 * large))
        return np.asarray((shift == self.shift) & (m >= self.multipliers[0]) & (m <= self.multipliers[1]))


def _side(value: Value, zero_point: int, centered: Array, rescaled: Array, bits: int) -> Side | None:
    """With the multipliers that the kernels may have, if any (add.cc)."""
    sign, at = np.sign(centered), int(np.argmax(np.abs(centered)))
    magnitudes = sign * rescaled
    real = float(magnitudes[at]) / float(max(abs(centered[at]) << bits, 1))
    if not rescaled.any():
        return Side(value, zero_point, centered, rescaled, 0, (1 << 30, 1 << 30))
    for shift in range(min(math.frexp(real)[1] + 1, 0), math.frexp(real)[1] - 2, -1):

        def levels(m: int, shift: int = shift) -> Array:
            return np.asarray(sign * divide_by_pot(high_mul(centered << bits, m), -shift))

        first = smallest(lambda m: bool((levels(m) >= magnitudes).all()))
        last = smallest(lambda m: bool((levels(m) > magnitudes).any())) - 1
        last = last if shift else min(last, 1 << 30)  # a half at most
        if first <= last:
            return Side(value, zero_point, centered, rescaled, shift, (first, last))
    return None


@dataclass(frozen=True, eq=False)
class Sum(ScaledSite):
    """An ADD, SUB or SQUARED_DIFFERENCE of two sides, which the kernel shifts left by some bits first."""

    name: str
    sides: tuple[Side, ...]
    bits: int

    def restrict(self, scales: Scales) -> bool:
        """Restricts the scales: the larger input's is doubled, and the smaller one's quotient is the side's."""
        unit = np.ones(1)
        larger = next((i for i, side in enumerate(self.sides) if side.fits(unit, unit).all()), None)
        if larger is None:
            return False
        large, small, side = self.inputs[larger], self.inputs[1 - larger], self.sides[1 - larger]
        if scales.candidates(large) is None and scales.candidates(small) is None:
            scales.begin_freely(large)
        return scales.related(small, large, side.share, side.fits) and self._restrict_result(scales, large)

    def _restrict_result(self, scales: Scales, large: Value) -> bool:
        doubled, bits, square = 2 * scales[large], self.bits, self.name == "squared_difference"
        base = doubled * doubled / float(1 << 2 * bits) if square else doubled / float(1 << bits)
        units = np.float32(1 << 2 * bits if square else 1 << bits)

        def fits(output_scales: Array) -> Array:
            real = 2 * scales[large]
            return self.gives((real * real if square else real) / (units * output_scales).astype(np.float64))

        if not scales.near(self.root.result, large, (base / self.real).astype(np.float32), fits):
            return False
        if square:
            scales.fixed.update(scales.power[scales.of(value)] for value in (self.root.result, large))
        return True

    def emit(self, b: TflBuilder) -> Value:
        """Appends the operator."""
        return emitted(b, self.root, self.name, self.inputs, self.zero_points[-1], self.bounds)


def sum_of(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Sum | None:
    """ADD of two operands that RESCALEs take to 32 bits."""
    return addition(root, core, core.row.name.lower(), scale, bounds, WIDTHS[scale.out].headroom)


def addition(root: Op, core: Op, name: str, scale: Scale, bounds: tuple[int, int], bits: int) -> Sum | None:
    """A sum whose operands are shifted left by so many bits."""
    operands = [operand_of(value) or _constant(value, scale.out, bits) for value in core.operands]
    sides = tuple(side for operand in operands if operand is not None and (side := _side(*operand, bits)) is not None)
    values = tuple(side.value for side in sides)
    if len(sides) < 2 or all(value.constant is not None for value in values) or scale.multiplier.size > 1:
        return None
    if {value.type.dtype for value in values} != {scale.out} or not rounds_twice(scale) or not scale.multiplier.all():
        return None
    zero_points = *(side.zero_point for side in sides), scale.output_zp
    return Sum(root, values, zero_points, scale, bounds, name, sides, bits)


def operand_of(value: Value) -> tuple[Value, int, Array, Array] | None:
    """The operand of 8 or 16 bits behind RESCALEs, what they make of its values, and its zero point."""
    chain: list[Scale] = []
    while value.type.dtype not in WIDTHS:
        op = value.producer
        if op is not None and _adds_dimensions(op):
            value = op.operands[0]
            continue
        scale = scale_from(op) if op is not None and op.row is ops.RESCALE else None
        source = op.inputs[0] if op is not None and op.inputs else None
        if scale is None or scale.multiplier.size > 1 or any(scale.unsigned) or source is None:
            return None
        chain.append(scale)
        value = source
    if not chain or value.constant is not None:
        return None
    values = values_of(value.type.dtype)
    rescaled = values
    for scale in reversed(chain):
        rescaled = scale.of(rescaled)
    zero_point = chain[-1].input_zp
    moved = any(scale.output_zp for scale in chain) or any(scale.input_zp for scale in chain[:-1])
    return None if moved else (value, zero_point, values - zero_point, rescaled)


def _adds_dimensions(op: Op) -> bool:
    """Whether a RESHAPE only puts sizes of 1 in front, as broadcasting does."""
    shape, rank = op.results[0].type.static, op.operands[0].type.rank if op.row is ops.RESHAPE else 0
    more = len(shape) - rank
    return op.row is ops.RESHAPE and more >= 0 and shape == (1,) * more + op.operands[0].type.static


def _constant(value: Value, dtype: DType, bits: int) -> tuple[Value, int, Array, Array] | None:
    """A constant operand that has few bits on some scale: as small as it may be, or shifted alone."""
    if value.constant is None:
        return None
    elements = value.constant.astype(np.int64)
    most, largest = int(np.abs(elements).max(initial=0)), dtype.limits[1]
    steps = [most / level for level in range(largest, max(largest - LEVELS_TRIED, 0), -1)]
    for step in (float(1 << max(bits - 1, 0)), *steps) if most else [1.0]:
        stored = np.round(elements / step)
        if np.abs(stored).max(initial=0) <= largest and (np.abs(stored * step - elements) < ROUNDED).all():
            operand = constant(stored, dtype)
            return operand, 0, stored.astype(np.int64).reshape(-1), elements.reshape(-1)
    return None


def emitted(
    b: TflBuilder, root: Op, name: str, inputs: Sequence[Value], zero_point: int, bounds: tuple[int, int]
) -> Value:
    """An operator with the activation that has the bounds, or none and what bounds it."""
    result = root.results[0]
    activation = fused(result, zero_point, bounds)
    options: dict[str, Any] = {}
    if name != "squared_difference":
        options["fused_activation_function"] = activation or Activation.NONE
    if name in ("add", "sub") and result.type.dtype is DType.I16:
        options["pot_scale_int16"] = False
    y = b.elementwise(name, *inputs, **options)
    on_scale_of(b, result, name)
    return y if activation is not None else limited(b, y, *bounds)
