"""A part of the manifest of conversions; each element of a cycle checks another part. The rest is a longer check."""

import pytest
from longer.conversions import changes, line_of, read

EVERY = 23
NAMES = [name for name in read() if not name.startswith("zoo/")]


@pytest.mark.parametrize("name", NAMES[::EVERY])
def test_a_conversion_is_as_it_was(name: str) -> None:
    old = read()[name]
    assert list(changes(old, line_of(name))) == []
