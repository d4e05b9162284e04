"""Offsets, sizes and budgets of a flatbuffer are accepted at their limits and refused beyond."""

import struct
from typing import Any, cast

import numpy as np
import pytest

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.flatbuffer import Reader, writing
from tosa_converter.schemas import tflite, tosa
from tosa_converter.schemas.flat import Unknown

# The offset of the root and no identifier; a vtable of 8 bytes for a table of 12 with fields at 4 and 8; the table at
# 16: the way back to its vtable, the offset of the name from its own place 20, the number; the name at 28.
NAME = struct.pack("<I4x4HiII", 16, 8, 12, 4, 8, 16 - 8, 28 - 20, 7) + struct.pack("<I3sx", 3, b"abc")


def damaged(format: str, place: int, value: int, data: bytes = NAME) -> bytes:
    content = bytearray(data)
    struct.pack_into(f"<{format}", content, place, value)
    return bytes(content)


def test_a_table_written_by_hand_is_read() -> None:
    read = flatbuffer.read(tflite.Metadata, NAME, b"")
    assert (read.name, read.buffer) == ("abc", 7)
    reader = Reader(NAME)
    assert reader.vtable(reader.root())[0] == (4, 8)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (damaged("I", 0, 0), "Metadata at byte 0: offset leads to byte 0, the file has 36 bytes"),
        (damaged("I", 0, 33), "Metadata at byte 0: offset leads to byte 33, the file has 36 bytes"),
        (damaged("i", 16, 17), "Metadata at byte 16: vtable at byte -1, the file has 36 bytes"),
        (damaged("i", 16, 16 - 33), "Metadata at byte 16: vtable at byte 33, the file has 36 bytes"),
        (
            damaged("i", 16, 16 - 32),
            "Metadata at byte 32: expected a vtable of an even size within the file, found 25185 bytes",
        ),
        (damaged("H", 8, 2), "Metadata at byte 8: expected a vtable of an even size within the file, found 2 bytes"),
        (damaged("H", 8, 7), "Metadata at byte 8: expected a vtable of an even size within the file, found 7 bytes"),
        (damaged("H", 8, 30), "Metadata at byte 8: expected a vtable of an even size within the file, found 30 bytes"),
        (damaged("H", 10, 3), "Metadata at byte 16: a table of 3 bytes ends outside the file"),
        (damaged("H", 10, 21), "Metadata at byte 16: a table of 21 bytes ends outside the file"),
        (damaged("H", 14, 17), "Metadata at byte 16: a table of 21 bytes ends outside the file"),
        (damaged("I", 20, 0), "Metadata.name at byte 20: offset leads to byte 20, the file has 36 bytes"),
        (damaged("I", 20, 13), "Metadata.name at byte 20: offset leads to byte 33, the file has 36 bytes"),
        (
            damaged("I", 28, 5),
            "Metadata.name at byte 20: a vector of 5 elements of 1 bytes starts at byte 32, the file has 36 bytes",
        ),
        (NAME[:7], "Metadata: expected a flatbuffer, found 7 bytes"),
        (damaged("B", 33, 0xFF), "Metadata.name at byte 32: a string is not UTF-8"),
    ],
)
def test_offsets_outside_of_the_file_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        flatbuffer.read(tflite.Metadata, data, b"")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("data", "name", "number"),
    [
        (damaged("H", 8, 28), "abc", 7),  # a vtable up to the end has fields that the schema lacks
        (damaged("H", 8, 6), "abc", 0),
        (damaged("H", 8, 4), "", 0),
        (damaged("H", 12, 0), "", 7),
        (damaged("H", 10, 20), "abc", 7),
        (damaged("H", 10, 4), "abc", 7),  # fields behind the stated end
        (damaged("H", 14, 16), "abc", int.from_bytes(b"abc\0", "little")),
        (damaged("I", 28, 4), "abc\0", 7),
        (damaged("I", 32, 0, damaged("I", 20, 12)), "", 7),  # the length of an empty string in the last four bytes
    ],
)
def test_offsets_just_inside_of_the_file_are_read(data: bytes, name: str, number: int) -> None:
    read = flatbuffer.read(tflite.Metadata, data, b"")
    assert (read.name, read.buffer) == (name, number)


