"""Processes for engines whose native code may take its process down; they live as long as this one and answer requests.

A request is a tuple pickled to standard input; the answer is (what was asked for, what went wrong), pickled to standard
output. Both ends are ours. The end of the input is the end of the process.
"""

import atexit
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tosa_converter.errors import ConverterError, MissingExtra

MISSING = 2  # exit status of a worker without the package that it stands on


class Worker:
    """A script of this package in a process of its own.

    Args:
        script: its file's name.
        engine: what it runs, for messages.
        extra: the optional dependency behind it.
        environment: its environment, this process's if not given.
    """

    def __init__(self, script: str, engine: str, extra: str, environment: Mapping[str, str] | None = None) -> None:
        self.engine = engine
        self.extra = extra
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the process
        self.process = subprocess.Popen(
            [sys.executable, "-P", os.fspath(Path(__file__).with_name(script))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
        )
        atexit.register(self.close)

    def ask(self, about: str, *request: Any) -> Any:
        """The answer to a request about a model, named for messages.

        Raises:
            MissingExtra: the engine is not installed.
            ConverterError: the engine refuses or fails, or the process has ended; it is of no use then.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            pickle.dump(request, self.process.stdin, protocol=5)
            self.process.stdin.flush()
            found, wrong = pickle.load(self.process.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise self._ended(about) from None
        if wrong:
            raise ConverterError(f"{self.engine} {wrong}{self._said()}")
        return found

    def _ended(self, about: str) -> ConverterError:
        status = self.process.wait()
        if status == MISSING:
            return MissingExtra(f"running {self.engine}", self.extra)
        return ConverterError(f"the {self.engine} worker ended with status {status} on {about}{self._said()}")

    def _said(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        return "".join(f"\n  {line}" for line in lines[-5:])

    def close(self) -> None:
        """End the process."""
        atexit.unregister(self.close)
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.errors.close()


def serve(answer: Callable[..., tuple[Any, str]]) -> int:
    """The other end: answer requests until there are no more. What the engine prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return 0
        pickle.dump(answer(*request), answers, protocol=5)
        answers.flush()
