"""Locations in MLIR text: the place that an operator comes from, and the names of its results.

`fused<["a", "b"]>[...]` is how our writer keeps the names of results, which MLIR has no place for.
"""

from typing import NamedTuple

from tosa_converter.errors import MOST_PLACES, shortened
from tosa_converter.formats.mlir.lexer import MAX_NESTING, Lexer


class Location(NamedTuple):
    """What `loc(...)` says: a text, or what it is made of; an alias may be defined behind its use."""

    text: str = ""
    parts: "tuple[Location, ...]" = ()
    joint: str = ""  # between the parts
    alias: str = ""
    at: int = 0
    names: tuple[str, ...] = ()


class Locations:
    """Reads locations, and knows the aliases of a text."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self.aliases: dict[str, Location] = {}

    def trailing(self) -> Location | None:
        """`loc(...)`, if it is next."""
        if self.lexer.token != "loc":
            return None
        self.lexer.advance()
        self.lexer.expect("(")
        location = self.any()
        self.lexer.expect(")")
        return location

    def any(self) -> Location:
        """What stands between the parentheses."""
        lexer = self.lexer
        lexer.enter()
        if lexer.kind == "string":
            location = self._named()
        elif lexer.kind == "attribute":
            location = Location(alias=lexer.token, at=lexer.at)
            lexer.advance()
        elif lexer.take("unknown"):
            location = Location()
        elif lexer.take("callsite"):
            location = self._call()
        elif lexer.take("fused"):
            location = self._fused()
        else:
            raise lexer.error("a location")
        lexer.leave()
        return location

    def _named(self) -> Location:
        """A name, with or without the location of what has it; or a file, line and column."""
        lexer = self.lexer
        text = lexer.name()
        if lexer.take(":"):
            text += f":{lexer.of('number', 'a line')}"
            lexer.expect(":")
            text += f":{lexer.of('number', 'a column')}"
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

    def _call(self) -> Location:
        lexer = self.lexer
        lexer.expect("(")
        callee = self.any()
        lexer.expect("at")
        caller = self.any()
        lexer.expect(")")
        return Location(parts=(callee, caller), joint=" at ")

    def _fused(self) -> Location:
        lexer = self.lexer
        names: list[str] = []
        if lexer.token == "<":
            begin = Lexer(lexer.text, lexer.at + 1)
            lexer.skip_group()
            if begin.take("[") and begin.kind == "string":
                names = begin.listed("]", begin.name)
        lexer.expect("[")
        return Location(parts=tuple(lexer.listed("]", self.any)), joint="; ", names=tuple(names))

    def text(self, location: Location, depth: int = 0) -> str:
        """A location in one line.

        Raises:
            FormatError: an alias that the text doesn't define.
            UnsupportedError: aliases of aliases, deeper than lists may nest.
        """
        if depth > MAX_NESTING:
            raise self.lexer.unsupported(f"locations nest deeper than {MAX_NESTING}", location.at)
        if location.alias:
            text = self.text(self.resolved(location), depth + 1)
            self.aliases[location.alias] = self.aliases[location.alias]._replace(text=text, parts=(), alias="")
            return text
        if not location.parts:
            return location.text
        texts = (self.text(part, depth + 1) for part in location.parts[:MOST_PLACES])
        return shortened(location.joint.join(filter(None, texts)))

    def resolved(self, location: Location) -> Location:
        """What an alias stands for; anything else is itself."""
        if not location.alias:
            return location
        target = self.aliases.get(location.alias)
        if target is None:
            raise self.lexer.error("a location that the text defines", location.at)
        return target
