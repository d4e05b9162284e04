"""Runs every command on hostile files: `python tests/hostile --count 100000 --whole 2000 --seed 1`.

Each case is a well-formed file, damaged; each goes through load, inspect, check, convert, export and run in a forked
child with 2 GB of addresses and 20 seconds. Counted are tracebacks, hangs, crashes, memory beyond 96 MB and 40 times
the file (runs are bound by the 2 GB), wrong statuses, files that should or shouldn't be there, illegal graphs that ran,
and characters that could forge the output. Good files are cut while they are read. With `--signals` commands are ended
by SIGINT, SIGTERM, SIGHUP and SIGKILL, and nothing temporary may be left. A finding ends with what runs it alone:
`--only KIND:SEED:NUMBER`.
"""

import argparse
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hostile.judge import ENDED, KINDS, Case, Finding, Outcome, run_case

CHUNK = 50
_Job = tuple[list[Case], bool, float]


def run_jobs(cases: Sequence[Case], whole: int, workers: int, seconds: float) -> list[tuple[Case, Outcome]]:
    """Returns the outcome of every case, and of the first `whole` cases again in a process per command.

    Args:
        cases: in the order to take them.
        whole: how many to repeat.
        workers: processes.
        seconds: those that haven't begun by then are left out.
    """
    end = time.monotonic() + seconds
    jobs: list[_Job] = [([*cases[i : i + CHUNK]], False, end) for i in range(0, len(cases), CHUNK)]
    rerun = [case for case in cases if case.kind not in ("graph", "cut", ENDED)][:whole]
    jobs[:0] = [([*rerun[i : i + CHUNK]], True, end) for i in range(0, len(rerun), CHUNK)]
    with ProcessPoolExecutor(workers, initializer=warm_up) as pool:
        return [pair for pairs in pool.map(run_job, jobs) for pair in pairs]


def run_job(job: _Job) -> list[tuple[Case, Outcome]]:
    """Returns the outcomes of some cases."""
    cases, whole, end = job
    return [(case, run_case(case, whole=whole)) for case in cases if time.monotonic() < end]


def warm_up() -> None:
    """Imports everything that a command may need, so that the children share it."""
    from hostile.warm import warm

    warm()


def summary(results: Sequence[tuple[Case, Outcome]]) -> str:
    """Returns cases, statuses of commands and findings for each kind, and every finding with its number of cases."""
    kinds = Counter(case.kind for case, _ in results)
    lines = []
    for kind, count in kinds.items():
        statuses = Counter(pair for case, outcome in results if case.kind == kind for pair in outcome.statuses)
        counted = ", ".join(f"{command} {status}: {n}" for (command, status), n in sorted(statuses.items()))
        wrong = sum(bool(outcome.findings) for case, outcome in results if case.kind == kind)
        lines.append(f"{kind}: {count} cases, {wrong} with findings; {counted}")
    cases_of: dict[Finding, list[Case]] = {}
    for case, outcome in results:
        for finding in outcome.findings:
            cases_of.setdefault(finding, []).append(case)
    for finding, cases in sorted(cases_of.items(), key=lambda item: -len(item[1])):
        kind, seed, number = cases[0]
        lines.append(f"{len(cases)} x {': '.join(map(str, finding))}  --only {kind}:{seed}:{number}")
    return "\n".join(lines)


def main() -> int:
    """Returns exit status 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="python tests/hostile", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, action="append", help="all when not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000, help="cases over all kinds")
    parser.add_argument("--whole", type=int, default=0, help="how many of them run as whole commands too")
    parser.add_argument("--signals", type=int, default=0, help="further cases: commands that a signal ends")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no case after this time")
    parser.add_argument("--only", help="KIND:SEED:NUMBER, one case")
    parser.add_argument("--folder", type=Path, help="keep the files of cases with findings here")
    options = parser.parse_args()
    started = time.monotonic()
    kinds = options.kind or KINDS
    cases = [Case(kinds[i % len(kinds)], options.seed, i // len(kinds)) for i in range(options.count)]
    cases += [Case(ENDED, options.seed, i) for i in range(options.signals)]
    if options.only:
        kind, seed, number = options.only.split(":")
        cases = [Case(kind, int(seed), int(number))]
    results = run_jobs(cases, options.whole, options.workers, options.seconds)
    print(summary(results))
    print(f"{len(results)} cases in {time.monotonic() - started:.0f} s", file=sys.stderr)
    for case, outcome in results if options.folder else ():
        if outcome.findings and case.kind not in ("graph", ENDED):
            _keep(options.folder / "-".join(map(str, case)), case)
    return int(any(outcome.findings for _, outcome in results))


def _keep(folder: Path, case: Case) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in case.files().items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    sys.exit(main())
