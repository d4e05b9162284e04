"""Processes for what may take its process down, as native code does; they live as long as this one and answer requests.

Requests go to standard input, answers come from standard output, both in the form of `messages`: an answer is what was
asked for and, if something went wrong, the engine's verb and words for it. Native code that a model took over may
answer anything, so the parent checks each answer against the form that it expects. The end of the input is the end of
the process.
"""

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

from tosa_converter.engines.messages import Form, MessageError, fits, read_message, write_message
from tosa_converter.errors import ConverterError, MissingExtra, UsageError
from tosa_converter.formats.storage import temporary_folder
from tosa_converter.processes import child

MISSING = 2  # exit status of a worker without the package that it stands on
Answer: TypeAlias = tuple[Any, tuple[str, str] | None]
_QUOTED = 1 << 16  # bytes of what a worker printed that are looked at


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
        """Stores how to start the worker process, the module `worker`; it starts at the first request.

        Messages name the `engine`, and the optional dependency `extra` that installs it. `environment` returns
        variables for the process; it gets a temporary folder, which is removed when the process ends. With `group` the
        process leads a process group, so that the processes that it starts are killed with it.
        """
        self.command = command(worker)
        self.engine = engine
        self.extra = extra
        self.environment = environment
        self.group = group
        self.process: subprocess.Popen[bytes] | None = None
        self.kept = contextlib.ExitStack()  # what ends with the process

    def ask(self, about: str, *request: Any, form: Form = object) -> Any:
        """Sends a request to the worker process and returns its answer; starts the process if there is none.

        After an error the process is ended.

        Args:
            about: the model, named for messages.
            request: as for `write_message`.
            form: of the answer, as for `fits`.

        Raises:
            MissingExtra: the engine is not installed.
            UsageError: a request that can't be sent.
            ConverterError: the engine refuses or fails, its process has ended, or the answer is malformed.
        """
        try:
            return self._answer(self.started(), about, request, form)
        except ConverterError:
            self.close()
            raise

    def started(self) -> "subprocess.Popen[bytes]":
        """Returns the worker process; starts one if there is none."""
        if self.process is not None:
            return self.process
        with contextlib.ExitStack() as resources:
            folder = Path(resources.enter_context(temporary_folder()))
            variables = self.environment(folder) if self.environment is not None else {}
            self.errors = resources.enter_context(tempfile.TemporaryFile())
            streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
            environment = {**os.environ, **variables}
            process = resources.enter_context(child(self.command, group=self.group, env=environment, **streams))
            resources.callback(_end_process, process)
            self.kept = resources.pop_all()
        self.process = process
        atexit.register(self.close)
        return process

    def _answer(self, process: "subprocess.Popen[bytes]", about: str, request: tuple[Any, ...], form: Form) -> Any:
        """Sends a request to the process and returns the answer, after a check that it has the expected form.

        Raises:
            UsageError: the request can't be sent.
            MissingExtra: the package that the worker runs isn't installed.
            ConverterError: the process has ended, its answer has another form, or the answer says what failed.
        """
        assert process.stdin is not None
        assert process.stdout is not None
        # What is behind this position was printed about this request; the file keeps that of earlier ones.
        before = self.errors.seek(0, os.SEEK_END)
        try:
            try:
                write_message(process.stdin, request)
            except MessageError as error:
                raise UsageError(f"{self.engine} can't be asked about {about}: {error}") from None
            answer = read_message(process.stdout)
            # An answer is (value, None) or (anything, (verb, words)): ([], ("refuses", "no such operator")) fits,
            # whatever form the value should have.
            if not fits(answer, (object, (str, str))) and not fits(answer, (form, type(None))):
                raise MessageError("expected another form of answer")
        except (EOFError, BrokenPipeError):
            status = process.wait()
            self._kill_group(process)
            if status == MISSING:
                raise MissingExtra(f"running {self.engine}", self.extra) from None
            ended = f"the {self.engine} worker ended with {_describe_status(status)} on {about}"
            raise ConverterError(ended, *self._last_output_lines(before)) from None
        except MessageError as error:
            self.kill()
            raise ConverterError(f"the {self.engine} worker's answer on {about} is malformed: {error}") from None
        value, failure = cast("Answer", answer)
        if failure:
            verb, explanation = failure
            raise ConverterError(f"{self.engine} {verb} {about}: {explanation}", *self._last_output_lines(before))
        return value

    def _last_output_lines(self, before: int) -> list[str]:
        """Returns the last 5 lines but INFO that the worker printed since position `before` of its standard error."""
        self.errors.seek(max(before, self.errors.seek(0, os.SEEK_END) - _QUOTED))
        lines = self.errors.read(_QUOTED).decode(errors="replace").strip().splitlines()
        return [f"  {line}" for line in lines if not line.startswith("INFO: ")][-5:]

    def kill(self) -> None:
        """Kills the worker process at once, if it runs; a thread that waits for its answer gets an error."""
        if self.process is not None and self.process.poll() is None:
            self._kill_group(self.process)
            self.process.kill()

    def _kill_group(self, process: "subprocess.Popen[bytes]") -> None:
        """Kills the group of processes that the worker leads, if it was started with a group of its own."""
        if self.group:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Ends the worker process, if there is one, and closes its pipes; the next request starts another."""
        atexit.unregister(self.close)
        self.process = None
        self.kept.close()


def _describe_status(status: int) -> str:
    """Returns an exit status in words, with the signal's name if it is negative: "status -9 (SIGKILL)"."""
    name = f" ({signal.Signals(-status).name})" if -status in set(signal.Signals) else ""
    return f"status {status}{name}"


