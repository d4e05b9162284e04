"""The memory that a program plans: tensors at the same place are views of one another."""

import bisect
from typing import NamedTuple

from tosa_converter.ir import TensorType, Value
from tosa_converter.schemas.executorch import AllocationDetails

VIEW = "aten.view_copy.out"  # the operator that reads a value in another shape


class StoredValue(NamedTuple):
    """A value, and the order in which its dimensions lie in memory."""

    value: Value
    order: list[int]


class _Piece(NamedTuple):
    """A value in memory, from byte `start` to the one before `end`."""

    start: int
    end: int
    stored: StoredValue


class Memory:
    """The last value written at every place in an ExecuTorch program's memory.

    Tensors without a place are known by their number.
    """

    def __init__(self) -> None:
        """Starts with nothing written to the ExecuTorch program's planned memory."""
        self.pieces: dict[int, list[_Piece]] = {}  # by memory id, ascending and without overlaps
        self.placeless: dict[int, StoredValue] = {}  # by tensor index, values without a place or without bytes

    def write(self, index: int, where: AllocationDetails | None, value: Value, order: list[int]) -> None:
        """Stores a value at a tensor's place in memory, and forgets all values that overlap it.

        A tensor without a place or without bytes is kept by its `index`; `order` lists its dimensions as they lie in
        memory.
        """
        start, end = _span(where, value.type)
        if where is None or start == end:
            self.placeless[index] = StoredValue(value, order)
            return
        pieces = self.pieces.setdefault(where.memory_id, [])
        # Pieces are in order and apart, so their ends ascend too. [0, 16) [16, 32) [48, 64), write [24, 56): one piece
        # ends by 24 and three begin before 56, so [1:3] overlap: [0, 16) [24, 56) stay.
        first = bisect.bisect_right(pieces, start, key=lambda piece: piece.end)
        last = bisect.bisect_left(pieces, end, key=lambda piece: piece.start)
        pieces[first:last] = [_Piece(start, end, StoredValue(value, order))]

    def overlaps(self, where: AllocationDetails, type: TensorType) -> bool:
        """Returns whether a value that is stored shares bytes with a tensor's place."""
        start, end = _span(where, type)
        pieces = self.pieces.get(where.memory_id, [])
        # Pieces ascend without overlaps: if any shares bytes, the first that ends behind `start` does.
        first = bisect.bisect_right(pieces, start, key=lambda piece: piece.end)
        return first < len(pieces) and pieces[first].start < end

    def read(self, index: int, where: AllocationDetails | None, type: TensorType) -> StoredValue | None:
        """Returns the value stored at exactly a tensor's place, if it has the same element type; else None.

        A tensor without a place or without bytes is found by its `index`.
        """
        start, end = _span(where, type)
        if where is None or start == end:
            return self.placeless.get(index)
        pieces = self.pieces.get(where.memory_id, [])
        # [0, 16) is stored: a tensor at [0, 16) reads it, one at [0, 8) or [8, 16) finds none.
        first = bisect.bisect_left(pieces, start, key=lambda piece: piece.start)
        if first == len(pieces) or (pieces[first].start, pieces[first].end) != (start, end):
            return None
        stored = pieces[first].stored
        return stored if stored.value.type.dtype is type.dtype else None


def _span(where: AllocationDetails | None, type: TensorType) -> tuple[int, int]:
    """Returns (first byte, byte behind the last) of a tensor's place in memory."""
    # Offsets have 64 bits in two halves: low 16 and high 1 are byte 2**32 + 16.
    start = 0 if where is None else where.memory_offset_low | where.memory_offset_high << 32
    return start, start + type.elements * type.dtype.bits // 8
