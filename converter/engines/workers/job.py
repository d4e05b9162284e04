"""Calls functions in a process of its own, so that a job can't harm the process that asks for it.

A request is (module:name of a function, arguments), the answer what it returns.
"""

import sys
from collections.abc import Sequence
from typing import Any

from tosa_converter.engines.process import Answer, import_function, serve


def answer(function: str, arguments: Sequence[Any]) -> Answer:
    """Answers a request of another process: calls a function, named module:name, which must not raise."""
    return import_function(function)(*arguments), None


if __name__ == "__main__":
    sys.exit(serve(answer))
