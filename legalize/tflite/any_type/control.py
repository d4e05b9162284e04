"""IF, WHILE and their like in StableHLO: COND_IF and WHILE_LOOP (2.16), or without control flow where none may be left.

Flattened, both branches are computed and SELECT chooses, and a loop becomes as many rounds as its condition, which has
to be known, says.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tosa_converter.ir import Op, TensorType
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.control import MAX_NESTING, cond_if, while_loop
from tosa_converter.rewriting.expr import Expr, elementwise, scalar, where
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

UNSURE = (ops.GATHER, ops.SCATTER, ops.INTDIV)  # operators that have no result for some operands
Branch: TypeAlias = Callable[[], Sequence[Expr]]


def conditional(match: Match) -> Sequence[Expr]:
    """IF; where the condition is known, one of its graphs."""
    inputs = match.operands[1:]
    return _either(match, match[0], lambda: match.within(0, inputs), lambda: match.within(1, inputs))


def case(match: Match) -> Sequence[Expr]:
    """STABLEHLO_CASE: the graph of that number, the last one for any that there isn't; halves are chosen between."""
    index, inputs, last = match[0], match.operands[1:], len(match.op.regions) - 1
    if last > 1:
        below = index < 0
        index = where(below, last, index)

    def among(first: int, end: int) -> Sequence[Expr]:
        if first == end:
            return match.within(first, inputs)
        middle = (first + end) // 2
        compare, bound = (ops.EQUAL, 0) if last == 1 else (ops.GREATER, middle + 1)
        lower = elementwise(compare, scalar(bound, index), index)
        return _either(match, lower, lambda: among(first, middle), lambda: among(middle + 1, end))

    return among(0, last)


def loop(match: Match) -> Sequence[Expr]:
    """WHILE: values that its body gives back as they are stay outside, where constants are known."""
    start, body = match.operands, match.op.regions[1]
    if _flat(match):
        return _unrolled(match, start)
    carried = [i for i, (old, new) in enumerate(zip(body.inputs, body.outputs, strict=True)) if old is not new]

    def values(now: Sequence[Expr]) -> list[Expr]:
        full = list(start)
        for i, value in zip(carried, now, strict=True):
            full[i] = value
        return full

    def step(now: Sequence[Expr]) -> list[Expr]:
        made = match.within(1, values(now))
        for i, value in zip(carried, now, strict=True):
            if made[i].type[:2] != value.type[:2]:
                raise Decline(f"value {i} of its loop is {value.type} in one round and {made[i].type} in the next")
        return [made[i] for i in carried]

    last = while_loop([start[i] for i in carried], lambda now: _test(match, values(now)), step)
    return values(last)


def _test(match: Match, values: Sequence[Expr]) -> Expr:
    return _single(match.within(0, values)[0])


def _single(condition: Expr) -> Expr:
    if condition.size != 1:
        raise Decline(f"its condition is {condition.type}, not of one element")
    return condition


def _unrolled(match: Match, start: Sequence[Expr]) -> list[Expr]:
    """The rounds of a loop in a row."""
    values = list(start)
    while True:
        test = _test(match, values).constant
        if test is None:
            raise Decline(f"only the run knows how many rounds its loop has, which can't be kept {_reason(match)}")
        if not test.reshape(-1)[0]:
            return values
        values = match.within(1, values)


def _either(match: Match, condition: Expr, then: Branch, otherwise: Branch) -> Sequence[Expr]:
    """The results of one of two functions."""
    known = _single(condition).constant
    if known is not None:
        return (then if known.reshape(-1)[0] else otherwise)()
    if not _flat(match):
        types: list[list[TensorType]] = []

        def typed(branch: Branch) -> Branch:
            def made() -> Sequence[Expr]:
                values = branch()
                types.append([TensorType(*value.type[:2]) for value in values])
                _require_alike(types)
                return values

            return made

        return cond_if(condition, typed(then), typed(otherwise))
    begin = len(current().graph.ops)
    first, second = then(), otherwise()
    _tell(match, current().graph.ops[begin:])
    _require_alike([[TensorType(*value.type[:2]) for value in values] for values in (first, second)])
    return [a if a is b else _selected(condition, a, b) for a, b in zip(first, second, strict=True)]


def _tell(match: Match, made: Sequence[Op]) -> None:
    names = sorted({op.row.name for op in made if op.row in UNSURE})
    if names:
        match.note(f"both of its graphs are computed: {', '.join(names)} must be predictable in the other one too")


def _flat(match: Match) -> bool:
    """Whether control flow isn't to be left, or lies too deep for that."""
    return match.options.flatten or current().depth >= MAX_NESTING


def _reason(match: Match) -> str:
    return "without EXT-CONTROLFLOW" if match.options.flatten else f"{MAX_NESTING} deep (MAX_NESTING of level 8K)"


def _selected(condition: Expr, a: Expr, b: Expr) -> Expr:
    return where(condition.reshape((1,) * a.rank), a, b)


def _require_alike(types: Sequence[Sequence[TensorType]]) -> None:
    if any(each != types[0] for each in types):
        given = " and ".join(", ".join(map(str, each)) for each in types)
        raise Decline(f"its graphs give values of other types: {given}")


REWRITES = (
    Rewrite("tfl.if", "bool", conditional),
    Rewrite("tfl.stablehlo_case", "i32", case),
    Rewrite("tfl.stablehlo_while", "", loop),
    Rewrite("tfl.while", "", loop),
)
