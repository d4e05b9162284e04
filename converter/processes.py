"""Child processes that end with this one, however it ends: also by SIGKILL, which no handler sees."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

Word: TypeAlias = str | os.PathLike[str]
_TIES = sys.platform == "linux"  # other systems have no F_SETSIG


@contextlib.contextmanager
def child(words: Sequence[Word], *, group: bool = False, **options: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """Context with a child process, which ends when the block or this process does.

    The child holds the reading end of a pipe that only this process can write to. When this process ends, the kernel
    closes the other end and sends SIGKILL to the child: that needs neither a handler nor Python's lock. Other systems
    than Linux leave the child to notice that its standard input has ended.

    Args:
        words: the command.
        group: the child leads a group of processes, all of which end.
        options: as for `subprocess.Popen`.

    Raises:
        OSError: the process can't be started.
    """
    reader, writer = os.pipe()
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, writer)
        try:
            tied = (reader,) if _TIES else ()
            process = subprocess.Popen([*words], pass_fds=tied, process_group=0 if group else None, **options)
            stack.callback(_end, process)
            if _TIES:
                _kill_on_close(reader, -process.pid if group else process.pid)
        finally:
            # Owner, signal and O_ASYNC belong to the open file. The child has it too, so they outlast this descriptor.
            os.close(reader)
        yield process


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process if it still runs, closes its streams and waits for it."""
    if process.poll() is None:
        process.kill()
    with contextlib.suppress(BrokenPipeError):  # what it hasn't read
        process.__exit__(None, None, None)


def _kill_on_close(reader: int, process: int) -> None:
    """Makes the kernel kill a process, or the group of a negative number, once the pipe's other end is closed."""
    import fcntl

    # fcntl(2): with O_ASYNC the kernel sends a signal, SIGIO unless F_SETSIG names another, to the owner when the pipe
    # changes, here when its last writer is gone. A negative owner is a group of processes.
    fcntl.fcntl(reader, fcntl.F_SETOWN, process)
    fcntl.fcntl(reader, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(reader, fcntl.F_SETFL, fcntl.fcntl(reader, fcntl.F_GETFL) | os.O_ASYNC)


def output_of(
    words: Sequence[Word], *, stdin: bytes = b"", timeout: float | None = None, folder: str | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Runs a command to its end, in a folder if one is named, and returns both of its streams.

    Raises:
        OSError: it can't be started.
        subprocess.TimeoutExpired: it took more than `timeout` seconds, and was killed.
    """
    pipe = subprocess.PIPE
    with child(words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder) as process:
        output, errors = process.communicate(stdin, timeout)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)
