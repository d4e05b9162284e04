"""The command as a process: how it starts, its streams, interrupts, and what is left of it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.commands import COMMAND, FLOAT, INT8, restore_interrupts

import tosa_converter as tc

BOUND = 60  # seconds for one command


def shell(line: str, *words: object) -> subprocess.CompletedProcess[bytes]:
    """A line of sh in which "$@" is the command with the given words."""
    arguments = ["sh", "-c", line, "sh", *COMMAND, *map(str, words)]
    return subprocess.run(arguments, capture_output=True, timeout=BOUND, check=False)


def script(code: str, *words: object, **options: Any) -> "subprocess.Popen[bytes]":
    """The command started after some Python."""
    line = f"{code}\nfrom tosa_converter.__main__ import process\nprocess()"
    arguments = [sys.executable, "-c", line, *map(str, words)]
    return subprocess.Popen(arguments, stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize("words", [("--version",), ("-V",)])
def test_version(words: tuple[str, ...]) -> None:
    done = shell('"$@"', *words)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"tosa-converter {tc.__version__}\n", b"")


STOP = """
import atexit, sys
import tosa_converter.cli.main as main
atexit.register(print, "tidied up", file=sys.stderr)
def stop(): sys.exit({})
main.main = stop
"""


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [("0", 0, ""), ("4", 4, ""), ("255", 255, ""), ("None", 0, "tidied up\n"), ("'why'", 1, "why\ntidied up\n")],
)
def test_a_status_ends_the_process_at_once(code: str, status: int, error: str) -> None:
    """What isn't a number ends it as Python does."""
    process = script(STOP.format(code))
    assert process.communicate(timeout=BOUND)[1].decode() == error
    assert process.returncode == status


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(tmp_path: Path, closed: str) -> None:
    """A conversion that worked ends with 0 and its file, one that didn't with its own status."""
    out = tmp_path / "m.tosa"
    done = shell(f'"$@" {closed}', INT8, "-o", out)
    assert (done.returncode, done.stderr) == (0, b"")
    assert tc.load(out).opset == "tosa"
    assert shell(f'"$@" {closed}', "verify", INT8, "--against", "nobody").returncode == 2
    assert shell(f'"$@" {closed}', "inspect", out, "--check", "--profile", "pro-fp").returncode == 3
    assert shell(f'"$@" {closed}', "run", out).returncode == 0
    assert os.listdir(tmp_path) == ["m.tosa"]


