"""Runs every command on one case in a child process, under limits of memory and time, and returns the findings."""

import contextlib
import io
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import numpy as np
from hostile.mutations import damage, mutated_graph
from hostile.seeds import SEEDS, Files

import tosa_converter as tc
from tosa_converter.cli.main import main
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.schemas.tosa_target import EXTENSIONS

MEMORY = 2 << 30  # bytes of addresses beyond those of the process at its start
SECONDS = 20  # seconds of CPU time
WAIT = 15 * SECONDS  # seconds in all
GROWTH = 96 << 20  # bytes of memory that a command may take for any file ...
TIMES = 40  # ... and for each byte of it; a run may take what the limit of addresses allows
PRINTED = 100_000  # characters that a refusal may have
KINDS = (*SEEDS, "graph")
STATUSES = {"inspect": {0, 3, 4}, "convert": {0, 3, 4}, "run": {0, 1, 2, 3, 4}, "zoo": {0, 3}}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
ENDED = "signal"  # another kind of case: a valid file, and a signal while a command converts it
EVERYTHING = ("--profile=pro-int", "--profile=pro-fp", "--level=none", *(f"--extension={e.name}" for e in EXTENSIONS))


class Case(NamedTuple):
    """The kind, seed and number that identify a case."""

    kind: str
    seed: int
    number: int

    def rng(self, purpose: int) -> np.random.Generator:
        """Returns a generator of random numbers for one purpose."""
        return np.random.default_rng([(*KINDS, ENDED).index(self.kind), self.seed, self.number, purpose])

    def files(self) -> Files:
        """Returns the hostile files by name, the one to read first."""
        return damage(self.kind, SEEDS[self.kind](self.rng(0)), self.rng(1))


class Finding(NamedTuple):
    """A violation: its kind (traceback, hang, crash, memory, status, output, escape, accepted), command and details."""

    kind: str
    command: str
    detail: str


class Outcome(NamedTuple):
    """The outcome of a case: exit statuses by command, and findings."""

    statuses: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...]


class TooLong(BaseException):
    """Raised when the alarm of the time limit goes off."""


def run_case(case: Case, *, whole: bool = False) -> Outcome:
    """Returns the outcome of a case in a forked child, or with a `whole` process for each command."""
    if case.kind == ENDED:
        return ended(case)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            outcome = _outcome(case, _process if whole else _command)
            with open(writer, "wb") as stream:
                pickle.dump(outcome, stream)
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as stream:
        if not select.select([stream], [], [], WAIT)[0]:
            os.kill(child, signal.SIGKILL)
        content = stream.read()
    _, status = os.waitpid(child, 0)
    if not content:
        kind = "hang" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL else "crash"
        return Outcome((), (Finding(kind, "", f"wait status {status}"),))
    outcome = pickle.loads(content)
    assert isinstance(outcome, Outcome)
    return outcome


class _Done(NamedTuple):
    status: int
    printed: str
    errors: str


_Runner = Callable[[list[str]], _Done]


def _outcome(case: Case, runner: _Runner) -> Outcome:
    _set_limits()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        outcome = _graph(case) if case.kind == "graph" else _files(case, runner)
        os.chdir("/")
    return outcome


def _set_limits() -> None:
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # CPU time of this process: other work on the machine doesn't count


def _too_long(_: int, __: FrameType | None) -> None:
    raise TooLong


def _commands(case: Case, name: str) -> Iterator[list[str]]:
    """Yields the commands on a case's files; each is asked for after the earlier ones end."""
    if case.kind in ("npy", "npz"):
        yield ["run", "m.tosa", "-i", name, "-o", "out.npz"]
        return
    if case.kind == "zoo":
        yield ["zoo", "list", "--manifest", name]
        return
    yield ["inspect", name, "--tensors"]
    if case.kind == "chain":
        return
    tosa = case.kind in ("tosa", "spv", "vgf", "mlir", "mlirbc", "weights")
    if tosa:
        yield ["inspect", name, "--check", *EVERYTHING]
    yield ["convert", name, "-o", "out.tosa"]
    yield ["convert", name, "-o", f"out.{('mlir', 'spv', 'vgf', 'tflite')[case.number % 4]}"]
    if os.path.exists("out.tosa"):
        yield ["inspect", "out.tosa", "--check", *EVERYTHING]
    if tosa or os.path.exists("out.tosa"):
        yield ["run", name if tosa else "out.tosa", "-o", "out.npz"]


