"""Regions of a `.tosa` file: which ones operators of control flow run, and the order in which they are read."""

from collections.abc import Mapping, Sequence

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.schemas import flat, tosa

MAX_NESTING = 64  # graphs within graphs, for whose sake verifier, writers and executor recurse; level 8K allows 6


def called_regions(region: tosa.TosaRegion) -> list[str]:
    """Returns the names of the regions that the control flow of a TOSA region uses, once for each use."""
    return [name for block in region.blocks for operator in block.operators for name in regions_of(operator)]


def regions_of(operator: tosa.TosaOperator) -> tuple[str, ...]:
    """Returns the names of the regions that a COND_IF or WHILE_LOOP uses; empty for other operators."""
    fields = flat.field_annotations(type(operator.attribute)) if isinstance(operator.attribute, tosa.Attribute) else {}
    return tuple(getattr(operator.attribute, name) for name in fields if name.endswith("_graph"))


def order_regions(named: Mapping[str, Sequence[str]]) -> list[str]:
    """Returns the names of regions, each one behind those that it uses; `named` has these for each region.

    Raises:
        FormatError: a name that no region has, a region that contains itself.
        UnsupportedError: regions nested deeper than MAX_NESTING.
    """
    if not any(named.values()):
        return list(named)
    from graphlib import CycleError, TopologicalSorter

    for outer, names in named.items():
        for name in names:
            if name not in named:
                raise FormatError(f"no region is called {name!r}", path=outer)
    try:
        order = list(TopologicalSorter(named).static_order())
    except CycleError as error:
        name, *regions, _ = error.args[1]
        way = f", by way of {len(regions)} others, {regions[0]!r} the first" if regions else ""
        raise FormatError(f"the region contains itself{way}", path=name) from None
    depths: dict[str, int] = {}
    for name in order:
        # A region without control flow has depth 0, so a chain of 65 regions passes and one of 66 doesn't.
        depths[name] = 1 + max((depths[inner] for inner in named[name]), default=-1)
        if depths[name] > MAX_NESTING:
            raise UnsupportedError(f"region {name!r}: control flow nests deeper than {MAX_NESTING}")
    return order
