"""The pass that makes the mutable buffers of an ExecuTorch program inputs and outputs, with `--state io`."""

from tosa_converter.ir import Model
from tosa_converter.ir.edit import copy_model
from tosa_converter.rewriting.passes.state_borders import move_to_borders
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.opsets import XNN_READ

COPY = "aten.alias_copy.out"


def run(model: Model, options: Options, _report: Report, /) -> Model:
    """Returns the model with its state as inputs and outputs if the options ask for it; else the model as it is."""
    if options.state != "io":
        return model
    new = copy_model(model)
    graph = new.main
    types = {op.attributes["name"]: op.result.type for op in graph.ops if op.name == XNN_READ}
    new.states = {graph.name: move_to_borders(graph, types, COPY)}
    return new
