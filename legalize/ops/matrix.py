"""Dense layers and products of matrices."""

import math
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.windows import Operands
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import conv2d, matmul, matmul_t
from tosa_converter.rewriting.reasons import Decline


def dense(operands: Operands) -> Expr:
    """Returns the sums of a dense layer, [..., outputs], by a CONV2D of 1 by 1 over rows.

    The weight is [outputs, depth]. An image [N,H,W,depth] keeps its shape, other inputs become [rows, 1, 1, depth].

    Raises:
        Decline: the input doesn't divide into rows of this depth.
    """
    outputs, depth = operands.weight.shape
    return conv2d(
        operands.x.reshape(row_shape(operands.x, depth)),
        operands.weight.reshape((outputs, 1, 1, depth)),
        operands.bias,
        pad=(0, 0, 0, 0),
        input_zp=operands.x_zp,
        weight_zp=operands.weight_zp,
    )


def dense_by_product(operands: Operands) -> Expr:
    """Returns the sums of a dense layer, [1, rows, outputs], by a MATMUL_T with the weight as it is stored.

    The weight is [outputs, depth]. A bias of zeros isn't added.

    Raises:
        Decline: the input doesn't divide into rows of this depth.
    """
    outputs, depth = operands.weight.shape
    sums = matmul_t(
        operands.x.reshape((1, row_count(operands.x, depth), depth)),
        operands.weight.reshape((1, outputs, depth)),
        a_zp=operands.x_zp,
        b_zp=operands.weight_zp,
        dtype=operands.bias.dtype,
    )
    bias = operands.bias
    has_bias = bias.constant is None or bias.constant.any()
    return sums + bias.reshape((1, 1, bias.size)) if has_bias else sums


def row_shape(x: Expr, depth: int) -> tuple[int, ...]:
    """Returns the shape in which `dense` takes its input: its own if it is an image, else [rows, 1, 1, depth].

    Raises:
        Decline: the elements don't divide into rows of `depth`.
    """
    rows = row_count(x, depth)
    image = x.rank == 4 and x.type.shape[3] == depth
    return x.shape if image else (rows, 1, 1, depth)


def row_count(x: Expr, depth: int) -> int:
    """Returns how many rows of `depth` elements a tensor has.

    Raises:
        Decline: it does not divide into such rows.
    """
    if not depth or x.size % depth:
        raise Decline(f"expected elements that divide into rows of {depth}, found {x.type}")
    return x.size // depth


class Product(NamedTuple):
    """Sums of a matrix product [batches, rows, columns], the number of terms in each, and the shape of the result."""

    sums: Expr
    depth: int
    shape: tuple[int, ...]


def batched_product(
    left: Expr,
    right: Expr,
    *,
    left_zp: int = 0,
    right_zp: int = 0,
    dtype: DType | None = None,
    by_rows: bool = False,
) -> Product:
    """Multiplies matrices [..., rows, depth] by [..., depth, columns] with one MATMUL; batch dimensions broadcast.

    If `right` has no batches, those of `left` become further rows. The sums are [batches, rows, columns]; the caller
    reshapes what it computes from them to the product's `shape`. With `by_rows`, `right` is [..., columns, depth], and
    the operator MATMUL_T.
    """
    (*left_batch, rows, depth), (*right_batch, _, columns) = left.shape, right.shape
    if by_rows:
        columns = right.shape[-2]
    batch = np.broadcast_shapes(tuple(left_batch), tuple(right_batch))
    if math.prod(right_batch) == 1:
        count, rows_of_batch = 1, math.prod(left_batch) * rows
    else:
        left = left.broadcast((*batch, rows, depth))
        right = right.broadcast((*batch, *right.shape[-2:]))
        count, rows_of_batch = math.prod(batch), rows
    left = left.reshape((count, rows_of_batch, depth))
    right = right.reshape((count, *right.shape[-2:]))
    sums = (matmul_t if by_rows else matmul)(left, right, a_zp=left_zp, b_zp=right_zp, dtype=dtype)
    return Product(sums, depth, (*batch, rows, columns))


def float_product(left: Expr, right: Expr) -> Expr:
    """Returns the product of floats in their type; batches broadcast, sums are in fp32."""
    product = batched_product(left, right, dtype=DType.FP32)
    return product.sums.cast(left.dtype).reshape(product.shape)


def swap_last_axes(x: Expr) -> Expr:
    """Transposes the matrices of a tensor: exchanges its last two dimensions."""
    rank = x.rank
    return x.transpose((*range(rank - 2), rank - 1, rank - 2))
