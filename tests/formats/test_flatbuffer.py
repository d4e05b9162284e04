"""The flatbuffer reader and writer round-trip files, and refuse inconsistent bytes."""

import contextlib
import struct
from collections.abc import Callable
from itertools import product
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.some import some
from support.tflite_models import Operator, Tensor, build

from tosa_converter.errors import ConverterError, FormatError
from tosa_converter.formats import flatbuffer, parse
from tosa_converter.formats.flatbuffer import Columns, reading
from tosa_converter.schemas import tflite, tosa
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.tflite import BuiltinOperator


def sample() -> bytes:
    """Returns a convolution with its constants, an addition, and a signature."""
    rng = np.random.default_rng(0)
    tensors = [
        Tensor((1, 4, 4, 2), "int8", scale=0.1, zero_point=3),
        Tensor((3, 3, 3, 2), "int8", rng.integers(-127, 128, (3, 3, 3, 2)), scale=[0.1, 0.2, 0.3]),
        Tensor((3,), "int32", rng.integers(-99, 99, 3), scale=[0.01, 0.02, 0.03]),
        Tensor((1, 4, 4, 3), "int8", scale=0.4, zero_point=-5),
        Tensor((1, 4, 4, 3), "int8", scale=0.8, zero_point=-5),
    ]
    operators = [
        Operator(BuiltinOperator.CONV_2D, (0, 1, 2), (3,), {"stride_w": 1, "stride_h": 1}),
        Operator(BuiltinOperator.ADD, (3, 3), (4,)),
    ]
    return build(tensors, operators, (0,), (4,))


SAMPLE = sample()


def test_written_tables_are_read_back() -> None:
    root = flatbuffer.read(tflite.Model, SAMPLE, b"TFL3")
    assert root.version == 3
    graph = root.subgraphs[0]
    assert [t.name for t in graph.tensors] == ["t0", "t1", "t2", "t3", "t4"]
    assert some(some(graph.tensors[1].quantization).scale).tolist() == np.array([0.1, 0.2, 0.3], np.float32).tolist()
    assert isinstance(graph.operators[0].builtin_options, tflite.Conv2DOptions)
    assert graph.operators[0].builtin_options.dilation_h_factor == 1  # the schema's default


def test_tables_with_more_vtables_than_the_cache_holds_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = repr(flatbuffer.read(tflite.Model, SAMPLE, b"TFL3"))
    monkeypatch.setattr(reading, "MAX_FORMS", 1)
    assert repr(flatbuffer.read(tflite.Model, SAMPLE, b"TFL3")) == expected


def test_a_union_without_a_tag_is_absent() -> None:
    """Another union in front of it, with a tag, doesn't count."""
    row = tflite.Operator(builtin_options=tflite.AddOptions(), builtin_options_2=tflite.StablehloSliceOptions())
    data = bytearray(b"".join(map(bytes, flatbuffer.write(row, b""))))
    (table,) = struct.unpack_from("<I", data)
    vtable = table - struct.unpack_from("<i", data, table)[0]
    tag = next(field.id for field in flatbuffer.layout(tflite.Operator).fields if field.name == "builtin_options_2")
    read = flatbuffer.read(tflite.Operator, data, b"")
    assert isinstance(read.builtin_options_2, tflite.StablehloSliceOptions)
    struct.pack_into("<H", data, vtable + 4 + 2 * tag, 0)
    read = flatbuffer.read(tflite.Operator, data, b"")
    assert isinstance(read.builtin_options, tflite.AddOptions)
    assert read.builtin_options_2 is None


def test_the_official_reader_reads_what_we_wrote() -> None:
    official = pytest.importorskip("tflite", reason="the tflite package is not installed")
    model = official.Model.GetRootAsModel(SAMPLE, 0)
    graph = model.Subgraphs(0)
    assert [graph.Tensors(i).Name().decode() for i in range(5)] == ["t0", "t1", "t2", "t3", "t4"]
    assert graph.Tensors(1).Quantization().ScaleAsNumpy().tolist() == np.array([0.1, 0.2, 0.3], np.float32).tolist()
    options = official.Conv2DOptions()
    table = graph.Operators(0).BuiltinOptions()
    options.Init(table.Bytes, table.Pos)
    assert (options.StrideW(), options.DilationHFactor()) == (1, 1)


