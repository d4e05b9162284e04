"""Layers as CONV2D and batched matrix products as MATMUL has them, for any element type."""

import math
from typing import NamedTuple

import numpy as np

from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match
from tosa_converter.schemas.tflite import BatchMatMulOptions, FullyConnectedOptions


class Pair(NamedTuple):
    """Operands of MATMUL, [N,H,C] and [N,C,W], and the shape of BATCH_MATMUL's result."""

    left: Expr
    right: Expr
    shape: tuple[int, ...]


def sides(match: Match, left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """The operands of BATCH_MATMUL as [...,H,C] and [...,C,W]: its options exchange rows and columns."""
    options = match.attributes(BatchMatMulOptions)
    return _swapped(left) if options.adj_x else left, _swapped(right) if options.adj_y else right


def _swapped(x: Expr) -> Expr:
    rank = x.rank
    return x.transpose((*range(rank - 2), rank - 1, rank - 2))


def matrices(left: Expr, right: Expr) -> Pair:
    """Both sides in one batch dimension; a right side without batches takes the left one's as rows."""
    (*left_batch, rows, depth), (*right_batch, _, columns) = left.shape, right.shape
    batch = np.broadcast_shapes(tuple(left_batch), tuple(right_batch))
    if math.prod(right_batch) == 1:
        count, rows_each = 1, math.prod(left_batch) * rows
    else:
        left = left.broadcast((*batch, rows, depth))
        right = right.broadcast((*batch, depth, columns))
        count, rows_each = math.prod(batch), rows
    left = left.reshape((count, rows_each, depth))
    return Pair(left, right.reshape((count, depth, columns)), (*batch, rows, columns))


def row_count(x: Expr, depth: int) -> int:
    """How many rows of this size FULLY_CONNECTED takes of its operand.

    Raises:
        Decline: it isn't made of such rows.
    """
    if not depth or x.size % depth:
        raise Decline(f"{x.type} does not divide into rows of {depth}")
    return x.size // depth


def layout(x: Expr, depth: int) -> tuple[int, ...]:
    """FULLY_CONNECTED's operand for a CONV2D of 1 by 1: its own dimensions where it is an image, else [rows,1,1,depth].

    Raises:
        Decline: see `row_count`.
    """
    rows = row_count(x, depth)
    image = x.rank == 4 and x.type.shape[3] == depth
    return x.shape if image else (rows, 1, 1, depth)


def in_shape(match: Match, x: Expr, y: Expr) -> Expr:
    """The rows of FULLY_CONNECTED in the dimensions of its operand, or in two."""
    *rows, outputs = y.shape
    keep = match.attributes(FullyConnectedOptions).keep_num_dims
    return y.reshape((*(x.shape[:-1] if keep else (math.prod(rows),)), outputs))
