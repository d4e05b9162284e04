"""A command's failure as plain data: what `--json` prints in place of a report."""

import re
from collections.abc import Sequence
from typing import Any

from tosa_converter.cli.bare import COMMANDS
from tosa_converter.errors import NEXT_STEP, ConverterError, FormatError, UnsupportedError, explained
from tosa_converter.figures import as_json
from tosa_converter.identifiers import class_of, identifier

_EXPECTED = re.compile(r"expected (.*)[,;] found (.*?)(?:; did you mean .*)?$", re.DOTALL)


def failure_json(error: Exception, words: Sequence[str] = ()) -> str:
    """Returns the JSON document of a command's failure."""
    return as_json({"error": failure_figures(error, words)})


def failure_figures(error: Exception, words: Sequence[str] = ()) -> dict[str, Any]:
    """Returns an error as plain data for JSON; a field that the error says nothing about is None.

    A message of the form "expected A, found B" is also split into the fields `expected` and `found`.

    Args:
        error: what ended the command.
        words: the command line, which may name the file that the message begins with.
    """
    status, (message, *more) = explained(error)
    match = next(filter(None, map(_EXPECTED.search, (message, *more))), None)
    return {
        "identifier": identifier(error),
        "exit_status": status,
        "message": message,
        "details": [line for line in more if not line.startswith(NEXT_STEP)],
        "file": _file(error, message, words),
        "place": _place(error),
        "expected": match[1] if match else None,
        "found": match[2] if match else None,
        "next": next(
            (line.removeprefix(NEXT_STEP) for line in more if line.startswith(NEXT_STEP)), _advice(error, words)
        ),
        "operators": _operators(error),
    }


def _file(error: Exception, message: str, words: Sequence[str]) -> str | None:
    """Returns the file that an error names, or the word of the command line that begins its message; else None."""
    if isinstance(error, FormatError) and error.file:
        return error.file
    return next((word for word in words if word and message.startswith(f"{word}: ")), None)


def _place(error: Exception) -> str | None:
    """Returns where in its file a malformed part is, or the location of the only unsupported operator; else None."""
    if isinstance(error, FormatError):
        at = "" if error.offset is None else f"byte {error.offset}"
        return " at ".join(filter(None, (error.path, at))) or None
    if isinstance(error, UnsupportedError) and len(error.operators) == 1:
        return error.operators[0][0]
    return None


def _advice(error: Exception, words: Sequence[str]) -> str | None:
    """Returns what a user can do about errors of this class on this command line; None for errors of other packages."""
    command = next((word for word in words[:1] if word in COMMANDS), "convert")
    return error.advice.replace("COMMAND", command) if isinstance(error, ConverterError) else None


def _operators(error: Exception) -> list[dict[str, str]]:
    """Returns every unsupported operator as plain data: identifier, location and message."""
    if not isinstance(error, UnsupportedError):
        return []
    return [
        {"identifier": f"{class_of(error)}/{opcode}", "place": location, "message": text}
        for (location, opcode), text in zip(error.operators, error.places, strict=False)
    ]
