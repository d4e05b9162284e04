"""Shapes as values, and constants made from them: these fold, so that RESHAPE finds its operand constant."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import MOVED, NUMBERS
from tosa_converter.legalize.constant_operands import at_run_time, held_in_32_bits, result_sizes, stated_shape
from tosa_converter.legalize.limits import affordable, narrowed
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule


def shape(match: Match) -> Expr:
    """Lowers SHAPE to a constant, the input's shape as i32."""
    return const(match["input"].shape, DType.I32)


def rank(match: Match) -> Expr:
    """Lowers RANK to a constant, the input's number of dimensions as i32."""
    return const(match["input"].rank, DType.I32)


def zeros_like(match: Match) -> Expr:
    """Lowers ZEROS_LIKE to a constant of zeros in the input's type and shape."""
    like = match["input"].type
    return const(np.zeros(affordable(like.static), like.dtype.numpy), like.dtype)


def fill(match: Match) -> Expr:
    """Lowers FILL: repeats a value, constant or not.

    For a result without elements or of rank 0 it must be constant.
    """
    sizes, value = affordable(result_sizes(match, "dims")), match["input"]
    if 0 in sizes or not sizes:
        return const(np.full(sizes, match.constant("input").reshape(())), value.dtype)
    return value.reshape((1,) * len(sizes)).broadcast(sizes)


def range_(match: Match) -> Expr:
    """Lowers RANGE of constants to a constant, added up step by step as the kernel does (range.cc).

    Integers may have a run-time start, limit or delta if the file states the length; floats must be constant.
    """
    run_time_key = next((key for key in ("start", "limit", "delta") if at_run_time(match, key)), None)
    if run_time_key is not None and match["start"].dtype.is_integer:
        return _range_of_length(match, stated_shape(match, run_time_key, 1))
    start, limit, delta = (match.constant(i).reshape(-1)[0] for i in range(3))
    if delta == 0:
        raise Decline("expected a delta other than 0, found 0")
    dtype = match.source("start").type.dtype
    if dtype.is_integer:
        return const(_integer_range(int(start), int(limit), int(delta)), DType.I32)
    count = math.ceil(abs((limit - start) / delta)) if (limit - start) / delta > 0 else 0
    affordable((count,))
    # float32 sums aren't products: seven times 0.1 added up is 0.70000005, and 7 * 0.1 is 0.7.
    steps = np.concatenate([[start], np.full(max(count - 1, 0), delta)]).astype(start.dtype)[:count]
    return const(np.add.accumulate(steps), dtype)


def _range_of_length(match: Match, shape: list[int]) -> Expr:
    """Returns RANGE as start + i * delta with run-time operands, for the length `shape` that the file states."""
    positions = const(np.arange(*affordable(shape)), DType.I32)
    start, delta = (match[key].reshape((1,)) for key in ("start", "delta"))
    return held_in_32_bits(match, positions * delta + start)


def _integer_range(start: int, limit: int, delta: int) -> Array:
    """Returns the integers of RANGE: from `start` to before `limit`, in steps of `delta`.

    Raises:
        Decline: there are too many of them, or one doesn't fit 32 bits.
    """
    # ceil((limit - start) / delta) in integers: from 0 to 7 by 3 it is -(-7 // 3) = 3, the numbers 0, 3 and 6.
    count = max(-((start - limit) // delta), 0)
    affordable((count,))
    narrowed(np.array([start, start + (count - 1) * delta][:count], object))
    return np.arange(count) * delta + start


def broadcast_args(match: Match) -> Expr:
    """Lowers BROADCAST_ARGS: returns the shape to which two shapes broadcast.

    The shorter shape is padded with leading ones; each size is then the one that isn't 1.
    """
    shapes = [match["s0"], match["s1"]]
    rank = max(operand.size for operand in shapes)
    a, b = (operand.pad([(rank - operand.size, 0)], 1) for operand in shapes)
    return held_in_32_bits(match, where(a == 1, b, a))


RULES: tuple[Rule, ...] = (
    Rule("tfl.broadcast_args", "i32 i64", broadcast_args),
    Rule("tfl.shape", MOVED, shape),
    Rule("tfl.rank", MOVED, rank),
    Rule("tfl.zeros_like", NUMBERS, zeros_like),
    Rule("tfl.fill", MOVED, fill, of=("input",)),
    Rule("tfl.range", "fp32 i32 i64", range_),
)