def _files(case: Case, runner: _Runner) -> Outcome:
    files = case.files()
    for name, content in files.items():
        Path(name).write_bytes(content)
    if case.kind == "cut":
        return _cut_off(case, next(iter(files)), runner)
    statuses: list[tuple[str, int]] = []
    findings: list[Finding] = []
    illegal = False
    for words in _commands(case, next(iter(files))):
        before = _peak()
        done = _guarded(runner, words)
        if isinstance(done, Finding):
            return Outcome(tuple(statuses), (*findings, done))
        statuses.append((words[0], done.status))
        findings += _wrong(words, done)
        allowed = GROWTH + TIMES * sum(map(len, files.values()))
        if words[0] != "run" and _peak() - before > allowed:
            findings.append(Finding("memory", words[0], f"over {allowed >> 20} MB"))
        if "--check" in words and done.status == 3:
            illegal = any("REQUIRE(" not in line for line in done.errors.splitlines())
            if words[1].startswith("out"):
                findings.append(Finding("output", "convert", "an illegal graph was written"))
        if words[0] == "run" and illegal and not done.status:
            findings.append(Finding("accepted", "run", "an illegal graph ran"))
    return Outcome(tuple(statuses), tuple(findings))


def _cut_off(case: Case, name: str, runner: _Runner) -> Outcome:
    """Runs commands on a file that is truncated each time a command looks at its state."""
    content, rng = Path(name).read_bytes(), case.rng(2)
    look, place = os.fstat, int(rng.integers(len(content)))

    def cut(fd: int) -> os.stat_result:
        status = look(fd)
        if status.st_ino == os.stat(name).st_ino:
            os.truncate(name, place)
        return status

    statuses: list[tuple[str, int]] = []
    findings: list[Finding] = []
    for words in (["inspect", name, "--tensors"], ["convert", name, "-o", "out.tosa"]):
        Path(name).write_bytes(content)
        os.fstat = cut
        done = _guarded(runner, words)
        os.fstat = look
        if isinstance(done, Finding):
            return Outcome(tuple(statuses), (*findings, done))
        statuses.append((words[0], done.status))
        if done.status != 2 or "changed while it was read" not in done.errors:
            findings.append(Finding("status", words[0], f"{done.status} for a file that was cut: {done.errors[:100]}"))
    return Outcome(tuple(statuses), tuple(findings))


def ended(case: Case) -> Outcome:
    """Ends a command by a signal and checks status and files; after SIGKILL, the next command cleans up."""
    rng = case.rng(0)
    sent, delay = SIGNALS[rng.integers(len(SIGNALS))], float(rng.uniform(0, 0.4))
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "m.tflite", Path(folder) / "out.tosa"
        source.write_bytes(SEEDS["tflite"](rng)["m.tflite"])
        line = [sys.executable, "-m", "tosa_converter", str(source), "-o", str(out)]
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        _await_handlers(process)
        time.sleep(delay)
        process.send_signal(sent)
        _, errors = process.communicate(timeout=WAIT)
        if sent == signal.SIGKILL:
            subprocess.run(line, capture_output=True, check=False, timeout=WAIT)
        statuses = ((sent.name, process.returncode),)
        findings = []
        if process.returncode not in (0, 4, 128 + sent, -sent) or "Traceback" in errors:
            findings.append(Finding("status", sent.name, f"{process.returncode} after {delay:.2f} s: {errors[-100:]}"))
        left = sorted(path.name for path in Path(folder).iterdir() if path not in (source, out))
        if left:
            findings.append(Finding("output", sent.name, f"{len(left)} temporary files after {delay:.2f} s"))
        if out.exists():
            tc.load(out)  # an existing file is complete
    return Outcome(statuses, tuple(findings))


