"""CAST (2.13.1): integers truncate, floats round to nearest even, float to integer saturates."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Kernel, require
from tosa_converter.execute.fast.base import PlanContext, clip, compute_dtype
from tosa_converter.ir import Array, Op

_LEAST, _MOST = np.float64(-(2**31)), np.float64(2**31 - 1)
_FAR = 2.0**30
_MANY = 1 << 12


def cast(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes CAST (2.13.1) between the operand's and the result's element types.

    Integers that a narrower type can't hold lose their high bits.
    """
    source, target = op.operands[0].type.dtype, op.result.type.dtype
    if source.is_float and target.is_integer:
        return _bind_float_to_integer(op, plan_context)
    if source.is_float and target.is_float:
        # fp32 holds every number of fp16, bf16 and fp8, so only the second step rounds.
        return lambda x: x.astype(np.float32, copy=False).astype(target.numpy)
    if target.is_float:
        return lambda x: _integers_to_float(x, target)
    if target is DType.BOOL:
        return lambda x: x != 0
    return lambda x: x.astype(target.numpy)


def _bind_float_to_integer(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function for CAST from floats to integers: rounds to nearest, ties to even, and clips to the type."""
    limits = np.iinfo(op.result.type.dtype.numpy)
    low, high = int(limits.min), int(limits.max)
    work = compute_dtype(op.operands[0].type.dtype)

    def round_and_clip(x: Array) -> Array:
        """Rounds floats to nearest even and clips them to the integer type; with checks, NaN is an error."""
        if plan_context.check:
            require(op, "!isNaN(in)", not np.isnan(x).any())
        if limits.bits == 32:
            return _floats_to_i32(x)
        # fp32 holds -32768 and 32767 exactly, so int8 and int16 are clipped in the type to compute in.
        return clip(np.rint(x.astype(work, copy=False)), low, high).astype(limits.dtype)  # type: ignore[no-any-return]

    return round_and_clip


def _floats_to_i32(x: Array) -> Array:
    """Converts floats to i32, rounded to nearest even and clipped; in fp64 unless many fp32 are all small."""
    # The largest i32, 2**31 - 1, needs 31 bits, and fp32 has 24: clipped in fp32 it would be 2**31, which wraps around.
    # Below 2**30 in magnitude nothing is clipped, and rint of an fp32 is an fp32. Finding that out pays from _MANY on.
    if x.dtype == np.float32 and x.size > _MANY and x.max() < _FAR and x.min() > -_FAR:
        return np.rint(x).astype(np.int32)
    return clip(np.rint(x.astype(np.float64)), _LEAST, _MOST).astype(np.int32)  # type: ignore[no-any-return]


def _integers_to_float(x: Array, target: DType) -> Array:
    """Converts integers to a float type with a single rounding."""
    # 16 bits fit fp32's 24, so a narrow integer is rounded once, on the way to the target.
    if target is DType.FP32 or x.dtype.itemsize < 4:
        return x.astype(np.float32).astype(target.numpy, copy=False)
    if target is DType.FP16:
        # fp64's 53 bits hold every i32, so only the step to fp16 rounds.
        return x.astype(np.float64).astype(np.float16)
    # By way of fp32, of 24 bits, an i32 would be rounded twice: 2**24 + 2**16 + 1 lies above the tie of the bf16
    # numbers 2**24 and 2**24 + 2**17, but fp32 drops the 1, and the tie goes to 2**24. So of numbers from 2**24 on the
    # 7 low bits are folded into bit 7, which fp32 holds up to 2**31. Types of 8 bits round at bit 16 or above there.
    magnitude = np.abs(x.astype(np.int64))
    dropped = magnitude & 0x7F
    sticky = np.where((magnitude >= 1 << 24) & (dropped != 0), (magnitude & ~np.int64(0x7F)) | 0x80, magnitude)
    return np.copysign(sticky.astype(np.float32), x.astype(np.float32)).astype(target.numpy)
