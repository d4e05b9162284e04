"""How objects show themselves: tables in a notebook, one short line elsewhere. `notebook` has what they show."""

from tosa_converter.errors import printable

TYPE_CHECKING = False  # typing itself takes longer to import than this module

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LONGEST = 300  # characters of a line that `repr` returns
_MOST_VALUES = 3  # of a list in such a line


def html_of(value: "Any") -> str:
    """Returns an object as HTML for a notebook: its title, facts and tables."""
    from tosa_converter.notebook import card_of, html

    return html(card_of(value))


def line_of(value: "Any") -> str:
    """Returns an object as one line for `repr`: its class and its title."""
    from tosa_converter.notebook import card_of

    return short_line(f"<{type(value).__name__}: {card_of(value).title}>")


def short_line(text: str) -> str:
    """Returns a text for `repr`: one line of visible characters, which loses its middle if it is long."""
    return printable(text, LONGEST)


def few(values: "Sequence[Any]", limit: int = 80) -> str:
    """Returns the first of some objects by their `repr`, of `limit` characters each, and how many there are besides."""
    texts = [printable(repr(value), limit) for value in values[:_MOST_VALUES]]
    more = [f"and {len(values) - _MOST_VALUES} more"] if len(values) > _MOST_VALUES else []
    return ", ".join(texts + more)


class Displayed:
    """An object that a notebook shows as tables."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Returns the object as HTML, as notebooks ask for it."""
        return html_of(self)


class Summarized(Displayed):
    """A report that a notebook shows as tables, and `repr` as one line."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Returns the class and the title in one line: all fields of a report would be a wall of text."""
        return line_of(self)
