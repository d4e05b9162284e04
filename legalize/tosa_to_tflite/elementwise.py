"""ADD, SUB, MUL and MEAN of 8 bits: arithmetic on what RESCALEs take to 32 bits, and the RESCALE behind."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.tflite.quantized.arithmetic import Multiplier, divide_by_pot, high_mul, quantize_multiplier
from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
from tosa_converter.legalize.tosa_to_tflite.integers import Scale, limited, scale_from
from tosa_converter.legalize.tosa_to_tflite.scales import Scales
from tosa_converter.legalize.tosa_to_tflite.sites import (
    VALUES,
    agree,
    around,
    fused,
    on_scale_of,
    rounds_twice,
)
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

ADD_BITS = 20


# ** sums **


class Sum(NamedTuple):
    """An ADD or SUB, the scale of its result and the bounds that it keeps to."""

    root: Op
    name: str
    inputs: tuple[Value, ...]
    tables: tuple[Array, ...]  # what the operands become
    zero_points: tuple[int, ...]
    scale: Scale
    bounds: tuple[int, int]

    def solved(self, scales: Scales) -> "Sum | None":
        """With scales of which ADD makes the same multipliers."""
        fits = agree(scales, (*self.inputs, self.root.results[0]), self.zero_points)
        return self if fits and _solve_sum(scales, self) else None

    def emit(self, b: TflBuilder) -> Value:
        """ADD or SUB."""
        return _emit(b, self)


def sum_of(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Sum | None:
    """ADD of two operands that RESCALEs take to 32 bits."""
    sides = [_side(value) for value in core.operands]
    if any(side is None for side in sides) or scale.multiplier.size > 1 or not rounds_twice(scale):
        return None
    inputs, tables, zero_points = zip(*(side for side in sides if side is not None), strict=True)
    return Sum(root, core.row.name.lower(), inputs, tables, (*zero_points, scale.output_zp), scale, bounds)


def _side(value: Value) -> tuple[Value, Array, int] | None:
    """The 8-bit operand behind RESCALEs, what they make of its values, and its zero point."""
    chain: list[Scale] = []
    while value.type.dtype is not DType.I8:
        op = value.producer
        scale = scale_from(op) if op is not None and op.row is ops.RESCALE else None
        source = op.inputs[0] if op is not None and op.inputs else None
        if scale is None or scale.multiplier.size > 1 or any(scale.unsigned) or source is None:
            return None
        chain.append(scale)
        value = source
    if not chain or value.constant is not None:
        return None
    made = VALUES.astype(np.int64)
    for scale in reversed(chain):
        made = scale.of(made)
    zero = np.flatnonzero(made == 0)
    return (value, made, int(VALUES[zero[0]])) if len(zero) == 1 else None


def _add_table(small: Array, large: Array, zero_point: int) -> Array:
    """What ADD makes of the operand of the smaller scale, [rows,256] (add.cc)."""
    multiplier = quantize_multiplier(small / (2 * large))
    shifted = (VALUES - zero_point) << ADD_BITS
    return divide_by_pot(high_mul(shifted[None], multiplier.m[:, None]), -multiplier.shift[:, None])


def _larger(site: Sum) -> int | None:
    """Which operand has the larger scale: ADD halves it."""
    for i, (made, zero_point) in enumerate(zip(site.tables, site.zero_points, strict=False)):
        if (made == (VALUES - zero_point) << (ADD_BITS - 1)).all():
            return i
    return None


def _solve_sum(scales: Scales, site: Sum) -> bool:
    which = _larger(site)
    if which is None:
        return False
    large, small = site.inputs[which], site.inputs[1 - which]
    if scales.known(large) is None and scales.known(small) is None:
        scales.begin(large, np.ldexp(np.arange(1 << 12, 1 << 13), -18))
    wanted, zero_point = site.tables[1 - which], site.zero_points[1 - which]
    ends = wanted[[0, -1]] / ((VALUES[[0, -1]] - zero_point) * float(1 << (ADD_BITS - 1)) + 1e-9)
    share = float(ends[np.argmax(np.abs(wanted[[0, -1]]))])
    return _related(scales, large, small, share, wanted, zero_point) and _sum_result(scales, site, large)


def _related(scales: Scales, large: Value, small: Value, share: float, wanted: Array, zero_point: int) -> bool:
    """Scales of both operands whose quotient gives the table."""
    for known, other, factor in ((large, small, share), (small, large, 1 / share)):
        if scales.known(other) is None:
            rows = scales.known(known)
            assert rows is not None
            scales.extend(other, (rows * factor).astype(np.float32).astype(np.float64), known, same_power=True)
    if scales.of(large) is scales.of(small):
        return bool((_add_table(np.ones(1), np.ones(1), zero_point)[0] == wanted).all())
    scales.together(large, small)
    first, second = scales.rows[scales.of(large)], scales.rows[scales.of(small)]
    exponent = round(float(np.log2(share * first[0] / second[0])))
    if exponent and scales.power[scales.of(large)] != scales.power[scales.of(small)]:
        if scales.fixed.issuperset(scales.power[scales.of(value)] for value in (large, small)):
            return False
        if scales.power[scales.of(small)] in scales.fixed:
            scales.scale_power(large, -exponent)
        else:
            scales.scale_power(small, exponent)
        first, second = scales.rows[scales.of(large)], scales.rows[scales.of(small)]
    rows = np.flatnonzero((_add_table(second, first, zero_point) == wanted).all(1))
    if not len(rows):
        return False
    scales.tie_powers(large, small)
    scales.keep(large, rows)
    return True


def _sum_result(scales: Scales, site: Sum, large: Value) -> bool:
    """The result's scale, from which the last multiplier comes."""
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])
    twice = 2 * scales.rows[scales.of(large)]
    base = (twice / (float(1 << ADD_BITS) * m * 2.0**-shift)).astype(np.float32)

    def multiplier(made: Array) -> Multiplier:
        return quantize_multiplier(twice / (np.float32(1 << ADD_BITS) * made).astype(np.float64))

    return _extended(scales, site.root.results[0], large, base, multiplier, site.scale)


