"""Holds what all definitions use: REQUIRE, the types to compute in, and those of results."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.ir import Array, Op

Kernel: TypeAlias = Callable[..., Array | tuple[Array, ...]]
ADD_FITS = "c >= minimum_s<in_t>() && c <= maximum_s<in_t>() of apply_add_s"
SUB_FITS = "c >= minimum_s<in_t>() && c <= maximum_s<in_t>() of apply_sub_s"
ABS_FITS = "c <= maximum_s<in_t>() of apply_sub_s"  # of a number's opposite


@dataclass(frozen=True, slots=True)
class Call:
    """One operator, as the function that defines it sees it: `call["axis"]` is an attribute.

    Attributes:
        op: the operator, with its attributes and types.
        check: whether a REQUIRE that doesn't hold is an error; otherwise the result is undefined.
        computes_error_bound: compute output_bnd of clause 1.10.3, by tosa_extra_multiplies.
    """

    op: Op
    check: bool = True
    computes_error_bound: bool = False

    def __getitem__(self, attribute: str) -> Any:
        """Returns an attribute of the operator by name."""
        return self.op.attributes[attribute]

    @property
    def ignores_nan(self) -> bool:
        """Whether nan_mode is IGNORE; it makes no difference for integers."""
        return self.op.attributes.get("nan_mode") == "IGNORE"

    @property
    def source(self) -> DType:
        """The element type of the first operand."""
        return self.op.operands[0].type.dtype

    @property
    def target(self) -> DType:
        """The element type of the first result; definitions check that results fit it."""
        return self.op.results[0].type.dtype

    def require(self, condition: str, holds: object) -> None:
        """Raises an error if this run checks REQUIREs and `holds` is false; `condition` is the REQUIRE's text.

        Raises:
            UnpredictableError: the condition does not hold.
        """
        if self.check:
            require(self.op, condition, holds)

    def checked_sum(self, a: Array, b: Array) -> Array:
        """Returns a + b of widened arrays; raises if checked integers don't fit the result's type.

        int64 wraps around where it overflows: the sign of the sum then differs from that of both terms.
        """
        total = a + b
        if self.target is DType.I64:
            self.require(ADD_FITS, not (((a ^ total) & (b ^ total)) < 0).any())
        return self.checked_sums(total)

    def checked_sums(self, sums: Array, dtype: DType | None = None) -> Array:
        """Returns `sums` unchanged; raises if checked integers don't fit `dtype` (by default the result's type)."""
        dtype = self.target if dtype is None else dtype
        if dtype.is_integer:
            self.require(ADD_FITS, all_fit(sums, dtype))
        return sums


Definition: TypeAlias = Callable[..., Array | tuple[Array, ...]]  # of a Call and the operands


def describe_op(op: Op) -> str:
    """Returns an operator's name, its result's name and its location in the source, for messages."""
    name = op.results[0].name if op.results else str(op.attributes.get("name", ""))
    return " ".join(part for part in (op.name, repr(name) if name else "", op.location and f"({op.location})") if part)


def require(op: Op, condition: str, holds: object) -> None:
    """Raises an error if `holds` is false, whether or not the run checks REQUIREs; `condition` is the REQUIRE's text.

    Raises:
        UnpredictableError: the condition does not hold.
    """
    if not holds:
        raise UnpredictableError(f"{describe_op(op)}: REQUIRE({condition}) does not hold")


def all_fit(x: Array, dtype: DType) -> bool:
    """Returns whether a type can hold all these integers."""
    low, high = dtype.limits
    return bool(((x >= low) & (x <= high)).all())


def storage_dtype(dtype: DType, precise: bool) -> "np.dtype[Any]":
    """Returns the numpy type that stores elements between operators: fp64 for every float of a precise run."""
    return np.dtype(np.float64) if precise and dtype.is_float else dtype.numpy


def widen(x: Array) -> Array:
    """Returns integers as int64 and floats as fp64, in which definitions compute; bool stays bool."""
    if x.dtype == np.bool_:
        return x
    return x.astype(np.int64 if x.dtype.kind in "iu" else np.float64, copy=False)


def narrow(x: Array, dtype: "np.dtype[Any]") -> Array:
    """Converts a definition's result to its storage type: floats round once to nearest even, integers keep low bits."""
    x = np.asarray(x)
    if x.dtype == dtype:
        return x
    if dtype.isbuiltin == 2:  # ml_dtypes' bf16 and fp8 are made of fp32
        x = _round_to_odd(x) if x.dtype == np.float64 else x.astype(np.float32, copy=False)
    return x.astype(dtype)


def _round_to_odd(x: Array) -> Array:
    """Converts fp64 to fp32 rounded to odd: of the two neighbours of an inexact value, the one whose last bit is 1.

    A second rounding, to bf16 or fp8, is then as if it were the only one.
    """
    # 1 + 2**-8 + 2**-40 lies above the tie of the bf16 numbers 1 and 1 + 2**-7. To nearest, fp32 would give the tie
    # 1 + 2**-8, which goes to 1; to odd it gives 1 + 2**-8 + 2**-23, which goes to 1 + 2**-7. An odd number is never a
    # tie of a type with at least 2 bits less: fp32 has 24 bits, bf16 8, fp8 4 or fewer.
    near = np.asarray(x.astype(np.float32))
    even = near.view(np.int32) & 1 == 0
    return np.where(even & (near != x), np.nextafter(near, np.copysign(np.inf, x - near), dtype=np.float32), near)


def elementwise(function: Callable[..., Array]) -> Definition:
    """Returns the definition of an operator that is one numpy function of its widened operands."""
    return lambda _call, *operands: function(*map(widen, operands))


def maximum(call: Call, a: Array, b: Array) -> Array:
    """Returns the elementwise maximum, apply_max_s of chapter 4.5.2; NaN wins unless nan_mode is IGNORE."""
    return np.asarray(np.fmax(a, b) if call.ignores_nan else np.maximum(a, b))


def minimum(call: Call, a: Array, b: Array) -> Array:
    """Returns the elementwise minimum, apply_min_s of chapter 4.5.2; NaN wins unless nan_mode is IGNORE."""
    return np.asarray(np.fmin(a, b) if call.ignores_nan else np.minimum(a, b))
