"""Files as bytes: read whole, or mapped if they are large; written atomically."""

import contextlib
import errno
import mmap
import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, NamedTuple, TypeAlias

from tosa_converter.errors import MOST_COMPARED, UsageError, closest_name

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
    """Returns the path of a folder in the user's cache, for files that can be computed again."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tosa-converter", name)


def split_member(path: FilePath) -> tuple[str, str]:
    """Splits a path into a file and the member in it that the path names, "" for none: `a.task:b` is `b` in `a.task`.

    If a file has the whole path as its name, colons included, there is no member.
    """
    name = os.fspath(path)
    if ":" not in name or os.path.lexists(name):
        return name, ""
    # `a:b.zip:c` is `c` in `a:b.zip` if that is a file, else `b.zip:c` in `a`: the first that is there.
    at = name.find(":")
    while at > 0:
        if os.path.isfile(name[:at]):
            return name[:at], name[at + 1 :]
        at = name.find(":", at + 1)
    return name, ""


def map_file(path: FilePath) -> Bytes:
    """Returns the bytes of a file: read whole if it is small, mapped if it is large; a pipe is read to its end.

    Of a path that names a member (`model.task:member`), these are the bytes of the file around it.

    A small file is a snapshot, whatever happens to it later. Reading the map of a large file that was truncated would
    end this process with SIGBUS, so `require_unchanged` has to be called first.

    Raises:
        UsageError: there is no such file, it can't be opened, is a device, has changed while it was read, or is too
            large for the memory.
    """
    name, _ = split_member(path)
    try:
        with open(name, "rb") as file:
            return read_stream(file, str(name))
    except FileNotFoundError as error:
        raise UsageError(f"{name}: {error.strerror}{_similar_file(str(name))}") from None
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from None


def _similar_file(path: str) -> str:
    """Returns the end of the message about a missing file: the name that is most like it in its folder, if any is."""
    folder, name = os.path.split(path)
    with contextlib.suppress(OSError), os.scandir(folder or os.curdir) as entries:
        similar = closest_name(name, sorted(entry.name for entry in islice(entries, MOST_COMPARED)))
        return f"; did you mean {os.path.join(folder, similar)!r}?" if similar else ""
    return ""


def read_stream(file: IO[bytes], name: str) -> Bytes:
    """Returns the bytes of an open file, which is mapped if it is large.

    `name` is for messages, and a pipe is read to its end.

    Raises:
        UsageError: it is a device, has changed while it was read, or is too large for the memory.
    """
    status = os.fstat(file.fileno())
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        raise UsageError(f"{name}: expected a file or a pipe, found a device")
    if not stat.S_ISREG(status.st_mode) or not status.st_size:  # files of /proc tell no size
        return _read_all(file, name)
    if status.st_size >= WHOLE and _MAPS:
        with contextlib.suppress(OSError, ValueError):
            return _map_large(file, name)
    content = file.read(status.st_size)
    if _size_and_time(os.fstat(file.fileno())) != _size_and_time(status) or len(content) != status.st_size:
        raise UsageError(f"{name}: {_CHANGED}")
    return content


def _read_all(file: IO[bytes], name: str) -> bytes:
    """Returns all bytes of a pipe. Raises UsageError if they exceed a limit or the free memory."""
    from tosa_converter.memory import require_memory

    pieces: list[bytes] = []
    size = 0
    # 16 MB at a time, so a pipe of 4 GB takes 256 rounds, and memory is checked in each.
    while piece := file.read(1 << 24):
        pieces.append(piece)
        size += len(piece)
        if size > _MOST_PIPED:
            raise UsageError(f"{name}: expected at most {_MOST_PIPED >> 20} MB out of a pipe, found more")
        require_memory(name, size)  # for the copy in one piece
    return b"".join(pieces)


class _Map(NamedTuple):
    """A large file that is mapped: another handle of it, and its state when it was opened."""

    name: str
    descriptor: int
    state: tuple[int, int]


_MAPPED: dict[int, _Map] = {}  # those in use, by number


def _map_large(file: IO[bytes], name: str) -> memoryview:
    """Maps a large file into memory and returns its bytes.

    Keeps its size and time, so that `require_unchanged` can detect a change.
    """
    from weakref import finalize

    content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    descriptor = os.dup(file.fileno())
    _MAPPED[descriptor] = _Map(name, descriptor, _size_and_time(os.fstat(descriptor)))
    finalize(content, _close_map, descriptor)
    return memoryview(content)


def _close_map(descriptor: int) -> None:
    """Closes the second handle of a mapped file, kept to detect changes.

    It runs when nothing refers to the map any more.
    """
    if _MAPPED.pop(descriptor, None):
        os.close(descriptor)


def _size_and_time(status: os.stat_result) -> tuple[int, int]:
    """Returns a file's size and modification time in ns, to detect that it changed."""
    return status.st_size, status.st_mtime_ns


