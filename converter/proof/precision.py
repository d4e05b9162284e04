"""Checks what an operator computed against clause 1.10.3 and the precision clause of its section.

The reference is the operator's definition in fp64. Integers, and floats that are only moved, must be exact. Three rules
are left for floats: so many units in the last place, an absolute bound for each element, and the bound of a dot
product, which comes from running the operator again on magnitudes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.execute.definition.base import describe_op, storage_dtype
from tosa_converter.execute.definition.table import bind_definition
from tosa_converter.ir import Array, Op
from tosa_converter.rules.types import ACCUMULATORS, fitting_combinations
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import Clause, OpDef, Precision


class Format(NamedTuple):
    """A floating-point format: its fraction bits and normal range, as chapter 4.5.3 of the specification has them."""

    normal_frac: int
    normal_min: float
    normal_max: float
    flushes: bool  # subnormals may be flushed to zero


# The largest normal number is the next power of two less one unit in the last place: 2**16 - 2**5 = 65504 for fp16,
# whose numbers from 2**15 on are 2**5 apart. fp8e4m3 ends two units below 2**9, at 448: the bits of 480 are its NaN.
FORMATS = {
    DType.FP32: Format(23, 2.0**-126, 2.0**128 - 2.0**104, True),
    DType.BF16: Format(7, 2.0**-126, 2.0**128 - 2.0**120, True),
    DType.FP16: Format(10, 2.0**-14, 2.0**16 - 2.0**5, True),
    DType.FP8E4M3: Format(3, 2.0**-6, 2.0**9 - 2.0**6, False),
    DType.FP8E5M2: Format(2, 2.0**-14, 2.0**16 - 2.0**13, False),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one output complies with the precision clause of its operator."""

    compliant: bool
    worst: float  # the largest error as a fraction of what is allowed; infinite where nothing is allowed
    wrong: int  # how many elements break the rule
    message: str  # the rule, and the first element that breaks it


def check(op: Op, inputs: Sequence[Array], outputs: Sequence[Array], *, test_set: int | None = None) -> list[Verdict]:
    """Returns a verdict for each output of an operator by the precision clause of the TOSA specification.

    Args:
        op: a tosa.* operator other than control flow, variables and CUSTOM.
        inputs: every operand, constants included, in the types of the operator.
        outputs: what the implementation computed.
        test_set: the data set of appendix A that the inputs are; 3 to 5 are also checked for bias.

    Raises:
        UsageError: the operator has no precision clause, or outputs are missing.
    """
    if op.row is None or op.row.precision is None:
        raise UsageError(f"{describe_op(op)}: no precision clause to check")
    if len(outputs) != len(op.results):
        raise UsageError(f"{describe_op(op)}: expected {len(op.results)} outputs, found {len(outputs)}")
    with np.errstate(all="ignore"):
        references = reference(op, inputs)
        rule = _choose_rule(op, op.row.precision)
        return [
            rule(_Case(op, inputs, i, expected, np.asarray(actual), test_set))
            for i, (expected, actual) in enumerate(zip(references, outputs, strict=True))
        ]


def reference(op: Op, inputs: Sequence[Array], *, computes_error_bound: bool = False) -> list[Array]:
    """Returns the results of one TOSA operator computed in fp64; integer operators run as they are.

    With `computes_error_bound` the operator computes the bound of its error, from the operands that `_magnitudes`
    returns.
    """
    arrays = [
        np.asarray(x).astype(storage_dtype(value.type.dtype, precise=True), copy=False)
        for x, value in zip(inputs, op.operands, strict=True)
    ]
    result = bind_definition(op, check=False, precise=True, computes_error_bound=computes_error_bound)(*arrays)
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


@dataclass(frozen=True, slots=True)
class _Case:
    """One output of an operator and its reference in fp64, to be checked by the operator's precision clause."""

    op: Op
    inputs: Sequence[Array]
    position: int
    expected: Array
    actual: Array
    test_set: int | None

    @property
    def dtype(self) -> DType:
        """Returns the element type of the output."""
        return self.op.results[self.position].type.dtype

    @property
    def format(self) -> Format:
        """Returns the floating-point format of the output."""
        return FORMATS[self.dtype]

    def input(self, i: int) -> Array:
        """Returns an operand of floats in fp64."""
        return np.asarray(self.inputs[i]).astype(np.float64)


_Rule: TypeAlias = Callable[[_Case], Verdict]
Bound: TypeAlias = Callable[[_Case], Array]


