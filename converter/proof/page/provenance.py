"""How a report came about: the command that gives it again, the versions of what ran, and the hash of the model.

There is no date: the same model, options and versions give the same page, but for the times that it shows.
"""

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from shlex import join
from typing import Any

from tosa_converter.errors import printable
from tosa_converter.formats.storage import map_file

COMMAND = "tflite-to-tosa"
_PACKAGES = {"tosa-converter": "tosa-converter", "LiteRT": "ai-edge-litert", "numpy": "numpy"}


def provenance(file: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns rows of a name and a text: versions, and the model's hash if its file is there."""
    rows = [("model", file)] if file else []
    if os.path.isfile(file):
        rows.append(("sha256", hashlib.sha256(map_file(file)).hexdigest()))
    if options:
        rows.append(("options", " ".join(_option_words(options))))
    rows += [(name, text) for name, package in _PACKAGES.items() if (text := package_version(package))]
    rows.append(("Python", platform.python_version()))
    return [(name, printable(text)) for name, text in rows]


def package_version(package: str) -> str:
    """Returns the version of an installed package, or "" if it isn't installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def command(*words: str, options: Mapping[str, Any], more: tuple[str, ...] = ()) -> str:
    """Returns the words, a report's options and the words `more` as one shell command; "" if a word is empty.

    An empty word stands for a file without a name, so there is no command that could be typed.
    """
    if not all(words):
        return ""
    return printable(join([COMMAND, *words, *_option_words(options), *more]), None)


def _option_words(options: Mapping[str, Any]) -> Iterator[str]:
    """Yields options as words of a command line: True gives the flag alone, a list the flag once for each value.

    A mapping gives the flag with NAME=VALUE for each entry, or VALUE alone where the name is "".
    """
    for flag, value in options.items():
        if value is True:
            yield flag
            continue
        values = value if isinstance(value, list) else [value]
        if isinstance(value, Mapping):
            values = [f"{name}={_plain(part)}" if name else _plain(part) for name, part in value.items()]
        for part in values:
            yield from (flag, _plain(part))


def _plain(value: Any) -> str:
    """Returns a value as an option takes it: numbers of a list between commas."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
