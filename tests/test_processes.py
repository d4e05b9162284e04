"""Child processes end with their parent, whatever ends it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.commands import restore_interrupts

from tosa_converter.processes import output_of

CHILDREN = {
    "child": "with child([sys.executable, '-c', {code!r}], stdin=subprocess.PIPE) as process: time.sleep(60)",
    "group": "with child([sys.executable, '-c', {code!r}], group=True) as process: time.sleep(60)",
    "output": "output_of([sys.executable, '-c', {code!r}])",
    "worker": "Worker('job', 'job', '').ask('', 'builtins:exec', ({code!r},))",
    "job": "list(run(exec, [({code!r},)] * 2, jobs=2))",
}
HEAD = """
import subprocess, sys, time
from tosa_converter.engines.process import Worker
from tosa_converter.processes import child, output_of
from tosa_converter.proof.runner import run
"""
# It holds Python's lock, as native code may, so that no thread of its own can end it.
BUSY = "open({mark!r} + str(__import__('os').getpid()), 'w').close(); sum(range(10**11))"


def running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell a child by its input only")
@pytest.mark.parametrize(
    ("kind", "ending"),
    [*((kind, signal.SIGKILL) for kind in CHILDREN), ("job", signal.SIGTERM), ("job", signal.SIGINT)],
)
def test_children_end_with_their_parent(tmp_path: Path, kind: str, ending: signal.Signals) -> None:
    code = HEAD + CHILDREN[kind].format(code=BUSY.format(mark=str(tmp_path / "child-")))
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    expected = 2 if kind == "job" else 1
    with subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.DEVNULL, env=environment, preexec_fn=restore_interrupts
    ) as parent:
        wait_for(lambda: len(list(tmp_path.glob("child-*"))) == expected)
        children = [int(path.name.removeprefix("child-")) for path in tmp_path.glob("child-*")]
        assert all(map(running, children))
        parent.send_signal(ending)
        parent.wait(timeout=60)
    wait_for(lambda: not any(map(running, children)))


def wait_for(condition: object) -> None:
    assert callable(condition)
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise TimeoutError


def test_output_of_a_process_is_captured() -> None:
    code = "import sys; print(sys.stdin.read()[::-1]); sys.stderr.write('err'); sys.exit(3)"
    done = output_of([sys.executable, "-c", code], stdin=b"abc" * 100_000)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"cba" * 100_000 + b"\n", b"err")


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    mark = tmp_path / "child-"
    with pytest.raises(subprocess.TimeoutExpired):
        output_of([sys.executable, "-c", BUSY.format(mark=str(mark))], timeout=2)
    for path in tmp_path.glob("child-*"):
        assert not running(int(path.name.removeprefix("child-")))


def test_no_command_leaves_descriptors_open() -> None:
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for _ in range(3):
        with contextlib.suppress(OSError):
            output_of(["/nothing/at/all"])
        output_of([sys.executable, "-c", ""])
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert after == before
