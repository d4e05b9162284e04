"""The elements of constants in MLIR text: hexadecimal strings, nested lists, one element for all, resources.

Lists are checked and decoded as a whole: nothing here loops over the elements.
"""

import binascii
import re
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.mlir.element_bytes import ElementBytes, Elements
from tosa_converter.formats.mlir.lexer import Lexer
from tosa_converter.formats.mlir.types import Types
from tosa_converter.formats.ranks import UNRANKED
from tosa_converter.ir import Array, TensorType

# `*+` and `++` never give back what they took, so matching takes time in proportion to the text. 15 hexadecimal digits
# (below 2**60) and 18 decimal ones (below 10**18 < 2**60) fit int64, so no number overflows in numpy. Of 19 digits some
# do, such as 9223372036854775807: these are checked one by one.
_ELEMENTS = re.compile(r"[\[\]\s\w.,+-]*+", re.ASCII)
_INTEGER, _FLOAT, _BITS = r"-?(?:0x[0-9A-Fa-f]{1,15}+|\d{1,19}+)", r"-?\d++\.\d*+(?:[eE][-+]?\d++)?", r"0x[0-9A-Fa-f]++"


def _list_pattern(*elements: str) -> re.Pattern[bytes]:
    """Returns a pattern for lists whose elements match one of these patterns, with commas between them."""
    element = rf"\s*+(?:{'|'.join(elements)})\s*+"
    return re.compile(rf"(?:{element}(?:,|\Z))*+".encode(), re.ASCII)


_INTEGERS, _BOOLS, _FLOATS = (
    _list_pattern(_INTEGER),
    _list_pattern("true", "false", "[01]"),
    _list_pattern(_BITS, _FLOAT),
)
_LONG = re.compile(rb"\d{19}")
_HEXADECIMAL, _SPACE = re.compile(_BITS.encode()), b" \t\r\n\f\v"
_KINDS = {_INTEGERS: "integers", _BOOLS: "true or false", _FLOATS: "floats or their bits in hexadecimal"}
PIECE = 1 << 20  # characters of a list that are decoded at a time
_ALIGNMENT = 4  # bytes at the beginning of a resource that state how it is aligned


class Resource(NamedTuple):
    """A constant whose elements stand at the end of the text."""

    type: TensorType
    key: str
    at: int
    shape: None = None  # of the elements, which shape rules ask for: not known yet


