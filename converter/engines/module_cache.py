"""A folder of compiled modules, which are code: private to the user and bounded in size."""

import contextlib
import os
import stat
from pathlib import Path

from tosa_converter.errors import UsageError
from tosa_converter.formats.storage import cache_folder, make_folder, temporary_folder, write_atomically

SIZE = "TOSA_CONVERTER_IREE_CACHE"  # a variable: megabytes that the modules may take; 0 keeps none
_MEGABYTES = 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class ModuleCache:
    """Compiled modules by name, in files of a private folder.

    Args:
        name: of the folder in the user's cache, made when the first module is written.
        ending: of its files; others in the folder are left alone.
    """

    def __init__(self, name: str, ending: str) -> None:
        """Prepares a cache of compiled modules in the user's folder `name`, which isn't made yet.

        The names of its files end with `ending`.
        """
        self._name = name
        self._ending = ending
        self._temporary = contextlib.ExitStack()
        self._unkept: Path | None = None  # where modules go that aren't kept

    @property
    def _folder(self) -> Path:
        """The path of the folder in the user's cache folder."""
        return Path(cache_folder(self._name))

    def path(self, name: str) -> Path:
        """Returns the path that a module's file has in the cache, whether it exists or not."""
        return self._private_folder() / f"{name}{self._ending}"

    def find(self, name: str) -> Path | None:
        """Returns the path of a module's file and marks it as used now; None if there is no file.

        Raises:
            UsageError: the file is another user's, or others can write to it.
        """
        path = self.path(name)
        try:
            status = path.lstat()
        except OSError:
            return None
        if not stat.S_ISREG(status.st_mode) or _is_foreign(status):
            raise UsageError(f"{path}: expected a file of this user that others can't write to; remove it")
        with contextlib.suppress(OSError):
            os.utime(path)
        return path

    def add(self, name: str, module: bytes) -> Path:
        """Writes a module to its file; if all modules exceed the limit, the least recently used are removed.

        With a limit of 0, the file is in a temporary folder of this process, from which none is removed.
        """
        path = self.path(name)
        write_atomically(path, [module])
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        if path.parent != self._unkept:
            self._shrink(path)
        return path

    def _private_folder(self) -> Path:
        """Returns the cache folder, made private if others have access; a temporary one if the limit is 0.

        Raises:
            UsageError: the folder is somebody else's.
        """
        if not _limit_in_bytes():
            return self._temporary_folder()
        folder = self._folder
        if not folder.is_dir():
            make_folder(folder.parent)
            with contextlib.suppress(FileExistsError):
                folder.mkdir(stat.S_IRWXU)
        status = folder.stat()
        if os.name == "posix" and status.st_uid != os.getuid():
            raise UsageError(f"{folder}: expected a folder of this user; {SIZE}=0 does without")
        if status.st_mode & _OTHERS:
            folder.chmod(stat.S_IRWXU)
        return folder

    def _temporary_folder(self) -> Path:
        """Returns a temporary folder, made at the first call, which is removed when this process ends."""
        if self._unkept is None:
            import atexit

            self._unkept = Path(self._temporary.enter_context(temporary_folder()))
            atexit.register(self._temporary.close)
        return self._unkept

    def _shrink(self, newest: Path) -> None:
        """Removes the least recently used modules until the rest fits the limit; keeps the newest one in any case."""
        files = []
        for path in self._folder.glob(f"*{self._ending}"):
            with contextlib.suppress(OSError):  # another process has removed it
                files.append((path.lstat().st_mtime_ns, path.lstat().st_size, path))
        total = sum(size for _, size, _ in files)
        # By time of use, oldest first: 400 MB of Monday, 500 of Tuesday and 300 of today are 1,200. With a limit of
        # 1,024, Monday's go, and 800 stay.
        for _, size, path in sorted(files):
            if total <= _limit_in_bytes() or path == newest:
                break
            path.unlink(missing_ok=True)
            total -= size


def _is_foreign(status: os.stat_result) -> bool:
    """Returns whether a file belongs to another user or others can write to it; its code must not run then."""
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return os.name == "posix" and (status.st_uid != os.getuid() or bool(writable))


def _limit_in_bytes() -> int:
    """Returns how many bytes the compiled modules may take, from the variable `SIZE` in megabytes; 0 keeps none.

    Raises:
        UsageError: the variable is no number.
    """
    text = os.environ.get(SIZE, str(_MEGABYTES))
    # isdecimal alone takes digits of other scripts. 9 digits are below 10**9 MB, 2**50 bytes.
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise UsageError(f"{SIZE}: expected megabytes, as in {_MEGABYTES}, or 0 to keep nothing, found {text!r}")
    return int(text) << 20
