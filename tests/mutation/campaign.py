"""Samples of faults, the tests for each, and what became of them."""

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from mutation.calls import RECORD, name_of
from mutation.harmless import HARMLESS
from mutation.plant import ANSWERS, CAUGHT, FORKS, HUNG, JOBS, OUT_OF_REACH, ROOT, SURVIVED, Job
from mutation.points import Mutant, Uses, mutants

FOLDERS = ("converter", "legalize", "schemas", "cli")
TARGETS = (
    "legalize/tflite/quantized/*.py",
    "converter/rewriting/rewrite.py",
    "converter/rewriting/simplify.py",
    "converter/rewriting/sweep.py",
    "converter/rules/inference.py",
    "converter/rules/shapes/*.py",
    "converter/execute/definition/*.py",
    "converter/execute/fast/*.py",
    *(f"converter/execute/{name}.py" for name in ("fuse", "group", "scalars")),
)
EXEMPT = "harmless"
VERDICTS = CAUGHT, HUNG, SURVIVED, EXEMPT
PYTEST = (sys.executable, "-m", "pytest", "-q", "--tb=no")
PATH = {"PYTHONPATH": str(Path(__file__).parents[1])}
_RECORDING = 7200  # seconds for all tests under the tracer
_START, _SLOWER = 60, 5  # a run has hung after so many seconds and so many times what its tests took


class Result(NamedTuple):
    """What became of a fault: `detail` is the test that caught it, or the reason why none can."""

    mutant: Mutant
    text: str  # the line with the fault in it
    verdict: str
    detail: str


class Tests:
    """The tests by the functions that they call, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        self._seconds: dict[str, float] = {}
        self._by_function: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for path in (path for file in test_files() for path in records(folder, file)):
            for record in map(json.loads, path.read_text().splitlines()):
                self._seconds[record["test"]] = record["seconds"]
                for call in record["calls"]:
                    self._by_function[tuple(call.split(":"))].add(record["test"])

    def chosen(self, mutant: Mutant, uses: Uses, seconds: float) -> list[str]:
        """The tests of the nearest functions that take less than `seconds` together, in a telling order."""
        for functions in uses.of(mutant):
            if tests := set[str]().union(*(self._by_function.get(function, ()) for function in functions)):
                return list(self._within(self._ordered(tests), seconds))
        return []

    def _ordered(self, tests: set[str]) -> list[str]:
        """Quick ones first, but not many of one test function before the first of another."""
        ranks: Counter[str] = Counter()
        keys: dict[str, float] = {}
        for test in sorted(tests, key=self._seconds.__getitem__):
            family = test.partition("[")[0]
            ranks[family] += 1
            keys[test] = ranks[family] * self._seconds[test]
        return sorted(keys, key=keys.__getitem__)

    def _within(self, tests: Iterable[str], seconds: float) -> Iterator[str]:
        for test in tests:
            if seconds >= self._seconds[test]:
                seconds -= self._seconds[test]
                yield test

    def time(self, tests: Iterable[str]) -> float:
        """Seconds that tests take without a fault."""
        return sum(map(self._seconds.__getitem__, tests))


def sample(seed: int, count: int, files: Iterable[str]) -> list[Mutant]:
    """One fault of each of `count` places, from every file in proportion to its number of places."""
    ranked = []
    for file in files:
        draw = random.Random(f"{seed} {file}")
        places = mutants(ROOT, file)
        draw.shuffle(places)
        ranked += [((i + draw.random()) / len(places), draw.choice(place)) for i, place in enumerate(places)]
    return [mutant for _, mutant in sorted(ranked)[:count]]


def target_files(*parts: str) -> list[str]:
    """The files to plant faults in whose path contains one of `parts`."""
    paths = sorted(path for pattern in TARGETS for path in ROOT.glob(pattern))
    return [path.relative_to(ROOT).as_posix() for path in paths if any(part in path.as_posix() for part in parts)]


def package_files() -> list[str]:
    """The files that may use what one of them defines."""
    return [path.relative_to(ROOT).as_posix() for name in FOLDERS for path in ROOT.glob(f"{name}/**/*.py")]


def test_files() -> list[Path]:
    """All but those of this folder."""
    return sorted(path for path in ROOT.glob("tests/**/test_*.py") if path.parent != Path(__file__).parent)


def records(folder: Path, file: Path) -> list[Path]:
    """What is known of the tests of a file as it is."""
    return list(folder.glob(f"{name_of(file)}-*.jsonl"))


def record(folder: Path, workers: int) -> None:
    """Run tests that changed since the last time, and write down what they call."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [path.relative_to(ROOT).as_posix() for path in test_files() if not records(folder, path)]
    if files:
        command = [*PYTEST, "-p", "mutation.calls", "-n", str(workers), *files]
        environment = os.environ | {**PATH, RECORD: str(folder)}
        subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, timeout=_RECORDING)


