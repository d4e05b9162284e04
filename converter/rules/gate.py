"""The gate before everything that executes or writes a graph: it has been verified, and hasn't changed since.

It asks for less than `verify` does by default, for a graph may be run without being meant for any hardware: every
profile, extension and version will do, and level none (chapter 1.7), whose limits bind everybody. A REQUIRE that
constants violate passes: the operator may never run, and where it does the executor says so.
"""

from collections.abc import Collection
from operator import is_
from typing import Any, NamedTuple

from tosa_converter.ir import Graph, Model
from tosa_converter.rules.conditions import UNKNOWN_DIMENSIONS
from tosa_converter.rules.graph import find_problems, verify_error
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tosa_target import EXTENSIONS, LEVEL_NONE, PROFILES, VERSION

# Later than every release of this major version, so that no operator or type is too new for it.
_ANY_MINOR = (VERSION[0], 1 << 15, 0)
EVERYTHING = Target(PROFILES, tuple(extension.name for extension in EXTENSIONS), LEVEL_NONE, _ANY_MINOR)
# No condition is about the elements of a longer constant: two amounts of padding for each of 32 dimensions.
_JUDGED_ELEMENTS = 64


class _State(NamedTuple):
    """What the verifier saw of a graph: objects, which are compared by identity, and the bytes of short constants."""

    objects: list[Any]
    elements: list[bytes]


def require_legal(model: Model | Graph, *, unknown_dims: bool = False) -> None:
    """Raises VerifyError if a graph is illegal; one that passed before and hasn't changed since isn't verified again.

    A change is another value, operator, operand, type or attribute, or another element of a constant of up to 64
    elements. Looking for changes takes a twentieth of the time of verifying.

    Args:
        model: a model or graph.
        unknown_dims: let tensors pass whose dimensions are unknown, and operators that read them.

    Raises:
        VerifyError: with every condition that is violated.
    """
    if all(map(_is_unchanged, _graphs_of(model))):
        return
    problems = [problem for problem in find_problems(model, target=EVERYTHING) if problem.kind != "require"]
    unknown = [problem for problem in problems if problem.condition.startswith(UNKNOWN_DIMENSIONS)]
    if len(problems) > len(unknown) or (unknown and not unknown_dims):
        raise verify_error(problems)
    if not unknown:
        remember_legal(model)


def remember_legal(model: Model | Graph) -> None:
    """Marks a model's graphs, as they are now, as verified, so that `require_legal` needn't verify them again."""
    for graph in _graphs_of(model):
        graph.verified = _describe_state(graph)


def _graphs_of(model: Model | Graph) -> Collection[Graph]:
    """Returns the graphs of a model, or the graph itself as the only one."""
    return (model,) if isinstance(model, Graph) else model.graphs.values()


def _is_unchanged(graph: Graph) -> bool:
    """Returns whether a graph was verified and the verifier would see the same now.

    Objects are compared by identity, short constants by their bytes.
    """
    if graph.verified is None:
        return False
    (objects, elements), state = graph.verified, _describe_state(graph)
    return len(objects) == len(state.objects) and all(map(is_, objects, state.objects)) and elements == state.elements


def _describe_state(graph: Graph) -> _State:
    """Returns what the verifier sees of a graph and its regions, to find changes later."""
    state = _State([], [])
    _add_to_state(graph, state)
    return state


def _add_to_state(graph: Graph, state: _State) -> None:
    """Adds what the verifier sees of a graph and its regions to `state`; of constants, the elements of short ones."""
    objects, elements = state
    # None ends each list: else moving a value from the inputs to the outputs could leave the sequence as it was. The
    # list keeps its objects alive, so no new one takes the place of an old one in memory and passes as the same.
    objects += *graph.inputs, None, *graph.outputs, None
    objects += [value.type for value in graph.inputs]
    for op in graph.ops:
        attributes = op.attributes
        objects += op, op.row, op.inputs, op.results, op.regions, *attributes, *attributes.values()
        for value in op.results:
            objects += value.type, value.producer
        values = attributes.get("values")
        if values is not None and values.size <= _JUDGED_ELEMENTS:
            elements.append(values.tobytes())
        for region in op.regions:
            _add_to_state(region, state)
