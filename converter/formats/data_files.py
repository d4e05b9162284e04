"""Files beside a model that hold its data: external buffers of TFLite, and ExecuTorch's `.ptd`.

A model names them, so the names are hostile: only plain names of regular files in the model's own folder are opened.
"""

import os
import stat

from tosa_converter.errors import FormatError, UsageError, shortened
from tosa_converter.formats.storage import Bytes, map_file, split_member


class DataFiles:
    """The files that a model may read: those in its folder, or one section of the container that it is in."""

    def __init__(self, file: str, section: Bytes | None = None) -> None:
        """Prepares to open the data files that a model names, beside its file (`file`, "" for a model in memory).

        In a container, `section` holds the data of all names.
        """
        self.file = file
        self.section = section
        self.opened: dict[str, Bytes] = {}

    def open(self, name: str, place: str) -> Bytes:
        """Returns the bytes of a data file that the model names; `place` is where it names the file, for messages.

        A model in a container has one data section for all names.

        Raises:
            FormatError: the name isn't one of a file beside the model.
            UsageError: there is no such file, or it isn't a file beside the model.
        """
        if self.section is not None:
            return self.section
        if name not in self.opened:
            self.opened[name] = map_file(self._path(name, place))
        return self.opened[name]

    def names(self, ending: str) -> list[str]:
        """Returns the names of the files in the model's folder with an ending, that of the model's stem first.

        There are none for a model in memory or in a container, or if the folder can't be read.
        """
        path, member = split_member(self.file)
        if not path or member:
            return []
        try:
            names = sorted(name for name in os.listdir(os.path.dirname(path) or os.curdir) if name.endswith(ending))
        except OSError:
            return []
        return sorted(names, key=lambda name: name != self.stem + ending)

    @property
    def stem(self) -> str:
        """The name of the model's file without its ending."""
        return os.path.splitext(os.path.basename(split_member(self.file)[0]))[0]

    def path(self, name: str) -> str:
        """Returns the path of a file beside the model."""
        return os.path.join(os.path.dirname(split_member(self.file)[0]), name)

    def _path(self, name: str, place: str) -> str:
        """Returns the path of a data file that a model names, after a check that it is in the model's folder.

        It must be a regular file; else errors say what to do.
        """
        # A colon is a drive or a stream of a file on Windows, and a member of a container here.
        if name in ("", os.curdir, os.pardir) or any(c in "/\\:" or not c.isprintable() for c in name):
            raise FormatError(
                f"expected the name of a file beside the model, found {shortened(name)!r}", file=self.file, path=place
            )
        path, member = split_member(self.file)
        if not path or member:
            raise UsageError(
                f"{self.file or 'the model'}: its data is in the file {name!r}, expected beside it",
                "next: give the path of a model with that file in its folder",
            )
        data = self.path(name)
        try:
            mode = os.stat(data).st_mode
        except OSError as error:
            raise UsageError(
                f"{data}: {error.strerror}: {path} has its data there", f"next: put {name!r} beside {path}"
            ) from None
        # A link may not lead out of the folder. A cache of downloads keeps model and data as links to one folder.
        folders = {os.path.dirname(os.path.realpath(path)), os.path.realpath(os.path.dirname(path) or os.curdir)}
        if not stat.S_ISREG(mode) or os.path.dirname(os.path.realpath(data)) not in folders:
            raise UsageError(
                f"{data}: expected a regular file in the folder of {path}, found something else",
                f"next: copy the data to {data}, if you trust the model",
            )
        return data


def data_error(file: str, name: str, ending: str) -> UsageError:
    """Returns the error about data that no file beside a model has."""
    stem = os.path.splitext(file or "MODEL")[0]
    return UsageError(
        f"{file or 'the model'}: expected a {ending} file beside it with the data {shortened(name)!r}, found none",
        f"next: put the {ending} file that was written with it beside it, as {stem}{ending}",
    )
