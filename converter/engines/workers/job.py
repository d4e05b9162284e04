"""Calls functions in a process of its own: what a job does to its process, it does to this one.

A request is (function, arguments), the answer what it returns.
"""

import sys
from collections.abc import Callable
from typing import Any

from tosa_converter.engines.process import Answer, serve


def answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Answer:
    """The value of a function that raises nothing."""
    return function(*arguments), None


if __name__ == "__main__":
    sys.exit(serve(answer))
