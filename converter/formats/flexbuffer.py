"""FlexBuffers, in which custom operators store their options, decoded with the flatbuffers package."""

from typing import Any

from tosa_converter.errors import FormatError

MAX_SIZE = 1 << 20  # options are small; a decoded tree grows with its bytes


def decode_strings(data: bytes) -> list[bytes]:
    """Returns the byte strings of a FlexBuffer that is a vector of strings.

    Raises:
        FormatError: the bytes aren't one, or it is empty.
    """
    from flatbuffers import flexbuffers

    _require_size(data)
    try:
        texts = [bytes(item.AsStringBytes) for item in flexbuffers.GetRoot(data).AsVector]
    except Exception as error:  # the package checks nothing, so anything may come out of it
        raise FormatError(f"not a flexbuffer of strings: {error!r}") from None
    if not texts:
        raise FormatError("expected a flexbuffer with strings, found none")
    return texts


def decode(data: bytes) -> Any:
    """Returns the value that a FlexBuffer holds: maps, lists, numbers, strings.

    Raises:
        FormatError: the bytes aren't a FlexBuffer.
    """
    from flatbuffers import flexbuffers

    _require_size(data)
    try:
        return flexbuffers.Loads(data)
    except Exception as error:  # the package checks nothing, so anything may come out of it
        raise FormatError(f"not a flexbuffer: {error!r}") from None


def _require_size(data: bytes) -> None:
    """Raises FormatError for more bytes than the options of a custom operator may have."""
    if len(data) > MAX_SIZE:
        raise FormatError(f"expected a flexbuffer of at most {MAX_SIZE} bytes, found {len(data)}")
