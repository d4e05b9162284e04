"""The errors that users see, each with the exit status of the command.

ConverterError
  UsageError         2  arguments that make no sense together, or name something that isn't there
    MissingExtra     2  an optional package is not installed
  FormatError        3  bytes that are not what they should be
  VerifyError        3  a graph that the specification forbids
  UnsupportedError   4  a legal model that this converter or the chosen target can't express
  UnpredictableError 1  a REQUIRE of the specification was violated while executing
"""

from collections.abc import Sequence

MOST_QUOTED = 500  # characters of what a file says
MOST_PLACES = 20


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """What a file made long, cut where a reader has had enough."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def listed(places: Sequence[str]) -> str:
    """The first places, one a line, and how many more there are."""
    more = len(places) - MOST_PLACES
    return "\n".join([*map(shortened, places[:MOST_PLACES]), *([f"and {more} more"] if more > 0 else [])])


class ConverterError(Exception):
    """Base of every error that is the user's to see."""

    exit_status = 1


class UsageError(ConverterError):
    """Arguments that make no sense."""

    exit_status = 2


class MissingExtra(UsageError):
    """An optional package is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package: pip install 'tosa-converter[{extra}]'")


class FormatError(ConverterError):
    """Malformed bytes. `path` grows outwards while the error passes through the readers."""

    exit_status = 3

    def __init__(self, message: str, *, offset: int | None = None, file: str = "", path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.file = file
        self.path = path

    def inside(self, place: str) -> None:
        """Add the enclosing field or table to the left of the path."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        self.path = place + joint + self.path

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.path) if part)
        at = "" if self.offset is None else f" at byte {self.offset}"
        return f"{where}{at}: {self.message}" if where else f"{self.message}{at}"


class VerifyError(ConverterError):
    """A graph breaks rules of the specification; every violation is listed."""

    exit_status = 3

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class UnsupportedError(ConverterError):
    """Something that can't be converted; `places` has every one where it occurs, the message the first ones."""

    exit_status = 4

    def __init__(self, message: str, places: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.places = tuple(places) or (message,)


class UnpredictableError(ConverterError):
    """A REQUIRE condition failed, so the specification leaves the result open."""
