"""Runs a sample of `quantized_fuzz.py`, which runs any number of seeds."""

from pathlib import Path

import pytest
from longer.quantized_fuzz import check

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")


@pytest.mark.parametrize("seed", range(300))
def test_a_random_model_equals_litert(seed: int, tmp_path: Path) -> None:
    """Our elements equal LiteRT's except undefined ones; the reference model runs every 30th seed."""
    outcome = check(seed, tmp_path, by_reference_model=seed % 30 == 0)
    assert outcome.verdict == "equal" or (outcome.verdict == "refused" and "hard_swish" in outcome.detail), outcome
