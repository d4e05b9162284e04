"""A TFLite model in pieces, which LiteRT runs one after another: each with kernels that compute its operators.

An operator whose kernels disagree (formats/tflite/kernels.py), or that a set of kernels lacks, is a piece with others
of its kind; what lies before and behind it are pieces as well. What an operator keeps from run to run stays in a piece.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.engines.engine import Judge
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import encode
from tosa_converter.formats.tflite.kernels import NUMPY, OPTIMIZED
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.ir.edit import cut_out, extras_of_clones
from tosa_converter.rewriting.signatures import reachable_graphs
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tfl_ops import COUNTING, GRAPHS, STATE
from tosa_converter.schemas.tflite import BlockwiseQuantization, MultiAxisQuantization

_STATE_TYPES = (DType.RESOURCE, DType.VARIANT)


class Piece(NamedTuple):
    """Operators as a file's bytes, the name of the kernels that run them, and their inputs and outputs in the model.

    Inputs and outputs are in the file's order. `content` is b"" if numpy computes the operators, and if the piece is
    the whole model.
    """

    content: bytes
    kernels: str
    inputs: Sequence[Value]
    outputs: Sequence[Value]
    ops: Sequence[Op] = ()


class Plan(NamedTuple):
    """How a model runs: its pieces, and the operators that run with other kernels than the engine's own."""

    pieces: Sequence[Piece]
    judges: tuple[Judge, ...]


def make_plan(model: Model, kernels: str, judge: Callable[[Op], Judge | None]) -> Plan:
    """Returns how a TFLite model runs: whole, or split into pieces where operators need other kernels.

    A model that can't be split runs whole in LiteRT's optimized kernels, if all those operators need these.

    A model that can't be split runs whole in LiteRT's optimized kernels, if these are what the operators need.

    Args:
        model: a TFLite model.
        kernels: the name of the engine that runs all other operators.
        judge: returns the kernels that an operator needs instead, with the reason; None if it needs none.

    Raises:
        UnsupportedError: no kernels run the operators, and the model can't be split around them.
    """
    judged = {op: row for op in model.main.ops if (row := judge(op)) is not None}
    called_ops = [op for name in reachable_graphs(model, model.main.name)[1:] for op in model.graphs[name].walk()]
    judged_inside = [row for op in called_ops if (row := judge(op)) is not None]
    rows = (*judged.values(), *judged_inside)
    if not rows:
        return Plan([_model_as_piece(model, kernels)], ())
    obstacle = _reason_against_split(model, judged_inside)
    pieces = [] if obstacle else split_into_pieces(model, kernels, judged)
    if pieces:
        return Plan(pieces, rows)
    obstacle = obstacle or "it shares state with what lies before and behind it"
    unsplittable = next((row for row in rows if row.kernels != OPTIMIZED), None)
    if unsplittable is not None:
        subject = f"{unsplittable.place}: no kernels of LiteRT judge {unsplittable.operator}"
        raise UnsupportedError(f"{subject}: {unsplittable.reason}; {obstacle}")
    row = replace(rows[0], operator="", reason=f"{rows[0].reason}; {obstacle}")
    return Plan([_model_as_piece(model, OPTIMIZED)], (row,))


def _reason_against_split(model: Model, inner: Sequence[Judge]) -> str:
    """Returns why a model can't be split into pieces, or "". Shared state, another reason, isn't checked here.

    `inner` are the operators of called graphs that need other kernels.
    """
    if inner:
        return "it is in a graph that another operator calls"
    # Extras have the quantization that the reader doesn't represent, and that a piece's file can't have. Blocks of int4
    # and int2, which it does represent, are part of a value's type.
    for value, extra in model.extras.items():
        if isinstance(extra, BlockwiseQuantization | MultiAxisQuantization):
            assert isinstance(value, Value)
            kind = "blockwise" if isinstance(extra, BlockwiseQuantization) else "multi-axis"
            return f"tensor {value.name!r} has {kind} quantization of {value.type.dtype.value}, which no piece can have"
    return ""


def _model_as_piece(model: Model, kernels: str) -> Piece:
    """Returns the whole model as one piece, without bytes: LiteRT loads the model's own file."""
    return Piece(b"", kernels, model.main.inputs, model.main.outputs)


def split_into_pieces(model: Model, kernels: str, judges: Mapping[Op, Judge]) -> list[Piece]:
    """Returns the main graph in pieces, in the order in which they run; [] if shared state forbids a split.

    Args:
        model: a TFLite model.
        kernels: the name of the engine that runs all other operators.
        judges: operators of the main graph with kernels of their own.
    """
    graph = model.main
    computing_ops = [op for op in graph.ops if not op.declares]
    kernels_of = {op: judges[op].kernels if op in judges else kernels for op in computing_ops}
    levels = _execution_levels(
        computing_ops, kernels_of, [group for group in _groups_sharing_state(model, computing_ops) if len(group) > 1]
    )
    if levels is None:
        return []
    groups: dict[tuple[int, str], list[Op]] = {}
    for op in computing_ops:
        groups.setdefault((levels[op], kernels_of[op]), []).append(op)
    shared_values = _values_between(graph, list(groups.values()))
    # No piece needs another of its level: an operator that reads one of other kernels has a higher number.
    return [_make_piece(model, groups[key], key[1], shared_values, judges) for key in sorted(groups)]


