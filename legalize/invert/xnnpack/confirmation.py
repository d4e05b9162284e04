"""Whether nodes stand for operators: the conversion of the nodes alone makes these operators again."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.ir.edit import clone_op
from tosa_converter.legalize.invert.xnnpack.alike import alike, bare
from tosa_converter.legalize.invert.xnnpack.labels import label
from tosa_converter.legalize.pipelines import XNN_TO_TOSA
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pipeline import Pass, apply_passes
from tosa_converter.rewriting.report import Options


def require_confirmed(m: Match, y: Value, operands: Sequence[Value], node: str) -> Value:
    """Returns the result of nodes if their conversion makes the operators that compute the result of a match.

    Args:
        m: the last of the operators.
        y: the result of the nodes, of the same shape.
        operands: the values that the nodes read, but for constants.
        node: what the nodes are, for the reason.

    Raises:
        Decline: the conversion makes other operators.
    """
    m.require(confirms(m.op.result, y, operands), f"the conversion of {node} makes other operators")
    return y


def confirms(result: Value, y: Value, operands: Sequence[Value]) -> bool:
    """Returns whether the conversion of the nodes that compute y from operands makes the operators of a result."""
    if result.type.shape != y.type.shape:
        return False
    graph = _cut(y, operands)
    return converts_to(Model({graph.name: graph}, opset="xnn"), XNN_TO_TOSA, Options("xnnpack"), result, operands)


def converts_to(
    source: Model, lowering: Sequence[Pass], options: Options, result: Value, operands: Sequence[Value]
) -> bool:
    """Returns whether a conversion makes the operators that compute a result.

    Args:
        source: a model of one graph with one output.
        lowering: the passes of the conversion.
        options: of the conversion.
        result: a value of TOSA.
        operands: the values of TOSA that the inputs of the source stand for.
    """
    try:
        graph = apply_passes(source, lowering, options).main
    except (FormatError, UnsupportedError):
        return False
    return alike(graph.outputs[0], result, dict(zip(graph.inputs, map(bare, operands), strict=True)))


def _cut(y: Value, operands: Sequence[Value]) -> Graph:
    """Returns clones of the nodes as a graph of their own, in which all bytes have a scale."""
    values = {x: Value(_with_scale(x.type)) for x in operands}
    ops: list[Op] = []

    def clone(value: Value) -> Value:
        if value not in values:
            producer = value.producer
            assert producer is not None
            op = clone_op(producer, [operand and clone(operand) for operand in producer.inputs])
            for new in op.results:
                new.type = _with_scale(new.type)
            values.update(zip(producer.results, op.results, strict=True))
            ops.append(op)
        return values[value]

    outputs = [clone(y)]
    return Graph("nodes", [values[x] for x in operands], outputs, ops)


def _with_scale(type: TensorType) -> TensorType:
    return type._replace(quant=label(0)) if type.dtype is DType.I8 and type.quant is None else type
