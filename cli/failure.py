"""A command's failure as plain data: what `--json` prints in place of a report."""

import re
from collections.abc import Sequence
from typing import Any

from tosa_converter.errors import NEXT_STEP, ConverterError, FormatError, UnsupportedError, explained
from tosa_converter.figures import as_json

_PACKAGE = "tosa_converter."
_EXPECTED = re.compile(r"expected (.*)[,;] found (.*?)(?:; did you mean .*)?$", re.DOTALL)


def failure_json(error: Exception, words: Sequence[str] = ()) -> str:
    """Returns the JSON document of a command's failure."""
    return as_json({"error": failure_figures(error, words)})


def failure_figures(error: Exception, words: Sequence[str] = ()) -> dict[str, Any]:
    """Returns an error as plain data; what is not known is None.

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
        "next": next((line.removeprefix(NEXT_STEP) for line in more if line.startswith(NEXT_STEP)), _advice(error)),
        "operators": _operators(error),
    }


def identifier(error: Exception) -> str:
    """Returns the identifier of a failure: its class, and the operator that isn't supported or the raising module.

    >>> identifier(FormatError("expected a table"))
    'format-error'
    """
    opcodes = {opcode for _, opcode in error.operators} if isinstance(error, UnsupportedError) else ()
    subject = next(iter(opcodes)) if len(opcodes) == 1 else _raising_module(error)
    return f"{_class_of(error)}/{subject}" if subject else _class_of(error)


def class_name(name: str) -> str:
    """Returns how identifiers spell the name of a class of errors.

    >>> class_name("UsageError")
    'usage-error'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _class_of(error: Exception) -> str:
    """Returns the identifier of an error's class: this package's public class, an error of the system, or a bug."""
    if isinstance(error, ConverterError):
        bases = (base.__name__ for base in type(error).__mro__ if base.__module__ == ConverterError.__module__)
        return class_name(next(bases))
    return "os-error" if isinstance(error, OSError) else "memory-error" if isinstance(error, MemoryError) else "bug"


def _raising_module(error: Exception) -> str:
    """Returns the innermost module of this package that an error came through, without the package's name."""
    module, traceback = "", error.__traceback__
    while traceback is not None:
        name = traceback.tb_frame.f_globals.get("__name__", "")
        module = name if name.startswith(_PACKAGE) else module
        # A traceback begins at the outermost call, so the last module of this package that is met is the innermost one.
        traceback = traceback.tb_next
    return module.removeprefix(_PACKAGE)


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


def _advice(error: Exception) -> str | None:
    """Returns what a user can do about errors of this class; None for errors of other packages."""
    return error.advice if isinstance(error, ConverterError) else None


def _operators(error: Exception) -> list[dict[str, str]]:
    """Returns every unsupported operator as plain data: identifier, location and message."""
    if not isinstance(error, UnsupportedError):
        return []
    return [
        {"identifier": f"{_class_of(error)}/{opcode}", "place": location, "message": text}
        for (location, opcode), text in zip(error.operators, error.places, strict=False)
    ]