def _values_between(graph: Graph, groups: Sequence[Sequence[Op]]) -> set[Value]:
    """Returns the values that pass between groups of operators, and the graph's outputs: the outputs of pieces."""
    between = set(graph.outputs)
    for group in groups:
        results = {value for op in group for value in op.results}
        between.update(value for op in group for value in op.operands if value not in results)
    return between


def _execution_levels(ops: Sequence[Op], kernels: Mapping[Op, str], groups: Sequence[set[Op]]) -> dict[Op, int] | None:
    """Returns a level for each operator; pieces run in the order of their levels. None if shared state allows no order.

    On a path through the graph the level grows by 1 wherever the kernels change. The operators of each of `groups`,
    which share state, have one level and must have the same kernels.
    """
    # A chain a b c with kernels K L K has the levels 0 1 2. If a and c share state, both become 2, b 3, a and c 4: more
    # than 3 operators, so there is no order. Levels only grow, and end at len(ops), so at most len(ops)**2 rounds
    # change one. Without state one round does, since operators stand behind what they read.
    levels = dict.fromkeys(ops, 0)
    while True:
        before = dict(levels)
        for op in ops:
            producers = [v.producer for v in op.operands if v.producer in levels]
            levels[op] = max(
                [levels[op], *(levels[m] + (kernels[m] != kernels[op]) for m in producers if m is not None)]
            )
        for group in groups:
            levels.update(dict.fromkeys(group, max(map(levels.__getitem__, group))))
        if levels == before:
            return levels if all(len(set(map(kernels.__getitem__, group))) == 1 for group in groups) else None
        if max(levels.values()) > len(ops):
            return None


def _groups_sharing_state(model: Model, ops: Sequence[Op]) -> list[set[Op]]:
    """Returns sets of operators that share state, which LiteRT must run in one piece, since pieces share no memory.

    Operators share a tensor or variable that they use. An operator that calls graphs with state may share it with every
    operator that keeps state.
    """
    groups: list[set[Op]] = []
    by_key: dict[Any, set[Op]] = {}  # the users of a tensor or variable; "" stands for any state that graphs may use
    called = {op for op in ops if _calls_state(model, op)}
    for op in ops:
        for value in (*op.operands, *op.results):
            is_variable = value.producer is not None and value.producer.name == VARIABLE
            if value.type.dtype in _STATE_TYPES or is_variable:
                by_key.setdefault(value, set()).add(op)
        if op.name == "tfl.var_handle":
            key = (op.attributes.get("container"), op.attributes.get("shared_name"))
            by_key.setdefault(key, set()).add(op)
        if called and op.name in STATE - COUNTING:
            by_key.setdefault("", called).add(op)
    for members in by_key.values():
        # Sets that meet become one: {a, b} and {c, d} with members {b, c} are {a, b, c, d}.
        shared = [group for group in groups if not group.isdisjoint(members)]
        groups = [group for group in groups if group not in shared] + [members.union(*shared)]
    return [*groups, called] if called and "" not in by_key else groups


def _calls_state(model: Model, op: Op) -> bool:
    """Returns whether an operator calls graphs (IF, WHILE and the like) with operators that keep state.

    Random number generators (COUNTING) don't matter: their state only counts their calls.
    """
    if op.name not in GRAPHS:
        return False
    # A graph named "" with the operator alone, so that the others are the graphs that it calls.
    names = reachable_graphs(Model({**model.graphs, "": Graph("", ops=[op])}, opset="tfl"), "")[1:]
    return any(inner.name in STATE - COUNTING for name in names for inner in model.graphs[name].walk())


def _make_piece(
    model: Model, group: Sequence[Op], kernels: str, shared: Collection[Value], judges: Mapping[Op, Judge]
) -> Piece:
    """Returns a piece: the operators of `group` as a file, with their constants; outputs are the results in `shared`.

    Operators in `judges` get the options that their other kernels need. Operators that numpy computes need no file.
    """
    results = {value for op in group for value in op.results}
    read = dict.fromkeys(value for op in group for value in op.operands)
    constants = {value.producer for value in read if value.producer is not None and value.producer.declares}
    inputs = [value for value in read if value not in results and value.producer not in constants]
    outputs = [value for op in group for value in op.results if value in shared]
    if kernels == NUMPY:
        return Piece(b"", kernels, inputs, outputs, group)
    members = {*constants, *group}
    ops = [op for op in model.main.ops if op in members]
    graph, values = cut_out(model.main.name, ops, inputs, outputs)
    for op, clone in zip(ops, graph.ops, strict=True):
        if op in judges:
            clone.attributes = {**clone.attributes, **dict(judges[op].options)}
    part = Model({**model.graphs, graph.name: graph}, opset="tfl")
    if len(reachable_graphs(part, graph.name)) == 1:  # it calls no other graphs
        part.graphs = {graph.name: graph}
    part.extras = extras_of_clones(model, {**values, **dict(zip(ops, graph.ops, strict=True))})
    return Piece(b"".join(map(bytes, encode(part, ".tflite"))), kernels, inputs, outputs)
