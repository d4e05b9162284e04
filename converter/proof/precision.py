"""Checks what an operator computed against clause 1.10.3 and the precision clause of its section.

The reference is the operator's own kernel in fp64. Integers, and floats that are only moved, must be exact. Three rules
are left for floats: so many units in the last place, an absolute bound for each element, and the bound of a dot
product, which comes from running the operator again on magnitudes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.execute.kernels.base import Mode, place
from tosa_converter.execute.kernels.table import KERNELS
from tosa_converter.ir import Array, Op, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import BY_OPCODE, OpDef


class Format(NamedTuple):
    """A floating-point format by the helpers of chapter 4.5.3."""

    normal_frac: int
    normal_min: float
    normal_max: float
    flushes: bool  # subnormals may be flushed to zero


FORMATS = {
    DType.FP32: Format(23, 2.0**-126, 2.0**128 - 2.0**104, True),
    DType.BF16: Format(7, 2.0**-126, 2.0**128 - 2.0**120, True),
    DType.FP16: Format(10, 2.0**-14, 2.0**16 - 2.0**5, True),
    DType.FP8E4M3: Format(3, 2.0**-6, 2.0**9 - 2.0**6, False),
    DType.FP8E5M2: Format(2, 2.0**-14, 2.0**16 - 2.0**13, False),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found about one output."""

    compliant: bool
    worst: float  # the largest error as a fraction of what is allowed; infinite where nothing is allowed
    wrong: int  # how many elements break the rule
    message: str  # the rule, and the first element that breaks it


def check(op: Op, inputs: Sequence[Array], outputs: Sequence[Array], *, test_set: int | None = None) -> list[Verdict]:
    """Judge the outputs that an implementation gave for these inputs, one verdict per output.

    Args:
        op: a tosa.* operator other than control flow, variables and CUSTOM.
        inputs: every operand, constants included, in the types of the operator.
        outputs: what the implementation computed.
        test_set: the data set of appendix A that the inputs are; 3 to 5 are also checked for bias.

    Raises:
        UsageError: the operator has no precision clause, or outputs are missing.
    """
    row = BY_OPCODE.get(op.name)
    if row is None or row not in KERNELS:
        raise UsageError(f"{place(op)}: no precision clause to check")
    if len(outputs) != len(op.results):
        raise UsageError(f"{place(op)}: expected {len(op.results)} outputs, found {len(outputs)}")
    with np.errstate(all="ignore"):
        references = reference(op, inputs)
        rule = _rule(op, row)
        return [
            rule(_Case(op, inputs, i, wanted, np.asarray(found), test_set))
            for i, (wanted, found) in enumerate(zip(references, outputs, strict=True))
        ]


def reference(op: Op, inputs: Sequence[Array], *, extra_multiplies: bool = False) -> list[Array]:
    """Run one operator in fp64; integer operators run as they are."""
    mode = Mode(check=False, precise=True, extra_multiplies=extra_multiplies)
    # Fresh values: what the kernel sees are the inputs given here, not the operator's constants.
    values = [Value(value.type) for value in op.operands]
    twin = Op(op.name, values, [value.type for value in op.results], op.attributes)
    arrays = [
        np.asarray(x).astype(mode.numpy(value.type.dtype), copy=False) for x, value in zip(inputs, values, strict=True)
    ]
    result = KERNELS[BY_OPCODE[op.name]](twin, mode)(*arrays)
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


@dataclass(frozen=True, slots=True)
class _Case:
    op: Op
    inputs: Sequence[Array]
    position: int
    wanted: Array
    found: Array
    test_set: int | None

    @property
    def dtype(self) -> DType:
        return self.op.results[self.position].type.dtype

    @property
    def format(self) -> Format:
        return FORMATS[self.dtype]

    def input(self, i: int) -> Array:
        """A float operand in fp64."""
        return np.asarray(self.inputs[i]).astype(np.float64)


_Rule: TypeAlias = Callable[[_Case], Verdict]
Bound: TypeAlias = Callable[[_Case], Array]


