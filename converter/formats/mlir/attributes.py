"""Attributes in MLIR text, read by their syntax; their meaning follows later, from the operator that has them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.formats.mlir.dense import Dense
from tosa_converter.formats.mlir.element_bytes import Elements
from tosa_converter.formats.mlir.lexer import Lexer
from tosa_converter.formats.mlir.locations import Locations
from tosa_converter.formats.mlir.types import Types


class Attribute(NamedTuple):
    """The value of an attribute, and where it begins in the text.

    Booleans, bytes (a string), lists and dictionaries are Python's; a tuple of int is `array<...>`, None what TOSA has
    no use for; else one of the classes here, of `dense` and of `types`.
    """

    value: Any
    at: int


class Number(NamedTuple):
    """An integer, a float, or the bits of one, and the type behind it."""

    text: str
    type: DType | None


class Word(NamedTuple):
    """A bare word or `#tosa.enumeration<WORD>`: an enumerant, or an element type."""

    text: str
    of: str = ""


class Symbol(NamedTuple):
    """A symbol in MLIR text, `@name`."""

    name: str


class Attributes:
    """Reads attributes in MLIR text, and keeps the aliases that it defines."""

    def __init__(self, lexer: Lexer, types: Types, locations: Locations) -> None:
        """Prepares to read attributes from a lexer, with the readers of types and locations that they contain."""
        self.lexer = lexer
        self.types = types
        self.locations = locations
        self.dense = Dense(lexer, types)
        self.aliases: dict[str, Attribute] = {}

    def alias(self) -> None:
        """Reads a definition `#name = value` of MLIR text and keeps it; the value is an attribute or a location."""
        name = self.lexer.take_kind("attribute", "the name of an attribute")
        self.lexer.expect("=")
        location = self.locations.read_if_next()
        if location is None:
            self.aliases[name] = self.any()
        else:
            self.locations.aliases[name] = location

    def dictionary(self) -> dict[str, Attribute]:
        """Reads the rest of `{name = value, ...}` behind its bracket, and returns the attributes by name."""
        self.lexer.enter()
        entries = dict(self.lexer.read_list("}", self._read_entry))
        self.lexer.leave()
        return entries

    def read_if_next(self) -> dict[str, Attribute]:
        """Reads `{name = value, ...}` if a bracket is next; returns the attributes by name, empty without one."""
        return self.dictionary() if self.lexer.take("{") else {}

    def properties(self) -> dict[str, Attribute]:
        """Reads `<{name = value}>`, if it is next: the operator's own attributes in the generic form."""
        if not self.lexer.take("<"):
            return {}
        self.lexer.expect("{")
        entries = self.dictionary()
        self.lexer.expect(">")
        return entries

    def _read_entry(self) -> tuple[str, Attribute]:
        """Reads `name = value`, or a name alone, which stands for a unit attribute (true)."""
        lexer = self.lexer
        at = lexer.at
        key = lexer.name() if lexer.kind == "string" else lexer.take_kind("word", "the name of an attribute")
        return key, self.any() if lexer.take("=") else Attribute(True, at)  # the unit attribute

    def any(self) -> Attribute:
        """Reads the attribute that is next in MLIR text, of whatever kind."""
        lexer, at = self.lexer, self.lexer.at
        readers: dict[str, Callable[[], Any]] = {
            "string": lexer.string,
            "number": self._read_number,
            "symbol": self.symbol,
            "attribute": self._read_alias_or_enumerant,
            "tensor": self.types.any,
            "type": self.types.any,
            "word": self._read_word,
        }
        return Attribute(readers.get(lexer.kind, self._read_bracketed)(), at)

    def _read_number(self) -> Number:
        """Reads a number, with `: type` behind it if there is one; the type is None for one that no tensor has."""
        lexer = self.lexer
        text = lexer.take_kind("number", "a number")
        if not lexer.take(":"):
            return Number(text, None)
        at = lexer.at
        type = self.types.any() if lexer.kind != "word" else self._read_element_type()
        if type is not None and not isinstance(type, DType):
            raise lexer.error("the type of an element", at)
        return Number(text, type)

    def _read_element_type(self) -> DType | None:
        """Reads the element type behind a number; returns None for a type that no tensor has."""
        word = self.lexer.take_kind("word", "a type")
        dtype = self.types.known.get(word)
        return dtype if isinstance(dtype, DType) else None

    def symbol(self) -> Symbol:
        """Reads a symbol, `@name`."""
        return Symbol(self.lexer.symbol())

    def _read_alias_or_enumerant(self) -> Any:
        """Reads what begins with `#`: an alias, or an enumerant such as `#tosa.resize_mode<NEAREST>`.

        Each use of an alias for elements counts against the budget for repeated ones. Returns None for other forms,
        which TOSA doesn't use.
        """
        lexer, at = self.lexer, self.lexer.at
        name = lexer.take_kind("attribute", "an attribute")
        if lexer.token != "<":
            alias = self.aliases.get(name)
            if alias is None:
                raise lexer.error("an attribute that the text defines before", at)
            if isinstance(alias.value, Elements):
                self.dense.spend(alias.value.values, at)
            return alias.value
        within = Lexer(lexer.text, lexer.at + 1)
        lexer.skip_group()
        return Word(within.token, name.removeprefix("#tosa.")) if within.kind == "word" else None

    def _read_word(self) -> Any:
        """Reads an attribute that begins with a word: true, false, a literal such as `dense<...>`, or a bare word.

        Returns None for other literals, `word<...>`, which TOSA doesn't use.
        """
        lexer = self.lexer
        word = lexer.take_kind("word", "an attribute")
        if word in ("true", "false"):
            return word == "true"
        if word in _LITERALS and lexer.token == "<":
            return _LITERALS[word](self)
        if lexer.token == "<":
            lexer.skip_group()
            return None
        return Word(word)

    def array(self) -> tuple[int, ...]:
        """Reads what follows `array` in MLIR text, `<type: integers>`, and returns the integers."""
        lexer = self.lexer
        lexer.expect("<")
        lexer.take_kind("word", "the type of the elements")
        if lexer.take(">"):
            return ()
        lexer.expect(":")
        integers = self.dense.integers()
        lexer.expect(">")
        return integers

    def integer(self) -> int:
        """Reads an integer of at most 64 bits."""
        at = self.lexer.at
        token = self.lexer.take_kind("number", "an integer")
        if not token.removeprefix("-").isdigit() or len(token) > _DIGITS:
            raise self.lexer.error("an integer", at)
        return int(token)

    def _read_bracketed(self) -> Any:
        """Reads an attribute that begins with a bracket: a dictionary, a list or the type of a function."""
        lexer = self.lexer
        if lexer.take("{"):
            return self.dictionary()
        if lexer.take("["):
            lexer.enter()
            items = lexer.read_list("]", self.any)
            lexer.leave()
            return items
        if lexer.token == "(":
            return self.types.signature()
        raise lexer.error("an attribute")


_DIGITS = 20  # of an integer, which has 64 bits at most
_LITERALS: dict[str, Callable[[Attributes], Any]] = {
    "dense": lambda self: self.dense.literal(),
    "dense_resource": lambda self: self.dense.resource(),
    "sparse": lambda self: self.dense.sparse(),
    "array": Attributes.array,
}
