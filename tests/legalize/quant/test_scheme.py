"""Rows of schemes give one rule for each kind, which calls the operator's function with its scheme."""

from typing import cast

import numpy as np
import pytest

from tosa_converter.legalize.quant.floats import FLOAT
from tosa_converter.legalize.quant.hybrid import HYBRID
from tosa_converter.legalize.quant.litert_8 import LITERT_8, tiled_multiplier
from tosa_converter.legalize.quant.litert_16 import LITERT_16, multiplier_of_16_bits
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.scheme import Scheme, TypedScheme, scheme_rules
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline


def test_rows_call_the_function_with_their_scheme() -> None:
    calls: list[Scheme] = []

    def conv_2d(match: Match, scheme: Scheme) -> Expr:
        """CONV_2D."""
        calls.append(scheme)
        return cast(Expr, match)

    kinds = {"int8": TypedScheme(LITERT_8, "i8*i8"), "float": TypedScheme(FLOAT, "fp32*fp32 fp16*fp16")}
    rules = list(scheme_rules("tfl.conv_2d", conv_2d, ("input", "filter"), **kinds))
    assert [rule.label for rule in rules] == ["int8.conv_2d", "float.conv_2d"]
    assert [rule.types for rule in rules] == ["i8*i8", "fp32*fp32 fp16*fp16"]
    assert {rule.build.__doc__ for rule in rules} == {"CONV_2D."}
    for rule in rules:
        rule.build(cast(Match, None))
    assert calls == [LITERT_8, FLOAT]


def test_schemes_have_eight_fields_at_most() -> None:
    assert len(Scheme._fields) <= 8
    assert len({FLOAT, LITERT_8, LITERT_16, HYBRID}) == 4


def test_multipliers_of_phases_are_tiled() -> None:
    multiplier = Multiplier(np.array([3, 5]), np.array([-1, 2]))
    assert [part.tolist() for part in tiled_multiplier(multiplier, 4)] == [[3, 5, 3, 5], [-1, 2, -1, 2]]
    assert tiled_multiplier(multiplier, 2) is multiplier


@pytest.mark.parametrize(("real", "m", "shift"), [(0.75, 3 << 13, 15), (2.0, 1 << 14, 13), (0.0, 0, 15)])
def test_multipliers_of_16_bits_drop_the_lower_half(real: float, m: int, shift: int) -> None:
    assert [part.tolist() for part in multiplier_of_16_bits(quantize_multiplier(real))] == [[m], [shift]]


def test_multipliers_that_rescale_cannot_shift_are_declined() -> None:
    with pytest.raises(Decline, match=r"expected a multiplier below 2\*\*14"):
        multiplier_of_16_bits(quantize_multiplier(2.0**14))
