"""Options of custom operators, read from what the flatbuffers package encodes."""

from typing import Any

import pytest
from flatbuffers import flexbuffers

from tosa_converter.errors import FormatError
from tosa_converter.formats import flexbuffer


def strings(*texts: str) -> bytes:
    builder = flexbuffers.Builder()
    with builder.Vector():
        for text in texts:
            builder.String(text)
    return bytes(builder.Finish())


@pytest.mark.parametrize("value", [0, -1, 2.5, True, "ab", [1, 2], {"a": 1, "b": {"c": ["d", 0.5]}}, [], {}, None])
def test_values_come_back(value: Any) -> None:
    assert flexbuffer.decode(bytes(flexbuffers.Dumps(value))) == value


@pytest.mark.parametrize("texts", [("a",), ("Erf", "\x12\x00x"), ("", "b")])
def test_strings_come_back(texts: tuple[str, ...]) -> None:
    assert flexbuffer.decode_strings(strings(*texts)) == [text.encode() for text in texts]


def test_a_flexbuffer_without_strings_is_refused() -> None:
    with pytest.raises(FormatError, match="expected a flexbuffer with strings, found none"):
        flexbuffer.decode_strings(strings())


@pytest.mark.parametrize("decode", [flexbuffer.decode, flexbuffer.decode_strings])
def test_what_is_none_is_refused(decode: Any) -> None:
    for data in (b"", b"\1", b"\xff\xff\xff"):
        with pytest.raises(FormatError, match=r"^not a flexbuffer"):
            decode(data)


@pytest.mark.parametrize("decode", [flexbuffer.decode, flexbuffer.decode_strings])
def test_a_flexbuffer_has_up_to_1_mib(decode: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert flexbuffer.MAX_SIZE == 1 << 20
    data = strings("some", "texts")
    monkeypatch.setattr(flexbuffer, "MAX_SIZE", len(data))
    assert len(decode(data)) == 2
    monkeypatch.setattr(flexbuffer, "MAX_SIZE", len(data) - 1)
    with pytest.raises(
        FormatError, match=f"^expected a flexbuffer of at most {len(data) - 1} bytes, found {len(data)}$"
    ):
        decode(data)
