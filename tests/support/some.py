"""What a test knows to be there, to a type checker as well."""

from typing import TypeVar

T = TypeVar("T")


def some(value: T | None) -> T:
    assert value is not None
    return value