def test_we_read_what_the_official_writer_wrote() -> None:
    flatbuffers = pytest.importorskip("flatbuffers")
    official = pytest.importorskip("tflite", reason="the tflite package is not installed")
    builder = flatbuffers.Builder(64)
    name = builder.CreateString("größe")
    data = builder.CreateByteVector(b"abcdef")
    official.BufferStart(builder)
    official.BufferAddData(builder, data)
    buffer = official.BufferEnd(builder)
    official.ModelStartBuffersVector(builder, 1)
    builder.PrependUOffsetTRelative(buffer)
    buffers = builder.EndVector()
    official.ModelStart(builder)
    official.ModelAddVersion(builder, 7)
    official.ModelAddDescription(builder, name)
    official.ModelAddBuffers(builder, buffers)
    builder.Finish(official.ModelEnd(builder), b"TFL3")
    root = flatbuffer.read(tflite.Model, builder.Output(), b"TFL3")
    assert (root.version, root.description) == (7, "größe")
    assert some(root.buffers[0].data).tobytes() == b"abcdef"


def test_vectors_are_views_and_aligned_as_the_schema_asks() -> None:
    weights = np.arange(20000, dtype=np.uint8)
    root = tflite.Model(version=3, buffers=(tflite.Buffer(data=weights), tflite.Buffer(data=weights[:5])))
    pieces = flatbuffer.write(root, b"TFL3")
    assert any(np.shares_memory(np.asarray(piece), weights) for piece in pieces if isinstance(piece, memoryview))
    content = b"".join(bytes(piece) for piece in pieces)
    for buffer in flatbuffer.read(tflite.Model, content, b"TFL3").buffers:
        data = some(buffer.data)
        offset = data.ctypes.data - np.frombuffer(content, np.uint8).ctypes.data
        assert offset % 16 == 0
        assert not data.flags.owndata


def test_the_same_tables_give_the_same_bytes() -> None:
    assert sample() == SAMPLE


PLACE = tosa.OpLocation(text="here")
NAMES = st.text(max_size=3)
OPERATORS = st.fixed_dictionaries(
    {
        "op": st.sampled_from([tosa.Op.ADD, tosa.Op.UNKNOWN]),
        "attribute": st.sampled_from(
            [None, tosa.ATTRIBUTES[tosa.Op.ADD](), tosa.ATTRIBUTES[tosa.Op.CLAMP](min_val=np.ones(4, np.uint8))]
        ),
        "inputs": st.lists(NAMES, max_size=3).map(tuple),
        "outputs": st.lists(NAMES, max_size=2).map(tuple),
        "location": st.sampled_from([None, PLACE]),
    }
)
TENSORS = st.fixed_dictionaries(
    {
        "name": NAMES,
        "shape": st.lists(st.integers(-1, 3), max_size=3).map(tuple),
        "type": st.sampled_from([tosa.DType.INT8, tosa.DType.UNKNOWN]),
        "data": st.none() | st.sampled_from([0, 1, 5000]).map(lambda size: np.full(size, 7, np.uint8)),
        "variable": st.booleans(),
        "variable_name": NAMES,
    }
)


@settings(max_examples=60, deadline=None)
@given(st.lists(OPERATORS, min_size=1, max_size=9), st.lists(TENSORS, min_size=1, max_size=9))
def test_columns_have_the_bytes_of_tables(operators: list[dict[str, Any]], tensors: list[dict[str, Any]]) -> None:
    """Tables encoded together have the same bytes as tables encoded one by one."""

    def encoded(vector: Callable[[type[Table], list[dict[str, Any]]], Any]) -> bytes:
        first = tosa.TosaBasicBlock(operators=vector(tosa.TosaOperator, operators))
        second = tosa.TosaBasicBlock(
            tensors=vector(tosa.TosaTensor, tensors), operators=vector(tosa.TosaOperator, operators[::-1])
        )
        region = tosa.TosaRegion(blocks=(first, second))
        return b"".join(flatbuffer.write(tosa.TosaGraph(regions=(region,)), b"TOSA"))

    singly = encoded(lambda table, rows: tuple(table(**row) for row in rows))
    assert (
        encoded(lambda table, rows: Columns(table, {name: [row[name] for row in rows] for name in rows[0]})) == singly
    )


