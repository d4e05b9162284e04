"""Bytes of MLIR bytecode one after the other: integers of variable width, strings and blobs, each checked."""

from tosa_converter.formats.mlir.source import Source
from tosa_converter.formats.storage import Bytes

MAX_SHOWN = 8  # bytes that a message shows
MAX_TEXT = 1 << 16  # bytes of the name of the tool that wrote a file


class Bytecode(Source):
    """A file of MLIR bytecode; positions are offsets of bytes."""

    def __init__(self, data: Bytes) -> None:
        """Prepares to read a file's bytes, of which nothing is copied."""
        self.data = memoryview(data).cast("B")

    def place(self, at: int) -> str:
        """Returns how messages call a position of the file: `byte 12`, counted from 0."""
        return f"byte {at}"

    def describe(self, at: int) -> str:
        """Returns the bytes at a position in hexadecimal digits, as messages show them."""
        shown = bytes(self.data[at : at + MAX_SHOWN])
        return shown.hex(" ") if shown else "the end of the file"


class Cursor:
    """Reads a part of MLIR bytecode from `at` on, up to `end`."""

    def __init__(self, source: Bytecode, at: int, end: int) -> None:
        """Prepares to read the bytes from `at` to before `end`, which lie in the file."""
        self.source = source
        self.data = source.data
        self.at = at
        self.end = end

    def skip(self, size: int, subject: str) -> int:
        """Advances past so many bytes, and returns where they begin.

        Raises FormatError if there are fewer; `subject` says what they are.
        """
        at = self.at
        if size > self.end - at:
            raise self.source.wrong(at, f"{size} bytes of {subject}", f"{self.end - at} up to the end of the part")
        self.at = at + size
        return at

    def byte(self) -> int:
        """Reads one byte."""
        return self.data[self.skip(1, "a number")]

    def varint(self) -> int:
        """Reads an unsigned integer of 1 to 9 bytes.

        The zeros below the lowest 1 of the first byte say how many bytes follow.
        """
        at = self.at
        first = self.byte()
        if first & 1:
            return first >> 1
        if not first:
            self.skip(8, "a number")
            return int.from_bytes(self.data[at + 1 : at + 9], "little")
        # 0x92 0x12 has the lowest 1 in bit 1: one more byte, and 0x1292 >> 2 = 0x4A4 is the number. In general n zeros
        # stand for n more bytes, and n + 1 bits of the whole are no part of the number.
        more = (first & -first).bit_length() - 1
        self.skip(more, "a number")
        return int.from_bytes(self.data[at : at + 1 + more], "little") >> more + 1

    def signed_varint(self) -> int:
        """Reads a signed integer of 64 bits: 0, 1, 2, 3 stand for 0, -1, 1, -2."""
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def number_and_flag(self) -> tuple[int, bool]:
        """Reads an integer whose lowest bit is a flag; returns what is above it, and the flag."""
        value = self.varint()
        return value >> 1, bool(value & 1)

    def count(self, subject: str) -> int:
        """Reads how many items follow, of at least a byte each; raises FormatError for more than there are bytes."""
        at = self.at
        count = self.varint()
        if count > self.end - self.at:
            raise self.source.wrong(at, f"at most {self.end - self.at} {subject}", str(count))
        return count

    def index(self, size: int, subject: str) -> int:
        """Reads the index of an item of a table of `size` items; raises FormatError for an index beyond it."""
        at = self.at
        value = self.varint()
        return self.checked_index(value, size, subject, at)

    def checked_index(self, value: int, size: int, subject: str, at: int) -> int:
        """Returns an index that stands at `at` if a table of `size` items has it, else raises FormatError."""
        if value >= size:
            raise self.source.wrong(at, f"one of {size} {subject}", f"number {value}")
        return value

    def text(self) -> bytes:
        """Reads the bytes up to a byte 0, and advances past that."""
        at = self.at
        content = bytes(self.data[at : min(self.end, at + MAX_TEXT)])
        size = content.find(b"\0")
        if size < 0:
            raise self.source.wrong(at, f"a text of at most {MAX_TEXT} bytes, ended by a byte 0")
        self.at = at + size + 1
        return content[:size]

    def part(self, size: int, subject: str) -> "Cursor":
        """Advances past so many bytes, and returns a cursor that reads them."""
        at = self.skip(size, subject)
        return Cursor(self.source, at, at + size)

    def require_end(self, subject: str) -> None:
        """Raises FormatError unless all bytes of the part were read; `subject` says what the part is."""
        if self.at != self.end:
            raise self.source.wrong(self.at, f"the end of {subject}", f"{self.end - self.at} more bytes")


def count_varints(cursor: Cursor) -> int:
    """Returns how many integers of variable width the rest of a part consists of; the cursor stays where it is."""
    rest = Cursor(cursor.source, cursor.at, cursor.end)
    count = 0
    while rest.at < rest.end:
        rest.varint()
        count += 1
    return count