def run(wanted: Sequence[Mutant], folder: Path, workers: int, seconds: float) -> Iterator[Result]:
    """Judge faults, several at a time; `seconds` is for the tests of one, as long as they took without a fault."""
    record(folder / "calls", workers)
    tests = Tests(folder / "calls")
    uses = Uses(ROOT, package_files())
    jobs: list[Job] = []
    for mutant in wanted:
        chosen = tests.chosen(mutant, uses, seconds)
        if (reason := exemption(mutant.file, line_of(mutant))) or not chosen:
            yield Result(mutant, line_of(mutant), *((EXEMPT, reason) if reason else (SURVIVED, "no test calls it")))
        else:
            jobs.append(Job(mutant, chosen, int(_START + _SLOWER * tests.time(chosen))))
    alone: list[Job] = []
    for number, verdict, detail in judged(jobs, folder / "jobs.json", workers):
        if verdict in (OUT_OF_REACH, SURVIVED):  # which it may have by what had been made of it before
            alone.append(jobs[number])
        else:
            yield Result(jobs[number].mutant, line_of(jobs[number].mutant), verdict, detail)
    with ThreadPoolExecutor(workers) as pool:

        def by_itself(number: int) -> Result:
            answers = list(judged([alone[number]], folder / f"job{number}.json", 0))
            _, verdict, detail = answers[0] if answers else (0, CAUGHT, "an import")
            return Result(alone[number].mutant, line_of(alone[number].mutant), verdict, detail)

        pending = [pool.submit(by_itself, number) for number in range(len(alone))]
        yield from (future.result() for future in as_completed(pending))


def judged(jobs: Sequence[Job], path: Path, forks: int) -> Iterator[tuple[int, str, str]]:
    """The number, verdict and detail of each job as they come; see `plant`."""
    path.write_text(json.dumps(jobs))
    reading, writing = os.pipe()
    files = sorted({test.partition("::")[0] for job in jobs for test in job.tests})
    environment = os.environ | {**PATH, JOBS: str(path), ANSWERS: str(writing), FORKS: str(forks)}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [*PYTEST, "-p", "mutation.plant", *files], cwd=ROOT, env=environment, pass_fds=[writing], stdout=quiet
    )
    os.close(writing)
    with os.fdopen(reading) as stream:
        yield from (tuple(json.loads(line)) for line in stream)
    if process.wait(timeout=_START) and forks:
        raise RuntimeError(f"pytest: status {process.returncode}")
    path.unlink()


def line_of(mutant: Mutant, faulty: bool = True) -> str:
    """The line with the fault in it, or as it should be."""
    source = (ROOT / mutant.file).read_bytes()
    source = mutant.apply(source) if faulty else source
    return source[source.rfind(b"\n", 0, mutant.start) + 1 :].split(b"\n", 1)[0].decode().strip()


def names(text: str) -> tuple[str, str]:
    """What stands for a fault in the table of harmless ones: its line, or the name that the line begins with."""
    return text, re.split(r"[:\s]", text)[0]


def exemption(file: str, text: str) -> str | None:
    """Why a fault changes nothing but speed, if so it was found to be."""
    return next((reason for name in names(text) if (reason := HARMLESS.get((file, name)))), None)


def table(results: Iterable[Result]) -> str:
    """The verdicts per file as a Markdown table."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for row in (result.mutant.file, "**all**"):
            counts[row][result.verdict] += 1
    lines = [f"| file | {' | '.join(VERDICTS)} |", "|---" * (len(VERDICTS) + 1) + "|"]
    for file, count in sorted(counts.items(), key=lambda row: (row[0] == "**all**", row[0])):
        lines.append(f"| {file} | {' | '.join(str(count[verdict]) for verdict in VERDICTS)} |")
    return "\n".join(lines)
