"""Elementwise operators: binary (2.5), ternary (2.7), comparison (2.8) and CLAMP (2.4.1)."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import ABS_FITS, ADD_FITS, SUB_FITS, Kernel, require
from tosa_converter.execute.fast.base import (
    LEAST_I32,
    MOST_I32,
    BindKernel,
    PlanContext,
    clip,
    compute_dtype,
    in_compute_dtype,
    prepare_once,
)
from tosa_converter.ir import Array, Op

_UNSIGNED = {np.dtype(f"i{size}"): np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def numpy_function(function: Callable[..., Array]) -> BindKernel:
    """Returns a plan (operator to kernel) that computes an operator by one numpy function, whatever its type."""
    return lambda op, _plan_context: in_compute_dtype(op, function)


def _choose_by_nan_mode(propagating: Callable[..., Array], ignoring: Callable[..., Array]) -> BindKernel:
    """Returns the plan (operator to kernel) of MAXIMUM or MINIMUM, which picks the function that nan_mode asks for."""
    return lambda op, _plan_context: in_compute_dtype(
        op, ignoring if op.attributes.get("nan_mode") == "IGNORE" else propagating
    )


maximum = _choose_by_nan_mode(np.maximum, np.fmax)
minimum = _choose_by_nan_mode(np.minimum, np.fmin)


def _check_overflow(function: Callable[..., Array], overflows: Callable[..., Array], condition: str) -> BindKernel:
    """Returns the plan (operator to kernel) of ADD, SUB or ABS; if checked, i32 results that overflow raise.

    `overflows` tells, from operands and result, which elements overflowed, and `condition` is the REQUIRE's text.
    """

    def bind_arithmetic(op: Op, plan_context: PlanContext) -> Kernel:
        """Returns a function that computes `function`; if the run checks REQUIREs, i32 results that overflow raise."""
        if op.result.type.dtype.is_float or not plan_context.check:
            return in_compute_dtype(op, function)

        def compute_checked(*operands: Array) -> Array:
            """Computes `function`, and raises UnpredictableError if an element `overflows`."""
            result = function(*operands)
            require(op, condition, not overflows(*operands, result).any())
            return result

        return compute_checked

    return bind_arithmetic


# A sum overflowed if its sign differs from that of both terms: 2**31 - 1 plus 1 wraps around to -2**31, which is
# negative, and both terms aren't. A difference overflowed if the operands' signs differ and its sign isn't the first's.
add = _check_overflow(np.add, lambda a, b, total: ((a ^ total) & (b ^ total)) < 0, ADD_FITS)
subtract = _check_overflow(np.subtract, lambda a, b, rest: ((a ^ b) & (a ^ rest)) < 0, SUB_FITS)
# In two's complement only the least number has no opposite: abs(-2**31) wraps around to -2**31.
absolute = _check_overflow(np.abs, lambda _x, magnitude: magnitude < 0, ABS_FITS)


def _bind_checked_shift(op: Op, plan_context: PlanContext, function: Callable[[Array, Array], Array]) -> Kernel:
    """Returns `function`, a shift; with checks, it raises unless amounts are less than the type's bits."""
    if not plan_context.check:
        return function
    last = op.result.type.dtype.bits - 1

    def check(b: Array) -> None:
        """Raises UnpredictableError unless all shift amounts are in [0, bits of the type)."""
        require(op, f"0 <= value2 && value2 <= {last}", b.min() >= 0 and b.max() <= last)

    checked = prepare_once(op, plan_context, (1,), check)

    def shift_checked(*inputs: Array) -> Array:
        """Shifts, after the check of the amounts; constant amounts were checked before."""
        checked(inputs)
        return function(*inputs)

    return shift_checked


