"""Identifiers of failures, for programs that read reports: a class of errors, and an operator or a module."""

import re

from tosa_converter.errors import ConverterError, UnsupportedError

_PACKAGE = "tosa_converter."


def identifier(error: Exception) -> str:
    """Returns the identifier of a failure: its class, and the operator that isn't supported or the raising module.

    >>> identifier(ConverterError("no answer"))
    'converter-error'
    """
    opcodes = {opcode for _, opcode in error.operators} if isinstance(error, UnsupportedError) else ()
    subject = next(iter(opcodes)) if len(opcodes) == 1 else _raising_module(error)
    return f"{class_of(error)}/{subject}" if subject else class_of(error)


def class_name(name: str) -> str:
    """Returns how identifiers spell the name of a class of errors.

    >>> class_name("UsageError")
    'usage-error'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def class_of(error: Exception) -> str:
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
