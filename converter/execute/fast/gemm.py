"""Matrix products for MATMUL and the convolutions: exact integers out of BLAS, floats with one rounding at the end.

A float matrix product of integers is exact, in any order of summation, while every partial sum fits the mantissa: the
sum of the magnitudes of the products is at most 2^24 in fp32 and 2^53 in fp64.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.execute.definition.base import ADD_FITS, Kernel, require
from tosa_converter.execute.fast.base import PlanContext, compute_dtype, prepare_once
from tosa_converter.ir import Array, Op
from tosa_converter.schemas.tosa_ops import MATMUL_T

EXACT_FP32 = 1 << 24
_MOST_PARTS = 3  # fp32 products in a row before one fp64 product is the faster way


@dataclass(frozen=True, slots=True)
class RightMatrix:
    """The right-hand matrix of products, [K, N], cut along K into parts whose integer products are exact as floats."""

    parts: tuple[tuple[slice, Array], ...]
    peak: float  # no sum of magnitudes of products is greater; infinite for floats

    @classmethod
    def of_floats(cls, matrix: Array) -> "RightMatrix":
        """Returns a matrix of floats in one part along K; its products needn't be exact."""
        return cls(((slice(None), np.ascontiguousarray(matrix)),), np.inf)

    @classmethod
    def of_integers(cls, matrix: Array, peak: int) -> "RightMatrix":
        """Returns an integer matrix, as fp32 parts or fp64, whose products with integers up to `peak` are exact."""
        # int8 weights of 127 times int8 inputs of -128: 1032 rows add up to 16776192, below 2**24 = 16777216, and 1033
        # to 16792448. So 2000 such rows take two fp32 products, and 4000 one fp64 product.
        sums = np.abs(matrix.astype(np.int64)).cumsum(axis=0) * peak
        total = float(sums[-1].max())
        cuts = _find_cuts(sums)
        if cuts is None:
            return cls(((slice(None), matrix.astype(np.float64)),), total)
        bounds = zip(cuts, [*cuts[1:], len(matrix)], strict=True)
        return cls(tuple((slice(a, b), matrix[a:b].astype(np.float32)) for a, b in bounds), total)

    @property
    def compute_dtype(self) -> "np.dtype[Any]":
        """The numpy float type that the left-hand matrix must have."""
        return self.parts[0][1].dtype

    def multiply(self, left: Array, out: Array | None = None) -> Array:
        """Returns `left`, [M, K] in the matrix's float type, times the matrix; in fp64 if it has several parts along K.

        `out` takes the result of a matrix in one part.
        """
        if len(self.parts) == 1:
            product: Array = left.dot(self.parts[0][1], out)
            return product
        total: Array | None = None
        for columns, matrix in self.parts:
            part = left[:, columns].dot(matrix)
            if total is None:
                total = part.astype(np.float64)
            else:
                total += part
        assert total is not None
        return total


def _find_cuts(sums: Array) -> list[int] | None:
    """Returns where to cut a matrix along K so that fp32 adds up each part exactly; None if it takes too many parts.

    Args:
        sums: [K, N], the running sums along K of the magnitudes of products.
    """
    cuts = [0]
    base: Any = 0
    while (over := (sums - base > EXACT_FP32).any(axis=1)).any():
        cut = int(over.argmax())
        # int16 inputs of 32768 times weights of 127 add 4161536 a row: a part has 4 rows, 16646144 in all. A row that
        # is over 2**24 by itself would be cut at again without end. Any other round adds a cut.
        if len(cuts) == _MOST_PARTS or cut == cuts[-1]:
            return None
        cuts.append(cut)
        base = sums[cut - 1]
    return cuts


def magnitude(bits: int, zero_point: int) -> int:
    """Returns a bound of |x - zero_point| over a signed integer type: int8 with zero point 3 gives 131."""
    return (1 << (bits - 1)) + abs(zero_point)


def matmul(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes MATMUL (2.3.7) or MATMUL_T: [N, H, C] @ [N, C, W], each less its zero point.

    MATMUL_T has the second factor as [N, W, C] or [1, W, C].
    """
    source, out = op.operands[0].type.dtype, op.result.type.dtype.numpy
    if source.is_float:
        work, is_transposed = compute_dtype(source), op.row is MATMUL_T

        def multiply_floats(a: Array, b: Array, *_zero_points: Array) -> Array:
            """Multiplies matrices of floats in fp32, and rounds the sums to the result's type."""
            right = b.swapaxes(1, 2) if is_transposed else b
            product: Array = np.matmul(a.astype(work, copy=False), right.astype(work, copy=False))
            return product.astype(out, copy=False)

        return multiply_floats

    def widen_right(b: Array, a_zp: Array, b_zp: Array) -> tuple[int, int, Array]:
        """Returns how many products are exact in fp32, the largest product, and `b` less its zero point, as floats.

        `b` is the second operand, as the operator has it.
        """
        zeros = int(a_zp[0]), int(b_zp[0])
        left, right = (magnitude(source.bits, zero) for zero in zeros)
        depth = EXACT_FP32 // (left * right)  # how many products are exact in fp32: of int8 2**24 / 2**14 = 1024
        # int8 runs in fp32 up to 3 * 1024 = 3072 terms. A product of int16 reaches 2**30, so its depth is 0: fp64,
        # which is exact for 2**53 / 2**30 = 2**23 terms.
        work: Any = np.float32 if depth * _MOST_PARTS >= op.operands[0].type.static[2] else np.float64
        wide_b = _subtract_zero_point(b, zeros[1], work)
        return depth, left * right, wide_b.swapaxes(1, 2) if op.row is MATMUL_T else wide_b

    widened = prepare_once(op, plan_context, (1, 2, 3), widen_right)

    def multiply_integers(*inputs: Array) -> Array:
        """Multiplies integer matrices less their zero points, exactly: in steps of fp32 products, or in fp64."""
        a, _, a_zp, _ = inputs
        depth, peak, wide_b = widened(inputs)
        wide_a = _subtract_zero_point(a, int(a_zp[0]), wide_b.dtype)
        product = _multiply_in_steps(wide_a, wide_b, depth) if wide_b.dtype == np.float32 else wide_a @ wide_b
        edge = 1 << (op.result.type.dtype.bits - 1)
        # int8 with zero points of 0 can leave i32 only from 2**31 / 2**14 = 131072 terms on; fewer need no check.
        if plan_context.check and peak * a.shape[2] >= edge:
            fits = product.min() >= -edge and product.max() < edge
            require(op, ADD_FITS, fits)
        return product.astype(out)

    return multiply_integers


def _subtract_zero_point(x: Array, zero_point: int, work: Any) -> Array:
    """Returns integers minus their zero point, in a float type."""
    wide = x.astype(work)
    if zero_point:
        wide -= zero_point
    return wide


def _multiply_in_steps(a: Array, b: Array, depth: int) -> Array:
    """Returns a @ b of integers as floats: fp32 products of `depth` terms each, which are exact, are added in fp64."""
    total = a[..., :depth] @ b[:, :depth]
    for start in range(depth, a.shape[2], depth):
        total = total.astype(np.float64, copy=False)
        # Each product is an exact integer of at most 2**24, and fp64 adds such numbers exactly up to 2**53.
        total += a[..., start : start + depth] @ b[:, start : start + depth]
    return np.asarray(total)
