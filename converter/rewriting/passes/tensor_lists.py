"""The pass that sets entries of tensor lists in place.

TensorFlow's converter leaves tensor lists in loops: to set an entry, it joins it with those around it. The two parts
around, SLICEs at a run-time index, have sizes that only the run knows. DYNAMIC_UPDATE_SLICE does the same without them.
"""

from collections.abc import Sequence

from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Value
from tosa_converter.ir.edit import clone_op, live_ops
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tflite import ActivationFunctionType

JOIN = {"axis": 0, "fused_activation_function": ActivationFunctionType.NONE}


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Returns the model with a DYNAMIC_UPDATE_SLICE for every entry that is set."""
    if not any(_entry(op) for graph in model.graphs.values() for op in graph.walk()):
        return model
    graphs: dict[Graph, Graph] = {}
    values: dict[Value, Value] = {}
    new = {name: _rebuilt(graph, graphs, values) for name, graph in model.graphs.items()}
    signatures = {name: signature.moved({}, values) for name, signature in model.signatures.items()}
    return Model(new, signatures, model.metadata, model.source, model.default_shapes, model.opset)


def _rebuilt(graph: Graph, graphs: dict[Graph, Graph], values: dict[Value, Value]) -> Graph:
    """Returns a graph with entries set in place; `graphs` and `values` are new ones by old ones."""
    if graph not in graphs:
        new, sets_entries = Graph(graph.name, graph.inputs), False
        for op in graph.ops:
            if op.name in CONSTANTS:
                new.ops.append(op)
                continue
            entry = _entry(op)
            sets_entries |= bool(entry)
            regions = [_rebuilt(region, graphs, values) for region in op.regions]
            for step in entry or [op]:
                inputs = [None if value is None else values.get(value, value) for value in step.inputs]
                new.ops.append(clone_op(step, inputs, regions))
                values.update(zip(step.results, new.ops[-1].results, strict=True))
            values.update(zip(op.results, new.ops[-1].results, strict=True))
        new.outputs = [values.get(value, value) for value in graph.outputs]
        if sets_entries:
            new.ops = live_ops(new)  # without the parts around
        graphs[graph] = new
    return graphs[graph]


def _entry(op: Op) -> list[Op]:
    """Returns what sets an entry: its start, [index, 0, ...], and DYNAMIC_UPDATE_SLICE; nothing of another operator."""
    if op.name != "tfl.concatenation" or len(op.operands) != 3:
        return []
    before, after = op.operands[0].producer, op.operands[2].producer
    if before is None or after is None or not before.name == after.name == "tfl.slice" or op.attributes != JOIN:
        return []
    (tensor, begin, size), (other, start, rest) = before.operands, after.operands
    index, sizes = _vector(size)
    behind, zeros = _vector(start)
    item = op.operands[1]
    alike = tensor.type.quant == item.type.quant == op.result.type.quant
    fits = tensor is other and alike and item.type.shape[:1] == (1,)
    around = _all(begin, 0) and _all(rest, -1) and _all(sizes, -1) and _all(zeros, 0)
    if not fits or not around or not _follows(behind, index):
        return []
    vector = Op("tfl.concatenation", [index, *zeros], [begin.type], dict(JOIN), location=op.location)
    operands = [tensor, item, vector.result]
    name = op.result.name
    return [vector, Op("tfl.dynamic_update_slice", operands, [tensor.type], location=op.location, result_names=[name])]


def _vector(value: Value) -> tuple[Value, list[Value]]:
    """Returns the first part of a vector that is joined, and what follows it."""
    op = value.producer
    joined = op is not None and op.name == "tfl.concatenation" and op.attributes == JOIN and op.operands
    return (op.operands[0], list(op.operands[1:])) if op is not None and joined else (value, [])


def _all(values: Value | Sequence[Value], number: int) -> bool:
    """Returns whether all elements of constant vectors equal a number."""
    arrays = [value.constant for value in ([values] if isinstance(values, Value) else values)]
    return all(array is not None and (array == number).all() for array in arrays)


def _follows(behind: Value, index: Value) -> bool:
    """Returns whether behind == index + 1."""
    op = _number(behind).producer
    if op is None or op.name != "tfl.add" or len(op.operands) != 2:
        return False
    a, b = op.operands
    return any(_number(x) is _number(index) and _all(step, 1) for x, step in ((a, b), (b, a)))


def _number(value: Value) -> Value:
    """Returns a value from before a RESHAPE."""
    op = value.producer
    return op.operands[0] if op is not None and op.name == "tfl.reshape" else value