def _choose_rule(op: Op, precision: Precision) -> _Rule:
    """Returns the function that checks an operator's outputs: exact for integers, else by its precision clause."""
    if precision.clause is Clause.RESCALE:
        return _check_rescale
    return _RULES[precision.clause] if op.results and op.results[0].type.dtype.is_float else _check_equal


def _judge_errors(case: _Case, error: Array, rule: str) -> Verdict:
    """Returns the verdict on errors, each as a fraction of what its element is allowed; above 1 breaks the rule.

    This is another question than `judgement.judge` answers: the specification allows each element its own error around
    an fp64 result, where that one has a single bound on the largest difference from another implementation.
    """
    wrong = ~(error <= 1)
    count = int(np.count_nonzero(wrong))
    worst = float(np.max(np.where(np.isnan(error), np.inf, error), initial=0.0))
    if not count:
        return Verdict(True, worst, 0, f"within {rule}")
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    difference = f"found {case.actual[where]} at {list(where)}"
    message = f"{describe_op(case.op)}: expected {case.expected[where]} within {rule}, {difference}"
    return Verdict(False, worst, count, message)


def _check_equal(case: _Case) -> Verdict:
    """Checks that integers and booleans are equal to the reference."""
    return _judge_errors(case, np.where(case.actual == case.expected, 0.0, np.inf), "the exact value")


def _check_exact(case: _Case) -> Verdict:
    """Checks floats of operators that only move elements: they must be exact."""
    return _check_bounded(case, np.zeros(case.expected.shape), "the exact value")


def _check_ulps(case: _Case) -> Verdict:
    """Checks floats whose clause allows some units in the last place."""
    precision = case.op.row.precision
    assert precision is not None  # or `check` would have refused the operator
    return _check_bounded(case, _ulp_bound(case, precision.ulps), f"{precision.ulps} ulp")


def _check_absolute(case: _Case) -> Verdict:
    """Checks floats whose clause has an absolute bound for each element."""
    return _check_bounded(case, BOUNDS[case.op.row](case), "the absolute error bound")


def _check_bounded(case: _Case, bound: Array, rule: str) -> Verdict:
    """Checks floats by a bound for each element, with the rules of the specification for special numbers."""
    return _judge_errors(case, reference_check_bound(case.actual, case.expected, bound, case.format), rule)


def reference_check_bound(test: Array, ref: Array, bound: Array, format: Format) -> Array:
    """Returns errors as a fraction of their bounds, infinite where tosa_reference_check_fp_bnd (4.5.3) fails."""
    test = test.astype(np.float64)
    # Mirrored at 0 as in the specification, so that the rules for overflow and NaN below need look at one side only: a
    # reference of -5 and a result of -6 are taken for 5 and 6.
    sign = np.where(ref < 0, -1.0, 1.0)
    ref, test = ref * sign, test * sign
    high, low = ref + bound, ref - bound
    # Where the bound reaches beyond the largest number, infinity is right too: an fp16 reference of 65504 with a bound
    # of 64 takes everything from 65440 on. fp8e4m3 has no infinity, and NaN stands for it below.
    high = np.where(high > format.normal_max, np.inf, high)
    low = np.where(low > format.normal_max, np.inf, np.where(low < -format.normal_max, -np.inf, low))
    passed = (test >= low) & (test <= high)
    # A result that may be flushed is 0 in place of a subnormal number, if the bound allows one.
    if format.flushes:
        passed = np.where(test == 0, low < format.normal_min, passed)
    if format is FORMATS[DType.FP8E4M3]:
        passed = np.where(np.isnan(test), np.isposinf(high), passed)
    passed = np.where(np.isfinite(bound), passed, True)
    passed = np.where(np.isnan(ref), np.isnan(test), passed)
    # What passed by a rule for special numbers may be farther off than its bound, as 0 is from a reference of 2**-130
    # with a bound of 0. It counts as 1, because `_judge_errors` takes larger errors for wrong.
    distance = np.abs(test - ref)
    error = np.where(distance == 0, 0.0, np.minimum(distance / bound, 1.0))
    return np.where(passed, np.where(np.isnan(error), 0.0, error), np.inf)


