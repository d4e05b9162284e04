"""Runs the TOSA reference model in a process of its own: a pickled request on standard input, the answer on output.

The request is (bytes of a .tosa file, input arrays), the answer (status name, output arrays). Both ends are ours.
"""

import os
import pickle
import sys


def main() -> int:
    """Answer one request; exit status 2 says that the reference model is not installed."""
    try:
        import tosa_reference_model
    except ImportError:
        return 2
    graph, arrays = pickle.load(sys.stdin.buffer)
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the reference model prints to standard output
    outputs, status = tosa_reference_model.run(graph, arrays, tosa_level="EIGHTK")
    pickle.dump((status.name, outputs), answer)
    answer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
