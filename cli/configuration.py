"""The project file: options of a project, out of `tosa.toml` or of the table `tool.tosa-converter` of `pyproject.toml`.

It is searched from the working directory upward, to the home folder or the root. The nearest file counts, and in one
folder `tosa.toml`. The command line wins, then the table of the command, then the options above it. An option yields
to one that excludes it and stands further in front in this order.

Whoever clones a repository runs commands in it, so a project file holds no option that runs code or names a file to
write. Only the command line reads it: the API has its arguments.
"""

import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn

from tosa_converter.cli import options
from tosa_converter.cli.bare import COMMANDS
from tosa_converter.cli.fields import Field
from tosa_converter.cli.options import CHECKS
from tosa_converter.cli.project_files import OWN_FILE, project_paths
from tosa_converter.errors import FormatError, UnsupportedError, UsageError, printable
from tosa_converter.options import FILES, FLAGS, Flag

PROJECT_OPTIONS = {
    "show_config": Field(
        Flag("--show-config", help="Print every option and where it comes from, and stop."), False, bool
    ),
    "no_config": Field(Flag("--no-config", help="Read no project file (tosa.toml, pyproject.toml)."), False, bool),
}
"""The options of every command, by parameter, which the command itself doesn't take."""
ZOO_COMMANDS = ("list", "fetch", "verify")
_TABLE = ("tool", "tosa-converter")
# The lines of a pyproject.toml that can define the table; a file without any isn't parsed, which takes 10 ms and more.
_DEFINITION = rb"""^[ \t]*(?:(?:\[|["']?tool\b)[^\n]*tosa-converter|["']?tosa-converter["']?[ \t]*[.=])"""
_MOST_BYTES = 256 << 10
# The reader takes memory with the square of a dotted key's length: 256 KB of lines with 400 dots take 0.9 s and 240 MB,
# and one line of 400,000 dots would take 600 GB.
_MOST_DOTS = 400

# Besides the options of conversions and comparisons; they are for a project rather than for one run.
_MORE = frozenset({"against", "labels", "samples", "scale"})
_FOLDER_OPTIONS = frozenset(
    {"labels", "samples"}
)  # paths that are only read; they start from the project file's folder
_PATHS = ("FILE", "DIR", "OUT")  # words of metavars
_REFUSALS = {
    "plugin": "it runs code",
    "iree-flag": "it can make IREE's compiler write files",
    "scheduler": "it sends code to other machines",
}
# Options that ask `inspect` for a check: shared ones only apply to a check that the command line asks for.
_ON_REQUEST = {"inspect": CHECKS}
# Options beside which commands refuse an option themselves.
_RIVALS = {"samples": FILES, "ranges": FILES}
_TYPED = 100  # the rank of what the command line states; tables have the number of their command's words


class Setting(NamedTuple):
    """An option of a project file: its value as it is written there, its place, and the depth of its table."""

    value: Any
    key: str
    depth: int


class Project(NamedTuple):
    """A project file: its path, the names in front of its keys, and its options."""

    path: str
    prefix: str
    table: Mapping[str, Any]

    def place(self, *names: str) -> str:
        """Returns the file and a key in it, for messages."""
        return ": ".join(filter(None, (self.path, ".".join(filter(None, (self.prefix, *names))))))

    def settings(self, command: Sequence[str]) -> dict[str, Setting]:
        """Returns the project file's options for a command, by long name.

        A subcommand's own table overrides the tables around it. Each `Setting` has the depth of its table, 0 for
        options of all commands.

        Raises:
            UsageError: a name that no option and no command has, or an option that a project file can't hold.
        """
        self._require_names(self.table, (), _subcommands(()))
        settings: dict[str, Setting] = {}
        table = self.table
        for depth in range(len(command) + 1):
            names = command[:depth]
            tables = _subcommands(names)
            for name, value in table.items():
                if not (name in tables and isinstance(value, Mapping)):
                    settings[name] = Setting(value, self.place(*names, name), depth)
            table = table.get(command[depth], {}) if depth < len(command) else {}
        return settings

    def _require_names(self, table: Mapping[str, Any], names: tuple[str, ...], tables: Sequence[str]) -> None:
        """Raises UsageError for a key of a table that is neither a command nor an option that a project file may hold.

        `names` is where the table is in the file, `tables` lists the commands that may have a table in it.
        """
        for key, value in table.items():
            if key in tables and isinstance(value, Mapping):
                self._require_names(value, (*names, key), _subcommands((*names, key)))
            elif key not in _flags():
                if key in tables:
                    raise UsageError(
                        f"{self.place(*names, key)}: expected a table of options, found {_describe_value(value)}"
                    )
                raise UsageError(*_unknown_name(self.place(*names), key, (*_safe_options(), *tables)))
            elif key not in _safe_options():
                flag = _flags()[key]
                is_path = any(word in flag.metavar for word in _PATHS)
                reason = _REFUSALS.get(key, "it names a file" if is_path else "it is for a single run")
                raise UsageError(
                    f"{self.place(*names, key)}: a project file can't hold {flag.name}: {reason}",
                    f"next: state {flag.name} on the command line",
                )


