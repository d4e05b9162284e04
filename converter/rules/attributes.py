"""Checks of attributes: present, of their kind, in range, and within the level."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.rules.conditions import Check
from tosa_converter.schemas.tosa_ops import Attr, Kind, OpDef
from tosa_converter.schemas.tosa_target import ENUMERATIONS

_LEAST, _MOST = DType.I32.limits


def check_attributes(c: Check) -> bool:
    """Returns whether an operator's attributes are valid but for level limits; adds problems to `c`."""
    before = len(c.problems)
    expected = _attribute_tests(c.row)
    if not c.attributes.keys() <= expected.keys():
        for name in c.attributes.keys() - expected.keys():
            c.problem("attribute", f"the operator has no attribute {name}", repr(c.attributes[name]))
    for name, (attr, accepts, limited) in expected.items():
        value = c.attributes.get(name)
        if value is None:
            if not (attr.optional or attr.default is not None):
                c.problem("attribute", f"attribute {attr.name} must be given", "none")
        elif not accepts(value):
            c.problem("attribute", f"attribute {attr.name} must be {_describe_kind(attr)}", repr(value)[:80])
        elif limited:
            _check_limit(c, attr, value)
    return len(c.problems) == before or all(problem.kind == "level" for problem in c.problems[before:])


def check_scalar(c: Check, name: str, dtype: DType) -> None:
    """Adds a problem if an attribute such as CLAMP's min_val isn't a value of its integer element type.

    Floats aren't checked: any of them is a value.
    """
    value = c.attributes[name]
    if dtype.is_integer:
        low, high = dtype.limits
        if not low <= value <= high or value != int(value):
            c.problem("attribute", f"attribute {name} must be in the range of {dtype.value}", str(value))


def _check_limit(c: Check, attr: Attr, value: Any) -> None:
    """Adds a problem for each element of a list attribute that exceeds its limit in the level."""
    if c.level is None or max(value) <= getattr(c.level, attr.limit):
        return
    for index, element in enumerate(value):
        c.level_check(element, attr.limit, f"{attr.name}[{index}]")


@cache
def _attribute_tests(row: OpDef) -> dict[str, tuple[Attr, Callable[[Any], bool], bool]]:
    """Returns, by name, each attribute's definition, a function that tests its values, and whether levels limit it."""
    plain = [attr for attr in row.attributes if attr.kind is not Kind.GRAPH]
    return {attr.name: (attr, _test_of(attr), bool(attr.limit)) for attr in plain}


def _test_of(attr: Attr) -> Callable[[Any], bool]:
    """Returns a function that returns whether a value is of an attribute's kind."""
    if attr.kind is Kind.ENUMERANT:
        return ENUMERATIONS[attr.of].__contains__
    if not attr.is_list:
        return _ACCEPTORS[attr.kind]
    if attr.kind is Kind.ELEMENT:
        return lambda value: isinstance(value, np.ndarray)
    return lambda value: _is_integer_list(value) and attr.size in (None, len(value))


def _is_integer(value: Any) -> bool:
    """Returns whether a value is an integer, not a bool, that int32 can hold."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and _LEAST <= int(value) <= _MOST


def _is_integer_list(value: Any) -> bool:
    """Returns whether a value is a list, tuple or vector of integers that int32 can hold."""
    if isinstance(value, np.ndarray):  # CONST_SHAPE
        return value.ndim == 1 and value.dtype.kind == "i"
    if not isinstance(value, (tuple, list)):
        return False
    only_int = set(map(type, value)) == {int}
    return (min(value) >= _LEAST and max(value) <= _MOST) if only_int else all(map(_is_integer, value))


def _is_number(value: Any) -> bool:
    """Returns whether a value is an integer or float; a bool is neither."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


_ACCEPTORS: dict[Kind, Callable[[Any], bool]] = {
    Kind.I32: _is_integer,
    Kind.BOOL: lambda value: isinstance(value, (bool, np.bool_)),
    Kind.STR: lambda value: isinstance(value, str),
    Kind.BYTES: lambda value: isinstance(value, bytes),
    Kind.DTYPE: lambda value: isinstance(value, DType),
    Kind.ELEMENT: _is_number,
}


def _describe_kind(attr: Attr) -> str:
    """Returns a description of an attribute's allowed values, for messages: "a list of i32"."""
    if attr.kind is Kind.ENUMERANT:
        return f"one of {', '.join(ENUMERATIONS[attr.of])}"
    if attr.is_list:
        return "a list of i32" if attr.size is None else f"i32 list of {attr.size}"
    return {Kind.STR: "a string", Kind.I32: "an i32", Kind.BOOL: "a bool"}.get(attr.kind, f"a value of {attr.type}")
