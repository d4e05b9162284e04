"""Values of options: what texts such as NAME=VALUE stand for, and what the API's functions accept besides."""

import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from tosa_converter.errors import UsageError

if TYPE_CHECKING:
    from tosa_converter.rules.target import Target

MOST_DIGITS = 9  # of a number of rows


def parse_names(subject: str, texts: Sequence[str]) -> dict[str, str]:
    """Returns the values of texts NAME=VALUE by name; the key of a value without a name is "".

    Raises:
        UsageError: two values for one name.
    """
    pairs = [(name, value) for name, _, value in (text.rpartition("=") for text in texts)]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            place = f"for {name!r}" if name else "without a name"
            raise UsageError(f"{subject}: expected one value {place}, found {names.count(name)}")
    return dict(pairs)


def parse_bounds(texts: Sequence[str]) -> dict[str, int]:
    """Returns numbers by name from texts NAME=N (--bound): at most N rows has the result NAME.

    The result is that of a WHERE, UNIQUE or SEGMENT_SUM.

    Raises:
        UsageError: a text of another form, a number of too many digits, or two for one name.
    """
    for text in texts:
        name, _, rows = text.rpartition("=")
        if not name or not (rows.isascii() and rows.isdigit()) or len(rows) > MOST_DIGITS:
            raise UsageError(f"bound: expected NAME=N, found {text!r}")
    return {name: int(rows) for name, rows in parse_names("bound", texts).items()}


def parse_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of texts such as NAME=1,224,224,3 by name; NAME= is the shape of a scalar.

    Raises:
        UsageError: a text of another form, or two for one name.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, dims = text.rpartition("=")
        try:
            shapes[name] = tuple(int(size) for size in dims.split(",")) if dims else ()
        except ValueError:
            name = ""
        if not name:
            raise UsageError(f"input shape: expected NAME=1,224,224,3, found {text!r}")
    parse_names("input shape", texts)
    return shapes


def parse_ranges(texts: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Returns the ranges of texts such as NAME=LOW,HIGH by name; a range without a name is that of "".

    Raises:
        UsageError: a text of another form, or two for one name.
    """
    ranges: dict[str, tuple[float, float]] = {}
    for name, text in parse_names("range", texts).items():
        try:
            low, high = map(float, text.split(","))
        except ValueError:
            raise UsageError(f"range: expected [NAME=]LOW,HIGH, found {text!r}") from None
        ranges[name] = low, high
    return ranges


def parse_tolerances(subject: str) -> Callable[[Sequence[str]], dict[str, float]]:
    """Returns a function that parses texts [NAME=]X to numbers X by name; without a name, the key is "".

    It raises UsageError for a text of another form, or two for one name.
    """

    def parse(texts: Sequence[str]) -> dict[str, float]:
        """Returns the numbers of texts by name."""
        numbers: dict[str, float] = {}
        for name, text in parse_names(subject, texts).items():
            try:
                numbers[name] = float(text)
            except ValueError:
                raise UsageError(f"{subject}: expected [NAME=]X with a number X, found {text!r}") from None
        return numbers

    return parse


def tolerances_by_name(subject: str) -> Callable[[float | Mapping[str, float] | None], dict[str, float]]:
    """Returns a function that makes tolerances by name of one tolerance, whose name is "", or of a mapping.

    It raises UsageError unless each tolerance is a finite number of at least 0.
    """

    def accept(values: float | Mapping[str, float] | None) -> dict[str, float]:
        """Returns tolerances by the names of outputs; a single number is that of all, with the name "".

        Raises UsageError for one that isn't a finite number from 0 on.
        """
        named: Mapping[str, Any] = {} if values is None else values if isinstance(values, Mapping) else {"": values}
        for name, value in named.items():
            if not isinstance(value, Real) or not 0 <= float(value) < math.inf:  # numpy's numbers are of this class too
                place = f" of {name!r}" if name else ""
                raise UsageError(f"--{subject} ({subject}){place}: expected a finite number from 0 on, found {value!r}")
        return {name: float(value) for name, value in named.items()}

    return accept


def class_numbers(labels: Sequence[Any]) -> list[int]:
    """Returns the numbers of classes as a list, also of an array; raises UsageError for what is no number."""
    for label in labels:
        if not isinstance(label, Integral):
            raise UsageError(f"--labels (labels): expected numbers of classes, found {label!r}")
    return [int(label) for label in labels]


def parse_target(target: "Target | str | None") -> "Target | None":
    """Returns a target; a text is parsed to one, and None stays None.

    Raises:
        UsageError: names of no target.
    """
    from tosa_converter.rules.target import Target

    return Target.parse(target) if isinstance(target, str) else target


def split_names(names: str | Sequence[str]) -> Sequence[str]:
    """Returns a sequence of names; a string is split at its commas."""
    if isinstance(names, str):
        return names.split(",") if names else ()
    return names


def empty_if_none(values: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Returns the mapping, or an empty one for None."""
    return values or {}


def as_tuples(shapes: Mapping[str, Sequence[int]] | None) -> dict[str, tuple[int, ...]]:
    """Returns shapes by name as tuples; an empty dict for None."""
    return {name: tuple(shape) for name, shape in (shapes or {}).items()}


def plain_value(value: Any) -> Any:
    """Returns an option's value as JSON can hold it; a target or a rule becomes its name or text."""
    if isinstance(value, Mapping):
        return {name: plain_value(part) for name, part in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [plain_value(part) for part in value]
    return value if isinstance(value, str | int | float) else getattr(value, "name", "") or str(value)
