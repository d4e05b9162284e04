"""The command line: finds what the words ask for, does it, prints; errors become one line and an exit status.

Each command imports what it needs when it is called: a conversion takes about as long as its imports.
"""

import sys
from collections.abc import Sequence
from typing import NoReturn

from tosa_converter.cli.applicable import require_applicable
from tosa_converter.cli.bare import recognized
from tosa_converter.cli.printing import complain, open_streams
from tosa_converter.errors import INTERNAL, RECEIVED, UnsupportedError, explained


def _dispatch(words: Sequence[str]) -> int:
    arguments = recognized(words)
    if arguments is None:
        from tosa_converter.cli.app import parse

        return parse(words)()
    from tosa_converter.cli.convert import convert

    require_applicable("convert", arguments, arguments)
    return convert(**arguments)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    open_streams()
    sys.exit(_status(sys.argv[1:] if arguments is None else arguments))


def _status(words: Sequence[str]) -> int:
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        complain(["interrupted"])
        return 130
    except Exception as error:
        if RECEIVED:  # C code that the signal's SystemExit passed through may have made another exception of it
            return RECEIVED[0]
        status, (first, *more) = explained(error)
        places = _places(error, words) if isinstance(error, UnsupportedError) else ()
        complain([f"{'internal ' if status == INTERNAL else ''}error: {first}", *more, *places])
        return status


def _places(error: UnsupportedError, words: Sequence[str]) -> list[str]:
    """Every place that the message only counts, if the words ask for it."""
    unsaid = [place for place in error.places if place not in error.lines]
    if unsaid and {"-v", "--verbose"}.isdisjoint(words):
        return ["-v lists the places, inspect --check what becomes of every operator"]
    return unsaid


if __name__ == "__main__":
    main()