def _rule(op: Op, row: OpDef) -> _Rule:
    if row is ops.RESCALE and op.attributes["rounding_mode"] == "INEXACT_ROUND":
        return _inexact_rescale
    if not op.results[0].type.dtype.is_float:
        return _equal
    if row is ops.CAST:
        return _cast
    if row in DOT_PRODUCTS:
        return lambda case: _dot_product(case, DOT_PRODUCTS[row](op))
    if row in ULPS:
        return lambda case: _bounded(case, _ulp_bound(case, ULPS[row]), f"{ULPS[row]} ulp")
    if row in BOUNDS:
        return lambda case: _bounded(case, BOUNDS[row](case), "the absolute error bound")
    return lambda case: _bounded(case, np.zeros(case.wanted.shape), "the exact value")


def _judge(case: _Case, error: Array, rule: str) -> Verdict:
    """`error` is a fraction of what is allowed, above 1 where the rule is broken."""
    wrong = ~(error <= 1)
    count = int(np.count_nonzero(wrong))
    worst = float(np.max(np.where(np.isnan(error), np.inf, error), initial=0.0))
    if not count:
        return Verdict(True, worst, 0, f"within {rule}")
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    message = (
        f"{place(case.op)}: expected {case.wanted[where]} within {rule}, found {case.found[where]} at {list(where)}"
    )
    return Verdict(False, worst, count, message)


def _equal(case: _Case) -> Verdict:
    return _judge(case, np.where(case.found == case.wanted, 0.0, np.inf), "the exact value")


def _bounded(case: _Case, bound: Array, rule: str) -> Verdict:
    return _judge(case, reference_check_bound(case.found, case.wanted, bound, case.format), rule)


def reference_check_bound(test: Array, ref: Array, bound: Array, format: Format) -> Array:
    """tosa_reference_check_fp_bnd of chapter 4.5.3: errors as a fraction of the bound, infinite where it fails."""
    test = test.astype(np.float64)
    sign = np.where(ref < 0, -1.0, 1.0)
    ref, test = ref * sign, test * sign
    high, low = ref + bound, ref - bound
    high = np.where(high > format.normal_max, np.inf, high)
    low = np.where(low > format.normal_max, np.inf, np.where(low < -format.normal_max, -np.inf, low))
    passed = (test >= low) & (test <= high)
    if format.flushes:
        passed = np.where(test == 0, low < format.normal_min, passed)
    if format is FORMATS[DType.FP8E4M3]:
        passed = np.where(np.isnan(test), np.isposinf(high), passed)
    passed = np.where(np.isfinite(bound), passed, True)
    passed = np.where(np.isnan(ref), np.isnan(test), passed)
    distance = np.abs(test - ref)
    error = np.where(distance == 0, 0.0, np.minimum(distance / bound, 1.0))
    return np.where(passed, np.where(np.isnan(error), 0.0, error), np.inf)


def _ulp_bound(case: _Case, ulps: float) -> Array:
    """The bound of tosa_reference_check_fp."""
    magnitude = np.abs(case.wanted)
    normal = np.isfinite(magnitude) & (magnitude >= np.finfo(np.float64).tiny)
    exponent = np.frexp(np.where(normal, magnitude, 1.0))[1] - 1
    ulp = np.maximum(np.exp2(exponent.astype(np.float64)), case.format.normal_min) * 2.0**-case.format.normal_frac
    return np.where(normal, ulp * ulps, 0.0)


def absolute_error_bound(magnitude: Array, value: Array, lower: float, divisor: float, format: Format) -> Array:
    """The calcAbsErrorBound of chapter 4.5.3; exp2 takes an integer."""
    least = np.maximum(np.abs(magnitude), format.normal_min)
    if lower > 0:
        least = np.maximum(lower / value, least)
    bound = 2.0 ** int(-format.normal_frac / divisor) * least * value
    return np.where(np.isfinite(value) | (magnitude != 0), bound, 0.0)


def _sigmoid(case: _Case) -> Array:
    return absolute_error_bound(case.wanted, 2 * (1 + np.abs(case.input(0))), 0, 1, case.format)


def _tanh(case: _Case) -> Array:
    return absolute_error_bound(case.wanted, 4 * (1 + np.abs(case.input(0))), 0.5, 1, case.format)


def _exp(case: _Case) -> Array:
    return absolute_error_bound(case.wanted, 1 + np.abs(case.input(0)), 0, 1, case.format)


def _cos(case: _Case) -> Array:
    return absolute_error_bound(1 + np.abs(case.input(0)), np.ones(()), 0, 2, case.format)