def _extended(
    scales: Scales, result: Value, like: Value, base: Array, multiplier: Callable[[Array], Multiplier], scale: Scale
) -> bool:
    """Candidates for a result, near those in `base`, with which the kernel's last multiplier is the RESCALE's."""
    if scales.known(result) is not None:
        return False
    made, fits = base.copy(), np.zeros(len(base), bool)
    for near in around(base):
        found = multiplier(near)
        new = ~fits & (found.m == scale.multiplier[0]) & (found.tosa_shift == scale.shift[0])
        made[new] = near[new]
        fits |= new
    if not fits.any():
        return False
    scales.keep(like, np.flatnonzero(fits))
    scales.extend(result, made[fits].astype(np.float64), like, same_power=True)
    return True


def _emit(b: TflBuilder, site: "Sum | Times") -> Value:
    made = site.root.results[0]
    activation = fused(made, site.zero_points[-1], site.bounds)
    y = b.op(site.name, site.inputs, fused_activation_function=activation or Activation.NONE)
    on_scale_of(b, made, site.name)
    return y if activation is not None else limited(b, y, *site.bounds)


# ** products **


class Times(NamedTuple):
    """A MUL, the scale of its result and the bounds that it keeps to."""

    root: Op
    inputs: tuple[Value, ...]
    zero_points: tuple[int, ...]
    scale: Scale
    bounds: tuple[int, int]
    name: str = "mul"

    def solved(self, scales: Scales) -> "Times | None":
        """With scales of which MUL makes the same multiplier."""
        fits = agree(scales, (*self.inputs, self.root.results[0]), self.zero_points)
        return self if fits and _solve_times(scales, self) else None

    def emit(self, b: TflBuilder) -> Value:
        """MUL."""
        return _emit(b, self)


def times(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Times | None:
    """MUL of two operands less their zero points."""
    *operands, shift = core.operands
    sides = [(x, VALUES, 0) if x.type.dtype is DType.I8 and x.constant is None else _side(x) for x in operands]
    if shift.constant is None or shift.constant.any() or scale.multiplier.size > 1 or not rounds_twice(scale):
        return None
    plain = [(x, zero_point) for x, made, zero_point in filter(None, sides) if (made == VALUES - zero_point).all()]
    if len(plain) < len(sides):
        return None
    inputs, zero_points = zip(*plain, strict=True)
    return Times(root, inputs, (*zero_points, scale.output_zp), scale, bounds)


def _solve_times(scales: Scales, site: Times) -> bool:
    """Multipliers are quotients of floats (mul.cc); no power of two can move from then on."""
    x, y = site.inputs
    for value in (x, y):
        if scales.known(value) is None:
            scales.begin(value, np.ldexp(np.arange(1 << 12, 1 << 13), -18))
    scales.together(x, y)
    product = (scales.rows[scales.of(x)] * scales.rows[scales.of(y)]).astype(np.float32)
    real = np.float32(np.ldexp(float(site.scale.multiplier[0]), -int(site.scale.shift[0])))
    if not real or not _extended(
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
    widened = scale_from(op) if op is not None and op.row is ops.RESCALE else None
    if op is None or widened is None or scale.multiplier.size > 1 or bounds != DType.I8.limits:
        return None
    x, zero_point = op.operands[0], widened.input_zp
    plain = (widened.of(VALUES.astype(np.int64)) == VALUES - zero_point).all() and x.type.dtype is DType.I8
    if not plain or any(widened.unsigned) or not rounds_twice(scale):
        return None
    return Mean(root, (x,), (zero_point, scale.output_zp), scale, tuple(sorted(axes)))


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Multiplier and shift of RESCALE for a mean of so many elements (QuantizedMeanOrSum, reduce.cc)."""
    made = quantize_multiplier(real)
    left = np.minimum(min(count.bit_length() - 1, 32), 31 + made.shift)
    return (made.m << left) // count, 31 - made.shift + left


def _solve_mean(scales: Scales, site: Mean) -> bool:
    x, y = site.inputs[0], site.root.results[0]
    count = int(np.prod([x.type.static[axis] for axis in site.axes]))
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])
    if scales.known(x) is None:
        if scales.known(y) is not None:
            return False
        scales.begin(x, np.ldexp(np.arange(1 << 12, 1 << 13), -18))
    given, known = scales.rows[scales.of(x)], scales.known(y)
    base = (given / ((m + 0.5) * count * 2.0**-shift)).astype(np.float32)
    if known is not None:
        scales.together(x, y)
        base = scales.rows[scales.of(y)].astype(np.float32)
    near = [base] if known is not None else around(base)
    made, fits = base.copy(), np.zeros(len(base), bool)
    for candidate in near:
        found = _mean_multiplier(given / candidate.astype(np.float64), count)
        new = ~fits & (found[0] == m) & (found[1] == shift)
        made[new] = candidate[new]
        fits |= new
    if not fits.any():
        return False
    scales.keep(x, np.flatnonzero(fits))
    if known is None:
        scales.extend(y, made[fits].astype(np.float64), x, same_power=True)
    return True
