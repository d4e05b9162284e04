"""Sets how many threads BLAS takes while a graph runs: one, unless asked.

OpenBLAS's threads spin while they wait for each other. Where cores are shared, as in a test run or a container, a
product of a few microseconds then takes whole time slices, a thousand times as long; most products here are that small.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

_PREFIXES = ("scipy_openblas_", "openblas_")
_SUFFIXES = ("64_", "")


class _Threads(NamedTuple):
    get: Callable[[], int]
    set: Callable[[int], None]


class Limited:
    """Inside, products of matrices take `count` threads. Does nothing where numpy stands on another library."""

    __slots__ = ("before", "count", "threads")

    def __init__(self, count: int) -> None:
        self.count = count
        self.threads = _control()

    def __enter__(self) -> None:
        self.before = self.threads.get() if self.threads else self.count
        if self.threads and self.before != self.count:
            self.threads.set(self.count)

    def __exit__(self, *_error: object) -> None:
        if self.threads and self.before != self.count:
            self.threads.set(self.before)


@cache
def _control() -> _Threads | None:
    """The functions of the OpenBLAS that numpy's wheel brings along."""
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
