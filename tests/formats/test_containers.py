"""Models in zip archives and LiteRT-LM bundles: named, listed, read, and hostile ones refused."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8, MODELS, command
from support.containers import litertlm_of, section, zip_of

import tosa_converter as tc
from tosa_converter.cli.members import member_lines
from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats import find_container, parse
from tosa_converter.schemas import litertlm

FLOAT = MODELS / "digits_float32.tflite"
SIGNATURES = MODELS / "signatures_int8.tflite"
TWO = {"PREFILL": INT8.read_bytes(), "DECODE": FLOAT.read_bytes(), "METADATA": b"text"}


def two_sections() -> bytes:
    return litertlm_of(
        [
            (section(litertlm.TFLITE_MODEL, "prefill_decode"), SIGNATURES.read_bytes()),
            (section(litertlm.TFLITE_MODEL, "embedder"), FLOAT.read_bytes()),
            (section(4), b"words"),
            (section(99), b"of a later version"),
        ]
    )


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_single_model_needs_no_name(method: int, tmp_path: Path) -> None:
    path = tmp_path / "m.task"
    path.write_bytes(zip_of({"labels.txt": b"a\nb\n" * 100, "x/m.tflite": INT8.read_bytes()}, method))
    model, alone = tc.load(path), tc.load(INT8)
    assert [op.name for op in model.main] == [op.name for op in alone.main]
    assert [op.name for op in tc.load(f"{path}:x/m.tflite").main] == [op.name for op in alone.main]
    assert [op.name for op in tc.load(path.read_bytes()).main] == [op.name for op in alone.main]


def test_one_of_several_is_named(tmp_path: Path) -> None:
    path = tmp_path / "m.task"
    path.write_bytes(zip_of(TWO))
    with pytest.raises(UsageError, match=r"expected one model, found 2: PREFILL, DECODE\nnext: .*m.task:PREFILL"):
        tc.load(path)
    with pytest.raises(UsageError, match=r"no member is called 'DECOD'.*did you mean 'DECODE'"):
        tc.load(f"{path}:DECOD")
    assert tc.load(f"{path}:DECODE").main.inputs[0].type.dtype is tc.DType.FP32
    with pytest.raises(UsageError, match=r"expected an archive with the member 'x', found another file"):
        tc.load(f"{INT8}:x")
    with pytest.raises(FormatError, match=r"m.task:METADATA: expected TFLite"):
        tc.load(f"{path}:METADATA")


def test_a_path_with_a_colon_is_a_file_first(tmp_path: Path) -> None:
    path = tmp_path / "m.task:DECODE"
    path.write_bytes(INT8.read_bytes())
    (tmp_path / "m.task").write_bytes(zip_of(TWO))
    assert tc.load(path).main.inputs[0].type.dtype is tc.DType.I8


def test_a_stored_member_is_a_view_of_the_file() -> None:
    data = zip_of(TWO)
    container = find_container(data, "m.task")
    assert container is not None
    views = [np.frombuffer(member.read(), np.uint8) for member in container.members]
    whole = np.frombuffer(data, np.uint8)
    assert all(np.shares_memory(view, whole) for view in views)
    assert [view.tobytes() for view in views] == list(TWO.values())


@pytest.mark.parametrize("seed", range(20))
def test_archives_are_read_as_the_standard_library_reads_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for i in range(int(rng.integers(0, 9))):
            info = zipfile.ZipInfo(f"{'ordner/' * int(rng.integers(3))}dätei{i}" if rng.integers(2) else f"m{i}")
            info.extra = b"\x99\x99\x04\x00abcd" * int(rng.integers(3))
            info.comment = b"note" * int(rng.integers(3))
            method = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)[rng.integers(2)]
            data = bytes(rng.integers(0, int(rng.integers(1, 256)), int(rng.integers(5000)), np.uint8))
            archive.writestr(info, data, compress_type=method)
        if rng.integers(2):
            archive.mkdir("leer")
        archive.comment = b"note" * int(rng.integers(9))
    container = find_container(content.getvalue(), "")
    assert container is not None
    with zipfile.ZipFile(content) as archive:
        expected = {i.filename: archive.read(i) for i in archive.infolist() if not i.is_dir()}
    assert {member.name: bytes(member.read()) for member in container.members} == expected


def test_an_archive_with_64_bit_records_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    data = zip_of({"a": b"1" * 200, "b": b"2" * 200})
    assert b"PK\x06\x06" in data
    container = find_container(data, "")
    assert container is not None
    assert [bytes(member.read()) for member in container.members] == [b"1" * 200, b"2" * 200]


def test_64_bit_sizes_stand_behind_other_records() -> None:
    """A directory's entry with the record of a time, 0x5455, in front of the one of 64-bit sizes."""
    at, end = STORED.rfind(ENTRY), STORED.rfind(END)
    size = len(INT8.read_bytes())
    extra = struct.pack("<2HBI", 0x5455, 5, 1, 0) + struct.pack("<2HQ", 1, 8, size)
    entry = bytearray(STORED[at:end] + extra)
    struct.pack_into("<I", entry, 24, 0xFFFFFFFF)
    struct.pack_into("<H", entry, 30, len(extra))
    data = patched(STORED[:at] + bytes(entry) + STORED[end:], END, 12, "I", len(entry))
    container = find_container(data, "")
    assert container is not None
    assert [bytes(member.read()) for member in container.members] == [INT8.read_bytes()]