class Unused(NamedTuple):
    """An option of the project file that doesn't apply to a command line, and why."""

    option: str
    key: str
    reason: str


class Applied(NamedTuple):
    """The options of the project file that apply to a command line, by parameter: values and keys; and the others."""

    path: str
    arguments: dict[str, Any]
    keys: dict[str, str]
    unused: list[Unused]

    def run(self, command: Callable[[], int]) -> int:
        """Runs a command; its error names the options of the project file, which the user didn't type.

        Raises:
            Exception: as the command.
        """
        try:
            return command()
        except (UsageError, UnsupportedError) as error:
            if self.keys:
                keys = ", ".join(key.removeprefix(f"{self.path}: ") for key in self.keys.values())
                error.args = (*error.args, f"with options of {self.path}: {keys}; --no-config leaves them out")
            raise


def _subcommands(names: Sequence[str]) -> Sequence[str]:
    """Returns the commands that may have tables of their own inside the table `names` of a project file.

    At the top these are all commands, and in `zoo` its own.
    """
    return COMMANDS if not names else ZOO_COMMANDS if tuple(names) == ("zoo",) else ()


def _long_name(flag: Flag) -> str:
    """Returns the long name of an option without its dashes, which is its key in a project file."""
    return flag.names.rpartition("--")[2]


@cache
def _flags() -> dict[str, Flag]:
    """Returns every option of every command by its long name without dashes, as a project file spells it.

    These are the options that commands declare in the module `options`, and those of the API.
    """
    # Commands state an option as the type Annotated[type, Flag(...)], whose __metadata__ is (Flag(...),).
    declared = (getattr(row, "__metadata__", (None,))[0] for row in vars(options).values())
    flags = [*(flag for flag in declared if isinstance(flag, Flag)), *FLAGS.values()]
    return {_long_name(flag): flag for flag in flags if flag.names}


@cache
def _safe_options() -> frozenset[str]:
    """Returns the long names of the options that a project file may hold: none runs code or names an output file.

    They are the API's options and those in _MORE, except those in _REFUSALS and all paths but _FOLDER_OPTIONS, which
    are only read.
    """
    names = {_long_name(flag) for flag in FLAGS.values() if flag.names} | _MORE
    flags = _flags()
    paths = {name for name in names & flags.keys() if any(word in flags[name].metavar for word in _PATHS)}
    return frozenset(names & flags.keys() - (paths - _FOLDER_OPTIONS) - _REFUSALS.keys())


def _unknown_name(place: str, name: str, names: Sequence[str]) -> list[str]:
    """Returns the lines of an error about a name that isn't one of `names`, with the nearest of them."""
    from difflib import get_close_matches

    near = get_close_matches(name[:100], names, 1)
    lines = [f"{place}: expected the name of an option or a command, found {name!r}"]
    return [*lines, f"next: did you mean {near[0]!r}?"] if near else lines


def _describe_value(value: Any) -> str:
    """Returns a value of a TOML file as text for a message; of a table or an array only what it is."""
    if isinstance(value, Mapping):
        return "a table"
    return "an array" if isinstance(value, list) else repr(value)


# ** reading **


def find_project() -> Project | None:
    """Returns the nearest project file from the working directory upward, or None if there is none.

    Raises:
        UsageError: it can't be read, or isn't a plain file.
        FormatError: it isn't TOML.
    """
    return next(filter(None, map(_read, project_paths())), None)