class Dense(ElementBytes):
    """Reads the elements of constants in MLIR text, which bounds repeated ones by its length."""

    def __init__(self, lexer: Lexer, types: Types) -> None:
        """Prepares to read constants of an MLIR text."""
        super().__init__(lexer, len(lexer.text))
        self.lexer = lexer
        self.types = types

    def literal(self) -> Elements:
        """Reads a constant's elements and type behind the word `dense`: `<elements> : type`."""
        lexer = self.lexer
        lexer.expect("<")
        at, kind, token = lexer.at, lexer.kind, lexer.token
        if token == "[":
            token = lexer.take_match(_ELEMENTS)
        elif token != ">":
            lexer.advance()
        lexer.expect(">")
        type = self._read_type()
        if token == ">":
            values = self.reshape(np.zeros(0, type.dtype.numpy), type, at)
        elif kind == "string":
            values = self.decode(self._decode_hexadecimal(token, at), type, at)
        else:
            values = self._decode_list(token, type, at)
        return Elements(type, values)

    def integers(self) -> tuple[int, ...]:
        """Reads integers with commas between them from MLIR text."""
        at = self.lexer.at
        text = self.lexer.take_match(_ELEMENTS).encode("latin-1")
        return tuple(self._decode_numbers(text, DType.I64, at).tolist())

    def sparse(self) -> Elements:
        """Reads a constant behind the word `sparse`, `<indices, elements> : type`; elements without an index are 0.

        `indices` has a list for each element, `[[0, 1], [2, 3]]`, or a number for each one of a vector; one number
        stands for all coordinates of a single index. One number as `elements` stands for all of them.
        """
        lexer = self.lexer
        lexer.expect("<")
        at, text = lexer.at, ""
        if lexer.token != ">":
            text = lexer.take_match(_ELEMENTS)
        lexer.expect(">")
        type = self._read_type()
        values = self.repeat(np.zeros((), type.dtype.numpy), type, at).copy()
        if not text.translate(_NO_BLANKS):  # nothing, or the lists [], []
            return Elements(type, values)
        raw = np.frombuffer(text.encode("latin-1"), np.uint8)
        # [[0, 1], [2, 3]], [5, 6]: the comma outside of all brackets is the one behind the indices.
        depths = np.cumsum((raw == ord("[")).astype(np.int64) - (raw == ord("]")))
        commas = np.flatnonzero((raw == ord(",")) & (depths == 0))
        if commas.size != 1:
            raise lexer.error("indices and elements with a comma between them", at)
        middle = int(commas[0])
        indices = self._decode_indices(text[:middle].strip(), type, at)
        elements_type = TensorType(type.dtype, (len(indices),))
        values[tuple(indices.T)] = self._decode_list(text[middle + 1 :].strip(), elements_type, at + middle + 1)
        return Elements(type, values)

    def _decode_indices(self, text: str, type: TensorType, at: int) -> Array:
        """Returns the indices of a sparse constant of this type, one row for each element that it states.

        Raises FormatError for an index out of the type's shape.
        """
        flat = self._decode_numbers(text.encode("latin-1").translate(_BLANKED), DType.I64, at)
        if not text.startswith("["):  # 2 is the index [2] of a vector and [2, 2] of a matrix
            indices = np.repeat(flat[:1, None], type.rank, axis=1)
        elif type.rank == 1 and not text.startswith("[["):  # [0, 2] are two indices of a vector
            indices = self._decode_list(text, TensorType(DType.I64, flat.shape), at)[:, None]
        else:
            count = flat.size // max(type.rank, 1)
            indices = self._decode_list(text, TensorType(DType.I64, (count, type.rank)), at)
        wrong = np.flatnonzero(((indices < 0) | (indices >= np.array(type.static))).any(axis=1))
        if wrong.size:
            raise self.lexer.error(f"indices within {type}", at, str(indices[wrong[0]].tolist()))
        return indices

    def resource(self) -> Resource:
        """Reads what follows `dense_resource` in MLIR text, `<key> : type`.

        Its elements stand at the end of the text.
        """
        lexer, at = self.lexer, self.lexer.at
        lexer.expect("<")
        key = lexer.name() if lexer.kind == "string" else lexer.take_kind("word", "the key of a resource")
        lexer.expect(">")
        return Resource(self._read_type(), key, at)

    def blob(self, token: str, type: TensorType, at: int) -> Array:
        """Returns the elements of a resource from its hexadecimal string, whose first 4 bytes state the alignment."""
        return self.decode_all(self._decode_hexadecimal(token, at)[_ALIGNMENT:], type, at)

    def _read_type(self) -> TensorType:
        """Reads `: type` behind a constant's elements; raises FormatError if a dimension is unknown."""
        self.lexer.expect(":")
        at = self.lexer.at
        type = self.types.elements()
        if None in type.shape or type.shape == UNRANKED:
            raise self.lexer.error("known dimensions", at)
        return type

    def _decode_hexadecimal(self, token: str, at: int) -> Array:
        """Returns the bytes of a hexadecimal string token such as `"0x00FF"`."""
        if not token.startswith('"0x'):
            raise self.lexer.error("a string of hexadecimal digits behind 0x", at)
        try:
            return np.frombuffer(binascii.unhexlify(token[3:-1]), np.uint8)
        except (binascii.Error, ValueError):
            raise self.lexer.error("pairs of hexadecimal digits", at) from None

    # ** lists **

    def _decode_list(self, token: str, type: TensorType, at: int) -> Array:
        """Returns a constant's elements from nested lists such as `[[1, 2], [3, 4]]`, or from one number for all.

        Raises FormatError unless the lists are nested as the type's shape says. That is checked by their brackets and
        commas alone; then the brackets become blanks, and the elements are read as a flat list.
        """
        text = token.encode("latin-1")
        if not text.startswith(b"["):
            element = self._decode_numbers(text, type.dtype, at)
            return self.repeat(element[0], type, at) if type.elements != 1 else self.reshape(element, type, at)
        if text.translate(None, _NO_BRACKETS) != _expected_brackets(type, len(text)):
            raise self.lexer.error(f"lists nested as {type} has its elements", at)
        return self.reshape(self._decode_numbers(text.translate(_BLANKED), type.dtype, at), type, at)

    def _decode_numbers(self, text: bytes, dtype: DType, at: int) -> Array:
        """Returns the elements of a flat list with commas, decoded in pieces to save memory."""
        pieces, begin = [], 0
        while begin <= len(text):
            # A piece ends at the first comma from PIECE characters on, so no number is cut, and each round advances.
            end = text.find(b",", begin + PIECE)
            end = len(text) if end < 0 else end
            pieces.append(self._decode_piece(text[begin:end], dtype, at + begin))
            begin = end + 1
        return np.concatenate(pieces)

    def _decode_piece(self, text: bytes, dtype: DType, at: int) -> Array:
        """Returns the elements of a piece of a flat list, after a check of its syntax.

        `at` is its position in the text.
        """
        pattern = _FLOATS if dtype.is_float else _BOOLS if dtype is DType.BOOL else _INTEGERS
        if not _is_list(pattern, text):
            raise self.lexer.error(f"{_KINDS[pattern]}, commas between them", at + _find_first_wrong(pattern, text))
        text = text.translate(None, _SPACE)
        if pattern is _BOOLS:
            # "true,false,1" becomes 101: each element is one character, so the result has as many bytes.
            digits = text.translate(None, b",").replace(b"true", b"1").replace(b"false", b"0")
            return np.asarray(np.frombuffer(digits, np.uint8) == ord("1"))
        return self._decode_floats(text, dtype, at) if pattern is _FLOATS else self._decode_integers(text, dtype, at)

    def _decode_integers(self, text: bytes, dtype: DType, at: int) -> Array:
        """Returns integers from a list, decimal or hexadecimal; raises FormatError if one is out of range.

        A type without a sign takes both readings: 255 is the i8 -1.
        """
        if b"x" in text:
            text = _HEXADECIMAL.sub(lambda match: b"%d" % int(match[0], 16), text)
        values = np.fromstring(text, np.int64, sep=",")
        if _LONG.search(text):
            least, most = np.iinfo(np.int64).min, np.iinfo(np.int64).max
            too_long = next((n for n in map(int, text.split(b",")) if not least <= n <= most), None)
            if too_long is not None:
                raise self.lexer.error("integers of 64 bits", at, str(too_long))
        if dtype in (DType.SHAPE, DType.I64):
            return values
        # 63 for 64 bits: 1 << 64 is beyond int64, in which the values are.
        unsigned, width = dtype.value.startswith("u"), min(dtype.bits, 63)
        low, high = 0 if unsigned else -(1 << width - 1), (1 << width) - 1  # signed or not, if neither is stated
        if values.min() < low or values.max() > high:
            wrong = values[(values < low) | (values > high)][0]
            raise self.lexer.error(f"integers of {dtype.value}", at, str(wrong))
        sign = 0 if unsigned else 1 << width - 1
        # i8 255: (255 + 128 & 255) - 128 = 127 - 128 = -1; -128: (0 & 255) - 128 = -128; 127: 255 - 128 = 127.
        return np.asarray((values + sign & high) - sign, dtype.numpy)

    def _decode_floats(self, text: bytes, dtype: DType, at: int) -> Array:
        """Returns floats from a list of decimal numbers, and of hexadecimal ones, which state the bits."""
        bits = _HEXADECIMAL.findall(text)
        values = round_to_dtype(np.fromstring(_HEXADECIMAL.sub(b"0.0", text), np.float64, sep=","), dtype)
        if not bits:
            return values
        numbers = [int(digits[: 2 + dtype.bits], 16) for digits in bits]
        # A float of 16 bits has 4 digits, 0x3C00 for 1.0. More than 2 + 16 characters are refused, so int() reads few.
        if max(numbers) >> dtype.bits or max(map(len, bits)) > 2 + dtype.bits:
            raise self.lexer.error(f"at most {dtype.bits} bits for {dtype.value}", at, "more")
        raw = np.frombuffer(text, np.uint8)
        # An element stated by its bits has an x; as many commas are before it as its index says.
        element_indices = np.searchsorted(np.flatnonzero(raw == ord(",")), np.flatnonzero(raw == ord("x")))
        values.view(f"u{dtype.bits // 8}")[element_indices] = numbers
        return values


