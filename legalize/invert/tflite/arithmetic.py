"""Inverts arithmetic between RESCALEs: proposes ADD, SUB, SQUARED_DIFFERENCE, MUL, BATCH_MATMUL and MEAN of TFLite.

A row of `INVERSES` proposes a TFLite operator for a TOSA operator that a RESCALE follows. Its operands are the tensors
of 8 or 16 bits in front. Its scales are those with which LiteRT's kernel has the RESCALEs' multipliers.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.candidates import (
    AppendOperator,
    OperatorTensors,
    OutputRescale,
    QuantizedCandidate,
    integer_values,
    quotient_range,
)
from tosa_converter.legalize.invert.tflite.functions import smallest_multiplier
from tosa_converter.legalize.invert.tflite.integers import RescaleParameters, rescale_parameters_of
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.quant.multipliers import divide_by_pot, high_mul, quantize_multiplier
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

ROUNDED = 1.5  # that a constant and its step may be off together
LEVELS_TRIED = 64  # of the largest element of a constant


class Operand(NamedTuple):
    """An 8 or 16-bit operand of a proposed TFLite operator, for all 256 or 65536 values that it can have.

    `centered` has these less the zero point, `rescaled` what the RESCALEs in front of the operator make of them.
    """

    value: Value
    zero_point: int
    centered: Array
    rescaled: Array

    @property
    def is_plain(self) -> bool:
        """Whether the RESCALEs in front of the operand only subtract its zero point."""
        return bool((self.centered == self.rescaled).all())


class SummandRescale(NamedTuple):
    """How LiteRT's kernel of ADD or SUB rescales one summand: by `shift` and a multiplier in a range."""

    shift: int
    multipliers: tuple[int, int]

    @property
    def quotients(self) -> tuple[float, float]:
        """The range (low, high) of this summand's scale divided by the larger of both summands' scales."""
        first, last = (math.ldexp(m, self.shift - 30) for m in self.multipliers)
        return first, last

    def fits(self, small: Array, large: Array) -> Array:
        """Returns for each pair of scales (this summand's, the larger) whether the kernel rescales the summand so."""
        m, shift = quantize_multiplier(small / (2 * large))  # as add.cc divides them
        return np.asarray((shift == self.shift) & (m >= self.multipliers[0]) & (m <= self.multipliers[1]))


class Proposal(NamedTuple):
    """The operands of a proposed TFLite operator; a sum has `summand_rescales` and `bits`, a MEAN has `axes`."""

    operands: tuple[Operand, ...]
    summand_rescales: tuple[SummandRescale, ...] = ()
    bits: int = 0  # that a sum's operands are shifted left by
    axes: tuple[int, ...] = ()


class ArithmeticInverse(NamedTuple):
    """A TOSA operator in front of a RESCALE (`core`), and the TFLite operator that may replace both.

    * `propose` returns the operator's operands; None if TOSA's operator has others.
    * `restrict_scales` restricts the scales to those that give the multipliers; it returns whether any are left.
    """

    core: OpDef
    name: str
    propose: Callable[[Op, OutputRescale], Proposal | None]
    restrict_scales: Callable[[ScaleSolver, OperatorTensors, OutputRescale, Proposal], bool]


def match_arithmetic(core: Op, output_rescale: OutputRescale) -> QuantizedCandidate | None:
    """Returns a quantized TFLite operator that may replace a TOSA operator and the RESCALE behind it, or None.

    `core` is the TOSA operator; `output_rescale` is the RESCALE that reads its result, with the bounds of a CLAMP
    behind it.
    """
    if not output_rescale.is_kernel_multiplication:
        return None
    for inverse in INVERSES:
        proposal = inverse.propose(core, output_rescale) if inverse.core is core.row else None
        if proposal is None:
            continue
        if {x.value.type.dtype for x in proposal.operands} == {output_rescale.parameters.output_dtype}:
            zero_points = *(x.zero_point for x in proposal.operands), output_rescale.parameters.output_zp
            solve_scales = partial(_solve_scales, inverse, proposal, output_rescale)
            return QuantizedCandidate(
                output_rescale.root, tuple(x.value for x in proposal.operands), solve_scales, zero_points
            )
    return None


def _solve_scales(
    inverse: ArithmeticInverse,
    proposal: Proposal,
    output_rescale: OutputRescale,
    solver: ScaleSolver,
    tensors: OperatorTensors,
) -> AppendOperator | None:
    """Restricts scales to those that give the RESCALEs' multipliers; returns the operator's append function, or None.

    `tensors` are the proposed operator's operands, then its result.
    """
    if not inverse.restrict_scales(solver, tensors, output_rescale, proposal):
        return None
    return partial(_append_operator, inverse.name, proposal, output_rescale, tensors)


