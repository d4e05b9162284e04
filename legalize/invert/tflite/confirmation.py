"""Whether an operator stands for operators of TOSA: the conversion of the operator alone makes these again."""

from collections.abc import Iterable, Sequence

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.ir.edit import cut_out, equal_values
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.pipelines import TFLITE_TO_TOSA
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pipeline import apply_passes
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Options


def first_confirmed(m: Match, candidates: Iterable[Value], name: str) -> Value:
    """Returns the result of the first operator whose conversion makes the operators that compute the result of a match.

    Args:
        m: the last of the operators.
        candidates: results of operators, each appended to the graph when it is asked for.
        name: what the operators are, for the reason.

    Raises:
        Decline: the conversions make other operators.
    """
    new_ops = tfl_builder().graph.ops
    mark = len(new_ops)
    for y in candidates:
        if converts_to(new_ops[mark:], y, [m.op], m.op.result):
            return y
        del new_ops[mark:]
    raise Decline(f"the conversion of {name} makes other operators")


def converts_to(candidate: Sequence[Op], y: Value, ops: Sequence[Op], result: Value) -> bool:
    """Returns whether the conversion of operators that compute y makes the operators that compute a result.

    Those that compute the result are converted first where `ops` has operators of TFLite among them.
    """
    variables = _variables(candidate)
    graph = _converted(candidate, variables, y)
    if graph is None or graph.outputs[0].type.shape != result.type.shape:
        return False
    if all(op.opset == "tosa" for op in ops):
        return equal_values(graph.outputs[0], result, dict(zip(graph.inputs, variables, strict=True)))
    source = _converted(ops, variables, result)
    return source is not None and equal_values(
        graph.outputs[0], source.outputs[0], dict(zip(graph.inputs, source.inputs, strict=True))
    )


def _variables(ops: Sequence[Op]) -> list[Value]:
    """Returns what operators read, but for constants and results of one another."""
    results = {value for op in ops for value in op.results}
    return [v for v in dict.fromkeys(v for op in ops for v in op.operands) if v.constant is None and v not in results]


def _converted(ops: Sequence[Op], variables: Sequence[Value], y: Value) -> Graph | None:
    """Returns the conversion of operators as a graph of their own; None if TOSA doesn't have it."""
    constants = dict.fromkeys(v.producer for op in ops for v in op.operands if v.constant is not None)
    makers = [op for op in constants if op is not None]
    graph, _ = cut_out("main", [*makers, *ops], variables, [y])
    try:
        return apply_passes(Model({"main": graph}, opset="tfl"), TFLITE_TO_TOSA, Options()).main
    except (FormatError, UnsupportedError):
        return None
