"""Where a command's model comes from: a file, a folder with a manifest, or standard input ("-")."""

import contextlib
import os
import sys

from tosa_converter.errors import UsageError
from tosa_converter.formats import model_file, parse
from tosa_converter.formats.flatbuffer import Bytes
from tosa_converter.formats.storage import map_file, read_stream, temporary_folder, write_atomically
from tosa_converter.ir import Model

PIPE = "-"  # a standard stream


def read_model(source: str, delegate: int | None = None) -> tuple[Model, int]:
    """Returns a model and the size of its file in bytes.

    Raises:
        UsageError: there is no such file or delegate.
        FormatError: the content is malformed or of no known format.
    """
    source = source if source == PIPE else model_file(source)
    content = _standard_input() if source == PIPE else map_file(source)
    return parse(content, file="" if source == PIPE else source, delegate=delegate), len(content)


def source_file(source: str) -> str:
    """Returns the path of a model for engines, which read the file again; standard input goes to a temporary file."""
    if source != PIPE:
        return source
    import atexit

    folder = contextlib.ExitStack()
    path = os.path.join(folder.enter_context(temporary_folder()), "standard-input")
    atexit.register(folder.close)
    write_atomically(path, [_standard_input()])
    return path


def _standard_input() -> Bytes:
    """Returns the bytes of standard input, read to its end."""
    return read_stream(sys.stdin.buffer, "standard input")


def require_other_file(output: str, *sources: str) -> None:
    """Raises UsageError if an output is the same file as one of its sources."""
    for source in sources:
        # samefile compares devices and inodes, so links and other spellings of the path count too: `./a.tosa` is
        # `a.tosa`.
        with contextlib.suppress(OSError):  # one of them isn't there yet
            if os.path.samefile(output, source) and os.path.isfile(output):
                raise UsageError(f"{output}: the output is the source itself; name another file")
