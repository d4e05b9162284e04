"""Runs the TOSA reference model in a process of its own.

A request is (bytes of a .tosa file, input arrays), the answer (status name, output arrays).
"""

import sys
from typing import Any

import numpy as np

from tosa_converter.engines.process import MISSING, Answer, serve


def main() -> int:
    """Runs the reference model's worker: answers requests until its input ends; returns the exit status."""
    try:
        import tosa_reference_model
    except ImportError:
        return MISSING

    def answer(graph: bytes, arrays: list[Any]) -> Answer:
        """Runs a .tosa file on inputs at level 8K; returns the status name and the outputs."""
        outputs, status = tosa_reference_model.run(graph, arrays, tosa_level="EIGHTK")
        return (status.name, list(map(np.asarray, outputs))), None

    return serve(answer)


if __name__ == "__main__":
    sys.exit(main())