def _end_process(process: "subprocess.Popen[bytes]") -> None:
    """Ends a worker: closes its input, which tells it to stop, waits 10 seconds, and kills it if it still runs."""
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


def qualified_name(function: Callable[..., Any]) -> str:
    """Returns a function's name as module:name, by which `import_function` finds it in another process."""
    return f"{function.__module__}:{function.__qualname__}"


def import_function(name: str) -> Callable[..., Any]:
    """Imports a module and returns its function, from a name such as `qualified_name` returns: module:name."""
    module, _, name = name.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def command(worker: str) -> list[str]:
    """Returns the command line that starts a worker module; -P keeps the current folder from hiding packages."""
    return [sys.executable, "-P", "-m", f"tosa_converter.engines.workers.{worker}"]


def serve(answer: Callable[..., Answer]) -> int:
    """Runs a worker: answers requests from standard input until it ends; what the engine prints goes to stderr.

    A thread waits for the end of the input, which ends the process also while it computes.
    """
    # Answers go to a copy of descriptor 1, and 1 itself becomes standard error: what native code prints with printf
    # can't get between the bytes of a message.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    stream = os.fdopen(os.dup(0), "rb", 0)  # without a buffer, whose lock would be held when the process ends
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_receive, args=(stream, requests, busy), daemon=True).start()
    while (request := requests.get()) is not None:
        _reply(answers, answer(*request))
        busy.clear()
    return 0


def _receive(stream: IO[bytes], requests: "queue.SimpleQueue[Any]", busy: threading.Event) -> None:
    """Puts requests in the queue, and None at the end of the input, or where it is damaged.

    If an answer is still owed then, ends the process first.
    """
    try:
        while True:
            request = read_message(stream)
            # Set before the request is queued, cleared behind its answer. The parent has one request open at most,
            # so at the end of the input `busy` says whether an answer is still owed.
            busy.set()
            requests.put(request)
    except (EOFError, MessageError):
        if busy.is_set():
            os.kill(os.getpid(), signal.SIGTERM)
        requests.put(None)


def _reply(answers: IO[bytes], reply: Answer) -> None:
    """Sends an answer, or the reason why it can't be sent."""
    try:
        write_message(answers, reply)
    except MessageError as error:  # before a byte of it is written
        write_message(answers, (None, ("fails on", str(error))))