def _read(path: str) -> Project | None:
    """Returns a project file, or None if it is a pyproject.toml without the table of this package."""
    shown = os.path.relpath(path)
    content = _content(shown, path)
    if os.path.basename(path) == OWN_FILE:
        return Project(shown, "", _parse(shown, content))
    if not re.search(_DEFINITION, content, re.MULTILINE):
        return None  # nothing in it can define the table, so it needn't be parsed, which takes longer
    table: Any = _parse(shown, content)
    for depth, part in enumerate(_TABLE):
        if part not in table:
            return None
        table = table[part]
        if not isinstance(table, Mapping):
            raise UsageError(
                f"{shown}: {'.'.join(_TABLE[: depth + 1])}: expected a table, found {_describe_value(table)}"
            )
    return Project(shown, ".".join(_TABLE), table)


def _content(shown: str, path: str) -> bytes:
    """Returns the bytes of a project file; messages call it `shown`.

    Raises UsageError unless it is a plain file of limited size that can be read.
    """
    try:
        # A pipe would wait for its writer without O_NONBLOCK, which Windows doesn't have.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                _refuse(shown, "expected a plain file, found something else")
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        _refuse(shown, error.strerror or str(error))
    if len(content) > _MOST_BYTES:
        _refuse(shown, f"expected a project file of at most {_MOST_BYTES >> 10} KB, found more")
    return content


def _refuse(shown: str, message: str) -> NoReturn:
    """Raises UsageError about a project file that can't be read; the message calls it `shown`."""
    raise UsageError(f"{shown}: {message}", "next: correct the file, or leave it out by --no-config")


def _parse(shown: str, content: bytes) -> dict[str, Any]:
    """Returns the tables of a TOML file.

    Raises:
        FormatError: the text isn't TOML, or it is nested too deep.
    """
    import tomllib

    try:
        text = content.decode("utf-8-sig")  # editors of Windows begin a file with a mark
        # tomllib takes memory with the square of a dotted key's length.
        if max(line.count(".") for line in text.split("\n")) > _MOST_DOTS:
            raise ValueError(f"expected at most {_MOST_DOTS} dots in a line, found more")
        return tomllib.loads(text)
    except RecursionError:
        message = "expected tables and arrays that aren't nested so deep"
    except ValueError as error:
        message = str(error)
    raise FormatError(
        f"can't read it as TOML: {message}", "next: correct the file, or leave it out by --no-config", file=shown
    )


# ** applying **


def apply_project(command: str, fields: Mapping[str, Field], typed: Mapping[str, Any]) -> Applied:
    """Returns the options of the project file that apply to a command line.

    Args:
        command: the command's words, as in "zoo verify".
        fields: the command's arguments and options, by parameter.
        typed: the values that the command line states, by parameter.

    Raises:
        ConverterError: a project file that can't be read, or that is wrong.
    """
    project = None if typed.get("no_config") else find_project()
    if project is None:
        return Applied("", {}, {}, [])
    words = command.split()
    parameters = {_long_name(field.flag): name for name, field in fields.items() if field.flag.names}
    settings = project.settings(words)
    unused: list[Unused] = []
    candidates: dict[str, Setting] = {}
    for name, setting in settings.items():
        if name in parameters:
            value = _check_value(project, parameters[name], fields[parameters[name]], setting)
            candidates[parameters[name]] = setting._replace(value=value)
        elif setting.depth and setting.depth == len(words):  # in the command's own table, so it is meant for it
            raise UsageError(f"{setting.key}: tflite-to-tosa {command} has no option --{name}")
        else:
            unused.append(Unused(f"--{name}", setting.key, f"{command} has no such option"))
    arguments = _select(command, fields, typed, candidates, unused)
    keys = {name: candidates[name].key for name in arguments}
    return Applied(project.path, arguments, keys, unused)


