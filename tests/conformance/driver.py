"""Runs conformance tests, several operators at a time, and counts the verdicts."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from conformance.conditions import named
from conformance.judge import ReferenceError, complies, reference_results
from conformance.sampling import KINDS, Drawn, Job, draw, operators
from conformance.system import description, execute, load

from tosa_converter.errors import ConverterError, UnpredictableError, UnsupportedError
from tosa_converter.ir import Array

PASSED, FAILED, UNSUPPORTED, EXCEPTED, UNJUDGED = "passed", "failed", "unsupported", "excepted", "unjudged"
MISNAMED = "misnamed"  # an illegal graph that is refused for another condition than the violated one

# Tests at odds with the text of TOSA 1.0.0, by operator and types; the generator follows a later release of 1.0.
_NO_BOOL = "clause 2.11 of 1.0.0 does not list bool among the types of this operator"
EXCEPTIONS = {("GATHER", "bool"): _NO_BOOL, ("SCATTER", "bool"): _NO_BOOL}
# The reference model doesn't look for overflow where the pseudocode's apply_add_s and its kin have a REQUIRE (4.5.1).
UNPREDICTABLE = "a REQUIRE does not hold, so any result will do; without checks ours complies"


class Record(NamedTuple):
    """The verdict on one test; `detail` is the reason of a failure, or the refusal of an illegal graph."""

    operator: str
    kind: str
    types: str
    test: str
    verdict: str
    detail: str


def run_tests(jobs: Sequence[Job], folder: Path | None = None, workers: int = 0, seconds: float = 0) -> list[Record]:
    """Runs jobs in `workers` processes.

    Args:
        jobs: what to draw and run.
        folder: where tests and reference results are kept for the next run; they are deleted when not given.
        workers: processes, as many as processors when 0.
        seconds: jobs that haven't begun by then are left out; no limit when 0.
    """
    end = time.monotonic() + seconds if seconds else float("inf")
    records: list[Record] = []
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        for future in as_completed([pool.submit(run_job, job, folder, end) for job in jobs]):
            records += future.result()
    return sorted(records)


def run_job(job: Job, folder: Path | None = None, end: float = float("inf")) -> list[Record]:
    """Draws the tests of one operator and judges each."""
    if time.monotonic() > end:
        return []
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            return run_job(job, Path(temporary), end)
    folder = folder / f"seed{job.seed}-{job.kind}"
    return [
        Record(job.operator, job.kind, drawn.types, drawn.folder.name, *judge(drawn, job))
        for drawn in draw(job, folder)
    ]


def judge(drawn: Drawn, job: Job) -> tuple[str, str]:
    """Returns verdict and detail of one test."""
    desc = description(drawn.folder)
    if desc["expected_failure"] != (job.kind == "negative"):
        return UNJUDGED, "the test is not of the kind that was asked for"
    reason = EXCEPTIONS.get((job.operator, drawn.types))
    try:
        verdict, detail = (_refused if job.kind == "negative" else _computed)(drawn, desc, job.fast)
    except Exception as error:  # any other exception is our failure: it is listed and the run continues
        verdict, detail = FAILED, f"{type(error).__name__}: {error}"
    return (EXCEPTED, reason) if reason and verdict == FAILED else (verdict, detail)


def _refused(drawn: Drawn, desc: dict[str, Any], fast: bool) -> tuple[str, str]:
    try:
        execute(load(drawn.folder, desc), drawn.folder, desc, fast=fast)
    except ConverterError as error:
        verdict = PASSED if named(drawn.error, str(error)) else MISNAMED
        return verdict, f"{type(error).__name__}: {error}"
    return FAILED, "the illegal graph was accepted"


def _computed(drawn: Drawn, desc: dict[str, Any], fast: bool) -> tuple[str, str]:
    folder = drawn.folder
    try:
        outputs = execute(load(folder, desc), folder, desc, fast=fast)
    except UnsupportedError as error:
        return UNSUPPORTED, str(error)
    except UnpredictableError as error:
        outputs = execute(load(folder, desc), folder, desc, check=False, fast=fast)
        return _complies(folder, desc, outputs, f"{UNPREDICTABLE}: {error}")
    return _complies(folder, desc, outputs, "")


def _complies(folder: Path, desc: dict[str, Any], outputs: list[Array], reservation: str) -> tuple[str, str]:
    try:
        expected = reference_results(folder, desc)
    except ReferenceError as error:
        return UNJUDGED, str(error)
    names = desc["ofm_name"]
    wrong = [name for i, name in enumerate(names) if not complies(desc, i, outputs[i], *expected[i])]
    if wrong:
        return FAILED, f"not compliant: {', '.join(wrong)} {reservation}"
    return (EXCEPTED, reservation) if reservation else (PASSED, "")


def jobs_for(pattern: str, kinds: Iterable[str], seed: int, count: int, variants: int, fast: bool = True) -> list[Job]:
    """Returns a job per operator and kind, the largest first so that no processor waits at the end."""
    slow = ("CONV", "POOL", "RESIZE", "MATMUL", "PAD", "TRANSPOSE")
    names = sorted(operators(pattern), key=lambda name: not any(part in name for part in slow))
    return [Job(name, kind, seed, count, variants, fast) for name in names for kind in KINDS if kind in kinds]


def table(records: Iterable[Record]) -> str:
    """Returns the verdicts per operator as a Markdown table."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for record in records:
        counts.setdefault(record.operator, Counter())[record.kind, record.verdict] += 1
    titles = ["operator", "positive", "passed", "failed", "unsupported", "excepted"]
    titles += ["negative", "refused", "for the named condition", "accepted"]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    total: Counter[tuple[str, str]] = Counter()
    for operator, count in sorted(counts.items()):
        total += count
        lines.append(_line(operator, count))
    return "\n".join([*lines, _line("**all**", total)])


def _line(name: str, count: "Counter[tuple[str, str]]") -> str:
    positive, negative = (sum(n for (kind, _), n in count.items() if kind == kind_counted) for kind_counted in KINDS)
    cells = [
        positive,
        count["positive", PASSED],
        count["positive", FAILED],
        count["positive", UNSUPPORTED],
        count["positive", EXCEPTED],
        negative,
        count["negative", PASSED] + count["negative", MISNAMED],
        count["negative", PASSED],
        count["negative", FAILED],
    ]
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"
