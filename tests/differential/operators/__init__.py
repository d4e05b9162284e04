"""What draws the cases of each operator: `DRAWS` of every module, by builtin, a function from a Draw to a Case."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import TypeAlias

from differential.case import Case, Draw, Network

Drawing: TypeAlias = Callable[[Draw], Case | Network]


def load() -> dict[str, Drawing]:
    """By what the operator's rewrites start from, with `:` and the type behind it where a module draws that one alone.

    Raises:
        ValueError: two modules draw one operator.
    """
    draws: dict[str, Drawing] = {}
    for module in pkgutil.iter_modules(__path__):
        for key, draw in importlib.import_module(f"{__name__}.{module.name}").DRAWS.items():
            builtin, *words = key if isinstance(key, tuple) else (key,)
            name = ":".join([builtin if isinstance(builtin, str) else f"tfl.{builtin.name.lower()}", *words])
            if name in draws:
                raise ValueError(f"{name} is drawn twice")
            draws[name] = draw
    return draws


def drawing(draws: dict[str, Drawing], name: str, types: str) -> Drawing | None:
    """What draws an operator in a type."""
    return draws.get(f"{name}:{types}") or draws.get(name)
