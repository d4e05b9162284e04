"""Text for a screen of 80 columns: shortened names, wrapped sentences and tables whose columns stand below each other.

Every line that people read has this width: on a terminal of any width, in a file and in a pipe. Only a name, a file or
an option that is longer by itself sticks out. Programs read `--json`, which isn't wrapped.

What is measured has been escaped as the gate (`printing`) does it: an escaped character takes more than one column.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tosa_converter.errors import LONGEST, printable

WIDTH = 80  # columns of a screen
GAP = "  "  # between two columns of a table
ELLIPSIS = "..."
# A word, or a name in quotes with what stands behind it, or nothing between two blanks: 'my model.tflite': is one word.
_WORD = re.compile(r"'[^']+'[^ ]*|[^ ]+|(?<= )(?= )")


def width(text: str) -> int:
    """Returns how many columns a terminal takes for a text: 2 for a wide character, 0 for a combining one."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "FW" else 1 for c in text)


def shorten(text: str, most: int) -> str:
    """Returns a text that loses its middle if it takes more than `most` columns, at least 5.

    >>> shorten("functional_1/conv2d_1/Relu6", 16)
    'functio.../Relu6'
    """
    if width(text) <= most:
        return text
    # Of 16 columns, 3 are for the dots; of the other 13, the beginning gets 7 and the end 6.
    rest = most - len(ELLIPSIS)
    head, tail = _head(text, rest - rest // 2), _head(text[::-1], rest // 2)[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def _head(text: str, most: int) -> str:
    """Returns as many characters from the beginning of a text as fit into `most` columns."""
    taken = 0
    for i, character in enumerate(text):
        taken += width(character)
        if taken > most:
            return text[:i]
    return text


def fit_name(before: str, name: str, after: str, most: int) -> str:
    """Returns a name between two texts, escaped; it loses its middle if all take more than `most` columns.

    At least 12 columns of the name stay.
    """
    return f"{before}{shorten(printable(name), max(most - width(before) - width(after), 12))}{after}"


def cell(name: str) -> str:
    """Returns a name for a table, escaped; in quotes if it is empty or has spaces, which would look like columns."""
    return printable(repr(name) if not name or " " in name else name)


def wrap(label: str, text: str | Sequence[str], indent: int, *, hanging: int = 0, is_whole: bool = True) -> list[str]:
    """Returns a text in lines of at most `WIDTH` columns behind a label that takes `indent` columns.

    Args:
        label: in front of the first line; a longer one than `indent` ends with its own blanks.
        text: it is split at blanks, but not within a name in quotes that fits on a line; or pieces that aren't split.
        indent: columns in front of each further line.
        hanging: more columns in front of each further line.
        is_whole: a word that is longer than a line stays whole, else it loses its middle.

    A text of more than `LONGEST` columns loses its middle.

    >>> wrap("  needs", "PRO-INT", 11)
    ['  needs    PRO-INT']
    """
    lines, line = [], label.ljust(indent)
    indent += hanging
    is_empty = True  # no word stands behind the label yet
    for word in _words(text, WIDTH - indent):
        word = word if is_whole else shorten(word, WIDTH - indent)
        if not is_empty and width(line) + 1 + width(word) > WIDTH:
            lines.append(line.rstrip())
            line, is_empty = " " * indent, True
        line += word if is_empty else f" {word}"
        is_empty = False
    return [*lines, line.rstrip()]


def _words(text: str | Sequence[str], most: int) -> Iterator[str]:
    """Yields the parts that `wrap` puts on lines whole, escaped.

    The items of a sequence are parts as they are. A text, shortened if very long, has words and quoted names as parts;
    a name that is wider than `most` is split at its blanks.
    """
    if not isinstance(text, str):
        yield from map(printable, text)
        return
    for word in _WORD.findall(shorten(printable(text), LONGEST)):
        yield from [word] if width(word) <= most else word.split(" ")


def command_lines(command: str, indent: int) -> list[str]:
    r"""Returns a command in lines that leave `indent` columns free; a backslash ends each but the last.

    >>> command_lines("tflite-to-tosa verify model.tflite --layers --extract a-folder-for-the-operator", 6)
    ['tflite-to-tosa verify model.tflite --layers --extract \\', 'a-folder-for-the-operator']
    """
    from shlex import quote, split

    lines, line = [], ""
    for word in map(quote, split(command)):
        longer = f"{line} {word}" if line else word
        if line and indent + width(printable(longer)) > WIDTH - len(" \\"):
            lines.append(f"{line} \\")
            longer = word
        line = longer
    return [*lines, line]


class Column(NamedTuple):
    """A column of a table: its heading, whether its cells end below each other, and how far it may be shortened."""

    head: str
    is_number: bool = False
    least: int = 0  # columns that it keeps if the table is too wide; 0 if it is never shortened


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]], indent: int = 2) -> list[list[str]]:
    """Returns the heading and the rows of a table as cells of equal widths in each column, escaped.

    If the table is wider than a screen, the widest of the columns that may be shortened lose the middle of their
    longest cells.
    """
    lines = [[column.head for column in columns], *([printable(text) for text in row] for row in rows)]
    widths = [max(map(width, texts)) for texts in zip(*lines, strict=True)]
    excess = indent + sum(widths) + len(GAP) * (len(columns) - 1) - WIDTH
    while excess > 0:
        spare = [i for i, column in enumerate(columns) if column.least and widths[i] > column.least]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
        excess -= 1
    return [
        [_pad(shorten(text, wide), wide, column) for text, wide, column in zip(line, widths, columns, strict=True)]
        for line in lines
    ]


def _pad(text: str, wide: int, column: Column) -> str:
    """Returns a text with spaces up to a number of columns: in front of numbers, behind other texts."""
    space = " " * (wide - width(text))
    return f"{space}{text}" if column.is_number else f"{text}{space}"


def count(number: int) -> str:
    """Returns a number of elements: with commas, or from a million on with three digits and a unit.

    >>> count(98304), count(12345678), count(12345678901)
    ('98,304', '12.3M', '12.3G')
    """
    if number < 1_000_000:
        return f"{number:,}"
    return f"{number / 1e6:.3g}M" if number < 999_500_000 else f"{number / 1e9:.3g}G"


def counted(number: int, noun: str) -> str:
    """Returns a number of things in words: "1 model", "2 models".

    >>> counted(1, "model"), counted(2, "model")
    ('1 model', '2 models')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def size_words(count: int) -> str:
    """Returns a number of bytes in words, with its unit: "12.8 KB"."""
    for unit in ("B", "KB", "MB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024  # type: ignore[assignment]  # it becomes a float, which is only printed
    return f"{count:.1f} GB"


def verb(number: int, singular: str, plural: str) -> str:
    """Returns the form of a verb that fits a number of things.

    >>> verb(1, "differs", "differ"), verb(2, "differs", "differ")
    ('differs', 'differ')
    """
    return singular if number == 1 else plural