_NO_BRACKETS = bytes(set(range(256)) - set(b"[],"))  # to delete: what isn't a bracket or a comma
_NO_BLANKS = dict.fromkeys(map(ord, "[], \t\r\n\f\v"))
# A table for bytes.translate, which turns brackets into blanks.
_BLANKED = bytes(ord(" ") if byte in b"[]" else byte for byte in range(256))


def round_to_dtype(values: Array, dtype: DType) -> Array:
    """Rounds fp64 values to a type once; types that numpy lacks are rounded by way of fp32, to odd if inexact.

    Rounding fp64 to the nearest fp32 and that to fewer bits could round twice; an odd last bit keeps inexact values off
    the ties of the second step.
    """
    with np.errstate(over="ignore"):
        if dtype.numpy.isbuiltin == 1:
            return values.astype(dtype.numpy)
        wide = values.astype(np.float32)
        bits = wide.view(np.uint32)
        bits -= np.abs(wide) > np.abs(values)  # rounded up: one step back towards 0
        # 1 + 2**-8 + 2**-40 to bf16, with steps of 2**-7: fp32 has 1 + 2**-8, a tie that rounds to 1. With the last bit
        # set it is 1 + 2**-8 + 2**-23, above the tie, and rounds to 1 + 2**-7 as the value itself does.
        bits |= wide != values  # the last bit of what is inexact becomes 1
        return wide.astype(dtype.numpy)