@pytest.mark.parametrize("words", [("ops",), ("--help",), ("inspect", "--help"), (FLOAT, "-o", "/dev/null/m.tosa")])
def test_a_reader_that_has_had_enough(words: tuple[Path | str, ...]) -> None:
    """As with other tools of Unix there is no word about it; what the command says of its work stands."""
    status = 2 if "-o" in words else 0
    with subprocess.Popen([*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        assert done.stdout is not None
        done.stdout.close()
        _, error = done.communicate(timeout=BOUND)
    assert (done.returncode, error.count(b"\n")) == (status, status // 2)


def test_a_verdict_stands_though_nobody_reads_it() -> None:
    rigged = "import tosa_converter as tc; from types import SimpleNamespace as Some\n"
    rigged += (
        "tc.verify = lambda *_, **__: Some(verdict=False, figures=dict, operators=(), comparisons=(), sides=None)\n"
    )
    rigged += "from tosa_converter.cli import verify; verify.verification_lines = lambda *_, **__: ['FAIL']\n"
    rigged += "verify.next_command, verify.compare_differing_operators = (lambda *_: ''), (lambda *_: ())"
    with script(rigged, "verify", "m.tflite", stdout=subprocess.PIPE) as done:
        assert done.stdout is not None
        done.stdout.close()
        _, error = done.communicate(timeout=BOUND)
    assert (done.returncode, error) == (1, b"")


def test_an_error_that_nobody_reads() -> None:
    with subprocess.Popen([*COMMAND, "inspect", "nothing"], stderr=subprocess.PIPE) as done:
        assert done.stderr is not None
        done.stderr.close()
        assert done.wait(timeout=BOUND) == 2


def test_a_full_disk() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    done = shell('"$@" >/dev/full', "ops")
    assert (done.returncode, done.stderr) == (2, b"error: can't write the report: No space left on device\n")
    assert shell('"$@" 2>/dev/full', "inspect", "nothing").returncode == 2


# A finder in front of all others that sends an interrupt when a module is asked for.
INTERRUPT = """
import os, signal, sys
class Finder:
    def find_spec(name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder)
"""


@pytest.mark.parametrize(
    "module",
    [
        "tosa_converter.cli",
        "tosa_converter.errors",
        "tosa_converter.cli.main",
        "tosa_converter.cli.convert",
        "tosa_converter.formats",
        "numpy",
        "mmap",
    ],
)
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_among_the_imports(tmp_path: Path, module: str, ending: signal.Signals) -> None:
    words = (INT8, "-o", tmp_path / "m.tosa")
    program = f"MODULE = {module!r}\n{INTERRUPT.replace('SIGINT', ending.name)}"
    with script(program, *words, preexec_fn=restore_interrupts) as done:
        _, error = done.communicate(timeout=BOUND)
    assert (done.returncode, error.replace(b"interrupted\n", b"")) == (128 + ending, b"")
    assert os.listdir(tmp_path) == []


def ignoring() -> None:
    """As shells start what runs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_an_interrupt(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never")
    words = [*COMMAND, "inspect", str(tmp_path / "never")]
    with subprocess.Popen(words, stderr=subprocess.PIPE, preexec_fn=restore_interrupts) as done:
        writer = opened(tmp_path / "never")  # from now on it waits for bytes
        done.send_signal(signal.SIGINT)
        _, error = done.communicate(timeout=BOUND)
        os.close(writer)
    assert (done.returncode, error) == (130, b"interrupted\n")


def opened(fifo: Path) -> int:
    """The end of a pipe to write to, once somebody reads from the other."""
    for _ in range(100 * BOUND):
        with contextlib.suppress(OSError):
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.01)
    raise TimeoutError(fifo)


def test_interrupts_that_the_caller_ignores(tmp_path: Path) -> None:
    words = (INT8, "-o", tmp_path / "m.tosa")
    with script(f"MODULE = 'numpy'\n{INTERRUPT}", *words, stdout=subprocess.DEVNULL, preexec_fn=ignoring) as done:
        _, error = done.communicate(timeout=BOUND)
    assert (done.returncode, error) == (0, b"")


# The conversion waits where its temporary file is complete and not yet in its place.
WAITING = "import os, time\nos.replace = lambda *_: time.sleep(60)"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_leaves_no_temporary_file(tmp_path: Path, ending: signal.Signals) -> None:
    """After SIGKILL, which leaves no time for it, the next run removes the file."""
    out = tmp_path / "m.tosa"
    out.write_bytes(b"before")
    with script(WAITING, INT8, "-o", out, preexec_fn=restore_interrupts) as done:
        while len(list(tmp_path.glob(".tosa-*"))) == 0:
            assert done.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)
        done.send_signal(ending)
        _, error = done.communicate(timeout=BOUND)
    assert done.returncode == (-ending if ending == signal.SIGKILL else 128 + ending)
    assert error == (b"interrupted\n" if ending == signal.SIGINT else b"")
    assert out.read_bytes() == b"before"
    if ending == signal.SIGKILL:
        assert shell('"$@"', INT8, "-o", tmp_path / "other.tosa").returncode == 0
        os.unlink(tmp_path / "other.tosa")
    assert os.listdir(tmp_path) == ["m.tosa"]


def test_temporary_files_of_running_processes_stay(tmp_path: Path) -> None:
    with script(WAITING, INT8, "-o", tmp_path / "m.tosa", preexec_fn=restore_interrupts) as done:
        while len(list(tmp_path.glob(".tosa-*"))) == 0:
            assert done.poll() is None
            time.sleep(0.01)
        foreign = tmp_path / ".tosa-elsewhere-999999999-0"
        foreign.touch()
        assert shell('"$@"', INT8, "-o", tmp_path / "other.tosa").returncode == 0
        assert len(list(tmp_path.glob(".tosa-*"))) == 2
        done.terminate()
        done.communicate(timeout=BOUND)
    assert sorted(os.listdir(tmp_path)) == [foreign.name, "other.tosa"]


def test_a_hangup_that_the_caller_ignores(tmp_path: Path) -> None:
    """As under nohup."""
    with script(
        f"MODULE = 'numpy'\n{INTERRUPT.replace('SIGINT', 'SIGHUP')}",
        *(INT8, "-o", tmp_path / "m.tosa"),
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as done:
        _, error = done.communicate(timeout=BOUND)
    assert (done.returncode, error) == (0, b"")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_workers_end_with_the_command(tmp_path: Path, ending: signal.Signals) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    if sys.platform != "linux":
        pytest.skip("needs /proc")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    results = tmp_path / "r.jsonl"
    words = ("zoo", "verify", "--folder", INT8.parent, "--results", results, "--jobs", "2", "--runs", "50")
    with subprocess.Popen(
        [*COMMAND, *map(str, words)], env=environment, stderr=subprocess.DEVNULL, preexec_fn=restore_interrupts
    ) as done:
        while not results.exists() or not results.read_bytes():
            assert done.poll() is None
            time.sleep(0.01)
        assert using(tmp_path)
        done.send_signal(ending)
        done.wait(timeout=BOUND)
    for _ in range(1000):
        if not using(tmp_path):
            break
        time.sleep(0.01)
    assert not using(tmp_path)
    left = [path.name for path in tmp_path.glob("tosa-*")]
    assert not left or ending == signal.SIGKILL
    if left:
        subprocess.run(
            [*COMMAND, "verify", str(INT8)], env=environment, stdout=subprocess.DEVNULL, timeout=BOUND, check=True
        )
        assert not list(tmp_path.glob("tosa-*"))


def using(folder: Path) -> list[str]:
    """The processes whose temporary files are in a folder."""
    mark = f"TMPDIR={folder}".encode()
    users = []
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if mark in Path(f"/proc/{process}/environ").read_bytes() and int(process) != os.getpid():
                users.append(process)
    return users
