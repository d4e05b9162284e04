"""Copies of the project in which tests run on planted faults, several at a time."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from harmless import HARMLESS
from points import Mutant, Uses, mutants
from reach import ORDER, RECORD, name_of

ROOT = Path(__file__).parents[2]
FOLDERS = ("converter", "legalize", "schemas", "cli")
TARGETS: tuple[str, ...] = (
    "legalize/quantized*.py",
    "converter/rewrite.py",
    "converter/rules*.py",
    "converter/kernels*.py",
)
TARGETS += ("converter/fusion.py", "converter/group.py", "converter/scalars.py")
VERDICTS = CAUGHT, HUNG, SURVIVED, EXEMPT = "caught", "hung", "survived", "harmless"
_UNCOPIED = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
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
        """The tests of the nearest functions: the quickest of every test function first, then the next of each."""
        for functions in uses.of(mutant):
            if tests := set[str]().union(*(self._by_function.get(function, ()) for function in functions)):
                return list(self._within(self._ordered(tests), seconds))
        return []

    def _ordered(self, tests: set[str]) -> list[str]:
        ranks: dict[str, int] = defaultdict(int)
        keys = {}
        for test in sorted(tests, key=self._seconds.__getitem__):
            family = test.partition("[")[0]
            keys[test] = ranks[family], self._seconds[test]
            ranks[family] += 1
        return sorted(keys, key=keys.__getitem__)

    def _within(self, tests: Iterable[str], seconds: float) -> Iterator[str]:
        for test in tests:
            seconds -= self._seconds[test]
            if seconds < 0:
                return
            yield test

    def time(self, tests: Iterable[str]) -> float:
        """Seconds that tests take without a fault."""
        return sum(map(self._seconds.__getitem__, tests))


class Copy:
    """The project in a folder of its own, importable as tosa_converter in processes started here."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT, folder, ignore=_UNCOPIED)
        (folder / "import").mkdir()
        (folder / "import/tosa_converter").symlink_to("../converter")
        for name in FOLDERS[1:]:
            (folder / "converter" / name).symlink_to(f"../{name}")
        # Compiled code that goes by the source's hash is never taken for that of a changed source.
        command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", *FOLDERS]
        subprocess.run(command, cwd=folder, check=True)
        self.folder = folder

    def pytest(
        self, words: Sequence[str], limit: float | None = None, **variables: str
    ) -> tuple[int | None, list[str]]:
        """Exit status, None past the limit in seconds, and the lines that pytest printed."""
        path = os.pathsep.join([str(self.folder / "import"), str(self.folder / "tests/mutation")])
        environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"} | variables
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "reach", *words]
        output = self.folder / "output.txt"
        with output.open("w") as stream:
            process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=stream, stderr=stream, start_new_session=True
            )
            try:
                status: int | None = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            with suppress(ProcessLookupError):  # whatever the tests left behind
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return status, output.read_text(errors="replace").splitlines()

    def record(self, folder: Path, workers: int) -> None:
        """Run tests that changed since the last time, and write down what they call."""
        folder.mkdir(parents=True, exist_ok=True)
        files = [path.relative_to(ROOT).as_posix() for path in test_files() if not records(folder, path)]
        if files:
            self.pytest(["-n", str(workers), *files], None, **{RECORD: str(folder)})

    def judge(self, mutant: Mutant, tests: Sequence[str], limit: float) -> tuple[str, str]:
        """Verdict and detail on a fault.

        Raises:
            RuntimeError: pytest doesn't run.
        """
        if not tests:
            return SURVIVED, "no test calls it"
        path, order = self.folder / mutant.file, self.folder / "order.json"
        order.write_text(json.dumps(tests))
        source = path.read_bytes()
        path.write_bytes(mutant.apply(source))
        files = sorted({test.partition("::")[0] for test in tests})
        try:
            status, lines = self.pytest(["-x", *files], limit, **{ORDER: str(order)})
        finally:
            path.write_bytes(source)
        if status not in (None, 0, 1, 2, 3):
            raise RuntimeError(f"pytest: status {status}: {lines[-5:]}")
        failed = next(
            (line.partition(" ")[2].partition(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))),
            "an import",
        )
        return (
            (HUNG, "") if status is None else (CAUGHT, failed) if status else (SURVIVED, f"{len(tests)} tests passed")
        )


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


def test_files() -> list[Path]:
    """All but those of this folder."""
    return sorted(path for path in ROOT.glob("tests/**/test_*.py") if path.parent != Path(__file__).parent)


def records(folder: Path, file: Path) -> list[Path]:
    """What is known of the tests of a file as it is."""
    return list(folder.glob(f"{name_of(file)}-*.jsonl"))


def run(wanted: Sequence[Mutant], folder: Path, workers: int, seconds: float) -> Iterator[Result]:
    """Judge faults, several at a time; `seconds` is for the tests of one, as long as they took without a fault."""
    copies = SimpleQueue[Copy]()
    for i in range(workers):
        copies.put(Copy(folder / f"copy{i}"))
    copy = copies.get()
    copy.record(folder / "reach", workers)
    copies.put(copy)
    tests = Tests(folder / "reach")
    uses = Uses(ROOT, [path.relative_to(ROOT).as_posix() for name in FOLDERS for path in ROOT.glob(f"{name}/*.py")])

    def judged(mutant: Mutant) -> Result:
        text = line_of(mutant)
        if reason := exemption(mutant.file, text):
            return Result(mutant, text, EXEMPT, reason)
        chosen = tests.chosen(mutant, uses, seconds)
        copy = copies.get()
        try:
            return Result(mutant, text, *copy.judge(mutant, chosen, _START + _SLOWER * tests.time(chosen)))
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(workers) as pool:
        yield from (future.result() for future in as_completed([pool.submit(judged, mutant) for mutant in wanted]))


def line_of(mutant: Mutant, faulty: bool = True) -> str:
    """The line with the fault in it, or as it should be."""
    source = (ROOT / mutant.file).read_bytes()
    source = mutant.apply(source) if faulty else source
    return source[source.rfind(b"\n", 0, mutant.start) + 1 :].split(b"\n", 1)[0].decode().strip()


def exemption(file: str, text: str) -> str | None:
    """Why a fault changes nothing but speed, if so it was found to be."""
    return HARMLESS.get((file, text)) or HARMLESS.get((file, re.split(r"[:\s]", text)[0]))


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
