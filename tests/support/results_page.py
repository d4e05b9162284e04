"""Pages of docs/results: prose written by hand and, behind a mark, the figures of a longer check."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from support.commands import ROOT

MARK = "<!-- measured -->\n"


@contextmanager
def measured_part(name: str) -> Iterator[None]:
    """Replaces the part behind a page's mark by what is printed in the context, unless that fails."""
    path = ROOT / "docs" / "results" / name
    prose, mark, _ = path.read_text("utf-8").partition(MARK)
    assert mark, f"{path} lacks {MARK}"
    with redirect_stdout(io.StringIO()) as printed:
        yield
    path.write_text(f"{prose}{MARK}\n{printed.getvalue().strip()}\n", "utf-8")
