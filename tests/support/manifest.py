"""The lines of the manifest of conversions in groups, so that a test takes less than a second."""

from collections import defaultdict

from longer.conversions import Line, read

MODELS_IN_GROUP = 8
PREFIXES = ("apart", "alike", "same", "state", "flex", "stablehlo", "aten", "sparse")  # of operators


def groups(*without: str) -> dict[str, list[Line]]:
    """Returns lines by the operator that they are named by and a number: not the zoo's, nor those that begin so."""
    lines: dict[str, list[Line]] = defaultdict(list)
    for line in read().values():
        kind, _, name = line.name.partition("/")
        if kind != "zoo" and not line.name.startswith(without):
            words = name.split(".") if kind == "golden" else [name]
            lines[words[1] if words[0] in PREFIXES else words[0]].append(line)
    return {
        f"{name} {first // MODELS_IN_GROUP}": group[first : first + MODELS_IN_GROUP]
        for name, group in lines.items()
        for first in range(0, len(group), MODELS_IN_GROUP)
    }
