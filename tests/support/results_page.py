"""Pages of docs/results: prose by hand, and behind a mark what a longer check measured."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from support.commands import ROOT

MARK = "<!-- measured -->\n"


@contextmanager
def measured_part(name: str) -> Iterator[None]:
    """Writes what is printed inside of the context behind the mark of a page, once it ended without an error."""
    path = ROOT / "docs" / "results" / name
    prose, mark, _ = path.read_text("utf-8").partition(MARK)
    assert mark, f"{path} lacks {MARK}"
    with redirect_stdout(io.StringIO()) as printed:
        yield
    path.write_text(f"{prose}{MARK}\n{printed.getvalue().strip()}\n", "utf-8")
