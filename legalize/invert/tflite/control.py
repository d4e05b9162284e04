"""Control flow and variables; the pass `Outline` makes their graphs graphs of the model."""

from collections.abc import Sequence
from copy import copy

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.ir.edit import arrange
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.driver import name_output
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tfl_ops import GRAPHS

_HANDLE = TensorType(DType.RESOURCE, ())


# ** control flow **


def _translate_region(match: Match, index: int) -> Graph:
    """Returns the TFLite graph for one of the operator's graphs: a branch, a condition or a loop's body.

    Outputs keep their names. One that is a constant, an input or another output too gets a copy.
    """
    old = match.op.regions[index]
    graph = Graph(old.name, [Value(value.type, value.name) for value in old.inputs])
    builder = TflBuilder(graph)
    seen = set(graph.inputs)
    with builder:
        outputs = [expr.value for expr in match.translate_region(index, [*map(Expr, graph.inputs)])]
    if match.op.row is ops.WHILE_LOOP and index == 0:  # LiteRT takes a condition of rank 0 or 1, TOSA of any rank
        outputs = [builder.reshape(value, ()) for value in outputs]
    names = [value.name for value in old.outputs]
    graph.outputs = [name_output(value, name, builder, seen) for value, name in zip(outputs, names, strict=True)]
    arrange(graph)
    return graph


def _append_control(match: Match, name: str, regions: Sequence[Graph]) -> tuple[Value, ...]:
    """Appends TFLite's IF or WHILE with these graphs; its results have the types of the last graph's outputs."""
    operands = [match.value(i) for i in range(len(match.op.inputs))]
    types = [value.type for value in regions[-1].outputs]
    op = Op(f"tfl.{name}", operands, types, regions=regions, location=current().location)
    current().graph.ops.append(op)
    return op.results


def cond_if(match: Match) -> tuple[Value, ...]:
    """Replaces TOSA's COND_IF by TFLite's IF; both branches are translated too."""
    return _append_control(match, "if", [_translate_region(match, i) for i in range(2)])


def while_loop(match: Match) -> tuple[Value, ...]:
    """Replaces TOSA's WHILE_LOOP by TFLite's WHILE; condition and body are translated too."""
    return _append_control(match, "while", [_translate_region(match, i) for i in range(2)])


# ** variables **


def _append_handle(graph: Graph, name: str, location: str) -> Value:
    """Appends TFLite's VAR_HANDLE, and returns the handle of the variable with this name."""
    op = Op("tfl.var_handle", (), [_HANDLE], {"container": "", "shared_name": name}, location=location)
    graph.ops.append(op)
    return op.result


def variable(match: Match) -> tuple[Value, ...]:
    """Replaces TOSA's VARIABLE by CALL_ONCE of a graph that assigns the initial value (0 if there is none)."""
    attributes, graph = match.op.attributes, Graph(f"init_{match.op.attributes['name']}")
    dtype: DType = attributes["type"]
    shape, initial = tuple(attributes["var_shape"]), attributes.get("initial_value")
    builder = TflBuilder(graph)
    values = np.zeros(shape, dtype.numpy) if initial is None else np.asarray(initial, dtype.numpy).reshape(shape)
    _append_assignment(graph, attributes["name"], builder.const(values, dtype), current().location)
    arrange(graph)
    current().graph.ops.append(Op("tfl.call_once", (), (), regions=[graph], location=current().location))
    return ()


def _append_assignment(graph: Graph, name: str, value: Value, location: str) -> None:
    """Appends TFLite's ASSIGN_VARIABLE, which stores a value in the variable with this name."""
    graph.ops.append(Op("tfl.assign_variable", [_append_handle(graph, name, location), value], (), location=location))


def variable_write(match: Match) -> tuple[Value, ...]:
    """Replaces TOSA's VARIABLE_WRITE by TFLite's ASSIGN_VARIABLE."""
    _append_assignment(current().graph, match.op.attributes["name"], match.value(0), current().location)
    return ()


def variable_read(match: Match) -> Value:
    """Replaces TOSA's VARIABLE_READ by TFLite's READ_VARIABLE."""
    graph, type = current().graph, match.op.results[0].type
    handle = _append_handle(graph, match.op.attributes["name"], current().location)
    return tfl_builder().op("read_variable", [handle], type.dtype, type.static)


# ** graphs **


class Outline:
    """The pass that moves the graphs inside operators (branches, loops) to the model's list, as TFLite has them."""

    name = "outline"

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Moves the graphs inside IF, WHILE, ... to the model's list, in place; returns a new `Model` if there are any.

        TFLite's options refer to graphs by their index in that list; each moved graph's name ends with it, so names are
        unique.
        """
        count = len(model.graphs)
        for graph in list(model.graphs.values()):
            for op in [op for op in graph.walk() if op.regions]:
                options = GRAPHS[op.name]
                for option, region in zip(options, op.regions, strict=True):
                    op.attributes[option] = len(model.graphs)
                    model.graphs[f"{region.name}_{len(model.graphs)}"] = region
                    region.name = f"{region.name}_{len(model.graphs) - 1}"
                op.regions = ()
        return copy(model) if len(model.graphs) > count else model


RULES: tuple[Rule, ...] = (
    Rule("tosa.cond_if", "", cond_if),
    Rule("tosa.while_loop", "", while_loop),
    Rule("tosa.variable", "", variable),
    Rule("tosa.variable_write", "", variable_write),
    Rule("tosa.variable_read", "", variable_read),
)
