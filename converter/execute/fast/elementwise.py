"""Elementwise operators: binary (2.5), ternary (2.7), comparison (2.8) and CLAMP (2.4.1)."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Run, require
from tosa_converter.execute.fast.base import LEAST_I32, MOST_I32, Known, Plan, clip, prepared, widened, work_type
from tosa_converter.ir import Array, Op

_UNSIGNED = {np.dtype(np.int8): np.uint8, np.dtype(np.int16): np.uint16, np.dtype(np.int32): np.uint32}


def plain(function: Callable[..., Array]) -> Plan:
    """The kernel of an operator that is one numpy function in every type."""
    return lambda op, _known: widened(op, function)


def nan_aware(propagating: Callable[..., Array], ignoring: Callable[..., Array]) -> Plan:
    """MAXIMUM and MINIMUM: one function per nan_mode; integers take either."""

    def bind(op: Op, _known: Known) -> Run:
        return widened(op, ignoring if op.attributes.get("nan_mode") == "IGNORE" else propagating)

    return bind


def _checked(sum_: Callable[..., Array], overflow: Callable[..., Array], condition: str) -> Plan:
    """ADD and SUB, whose i32 forms must not overflow."""

    def bind(op: Op, known: Known) -> Run:
        if op.result.type.dtype.is_float or not known.check:
            return widened(op, sum_)

        def run(a: Array, b: Array) -> Array:
            result = sum_(a, b)
            require(op, condition, not overflow(a, b, result).any())
            return result

        return run

    return bind


# A sum overflowed if its sign differs from that of both terms; a difference, if from the minuend's but not the other's.
add = _checked(
    np.add, lambda a, b, r: ((a ^ r) & (b ^ r)) < 0, "c >= minimum_s<in_t>() && c <= maximum_s<in_t>() of apply_add_s"
)
subtract = _checked(
    np.subtract,
    lambda a, b, r: ((a ^ b) & (a ^ r)) < 0,
    "c >= minimum_s<in_t>() && c <= maximum_s<in_t>() of apply_sub_s",
)


def _shift_checked(op: Op, known: Known, function: Callable[[Array, Array], Array]) -> Run:
    if not known.check:
        return function
    last = op.result.type.dtype.bits - 1

    def check(b: Array) -> None:
        require(op, f"0 <= value2 && value2 <= {last}", b.min() >= 0 and b.max() <= last)

    checked = prepared(op, known, (1,), check)

    def run(*inputs: Array) -> Array:
        checked(inputs)
        return function(*inputs)

    return run


def arithmetic_right_shift(op: Op, known: Known) -> Run:
    """2.5.2."""
    one = op.result.type.dtype.numpy.type(1)

    def rounded(a: Array, b: Array) -> Array:
        some = np.minimum(b, one)
        half = np.right_shift(a, b - some) & some  # the last bit to go
        return np.asarray(np.right_shift(a, b) + half)

    return _shift_checked(op, known, rounded if op.attributes["round"] else np.right_shift)


def logical_left_shift(op: Op, known: Known) -> Run:
    """2.5.8: the bits shifted out are lost."""
    return _shift_checked(op, known, np.left_shift)


def logical_right_shift(op: Op, known: Known) -> Run:
    """2.5.9: shifts as an unsigned type."""

    def run(a: Array, b: Array) -> Array:
        unsigned = _UNSIGNED[a.dtype]
        return np.asarray((a.view(unsigned) >> b.view(unsigned)).view(a.dtype))

    return _shift_checked(op, known, run)


def intdiv(op: Op, known: Known) -> Run:
    """2.5.6: truncates towards zero; fp64 holds every i32 quotient to within its fraction."""

    def run(a: Array, b: Array) -> Array:
        if known.check:
            require(op, "value2 != 0", b.all())
        quotient = np.trunc(np.divide(a, b, dtype=np.float64))
        if known.check:
            require(op, "c <= maximum_s<in_t>() of apply_intdiv_s", quotient.max() <= MOST_I32)
        return np.asarray(quotient.astype(np.int32))

    return run


def multiply(op: Op, known: Known) -> Run:
    """2.5.14: i32 by i32 keeps the low 32 bits unless shifted."""
    out = op.result.type.dtype
    if out.is_float:
        run = widened(op, np.multiply)
        return lambda a, b, *_shift: run(a, b)
    shift = prepared(op, known, (2,), lambda values: _multiply_by(op, known, values))
    return lambda *inputs: shift(inputs)(inputs[0], inputs[1])


def _multiply_by(op: Op, known: Known, shift: Array) -> Callable[[Array, Array], Array]:
    """The product of integers shifted to the right by one amount."""
    by, wide = int(shift.reshape(-1)[0]), op.operands[0].type.dtype is DType.I32
    if known.check:
        require(op, "0 <= shift && shift <= 63", 0 <= by <= 63)
        require(op, "is_same<in_t,int32_t>() || shift == 0", wide or by == 0)
    if by == 0:
        return np.multiply if wide else lambda a, b: np.multiply(a, b, dtype=np.int32)
    half, amount = np.int64(1 << (by - 1)), np.int64(by)

    def shifted(a: Array, b: Array) -> Array:
        product = np.right_shift(np.multiply(a, b, dtype=np.int64) + half, amount)
        if known.check:
            fits = product.min() >= LEAST_I32 and product.max() <= MOST_I32
            require(op, "product >= minimum_s<i32_t>() && product <= maximum_s<i32_t>()", fits)
        return product.astype(np.int32)

    return shifted


def power(op: Op, known: Known) -> Run:
    """2.5.15."""

    def run(a: Array, b: Array) -> Array:
        if known.check:
            require(op, "!isNaN(value1) && !isNaN(value2)", not (np.isnan(a).any() or np.isnan(b).any()))
            require(op, "value1 >= 0", (a >= 0).all())
            require(op, "value1 > 0 || value2 > 0", ((a > 0) | (b > 0)).all())
            require(op, "is_finite(value1) && is_finite(value2)", np.isfinite(a).all() and np.isfinite(b).all())
        return np.asarray(np.power(a, b))

    return widened(op, run)


def compare(function: Callable[..., Array]) -> Plan:
    """2.8: false wherever an operand is NaN, which is what IEEE comparisons give."""
    return lambda op, _known: widened(op, function)


def select(op: Op, _known: Known) -> Run:
    """2.7.1: bit by bit, as a branch per element is slow where conditions alternate."""
    held = op.result.type.dtype.numpy
    bits = np.dtype(f"i{held.itemsize}")

    def run(condition: Array, a: Array, b: Array) -> Array:
        mask = np.negative(condition.view(np.int8)).astype(bits, copy=False)
        other = b.view(bits)
        result = np.asarray(a.view(bits) ^ other)  # numpy makes scalars of arrays of rank 0
        result = np.bitwise_and(result, mask, out=result if result.shape == mask.shape else None)
        return np.asarray(result ^ other).view(held)

    return run


def clamp(op: Op, _known: Known) -> Run:
    """2.4.1: a NaN gives a NaN in PROPAGATE mode and min_val in IGNORE mode."""
    work = work_type(op.result.type.dtype)
    rounded = op.result.type.dtype.numpy
    low, high = (np.array(op.attributes[key]).astype(rounded).astype(work) for key in ("min_val", "max_val"))
    if op.result.type.dtype.is_float and op.attributes.get("nan_mode") == "IGNORE":
        return widened(op, lambda x: np.minimum(np.fmax(x, low), high))
    least, most = low[()], high[()]  # scalars, which ufuncs take faster
    return widened(op, lambda x: clip(x, least, most))
