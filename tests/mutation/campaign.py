"""Samples faults, selects the tests for each, and records the verdicts."""

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path, PurePosixPath
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from mutation.harmless import HARMLESS
from mutation.plant import ANSWERS, CAUGHT, FORKS, HUNG, JOBS, OUT_OF_REACH, SURVIVED, Job
from mutation.points import Mutant, Uses, mutants
from mutation.reach import MARKED, RECORD, qualified_name, unpack
from mutation.tree import ROOT, PlantedTree, build_marked, key, package_files

EXEMPT = "harmless"
VERDICTS = CAUGHT, HUNG, SURVIVED, EXEMPT
FEWEST = 15  # the fewest places of a folder that is sampled by itself
# CI doesn't install the packages of these.
NOT_IN_CI = ("tests/engines/test_executorch.py", "tests/pictures/test_adapters.py", "tests/cli/test_show.py")
PYTEST = (sys.executable, "-m", "pytest", "-q", "--tb=no")
TESTS = str(Path(__file__).parents[1])
_RECORDING = 7200  # seconds for all tests
_OVERHEAD = 0.005  # seconds that pytest takes for each
# A run has hung after so many seconds of the processor and so many times what its tests took.
_START, _SLOWER = 30, 4


class Result(NamedTuple):
    """The verdict on a fault; `detail` is the test that caught it, or the reason why none can."""

    mutant: Mutant
    text: str  # the line with the fault in it
    verdict: str
    detail: str


class Tests:
    """The recorded tests: the statements that each one runs, and its time."""

    def __init__(self, folder: Path) -> None:
        self._names: list[str] = []
        self._seconds: dict[str, float] = {}
        self._tables: list[_Table] = []
        rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for path in (path for file in test_files() for path in records(folder, file)):
            for row in map(json.loads, path.read_text().splitlines()):
                rows[row["keys"]].append(row)
        for name, same in rows.items():
            bits = np.array([np.frombuffer(unpack(row["reached"]), np.uint8) for row in same])
            keys = json.loads((folder / f"keys-{name}.json").read_text())
            self._tables.append(_Table(keys, [row["test"] for row in same], bits))
            self._seconds |= {row["test"]: row["seconds"] + _OVERHEAD for row in same}

    def chosen(self, mutant: Mutant, uses: Uses, seconds: float) -> list[str]:
        """Returns the tests of the fault's statement, its function or its nearest users, `seconds` long together."""
        function, line = uses.statement(mutant)
        if tests := self._running({key(mutant.file, function, line)} if function else set()):
            return list(self._within(self._ordered(tests), seconds))
        for functions in uses.of(mutant):
            if tests := self._running({f"{file}:{name}" for file, name in functions}):
                break
        beside = {test for test in self._seconds if test.startswith(mirror(mutant.file))}
        first = self._within(self._ordered(beside), seconds / 2)
        return list(dict.fromkeys((*first, *self._within(self._ordered(tests), seconds))))

    def _running(self, keys: set[str]) -> set[str]:
        return set[str]().union(*(table.running(keys) for table in self._tables))

    def _ordered(self, tests: set[str]) -> list[str]:
        """Orders tests by time, but alternates between test functions."""
        ranks: Counter[str] = Counter()
        costs: dict[str, float] = {}
        for test in sorted(tests, key=self._seconds.__getitem__):
            family = test.partition("[")[0]
            ranks[family] += 1
            costs[test] = ranks[family] * self._seconds[test]
        return sorted(costs, key=costs.__getitem__)

    def _within(self, tests: Iterable[str], seconds: float) -> Iterator[str]:
        for test in tests:
            if seconds >= self._seconds[test]:
                seconds -= self._seconds[test]
                yield test

    def time(self, tests: Iterable[str]) -> float:
        """Returns the seconds that tests take without a fault."""
        return sum(map(self._seconds.__getitem__, tests))


def mirror(file: str) -> str:
    """Returns the folder of the tests that mirrors a source's."""
    first, *rest = file.removeprefix("converter/").split("/")
    return f"tests/{first}/" if rest else "tests/test_"


