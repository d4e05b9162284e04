"""Adversarial inputs of every operator of integers, as hashes: all that is chosen for ties, borders and intermediates.

`GOLDEN=write python -m pytest tests/proof/test_adversarial_sets.py` writes them anew, which only a change of how inputs
are chosen may need. That they tie, saturate and mark borders is tested in test_adversarial.py.
"""

import os
from functools import cache
from pathlib import Path

import pytest
from longer.conversions import model_of
from support.manifest import groups
from support.products import attempt, digest, has_floats

import tosa_converter as tc

TABLE = Path(__file__).with_name("adversarial_sets.tsv")
RUNS = 16
GROUPS = {
    name: [line.name for line in lines if not line.name.endswith(".xnnpack")]
    for name, lines in groups("golden/apart.", "golden/alike.", "models/").items()
    if any(dtype in line.name for line in lines for dtype in ("int8", "int16", "int32"))
}


def row_of(name: str) -> str | None:
    """Returns a hash of all sets, or None of a model that has floats or can't be read."""
    model = model_of(name)
    if model is None or model.opset != "tfl" or has_floats(model):
        return None
    return attempt(lambda source, _: [*map(digest, tc.adversarial_inputs(source, runs=RUNS, seed=2))], model, model)


def rows_of(group: str) -> dict[str, str]:
    return {name: row for name in GROUPS[group] if (row := row_of(name)) is not None}


@cache
def table() -> dict[str, str]:
    if os.environ.get("GOLDEN") == "write":
        rows = {name: row for group in GROUPS for name, row in rows_of(group).items()}
        TABLE.write_text("".join(f"{name}\t{row}\n" for name, row in rows.items()))
    return dict(line.split("\t") for line in TABLE.read_text().splitlines())


@pytest.mark.parametrize("group", GROUPS)
def test_sets_are_as_they_were(group: str) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert rows_of(group) == {name: table()[name] for name in GROUPS[group] if name in table()}
