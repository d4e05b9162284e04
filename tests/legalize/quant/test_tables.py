"""Look-ups of int16: entries equal real functions, TABLE and GATHER equal numpy."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, TensorType
from tosa_converter.legalize.quant.tables import (
    VALUES,
    entries,
    interpolate_table,
    is_too_steep,
    look_up,
    lut_lookup,
    table_of_results,
)
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.report import Options


def test_entries_halve_the_error_of_straight_lines() -> None:
    """For exp on [-4, 0], a line over h = 4 / 512 is off by h**2 / 8 * e**x at most, and half of it after lowering."""
    scale = np.float64(4 / 65535)
    table = entries(np.exp, scale, 32767, np.float64(2 / 65535))
    x = scale * (VALUES - 32767)
    exact = np.exp(x) * 32768
    # 1 for rounding the entry, 1/2 for the result, and 2 because entries are 65535 / 512 steps apart, not 128.
    bound = (4 / 512) ** 2 / 16 * 32768 + 3.5
    assert np.abs(lut_lookup(table) - np.minimum(exact, 32767)).max() <= bound


def test_a_straight_line_is_its_points() -> None:
    results = np.minimum(VALUES // 2, 12000).astype(np.int16)
    table = table_of_results(results)
    assert table.shape == (513,)
    assert (table[:-1] == results[::128]).all()
    assert np.abs(lut_lookup(table) - results).max() <= 64


def test_slopes_beyond_16_bits_are_steep() -> None:
    table = np.zeros(513, np.int16)
    assert not is_too_steep(table)
    table[7:] = 32767
    assert not is_too_steep(table)
    table[:7] = -1
    assert is_too_steep(table)
    table[:7], table[7:] = 0, -32768
    assert not is_too_steep(table)
    table[:7] = 1
    assert is_too_steep(table)


def test_interpolation_equals_table() -> None:
    rng = np.random.default_rng(7)
    table = np.cumsum(rng.integers(-90, 90, 513)).clip(-32768, 32767).astype(np.int16)
    (ours,) = evaluate(lambda x: interpolate_table(x, table, DType.I16), VALUES.astype(np.int16))
    fractions = (VALUES + 32768) % 128 / 128
    low = table[(VALUES + 32768) // 128].astype(np.int64)
    high = table[(VALUES + 32768) // 128 + 1]
    assert (ours == np.floor(low + (high - low) * fractions + 0.5)).all()


@pytest.mark.parametrize(("numerics", "bend"), [("reference", 0), ("reference", 3), ("compact", 0), ("compact", 3)])
def test_any_function_is_looked_up(numerics: str, bend: int) -> None:
    """Look-ups are exact, except interpolation in compact numerics, whose note states the error."""
    results = VALUES // 2 + bend * (VALUES % 2)
    match = Match(Op("tfl.tanh", (), [TensorType(DType.I16, (1,))]), {}, Options(numerics))

    def formula(x: Expr) -> Expr:
        return look_up(match, x, results)

    (ours,) = evaluate(formula, VALUES.astype(np.int16))
    error = np.abs(ours - results).max()
    if numerics == "reference":
        assert error == 0
    else:
        assert [note.text for note in match.report.notes] == (
            [f"interpolated between 513 points: this operator may differ by {error} steps"] if error else []
        )