def test_a_hundred_members_are_all_of_them() -> None:
    members = [tc.MemberInspection(f"m{i}", 1, "stored") for i in range(101)]
    assert list(member_lines("a.zip", members[:100]))[-1].split()[0] == "m99"
    assert list(member_lines("a.zip", members))[-1] == "  and 1 more: --json lists them"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_signatures_of_compressed_members_are_listed(method: int, tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    path.write_bytes(zip_of({"m.tflite": SIGNATURES.read_bytes()}, method))
    assert [member.signatures for member in tc.members(path)] == [("classify", "encode", "mix")]


def test_members_are_listed_with_signatures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.litertlm"
    path.write_bytes(two_sections())
    members = tc.members(path)
    assert [(m.name, m.format, m.signatures) for m in members] == [
        ("prefill_decode", "TFLite", ("classify", "encode", "mix")),
        ("embedder", "TFLite", ("serving_default",)),
        ("SP_Tokenizer", "", ()),
        ("section_99", "", ()),
    ]
    assert tc.members(f"{path}:embedder") == tc.members(INT8) == ()
    assert command("inspect", path) == 0
    text = capsys.readouterr().out
    assert "4 members, 2 models" in text
    assert "classify, encode, mix" in text
    assert text.splitlines()[-1] == f"next: tflite-to-tosa inspect {path}:prefill_decode"
    assert command("inspect", path, "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert [row["bytes"] for row in figures["members"]] == [len(SIGNATURES.read_bytes()), FLOAT.stat().st_size, 5, 18]
    assert command("inspect", path, "--check") == 2
    assert "expected one model, found 2" in capsys.readouterr().err


def test_one_model_is_inspected_behind_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.zip"
    path.write_bytes(zip_of({"m.tflite": INT8.read_bytes(), "readme": b""}, zipfile.ZIP_DEFLATED))
    assert command("inspect", path) == 0
    text = capsys.readouterr().out
    assert "2 members, 1 model" in text
    assert "9 operators" in text
    assert command("inspect", path, "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["bytes"] == INT8.stat().st_size
    assert [row["kind"] for row in figures["members"]] == ["compressed", "compressed"]


def test_commands_take_members(tmp_path: Path) -> None:
    path, output = tmp_path / "m.litertlm", tmp_path / "m.tosa"
    path.write_bytes(two_sections())
    assert command(f"{path}:prefill_decode", "--signature", "encode", "-o", output) == 0
    assert command("verify", f"{path}:embedder") == 0
    assert command(f"{path}:embedder", "-o", path) == 2  # never over the container
    assert tc.members(path)


def test_the_builder_of_litert_lm_writes_what_is_read(tmp_path: Path) -> None:
    builder_module = pytest.importorskip("litert_lm_builder.litertlm_builder")
    (tmp_path / "words").write_bytes(b"w" * 100)
    builder = builder_module.LitertLmFileBuilder()
    kinds, types = builder_module.TfLiteModelType, builder_module.DType
    builder.add_tflite_model(str(SIGNATURES), kinds.PREFILL_DECODE)
    builder.add_tflite_weights(str(tmp_path / "words"), kinds.PREFILL_DECODE)
    builder.add_sentencepiece_tokenizer(str(tmp_path / "words"))
    for i, (dtype, value) in enumerate({types.UINT64: 1 << 63, types.DOUBLE: 0.5, types.BOOL: True}.items()):
        builder.add_system_metadata(builder_module.Metadata(key=f"k{i}", value=value, dtype=dtype))
    with open(tmp_path / "m.litertlm", "wb") as file:
        builder.build(file)
    members = tc.members(tmp_path / "m.litertlm")
    assert [(m.name, m.kind, m.bytes, m.weights) for m in members] == [
        ("prefill_decode", "TFLiteModel", SIGNATURES.stat().st_size, 100),
        ("prefill_decode.weights", "TFLiteWeights", 100, 0),
        ("SP_Tokenizer", "SP_Tokenizer", 100, 0),
    ]
    assert sorted(tc.load(tmp_path / "m.litertlm").signatures) == ["classify", "encode", "mix"]


# ** hostile archives **


def patched(data: bytes, magic: bytes, offset: int, code: str, *values: int) -> bytes:
    """Returns a file with numbers replaced behind the last record with this magic number."""
    changed = bytearray(data)
    struct.pack_into(f"<{code}", changed, data.rfind(magic) + offset, *values)
    return bytes(changed)


ENTRY, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
ONE = zip_of({"m.tflite": INT8.read_bytes()}, zipfile.ZIP_DEFLATED)
STORED = zip_of({"m.tflite": INT8.read_bytes()})


def bomb() -> bytes:
    """Returns an archive whose member unpacks to 1 GB of zeros, and says that it has 1000 bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(1024)) + packer.flush()
    data = zip_of({"m.tflite": INT8.read_bytes()}, zipfile.ZIP_STORED)
    begin, end = data.find(b"m.tflite") + 8, data.rfind(ENTRY)
    data = data[:begin] + packed + data[end:]
    data = patched(data, ENTRY, 10, "H", 8)
    data = patched(data, ENTRY, 20, "II", len(packed), 1000)
    data = patched(data, END, 16, "I", begin + len(packed))
    return data[:8] + b"\x08\0" + data[10:]


def renamed(name: bytes) -> bytes:
    """Returns the archive with another name of the same length, 8 bytes."""
    assert len(name) == 8
    return STORED.replace(b"m.tflite", name)


def doubled() -> bytes:
    """Returns an archive with two entries of the directory for one member."""
    at = STORED.rfind(ENTRY)
    end = STORED.rfind(END)
    data = STORED[:end] + STORED[at:end].replace(b"m.tflite", b"n.tflite") + STORED[end:]
    return patched(data, END, 8, "HHI", 2, 2, 2 * (end - at))


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "cut off": (lambda: ONE[:-30], "expected the end record"),
    "no directory": (lambda: patched(ONE, END, 16, "I", len(ONE)), "the directory takes bytes"),
    "many members": (lambda: patched(ONE, END, 8, "HH", 60000, 60000), "expected at most 1 members, found 60000"),
    "fewer members": (lambda: patched(ONE, END, 8, "HH", 0, 0), "expected 0 members in the directory, found more"),
    "several disks": (lambda: patched(ONE, END, 4, "H", 1), "expected an archive in one piece"),
    "no entry": (lambda: ONE.replace(ENTRY, b"PK\x01\x03"), "expected an entry of the directory"),
    "long name": (lambda: patched(ONE, ENTRY, 28, "H", 60000), "expected an entry of the directory"),
    "place": (lambda: patched(ONE, ENTRY, 42, "I", len(ONE)), "its header begins at byte"),
    "header": (lambda: patched(ONE, ENTRY, 42, "I", 4), "expected its own header, found another"),
    "other name": (lambda: ONE[::-1].replace(b"etilft.m", b"etilft.n", 1)[::-1], "expected its name in its header"),
    "size": (lambda: patched(STORED, ENTRY, 20, "II", 1 << 30, 1 << 30), "takes bytes"),
    "sizes differ": (lambda: patched(STORED, ENTRY, 24, "I", 1 << 30), "stored bytes, found"),
    "can't unpack": (lambda: patched(ONE, ENTRY, 24, "I", 0xFFFFFFF0), "can't unpack to"),
    "wide": (lambda: patched(ONE, ENTRY, 24, "I", 0xFFFFFFFF), "expected the 64-bit sizes of a member"),
    "wide directory": (lambda: patched(ONE, END, 16, "I", 0xFFFFFFFF), "expected the place of a 64-bit end record"),
    "bomb": (bomb, "expected 1000 bytes when unpacked, found more"),
    "shorter": (lambda: patched(ONE, ENTRY, 24, "I", 14000), "expected 14000 bytes when unpacked, found 13152"),
    "checksum": (lambda: STORED.replace(b"TFL3", b"TFL4").replace(b"TFL4", b"TFL3", 0), "expected the checksum"),
    "deflate": (lambda: ONE[:60] + b"\xff" * 40 + ONE[100:], "expected deflated bytes"),
    "parent": (lambda: renamed(b"../flite"), "expected the name of a member below the archive's folder"),
    "absolute": (lambda: renamed(b"/tmp/abc"), "expected the name of a member below the archive's folder"),
    "drive": (lambda: renamed(b"C:\\a.bat"), "expected the name of a member below the archive's folder"),
    "backslash": (lambda: renamed(b"a\\..\\bcd"), "expected the name of a member below the archive's folder"),
    "zero": (lambda: renamed(b"a.tfl\0te"), "expected the name of a member below the archive's folder"),
    "twice": (lambda: zip_of({"a": b"x", "b": b"y"}).replace(b"b", b"a"), "expected one member called 'a', found two"),
    "same bytes": (doubled, "expected its name in its header, found another"),
    "overlap": (
        lambda: patched(zip_of({"a": zip_of({"b": b"y"}), "b": b"y"}), ENTRY, 42, "I", 31),
        "overlap those before them",
    ),
    "encrypted": (
        lambda: patched(STORED[:6] + b"\1\0" + STORED[8:], ENTRY, 8, "H", 1),
        "expected a member without a password, found an encrypted one",
    ),
}


@pytest.mark.parametrize("fault", HOSTILE)
def test_a_hostile_archive_has_one_error(fault: str, tmp_path: Path) -> None:
    make, message = HOSTILE[fault]
    path = tmp_path / "m.zip"
    path.write_bytes(make())
    with pytest.raises(FormatError) as caught:
        tc.load(f"{path}:m.tflite" if fault in ("encrypted", "deflate", "checksum", "bomb") else path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}")
    assert sum(not line.startswith("next: ") for line in caught.value.lines) == 1


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (9, "deflate64"),
        (12, "bzip2"),
        (14, "LZMA"),
        (93, "zstd"),
        (95, "XZ"),
        (99, "AES"),
        (77, "method 77"),
    ],
)
def test_other_compressions_are_named(number: int, name: str, tmp_path: Path) -> None:
    data = patched(STORED, ENTRY, 10, "H", number)
    path = tmp_path / "m.zip"
    path.write_bytes(data[:8] + number.to_bytes(2, "little") + data[10:])
    with pytest.raises(UnsupportedError, match=f"it is compressed with {name}, which is not supported"):
        tc.load(f"{path}:m.tflite")


def test_every_prefix_of_an_archive_is_refused() -> None:
    data = zip_of({"m.tflite": bytes(40), "n": b"12"}, zipfile.ZIP_DEFLATED)
    for end in range(4, len(data)):
        with pytest.raises(FormatError):
            parse(data[:end])


# ** hostile bundles **


def bundle(change: Callable[[litertlm.SectionObject], object]) -> bytes:
    """Returns a bundle whose second section is changed after its place is known."""
    rows = [section(litertlm.TFLITE_MODEL, "a"), section(litertlm.TFLITE_MODEL, "b")]
    data = litertlm_of([(row, INT8.read_bytes()) for row in rows])
    begin, end = rows[1].begin_offset, rows[1].end_offset
    change(rows[1])
    old, new = struct.pack("<QQ", begin, end), struct.pack("<QQ", rows[1].begin_offset, rows[1].end_offset)
    assert old[:8] in data
    assert old[8:] in data
    return data.replace(old[:8], new[:8]).replace(old[8:], new[8:])


def header(offset: int, code: str, value: int) -> bytes:
    data = bytearray(two_sections())
    struct.pack_into(f"<{code}", data, offset, value)
    return bytes(data)


BUNDLES: dict[str, tuple[Callable[[], bytes], str]] = {
    "cut": (lambda: two_sections()[:20], "expected a header of 32 bytes, found 20"),
    "cut in a section": (lambda: two_sections()[:-1000], "expected pieces within"),
    "magic": (lambda: b"LITERTLX" + two_sections()[8:], "expected b'LITERTLM'"),
    "table": (lambda: header(24, "Q", 1 << 62), "expected the end of the table of sections within 16384 bytes"),
    "no table": (lambda: header(24, "Q", 32), "expected the end of the table of sections within"),
    "behind": (lambda: bundle(lambda row: setattr(row, "end_offset", 1 << 60)), "expected pieces within"),
    "backwards": (lambda: bundle(lambda row: setattr(row, "end_offset", 33)), "expected an end behind byte"),
    "overlap": (
        lambda: bundle(lambda row: setattr(row, "begin_offset", row.begin_offset - 4096)),
        "overlap those before them",
    ),
}


@pytest.mark.parametrize("fault", BUNDLES)
def test_a_hostile_bundle_has_one_error(fault: str) -> None:
    make, message = BUNDLES[fault]
    with pytest.raises(FormatError) as caught:
        parse(make(), file="m.litertlm")
    assert message in str(caught.value)
    assert len(caught.value.lines) == 1


@pytest.mark.parametrize(("align", "limit"), [(16384, 16384), (32768, 16384), (64, None)], ids=str)
def test_the_table_ends_within_16384_bytes_and_the_file(align: int, limit: int | None) -> None:
    """LiteRT-LM reads 16 kB for the header and the table; a shorter file ends before."""
    data = litertlm_of([(section(4), b"x")] if limit else [], align)
    if limit is None:
        data = data[: struct.unpack_from("<Q", data, 24)[0]]  # nothing behind the table
        limit = len(data)
    assert len(data) > limit or align == 64

    def ending(end: int) -> bytes:
        return data[:24] + struct.pack("<Q", end) + data[32:]

    assert find_container(ending(limit), "") is not None
    with pytest.raises(FormatError, match=f"end of the table of sections within {limit} bytes, found {limit + 1}"):
        find_container(ending(limit + 1), "")


def test_a_later_version_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match=r"expected a LiteRT-LM bundle of version 1, found 2\.7\.0"):
        parse(header(8, "I", 2))


def test_two_models_of_one_type_have_two_names() -> None:
    rows = [(section(litertlm.TFLITE_MODEL, "aux"), INT8.read_bytes()) for _ in range(2)]
    container = find_container(litertlm_of(rows), "")
    assert container is not None
    assert [member.name for member in container.members] == ["aux", "aux_1"]
