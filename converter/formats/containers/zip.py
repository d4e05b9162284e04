"""The reader of zip archives (APPNOTE.TXT 6.3): the central directory, stored members, and deflated ones.

The directory at the end of the file counts. Each member is compared with its own header, and no two members may use
the same bytes or the same name. Nothing is written to disk, so names are only names; one that would lead out of a
folder is refused all the same.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.containers.members import HEAD, Container, FindFormat, Member
from tosa_converter.formats.storage import WHOLE, Bytes
from tosa_converter.formats.xnnpack.values import check_spans
from tosa_converter.memory import require_memory

_END, _END_MAGIC = struct.Struct("<4s4H2IH"), b"PK\x05\x06"
_END64, _END64_MAGIC = struct.Struct("<4sQ2H2I4Q"), b"PK\x06\x06"
_LOCATOR, _LOCATOR_MAGIC = struct.Struct("<4sIQI"), b"PK\x06\x07"
_ENTRY, _ENTRY_MAGIC = struct.Struct("<4s6H3I5H2I"), b"PK\x01\x02"
_LOCAL, _LOCAL_MAGIC = struct.Struct("<4s5H3I2H"), b"PK\x03\x04"
_LONGEST_COMMENT = 0xFFFF
_IN_EXTRA = 0xFFFFFFFF  # of a size or place that stands in the extra field, with 64 bits
_ZIP64 = 1  # the number of that extra field
_ENCRYPTED, _UTF8 = 0x2041, 0x800  # bits of the flags; those of encryption are 0, 6 and 13
_STORED, _DEFLATED = 0, 8
METHODS = {9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "XZ", 99: "AES"}
MOST_MEMBERS = 0xFFFF
# Deflate stores at best 258 bytes in 2 bits (a length and a distance of one bit each): 1032 bytes in one.
MOST_EXPANSION = 1032


class _Entry(NamedTuple):
    """A member as the central directory states it."""

    name: str
    flags: int
    method: int
    checksum: int
    stored_size: int
    size: int
    place: int  # of its own header
    at: int  # of the entry in the file


class _Directory(NamedTuple):
    """The central directory: its number of entries, its bytes and its place."""

    entries: int
    size: int
    start: int


class _Member(NamedTuple):
    """A member whose own header has been compared: its entry, and where its bytes are."""

    entry: _Entry
    start: int
    content: memoryview

    def head(self) -> bytes:
        """Returns the member's first bytes, or none of a member that can't be read."""
        if self.entry.flags & _ENCRYPTED or self.entry.method not in (_STORED, _DEFLATED):
            return b""
        if self.entry.method == _STORED:
            return bytes(self.content[:HEAD])
        try:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self.content[: 64 * HEAD], HEAD)
        except zlib.error:
            return b""

    def read(self) -> Bytes:
        """Returns the member's bytes: a view if it is stored, else unpacked in memory.

        The checksum is compared, except for a stored member of 64 MB or more.

        Raises:
            FormatError: it is encrypted, damaged, or larger than stated.
            UnsupportedError: another kind of compression.
        """
        entry, place = self.entry, f"member {self.entry.name!r}"
        if entry.flags & _ENCRYPTED:
            raise FormatError(
                "expected a member without a password, found an encrypted one",
                "next: unpack it with its password, then give the model",
                path=place,
            )
        if entry.method not in (_STORED, _DEFLATED):
            method = METHODS.get(entry.method, f"method {entry.method}")
            raise UnsupportedError(
                f"{place}: it is compressed with {method}, which is not supported",
                "next: unpack it, then give the model",
            )
        data = self.content if entry.method == _STORED else self._inflate(place)
        # A stored member of 64 MB or more is mapped, and its checksum would read all of it.
        is_checked = entry.method == _DEFLATED or entry.size < WHOLE
        if is_checked and (actual := zlib.crc32(data)) != entry.checksum:
            raise FormatError(
                f"expected the checksum {entry.checksum:08x}, found {actual:08x}", path=place, offset=self.start
            )
        return data

    def _inflate(self, place: str) -> bytes:
        """Returns the bytes of a deflated member, after a check that memory has room for the size that it states.

        It is never unpacked beyond that size; another one raises FormatError.
        """
        size = self.entry.size
        require_memory(place, size)
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            # One byte more than stated is enough to tell a member that is larger, whatever it would grow to.
            data = inflater.decompress(self.content, size + 1)
        except zlib.error as error:
            raise FormatError(f"expected deflated bytes, found {error}", path=place, offset=self.start) from None
        if len(data) != size or not inflater.eof:
            actual = f"{len(data)}" if len(data) <= size and inflater.eof else "more, or no end"
            raise FormatError(f"expected {size} bytes when unpacked, found {actual}", path=place, offset=self.start)
        return data


def read_zip(data: Bytes, find_format: FindFormat) -> Container:
    """Returns the members of a zip archive, folders left out.

    Raises:
        FormatError: malformed bytes, members that overlap or have one name, or a name that leads out of a folder.
    """
    view, directory = memoryview(data), _find_directory(data)
    entries = [entry for entry in _entries(data, *directory) if not entry.name.endswith("/")]
    names = set[str]()
    for entry in entries:
        _check_entry(entry, names)
        names.add(entry.name)
    members = [_locate(view, entry) for entry in entries]
    spans = [(member.entry.place, member.start - member.entry.place + len(member.content)) for member in members]
    if len(set(spans)) != len(spans):
        raise FormatError("expected each member to have its own bytes, found two with the same", path="directory")
    check_spans([*spans, (directory.start, directory.size)], len(data), "members")
    return Container("a zip archive", tuple(_as_member(member, find_format) for member in members))


def _as_member(member: _Member, find_format: FindFormat) -> Member:
    """Returns a zip archive's member as a container's: with its format, kind, size, and a function that reads it."""
    entry = member.entry
    kind = "encrypted" if entry.flags & _ENCRYPTED else "stored" if entry.method == _STORED else "compressed"
    return Member(
        entry.name, find_format(member.head(), entry.name), kind, entry.size, entry.method == _STORED, member.read
    )


def _check_entry(entry: _Entry, names: set[str]) -> None:
    """Raises FormatError for an entry with a name that is taken or isn't one below a folder, or with unlikely sizes."""
    parts = entry.name.replace("\\", "/").split("/")
    if not entry.name or ".." in parts or not parts[0] or "\0" in entry.name or parts[0].endswith(":"):
        raise FormatError(
            f"expected the name of a member below the archive's folder, found {entry.name!r}", offset=entry.at
        )
    if entry.name in names:
        raise FormatError(f"expected one member called {entry.name!r}, found two", offset=entry.at)
    if entry.method == _STORED and not entry.flags & _ENCRYPTED and entry.size != entry.stored_size:
        raise FormatError(
            f"member {entry.name!r}: expected {entry.size} stored bytes, found {entry.stored_size}", offset=entry.at
        )
    if entry.method == _DEFLATED and entry.size > MOST_EXPANSION * entry.stored_size:
        raise FormatError(
            f"member {entry.name!r}: {entry.stored_size} bytes can't unpack to {entry.size}", offset=entry.at
        )


