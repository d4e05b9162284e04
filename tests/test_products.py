"""All that is made of a model, from files to drawings, for the models of the manifest that are small.

`GOLDEN=write python -m pytest tests/test_products.py` writes the hashes anew. The other tests say whether what is made
is right; this one shows every change, in any field, of any of them. What fails is a name of `MAKERS` in products.py.
"""

import os
from pathlib import Path

import pytest
from longer.conversions import model_of
from support import products
from support.manifest import groups

from tosa_converter.errors import ConverterError

TABLE = Path(__file__).with_name("products.tsv")
GROUPS = groups("golden/apart.", "golden/alike.", "models/small/")


def rows_of(group: str) -> dict[str, str]:
    """Returns the rows of the models of a group, by their names."""
    rows: dict[str, str] = {}
    for line in GROUPS[group]:
        model = model_of(line.name)
        if model is not None:
            model.source = line.name  # in place of the path, which differs between machines
        try:
            hashes = {} if model is None else products.products(model)
        except ConverterError:  # of the conversion itself: the manifest says so
            continue
        rows |= {line.name: "\t".join(hashes.values())} if hashes else {}
    return rows


def table() -> dict[str, str]:
    header, *rows = TABLE.read_text().splitlines()
    assert header.split("\t") == ["model", *products.MAKERS]
    return {name: row for name, _, row in (row.partition("\t") for row in rows)}


@pytest.fixture(scope="module", autouse=True)
def written() -> None:
    if os.environ.get("GOLDEN") == "write":
        rows = {name: row for group in GROUPS for name, row in rows_of(group).items()}
        lines = ["\t".join(("model", *products.MAKERS)), *("\t".join(row) for row in rows.items())]
        TABLE.write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("group", GROUPS)
def test_products_are_as_they_were(group: str) -> None:
    rows, expected = rows_of(group), table()
    changed = [
        (name, product)
        for name, row in rows.items()
        for product, old, new in zip(products.MAKERS, expected[name].split("\t"), row.split("\t"), strict=True)
        if old != new
    ]
    assert changed == []
    assert rows.keys() == {line.name for line in GROUPS[group]} & expected.keys()


def test_most_models_have_all_products() -> None:
    rows = [row.split("\t") for row in table().values()]
    assert len(rows) > 1000
    many = {name: sum(row[i] != products.REFUSED for row in rows) for i, name in enumerate(products.MAKERS)}
    assert min(many.values()) > 300, many
