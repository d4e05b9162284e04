"""Options that can't do anything beside others are refused, as their rows in `options` say."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tosa_converter.cli.fields import Field
from tosa_converter.errors import UsageError


def require_applicable(
    command: str, fields: Mapping[str, Field], names: Collection[str], arguments: Mapping[str, Any]
) -> None:
    """Raises UsageError for an option that would do nothing beside the others on the command line.

    Args:
        command: the command's words, as in "zoo verify".
        fields: the options of the command, by the names of its parameters.
        names: the parameters that the command line states.
        arguments: the values of all parameters, or of those that aren't at their defaults.

    Raises:
        UsageError: for the first option that needs another one, or that another one excludes.
    """
    for name in names:
        flag = fields[name].flag
        excluding = [other for other in flag.excluded_by if arguments.get(other)]
        if excluding:
            other = _option_names(fields, excluding[:1])
            raise UsageError(f"tflite-to-tosa {command}: {flag.name} can't be used together with {other}")
        if flag.needs and not any(arguments.get(other) for other in flag.needs):
            raise UsageError(f"tflite-to-tosa {command}: {flag.name} needs {_option_names(fields, flag.needs)}")


def _option_names(fields: Mapping[str, Field], parameters: Sequence[str]) -> str:
    """Returns the names of options as a phrase for a message: "--image, --audio or --samples".

    Parameters that the command doesn't have are left out.
    """
    *first, last = (fields[name].flag.name for name in parameters if name in fields)
    return f"{', '.join(first)} or {last}" if first else last
