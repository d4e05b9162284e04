"""Whole commands measured from outside: wall seconds and peak memory of one run, medians of several."""

import contextlib
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple


class Run(NamedTuple):
    """One figure of a command: seconds, and bytes of its largest process."""

    seconds: float
    peak: int


def run(*commands: Sequence[str]) -> Run | None:
    """Run commands one after the other: seconds added, the larger peak; None if one fails."""
    seconds, peak = 0.0, 0
    for command in commands:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds += time.perf_counter() - started
        peak = max(peak, usage.ru_maxrss * 1024)
        if status:
            return None
    return Run(seconds, peak)


def median(runs: Iterable[Run]) -> Run:
    """The medians of both figures."""
    runs = list(runs)
    return Run(statistics.median(r.seconds for r in runs), int(statistics.median(r.peak for r in runs)))


def seconds(call: Callable[[], object], runs: int) -> float:
    """Median of several calls after a warm-up."""
    call()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """Inside, what compiled code prints goes nowhere: the reference model warns at every call."""
    sys.stdout.flush()
    saved_stdout = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(saved_stdout, 1)
        os.close(saved_stdout)
        os.close(nowhere)


def geometric_mean(values: Sequence[float]) -> float:
    """Of positive numbers; 1 for none."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 1.0


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