def _ulp_bound(case: _Case, ulps: float) -> Array:
    """Returns the absolute error bound of each element that is so many units in its last place."""
    magnitude = np.abs(case.expected)
    normal = np.isfinite(magnitude) & (magnitude >= np.finfo(np.float64).tiny)
    # frexp's fraction is in [0.5, 1), so ilog2 of the specification is one less: 3.0 = 0.75 * 2**2 has the exponent 1.
    # In fp16 a unit of 3.0 is 2 * 2**-10 = 2**-9, and below 2**-14 it is that of subnormal numbers, 2**-24.
    exponent = np.frexp(np.where(normal, magnitude, 1.0))[1] - 1
    ulp = np.maximum(np.exp2(exponent.astype(np.float64)), case.format.normal_min) * 2.0**-case.format.normal_frac
    return np.where(normal, ulp * ulps, 0.0)


def absolute_error_bound(magnitude: Array, value: Array, lower: float, divisor: float, format: Format) -> Array:
    """Returns the absolute error bound of each element by TOSA's calcAbsErrorBound (4.5.3).

    It is 2**(-normal_frac / divisor) * max(|magnitude|, normal_min, lower / value) * value, by the pseudocode's names.
    """
    least = np.maximum(np.abs(magnitude), format.normal_min)
    if lower > 0:
        least = np.maximum(lower / value, least)
    # exp2 (4.5.3) takes an int, to which the quotient is truncated: SIN and COS, whose divisor is 2, have 2**-11 for
    # the -23 / 2 = -11.5 of fp32, and 2**-3 for the -3.5 of bf16.
    bound = 2.0 ** int(-format.normal_frac / divisor) * least * value
    return np.where(np.isfinite(value) | (magnitude != 0), bound, 0.0)


def _sigmoid_bound(case: _Case) -> Array:
    """Returns the absolute error bound of each element of SIGMOID, as TOSA's section on SIGMOID states it."""
    # At x = 0 in fp32 the bound is 2**-23 * 0.5 * 2 = 2**-23, which is two units in the last place of 0.5.
    return absolute_error_bound(case.expected, 2 * (1 + np.abs(case.input(0))), 0, 1, case.format)


def _tanh_bound(case: _Case) -> Array:
    """Returns the absolute error bound of each element of TANH, as TOSA's section on TANH states it."""
    # The lower bound of 0.5 keeps a bound where the result vanishes: at x = 0 in fp32 it is 2**-23 * (0.5 / 4) * 4 =
    # 2**-24.
    return absolute_error_bound(case.expected, 4 * (1 + np.abs(case.input(0))), 0.5, 1, case.format)


def _exp_bound(case: _Case) -> Array:
    """Returns the absolute error bound of each element of EXP, as TOSA's section on EXP states it."""
    return absolute_error_bound(case.expected, 1 + np.abs(case.input(0)), 0, 1, case.format)


def _cos_bound(case: _Case) -> Array:
    """Returns the absolute error bound of each element of COS, as TOSA's section on COS states it."""
    return absolute_error_bound(1 + np.abs(case.input(0)), np.ones(()), 0, 2, case.format)


def _sin_bound(case: _Case) -> Array:
    """Returns the absolute error bound of each element of SIN, as TOSA's section on SIN states it."""
    bound = absolute_error_bound(case.input(0), np.ones(()), 0, 2, case.format)
    return np.maximum(bound, np.pi * case.format.normal_min)


def _pow_bound(case: _Case) -> Array:
    """Returns the absolute error bound of each element of POW, which grows with |log(x) * y|."""
    # x**y is exp(y * log(x)), and an error e in that exponent is a relative error e of the result. So 2**10 in fp32 may
    # be off by a part of 2 * (1 + 6.93) * 2**-23, some 16 units of 2**-23.
    x, y = case.input(0), case.input(1)
    exponent = np.where(x == 0, 0.0, np.log(np.where(x == 0, 1.0, x)) * y)
    return absolute_error_bound(case.expected, 2 * (1 + np.abs(exponent)), 0, 1, case.format)


def _reduce_product_bound(case: _Case) -> Array:
    """Returns the error bound of each element of REDUCE_PRODUCT: one rounding for each factor."""
    count = case.inputs[0].shape[case.op.attributes["axis"]]
    # Half a unit, 2**-24 in fp32, for each factor: three factors allow (1 + 2**-24)**3 - 1 = 1.8e-7 of the result.
    growth = (1 + 2.0 ** (-case.format.normal_frac - 1)) ** count - 1
    return np.asarray(np.maximum(np.abs(case.expected), case.format.normal_min) * growth)


