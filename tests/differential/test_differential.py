"""A fixed sample of the differential suite: of every operator and type that a rewrite states."""

import importlib.util

import pytest

from differential.case import Draw
from differential.judge import EQUAL, NO_KERNEL, REFUSED, WITHIN, claims, judge
from differential.operators import drawing, load

DRAWS = load()
CLAIMS = sorted(claims())
SEEDS = 3
MOST = 12  # cases that are drawn for one that converts
REFERENCE_MODEL = importlib.util.find_spec("tosa_reference_model") is not None

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")


def test_every_operator_that_a_rewrite_takes_is_drawn() -> None:
    assert not [key for key in claims() if drawing(DRAWS, *key) is None]


@pytest.mark.parametrize(("name", "types"), CLAIMS, ids=list(map(":".join, CLAIMS)))
def test_operators_equal_litert(name: str, types: str) -> None:
    draw, found = drawing(DRAWS, name, types), []
    assert draw is not None
    for seed in range(MOST):
        verdict = judge(name, types, draw(Draw(seed, types)), by_reference_model=REFERENCE_MODEL and seed == 0)
        assert verdict.verdict in (EQUAL, WITHIN, REFUSED, NO_KERNEL), f"seed {seed}: {verdict}"
        found.append(verdict)
        if seed + 1 >= SEEDS and any(one.verdict in (EQUAL, WITHIN) for one in found):
            return
    pytest.fail(f"none of {MOST} cases was converted and compared: {found[-1]}")
