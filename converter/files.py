"""Files: told apart by their content when read, by their ending when written, and never left half-written."""

import contextlib
import errno
import mmap
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TypeAlias

from tosa_converter.errors import FormatError, UsageError
from tosa_converter.flatbuffer import Bytes
from tosa_converter.ir import Model

FilePath: TypeAlias = str | os.PathLike[str]

# What identifies a format, and the module and function that read it; imported when needed.
_IDENTIFIERS = {b"TFL3": "tflite", b"TOSA": "tosa"}
VGF_MAGIC = b"VGF1"
_WRITERS = (".tosa", ".spv", ".vgf", ".mlir")  # of TOSA; .xnn is for graphs that were read as XNNGraph
# Elsewhere a mapped file can be neither replaced nor removed, so that a model couldn't be written over its source.
_MAPS = os.name == "posix"
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def load(path: FilePath) -> Model:
    """Read a model of any supported format (.tflite, .tosa, .spv, .vgf, XNNGraph), told by its content.

    The file is mapped into memory; weights are views of it.

    Raises:
        UsageError: there is no such file.
        FormatError: the content is malformed or of no known format.
    """
    return parse(map_file(path), file=os.fspath(path))


def parse(data: Bytes, *, file: str = "") -> Model:
    """Read a model out of bytes; see `load`."""
    return _reader(data, file)(data, file=file)


def _reader(data: Bytes, file: str) -> Callable[..., Model]:
    found = bytes(data[4:8])
    if found == b"TFL3":
        from tosa_converter.tflite_reader import read_tflite

        return read_tflite
    if found == b"TOSA":
        from tosa_converter.tosa_reader import read_tosa

        return read_tosa
    from tosa_converter.spirv_words import MAGIC_BYTES

    if bytes(data[:4]) in MAGIC_BYTES:
        from tosa_converter.spirv_reader import read_spirv

        return read_spirv
    if bytes(data[:4]) == VGF_MAGIC:
        from tosa_converter.vgf import read_vgf

        return read_vgf
    from tosa_converter.xnnpack_reader import looks_like_xnnpack, read_xnnpack

    if looks_like_xnnpack(data):
        return read_xnnpack
    known = ", ".join(f"{name} (identifier {key.decode()})" for key, name in _IDENTIFIERS.items()) + ", SPIR-V, VGF"
    size = f"{len(data)} bytes" if data else "an empty file"
    raise FormatError(f"expected {known} or an XNNGraph, found {size} beginning with {bytes(data[:8])!r}", file=file)


def map_file(path: FilePath) -> Bytes:
    """The bytes of a file, mapped rather than read where the system can.

    Raises:
        UsageError: there is no such file, or it can't be opened.
    """
    try:
        with open(path, "rb") as file:
            if not _MAPS or not os.fstat(file.fileno()).st_size:
                return file.read()  # empty, or a pipe
            try:
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            except (OSError, ValueError):
                return file.read()
    except OSError as error:
        raise UsageError(f"{os.fspath(path)}: {error.strerror}") from None


def encode(model: Model, format: str, *, debug: bool = False) -> list[Bytes]:
    """A model in the format of that ending, as pieces to be written one after the other; `.spv` needs `save`.

    Raises:
        MissingExtra: the format needs an optional package.
        UsageError: no writer for that ending.
        VerifyError: the model is illegal at every level and target.
        UnsupportedError: the model can't be expressed in the format.
    """
    from tosa_converter.gate import require_legal

    require_legal(model)
    if format == ".tosa":
        from tosa_converter.tosa_writer import write_tosa

        return write_tosa(model)
    if format == ".vgf":
        from tosa_converter.vgf import write_vgf

        return write_vgf(model, debug=debug)
    if format == ".mlir":
        from tosa_converter.mlir_writer import write_mlir

        return [write_mlir(model).encode()]
    if format == ".xnn":
        from tosa_converter.xnnpack_writer import write_xnnpack

        if model.opset != "xnn":
            raise UsageError(
                f".xnn holds a graph that was read as XNNGraph, and this one is {model.opset}; "
                f"expected an output ending in {', '.join(_WRITERS)}"
            )

        return write_xnnpack(model)
    if format == ".spv":
        raise UsageError("a .spv has constants in a file beside it, so it can only be saved to a path")
    raise UsageError(f"expected an output ending in {', '.join(_WRITERS)}, found {format or 'none'!r}")


def save(model: Model, path: FilePath, *, format: str = "", debug: bool = False) -> int:
    """Write a model in the format of the path's ending, or of `format` (an ending); returns the size in bytes.

    The same model gives the same bytes. A failure leaves what was there before. A `.spv` may come with more files: its
    constants in `<stem>.constants.npz`, graphs besides the main one in `<stem>.<graph>.spv`. With `debug`, `.spv` and
    `.vgf` keep the names of values and the places that operators come from.

    Raises:
        UsageError: no writer for that ending, or the folder can't be written to.
        VerifyError: the model is illegal at every level and target.
        UnsupportedError: the model can't be expressed in the format.
    """
    ending = (format or os.path.splitext(path)[1]).lower()
    if ending not in (".spv", ".vgf"):
        return write_atomically(path, encode(model, ending, debug=debug))
    from tosa_converter.gate import require_legal

    require_legal(model)
    if ending == ".spv":
        from tosa_converter.spirv_data import save_spirv

        return save_spirv(model, path, debug=debug)
    from tosa_converter.vgf import save_vgf

    return save_vgf(model, path, debug=debug)


def write_atomically(path: FilePath, pieces: Iterable[Bytes]) -> int:
    """Write to a temporary file beside the target and rename it.

    Raises:
        UsageError: the folder is missing or can't be written to.
    """
    with atomically(path) as file:
        return sum(file.write(piece) for piece in pieces)


@contextlib.contextmanager
def atomically(path: FilePath) -> Iterator[IO[bytes]]:
    """A temporary file beside the target that takes its place when the block ends, and is gone if the block fails.

    A symbolic link stays one: the file that it leads to is replaced, and the new one has the old one's permissions.
    What is no file (a pipe, a terminal, /dev/null) is written to in the end.

    Raises:
        UsageError: the folder is missing or can't be written to, or the file that is there can't be.
    """
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else stat.S_IFREG
        with _replacement(path, mode) if stat.S_ISREG(mode) else _passed_on(path) as file:
            yield file
    except OSError as error:
        raise UsageError(f"{os.fspath(path)}: can't write: {error.strerror or error}") from None


@contextlib.contextmanager
def _replacement(path: FilePath, mode: int) -> Iterator[IO[bytes]]:
    target = os.path.realpath(path)
    permissions = stat.S_IMODE(mode)
    if os.path.exists(target) and not (permissions & _WRITABLE and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, "the file is read-only")
    name = os.path.join(os.path.dirname(target), f".tosa-{os.urandom(8).hex()}")
    try:
        with open(name, "xb") as file:
            yield file
        if permissions:
            os.chmod(name, permissions)
        os.replace(name, target)
    finally:
        with contextlib.suppress(OSError):  # it is there only if something failed
            os.unlink(name)


@contextlib.contextmanager
def _passed_on(path: FilePath) -> Iterator[IO[bytes]]:
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        with open(path, "wb") as stream:
            shutil.copyfileobj(file, stream, 1 << 20)
