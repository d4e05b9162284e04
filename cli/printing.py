"""The one gate for what people read: a report is lines, and no line can steer a terminal or pretend to be another.

Names, paths and messages come from files. Whatever prints hands its lines to `show` or `complain`, which escape each of
them whole; only `show` itself ends a line.
"""

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any, TextIO

from tosa_converter.errors import INTERNAL, LONGEST, UsageError, explained, printable


def show(lines: Iterable[str], *, limit: int | None = LONGEST, aside: bool = False) -> None:
    """Print lines to standard output. A reader that has had enough is no error.

    Args:
        lines: without line breaks.
        limit: see `printable`; None for documents that programs read.
        aside: print them to standard error.

    Raises:
        UsageError: the stream can't be written to.
    """
    _write((printable(line, limit) + "\n" for line in lines), sys.stderr if aside else sys.stdout)


def deliver(pieces: Iterable[bytes | bytearray | memoryview]) -> int:
    """Write a file's content to standard output; how many bytes that were. A reader may have had enough.

    Raises:
        UsageError: it can't be written to.
    """
    pieces = list(pieces)
    _write(pieces, sys.stdout.buffer)
    return sum(memoryview(piece).nbytes for piece in pieces)


def is_shown() -> bool:
    """Whether a terminal gets standard output."""
    return sys.stdout.isatty()


def _write(texts: Iterable[Any], stream: IO[Any]) -> None:
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
    """Pass on what a library prints of its own text, which may have colours, as `show` passes on lines."""
    stream = sys.stdout
    text = _Page(stream)
    try:
        with contextlib.redirect_stdout(text):
            yield
    finally:
        text.seek(0)
        _write([text.read()], stream)


class _Page(io.TextIOWrapper):
    """Text on its way to a stream, for which it is made."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(io.BytesIO(), stream.encoding or "utf-8", "backslashreplace", write_through=True)
        self.stream = stream

    def isatty(self) -> bool:
        """Whether a terminal reads it."""
        return self.stream.isatty()


def complain(lines: Iterable[str]) -> None:
    """Print lines to standard error, if that can be done."""
    with contextlib.suppress(UsageError):
        show(lines, aside=True)


def complain_of(error: Exception, places: Iterable[str] = ()) -> int:
    """Print an error to standard error; returns the exit status that it means."""
    status, (first, *more) = explained(error)
    complain([f"{'internal ' if status == INTERNAL else ''}error: {first}", *more, *places])
    return status


def _discard(stream: IO[Any]) -> None:
    """What is still buffered goes nowhere, and so does what follows."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_streams() -> None:
    """Make standard streams writable: closed ones lead nowhere, so that no file that is opened gets their number.

    File names may hold what the terminal's encoding lacks.
    """
    for name, flags, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_WRONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
