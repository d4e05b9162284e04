"""What the checker says of errors of one to eight units in the last place, for every operator, type and case.

A line of the table has, for each number of units, the largest error as a part of what is allowed, and how many elements
break the rule. The formulas are judged in test_precision.py, by Arm's library; the table shows where one changes.
`GOLDEN=write python -m pytest tests/proof/test_clause_figures.py` writes it anew.
"""

import os
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from support.kernel_cases import COMBINATIONS, Case, cases_of, graph_of

from tosa_converter.ir import Array
from tosa_converter.proof import precision
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

TABLE = Path(__file__).with_name("clause_figures.tsv")
UNITS, CASES = (1, 2, 8), 8
CLAUSES = (ops.Clause.DOT_PRODUCT, ops.Clause.BOUND, ops.Clause.ULP, ops.Clause.CAST, ops.Clause.RESCALE)
ROWS = [row for row, _ in COMBINATIONS if row.precision is not None and row.precision.clause in CLAUSES]
NAMES = list(dict.fromkeys(row.name for row in ROWS))


def moved(exact: Array, dtype: np.dtype, units: int) -> Array:  # type: ignore[type-arg]
    """The nearest values, each so many units further up or down."""
    near = np.asarray(exact).astype(dtype)
    if near.dtype.kind in "iu":
        signs = 1 - 2 * (np.arange(near.size) % 2)
        return np.asarray(near + np.asarray(units * signs, near.dtype).reshape(near.shape))
    bits = near.view(f"i{near.dtype.itemsize}")
    signs = np.where(np.arange(near.size) % 3 == 1, -units, units).astype(bits.dtype).reshape(near.shape)
    finite = np.isfinite(near.astype(np.float64)) & (bits != 0)
    return np.asarray(np.where(finite, bits + signs, bits).astype(bits.dtype).view(dtype))


def cases(name: str) -> Iterator[tuple[str, OpDef, Case]]:
    """The first cases of an operator in each combination of its types, by name."""
    for row, types in COMBINATIONS:
        if row.name == name:
            for i, case in enumerate(islice(cases_of(row, types), CASES)):
                yield f"{name} {types} {i}", row, case


def figures(row: OpDef, case: Case) -> str:
    """The verdicts on every output, by units."""
    _, op, _ = graph_of(row, case)
    inputs = [array for _, array in case.operands]
    with np.errstate(all="ignore"):
        exact = precision.reference(op, inputs)
        parts = []
        for units in UNITS:
            outputs = [moved(x, value.type.dtype.numpy, units) for x, value in zip(exact, op.results, strict=True)]
            verdicts = precision.check(op, inputs, outputs, test_set=3)
            parts += [f"{verdict.worst:.4g} {verdict.wrong}" for verdict in verdicts]
    return "\t".join(parts)


@cache
def table() -> dict[str, str]:
    if os.environ.get("GOLDEN") == "write":
        lines = [f"{label}\t{figures(row, case)}\n" for name in NAMES for label, row, case in cases(name)]
        TABLE.write_text("".join(lines))
    return {label: rest for label, _, rest in (line.partition("\t") for line in TABLE.read_text().splitlines())}


@pytest.mark.parametrize("name", NAMES)
def test_figures_of_errors(name: str) -> None:
    expected = {label: row for label, row in table().items() if label.startswith(f"{name} ")}
    assert {label: figures(row, case) for label, row, case in cases(name)} == expected


def test_every_clause_has_errors_on_both_sides() -> None:
    """Some errors of one unit are allowed, and some of eight are not."""
    rows = [line.split("\t") for line in table().values()]
    assert any(row[0].endswith(" 0") for row in rows)
    assert any(not row[-1].endswith(" 0") for row in rows)
