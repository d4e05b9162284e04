"""How much memory this process can still get, as far as the system tells."""

import math
from contextlib import suppress
from pathlib import Path

from tosa_converter.errors import UsageError

SMALL = 1 << 28  # bytes for which nobody asks the system


def require_memory(subject: str, count: int) -> None:
    """Raises UsageError if something needs more bytes than this process can get.

    Up to SMALL bytes pass at once, without a look at the memory.
    """
    if count > SMALL and count > (free := available_memory()):
        raise UsageError(f"{subject} needs {count >> 20} MB of memory, {free / (1 << 20):.0f} MB are free")


def available_memory() -> float:
    """Returns the bytes that this process can still get, as far as the system tells; infinite where it doesn't."""
    return min(_free_of_machine(), _free_of_group(), _free_of_process())


def _free_of_machine() -> float:
    """Returns the machine's available bytes by /proc/meminfo; infinity where there is none."""
    with suppress(OSError), open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                # "MemAvailable:   16297528 kB": the kernel writes units of 1024 bytes.
                return int(line.split()[1]) << 10
    return math.inf


def _free_of_group() -> float:
    """Returns the bytes left of the control group's limit, as containers have one; infinity without a limit."""
    try:
        # Control groups of version 2. Without a limit memory.max is the word "max", which int() refuses: infinity.
        limit, used = (Path(f"/sys/fs/cgroup/memory.{name}").read_text() for name in ("max", "current"))
        return int(limit) - int(used)
    except (OSError, ValueError):
        return math.inf


def _free_of_process() -> float:
    """Returns the bytes left of this process's limit on address space (RLIMIT_AS); infinity without one."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return math.inf
        with open("/proc/self/statm") as file:
            # The first number of statm is the whole address space in pages, which is what RLIMIT_AS limits.
            return limit - int(file.read().split()[0]) * resource.getpagesize()
    return math.inf
