"""Commands as rows: what a command is called, what it takes, what it does. The parser is derived from them."""

from argparse import ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from tosa_converter.cli.printing import complain, show
from tosa_converter.errors import UsageError

HELP = ("-h", "--help")


class Argument(NamedTuple):
    """One argument: its name or flags, its help with {names} of values, and what else argparse is told about it."""

    flags: tuple[str, ...]
    help: str
    settings: Mapping[str, Any]


class Command(NamedTuple):
    """One command; the first line of the function's docstring is its description. It returns the exit status."""

    function: Callable[[Namespace], int]
    arguments: tuple[Argument, ...] = ()

    @property
    def description(self) -> str:
        """One line."""
        return (self.function.__doc__ or "").splitlines()[0]


def argument(*flags: str, help: str, **settings: Any) -> Argument:
    """A row for a positional argument (one name) or an option (its flags)."""
    return Argument(flags, help, settings)


def flag(*flags: str, help: str) -> Argument:
    """A row for an option without a value."""
    return argument(*flags, help=help, action="store_true")


def at_least(least: int) -> Callable[[str], int]:
    """The type of an integer option with a smallest value."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise ArgumentTypeError(f"expected an integer of at least {least}, found {text!r}")
        return value

    return parse


def execute(command: Command, name: str, words: Sequence[str]) -> int:
    """Parse the words behind a command's name and run it.

    Raises:
        SystemExit: after the usage was printed, with status 2 if it was for words that don't fit.
    """
    parser = _Parser(prog=name, description=command.description, formatter_class=_Layout, allow_abbrev=False)
    values = {} if set(HELP).isdisjoint(words) else _values()
    for row in command.arguments:
        parser.add_argument(*row.flags, help=row.help.format(**values) if values else "", **row.settings)
    return command.function(parser.parse_args(words))


def _values() -> dict[str, str]:
    from tosa_converter.cli.values import listed

    return listed()


class _Parser(ArgumentParser):
    """Prints what it was given through the gate."""

    def print_help(self, file: Any = None) -> None:  # noqa: ARG002  # always standard output
        show(self.format_help().splitlines())

    def error(self, message: str) -> NoReturn:
        complain([*self.format_usage().splitlines(), f"error: {message}"])
        raise SystemExit(UsageError.exit_status)


class _Layout(HelpFormatter):
    """Help of a fixed width: asking for the terminal's would import a good deal at every start. Names stay whole."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=120)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap

        return wrap(text, width, break_on_hyphens=False)


def overview(name: str, description: str, commands: Mapping[str, Command]) -> list[str]:
    """The lines that `--help` prints for a group of commands."""
    lines = [f"usage: {name} COMMAND [...]", "", description, "", "commands:"]
    lines += [f"  {key:<10} {command.description}" for key, command in commands.items()]
    return [*lines, "", f"`{name} COMMAND --help` says what a command takes."]
