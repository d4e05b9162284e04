"""Every operator, in every type, equals Arm's reference model, fast and by definition: integers exactly.

Floats must be within their clause.
"""

import numpy as np
import pytest
from support.kernel_cases import COMBINATIONS, MAKERS, Case, cases_of, graph_of, judge, variants
from support.no_case import NoCase

from tosa_converter.execute.definition.table import CONTROL, DEFINITIONS
from tosa_converter.execute.fast.plans import FAST
from tosa_converter.execute.plan import Executable
from tosa_converter.proof import precision
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

VARIANTS = list(variants())
IDS = [f"{row.name}-{types.replace(' ', '-')}" for row, types in COMBINATIONS]


def test_every_operator_has_exactly_one_definition() -> None:
    assert set(DEFINITIONS) | set(CONTROL) == set(ops.OPERATORS)
    assert not set(DEFINITIONS) & set(CONTROL)
    assert set(CONTROL) == {row for row in ops.OPERATORS if row.control}
    assert {row for row in ops.OPERATORS if row.elementwise or row.blockwise} <= set(FAST) <= set(DEFINITIONS)


def test_every_kernel_with_operands_is_compared_below() -> None:
    assert not [str(NoCase(row.opcode)) for row in DEFINITIONS if row.inputs and row not in MAKERS]
    assert set(MAKERS) <= set(DEFINITIONS)


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "definition"])
@pytest.mark.parametrize(("row", "types"), COMBINATIONS, ids=IDS)
def test_an_operator_equals_the_reference_model(row: OpDef, types: str, fast: bool) -> None:
    for case in cases_of(row, types):
        agree(row, case, fast)


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "definition"])
@pytest.mark.parametrize(("row", "case"), [line[1:] for line in VARIANTS], ids=[line[0] for line in VARIANTS])
def test_other_ranks_and_modes_equal_the_reference_model(row: OpDef, case: Case, fast: bool) -> None:
    agree(row, case, fast)


def agree(row: OpDef, case: Case, fast: bool) -> None:
    graph, op, feed = graph_of(row, case)
    mine = list(Executable(graph, fast=fast).run(feed).values())
    theirs = judge(graph, feed)
    every = [array for _, array in case.operands]
    for output, expected, value in zip(mine, theirs, op.results, strict=True):
        assert output.dtype == value.type.dtype.numpy
        assert output.shape == value.type.shape
        if not value.type.dtype.is_float and op.attributes.get("rounding_mode") != "INEXACT_ROUND":
            np.testing.assert_array_equal(output, expected)
    for verdict in precision.check(op, every, mine):
        assert verdict.compliant, verdict.message


FLOATS = [(row, types) for row, types in COMBINATIONS if "fp" in types]


@pytest.mark.parametrize(("row", "types"), FLOATS, ids=[f"{row.name}-{t.replace(' ', '-')}" for row, t in FLOATS])
def test_the_reference_model_is_compliant(row: OpDef, types: str) -> None:
    for case in cases_of(row, types):
        graph, op, feed = graph_of(row, case)
        for verdict in precision.check(op, [array for _, array in case.operands], judge(graph, feed)):
            assert verdict.compliant, verdict.message