def _await_handlers(process: "subprocess.Popen[str]") -> None:
    """Waits until a command has set its handlers; before that, Python itself handles signals."""
    caught = 1 << signal.SIGTERM - 1
    while process.poll() is None:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        if any(line.startswith("SigCgt:") and int(line.split()[1], 16) & caught for line in lines):
            return
        time.sleep(0.002)


def _guarded(runner: _Runner, words: list[str]) -> _Done | Finding:
    try:
        return runner(words)
    except TooLong:
        return Finding("hang", words[0], _place())
    except BaseException as error:
        return Finding("traceback", words[0], f"{_place()}: {type(error).__name__}: {str(error)[:100]}")


def _place() -> str:
    """Returns the last place in the package that an exception passed through."""
    frames = traceback.extract_tb(sys.exc_info()[2])
    ours = [frame for frame in frames if "/tests/" not in frame.filename and "/lib/" not in frame.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""


def _command(words: list[str]) -> _Done:
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            main(words)
        except SystemExit as exit:
            status = exit.code if isinstance(exit.code, int) else -1
    return _Done(status, printed.getvalue(), errors.getvalue())


def _process(words: list[str]) -> _Done:
    command = [sys.executable, "-W", "error", "-m", "tosa_converter.cli.main", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False, timeout=WAIT)
    if "Traceback" in done.stderr:
        raise RuntimeError(done.stderr[-200:])
    return _Done(done.returncode, done.stdout, done.stderr)


def _wrong(words: list[str], done: _Done) -> Iterator[Finding]:
    """Yields the findings about status and files: an unknown status, or a file that contradicts the status."""
    command, status = words[0], done.status
    if status not in STATUSES[command] or (status == 1 and "REQUIRE(" not in done.errors):
        yield Finding("status", command, f"{status}: {done.errors[:100]}")
    if "-o" in words and _is_written(Path(words[-1])) != (status == 0):
        yield Finding("output", command, f"status {status}, yet {words[-1]} is {'' if status else 'not '}there")
    if status and not done.errors.startswith("error: "):
        yield Finding("status", command, f"{status} with {done.errors[:50]!r} for an error")
    if status and len(done.errors) > PRINTED:
        yield Finding("output", command, f"an error of over {PRINTED} characters")
    escapes = sorted({c for c in done.printed + done.errors if not c.isprintable()} - {"\n"})
    if escapes:
        yield Finding("escape", command, repr("".join(escapes)))


def _is_written(path: Path) -> bool:
    """Returns whether the result exists, or one file per signature with its name before the ending."""
    return path.exists() or (path.suffix != ".npz" and any(path.parent.glob(f"{path.stem}.*{path.suffix}")))


def _graph(case: Case) -> Outcome:
    """Changes a graph in memory after the conversion, then runs it."""
    model = mutated_graph(case.rng(0))
    calls: dict[str, Callable[[], object]] = {
        "run": lambda: tc.run(model, random_inputs(model.main.inputs, {}, 0)),
        "tosa": lambda: encode(model, ".tosa"),
        "mlir": lambda: encode(model, ".mlir"),
        "mlirbc": lambda: encode(model, ".mlirbc"),
        "tflite": lambda: tc.to_tflite(model),
    }
    statuses: list[tuple[str, int]] = []
    for name, call in calls.items():
        try:
            call()
            statuses.append((name, 0))
        except ConverterError as error:
            statuses.append((name, error.exit_status))
        except TooLong:
            return Outcome(tuple(statuses), (Finding("hang", name, _place()),))
        except BaseException as error:
            detail = f"{_place()}: {type(error).__name__}: {str(error)[:100]}"
            return Outcome(tuple(statuses), (Finding("traceback", name, detail),))
    return Outcome(tuple(statuses), ())


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
