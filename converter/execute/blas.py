"""Limits the threads of BLAS while a graph runs: to one, by default.

OpenBLAS's threads spin while they wait for each other. On shared cores, as in a test run or a container, a product of a
few microseconds then waits for whole time slices, a thousand times as long; most products here are that small.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

# numpy's wheels rename OpenBLAS's functions: libscipy_openblas64_ has scipy_openblas_get_num_threads64_. Others keep
# openblas_get_num_threads.
_PREFIXES = ("scipy_openblas_", "openblas_")
_SUFFIXES = ("64_", "")


class _Threads(NamedTuple):
    """OpenBLAS's functions that read and set its number of threads."""

    get: Callable[[], int]
    set: Callable[[int], None]


class ThreadLimit:
    """Context that limits OpenBLAS to `count` threads for matrix products; no effect if numpy uses another library."""

    __slots__ = ("before", "count", "threads")

    def __init__(self, count: int) -> None:
        """Prepares a context in which numpy's matrix products take at most `count` threads."""
        self.count = count
        self.threads = _find_openblas()

    def __enter__(self) -> None:
        """Sets OpenBLAS's number of threads to `count`, if numpy uses OpenBLAS, and remembers the number before."""
        self.before = self.threads.get() if self.threads else self.count
        if self.threads and self.before != self.count:
            self.threads.set(self.count)

    def __exit__(self, *_error: object) -> None:
        """Restores the number of BLAS threads from before the context."""
        if self.threads and self.before != self.count:
            self.threads.set(self.before)


@cache
def _find_openblas() -> _Threads | None:
    """Returns the functions that read and set the threads of numpy's OpenBLAS, or None without one."""
    import ctypes

    home = Path(np.__file__).parent
    for folder in (home.parent / "numpy.libs", home / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            library = ctypes.CDLL(str(path))
            for prefix in _PREFIXES:
                for suffix in _SUFFIXES:
                    getter = getattr(library, f"{prefix}get_num_threads{suffix}", None)
                    setter = getattr(library, f"{prefix}set_num_threads{suffix}", None)
                    if getter is not None and setter is not None:
                        return _Threads(getter, setter)
    return None
