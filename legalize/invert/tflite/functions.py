"""Inverts functions of one byte: proposes QUANTIZE, RELU, LEAKY_RELU, LOGISTIC, TANH or BITWISE_XOR for 256 results."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.candidates import (
    NEAR,
    VALUES,
    AppendOperator,
    OperatorTensors,
    QuantizedCandidate,
    scale_of,
)
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.quant.elements import activation_range
from tosa_converter.legalize.quant.libm import ULPS, libm, logistic
from tosa_converter.legalize.quant.multipliers import multiply, multiply_each, quantize_multiplier, round_away
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

CURVES_TRIED = 1 << 8  # scales that a curve is computed for
ZEROS = 32  # zero points that are tried
MEETING_POINTS = 8  # that are tried
LEVELS = 4  # between bounds, at least
STEPS_OFF = 2  # that two roundings may be
MARGIN = 2.0**-21  # of a ratio of scales, for the kernels' roundings of it to fp32
BOUNDING = {
    Activation.RELU: "relu",
    Activation.RELU6: "relu6",
    Activation.RELU_N1_TO_1: "relu_n1_to_1",
}
Range = tuple[float, float]


def match_byte_function(op: Op) -> QuantizedCandidate | None:
    """Returns the candidate for a TABLE or RESCALE from 8 to 8 bits, found by its 256 results; None for others.

    It is a TFLite operator with these results on scales that are found later.
    """
    results = byte_function_results(op)
    return None if results is None else QuantizedCandidate(op, op.operands[:1], partial(_solve_byte_function, results))


def byte_function_results(op: Op) -> Array | None:
    """Returns the 256 results, for -128 to 127, of a TABLE or RESCALE from 8 bits to 8 bits; else None.

    A constant operand, or parameters that aren't constant or differ by channel, give None too.
    """
    x, results = op.operands[0], None
    if x.constant is not None or {x.type.dtype, op.result.type.dtype} != {DType.I8}:
        return None
    if op.row is ops.TABLE and op.operands[1].constant is not None:
        results = op.operands[1].constant.astype(np.int64)
    parameters = rescale_parameters_of(op) if op.row is ops.RESCALE else None
    if parameters is not None and parameters.multiplier.size == 1:
        results = parameters.apply(VALUES & 255 if parameters.unsigned[0] else VALUES).astype(np.int8).astype(np.int64)
    return results


def _solve_byte_function(results: Array, solver: ScaleSolver, tensors: OperatorTensors) -> AppendOperator | None:
    """Returns the function that appends a TFLite operator with these 256 results, or None if no operator has them.

    It tries BITWISE_XOR, LOGISTIC, TANH, then one straight line (QUANTIZE or a RELU), then two (LEAKY_RELU), and
    restricts the scales to those that give the results.
    """
    x, y = tensors
    flipped = results ^ VALUES
    if (flipped == flipped[0]).all():  # one constant turns every operand into its result
        return lambda b: b.elementwise("bitwise_xor", x, b.scalar_like(int(flipped[0]), x))
    for curve in CURVES:
        if _solve_curve(solver, x, y, results, curve):
            return lambda b, name=curve.name: b.op(name, [x])  # type: ignore[misc]
    zero_point = solver.zero_point.get(solver.representative(x))
    lines = _find_lines(results, _candidate_zero_points(results) if zero_point is None else [zero_point])
    return partial(lines.append, results, tensors) if lines is not None and _solve_lines(solver, x, y, lines) else None


# ** curves **


class Curve(NamedTuple):
    """A function whose result has a fixed scale and zero point, such as LOGISTIC.

    `compute` returns it for fp32 numbers with an error in ulps, `undo` is its inverse.
    """

    name: str
    compute: Callable[[Array, int], Array]
    undo: Callable[[Array], Array]
    scale: float
    zero_point: int


CURVES = (
    Curve("logistic", logistic, lambda y: np.log(y / (1 - y)), 1 / 256, -128),
    Curve("tanh", libm(np.tanh), np.arctanh, 1 / 128, 0),
)


def _solve_curve(solver: ScaleSolver, x: Value, y: Value, results: Array, curve: Curve) -> bool:
    """Restricts the scales to those with which LOGISTIC or TANH has these 256 results; returns whether there are any.

    If the operand's zero point isn't known, at most ZEROS are tried: operands with the result 0, because both curves
    give the stored result 0 at the zero point.
    """
    known_zero_point = solver.zero_point.get(solver.representative(x))
    candidates = solver.candidate_scales(y)
    differs = solver.zero_point.get(solver.representative(y), curve.zero_point) != curve.zero_point
    if differs or (candidates is not None and candidates[0] != curve.scale):
        return False
    zero_points = VALUES[results == 0][:ZEROS].tolist() if known_zero_point is None else [known_zero_point]
    for zero_point in zero_points:
        low, high = _curve_scales(results, zero_point, curve)
        if low < high and _solve_operand(solver, x, results, zero_point, curve, (low, high)):
            if candidates is None:
                solver.set_candidates(y, np.array([curve.scale]), stated=True)
            return solver.set_zero_points((x, y), (zero_point, curve.zero_point))
    return False


def _curve_scales(results: Array, zero_point: int, curve: Curve) -> Range:
    """Returns the range of operand scales with which LOGISTIC or TANH rounds to these 256 results; (1, 0) for none.

    The kernel's own roundings are left out. Example: logistic(x) = 130/256 for the element 1 above the zero point: the
    curve is between 129.5/256 and 130.5/256, so the scale is between 0.0234 and 0.0391.
    """
    level = (results - curve.zero_point).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        lower, upper = (curve.undo((level + half) * curve.scale) for half in (-0.5, 0.5))
    # A saturated result bounds the real operand on one side only.
    lower, upper = np.where(results == -128, -np.inf, lower), np.where(results == 127, np.inf, upper)
    x = VALUES - zero_point
    # lower <= scale * x <= upper; for x < 0 that is -upper <= scale * |x| <= -lower.
    low, high = np.where(x > 0, lower, -upper)[x != 0], np.where(x > 0, upper, -lower)[x != 0]
    size = np.abs(x[x != 0])
    between = float((low / size).max()), float((high / size).min())
    return between if np.isfinite(between).all() and between[0] > 0 else (1.0, 0.0)


def _solve_operand(solver: ScaleSolver, x: Value, results: Array, zero_point: int, curve: Curve, scales: Range) -> bool:
    """Restricts the operand to scales inside a range that give a curve's results; returns whether any are left.

    A tensor without candidates gets those that fit among 256 scales in equal steps of the range. A tensor with
    candidates keeps those that fit among its first 256 in the range; a power of two moves them there first, unless the
    scale is fixed. Either way the curve states the scale from then on.
    """
    candidates = solver.candidate_scales(x)
    if candidates is None:
        tried = np.linspace(*scales, CURVES_TRIED + 2)[1:-1].astype(np.float32).astype(np.float64)
        fits = _curve_fits(tried, results, zero_point, curve)
        if fits.any():
            solver.set_candidates(x, tried[fits], stated=True)
        return bool(fits.any())
    exponent = (
        0
        if solver.power[solver.representative(x)] in solver.fixed
        else round(float(np.log2(scales[1] / candidates[0])))
    )
    scaled = np.ldexp(candidates, exponent)
    rows = np.flatnonzero((scaled > scales[0]) & (scaled < scales[1]))[:CURVES_TRIED]
    rows = rows[_curve_fits(scaled[rows], results, zero_point, curve)]
    if not len(rows):
        return False
    if exponent:
        solver.multiply_by_power(x, exponent)
    solver.mark_stated(x)
    solver.keep_rows(x, rows)
    return True


def _curve_fits(tried: Array, results: Array, zero_point: int, curve: Curve) -> Array:
    """Returns for each tried operand scale whether the kernel has the results, however libm rounds the last bits."""
    real = tried.astype(np.float32)[:, None] * (VALUES - zero_point).astype(np.float32)
    fits = np.ones(len(tried), bool)
    for ulps in (-ULPS, 0, ULPS):
        with np.errstate(over="ignore"):  # of exp(-x), whose reciprocal is 0
            levels = round_away(curve.compute(real, ulps) * np.float32(1 / curve.scale)) + curve.zero_point
        fits &= (np.clip(levels, *DType.I8.limits) == results).all(1)
    return fits


# ** straight lines **


class Lines(NamedTuple):
    """The results of QUANTIZE, RELU or LEAKY_RELU: one line, or two that meet at the zero points (operand, result)."""

    zero_points: tuple[int, int]
    ratio: Range  # of the operand's scale to the result's, above the zero point
    ratio_below: Range | None  # the same below the zero point if it differs there, as in LEAKY_RELU

    def append(self, results: Array, tensors: OperatorTensors, b: TflBuilder) -> Value:
        """Appends the TFLite operator whose results for the 256 int8 operands are `results`, and returns its result.

        It is LEAKY_RELU for two lines. For one line it is QUANTIZE, or if that clamps too little, a RELU operator whose
        range contains all results; MAXIMUM and MINIMUM then add the bounds that are still missing.
        """
        x, y_type = tensors[0], tensors[1].type
        input_scale, output_scale = map(scale_of, tensors)
        levels, name = self._levels(input_scale, output_scale), "quantize"
        options: dict[str, Any] = {}
        if self.ratio_below is not None:
            name, options = "leaky_relu", {"alpha": self._alpha(input_scale, output_scale)}
            below_zero = self._levels(input_scale * options["alpha"], output_scale)
            levels = np.where(self.zero_points[0] > VALUES, below_zero, levels)
        low, high = int(results.min()), int(results.max())
        limits = DType.I8.limits
        for kind, activation in BOUNDING.items() if self.ratio_below is None else ():
            if (np.clip(levels, *limits) == results).all():
                break
            first, last = activation_range(kind, np.float32(output_scale), self.zero_points[1])
            if (first, last) != limits and first <= low and high <= last:
                name, limits = activation, (first, last)
        levels = np.clip(levels, *limits)
        y = b.op(name, [x], **options)
        y.type = y.type._replace(quant=y_type.quant)
        if levels.min() < low:
            y = b.elementwise("maximum", y, b.scalar_like(low, y))
        return b.elementwise("minimum", y, b.scalar_like(high, y)) if levels.max() > high else y

    def _levels(self, input_scale: float, output_scale: float) -> Array:
        """Returns the kernel's results for the operands -128 to 127 by one multiplier, not clamped to 8 bits."""
        return (
            multiply(VALUES - self.zero_points[0], quantize_multiplier(input_scale / output_scale))
            + self.zero_points[1]
        )

    def _alpha(self, input_scale: float, output_scale: float) -> float:
        """Returns LEAKY_RELU's alpha; below the zero point, the kernel multiplies by alpha * input / output scale.

        It is the shortest decimal number for which that is in `ratio_below`, or the middle if no number of at most 7
        digits is.
        """
        assert self.ratio_below is not None
        low, high = (share * output_scale / input_scale for share in self.ratio_below)
        rounded = (round(0.5 * (low + high), digits) for digits in range(1, 8))
        return next((alpha for alpha in rounded if low <= alpha <= high), 0.5 * (low + high))


