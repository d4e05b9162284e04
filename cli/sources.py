"""Where a command's model comes from and goes to: a file, a folder with a manifest, or a standard stream ("-")."""

import contextlib
import os
import sys
from typing import Any

from tosa_converter.cli.columns import size_words
from tosa_converter.cli.printing import deliver, show
from tosa_converter.errors import FormatError, UsageError
from tosa_converter.formats import encode, model_file, parse, parse_content, save, unwrap
from tosa_converter.formats.capacity import estimate_bytes
from tosa_converter.formats.flatbuffer import Bytes
from tosa_converter.formats.storage import map_file, read_stream, split_member, temporary_folder, write_atomically
from tosa_converter.formats.table import MLIR_ENDING
from tosa_converter.ir import Model

PIPE = "-"  # a standard stream
LARGE = 256 << 20  # bytes of a written file whose size is printed before the work, which takes seconds
_HEX_DIGITS = 2  # of a byte in MLIR text


def read_model(source: str, delegate: int | None = None) -> tuple[Model, int]:
    """Returns a model and the size of its file in bytes.

    Raises:
        UsageError: there is no such file, delegate or member of a container.
        FormatError: the content is malformed or of no known format.
    """
    if source == PIPE:
        content = _standard_input()
        return _parse_piped(content, delegate), len(content)
    source = model_file(source)
    unwrapped = unwrap(map_file(source), source)
    return parse_content(unwrapped, file=source, delegate=delegate), len(unwrapped.data)


def source_file(source: str) -> str:
    """Returns the path of a model for engines, which read the file again.

    Standard input is checked and written to a temporary file, which is removed at exit.

    Raises:
        FormatError: standard input is malformed or of no known format.
    """
    if source != PIPE:
        return source
    import atexit

    content = _standard_input()
    _parse_piped(content)
    folder = contextlib.ExitStack()
    path = os.path.join(folder.enter_context(temporary_folder()), "standard-input")
    atexit.register(folder.close)
    write_atomically(path, [content])
    return path


def require_one_pipe(*models: str) -> None:
    """Raises UsageError if several models are to come from standard input, which can be read only once."""
    if models.count(PIPE) > 1:
        raise UsageError("-: standard input can be only one of the models")


def write_model(model: Model, output: str, ending: str, **options: Any) -> int:
    """Writes a model to a file or to standard output, and returns its size; `options` are those of `save`."""
    if output == PIPE:
        return deliver(encode(model, ending, **options))
    return save(model, output, format=ending, **options)


def require_space(source: Model, output: str, ending: str, *, stored: bool) -> None:
    """Prints how large the conversion of a source will be, if it is large; refuses one that its disk can't hold.

    Args:
        source: what is converted.
        output: the path of the conversion, or "-".
        ending: its format.
        stored: whether weights stay as narrow as they are.

    Raises:
        UsageError: the disk of the output has less free space than the estimate.
    """
    size = estimate_bytes(source, stored=stored) * (_HEX_DIGITS if ending == MLIR_ENDING else 1)
    if size < LARGE:
        return
    import shutil  # only now, as it imports the modules of all kinds of archives

    estimate = f"{output}: about {size_words(size)} to write"
    folder = os.path.abspath(output)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    free = shutil.disk_usage(folder).free
    if output != PIPE and size > free:
        raise UsageError(f"{estimate}, and {size_words(free)} free in {folder}", "next: -o FILE on another disk")
    show([estimate], aside=True)


def _parse_piped(content: Bytes, delegate: int | None = None) -> Model:
    """Returns the model that came from standard input; an error in it names "-" as its file.

    `delegate` is the number of the delegate to read, for an ExecuTorch program that has several.
    """
    try:
        return parse(content, delegate=delegate)
    except FormatError as error:
        error.file = error.file or PIPE
        raise


def _standard_input() -> Bytes:
    """Returns the bytes of standard input, read to its end."""
    return read_stream(sys.stdin.buffer, "standard input")


def require_other_file(output: str, *sources: str) -> None:
    """Raises UsageError if an output is the same file as one of its sources."""
    for source in sources:
        # samefile compares devices and inodes, so links and other spellings of the path count too: `./a.tosa` is
        # `a.tosa`.
        with contextlib.suppress(OSError):  # one of them isn't there yet
            if os.path.samefile(output, split_member(source)[0]) and os.path.isfile(output):
                raise UsageError(f"{output}: the output is the source itself; name another file")


def require_page(page: str, *sources: str) -> None:
    """Raises UsageError if a page would go to standard output, where the report is, or replace one of its sources."""
    if page == PIPE:
        raise UsageError("--report: expected a file for the page, found -", "next: --report FILE.html")
    require_other_file(page, *sources)
