"""A pytest plugin that records which statements of the packages every test runs, in all of its processes."""

import base64
import hashlib
import json
import mmap
import os
import sys
import time
import zlib
from collections.abc import Generator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

RECORD = "MUTATION_RECORD"  # the folder to write to
MARKED = "MUTATION_MARKED"  # the folder of the packages that mark what is reached
_MARKS = "MUTATION_MARKS"  # the file of the marks, which a test and the processes that it starts share


@cache
def qualified_name(path: Path) -> str:
    """Returns the name of a test file's records: it changes with the file."""
    return f"{path.stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


class Recorder:
    """Writes a line for every test that passes: its name, seconds and the statements that it ran."""

    def __init__(self, folder: Path, marked: Path) -> None:
        self._folder = folder
        path = folder / f"marks-{os.getpid()}"
        keys = (marked / "keys.json").read_bytes()
        self._table = hashlib.sha256(keys).hexdigest()[:16]
        (folder / f"keys-{self._table}.json").write_bytes(keys)
        self._none = bytes(len(json.loads(keys)))
        path.write_bytes(self._none)
        os.environ[_MARKS] = str(path)
        with path.open("r+b") as stream:
            self._marks = mmap.mmap(stream.fileno(), 0)
        self._passed = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Skips tests that fail or are skipped: they can't detect a fault."""
        self._passed &= report.passed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Records one test with its fixtures."""
        forget()
        self._marks[:] = self._none
        self._passed = True
        started = time.perf_counter()
        try:
            return (yield)
        finally:
            seconds = round(time.perf_counter() - started, 4)
            if self._passed:
                bits = np.packbits(np.frombuffer(bytes(self._marks), np.uint8))
                reached = base64.b85encode(zlib.compress(bits.tobytes(), 9)).decode()
                row = {"test": item.nodeid, "seconds": seconds, "keys": self._table, "reached": reached}
                with (self._folder / f"{qualified_name(item.path)}-{os.getpid()}.jsonl").open("a") as stream:
                    stream.write(json.dumps(row) + "\n")


def unpack(reached: str) -> bytes:
    """Returns the packed bits of a record."""
    return zlib.decompress(base64.b85decode(reached))


def forget() -> None:
    """Empties the packages' caches, so that every test runs the code behind them, not only the first one."""
    for name in [name for name in sys.modules if name.startswith("tosa_converter")]:
        for value in vars(sys.modules[name]).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def pytest_configure(config: pytest.Config) -> None:
    """Records where tests run: in the workers if there are any."""
    folder = os.environ.get(RECORD)
    if folder and (hasattr(config, "workerinput") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Recorder(Path(folder), Path(os.environ[MARKED])))
