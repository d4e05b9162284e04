"""Runs programs in ExecuTorch, in a process of its own.

A request is (the program, the path of its file of data or "", for each run the inputs' arrays in order), the answer the
arrays of each run's outputs.
"""

import sys
from typing import Any

import numpy as np

from tosa_converter.engines.process import MISSING, Answer, serve


def main() -> int:
    """Runs the ExecuTorch worker: answers requests until its input ends; returns the exit status."""
    try:
        import torch
        from executorch.runtime import Runtime
    except ImportError:
        return MISSING

    def answer(program: bytes, data_path: str, steps: list[list[Any]]) -> Answer:
        """Runs a program's first method, by name, once for each step; returns outputs and None, or [] and why."""
        try:
            loaded = Runtime.get().load_program(program, data_path=data_path or None)
            method = loaded.load_method(sorted(loaded.method_names)[0])
        except (RuntimeError, ValueError) as error:
            return [], ("refuses", str(error))
        try:
            return [_run(method, torch, arrays) for arrays in steps], None
        except (RuntimeError, ValueError, TypeError) as error:
            return [], ("fails on", str(error))

    return serve(answer)


def _run(method: Any, torch: Any, arrays: list[Any]) -> list[Any]:
    """Runs a program's method once on numpy arrays; returns its outputs as numpy arrays."""
    tensors = [torch.from_numpy(np.array(array)) for array in arrays]
    return [np.array(output.contiguous().numpy()) for output in method.execute(tensors)]


if __name__ == "__main__":
    sys.exit(main())
