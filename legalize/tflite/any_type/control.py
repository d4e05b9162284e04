"""IF, WHILE and their like in StableHLO: COND_IF and WHILE_LOOP (2.16), or without control flow where none may be left.

Flattened, both branches are computed and SELECT chooses, and a loop becomes as many rounds as its condition, which has
to be known, says.
"""

from collections.abc import Callable, Sequence

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import cond_if, while_loop
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

MOST = 1 << 17  # operators that a loop may become


def conditional(match: Match) -> Sequence[Value]:
    """IF; where the condition is known, one of its graphs."""
    return _chosen(match, match[0], 0, 1, _operands(match)[1:])


def case(match: Match) -> Sequence[Value]:
    """STABLEHLO_CASE: the graph of that number, the last one for any that there isn't."""
    last = len(match.op.regions) - 1
    inputs, index = _operands(match)[1:], match[0]

    def from_branch(branch: int, builder: Builder) -> Sequence[Value]:
        if branch == last:
            return match.within(last, inputs, builder)
        here = builder.binary(ops.EQUAL, index, builder.scalar(branch, index))
        return _either(
            match,
            builder,
            here,
            lambda inner: match.within(branch, inputs, inner),
            lambda inner: from_branch(branch + 1, inner),
        )

    if last < 0:
        raise Decline("it has no graphs")
    return from_branch(0, match.builder)


def loop(match: Match) -> Sequence[Value]:
    """WHILE: values that its body gives back as they are stay outside, where constants are known."""
    start, body = _operands(match), match.op.regions[1] if len(match.op.regions) == 2 else None
    if body is None:
        raise Decline("its graphs aren't there")
    if len(body.inputs) != len(body.outputs) or len(start) != len(body.inputs):
        raise Decline(f"{len(start)} operands for a body of {len(body.inputs)} inputs and {len(body.outputs)} outputs")
    if match.options.flatten:
        return _unrolled(match, start)
    carried = [i for i, (old, new) in enumerate(zip(body.inputs, body.outputs, strict=True)) if old is not new]

    def values(now: Sequence[Value]) -> list[Value]:
        full = list(start)
        for i, value in zip(carried, now, strict=True):
            full[i] = value
        return full

    def step(builder: Builder, now: Sequence[Value]) -> list[Value]:
        made = match.within(1, values(now), builder)
        for i, value in zip(carried, now, strict=True):
            if made[i].type[:2] != value.type[:2]:
                raise Decline(f"value {i} of its loop is {value.type} in one round and {made[i].type} in the next")
        return [made[i] for i in carried]

    last = while_loop(
        match.builder, [start[i] for i in carried], lambda inner, now: _test(match, values(now), inner), step
    )
    return values(last)


def _operands(match: Match) -> list[Value]:
    found = match.inputs
    if any(value is None for value in found):
        raise Decline("an operand is missing")
    return [value for value in found if value is not None]


def _test(match: Match, values: Sequence[Value], builder: Builder) -> Value:
    made = match.within(0, values, builder)
    if len(made) != 1 or made[0].type.dtype is not DType.BOOL:
        raise Decline("its condition isn't one bool")
    return _single(made[0])


def _single(condition: Value) -> Value:
    if condition.type.elements != 1:
        raise Decline(f"its condition is {condition.type}, not of one element")
    return condition


def _unrolled(match: Match, start: Sequence[Value]) -> list[Value]:
    """The rounds of a loop in a row."""
    values, builder = list(start), match.builder
    begin = len(builder.graph.ops)
    while True:
        test = _test(match, values, builder).constant
        if test is None:
            raise Decline(
                "only the run knows how many rounds its loop has, which without EXT-CONTROLFLOW can't be kept"
            )
        if not test.reshape(-1)[0]:
            return values
        values = match.within(1, values)
        if len(builder.graph.ops) - begin > MOST:
            raise Decline(f"its rounds in a row are more than {MOST} operators")


def _chosen(match: Match, condition: Value, then: int, otherwise: int, inputs: Sequence[Value]) -> Sequence[Value]:
    return _either(
        match,
        match.builder,
        condition,
        lambda builder: match.within(then, inputs, builder),
        lambda builder: match.within(otherwise, inputs, builder),
    )


Branch = Callable[[Builder], Sequence[Value]]


def _either(match: Match, builder: Builder, condition: Value, then: Branch, otherwise: Branch) -> Sequence[Value]:
    """The results of one of two functions."""
    known = _single(condition).constant
    if known is not None:
        return (then if known.reshape(-1)[0] else otherwise)(builder)
    if not match.options.flatten:
        types: list[list[object]] = []

        def typed(branch: Branch) -> Branch:
            def made(inner: Builder) -> Sequence[Value]:
                values = branch(inner)
                types.append([value.type[:2] for value in values])
                _require_alike(types)
                return values

            return made

        return cond_if(builder, condition, typed(then), typed(otherwise))
    first, second = then(builder), otherwise(builder)
    _require_alike([[value.type[:2] for value in values] for values in (first, second)])
    return [a if a is b else builder.select(condition, a, b) for a, b in zip(first, second, strict=True)]


def _require_alike(types: Sequence[Sequence[object]]) -> None:
    if any(each != types[0] for each in types):
        given = " and ".join(", ".join(map(str, each)) for each in types)
        raise Decline(f"its graphs give values of other types: {given}")


REWRITES = (
    Rewrite("tfl.if", "bool", conditional),
    Rewrite("tfl.stablehlo_case", "i32", case),
    Rewrite("tfl.stablehlo_while", "", loop),
    Rewrite("tfl.while", "", loop),
)
