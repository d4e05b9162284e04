"""Help, completion and suggestions: what Typer's commands and groups of commands do differently here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from shlex import join
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

from tosa_converter.cli.applicable import require_applicable
from tosa_converter.cli.bare import NAME, is_conversion
from tosa_converter.errors import UsageError

RENAMED = {("run", "--backend"): "--against"}
"""Options that have another name now, by their command and the name that they had."""


class Command(TyperCommand):
    """A command whose help lists the values of options, and that refuses options that can't do anything."""

    def invoke(self, ctx: Any) -> Any:
        """Calls the command, unless an option on the command line can't do anything beside the others."""
        names = [name for name in ctx.params if ctx.get_parameter_source(name).name != "DEFAULT"]
        require_applicable(_words(ctx.command_path), vars(self.callback)["fields"], names, ctx.params)
        return super().invoke(ctx)

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Returns the arguments and options of the usage line, such as MODEL [OTHER] [OPTIONS]."""
        arguments = [parameter for parameter in self.params if isinstance(parameter, TyperArgument)]
        pieces = [_argument_name(parameter) for parameter in arguments]
        return [*pieces, "[OPTIONS]"]

    def get_help_option(self, ctx: Any) -> Any:
        """Returns the option --help, which is in the panel of reports where options are in panels."""
        option = super().get_help_option(ctx)
        panels = [getattr(parameter, "rich_help_panel", None) for parameter in self.params]
        vars(option)["rich_help_panel"] = next((panel for panel in reversed(panels) if panel), None)
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help, in which {name} becomes the list of an option's values."""
        from tosa_converter.cli.values import listed

        values = listed()
        for parameter in self.params:
            if getattr(parameter, "help", None):
                vars(parameter)["help"] = vars(parameter)["help"].format(**values)
        _leave_out_types(self.get_params(ctx))
        super().format_help(ctx, formatter)


class Group(TyperGroup):
    """A group of commands that completes the form without a command, and suggests commands and options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses words; those that a shell completes are of `convert` if they name no command."""
        completed = ctx.resilient_parsing and ctx.parent is None and is_conversion(args)
        return super().parse_args(ctx, ["convert", *args] if completed else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Returns the command that the words name.

        Raises:
            UsageError: there is none; the error suggests a command or an option that is meant.
        """
        name = args[0]
        if name in self.commands or ctx.resilient_parsing or name.startswith("-"):
            return super().resolve_command(ctx, args)
        program = ctx.command_path
        suggestion = _suggested_command(name, self.commands, _option_names(self.get_params(ctx)))
        if not suggestion:
            raise UsageError(f"{program}: no command is called {name!r}", f"next: {program} --help lists the commands")
        message = f"{program}: no command is called {name!r}; did you mean {suggestion}?"
        raise UsageError(message, f"next: {join([*program.split(), *suggestion.split(), *args[1:]])}")

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help."""
        _leave_out_types(self.get_params(ctx))
        super().format_help(ctx, formatter)


def _words(command_path: str) -> str:
    """Returns a command's words without the name of the program, as in "zoo verify"."""
    return command_path.removeprefix(NAME).strip()


def _argument_name(argument: Any) -> str:
    """Returns an argument as the usage line has it: MODEL, MODEL... or [OTHER]."""
    name = argument.metavar or argument.name.upper()
    name += "..." if argument.nargs != 1 and not name.endswith("...") else ""
    return name if argument.required else f"[{name}]"


def _leave_out_types(parameters: Iterable[Any]) -> None:
    """Makes help show no type of a flag or an argument, and no limits of a number: they widen the column for all."""
    for parameter in parameters:
        if isinstance(parameter, TyperArgument):
            vars(parameter)["display_type_rich"] = lambda ctx: ""  # noqa: ARG005  # Typer calls it by this name
        elif getattr(parameter, "is_flag", False):
            parameter.metavar = " "
        vars(parameter).update(min=None, max=None)


def _option_names(parameters: Iterable[Any]) -> list[str]:
    """Returns the names of options among parameters, such as --version."""
    return [name for parameter in parameters for name in parameter.opts if name.startswith("--")]


def _suggested_command(name: str, commands: Mapping[str, Any], options: Sequence[str]) -> str:
    """Returns the command or option that a word may mean, or "" if none is like it."""
    inner = {child: f"{group} {child}" for group, row in commands.items() for child in getattr(row, "commands", ())}
    if f"--{name}" in options:
        return f"--{name}"
    close = get_close_matches(name, commands, 1)
    return close[0] if close else inner.get(name, "")


def usage_error(error: Any, words: Sequence[str], all_options: Callable[[], Mapping[str, Sequence[str]]]) -> UsageError:
    """Returns the error that stands for one of Typer's: what is wrong, and what to do next.

    Args:
        error: Typer's.
        words: the command line.
        all_options: returns the options of every command, by the words of the command.
    """
    program = error.ctx.command_path if error.ctx else NAME
    parameter = getattr(error, "param", None)
    advice = f"next: {program} --help lists its arguments and options"
    if hasattr(error, "possibilities") and error.ctx:
        return _no_option(error.option_name, program, error.ctx.command, words, all_options)
    if hasattr(error, "option_name"):
        return UsageError(f"{program}: {error.option_name}: expected a value, found none", advice)
    limits = getattr(parameter, "min", None), getattr(parameter, "max", None)
    if limits != (None, None):
        end = " on" if limits[1] is None else f" to {limits[1]}"
        value = _value(words, parameter.opts)
        return UsageError(f"{program}: {parameter.opts[-1]}: expected a number from {limits[0]}{end}, found {value!r}")
    if parameter is not None and parameter.param_type_name == "argument":
        return UsageError(f"{program}: expected {_argument_name(parameter)}, found none", advice)
    return UsageError(f"{program}: {' '.join(error.format_message().split())}", advice)


def _no_option(
    option: str,
    program: str,
    command: Any,
    words: Sequence[str],
    all_options: Callable[[], Mapping[str, Sequence[str]]],
) -> UsageError:
    """Returns the error about an option that a command doesn't have; it suggests one, or a command that has it."""
    renamed = RENAMED.get((_words(program), option), "")
    close = [renamed] if renamed else get_close_matches(option, _option_names(command.params), 1)
    if close:
        advice = join([NAME, *(_with_option(word, option, close[0]) for word in words)])
        text = (
            f"{option} is called {renamed} now"
            if renamed
            else f"no option is called {option}; did you mean {close[0]}?"
        )
        return UsageError(f"{program}: {text}", f"next: {advice}")
    others = [name for name, names in all_options().items() if option in names]
    advice = f"{option} is an option of {', '.join(others)}" if others else f"{program} --help lists the options"
    return UsageError(f"{program}: no option is called {option}", f"next: {advice}")


def _with_option(word: str, option: str, name: str) -> str:
    """Returns a word of a command line with an option's name replaced, also in front of an equals sign."""
    first, equals, value = word.partition("=")
    return name + equals + value if first == option else word


def _value(words: Sequence[str], names: Sequence[str]) -> str:
    """Returns the value that follows an option on a command line."""
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
            names[path] = _option_names(command.params)
    return names