def _sin(case: _Case) -> Array:
    bound = absolute_error_bound(case.input(0), np.ones(()), 0, 2, case.format)
    return np.maximum(bound, np.pi * case.format.normal_min)


def _pow(case: _Case) -> Array:
    x, y = case.input(0), case.input(1)
    exponent = np.where(x == 0, 0.0, np.log(np.where(x == 0, 1.0, x)) * y)
    return absolute_error_bound(case.wanted, 2 * (1 + np.abs(exponent)), 0, 1, case.format)


def _reduce_product(case: _Case) -> Array:
    count = case.inputs[0].shape[case.op.attributes["axis"]]
    growth = (1 + 2.0 ** (-case.format.normal_frac - 1)) ** count - 1
    return np.asarray(np.maximum(np.abs(case.wanted), case.format.normal_min) * growth)


def _resize(case: _Case) -> Array:
    if case.op.attributes["mode"] != "BILINEAR":
        return np.zeros(case.wanted.shape)
    peak = np.max(np.abs(case.input(0)))
    bound = absolute_error_bound(peak, np.full((), 20.0), 0, 1, case.format)
    return np.broadcast_to(np.maximum(bound, peak * 0.006), case.wanted.shape)


ULPS: dict[OpDef, float] = {
    ops.ERF: 5,
    ops.ADD: 0.5,
    ops.MUL: 0.5,
    ops.SUB: 0.5,
    ops.CEIL: 0.5,
    ops.FLOOR: 0.5,
    ops.LOG: 5,
    ops.RECIPROCAL: 1,
    ops.RSQRT: 2,
}

BOUNDS: dict[OpDef, Bound] = {
    ops.SIGMOID: _sigmoid,
    ops.TANH: _tanh,
    ops.POW: _pow,
    ops.COS: _cos,
    ops.EXP: _exp,
    ops.SIN: _sin,
    ops.REDUCE_PRODUCT: _reduce_product,
    ops.RESIZE: _resize,
}


class _Dot(NamedTuple):
    """An operator as dot products: how long they are, and what accumulates them."""

    length: int
    accumulator: DType
    bias: int | None = None  # the operand


def _accumulator(op: Op) -> DType:
    return DType(str(op.attributes["acc_type"]).lower())


def _convolution(op: Op) -> _Dot:
    return _Dot(int(np.prod(op.operands[1].type.static[1:])), _accumulator(op), 2)


def _depthwise(op: Op) -> _Dot:
    return _Dot(int(np.prod(op.operands[1].type.static[:2])), _accumulator(op), 2)


def _average(op: Op) -> _Dot:
    return _Dot(int(np.prod(op.attributes["kernel"])), _accumulator(op))


def _matmul(op: Op) -> _Dot:
    return _Dot(op.operands[0].type.static[2], op.result.type.dtype)


def _sum(op: Op) -> _Dot:
    dtype = op.result.type.dtype
    length = op.operands[0].type.static[op.attributes["axis"]]
    return _Dot(length, DType.FP32 if dtype is DType.BF16 else dtype)


def _fft(op: Op) -> _Dot:
    return _Dot(len(op.operands) * int(np.prod(op.operands[0].type.static[1:])), DType.FP32)


DOT_PRODUCTS: dict[OpDef, Callable[[Op], _Dot]] = {
    ops.AVG_POOL2D: _average,
    ops.CONV2D: _convolution,
    ops.CONV3D: _convolution,
    ops.DEPTHWISE_CONV2D: _depthwise,
    ops.TRANSPOSE_CONV2D: _convolution,
    ops.MATMUL: _matmul,
    ops.REDUCE_SUM: _sum,
    ops.FFT2D: _fft,
    ops.RFFT2D: _fft,
}


def _magnitudes(op: Op, inputs: Sequence[Array]) -> list[Array]:
    """The operands' magnitudes; without local_bound the input is its own maximum everywhere."""
    wide = [np.abs(np.asarray(x).astype(np.float64)) for x in inputs]
    if op.attributes.get("local_bound", "local_bound" not in {a.name for a in BY_OPCODE[op.name].attributes}):
        return wide
    transform = op.name in (ops.FFT2D.opcode, ops.RFFT2D.opcode)
    data = len(wide) if transform else 1
    peak = max(float(np.max(x)) for x in wide[:data])
    return [np.full_like(x, peak) for x in wide[:data]] + wide[data:]


