"""The pass that joins convolutions of groups of channels into one, whose weights have fewer channels than the image.

TOSA has no such convolution: no specification but XNNPACK's holds for the graph between this pass and the rules.
"""

import numpy as np

from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.ir.edit import replace_ops, replace_result
from tosa_converter.rewriting.in_place import change_graphs
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops

GROUPED = frozenset({ops.CONV2D, ops.TRANSPOSE_CONV2D})


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Changes the graphs in place."""
    return change_graphs(model, join_groups)


def join_groups(graph: Graph) -> bool:
    """Puts one convolution in place of those of all groups; returns whether there was one."""
    joined: dict[Op, list[Op]] = {}
    for op in graph.ops:
        convolution = _joined(op)
        if convolution is not None:
            joined[op] = [replace_result(convolution, op.results[0])]
    replace_ops(graph, joined)
    return bool(joined)


def _joined(concat: Op) -> Op | None:
    """The convolution of all groups of an image, if an operator joins them."""
    if concat.row is not ops.CONCAT or concat.attributes["axis"] != 3:
        return None
    parts = [value.producer for value in concat.operands]
    convs = [part for part in parts if part is not None and part.row in GROUPED]
    slices = [conv.operands[0].producer for conv in convs]
    cuts = [cut for cut in slices if cut is not None and cut.row is ops.SLICE]
    if len(convs) < 2 or not len(convs) == len(parts) == len(cuts) or not _is_whole(cuts) or not _is_alike(convs):
        return None
    weights, biases = ([conv.operands[i].constant for conv in convs] for i in (1, 2))
    share = convs[0].results[0].type.static[3]
    weight = _const(convs[0].operands[1], [array for array in weights if array is not None])
    bias = _const(convs[0].operands[2], [np.broadcast_to(array, (share,)) for array in biases if array is not None])
    inputs = (cuts[0].operands[0], weight, bias, *convs[0].inputs[3:])
    return Op(convs[0].name, inputs, [concat.results[0].type], convs[0].attributes, location=concat.location)


def _const(like: Value, arrays: list[Array]) -> Value:
    values = np.concatenate(arrays)
    return Op("tosa.const", (), [like.type._replace(shape=values.shape)], {"values": values}).result


def _is_whole(cuts: list[Op]) -> bool:
    """Whether they are all channels of an image, one group after the other."""
    x, size, end = cuts[0].operands[0], cuts[0].results[0].type.static, 0
    for cut in cuts:
        start = cut.operands[1].constant
        if cut.operands[0] is not x or start is None or cut.results[0].type.static != size:
            return False
        if start.tolist() != [0, 0, 0, end] or size[:3] != x.type.static[:3]:
            return False
        end += size[3]
    return end == x.type.static[3]


def _is_alike(convs: list[Op]) -> bool:
    """Whether they differ in their weights and biases alone."""
    first = convs[0]
    for conv in convs:
        if conv.row is not first.row or conv.attributes != first.attributes:
            return False
        if conv.operands[1].type != first.operands[1].type or any(x.constant is None for x in conv.operands[1:]):
            return False
        zeros = zip(conv.operands[3:], first.operands[3:], strict=True)
        if any(not np.array_equal(np.asarray(a.constant), np.asarray(b.constant)) for a, b in zeros):
            return False
    return True
