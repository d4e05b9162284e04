"""Processes for what may take its process down, as native code does; they live as long as this one and answer requests.

A request is a tuple pickled to standard input; the answer, pickled to standard output, is what was asked for and, if
something went wrong, the engine's verb and words for it. Both ends are ours. The end of the input is the end of the
process.
"""

import atexit
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tosa_converter.errors import ConverterError, MissingExtra

MISSING = 2  # exit status of a worker without the package that it stands on
Answer: TypeAlias = tuple[Any, tuple[str, str] | None]


class Worker:
    """A module of `workers` in a process of its own, started when first asked and after every failure.

    Args:
        worker: the name of its module.
        engine: what it runs, for messages.
        extra: the optional dependency behind it.
        environment: makes variables for it, and files that they name in a folder that lives as long as the process.
        group: it leads a group of processes, so that `kill` ends what it has started too and a terminal's interrupt is
            this process's alone.
    """

    def __init__(
        self,
        worker: str,
        engine: str,
        extra: str,
        environment: Callable[[Path], Mapping[str, str]] | None = None,
        *,
        group: bool = False,
    ) -> None:
        self.command = command(worker)
        self.engine = engine
        self.extra = extra
        self.environment = environment
        self.group = group
        self.process: subprocess.Popen[bytes] | None = None
        self.kept = contextlib.ExitStack()  # what ends with the process

    def ask(self, about: str, *request: Any) -> Any:
        """The answer to a request about a model, named for messages.

        Raises:
            MissingExtra: the engine is not installed.
            ConverterError: the engine refuses or fails, or its process has ended.
        """
        try:
            return self._answer(self.started(), about, request)
        except ConverterError:
            self.close()
            raise

    def started(self) -> "subprocess.Popen[bytes]":
        """The process; a new one if there is none."""
        if self.process is not None:
            return self.process
        with contextlib.ExitStack() as kept:
            folder = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="tosa-")))
            variables = self.environment(folder) if self.environment is not None else {}
            self.errors = kept.enter_context(tempfile.TemporaryFile())
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                env={**os.environ, **variables},
                process_group=0 if self.group else None,
            )
            kept.callback(_end, process)
            self.kept = kept.pop_all()
        self.process = process
        atexit.register(self.close)
        return process

    def _answer(self, process: "subprocess.Popen[bytes]", about: str, request: tuple[Any, ...]) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        before = self.errors.seek(0, os.SEEK_END)
        try:
            pickle.dump(request, process.stdin, protocol=5)
            process.stdin.flush()
            found, wrong = pickle.load(process.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            status = process.wait()
            self._kill_group(process)
            if status == MISSING:
                raise MissingExtra(f"running {self.engine}", self.extra) from None
            ended = f"the {self.engine} worker ended with {_words(status)} on {about}"
            raise ConverterError(ended, *self._said(before)) from None
        if wrong:
            verb, words = wrong
            raise ConverterError(f"{self.engine} {verb} {about}: {words}", *self._said(before))
        return found

    def _said(self, before: int) -> list[str]:
        self.errors.seek(before)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        return [f"  {line}" for line in lines[-5:]]

    def kill(self) -> None:
        """End a process that has been started, now; who waits for its answer gets an error."""
        if self.process is not None and self.process.poll() is None:
            self._kill_group(self.process)
            self.process.kill()

    def _kill_group(self, process: "subprocess.Popen[bytes]") -> None:
        if self.group:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process, if there is one; the next request starts another."""
        atexit.unregister(self.close)
        self.process = None
        self.kept.close()


def _words(status: int) -> str:
    name = f" ({signal.Signals(-status).name})" if -status in set(signal.Signals) else ""
    return f"status {status}{name}"


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


def command(worker: str) -> list[str]:
    """What runs a module of `workers`; the folder that it is started in is not to hide packages."""
    return [sys.executable, "-P", "-m", f"tosa_converter.engines.workers.{worker}"]


def serve(answer: Callable[..., Answer]) -> int:
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
