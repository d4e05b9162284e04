"""Runs a sample of `longer.kernels`: exactly the operators of the table differ between LiteRT's kernels."""

import pytest
from longer.kernels import complaints, examine, keys

from tosa_converter.formats.tflite.kernels import DISAGREEMENTS

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
COUNT = 4
MEMBERS = {row.operator for row in DISAGREEMENTS}
KEYS = keys([""])


@pytest.mark.parametrize("key", KEYS[::8], ids=list(map(":".join, KEYS[::8])))
def test_kernels_that_differ_are_in_the_table(key: tuple[str, str]) -> None:
    assert not complaints([examine(COUNT, key)], every=False)


def test_every_row_shows_a_difference() -> None:
    """REDUCE_PROD needs more draws: in one case of eight, all reduced axes have size 1."""
    members = [key for key in KEYS if key[0] in MEMBERS and "*" not in key[1]]
    assert not complaints([examine(12, key) for key in members], every=True)