def _select(
    command: str,
    fields: Mapping[str, Field],
    typed: Mapping[str, Any],
    candidates: Mapping[str, Setting],
    unused: list[Unused],
) -> dict[str, Any]:
    """Returns the options of a project file that can apply beside the typed ones, by parameter.

    `unused` gets the others, each with the reason. Options of inner tables are chosen first. An option is left out if
    the command line states it, if it excludes one that is chosen already, or if all that it needs is missing. A shared
    option also doesn't ask for a check that the command line doesn't ask for.

    Raises:
        UsageError: two options of one table exclude each other.
    """
    # What has a value already: the rank is the depth of its table, above which the command line is.
    ranks = {name: _TYPED for name, value in typed.items() if value}
    selected: dict[str, Any] = {}
    for name, setting in sorted(candidates.items(), key=lambda row: -row[1].depth):
        flag = fields[name].flag
        excluded = {*flag.excluded_by, *_RIVALS.get(name, ())} - {name}
        rivals = [other for other in ranks if other in excluded or name in fields[other].flag.excluded_by]
        requests = _ON_REQUEST.get(command, ())
        if name in typed:
            reason = "the command line states it"
        elif rivals:
            reason = f"{flag.name} can't be used together with {fields[rivals[0]].flag.name}"
            if setting.value and ranks[rivals[0]] == setting.depth:
                raise UsageError(f"{setting.key}: {reason}", "next: leave out one of them")
        elif name in requests and not setting.depth and not any(typed.get(other) for other in requests):
            reason = f"{command} checks only what the command line asks for"
        else:
            selected[name] = setting.value
            ranks |= {name: setting.depth} if setting.value else {}
            continue
        unused.append(Unused(flag.name, setting.key, reason))
    for name in [name for name in selected if not _has_needs(fields[name].flag, {**typed, **selected})]:
        needs = " or ".join(fields[other].flag.name for other in fields[name].flag.needs)
        unused.append(Unused(fields[name].flag.name, candidates[name].key, f"it needs {needs}"))
        del selected[name]
    return selected


def _has_needs(flag: Flag, arguments: Mapping[str, Any]) -> bool:
    """Returns whether an option needs no other, or one of those that it needs is there."""
    return not flag.needs or any(arguments.get(other) for other in flag.needs)


def _check_value(project: Project, name: str, field: Field, setting: Setting) -> Any:
    """Returns an option's value as the command line would have it, after the checks of the command line.

    A folder is relative to the project file. A message of these checks names the option, which the key in the project
    file replaces.

    Raises:
        UsageError: a value that the option doesn't take.
    """
    value = _command_line_value(field, setting)
    long_name = _long_name(field.flag)
    if long_name in _FOLDER_OPTIONS:
        value = os.path.join(os.path.dirname(project.path), value) if value else value
    flag = FLAGS.get(name, Flag())
    try:
        parsed = value if flag.parse is None else flag.parse(value)
        if flag.accept is not None:
            flag.accept(parsed)
    except UsageError as error:
        message = error.lines[0].removeprefix(f"{field.flag.name} ({name}): ").removeprefix(f"{long_name}: ")
        raise UsageError(f"{setting.key}: {message}", *error.lines[1:]) from None
    choices = field.flag.choices
    if choices and value and value not in choices:
        raise UsageError(f"{setting.key}: expected one of {', '.join(choices)}, found {value!r}")
    return value


def _command_line_value(field: Field, setting: Setting) -> Any:
    """Returns a value of a TOML file as the command line has it: a flag, a whole number, a text or several texts.

    Raises UsageError for a value of another type or beyond the option's limits.
    """
    flag, value = field.flag, setting.value
    if field.type is bool:
        return _require(isinstance(value, bool), setting, "true or false")
    if flag.minimum is not None:
        limits = f"from {flag.minimum} to {flag.maximum}" if flag.maximum is not None else f"of at least {flag.minimum}"
        is_number = isinstance(value, int) and not isinstance(value, bool)
        fits = is_number and flag.minimum <= value <= (value if flag.maximum is None else flag.maximum)
        return _require(fits, setting, f"a whole number {limits}")
    texts = value if flag.many and isinstance(value, list) else [value]
    expected = f"{flag.metavar} as a text, or an array of texts" if flag.many else f"{flag.metavar} as a text"
    _require(
        all(isinstance(text, str | int | float) and not isinstance(text, bool) for text in texts), setting, expected
    )
    texts = [text if isinstance(text, str) else repr(text) for text in texts]
    return texts if flag.many else texts[0]


def _require(condition: bool, setting: Setting, expected: str) -> Any:
    """Returns the value of a project file's option if the condition holds.

    Raises:
        UsageError: it doesn't.
    """
    if not condition:
        raise UsageError(f"{setting.key}: expected {expected}, found {printable(_describe_value(setting.value), 200)}")
    return setting.value
