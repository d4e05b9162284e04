"""The errors that users see, each with the exit status of the command.

ConverterError
  UsageError         2  arguments that contradict each other, or name something that isn't there
    MissingExtra     2  an optional package is not installed
  FormatError        3  bytes that are not what they should be
  VerifyError        3  a graph that the specification forbids, or forbids on the inputs of a run
  UnsupportedError   4  a legal model that this converter or the chosen target can't express
  PluginError        4  a plug-in's rule raised an exception, or returned unusable results
  UnpredictableError 1  a REQUIRE of the specification was violated while executing

Any other exception is a bug of ours, `BrokenPassError` among them: the command ends with 70. `explained` says it all in
lines.
"""

import errno
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

MOST_QUOTED = 500  # characters of what a file says
MOST_PLACES = 10
MOST_NAMES = 10
MOST_COMPARED = 1000  # names that a mistyped one is compared with
LONGEST_COMPARED = 100  # characters of them
_LIKE = 0.7  # share of characters in common from which on names are alike: "litrt" and "litert" have 0.91
LONGEST = 2000  # characters of a line that people read
RECEIVED: list[int] = []  # exit statuses that signals asked for: the first one counts
NEXT_STEP = "next: "  # how the line of a message begins that says what to do
INTERNAL = 70  # exit status of a bug of ours: EX_SOFTWARE of sysexits.h
FRAMES = 8  # of a bug's traceback that are printed


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """Returns a text cut after `most` characters, with its full length: names in files may be very long."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def printable(text: str, limit: int | None = LONGEST) -> str:
    r"""Returns a text as visible characters on one line.

    Controls, line breaks, marks without width, marks of direction, lone surrogates and code points without a character
    are escaped as in Python: \n, \x1b, \u202e. A text longer than `limit` loses its middle.
    """
    if limit is not None and len(text) > limit:
        # Of 2000 characters the first 1500 and the last 500: a name says most at its beginning, a path at its end.
        head, tail = limit * 3 // 4, limit // 4
        text = f"{text[:head]} ... {len(text) - head - tail} characters ... {text[-tail:]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def listed(places: Sequence[str]) -> list[str]:
    """Returns the first MOST_PLACES places, shortened, one a line, and a last line that counts the others."""
    more = len(places) - MOST_PLACES
    return [*map(shortened, places[:MOST_PLACES]), *([f"and {more} more"] if more > 0 else [])]


def list_names(names: Iterable[str]) -> str:
    """Returns the first ten names, separated by commas, and how many more there are; "none" if there are none."""
    names = list(names)
    more = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join([*(shortened(name, 60) for name in names[:MOST_NAMES]), *more]) or "none"


def closest_name(word: str, names: Iterable[str]) -> str:
    """Returns the name that a mistyped word is most like, or "" if it is like none of them.

    Long names, and those after the first MOST_COMPARED, aren't compared.
    """
    from difflib import get_close_matches

    # The time grows with the product of both lengths: 1000 names of 100 characters take up to 0.4 s.
    # Dashes of options don't count: --nonsense is not like --constants.
    short_names = (name for name in islice(names, MOST_COMPARED) if len(name) <= LONGEST_COMPARED)
    candidates = {name.casefold().lstrip("-"): name for name in short_names}
    word = word.casefold().lstrip("-")
    matches = get_close_matches(word, candidates, 1, _LIKE) if len(word) <= LONGEST_COMPARED else []
    return candidates[matches[0]] if matches else ""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Returns the end of a message about a mistyped name: the name that is most like it, if any is.

    >>> did_you_mean("verfy", ["run", "verify"]), did_you_mean("x", ["run"])
    ("; did you mean 'verify'?", '')
    """
    name = closest_name(word, names)
    return f"; did you mean {name!r}?" if name else ""


class Refusal(NamedTuple):
    """An operator that can't be converted: where it is, such as main:8, its name, and the reason."""

    place: str
    operator: str
    reason: str


def group_refusals(refusals: Sequence[Refusal]) -> list[str]:
    """Returns refusals by operator and reason, the most frequent first: a line with the number, and one with places.

    At most ten groups and ten places of each are listed.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for place, operator, reason in refusals:
        groups.setdefault((shortened(operator, 60), shortened(reason, 160)), []).append(place)
    ranked = sorted(groups.items(), key=lambda group: -len(group[1]))
    lines = []
    for (operator, reason), places in ranked[:MOST_PLACES]:
        lines.append(f"{len(places):6d} {operator}: {reason}")
        lines += [f"{'':6} at {list_names(places)}"] if any(places) else []
    return [*lines, *([f"and {len(ranked) - MOST_PLACES} more kinds"] if len(ranked) > MOST_PLACES else [])]


def count_names(names: Iterable[str], most: int = 5) -> str:
    """Returns how often each name occurs, the most frequent first: "21 CONV_2D, 12 ADD"; at most `most` of them."""
    counts = Counter(names).most_common()
    more = [f"and {len(counts) - most} more kinds"] if len(counts) > most else []
    return ", ".join([*(f"{count} {shortened(name, 60)}" for name, count in counts[:most]), *more])


class ConverterError(Exception):
    """The base of all errors that users see, with one line for each thing that is wrong.

    Names in a line are what a file says: print lines by `tosa_converter.cli.printing`, not the text as a whole.
    """

    exit_status = 1
    advice = "tflite-to-tosa doctor tries every engine"

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the message; a line break within one of them comes from a name in a file."""
        return tuple(map(str, self.args))

    def __str__(self) -> str:
        """Returns the whole message, with line breaks between its lines."""
        return "\n".join(self.lines)


