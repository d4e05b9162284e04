"""The command line: finds what the words ask for, does it, prints; errors become one line and an exit status.

Each command imports what it needs when it is called: a conversion takes about as long as its imports.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NoReturn

from tosa_converter.cli.applicable import require_applicable
from tosa_converter.cli.bare import plain_arguments
from tosa_converter.cli.options import CONVERT
from tosa_converter.cli.printing import complain, complain_of, open_streams, show
from tosa_converter.cli.project_files import project_paths
from tosa_converter.errors import RECEIVED, UnsupportedError, UsageError, explained


def _dispatch(words: Sequence[str]) -> int:
    """Runs the command that the words ask for, and returns its status.

    A plain conversion is run without Typer, whose import takes longer than the conversion.
    """
    arguments = plain_arguments(words)
    if arguments is None:
        from tosa_converter.cli.app import parse

        return parse(words)()
    from tosa_converter.cli.convert import convert

    names = [name for name in arguments if name in CONVERT]
    require_applicable("convert", CONVERT, names, arguments)
    if not project_paths():
        return convert(**arguments)
    from tosa_converter.cli.configuration import apply_project

    project = apply_project("convert", CONVERT, {name: arguments[name] for name in names})
    return project.run(lambda: convert(**arguments, **project.arguments))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command and exits with its status."""
    open_streams()
    sys.exit(_status(sys.argv[1:] if arguments is None else arguments))


def _status(words: Sequence[str]) -> int:
    """Runs a command and returns its exit status; an exception is printed as an error."""
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        complain(["interrupted"])
        # As shells have it for a process that a signal ended: 128 plus the signal's number, which is 2 for SIGINT.
        return 130
    except Exception as error:
        # A signal raises SystemExit with the status in RECEIVED. C code that it passes through may make another
        # exception of it.
        if RECEIVED:
            return RECEIVED[0]
        return _complain(error, words)


def _complain(error: Exception, words: Sequence[str]) -> int:
    """Prints a failure, also as JSON if the words ask for that, and returns the exit status.

    The JSON goes to standard output. If the converted model is written there, the JSON goes to standard error instead,
    in place of the text.
    """
    piped = "--output=-" in words or any(pair in (("-o", "-"), ("--output", "-")) for pair in pairwise(words))
    if "--json" in words:
        from tosa_converter.cli.failure import failure_json

        with suppress(UsageError):
            show([failure_json(error, words)], limit=None, aside=piped)
        if piped:
            return explained(error)[0]
    return complain_of(error, _places(error, words) if isinstance(error, UnsupportedError) else ())


def _places(error: UnsupportedError, words: Sequence[str]) -> list[str]:
    """Returns further lines for an error with unsupported operators: the places that its message only counts.

    Without --verbose, it is one line on how to list them, and none for a single place.
    """
    unsaid = [place for place in error.places if place not in error.lines]
    if unsaid and {"-v", "--verbose"}.isdisjoint(words):
        hint = "-v lists every place; inspect --check lists what each operator becomes"
        return [hint] if len(error.places) > 1 else []
    return unsaid


if __name__ == "__main__":
    main()
