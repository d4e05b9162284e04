"""The pass that gives bytes scales and zero points.

TOSA's bytes stand for nothing, so any scale will do that gives the same bytes. All tensors have a scale of 1 and the
zero point that the operators which compute them state, or else those that read them; a layer's factors are then the
scales of its weights. Where a node needs other scales (the multipliers of a sum), Multiply takes the operand by 1 to
them, and Add to another zero point; both leave the bytes as they are.
"""

from collections import Counter
from collections.abc import Sequence
from copy import copy

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, Quant, Value
from tosa_converter.ir.edit import live_ops
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.quantized import MOVES
from tosa_converter.legalize.invert.xnnpack.byte_tensors import SOFTMAX_QUANT, byte_quant
from tosa_converter.legalize.invert.xnnpack.lookups import ByteFunction, find_function, match_byte_softmax
from tosa_converter.legalize.invert.xnnpack.windows import CONVOLUTIONS
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops

# Operators and nodes that leave bytes on their scale.
SCALE_PRESERVING = MOVES | {ops.AVG_POOL2D, ops.CLAMP, ops.REDUCE_MAX}
SCALE_PRESERVING_NODES = ("xnn.max_pooling_2d", "xnn.static_resize_bilinear_2d")


class ByteScales:
    """The pass that gives 8-bit tensors scales and zero points, which XNNPACK needs; it changes types only."""

    name = "byte-scales"

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Gives 8-bit tensors of all graphs the scales and zero points that XNNPACK needs and TOSA's types lack.

        Changes types in place; returns a new `Model` if any changed.
        """
        changed = [_assign_scales(graph) for graph in model.graphs.values()]
        return copy(model) if any(changed) else model


def _assign_scales(graph: Graph) -> bool:
    """Gives a graph's int8 tensors scales and zero points; returns whether a type changed.

    The constants of a RESCALE, TABLE or convolution that computes or reads a tensor state them, and tensors of one
    group share them; all others get the scale 1. Inputs and outputs of unsigned bytes become uint8.
    """
    live = live_ops(graph)  # operators that nobody needs would count as readers of signed bytes
    values = [*graph.inputs, *(value for op in live for value in op.results)]
    types = [value.type for value in values]
    _set_unsigned(graph, live)
    groups = _scale_groups(live)
    quants: dict[int, Quant] = {}
    # Quantizations are listed by the id of a group (a set of values), or of a value that is in no group.
    for stated in (_result_quant, _operand_quant):
        for op in live:
            value, quant = stated(op)
            if value is not None and quant is not None:
                quants.setdefault(id(groups.get(value, value)), quant)
    for value in values:
        if value.type.dtype is DType.I8 and value.constant is None and value.type.quant is None:
            value.type = value.type._replace(quant=quants.get(id(groups.get(value, value)), byte_quant(0)))
    return any(value.type is not type for value, type in zip(values, types, strict=True))


def _set_unsigned(graph: Graph, live: Sequence[Op]) -> None:
    """Makes an input or output uint8 where a RESCALE reads or writes it as unsigned bytes, and nothing else reads it.

    TOSA has signed and unsigned bytes as i8; only the RESCALE says which they are.
    """
    readers = Counter(value for op in live for value in op.operands)
    for op in live:
        scale = rescale_parameters_of(op) if op.row is ops.RESCALE else None
        if scale is None or scale.unsigned[0] == scale.unsigned[1] or op.operands[0].type.dtype is not DType.I8:
            continue
        x, y = op.operands[0], op.result
        if scale.unsigned[0] and x in graph.inputs and x not in graph.outputs:
            if readers[x] == 1:
                x.type = x.type._replace(dtype=DType.UI8, quant=byte_quant(scale.input_zp))
        elif scale.unsigned[1] and y in graph.outputs and not readers[y]:
            y.type = y.type._replace(dtype=DType.UI8, quant=byte_quant(scale.output_zp))


def _scale_groups(live: Sequence[Op]) -> dict[Value, set[Value]]:
    """Returns for int8 values the set of values that share one scale, because operators only move elements.

    A value that shares its scale with no other isn't in the dictionary.
    """
    groups: dict[Value, set[Value]] = {}
    for op in live:
        if op.row in SCALE_PRESERVING or op.name in SCALE_PRESERVING_NODES:
            for x in op.operands[: None if op.row is ops.CONCAT else 1]:
                first, second = (groups.get(value, {value}) for value in (op.result, x))
                if op.result.type.dtype is DType.I8 and first is not second:
                    groups.update(dict.fromkeys(union := first | second, union))
    return groups


def _result_quant(op: Op) -> tuple[Value | None, Quant | None]:
    """Returns a TOSA operator's result, and the int8 quantization that its constants show for it, or None.

    Constants are a TABLE that XNNPACK has as a function, or RESCALE's output zero point; a softmax's RESCALE has a
    fixed scale.
    """
    value = op.results[0] if op.results else None
    if value is None or value.type.dtype is not DType.I8:
        return value, None
    if op.row is ops.TABLE:
        function = _table_function(op)
        return value, None if function is None else function.result
    if op.row is not ops.RESCALE:
        return value, None
    return value, _zero_point_quant(op.operands[4]) if match_byte_softmax(op) is None else SOFTMAX_QUANT


def _operand_quant(op: Op) -> tuple[Value | None, Quant | None]:
    """Returns a TOSA operator's first operand, and the int8 quantization that its constants show for it, or None.

    Constants are a TABLE that XNNPACK has as a function, or the input zero point of RESCALE or a convolution.
    """
    value = next(iter(op.operands), None)
    if value is None or value.type.dtype is not DType.I8:
        return value, None
    if op.row is ops.TABLE:
        function = _table_function(op)
        return value, None if function is None else function.operand
    return value, _zero_point_quant(op.operands[3]) if op.row in (*CONVOLUTIONS, ops.RESCALE) else None


def _table_function(op: Op) -> ByteFunction | None:
    """Returns the XNNPACK function (Sigmoid, Tanh) that has the results of a constant TABLE; None if neither has."""
    return None if op.operands[1].constant is None else find_function(op.operands[1].constant)


def _zero_point_quant(operand: Value) -> Quant | None:
    """Returns int8 quantization of scale 1 with a zero point operand; None if the operand isn't constant."""
    return None if operand.constant is None else byte_quant(int(operand.constant.reshape(-1)[0]))
