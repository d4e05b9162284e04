"""Many jobs at once, none of which can stop another.

A job is a function that a module has by name, called with plain arguments; what it returns is plain too. Executors of
`concurrent.futures` carry jobs to threads or machines; wherever that is, the job itself runs in a process behind it
that imports once and is used again. What a job does to its process, by a crash or by taking too long, is its result.
"""

import contextlib
import io
import os
import queue
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from importlib import import_module
from pathlib import Path
from threading import TIMEOUT_MAX, Timer
from typing import Any, NamedTuple, TypeAlias

from tosa_converter.engines.messages import MessageError, write_message
from tosa_converter.engines.process import Worker, import_function, qualified_name
from tosa_converter.errors import ConverterError, MissingExtra, UsageError, explained
from tosa_converter.identifiers import identifier

Function: TypeAlias = Callable[..., Any]
DONE, FAILED, CRASHED, TIMEOUT = "done", "failed", "crashed", "timeout"
_CONNECTING = 10  # seconds for a scheduler to answer


class Attempt(NamedTuple):
    """How a job ended: with its function's `value`, or with the lines of an error and the exit status for it."""

    ended: str  # DONE, FAILED, CRASHED or TIMEOUT
    seconds: float
    value: Any = None
    status: int = 0
    lines: tuple[str, ...] = ()
    identifier: str = ""  # of the error


_ATTEMPT = (str, float, object, int, [str], str)  # the form of one that a process answers


class _Processes:
    """A pool of processes in which jobs run, as many as there are jobs at once."""

    def __init__(self) -> None:
        """Creates an empty pool of processes; they are started as jobs need them."""
        self.idle = queue.SimpleQueue[Worker]()
        self.all: list[Worker] = []
        self.ended = False

    def attempt(self, limit: float, function: Function, arguments: tuple[Any, ...]) -> Attempt:
        """Runs a job in a process, for at most `limit` seconds if that isn't 0, and returns how it ended.

        The job's first argument names it in messages.
        """
        worker = self._take_worker()
        started = time.perf_counter()
        try:
            job = qualified_name(attempt), (qualified_name(function), arguments)
            worker.ask(str(arguments[0]), qualified_name(abs), (0,))  # abs(0): it imports before its time counts
            with _kill_after(worker, limit):
                if self.ended:
                    worker.kill()
                answer = Attempt(*worker.ask(str(arguments[0]), *job, form=_ATTEMPT))
        except ConverterError as error:
            seconds = time.perf_counter() - started
            # A process that was killed and one that crashed look alike from here: both end without an answer. The time
            # tells.
            if limit and seconds >= limit:
                lines = (f"took more than {limit:g} s",)
                return Attempt(TIMEOUT, seconds, None, error.exit_status, lines, identifier(error))
            return Attempt(CRASHED, seconds, None, error.exit_status, error.lines, identifier(error))
        else:
            return answer
        finally:
            self.idle.put(worker)

    def _take_worker(self) -> Worker:
        """Returns an idle process of the pool, closed if it has ended meanwhile, or a new one."""
        try:
            worker = self.idle.get_nowait()
        except queue.Empty:
            worker = Worker("job", engine="job's", extra="", environment=_worker_environment, group=True)
            self.all.append(worker)
        if worker.process is not None and worker.process.poll() is not None:
            worker.close()  # it ended between two jobs
        return worker

    def kill(self) -> None:
        """Kills the processes of all jobs that run, and of those that begin."""
        self.ended = True
        for worker in self.all:
            worker.kill()

    def close(self) -> None:
        """Ends the idle processes; no job may be running."""
        for worker in self.all:
            worker.close()


@contextlib.contextmanager
def _kill_after(worker: Worker, limit: float) -> Iterator[None]:
    """Kills a process if the block takes longer than `limit` seconds; 0 is no limit.

    A process whose time ran out is closed, even if its answer came just before.
    """
    if not limit:
        yield
        return
    timer = Timer(min(limit, TIMEOUT_MAX), worker.kill)
    timer.start()
    try:
        yield
    finally:
        late = timer.finished.is_set()
        timer.cancel()
        timer.join()
        if late:
            worker.close()