def _append_operator(
    name: str, proposal: Proposal, output_rescale: OutputRescale, tensors: OperatorTensors, b: TflBuilder
) -> Value:
    """Appends the proposed TFLite operator, and returns its result; `tensors` are its operands, then its result."""
    inputs, shape = tensors[:-1], output_rescale.root.result.type.static
    if name == "mean":
        return output_rescale.append(
            b, name, partial(b.op, name, [*inputs, b.ints(proposal.axes)], shape=shape, keep_dims=True)
        )
    if name == "batch_matmul":
        return output_rescale.append(b, name, partial(b.op, name, inputs, shape=shape))
    short = name in ("add", "sub") and output_rescale.parameters.output_dtype is DType.I16
    # TFLite's default for int16 is scales that are powers of two, with a kernel of their own.
    options = {"pot_scale_int16": False} if short else {}
    return output_rescale.append(b, name, partial(b.elementwise, name, *inputs), **options)


# ** operands **


def propose_sum_operands(core: Op, output_rescale: OutputRescale) -> Proposal | None:
    """Returns ADD's or SUB's operands: two that RESCALEs widen to i32, or one of them and a constant; else None."""
    return _propose_sum(core, output_rescale, bits=WIDTHS[output_rescale.parameters.output_dtype].headroom)


def propose_difference_operands(core: Op, output_rescale: OutputRescale) -> Proposal | None:
    """Returns SQUARED_DIFFERENCE's operands for an int8 MUL of a SUB with itself, not clamped; None for others."""
    first, second, shift = core.operands
    difference = first.producer
    if first is not second or difference is None or difference.row is not ops.SUB:
        return None
    is_clamped = output_rescale.bounds != DType.I8.limits
    if output_rescale.parameters.output_dtype is not DType.I8 or is_clamped or not _is_zero(shift):
        return None
    return _propose_sum(difference, output_rescale, bits=WIDTHS[DType.I8].square_headroom)


def _propose_sum(core: Op, output_rescale: OutputRescale, *, bits: int) -> Proposal | None:
    """Returns the operands of ADD, SUB or SQUARED_DIFFERENCE, whose kernel shifts them left by `bits` first.

    None if both are constant, the kernel doesn't rescale one as the RESCALEs do, or a multiplier of the result is 0.
    """
    operands = [
        find_operand(x) or _quantize_constant(x, output_rescale.parameters.output_dtype, bits) for x in core.operands
    ]
    pairs = [
        (x, rescale) for x in operands if x is not None and (rescale := _find_summand_rescale(x, bits)) is not None
    ]
    if (
        len(pairs) < 2
        or all(x.value.constant is not None for x, _ in pairs)
        or not output_rescale.parameters.multiplier.all()
    ):
        return None
    first, second = pairs
    return Proposal((first[0], second[0]), (first[1], second[1]), bits)


def propose_factors(core: Op, _output_rescale: OutputRescale) -> Proposal | None:
    """Returns MUL's operands if RESCALEs only subtract their zero points, or nothing does; None for others."""
    *values, shift = core.operands
    operands = [_plain_operand(x) if x.type.dtype in WIDTHS and x.constant is None else find_operand(x) for x in values]
    plain = [x for x in operands if x is not None and x.is_plain]
    return Proposal(tuple(plain)) if _is_zero(shift) and len(plain) == len(values) else None


def propose_matrices(core: Op, output_rescale: OutputRescale) -> Proposal | None:
    """Returns BATCH_MATMUL's operands for MATMUL of two 8-bit operands, neither of them constant; None for others."""
    x, y, x_zp, y_zp = core.operands
    if output_rescale.parameters.output_dtype is not DType.I8 or x.constant is not None or y.constant is not None:
        return None
    if x_zp.constant is None or y_zp.constant is None:
        return None
    zero_points = int(x_zp.constant.reshape(-1)[0]), int(y_zp.constant.reshape(-1)[0])
    return Proposal(
        (_plain_operand(x)._replace(zero_point=zero_points[0]), _plain_operand(y)._replace(zero_point=zero_points[1]))
    )


def propose_mean_operand(core: Op, output_rescale: OutputRescale) -> Proposal | None:
    """Returns MEAN's operand and axes for REDUCE_SUMs of x less its zero point; None if x is reshaped or y clamped."""
    axes: list[int] = []
    x = core.result
    while (op := x.producer) is not None and op.row is ops.REDUCE_SUM:
        axes.append(op.attributes["axis"])
        x = op.operands[0]
    operand = find_operand(x)
    if operand is None or not operand.is_plain or operand.value.type.shape != x.type.shape:
        return None
    is_clamped = output_rescale.bounds != output_rescale.parameters.output_dtype.limits
    return None if is_clamped else Proposal((operand,), axes=tuple(sorted(axes)))


