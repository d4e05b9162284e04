"""IF, WHILE and their like in StableHLO: COND_IF and WHILE_LOOP (2.16), or without control flow where none may be left.

Flattened, both branches are computed and SELECT chooses; a loop becomes as many rounds as its condition says, which
has to be constant in each.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tosa_converter.ir import Op, TensorType
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.control import MAX_NESTING, cond_if, while_loop
from tosa_converter.rewriting.expr import Expr, scalar, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops

UNPREDICTABLE = (ops.GATHER, ops.SCATTER, ops.INTDIV)  # operators that have no result for some operands
Branch: TypeAlias = Callable[[], Sequence[Expr]]


def conditional(match: Match) -> Sequence[Expr]:
    """Lowers IF to COND_IF; a constant condition chooses one of the two graphs at conversion."""
    inputs = match.operands[1:]
    return _branch(
        match, match[0], lambda: match.translate_region(0, inputs), lambda: match.translate_region(1, inputs)
    )


def case(match: Match) -> Sequence[Expr]:
    """Lowers CASE to nested COND_IFs: an index out of range chooses the last graph."""
    # Five graphs take at most three comparisons: index 3 isn't below 3 but below 4, which leads to graph 3. An index
    # above the last one fails every comparison, which leads to the last graph; a negative index is replaced by the
    # last.
    index, inputs, last = match[0], match.operands[1:], len(match.op.regions) - 1
    if last > 1:
        index = where(index < 0, last, index)

    def choose(first: int, end: int) -> Sequence[Expr]:
        """Returns the results of the graph that the index chooses, one of `first` to `end`, found by bisection."""
        if first == end:
            return match.translate_region(first, inputs)
        middle = (first + end) // 2
        # Of two graphs, 0 chooses the first and any other index the last, so no index has to be replaced.
        is_lower = scalar(0, index) == index if last == 1 else index < middle + 1
        return _branch(match, is_lower, lambda: choose(first, middle), lambda: choose(middle + 1, end))

    return choose(0, last)


def loop(match: Match) -> Sequence[Expr]:
    """Lowers WHILE to WHILE_LOOP; values that the body returns unchanged stay outside, so constants remain constant."""
    start, body = match.operands, match.op.regions[1]
    if _is_flattened(match):
        return _unroll(match, start)
    carried = [i for i, (old, new) in enumerate(zip(body.inputs, body.outputs, strict=True)) if old is not new]

    def all_values(carried_values: Sequence[Expr]) -> list[Expr]:
        """Returns all values of the WHILE loop: those that stay, and `carried_values` for those that change."""
        values = list(start)
        for i, value in zip(carried, carried_values, strict=True):
            values[i] = value
        return values

    def step(carried_values: Sequence[Expr]) -> list[Expr]:
        """Returns the changing values after a round of the body, whose types must stay the same."""
        results = match.translate_region(1, all_values(carried_values))
        for i, value in zip(carried, carried_values, strict=True):
            if results[i].type[:2] != value.type[:2]:  # element type and shape
                raise Decline(
                    f"expected loop value {i} to keep its type {value.type}, found {results[i].type} after a round"
                )
        return [results[i] for i in carried]

    last = while_loop([start[i] for i in carried], lambda values: _condition(match, all_values(values)), step)
    return all_values(last)


def _condition(match: Match, values: Sequence[Expr]) -> Expr:
    """Translates the graph of WHILE's condition for these loop values, and returns its result of one element."""
    return _single_element(match.translate_region(0, values)[0])


def _single_element(condition: Expr) -> Expr:
    """Returns the condition, or declines one of several elements."""
    if condition.size != 1:
        raise Decline(f"expected a condition of one element, found {condition.type}")
    return condition


def _unroll(match: Match, start: Sequence[Expr]) -> list[Expr]:
    """Emits a loop's rounds one after the other until its condition is a constant false; returns the final values.

    Raises:
        Decline: the condition isn't constant.
    """
    values = list(start)
    while True:
        is_true = _condition(match, values).constant
        if is_true is None:
            raise Decline(
                f"expected a constant number of rounds: the loop must be unrolled {_flattening_reason(match)}"
            )
        if not is_true.reshape(-1)[0]:
            return values
        values = match.translate_region(1, values)  # graph 1 is the body


def _branch(match: Match, condition: Expr, then: Branch, otherwise: Branch) -> Sequence[Expr]:
    """Returns the results of IF: of one branch if the condition is constant, else of COND_IF, or of SELECT."""
    elements = _single_element(condition).constant
    if elements is not None:
        return (then if elements.reshape(-1)[0] else otherwise)()
    return (
        _select_branch(match, condition, then, otherwise)
        if _is_flattened(match)
        else _emit_cond_if(condition, then, otherwise)
    )


def _emit_cond_if(condition: Expr, then: Branch, otherwise: Branch) -> Sequence[Expr]:
    """Emits a COND_IF with both branches and returns its results; declines branches whose result types differ."""
    types: list[list[TensorType]] = []  # of the results of each branch built so far

    def with_type_check(branch: Branch) -> Branch:
        """Returns `branch` with a check of its result types, which are appended to `types`."""

        def results() -> Sequence[Expr]:
            """Returns the results of `branch`; declines if their types differ from those of the branch built before."""
            values = branch()
            types.append([TensorType(*value.type[:2]) for value in values])
            _require_same_types(types)
            return values

        return results

    return cond_if(condition, with_type_check(then), with_type_check(otherwise))


def _select_branch(match: Match, condition: Expr, then: Branch, otherwise: Branch) -> Sequence[Expr]:
    """Computes both branches of IF without control flow, and chooses between their results by SELECT."""
    begin = len(current().graph.ops)
    pair = then(), otherwise()
    _note_unpredictable(match, current().graph.ops[begin:])
    _require_same_types([[TensorType(*value.type[:2]) for value in values] for values in pair])
    return [a if a is b else where(condition.reshape((1,) * a.rank), a, b) for a, b in zip(*pair, strict=True)]


def _note_unpredictable(match: Match, emitted: Sequence[Op]) -> None:
    """Adds a note if branches that both run now contain GATHER, SCATTER or INTDIV, which may be unpredictable there."""
    names = sorted({op.row.name for op in emitted if op.row in UNPREDICTABLE})
    if names:
        match.note(
            f"both branches run and a SELECT chooses: {', '.join(names)} must be "
            "predictable in the branch not taken too"
        )


def _is_flattened(match: Match) -> bool:
    """Returns whether control flow must be replaced: the target lacks it, or it is nested too deep."""
    return match.options.flatten or current().depth >= MAX_NESTING


def _flattening_reason(match: Match) -> str:
    """Returns why WHILE must be unrolled, as the end of an error message."""
    return (
        "because the target lacks EXT-CONTROLFLOW"
        if match.options.flatten
        else f"because it is nested {MAX_NESTING} levels deep (MAX_NESTING of level 8K)"
    )


def _require_same_types(branches: Sequence[Sequence[TensorType]]) -> None:
    """Declines IF if the results of its branches, given by their types, differ in type."""
    if any(types != branches[0] for types in branches):
        listed = " and ".join(", ".join(map(str, types)) for types in branches)
        raise Decline(f"expected branches with results of the same types, found {listed}")


RULES = (
    Rule("tfl.if", "bool", conditional),
    Rule("tfl.stablehlo_case", "i32", case),
    Rule("tfl.stablehlo_while", "", loop),
    Rule("tfl.while", "", loop),
)