class _Table:
    """The tests that were recorded with the same sources, with a bit for each statement."""

    def __init__(self, keys: list[str], tests: list[str], bits: "np.ndarray[Any, Any]") -> None:
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(keys):
            file, function, _ = text.split(":", 2)
            self._places[text].append(place)
            self._places[f"{file}:{function}"].append(place)
        self._tests = tests
        self._bits = bits

    def running(self, keys: Iterable[str]) -> set[str]:
        """Returns the tests that run one of some statements or functions."""
        places = np.array([place for text in keys for place in self._places.get(text, ())], np.int64)
        if not places.size:
            return set()
        hits = (self._bits[:, places >> 3] & (128 >> (places & 7)).astype(np.uint8)).any(1)
        return {self._tests[i] for i in np.flatnonzero(hits)}


@cache
def folders() -> dict[str, list[str]]:
    """Returns the files of each folder of the packages; one with few places is part of the one above it."""
    files: dict[str, list[str]] = defaultdict(list)
    for file in package_files():
        files[str(PurePosixPath(file).parent)].append(file)
    for folder in sorted(files, key=lambda name: -name.count("/")):
        if sum(len(mutants(ROOT, file)) for file in files[folder]) < FEWEST:
            files[str(PurePosixPath(folder).parent)] += files.pop(folder)
    return dict(sorted(files.items()))


def folder_sample(seed: int, count: int, parts: Iterable[str] = ("",)) -> list[Mutant]:
    """Returns `count` faults in each folder whose name contains one of `parts`."""
    names = [(name, files) for name, files in folders().items() if any(part in name for part in parts)]
    return [mutant for _, files in names for mutant in sample(seed, count, files)]


def sample(seed: int, count: int, files: Iterable[str]) -> list[Mutant]:
    """Returns a fault in each of `count` places, from every file in proportion to its number of places."""
    ranked = []
    for file in files:
        draw = random.Random(f"{seed} {file}")
        places = mutants(ROOT, file)
        draw.shuffle(places)
        ranked += [((i + draw.random()) / len(places), draw.choice(place)) for i, place in enumerate(places)]
    return [mutant for _, mutant in sorted(ranked)[:count]]


def target_files(*parts: str) -> list[str]:
    """Returns the files to plant faults in whose path contains one of `parts`."""
    return [file for file in package_files() if any(part in file for part in parts)]


def test_files() -> list[Path]:
    """Returns the test files that CI runs, except those of this folder."""
    paths = sorted(path for path in ROOT.glob("tests/**/test_*.py") if path.parent != Path(__file__).parent)
    return [path for path in paths if path.relative_to(ROOT).as_posix() not in NOT_IN_CI]


def records(folder: Path, file: Path) -> list[Path]:
    """Returns the recorded data of a test file in its present version."""
    return list(folder.glob(f"{qualified_name(file)}-*.jsonl"))


def environment(tree: Path) -> dict[str, str]:
    """Returns the variables for tests with the packages of a tree and, as in CI, with the commands of this Python's."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return os.environ | {"PATH": path, "PYTHONPATH": f"{tree}{os.pathsep}{TESTS}"}


def record(folder: Path, workers: int) -> None:
    """Runs the tests of changed files, and records the statements that they run."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [path.relative_to(ROOT).as_posix() for path in test_files() if not records(folder, path)]
    if files:
        marked = folder.parent / "marked"
        build_marked(marked)
        command = [*PYTEST, "-p", "mutation.reach", "-n", str(workers if workers > 1 else 0), *files]
        variables = environment(marked) | {RECORD: str(folder), MARKED: str(marked)}
        subprocess.run(command, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL, timeout=_RECORDING)


