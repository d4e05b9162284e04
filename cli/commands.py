"""Commands as rows: what a command is called, what it takes, what it does. The parser is derived from them."""

from argparse import ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Argument(NamedTuple):
    """One argument: its name or flags, and what argparse is told about it."""

    flags: tuple[str, ...]
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
    return Argument(flags, {"help": help, **settings})


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
    parser = ArgumentParser(prog=name, description=command.description, formatter_class=_layout, allow_abbrev=False)
    for row in command.arguments:
        parser.add_argument(*row.flags, **row.settings)
    return command.function(parser.parse_args(words))


def _layout(prog: str) -> HelpFormatter:
    """Help of a fixed width: asking for the terminal's would import a good deal at every start."""
    return HelpFormatter(prog, max_help_position=32, width=120)


def overview(name: str, description: str, commands: Mapping[str, Command]) -> str:
    """What `--help` prints for a group of commands."""
    lines = [f"usage: {name} COMMAND [...]", "", description, "", "commands:"]
    lines += [f"  {key:<10} {command.description}" for key, command in commands.items()]
    return "\n".join([*lines, "", f"`{name} COMMAND --help` says what a command takes."])