@pytest.mark.parametrize("order", [*product(range(3), repeat=4)], ids=str)
def test_tables_in_any_order_are_read_completely(order: tuple[int, ...]) -> None:
    """Without vectors of strings, the last table may be longer or shorter than the first: both readers agree."""
    official = pytest.importorskip("tosa.TosaGraph", reason="tosa-tools is not installed")
    kinds: list[dict[str, Any]] = [
        {"shape": (), "type": tosa.DType.UNKNOWN, "variable": False},
        {"shape": (1, 2), "type": tosa.DType.INT8, "variable": False},
        {"shape": (3,), "type": tosa.DType.INT8, "variable": True},
    ]
    rows = [kinds[kind] for kind in order]
    columns = Columns(tosa.TosaTensor, {name: [row[name] for row in rows] for name in kinds[0]})
    region = tosa.TosaRegion(blocks=(tosa.TosaBasicBlock(tensors=cast(Any, columns)),))
    data = b"".join(map(bytes, flatbuffer.write(tosa.TosaGraph(regions=(region,)), b"TOSA")))
    ours = flatbuffer.read(tosa.TosaGraph, data, b"TOSA").regions[0].blocks[0].tensors
    block = official.TosaGraph.GetRootAs(data).Regions(0).Blocks(0)
    theirs = [block.Tensors(i) for i in range(block.TensorsLength())]
    expected = [(row["shape"], row["type"], row["variable"]) for row in rows]
    assert [(tuple(t.shape), t.type, t.variable) for t in ours] == expected
    shapes = [tuple(t.Shape(i) for i in range(t.ShapeLength())) for t in theirs]
    assert [(s, t.Type(), t.Variable()) for s, t in zip(shapes, theirs, strict=True)] == expected


def test_a_file_truncated_anywhere_is_refused() -> None:
    for size in range(len(SAMPLE)):
        with pytest.raises(ConverterError):
            parse(SAMPLE[:size])


def forged(place: int, value: int) -> bytes:
    content = bytearray(SAMPLE)
    struct.pack_into("<I", content, place, value)
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"hello, world", "found 12 bytes beginning with b'hello, w'"),
        (b"\x08\0\0\0TFL2" + SAMPLE[8:], "TFL3"),
        (forged(0, 0), "offset leads to byte 0"),
        (forged(0, 0xFFFFFFFF), "offset leads to byte 4294967295"),
        (forged(0, len(SAMPLE) - 2), "offset leads to byte"),
    ],
)
def test_bad_headers_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(FormatError, match="^x.tflite.*" + message.replace("(", r"\(")):
        parse(content, file="x.tflite")


def test_the_shortest_flatbuffer_has_an_offset_and_an_identifier() -> None:
    with pytest.raises(FormatError, match="expected a flatbuffer, found 7 bytes"):
        flatbuffer.read(tosa.TosaGraph, b"\x08\0\0\0NOP", b"TOSA")
    with pytest.raises(FormatError, match="expected file identifier b'TOSA', found b'NOPE'"):
        flatbuffer.read(tosa.TosaGraph, b"\x08\0\0\0NOPE", b"TOSA")


def test_the_end_of_each_table_of_a_vtable_is_checked() -> None:
    """The model is at byte 36, its buffers at 56 and 76, both with the vtable at 24; the last one ends the file."""
    data = struct.pack("<I4s7H2x", 36, b"TFL3", 14, 8, 0, 0, 0, 0, 4)  # of the model: its fifth field is at 4
    data += struct.pack("<5H2x", 10, 20, 0, 4, 12)  # of a buffer: offset at 4, size at 12
    data += struct.pack("<iI3I", 36 - 8, 4, 2, 56 - 48, 76 - 52)
    data += struct.pack("<iQQ", 56 - 24, 5, 6) + struct.pack("<iQQ", 76 - 24, 7, 8)
    assert len(data) == 96
    read = flatbuffer.read(tflite.Model, data, b"TFL3")
    assert [(buffer.offset, buffer.size) for buffer in read.buffers] == [(5, 6), (7, 8)]
    for missing in range(1, 17):
        with pytest.raises(FormatError, match="a table of 20 bytes ends outside the file"):
            flatbuffer.read(tflite.Model, data[:-missing], b"TFL3")


def test_an_error_names_file_table_path_field_and_offset() -> None:
    model = bytearray(build([Tensor((2,)), Tensor((2,))], [Operator(BuiltinOperator.RELU, (0,), (1,))], (0,), (1,)))
    place = bytes(model).index(b"t1\0") - 4  # the length of the second tensor's name
    struct.pack_into("<I", model, place, 0x7FFFFFFF)
    with pytest.raises(FormatError) as caught:
        parse(bytes(model), file="bad.tflite")
    text = str(caught.value)
    assert text.startswith("bad.tflite: Model.subgraphs[0].tensors[1].name at byte ")
    assert "2147483647 elements" in text


