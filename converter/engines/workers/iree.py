"""Runs modules that IREE compiled, in a process of its own.

A request is (path of a .vmfb file, driver, name of the function, for each run the inputs' arrays in order), the answer
the arrays of each run's outputs. The module begins anew with each request.
"""

import sys
from typing import Any

import numpy as np

from tosa_converter.engines.process import MISSING, Answer, serve


def main() -> int:
    """Runs the IREE worker: answers requests until its input ends; returns the exit status."""
    try:
        from iree import runtime
    except ImportError:
        return MISSING

    def answer(path: str, driver: str, function: str, steps: list[list[Any]]) -> Answer:
        """Runs a compiled function once for each step; returns outputs and None, or [] and what went wrong."""
        try:
            context = runtime.SystemContext(config=runtime.Config(driver))
            context.add_vm_module(runtime.VmModule.mmap(context.instance, path))
            invoke = context.modules.module[function]
            return [_to_host(invoke(*arrays)) for arrays in steps], None
        except (RuntimeError, ValueError, KeyError) as error:
            return [], ("fails on", str(error))

    return serve(answer)


def _to_host(result: Any) -> list[Any]:
    """Returns a compiled function's results (none, one or several) as a list of numpy arrays."""
    arrays = () if result is None else result if isinstance(result, (tuple, list)) else (result,)
    return [np.array(array.to_host()) for array in arrays]


if __name__ == "__main__":
    sys.exit(main())
