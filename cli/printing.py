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

from tosa_converter.errors import INTERNAL, LONGEST, NEXT_STEP, UsageError, explained, printable


def show(lines: Iterable[str], *, limit: int | None = LONGEST, aside: bool = False) -> None:
    """Prints lines to standard output, escaped; a reader that closes the pipe is no error.

    Args:
        lines: without line breaks.
        limit: see `printable`; None for documents that programs read.
        aside: print them to standard error.

    Raises:
        UsageError: the stream can't be written to.
    """
    _write((printable(line, limit) + "\n" for line in lines), sys.stderr if aside else sys.stdout)


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
    """Writes texts to a stream; discards the rest if the reader has closed the pipe."""
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
        """Creates an empty buffer with the encoding of a stream."""
        super().__init__(io.BytesIO(), stream.encoding or "utf-8", "backslashreplace", write_through=True)
        self.stream = stream

    def isatty(self) -> bool:
        """Returns whether the stream is a terminal, so that the library uses colours."""
        return self.stream.isatty()


def complain(lines: Iterable[str]) -> None:
    """Prints lines to standard error; a stream that can't be written to is ignored."""
    with contextlib.suppress(UsageError):
        show(lines, aside=True)


def complain_of(error: Exception, places: Iterable[str] = ()) -> int:
    """Prints an error to standard error, its details indented and the next step last, and returns its exit status."""
    status, (first, *more) = explained(error)
    details = [line for line in more if not line.startswith(NEXT_STEP)]
    steps = [line for line in more if line.startswith(NEXT_STEP)]
    indented = (line if line.startswith(" ") else f"  {line}" for line in (*details, *places, *steps))
    complain([f"{'internal ' if status == INTERNAL else ''}error: {first}", *indented])
    return status


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