def require_unchanged(path: FilePath) -> None:
    """Raises UsageError if a model's file changed while it was mapped into memory.

    The same goes for files whose paths begin like it without its ending, such as a file of its constants.
    """
    stem = os.path.splitext(split_member(path)[0])[0] if _MAPPED else ""
    for content in [content for content in _MAPPED.values() if content.name.startswith(stem)] if stem else ():
        if _size_and_time(os.fstat(content.descriptor)) != content.state:
            raise UsageError(f"{content.name}: {_CHANGED}")


def files_below(folder: FilePath, endings: tuple[str, ...]) -> list[str]:
    """Returns the files with these endings in a folder and its folders, sorted; links to folders aren't followed.

    Raises:
        UsageError: a folder that isn't one or can't be read.
    """
    paths, pending_folders = [], [os.fspath(folder)]
    while pending_folders:
        try:
            with os.scandir(pending_folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending_folders.append(entry.path)
                    elif entry.name.lower().endswith(endings) and entry.is_file():
                        paths.append(entry.path)
        except OSError as error:
            raise UsageError(f"{error.filename or os.fspath(folder)}: {error.strerror}") from None
    return sorted(paths)


def make_folder(path: FilePath) -> None:
    """Makes a folder and its parents where they don't exist.

    Raises:
        UsageError: that can't be done.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{os.fspath(path)}: {error.strerror}") from None


def write_atomically(path: FilePath, pieces: Iterable[Bytes]) -> int:
    """Writes pieces to a temporary file beside the target, renames it, and returns the size.

    Raises:
        UsageError: the folder is missing or can't be written to.
    """
    with atomically(path) as file:
        return sum(file.write(piece) for piece in pieces)


@contextlib.contextmanager
def atomically(path: FilePath) -> Iterator[IO[bytes]]:
    """Context with a temporary file beside the target, which replaces it at the end, or is removed on failure.

    A symbolic link stays one: the file that it leads to is replaced, and the new one has the old one's permissions.
    What is no file (a pipe, a terminal, /dev/null) is written to in the end.

    Raises:
        UsageError: the folder is missing or can't be written to, or the file that is there can't be.
    """
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else stat.S_IFREG
        with _replacement(path, mode) if stat.S_ISREG(mode) else _buffer_then_copy(path) as file:
            yield file
    except OSError as error:
        raise UsageError(f"{os.fspath(path)}: can't write: {error.strerror or error}") from None


@contextlib.contextmanager
def _replacement(path: FilePath, mode: int) -> Iterator[IO[bytes]]:
    """Context with a temporary file beside a regular file, which replaces it at the end, or is removed on failure.

    The new file gets the permissions in `mode`.

    Raises:
        PermissionError: the existing file is read-only.
    """
    target = os.path.realpath(path)
    permissions = stat.S_IMODE(mode)
    if os.path.exists(target) and not (permissions & _WRITABLE and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, "the file is read-only")
    folder = os.path.dirname(target)
    _remove_stale(folder, f".{_TEMPORARY}")
    # Beside the target, and so in the same file system, where a rename is atomic: readers see the old file or the new.
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
    """Context with a private folder for temporary files, which is removed at the end.

    Folders of processes that were killed are removed first.
    """
    import tempfile

    _remove_stale(tempfile.gettempdir(), _TEMPORARY)
    with tempfile.TemporaryDirectory(prefix=f"{_temporary_name()}-", ignore_cleanup_errors=True) as folder:
        yield folder


def _temporary_name() -> str:
    """Returns a random name that tells the machine and process it belongs to: tosa-MACHINE-PROCESS-RANDOM."""
    return f"{_TEMPORARY}{_machine_id()}-{os.getpid()}-{os.urandom(8).hex()}"


def _machine_id() -> str:
    """Returns a text that tells machines and containers apart, whose processes may have equal numbers.

    It is in the names of temporary files, of which a process removes those of its own machine only. It is "" on
    Windows.
    """
    if os.name != "posix":
        return ""
    namespace = ""
    with contextlib.suppress(OSError):  # elsewhere than on Linux there is none
        namespace = os.readlink("/proc/self/ns/pid")
    return "".join(filter(str.isalnum, os.uname().nodename + namespace))


def _remove_stale(folder: str, prefix: str) -> None:
    """Removes temporary files and folders that killed processes of this machine left.

    Names with the number of a running process are kept.
    """
    if os.name != "posix":  # where a signal can't ask whether a process is there
        return
    begin = f"{prefix}{_machine_id()}-"
    with contextlib.suppress(OSError), os.scandir(folder or ".") as entries:
        for entry in entries:
            # .tosa-box4026531836-4711-3f...: `begin` is .tosa-box4026531836- on this machine, 4711 the process.
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
    """Returns whether a process exists."""
    try:
        # Signal 0 is never sent, only checked: ESRCH if there is no such process, EPERM if it is another user's.
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


@contextlib.contextmanager
def _buffer_then_copy(path: FilePath) -> Iterator[IO[bytes]]:
    """Context with a temporary file whose content is copied to a pipe or device at the end.

    A failure before that leaves these untouched.
    """
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        with open(path, "wb") as stream:
            shutil.copyfileobj(file, stream, 1 << 20)
