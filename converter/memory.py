"""How much memory this process can still get, as far as the system tells."""

import math
from contextlib import suppress
from pathlib import Path

from tosa_converter.errors import UsageError

SMALL = 1 << 28  # bytes for which nobody asks the system


def require_memory(subject: str, count: int) -> None:
    """Raises UsageError if something needs more bytes than there are."""
    if count > SMALL and count > (free := available_memory()):
        raise UsageError(f"{subject} needs {count >> 20} MB of memory, {free / (1 << 20):.0f} MB are free")


def available_memory() -> float:
    """Returns the bytes that this process can still get, as far as the system tells; infinite where it doesn't."""
    return min(_free_of_machine(), _free_of_group(), _free_of_process())


def _free_of_machine() -> float:
    """Returns the bytes that the machine has left."""
    with suppress(OSError), open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return math.inf


def _free_of_group() -> float:
    """Returns the bytes left of a container's share; "max" stands for none."""
    try:
        limit, used = (Path(f"/sys/fs/cgroup/memory.{name}").read_text() for name in ("max", "current"))
        return int(limit) - int(used)
    except (OSError, ValueError):
        return math.inf


def _free_of_process() -> float:
    """Returns the bytes left of the limit on addresses."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return math.inf
        with open("/proc/self/statm") as file:
            return limit - int(file.read().split()[0]) * resource.getpagesize()
    return math.inf