def _candidate_zero_points(results: Array) -> list[int]:
    """Returns at most 8 operand zero points at which two lines may meet, best least-squares fit first.

    For each of the 256 zero points, a line is fitted to the results on either side (least squares). Two roundings are
    off by less than 2 steps, so zero points with a result farther from its line are left out.
    """
    x, levels = VALUES - VALUES[:, None], results - results[:, None]
    unsaturated = (results > results.min()) & (results < results.max())
    if np.count_nonzero(unsaturated) < LEVELS:
        return []
    largest_errors = np.zeros(len(VALUES))
    for side in (unsaturated & (x > 0), unsaturated & (x < 0)):
        slope = (x * levels * side).sum(1, keepdims=True) / np.maximum((x * x * side).sum(1, keepdims=True), 1)
        largest_errors = np.maximum(largest_errors, np.abs((levels - slope * x) * side).max(1))
    order = np.argsort(largest_errors, kind="stable")[:MEETING_POINTS]
    return [int(VALUES[at]) for at in order if largest_errors[at] < STEPS_OFF]


def _find_lines(results: Array, zero_points: list[int]) -> Lines | None:
    """Returns the line, or else the two lines, that the kernel rounds to these 256 results; None if there are none.

    Each line passes through an operand zero point and the result there. One line is QUANTIZE or a RELU; two lines that
    meet at the zero point are LEAKY_RELU.
    """
    for zero_point in zero_points:
        level = int(results[zero_point + 128])  # the result at the operand's zero point
        ratio = _find_ratio(VALUES - zero_point, results - level, results)
        if ratio is not None:
            return Lines((zero_point, level), ratio, None)
    for zero_point in zero_points:
        x, level = VALUES - zero_point, int(results[zero_point + 128])
        above, below = (_find_ratio(x[side], results[side] - level, results[side]) for side in (x > 0, x < 0))
        if above is not None and below is not None:
            return Lines((zero_point, level), above, below)
    return None


