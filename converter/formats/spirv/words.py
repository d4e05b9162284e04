"""Words of a SPIR-V module: encodes instructions, and walks over those of a file with checks."""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.storage import Bytes
from tosa_converter.schemas import spirv
from tosa_converter.schemas.spirv import Instruction

Words: TypeAlias = "np.ndarray[Any, np.dtype[np.uint32]]"


class Decoded(NamedTuple):
    """A decoded SPIR-V instruction: its row, and its words split into result type, result id and operands."""

    row: Instruction
    offset: int  # in words, from the file's begin
    type: int  # 0 where the row has none
    result: int  # 0 where the row has none
    operands: list[int | str]  # the rest: ids, literals, and text decoded


def encode(row: Instruction, *operands: int | str) -> list[int]:
    """Returns the words of a SPIR-V instruction; texts among the operands become words of UTF-8.

    Raises:
        UnsupportedError: more words than an instruction can have.
    """
    words = [0]
    for operand in operands:
        if isinstance(operand, str):
            words += string_words(operand)
        else:
            words.append(operand)
    if len(words) > spirv.MAX_WORDS:
        raise UnsupportedError(f"{row.name} of {len(words)} words; an instruction has at most {spirv.MAX_WORDS}")
    # %3 = OpTypeInt 32 0 has 4 words and opcode 21: the first one is 4 << 16 | 21 = 0x00040015.
    words[0] = len(words) << 16 | row.opcode
    return words


def string_words(text: str) -> list[int]:
    """Returns a text as words of SPIR-V: UTF-8, 4 bytes to a word, with 1 to 4 zero bytes at its end.

    Zero characters in the text are left out, because one would end it.
    """
    raw = text.replace("\0", "").encode()
    # "abc" is 61 62 63 00, the word 0x00636261; "main" fills a word, so a word of zeros follows: 0x6e69616d, 0.
    raw += bytes(4 - len(raw) % 4)
    return [int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4)]


def error(offset: int, row: Instruction | None, message: str) -> FormatError:
    """Returns a FormatError about a word of a SPIR-V file; `offset` counts words."""
    return FormatError(message, offset=4 * offset, path=f"word {offset}" + (f" {row.name}" if row else ""))


def module_words(data: Bytes) -> Words:
    """Returns the words of a SPIR-V file of either byte order, after checks of the header.

    Raises:
        FormatError: not SPIR-V, cut off, or of a later major version.
    """
    raw = np.frombuffer(data, np.uint8)
    if raw.size % 4 or raw.size < 4 * spirv.HEADER_WORDS:
        raise FormatError(f"expected whole words and at least {spirv.HEADER_WORDS}, found {raw.size} bytes")
    # The magic number 0x07230203 is 03 02 23 07 in the usual order of bytes, 07 23 02 03 in the other.
    words = raw.view("<u4")
    if words[0] != spirv.MAGIC:
        words = raw.view(">u4")
    if words[0] != spirv.MAGIC:
        raise error(0, None, f"expected {spirv.MAGIC:#010x}, found {int(words[0]):#010x}")
    words = words.astype(np.uint32, copy=False)
    # Bytes of the version word from the highest: 0, major, minor, 0. SPIR-V 1.6 is 0x00010600.
    if words[1] >> 16 != 1:
        raise error(1, None, f"expected SPIR-V 1.x, found version word {int(words[1]):#010x}")
    if words[4] != 0:
        raise error(4, None, f"expected schema 0, found {int(words[4])}")
    return words


def instructions(words: Words) -> Iterator[Decoded]:
    """Yields every decoded instruction behind the header of a SPIR-V module.

    Operands are checked against the table of instructions and the bound of ids.

    Raises:
        FormatError: a word count, an id or a text that can't be.
        UnsupportedError: an instruction that graph modules don't use.
    """
    numbers = words.tolist()
    bound = numbers[3]
    offset = spirv.HEADER_WORDS
    while offset < len(numbers):
        first = numbers[offset]
        # A word count of 0 would end where it begins, for ever: it is refused, so each round advances.
        end = offset + (first >> 16)
        row = spirv.BY_OPCODE.get(first & 0xFFFF)
        if end == offset or end > len(numbers):
            raise error(offset, row, f"expected 1 to {len(numbers) - offset} words, found {first >> 16}")
        if row is None:
            raise UnsupportedError(f"word {offset}: SPIR-V instruction {first & 0xFFFF} has no place in a graph module")
        yield _Cursor(row, offset, numbers[offset + 1 : end], bound).decode()
        offset = end


class _Cursor:
    """Reads the words of one SPIR-V instruction in order, by the kinds of operands in its row."""

    def __init__(self, row: Instruction, offset: int, words: list[int], bound: int) -> None:
        """Prepares to take an instruction's operands from its words, one by one, behind the first word.

        `offset` is the instruction's position in words, `bound` the number that all ids are below.
        """
        self.row = row
        self.offset = offset
        self.words = words
        self.bound = bound
        self.at = 0

    def decode(self) -> Decoded:
        """Decodes the instruction: its result type, result id and operands, by their kinds in the table."""
        named = {"type": 0, "result": 0}
        operands: list[int | str] = []
        for kind in self.row.operands:
            if kind in named:
                named[kind] = self._take_id()
            else:
                operands += self._take_operands(kind)
        if self.at != len(self.words):
            raise self._word_error(f"expected {self.at + 1} words, found {len(self.words) + 1}")
        return Decoded(self.row, self.offset, named["type"], named["result"], operands)

    def _take_operands(self, kind: str) -> list[int | str]:
        """Takes the operands of a kind: one, at most one for `?`, all that are left for `*` and `constant`."""
        take = (
            self._take_string
            if kind.startswith("string")
            else self._take_id
            if kind.startswith("id")
            else self._take_word
        )
        if kind.endswith("?"):
            return [take()] if self.at < len(self.words) else []
        if kind.endswith("*") or kind == "constant":
            operands = []
            while self.at < len(self.words):
                operands.append(take())
            return operands
        return [take()]

    def _take_word(self) -> int:
        """Returns the instruction's next word and advances; raises FormatError if none is left."""
        if self.at >= len(self.words):
            raise self._word_error(f"expected {' '.join(self.row.operands)}, found {len(self.words)} operand words")
        self.at += 1
        return self.words[self.at - 1]

    def _take_id(self) -> int:
        """Returns the instruction's next word as an id; raises FormatError unless it is below the module's bound."""
        id = self._take_word()
        if not 0 < id < self.bound:
            raise self._word_error(f"expected an id from 1 to {self.bound - 1}, found {id}")
        return id

    def _take_string(self) -> str:
        """Returns the text that begins at the instruction's next word: UTF-8 up to a zero byte."""
        raw = bytearray()
        # Only the latest word can have the zero that ends the text, so a long text takes one step for each word.
        # Where it has none, _take_word raises at the instruction's end.
        while b"\0" not in raw[-4:]:
            raw += self._take_word().to_bytes(4, "little")
        try:
            return raw[: raw.index(0)].decode()
        except UnicodeDecodeError as wrong:
            raise self._word_error(f"expected UTF-8: {wrong.reason}") from None

    def _word_error(self, message: str) -> FormatError:
        """Returns a FormatError about the instruction's current word."""
        return error(self.offset + self.at, self.row, message)
