"""Runs a fixed sample of the programs with variables and control flow, in every form of a conversion."""

import pytest

from differential.judge import EQUAL, REFUSED
from differential.stateful.judge import forms, judge
from differential.stateful.programs import ROOTS, program
from differential.test_differential import REFERENCE_MODEL

PROGRAMS = 4  # programs of each kind; one also runs in the reference model


@pytest.mark.parametrize("root", ROOTS)
def test_programs_equal_litert_in_every_step(root: str) -> None:
    words = []
    for seed in range(PROGRAMS):
        drawn = program(seed, root)
        for form in forms(drawn):
            verdict = judge(drawn, *form, by_reference_model=REFERENCE_MODEL and seed == 0)
            assert verdict.verdict in (EQUAL, REFUSED), f"seed {seed}, {form}: {verdict}"
            words.append(verdict.verdict)
    assert words.count(EQUAL) > words.count(REFUSED)