def find_operand(value: Value) -> Operand | None:
    """Returns the 8 or 16-bit operand that RESCALEs widen to `value`, with their results for all of its values.

    None for other values, and for RESCALEs that have zero points between them or several multipliers.
    """
    rescales: list[RescaleParameters] = []
    while value.type.dtype not in WIDTHS:
        op = value.producer
        if op is not None and _adds_dimensions(op):
            value = op.operands[0]
            continue
        parameters = rescale_parameters_of(op) if op is not None and op.row is ops.RESCALE else None
        if op is None or parameters is None or parameters.multiplier.size > 1 or any(parameters.unsigned):
            return None
        rescales.append(parameters)
        value = op.operands[0]
    if not rescales or value.constant is not None:
        return None
    values = integer_values(value.type.dtype)
    rescaled = values
    for parameters in reversed(rescales):
        rescaled = parameters.apply(rescaled)
    zero_point = rescales[-1].input_zp
    has_other_zero_points = any(step.output_zp for step in rescales) or any(step.input_zp for step in rescales[:-1])
    return None if has_other_zero_points else Operand(value, zero_point, values - zero_point, rescaled)


def _plain_operand(value: Value) -> Operand:
    """Returns the `Operand` record of a tensor that no RESCALE widens, with the zero point 0."""
    values = integer_values(value.type.dtype)
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

    The steps tried are 2**(bits - 1), because the kernel shifts its operands by `bits`, and the largest element divided
    by each of the 64 highest levels. Example in 8 bits: 1000000 and -500000 are 127 and -64 times 7874.0, but -64 is
    off by 3937; 126 and -63 times 7936.5 are exact.
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


def _find_summand_rescale(operand: Operand, bits: int) -> SummandRescale | None:
    """Returns the shift and multipliers with which the kernel of ADD (add.cc) rescales an operand as RESCALEs do.

    The element farthest from the zero point gives the shift, which roundings may move by one, so at most three shifts
    are tried. Multipliers are bisected. Example: 100 << 20 that becomes 52428800 is rescaled by 1/2, multiplier 2**30
    and shift 0; a multiplier up to 10 larger still gives 52428800.
    """
    centered, rescaled = operand.centered, operand.rescaled
    sign, farthest = np.sign(centered), int(np.argmax(np.abs(centered)))
    magnitudes = sign * rescaled
    real = float(magnitudes[farthest]) / float(max(abs(centered[farthest]) << bits, 1))
    if not rescaled.any():
        return SummandRescale(0, (1 << 30, 1 << 30))
    for shift in range(min(math.frexp(real)[1] + 1, 0), math.frexp(real)[1] - 2, -1):

        def rescaled_magnitudes(m: int, shift: int = shift) -> Array:
            """Returns the operand's magnitudes as LiteRT rescales them, by m / 2**31 and 2**shift."""
            return np.asarray(sign * divide_by_pot(high_mul(centered << bits, m), -shift))

        first = smallest_multiplier(lambda m: bool((rescaled_magnitudes(m) >= magnitudes).all()))
        last = smallest_multiplier(lambda m: bool((rescaled_magnitudes(m) > magnitudes).any())) - 1
        last = last if shift else min(last, 1 << 30)  # a half at most
        if first <= last:
            return SummandRescale(shift, (first, last))
    return None


# ** scales **


def restrict_sum_scales(
    solver: ScaleSolver,
    tensors: OperatorTensors,
    output_rescale: OutputRescale,
    proposal: Proposal,
    *,
    square: bool = False,
) -> bool:
    """Restricts the scales of ADD or SUB, or with `square` of SQUARED_DIFFERENCE; returns whether any are left.

    LiteRT's kernel rescales each input by its scale / (2 * the larger scale). So the input that is rescaled by 1/2 has
    the larger scale, and the other's `summand_rescales` give the quotient of both. The result's scale follows from the
    RESCALE's multiplier.
    """
    unit = np.ones(1)  # equal scales: rescaled by 1/2
    larger = next((i for i, rescale in enumerate(proposal.summand_rescales) if rescale.fits(unit, unit).all()), None)
    if larger is None:
        return False
    large, small, rescale = tensors[larger], tensors[1 - larger], proposal.summand_rescales[1 - larger]
    if solver.candidate_scales(large) is None and solver.candidate_scales(small) is None:
        solver.set_free_candidates(large)
    if not solver.restrict_quotient(small, large, rescale.quotients, rescale.fits):
        return False
    unit_bits = 2 * proposal.bits if square else proposal.bits

    def sum_scales() -> Array:
        """Returns the scale of the kernel's sum: twice the larger input's; its square for a squared difference."""
        real = 2 * solver[large]
        return real * real if square else real

    def fits(output_scales: Array) -> Array:
        """Returns which output scales give the RESCALE's multiplier: sum scale / 2**unit_bits / output scale."""
        return output_rescale.has_multiplier(
            sum_scales() / (np.float32(1 << unit_bits) * output_scales).astype(np.float64)
        )

    estimates = (sum_scales() / float(1 << unit_bits) / output_rescale.real_multiplier).astype(np.float32)
    if not solver.restrict_nearby(tensors[-1], large, estimates, fits):
        return False
    if square:
        solver.fix_powers(tensors[-1], large)
    return True