def _resize_bound(case: _Case) -> Array:
    """Returns the error bound of each element of RESIZE: 0 for NEAREST_NEIGHBOR, which only moves elements."""
    if case.op.attributes["mode"] != "BILINEAR":
        return np.zeros(case.expected.shape)
    peak = np.max(np.abs(case.input(0)))
    # Of 20 units in the last place and 0.006, both relative to the input's largest element, the larger one counts:
    # 0.006 for fp32, where 20 * 2**-23 is 2.4e-6; 20 * 2**-10 = 0.02 for fp16; 20 * 2**-7 = 0.16 for bf16.
    bound = absolute_error_bound(peak, np.full((), 20.0), 0, 1, case.format)
    return np.broadcast_to(np.maximum(bound, peak * 0.006), case.expected.shape)


# Of the operators whose precision is BOUND.
BOUNDS: dict[OpDef, Bound] = {
    ops.SIGMOID: _sigmoid_bound,
    ops.TANH: _tanh_bound,
    ops.POW: _pow_bound,
    ops.COS: _cos_bound,
    ops.EXP: _exp_bound,
    ops.SIN: _sin_bound,
    ops.REDUCE_PRODUCT: _reduce_product_bound,
    ops.RESIZE: _resize_bound,
}


def accumulator(op: Op) -> DType:
    """Returns the type that an operator sums in: its acc_type attribute, or acc_t or the result of its type table."""
    if "acc_type" in op.attributes:
        return ACCUMULATORS[op.attributes["acc_type"]]
    dtype = op.results[0].type.dtype
    (line,) = fitting_combinations(
        op.row, tuple(value.type.dtype for value in op.operands), None, (dtype,) * len(op.results)
    )
    return line.types.get("acc_t", dtype)


def _sum_length(op: Op) -> int:
    """Returns how many products or terms each result of an operator sums up."""
    precision = op.row.precision
    assert precision is not None
    assert precision.length is not None
    return precision.length([value.type.static for value in op.operands], op.attributes)


def _magnitudes(op: Op, inputs: Sequence[Array]) -> list[Array]:
    """Returns the operands' magnitudes in fp64, from which the operator itself computes the bound of its error.

    With local_bound false, all elements of the data are the largest one.
    """
    wide = [np.abs(np.asarray(x).astype(np.float64)) for x in inputs]
    if op.attribute("local_bound") is not False:  # given, or not an attribute of the operator
        return wide
    data = len(wide) if op.row in (ops.FFT2D, ops.RFFT2D) else 1
    # local_bound = false allows transform-based algorithms (2.3.3): there the rounding of the largest element reaches
    # every result. RFFT2D has one operand of data, FFT2D two, the real and the imaginary part.
    peak = max(float(np.max(x)) for x in wide[:data])
    return [np.full_like(x, peak) for x in wide[:data]] + wide[data:]


def _check_dot_product(case: _Case) -> Verdict:
    """Checks sums of products by tosa_reference_check_dotproduct of clause 1.10.3.

    `bounds` are the same sums of the operands' magnitudes. Errors are counted in half units in the last place of these,
    one of which is allowed for each step of the sum. A result whose bound overflows may be anything (`free`), one whose
    bound is 0 must be 0.
    """
    length = _sum_length(case.op)
    bounds = reference(case.op, _magnitudes(case.op, case.inputs), computes_error_bound=True)[case.position]
    frac = case.format.normal_frac
    spare = (FORMATS[accumulator(case.op)].normal_frac - frac) // 2
    bias = [i for i, operand in enumerate(case.op.row.inputs) if operand.name == "bias"]
    # Each step is a rounding to the output's type. A sum in fp32 for an fp16 output has (23 - 10) // 2 = 6 bits to
    # spare, so 2**6 = 64 products count as one: a 3x3 window over 64 channels has 576 / 64 = 9 steps, and 10 with a
    # bias.
    steps = int(np.ceil(length / 2.0**spare)) + any(np.any(case.input(i) != 0) for i in bias)
    actual, expected = case.actual.astype(np.float64), case.expected
    unit = np.maximum(bounds * 2.0 ** (-1 - frac), case.format.normal_min)
    # Half a unit beyond the largest number is infinite: 65504 + 32 / 2 = 65520 in fp16, and 65504 * (1 + 2**-12) is
    # 65519.99.
    largest = case.format.normal_max * (1 + 2.0 ** (-2 - frac))  # what is greater rounds to infinity
    free = np.isnan(bounds) | ~(bounds * (1 + steps * 2.0 ** (-1 - frac)) < largest)
    error = np.where(free, 0.0, (actual - expected) / unit)
    error = np.where((bounds == 0) & ~free, np.where((actual == 0) & (expected == 0), 0.0, np.inf), error)
    error = np.where(np.isnan(expected), np.where(np.isnan(actual), 0.0, np.inf), error)
    verdict = _judge_errors(case, np.abs(error) / steps, f"{steps} steps of a dot product")
    return _check_statistics(case, verdict, error, steps) if verdict.compliant else verdict


