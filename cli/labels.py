"""The labels of samples: which class each of them is of, out of a text file."""

import csv
import zipfile
from collections.abc import Mapping, Sequence

from tosa_converter.cli.arrays import DAMAGED
from tosa_converter.errors import UsageError, shortened

_MOST = 1 << 22  # bytes of labels, or of a model's list of classes: 100,000 lines of 40 characters
_MOST_DIGITS = 9  # of the number of a class


def read_labels(path: str, samples: Sequence[str], model: str) -> list[int]:
    """Returns the class of each sample, in order.

    Each line has a label, in the order of the samples, or a sample's file and its label with a comma between them. A
    label is the number of a class, or its name in the list of labels that the model's metadata has.

    Args:
        path: the file of labels.
        samples: the names of the samples' files.
        model: the model's file.

    Raises:
        UsageError: the file can't be read, or a sample's label is missing or no class.
    """
    rows = _rows(path)
    names = {name: i for i, name in enumerate(_class_names(model))}
    widths = sorted({len(row) for row in rows.values()})
    if widths == [1]:
        return [_class_of(path, line, label, names) for line, (label,) in rows.items()]
    if widths != [2]:
        texts = " and ".join(f"{width} columns" for width in widths) or "no line"
        raise UsageError(f"labels {path}: expected lines LABEL or FILE,LABEL, found {texts}")
    lines: dict[str, tuple[int, str]] = {}
    for line, (file, label) in rows.items():
        if file in lines:
            raise UsageError(f"labels {path}: expected one label for {file!r}, found two, on line {line} the second")
        lines[file] = line, label
    absent = [name for name in samples if name not in lines]
    if absent:
        raise UsageError(f"labels {path}: expected a label for sample {absent[0]!r}, found none")
    return [_class_of(path, *lines[name], names) for name in samples]


def _rows(path: str) -> dict[int, list[str]]:
    """Returns the columns of each line of a labels file, by the line's number from 1 on.

    Blank lines and a header "file,label" are left out.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST + 1)
        if len(content) > _MOST:
            raise UsageError(f"labels {path}: expected at most {_MOST >> 20} MB, found more")
        lines = csv.reader(content.decode("utf-8-sig").splitlines(), strict=True)
        rows = {number + 1: [text.strip() for text in row] for number, row in enumerate(lines)}
    except OSError as error:
        raise UsageError(f"labels {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"labels {path}: expected lines LABEL or FILE,LABEL in UTF-8: {error}") from None
    return {line: row for line, row in rows.items() if any(row) and [text.lower() for text in row] != ["file", "label"]}


def _class_of(path: str, line: int, label: str, names: Mapping[str, int]) -> int:
    """Returns the number of the class that a label names: its position in the list of labels, or its digits.

    Raises UsageError for any other label.
    """
    if label in names:
        return names[label]
    if label.isascii() and label.isdigit() and len(label) <= _MOST_DIGITS:
        return int(label)
    reason = "the model's list of labels has no such name" if names else "the model has no list of labels"
    raise UsageError(
        f"labels {path}: expected the number of a class on line {line}, found {shortened(label, 60)!r}; {reason}"
    )


def _class_names(model: str) -> list[str]:
    """Returns the class labels in a TFLite file's metadata: a text file in the zip archive appended to the model.

    The list is empty without an archive, or if there isn't one such file of bounded size.
    """
    try:
        with zipfile.ZipFile(model) as archive:
            texts = [info for info in archive.infolist() if info.filename.lower().endswith(".txt")]
            labels = [info for info in texts if "label" in info.filename.lower()] or texts
            if len(labels) != 1 or labels[0].file_size > _MOST:
                return []
            with archive.open(labels[0]) as file:
                return file.read(_MOST).decode("utf-8").splitlines()
    except DAMAGED:  # most models have no archive
        return []
