"""Checks of a buffer from outside: offsets, lengths and vtables are compared with its size before use."""

import struct
from typing import NoReturn

from tosa_converter.errors import FormatError
from tosa_converter.formats.storage import Bytes

EXPANSION = 16  # times a file's size that the uses of shared data may come to
U32 = struct.Struct("<I")
_I32 = struct.Struct("<i")
_VTABLE = struct.Struct("<HH")


class CheckedBuffer:
    """The bytes of a flatbuffer, with budgets for decoded items that grow with their number.

    Shared offsets can make a small file describe an exponential tree. No honest file decodes to more items than
    `budget`. A string or vector that is shared is decoded once, but its users may print or copy it at each use:
    `repeats` bounds that.
    """

    def __init__(self, data: Bytes) -> None:
        """Keeps the file's bytes, and sets two budgets: for decoded items, and for repeated uses of shared data.

        Both grow with the file's size, beyond what an honest file needs.
        """
        self.data = data
        self.size = len(data)
        # A table in a vector spends 2 items (one each) and takes 8 bytes: its offset, and its own offset to the vtable.
        # An int32 spends 1 of 4 bytes. So such a file of 8,000 bytes spends 2,000 at most, and its budget is 8,096.
        self.budget = self.size // 2 + 4096
        # It counts elements or bytes, and allows uses of EXPANSION times the file's size, because the signatures of a
        # language model share their weights.
        self.repeats = EXPANSION * self.size + (1 << 26)

    def spend(self, items: int, position: int) -> None:
        """Deducts decoded items from the budget, and raises FormatError when it is used up.

        Shared offsets can make a small file describe an exponential tree.
        """
        self.budget -= items
        if self.budget < 0:
            raise FormatError(
                f"offsets are shared so often that {self.size} bytes describe too many items", offset=position
            )

    def spend_repeats(self, elements: int, position: int) -> None:
        """Deducts the elements (bytes of a string) that are used once more from the budget for shared data.

        They were decoded already. Raises FormatError when the budget is used up.
        """
        self.repeats -= elements
        if self.repeats < 0:
            raise FormatError(
                f"offsets are shared so often that {self.size} bytes describe too much data", offset=position
            )

    def root(self) -> int:
        """Returns the position of a flatbuffer's root table, to which the first 4 bytes point."""
        # 8 bytes are the root's offset and the least table, 4 bytes that lead to its vtable.
        if self.size < 8:
            raise FormatError(f"expected a flatbuffer, found {self.size} bytes")
        return self.follow(0, U32.unpack_from(self.data, 0)[0])

    def follow(self, field_position: int, offset: int) -> int:
        """Returns the position to which the offset at position `field_position` points.

        At least 4 bytes from there on are inside the file.

        Raises:
            FormatError: the offset is 0 or leads outside.
        """
        # Offsets are unsigned, so they lead forward only and no chain of them is a circle: 08 00 00 00 at byte 20 leads
        # to byte 28. An offset of 0 would lead to itself.
        target = field_position + offset
        if not offset or target + 4 > self.size:
            raise FormatError(f"offset leads to byte {target}, the file has {self.size} bytes", offset=field_position)
        return target

    def vector(self, field_position: int, offset: int, element_size: int) -> tuple[int, int]:
        """Returns where a vector's first element is, and its length.

        The offset at position `field_position` points to the vector.
        """
        start = self.follow(field_position, offset) + 4
        count: int = U32.unpack_from(self.data, start - 4)[0]
        if start + count * element_size > self.size:
            raise FormatError(
                f"a vector of {count} elements of {element_size} bytes starts at byte {start}, "
                f"the file has {self.size} bytes",
                offset=field_position,
            )
        return start, count

    def vtable_of(self, position: int) -> int:
        """Returns where a table says that its vtable (the distances of its fields) begins.

        That may be outside of the file.
        """
        # The offset to a vtable is signed and subtracted: 08 00 00 00 in a table at byte 16 leads back to byte 8.
        return position - int(_I32.unpack_from(self.data, position)[0])

    def vtable(self, position: int) -> tuple[tuple[int, ...], int]:
        """Reads a table's vtable.

        Returns the distances of the fields from `position`, where the table begins (0 for absent fields), and the
        table's size in bytes.
        """
        vtable = self.vtable_of(position)
        if not 0 <= vtable <= self.size - 4:
            raise FormatError(f"vtable at byte {vtable}, the file has {self.size} bytes", offset=position)
        # Bytes 08 00 0c 00 04 00 08 00: a vtable of 8 bytes, a table of 12, and 8 / 2 - 2 = 2 fields at bytes 4 and 8.
        vtable_size, table_size = _VTABLE.unpack_from(self.data, vtable)
        if vtable_size < 4 or vtable_size % 2 or vtable + vtable_size > self.size:
            raise FormatError(
                f"expected a vtable of an even size within the file, found {vtable_size} bytes", offset=vtable
            )
        if table_size < 4 or position + table_size > self.size:
            self.table_ends_outside(table_size, position)
        return struct.unpack_from(f"<{vtable_size // 2 - 2}H", self.data, vtable + 4), table_size

    def table_ends_outside(self, size: int, position: int) -> NoReturn:
        """Raises FormatError for a table that is larger than the rest of the file."""
        raise FormatError(f"a table of {size} bytes ends outside the file", offset=position)