class UsageError(ConverterError):
    """Arguments that contradict each other, or name what there is not."""

    exit_status = 2
    advice = "tflite-to-tosa COMMAND --help lists its arguments, options and their values"


def install_hint(extra: str) -> str:
    """Returns the command that installs an optional dependency, from the checkout that the package is installed of."""
    return (
        f"pip install '.[{extra}]' in the checkout" if _is_of_checkout() else f"pip install 'tosa-converter[{extra}]'"
    )


def _is_of_checkout() -> bool:
    """Returns whether this package is installed from a folder, as pip states it in direct_url.json, or isn't at all."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        installed = distribution("tosa-converter")
    except PackageNotFoundError:
        return True
    origin = installed.read_text("direct_url.json")
    # A build leaves a folder *.egg-info in the checkout, which has PKG-INFO where an installed package has METADATA.
    return '"dir_info"' in origin if origin is not None else installed.read_text("PKG-INFO") is not None


class MissingExtra(UsageError):
    """An optional package is needed and not installed."""

    advice = "run the pip install of the message; tflite-to-tosa doctor lists everything that is missing"

    def __init__(self, feature: str, extra: str) -> None:
        """Makes an error about an optional package that is missing: `feature` needs it, `extra` installs it."""
        super().__init__(f"{feature} needs an optional package: {install_hint(extra)}")
        self.advice = install_hint(extra)


class FormatError(ConverterError):
    """Malformed bytes, with the file, byte offset and path of fields; readers extend the path outwards by `inside`."""

    exit_status = 3
    advice = "get the file again, or write it again with the tool that made it"

    def __init__(self, message: str, *more: str, offset: int | None = None, file: str = "", path: str = "") -> None:
        """Makes an error about malformed bytes: the message, further lines, and where: offset, file, path of fields."""
        super().__init__(message, *more)
        self.message = message
        self.offset = offset
        self.file = file
        self.path = path

    def inside(self, place: str) -> None:
        """Adds an enclosing field or table in front of the path, as readers do while the error passes through them."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        self.path = place + joint + self.path

    @property
    def lines(self) -> tuple[str, ...]:
        """The message behind its file, field and byte offset, then the further lines."""
        where = ": ".join(part for part in (self.file, self.path) if part)
        at = "" if self.offset is None else f" at byte {self.offset}"
        return (f"{where}{at}: {self.message}" if where else f"{self.message}{at}", *self.args[1:])


class VerifyError(ConverterError):
    """A graph breaks rules of the specification; every violation is listed, `kinds` has those of the verifier."""

    exit_status = 3
    advice = "correct the graph where the message says; tflite-to-tosa inspect --check lists every violation"

    def __init__(self, problems: Sequence[str], kinds: Sequence[str] = ()) -> None:
        """Makes an error of the conditions that the graph breaks, one a line, and their kinds."""
        super().__init__(*problems)
        self.problems = tuple(problems)
        self.kinds = frozenset(kinds)


class UnsupportedError(ConverterError):
    """Something that can't be converted; `places` has every occurrence, which the lines may sum up.

    `operators` are the location and the name of the operator at each place, if the places are operators.
    """

    exit_status = 4
    advice = "tflite-to-tosa inspect --check lists what each operator becomes; --partial DIR converts the rest"

    def __init__(self, *lines: str, places: Sequence[str] = (), operators: Sequence[tuple[str, str]] = ()) -> None:
        """Makes an error of the message's lines, with all places and operators that it is about, for programs to read.

        `operators` are pairs (location, opcode). The lines may only count them; without `places` the lines stand for
        them.
        """
        super().__init__(*lines)
        self.places = tuple(places) or lines
        self.operators = tuple(operators)


class PluginError(ConverterError):
    """A plug-in's rule is at fault: it raised an exception, or its results can't replace the operator's."""

    exit_status = 4
    advice = "correct the plug-in's rule, or leave out --plugin"


class UnpredictableError(ConverterError):
    """A REQUIRE condition failed, so the specification leaves the result open."""

    advice = "use other inputs (--input, --range): on these the specification leaves the result open"


class BrokenPassError(Exception):
    """A bug of ours: a pass or one of its rules made what the specification forbids, from what it allows."""

    def __init__(self, step: str, problems: Sequence[str]) -> None:
        """Makes an error about a pass (`step`) that made an illegal graph, with the conditions it breaks."""
        super().__init__(f"{step} made an illegal graph", *listed(problems))

    def __str__(self) -> str:
        """Returns the pass and what is wrong with its graph, one a line."""
        return "\n".join(self.args)


def explained(error: Exception) -> tuple[int, tuple[str, ...]]:
    """Returns the exit status with which an error ends a command, and the lines of its message."""
    if isinstance(error, ConverterError):
        return error.exit_status, error.lines or ("",)
    if isinstance(error, OSError):
        return UsageError.exit_status, (_system_error(error),)
    if isinstance(error, MemoryError):
        return ConverterError.exit_status, ("not enough memory",)
    return INTERNAL, tuple(_bug_report(error))


def _system_error(error: OSError) -> str:
    """Returns the message of an operating system's error, with advice if file descriptors ran out."""
    words = error.strerror or str(error)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        words += ": close other programs, or raise the limit (ulimit -n)"
    return f"{error.filename}: {words}" if error.filename else words


def _bug_report(error: Exception) -> list[str]:
    """Returns the lines that report a bug: the exception, its innermost frames, and a request to report it."""
    from importlib.metadata import version
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)[-FRAMES:]
    places = [f"  {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    name = f"tosa-converter {version('tosa-converter')}"
    request = f"this is a bug in {name}: please report it with these lines and, if you may, the model"
    return [f"{type(error).__name__}: {error}", *places, request]