def run(selected: Sequence[Mutant], folder: Path, workers: int, seconds: float) -> Iterator[Result]:
    """Judges faults, several at a time; `seconds` limits the normal run time of one fault's tests."""
    record(folder / "calls", workers)
    tests = Tests(folder / "calls")
    uses = Uses(ROOT, package_files())
    jobs: list[Job] = []
    for mutant in selected:
        chosen = tests.chosen(mutant, uses, seconds)
        if (reason := exemption(mutant)) or not chosen:
            yield Result(mutant, line_of(mutant), *((EXEMPT, reason) if reason else (SURVIVED, "no test runs it")))
        else:
            jobs.append(Job(mutant, chosen, int(_START + _SLOWER * tests.time(chosen))))
    alone: list[Job] = []
    right = PlantedTree(folder / "tree")
    for number, verdict, detail in judge_jobs(jobs, folder / "jobs.json", workers, right.folder):
        if verdict in (OUT_OF_REACH, SURVIVED):  # it may act during an import, or in another process
            alone.append(jobs[number])
        else:
            yield Result(jobs[number].mutant, line_of(jobs[number].mutant), verdict, detail)
    trees: SimpleQueue[PlantedTree] = SimpleQueue()
    for number in range(workers):
        trees.put(PlantedTree(folder / f"tree{number}"))
    with ThreadPoolExecutor(workers) as pool:

        def by_itself(number: int) -> Result:
            job, tree = alone[number], trees.get()
            try:
                with tree.planted(job.mutant):
                    answers = list(judge_jobs([job], folder / f"job{number}.json", 0, tree.folder))
            finally:
                trees.put(tree)
            _, verdict, detail = answers[0] if answers else (0, CAUGHT, "an import")
            return Result(job.mutant, line_of(job.mutant), verdict, detail)

        pending = [pool.submit(by_itself, number) for number in range(len(alone))]
        yield from (future.result() for future in as_completed(pending))


def judge_jobs(jobs: Sequence[Job], path: Path, forks: int, tree: Path) -> Iterator[tuple[int, str, str]]:
    """Yields the number, verdict and detail of each job as they come, with the packages of a tree; see `plant`."""
    path.write_text(json.dumps(jobs))
    reading, writing = os.pipe()
    files = sorted({test.partition("::")[0] for job in jobs for test in job.tests})
    variables = environment(tree) | {JOBS: str(path), ANSWERS: str(writing), FORKS: str(forks)}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [*PYTEST, "-p", "mutation.plant", *files],
        cwd=ROOT,
        env=variables,
        pass_fds=[writing],
        stdout=quiet,
        stderr=None if forks else quiet,
    )
    os.close(writing)
    with os.fdopen(reading) as stream:
        yield from (tuple(json.loads(line)) for line in stream)
    if process.wait(timeout=_START) and forks:
        raise RuntimeError(f"pytest: status {process.returncode}")
    path.unlink()


@cache
def source(file: str) -> bytes:
    """Returns a source as it was when it was first read."""
    return (ROOT / file).read_bytes()


def line_of(mutant: Mutant, faulty: bool = True) -> str:
    """Returns the line with the fault in it, or the right one."""
    text = source(mutant.file)
    begin = text.rfind(b"\n", 0, mutant.start) + 1
    text = mutant.apply(text) if faulty else text
    end = text.find(b"\n", begin)
    return text[begin : end if end >= 0 else None].decode().strip()


def names(mutant: Mutant) -> tuple[str, str, str]:
    """Returns the keys that may stand for a fault in HARMLESS: its line, the right line, or its first name."""
    faulty, right = line_of(mutant), line_of(mutant, faulty=False)
    return faulty, right, re.split(r"[ :=,]", faulty, maxsplit=1)[0]


def exemption(mutant: Mutant) -> str | None:
    """Returns the reason why a fault changes no result, if it is listed."""
    return next((reason for name in names(mutant) if (reason := HARMLESS.get((mutant.file, name)))), None)


def table(results: Iterable[Result]) -> str:
    """Returns the verdicts per folder as a Markdown table."""
    of = {file: folder for folder, files in folders().items() for file in files}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for row in (of[result.mutant.file], "**all**"):
            counts[row][result.verdict] += 1
    lines = ["| folder | sampled | changes a result | caught | share |", "| --- | ---: | ---: | ---: | ---: |"]
    for folder, count in sorted(counts.items(), key=lambda row: (row[0] == "**all**", row[0])):
        caught = count[CAUGHT] + count[HUNG]
        changing = caught + count[SURVIVED]
        share = f"{100 * caught / changing:.0f} %" if changing else "-"
        lines.append(f"| {folder} | {count.total()} | {changing} | {caught} | {share} |")
    return "\n".join(lines)
