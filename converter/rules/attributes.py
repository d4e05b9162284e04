"""Checks of attributes: present, of their kind, in range, and within the level."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.rules.conditions import Check
from tosa_converter.schemas.tosa_ops import Attr, OpDef
from tosa_converter.schemas.tosa_target import ENUMERATIONS

_I32 = (-(1 << 31), (1 << 31) - 1)
# Attributes with a default, which a graph may leave out (chapter 2, "Set to PROPAGATE by default").
_DEFAULTED = frozenset({"nan_mode"})


def check_attributes(c: Check) -> bool:
    """Whether the operator's attributes are what its row says; violated conditions are in `c.problems`."""
    before = len(c.problems)
    expected = _expected(c.row)
    for name in c.attributes.keys() - expected.keys():
        c.problem("attribute", f"the operator has no attribute {name}", repr(c.attributes[name]))
    for attr, accepts in expected.values():
        value = c.attributes.get(attr.name)
        if value is None:
            if not (attr.optional or attr.kind in _DEFAULTED):
                c.problem("attribute", f"attribute {attr.name} must be given", "none")
        elif not accepts(value):
            c.problem("attribute", f"attribute {attr.name} must be {_kind(attr)}", repr(value)[:80])
        elif attr.limit:
            _check_limit(c, attr, value)
    return len(c.problems) == before or all(problem.kind == "level" for problem in c.problems[before:])


def check_scalar(c: Check, name: str, dtype: DType) -> None:
    """A scalar attribute of a type variable (min_val, max_val of CLAMP) must be a value of that type."""
    value = c.attributes[name]
    if dtype.is_integer:
        low, high = -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
        if not low <= value <= high or value != int(value):
            c.problem("attribute", f"attribute {name} must be in the range of {dtype.value}", str(value))


def _check_limit(c: Check, attr: Attr, value: Any) -> None:
    if c.level is None or max(value) <= getattr(c.level, attr.limit):
        return
    for index, element in enumerate(value):
        c.level_check(element, attr.limit, f"{attr.name}[{index}]")


@cache
def _expected(row: OpDef) -> dict[str, tuple[Attr, Callable[[Any], bool]]]:
    return {attr.name: (attr, _acceptor(attr.kind)) for attr in row.attributes if attr.kind != "graph"}


def _acceptor(kind: str) -> Callable[[Any], bool]:
    if kind.endswith("_t[]"):
        return lambda value: isinstance(value, np.ndarray)
    if kind == "i32[]":
        return lambda value: _is_list(value)
    if kind.startswith("i32["):
        length = int(kind[4:-1])
        return lambda value: _is_list(value) and len(value) == length
    if kind in ENUMERATIONS:
        return lambda value: value in ENUMERATIONS[kind]
    return _ACCEPTORS.get(kind, _is_number)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and _I32[0] <= int(value) <= _I32[1]


def _is_list(value: Any) -> bool:
    if isinstance(value, np.ndarray):  # CONST_SHAPE
        return value.ndim == 1 and value.dtype.kind == "i"
    return isinstance(value, tuple | list) and all(map(_is_integer, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


_ACCEPTORS: dict[str, Callable[[Any], bool]] = {
    "i32": _is_integer,
    "bool": lambda value: isinstance(value, bool | np.bool_),
    "str": lambda value: isinstance(value, str),
    "bytes": lambda value: isinstance(value, bytes),
    "dtype": lambda value: isinstance(value, DType),
}


def _kind(attr: Attr) -> str:
    if attr.kind in ENUMERATIONS:
        return f"one of {', '.join(ENUMERATIONS[attr.kind])}"
    return {"i32[]": "a list of i32", "str": "a string", "i32": "an i32", "bool": "a bool"}.get(
        attr.kind,
        attr.kind.replace("[", " list of ").replace("]", "") if "[" in attr.kind else f"a value of {attr.kind}",
    )
