"""The reader of ExecuTorch's files of data (.ptd): bytes by name, beside the program that uses them."""

import struct
from collections.abc import Iterator, Mapping

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.data_files import DataFiles
from tosa_converter.formats.storage import Bytes
from tosa_converter.formats.xnnpack.values import check_spans
from tosa_converter.schemas import flat_tensor

ENDING = ".ptd"


def read_flat_tensor(data: Bytes, *, file: str = "") -> Mapping[str, Bytes]:
    """Returns the data of a `.ptd` file by name, as views of its bytes.

    Raises:
        FormatError: malformed bytes, a name twice, or segments that overlap or lie outside of the file.
        UnsupportedError: a later version of the format.
    """
    try:
        return dict(_entries(data))
    except FormatError as error:
        error.file = file
        raise


def _entries(data: Bytes) -> Iterator[tuple[str, Bytes]]:
    """Yields (name, bytes) for each entry of a .ptd file."""
    segments_at, segments_size = _check_header(data)
    root = flatbuffer.read(flat_tensor.FlatTensor, memoryview(data)[:segments_at], flat_tensor.IDENTIFIER)
    if root.version > flat_tensor.VERSION:
        raise UnsupportedError(f"expected data of version {flat_tensor.VERSION} or before, found {root.version}")
    check_spans([(row.offset, row.size) for row in root.segments], segments_size, "FlatTensor.segments")
    view = memoryview(data)
    names = set[str]()
    for i, entry in enumerate(root.named_data):
        place = f"FlatTensor.named_data[{i}]"
        if entry.key in names:
            raise FormatError(f"the name {entry.key!r} is another entry's", path=place)
        names.add(entry.key)
        if entry.segment_index >= len(root.segments):
            raise FormatError(f"no segment {entry.segment_index}, there are {len(root.segments)}", path=place)
        row = root.segments[entry.segment_index]
        yield entry.key, view[segments_at + row.offset : segments_at + row.offset + row.size]


def _check_header(data: Bytes) -> tuple[int, int]:
    """Returns the byte at which a .ptd file's segments begin, and their size; raises FormatError for another header."""
    end = flat_tensor.HEADER_PLACE + struct.calcsize(flat_tensor.HEADER)
    if len(data) < end:
        raise FormatError(f"expected a header of {end} bytes, found {len(data)} bytes")
    fields = struct.unpack_from(flat_tensor.HEADER, data, flat_tensor.HEADER_PLACE)
    identifier, length, begin, size, segments_at, segments_size = fields
    if identifier != flat_tensor.HEADER_IDENTIFIER or length < struct.calcsize(flat_tensor.HEADER):
        raise FormatError(
            f"expected the header {flat_tensor.HEADER_IDENTIFIER!r}, found {identifier!r}",
            offset=flat_tensor.HEADER_PLACE,
        )
    # The table, of `size` bytes from `begin` on, stands in front of the segments. A file without data states 0.
    if begin + size > (segments_at or len(data)) or segments_at + segments_size > len(data):
        raise FormatError(
            f"expected {size} bytes of tables and {segments_size} of data within {len(data)}, found them at bytes "
            f"{begin} and {segments_at}",
            offset=flat_tensor.HEADER_PLACE,
        )
    return segments_at or len(data), segments_size


class ExternalData:
    """The data that a program leaves to `.ptd` files beside it, by name.

    ExecuTorch writes such a file under a name of its own, so every `.ptd` file in the folder is asked.
    """

    def __init__(self, files: DataFiles) -> None:
        """Prepares to find data by name in the .ptd files beside a program; none is opened yet."""
        self.files = files
        self.tables: dict[str, Mapping[str, Bytes]] | None = None
        self.used_names: dict[str, None] = {}  # files that data was found in, in order

    def find(self, name: str) -> Bytes | None:
        """Returns the bytes of that name, or None if no file has it; the file with the program's stem comes first.

        Raises:
            FormatError: a file is malformed, or two have that name.
        """
        if self.tables is None:
            names = self.files.names(ENDING)
            self.tables = {file: read_flat_tensor(self.files.open(file, "folder"), file=file) for file in names}
        owners = [file for file, table in self.tables.items() if name in table]
        if len(owners) > 1 and owners[0] != self.files.stem + ENDING:
            raise FormatError(
                f"expected one file of data with {name!r}, found {' and '.join(owners[:2])}",
                f"next: rename the one that belongs to the program to {self.files.stem}{ENDING}",
                file=self.files.file,
            )
        if not owners:
            return None
        self.used_names[owners[0]] = None
        return self.tables[owners[0]][name]

    @property
    def paths(self) -> list[str]:
        """The paths of the files whose data the program has."""
        return [self.files.path(name) for name in self.used_names]