def _find_ratio(x: Array, targets: Array, results: Array) -> Range | None:
    """Returns the range of scale ratios with which LiteRT's kernel rescales x to `targets`; None if it is empty.

    The kernel's two roundings are off by less than 1, so an x with the target n leaves ratios from (n - 1) / x to (n +
    1) / x. For each shift in that range, the multipliers are bisected. Example: 100 with the target 50 and 1 with the
    target 1 leave ratios from 0.5 to 0.505, because 0.5 rounds away from 0.

    Args:
        x: operands less their zero point.
        targets: results less the result at the zero point.
        results: the stored results; the smallest and the largest of them may be saturated.
    """
    unsaturated = np.where(x > 0, results < results.max(initial=-128), results > results.min(initial=127)) & (x != 0)
    if not unsaturated.any():
        return None
    sign, size = np.sign(x), np.maximum(np.abs(x), 1)
    targets = sign * targets
    lowest_ratio, highest_ratio = ((targets - 1) / size).max(), ((targets + 1) / size)[unsaturated].min()
    if not 0 < highest_ratio >= lowest_ratio:
        return None
    for shift in range(int(np.frexp(highest_ratio)[1]), int(np.frexp(max(lowest_ratio, highest_ratio / 4))[1]) - 1, -1):

        def rescaled_magnitudes(m: int, shift: int = shift) -> Array:
            """Returns |x| * m * 2**(shift - 31), rounded as LiteRT's kernel does."""
            return sign * multiply_each(x, m, shift)

        first = smallest_multiplier(lambda m: bool((rescaled_magnitudes(m) >= targets).all()))
        last = smallest_multiplier(lambda m: bool((rescaled_magnitudes(m) > targets)[unsaturated].any())) - 1
        low, high = np.ldexp(first, shift - 31) * (1 + MARGIN), np.ldexp(last, shift - 31) * (1 - MARGIN)
        if low < high:
            return float(low), float(high)
    return None


def smallest_multiplier(holds: Callable[[int], bool]) -> int:
    """Returns by bisection the smallest multiplier in [2**30, 2**31] for which a monotonic condition holds.

    The condition holds for all larger ones too; 2**31 stands for none.
    """
    low, high = 1 << 30, 1 << 31
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def _solve_lines(solver: ScaleSolver, x: Value, y: Value, lines: Lines) -> bool:
    """Sets the lines' zero points and restricts both scales to the lines' ratio; returns whether any are left."""
    # The quotient of fp32 scales may be off by NEAR, which is less than MARGIN, by which the range was narrowed.
    low, high = lines.ratio[0] * (1 - NEAR), lines.ratio[1] * (1 + NEAR)

    def fits(input_scales: Array, output_scales: Array) -> Array:
        """Returns for which pairs of scales the quotient is in the lines' range of ratios."""
        return np.asarray((input_scales > low * output_scales) & (input_scales < high * output_scales))

    return solver.set_zero_points((x, y), lines.zero_points) and solver.restrict_quotient(x, y, lines.ratio, fits)
