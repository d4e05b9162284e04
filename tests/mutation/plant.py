"""A pytest plugin that plants faults: each in a fork of the process that has imported everything and collected tests.

A fork gets the faulty function's code in place of the right one, and runs the tests that were chosen for the fault
until one fails. Code that runs while modules are imported is out of its reach; such a fault has a process to itself,
which imports the faulty source from a copy of the packages.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, NoReturn

import pytest
from mutation.points import Mutant, module_name
from mutation.reach import forget
from mutation.tree import ROOT

CAUGHT, HUNG, SURVIVED, OUT_OF_REACH = "caught", "hung", "survived", "out of reach"
# A file with a JSON list of jobs; where verdicts go; how many forks at a time, or 0: the only fault is imported.
JOBS, ANSWERS, FORKS = "MUTATION_JOBS", "MUTATION_ANSWERS", "MUTATION_FORKS"
_WAITING = 10


class Job(NamedTuple):
    """A fault, its tests in order, and the seconds after which they count as hung."""

    mutant: Mutant
    tests: list[str]
    limit: int


def read_jobs(path: str) -> list[Job]:
    """Returns the jobs that the campaign wrote."""
    return [Job(Mutant(*mutant), tests, limit) for mutant, tests, limit in json.loads(Path(path).read_text())]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Judges all jobs instead of running all tests."""
    if JOBS not in os.environ:
        return None
    jobs, answers, forks = read_jobs(os.environ[JOBS]), int(os.environ[ANSWERS]), int(os.environ[FORKS])
    if session.testsfailed:  # while they were collected
        return True
    signal.alarm(0)
    signal.setitimer(signal.ITIMER_PROF, 0)
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all forks
    running: dict[int, int] = {}
    for number, job in enumerate(jobs):
        if len(running) >= max(1, forks):
            _wait(running, answers)
        if (pid := os.fork()) == 0:
            _Judge(number, answers).run(session, job, planted=not forks)
        running[pid] = number
    while running:
        _wait(running, answers)
    return True


def _wait(running: dict[int, int], answers: int) -> None:
    """Waits for one fork, and answers for it if it was killed."""
    pid, status = os.wait()
    number = running.pop(pid)
    with contextlib.suppress(ProcessLookupError):  # whatever the tests left behind
        os.killpg(pid, signal.SIGKILL)
    if os.WIFSIGNALED(status):
        hung = os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF)
        answer(answers, number, *((HUNG, "") if hung else (CAUGHT, f"signal {os.WTERMSIG(status)}")))
    elif status:
        raise RuntimeError(f"job {number}: status {status}")


def answer(answers: int, number: int, verdict: str, detail: str) -> None:
    """Writes a line at once, since several processes write."""
    os.write(answers, (json.dumps([number, verdict, detail[:1000]]) + "\n").encode())


class _Judge:
    """Runs the tests of a job in a fork, which ends with the verdict."""

    def __init__(self, number: int, answers: int) -> None:
        self._number = number
        self._answers = answers

    def run(self, session: pytest.Session, job: Job, *, planted: bool) -> NoReturn:
        try:
            os.setpgid(0, 0)
            bound(job.limit)
            if not planted and not plant(job.mutant):
                self._end(OUT_OF_REACH, "")
            session.config.pluginmanager.register(self)
            order = {test: place for place, test in enumerate(job.tests)}
            items = sorted((i for i in session.items if i.nodeid in order), key=lambda i: order[i.nodeid])
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self._end(SURVIVED, f"{len(items)} tests passed")
        finally:
            os._exit(1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Ends the fork at the first failure."""
        if report.failed:
            self._end(CAUGHT, report.nodeid)

    def _end(self, verdict: str, detail: str) -> NoReturn:
        answer(self._answers, self._number, verdict, detail)
        os._exit(0)


def bound(seconds: int) -> None:
    """Ends the process after so many CPU seconds, or many more seconds of waiting: the machine may be busy."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(_WAITING * seconds)


def plant(mutant: Mutant) -> bool:
    """Puts the fault into all functions with the faulty code; returns False if there are none."""
    module = importlib.import_module(module_name(mutant.file))
    path = str(module.__file__)
    assert os.path.realpath(path) == str(ROOT / mutant.file), f"{path} is not the source of {ROOT}"
    source = Path(path).read_bytes()
    right, faulty = (compile(text, path, "exec", dont_inherit=True) for text in (source, mutant.apply(source)))
    changed = {_key(before): after for before, after in _pairs(right, faulty) if before != after}
    functions = [
        candidate
        for candidate in gc.get_objects()
        if isinstance(candidate, FunctionType) and _key(candidate.__code__) in changed
    ]
    for function in functions:
        function.__code__ = changed[_key(function.__code__)]
    forget()
    return bool(functions)


def _key(code: CodeType) -> tuple[str, str, int, bytes]:
    return code.co_filename, code.co_qualname, code.co_firstlineno, code.co_linetable


def _pairs(right: CodeType, faulty: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    yield right, faulty
    for pair in zip(*([x for x in code.co_consts if isinstance(x, CodeType)] for code in (right, faulty)), strict=True):
        yield from _pairs(*pair)


if os.environ.get(FORKS) == "0":
    only = read_jobs(os.environ[JOBS])[0]
    bound(only.limit)  # until all is imported
