"""Common subexpression elimination: computes equal operators once, by value numbering of a graph."""

from collections.abc import Collection, Hashable

from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.ir.edit import inherit_name, substitute
from tosa_converter.rewriting.builder import SHARED_CONSTANT
from tosa_converter.rewriting.in_place import finish_in_place, replace_outputs
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef


class CommonSubexpressions:
    """The pass that replaces an operator by an earlier one with the same attributes and operands.

    Graphs of control flow are treated one by one. Operators with a state, a graph or a custom function are never equal.
    IDENTITYs stay, because they separate tensors, and so do RESCALEs that the target's compiler fuses with their
    readers.
    """

    name = "common-subexpressions"

    def run(self, model: Model, options: Options, _report: Report) -> Model:
        """Replaces repeated operators in the graphs of a model, and returns the same model.

        RESCALEs that the target's compiler fuses with their readers stay.
        """
        preset = options.target and options.target.preset
        outputs: dict[Value, Value] = {}
        for graph in model.graphs.values():
            _replace_repeats(graph, preset.joins if preset else frozenset(), outputs)
        finish_in_place(model, self.name, (), outputs)
        return model


def _replace_repeats(graph: Graph, fusing_operators: Collection[str], outputs: dict[Value, Value]) -> None:
    """Replaces repeated operators of a graph and its regions; `outputs` gets new graph outputs by old ones.

    A RESCALE that one of `fusing_operators` reads stays: the target's compiler joins both.
    """
    for op in graph.ops:
        for region in op.regions:
            _replace_repeats(region, fusing_operators, outputs)
    same = find_repeats(graph, fusing_operators)
    if same:
        replace_outputs(graph, graph.ops, same, outputs)


def find_repeats(graph: Graph, fusing_operators: Collection[str] = ()) -> dict[Value, Value]:
    """Returns repeated values with the earlier values of the same operator, attributes and operands.

    The graph's operators are changed to read the earlier values; repeated operators stay in the graph.

    Args:
        graph: the graph, which is changed.
        fusing_operators: names of operators whose RESCALE operands stay.
    """
    readers: dict[tuple[OpDef, Value | None], Op] = {}  # the first operator of a kind that reads a value first
    first_by_key: dict[Hashable, Op] = {}
    same: dict[Value, Value] = {}
    joined = (
        (value.producer for op in graph.ops if op.row.name in fusing_operators for value in op.operands)
        if fusing_operators
        else ()
    )
    fused_rescales = {op for op in joined if op is not None and op.row is ops.RESCALE}
    for op in graph.ops:
        if not op.inputs:
            continue
        if same and not same.keys().isdisjoint(op.inputs):
            op.inputs = substitute(op.inputs, same)
        # A key takes the text of all attributes, so an operator is numbered only if an earlier one of its kind has the
        # same first operand. Operands were replaced before: of relu(a + b) twice, the sums are one value when the
        # second RELU is looked up, and one round over the graph finds both.
        reader = readers.setdefault((op.row, op.inputs[0]), op)
        if reader is op or op.row.control or op.row is ops.IDENTITY or op in fused_rescales:
            continue
        first_by_key.setdefault(_value_number_key(reader), reader)
        first = first_by_key.setdefault(_value_number_key(op), op)
        if first is not op:
            for value, earlier in zip(op.results, first.results, strict=True):
                inherit_name(earlier, value)
                same[value] = earlier
    return same


def _value_number_key(op: Op) -> Hashable:
    """Returns a key that two operators share if they compute the same.

    Attributes are compared as text, which tells 0.0 from -0.0.
    """
    types = tuple([value.type for value in op.results])
    return op.row, repr(op.attributes), types, tuple([_operand_key(value) for value in op.inputs])


def _operand_key(value: Value | None) -> Hashable:
    """Returns a key that two operands share if they are equal: type and bytes of a small constant, else the value."""
    constant = None if value is None else value.constant
    if value is None or constant is None or constant.nbytes > SHARED_CONSTANT:
        return value
    return value.type, constant.tobytes()
