"""Moves the layout of stored weights in front of what expands them, where it is computed at conversion.

With `weights="stored"` weights are CONST, CAST, SUB and MUL. A RESHAPE or TRANSPOSE behind these becomes one of the
constant and of its scales, and a GATHER reads rows of the constant, so that only those are expanded.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from tosa_converter.ir import Op, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

Change: TypeAlias = Callable[[Expr], Expr]
SCALING = (ops.MUL, ops.SUB)
EXPANDING = (ops.CAST, ops.RESHAPE, *SCALING)
MOST_OPERATORS = 8


@rule(pattern((ops.RESHAPE, ops.TRANSPOSE, ops.GATHER), "weights"))
def layout_of_weights(m: Match) -> Expr:
    """RESHAPE, TRANSPOSE or GATHER of CAST(CONST), SUB and MUL -> these operators on constants in that layout."""
    weights, row = m.source("weights"), m.op.row
    chain = expansion_of(weights)
    m.require(chain, "{weights} isn't expanded from a constant")
    if row is ops.GATHER:
        return _expand(chain, partial(_gather_rows, Expr(m.op.operands[1])))
    # Another reader would keep the constant in its first layout, so that there are two. GATHER reads the same one.
    m.require(m.only_reader("weights"), "another operator reads {weights}")
    if row is ops.TRANSPOSE:
        perms = m.op.attributes["perms"]
        return _expand(chain, lambda x: x.transpose(perms))
    return _expand(chain, reshape_broadcast(weights.type.static, m.op.result.type.static))


def expansion_of(value: Value) -> list[Op]:
    """Returns the operators that expand a constant to this value, the last one first; [] if it isn't expanded.

    They are CAST, RESHAPE, and SUB and MUL by constants. Real weights take five of them at most.
    """
    chain: list[Op] = []
    while value.constant is None:
        op = value.producer
        if op is None or op.row not in EXPANDING or len(chain) == MOST_OPERATORS:
            return []
        if op.row in SCALING and op.operands[1].constant is None:
            return []
        chain.append(op)
        value = op.operands[0]
    return chain


def _expand(chain: Sequence[Op], change: Change) -> Expr:
    """Emits the operators of an expansion again, on constants changed by `change`, and returns the result.

    A parameter that broadcasts, such as a scale, is changed in the shape in which it broadcasts. `changes` has the
    change at each point of the chain.
    """
    # From the last operator to the first: in front of a RESHAPE, a constant is reshaped before it is changed.
    changes = [change]
    for op in chain:
        if op.row is ops.RESHAPE:
            changes.append(_after(reshape_broadcast(op.operands[0].type.static, op.result.type.static), changes[-1]))
        else:
            changes.append(changes[-1])
    x = changes[-1](Expr(chain[-1].operands[0]))
    for op, changed in zip(reversed(chain), reversed(changes[:-1]), strict=True):
        if op.row is ops.CAST:
            x = x.cast(op.result.type.dtype)
        elif op.row in SCALING:
            parameter = changed(Expr(op.operands[1]))
            x = x * parameter if op.row is ops.MUL else x - parameter
    return x


def _after(first: Change, second: Change) -> Change:
    """Returns the function that applies two changes of a tensor, in this order."""
    return lambda x: second(first(x))


def reshape_broadcast(before: tuple[int, ...], after: tuple[int, ...]) -> Change:
    """Returns the RESHAPE of a tensor that broadcasts to `before`, where only dimensions of size 1 come or go.

    Example: from [64, 96] to [64, 1, 1, 96], scales [64, 1] become [64, 1, 1, 1].

    Raises:
        Decline: dimensions are split or merged.
    """
    long = [axis for axis, size in enumerate(before) if size != 1]
    if [before[axis] for axis in long] != [size for size in after if size != 1]:
        raise Decline(f"expected dimensions of size 1 only to change, found {list(before)} and {list(after)}")

    def reshape(x: Expr) -> Expr:
        """Returns x, which broadcasts to `before`, in the shape that broadcasts to `after` in the same way."""
        axes = iter(long)
        return x.reshape([1 if size == 1 else x.shape[next(axes)] for size in after])

    return reshape


def _gather_rows(indices: Expr, x: Expr) -> Expr:
    """Returns the rows of x [N, K, C] at the indices; x itself if K is 1, as for a scale that all rows share."""
    if x.shape[1] == 1:
        return x
    if x.shape[0] != indices.shape[0]:
        raise Decline(f"expected {indices.shape[0]} tables, found {x.shape[0]}")
    return gather(x, indices)


WEIGHT_LAYOUT = InPlacePass("weight-layout", (layout_of_weights,), partial(Builder, stored_weights=True))