def restrict_product_scales(
    solver: ScaleSolver,
    tensors: OperatorTensors,
    output_rescale: OutputRescale,
    _proposal: Proposal,
    *,
    dtype: type = np.float32,
) -> bool:
    """Restricts the scales of MUL or BATCH_MATMUL to those that give the multiplier; returns whether any are left.

    The multiplier is x_scale * y_scale / result_scale in `dtype` (mul.cc, batch_matmul.cc). The scale of a tensor
    without candidates, or else of the result, is computed from the other two. x * x isn't solved if only the scale of x
    is unknown.
    """
    x, y, z = tensors
    # The scale that follows from the others: of a tensor without candidates, or else the result's.
    free = next((value for value in (z, y, x) if solver.candidate_scales(value) is None), z)
    first, *solved = (value for value in tensors if value is not free)
    for value in (first, *solved):
        if solver.candidate_scales(value) is None:
            solver.set_free_candidates(value)
        solver.merge_groups(first, value)

    def rows(value: Value) -> Array:
        """Returns the candidate scales of a tensor in fp32."""
        return solver[value].astype(np.float32)

    def fits(free_scales: Array) -> Array:
        """Returns which scales of `free`, one for each row of the other tensors' scales, give the multiplier."""
        left, right, result = (free_scales if value is free else rows(value) for value in tensors)
        return output_rescale.has_multiplier((left * right).astype(dtype) / result.astype(dtype))

    if not output_rescale.real_multiplier or (free is not z and x is y):
        return False
    estimates = (
        rows(x) * rows(y) / output_rescale.real_multiplier
        if free is z
        else output_rescale.real_multiplier * rows(z) / rows(first)
    )
    if not solver.restrict_nearby(free, first, estimates.astype(np.float32), fits):
        return False
    solver.fix_powers(*tensors)
    return True


def restrict_mean_scales(
    solver: ScaleSolver, tensors: OperatorTensors, output_rescale: OutputRescale, proposal: Proposal
) -> bool:
    """Restricts the scales of MEAN to those that give the RESCALE's multiplier; returns whether any are left.

    The kernel divides its multiplier by the count and rounds down (reduce.cc), so quotients of m to m + 1 give m.
    Example: the mean of 3 elements on equal scales has the multiplier 2**31 / 3 = 715827882.67, rounded to 715827882.
    """
    x, y = tensors
    count = math.prod(x.type.static[axis] for axis in proposal.axes)
    m, shift = int(output_rescale.parameters.multiplier[0]), int(output_rescale.parameters.shift[0])

    def fits(input_scales: Array, output_scales: Array) -> Array:
        """Returns for which pairs of scales the kernel has the RESCALE's multiplier and shift."""
        multiplier, by = _mean_multiplier(input_scales / output_scales, count)
        return np.asarray((multiplier == m) & (by == shift))

    return solver.restrict_quotient(x, y, quotient_range((m + 0.5) * count * 2.0**-shift), fits)


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Returns the RESCALE multiplier and shift for a mean of `count`; `real` is input / output scale (reduce.cc)."""
    # reduce.cc shifts left by floor(log2(count)) before it divides, as far as 64 bits and the shift back allow.
    fixed_point = quantize_multiplier(real)
    left_shift = np.minimum(min(count.bit_length() - 1, 32), 31 + fixed_point.shift)
    return (fixed_point.m << left_shift) // count, 31 - fixed_point.shift + left_shift


INVERSES = (
    ArithmeticInverse(ops.ADD, "add", propose_sum_operands, restrict_sum_scales),
    ArithmeticInverse(ops.SUB, "sub", propose_sum_operands, restrict_sum_scales),
    ArithmeticInverse(
        ops.MUL, "squared_difference", propose_difference_operands, partial(restrict_sum_scales, square=True)
    ),
    ArithmeticInverse(ops.MUL, "mul", propose_factors, restrict_product_scales),
    ArithmeticInverse(ops.MATMUL, "batch_matmul", propose_matrices, partial(restrict_product_scales, dtype=np.float64)),
    ArithmeticInverse(ops.REDUCE_SUM, "mean", propose_mean_operand, restrict_mean_scales),
)
