"""The one gate for what people read: a report is lines, and no line can steer a terminal or pretend to be another.

Names, paths and messages come from files. Whatever prints hands its lines to `show` or `complain`, which escape each of
them whole; only `show` itself ends a line. Colours are styles of parts of a line: `show` alone writes their escape
sequences, so that a name can't colour anything.
"""

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple, TextIO, TypeAlias

from tosa_converter.cli.columns import command_lines, wrap
from tosa_converter.errors import INTERNAL, LONGEST, NEXT_STEP, UsageError, explained, printable

# The parameters of a terminal's sequence "select graphic rendition": 1 is bold, 31 red, 32 green, 36 cyan.
GOOD, BAD, ADVICE, TITLE = "1;32", "1;31", "36", "1"
NEXT = "next:"  # how a line begins that says what to do
_COMMAND = "tflite-to-tosa "  # how advice begins that is a command as a whole
_MARGIN = 2  # columns in front of the details of an error


class Styled(NamedTuple):
    """A part of a line that a terminal shows in a style, such as GOOD."""

    text: str
    style: str


Line: TypeAlias = str | list[str | Styled]
"""A line of a report: plain text, or parts of which some have a style."""


def plain(line: Line) -> str:
    """Returns the text of a line without its styles.

    >>> plain([Styled("PASS", GOOD), "  m.tflite"])
    'PASS  m.tflite'
    """
    return "".join(_text(part) for part in _parts(line))


def _parts(line: Line) -> "list[str | Styled]":
    """Returns the parts of a line, which is a text or a list of plain and styled texts."""
    return [line] if isinstance(line, str) else line


def _text(part: str | Styled) -> str:
    """Returns the text of a part of a line without its style."""
    return part if isinstance(part, str) else part.text


def advice_lines(text: str, margin: int = 0) -> list[Line]:
    """Returns what to do next in lines; a terminal shows the word "next:" in colour.

    Args:
        text: advice, or a command of this package, whose lines end with a backslash as shells read it.
        margin: columns in front of the word "next:".
    """
    indent = margin + len(f"{NEXT} ")
    first, *rest = command_lines(text, indent) if text.startswith(_COMMAND) else wrap("", text, indent)
    return [
        [" " * margin, Styled(NEXT, ADVICE), f" {first.lstrip(' ')}"],
        *(f"{' ' * indent}{line.lstrip(' ')}" for line in rest),
    ]


def show(lines: Iterable[Line], *, limit: int | None = LONGEST, aside: bool = False) -> None:
    """Prints lines to standard output, escaped; a reader that closes the pipe is no error.

    Args:
        lines: without line breaks. Styles are shown by a terminal with colours only.
        limit: see `printable`; None for documents that programs read.
        aside: print them to standard error.

    Raises:
        UsageError: the stream can't be written to.
    """
    stream = sys.stderr if aside else sys.stdout
    coloured = _has_colours(stream)
    _write((_render(line, limit, coloured) + "\n" for line in lines), stream)


def _render(line: Line, limit: int | None, coloured: bool) -> str:
    """Returns a line as a stream gets it: every part is escaped, then its style is put around it."""
    texts = []
    for part in _parts(line):
        text = printable(_text(part), limit)
        style = part.style if coloured and isinstance(part, Styled) else ""
        texts.append(f"\x1b[{style}m{text}\x1b[0m" if style else text)
    return "".join(texts)


def _has_colours(stream: IO[Any]) -> bool:
    """Returns whether a stream shows colours, by the environment variables that the library Rich respects.

    The help is printed by Rich. NO_COLOR, or a TERM without colours, turns them off; FORCE_COLOR stands for a terminal.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "").lower() in ("dumb", "unknown"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    return stream.isatty() if forced is None else bool(forced)


def deliver(pieces: Iterable[bytes | bytearray | memoryview]) -> int:
    """Writes a file's content to standard output and returns its size; a closed pipe is no error.

    Raises:
        UsageError: it can't be written to.
    """
    pieces = list(pieces)
    _write(pieces, sys.stdout.buffer)
    return sum(memoryview(piece).nbytes for piece in pieces)


def is_shown() -> bool:
    """Returns whether standard output is a terminal."""
    return sys.stdout.isatty()


def _write(texts: Iterable[Any], stream: IO[Any]) -> None:
    """Writes texts to a stream; discards the rest if the reader has closed the pipe.

    Raises UsageError if the stream can't be written to otherwise.
    """
    try:
        for text in texts:
            stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _discard(stream)
    except OSError as error:
        _discard(stream)
        raise UsageError(f"can't write the report: {error.strerror}") from None


@contextlib.contextmanager
def page() -> Iterator[None]:
    """Context that collects what a library prints, such as help with colours, and prints it in one piece."""
    stream = sys.stdout
    text = _Page(stream)
    try:
        with contextlib.redirect_stdout(text):
            yield
    finally:
        text.seek(0)
        _write([text.read()], stream)


class _Page(io.TextIOWrapper):
    """A buffer for text in the encoding of a stream."""

    def __init__(self, stream: TextIO) -> None:
        """Creates the buffer that replaces an output stream while a library prints; it has the stream's encoding."""
        super().__init__(io.BytesIO(), stream.encoding or "utf-8", "backslashreplace", write_through=True)
        self.stream = stream

    def isatty(self) -> bool:
        """Returns whether the stream is a terminal, so that the library uses colours."""
        return self.stream.isatty()


def complain(lines: Iterable[Line]) -> None:
    """Prints lines to standard error; a stream that can't be written to is ignored."""
    with contextlib.suppress(UsageError):
        show(lines, aside=True)


def complain_of(error: Exception, places: Iterable[str] = ()) -> int:
    """Prints an error to standard error, its details indented and the next step last, and returns its exit status.

    `places` are lines to print behind the error's own details.
    """
    status, (first, *more) = explained(error)
    title = Styled("internal error:" if status == INTERNAL else "error:", BAD)
    details = [line for line in more if not line.startswith(NEXT_STEP)]
    steps = [line.removeprefix(NEXT_STEP) for line in more if line.startswith(NEXT_STEP)]
    head, *rest = wrap(title.text, first, len(title.text) + 1)
    lines: list[Line] = [[title, head.removeprefix(title.text)], *rest]
    for line in (*details, *places):
        lines += _detail_lines(line)
    for step in steps:
        lines += advice_lines(step, _MARGIN)
    complain(lines)
    return status


def _detail_lines(line: str) -> list[Line]:
    """Returns a detail of an error in lines, the further ones indented more.

    A detail that says what to do next looks as other advice does.
    """
    text = line.lstrip(" ")
    margin = len(line) - len(text) or _MARGIN
    if text.startswith(NEXT_STEP):
        return advice_lines(text.removeprefix(NEXT_STEP), margin)
    return [*wrap(" " * margin, text, margin, hanging=2)]


def _discard(stream: IO[Any]) -> None:
    """Redirects a stream to the null device, so that what is buffered raises no second error at exit."""
    # The interpreter flushes the streams at its end: with the pipe still closed, that would fail a second time.
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_streams() -> None:
    """Opens closed standard streams on the null device, so that no other file gets their descriptors.

    Characters that a stream's encoding lacks are escaped.
    """
    for name, flags, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_WRONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
