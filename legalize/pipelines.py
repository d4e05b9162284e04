"""The passes for each source opset, in order."""

from typing import TYPE_CHECKING

from tosa_converter.formats.tflite.prepare_shapes import shape_problem
from tosa_converter.ir import Array, Graph, Model
from tosa_converter.ir.edit import copy_model
from tosa_converter.legalize.rule_modules import ATEN, TFLITE, TO_TFLITE, TO_XNNPACK, XNNPACK
from tosa_converter.rewriting.builder import computed
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.match import CUSTOM
from tosa_converter.rewriting.passes.common_subexpressions import CommonSubexpressions
from tosa_converter.rewriting.passes.reshape_propagation import ReshapePropagation
from tosa_converter.rewriting.passes.simplify import SIMPLIFY
from tosa_converter.rewriting.pipeline import Pass
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tfl_ops import GRAPHS, LOOPS, STATE

if TYPE_CHECKING:
    from tosa_converter.legalize.tosa_to_tflite.borders import Borders
    from tosa_converter.legalize.tosa_to_tflite.control import Outline
    from tosa_converter.legalize.tosa_to_tflite.tidy import Tidy
    from tosa_converter.legalize.tosa_to_xnn.borders import Borders as NodeBorders
    from tosa_converter.legalize.tosa_to_xnn.tidy import Tidy as TidyNodes


def _prepared(model: Model, options: Options) -> Model:
    """The model with graphs where they are called, builtin operators for TensorFlow's, and its state as data flow."""
    names = {op.name for graph in model.graphs.values() for op in graph.ops}
    if not names.isdisjoint(GRAPHS):
        from tosa_converter.rewriting.passes.inline_calls import inline

        model = inline(model)
    if CUSTOM in names:
        from tosa_converter.legalize.tflite.custom.flex import as_builtins

        model = as_builtins(model)
    if not names.isdisjoint(LOOPS):
        from tosa_converter.rewriting.passes.tensor_lists import set_in_place

        set_in_place(model.graphs.values())
    if not names.isdisjoint(STATE):
        from tosa_converter.rewriting.passes.state import explicit

        model = explicit(model, _initial, io=options.state == "io")
    return model


def _initial(graph: Graph) -> list[Array]:
    """The outputs of a graph without inputs."""
    step, options = (
        RulePass("initial values", TFLITE, check=shape_problem),
        Options(control_flow="flatten"),
    )
    return computed(step.run(Model({graph.name: graph}), options, Report()).main)


def _installed() -> tuple[Rule, ...]:
    from tosa_converter.rewriting.plugins import installed

    return installed()


def to_tflite() -> "tuple[RulePass, Outline, Tidy, Borders]":
    """The passes from TOSA to what LiteRT runs."""
    from tosa_converter.legalize.tosa_to_tflite.borders import Borders
    from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
    from tosa_converter.legalize.tosa_to_tflite.control import Outline
    from tosa_converter.legalize.tosa_to_tflite.tidy import Tidy

    return (
        RulePass("to TFLite", TO_TFLITE, leaves="tfl", prepare=_with_quantized, builder=TflBuilder),
        Outline(),
        Tidy(),
        Borders(),
    )


def _with_quantized(model: Model, _: Options) -> Model:
    from tosa_converter.legalize.tosa_to_tflite.quantized import with_quantized

    return with_quantized(model)


def to_xnnpack() -> "tuple[RulePass, TidyNodes, NodeBorders]":
    """The passes from TOSA to XNNPACK's nodes."""
    from tosa_converter.legalize.tosa_to_xnn.borders import Borders
    from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
    from tosa_converter.legalize.tosa_to_xnn.tidy import Tidy

    return RulePass("to XNNGraph", TO_XNNPACK, leaves="xnn", prepare=_with_nodes, builder=XnnBuilder), Tidy(), Borders()


def _with_nodes(model: Model, _: Options) -> Model:
    from tosa_converter.legalize.tosa_to_xnn.composed import with_composed
    from tosa_converter.legalize.tosa_to_xnn.dynamic import with_dynamic
    from tosa_converter.legalize.tosa_to_xnn.groups import with_groups
    from tosa_converter.legalize.tosa_to_xnn.largest import with_largest
    from tosa_converter.legalize.tosa_to_xnn.quantized import with_quantized

    model = copy_model(model)
    for graph in model.graphs.values():
        with_groups(graph)
        with_dynamic(graph)
        with_composed(graph)
        with_largest(graph)
        with_quantized(graph)
    return model


_SHORTER: tuple[Pass, ...] = (ReshapePropagation(), SIMPLIFY, CommonSubexpressions())
PIPELINES: dict[str, tuple[RulePass, *tuple[Pass, ...]]] = {
    "tfl": (RulePass("legalize", TFLITE, check=shape_problem, prepare=_prepared, more=_installed), *_SHORTER),
    "xnn": (RulePass("legalize", (*XNNPACK, *ATEN), more=_installed), *_SHORTER),
}
