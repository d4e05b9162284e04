"""Integer operators that depend on one 8-bit value, element by element: one TABLE of 256 entries.

The entries are what the operators' own rules compute from all 256 values, so they are exact wherever those rules are.
A SiLU that is written as `MUL(x, LOGISTIC(x))` becomes a TABLE in place of a TABLE, three RESCALEs and a MUL. The form
is the same in every numerics: compilers for hardware look for TABLE as the form of every function of 8 bits.
"""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import LEFT, NARROW, VALUES
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.matchers import find_elementwise_group
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import Rule, rule

# Operators that compute element by element, and those among them whose result may be of 8 bits.
COMPARISONS = "equal greater greater_equal less less_equal not_equal logical_and logical_not logical_or"
TO_BYTES = (
    "mul abs add div elu exp gelu hard_swish leaky_relu log logistic maximum minimum neg prelu quantize relu relu6 "
    "relu_0_to_1 relu_n1_to_1 rsqrt select select_v2 sqrt squared_difference sub tanh"
)
LAST = tuple(f"tfl.{name}" for name in TO_BYTES.split())
MEMBERS = frozenset((*LAST, *(f"tfl.{name}" for name in COMPARISONS.split())))
TYPES = (*NARROW, DType.I16, DType.I32, DType.BOOL)


@rule(pattern(LAST, "x"), f"{BYTES} i16 bool")
def byte_island(m: Match) -> Expr:
    """Operators on one value of 8 bits -> TABLE, or CLAMP, or the value itself.

    Replaces a group of elementwise integer operators that depend on one 8-bit tensor by a look-up of their 256 results.
    A group whose conversion has notes, such as of undefined results, is declined, so that these stay at their
    operators.
    """
    m.require(m.op.results[0].type.dtype in NARROW, "expected a result of 8 bits")
    m.require(
        any(x.producer is not None and _is_member(x.producer) for x in m.op.operands),
        "expected an operand that is computed by an elementwise integer operator too",
    )
    source, ops = find_elementwise_group(m.op, _is_member, m.readers_of)
    m.require(
        len(ops) > 1,
        "expected several operators in a row: another operator reads its operand, or combines several elements",
    )
    m.require(
        source.type.dtype in NARROW and source.constant is None,
        f"expected the common operand {source.name!r} to have 8 bits, found {source.type}",
    )
    rank = source.type.rank
    m.require(
        all(x.type.rank <= rank for op in ops for x in op.operands), "expected constants of at most the operand's rank"
    )
    x = Expr(m.translate(source))
    inner = {m.translate(op.results[0]) for op in ops[:-1]}
    m.require(inner != {x.value}, "expected operators before it that change elements")
    values = VALUES.astype(np.int8).reshape((1,) * (rank - 1) + (-1,))
    results, notes = m.evaluate(ops, {source: values})
    # LEFT only notes that XNNPACK has no kernel, which stays true for the TABLE.
    m.require(not notes - {LEFT}, "; ".join(notes))
    return _emit_lookup(x, results.reshape(-1))


def _is_member(op: Op) -> bool:
    """Returns whether an operator computes element by element on integers, so that a TABLE may replace it."""
    return op.name in MEMBERS and all(x.type.dtype in TYPES for x in (*op.operands, *op.results))


def _emit_lookup(x: Expr, results: Array) -> Expr:
    """Emits the look-up of 256 results in x: a CLAMP if each is the stored value clamped to a range, else a TABLE."""
    low, high = int(results.min()), int(results.max())
    if np.array_equal(results, np.clip(VALUES, low, high)):
        return clamp(x, low, high)
    return operators.table(x, results)


RULES: tuple[Rule, ...] = (byte_island,)
