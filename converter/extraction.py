"""A part of a model as a model of its own: what lies between tensors of the main graph."""

from collections.abc import Iterable, Sequence

from tosa_converter.errors import UsageError
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.partition import Part, Whole
from tosa_converter.schemas import tosa_ops as ops

# What gives state that something outside of a part has written or declared.
HELD = frozenset({"tfl.read_variable", "tfl.var_handle", ops.VARIABLE_READ.opcode})


def extract(model: Model, inputs: Sequence[str], outputs: Sequence[str]) -> Model:
    """The operators of the main graph that compute some tensors from others, with their constants and graphs.

    Tensors that recurrent operators change go along, and begin anew.

    Args:
        model: of any opset.
        inputs: names of tensors to begin with; without any, the graph's inputs that are needed.
        outputs: names of tensors to end with; without any, the graph's outputs.

    Raises:
        UsageError: a name that no tensor of the main graph has; a tensor that the outputs need and that doesn't come
            from the inputs, or an input that they don't need or that is one of them; state that is outside.
    """
    graph = model.main
    named = {value.name: value for value in (*graph.inputs, *(value for op in graph.ops for value in op.results))}
    begin = [_value(model, named, name) for name in inputs] or graph.inputs
    end = [_value(model, named, name) for name in outputs] or graph.outputs
    given = [value.name for value in end if value in begin]
    if given:
        raise UsageError(f"nothing computes {given[0]!r} from itself: begin with others, or end with others")
    whole = Whole(model, {})
    mine = dict(zip(_values(graph), _values(whole.graph), strict=True))
    first, last = [mine[value] for value in begin], [mine[value] for value in end]
    numbers, read = _between(whole, first, last)
    unused = [value.name for value in first if value not in read]
    if inputs and unused:
        raise UsageError(f"{unused[0]!r} isn't needed for {', '.join(value.name for value in last)}")
    part = Part(sorted(numbers), [value for value in first if value in read], last)
    made = whole.piece(part).model
    made.source, made.states = model.source, {}
    return made


def _values(graph: Graph) -> list[Value]:
    return [*graph.inputs, *(value for op in graph.ops for value in op.results)]


def _value(model: Model, named: dict[str, Value], name: str) -> Value:
    if name in named:
        return named[name]
    others = [graph.name for graph in model.graphs.values() if name in {value.name for value in _inner(graph)}]
    where = f", it is one of graph {others[0]!r}" if others else ""
    raise UsageError(f"{model.source}: the main graph has no tensor {name!r}{where}")


def _inner(graph: Graph) -> Iterable[Value]:
    return (value for op in graph.walk() for value in op.results)


def _between(whole: Whole, first: Sequence[Value], last: Sequence[Value]) -> tuple[set[int], set[Value]]:
    """The numbers of the operators that the last tensors take from the first ones on, and all that these read."""
    stop, found, read, waiting = set(first), set[int](), set(last), list(last)
    for value in waiting:  # which grows meanwhile
        if value in stop:
            continue
        number = whole.makers.get(value)
        if number is None:
            raise UsageError(f"{value.name!r} is needed, an input of the model that isn't among those to begin with")
        op = whole.graph.ops[number]
        if number not in found and not whole.constant(number):
            _require_stateless(op)
            found.add(number)
            read.update(op.operands)
            waiting += op.operands
    return found, read


def _require_stateless(op: Op) -> None:
    if op.name in HELD:
        raise UsageError(f"{op.location or op.name} gives what an earlier run left: begin with what it gives")