def _dot_product(case: _Case, dot: _Dot) -> Verdict:
    """tosa_reference_check_dotproduct of clause 1.10.3."""
    bounds = reference(case.op, _magnitudes(case.op, case.inputs), extra_multiplies=True)[case.position]
    frac = case.format.normal_frac
    spare = (FORMATS[dot.accumulator].normal_frac - frac) // 2
    biased = dot.bias is not None and bool(np.any(case.input(dot.bias) != 0))
    steps = int(np.ceil(dot.length / 2.0**spare)) + biased
    found, wanted = case.found.astype(np.float64), case.wanted
    unit = np.maximum(bounds * 2.0 ** (-1 - frac), case.format.normal_min)
    largest = case.format.normal_max * (1 + 2.0 ** (-2 - frac))  # what is greater rounds to infinity
    free = np.isnan(bounds) | ~(bounds * (1 + steps * 2.0 ** (-1 - frac)) < largest)
    error = np.where(free, 0.0, (found - wanted) / unit)
    error = np.where((bounds == 0) & ~free, np.where((found == 0) & (wanted == 0), 0.0, np.inf), error)
    error = np.where(np.isnan(wanted), np.where(np.isnan(found), 0.0, np.inf), error)
    verdict = _judge(case, np.abs(error) / steps, f"{steps} steps of a dot product")
    return _statistics(case, verdict, error, steps) if verdict.compliant else verdict


def _statistics(case: _Case, verdict: Verdict, error: Array, steps: int) -> Verdict:
    """The conditions on all errors together: no bias for sets 3 to 5, and a bounded variance."""
    total, squares, count = float(np.sum(error)), float(np.sum(error * error)), error.size
    if case.test_set in (3, 4, 5) and abs(total) > 2 * np.sqrt(steps * count):
        message = f"{place(case.op)}: the errors sum up to {total}, allowed is {2 * np.sqrt(steps * count)}"
        return Verdict(False, verdict.worst, 0, message)
    if squares > 0.4 * steps * count:
        message = f"{place(case.op)}: the squared errors sum up to {squares}, allowed is {0.4 * steps * count}"
        return Verdict(False, verdict.worst, 0, message)
    return verdict


def _cast(case: _Case) -> Verdict:
    """2.13.1: to a float, rounded once to the nearest; fp8 does not saturate."""
    if not case.op.operands[0].type.dtype.is_float:
        return _bounded(case, _ulp_bound(case, 0.5), "0.5 ulp")
    narrow = np.asarray(case.inputs[0]).astype(np.float32).astype(case.dtype.numpy).astype(np.float64)
    exact = _Case(case.op, case.inputs, case.position, narrow, case.found, case.test_set)
    found = case.found.astype(np.float64)
    same = (found == narrow) | (np.isnan(found) & np.isnan(narrow))
    if case.format.flushes:
        same |= (found == 0) & (np.abs(narrow) < case.format.normal_min)
    return _judge(exact, np.where(same, 0.0, np.inf), "the nearest value")


def _inexact_rescale(case: _Case) -> Verdict:
    """2.13.2, INEXACT_ROUND: the output's rounding and three relative errors of fp32."""
    attributes, stored = case.op.attributes, [np.asarray(x) for x in case.inputs]
    if attributes["input_unsigned"]:
        stored[0], stored[3] = (x.view(f"u{x.itemsize}") for x in (stored[0], stored[3]))
    found = case.found
    if attributes["output_unsigned"]:
        found, stored[4] = (x.view(f"u{x.itemsize}") for x in (found, stored[4]))
    value, multiplier, shift, input_zp, output_zp = (x.astype(np.float64) for x in stored)
    exact = (value - input_zp) * multiplier * np.exp2(-shift)
    bound = 0.5 + 3 * np.abs(exact) * 2.0**-24
    limits = np.iinfo(found.dtype)
    exact = np.clip(exact + output_zp, limits.min, limits.max)  # the clip comes after the rounding
    return _judge(case, np.abs(found.astype(np.float64) - exact) / bound, "the bound of INEXACT_ROUND")
