"""Stored weights on the ways out of TOSA: constants of a narrow type and the operators that expand them."""

from collections.abc import Callable, Sequence
from copy import copy

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, Value, plain_type
from tosa_converter.ir.edit import arrange, inherit_name, place_constants, replace_ops, replace_result, replace_values
from tosa_converter.rewriting.builder import SHARED_CONSTANT, compute_outputs
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.schemas import tosa_ops as ops

UNPACKING = (ops.LOGICAL_LEFT_SHIFT, ops.ARITHMETIC_RIGHT_SHIFT)
MOST_OPERATORS = 16  # of the expansion of weights, which has eight at most
GROWTH = 4
EXPANDING = frozenset({*UNPACKING, ops.CAST, ops.SUB, ops.MUL, ops.RESHAPE, ops.SLICE})

Restore = Callable[[Value, Sequence[Op]], Op | None]


def become_constant(_value: Value, _chain: Sequence[Op]) -> None:
    """Returns None, so that every expanded value becomes a constant: for formats that can't expand weights."""


class Expansions:
    """The pass that replaces operators which expand weights by an operator of the other format, or by a constant.

    It changes graphs in place.

    Args:
        restore: returns the operator on constants that computes an expanded value, which it is given with the operators
            of its expansion; None if the value becomes a constant.
    """

    name = "expansions"

    def __init__(self, restore: Restore = become_constant) -> None:
        """Creates the pass, which replaces expansions by the operators that `restore` returns, or by constants."""
        self.restore = restore

    def run(self, model: Model, _options: Options, report: Report, /) -> Model:
        """Replaces the expansions of every graph; a note says how many bytes became constants."""
        changed, grown = False, 0
        for graph in model.graphs.values():
            for inner in graph.walk_graphs():
                widen_i4(inner)
                count, bytes = self._replace_in_graph(inner)
                changed, grown = changed or count > 0, grown + bytes
        if grown:
            report.notes.append(Note(model.source or "the model", f"stored weights are expanded: {grown:,} bytes more"))
        return copy(model) if changed else model

    def _replace_in_graph(self, graph: Graph) -> tuple[int, int]:
        """Replaces expanded weights by the operators that `restore` returns for them, or else by constants.

        Returns the number of expanded values, and by how many bytes the constants grew.
        """
        chains = expansions(graph)
        replacements: dict[Op, list[Op]] = {}
        grown = 0
        for value, chain in chains.items():
            restored = self.restore(value, chain)
            if restored is None:
                elements = evaluate(value, chain)
                grown += elements.nbytes - sum(v.constant.nbytes for v in _constants(chain) if v.constant is not None)
                restored = Op(ops.CONST, (), [value.type], {"values": elements}, location=chain[-1].location)
            replacements[chain[-1]] = [replace_result(restored, value)]
        if replacements:
            replace_ops(graph, replacements)
            arrange(graph)
        return len(chains), grown


def expansions(graph: Graph) -> dict[Value, list[Op]]:
    """Returns the expanded weights that other operators read, each with the operators that compute it, in order.

    Weights are expanded if operators widen or unpack a stored constant (`_is_stored`). Graph outputs are left out.
    """
    constant: set[Value] = set()
    read: set[Value] = set()
    for op in graph.ops:
        if op.row in EXPANDING and all(value in constant or value.constant is not None for value in op.operands):
            constant.add(op.result)
        else:
            read.update(op.operands)
        read.update(value for region in op.regions for inner in region.walk() for value in inner.operands)
    chains: dict[Value, list[Op]] = {}
    read -= set(graph.outputs)
    positions = {op: i for i, op in enumerate(graph.ops)}
    for op in graph.ops:
        if len(op.results) == 1 and op.result in constant and op.result in read:
            chain = sorted(_operators_before(op), key=positions.__getitem__)
            if len(chain) <= MOST_OPERATORS and _is_stored(op.result, chain):
                chains[op.result] = chain
    return chains


def _operators_before(op: Op) -> set[Op]:
    """Returns an operator and those that compute its operands from constants; the search ends beyond MOST_OPERATORS."""
    pending, chain = [op], set[Op]()
    while pending and len(chain) <= MOST_OPERATORS:
        op = pending.pop()
        if op.inputs and op not in chain:
            chain.add(op)
            pending += [value.producer for value in op.operands if value.producer is not None]
    return chain


def _is_stored(value: Value, chain: Sequence[Op]) -> bool:
    """Returns whether operators on constants expand weights: they widen them to floats, or unpack bytes.

    Every result has at most four times the elements of all constants, as four weights of 2 bits in a byte have. A
    product of [4096, 1] and [1, 4096] has 2048 times as many, and stays an operator. Values of up to 1 KB aren't
    weights.
    """
    if value.type.elements * value.type.dtype.numpy.itemsize <= SHARED_CONSTANT:
        return False
    most = GROWTH * sum(constant.type.elements for constant in _constants(chain))
    if any(op.result.type.elements > most for op in chain):
        return False
    widens = any(op.row is ops.CAST and op.result.type.dtype.is_float for op in chain)
    return widens or any(op.row in UNPACKING for op in chain)


def _constants(chain: Sequence[Op]) -> list[Value]:
    """Returns the constants that a chain reads."""
    return list(dict.fromkeys(value for op in chain for value in op.operands if value.constant is not None))


def evaluate(value: Value, chain: Sequence[Op]) -> Array:
    """Returns the elements of a value that the operators in `chain` compute from constants."""
    return compute_outputs(Graph("weights", (), [value], place_constants([value], chain)))[0]


def widen_i4(graph: Graph) -> None:
    """Replaces the constants of i4, which are weights and zero points of convolutions, by constants of i8.

    A zero point that a constant of i8 already holds is shared with it: rules for convolutions expect one constant for
    both zero points if they are equal.
    """
    constants = [op for op in graph.ops if op.row is ops.CONST]
    shared = {op.attributes["values"].tobytes(): op.result for op in constants if _is_zero_point(op.result, DType.I8)}
    wide: dict[Value, Value] = {}
    for op in constants:
        old, elements = op.result, op.attributes["values"]
        if old.type.dtype is DType.I4:
            new = Op(ops.CONST, (), [plain_type(DType.I8, old.type.static)], op.attributes, location=op.location).result
            inherit_name(new, old)
            wide[old] = shared.setdefault(elements.tobytes(), new) if _is_zero_point(old, DType.I4) else new
    if wide:
        replace_values(graph, wide)
        arrange(graph)


def _is_zero_point(value: Value, dtype: DType) -> bool:
    """Returns whether a constant has the form of a zero point of this type."""
    return value.type == plain_type(dtype, (1,))
