"""The pass that finds ArgMaxPooling2d: the largest element of every window and where it is.

It has to be one node, because nothing else in XNNGraph could hold the indices.
"""

from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.ir.edit import drop_dead_ops, replace_ops
from tosa_converter.legalize.tosa_to_xnn.composed import Guess, node_of
from tosa_converter.rewriting.in_place import change_graphs
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops

SIDE_BY_SIDE = (0, 1, 3, 4, 2, 5)  # from rows of windows' rows to windows, column by column


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Changes the graphs in place."""
    return change_graphs(model, _put_pools)


def _put_pools(graph: Graph) -> bool:
    """Puts ArgMaxPooling2d in place of ARGMAX over windows that lie side by side; returns whether there was one."""
    changed = False
    drop_dead_ops(graph)  # what nobody reads would count as another reader of the indices
    for op in [op for op in graph.ops if op.row is ops.ARGMAX]:
        image = _image(op)
        indices = [value for value in _shaped(graph, op) if value.type.rank == 4]
        if image is not None and len(indices) == 1:
            _put(graph, op, *image, indices[0])
            changed = True
    return changed


def _image(op: Op) -> tuple[Value, int, int] | None:
    """What the windows are of, and their height and width."""
    flat = op.operands[0].producer
    turned = None if flat is None or flat.row is not ops.RESHAPE else flat.operands[0].producer
    if turned is None or turned.row is not ops.TRANSPOSE or tuple(turned.attributes["perms"]) != SIDE_BY_SIDE:
        return None
    apart = turned.operands[0].producer
    if apart is None or apart.row is not ops.RESHAPE or not _ignores(op):
        return None
    n, rows, height, columns, width, channels = apart.results[0].type.static
    x, windows = apart.operands[0], op.operands[0].type.static
    if x.type.shape != (n, rows * height, columns * width, channels) or not x.type.dtype.is_float:
        return None
    return (x, height, width) if windows == (n * rows * columns, height * width, channels) else None


def _ignores(op: Op) -> bool:
    return op.attributes["axis"] == 1 and bool(op.attribute("nan_mode") == "IGNORE")


def _shaped(graph: Graph, op: Op) -> list[Value]:
    """What an operator's result becomes by RESHAPE."""
    return [one.results[0] for one in graph.ops if one.row is ops.RESHAPE and one.operands[0] is op.results[0]]


def _put(graph: Graph, op: Op, x: Value, height: int, width: int, indices: Value) -> None:
    windows = op.operands[0]
    most = [one for one in graph.ops if one.row is ops.REDUCE_MAX and one.operands[0] is windows and _ignores(one)]
    shaped = [value for one in most for value in _shaped(graph, one) if value.type.shape == indices.type.shape]
    value = shaped[0] if shaped else Value(x.type._replace(shape=indices.type.shape))
    made = node_of(Guess("arg_max_pooling_2d", (x,), {"pooling_height": height, "pooling_width": width}), value)
    made.location, made.results = op.location, (value, indices)
    old = {value.producer, indices.producer}
    value.producer = indices.producer = made
    assert windows.producer is not None
    replace_ops(graph, {op: [] for op in old if op is not None} | {windows.producer: [windows.producer, made]})