def arithmetic_right_shift(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes ARITHMETIC_RIGHT_SHIFT (2.5.2), rounded half up if `round` is set."""
    unit = op.result.type.dtype.numpy.type(1)

    def shift_rounded(a: Array, b: Array) -> Array:
        """Shifts right and adds the last bit that is shifted out; nothing is added for an amount of 0."""
        # -5 >> 1 is -3, and the bit shifted out is 1: -2, which is -2.5 rounded half up. An amount of 0 adds a & 0.
        one_if_shifted = np.minimum(b, unit)
        last_bit_out = np.right_shift(a, b - one_if_shifted) & one_if_shifted
        return np.asarray(np.right_shift(a, b) + last_bit_out)

    return _bind_checked_shift(op, plan_context, shift_rounded if op.attributes["round"] else np.right_shift)


def logical_left_shift(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes LOGICAL_LEFT_SHIFT (2.5.8); the bits shifted out are lost."""
    return _bind_checked_shift(op, plan_context, np.left_shift)


def logical_right_shift(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes LOGICAL_RIGHT_SHIFT (2.5.9): shifts the bits as an unsigned number."""

    def shift_unsigned(a: Array, b: Array) -> Array:
        """Shifts `a` right by `b`, taking the bits of `a` as an unsigned number."""
        unsigned = _UNSIGNED[a.dtype]
        return np.asarray((a.view(unsigned) >> b.view(unsigned)).view(a.dtype))

    return _bind_checked_shift(op, plan_context, shift_unsigned)


def intdiv(op: Op, plan_context: PlanContext) -> Kernel | None:
    """Returns a function that computes INTDIV (2.5.6): a quotient in fp64, truncated towards zero, which is exact.

    None for i64, which fp64 doesn't hold.
    """
    if op.result.type.dtype is DType.I64:
        return None

    def divide(a: Array, b: Array) -> Array:
        """Computes a / b truncated towards zero; with checks, raises if b is 0 or the quotient doesn't fit i32."""
        if plan_context.check:
            require(op, "value2 != 0", b.all())
        # A quotient that is no integer is at least 1/|b| from one. Rounding moves it by at most
        # 2**-53 * |a/b| <= 2**-53 * 2**31 / |b| = 2**-22 / |b|, so it never crosses an integer: 2147483647 / 2147483646
        # is 1 + 4.7e-10 and rounds to within 2.2e-16 of that.
        quotient = np.trunc(np.divide(a, b, dtype=np.float64))
        if plan_context.check:
            require(op, "c <= maximum_s<in_t>() of apply_intdiv_s", quotient.max() <= MOST_I32)
        return np.asarray(quotient.astype(np.int32))

    return divide


def multiply(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes MUL (2.5.14) of floats, or of integers by the shift in the third operand.

    Products of i32 are shifted right, or keep their low 32 bits if the shift is 0; those of narrower integers are i32.
    """
    out = op.result.type.dtype
    if out.is_float:
        run = in_compute_dtype(op, np.multiply)
        return lambda a, b, *_shift: run(a, b)
    bound = prepare_once(op, plan_context, (2,), lambda values: _bind_multiply_and_shift(op, plan_context, values))
    return lambda *inputs: bound(inputs)(inputs[0], inputs[1])


def _bind_multiply_and_shift(op: Op, plan_context: PlanContext, shift: Array) -> Callable[[Array, Array], Array]:
    """Returns a function that multiplies integers and shifts the products right by `shift`, rounded half up."""
    shift_bits, dtype = int(shift.reshape(-1)[0]), op.operands[0].type.dtype
    wide = dtype in (DType.I32, DType.I64)
    if plan_context.check:
        require(op, "0 <= shift && shift <= 63", 0 <= shift_bits <= 63)
        require(op, "is_same<in_t,int32_t>() || shift == 0", dtype is DType.I32 or shift_bits == 0)
    if shift_bits == 0:
        # Products of int16 are at most 2**15 * 2**15 = 2**30, and int32 holds them.
        return np.multiply if wide else lambda a, b: np.multiply(a, b, dtype=np.int32)
    # numpy's shifts take any amount: without checks the results of illegal ones are undefined, but nothing is raised.
    half_unit, amount = np.left_shift(np.int64(1), shift_bits - 1), np.int64(shift_bits)

    def multiply_and_shift(a: Array, b: Array) -> Array:
        """Computes (a * b + half) >> amount in int64; with checks, raises if a result doesn't fit i32."""
        product: Array = np.right_shift(np.multiply(a, b, dtype=np.int64) + half_unit, amount)
        if plan_context.check:
            fits = product.min() >= LEAST_I32 and product.max() <= MOST_I32
            require(op, "product >= minimum_s<i32_t>() && product <= maximum_s<i32_t>()", fits)
        return product.astype(np.int32)

    return multiply_and_shift


def power(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes POW (2.5.15): a ** b of floats, with its REQUIREs on a and b if checked."""

    def raise_to_power(a: Array, b: Array) -> Array:
        """Computes a ** b; with checks, raises where a REQUIRE of POW doesn't hold."""
        if plan_context.check:
            require(op, "!isNaN(value1) && !isNaN(value2)", not (np.isnan(a).any() or np.isnan(b).any()))
            require(op, "value1 >= 0", (a >= 0).all())
            require(op, "value1 > 0 || value2 > 0", ((a > 0) | (b > 0)).all())
            require(op, "is_finite(value1) && is_finite(value2)", np.isfinite(a).all() and np.isfinite(b).all())
        return np.asarray(np.power(a, b))

    return in_compute_dtype(op, raise_to_power)


def select(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes SELECT (2.7.1) with bit masks; np.where is slow where conditions alternate."""
    element = op.result.type.dtype.numpy
    bits = np.dtype(f"i{element.itemsize}")

    def select_by_mask(condition: Array, a: Array, b: Array) -> Array:
        """Returns a where the condition is true, else b: ((a ^ b) & mask) ^ b, by bits."""
        # The mask is -1, all ones, where the condition holds, else 0: ((a ^ b) & -1) ^ b = a and ((a ^ b) & 0) ^ b = b.
        mask = np.negative(condition.view(np.int8)).astype(bits, copy=False)
        other = b.view(bits)
        result = np.asarray(a.view(bits) ^ other)  # numpy makes scalars of arrays of rank 0
        result = np.bitwise_and(result, mask, out=result if result.shape == mask.shape else None)
        return np.asarray(result ^ other).view(element)

    return select_by_mask


def clamp(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes CLAMP (2.4.1): a NaN stays NaN, or becomes min_val if nan_mode is IGNORE."""
    work = compute_dtype(op.result.type.dtype)
    rounded = op.result.type.dtype.numpy
    low, high = (np.array(op.attributes[key]).astype(rounded).astype(work) for key in ("min_val", "max_val"))
    if op.result.type.dtype.is_float and op.attributes.get("nan_mode") == "IGNORE":
        return in_compute_dtype(op, lambda x: np.minimum(np.fmax(x, low), high))
    least, most = low[()], high[()]  # scalars, which ufuncs take faster
    return in_compute_dtype(op, lambda x: clip(x, least, most))
