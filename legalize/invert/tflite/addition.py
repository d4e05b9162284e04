"""ADD, SUB and SQUARED_DIFFERENCE: sums of what RESCALEs take to 32 bits, and the RESCALE behind."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.functions import smallest
from tosa_converter.legalize.invert.tflite.integers import Scale, limited, scale_from
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import (
    agree,
    aligned,
    around,
    begin,
    fused,
    on_scale_of,
    rounds_twice,
    values_of,
)
from tosa_converter.legalize.quant.multipliers import Multiplier, divide_by_pot, high_mul, quantize_multiplier
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


class Sum(NamedTuple):
    """An ADD, SUB or SQUARED_DIFFERENCE, the scale of its result and the bounds that it keeps to."""

    root: Op
    name: str
    inputs: tuple[Value, ...]
    sides: tuple[Side, ...]
    scale: Scale
    bounds: tuple[int, int]
    bits: int  # that operands are shifted left by

    @property
    def zero_points(self) -> tuple[int, ...]:
        """Those of the operands and the result."""
        return *(side.zero_point for side in self.sides), self.scale.output_zp

    def solved(self, scales: Scales) -> "Sum | None":
        """With scales of which the operator makes the same multipliers."""
        fits = agree(scales, (*self.inputs, self.root.results[0]), self.zero_points)
        return self if fits and _solve_sum(scales, self) else None

    def emit(self, b: TflBuilder) -> Value:
        """The operator."""
        return emitted(b, self.root, self.name, self.inputs, self.scale.output_zp, self.bounds)


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
    return Sum(root, name, values, sides, scale, bounds, bits)


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


def _larger(site: Sum) -> int | None:
    """Which operand has the larger scale, which the kernels double."""
    unit = np.ones(1)
    return next((i for i, side in enumerate(site.sides) if side.fits(unit, unit).all()), None)


def _solve_sum(scales: Scales, site: Sum) -> bool:
    which = _larger(site)
    if which is None:
        return False
    large, small = site.inputs[which], site.inputs[1 - which]
    if scales.known(large) is None and scales.known(small) is None:
        begin(scales, large)
    return _related(scales, large, small, site.sides[1 - which]) and _sum_result(scales, site, large)


def _related(scales: Scales, large: Value, small: Value, side: Side) -> bool:
    """Scales of both operands whose quotient gives what the smaller one's becomes."""
    low, high = side.share
    if scales.known(small) is None:
        scales.spread(small, large, (1 / high, 1 / low))
    if scales.known(large) is None:
        scales.spread(large, small, (low, high))
    if scales.of(large) is scales.of(small):
        return bool(side.fits(np.ones(1), np.ones(1)).all())
    if not aligned(scales, small, large, high):
        return False
    first, second = scales.rows[scales.of(large)], scales.rows[scales.of(small)]
    rows = np.flatnonzero(side.fits(second, first))
    if not len(rows):
        return False
    scales.tie_powers(large, small)
    scales.keep(large, rows)
    return True


def _sum_result(scales: Scales, site: Sum, large: Value) -> bool:
    """The result's scale, from which the last multiplier comes."""
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])
    doubled, bits = 2 * scales.rows[scales.of(large)], site.bits
    if site.name == "squared_difference":
        doubled, bits = doubled * doubled, 2 * bits
    base = (doubled / (float(1 << bits) * m * 2.0**-shift)).astype(np.float32)

    def multiplier(output_scales: Array) -> Multiplier:
        return quantize_multiplier(doubled / (np.float32(1 << bits) * output_scales).astype(np.float64))

    ends = site.root.results[0], large
    if not extended(scales, *ends, base, multiplier, site.scale):
        return False
    if site.name == "squared_difference":
        scales.fixed.update(scales.power[scales.of(value)] for value in ends)
    return True


def extended(
    scales: Scales, result: Value, like: Value, base: Array, multiplier: Callable[[Array], Multiplier], scale: Scale
) -> bool:
    """Candidates for a result, near those in `base`, with which the kernel's last multiplier is the RESCALE's."""
    if scales.known(result) is not None:
        scales.together(like, result)
        fixed_point = multiplier(scales.rows[scales.of(result)].astype(np.float32))
        fits = (fixed_point.m == scale.multiplier[0]) & (fixed_point.tosa_shift == scale.shift[0])
        if fits.any():
            scales.tie_powers(like, result)
            scales.keep(like, np.flatnonzero(fits))
        return bool(fits.any())
    candidates, fits = base.copy(), np.zeros(len(base), bool)
    for near in around(base):
        fixed_point = multiplier(near)
        new = ~fits & (fixed_point.m == scale.multiplier[0]) & (fixed_point.tosa_shift == scale.shift[0])
        candidates[new] = near[new]
        fits |= new
    if not fits.any():
        return False
    scales.keep(like, np.flatnonzero(fits))
    scales.extend(result, candidates[fits].astype(np.float64), like, same_power=True)
    return True


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
