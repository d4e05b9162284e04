"""The runner: a job that takes its process down, or too long, is that job's result and stops nothing."""

import contextlib
import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from support.commands import restore_interrupts

from tosa_converter.errors import MissingExtra, UsageError
from tosa_converter.proof.runner import CRASHED, DONE, FAILED, TIMEOUT, Attempt, cluster, run

OS = "__import__('os')"
SLEEP = "__import__('time').sleep(60)"
GRANDCHILD = "__import__('subprocess').run(['sleep', '61.{}'])"


def ends(*codes: str, **options: Any) -> list[Attempt]:
    """How jobs end that evaluate Python."""
    attempts = dict(run(eval, [(code,) for code in codes], **options))
    return [attempts[i] for i in range(len(codes))]


def test_every_way_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    codes: dict[str, tuple[str, int, str]] = {
        "6 * 7": (DONE, 0, ""),
        f"{OS}._exit(3)": (CRASHED, 1, "ended with status 3 on"),
        f"{OS}.kill({OS}.getpid(), {signal.SIGSEGV})": (CRASHED, 1, "(SIGSEGV)"),
        f"{OS}.kill({OS}.getpid(), {signal.SIGKILL})": (CRASHED, 1, "(SIGKILL)"),  # as when memory runs out
        "[0] * 10**15": (FAILED, 1, "not enough memory"),
        "1 / 0": (FAILED, 70, "ZeroDivisionError"),
        "open('/nothing')": (FAILED, 2, "No such file"),
        "exit(5)": (CRASHED, 1, "status 5"),
        SLEEP: (TIMEOUT, 1, "took more than 3 s"),
        "open(__import__('tempfile').mkstemp()[1]).close()": (DONE, 0, ""),
    }
    for attempt, (ended, status, words) in zip(ends(*codes, jobs=2, limit=3), codes.values(), strict=True):
        assert (attempt.ended, attempt.status) == (ended, status)
        assert bool(attempt.lines) == bool(words)
        assert words in "".join(attempt.lines[:1])
    assert os.listdir(tmp_path) == []  # also of those that were killed


def test_what_a_job_has_started_ends_with_it() -> None:
    mark = GRANDCHILD.format(os.getpid())
    (attempt,) = ends(mark, limit=2)
    assert attempt.ended == TIMEOUT
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, timeout=60, check=True).stdout
    assert f"sleep 61.{os.getpid()}" not in running.splitlines()


def test_processes_are_used_again() -> None:
    pids = {attempt.value for attempt in ends(*[f"{OS}.getpid() # {i}" for i in range(8)], jobs=2)}
    assert len(pids) <= 2
    assert os.getpid() not in pids


def test_numbers_and_arguments_that_make_no_sense() -> None:
    for options in ({"jobs": -1}, {"limit": -1}, {"limit": math.nan}):
        with pytest.raises(UsageError, match="from 0 on, found"):
            ends("1", **options)
    with pytest.raises(UsageError, match="can't be sent to another process"):
        list(run(eval, [("1", {"x": lambda: 1})]))
    assert list(run(eval, [])) == []
    assert [attempt.value for attempt in ends("1 + 1", limit=math.inf)] == [2]


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor(kind: Any) -> None:
    """One that breaks with its processes is not broken by a job."""
    context = {"mp_context": get_context("spawn")} if kind is ProcessPoolExecutor else {}
    executor: Executor
    with kind(2, **context) as executor:
        attempts = ends("1 + 1", f"{OS}.abort()", SLEEP, "2 + 2", executor=executor, limit=2)
    assert [attempt.ended for attempt in attempts] == [DONE, CRASHED, TIMEOUT, DONE]
    assert [attempt.value for attempt in attempts] == [2, None, None, 4]


def test_an_interrupt_ends_all_jobs(tmp_path: Path) -> None:
    code = f"from tosa_converter.proof.runner import run\nlist(run(eval, [({GRANDCHILD.format(7)!r},)] * 4, jobs=2))"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, preexec_fn=restore_interrupts
    ) as done:
        for _ in range(600):
            if len(list(tmp_path.glob("tosa-*"))) == 2:
                break
            time.sleep(0.1)
        time.sleep(0.5)
        done.send_signal(signal.SIGINT)
        _, error = done.communicate(timeout=30)
    assert error.splitlines()[-1] == b"KeyboardInterrupt"
    assert os.listdir(tmp_path) == []


def test_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ImportError

    monkeypatch.setattr("tosa_converter.proof.runner.import_module", missing)
    with pytest.raises(MissingExtra, match=r"'\.\[cluster\]'"), cluster("tcp://127.0.0.1:1"):
        pass


@pytest.mark.filterwarnings("ignore")  # of Dask's own making
def test_a_cluster_that_loses_a_worker() -> None:
    """Three workers, one of which is killed while all have jobs: every job ends as without it."""
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    settings = {"n_workers": 3, "threads_per_worker": 1, "dashboard_address": None}
    codes = [f"(__import__('time').sleep(0.3), {i})[1]" for i in range(20)]
    codes[4], codes[9] = f"{OS}.abort()", SLEEP
    with distributed.LocalCluster(**settings) as scheduler, cluster(scheduler.scheduler_address) as executor:
        with distributed.Client(scheduler) as client:
            workers = list(client.run(os.getpid).values())
        attempts: dict[int, Attempt] = {}
        for number, attempt in run(eval, [(code,) for code in codes], limit=5, executor=executor):
            if not attempts:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(workers[1], signal.SIGKILL)
            attempts[number] = attempt
    values = {number: attempt.value for number, attempt in attempts.items() if attempt.ended == DONE}
    assert values == {i: i for i in range(20) if i not in (4, 9)}
    assert (attempts[4].ended, attempts[9].ended) == (CRASHED, TIMEOUT)


@pytest.mark.filterwarnings("ignore")
def test_no_scheduler_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr("tosa_converter.proof.runner._CONNECTING", 1)
    with pytest.raises(UsageError, match=r"scheduler tcp://127\.0\.0\.1:1: "), cluster("tcp://127.0.0.1:1"):
        pass