def _worker_environment(folder: Path) -> Mapping[str, str]:
    """Returns the environment variables of a job's process; its temporary files go to `folder`."""
    # Jobs fill the processors already: 8 of them with 8 threads of OpenBLAS each would be 64 threads on 8 processors.
    return {"TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}


_HERE = _Processes()
"""Those behind executors that carry jobs to this process; they end with it."""


def _run_job_here(limit: float, function: Function, arguments: tuple[Any, ...]) -> Attempt:
    """Runs a job in one of this process's own worker processes, for at most `limit` seconds.

    An executor calls this function in its own thread, or on another machine in a process there.
    """
    return _HERE.attempt(limit, function, arguments)


def attempt(function: str, arguments: Sequence[Any]) -> Attempt:
    """Calls a function by its name, in the process of a job, and returns its value or its error."""
    started = time.perf_counter()
    try:
        value = import_function(function)(*arguments)
    except Exception as error:
        return Attempt(FAILED, time.perf_counter() - started, None, *explained(error), identifier(error))
    return Attempt(DONE, time.perf_counter() - started, value)


def run(
    function: Function,
    calls: Sequence[tuple[Any, ...]],
    *,
    jobs: int = 0,
    limit: float = 0,
    executor: Executor | None = None,
) -> Iterator[tuple[int, Attempt]]:
    """Runs a function with each tuple of arguments as a job in its own process; yields (number, end) as they end.

    Args:
        function: what every job does.
        calls: its arguments for each job, the first of which names it.
        jobs: how many run at once on this machine; as many as it has processors by default.
        limit: seconds of one job, after which it is killed; 0 for none.
        executor: what carries the jobs instead.

    Raises:
        UsageError: arguments that can't be sent to another process, or numbers below 0.
    """
    if jobs < 0 or not limit >= 0:  # nor NaN
        raise UsageError(f"expected jobs and seconds from 0 on, found {jobs} and {limit:g}")
    _require_plain(calls)
    if executor is not None:
        yield from _yield_ends([executor.submit(_run_job_here, limit, function, call) for call in calls])
        return
    processes = _Processes()
    with ThreadPoolExecutor(max(1, min(jobs or processors(), len(calls)))) as threads:
        try:
            yield from _yield_ends([threads.submit(processes.attempt, limit, function, call) for call in calls])
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            processes.kill()
            raise
        finally:
            threads.shutdown()
            processes.close()


def processors() -> int:
    """Returns how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _require_plain(calls: Sequence[tuple[Any, ...]]) -> None:
    """Raises UsageError for arguments that can't be sent to another process."""
    try:
        for call in calls:
            write_message(io.BytesIO(), call)
    except MessageError as error:
        raise UsageError(f"a job's arguments: {error}") from None


def _yield_ends(futures: Sequence["Future[Attempt]"]) -> Iterator[tuple[int, Attempt]]:
    """Yields the number and the end of each job as they end; cancels the rest if the caller stops."""
    numbers = {future: i for i, future in enumerate(futures)}
    try:
        for future in as_completed(numbers):
            yield numbers[future], _end_of(future)
    finally:
        for future in futures:
            future.cancel()


def _end_of(future: "Future[Attempt]") -> Attempt:
    """Returns how a job ended; an error of the executor counts as a crash."""
    try:
        return future.result()
    except Exception as error:
        return Attempt(
            CRASHED, 0.0, None, ConverterError.exit_status, (f"{type(error).__name__}: {error}",), identifier(error)
        )


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Yields the executor of a Dask cluster, whose workers have this package and see the same files.

    Raises:
        MissingExtra: Dask is not installed.
        UsageError: no scheduler answers there.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtra("running jobs on a cluster", "cluster") from None
    try:
        client = distributed.Client(address, timeout=_CONNECTING)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"scheduler {address}: {error}",
            "next: start one with `dask scheduler`, and give the address that it prints",
        ) from None
    with client, client.get_executor() as executor:
        yield executor
