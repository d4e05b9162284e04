"""Guesses of arithmetic between RESCALEs: ADD, SUB, SQUARED_DIFFERENCE, MUL, BATCH_MATMUL and MEAN.

A row of `ROWS` proposes the operator in place of a TOSA operator behind which a RESCALE stands. Its operands are the
tensors of 8 or 16 bits in front. Its scales are those with which the kernel has the RESCALEs' multipliers.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.functions import smallest
from tosa_converter.legalize.invert.tflite.integers import Scale, scale_from
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import Emit, Ending, Ends, Site, near, values_of
from tosa_converter.legalize.quant.multipliers import divide_by_pot, high_mul, quantize_multiplier
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

ROUNDED = 1.5  # that a constant and its step may be off together
LEVELS_TRIED = 64  # of the largest element of a constant


class Operand(NamedTuple):
    """An 8 or 16-bit operand of a guessed operator, for all 256 or 65536 values that it can have.

    `centered` has these less the zero point, `rescaled` what the RESCALEs in front of the operator make of them.
    """

    value: Value
    zero_point: int
    centered: Array
    rescaled: Array

    @property
    def is_plain(self) -> bool:
        """Whether the RESCALEs in front only subtract the zero point."""
        return bool((self.centered == self.rescaled).all())


class Term(NamedTuple):
    """How the kernel of ADD or SUB rescales an operand: by `shift` and any multiplier in a range."""

    shift: int
    multipliers: tuple[int, int]

    @property
    def quotients(self) -> tuple[float, float]:
        """The range of this operand's scale divided by the larger of both operands' scales."""
        first, last = (math.ldexp(m, self.shift - 30) for m in self.multipliers)
        return first, last

    def fits(self, small: Array, large: Array) -> Array:
        """Returns, for each pair of scales (this operand's, the larger), whether the kernel rescales it like this."""
        m, shift = quantize_multiplier(small / (2 * large))
        return np.asarray((shift == self.shift) & (m >= self.multipliers[0]) & (m <= self.multipliers[1]))


class Proposal(NamedTuple):
    """An operator's operands; `terms` and `bits` are those of a sum, and `axes` those of a MEAN."""

    operands: tuple[Operand, ...]
    terms: tuple[Term, ...] = ()
    bits: int = 0  # that a sum's operands are shifted left by
    axes: tuple[int, ...] = ()


class Row(NamedTuple):
    """A TOSA operator in front of a RESCALE, and the operator of TFLite that may stand for both.

    * `propose` returns the operator's operands; None if TOSA's operator has others.
    * `restrict` restricts the scales to those that give the multipliers; it returns whether any are left.
    """

    core: OpDef
    name: str
    propose: Callable[[Op, Ending], Proposal | None]
    restrict: Callable[[Scales, Ends, Ending, Proposal], bool]


def arithmetic(core: Op, ending: Ending) -> Site | None:
    """Returns the TFLite operator that a TOSA operator followed by a RESCALE may be, as a `Site`, or None.

    A site has the operator's operands and what is left to do: to find scales that give the RESCALE's multiplier.
    `ending` is that RESCALE, with the bounds of a CLAMP behind it.
    """
    if not ending.is_multiplier:
        return None
    for row in ROWS:
        proposal = row.propose(core, ending) if row.core is core.row else None
        if proposal is not None and {x.value.type.dtype for x in proposal.operands} == {ending.scale.out}:
            zero_points = *(x.zero_point for x in proposal.operands), ending.scale.output_zp
            solve = partial(_solve_row, row, proposal, ending)
            return Site(ending.root, tuple(x.value for x in proposal.operands), solve, zero_points)
    return None


def _solve_row(row: Row, proposal: Proposal, ending: Ending, scales: Scales, ends: Ends) -> Emit | None:
    """Restricts the scales to those that give a row's multipliers; returns what appends its operator, or None.

    `ends` are the operator's operands, then its result.
    """
    return (
        partial(_append_operator, row.name, proposal, ending, ends)
        if row.restrict(scales, ends, ending, proposal)
        else None
    )


def _append_operator(name: str, proposal: Proposal, ending: Ending, ends: Ends, b: TflBuilder) -> Value:
    """Appends a proposed operator that reads `ends[:-1]`; `ends[-1]` has the type of its result."""
    inputs, shape = ends[:-1], ending.root.result.type.static
    if name == "mean":
        return ending.append(
            b, name, partial(b.op, name, [*inputs, b.ints(proposal.axes)], shape=shape, keep_dims=True)
        )
    if name == "batch_matmul":
        return ending.append(b, name, partial(b.op, name, inputs, shape=shape))
    short = name in ("add", "sub") and ending.scale.out is DType.I16
    options = {"pot_scale_int16": False} if short else {}
    return ending.append(b, name, partial(b.elementwise, name, *inputs), **options)


# ** operands **


def terms(core: Op, ending: Ending) -> Proposal | None:
    """Proposes ADD or SUB of two operands that RESCALEs widen to 32 bits, or of one such operand and a constant."""
    return _propose_sum(core, ending, WIDTHS[ending.scale.out].headroom)


def differing_terms(core: Op, ending: Ending) -> Proposal | None:
    """Proposes SQUARED_DIFFERENCE for MUL of a SUB with itself; LiteRT has it in 8 bits, without an activation."""
    first, second, shift = core.operands
    difference = first.producer
    if first is not second or difference is None or difference.row is not ops.SUB:
        return None
    if ending.scale.out is not DType.I8 or ending.bounds != DType.I8.limits or not _is_zero(shift):
        return None
    return _propose_sum(difference, ending, WIDTHS[DType.I8].square_headroom)


def _propose_sum(core: Op, ending: Ending, bits: int) -> Proposal | None:
    """Proposes the operands of ADD, SUB or SQUARED_DIFFERENCE, whose kernel shifts them left by `bits` first.

    Returns None if both are constant, or if the kernel doesn't rescale one as the RESCALEs do.
    """
    operands = [operand_of(x) or _quantize_constant(x, ending.scale.out, bits) for x in core.operands]
    pairs = [(x, term) for x in operands if x is not None and (term := _find_term(x, bits)) is not None]
    if len(pairs) < 2 or all(x.value.constant is not None for x, _ in pairs) or not ending.scale.multiplier.all():
        return None
    first, second = pairs
    return Proposal((first[0], second[0]), (first[1], second[1]), bits)


def factors(core: Op, _ending: Ending) -> Proposal | None:
    """Proposes MUL if RESCALEs only subtract the zero points from its operands; None for other operands."""
    *values, shift = core.operands
    operands = [_plain_operand(x) if x.type.dtype in WIDTHS and x.constant is None else operand_of(x) for x in values]
    plain = [x for x in operands if x is not None and x.is_plain]
    return Proposal(tuple(plain)) if _is_zero(shift) and len(plain) == len(values) else None


def matrices(core: Op, ending: Ending) -> Proposal | None:
    """Proposes BATCH_MATMUL for MATMUL of two 8-bit operands, neither of them constant; None for other operands."""
    x, y, x_zp, y_zp = core.operands
    if ending.scale.out is not DType.I8 or x.constant is not None or y.constant is not None:
        return None
    if x_zp.constant is None or y_zp.constant is None:
        return None
    zero_points = int(x_zp.constant.reshape(-1)[0]), int(y_zp.constant.reshape(-1)[0])
    return Proposal(
        (_plain_operand(x)._replace(zero_point=zero_points[0]), _plain_operand(y)._replace(zero_point=zero_points[1]))
    )


def mean_operand(core: Op, ending: Ending) -> Proposal | None:
    """Proposes MEAN for REDUCE_SUMs of an operand less its zero point; None if it was reshaped or clamped."""
    axes: list[int] = []
    x = core.result
    while (op := x.producer) is not None and op.row is ops.REDUCE_SUM:
        axes.append(op.attributes["axis"])
        x = op.operands[0]
    operand = operand_of(x)
    if operand is None or not operand.is_plain or operand.value.type.shape != x.type.shape:
        return None
    return Proposal((operand,), axes=tuple(sorted(axes))) if ending.bounds == ending.scale.out.limits else None


def operand_of(value: Value) -> Operand | None:
    """Returns the 8 or 16-bit operand in front of RESCALEs; None if they don't multiply it by one number."""
    rescales: list[Scale] = []
    while value.type.dtype not in WIDTHS:
        op = value.producer
        if op is not None and _adds_dimensions(op):
            value = op.operands[0]
            continue
        scale = scale_from(op) if op is not None and op.row is ops.RESCALE else None
        if op is None or scale is None or scale.multiplier.size > 1 or any(scale.unsigned):
            return None
        rescales.append(scale)
        value = op.operands[0]
    if not rescales or value.constant is not None:
        return None
    values = values_of(value.type.dtype)
    rescaled = values
    for scale in reversed(rescales):
        rescaled = scale.of(rescaled)
    zero_point = rescales[-1].input_zp
    has_other_zero_points = any(scale.output_zp for scale in rescales) or any(scale.input_zp for scale in rescales[:-1])
    return None if has_other_zero_points else Operand(value, zero_point, values - zero_point, rescaled)


def _plain_operand(value: Value) -> Operand:
    """Returns the operand for a value that no RESCALE widens, with the zero point 0."""
    values = values_of(value.type.dtype)
    return Operand(value, 0, values, values)


def _adds_dimensions(op: Op) -> bool:
    """Returns whether an operator is a RESHAPE that only puts sizes of 1 in front, as broadcasting does."""
    if op.row is not ops.RESHAPE:
        return False
    shape, operand_shape = op.result.type.static, op.operands[0].type.static
    added_rank = len(shape) - len(operand_shape)
    return added_rank >= 0 and shape == (1,) * added_rank + operand_shape


def _quantize_constant(value: Value, dtype: DType, bits: int) -> Operand | None:
    """Returns an i32 constant as elements of `dtype` times some step, each off by less than 1.5; None if none fits.

    The steps tried are 2**(bits - 1), which is a shift, and the quotients of the largest element and 64 levels.
    Example: 1000000 and -500000 are 127 and -64 (63.5) times 7874.0 in 8 bits, of which -64 is off by 3937 and no
    element may be off by 1.5; 125 and -62.5 likewise; 126 and -63 times 7936.5 are exact.
    """
    if value.constant is None:
        return None
    elements = value.constant.astype(np.int64)
    largest_element, largest_level = int(np.abs(elements).max(initial=0)), dtype.limits[1]
    steps = [largest_element / level for level in range(largest_level, max(largest_level - LEVELS_TRIED, 0), -1)]
    for step in (float(1 << max(bits - 1, 0)), *steps) if largest_element else [1.0]:
        stored = np.round(elements / step)
        if np.abs(stored).max(initial=0) <= largest_level and (np.abs(stored * step - elements) < ROUNDED).all():
            operand = constant(stored, dtype)
            return Operand(operand, 0, stored.astype(np.int64).reshape(-1), elements.reshape(-1))
    return None


def _is_zero(value: Value) -> bool:
    """Returns whether a value is a constant of zeros, such as MUL's shift."""
    return value.constant is not None and not value.constant.any()


def _find_term(operand: Operand, bits: int) -> Term | None:
    """Returns the shift and multipliers with which the kernel of ADD (add.cc) rescales an operand as RESCALEs do.

    The element farthest from the zero point tells the multiplier's size but for roundings, so at most three shifts are
    searched, each by bisection. Example: 100 << 20 that becomes 52428800 is rescaled by 1/2, multiplier 2**30 and
    shift 0; a multiplier up to 10 larger still gives 52428800.
    """
    centered, rescaled = operand.centered, operand.rescaled
    sign, farthest = np.sign(centered), int(np.argmax(np.abs(centered)))
    magnitudes = sign * rescaled
    real = float(magnitudes[farthest]) / float(max(abs(centered[farthest]) << bits, 1))
    if not rescaled.any():
        return Term(0, (1 << 30, 1 << 30))
    for shift in range(min(math.frexp(real)[1] + 1, 0), math.frexp(real)[1] - 2, -1):

        def levels(m: int, shift: int = shift) -> Array:
            """Returns the kernel's rescaled magnitudes for a multiplier and this shift."""
            return np.asarray(sign * divide_by_pot(high_mul(centered << bits, m), -shift))

        first = smallest(lambda m: bool((levels(m) >= magnitudes).all()))
        last = smallest(lambda m: bool((levels(m) > magnitudes).any())) - 1
        last = last if shift else min(last, 1 << 30)  # a half at most
        if first <= last:
            return Term(shift, (first, last))
    return None


# ** scales **


def sum_scales(scales: Scales, ends: Ends, ending: Ending, proposal: Proposal, *, square: bool = False) -> bool:
    """Restricts the scales of ADD or SUB, or with `square` of SQUARED_DIFFERENCE; returns whether any are left.

    The kernel divides both inputs' scales by twice the larger one, so the larger input is rescaled by 1/2, and the
    smaller one's quotient follows from its term. The result's scale follows from its multiplier.
    """
    unit = np.ones(1)
    larger = next((i for i, term in enumerate(proposal.terms) if term.fits(unit, unit).all()), None)
    if larger is None:
        return False
    large, small, term = ends[larger], ends[1 - larger], proposal.terms[1 - larger]
    if scales.candidates(large) is None and scales.candidates(small) is None:
        scales.begin_freely(large)
    if not scales.related(small, large, term.quotients, term.fits):
        return False
    unit_bits = 2 * proposal.bits if square else proposal.bits

    def doubled() -> Array:
        """Returns twice the larger input's scales, by which the kernel relates both inputs to the result."""
        real = 2 * scales[large]
        return real * real if square else real

    def fits(output_scales: Array) -> Array:
        """Returns which of these output scales give the RESCALE's multiplier."""
        return ending.gives(doubled() / (np.float32(1 << unit_bits) * output_scales).astype(np.float64))

    base = (doubled() / float(1 << unit_bits) / ending.real).astype(np.float32)
    if not scales.near(ends[-1], large, base, fits):
        return False
    if square:
        scales.fix_powers(ends[-1], large)
    return True


def product_scales(
    scales: Scales, ends: Ends, ending: Ending, _proposal: Proposal, *, exact: type = np.float32
) -> bool:
    """Restricts the scales of MUL or BATCH_MATMUL; returns whether any are left.

    The multiplier is x_scale * y_scale / result_scale in `exact` floats (mul.cc, batch_matmul.cc). No power of two can
    move from then on, because a product of scales is no quotient.
    """
    x, y, z = ends
    # The scale that follows from the others: of a tensor without candidates, or else the result's.
    free = next((value for value in (z, y, x) if scales.candidates(value) is None), z)
    first, *solved = (value for value in ends if value is not free)
    for value in (first, *solved):
        if scales.candidates(value) is None:
            scales.begin_freely(value)
        scales.together(first, value)

    def rows(value: Value) -> Array:
        """Returns the candidate scales of a tensor in fp32."""
        return scales[value].astype(np.float32)

    def fits(free_scales: Array) -> Array:
        """Returns which of these scales of `free` give the RESCALE's multiplier."""
        left, right, result = (free_scales if value is free else rows(value) for value in ends)
        return ending.gives((left * right).astype(exact) / result.astype(exact))

    if not ending.real or (free is not z and x is y):
        return False
    base = rows(x) * rows(y) / ending.real if free is z else ending.real * rows(z) / rows(first)
    if not scales.near(free, first, base.astype(np.float32), fits):
        return False
    scales.fix_powers(*ends)
    return True


def mean_scales(scales: Scales, ends: Ends, ending: Ending, proposal: Proposal) -> bool:
    """Restricts the scales of MEAN; returns whether any are left. Its multiplier is divided by the count (reduce.cc).

    The quotient is rounded down, so a multiplier m stands for m to m + 1. Example: the mean of 3 elements on equal
    scales has the multiplier 2**30 << 1, by 3 that is 715827882, for 715827882.67.
    """
    x, y = ends
    count = math.prod(x.type.static[axis] for axis in proposal.axes)
    m, shift = int(ending.scale.multiplier[0]), int(ending.scale.shift[0])

    def fits(input_scales: Array, output_scales: Array) -> Array:
        """Returns for which pairs of scales the kernel has the RESCALE's multiplier and shift."""
        multiplier, by = _mean_multiplier(input_scales / output_scales, count)
        return np.asarray((multiplier == m) & (by == shift))

    return scales.related(x, y, near((m + 0.5) * count * 2.0**-shift), fits)


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Returns the multiplier and shift of a RESCALE for a mean of `count` elements (QuantizedMeanOrSum, reduce.cc)."""
    fixed_point = quantize_multiplier(real)
    left_shift = np.minimum(min(count.bit_length() - 1, 32), 31 + fixed_point.shift)
    return (fixed_point.m << left_shift) // count, 31 - fixed_point.shift + left_shift


ROWS = (
    Row(ops.ADD, "add", terms, sum_scales),
    Row(ops.SUB, "sub", terms, sum_scales),
    Row(ops.MUL, "squared_difference", differing_terms, partial(sum_scales, square=True)),
    Row(ops.MUL, "mul", factors, product_scales),
    Row(ops.MATMUL, "batch_matmul", matrices, partial(product_scales, exact=np.float64)),
    Row(ops.REDUCE_SUM, "mean", mean_operand, mean_scales),
)
