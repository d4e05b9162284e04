"""What `str` of a graph or model gives. The graph knows no file format, so the facade says which text that is."""

TYPE_CHECKING = False  # typing itself takes longer to import than this module

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Printer = Callable[[Any], str]  # of a graph or a model

_printers: "list[Printer]" = []


def print_with(printer: "Printer") -> None:
    """Sets the function that `str` of a graph or model calls, which this module can't import itself."""
    _printers[:] = [printer]


def text_of(graph: "Any") -> str:
    """Returns the text of a graph or model by the function that `print_with` has set."""
    return _printers[-1](graph)