def test_the_root_may_be_in_the_last_four_bytes() -> None:
    data = struct.pack("<I4xHHi", 12, 4, 4, 12 - 8)
    assert flatbuffer.read(tflite.Metadata, data, b"").fields() == {"name": "", "buffer": 0}
    with pytest.raises(FormatError, match="expected a flatbuffer, found 7 bytes"):
        Reader(data[:7]).root()


def tensors(count: int) -> bytes:
    """Returns a graph of `count` tensors, all of which are one empty table, in a file of this size."""
    data = struct.pack("<I4xHHI", 16, 4, 4, 0)  # the vtable of a tensor at 8
    data += struct.pack("<iI", 16 - 32, 40 - 20) + bytes(8) + struct.pack("<HHH2x", 6, 8, 4)
    place = len(data) + 4
    data += struct.pack("<I", count)
    return (
        data
        + b"".join(struct.pack("<I", place + 4 * count - (place + 4 * i)) for i in range(count))
        + struct.pack("<i", place + 4 * count - 8)
    )


def test_items_are_limited_to_half_of_the_bytes_plus_4096() -> None:
    """Offsets of a vector count, and so do the tables behind them: 2 items for 4 bytes, and 1 for the graph."""
    data = tensors(4096)
    reader = Reader(data)
    assert (len(data), reader.budget) == (48 + 4 * 4096, (48 + 4 * 4096) // 2 + 4096)
    assert len(cast(tflite.SubGraph, reader.table(tflite.SubGraph, reader.root())).tensors) == 4096
    assert reader.budget == len(data) // 2 + 4096 - (1 + 2 * 4096)
    reader = Reader(data)
    reader.budget = 1 + 2 * 4096
    reader.table(tflite.SubGraph, reader.root())
    assert reader.budget == 0
    reader.budget = 2 * 4096
    with pytest.raises(FormatError, match="describe too many items"):
        reader.table(tflite.SubGraph, reader.root())


def test_data_is_shared_up_to_four_times_the_file_and_64_mib() -> None:
    reader = Reader(NAME)
    assert reader.repeats == 16 * 36 + 64 * 2**20
    assert reader.string(20, 8) == "abc"
    assert (reader.budget, reader.repeats) == (36 // 2 + 4096 - 1, 16 * 36 + 64 * 2**20)
    reader.repeats = 3
    assert reader.string(20, 8) == "abc"
    with pytest.raises(FormatError, match="describe too much data"):
        reader.string(20, 8)


def test_strings_cost_an_item_for_eight_bytes() -> None:
    data = struct.pack("<I16s", 16, b"sixteen letters.")
    reader = Reader(data)
    reader.budget = 3
    assert reader.string(-4, 4) == "sixteen letters."
    assert reader.budget == 0


def test_numbers_are_decoded_once_for_each_type() -> None:
    data = b"".join(map(bytes, flatbuffer.write(tflite.SubGraph(inputs=(1, 2, 3), outputs=(1, 2, 3)), b"")))
    reader = Reader(data)
    before = reader.budget, reader.repeats
    graph = cast(tflite.SubGraph, reader.table(tflite.SubGraph, reader.root()))
    assert graph.inputs is graph.outputs
    assert (before[0] - reader.budget, before[1] - reader.repeats) == (1 + 3, 3)


@pytest.mark.parametrize("tag", [0, 1, 2])
def test_unknown_tags_of_a_union_are_read_as_unknown(tag: int) -> None:
    """Tags above the last member may belong to a later schema; 0 means none."""
    last = len(tflite.BuiltinOptions.__subclasses__())
    row = tflite.Operator(builtin_options=tflite.BuiltinOptions.__subclasses__()[last - 1]())
    data = bytearray(b"".join(map(bytes, flatbuffer.write(row, b""))))
    place = data.rindex(bytes([last]))
    data[place] = (0, last, last + 1)[tag]
    options: Any = flatbuffer.read(tflite.Operator, bytes(data), b"").builtin_options
    kind = type(options)
    assert kind is (type(None), tflite.BuiltinOptions.__subclasses__()[last - 1], Unknown)[tag]
    assert getattr(options, "tag", None) == (last + 1 if tag == 2 else None)


def test_unknown_values_of_an_enumeration_are_refused() -> None:
    data = b"".join(map(bytes, flatbuffer.write(tflite.Tensor(type=tflite.TensorType.INT8), b"")))
    place = data.rindex(bytes([tflite.TensorType.INT8]))
    with pytest.raises(FormatError, match=rf"^Tensor.type at byte {place}: TensorType has no value 99$"):
        flatbuffer.read(tflite.Tensor, data[:place] + b"\x63" + data[place + 1 :], b"")


def test_a_file_has_its_exact_bytes() -> None:
    """The file has tables from the root on, then strings, then small vectors."""
    root = tflite.Model(
        version=3,
        description="ab",
        buffers=(tflite.Buffer(), tflite.Buffer(data=np.array([1, 2, 3], np.uint8), offset=5)),
        metadata_buffer=(9,),
    )
    model = struct.pack("<8HiI", 16, 20, 4, 0, 0, 8, 12, 16, 24 - 8, 3)  # the vtable at 8, the table at 24
    model += struct.pack("<3I", 92 - 32, 44 - 36, 116 - 40)  # offsets of description, buffers and metadata_buffer
    buffers = struct.pack("<3I", 2, 60 - 48, 72 - 52) + struct.pack("<2Hi", 4, 4, 60 - 56)
    buffers += struct.pack("<4Hi4xQI", 8, 20, 16, 8, 72 - 64, 5, 108 - 88)  # 8 bytes at a multiple of 8
    text = struct.pack("<I2s2x", 2, b"ab")
    vectors = bytes(8) + struct.pack("<I3sxII", 3, b"\1\2\3", 1, 9)  # bytes of a buffer at a multiple of 16
    expected = struct.pack("<I4s", 24, b"TFL3") + model + buffers + text + vectors
    assert b"".join(map(bytes, flatbuffer.write(root, b"TFL3"))) == expected


@pytest.mark.parametrize("size", [4095, 4096])
def test_vectors_from_4_kib_on_stay_where_they_are(size: int) -> None:
    content = np.full(size, 7, np.uint8)
    pieces = flatbuffer.write(tflite.Buffer(data=content), b"")
    assert any(np.shares_memory(np.asarray(piece), content) for piece in pieces if isinstance(piece, memoryview)) == (
        size == 4096
    )


def test_equal_vectors_of_numbers_are_written_once() -> None:
    """Vectors of floats are an exception, as 0 and -0 are equal."""
    graph = tosa.TosaTensor(name="a", shape=(1, 2, 3), variable_name="a")
    assert b"".join(map(bytes, flatbuffer.write(graph, b""))).count(b"\x01\0\0\0a\0") == 1
    zeros = tflite.QuantizationParameters(
        scale=np.array([0.0], np.float32), min=np.array([-0.0], np.float32), max=np.array([0.0], np.float32)
    )
    read = flatbuffer.read(tflite.QuantizationParameters, b"".join(map(bytes, flatbuffer.write(zeros, b""))), b"")
    for name, sign in (("scale", False), ("min", True), ("max", False)):
        assert np.signbit(getattr(read, name)).tolist() == [sign]


def test_a_file_has_up_to_31_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert flatbuffer.MAX_SIZE == 2**31 - 1
    root = tflite.Buffer(data=np.zeros(5000, np.uint8))
    size = sum(map(len, flatbuffer.write(root, b"")))
    monkeypatch.setattr(writing, "MAX_SIZE", size)
    flatbuffer.write(root, b"")
    monkeypatch.setattr(writing, "MAX_SIZE", size - 1)
    with pytest.raises(UnsupportedError, match=f"the file would have {size} bytes, a flatbuffer holds {size - 1}"):
        flatbuffer.write(root, b"")
