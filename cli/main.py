"""The command line: finds what the words ask for, does it, prints; errors become one line and an exit status.

Each command imports what it needs when it is called: a conversion takes about as long as its imports.
"""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from tosa_converter.cli.bare import recognized
from tosa_converter.cli.printing import complain, open_streams
from tosa_converter.errors import ConverterError, UnsupportedError, UsageError

INTERNAL = 70  # exit status of a bug of ours: EX_SOFTWARE of sysexits.h
FRAMES = 8  # of a bug's traceback that are printed


def _dispatch(words: Sequence[str]) -> int:
    arguments = recognized(words)
    if arguments is None:
        from tosa_converter.cli.app import parse

        return parse(words)()
    from tosa_converter.cli.convert import convert

    return convert(**arguments)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    open_streams()
    sys.exit(_status(sys.argv[1:] if arguments is None else arguments))


def _status(words: Sequence[str]) -> int:
    try:
        return _dispatch(words)
    except UnsupportedError as error:
        return _failed(error.exit_status, *error.lines, *_places(error, words))
    except ConverterError as error:
        return _failed(error.exit_status, *error.lines)
    except KeyboardInterrupt:
        complain(["interrupted"])
        return 130
    except OSError as error:
        return _failed(UsageError.exit_status, str(error))
    except MemoryError:
        return _failed(ConverterError.exit_status, "not enough memory")
    except Exception as error:
        return _internal(error)


def _places(error: UnsupportedError, words: Sequence[str]) -> list[str]:
    """Every place that the message only counts, if the words ask for it."""
    unsaid = [place for place in error.places if place not in error.lines]
    if unsaid and {"-v", "--verbose"}.isdisjoint(words):
        return ["-v lists the places, inspect --check what becomes of every operator"]
    return unsaid


def _failed(status: int, first: str = "", *more: str) -> int:
    complain([f"error: {first}", *more])
    return status


def _internal(error: Exception) -> int:
    """A bug of ours: what it was and the innermost frames, which its report needs."""
    from traceback import extract_tb

    from tosa_converter import __version__

    frames = extract_tb(error.__traceback__)[-FRAMES:]
    places = [f"  {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    name = f"tosa-converter {__version__}"
    request = f"this is a bug in {name}: please report it with these lines and, if you may, the model"
    complain([f"internal error: {type(error).__name__}: {error}", *places, request])
    return INTERNAL


if __name__ == "__main__":
    main()
