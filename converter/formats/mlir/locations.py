"""Locations in MLIR text: the origin of an operator, and the names of its results.

`fused<["a", "b"]>[...]` is how our writer keeps the names of results, which MLIR has no place for.
"""

from typing import NamedTuple

from tosa_converter.errors import MOST_PLACES, shortened
from tosa_converter.formats.mlir.lexer import MAX_NESTING, Lexer


class Location(NamedTuple):
    """A location in MLIR text: the content of `loc(...)`, a text or several parts.

    An alias may be defined behind its use.
    """

    text: str = ""
    parts: "tuple[Location, ...]" = ()
    joint: str = ""  # between the parts
    alias: str = ""
    at: int = 0
    names: tuple[str, ...] = ()


class Locations:
    """Reads locations, and keeps the aliases of a text."""

    def __init__(self, lexer: Lexer) -> None:
        """Prepares to read locations of MLIR text; `aliases` gets those that the text defines."""
        self.lexer = lexer
        self.aliases: dict[str, Location] = {}

    def read_if_next(self) -> Location | None:
        """Reads `loc(...)` if it is next in MLIR text; returns None otherwise."""
        if self.lexer.token != "loc":
            return None
        self.lexer.advance()
        self.lexer.expect("(")
        location = self.any()
        self.lexer.expect(")")
        return location

    def any(self) -> Location:
        """Reads a location in MLIR text, of any form: what stands between the parentheses of `loc(...)`."""
        lexer = self.lexer
        lexer.enter()
        if lexer.kind == "string":
            location = self._read_name()
        elif lexer.kind == "attribute":
            location = Location(alias=lexer.token, at=lexer.at)
            lexer.advance()
        elif lexer.take("unknown"):
            location = Location()
        elif lexer.take("callsite"):
            location = self._read_call()
        elif lexer.take("fused"):
            location = self._read_fused()
        else:
            raise lexer.error("a location")
        lexer.leave()
        return location

    def _read_name(self) -> Location:
        """Reads a location that begins with a string: `"name"`, `"name"(location)` or `"file":line:column`."""
        lexer = self.lexer
        text = lexer.name()
        if lexer.take(":"):
            text += f":{lexer.take_kind('number', 'a line')}"
            lexer.expect(":")
            text += f":{lexer.take_kind('number', 'a column')}"
            if lexer.take("to"):
                text += " to "
                while lexer.kind == "number" or lexer.token == ":":
                    text += lexer.token
                    lexer.advance()
        elif lexer.take("("):
            child = self.any()
            lexer.expect(")")
            return Location(parts=(Location(text), child), joint=" at ")
        return Location(text)

    def _read_call(self) -> Location:
        """Reads `(callee at caller)` behind the word `callsite` of a location."""
        lexer = self.lexer
        lexer.expect("(")
        callee = self.any()
        lexer.expect("at")
        caller = self.any()
        lexer.expect(")")
        return Location(parts=(callee, caller), joint=" at ")

    def _read_fused(self) -> Location:
        """Reads `<names>[locations]` behind the word `fused` of a location; other metadata than names is skipped."""
        lexer = self.lexer
        names: list[str] = []
        if lexer.token == "<":
            begin = Lexer(lexer.text, lexer.at + 1)  # reads the metadata, which `lexer` skips
            lexer.skip_group()
            if begin.take("[") and begin.kind == "string":
                names = begin.read_list("]", begin.name)
        lexer.expect("[")
        return Location(parts=tuple(lexer.read_list("]", self.any)), joint="; ", names=tuple(names))

    def text(self, location: Location, depth: int = 0) -> str:
        """Returns a location as one line of text, with aliases resolved.

        A long one is shortened, and has the first parts only.

        Raises:
            FormatError: an alias that the text doesn't define.
            UnsupportedError: aliases of aliases, deeper than lists may nest.
        """
        if depth > MAX_NESTING:
            raise self.lexer.unsupported(f"locations nest deeper than {MAX_NESTING}", location.at)
        if location.alias:
            text = self.text(self.resolve_alias(location), depth + 1)
            # The text takes the place of the parts, so an alias is resolved once: else 30 aliases, each of which
            # names the one before twice, would take 2**30 steps.
            self.aliases[location.alias] = self.aliases[location.alias]._replace(text=text, parts=(), alias="")
            return text
        if not location.parts:
            return location.text
        texts = (self.text(part, depth + 1) for part in location.parts[:MOST_PLACES])
        return shortened(location.joint.join(filter(None, texts)))

    def resolve_alias(self, location: Location) -> Location:
        """Returns the location that an alias stands for; any other location itself.

        Raises FormatError if the text doesn't define the alias.
        """
        if not location.alias:
            return location
        target = self.aliases.get(location.alias)
        if target is None:
            raise self.lexer.error("a location that the text defines", location.at)
        return target
