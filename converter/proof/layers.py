"""Every operator of a run judged by its own precision clause, so that a deviation is found where it arises."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tosa_converter.execute.plan import Executable
from tosa_converter.ir import CONSTANTS, Array, Graph, Op, Value
from tosa_converter.proof.precision import check


@dataclass(frozen=True, slots=True)
class LayerReport:
    """How one result of one TOSA operator complies with the operator's precision clause."""

    op: str
    location: str
    name: str
    compliant: bool
    worst: float  # the largest error as a fraction of what the operator's clause allows
    message: str


def check_layers(graph: Graph, inputs: Mapping[str, Array]) -> list[LayerReport]:
    """Runs a TOSA graph in the executor and checks every operator's results against an fp64 run of that operator alone.

    Integers must be exact, floats within the operator's precision clause (1.10.3). Control flow, variables and custom
    operators have no clause of their own and are left out.
    """
    executable = Executable(graph, keep="all")
    arrays = executable.run(inputs)
    values: dict[Value, Array] = {value: np.asarray(inputs[value.name]) for value in graph.inputs}
    for op in graph.ops:
        for value in op.results:
            constant = value.constant
            values[value] = constant if constant is not None else arrays[executable.names[value]]
    judged = [op for op in graph.ops if op.results and op.name not in CONSTANTS and not op.row.control]
    return [report for op in judged for report in _check_operator(op, values)]


def _check_operator(op: Op, values: Mapping[Value, Array]) -> list[LayerReport]:
    """Returns the reports of an operator's results, checked by its precision clause."""
    verdicts = check(op, [values[value] for value in op.operands], [values[value] for value in op.results])
    return [
        LayerReport(op.name, op.location, value.name, verdict.compliant, verdict.worst, verdict.message)
        for value, verdict in zip(op.results, verdicts, strict=True)
    ]