def _check_statistics(case: _Case, verdict: Verdict, error: Array, steps: int) -> Verdict:
    """Returns a failing verdict if errors are biased (test sets 3 to 5) or vary too much, else `verdict`."""
    # Errors are in half units of the bound, so one rounding is somewhere in [-1, 1], with a variance of 1/3.
    # Independent roundings, `steps` for each of `count` results, sum up to a variance of steps * count / 3. The limit
    # of the sum, 2 * sqrt(steps * count), is 3.5 standard deviations, and 0.4 is above the squares' mean of 1/3.
    total, squares, count = float(np.sum(error)), float(np.sum(error * error)), error.size
    if case.test_set in (3, 4, 5) and abs(total) > 2 * np.sqrt(steps * count):
        message = f"{describe_op(case.op)}: the errors sum up to {total}, allowed is {2 * np.sqrt(steps * count)}"
        return Verdict(False, verdict.worst, 0, message)
    if squares > 0.4 * steps * count:
        message = f"{describe_op(case.op)}: the squared errors sum up to {squares}, allowed is {0.4 * steps * count}"
        return Verdict(False, verdict.worst, 0, message)
    return verdict


def _check_cast(case: _Case) -> Verdict:
    """Checks CAST (2.13.1) to a float: rounded once to the nearest; fp8 does not saturate."""
    if not case.op.operands[0].type.dtype.is_float:
        return _check_bounded(case, _ulp_bound(case, 0.5), "0.5 ulp")
    narrow = np.asarray(case.inputs[0]).astype(np.float32).astype(case.dtype.numpy).astype(np.float64)
    exact = _Case(case.op, case.inputs, case.position, narrow, case.actual, case.test_set)
    actual = case.actual.astype(np.float64)
    same = (actual == narrow) | (np.isnan(actual) & np.isnan(narrow))
    if case.format.flushes:  # subnormals to 0
        same |= (actual == 0) & (np.abs(narrow) < case.format.normal_min)
    return _judge_errors(exact, np.where(same, 0.0, np.inf), "the nearest value")


def _check_rescale(case: _Case) -> Verdict:
    """Checks RESCALE (2.13.2): exact, or with INEXACT_ROUND the output's rounding and three relative errors of fp32."""
    if case.op.attributes["rounding_mode"] != "INEXACT_ROUND":
        return _check_equal(case)
    attributes, stored = case.op.attributes, [np.asarray(x) for x in case.inputs]
    if attributes["input_unsigned"]:
        stored[0], stored[3] = (x.view(f"u{x.itemsize}") for x in (stored[0], stored[3]))
    actual = case.actual
    if attributes["output_unsigned"]:
        actual, stored[4] = (x.view(f"u{x.itemsize}") for x in (actual, stored[4]))
    value, multiplier, shift, input_zp, output_zp = (x.astype(np.float64) for x in stored)
    exact = (value - input_zp) * multiplier * np.exp2(-shift)
    # The three are the casts of value and multiplier to fp32 and their product, each off by a part of 2**-24 at most;
    # 0.5 is the last rounding. A result of 2**31 may be off by 0.5 + 3 * 2**7 = 384.5.
    bound = 0.5 + 3 * np.abs(exact) * 2.0**-24
    limits = np.iinfo(actual.dtype)
    exact = np.clip(exact + output_zp, limits.min, limits.max)  # the clip comes after the rounding
    return _judge_errors(case, np.abs(actual.astype(np.float64) - exact) / bound, "the bound of INEXACT_ROUND")


_RULES: dict[Clause, _Rule] = {
    Clause.EXACT: _check_exact,
    Clause.ULP: _check_ulps,
    Clause.BOUND: _check_absolute,
    Clause.DOT_PRODUCT: _check_dot_product,
    Clause.CAST: _check_cast,
}
