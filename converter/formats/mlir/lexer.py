"""MLIR text as tokens: one regular expression, one token ahead, every place as line and column."""

import re
from collections.abc import Callable
from typing import TypeVar

from tosa_converter.errors import FormatError, shortened
from tosa_converter.formats.mlir.source import Source
from tosa_converter.formats.storage import Bytes

T = TypeVar("T")

MAX_NESTING = 66  # of regions and lists: as deep as TOSA flatbuffers, within a function of a module
MOST_FOUND = 40  # characters of a token that a message shows

_SPACE = r"(?:[ \t\r\n]|//[^\n]*+)*+"
_STRING = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_FLAT = r"[^<>\n]*+"
# Three levels, such as <4x!quant.uniform<i8<-127:127>:f32, 0.5>>.
_IN_ANGLES = rf"<{_FLAT}(?:<{_FLAT}(?:<{_FLAT}>{_FLAT})*+>{_FLAT})*+>"
# The order decides: `tensor<...>` before the word `tensor`, 0x1F before the number 0 and the word x1F, == before =.
# Two last groups match at the end and any character, so every position has a token.
_TOKEN = re.compile(
    _SPACE
    + rf"(?:(?P<tensor>tensor{_IN_ANGLES})"
    + r"|(?P<word>[A-Za-z_][\w$.]*+)"
    + r"|(?P<value>%[\w$.-]++(?:\#\d{1,9}+)?)"
    + rf"|(?P<string>{_STRING})"
    + r"|(?P<number>-?(?:0x[0-9A-Fa-f]++|\d++(?:\.\d*+(?:[eE][-+]?\d++)?)?))"
    + rf"|(?P<symbol>@(?:[A-Za-z_][\w$.-]*+|{_STRING}))"
    + r"|(?P<attribute>\#[A-Za-z_][\w$.]*+)"
    + rf"|(?P<type>![A-Za-z_][\w$.]*+(?:{_IN_ANGLES})?)"
    + r"|(?P<block>\^[\w$.-]++)"
    + r"|(?P<sign>->|\{-\#|\#-\}|[<>=]=|[()\[\]{}<>=,:])"
    + r"|(?P<end>\Z)|(?P<other>.))",
    re.ASCII | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BEGINNING = re.compile(
    _SPACE.encode() + rb'(?:module|func\.func|"builtin\.module"|"func\.func"|"?tosa\.variable|[#!][A-Za-z_])'
)


def looks_like_mlir(data: Bytes) -> bool:
    """Returns whether bytes begin like MLIR text: with a module, a function, an alias or a comment."""
    return bytes(data[:2]) == b"//" or _BEGINNING.match(data) is not None


class Lexer(Source):
    """The tokens of a text, one at a time; the text is read as Latin-1, so that a character is a byte.

    `kind` is the group of the regular expression, `token` its text and `at` where it begins.
    """

    def __init__(self, text: str, begin: int = 0) -> None:
        """Prepares to read tokens of MLIR text from character `begin` on, and reads the first one."""
        self.text = text
        self.end = begin
        self.depth = 0
        self.advance()

    def advance(self) -> None:
        """Reads the next token."""
        match = _TOKEN.match(self.text, self.end)
        assert match is not None, "any character is a token"
        # Each kind of token is one group, and it's the only one that matches.
        self.kind, group = match.lastgroup or "", match.lastindex or 0
        self.token: str = match[group]
        self.at, self.end = match.span(group)

    def take(self, token: str) -> bool:
        """Advances past the next token if it is this one, and returns whether it was."""
        if self.token != token:
            return False
        self.advance()
        return True

    def expect(self, token: str) -> None:
        """Advances past the next token, which must be this one.

        Raises:
            FormatError: another one is next.
        """
        if not self.take(token):
            raise self.error(repr(token))

    def take_kind(self, kind: str, description: str) -> str:
        """Advances past the next token, which must be of this kind, and returns it.

        `description` is for the message.

        Raises:
            FormatError: one of another kind is next.
        """
        if self.kind != kind:
            raise self.error(description)
        token = self.token
        self.advance()
        return token

    def take_match(self, pattern: re.Pattern[str]) -> str:
        """Returns the characters that `pattern` matches from the next token on, and advances past them.

        They are a constant's elements; raises FormatError if there are none.
        """
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.error("elements")
        self.end = match.end()
        self.advance()
        return match[0]

    def read_list(self, close: str, item: Callable[[], T]) -> list[T]:
        """Reads items with commas between them, each by `item()`, up to a closing token, and advances past that."""
        items: list[T] = []
        if self.take(close):
            return items
        items.append(item())
        while self.take(","):
            items.append(item())
        if not self.take(close):
            raise self.error(f"',' or {close!r}")
        return items

    def skip_group(self) -> None:
        """Advances past a bracket, its closing bracket and everything in between."""
        closing = []
        while True:
            if self.token in _PAIRS:
                closing.append(_PAIRS[self.token])
            elif closing and self.token == closing[-1]:
                closing.pop()
            elif self.kind == "end" or self.token in _PAIRS.values():
                raise self.error(repr(closing[-1]) if closing else "a bracket")
            self.advance()
            if not closing:
                return

    def string(self, description: str = "a string") -> bytes:
        """Advances past a string token, and returns the bytes that it stands for."""
        at = self.at
        return self._unquote(self.take_kind("string", description), at)

    def name(self, description: str = "a name") -> str:
        """Advances past a string token in UTF-8, and returns its text."""
        at = self.at
        return self.decode_utf8(self.string(description), at)

    def symbol(self, description: str = "a symbol") -> str:
        """Advances past `@name` or `@"any name"`, and returns the name."""
        at = self.at
        token = self.take_kind("symbol", description)
        return self.decode_utf8(self._unquote(token[1:], at), at) if token[1] == '"' else token[1:]

    def _unquote(self, token: str, at: int) -> bytes:
        """Returns the bytes that a string token stands for, without its quotes and with escapes resolved."""
        inner = token[1:-1]
        if "\\" not in inner:
            return inner.encode("latin-1")

        def replace_escape(match: re.Match[str]) -> str:
            """Returns the character of an escape."""
            if match[1] is None and match[2] not in _ESCAPES:
                raise self.error("escapes of two hexadecimal digits, n, t, quotes or a backslash", at)
            # `\5C` is a backslash and `\C3\A9` the two bytes of an accented e; any byte is one character of Latin-1.
            return chr(int(match[1], 16)) if match[1] else _ESCAPES[match[2]]

        return _ESCAPE.sub(replace_escape, inner).encode("latin-1")

    # ** nesting and errors **

    def enter(self) -> None:
        """Enters a region or list; raises UnsupportedError if they nest too deep. `leave` ends it."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.unsupported(f"regions or lists nest deeper than {MAX_NESTING}", self.at)

    def leave(self) -> None:
        """Leaves a region or list that `enter` began: the nesting is one level less deep."""
        self.depth -= 1

    def place(self, at: int) -> str:
        """Returns the line and column of a position in the text as `line 1, column 1`, both counted from 1."""
        # In "ab\ncd" c is at 3, the line feed at 2: column 1. In the first line rfind gives -1, so a has 0 - -1 = 1.
        line = self.text.count("\n", 0, at) + 1
        return f"line {line}, column {at - self.text.rfind(chr(10), 0, at)}"

    def describe(self, at: int) -> str:
        """Returns the token at a position, as messages show it."""
        token = Lexer(self.text, at)
        return "the end of the text" if token.kind == "end" else repr(shortened(token.token, MOST_FOUND))

    def error(self, expected: str, at: int | None = None, actual: str = "") -> FormatError:
        """Returns the error for an unexpected token; by default for the one that is next."""
        at = self.at if at is None else at
        return FormatError(f"expected {expected}, found {actual or self.describe(at)}", path=self.place(at))
