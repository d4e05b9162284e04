"""A pytest plugin that records which functions of the package every test calls."""

import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Generator
from functools import cache
from pathlib import Path
from types import FrameType

import pytest

RECORD = "MUTATION_RECORD"  # the folder to write to


@cache
def name_of(path: Path) -> str:
    """Under which a test file's records are kept: they are stale when it changes."""
    return f"{path.stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


class Recorder:
    """Writes a line for every test that passes: its name, seconds and the package's functions that it called."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._called: set[tuple[str, str]] = set()
        self._passed = True

    def trace(self, frame: FrameType, _event: str, _argument: object) -> None:
        """See sys.settrace."""
        self._called.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What failed or was skipped can't tell a fault from none."""
        self._passed &= report.passed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Trace one test with its fixtures."""
        forget()
        self._called.clear()
        self._passed = True
        started = time.perf_counter()
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            seconds = round(time.perf_counter() - started, 4)
            calls = sorted({call for place in self._called.copy() if (call := _function(*place))})
            if self._passed:
                with (self._folder / f"{name_of(item.path)}-{os.getpid()}.jsonl").open("a") as stream:
                    stream.write(json.dumps({"test": item.nodeid, "seconds": seconds, "calls": calls}) + "\n")


def forget() -> None:
    """Empty the package's caches, or only the first of many tests is seen to call what they hold."""
    for name in [name for name in sys.modules if name.startswith("tosa_converter")]:
        for value in vars(sys.modules[name]).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def _function(path: str, name: str) -> str | None:
    """`legalize/checks.py:f`, with all that is defined within f; None outside of the package."""
    _, found, inside = path.rpartition("/tosa_converter/")
    name = name.partition(".<")[0]
    if not found or name.startswith("<"):
        return None
    own = inside.partition("/")[0] in ("legalize", "schemas", "cli")
    return f"{inside if own else f'converter/{inside}'}:{name}"


def pytest_configure(config: pytest.Config) -> None:
    """Record where tests run: in the workers if there are any."""
    folder = os.environ.get(RECORD)
    if folder and (hasattr(config, "workerinput") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Recorder(Path(folder)))
