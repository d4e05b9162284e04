"""Conversions of random cases of every operator and type, as hashes; of what the delegate takes in its numerics too.

The differential suite judges such cases by LiteRT, a few seeds in CI and more in its longer runs. These are the seeds
behind CI's. `GOLDEN=write python -m pytest tests/legalize/test_draws.py` writes the table anew.
"""

import os
from functools import cache
from pathlib import Path

import pytest
from differential.judge import claims, for_delegate
from longer.conversions import short
from support.cases.draw import Draw
from support.cases.table import drawing

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode

TABLE = Path(__file__).with_name("draws.tsv")
SEEDS = range(3, 7)
CLAIMS, DELEGATES = sorted(claims()), claims("xnnpack")


def hashed(name: str, types: str, seed: int, numerics: str) -> str:
    """Returns a hash of a conversion, or which error refuses it."""
    case = drawing(name, types)(Draw(seed, types))
    try:
        case = for_delegate(case) if numerics == "xnnpack" else case
        model = tc.convert(tc.load(case.model()[0]), numerics=numerics, **case.conversion)
        return short(b"".join(map(bytes, encode(model, ".tosa"))))[:8]
    except ConverterError as error:
        return type(error).__name__


def row_of(name: str, types: str) -> str:
    numerics = ("reference", "xnnpack") if (name, types) in DELEGATES else ("reference",)
    return "\t".join(hashed(name, types, seed, arithmetic) for arithmetic in numerics for seed in SEEDS)


@cache
def table() -> dict[str, str]:
    if os.environ.get("GOLDEN") == "write":
        TABLE.write_text("".join(f"{name}:{types}\t{row_of(name, types)}\n" for name, types in CLAIMS))
    return {label: row for label, _, row in (line.partition("\t") for line in TABLE.read_text().splitlines())}


@pytest.mark.parametrize(("name", "types"), CLAIMS, ids=list(map(":".join, CLAIMS)))
def test_draws_are_converted_as_they_were(name: str, types: str) -> None:
    assert row_of(name, types) == table()[f"{name}:{types}"]


def test_the_table_lists_nothing_else() -> None:
    assert table().keys() == set(map(":".join, CLAIMS))
