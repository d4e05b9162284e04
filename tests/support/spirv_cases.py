"""The graphs of `kernel_cases` by name, for SPIR-V, VGF and Vulkan: every row of every type table, and the variants."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from support import kernel_cases
from support.kernel_cases import COMBINATIONS_1_0, cases_of, graph_of, variable_operands, variants
from tosa_converter.ir import Array, Graph
from tosa_converter.schemas.tosa_ops import OpDef


class Case(NamedTuple):
    """A graph of one operator and inputs for it."""

    name: str
    graph: Graph
    inputs: dict[str, Array]


def cases() -> Iterator[Case]:
    """Yields the cases, the same ones at every call."""
    for row, types in COMBINATIONS_1_0:
        if row.spirv is not None:
            for i, case in enumerate(cases_of(row, types)):
                yield _named(f"{row.name}_{types.replace(' ', '_')}_{i}", row, case)
    for name, row, case in variants():
        yield _named(name, row, case)


def _named(name: str, row: OpDef, case: kernel_cases.Case) -> Case:
    graph, op, feed = graph_of(row, case, run_time=variable_operands(row, case))
    op.location = f"here/{row.name}"
    return Case(name, graph, dict(zip((value.name for value in graph.inputs), map(_finite, feed), strict=True)))


def _finite(array: Array) -> Array:
    """Returns the case without infinities and NaN, which Vulkan's floats may lack."""
    return array if array.dtype.kind in "bi" else np.where(np.isfinite(array), array, array.dtype.type(1))


CASES = list(cases())
CASES_BY_NAME = {case.name: case for case in CASES}
