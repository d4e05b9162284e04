"""`tflite-to-tosa MODEL... -o OUT`, the main job, understood without Typer, whose import takes longer than the job.

Only words that can mean one thing are taken: options of `convert` by their full names, each value in a word of its own
or behind an equals sign. All else (help, errors, other commands) is Typer's, and what is taken here means the same
there: tests/cli/test_bare.py compares both, output for output.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tosa_converter.cli.fields import Field
from tosa_converter.cli.options import CONVERT

_OPTIONS = [(name, field) for name, field in CONVERT.items() if field.flag.minimum is None]  # Typer checks numbers
_BY_FLAG = {flag: (name, field) for name, field in _OPTIONS for flag in field.flag.names.split()}
VALUES = {flag: name for flag, (name, field) in _BY_FLAG.items() if isinstance(field.default, str)}
LISTS = {flag: name for flag, (name, field) in _BY_FLAG.items() if field.flag.many}
FLAGS = {flag: name for flag, (name, field) in _BY_FLAG.items() if isinstance(field.default, bool)}
NAME = "tflite-to-tosa"
COMMANDS = ("convert", "inspect", "opt", "run", "verify", "ops", "doctor", "zoo", "extract", "diff", "show")


def plain_arguments(words: Sequence[str]) -> dict[str, Any] | None:
    """Returns the arguments of `convert` by parameter, or None if the words need Typer to parse them.

    Plain command lines start faster without Typer. They name a model and an output, a folder for parts, or operators to
    explain, and no option that is missing its value or isn't known.
    """
    arguments: dict[str, Any] = {}
    models = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if word in FLAGS:
            arguments[FLAGS[word]] = True
        elif name in VALUES or name in LISTS:
            # An option at the end without its value gets "--", which counts as an option: Typer then reports what is
            # missing.
            value = value if equals else next(rest, "--")
            if _is_option(value):
                return None
            arguments |= (
                {VALUES[name]: value} if name in VALUES else {LISTS[name]: [*arguments.get(LISTS[name], ()), value]}
            )
        else:
            models.append(word)
    plain = models and models[0] not in COMMANDS and not any(map(_is_option, models))
    return (
        {"models": models, **arguments}
        if plain and not arguments.keys().isdisjoint(("output", "partial", "explain"))
        else None
    )


def _is_option(word: str) -> bool:
    """Returns whether a word is an option: it begins with a dash and isn't "-", a standard stream."""
    return word.startswith("-") and word != "-"


def command_line(*words: str, fields: Mapping[str, Field] = CONVERT, **options: Any) -> str:
    """Returns a command line that a shell reads back.

    Args:
        words: what stands in front of the options.
        fields: the options of the command, by the names of their parameters.
        options: values by these names; options without a value are left out.
    """
    line = [NAME, *words]
    for name, value in options.items():
        flag = fields[name].flag.name
        values = value if isinstance(value, list | tuple) else [value] if value else []
        for item in values:
            # A value such as -1,1 would be taken for an option in a word of its own.
            line += [flag] if item is True else [f"{flag}={item}"] if str(item).startswith("-") else [flag, str(item)]
    from shlex import join

    return join(line)
