"""The pass that sets entries of tensor lists by DYNAMIC_UPDATE_SLICE.

TensorFlow's converter writes tensor lists in loops: it sets an entry by a CONCATENATION of the entries before it, the
new one, and the entries behind it. These two SLICEs have sizes that only the run knows, which TOSA can't express.
DYNAMIC_UPDATE_SLICE computes the same without them.
"""

from collections.abc import Sequence

from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Value
from tosa_converter.ir.edit import clone_op, live_ops
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tflite import ActivationFunctionType

JOIN = {"axis": 0, "fused_activation_function": ActivationFunctionType.NONE}


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Returns the model with a DYNAMIC_UPDATE_SLICE wherever an entry of a tensor list is set, else the same model.

    TensorFlow's converter writes that as a CONCATENATION of SLICEs, whose sizes only the run knows.
    """
    if not any(_replacement_of_set(op) for graph in model.graphs.values() for op in graph.walk()):
        return model
    graphs: dict[Graph, Graph] = {}
    values: dict[Value, Value] = {}
    new = {name: _rebuild_graph(graph, graphs, values) for name, graph in model.graphs.items()}
    signatures = {name: signature.with_values({}, values) for name, signature in model.signatures.items()}
    return Model(new, signatures, model.metadata, model.source, model.default_shapes, model.opset)


def _rebuild_graph(graph: Graph, graphs: dict[Graph, Graph], values: dict[Value, Value]) -> Graph:
    """Returns a copy of a graph in which DYNAMIC_UPDATE_SLICE sets entries of tensor lists.

    `graphs` and `values` map objects of the source to their copies.
    """
    if graph not in graphs:
        new, sets_entries = Graph(graph.name, graph.inputs), False
        for op in graph.ops:
            if op.name in CONSTANTS:
                new.ops.append(op)
                continue
            entry = _replacement_of_set(op)
            sets_entries |= bool(entry)
            regions = [_rebuild_graph(region, graphs, values) for region in op.regions]
            for new_op in entry or [op]:
                inputs = [None if value is None else values.get(value, value) for value in new_op.inputs]
                new.ops.append(clone_op(new_op, inputs, regions))
                values.update(zip(new_op.results, new.ops[-1].results, strict=True))
            values.update(zip(op.results, new.ops[-1].results, strict=True))
        new.outputs = [values.get(value, value) for value in graph.outputs]
        if sets_entries:
            new.ops = live_ops(new)  # without the SLICEs around the entries
        graphs[graph] = new
    return graphs[graph]


def _replacement_of_set(op: Op) -> list[Op]:
    """Returns the operators that replace a CONCATENATION that sets an entry of a tensor list.

    They compute the start [index, 0, ...], then DYNAMIC_UPDATE_SLICE.

    Returns:
        An empty list for any other operator.
    """
    if op.name != "tfl.concatenation" or len(op.operands) != 3:
        return []
    before, after = op.operands[0].producer, op.operands[2].producer
    if before is None or after is None or not before.name == after.name == "tfl.slice" or op.attributes != JOIN:
        return []
    # x[:i], item, x[i + 1:] are SLICE of x from [0, 0] of size [i, -1], the item of shape [1, ...], and SLICE of x from
    # [i + 1, 0] of size [-1, -1], where -1 is all that is left.
    (tensor, begin, size), (other, start, rest) = before.operands, after.operands
    index, sizes = _split_vector(size)
    behind, zeros = _split_vector(start)
    item = op.operands[1]
    alike = tensor.type.quant == item.type.quant == op.result.type.quant
    fits = tensor is other and alike and item.type.shape[:1] == (1,)
    around = _all_equal(begin, 0) and _all_equal(rest, -1) and _all_equal(sizes, -1) and _all_equal(zeros, 0)
    if not fits or not around or not _is_increment_of(behind, index):
        return []
    vector = Op("tfl.concatenation", [index, *zeros], [begin.type], dict(JOIN), location=op.location)
    operands = [tensor, item, vector.result]
    name = op.result.name
    return [vector, Op("tfl.dynamic_update_slice", operands, [tensor.type], location=op.location, result_names=[name])]


def _split_vector(value: Value) -> tuple[Value, list[Value]]:
    """Returns the first and the other operands of a CONCATENATION that computes a vector; else (vector, [])."""
    op = value.producer
    joined = op is not None and op.name == "tfl.concatenation" and op.attributes == JOIN and op.operands
    return (op.operands[0], list(op.operands[1:])) if op is not None and joined else (value, [])


def _all_equal(values: Value | Sequence[Value], number: int) -> bool:
    """Returns whether all elements of one or several values are constant and equal a number."""
    arrays = [value.constant for value in ([values] if isinstance(values, Value) else values)]
    return all(array is not None and (array == number).all() for array in arrays)


def _is_increment_of(behind: Value, index: Value) -> bool:
    """Returns whether an ADD computes `behind` as index + 1, RESHAPEs aside, as the counter of a loop does."""
    op = _skip_reshape(behind).producer
    if op is None or op.name != "tfl.add" or len(op.operands) != 2:
        return False
    a, b = op.operands
    return any(_skip_reshape(x) is _skip_reshape(index) and _all_equal(step, 1) for x, step in ((a, b), (b, a)))


def _skip_reshape(value: Value) -> Value:
    """Returns the operand of the RESHAPE that computes a value; any other value itself."""
    op = value.producer
    return op.operands[0] if op is not None and op.name == "tfl.reshape" else value
