"""The texts of Typer's errors of usage, with the command or option that a mistyped one is most like."""

import re
from typing import Any

from tosa_converter.errors import did_you_mean

_UNKNOWN_COMMAND = re.compile(r"No such command '(.*?)'")
_OPTIONS = {"version": "--version", "help": "--help"}  # by the words that people type for them


def usage_message(error: Any) -> str:
    """Returns the message of an error that Typer raises about the command line, in one line."""
    message = " ".join(error.format_message().split())
    command = error.ctx.command if error.ctx else None
    unknown = _UNKNOWN_COMMAND.match(message)
    if unknown:
        word = unknown[1]
        if word.casefold() in _OPTIONS:
            return f"No such command {word!r}; did you mean {_OPTIONS[word.casefold()]}?"
        return f"No such command {word!r}{did_you_mean(word, getattr(command, 'commands', ()))}"
    if hasattr(error, "possibilities") and command is not None:
        names = [name for parameter in command.params for name in parameter.opts if name.startswith("--")]
        return f"No such option: {error.option_name}{did_you_mean(error.option_name, [*names, '--help'])}"
    return message
