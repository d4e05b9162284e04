"""Errors of usage: what is wrong with the words of a command line, and the words that are meant."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from shlex import join
from typing import Any

from tosa_converter.cli.bare import COMMANDS, NAME
from tosa_converter.errors import UsageError

RENAMED = {("run", "--backend"): "--against"}
"""Options that have another name now, by their command and the name that they had."""


def argument_name(argument: Any) -> str:
    """Returns an argument as the usage line has it: MODEL, MODEL... or [OTHER]."""
    name = argument.metavar or argument.name.upper()
    name += "..." if argument.nargs != 1 and not name.endswith("...") else ""
    return name if argument.required else f"[{name}]"


def option_names(parameters: Iterable[Any]) -> list[str]:
    """Returns the long names of options among parameters, such as --version."""
    return [name for parameter in parameters for name in parameter.opts if name.startswith("--")]


def no_command(program: str, words: Sequence[str], commands: Mapping[str, Any], options: Sequence[str]) -> UsageError:
    """Returns the error about an unknown command, the first of `words`; it suggests a command or an option."""
    name = words[0]
    suggestion = _suggested_command(name, commands, options)
    if not suggestion:
        return UsageError(f"{program}: no command is called {name!r}", f"next: {program} --help")
    message = f"{program}: no command is called {name!r}; did you mean {suggestion!r}?"
    return UsageError(message, f"next: {join([*program.split(), *suggestion.split(), *words[1:]])}")


def _suggested_command(name: str, commands: Mapping[str, Any], options: Sequence[str]) -> str:
    """Returns the command or option that an unknown command may mean; "" if nothing is like it.

    That is the option of this name, a command with a similar name, or a group's command of this name, such as `zoo
    list`.
    """
    inner = {child: f"{group} {child}" for group, row in commands.items() for child in getattr(row, "commands", ())}
    if f"--{name}" in options:
        return f"--{name}"
    close = get_close_matches(name, commands, 1)
    return close[0] if close else inner.get(name, "")


def usage_error(error: Any, words: Sequence[str], all_options: Callable[[], Mapping[str, Sequence[str]]]) -> UsageError:
    """Returns the error that stands for one of Typer's: what is wrong, and what to do next.

    Typer's classes of errors are told apart by their attributes.

    Args:
        error: Typer's.
        words: the command line.
        all_options: returns the options of every command, by the words of the command.
    """
    program = error.ctx.command_path if error.ctx else f"{NAME} {words[0] if words[0] in COMMANDS else 'convert'}"
    parameter = getattr(error, "param", None)
    advice = f"next: {program} --help"
    if hasattr(error, "possibilities") and error.ctx:  # an unknown option
        return _no_option(error.option_name, program, error.ctx.command, words, all_options)
    if hasattr(error, "option_name"):  # an option without its value
        return UsageError(f"{program}: {error.option_name}: expected a value, found none", advice)
    limits = getattr(parameter, "min", None), getattr(parameter, "max", None)
    if parameter is not None and limits != (None, None):  # a value that is no number or beyond the limits
        end = " on" if limits[1] is None else f" to {limits[1]}"
        value = _option_value(words, parameter.opts)
        return UsageError(f"{program}: {parameter.opts[-1]}: expected a number from {limits[0]}{end}, found {value!r}")
    if parameter is not None and parameter.param_type_name == "argument":  # a missing argument
        return UsageError(f"{program}: expected {argument_name(parameter)}, found none", advice)
    return UsageError(f"{program}: {' '.join(error.format_message().split())}", advice)


def _no_option(
    option: str,
    program: str,
    command: Any,
    words: Sequence[str],
    all_options: Callable[[], Mapping[str, Sequence[str]]],
) -> UsageError:
    """Returns the error about an option that a command doesn't have.

    It tells the option's new name (RENAMED), suggests a similar option, or names the commands that have the option.
    """
    renamed = RENAMED.get((program.removeprefix(NAME).strip(), option), "")
    close = [renamed] if renamed else get_close_matches(option, option_names(command.params), 1)
    if close:
        advice = join([NAME, *(_with_option(word, option, close[0]) for word in words)])
        text = (
            f"{option} is called {renamed} now"
            if renamed
            else f"no option is called {option}; did you mean {close[0]!r}?"
        )
        return UsageError(f"{program}: {text}", f"next: {advice}")
    commands = [name for name, names in all_options().items() if option in names]
    advice = f"{option} is an option of {', '.join(commands)}" if commands else f"{program} --help"
    return UsageError(f"{program}: no option is called {option}", f"next: {advice}")


def _with_option(word: str, option: str, name: str) -> str:
    """Returns a word of a command line with an option's name replaced, also in front of an equals sign."""
    first, equals, value = word.partition("=")
    return name + equals + value if first == option else word


def _option_value(words: Sequence[str], names: Sequence[str]) -> str:
    """Returns the value of an option on a command line, as in `-x value` or `--long=value`; "" if it isn't there.

    `names` are the spellings of the option.
    """
    behind = [value for word in words for name, equals, value in [word.partition("=")] if equals and name in names]
    return next((value for word, value in pairwise(words) if word in names), next(iter(behind), ""))


def command_options(group: Any, words: str = "") -> dict[str, list[str]]:
    """Returns the names of the options of every command in a group, by the words of the command."""
    names: dict[str, list[str]] = {}
    for name, command in group.commands.items():
        path = f"{words} {name}".strip()
        if hasattr(command, "commands"):
            names |= command_options(command, path)
        else:
            names[path] = option_names(command.params)
    return names
