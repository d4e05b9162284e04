"""Files as bytes: read whole, or mapped where they are large; never left half-written."""

import contextlib
import errno
import mmap
import os
import stat
from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple, TypeAlias

from tosa_converter.errors import UsageError

FilePath: TypeAlias = str | os.PathLike[str]
Bytes: TypeAlias = bytes | bytearray | memoryview

# Elsewhere a mapped file can be neither replaced nor removed, so that a model couldn't be written over its source.
_MAPS = os.name == "posix"
WHOLE = 64 << 20  # bytes from which on a file is mapped; reading as many takes milliseconds
_MOST_PIPED = 4 << 30  # bytes; flatbuffers have half as many
_CHANGED = "the file changed while it was read: try again when nothing writes to it"
_TEMPORARY = "tosa-"  # temporary names begin so
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def cache_folder(name: str) -> str:
    """A folder in the user's cache for what can be had again."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tosa-converter", name)


def map_file(path: FilePath) -> Bytes:
    """The bytes of a file: read whole if it is small, mapped if it is large; of a pipe all that comes.

    A small file is a snapshot, whatever happens to it later. A large one that is truncated would end this process with
    SIGBUS where the map is read: `require_unchanged` tells before it is.

    Raises:
        UsageError: there is no such file, it can't be opened, is a device, has changed while it was read, or is too
            large for the memory.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            return read_stream(file, str(name))
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from None


def read_stream(file: IO[bytes], name: str) -> Bytes:
    """The bytes of an open file, called `name` in messages; see `map_file`.

    Raises:
        UsageError: as there.
    """
    before = os.fstat(file.fileno())
    if stat.S_ISCHR(before.st_mode) or stat.S_ISBLK(before.st_mode):
        raise UsageError(f"{name}: expected a file or a pipe, found a device")
    if not stat.S_ISREG(before.st_mode) or not before.st_size:  # files of /proc tell no size
        return _read_all(file, name)
    if before.st_size >= WHOLE and _MAPS:
        with contextlib.suppress(OSError, ValueError):
            return _mapped(file, name)
    content = file.read(before.st_size)
    if _state(os.fstat(file.fileno())) != _state(before) or len(content) != before.st_size:
        raise UsageError(f"{name}: {_CHANGED}")
    return content


def _read_all(file: IO[bytes], name: str) -> bytes:
    """What comes until the end, if there is room."""
    from tosa_converter.memory import require_memory

    pieces: list[bytes] = []
    size = 0
    while piece := file.read(1 << 24):
        pieces.append(piece)
        size += len(piece)
        if size > _MOST_PIPED:
            raise UsageError(f"{name}: expected at most {_MOST_PIPED >> 20} MB out of a pipe, found more")
        require_memory(name, size)  # a second time, in one piece
    return b"".join(pieces)


class _Map(NamedTuple):
    """A large file that is mapped: another handle of it, and its state when it was opened."""

    name: str
    descriptor: int
    state: tuple[int, int]


_MAPPED: dict[int, _Map] = {}  # those in use, by number


def _mapped(file: IO[bytes], name: str) -> memoryview:
    from weakref import finalize

    content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    descriptor = os.dup(file.fileno())
    _MAPPED[descriptor] = _Map(name, descriptor, _state(os.fstat(descriptor)))
    finalize(content, _forget, descriptor)
    return memoryview(content)


def _forget(descriptor: int) -> None:
    if _MAPPED.pop(descriptor, None):
        os.close(descriptor)


def _state(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def require_unchanged(path: FilePath) -> None:
    """Raise UsageError if a file, or one of its stem beside it, is mapped and was changed since it was opened."""
    stem = os.path.splitext(path)[0]
    for content in [content for content in _MAPPED.values() if content.name.startswith(stem)] if stem else ():
        if _state(os.fstat(content.descriptor)) != content.state:
            raise UsageError(f"{content.name}: {_CHANGED}")


def files_below(folder: FilePath, endings: tuple[str, ...]) -> list[str]:
    """The files of these endings in a folder and the folders in it, sorted; links to folders aren't followed.

    Raises:
        UsageError: a folder that isn't one or can't be read.
    """
    paths, left = [], [os.fspath(folder)]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
                    elif entry.name.lower().endswith(endings) and entry.is_file():
                        paths.append(entry.path)
        except OSError as error:
            raise UsageError(f"{error.filename or os.fspath(folder)}: {error.strerror}") from None
    return sorted(paths)


def make_folder(path: FilePath) -> None:
    """Make a folder and those that it is in, where they aren't there.

    Raises:
        UsageError: that can't be done.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{os.fspath(path)}: {error.strerror}") from None


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
    folder = os.path.dirname(target)
    _remove_stale(folder, f".{_TEMPORARY}")
    name = os.path.join(folder, f".{_temporary_name()}")
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
def temporary_folder() -> Iterator[str]:
    """A private folder for temporary files, which is gone after the block.

    Folders of processes that were killed are removed first.
    """
    import tempfile

    _remove_stale(tempfile.gettempdir(), _TEMPORARY)
    with tempfile.TemporaryDirectory(prefix=f"{_temporary_name()}-", ignore_cleanup_errors=True) as folder:
        yield folder


def _temporary_name() -> str:
    """A name that tells which process of which machine it belongs to: tosa-MACHINE-PROCESS-RANDOM."""
    return f"{_TEMPORARY}{_machine()}-{os.getpid()}-{os.urandom(8).hex()}"


def _machine() -> str:
    """Tells apart machines and containers that share a folder, whose processes have numbers of their own."""
    if os.name != "posix":
        return ""
    namespace = ""
    with contextlib.suppress(OSError):  # elsewhere than on Linux there is none
        namespace = os.readlink("/proc/self/ns/pid")
    return "".join(filter(str.isalnum, os.uname().nodename + namespace))


def _remove_stale(folder: str, prefix: str) -> None:
    """Remove temporary files and folders of processes of this machine that are gone."""
    if os.name != "posix":  # where a signal can't ask whether a process is there
        return
    begin = f"{prefix}{_machine()}-"
    with contextlib.suppress(OSError), os.scandir(folder or ".") as entries:
        for entry in entries:
            process = entry.name.removeprefix(begin).partition("-")[0]
            if not entry.name.startswith(begin) or not process.isdecimal() or _is_running(int(process)):
                continue
            if entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                import shutil

                shutil.rmtree(entry.path, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


@contextlib.contextmanager
def _passed_on(path: FilePath) -> Iterator[IO[bytes]]:
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        with open(path, "wb") as stream:
            shutil.copyfileobj(file, stream, 1 << 20)
