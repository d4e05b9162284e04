"""The page of a model that could not be compared: why."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tosa_converter.errors import printable
from tosa_converter.formats.storage import FilePath, write_atomically


def write_refusal_page(
    path: FilePath,
    file: str,
    lines: Sequence[str],
    *,
    outcome: str = "refused",
    options: Mapping[str, Any] | None = None,
) -> int:
    """Writes a page about a model that could not be compared, with the reasons; returns its size in bytes.

    Args:
        path: of the page.
        file: the model, as it was named on the command line.
        lines: of the error's message.
        outcome: refused, unjudged, failed, crashed or timeout.
        options: those that aren't at their defaults, by their flags.

    Raises:
        UsageError: the folder can't be written to.
    """
    texts = [f"{outcome.upper()} {file}", *lines, *(f"{name} {value}" for name, value in (options or {}).items())]
    body = "\n".join(f"<p>{escape(printable(text))}</p>" for text in texts)
    return write_atomically(path, [f"<!doctype html><meta charset=utf-8><title>Refused</title>\n{body}\n".encode()])
