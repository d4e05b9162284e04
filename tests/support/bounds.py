"""Tables of bounds that tests keep in their own files, written by BURN_DOWN=write."""

import os
import re
from pathlib import Path

Bounds = dict[str, dict[str, int]]
BLOCK = re.compile(r"(?<=BURN_DOWN=write \*\*\n).*?(?=\n# \*\* end of bounds)", re.DOTALL)


def is_burning_down() -> bool:
    """Returns whether this run writes the bounds anew."""
    return os.environ.get("BURN_DOWN") == "write"


def write_bounds(path: Path, bounds: Bounds) -> None:
    """Writes a table in place of the one between the marks of a test's file."""
    path.write_text(BLOCK.sub(lambda _: table(bounds), path.read_text("utf-8"), count=1), "utf-8")


def table(bounds: Bounds) -> str:
    """Returns the table as it stands in a file."""
    lines = ["BOUNDS: dict[str, dict[str, int]] = {"]
    for name, places in bounds.items():
        rows = [f'        "{place}": {bound},' for place, bound in sorted(places.items())]
        lines += [f'    "{name}": {{', *rows, "    },"] if rows else [f'    "{name}": {{}},']
    return "\n".join([*lines, "}"])