def test_shared_offsets_do_not_multiply() -> None:
    """A vector of many offsets to one vector of many offsets has 4 KB, but would decode to a million tables."""
    count = 1000
    content = bytearray(20)
    struct.pack_into("<I4s", content, 0, 20, b"TFL3")
    # vtable of Model with only `subgraphs` (slot 2), at 8; table at 20
    struct.pack_into("<HHHHH", content, 8, 10, 8, 0, 0, 4)
    content += b"\0" * (20 - len(content)) + struct.pack("<iI", 12, 4)
    outer = len(content)
    content += struct.pack("<I", count)
    subgraph = outer + 4 + 4 * count
    for i in range(count):
        content += struct.pack("<I", subgraph + 12 - (outer + 4 + 4 * i))
    # vtable of SubGraph with only `tensors` (slot 0) at `subgraph`, table 12 further on
    content += struct.pack("<HHHxxxxxx", 6, 8, 4) + struct.pack("<iI", 12, 4)
    inner = len(content)
    content += struct.pack("<I", count)
    tensor = inner + 4 + 4 * count
    for i in range(count):
        content += struct.pack("<I", tensor + 8 - (inner + 4 + 4 * i))
    content += struct.pack("<HHxxxx", 4, 4) + struct.pack("<i", 8)
    with pytest.raises(FormatError, match="too many items"):
        parse(bytes(content))


def sharing(slot: int, inner_slot: int, vector: bytes, count: int) -> bytes:
    """Returns a Model whose vector in `slot` has `count` offsets to one table with a vector in `inner_slot`."""

    def table(place: int) -> bytes:
        """Returns a table of one field, an offset to the following bytes, behind its vtable."""
        slots = struct.pack("<HH", 6 + 2 * place, 8) + bytes(2 * place) + struct.pack("<H", 4)
        padding = bytes(-len(slots) % 4)
        return padding + slots + struct.pack("<iI", len(slots), 4)

    inner, outer = table(inner_slot), table(slot)
    root = 8 + len(outer) - 8
    offsets = b"".join(struct.pack("<I", 4 * (count - i) + len(inner) - 8) for i in range(count))
    return struct.pack("<I4s", root, b"TFL3") + outer + struct.pack("<I", count) + offsets + inner + vector


WORDS = struct.pack("<I", 50_000) + bytes(50_000)
# Operators' codes with their names, graphs with their inputs, buffers with their bytes: by slot in the schema.
SHARED = {
    "strings": (1, 1, WORDS),
    "numbers": (2, 1, struct.pack("<I", 12_500) + bytes(50_000)),
    "bytes": (4, 0, WORDS),
}


@pytest.mark.parametrize("shared_part", SHARED)
def test_shared_parts_count_each_time(shared_part: str) -> None:
    """A shared vector costs nothing to decode again, but readers of the tables may copy it each time."""
    slot, inner_slot, vector = SHARED[shared_part]
    flatbuffer.read(tflite.Model, sharing(slot, inner_slot, vector, 3), tflite.IDENTIFIER)
    with pytest.raises(FormatError, match="describe too much data"):
        flatbuffer.read(tflite.Model, sharing(slot, inner_slot, vector, 6000), tflite.IDENTIFIER)


@settings(max_examples=3000, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_flipped_bytes_raise_nothing_but_our_errors(flips: list[tuple[int, ...]]) -> None:
    content = bytearray(SAMPLE)
    for place, value in flips:
        content[place] = value
    with contextlib.suppress(ConverterError):
        parse(bytes(content))


def test_equal_large_vectors_are_written_once() -> None:
    """By identity and by content; those that differ in one byte stay apart, however many look alike."""
    rng = np.random.default_rng(0)
    first = rng.integers(0, 256, 1 << 16, np.uint8)
    unlike = first.copy()
    unlike[1] ^= 1  # no byte of the sample
    buffers = [
        first,
        first,
        first.copy(),
        unlike,
        first[: 1 << 15],
        *(np.eye(1, 1 << 16, i, np.uint8)[0] for i in range(9)),
    ]
    model = tflite.Model(buffers=tuple(tflite.Buffer(data=data) for data in buffers))
    data = b"".join(map(bytes, flatbuffer.write(model, tflite.IDENTIFIER)))
    assert len(data) < sum(array.size for array in buffers[2:]) + 2048
    read = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER).buffers
    for array, buffer in zip(buffers, read, strict=True):
        np.testing.assert_array_equal(some(buffer.data), array)
    official = pytest.importorskip("tflite").Model.GetRootAs(data)
    for i, array in enumerate(buffers):
        np.testing.assert_array_equal(official.Buffers(i).DataAsNumpy(), array)
