"""Every conversion of the manifest but those of the zoo, once for each of its forms.

Numerics and targets that give a model the same `.tosa` are tried once. All of them are compared, with the models of the
zoo, by `python -m longer.conversions`, which also writes the manifest.
"""

import pytest
from longer.conversions import distinct_ways, hashed, model_of
from support.manifest import groups

GROUPS = groups()


@pytest.mark.parametrize("group", GROUPS)
def test_conversions_are_as_they_were(group: str) -> None:
    changed = []
    for line in GROUPS[group]:
        ways = distinct_ways(line)
        model = model_of(line.name)
        assert (model is not None) == bool(ways), line.name
        if model is not None:
            changed += [(line.name, *way) for expected, way in ways.items() if hashed(model, *way) != expected]
    assert changed == []