def _expected_brackets(type: TensorType, max_length: int) -> bytes:
    """Returns the brackets and commas that nested lists of a type consist of; empty if longer than `max_length`."""
    # 2x3 is [[,,],[,,]]: from the inside 3 * (0 + 1) + 1 = 4, then 2 * (4 + 1) + 1 = 11 characters. Each element but
    # the last has a comma behind it, and two brackets enclose all: n * (inner + 1) - 1 + 2.
    length = 0
    for size in reversed(type.static):
        length = size * (length + 1) + 1
    text = b""
    for size in reversed(type.static) if length <= max_length else ():
        text = b"[" + (text + b",") * (size - 1) + text + b"]"
    return text


def _is_list(pattern: re.Pattern[bytes], text: bytes) -> bool:
    """Returns whether a text is a list of elements that match `pattern`, made by `_list_pattern`, and nothing else.

    A list has at least one element and no comma at its end.
    """
    match, bare = pattern.match(text), text.strip()
    return bool(bare) and not bare.endswith(b",") and match is not None and match.end() == len(text)


def _find_first_wrong(pattern: re.Pattern[bytes], text: bytes) -> int:
    """Returns where the first element of a list begins that doesn't match the pattern, behind its blanks."""
    begin = 0
    for element in text.split(b","):
        if not _is_list(pattern, element):
            break
        begin += len(element) + 1
    return len(text) - len(text[begin:].lstrip())