def _locate(view: memoryview, entry: _Entry) -> _Member:
    """Returns a member with its bytes, after comparing the directory's entry with the member's own header."""
    if entry.place + _LOCAL.size > len(view):
        raise FormatError(
            f"member {entry.name!r}: its header begins at byte {entry.place}, the file has {len(view)}", offset=entry.at
        )
    magic, _, flags, method, _, _, _, _, _, name_size, extra_size = _LOCAL.unpack_from(view, entry.place)
    name_at = entry.place + _LOCAL.size
    start = name_at + name_size + extra_size
    if magic != _LOCAL_MAGIC or (method, flags & _ENCRYPTED) != (entry.method, entry.flags & _ENCRYPTED):
        raise FormatError(f"member {entry.name!r}: expected its own header, found another", offset=entry.place)
    if _decode_name(bytes(view[name_at : name_at + name_size]), flags) != entry.name:
        raise FormatError(f"member {entry.name!r}: expected its name in its header, found another", offset=entry.place)
    if start + entry.stored_size > len(view):
        raise FormatError(
            f"member {entry.name!r} takes bytes {start} to {start + entry.stored_size}, the file has {len(view)}",
            offset=entry.at,
        )
    return _Member(entry, start, view[start : start + entry.stored_size])


def _entries(data: Bytes, count: int, size: int, start: int) -> Iterator[_Entry]:
    """Yields the entries of a zip archive's central directory, `size` bytes from `start` on.

    Sizes and places of 64 bits come from an entry's extra field.

    Raises:
        FormatError: `count` entries don't take exactly these bytes, or one is malformed.
    """
    if start + size > len(data):
        raise FormatError(f"the directory takes bytes {start} to {start + size}, the file has {len(data)}")
    # An entry takes 46 bytes or more, so a directory of 460 bytes has ten at most.
    if count > min(size // _ENTRY.size, MOST_MEMBERS):
        raise FormatError(f"expected at most {min(size // _ENTRY.size, MOST_MEMBERS)} members, found {count}")
    at, end = start, start + size
    for _ in range(count):
        if at + _ENTRY.size > end:
            raise FormatError("an entry of the directory ends outside of it", offset=at)
        fields = _ENTRY.unpack_from(data, at)
        magic, _, _, flags, method, _, _, checksum, stored, unpacked = fields[:10]
        name_size, extra, comment, disk, _, _, place = fields[10:]
        after = at + _ENTRY.size + name_size + extra + comment
        if magic != _ENTRY_MAGIC or after > end:
            raise FormatError("expected an entry of the directory", offset=at)
        if disk not in (0, 0xFFFF):  # 0xFFFF refers to the extra field
            raise FormatError("expected an archive in one piece, found a part of one", offset=at)
        name_at = at + _ENTRY.size
        name = _decode_name(bytes(data[name_at : name_at + name_size]), flags)
        extra_field = bytes(data[name_at + name_size : name_at + name_size + extra])
        unpacked, stored, place = _with_extra([unpacked, stored, place], extra_field, at)
        yield _Entry(name, flags, method, checksum, stored, unpacked, place, at)
        at = after
    if at != end:
        raise FormatError(f"expected {count} members in the directory, found more", offset=at)


def _with_extra(numbers: list[int], extra: bytes, at: int) -> list[int]:
    """Returns the sizes and offset of a zip entry, with those that 32 bits can't hold from its extra field.

    Such numbers are stored as `_IN_EXTRA`, and their values stand in the field in the same order.

    Raises:
        FormatError: the field is missing.
    """
    if _IN_EXTRA not in numbers:
        return numbers
    position = 0
    while position + 4 <= len(extra):
        number, length = struct.unpack_from("<2H", extra, position)
        missing = numbers.count(_IN_EXTRA)
        if number == _ZIP64 and length >= 8 * missing and position + 4 + 8 * missing <= len(extra):
            wide = iter(struct.unpack_from(f"<{missing}Q", extra, position + 4))
            return [next(wide) if value == _IN_EXTRA else value for value in numbers]
        position += 4 + length
    raise FormatError("expected the 64-bit sizes of a member, found none", offset=at)


def _find_directory(data: Bytes) -> _Directory:
    """Returns where a zip archive's central directory (its list of members) is, as its end record states.

    A 64-bit end record counts where the first one refers to it.

    Raises:
        FormatError: there is no end record, or the archive is split into several files.
    """
    # The record of 22 bytes ends the file, or a comment of up to 65,535 bytes behind it does.
    first = max(0, len(data) - _END.size - _LONGEST_COMMENT)
    tail = bytes(data[first:])
    at = tail.rfind(_END_MAGIC)
    while at >= 0 and not _is_end(tail, at):
        at = tail.rfind(_END_MAGIC, 0, at)
    if at < 0:
        raise FormatError("expected the end record of a zip archive, found none: the file may be cut off")
    _, disk, first_disk, count_here, count, size, start, _ = _END.unpack_from(tail, at)
    if _IN_EXTRA in (size, start) or 0xFFFF in (count, disk):
        return _find_wide_directory(data, first + at)
    if disk or first_disk or count_here != count:
        raise FormatError("expected an archive in one piece, found a part of one", offset=first + at)
    return _Directory(count, size, start)


def _is_end(tail: bytes, at: int) -> bool:
    """Returns whether the end record at `at` and its comment are the end of the file."""
    if at + _END.size > len(tail):
        return False
    length: int = _END.unpack_from(tail, at)[-1]
    return at + _END.size + length == len(tail)


def _find_wide_directory(data: Bytes, end: int) -> _Directory:
    """Returns where a zip archive's central directory is, by its 64-bit end record, which stands in front of `end`.

    Archives have one if a number needs more than 32 bits.

    Raises:
        FormatError: there is no such record, or the archive is split.
    """
    at = end - _LOCATOR.size
    magic, place = b"", 0
    if at >= 0:
        magic, _, place, _ = _LOCATOR.unpack_from(data, at)
    if magic != _LOCATOR_MAGIC or place + _END64.size > len(data):
        raise FormatError("expected the place of a 64-bit end record, found none", offset=max(at, 0))
    magic, _, _, _, disk, first_disk, count_here, count, size, start = _END64.unpack_from(data, place)
    if magic != _END64_MAGIC or disk or first_disk or count_here != count:
        raise FormatError("expected a 64-bit end record of an archive in one piece, found another", offset=place)
    return _Directory(count, size, start)


def _decode_name(raw: bytes, flags: int) -> str:
    """Decodes a member's name: as UTF-8, or as code page 437 if it isn't UTF-8.

    Raises FormatError if it isn't although the flags state UTF-8.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        if flags & _UTF8:
            raise FormatError(f"a member's name is not UTF-8: {raw[:40]!r}") from None
        return raw.decode("cp437")
