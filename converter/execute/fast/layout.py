"""RESHAPE, SLICE and the GATHERs (2.10, 2.11): constant shapes and bounds are read once, before the first run."""

import numpy as np

from tosa_converter.execute.definition.base import Kernel, require
from tosa_converter.execute.fast.base import PlanContext, prepare_once
from tosa_converter.ir import Array, Op


def reshape(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes RESHAPE (2.10.3); the shape is the second operand."""
    shape = prepare_once(op, plan_context, (1,), lambda values: tuple(values.tolist()))
    return lambda *inputs: inputs[0].reshape(shape(inputs))


def slice_(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes SLICE (2.10.5); start and size are the second and third operand."""

    def index_of(start: Array, size: Array) -> tuple[slice, ...]:
        """Returns the index of the elements that SLICE takes."""
        return tuple(slice(a, a + n) for a, n in zip(start.tolist(), size.tolist(), strict=True))

    index = prepare_once(op, plan_context, (1, 2), index_of)
    return lambda *inputs: inputs[0][index(inputs)]


def gather(op: Op, plan_context: PlanContext) -> Kernel | None:
    """Returns a function that computes GATHER (2.11.1) of one batch by np.take; None for several batches."""
    if op.operands[0].type.static[0] != 1:
        return None

    def take_rows(values: Array, indices: Array) -> Array:
        """Returns the rows of `values` at `indices`; with checks, raises if an index is out of range."""
        if plan_context.check:
            require(op, "0 <= k && k < K", indices.min() >= 0 and indices.max() < values.shape[1])
        # mode="wrap" is the fastest; where REQUIREs aren't checked, indices out of range wrap around.
        return np.asarray(values[0].take(indices, axis=0, mode="wrap"))

    return take_rows


def row_gather(op: Op, plan_context: PlanContext) -> Kernel | None:
    """Returns a function that computes ROW_GATHER of one batch and one row for each index; None for any other."""
    row_count = plan_context.constant(op.operands[2])
    if op.operands[0].type.static[0] != 1 or row_count is None or row_count[0] != 1:
        return None

    def take_rows(values: Array, indices: Array, _row_count: Array) -> Array:
        """Returns the rows of `values` at `indices`; with checks, raises if an index is out of range."""
        if plan_context.check:
            require(op, "0 <= k && (k+row_count) <= K", indices.min() >= 0 and indices.max() < values.shape[1])
        return np.asarray(values[0].take(indices, axis=0, mode="wrap"))

    return take_rows
